"""Choose for each of the 24-puzzles the two partitions with which a search takes the fewest nodes.

    nice -n 19 python benchmarks/sliding_partitions.py BOARDS

BOARDS is the file of `sliding_korf.py`, whose results say which puzzles are solved already. The choice for the others
is written to results/sliding-partitions.json, which that benchmark reads.

How good a partition is depends on the board, by factors of ten and more. So nodes are drawn evenly from a search of the
board with small databases. Along the path to each of them, the height of every connected set of six tiles follows from
that of the board, one bit of a database for each move. A pair of partitions keeps a node if neither of its heights goes
beyond the bound, and the pair that keeps the fewest is chosen. The sets need 139 databases, which are built one after
the other and take 35 minutes of processor time for all puzzles together.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numba
import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.backend import Backend, open_backend
from gpusolve.games.sliding import open_databases
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.outcomes import PAUSED
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.lookups import NO_ITEM, Databases, load_databases
from gpusolve.games.sliding.databases.tilesets import Partition, Pattern, View, view_of
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.games.sliding.search import kernels
from gpusolve.games.sliding.search.paths import find_prefixes, join
from gpusolve.games.sliding.search.tree import Limit
from sliding_korf import RESULTS, Puzzle, read_puzzles

CHOSEN = RESULTS.with_name("sliding-partitions.json")
ROWS = COLUMNS = 5
CELLS = ROWS * COLUMNS
TILES = 6  # in each set
DEPTH = 14  # of the automaton
LEVEL = 12  # moves of the prefixes into which a tree is cut
ENOUGH = 100_000_000  # nodes of the bound from which the samples come
SAMPLES = 20_000

Tiles: TypeAlias = tuple[int, ...]
Numbers: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Sample:
    """Nodes of the search of a board within a bound.

    Attributes
    ----------
    board : Board
        The board.
    bound : int
        The bound.
    moves : ndarray of uint8, shape (nodes, moves)
        The path to each node.
    length : ndarray of int32, shape (nodes,)
        Number of moves of each path.
    """

    board: Board
    bound: int
    moves: npt.NDArray[np.uint8]
    length: npt.NDArray[np.int32]


def main() -> int:
    """Choose partitions for the puzzles that have no result yet, and write them. Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", type=Path, help="file of the puzzles")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results of sliding_korf.py")
    parser.add_argument("--chosen", type=Path, default=CHOSEN, help="file of the partitions that are chosen")
    arguments = parser.parse_args()
    backend = open_backend("cpu:1")
    solved = {result["number"] for result in json.loads(arguments.results.read_text())}
    puzzles = [puzzle for puzzle in read_puzzles(arguments.boards) if puzzle.number not in solved]
    small = open_databases(ROWS, COLUMNS, partition="small", backend=backend)
    samples = []
    for puzzle in puzzles:
        samples.append(draw(puzzle.board, small))
        print(f"number {puzzle.number}: {len(samples[-1].length):,} nodes within {samples[-1].bound}", flush=True)
    partitions = connected_partitions()
    heights = follow_all({tiles for sets in partitions for tiles in sets}, samples, backend)
    found = [_choose(*each) for each in zip(puzzles, samples, [partitions] * len(puzzles), heights, strict=True)]
    lines = ",\n".join(json.dumps(choice) for choice in found)
    files.write(arguments.chosen, f"[\n{lines}\n]\n", "partitions")
    return 0


def connected_partitions() -> list[tuple[Tiles, ...]]:
    """Return all ways to divide the 24 tiles into four sets of six whose goal cells are connected."""
    beside = neighbours(ROWS, COLUMNS).tolist()

    def sets_with(first: int, free: frozenset[int]) -> set[frozenset[int]]:
        level = {frozenset([first])}
        for _ in range(TILES - 1):
            level = {one | {to} for one in level for cell in one for to in beside[cell] if to in free - one}
        return level

    def divide(free: frozenset[int]) -> list[tuple[Tiles, ...]]:
        if not free:
            return [()]
        first = min(free)
        return [(tuple(sorted(one)), *rest) for one in sets_with(first, free) for rest in divide(free - one)]

    return sorted(divide(frozenset(range(1, CELLS))))


def draw(board: Board, databases: Databases, *, enough: int = ENOUGH, count: int = SAMPLES) -> Sample:
    """Draw about `count` nodes evenly from the first bound of a board that has `enough`, in the order of the search."""
    root = kernels.open_root(databases, board.tiles, databases.automaton(DEPTH))
    prefixes, bound, total = find_prefixes(root.walk, LEVEL), max(root.heights), 0
    while total < enough:
        searched = kernels.search(root, prefixes, limit=Limit(bound), budget=10**12)
        total, bound = int(searched.expanded.sum()), bound + 2
    bound -= 2
    paths, found = prefixes, [prefixes[:0]]
    while len(paths):  # each search pauses after a number of nodes, at the next node that is drawn
        searched = kernels.search(root, paths, limit=Limit(bound), budget=total // count)
        paths = searched.paths[searched.status == PAUSED]
        found.append(paths)
    nodes = join(*found)
    return Sample(board, bound, nodes.moves[:, : nodes.length.max()].copy(), nodes.length)


def follow_all(sets: set[Tiles], samples: list[Sample], backend: Backend) -> list[dict[Tiles, npt.NDArray[np.uint8]]]:
    """Return for each sample the height of each set of tiles in all of its nodes."""
    heights: list[dict[Tiles, npt.NDArray[np.uint8]]] = [{} for _ in samples]
    by_pattern: dict[Pattern, list[View]] = {}
    for tiles in sorted(sets):
        view = view_of(ROWS, COLUMNS, tiles, tuple(range(CELLS)))
        by_pattern.setdefault(view.pattern, []).append(view)
    for number, (pattern, views) in enumerate(by_pattern.items(), 1):
        steps = build_database(pattern, backend).steps
        for view in views:
            for sample, found in zip(samples, heights, strict=True):
                found[tuple(sorted(view.tiles))] = follow_view(view, steps, sample, backend)
        print(f"database {number} of {len(by_pattern)}", flush=True)
    return heights


def follow_view(view: View, steps: npt.NDArray[np.uint32], sample: Sample, backend: Backend) -> npt.NDArray[np.uint8]:
    """Return the height of a set of tiles in each node of a sample, given the steps of its database."""
    databases = load_databases(backend, _OneSet(view), steps)  # type: ignore[arg-type]
    start = np.array(sample.board.tiles, np.uint8)
    measured = measure(databases, start[None])
    out = np.empty(len(sample.length), np.uint8)
    place, items = databases.place[0].astype(np.int64), databases.item_of[0]
    follow(
        sample.moves, sample.length, start, place, items, databases.beside.astype(np.int64), steps,
        int(measured.heights[0, 0]), int(measured.at[0, 0]), out,
    )  # fmt: skip
    return out


@dataclass(frozen=True)
class _OneSet:
    """Stands for a partition of which only one set is looked up."""

    view: View
    rows: int = ROWS
    columns: int = COLUMNS
    is_dense: bool = False

    @property
    def both_views(self) -> tuple[tuple[View, ...], ...]:
        return (self.view,), (self.view,)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        return (self.view.pattern,)

    @property
    def sizes(self) -> tuple[int, ...]:
        return (CELLS ** len(self.view.tiles),)


@numba.njit()
def follow(
    moves: Numbers,
    length: Numbers,
    start: Numbers,
    place: Numbers,
    items: Numbers,
    beside: Numbers,
    steps: Numbers,
    height: int,
    index: int,
    out: Numbers,
) -> None:
    """Follow the height of a set of tiles from the start to the end of each path."""
    board, powers = np.empty(len(start), np.uint8), np.ones(8, np.int64)
    for item in range(1, 8):
        powers[item] = powers[item - 1] * len(start)
    for node in range(len(length)):
        board[:] = start
        blank, now, at = 0, height, index
        while board[blank] != 0:
            blank += 1
        for move in moves[node, : length[node]]:
            to = beside[blank, move]
            item = items[board[to]]
            if item != NO_ITEM:
                before, after, direction = place[to], place[blank], 0
                while beside[before, direction] != after:
                    direction += 1
                now += 1 if steps[at] >> np.uint32(4 * item + direction) & np.uint32(1) else -1
                at += (after - before) * powers[item]
            board[blank], board[to] = board[to], 0
            blank = to
        out[node] = now


def count_kept(
    sample: Sample, partitions: list[tuple[Tiles, ...]], heights: dict[Tiles, npt.NDArray[np.uint8]]
) -> npt.NDArray[np.float32]:
    """Return how many nodes of a sample each pair of partitions keeps: float32 (partitions, partitions)."""
    room = sample.bound - sample.length.astype(np.int64)
    is_kept = [sum(heights[tiles].astype(np.int64) for tiles in sets) <= room for sets in partitions]
    kept = np.stack(is_kept).astype(np.float32)  # whose sums of ones are exact up to 2^24
    counts: npt.NDArray[np.float32] = kept @ kept.T
    return counts


def least_pair(counts: npt.NDArray[np.float32], partitions: list[tuple[Tiles, ...]]) -> Partition:
    """Return the two partitions that keep the fewest nodes."""
    one, other = np.unravel_index(counts.argmin(), counts.shape)
    return Partition(ROWS, COLUMNS, partitions[one], partitions[other])


def _choose(
    puzzle: Puzzle, sample: Sample, partitions: list[tuple[Tiles, ...]], heights: dict[Tiles, npt.NDArray[np.uint8]]
) -> dict[str, Any]:
    counts = count_kept(sample, partitions, heights)
    reflected = [_reflected(sets) for sets in partitions]
    own = counts[np.arange(len(partitions)), [partitions.index(sets) for sets in reflected]]
    return {
        "number": puzzle.number,
        "partition": str(least_pair(counts, partitions)),
        "bound": sample.bound,
        "sampled": len(sample.length),
        "kept": int(counts.min()),
        "kept_by_best_single": int(own.min()),
    }


def _reflected(sets: tuple[Tiles, ...]) -> tuple[Tiles, ...]:
    """Return the partition that a look-up in the reflected position uses."""
    return tuple(sorted(tuple(sorted(tile % COLUMNS * COLUMNS + tile // COLUMNS for tile in tiles)) for tiles in sets))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
