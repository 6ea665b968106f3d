"""Word lists: the shipped ones by name, any other by its file."""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.resources import wordlists_dir

Words: TypeAlias = str | Path | Iterable[str]
"""What stands for words in every call: a shipped list's name, a file, or the words themselves."""

_ROW = re.compile(r"\| `([\w.-]+)\.txt` \| ([\d,]+) \| `([0-9a-f]{64})` \|")


@dataclass(frozen=True)
class ShippedList:
    """A row of ``wordlists/SOURCES.md``: what a shipped list should be."""

    name: str
    count: int
    sha256: str

    @property
    def path(self) -> Path:
        """The file."""
        return wordlists_dir() / f"{self.name}.txt"

    def is_intact(self) -> bool:
        """Whether the file is there, with the SHA-256 of SOURCES.md."""
        return self.path.is_file() and hashlib.sha256(self.path.read_bytes()).hexdigest() == self.sha256


def shipped() -> list[ShippedList]:
    """The shipped lists, as ``wordlists/SOURCES.md`` has them.

    >>> [words.name for words in shipped()][:2]
    ['wordle-answers', 'wordle-guesses']
    """
    text = (wordlists_dir() / "SOURCES.md").read_text(encoding="utf-8")
    return [ShippedList(name, int(count.replace(",", "")), digest) for name, count, digest in _ROW.findall(text)]


def load_words(source: Words, length: int | None = None) -> list[str]:
    """The words of a shipped list (its name), of a file (one word per line, any case), or these: sorted, lower case.

    `length` asks for words of that many letters. Blank lines are passed over. Raises BadInput, with the line's
    number, for what is not a word of letters a-z, for another length and for a word that comes twice; and for a file
    that is missing, is not UTF-8 or holds no word. Raises TypeError for what is no string.

    >>> len(load_words("wordle-answers", length=5)), load_words(["Tea", "ate"])
    (2315, ['ate', 'tea'])
    """
    if isinstance(source, str | Path):
        name, unit, lines = str(source), "line", files.read_text(_path_of(source)).splitlines()
    elif isinstance(source, Iterable):
        name, unit, lines = "words", "number", list(source)
        for number, line in enumerate(lines, 1):
            if not isinstance(line, str):
                raise TypeError(f"{name}, {unit} {number}: expected a word, not {type(line).__name__}")
    else:
        raise TypeError(f"words: expected a shipped list's name, a file or words, not {type(source).__name__}")
    together = "".join(lines)
    if together.isascii() and together.isalpha():
        words = sorted("\n".join(lines).lower().split())
        if not any(map(operator.eq, words, words[1:])) and (length is None or set(map(len, words)) == {length}):
            return words
    return _line_by_line(lines, length, name, unit)


def _line_by_line(lines: list[str], length: int | None, name: str, unit: str) -> list[str]:
    """The same for lines that are not all sound words; says which one is not."""
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        word = stripped.lower()
        if not word:
            continue
        if not (stripped.isascii() and stripped.isalpha()):  # lower() makes ASCII of the Kelvin sign
            word, fault = stripped, "is not a word: expected letters a-z only"
        elif length is not None and len(word) != length:
            fault = f"has {len(word)} letters: expected {length}"
        elif word in seen:
            fault = f"is in {unit} {seen[word]} already"
        else:
            seen[word] = number
            continue
        raise BadInput(f"{name}, {unit} {number}: '{_short(word)}' {fault}")
    if not seen:
        raise BadInput(f"{name}: no words there: expected at least one")
    return sorted(seen)


def digest(words: Iterable[str]) -> str:
    """The SHA-256 of the words, sorted, one a line: what tells one list from another in a checkpoint.

    >>> digest(["b", "a"])[:8]
    '7e18f737'
    """
    return hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()


def _path_of(source: str | Path) -> Path:
    names = [words.name for words in shipped()]
    if str(source) in names:
        return wordlists_dir() / f"{source}.txt"
    path = Path(source)
    if not files.exists(path):
        raise BadInput(f"{source}: no such file, nor a shipped list: {', '.join(names)}")
    return path


def _short(word: str) -> str:
    return word if len(word) <= 24 else word[:24] + "..."
