"""The greedy strategy against every answer: always the best guess by one measure.

The decision tree grows level by level. Each level is one batch of states for the device.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks, clock
from gpusolve.backend import Backend, in_batches, open_backend
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.analysis.strategies import weighted_total
from gpusolve.games.wordle.history import allowed_mask
from gpusolve.games.wordle.rules import GUESSES, MEASURES, Measure, Scoring, solved_code
from gpusolve.games.wordle.tables import costs
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.weights.mistakes import check_first
from gpusolve.games.wordle.weights.partitions import weighted_partition
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.result import HIDDEN, Result, reported, written

FEW = 2  # with at most this many answers, no guess is better than the first of them, and ties go to it


@dataclass(frozen=True, eq=False, repr=False)
class Simulation(Result, schema="wordle.simulate/2"):
    """The result of the greedy strategy against every answer.

    Attributes
    ----------
    answers : WordList
        The answers.
    turns : ndarray of int32, shape (answers,)
        Number of guesses that the strategy needs for each answer.
    seconds : float
        Duration of the simulation.
    weights : ndarray of int64, shape (answers,), or None
        The weights of the answers; None if all are equally likely.
    first : str or None
        The first guess; None if the best one was chosen.
    sort : str
        The measure by which guesses were chosen.
    variant : Variant or None
        The words and the rules.
    """

    answers: WordList = field(metadata=written("_answers"))
    turns: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    seconds: float
    weights: npt.NDArray[np.int64] | None = field(default=None, metadata=HIDDEN)
    first: str | None = None
    sort: Measure = "entropy"
    variant: Variant | None = field(default=None, repr=False, metadata=HIDDEN)

    @property
    def _answers(self) -> int:
        return len(self.answers)

    @reported
    def total(self) -> int:
        """Number of guesses over all answers; with weights, the guesses of each answer are multiplied by its weight."""
        return weighted_total(self.turns, self.weights)

    @reported
    def weight(self) -> int:
        """The weight of all answers; without weights, their number."""
        return len(self.answers) if self.weights is None else int(self.weights.sum())

    @reported
    def mean(self) -> float:
        """Expected number of guesses: the total divided by the weight."""
        return self.total / self.weight

    @reported
    def won(self) -> float:
        """The chance of finding the answer within the six guesses of a game."""
        in_time = self.turns <= GUESSES
        return float((in_time.sum() if self.weights is None else self.weights[in_time].sum()) / self.weight)

    @reported
    def lost(self) -> int:
        """Number of answers that need more than the six guesses of a game."""
        return int((self.turns > GUESSES).sum())

    @reported
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> number of answers that need it."""
        counts = np.bincount(self.turns)
        return {turns: int(counts[turns]) for turns in range(1, len(counts))}

    @reported
    def worst(self) -> list[str]:
        """The answers that need the most guesses."""
        return [self.answers[i] for i in np.flatnonzero(self.turns == self.turns.max())]

    def columns(self) -> dict[str, Any]:
        """Return the answers and their turns as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list or ndarray
            ``answer`` and ``turns``, in the order of the answers.

        Examples
        --------
        >>> simulate(Variant.load(answers=["crane", "trace"])).columns()
        {'answer': ['crane', 'trace'], 'turns': array([1, 2], dtype=int32)}
        """
        return {"answer": self.answers[:], "turns": self.turns}

    def __repr__(self) -> str:
        return f"<Simulation: {len(self.answers):,} answers, mean {self.mean:.5f} guesses, {self.lost:,} lost>"


@dataclass(frozen=True, eq=False)
class State:
    """The answers that are possible at some point of the games, as ascending indices, and the allowed guesses.

    `allowed` is None if all guesses are. It is not kept up to date where so few answers remain that the guess is clear.
    """

    members: npt.NDArray[np.intp]
    allowed: npt.NDArray[np.bool_] | None


def simulate(
    variant: Variant | None = None,
    *,
    first: str | None = None,
    sort: Measure = "entropy",
    progress: Callable[[int], None] = lambda solved: None,
    backend: Backend | None = None,
) -> Simulation:
    """Play the greedy strategy against every answer.

    The mean, the distribution and the worst answers are shown. In each state, the best guess by one measure is made.
    The games are those of `play` with the same measure, all of them at once.

    Parameters
    ----------
    variant : Variant, optional
        The words and the rules. By default the original game.
    first : str, optional
        First guess. By default the best guess.
    sort : {"entropy", "expected", "patterns", "largest"}
        Measure by which the best guess is chosen.
    progress : callable, optional
        Called with the number of answers that are solved.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Simulation
        The number of guesses for every answer.

    Raises
    ------
    BadInput
        If `first` is not among the guesses, or the measure is unknown.

    Examples
    --------
    ``gpusolve wordle simulate --first salet``

    >>> simulate(first="salet").distribution
    {1: 0, 2: 79, 3: 1206, 4: 982, 5: 46, 6: 2}
    """
    begin = clock.now()
    variant = check_variant(variant)
    checks.check_choice("sort", sort, MEASURES)
    first = check_first(first, variant)
    backend = open_backend(backend)
    guesses, answers = variant.guesses, variant.answers

    # The answers that remain are allowed in every mode.
    restricted = variant.mode != "easy" and not variant.guess_hidden_only
    turns = np.zeros(len(answers), np.int32)
    level = [State(np.arange(len(answers)), None)]
    depth, solved = 1, 0
    while level:
        if depth == 1 and first is not None:
            choices = [guesses.place[first]]
        else:
            choices = _choose_all(backend, variant, level, sort)
        unique, row_of = np.unique(choices, return_inverse=True)
        terms = kernels.terms_of(guesses.letters[unique])
        rows = kernels.pattern_matrix(backend, terms, answers.letters, scoring=variant.scoring)
        following = []
        for state, guess, row in zip(level, choices, row_of, strict=True):
            codes = rows[row, state.members]
            for code in np.unique(codes):
                members = state.members[codes == code]
                if code == solved_code(variant.length):
                    turns[members] = depth
                    solved += len(members)
                    continue
                allowed = state.allowed
                if restricted and len(members) > FEW:
                    seen = [(guesses[guess], int(code))]
                    mask = allowed_mask(backend, guesses.letters, seen, variant.mode, variant.scoring)
                    allowed = mask if allowed is None else allowed & mask
                following.append(State(members, allowed))
        level = following
        depth += 1
        progress(solved)
    weights = None if variant.weights is None else variant.weights.array
    return Simulation(answers, turns, clock.now() - begin, weights, first, sort, variant)


def _choose_all(backend: Backend, variant: Variant, states: list[State], sort: Measure) -> list[int]:
    """Return the best guess of each state, as an index into the guesses; as many states at a time as have room."""
    room = partial(backend.batch, kernels.PARTITION_BYTES * len(variant.guesses))
    batches = in_batches(
        range(len(states)), room, lambda batch: _choose(backend, variant, states[batch.start : batch.stop], sort)
    )
    return [choice for choices in batches for choice in choices]


def _choose(backend: Backend, variant: Variant, states: list[State], sort: Measure) -> list[int]:
    """Return the best guess of each state."""
    own, terms = variant.answer_guesses, variant.guesses.terms
    if variant.weights is None:
        choices = [int(own[state.members[0]]) for state in states]
    else:
        weights = variant.weights.array
        choices = [int(own[state.members[weights[state.members].argmax()]]) for state in states]
    open_states = [i for i, state in enumerate(states) if len(state.members) > FEW]
    if not open_states:
        return choices
    hidden_only = variant.guess_hidden_only
    if hidden_only:  # the terms of the answers are enough
        terms = replace(terms, guesses=terms.guesses[own])
    masks, allowed = [states[i].allowed for i in open_states], None
    if any(mask is not None for mask in masks):
        everything = np.ones(len(terms.guesses), np.bool_)
        allowed = np.array([everything if mask is None else mask for mask in masks])
    subsets = [states[i].members for i in open_states]
    best_of = (kernels.choose if variant.weights is None else partial(_choose_weighted, weights))(
        backend,
        terms,
        variant.answers.letters,
        subsets,
        measure=sort,
        scoring=variant.scoring,
        allowed=allowed,
        contained=hidden_only,
    )
    for i, best in zip(open_states, (own[best_of] if hidden_only else best_of).tolist(), strict=True):
        choices[i] = best
    return choices


def _choose_weighted(
    weights: npt.NDArray[np.int64],
    backend: Backend,
    guesses: kernels.Terms,
    answers: kernels.Letters,
    subsets: list[npt.NDArray[np.intp]],
    *,
    measure: Measure,
    scoring: Scoring,
    allowed: npt.NDArray[np.bool_] | None,
    contained: bool,
) -> npt.NDArray[np.intp]:
    """Return the best guess for each subset by a measure, as `kernels.choose`; ties go to the heaviest answer."""
    partition = weighted_partition(backend, guesses, answers, weights, subsets, scoring=scoring)
    values = costs(partition, measure)
    may = np.ones(values.shape, np.bool_) if allowed is None else allowed.copy()
    if contained:
        may &= partition.contains
    values = np.where(may, values, np.iinfo(np.int64).max)
    ties = values == values.min(axis=1, keepdims=True)
    return np.asarray(np.where(ties, partition.own, -1).argmax(axis=1))
