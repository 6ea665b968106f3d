"""Word lists, in all forms that the solvers read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from gpusolve import wordlists
from gpusolve.errors import BadInput
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.kernels import Letters, Terms
from gpusolve.games.wordle.rules import LETTERS
from gpusolve.notebook import as_html
from gpusolve.wordlists import Words


class WordList(Sequence[str]):
    """An immutable, sorted sequence of different words of five letters a-z.

    Arrays made from the words are computed once, when they are first used.

    Parameters
    ----------
    words : str, Path or iterable of str
        The name of a shipped list, a text file with one word per line, or the words.

    Attributes
    ----------
    name : str
        The name of the shipped list or of the file. It is empty for other words, and for a selection.

    Raises
    ------
    BadInput
        If a word does not have five letters a-z, a word occurs twice, or the file cannot be read.
    TypeError
        If a word is not a string.

    Examples
    --------
    >>> words = WordList(["Salet", "crane"])
    >>> words[0], words.place["salet"], "trace" in words, words.letters.tolist()
    ('crane', 1, False, [[2, 17, 0, 13, 4], [18, 0, 11, 4, 19]])
    """

    _repr_html_ = as_html

    def __init__(self, words: Words) -> None:
        self.name = str(words) if isinstance(words, str | Path) else ""
        self._words = tuple(wordlists.load_words(words, length=LETTERS))

    @cached_property
    def letters(self) -> Letters:
        """The letters 0..25 of the words, uint8, shape (words, 5)."""
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
        return isinstance(other, WordList) and self._words == other._words

    def __hash__(self) -> int:
        return hash(self._words)

    def __repr__(self) -> str:
        return f"<{len(self):,} words: {' '.join(self[:3])}{' ...' * (len(self) > 3)}>"


def word_list(words: Words) -> WordList:
    """Return the words as a WordList. Each shipped list is loaded only once."""
    if isinstance(words, WordList):
        return words
    if isinstance(words, str) and words in [known.name for known in wordlists.shipped()]:
        return _shipped(words)
    return WordList(words)


@cache
def _shipped(name: str) -> WordList:
    return WordList(name)


def encode(words: Sequence[str]) -> Letters:
    """Return the letters 0..25 of words of five letters a-z: uint8, shape (words, 5).

    >>> encode(["salet"]).tolist()
    [[18, 0, 11, 4, 19]]
    """
    flat = np.frombuffer("".join(words).encode("ascii"), dtype=np.uint8)
    return (flat - ord("a")).reshape(len(words), LETTERS)
