"""Word lists, in all forms that the solvers read."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from gpusolve import wordlists
from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.kernels import Letters, Terms
from gpusolve.games.wordle.rules import LENGTHS, LETTERS, Digraphs, Word
from gpusolve.result import Result
from gpusolve.wordlists import AGAIN, OF_ANOTHER_LENGTH, OTHER_CHARACTERS, Fault, Words, settle, words_in

ALPHABET = 64
"""Largest number of different letters of a list."""
_DECLARATION = re.compile(r"\s*#\s*digraphs\s*:(.*)", re.IGNORECASE)


class WordList(Result, Sequence[str]):
    """An immutable, sorted sequence of different words of the same length, 2 to 12 letters of any alphabet.

    Arrays made from the words are computed once, when they are first used.

    Parameters
    ----------
    words : str, Path or iterable of str
        The name of a list, a file, or the words (see `wordlists.load_words`).
    length : int, optional
        The number of letters of each word. By default, the length that more than half of the words have; if there is
        none, five.
    name : str
        The file that the words come from, if the caller has read it. Messages name it, and words that do not fit are
        left out, as from a file.
    digraphs : sequence of str
        The letters that are written with two or three characters, such as sz. A file whose first line is
        ``# digraphs: dz dzs sz`` has these instead. Words of another list keep theirs.

    Attributes
    ----------
    name : str
        The name of the list or of the file. It is empty for other words, and for a selection.
    length : int
        The number of letters of each word.
    digraphs : tuple of str
        The letters that are written with two or three characters.

    Raises
    ------
    BadInput
        If no word of a file fits; if one of other words has another number of letters, or two are equal after case
        folding and Unicode composition (NFC); or if the words have more than 64 different letters. Also if a digraph is
        not two or three letters or occurs twice, or if the file cannot be read.
    TypeError
        If a word is not a string.

    Examples
    --------
    >>> words = WordList(["Salet", "crane"])
    >>> words[0], words.place["salet"], "trace" in words, words.letters.tolist()
    ('crane', 1, False, [[2, 17, 0, 13, 4], [18, 0, 11, 4, 19]])
    >>> WordList(["Würden", "können"])[:]
    ['können', 'würden']
    >>> words = WordList(["szép", "vész"], digraphs=["sz"])
    >>> words.length, words[0].letters
    (3, ('sz', 'é', 'p'))
    """

    def __init__(self, words: Words, *, length: int | None = None, name: str = "", digraphs: Digraphs = ()) -> None:
        self.name = str(words) if isinstance(words, str | Path) else ""
        found, self.digraphs = read_words(words, length=length, name=name, digraphs=digraphs)
        self._words = tuple(found)
        self.length = rules.length_of(self._words[0])

    @cached_property
    def letters(self) -> Letters:
        """The letters of the words, shape (words, length); see `encode`."""
        return encode(self._words)

    @cached_property
    def terms(self) -> Terms:
        """The form in which kernels read the words as guesses."""
        return kernels.terms_of(self.letters)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the words, as `wordlists.digest` computes it; words with digraphs as their letters."""
        return wordlists.digest(" ".join(word.letters) if isinstance(word, Word) else word for word in self._words)

    @cached_property
    def place(self) -> dict[str, int]:
        """Word -> its index in the list."""
        return {word: i for i, word in enumerate(self._words)}

    def take(self, chosen: npt.NDArray[Any]) -> WordList:
        """Return the selected words.

        Parameters
        ----------
        chosen : ndarray of bool, shape (words,)
            True for each word to keep.

        Raises
        ------
        BadInput
            If the array has another shape or type.
        """
        if np.shape(chosen) != (len(self),) or chosen.dtype != np.bool_:
            raise BadInput(f"chosen: expected an array of bool, ({len(self)},)")
        if chosen.all():
            return self
        selected = WordList.__new__(WordList)
        selected.name = ""
        selected.length, selected.digraphs = self.length, self.digraphs
        selected._words = tuple(self._words[i] for i in np.flatnonzero(chosen))
        selected.letters = self.letters[chosen]
        return selected

    @overload
    def __getitem__(self, index: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> str | list[str]:
        return list(self._words[index]) if isinstance(index, slice) else self._words[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)  # three times as quick as by index

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self.place

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, WordList) or self._words != other._words:
            return False
        return self.digraphs == other.digraphs or self.digest == other.digest

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self._words)

    def __repr__(self) -> str:
        return f"<{len(self):,} words: {' '.join(self[:3])}{' ...' * (len(self) > 3)}>"


def word_list(words: Words, *, length: int | None = None, digraphs: Digraphs = ()) -> WordList:
    """Return the words as a WordList. A list that has a name is loaded only once; shipped lists have no digraphs.

    Raises BadInput as `WordList` does, and for words of another length than `length`.
    """
    if isinstance(words, WordList):
        if length not in (None, words.length):
            raise BadInput(f"words of {words.length} letters: expected {length}")
        return words
    if (found := wordlists.known(words)) is None:
        return WordList(words, length=length, digraphs=digraphs)
    if found.is_shipped:
        return _known(found, LETTERS if length is None else length, ())
    return _known(found, length, tuple(digraphs))


@lru_cache(maxsize=16)
def _known(found: wordlists.Known, length: int | None, digraphs: tuple[str, ...]) -> WordList:
    return WordList(found.name, length=length, digraphs=digraphs)


@lru_cache(maxsize=4)
def both(first: WordList, second: WordList) -> WordList:
    """Return the words of two lists of the same length, each once.

    >>> words = both(WordList(["salet", "crane"]), WordList(["crane", "multi"]))
    >>> words[:], words.name
    (['crane', 'multi', 'salet'], '')
    """
    words = WordList(dict.fromkeys([*first, *second]), length=first.length)
    if first.name and second.name:
        words.name = f"{first.name} and {second.name}"
    return words


def encode(words: Sequence[str]) -> Letters:
    """Return the letters of words of the same length, shape (words, length).

    The letters a-z are 0..25, in an array of uint8 if there are no others. Any other letter is its code points of 21
    bits each, int64.

    >>> encode(["salet"]).tolist(), encode(["çà"]).tolist()
    ([[18, 0, 11, 4, 19]], [[231, 224]])
    """
    joined = "".join(words)
    if joined.isascii() and len(joined) == len(words) * rules.length_of(words[0]):
        flat = np.frombuffer(joined.encode("ascii"), dtype=np.uint8)
        return (flat - ord("a")).reshape(len(words), -1)
    return np.array([[letter_code(letter) for letter in rules.letters_of(word)] for word in words])


def letter_code(letter: str) -> int:
    """Return the number of a letter in arrays (`encode`)."""
    if len(letter) == 1 and letter.isascii():
        return ord(letter) - ord("a")
    return sum(ord(c) << 21 * i for i, c in enumerate(letter))


def read_words(
    source: Words, *, length: int | None = None, name: str = "", digraphs: Digraphs = ()
) -> tuple[list[str], tuple[str, ...]]:
    """Return the words of a list, of a file or of an iterable, sorted and folded (`rules.fold`); the digraphs.

    `wordlists.load_words` reads lists whose letters are a-z. Other lists are read in the same way: words of a file that
    do not fit are left out and counted in a `WordsLeftOut` warning. The parameters and errors are those of `WordList`.
    """
    if length is not None:
        length = check_integer("length", length, LENGTHS[0], LENGTHS[-1])
    if wordlists.is_shipped(source):
        return wordlists.load_words(source, length=LETTERS if length is None else length), ()
    called, unit, lines = wordlists.read_lines(source, name)
    declared = declared_digraphs(lines, called) if unit == "line" else ()
    if declared:
        lines[0] = ""
    digraphs = tuple(sorted({*rules.checked_digraphs(declared or digraphs, called), *used_digraphs(lines)}))
    if length is None:
        length = common_length(lines, digraphs)
    from_file = unit != "number" or bool(name)
    if "".join(lines).isascii() and not digraphs:
        return words_in(lines, called, unit, length=length, from_file=from_file), ()
    return _fitting(lines, called, unit, length, digraphs, from_file), digraphs


def _fitting(lines: list[str], called: str, unit: str, length: int, digraphs: Digraphs, from_file: bool) -> list[str]:
    """Return the words of an alphabet with more letters than a-z, sorted and folded."""
    found: dict[str, tuple[int, str]] = {}
    faults = []
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        word = rules.spelled(rules.fold(stripped), digraphs)
        if not word:
            continue
        if fault := _fault(word, stripped, length, unit, found):
            faults.append(Fault(number, stripped, *fault))
        else:
            found[word] = number, stripped
    settle(found, faults, called, unit, from_file=from_file)
    alphabet = {letter for word in found for letter in rules.letters_of(word)}
    if len(alphabet) > ALPHABET:
        raise BadInput(f"{called}: {len(alphabet)} different letters: expected at most {ALPHABET}")
    return sorted(found)


def _fault(
    word: str, stripped: str, length: int, unit: str, found: Mapping[str, tuple[int, str]]
) -> tuple[str, str] | None:
    """Return why a word does not fit: a reason to leave it out, and what a message says; None if it fits.

    `found` has the words before it: the number of the line, and how they were spelled there.
    """
    letters = rules.letters_of(word)
    if sum(map(len, letters)) != len(word) or (word.isascii() and not word.isalpha()):
        return OTHER_CHARACTERS, "is not a word: expected letters only"
    if len(letters) != length:
        return OF_ANOTHER_LENGTH, f"has {len(letters)} letters: expected {length}"
    if word in found:
        before, spelled = found[word]
        same = "" if spelled == stripped else f", spelled '{wordlists.short(spelled)}'"
        return AGAIN, f"is in {unit} {before} already{same}"
    return None


def common_length(lines: list[str], digraphs: Digraphs = ()) -> int:
    """Return the number of letters that more than half of the words have, or five.

    >>> common_length(["tea", "ate", "salet"]), common_length(["tea", "salet"]), common_length(["a"])
    (3, 5, 5)
    """
    words = [rules.spelled(rules.fold(line.strip()), digraphs) for line in lines]
    counts = Counter(rules.length_of(word) for word in words if rules.is_word(word))
    length, count = max(counts.items(), key=lambda item: item[1], default=(LETTERS, 0))
    return length if 2 * count > sum(bool(word) for word in words) else LETTERS


def digraphs_of(source: Words) -> tuple[str, ...]:
    """Return the digraphs of words that are not read yet: those that their file declares, or that they have."""
    if wordlists.is_shipped(source) or _is_read_once(source):
        return ()
    if isinstance(source, WordList):
        return source.digraphs
    called, unit, lines = wordlists.read_lines(source)
    return tuple(declared_digraphs(lines, called) if unit == "line" else used_digraphs(lines))


def _is_read_once(source: Words) -> bool:
    """Return whether this is a pipe, whose content is gone once it has been read."""
    return isinstance(source, str | Path) and os.path.exists(source) and not os.path.isfile(source)


def declared_digraphs(lines: Sequence[str], name: str) -> list[str]:
    """Return the digraphs that the first line of a file declares, or none.

    Raises BadInput, which begins with `name`, for a declaration without any.

    >>> declared_digraphs(["# digraphs: dz dzs sz", "szép"], "words.txt"), declared_digraphs(["tea"], "words.txt")
    (['dz', 'dzs', 'sz'], [])
    """
    declaration = _DECLARATION.fullmatch(lines[0]) if lines else None
    if declaration is None:
        return []
    if not declaration[1].strip():
        raise BadInput(f"{name}, line 1: no digraphs there: expected some, such as # digraphs: dz dzs sz")
    return declaration[1].split()


def used_digraphs(words: Iterable[str]) -> list[str]:
    """Return the digraphs that words of a list have, if it has any.

    >>> used_digraphs([Word(["sz", "é", "p"]), "eper"])
    ['sz']
    """
    letters = {letter for word in words if isinstance(word, Word) for letter in word.letters}
    return sorted(letter for letter in letters if rules.length_of(letter) > 1)
