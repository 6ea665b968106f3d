"""Strategies in memory: which guess follows each pattern, and a replay against every answer by the rules alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.rules import History
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.result import Result

LISTED = 5
"""Number of answers that an error message lists."""


@dataclass(frozen=True, repr=False)
class Tree(Result):
    """A strategy: a guess, and the strategy after each of its patterns.

    Attributes
    ----------
    guess : int
        Index into the variant's guesses.
    cells : dict of int to Tree
        The strategy after each pattern that can occur, except five greens. It is empty if a single answer is left.
    """

    guess: int
    cells: dict[int, Tree]

    def __repr__(self) -> str:
        return f"<Tree: guess {self.guess}, {len(self.cells)} cells>"


class Reply(NamedTuple):
    """A strategy: a guess, and the reply to each pattern except five greens. Without replies it is the last guess."""

    guess: str
    replies: Mapping[int, Reply]

    def __repr__(self) -> str:
        return f"<Reply: {self.guess}, {len(self.replies)} replies>"


def weighted_total(turns: npt.NDArray[np.int32], weights: npt.NDArray[np.int64] | None) -> int:
    """Return the number of guesses over all answers, each multiplied by the weight of its answer."""
    return int(turns.sum() if weights is None else (turns * weights).sum())


def reply_of(tree: Tree, guesses: WordList) -> Reply:
    """Return a strategy of the search, whose guesses are indices, with words."""
    return Reply(guesses[tree.guess], {code: reply_of(cell, guesses) for code, cell in tree.cells.items()})


def reply_after(tree: Reply, history: History) -> str | None:
    """Return the guess of a strategy after a history, or None if it has no reply there."""
    for guess, code in history:
        if tree.guess != guess or code not in tree.replies:
            return None
        tree = tree.replies[code]
    return tree.guess


def history_text(history: History) -> str:
    """Write a history on one line: ``salet:-y--g draft:-yg-g``."""
    return " ".join(rules.turn_text(guess, code) for guess, code in history)


def walk(tree: Reply, variant: Variant, history: History, place: str) -> dict[str, int]:
    """Return answer -> number of guesses, for every answer that fits the history. Raises BadInput for the first fault.

    The guesses of the history are not counted. `place` is what the message calls the strategy. Nothing of the search is
    used: only `rules`.
    """
    left = [answer for answer in variant.answers if rules.consistent(answer, history, variant.scoring)]
    if not left:
        raise BadInput(f"{place}: no answer fits the history that it begins with")
    turns: dict[str, int] = {}
    solved = rules.solved_code(variant.length)
    waiting = [(tree, left, list(history))]
    while waiting:
        (guess, replies), left, before = waiting.pop()
        if fault := _fault(guess, left, before, variant):
            raise BadInput(f"{place}: " + (f"after {history_text(before)}: " if before else "") + fault)
        cells: dict[int, list[str]] = {}
        for answer in left:
            cells.setdefault(rules.mark(guess, answer, variant.scoring), []).append(answer)
        for code, cell in sorted(cells.items()):
            if code == solved:
                turns[guess] = len(before) - len(history) + 1
                continue
            now = [*before, (guess, code)]
            if code not in replies:
                raise BadInput(f"{place}: no reply to {history_text(now)}, where {_listed(cell)}")
            waiting.append((replies[code], cell, now))
    return {answer: turns[answer] for answer in sorted(turns)}


def _fault(guess: str, left: list[str], before: History, variant: Variant) -> str | None:
    """Return what is wrong with a guess, or None if it may be made."""
    if guess not in variant.guesses:
        return f"'{guess}' is not among the {len(variant.guesses):,} guesses"
    if why := rules.forbids(guess, before, variant.mode, variant.scoring):
        return f"'{guess}' is not allowed in {why}"
    if variant.guess_hidden_only and guess not in left:
        return f"'{guess}' is not an answer that remains"
    return None


def _listed(words: list[str]) -> str:
    listed = " ".join(words[:LISTED]) + (" ..." if len(words) > LISTED else "")
    return f"{len(words):,} answer{'s remain' if len(words) > 1 else ' remains'}: {listed}"
