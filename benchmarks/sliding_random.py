"""Solve 500 random 24-puzzles and prove each solution, the easiest first, for as long as there is time.

    nice -n 19 python benchmarks/sliding_random.py

The boards are those of `gpusolve sliding scramble --rows 5 --columns 5 --count 500 --seed 24`: all solvable boards have
the same probability. In a bound that has a solution, the search usually finds it early. So a bound is searched in
slices, to 5, 10, 25 and 100 % of the nodes that it is expected to take. The program always
takes the unsolved board whose next slice ends after the fewest nodes. The run can be stopped at any time, and the
same line continues it: the state of each board is kept in a folder, and results/sliding-random.json has a line for each
board, solved or not.

Each board is searched with two partitions that are chosen for it, as in `sliding_partitions.py`, but among those whose
databases stay in memory during the whole run (`PATTERNS`). They take 14 GB, and two minutes to build at the start.

With --plot FILE.png, the program only draws the results, and prints their mean.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.backend import Backend, open_backend
from gpusolve.games.sliding import Databases, Solution, Status, open_databases, scramble, solve
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.lookups import load_databases
from gpusolve.games.sliding.databases.tilesets import Partition, parse_partition, view_of
from gpusolve.games.sliding.rules import solves
from gpusolve.runs import store
from sliding_partitions import (
    CELLS,
    COLUMNS,
    ROWS,
    TILES,
    Tiles,
    connected_partitions,
    count_kept,
    draw,
    follow_view,
    least_pair,
)

RESULTS = Path(__file__).parent / "results" / "sliding-random.json"
SEED, COUNT = 24, 500
PATTERNS = (
    "0.1.2.3.4.5",
    "0.1.2.3.4.6",
    "0.1.2.3.6.7",
    "0.1.2.3.8.9",
    "0.1.2.5.6.7",
    "0.1.2.5.6.11",
    "0.1.2.6.7.12",
    "0.1.2.7.12.17",
    "0.1.5.6.7.12",
    "1.2.3.5.6.7",
    "1.2.3.6.7.8",
    "1.2.5.6.7.10",
    "1.2.6.7.11.12",
    "1.6.11.12.16.17",
)
"""The databases that stay in memory, by the goal cells of their tiles. They serve 26 partitions; `sliding_library.py`
chose them."""
SIZE = CELLS**TILES  # words of a database
ENOUGH, SAMPLES = 3_000_000, 3_000  # nodes of the bound from which a board's sample comes, and of the sample
LEAST = 2_000_000  # nodes of a bound that are searched without comparing the board with others
SLICES = (0.05, 0.1, 0.25, 1.0)
"""A slice of a bound ends after each of these parts of its expected nodes."""
SAVED = 60.0  # seconds between two writings of the results


@dataclass
class Puzzle:
    """A board of the set, and how far its search has come.

    Attributes
    ----------
    number : int
        The place of the board in the set, from 0.
    board : Board
        The board.
    expected : int
        Expected number of nodes of the bound to be searched next.
    searched : int
        Number of nodes of this bound that have been expanded.
    seconds : float
        Processor time spent on the board.
    moves : str or None
        The moves of the proven solution, once it is there.
    bounds : list of list of int
        For each complete bound: the bound, the nodes expanded and generated.
    partition : str or None
        The partitions that it is searched with, once they are chosen.
    """

    number: int
    board: Board
    expected: int = 0
    searched: int = 0
    seconds: float = 0.0
    moves: str | None = None
    bounds: list[list[int]] | None = None
    partition: str | None = None

    def fields(self) -> dict[str, Any]:
        """Return the board's line of the results."""
        bounds = self.bounds or []
        return {
            "number": self.number,
            "tiles": " ".join(map(str, self.board.tiles)),
            "length": None if self.moves is None else len(self.moves),
            "moves": self.moves,
            "at_least": len(self.moves) if self.moves is not None else bounds[-1][0] + 2 if bounds else None,
            "partition": self.partition,
            "expanded": sum(bound[1] for bound in bounds),
            "bounds": bounds,
            "expected_next": None if self.moves is not None else self.expected,
            "searched_next": None if self.moves is not None else self.searched,
            "processor_seconds": round(self.seconds, 2),
        }

    @property
    def stop(self) -> int:
        """The number of nodes at which the next slice of the bound ends."""
        return slice_end(self.expected, self.searched)


def slice_end(expected: int, searched: int) -> int:
    """Return the number of nodes at which the next slice of a bound ends.

    >>> slice_end(1_000_000, 0), slice_end(1_000_000, 100_000), slice_end(1_000_000, 1_200_000)
    (50000, 250000, 1200000)
    """
    return next((int(part * expected) for part in SLICES if part * expected > searched), max(expected, searched))


class Later(Exception):
    """A slice of another board ends after fewer nodes."""


class Library:
    """Databases in memory, which many partitions share, and the choice of two partitions for a board.

    Attributes
    ----------
    partitions : list of tuple
        All partitions into connected sets of six tiles whose databases are in memory.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        partitions = connected_partitions()
        views = {tiles: view_of(ROWS, COLUMNS, tiles, tuple(range(CELLS))) for sets in partitions for tiles in sets}
        patterns = {view.pattern for view in views.values() if str(view.pattern).removeprefix("5x5-") in PATTERNS}
        self._starts = {pattern: SIZE * number for number, pattern in enumerate(patterns)}
        self._steps = np.empty(SIZE * len(patterns), np.uint32)
        for pattern, start in self._starts.items():
            self._steps[start : start + SIZE] = build_database(pattern, backend).steps
            print(f"database {start // SIZE + 1} of {len(patterns)}", flush=True)
        self._views = {tiles: view for tiles, view in views.items() if view.pattern in patterns}
        self.partitions = [sets for sets in partitions if all(tiles in self._views for tiles in sets)]
        self._small = open_databases(ROWS, COLUMNS, partition="small", backend=backend)

    def choose(self, board: Board) -> Partition:
        """Return the two partitions that keep the fewest nodes of a sample."""
        sample = draw(board, self._small, enough=ENOUGH, count=SAMPLES)
        heights: dict[Tiles, npt.NDArray[np.uint8]] = {}
        for tiles, view in self._views.items():
            start = self._starts[view.pattern]
            heights[tiles] = follow_view(view, self._steps[start : start + SIZE], sample, self._backend)
        return least_pair(count_kept(sample, self.partitions, heights), self.partitions)

    def databases(self, partition: Partition) -> Databases:
        """Return the databases of a partition, which are in memory."""
        return load_databases(self._backend, partition, self._steps, self._starts)


def main() -> int:
    """Search until all boards are solved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    parser.add_argument("--folder", type=Path, help="folder of the states of the searches")
    parser.add_argument("--device", default="cpu:1", help="device, such as cpu:2")
    parser.add_argument("--plot", type=Path, help="picture of the results so far, in place of searching")
    arguments = parser.parse_args()
    if arguments.plot is not None:
        return _plot(json.loads(arguments.results.read_text()), arguments.plot)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends it as Ctrl-C does
    folder = arguments.folder or store.folder() / "sliding-random"
    folder.mkdir(parents=True, exist_ok=True)
    puzzles = [
        Puzzle(number, board)
        for number, board in enumerate(scramble(rows=ROWS, columns=COLUMNS, count=COUNT, seed=SEED))
    ]
    if arguments.results.exists():
        _restore(puzzles, json.loads(arguments.results.read_text()))
    library = Library(open_backend(arguments.device))
    written = time.monotonic()
    try:
        for puzzle, rival in _easiest(puzzles):
            _search(puzzle, library, folder / f"{puzzle.number}.checkpoint", max(LEAST, rival, puzzle.stop))
            if puzzle.moves is not None or time.monotonic() > written + SAVED:
                _write(arguments.results, puzzles)
                written = time.monotonic()
    finally:
        _write(arguments.results, puzzles)
    return 0


def _easiest(puzzles: list[Puzzle]) -> Iterator[tuple[Puzzle, int]]:
    """Yield the board whose next slice ends after the fewest nodes, and the fewest nodes among the other boards."""
    while left := sorted((each for each in puzzles if each.moves is None), key=lambda each: (each.stop, each.number)):
        yield left[0], left[1].stop if len(left) > 1 else sys.maxsize


def _search(puzzle: Puzzle, library: Library, file: Path, most: int) -> None:
    """Search slice by slice until the board is solved or the next slice ends after more than `most` nodes."""
    latest: Status | None = None
    known = len(puzzle.bounds or [])  # without its checkpoint, the search first catches up with the results

    def later(status: Status) -> None:
        nonlocal latest
        latest = status
        if len(status.bounds) >= known and slice_end(status.expected, status.expanded) > most:
            raise Later

    begin = time.process_time()
    if puzzle.partition is None:
        puzzle.partition = str(library.choose(puzzle.board))
    databases = library.databases(parse_partition(ROWS, COLUMNS, puzzle.partition))
    try:
        solution: Solution = solve(
            puzzle.board,
            databases=databases,
            checkpoint=file,
            resume=file if files.exists(file) else None,
            progress=later,
        )
        puzzle.moves, puzzle.expected, puzzle.searched = solution.moves, 0, 0
        puzzle.bounds = [[bound.bound, bound.expanded, bound.generated] for bound in solution.bounds]
        file.unlink()
        print(f"number {puzzle.number}: {len(puzzle.moves or '')} moves, {solution.expanded:,} nodes", flush=True)
    except Later:
        assert latest is not None
        puzzle.expected, puzzle.searched = latest.expected, latest.expanded
        puzzle.bounds = [[bound.bound, bound.expanded, bound.generated] for bound in latest.bounds]
    finally:
        puzzle.seconds += time.process_time() - begin


def _restore(puzzles: list[Puzzle], results: list[dict[str, Any]]) -> None:
    """Continue from the results of an earlier run."""
    for puzzle, result in zip(puzzles, results, strict=True):
        if result["tiles"] != " ".join(map(str, puzzle.board.tiles)):
            sys.exit(f"number {puzzle.number}: the results are those of another set of boards")
        puzzle.seconds, puzzle.bounds = result["processor_seconds"], result["bounds"]
        puzzle.moves, puzzle.expected = result["moves"], result["expected_next"] or 0
        puzzle.searched = result["searched_next"] or 0
        puzzle.partition = result["partition"]
        if puzzle.moves is not None and not solves(puzzle.board, puzzle.moves):
            sys.exit(f"number {puzzle.number}: the moves do not solve the board")


def _plot(results: list[dict[str, Any]], path: Path) -> int:
    """Draw the lengths, nodes and seconds of the boards that are solved, and the least lengths of the others."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter

    solved = [result for result in results if result["moves"] is not None]
    open_ones = [result for result in results if result["moves"] is None]
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    lengths, nodes, seconds = figure.subplots(1, 3)
    bins = np.arange(40, 140, 4)
    lengths.hist(
        [[result["length"] for result in solved], [result["at_least"] or 0 for result in open_ones]],
        bins=bins,
        stacked=True,
        label=["solved: moves", "not solved: moves that it takes at least"],
        color=["tab:blue", "lightgrey"],
    )
    lengths.set(xlabel="moves", ylabel=f"boards of {len(results)}")
    lengths.margins(y=0.3)  # room for the legend
    lengths.legend(frameon=False, fontsize="small", loc="upper left")
    for axes, name, label in (
        (nodes, "expanded", "nodes expanded"),
        (seconds, "processor_seconds", "seconds of processor time, one thread"),
    ):
        values = np.sort([max(result[name], 0.01) for result in solved])
        axes.step(values, np.arange(1, len(values) + 1), where="post")
        axes.set(xscale="log", xlabel=label, ylabel="boards solved within")
        axes.xaxis.set_minor_formatter(NullFormatter())
    figure.savefig(path, dpi=110)
    if solved:
        found = np.array([result["length"] for result in solved])
        print(f"{len(solved)} solved, {found.min()} to {found.max()} moves")
    least = np.array([result["at_least"] or 0 for result in results])
    half = 1.96 * least.std(ddof=1) / len(least) ** 0.5
    print(f"lower bound of the mean: {least.mean():.2f} +- {half:.2f} (95 %)")
    return 0


def _write(path: Path, puzzles: list[Puzzle]) -> None:
    """Write the results, one board on each line."""
    lines = (json.dumps(puzzle.fields()) for puzzle in puzzles)
    files.write(path, [memoryview(("[\n" + ",\n".join(lines) + "\n]\n").encode())], "results")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped; everything is saved")
