"""What a history leaves: the answers that are still possible and the guesses that are still allowed."""

from __future__ import annotations

import dataclasses
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import kernels, rules, sharing
from gpusolve.games.wordle.kernels import Letters
from gpusolve.games.wordle.rules import History, Measure, Mode, Scoring, Turns
from gpusolve.games.wordle.tables import PartitionTable, build_table
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights.chances import are_known, chances
from gpusolve.games.wordle.wordlist import WordList, encode, letter_code, word_list
from gpusolve.wordlists import Words


def remaining(
    history: Turns,
    answers: Words = "wordle-answers",
    *,
    scoring: Scoring = "wordle",
    backend: Backend | None = None,
) -> WordList:
    """Find the answers that are consistent with a history.

    Parameters
    ----------
    history : sequence
        The guesses so far with their patterns, each as ``salet:-y--g``, ``("salet", "-y--g")`` or ``("salet", 165)``;
        or the text that the game shares, followed by the guesses.
    answers : str, Path or iterable of str
        The possible answers: the name of a shipped list, a text file with one word per line, or the words.
    scoring : {"wordle", "presence"}
        How guesses are marked; see `pattern`.
    backend : Backend, optional
        The device; by default, the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    WordList
        The answers that get every pattern of the history. The list can be empty.

    Raises
    ------
    BadInput
        If a turn is not a word and a pattern, or follows greens only, or if the words cannot be read.

    Examples
    --------
    >>> remaining(["salet:-y--g", ("draft", "-yg-g")])[:]
    ['apart', 'chart', 'quart']
    """
    hidden = word_list(answers)
    turns = sharing.parse_history(history, hidden.length, hidden.digraphs)
    checks.check_choice("scoring", scoring, rules.SCORINGS)
    return _remaining(tuple(turns), hidden, scoring, open_backend(backend))  # type: ignore[arg-type]  # has a hash


@lru_cache(maxsize=1)  # one suggestion asks twice
def _remaining(history: tuple[tuple[str, int], ...], answers: WordList, scoring: Scoring, backend: Backend) -> WordList:
    return answers.take(consistent_mask(backend, answers.letters, list(history), scoring))


MOST_PAIRS = 10**10
"""Number of pairs of a guess and an answer above which `after` chooses guesses: some seconds on two cores."""


def after(
    history: History,
    variant: Variant,
    sort: Measure = "entropy",
    backend: Backend | None = None,
    *,
    quickly: bool = False,
) -> PartitionTable:
    """Return the table of the guesses that the variant allows after a history, against the answers that remain.

    If it is wanted `quickly`, a table of more than `MOST_PAIRS` has only the most promising guesses.

    Raises BadInput for a history that breaks the variant's mode or that no letters fit, and NoSolution if no
    answer fits.
    """
    checks.check_choice("sort", sort, rules.MEASURES)
    check_history(history, variant)
    backend = open_backend(backend)
    left = remaining(history, variant.answers, scoring=variant.scoring, backend=backend)
    if not left:
        if not rules.possible(history, variant.scoring):
            number = "five" if variant.length == rules.LETTERS else str(variant.length)
            raise BadInput(f"the history contradicts itself: no {number} letters give these patterns")
        kind = "words that may be guessed" if variant.answers == variant.guesses else "answers"
        raise NoSolution(f"none of the {len(variant.answers):,} {kind} gives these patterns")
    if variant.guess_hidden_only or (history and rules.solves(*history[-1])):
        guesses = left
    else:
        guesses = variant.guesses.take(
            allowed_mask(backend, variant.guesses.letters, history, variant.mode, variant.scoring)
        )
    weights, allowed = variant.weights_of(left), len(guesses)
    if quickly and allowed * len(left) > MOST_PAIRS:
        guesses = _promising(guesses, left, weights, variant.scoring, backend)
    table = build_table(guesses, left, weights=weights, scoring=variant.scoring, sort=sort, backend=backend)
    return dataclasses.replace(table, allowed=allowed)


def _promising(
    guesses: WordList, answers: WordList, weights: npt.NDArray[np.int64] | None, scoring: Scoring, backend: Backend
) -> WordList:
    """Return the guesses with the most entropy over some of the answers, so that either table has half of `MOST_PAIRS`.

    They are the heaviest answers; without weights, they are spread evenly over the list.
    """
    half = MOST_PAIRS // 2
    number = max(1, min(len(answers), half // len(guesses)))
    some = (
        np.linspace(0, len(answers) - 1, number).astype(np.intp) if weights is None else np.argsort(-weights)[:number]
    )
    chosen = np.zeros(len(answers), np.bool_)
    chosen[some] = True
    table = build_table(guesses, answers.take(chosen), scoring=scoring, sort="entropy", backend=backend)
    best = np.zeros(len(guesses), np.bool_)
    best[table.ranking()[: max(1, half // len(answers))]] = True
    return guesses.take(best)


def widen(variant: Variant, history: History, backend: Backend) -> Variant:
    """Return a variant whose answers fit the history if possible: if no answer does, all guesses are answers.

    The published game no longer follows the answer list of 2022, but its answers are still among the guesses. Each of
    them has its chance where chances are known (`weights.chances`). If the answers have weights, the words that are not
    listed get a small one (`Weights.spread`).
    """
    if remaining(history, variant.answers, scoring=variant.scoring, backend=backend):
        return variant
    weights = variant.weights
    if weights is not None:
        weights = weights.spread(variant.answers, variant.guesses)
    elif are_known(variant.guesses):
        weights = chances(variant.guesses)
    return dataclasses.replace(variant, answers=variant.guesses, weights=weights)


def consistent_mask(
    backend: Backend, words: Letters, history: History, scoring: Scoring = "wordle"
) -> npt.NDArray[np.bool_]:
    """Return which words are consistent with a history, bool, shape (words,): `rules.consistent` for many words."""
    if not history:
        return np.ones(len(words), np.bool_)
    guesses = kernels.terms_of(encode([guess for guess, _ in history]))
    codes = np.array([code for _, code in history])
    rows = kernels.pattern_matrix(backend, guesses, words, scoring=scoring)
    return np.asarray((rows == codes[:, None]).all(axis=0))


def allowed_mask(
    backend: Backend, words: Letters, history: History, mode: Mode, scoring: Scoring = "wordle"
) -> npt.NDArray[np.bool_]:
    """Return which words may be guessed after a history, bool, shape (words,): `rules.allowed` for many words."""
    if mode == "ultra-hard":
        return consistent_mask(backend, words, history, scoring)
    allowed = np.ones(len(words), np.bool_)
    if mode == "hard":
        for guess, code in history:
            greens, counts = rules.revealed(guess, code, scoring)
            for i, letter in greens.items():
                allowed &= words[:, i] == letter_code(letter)
            for letter, count in counts.items():
                allowed &= (words == letter_code(letter)).sum(axis=1) >= count
    return allowed


def check_history(history: History, variant: Variant) -> None:
    """Raise BadInput for a guess that the variant's mode does not allow after those before it."""
    for i, (guess, _) in enumerate(history):
        if why := rules.forbids(guess, history[:i], variant.mode, variant.scoring):
            raise BadInput(f"guess {i + 1}, '{guess}', is not allowed in {why}")
