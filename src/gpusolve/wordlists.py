"""Word lists: shipped ones and those that the user keeps by name, any others by their files."""

from __future__ import annotations

import hashlib
import operator
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeGuard

from gpusolve import files
from gpusolve.checks import shown, suggestion
from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.lists import formats, kept, public
from gpusolve.resources import wordlists_dir

Words: TypeAlias = str | Path | Iterable[str]
"""How every call takes words: the name of a list, a file, or the words themselves (see `load_words`)."""

REASONS = OF_ANOTHER_LENGTH, OTHER_CHARACTERS, AGAIN = (
    "of another length", "with other characters than letters", "that occur again",
)  # fmt: skip
"""Why words are left out."""
_ROW = re.compile(r"\| `([\w.-]+)\.txt` \| ([\d,]+) \| `([0-9a-f]{64})` \| ([^|\n]*) \| ([^|\n]*) \|")
LONGEST_PATH = 1000
"""A longer name of a file is cut in an error."""


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
    origin : str
        Where it comes from.
    licence : str
        Its licence.
    """

    name: str
    count: int
    sha256: str
    origin: str
    licence: str

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
    return [
        ShippedList(name, int(count.replace(",", "")), digest, origin.replace("`", ""), licence.replace("`", ""))
        for name, count, digest, origin, licence in _ROW.findall(text)
    ]


def counted() -> dict[str, int]:
    """Return the number of words of each shipped list, and of each public list that is on this machine, by its name.

    >>> counted()["wordle-answers"]
    2315
    """
    return {each.name: each.count for each in shipped()} | {each.name: each.count for each in kept.downloaded()}


def is_shipped(source: Words) -> TypeGuard[str]:
    """Return whether this is the name of a shipped list.

    >>> is_shipped("scowl-70"), is_shipped(["scowl-70"])
    (True, False)
    """
    return isinstance(source, str) and source in [words.name for words in shipped()]


@dataclass(frozen=True)
class Known:
    """A list that has a name. What was made from it can be kept for the next call by this key.

    Attributes
    ----------
    name : str
        The name.
    version : tuple of int
        What changes with the file of a list that the user keeps; empty for a shipped list.
    """

    name: str
    version: tuple[int, ...] = ()

    @property
    def is_shipped(self) -> bool:
        """Whether it is a shipped list."""
        return not self.version


def known(source: Words) -> Known | None:
    """Return the list that has this name, shipped or kept by the user; None for anything else.

    >>> known("scowl-70"), known("scowl-70.txt"), known(["scowl-70"])
    (Known(name='scowl-70', version=()), None, None)
    """
    if is_shipped(source):
        return Known(source)
    if isinstance(source, str) and (version := kept.version(source)) is not None:
        return Known(source, version)
    return None


def load_words(source: Words, *, length: int | None = None, name: str = "") -> list[str]:
    """Return the words of a list, of a file or of an iterable: sorted, in lower case.

    Parameters
    ----------
    source : str, Path or iterable of str
        The name of a list that is shipped or kept (``gpusolve lists`` shows them), a file, or the words themselves. A
        file is a UTF-8 text file with one word per line in any case, or a JSON list of words. A number after a word is
        its rating (see `load_ratings`), and a first line above such lines can name the columns. Blank lines are
        ignored. Lines of a file that do not fit, as in a dictionary of all lengths, are left out and counted in a
        `WordsLeftOut` warning.
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
    if length is None and (found := known(source)) is not None:
        return list(_known_words(found))
    return _load_words(source, length, name)


@lru_cache(maxsize=16)
def _known_words(found: Known) -> tuple[str, ...]:
    return tuple(_load_words(found.name, None, ""))


def _load_words(source: Words, length: int | None, name: str) -> list[str]:
    called, unit, lines = read_lines(source, name)
    return words_in(lines, called, unit, length=length, from_file=bool(name) or unit != "number")


def load_ratings(source: str | Path) -> dict[str, float]:
    """Return the ratings of the words of a list or a file that have one, by the words in lower case.

    A rating is a number after the word, which a comma, a semicolon, a tab or spaces separate from it. Raises BadInput
    as `load_words` does for what cannot be read.
    """
    return formats.ratings_in(_text_of(source)[1])


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
            faults.append(
                Fault(
                    number,
                    word,
                    OF_ANOTHER_LENGTH,
                    f"has {len(word)} letter{'s' * (len(word) != 1)}: expected {length}",
                )
            )
        elif word in found:
            faults.append(Fault(number, word, AGAIN, f"is in {unit} {found[word][0]} already"))
        else:
            found[word] = number, stripped
    settle(found, faults, called, unit, from_file=from_file)
    return sorted(found)


def read_lines(source: Words, name: str = "") -> tuple[str, str, list[str]]:
    """Return what messages call the words and the place of one, and the lines, as they are but for their ratings.

    The place is a "line" of a file, an "item" of a file with a JSON list, or a "number". The parameters and errors are
    those of `load_words`.
    """
    if isinstance(source, str | Path):
        called, text = _text_of(source)
        unit, lines = formats.lines_of(text, called)
        if called in public.BY_NAME:  # that a public list has a word twice is no news for its users
            lines = list(dict.fromkeys(lines))
        return called, unit, lines
    if not isinstance(source, Iterable):
        raise TypeError(f"words: expected a list's name, a file or words, not {type(source).__name__}")
    called, unit, lines = name or "words", "number", list(source)
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise TypeError(f"{called}, {unit} {number}: expected a word, not {type(line).__name__}")
    return called, unit, lines


def _text_of(source: str | Path) -> tuple[str, str]:
    """Return what messages call a list or a file, and its content. The name of a list comes before a file."""
    found = known(str(source))
    if found is None:
        if not files.exists(source):
            raise BadInput(_missing(source))
        return str(source), files.read_text(source)
    if found.is_shipped:
        return found.name, (wordlists_dir() / f"{source}.txt").read_text(encoding="utf-8")
    return found.name, formats.decoded(kept.read(found.name), found.name)


def _missing(source: str | Path) -> str:
    """Return the error for a name that is neither that of a list nor that of a file."""
    name = str(source)
    called = name if len(name) <= LONGEST_PATH else f"{shown(name)}..."
    if (why := files.obstacle(source)) is not None:
        return f"{called}: {why}: expected a file or a list's name"
    if name in public.BY_NAME:
        return f"{name}: not on this machine: gpusolve lists get {name}"
    names, own = [words.name for words in shipped()], kept.names()
    yours = f", or one of yours: {', '.join(own)}" if own else ""
    near = suggestion(name, dict.fromkeys([*names, *own, *public.BY_NAME]))
    return f"{called}: no such file: expected a file or a shipped list: {', '.join(names)}{yours}{near}"


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
        note = f"{called}: {len(found):,} word{'s' * (len(found) != 1)}; left out {listed}, "
        note += f"first '{short(faults[0].text)}' in {unit} {faults[0].number:,}"
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
