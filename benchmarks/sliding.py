"""Sliding tiles: building and opening databases, nodes per second beside the machine's limit, and complete puzzles.

The limit is the rate at which this machine reads single words at random from the same databases, with many reads in
flight at once: a search needs two for each node.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import prod
from statistics import median
from typing import Any
from unittest import mock

import numpy as np

from gpusolve.backend import Backend
from gpusolve.backend.compiled import compiled
from gpusolve.backend.cpu import CpuBackend
from gpusolve.backend.intrinsics.prefetch import prefetch
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding._solve import solve
from gpusolve.games.sliding.automata._automaton import Automaton, automaton
from gpusolve.games.sliding.automata.graphs import Choice
from gpusolve.games.sliding.databases import catalogue
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.depths._census import census
from gpusolve.games.sliding.search.kernels import Root, open_root, search
from gpusolve.games.sliding.search.paths import Paths, find_prefixes
from gpusolve.games.sliding.search.solution import METRICS
from gpusolve.games.sliding.search.tree import Limit, Searched
from gpusolve.games.sliding.slides.tables import build, sets_of
from harness import Row, Work, ratio, side_by_side

SEED = 1
SLID = 60  # random moves before a board is solved by slides
ENTRIES = 181_008_000  # of a database of six tiles
HEIGHT_RISE = 12  # how far the bound is above the height of the start
RISE = 16  # the same for a GPU, and for paths of a bound that none of them exhausts
HIGH = 40
GROWTH = 5.5  # times as many nodes at the next bound
PATHS, NODES_PER_PATH = 1 << 17, 20_000
MOST_LEVEL = 14
DEPTH = 14  # length of the strings that the automata forbid
LEVEL = 9  # number of moves of the prefixes
PUZZLES = 100
BOARDS = 100_000
AHEAD = 32
READS = 50_000_000


def rows(backend: Backend) -> list[Row]:
    """Return all measurements on this backend, with the random reads if it is a CPU."""
    partition = catalogue.partition_of(5, 5)
    table = []
    for pattern in partition.patterns:
        seconds = backend.timed(partial(build_database, pattern, backend))
        table.append(Row(f"{pattern} built", seconds, f"{ENTRIES / seconds / 1e6:,.0f} M entries/s"))
    catalogue.databases_of(partition, backend)
    opening = [backend.timed(lambda: catalogue.databases_of(partition, backend)) for _ in range(5)]
    table.append(Row("both databases opened and checked", median(opening), ""))
    return [*table, *_automata(backend), *_search(backend), *_puzzles(backend), *_censuses(backend)]


def _censuses(backend: Backend) -> list[Row]:
    """Count all positions of the 11-puzzle."""
    table = []
    for metric in METRICS:
        found = census(rows=3, columns=4, metric=metric, backend=backend)
        rate = f"{found.positions / found.seconds / 1e6:,.0f} M positions/s"
        table.append(Row(f"census of 3x4, {metric}", found.seconds, rate))
    return table


def _automata(backend: Backend) -> list[Row]:
    """Compute the forbidden strings of the 24-puzzle from the start each time, on one core."""
    choices: tuple[Choice, ...] = ("first", "smallest", "square")
    automata: dict[str, Automaton] = {}

    def find(choice: Choice) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, GPUSOLVE_TABLES=folder):
            automata[choice] = automaton(depth=DEPTH, choice=choice)

    seconds = side_by_side({choice: partial(find, choice) for choice in choices}, backend, rounds=3)
    return [
        Row(
            f"automaton of the 24-puzzle, depth {DEPTH}, {choice}",
            median(seconds[choice]),
            f"{automata[choice].count:,} strings, {automata[choice].states:,} states",
            f"branching factor {automata[choice].branching_factor:.5f}",
        )
        for choice in choices
    ]


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return the calls to compare devices with: building, heights of boards, paths, and the bounds of a puzzle.

    The 24-puzzle, or the 8-puzzle if the scale is below 0.01. The databases are built on the device unless they exist.
    """
    side, name = (5, "6-6-6-6") if scale >= 0.01 else (3, None)
    partition = catalogue.partition_of(side, side, name)
    databases = catalogue.databases_of(partition, backend)
    boards = np.array(
        [board.tiles for board in scramble(rows=side, columns=side, seed=SEED, count=max(1, round(BOARDS * scale)))]
    )
    board = scramble(rows=side, columns=side, seed=SEED)[0]
    root = open_root(databases, board.numbered().tiles, databases.automaton(DEPTH))
    height = max(root.heights)
    paths = _paths(root, max(8, round(PATHS * scale)))
    limit, budget = Limit(height + HIGH), NODES_PER_PATH if scale >= 0.01 else 100
    bound = height + RISE + 2 * round(np.log(scale) / np.log(GROWTH)) if side == 5 else height + 6

    def search_paths() -> tuple[Any, ...]:
        found = search(root, paths, limit=limit, budget=budget)
        return found.status, found.expanded, found.generated, found.nearest, found.paths.length

    def deepen() -> list[tuple[int, int, int]]:
        found = solve(board, databases=databases, bound=bound)
        return [(bound.bound, bound.expanded, bound.generated) for bound in found.bounds]

    size, width = (6, 1000) if scale >= 0.01 else (4, 20)
    large = scramble(rows=size, columns=size, seed=SEED)[0]

    def by_beam() -> tuple[str | None, int, int]:
        found = solve(large, strategy="beam", width=width, backend=backend)
        return found.moves, found.expanded, found.generated

    longer = 4 if scale >= 0.01 else 3

    def count() -> list[int]:
        return census(rows=3, columns=longer, backend=backend).counts

    slid = scramble(rows=longer, columns=longer, seed=SEED, moves=SLID)[0]
    tiles = sets_of(longer, longer)[0]

    def tabulate() -> int:
        return int(build(slid.layout, tiles, backend).sum(dtype=np.int64))

    def by_slides() -> list[tuple[int, int, int]]:
        found = solve(slid, metric="multi-tile", backend=backend)
        return [(bound.bound, bound.expanded, bound.generated) for bound in found.bounds]

    return {
        f"census of 3x{longer}": Work(count, sum, "positions"),
        f"slides of {longer}x{longer}, {len(tiles)} tiles tabulated": Work(
            tabulate, lambda _: prod(longer**2 - i for i in range(len(tiles) + 1)), "positions"
        ),
        f"{longer**2 - 1}-puzzle by slides": Work(
            by_slides, lambda bounds: sum(expanded for _, expanded, _ in bounds), "nodes"
        ),
        f"{size * size - 1}-puzzle, beam of {width:,} boards": Work(by_beam, lambda found: found[1], "boards"),
        f"{partition.patterns[0]} built": Work(
            lambda: build_database(partition.patterns[0], backend).counts, lambda counts: int(counts.sum()), "entries"
        ),
        f"{len(boards):,} boards, whole heights": Work(
            lambda: measure(databases, boards.astype(np.uint8)).heights, len, "boards"
        ),
        f"{len(paths):,} paths of the {side * side - 1}-puzzle, up to {budget:,} nodes each": Work(
            search_paths, lambda found: int(found[1].sum()), "nodes", "10 G nodes/s"
        ),
        f"{side * side - 1}-puzzle, all bounds up to {bound}": Work(
            deepen, lambda bounds: sum(expanded for _, expanded, _ in bounds), "nodes", "10 G nodes/s"
        ),
    }


def _paths(root: Root, count: int) -> Paths:
    """Return about `count` paths from a board, evenly chosen from all paths of some number of moves."""
    level, paths = 1, find_prefixes(root.walk, 1)
    while len(paths) < count and level < MOST_LEVEL:
        level += 1
        paths = find_prefixes(root.walk, level)
    return paths[np.arange(0, len(paths), max(1, len(paths) // count))]


def _bound(backend: Backend, side: int, name: str) -> tuple[Databases, Callable[[], Searched]]:
    """Return databases, and a function that searches one bound of a random board completely, in prefixes."""
    databases = catalogue.open_databases(side, side, partition=name, backend=backend)
    root = open_root(databases, scramble(rows=side, columns=side, seed=SEED)[0].tiles, databases.automaton(DEPTH))
    limit, paths = Limit(max(root.heights) + HEIGHT_RISE), find_prefixes(root.walk, LEVEL)
    return databases, lambda: search(root, paths, limit=limit, budget=1 << 60)


def _search(backend: Backend) -> list[Row]:
    """Search one bound of a random 24-puzzle, and read from the same databases at random."""
    databases, run = _bound(backend, 5, "6-6-6-6")
    counts = run()
    expanded = int(counts.expanded.sum())
    lookups = 2 * expanded
    runs: dict[str, Any] = {"search": run}
    if isinstance(backend, CpuBackend):
        threads = backend.threads
        pool = ThreadPoolExecutor(threads)

        def read() -> None:
            for done in [pool.submit(_reads, databases.steps, READS // threads, seed) for seed in range(threads)]:
                done.result()

        runs["reads"] = read
    seconds = side_by_side(runs, backend)
    middle = {name: median(values) for name, values in seconds.items()}
    table = []
    beside = ""
    if "reads" in middle:
        rate = READS / middle["reads"]
        table.append(
            Row(f"random reads of the same databases, {AHEAD} in flight", middle["reads"], f"{rate / 1e6:,.0f} M/s")
        )
        beside = f"{lookups / READS / ratio(seconds, 'search', 'reads'):.2f} of the random reads"
    text = (
        f"{expanded / middle['search'] / 1e6:,.1f} M expanded/s, {lookups / middle['search'] / 1e6:,.0f} M look-ups/s"
    )
    return [*table, Row(f"24-puzzle, a bound of {expanded:,} nodes", middle["search"], text, beside)]


@compiled
def _reads(steps: Any, count: Any, seed: Any) -> Any:
    """Return the sum of random words, each of which is prefetched AHEAD reads before it is needed."""
    prefetched, where = np.zeros(AHEAD, np.uint64), np.uint64(steps.ctypes.data)
    state, total, size = np.uint64(88172645463325252 + seed), np.uint64(0), np.uint64(len(steps))
    for number in range(count):
        slot = np.uint64(number % AHEAD)
        index = prefetched[slot]
        total += np.uint64(steps[index])
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        index = (state & np.uint64(0xFFFFFFFF)) * size >> np.uint64(32)
        prefetched[slot] = index
        prefetch(where + (index << np.uint64(2)))
    return total


def _puzzles(backend: Backend) -> list[Row]:
    """Solve random 15-puzzles one after the other, with each partition that has a name."""
    boards = scramble(rows=4, columns=4, seed=SEED, count=PUZZLES)
    table = []
    for name in catalogue.names(4, 4):
        databases = catalogue.open_databases(4, 4, partition=name, backend=backend)
        solve(boards[0], databases=databases)
        begin = time.perf_counter()
        nodes = sum(solve(board, databases=databases).expanded for board in boards)
        taken = time.perf_counter() - begin
        table.append(Row(f"{PUZZLES} random 15-puzzles, {name}: {nodes:,} nodes", taken, f"{PUZZLES / taken:,.0f} /s"))
    return table
