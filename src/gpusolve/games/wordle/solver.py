"""Partition tables and suggestions for Wordle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.kernels import Partition
from gpusolve.games.wordle.rules import History, Words

MEASURES = ("entropy", "expected", "patterns", "largest")
"""What can make one guess better than another."""


@dataclass(frozen=True)
class PartitionTable:
    """`guesses` against `answers`; the arrays of `partition` have shape (1, len(guesses))."""

    guesses: list[str]
    answers: list[str]
    partition: Partition

    def ranking(self, by: str = "entropy") -> npt.NDArray[np.intp]:
        """Indices of the guesses, the best first.

        `by` is one of MEASURES; ties go to a guess that can be the answer, then to the first in `guesses`.
        """
        return np.argsort(costs(self.partition, by)[0], kind="stable")


def partition_table(
    guesses: Sequence[str] | None = None,
    answers: Sequence[str] | None = None,
    scoring: str = "wordle",
    backend: Backend | None = None,
) -> PartitionTable:
    """How every guess parts the answers. None means the shipped ``wordle-guesses`` and ``wordle-answers``.

    Raises BadInput for an empty list, for a word that is not five letters a-z and for an unknown scoring.

    >>> table = partition_table(["salet", "qajaq"])
    >>> table.partition.patterns.tolist(), table.partition.largest.tolist()
    ([[148, 18]], [[221, 1369]])
    """
    guesses, answers = word_list("guesses", guesses), word_list("answers", answers)
    check_choice("scoring", scoring, rules.SCORINGS)
    backend = backend or open_backend()
    return PartitionTable(
        guesses,
        answers,
        kernels.partition(backend, rules.encode(guesses), rules.encode(answers), scoring=scoring),
    )


def cells(
    guess: str,
    answers: Sequence[str] | None = None,
    scoring: str = "wordle",
    backend: Backend | None = None,
) -> dict[int, list[str]]:
    """The cells of one guess: pattern -> the answers that give it, the largest cell first.

    >>> {rules.pattern_text(code): words for code, words in cells("salet", ["crane", "salet", "slate"]).items()}
    {'-y-y-': ['crane'], 'gyyyy': ['slate'], 'ggggg': ['salet']}
    """
    (guess,), answers = word_list("guess", [guess]), word_list("answers", answers)
    check_choice("scoring", scoring, rules.SCORINGS)
    backend = backend or open_backend()
    row = kernels.pattern_matrix(backend, rules.encode([guess]), rules.encode(answers), scoring)[0]
    found: dict[int, list[str]] = {}
    for code, word in zip(row.tolist(), answers, strict=True):
        found.setdefault(code, []).append(word)
    return dict(sorted(found.items(), key=lambda cell: (-len(cell[1]), cell[0])))


def remaining(
    history: History,
    answers: Sequence[str] | None = None,
    scoring: str = "wordle",
    backend: Backend | None = None,
) -> list[str]:
    """The answers that would have given every pattern of `history`, in their order.

    >>> remaining([("salet", rules.parse_pattern("-y--g")), ("draft", rules.parse_pattern("-yg-g"))])
    ['apart', 'chart', 'quart']
    """
    answers = word_list("answers", answers)
    check_choice("scoring", scoring, rules.SCORINGS)
    fits = consistent_mask(backend or open_backend(), rules.encode(answers), history, scoring)
    return [answers[i] for i in np.flatnonzero(fits)]


def suggest(
    history: History = (),
    guesses: Sequence[str] | None = None,
    answers: Sequence[str] | None = None,
    mode: str = "easy",
    scoring: str = "wordle",
    guess_hidden_only: bool = False,
    backend: Backend | None = None,
) -> PartitionTable:
    """The guesses that `mode` allows after `history` against the answers that remain, as a partition table.

    `guess_hidden_only` allows the remaining answers only. Raises BadInput for a history that breaks `mode` or that no
    five letters could give, NoSolution where merely no word of `answers` fits it.

    >>> table = suggest([("salet", rules.parse_pattern("-y--g"))], mode="hard")
    >>> len(table.answers), table.guesses[table.ranking()[0]]
    (20, 'craft')
    """
    guesses, answers = word_list("guesses", guesses), word_list("answers", answers)
    check_choice("scoring", scoring, rules.SCORINGS)
    check_choice("mode", mode, rules.MODES)
    check_answers_are_guesses(guesses, answers)
    check_history(history, mode, scoring)
    backend = backend or open_backend()
    left = remaining(history, answers, scoring, backend)
    if not left:
        if not rules.possible(history, scoring):
            raise BadInput("the history contradicts itself: no five letters give these patterns")
        raise NoSolution(f"none of the {len(answers):,} answers gives these patterns")
    if guess_hidden_only:
        guesses = left
    else:
        allowed = allowed_mask(backend, rules.encode(guesses), history, mode, scoring)
        guesses = [guesses[i] for i in np.flatnonzero(allowed)]
    return PartitionTable(
        guesses, left, kernels.partition(backend, rules.encode(guesses), rules.encode(left), scoring=scoring)
    )


def costs(partition: Partition, by: str) -> npt.NDArray[np.int64]:
    """What each guess costs by the measure `by`, int64 (subsets, guesses): less is better.

    The lowest bit tells a guess that is in the subset (0) from one that is not, so ties go to the former.
    """
    measure: Any = {
        "entropy": partition.sum_nlogn,
        "expected": partition.sum_squares,
        "patterns": -partition.patterns.astype(np.int64),
        "largest": partition.largest.astype(np.int64),
    }[by]
    return np.asarray(measure * 2 + ~partition.contains, dtype=np.int64)


def consistent_mask(backend: Backend, words: Words, history: History, scoring: str = "wordle") -> npt.NDArray[np.bool_]:
    """Which of `words` would have given every pattern of `history`, bool (len(words),)."""
    if not history:
        return np.ones(len(words), np.bool_)
    rows = kernels.pattern_matrix(backend, rules.encode([guess for guess, _ in history]), words, scoring)
    codes = np.array([code for _, code in history], np.uint8)
    return np.asarray((rows == codes[:, None]).all(axis=0))


def allowed_mask(
    backend: Backend, words: Words, history: History, mode: str, scoring: str = "wordle"
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


def word_list(name: str, words: Sequence[str] | None) -> list[str]:
    """`words`, or the shipped list ``wordle-<name>`` for None. Raises BadInput if empty and for what is no word."""
    if words is None:
        from gpusolve.wordlists import load_words

        return load_words(f"wordle-{name}", rules.LETTERS)
    if not words:
        raise BadInput(f"no {name}: expected at least one word")
    for word in words:
        if len(word) != rules.LETTERS or not (word.isascii() and word.isalpha() and word.islower()):
            raise BadInput(f"{name}: '{word}' is no word of {rules.LETTERS} letters a-z")
    return list(words)


def check_choice(what: str, value: str, choices: Sequence[str]) -> None:
    """Raises BadInput unless `value` is one of `choices`."""
    if value not in choices:
        raise BadInput(f"{what} '{value}': expected one of {', '.join(choices)}")


def check_answers_are_guesses(guesses: Sequence[str], answers: Sequence[str]) -> None:
    """Raises BadInput if some answer may not be guessed: such a game cannot be won."""
    missing = sorted(set(answers) - set(guesses))
    if missing:
        raise BadInput(
            f"{len(missing):,} answers cannot be guessed, '{missing[0]}' for one: expected all among the guesses"
        )


def check_first(first: str | None, guesses: Sequence[str]) -> None:
    """Raises BadInput if the first guess is not among the guesses."""
    if first is not None and first not in guesses:
        raise BadInput(f"first guess '{first}': not among the {len(guesses):,} guesses")


def check_history(history: History, mode: str, scoring: str) -> None:
    """Raises BadInput if a guess of `history` was not allowed in `mode` after the ones before it."""
    for i, (guess, _) in enumerate(history):
        if not rules.allowed(guess, history[:i], mode, scoring):
            raise BadInput(f"guess {i + 1}, '{guess}', is not allowed in {mode} mode after the guesses before it")
