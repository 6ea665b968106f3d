"""Greedy play: always the best guess by one measure. One game, or the games against every answer at once.

For all answers the decision tree is grown level by level; each level is one batch of states for the device.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.rules import SOLVED, Words
from gpusolve.games.wordle.solver import (
    MEASURES,
    allowed_mask,
    check_answers_are_guesses,
    check_choice,
    check_first,
    costs,
    suggest,
    word_list,
)

GUESSES = 6  # of a game
BATCH = 8_000_000  # (state, guess) pairs evaluated at once: 25 bytes each


@dataclass(frozen=True)
class Turn:
    """One guess of a game: its pattern 0..242 and how many answers were possible before it."""

    guess: str
    pattern: int
    remaining: int


@dataclass(frozen=True)
class Simulation:
    """`turns[i]` (int32) is the number of guesses that the strategy needs for `answers[i]`."""

    answers: list[str]
    turns: npt.NDArray[np.int32]

    @property
    def total(self) -> int:
        """Guesses over all answers."""
        return int(self.turns.sum())

    @property
    def mean(self) -> float:
        """Guesses an answer."""
        return self.total / len(self.answers)

    @property
    def lost(self) -> int:
        """Answers that need more than the six guesses of the game."""
        return int((self.turns > GUESSES).sum())

    @property
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> how many answers need it."""
        counts = np.bincount(self.turns)
        return {turns: int(counts[turns]) for turns in range(1, len(counts))}

    @property
    def worst(self) -> list[str]:
        """The answers that need the most guesses."""
        return [self.answers[i] for i in np.flatnonzero(self.turns == self.turns.max())]


@dataclass(frozen=True)
class State:
    """A set of answers (indices, ascending) and which guesses the mode allows there (None: all)."""

    members: npt.NDArray[np.intp]
    allowed: npt.NDArray[np.bool_] | None


def play(
    answer: str,
    guesses: Sequence[str] | None = None,
    answers: Sequence[str] | None = None,
    first: str | None = None,
    by: str = "entropy",
    mode: str = "easy",
    scoring: str = "wordle",
    guess_hidden_only: bool = False,
    backend: Backend | None = None,
) -> list[Turn]:
    """A game against a hidden `answer`, each guess the best of `suggest` by the measure `by`.

    Raises BadInput if `answer` is not among the answers or `first` not among the guesses.

    >>> [turn.guess for turn in play("crane")]
    ['soare', 'diact', 'anvil', 'crane']
    """
    guesses, answers = word_list("guesses", guesses), word_list("answers", answers)
    check_choice("measure", by, MEASURES)
    if answer not in answers:
        raise BadInput(f"{answer}: not among the {len(answers):,} answers")
    check_first(first, guesses)
    backend = backend or open_backend()
    turns: list[Turn] = []
    while not turns or turns[-1].pattern != SOLVED:
        history = [(turn.guess, turn.pattern) for turn in turns]
        table = suggest(history, guesses, answers, mode, scoring, guess_hidden_only, backend)
        guess = first if first and not turns else table.guesses[table.ranking(by)[0]]
        turns.append(Turn(guess, rules.pattern(guess, answer, scoring), len(table.answers)))
    return turns


def random_answer(answers: Sequence[str] | None = None, seed: int = 0) -> str:
    """One of the answers; the same seed gives the same."""
    answers = word_list("answers", answers)
    return random.Random(seed).choice(answers)


def simulate(
    guesses: Sequence[str] | None = None,
    answers: Sequence[str] | None = None,
    first: str | None = None,
    by: str = "entropy",
    mode: str = "easy",
    scoring: str = "wordle",
    guess_hidden_only: bool = False,
    backend: Backend | None = None,
    progress: Callable[[int], None] = lambda solved: None,
) -> Simulation:
    """Plays the greedy strategy, the best guess by `by` in each state, against every answer.

    The same games as `play`, all of them at once. `progress` is called with the number of answers solved.

    >>> simulate(first="salet").distribution
    {1: 0, 2: 79, 3: 1206, 4: 982, 5: 46, 6: 2}
    """
    guesses, answers = word_list("guesses", guesses), word_list("answers", answers)
    check_choice("measure", by, MEASURES)
    check_choice("mode", mode, rules.MODES)
    check_choice("scoring", scoring, rules.SCORINGS)
    check_answers_are_guesses(guesses, answers)
    check_first(first, guesses)
    backend = backend or open_backend()
    guess_words, answer_words = rules.encode(guesses), rules.encode(answers)
    index_of = {word: i for i, word in enumerate(guesses)}
    as_guess = np.array([index_of[word] for word in answers])

    turns = np.zeros(len(answers), np.int32)
    level = [State(np.arange(len(answers)), None)]
    depth, solved = 1, 0
    while level:
        if depth == 1 and first is not None:
            choices = [index_of[first]]
        else:
            choices = []
            for batch in _batches(level, len(guesses)):
                choices += _choose(backend, guess_words, answer_words, as_guess, batch, by, scoring, guess_hidden_only)
        unique, row_of = np.unique(choices, return_inverse=True)
        rows = kernels.pattern_matrix(backend, guess_words[unique], answer_words, scoring)
        following = []
        for state, guess, row in zip(level, choices, row_of, strict=True):
            codes = rows[row, state.members]
            for code in np.unique(codes):
                members = state.members[codes == code]
                if code == SOLVED:
                    turns[members] = depth
                    solved += len(members)
                    continue
                allowed = state.allowed
                if mode != "easy":
                    seen = [(guesses[guess], int(code))]
                    mask = allowed_mask(backend, guess_words, seen, mode, scoring)
                    allowed = mask if allowed is None else allowed & mask
                following.append(State(members, allowed))
        level = following
        depth += 1
        progress(solved)
    return Simulation(answers, turns)


def _choose(
    backend: Backend,
    guess_words: Words,
    answer_words: Words,
    as_guess: npt.NDArray[np.intp],
    states: list[State],
    by: str,
    scoring: str,
    guess_hidden_only: bool,
) -> list[int]:
    """The best guess of each state, as an index into the guesses."""
    choices = [int(as_guess[state.members[0]]) for state in states]
    # One or two answers: the first of them is as good as any guess can be, and the tie goes to it.
    open_states = [i for i, state in enumerate(states) if len(state.members) > 2]
    if not open_states:
        return choices
    parts = kernels.partition(backend, guess_words, answer_words, [states[i].members for i in open_states], scoring)
    cost = costs(parts, by)
    for row, i in zip(cost, open_states, strict=True):
        state = states[i]
        if guess_hidden_only:
            choices[i] = int(as_guess[state.members][np.argmin(row[as_guess[state.members]])])
        else:
            never = np.iinfo(np.int64).max
            choices[i] = int(np.argmin(row if state.allowed is None else np.where(state.allowed, row, never)))
    return choices


def _batches(states: list[State], guesses: int) -> Iterator[list[State]]:
    size = max(1, BATCH // guesses)
    for start in range(0, len(states), size):
        yield states[start : start + size]
