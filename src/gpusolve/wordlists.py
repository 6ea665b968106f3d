"""Word lists: shipped ones by name, any others by their files."""

from __future__ import annotations

import hashlib
import operator
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeGuard

from gpusolve import files
from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.resources import wordlists_dir

Words: TypeAlias = str | Path | Iterable[str]
"""How every call takes words: the name of a shipped list, a file with one word per line, or the words themselves."""

REASONS = OF_ANOTHER_LENGTH, OTHER_CHARACTERS, AGAIN = (
    "of another length", "with other characters than letters", "that occur again",
)  # fmt: skip
"""Why words are left out."""
_ROW = re.compile(r"\| `([\w.-]+)\.txt` \| ([\d,]+) \| `([0-9a-f]{64})` \|")


class Fault(NamedTuple):
    """Why a line is not a word of a list.

    Attributes
    ----------
    number : int
        The number of the line.
    text : str
        What is there.
    reason : str
        Why it is left out of a file: one of the three above.
    message : str
        What is wrong with it.
    """

    number: int
    text: str
    reason: str
    message: str


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
        Blank lines are ignored. Lines of a file that do not fit, as in a dictionary of all lengths, are left out and
        counted in a `WordsLeftOut` warning.
    length : int, optional
        The number of letters that every word must have.
    name : str
        The file that the words come from, if the caller has read it. Messages name it, and words that do not fit are
        left out, as from a file.

    Returns
    -------
    list of str

    Raises
    ------
    BadInput
        If no line of a file fits; or if one of the words themselves is not of letters a-z, has another length or occurs
        twice. The message gives the number of the first such line. Also if a file is missing or is not UTF-8.
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
    return words_in(lines, called, unit, length=length, from_file=bool(name) or unit == "line")


def words_in(lines: list[str], called: str, unit: str, *, length: int | None, from_file: bool) -> list[str]:
    """Return the words of lines whose letters are a-z, sorted, in lower case; see `settle` for the parameters."""
    joined = "".join(lines)
    if joined.isascii() and joined.isalpha():
        words = sorted("\n".join(lines).lower().split())
        if not any(map(operator.eq, words, words[1:])) and (length is None or set(map(len, words)) == {length}):
            return words
    found: dict[str, tuple[int, str]] = {}
    faults = []
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        word = stripped.lower()
        if not word:
            continue
        if not (stripped.isascii() and stripped.isalpha()):  # lower() turns the Kelvin sign into an ASCII k
            faults.append(Fault(number, stripped, OTHER_CHARACTERS, "is not a word: expected letters a-z only"))
        elif length is not None and len(word) != length:
            faults.append(Fault(number, word, OF_ANOTHER_LENGTH, f"has {len(word)} letters: expected {length}"))
        elif word in found:
            faults.append(Fault(number, word, AGAIN, f"is in {unit} {found[word][0]} already"))
        else:
            found[word] = number, stripped
    settle(found, faults, called, unit, from_file=from_file)
    return sorted(found)


def read_lines(source: Words, name: str = "") -> tuple[str, str, list[str]]:
    """Return what messages call the words and the place of one ("line" or "number"), and the lines as they are.

    The parameters and errors are those of `load_words`.
    """
    if isinstance(source, str | Path):
        if is_shipped(str(source)):  # the name of a shipped list comes before a file of that name
            return str(source), "line", (wordlists_dir() / f"{source}.txt").read_text(encoding="utf-8").splitlines()
        if not files.exists(source):
            names = ", ".join(words.name for words in shipped())
            raise BadInput(f"{source}: no such file: expected a file or a shipped list: {names}")
        return str(source), "line", files.read_text(source).splitlines()
    if not isinstance(source, Iterable):
        raise TypeError(f"words: expected a shipped list's name, a file or words, not {type(source).__name__}")
    called, unit, lines = name or "words", "number", list(source)
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise TypeError(f"{called}, {unit} {number}: expected a word, not {type(line).__name__}")
    return called, unit, lines


def settle(
    found: Mapping[str, tuple[int, str]], faults: list[Fault], called: str, unit: str, *, from_file: bool
) -> None:
    """Give a `WordsLeftOut` warning with the number of lines that do not fit, or raise BadInput for the first of them.

    Parameters
    ----------
    found : mapping
        The words that fit: the number of the line, and how each is spelled there.
    faults : list of Fault
        The lines that do not, in their order.
    called, unit : str
        What messages call the words and the place of one.
    from_file : bool
        Whether they come from a file, of which those that fit are used.
    """
    if faults and not (found and from_file):
        number, text, _, message = faults[0]
        raise BadInput(f"{called}, {unit} {number}: '{short(text)}' {message}")
    if not found:
        raise BadInput(f"{called}: no words there: expected at least one")
    if faults:
        counts = Counter(fault.reason for fault in faults)
        listed = ", ".join(f"{counts[reason]:,} {reason}" for reason in REASONS if counts[reason])
        note = f"{called}: {len(found):,} words; left out {listed}, first '{short(faults[0].text)}' in "
        note += f"{unit} {faults[0].number:,}"
        if capitals := sum(spelled != spelled.lower() for _, spelled in found.values()):
            note += f"; {capitals:,} with capitals were read in lower case"
        warnings.warn(note, WordsLeftOut, stacklevel=5)


def digest(words: Iterable[str]) -> str:
    """Return the SHA-256 of words, sorted and one per line, by which a checkpoint identifies a word list.

    Examples
    --------
    >>> digest(["b", "a"])[:8]
    '7e18f737'
    """
    return hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()


def short(word: str) -> str:
    """Return a word for a message, at most 24 characters of it."""
    return word if len(word) <= 24 else word[:24] + "..."
