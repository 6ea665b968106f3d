"""Which Q-less is played: the words that count, and the rules for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.checks import check_integer, check_type, lower, shown
from gpusolve.errors import BadInput
from gpusolve.games.qless import kernels
from gpusolve.games.qless.anagrams import Anagrams, anagrams
from gpusolve.games.qless.cpu.hashing import table_of_words
from gpusolve.games.qless.rules import MAX_LETTERS, MIN_LENGTH
from gpusolve.games.qless.tree import tree_of
from gpusolve.options import Options
from gpusolve.result import Result
from gpusolve.wordlists import Known, Words, known, load_ratings, load_words

COMMON = "scowl-35"
"""The list of everyday words."""
SITE = "qless"
"""The public list of the site Daily Q-less, which rates words from 0 to 6. Of the words that one may play there, 22 %
have no rating."""
PLAYABLE, EVERYDAY = 3, 5
"""The lowest ratings of a word that one may play there, and of a word that counts for the difficulty of a roll."""
REST = "scowl-70"
"""Where the list does not rate a word, it counts if it is here: 98 % of these words may be played."""


@dataclass(frozen=True, eq=False, repr=False)
class Variant(Result, Options):
    """A variant of the game: the words that count, and the rules for them.

    Parameters
    ----------
    dictionary : str, Path or iterable of str, default "scowl-70"
        Valid words: the name of a list, or a file with one word per line. Of the public list ``qless``, words rated 3
        or more count, and words that it does not rate if they are in ``scowl-70``.
    min_length : int, default 3
        Minimum length of a word, 3 to 14. Shorter words of the dictionary are ignored.
    allow_touching : bool, default False
        Allow two adjacent letters that do not form a word.
    no_repeats : bool, default False
        Use each word at most once in a solution.
    ban : str, Path or iterable of str, optional
        File with words that must not be used.
    common : bool, default False
        Use only everyday words: those of the dictionary that are also in the list ``scowl-35``; of the public list
        ``qless``, also those rated 5 or more, and no others that it rates.

    Raises
    ------
    BadInput
        If `min_length` is out of range. Words are read when they are needed first, and can raise it then.

    Examples
    --------
    >>> Variant(["tea", "eat", "ate", "tee"], ban=["ate"]).anagrams
    <Anagrams: 3 words, 2 classes>
    """

    dictionary: Words = "scowl-70"
    _: KW_ONLY
    min_length: int = MIN_LENGTH
    allow_touching: bool = False
    no_repeats: bool = False
    ban: Words | None = None
    common: bool = False

    def __post_init__(self) -> None:
        self._check_length()
        for name in ("allow_touching", "no_repeats", "common"):
            check_type(name, getattr(self, name), bool)

    def _check_length(self) -> None:
        check_integer("min_length", self.min_length, MIN_LENGTH, MAX_LETTERS)

    @cached_property
    def anagrams(self) -> Anagrams:
        """The words that count. Raises BadInput if there are none, or if a list cannot be read."""
        if self.ban is None and (found := known(self.dictionary)) is not None:
            return _known_anagrams(found, self.min_length, self.common)
        words = _words(self.dictionary, self.common)
        if self.ban is not None:
            banned = set(load_words(self.ban))
            words = [word for word in words if word not in banned]
        return anagrams(words, min_length=self.min_length)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that count."""
        return frozenset(self.anagrams.words)

    @cached_property
    def everyday(self) -> Variant:
        """The variant with everyday words only, by which the difficulty of a roll is measured."""
        return self if self.common else replace(self, common=True)

    def doubtful(self, words: Iterable[str]) -> list[str]:
        """Return the words, sorted and once each, that are only in some dictionaries.

        A word is in all of them if it is an everyday word, of the list ``scowl-35``; if the public list ``qless`` is on
        this machine and rates the word, its rating decides.
        """
        return sorted(set(words) - _undoubted(known(SITE)))

    @cached_property
    def known_words(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """The words as a hash table with linear probing, for checking solutions.

        A word has five bits for each letter, from 1: its first twelve letters are in the first array, which is 0 for a
        free slot, and the others in the second.
        """
        rows = np.array(self.anagrams.words, f"S{MAX_LETTERS}").view(np.uint8).reshape(-1, MAX_LETTERS)
        letters = (rows & 31).astype(np.uint64)  # 1 to 26; 0 after the last
        heads, tails = (
            (part << np.arange(0, 5 * part.shape[1], 5, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
            for part in (letters[:, :12], letters[:, 12:])
        )
        return cast(tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]], table_of_words(heads, tails))

    def index_of(self, word: str) -> int:
        """Return the index of a word, given in any case. Raises BadInput if it does not count."""
        check_type("word", word, str)
        if lower(word) not in self.anagrams.words:
            raise BadInput(
                f"'{shown(word)}' is not a word of the dictionary that has {self.min_length} letters or more"
            )
        return self.anagrams.words.index(lower(word))

    def loaded(self, letters: int, backend: Backend) -> kernels.Loaded:
        """Return the words, and the tree for rolls with this number of letters, on a device."""
        return _loaded(cast(Any, backend), self.anagrams, letters, self.allow_touching)


def _words(dictionary: Words, common: bool) -> list[str]:
    words = load_words(dictionary)
    if dictionary == SITE:
        ratings, least = load_ratings(SITE), EVERYDAY if common else PLAYABLE
        rest = [word for word in load_words(COMMON if common else REST) if word not in ratings]
        words = sorted([word for word in words if ratings.get(word, 0) >= least] + rest)
    elif common:
        everyday = set(load_words(COMMON))
        words = [word for word in words if word in everyday]
    if common and not words:
        raise BadInput(f"the dictionary has no everyday word: expected at least one of {COMMON}")
    return words


@lru_cache(maxsize=1)
def _undoubted(site: Known | None) -> frozenset[str]:
    ratings = {} if site is None else load_ratings(SITE)
    rest = [word for word in load_words(COMMON) if word not in ratings]
    return frozenset([word for word, rating in ratings.items() if rating >= PLAYABLE] + rest)


@lru_cache(maxsize=4)
def _known_anagrams(found: Known, min_length: int, common: bool) -> Anagrams:
    return anagrams(_words(found.name, common), min_length=min_length)


STANDARD = Variant()
"""The standard game, with the shipped words."""


@lru_cache(maxsize=8)  # what is on the device does not depend on who asks, and copying it takes longer than a search
def _loaded(backend: Any, words: Anagrams, letters: int, allow_touching: bool) -> kernels.Loaded:
    return kernels.load(backend, words, tree_of(letters, words.min_length, allow_touching))
