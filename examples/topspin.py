"""TopSpin(16,4): sixteen numbers on a ring, and a turntable that reverses four neighbours.

    python examples/topspin.py 0 6 2 3 7 1 5 4 8 12 10 11 9 13 14 15

The numbers have fixed places, so a turn of the ring is no move, as in the research on this puzzle. The heuristic is one
pattern database of five numbers. A turn of the ring changes the names of places and numbers, but not the puzzle, so the
same table also serves the five numbers from 4 on, from 8 on, and from 12 on.
"""

from __future__ import annotations

import sys

from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.deepening import ida_star
from gpusolve.search.permutations.database import Database, build_database
from gpusolve.search.permutations.puzzle import PermutationPuzzle


def turns(places: int, width: int) -> list[list[int]]:
    """Return the moves: for each first place of the turntable, the place that the number in each place goes to."""
    moves = []
    for first in range(places):
        move = list(range(places))
        for i in range(width):
            move[(first + i) % places] = (first + width - 1 - i) % places
        moves.append(move)
    return moves


def top_spin(ring: list[int], width: int, database: Database) -> PermutationPuzzle:
    """Return the puzzle of a ring that has to be sorted, with a database and turns of the ring by `width`."""
    places = len(ring)
    shifts = [[(place + shift) % places for place in range(places)] for shift in range(width, places, width)]
    start = [ring.index(number) for number in range(places)]
    return PermutationPuzzle(turns(places, width), start, databases=[database], symmetries=shifts)


if __name__ == "__main__":
    given = [int(number) for number in sys.argv[1:]] or [0, 6, 2, 3, 7, 1, 5, 4, 8, 12, 10, 11, 9, 13, 14, 15]
    table = build_database(turns(16, 4), range(5))
    print(table)
    for search in (ida_star, bidirectional):
        solution = search(top_spin(given, 4, table))
        print(f"{search.__name__}: {solution.cost} moves, {solution.moves}, {solution.expanded:,} nodes")
