"""The small databases of a beam, compared with a plain search over placements and cells of the blank."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from gpusolve.games.sliding.beams.tables import build
from gpusolve.games.sliding.cpu.placements import UNKNOWN
from gpusolve.games.sliding.databases.tilesets import Pattern
from gpusolve.games.sliding.rules import MOVES, neighbour


def plain_heights(pattern: Pattern) -> dict[tuple[int, ...], int]:
    """Return the fewest moves of a pattern's tiles from the goal to each placement, for any cell of the blank."""
    rows, columns = pattern.rows, pattern.columns
    start = pattern.cells, pattern.blank
    known, waiting = {start: 0}, deque([start])
    while waiting:  # moves of other tiles cost nothing and go first
        placement, blank = waiting.popleft()
        for move in MOVES:
            to = neighbour(rows, columns, blank, move)
            if to is None:
                continue
            cost = known[placement, blank] + (to in placement)
            after = tuple(blank if cell == to else cell for cell in placement), to
            if cost < known.get(after, UNKNOWN):
                known[after] = cost
                waiting.append(after) if to in placement else waiting.appendleft(after)
    heights: dict[tuple[int, ...], int] = {}
    for (placement, _), cost in known.items():
        heights[placement] = min(cost, heights.get(placement, UNKNOWN))
    return heights


@pytest.mark.parametrize(
    "pattern", [Pattern(3, 3, (1, 3, 4), 0), Pattern(2, 4, (2, 3, 6, 7), 0), Pattern(3, 4, (1, 4, 5), 0)], ids=str
)
def test_every_height_is_that_of_a_plain_search(pattern: Pattern) -> None:
    expected, cells = plain_heights(pattern), pattern.rows * pattern.columns
    heights = build(pattern)
    for number, height in enumerate(heights.tolist()):
        placement = tuple(number // cells**tile % cells for tile in range(len(pattern.cells)))
        assert height == expected.get(placement, UNKNOWN)
    assert int(np.count_nonzero(heights != UNKNOWN)) == len(expected)
