"""What counts as a word, and what as a crossword."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, cast

from gpusolve.backend import Backend
from gpusolve.checks import check_integer, check_type, lower
from gpusolve.errors import BadInput
from gpusolve.games.qless import kernels
from gpusolve.games.qless._shapes import LETTERS
from gpusolve.games.qless.anagrams import Anagrams, anagrams
from gpusolve.games.qless.tree import tree_of
from gpusolve.wordlists import Words, load_words

COMMON = "scowl-35"
"""The everyday words."""


@dataclass(frozen=True, eq=False)
class Variant:
    """The words of `dictionary` that have `min_length` letters or more and are not in `ban`; with `common` only
    everyday words. With `allow_touching` two letters side by side need not be a word; with `no_repeats` no word comes
    twice.

    Raises BadInput for a `min_length` other than 3 to 14.

    >>> Variant(["tea", "eat", "ate", "tee"], ban=["ate"]).anagrams
    <Anagrams: 3 words, 2 collections of letters>
    """

    dictionary: Words = "scowl-70"
    min_length: int = 3
    allow_touching: bool = False
    no_repeats: bool = False
    ban: Words | None = None
    common: bool = False

    def __post_init__(self) -> None:
        check_integer("min_length", self.min_length, 3, LETTERS[1])

    @cached_property
    def anagrams(self) -> Anagrams:
        """The words. Raises BadInput where there are none, and for a list that cannot be read."""
        words = load_words(self.dictionary)
        if self.common:
            everyday = set(load_words(COMMON))
            words = [word for word in words if word in everyday]
        if self.ban is not None:
            banned = set(load_words(self.ban))
            words = [word for word in words if word not in banned]
        return anagrams(words, self.min_length)

    def number_of(self, word: str) -> int:
        """The number of a word, in any case. Raises BadInput where it is none."""
        check_type("word", word, str)
        if lower(word) not in self.anagrams.words:
            raise BadInput(f"'{word[:24]}' is not a word of the dictionary that has {self.min_length} letters or more")
        return self.anagrams.words.index(lower(word))

    def loaded(self, letters: int, backend: Backend) -> kernels.Loaded:
        """The words and the tree for so many letters, on a device."""
        return _loaded(cast(Any, backend), self.anagrams, letters, self.allow_touching)


STANDARD = Variant()
"""The game as it is played, with the shipped words."""


@lru_cache(maxsize=8)
def _loaded(backend: Any, words: Anagrams, letters: int, touching: bool) -> kernels.Loaded:
    return kernels.load(backend, words, tree_of(letters, words.min_length, touching))
