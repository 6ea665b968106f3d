"""How likely each word is to be the answer of a game today.

The list of answers has been secret since November 2022. An editor chooses each answer, mostly from the published list,
but more and more often from the other words that may be guessed. The chances here follow from two facts: which words
were chosen in the games from March 2023 on, when the first answer outside the list appeared, and which of them were in
the file of possible answers of July 2023. `benchmarks/results/wordle-chances.md` has the numbers and how well they
predict games that they do not know.

What is known of a word is whether the published list has it, how common it is by SCOWL, and whether it looks like a
form of another word, such as a plural.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from gpusolve import wordlists
from gpusolve.games.wordle.rules import CHANCES, LETTERS
from gpusolve.games.wordle.variant import ANSWERS
from gpusolve.games.wordle.weights.weights import Weights
from gpusolve.games.wordle.wordlist import WordList, word_list
from gpusolve.resources import wordlists_dir

LISTED = 10_000
"""The chance of a word of the published list, to which the others are compared."""
SIZES = 35, 50, 60, 70, 80
"""Up to each of these sizes of SCOWL, words are equally likely; words that SCOWL has not up to 80 are a last class."""
OTHERS = 2950, 2650, 400, 50, 20, 6
"""The chances of words that are not in the published list, by their class."""
FORM = 6
"""The chance of a plural, a verb with -s or a past tense, which were never chosen from outside the list."""
COVERED = 0.99
"""The likely words have this share of the weight together. If many words are left, guesses are valued for them.

Of the 12,972 words that may be guessed, a quarter has 99 % of the chances.
"""
RAREST = 99
"""The size of words that SCOWL does not have up to size 80."""
_STEMS = "scowl-70"
"""The list in which a form's word is looked up."""


class OpenVariant(Protocol):
    """What `likely` needs of a variant, Wordle's or Quordle's."""

    @property
    def any_answer(self) -> bool:
        """Whether the answers were left open."""

    @property
    def guesses(self) -> WordList:
        """The words that may be guessed."""


_Variant = TypeVar("_Variant", bound=OpenVariant)


def likely(variant: _Variant) -> _Variant:
    """Return a variant whose answers are all words that may be guessed, each with its chance.

    A variant whose answers were chosen stays as it is.
    """
    if not variant.any_answer:
        return variant
    changes: Any = {"answers": variant.guesses, "weights": chances(variant.guesses), "any_answer": False}
    return cast(_Variant, replace(cast(Any, variant), **changes))


def are_known(words: WordList) -> bool:
    """Return whether the chances are for these words: for the accepted words of the English game, old or new.

    >>> are_known(word_list("wordle-guesses")), are_known(word_list(["crane", "trace"]))
    (True, False)
    """
    return all(word in words for word in published())


@lru_cache(maxsize=8)
def chances(words: WordList) -> Weights:
    """Return the chance of each word, in proportion: those of the published list have `LISTED`."""
    return Weights(tuple(LISTED if is_published(word) else chance(word) for word in words), CHANCES)


def chance(word: str) -> int:
    """Return the chance of a word that the published list does not have.

    >>> chance("gizmo"), chance("boxes"), chance("added"), chance("shred"), chance("zygal")
    (2650, 6, 6, 2950, 20)
    """
    size = size_of(word)
    if is_form(word):
        return FORM
    return next((rate for most, rate in zip(SIZES, OTHERS, strict=False) if size <= most), OTHERS[-1])


def is_form(word: str) -> bool:
    """Return whether a word is a plural, a verb with -s or a past tense by its spelling.

    >>> [word for word in ("boxes", "atlas", "added", "shred", "hoped") if is_form(word)]
    ['boxes', 'added', 'hoped']
    """
    stems = _stems()
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1] in stems or (word.endswith("es") and word[:-2] in stems)
    return word.endswith("ed") and (word[:-1] in stems or word[:-2] in stems)


def is_published(word: str) -> bool:
    """Return whether a word is in the published list of answers."""
    return word in published()


def size_of(word: str) -> int:
    """Return the size of the smallest list of SCOWL with a word of five letters, 10 to 80; else `RAREST`.

    >>> size_of("about"), size_of("gizmo"), size_of("zzzzz")
    (10, 40, 99)
    """
    return _sizes().get(word, RAREST)


@lru_cache(maxsize=8)
def familiarity(words: WordList) -> npt.NDArray[np.int64]:
    """Return a number for each word that is smaller for a more familiar one, int64 (words,), which cannot be changed.

    Words of other languages or lengths are all alike.
    """
    is_known = words.length == LETTERS and words.letters.dtype == np.uint8
    found = np.array([size_of(word) for word in words]) if is_known else np.zeros(len(words), np.int64)
    found.setflags(write=False)
    return found


def likeliest(words: WordList, weights: npt.NDArray[np.int64] | None) -> npt.NDArray[np.intp]:
    """Return the order of words in which the likeliest and then the most familiar come first, intp (words,)."""
    return np.lexsort((familiarity(words), np.zeros(len(words)) if weights is None else -weights))


def covering(weights: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return which words are the likeliest that have `COVERED` of the weight, bool (words,)."""
    order = np.argsort(-weights, kind="stable")
    before = np.cumsum(weights[order]) - weights[order]
    chosen = np.zeros(len(weights), np.bool_)
    chosen[order[before < COVERED * weights.sum()]] = True
    return chosen


def likely_sizes(
    codes: npt.NDArray[np.integer[Any]], weights: npt.NDArray[np.int64] | None, n_cells: int
) -> npt.NDArray[np.intp]:
    """Count the likely answers of each cell, shape (n_cells,): without weights, all of them.

    They are the likeliest ones that have `COVERED` of the cell's weight together, and those that are as likely as the
    last of these.

    Parameters
    ----------
    codes : ndarray of int, shape (answers,)
        The cell of each answer.
    weights : ndarray of int64, shape (answers,), or None
        The weights of the answers.
    n_cells : int
        Number of cells.
    """
    if weights is None:
        return np.bincount(codes, minlength=n_cells)
    order = np.lexsort((-weights, codes))
    cells, heavy = codes[order].astype(np.intp), weights[order]
    masses, before = np.zeros(n_cells, np.int64), np.cumsum(heavy) - heavy
    np.add.at(masses, cells, heavy)
    starts = np.cumsum(masses) - masses
    is_needed = before - starts[cells] < COVERED * masses[cells]
    least = np.where(masses > 0, np.iinfo(np.int64).max, 0)  # all answers of a cell without weight count
    np.minimum.at(least, cells[is_needed], heavy[is_needed])
    return np.bincount(cells[heavy >= least[cells]], minlength=n_cells)


@cache
def published() -> frozenset[str]:
    """Return the words of the published list of answers."""
    return frozenset(word_list(ANSWERS))


@cache
def _sizes() -> dict[str, int]:
    lines = (wordlists_dir() / "scowl-5-sizes.tsv").read_text(encoding="ascii").split()
    return dict(zip(lines[::2], map(int, lines[1::2]), strict=True))


@cache
def _stems() -> frozenset[str]:
    return frozenset(word for word in wordlists.load_words(_STEMS) if len(word) in (LETTERS - 2, LETTERS - 1))
