"""Pattern databases of permutation puzzles: the least cost from each placement of some pieces to their goal places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import perm

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.search.permutations.kernels import MOST_KEPT, MOST_PLACES, UNKNOWN, spread

MOST_MOVES = 256
MOST_COST = UNKNOWN - 1
MOST_ENTRIES = 2**34


@dataclass(frozen=True, eq=False)
class Database:
    """A pattern database on a device.

    Attributes
    ----------
    kept : tuple of int
        The goal places of the pieces that are kept.
    table : Array of uint8, shape (entries,)
        The least cost of each placement; 255 if the goal cannot be reached from it. ``kernels/permutations.cu`` says
        how placements are numbered.
    counts : ndarray of int64, shape (costs,)
        Number of placements of each cost.
    moves, costs
        The moves that it was built with.
    """

    kept: tuple[int, ...]
    table: Array
    counts: npt.NDArray[np.int64]
    moves: npt.NDArray[np.uint8]
    costs: tuple[int, ...]

    def __repr__(self) -> str:
        return (
            f"<Database of {len(self.kept)} pieces: {len(self.table):,} placements, cost up to {len(self.counts) - 1}>"
        )


def check_moves(moves: npt.ArrayLike, costs: Sequence[int] | None) -> tuple[npt.NDArray[np.uint8], tuple[int, ...]]:
    """Return moves as uint8 (moves, places) and their costs. Raises BadInput unless they are permutations."""
    table = np.array(moves)
    if table.ndim != 2 or not 1 <= len(table) <= MOST_MOVES or not 1 <= table.shape[1] <= MOST_PLACES:
        raise BadInput(f"moves of shape {table.shape}: expected 1 to {MOST_MOVES} moves of 1 to {MOST_PLACES} places")
    for number, row in enumerate(table.tolist()):
        if sorted(row) != list(range(len(row))):
            raise BadInput(f"move {number}: {row}: expected each of the places 0 to {len(row) - 1} once")
    prices = [1] * len(table) if costs is None else list(costs)
    if len(prices) != len(table):
        raise BadInput(f"{len(prices)} costs: expected one for each of {len(table)} moves")
    return table.astype(np.uint8), tuple(check_integer("cost", cost, 1, MOST_COST) for cost in prices)


def inverted(moves: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the moves that undo these, in the same order."""
    return np.argsort(moves, axis=1).astype(np.uint8)


def build_database(
    moves: npt.ArrayLike,
    kept: Sequence[int],
    *,
    costs: Sequence[int] | None = None,
    backend: Backend | str | None = None,
    progress: Callable[[int], object] = lambda entries: None,
) -> Database:
    """Build a pattern database, breadth first from the goal.

    A puzzle with any start and goal can use it, because only the goal places of the pieces count.

    Parameters
    ----------
    moves : array_like of int, shape (moves, places)
        ``moves[m][p]`` is the place that move `m` takes the piece in place `p` to; at most 32 places.
    kept : sequence of int
        The goal places of the pieces that are kept, at most 16. All other pieces are alike.
    costs : sequence of int, optional
        The cost of each move; by default 1.
    backend : Backend or str, optional
        The device. The table stays there, with a byte for each placement.
    progress : callable, optional
        Called with the number of placements that have a cost so far.

    Returns
    -------
    Database

    Raises
    ------
    BadInput
        For moves that are not permutations, for places that do not exist or are not different, for a table of more
        than 2^34 entries, and if a cost exceeds 254.

    Examples
    --------
    Three pieces in a row and two exchanges of neighbours; only the piece of place 0 is kept:

    >>> build_database([[1, 0, 2], [0, 2, 1]], [0]).counts.tolist()
    [1, 1, 1]
    """
    table_of_moves, prices = check_moves(moves, costs)
    places = table_of_moves.shape[1]
    chosen = tuple(check_integer("kept", place, 0, places - 1) for place in kept)
    if not 1 <= len(chosen) <= MOST_KEPT or len(set(chosen)) < len(chosen):
        raise BadInput(f"kept {chosen}: expected 1 to {MOST_KEPT} different places")
    entries = perm(places, len(chosen))
    if entries > MOST_ENTRIES:
        raise BadInput(f"kept {chosen}: {entries:,} entries, expected at most {MOST_ENTRIES:,}")
    device = open_backend(backend)
    with clock.building:
        table = device.xp.full(entries, UNKNOWN, np.uint8)
        table[number_of(chosen, places)] = 0
        back = inverted(table_of_moves)
        steps = {
            cost: device.asarray(np.unique(back[[price == cost for price in prices]], axis=0))
            for cost in sorted(set(prices))
        }
        counts: dict[int, int] = {}
        level, last = 0, 0
        while level - min(steps) - last <= max(steps):
            level += 1
            for cost, some in steps.items():
                if cost > level:
                    continue
                if level > MOST_COST:
                    raise BadInput(f"kept {chosen}: costs above {MOST_COST}: expected fewer pieces, or cheaper moves")
                found = spread(device, table, some, len(chosen), (level - cost, level))
                if cost == min(steps):
                    counts[level - cost] = found
                    last = level - cost if found else last
                    progress(sum(counts.values()))
    known = np.array([counts.get(cost, 0) for cost in range(last + 1)], np.int64)
    return Database(chosen, table, known, table_of_moves, prices)


def number_of(placement: Sequence[int], places: int) -> int:
    """Return the number of a placement: see ``kernels/permutations.cu``.

    >>> [number_of(placement, 3) for placement in ((0, 1), (0, 2), (1, 0), (2, 1))]
    [0, 1, 2, 5]
    """
    number = 0
    for piece, place in enumerate(placement):
        number = number * (places - piece) + place - sum(before < place for before in placement[:piece])
    return number
