"""Word lists: shipped ones by name, any others by their files."""

from __future__ import annotations

import hashlib
import operator
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias, TypeGuard

from gpusolve import files
from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.resources import wordlists_dir

Words: TypeAlias = str | Path | Iterable[str]
"""How every call takes words: the name of a shipped list, a file with one word per line, or the words themselves."""

MANY, SHARE = 10, 20
"""Words that do not fit are left out of a file if they are at least MANY and one in SHARE."""
_ROW = re.compile(r"\| `([\w.-]+)\.txt` \| ([\d,]+) \| `([0-9a-f]{64})` \|")


@dataclass(frozen=True)
class ShippedList:
    """A shipped word list, as a row of ``wordlists/SOURCES.md`` describes it.

    Attributes
    ----------
    name : str
        The name that commands and functions take.
    count : int
        Number of words.
    sha256 : str
        SHA-256 of the file, in hexadecimal.
    """

    name: str
    count: int
    sha256: str

    @property
    def path(self) -> Path:
        """The path of the file."""
        return wordlists_dir() / f"{self.name}.txt"

    def is_intact(self) -> bool:
        """Return whether the file exists and has the SHA-256 that SOURCES.md gives."""
        return self.path.is_file() and hashlib.sha256(self.path.read_bytes()).hexdigest() == self.sha256


def shipped() -> list[ShippedList]:
    """Return the shipped lists, in the order of ``wordlists/SOURCES.md``.

    Examples
    --------
    >>> [words.name for words in shipped()][:2]
    ['wordle-answers', 'wordle-guesses']
    """
    text = (wordlists_dir() / "SOURCES.md").read_text(encoding="utf-8")
    return [ShippedList(name, int(count.replace(",", "")), digest) for name, count, digest in _ROW.findall(text)]


def is_shipped(source: Words) -> TypeGuard[str]:
    """Return whether this is the name of a shipped list: what was made from one can be kept for the next call.

    >>> is_shipped("scowl-70"), is_shipped(["scowl-70"])
    (True, False)
    """
    return isinstance(source, str) and source in [words.name for words in shipped()]


def load_words(source: Words, *, length: int | None = None, name: str = "") -> list[str]:
    """Return the words of a shipped list, of a file or of an iterable: sorted, in lower case.

    Parameters
    ----------
    source : str, Path or iterable of str
        The name of a shipped list, a UTF-8 text file with one word per line in any case, or the words themselves.
        Blank lines are ignored. If many lines of a file do not fit (at least 10, and one in twenty), as in a dictionary
        of all lengths, they are left out and counted in a `WordsLeftOut` warning.
    length : int, optional
        The number of letters that every word must have.
    name : str
        The file that the words come from, if the caller has read it. Messages name it, and words that do not fit may be
        left out, as from a file.

    Returns
    -------
    list of str

    Raises
    ------
    BadInput
        If a line is not a word of letters a-z, has another length or occurs twice, unless it is left out. The message
        names the number of the line. Also if a file is missing, is not UTF-8 or has no words.
    TypeError
        For words that are not strings.

    Examples
    --------
    >>> len(load_words("wordle-answers", length=5)), load_words(["Tea", "ate"])
    (2315, ['ate', 'tea'])
    """
    if length is None and is_shipped(source):
        return list(_shipped_words(source))
    return _load_words(source, length, name)


@cache
def _shipped_words(name: str) -> tuple[str, ...]:
    return tuple(_load_words(name, None, ""))


def _load_words(source: Words, length: int | None, name: str) -> list[str]:
    called, unit, lines = read_lines(source, name)
    joined = "".join(lines)
    if joined.isascii() and joined.isalpha():
        words = sorted("\n".join(lines).lower().split())
        if not any(map(operator.eq, words, words[1:])) and (length is None or set(map(len, words)) == {length}):
            return words
    if isinstance(source, str | Path) or name:
        kept = _kept(lines, length=length, name=called)
        if kept:
            return kept
    return _check_lines(lines, length=length, name=called, unit=unit)


def read_lines(source: Words, name: str = "") -> tuple[str, str, list[str]]:
    """Return what messages call the words and the place of one ("line" or "number"), and the lines as they are.

    The parameters and errors are those of `load_words`.
    """
    if isinstance(source, str | Path):
        return str(source), "line", files.read_text(_path_of(source)).splitlines()
    if not isinstance(source, Iterable):
        raise TypeError(f"words: expected a shipped list's name, a file or words, not {type(source).__name__}")
    called, unit, lines = name or "words", "number", list(source)
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise TypeError(f"{called}, {unit} {number}: expected a word, not {type(line).__name__}")
    return called, unit, lines


def _kept(lines: list[str], *, length: int | None, name: str) -> list[str]:
    """Return the words of a file of which many lines do not fit, with a warning that counts those; else no words.

    A few wrong lines are more likely a mistake, which `_check_lines` reports.
    """
    stripped = [word for word in map(str.strip, lines) if word]
    letters = [word for word in stripped if word.isascii() and word.isalpha()]
    fitting = [word for word in letters if length in (None, len(word))]
    kept = sorted({word.lower() for word in fitting})
    left_out = {
        "of another length": len(letters) - len(fitting),
        "with other characters than a-z": len(stripped) - len(letters),
        "that occur again": len(fitting) - len(kept),
    }
    if not may_be_left_out(sum(left_out.values()), len(kept)):
        return []
    warn_of_left_out(name, len(kept), left_out, sum(word != word.lower() for word in fitting), stacklevel=5)
    return kept


def may_be_left_out(left_out: int, kept: int) -> bool:
    """Return whether a file has so many words that do not fit that it is not the fault of a few lines."""
    return kept > 0 and left_out >= max(MANY, (left_out + kept) // SHARE)


def warn_of_left_out(name: str, kept: int, left_out: Mapping[str, int], capitals: int, *, stacklevel: int) -> None:
    """Give a `WordsLeftOut` warning, with the number of words left out for each reason."""
    warnings.warn(
        f"{name}: {kept:,} words; left out "
        + ", ".join(f"{count:,} {reason}" for reason, count in left_out.items() if count)
        + (f"; {capitals:,} with capitals were read in lower case" if capitals else ""),
        WordsLeftOut,
        stacklevel=stacklevel,
    )


def _check_lines(lines: list[str], *, length: int | None, name: str, unit: str) -> list[str]:
    """Read words line by line and raise BadInput for the first line that is not a valid word.

    It is slower than the check of all lines at once, which `load_words` tries first.
    """
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        word = stripped.lower()
        if not word:
            continue
        if not (stripped.isascii() and stripped.isalpha()):  # lower() turns the Kelvin sign into an ASCII k
            word, fault = stripped, "is not a word: expected letters a-z only"
        elif length is not None and len(word) != length:
            fault = f"has {len(word)} letters: expected {length}"
        elif word in seen:
            fault = f"is in {unit} {seen[word]} already"
        else:
            seen[word] = number
            continue
        raise BadInput(f"{name}, {unit} {number}: '{short(word)}' {fault}")
    if not seen:
        raise BadInput(f"{name}: no words there: expected at least one")
    return sorted(seen)


def digest(words: Iterable[str]) -> str:
    """Return the SHA-256 of words, sorted and one per line, by which a checkpoint identifies a word list.

    Examples
    --------
    >>> digest(["b", "a"])[:8]
    '7e18f737'
    """
    return hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()


def _path_of(source: str | Path) -> Path:
    """Return the path of a word list. A shipped list's name comes before a file of that name."""
    names = [words.name for words in shipped()]
    if str(source) in names:
        return wordlists_dir() / f"{source}.txt"
    path = Path(source)
    if not files.exists(path):
        raise BadInput(f"{source}: expected a file or a shipped list: {', '.join(names)}")
    return path


def short(word: str) -> str:
    """Return a word for a message, at most 24 characters of it."""
    return word if len(word) <= 24 else word[:24] + "..."
