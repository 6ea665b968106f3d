"""Beam search, level by level, over batches of states that may live on a device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gpusolve import clock
from gpusolve.backend import Array
from gpusolve.checks import check_integer, check_number
from gpusolve.search.kernels import best_children, first_of_equals
from gpusolve.search.space import Progress, Result, Space

MOST_STATES = 2**30
"""Largest number of states of a level. Their table of duplicates has twice as many slots, whose numbers are int32."""

LookAhead: TypeAlias = Callable[[Array, int], tuple[int, int, list[int]] | None]
"""A function of the states of a level and the level's number. It returns a value reached deeper in the tree, the number
of the state that leads to it, and the moves from that state; or None if it did not look."""


@dataclass(frozen=True)
class Origin:
    """The origin of each state of a level: its parent in the level before (int32) and the parent's move (uint16)."""

    parents: Array
    moves: Array


class Beam:
    """The frontier of a beam search, and the way back to the root: the origins of the states of every level.

    Parameters
    ----------
    space : Space
        The states and their moves.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self.states = space.root
        """The states of the current level."""
        self.expanded = 0
        """Number of states expanded so far."""
        self.generated = 0
        """Number of allowed moves of the states expanded so far."""
        self.dropped = False
        """Whether a state was left out because its level was full. If not, every reachable state was examined."""
        self.origins: list[Origin] = []
        """The origins of every level except the root's."""

    def advance(self, *, width: int, batch: int) -> bool:
        """Replace the current level by its best children, without duplicates.

        Among equal keys the lowest parent wins, then the lowest move, so that the level does not depend on `batch`.

        Parameters
        ----------
        width : int
            Number of children kept (the beam width).
        batch : int
            Number of states expanded at a time.

        Returns
        -------
        bool
            False if no state has a move; the frontier then stays as it is.
        """
        space, count = self.space, self.states.shape[1]
        keys = [space.expand(self.states, first, min(first + batch, count)) for first in range(0, count, batch)]
        parents, moves, allowed = best_children(space.backend, keys, width)
        del keys
        self.expanded += count
        self.generated += allowed
        self.dropped |= allowed > len(parents)
        if len(parents) == 0:
            return False
        states = space.make(self.states, parents, moves)
        keep = first_of_equals(space.backend, space.identity(states))
        if keep is not None:
            states = space.backend.xp.ascontiguousarray(states[:, keep])
            parents, moves = parents[keep], moves[keep]
        self.states = states
        self.origins.append(Origin(parents, moves))
        return True

    def path(self, level: int, number: int) -> list[int]:
        """Return the moves from the root to state `number` of `level`; the root is level 0."""
        moves: list[int] = []
        for origin in reversed(self.origins[:level]):
            moves.append(int(origin.moves[number]))
            number = int(origin.parents[number])
        return moves[::-1]


def beam(
    space: Space,
    *,
    width: int,
    batch: int,
    levels: int | None = None,
    look_ahead: LookAhead = lambda states, level: None,
    time_limit: float = float("inf"),
    progress: Progress = lambda generated, best: None,
) -> Result:
    """Search level by level, keep the best `width` states of each level, and return the best state of all levels.

    Parameters
    ----------
    space : Space
        The states and their moves.
    width : int
        Number of states kept after each move (the beam width).
    batch : int
        Number of states expanded at a time. The result does not depend on it.
    levels : int, optional
        The length of the longest sequence of moves, if it is known. The search then skips the last expansion, which
        could only find that there are no moves.
    look_ahead : callable, optional
        Called with each level before it is expanded, to look for better states further down (`LookAhead`).
    time_limit : float, optional
        Seconds. No level but the first is started if it would probably end after the limit, judging by the duration of
        the level before.
    progress : callable, optional
        Called after each level with the number of states generated and the best value.

    Returns
    -------
    Result
        The best state; among equal states, the first.

    Raises
    ------
    BadInput
        For a width or a batch below 1, and for a time limit below 0.
    """
    width = check_integer("width", width, 1, MOST_STATES)
    batch = check_integer("batch", batch, 1, MOST_STATES)
    check_number("time_limit", time_limit, 0, float("inf"))
    begin = clock.now()
    frontier = Beam(space)
    xp, best = space.backend.xp, -1
    found: tuple[int, int, list[int]] = 0, 0, []  # the best state: a level, a number in it, and the moves from there
    took, complete = 0.0, True

    def look() -> None:
        nonlocal best, found
        values = space.value(frontier.states)
        most, first = xp.stack([values.max().astype(xp.int64), values.argmax()]).tolist()  # the host waits once
        if most > best:
            best, found = most, (len(frontier.origins), first, [])

    look()
    while levels is None or len(frontier.origins) < levels:
        level, started = len(frontier.origins), clock.now()
        if level and started + took > begin + time_limit:
            complete = False
            break
        ahead = look_ahead(frontier.states, level)
        if ahead is not None and ahead[0] > best:
            best, found = ahead[0], (level, *ahead[1:])
        if not frontier.advance(width=width, batch=batch):
            break
        look()
        progress(frontier.generated, best)
        took = clock.now() - started if level else 0.0  # a GPU may still start up in the first level
    path = [*frontier.path(*found[:2]), *found[2]]
    seconds = clock.now() - begin
    exhaustive = complete and not frontier.dropped
    return Result(best, path, frontier.expanded, frontier.generated, seconds, complete, exhaustive)
