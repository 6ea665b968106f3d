"""Partition tables and suggestions for Wordle."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.kernels import Letters
from gpusolve.games.wordle.proof.values import EXACT, best_totals, valued
from gpusolve.games.wordle.rules import Advice, History, Measure, Mode, Order, Scoring, Turns, check_choice
from gpusolve.games.wordle.tables import PartitionTable, Suggestions
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.words import WordList, encode, word_list
from gpusolve.wordlists import Words

TOLD = 10
"""So many of the best guesses are told exactly."""


def partition_table(
    guesses: Words = "wordle-guesses",
    answers: Words = "wordle-answers",
    scoring: Scoring = "wordle",
    sort: Order = "entropy",
    backend: Backend | None = None,
) -> PartitionTable:
    """How every guess splits the answers. No answer need be among the guesses.

    Raises BadInput for words that are not five letters a-z, and for an unknown scoring or sort.

    >>> table = partition_table(["qajaq", "salet"])
    >>> table.partition.patterns.tolist(), table.partition.largest.tolist(), table.best
    ([[18, 148]], [[1369, 221]], 'salet')
    """
    check_choice("scoring", scoring, rules.SCORINGS)
    check_choice("sort", sort, rules.ORDERS)
    return _table(word_list(guesses), word_list(answers), scoring, sort, open_backend(backend))


def cells(
    guess: str, answers: Words = "wordle-answers", scoring: Scoring = "wordle", backend: Backend | None = None
) -> dict[int, list[str]]:
    """The cells of one guess: pattern -> the answers that give it, the largest cell first.

    >>> {rules.pattern_text(code): words for code, words in cells("salet", ["crane", "salet", "slate"]).items()}
    {'-y-y-': ['crane'], 'gyyyy': ['slate'], 'ggggg': ['salet']}
    """
    terms, hidden = kernels.terms_of(encode([rules.parse_word(guess)])), word_list(answers)
    check_choice("scoring", scoring, rules.SCORINGS)
    row = kernels.pattern_matrix(open_backend(backend), terms, hidden.letters, scoring=scoring)[0]
    found: dict[int, list[str]] = {}
    for code, word in zip(row.tolist(), hidden, strict=True):
        found.setdefault(code, []).append(word)
    return dict(sorted(found.items(), key=lambda cell: (-len(cell[1]), cell[0])))


def remaining(
    history: Turns, answers: Words = "wordle-answers", scoring: Scoring = "wordle", backend: Backend | None = None
) -> WordList:
    """The answers that would have given every pattern of `history`; none, perhaps.

    >>> remaining(["salet:-y--g", ("draft", "-yg-g")])[:]
    ['apart', 'chart', 'quart']
    """
    turns, hidden = rules.parse_history(history), word_list(answers)
    check_choice("scoring", scoring, rules.SCORINGS)
    return hidden.take(consistent_mask(open_backend(backend), hidden.letters, turns, scoring))


def suggest(
    history: Turns = (),
    variant: Variant | None = None,
    sort: Advice = "exact",
    backend: Backend | None = None,
) -> Suggestions:
    """The guesses that the variant (None: the original) allows after `history`, against the answers that remain.

    Where few enough answers remain (`values`) and all can be found in the guesses left, ``exact`` puts those TOLD first
    that take the fewest guesses to the end; elsewhere it is ``entropy``. There, guesses that can be the answer come
    first on near ties (`tables.NEAR`). If the last guess has got five greens, it is all that the table holds.

    If no listed answer fits, every word that may be guessed is taken for a possible answer. Raises BadInput for a
    history that breaks the variant's mode, goes on after five greens or that no five letters could give, NoSolution
    where merely no word fits it.

    >>> table = suggest(["salet:-y--g"], Variant.load(mode="hard"))
    >>> len(table.answers), table.best
    (20, 'craft')
    >>> suggest(["slate:ggggg"]).solved
    True
    """
    turns, backend = rules.parse_history(history), open_backend(backend)
    check_choice("sort", sort, rules.ADVICE)
    given, measure = check_variant(variant), "entropy" if sort == "exact" else sort
    variant = fitting(turns, given, backend)
    table = after(turns, variant, measure, backend)
    solved = bool(turns) and turns[-1][1] == rules.SOLVED
    totals = exact_totals(table, variant, len(turns), TOLD, backend) if sort == "exact" and not solved else {}
    return Suggestions(
        table.guesses, table.answers, table.partition, measure, len(turns), solved, totals, variant is not given
    )


def fitting(history: History, variant: Variant, backend: Backend) -> Variant:
    """The variant; where no answer fits the history but a guess does, the one in which every guess can be the answer.

    The game has moved on from the lists of 2022, and its answers are among the guesses.
    """
    if remaining(history, variant.answers, variant.scoring, backend):
        return variant
    if not remaining(history, variant.guesses, variant.scoring, backend):
        return variant
    return dataclasses.replace(variant, answers=variant.guesses)


def exact_totals(
    table: PartitionTable, variant: Variant, turns: int, count: int, backend: Backend | None = None
) -> dict[int, int]:
    """The `count` best guesses of a table and the fewest guesses, itself included, over all answers, with any ties.

    None, where that takes too long (`values`), or where not all can be found in what is left of six guesses.
    """
    if len(table.answers) > EXACT or turns >= rules.GUESSES:
        return {}
    position = valued(table, variant, backend)
    return best_totals(position, count, rules.GUESSES - turns) if position.exact else {}


def after(
    history: History, variant: Variant, sort: Measure = "entropy", backend: Backend | None = None
) -> PartitionTable:
    """The same, ranked by the measure alone, as `greedy` plays. Raises as `suggest` does."""
    check_choice("sort", sort, rules.MEASURES)
    _check_history(history, variant)
    backend = open_backend(backend)
    left = remaining(history, variant.answers, variant.scoring, backend)
    if not left:
        if not rules.possible(history, variant.scoring):
            raise BadInput("the history contradicts itself: no five letters give these patterns")
        raise NoSolution(f"none of the {len(variant.answers):,} answers gives these patterns")
    if variant.guess_hidden_only or (history and history[-1][1] == rules.SOLVED):
        guesses = left
    else:
        guesses = variant.guesses.take(
            allowed_mask(backend, variant.guesses.letters, history, variant.mode, variant.scoring)
        )
    return _table(guesses, left, variant.scoring, sort, backend)


def consistent_mask(
    backend: Backend, words: Letters, history: History, scoring: Scoring = "wordle"
) -> npt.NDArray[np.bool_]:
    """Which of `words` would have given every pattern of `history`, bool (len(words),)."""
    if not history:
        return np.ones(len(words), np.bool_)
    guesses = kernels.terms_of(encode([guess for guess, _ in history]))
    codes = np.array([code for _, code in history], np.uint8)
    rows = kernels.pattern_matrix(backend, guesses, words, scoring=scoring)
    return np.asarray((rows == codes[:, None]).all(axis=0))


def allowed_mask(
    backend: Backend, words: Letters, history: History, mode: Mode, scoring: Scoring = "wordle"
) -> npt.NDArray[np.bool_]:
    """Which of `words` may be guessed after `history` in `mode`, bool (len(words),): `rules.allowed` for many words."""
    if mode == "ultra-hard":
        return consistent_mask(backend, words, history, scoring)
    allowed = np.ones(len(words), np.bool_)
    if mode == "hard":
        for guess, code in history:
            greens, counts = rules.revealed(guess, code, scoring)
            for i, letter in greens.items():
                allowed &= words[:, i] == ord(letter) - ord("a")
            for letter, count in counts.items():
                allowed &= (words == ord(letter) - ord("a")).sum(axis=1) >= count
    return allowed


def _table(guesses: WordList, answers: WordList, scoring: Scoring, sort: Order, backend: Backend) -> PartitionTable:
    found = kernels.partition(backend, guesses.terms, answers.letters, scoring=scoring)
    return PartitionTable(guesses, answers, found, sort)


def _check_history(history: History, variant: Variant) -> None:
    for i, (guess, _) in enumerate(history):
        if not rules.allowed(guess, history[:i], variant.mode, variant.scoring):
            raise BadInput(
                f"guess {i + 1}, '{guess}', is not allowed in {variant.mode} mode after the guesses before it"
            )
