"""A list of words in every form that the solver reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from gpusolve import wordlists
from gpusolve.errors import BadInput
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.kernels import Letters, Terms
from gpusolve.games.wordle.rules import LETTERS
from gpusolve.wordlists import Words


class WordList(Sequence[str]):
    """Words of five letters a-z: sorted, each once, never changed. What is made of them is made once.

    `words`: a shipped list's name, a file, or the words. Raises BadInput as `wordlists.load_words` does.

    >>> words = WordList(["Salet", "crane"])
    >>> words[0], words.place["salet"], "trace" in words, words.letters.tolist()
    ('crane', 1, False, [[2, 17, 0, 13, 4], [18, 0, 11, 4, 19]])
    """

    def __init__(self, words: Words) -> None:
        self._words = tuple(wordlists.load_words(words, length=LETTERS))

    @cached_property
    def letters(self) -> Letters:
        """The words as letters 0..25, uint8 (words, 5)."""
        return encode(self._words)

    @cached_property
    def terms(self) -> Terms:
        """What the kernels read of the words as guesses."""
        return kernels.terms_of(self.letters)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the words, as `wordlists.digest`."""
        return wordlists.digest(self._words)

    @cached_property
    def place(self) -> dict[str, int]:
        """Word -> where it stands in the list."""
        return {word: i for i, word in enumerate(self._words)}

    def take(self, chosen: npt.NDArray[Any]) -> WordList:
        """The words where `chosen`, bool (words,), is true. Raises BadInput for an array of another shape or type."""
        if np.shape(chosen) != (len(self),) or chosen.dtype != np.bool_:
            raise BadInput(f"chosen: expected an array of bool, ({len(self)},)")
        if chosen.all():
            return self
        some = WordList.__new__(WordList)
        some._words = tuple(self._words[i] for i in np.flatnonzero(chosen))
        some.letters = self.letters[chosen]
        return some

    @overload
    def __getitem__(self, place: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> str | list[str]:
        return list(self._words[place]) if isinstance(place, slice) else self._words[place]

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
    """The words as a list; a shipped list is loaded once."""
    if isinstance(words, WordList):
        return words
    if isinstance(words, str) and words in [known.name for known in wordlists.shipped()]:
        return _shipped(words)
    return WordList(words)


@cache
def _shipped(name: str) -> WordList:
    return WordList(name)


def encode(words: Sequence[str]) -> Letters:
    """Words of five letters a-z as an array of letters 0..25, shape (len(words), 5), uint8.

    >>> encode(["salet"]).tolist()
    [[18, 0, 11, 4, 19]]
    """
    flat = np.frombuffer("".join(words).encode("ascii"), dtype=np.uint8)
    return (flat - ord("a")).reshape(len(words), LETTERS)
