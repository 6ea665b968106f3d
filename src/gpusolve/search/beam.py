"""Beam search, level by level, over batches of states that may live on a device."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from gpusolve.backend import Array
from gpusolve.checks import check_integer, check_number
from gpusolve.search.duplicates import distinct
from gpusolve.search.space import Progress, Result, Space

KEYS = 1 << 16
"""A key is less than this: the best of a level are found by counting keys."""

MOST_STATES = 2**31 - 1
"""States of a level, whose numbers are int32."""

LookAhead: TypeAlias = Callable[[Array, int], tuple[int, int, list[int]] | None]
"""(states of a level, its number) -> a value that is found further on, the number of the state it is found from and the
moves from there; None where it did not look."""


@dataclass(frozen=True)
class Origin:
    """How a level came about: for each state its parent in the level before (int32) and its move (uint16)."""

    parents: Array
    moves: Array


class Beam:
    """The frontier of a beam search and the way back to its root: for each state of each level its parent and move."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.states = space.root
        """The level reached."""
        self.expanded = 0
        """States whose moves were looked at so far."""
        self.generated = 0
        """Allowed moves among these, each a state that was scored."""
        self.dropped = False
        """Whether some state was left out because a level was full; if not, every state there is was seen."""
        self.origins: list[Origin] = []
        """Of every level but the root's."""

    def advance(self, width: int, batch: int) -> bool:
        """Goes one level on: the best `width` of all that the moves lead to, without the duplicates among these.

        `batch` states are expanded at once. Among equal keys the lowest parent, then the lowest move wins, so the
        level does not depend on `batch`. False, and the frontier stays, where no state has a move.
        """
        xp = self.space.backend.xp
        children, moves = self._best_children(width, batch)
        if len(children) == 0:
            return False
        origin = Origin((children // moves).astype(xp.int32), (children % moves).astype(xp.uint16))
        del children
        states = self.space.make(self.states, origin.parents, origin.moves)
        keep = distinct(xp, self.space.identity(states))
        if keep is not None:
            states = xp.ascontiguousarray(states[:, keep])
            origin = Origin(origin.parents[keep], origin.moves[keep])
        self.states = states
        self.origins.append(origin)
        return True

    def _best_children(self, width: int, batch: int) -> tuple[Array, int]:
        """The numbers (parent * moves + move), ascending, of the best `width` children, and the moves of a state."""
        xp = self.space.backend.xp
        floor, pool_keys, pool_children, pooled = 1, [], [], 0
        count = self.states.shape[1]
        for first in range(0, count, batch):
            keys = self.space.expand(self.states, first, min(first + batch, count))
            moves = keys.shape[1]
            keys = keys.reshape(-1)
            children = xp.flatnonzero(keys >= floor)
            self.generated += int(xp.count_nonzero(keys)) if floor > 1 else len(children)
            pool_keys.append(keys[children])
            pool_children.append(children + first * moves)
            pooled += len(children)
            if pooled > 2 * width:
                self.dropped = True
                found, children = _top(xp, xp.concatenate(pool_keys), xp.concatenate(pool_children), width)
                # Whoever comes later with the least key kept has the higher number, and loses the tie.
                floor = int(found.min()) + 1
                pool_keys, pool_children, pooled = [found], [children], len(found)
        self.expanded += count
        self.dropped |= pooled > width
        return _top(xp, xp.concatenate(pool_keys), xp.concatenate(pool_children), width)[1], moves

    def path(self, level: int, number: int) -> list[int]:
        """The moves from the root to state `number` of `level`; the root is level 0."""
        moves: list[int] = []
        for origin in reversed(self.origins[:level]):
            moves.append(int(origin.moves[number]))
            number = int(origin.parents[number])
        return moves[::-1]


def beam(
    space: Space,
    width: int,
    batch: int,
    time_limit: float = float("inf"),
    progress: Progress = lambda generated, best: None,
    levels: int | None = None,
    look_ahead: LookAhead = lambda states, level: None,
) -> Result:
    """The best state of all levels of a beam: after each move the best `width` states go on.

    `batch` states are expanded at once; the result does not depend on it. After `time_limit` seconds, as far as the
    last level's time foretells, no level but the first begins. `levels`: no sequence of moves is longer, which saves
    looking; None if that is not known. `look_ahead` is asked before a level is expanded. Of the best states the first
    one is given. Raises BadInput for a width or a batch below 1 and a time limit below 0.
    """
    check_integer("width", width, 1, MOST_STATES)
    check_integer("batch", batch, 1, MOST_STATES)
    check_number("time_limit", time_limit, 0, float("inf"))
    begin = time.monotonic()
    frontier = Beam(space)
    best, path = -1, []
    took, complete = 0.0, True

    def look() -> None:
        nonlocal best, path
        values = space.value(frontier.states)
        first = int(values.argmax())
        if int(values[first]) > best:
            best, path = int(values[first]), frontier.path(len(frontier.origins), first)

    look()
    while levels is None or len(frontier.origins) < levels:
        level, started = len(frontier.origins), time.monotonic()
        if level and started + took > begin + time_limit:
            complete = False
            break
        ahead = look_ahead(frontier.states, level)
        if ahead is not None and ahead[0] > best:
            best, path = ahead[0], [*frontier.path(level, ahead[1]), *ahead[2]]
        if not frontier.advance(width, batch):
            break
        look()
        progress(frontier.generated, best)
        took = time.monotonic() - started if level else 0.0  # kernels may have been compiled in the first
    seconds = time.monotonic() - begin
    exhaustive = complete and not frontier.dropped
    return Result(best, path, frontier.expanded, frontier.generated, seconds, complete, exhaustive)


def _top(xp: Any, keys: Array, numbers: Array, count: int) -> tuple[Array, Array]:
    """The `count` largest keys with their numbers, in the order given; of equal keys the first. By counting."""
    if len(keys) <= count:
        return keys, numbers
    at_least = xp.cumsum(xp.bincount(keys, minlength=KEYS)[::-1])
    least = KEYS - 1 - int(xp.argmax(at_least >= count))
    above = int(at_least[KEYS - 2 - least]) if least < KEYS - 1 else 0
    chosen = keys > least
    chosen[xp.flatnonzero(keys == least)[: count - above]] = True
    kept = xp.flatnonzero(chosen)  # eight times as fast as a mask as an index
    return keys[kept], numbers[kept]
