"""The strategy that a search has found, as a tree, and its replay by the rules."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.wordle.judging.strategies import Tree, reply_of, walk
from gpusolve.games.wordle.proof.descent import FREE
from gpusolve.games.wordle.proof.position import NO_TURN, Position
from gpusolve.games.wordle.rules import History, Objective

FEW = 40
"""A strategy for the worst case has the best mean, too, on up to this many answers; with more, any strategy will do."""


def strategy_of(
    position: Position,
    members: npt.NDArray[np.intp],
    *,
    turns: int,
    objective: Objective,
    first: str | None = None,
    via: tuple[int, int] = NO_TURN,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> Tree:
    """Return the best strategy for some of the answers; the search has left most of it in the transposition table.

    `first` is the first guess, where it is known. `via` and `allowed` are as in `Position.cost`.
    """
    if first is not None:
        guess = position.guesses.place[first]
    elif len(members) == 1:  # true of most states of a tree
        return Tree(position.variant.guesses.place[position.answers[members[0]]], {})
    elif objective == "worst" and len(members) > FEW:
        guess = position.solvable(members, turns=turns, via=via, allowed=allowed)[1]
    else:
        guess = position.cost(members, turns=turns, via=via, allowed=allowed)[1]
    left = turns if turns == FREE else turns - 1
    now = position.allowed_after(allowed, *via)
    cells = {
        code: strategy_of(position, cell, turns=left, objective=objective, via=(guess, code), allowed=now)
        for code, cell in position.cells(guess, members).items()
    }
    return Tree(position.variant.guesses.place[position.guesses[guess]], cells)


def replayed(position: Position, turns: History, tree: Tree, within: int | None) -> npt.NDArray[np.int32]:
    """Play a strategy against every answer by the rules; return the number of guesses for each answer.

    Raises WrongSolution if it breaks the rules, misses an answer or takes more than `within` guesses: the search is
    wrong then, not the user.
    """
    try:
        played = walk(reply_of(tree, position.variant.guesses), position.variant, turns, "the strategy")
    except BadInput as error:
        raise WrongSolution(f"the search has returned a wrong strategy: {error}") from error
    if list(played) != position.answers[:] or (within is not None and max(played.values()) > within):
        raise WrongSolution(f"the search has returned a strategy that does not find every answer within {within}")
    return np.fromiter(played.values(), np.int32, len(played))
