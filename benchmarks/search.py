"""Heuristic searches: pattern databases of TopSpin(16,4) and look-ups beside NumPy; IDA*, A* and BAE*.

``search_hog2.py`` compares them with HOG2.
"""

from __future__ import annotations

import time
from math import perm
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.deepening import ida_star
from gpusolve.search.permutations.database import Database, build_database
from gpusolve.search.permutations.puzzle import PermutationPuzzle
from harness import Row, Work, ratio, side_by_side

PLACES, WIDTH, KEPT = 16, 4, 6
STATES = 1 << 17
DEPTH = 16
"""Random turns of the puzzles that are solved."""


def turns(places: int = PLACES, width: int = WIDTH) -> list[list[int]]:
    """Return the moves of TopSpin: each reverses `width` neighbouring places of a ring of `places`."""
    window = np.arange(width)
    moves = np.tile(np.arange(places), (places, 1))
    for first in range(places):
        moves[first, (first + window) % places] = (first + window[::-1]) % places
    found: list[list[int]] = moves.tolist()
    return found


def scrambled(seed: int, depth: int = DEPTH) -> list[int]:
    """Return the place of each piece of TopSpin(16,4) after random turns."""
    chance, moves, state = np.random.default_rng(seed), np.array(turns()), np.arange(PLACES)
    for move in chance.integers(0, PLACES, depth):
        state = moves[move, state]
    found: list[int] = state.tolist()
    return found


def puzzle(database: Database, backend: Backend, seed: int) -> PermutationPuzzle:
    """Return a puzzle whose heuristic looks up the database through four turns of the ring."""
    shifts = [[(place + shift) % PLACES for place in range(PLACES)] for shift in (4, 8, 12)]
    return PermutationPuzzle(turns(), scrambled(seed), databases=[database], symmetries=shifts, backend=backend)


def rows(backend: Backend) -> list[Row]:
    """Measure the database, the look-ups, and the searches."""
    database = build_database(turns(), range(KEPT), backend=backend)
    return [*_databases(backend), *_looks(database, backend), *_searches(database, backend)]


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return what is compared between devices: a database, look-ups, and a search with a fixed bound."""
    kept = KEPT + 1 if scale >= 1 else 3
    states = backend.asarray(_states(max(8, round(STATES * 8 * scale))))
    asked = puzzle(build_database(turns(), range(KEPT), backend=backend), backend, 1)

    surplus, none = asked.surplus, backend.xp.zeros(states.shape[1], np.int32)
    assert surplus is not None

    def build() -> npt.NDArray[np.int64]:
        return build_database(turns(), range(kept), backend=backend).counts

    def look() -> npt.NDArray[np.uint8]:
        return backend.to_host(surplus(states, none, none))

    def search() -> tuple[int, int, int]:
        found = ida_star(asked, bound=11 if scale >= 1 else 9, batch=1 << 17)
        return found.lower_bound, found.expanded, found.generated

    return {
        f"database of {kept} pieces": Work(build, lambda counts: int(counts.sum()), "placements"),
        f"{states.shape[1]:,} states": Work(look, lambda found: found.size, "look-aheads"),
        "IDA* below the optimum": Work(search, lambda found: found[2], "nodes"),
    }


def _states(count: int) -> npt.NDArray[np.uint8]:
    chance = np.random.default_rng(0)
    return np.ascontiguousarray(np.argsort(chance.random((PLACES, count)), axis=0).astype(np.uint8))


def _databases(backend: Backend) -> list[Row]:
    """Build a database with the kernel, and with plain NumPy: ranks of whole levels, and `np.unique`."""
    kept, moves = 5, np.array(turns(), np.uint8)

    def plain() -> int:
        seen = np.zeros(perm(PLACES, kept), bool)
        level = np.arange(kept, dtype=np.uint8)[None]
        seen[_ranks(level)] = True
        while len(level):
            children = moves[:, level].reshape(-1, kept)
            ranks, first = np.unique(_ranks(children), return_index=True)
            new = ~seen[ranks]
            seen[ranks[new]] = True
            level = children[first[new]]
        return int(seen.sum())

    seconds = side_by_side(
        {"kernel": lambda: build_database(turns(), range(kept), backend=backend), "NumPy": plain}, backend, rounds=3
    )
    size, name = perm(PLACES, kept), f"database of {kept} pieces of TopSpin(16,4)"
    return [
        Row(f"{name}, {backend.about}", median(seconds["kernel"]),
            f"{size / median(seconds['kernel']):,.0f} placements/s",
            f"NumPy takes {ratio(seconds, 'NumPy', 'kernel'):.1f} times as long"),
    ]  # fmt: skip


def _ranks(placements: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return the numbers of placements, one per row, with NumPy."""
    ranks = np.zeros(len(placements), np.int64)
    for piece in range(placements.shape[1]):
        below = (placements[:, :piece] < placements[:, piece : piece + 1]).sum(axis=1)
        ranks = ranks * (PLACES - piece) + placements[:, piece] - below
    return ranks


def _looks(database: Database, backend: Backend) -> list[Row]:
    """Look up the children of many states, with the kernel and with NumPy."""
    states = _states(STATES // 16)
    asked = PermutationPuzzle(turns(), range(PLACES), databases=[database], backend=backend)
    moves, bytes_of = np.array(turns(), np.uint8), backend.to_host(database.table)
    on_device, surplus, none = backend.asarray(states), asked.surplus, backend.xp.zeros(states.shape[1], np.int32)
    assert surplus is not None

    def plain() -> npt.NDArray[np.uint8]:
        children = moves[:, states[:KEPT]]
        return bytes_of[_ranks(children.transpose(0, 2, 1).reshape(-1, KEPT))].reshape(PLACES, -1).T + np.uint8(
            1
        )  # the cost of the move

    def look() -> npt.NDArray[np.uint8]:
        return backend.to_host(surplus(on_device, none, none))

    assert (plain() == look()).all()
    seconds = side_by_side({"kernel": look, "NumPy": plain}, backend)
    count = states.shape[1] * PLACES
    return [
        Row(f"{count:,} look-aheads, {KEPT} pieces, {backend.about}", median(seconds["kernel"]),
            f"{count / median(seconds['kernel']):,.0f} look-aheads/s",
            f"NumPy takes {ratio(seconds, 'NumPy', 'kernel'):.1f} times as long"),
    ]  # fmt: skip


def _searches(database: Database, backend: Backend) -> list[Row]:
    """Solve some puzzles with each search."""
    made = [puzzle(database, backend, seed) for seed in range(3)]
    found = []
    searches: dict[str, Any] = {"IDA*": ida_star, "A*": a_star, "BAE*": bidirectional}
    for name, search in searches.items():
        search(made[0], time_limit=0.5)  # compiles
        begin = time.perf_counter()
        solutions = [search(each) for each in made]
        seconds = time.perf_counter() - begin
        assert all(solution.proven for solution in solutions)
        generated = sum(solution.generated for solution in solutions)
        expanded = sum(solution.expanded for solution in solutions)
        found.append(
            Row(f"{name}, {len(made)} puzzles {DEPTH} turns from the goal, {backend.about}", seconds,
                f"{generated / seconds:,.0f} nodes/s", f"{expanded:,} nodes expanded"),
        )  # fmt: skip
    return found
