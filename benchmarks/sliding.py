"""Sliding tiles: nodes a second beside the machine's own limit, what tables take to build and to open, whole puzzles.

The limit is how fast this machine reads single words at random out of the same tables, with many reads under way: a
search needs two for each node.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import Any
from unittest import mock

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.backend.compiled import compiled
from gpusolve.backend.cpu import CpuBackend
from gpusolve.backend.prefetch import prefetch
from gpusolve.games.sliding import kernels
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding._solve import solve
from gpusolve.games.sliding.automata._automaton import Automaton, automaton
from gpusolve.games.sliding.automata.strings import Choice
from gpusolve.games.sliding.databases import catalogue
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.search.paths import Walk, prefixes
from harness import Row, Work, ratio, side_by_side

SEED = 1
ENTRIES = 181_008_000  # of a table of six tiles
RISE = 12  # of the bound above the height of the start
DEPTH = 14  # of the automata
LEVEL = 9  # moves of the prefixes
PUZZLES = 100
BOARDS = 100_000
AHEAD = 32
READS = 50_000_000


def rows(backend: Backend) -> list[Row]:
    """Everything measured on this backend; the random reads where it is a CPU."""
    partition = catalogue.partition_of(5, 5)
    found = []
    for pattern in partition.patterns:
        seconds = backend.timed(partial(build_database, pattern, backend))
        found.append(Row(f"{pattern} built", seconds, f"{ENTRIES / seconds / 1e6:,.0f} M entries/s"))
    catalogue.load_tables(partition, backend)
    opening = []
    for _ in range(5):
        catalogue.forget()
        opening.append(backend.timed(lambda: catalogue.load_tables(partition, backend)))
    found.append(Row("both tables opened and checked", median(opening), ""))
    return [*found, *_automata(backend), *_search(backend), *_puzzles(backend)]


def _automata(backend: Backend) -> list[Row]:
    """The forbidden strings of the 24-puzzle, found anew each time, on one core."""
    choices: tuple[Choice, ...] = ("first", "smallest", "square")
    found: dict[str, Automaton] = {}

    def find(choice: Choice) -> None:
        with tempfile.TemporaryDirectory() as place, mock.patch.dict(os.environ, GPUSOLVE_TABLES=place):
            found[choice] = automaton(depth=DEPTH, choice=choice)

    seconds = side_by_side({choice: partial(find, choice) for choice in choices}, backend, rounds=3)
    return [
        Row(
            f"automaton of the 24-puzzle, depth {DEPTH}, {choice}",
            median(seconds[choice]),
            f"{found[choice].count:,} strings, {found[choice].states:,} states",
            f"branching factor {found[choice].branching_factors()[0]:.5f}",
        )
        for choice in choices
    ]


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """What is compared between devices: a table, heights of boards, and one bound of a 24-puzzle (of a 15-puzzle)."""
    side, name = (5, "6-6-6-6") if scale == 1 else (4, "5-5-5")
    partition = catalogue.partition_of(side, side, name)
    catalogue.load_tables(partition, open_backend("cpu"))
    tables, search = _bound(backend, side, name)
    boards = np.array([board.tiles for board in scramble(side, side, seed=SEED, count=round(BOARDS * scale))], np.uint8)
    return {
        f"{name} built": Work(
            lambda: sum(int(build_database(pattern, backend).counts.sum()) for pattern in partition.patterns), "entries"
        ),
        f"{len(boards):,} boards, whole heights": Work(
            lambda: len(kernels.measure(backend, tables, boards)[0]), "boards"
        ),
        f"{side * side - 1}-puzzle, a bound": Work(lambda: int(search().expanded.sum()), "nodes"),
    }


def _bound(backend: Backend, side: int, name: str) -> tuple[kernels.Tables, Callable[[], kernels.Searched]]:
    """The tables, and one bound of a random board in prefixes, to be searched to its end."""
    tables = catalogue.load_tables(catalogue.partition_of(side, side, name), backend)
    board = scramble(side, side, seed=SEED)[0]
    start = np.array(board.tiles, np.uint8)
    heights, at = kernels.measure(backend, tables, start[None])
    views = heights[0].reshape(2, -1).sum(axis=1)
    forbidden = automaton(side, side).table
    limit = kernels.Limit(int(views.max()) + RISE)
    news = kernels.news_of(forbidden, 0, (limit.slack(int(views[0])), limit.slack(int(views[1]))))
    packed = backend.asarray(kernels.packed(forbidden))
    paths = prefixes(Walk(kernels.neighbours(side, side), board.blank, forbidden, 0), LEVEL)
    return tables, lambda: kernels.search(backend, tables, packed, start, at[0], news, limit, 1 << 60, paths)


def _search(backend: Backend) -> list[Row]:
    """One bound of a random 24-puzzle, and random reads of the same tables."""
    tables, run = _bound(backend, 5, "6-6-6-6")
    counts = run()
    expanded = int(counts.expanded.sum())
    lookups = 2 * expanded
    runs: dict[str, Any] = {"search": run}
    if isinstance(backend, CpuBackend):
        threads = backend.threads
        pool = ThreadPoolExecutor(threads)

        def read() -> None:
            for done in [pool.submit(_reads, tables.steps, READS // threads, seed) for seed in range(threads)]:
                done.result()

        runs["reads"] = read
    seconds = side_by_side(runs, backend)
    middle = {name: median(values) for name, values in seconds.items()}
    found = []
    beside = ""
    if "reads" in middle:
        rate = READS / middle["reads"]
        found.append(Row(f"random reads of the same tables, {AHEAD} ahead", middle["reads"], f"{rate / 1e6:,.0f} M/s"))
        beside = f"{lookups / READS / ratio(seconds, 'search', 'reads'):.2f} of the random reads"
    text = (
        f"{expanded / middle['search'] / 1e6:,.1f} M expanded/s, {lookups / middle['search'] / 1e6:,.0f} M look-ups/s"
    )
    return [*found, Row(f"24-puzzle, a bound of {expanded:,} nodes", middle["search"], text, beside)]


@compiled
def _reads(steps: Any, count: Any, seed: Any) -> Any:
    """The sum of words at random, each asked for AHEAD reads before."""
    asked, where = np.zeros(AHEAD, np.uint64), np.uint64(steps.ctypes.data)
    state, total, size = np.uint64(88172645463325252 + seed), np.uint64(0), np.uint64(len(steps))
    for number in range(count):
        slot = np.uint64(number % AHEAD)
        index = asked[slot]
        total += np.uint64(steps[index])
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        index = (state & np.uint64(0xFFFFFFFF)) * size >> np.uint64(32)
        asked[slot] = index
        prefetch(where + (index << np.uint64(2)))
    return total


def _puzzles(backend: Backend) -> list[Row]:
    """Random 15-puzzles one after the other, with the tables that are built in a moment and with the best."""
    boards = scramble(4, 4, seed=SEED, count=PUZZLES)
    found = []
    for name in catalogue.names(4, 4):
        solve(boards[0], name, backend=backend)
        begin = time.perf_counter()
        nodes = sum(solve(board, name, backend=backend).expanded for board in boards)
        taken = time.perf_counter() - begin
        found.append(Row(f"{PUZZLES} random 15-puzzles, {name}: {nodes:,} nodes", taken, f"{PUZZLES / taken:,.0f} /s"))
    return found
