"""Word lists, in all forms that the solvers read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from gpusolve import wordlists
from gpusolve.errors import BadInput
from gpusolve.games.wordle import kernels, rules, spelling
from gpusolve.games.wordle.kernels import Letters, Terms
from gpusolve.notebook import as_html
from gpusolve.wordlists import Words


class WordList(Sequence[str]):
    """An immutable, sorted sequence of different words of the same length, 2 to 12 letters of any alphabet.

    Arrays made from the words are computed once, when they are first used.

    Parameters
    ----------
    words : str, Path or iterable of str
        The name of a shipped list, a text file with one word per line, or the words.
    length : int, optional
        The number of letters of each word. By default, the length that nine of ten words have; if there is none, five.
    name : str
        What messages call words that were read from a file already.

    Attributes
    ----------
    name : str
        The name of the shipped list or of the file. It is empty for other words, and for a selection.
    length : int
        The number of letters of each word.

    Raises
    ------
    BadInput
        If a word does not have that many letters, a word occurs twice (after case folding and in the composed form of
        Unicode), the words have more than 64 different letters, or the file cannot be read.
    TypeError
        If a word is not a string.

    Examples
    --------
    >>> words = WordList(["Salet", "crane"])
    >>> words[0], words.place["salet"], "trace" in words, words.letters.tolist()
    ('crane', 1, False, [[2, 17, 0, 13, 4], [18, 0, 11, 4, 19]])
    >>> WordList(["Würden", "können"])[:]
    ['können', 'würden']
    """

    _repr_html_ = as_html

    def __init__(self, words: Words, *, length: int | None = None, name: str = "") -> None:
        self.name = str(words) if isinstance(words, str | Path) else ""
        self._words = tuple(spelling.load(words, length=length, name=name))
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
        """The SHA-256 of the words, as `wordlists.digest` computes it."""
        return wordlists.digest(self._words)

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
        selected.length = self.length
        selected._words = tuple(self._words[i] for i in np.flatnonzero(chosen))
        selected.letters = self.letters[chosen]
        return selected

    @overload
    def __getitem__(self, index: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> str | list[str]:
        return list(self._words[index]) if isinstance(index, slice) else self._words[index]

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self.place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordList) and self._words == other._words

    def __hash__(self) -> int:
        return hash(self._words)

    def __repr__(self) -> str:
        return f"<{len(self):,} words: {' '.join(self[:3])}{' ...' * (len(self) > 3)}>"


def word_list(words: Words, *, length: int | None = None) -> WordList:
    """Return the words as a WordList. Each shipped list is loaded only once.

    Raises BadInput as `WordList` does, and for words of another length than `length`.
    """
    if isinstance(words, WordList):
        if length not in (None, words.length):
            raise BadInput(f"words of {words.length} letters: expected {length}")
        return words
    if isinstance(words, str) and words in [known.name for known in wordlists.shipped()]:
        return _shipped(words)
    return WordList(words, length=length)


@cache
def _shipped(name: str) -> WordList:
    return WordList(name)


def encode(words: Sequence[str]) -> Letters:
    """Return the letters of words of the same length, shape (words, length).

    The letters a-z are 0..25, in an array of uint8 if there are no others. Any other letter is its code points of 21
    bits each, int64.

    >>> encode(["salet"]).tolist(), encode(["çà"]).tolist()
    ([[18, 0, 11, 4, 19]], [[231, 224]])
    """
    joined = "".join(words)
    if joined.isascii():
        flat = np.frombuffer(joined.encode("ascii"), dtype=np.uint8)
        return (flat - ord("a")).reshape(len(words), -1)
    return np.array([[letter_code(letter) for letter in rules.letters_of(word)] for word in words])


def letter_code(letter: str) -> int:
    """Return the number of a letter in arrays (`encode`)."""
    return ord(letter) - ord("a") if letter.isascii() else sum(ord(c) << 21 * i for i, c in enumerate(letter))
