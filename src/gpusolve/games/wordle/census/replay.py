"""Replay a strategy for all answers at once, and its digest.

The patterns are computed anew by `marks`, which uses nothing that the search or its kernels have computed.
"""

from __future__ import annotations

import hashlib
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.errors import WrongSolution
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.census.solved import Paths
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.rules import Scoring

Letters: TypeAlias = npt.NDArray[Any]
"""Words, one row for each, with a number for each letter."""


def digest(position: Position, paths: Paths) -> str:
    """Return the SHA-256 of a strategy: a line for each answer, in order, with the guesses that find it."""
    words = position.guesses[:]
    lines = ["".join(f"{words[guess]} " for guess in path if guess >= 0).rstrip() for path in paths.tolist()]
    return hashlib.sha256("\n".join([*lines, ""]).encode()).hexdigest()


def replay(position: Position, paths: Paths) -> npt.NDArray[np.int32]:
    """Play a strategy against every answer by the rules; return the number of guesses that each answer takes.

    Raises WrongSolution if it does not find an answer, or if it makes different guesses after the same patterns.
    """
    words, solved, scoring = position.guesses, rules.solved_code(position.length), position.variant.scoring
    turns = np.zeros(len(paths), np.int32)
    left = np.arange(len(paths))
    states = np.zeros(len(paths), np.int64)  # answers have the same state as long as they get the same patterns
    for turn in range(paths.shape[1]):
        guesses = paths[left, turn]
        unplanned = left[guesses < 0]
        if len(unplanned):
            raise WrongSolution(f"the strategy does not find {position.answers[int(unplanned[0])]}: its guesses end")
        _, first, inverse = np.unique(states, return_index=True, return_inverse=True)
        expected = guesses[first[inverse]]
        different = np.flatnonzero(guesses != expected)
        if len(different):
            one, other = words[int(guesses[different[0]])], words[int(expected[different[0]])]
            raise WrongSolution(f"the strategy guesses {one} and {other} after the same patterns")
        codes = marks(words.letters[guesses], position.answers.letters[left], scoring)
        found = codes == solved
        turns[left[found]] = turn + 1
        left, states = left[~found], (inverse * (solved + 1) + codes)[~found]
    if len(left):
        answer = position.answers[int(left[0])]
        raise WrongSolution(f"the strategy does not find {answer} within {paths.shape[1]} guesses")
    return turns


def marks(guesses: Letters, answers: Letters, scoring: Scoring) -> npt.NDArray[np.int64]:
    """Return the pattern of each guess against the answer of the same row, as `rules.mark` does for one guess."""
    green = guesses == answers
    codes = np.zeros(len(guesses), np.int64)
    for i in range(guesses.shape[1]):
        letter = guesses[:, i : i + 1]
        if scoring == "presence":
            yellow = (answers == letter).any(axis=1)
        else:
            unclaimed = ((answers == letter) & ~green).sum(axis=1)
            claimed = ((guesses[:, :i] == letter) & ~green[:, :i]).sum(axis=1)
            yellow = claimed < unclaimed
        codes += np.where(green[:, i], 2, yellow) * 3**i
    return codes
