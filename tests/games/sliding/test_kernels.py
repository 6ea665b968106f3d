"""The kernels of sliding tiles on every device: against breadth-first search on small boards, and one another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.games.sliding import kernels, rules
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.tilesets import Partition, Pattern, parse_partition
from gpusolve.games.sliding.search.paths import Walk, prefixes, root, split
from gpusolve.testing.checks import check_compiles, check_sanitized, check_twins
from gpusolve.testing.nvrtc import ARCHITECTURES

INVERSE = np.array(
    [[move + 1 if not state or (state - 1) ^ 1 != move else -1 for move in range(4)] for state in range(5)], np.int32
)
"""The automaton that forbids only to take a move back."""
SMALL = [(2, 2, "1,2,3"), (2, 3, "1,2/3,4,5"), (3, 3, "1,2,3,4/5,6,7,8"), (2, 4, "1,2,3,4,5,6,7")]


def tables_of(backend: Backend, partition: Partition) -> kernels.Tables:
    steps = [build_database(pattern, backend).steps for pattern in partition.patterns]
    return kernels.load(backend, partition, np.concatenate(steps))


def projected(partition: Partition, rows: int, columns: int) -> dict[Pattern, dict[tuple[int, ...], int]]:
    """Heights of each pattern by plain breadth-first search over places of its tiles and of the blank."""
    found = {}
    beside = kernels.neighbours(rows, columns)
    for pattern in partition.patterns:
        start = (*pattern.cells, pattern.blank)
        heights, level, height = {start: 0}, [start], 0
        while level:
            following: list[tuple[int, ...]] = []
            while level:  # moves of other tiles cost nothing
                *tiles, blank = level.pop()
                for to in {int(cell) for cell in beside[blank]} - {blank}:
                    state = (*(blank if tile == to else tile for tile in tiles), to)
                    if state not in heights:
                        costs = to in tiles
                        heights[state] = height + costs
                        (following if costs else level).append(state)
                    elif heights[state] > height and to not in tiles:
                        heights[state] = height
                        level.append(state)
            level, height = following, height + 1
            level = [state for state in level if heights[state] == height]
        found[pattern] = heights
    return found


@pytest.mark.parametrize(("rows", "columns", "sets"), SMALL)
def test_heights_are_those_of_plain_search(backend: Backend, rows: int, columns: int, sets: str) -> None:
    partition = parse_partition(rows, columns, sets)
    tables, plain = tables_of(backend, partition), projected(partition, rows, columns)
    boards = list(rules.distances(rows, columns))[:: max(1, len(rules.distances(rows, columns)) // 300)]
    heights, _ = kernels.measure(backend, tables, np.array(boards, np.uint8))
    views = partition.views if len(partition.views) > 1 else partition.views * 2
    for board, row in zip(boards, heights, strict=True):
        for side, view in enumerate(view for sets_ in views for view in sets_):
            state = (*(view.place[board.index(tile)] for tile in view.tiles), view.place[board.index(0)])
            assert row[side] == plain[view.pattern][state]


@pytest.mark.parametrize(("rows", "columns", "sets"), SMALL)
def test_search_finds_the_distance(backend: Backend, rows: int, columns: int, sets: str) -> None:
    partition = parse_partition(rows, columns, sets)
    tables, distances = tables_of(backend, partition), rules.distances(rows, columns)
    automaton = backend.asarray(kernels.packed(INVERSE))
    for board in list(distances)[1 :: max(1, len(distances) // 12)]:
        start = np.array(board, np.uint8)
        heights, at = kernels.measure(backend, tables, start[None])
        views = heights[0].reshape(2, -1).sum(axis=1)
        bound = int(views.max())
        while True:
            limit = kernels.Limit(bound)
            news = kernels.news_of(INVERSE, 0, (limit.slack(int(views[0])), limit.slack(int(views[1]))))
            found = kernels.search(backend, tables, automaton, start, at[0], news, limit, 1 << 40, root())
            if found.status[0] == kernels.FOUND:
                break
            assert found.status[0] == kernels.DONE
            bound += 2
        assert bound == distances[board] == found.paths.length[0]


def bits(backend: Backend) -> dict[str, object]:
    """What paths of a 3x3 board come to, cut short, split and gone on with."""
    partition = parse_partition(3, 3, "1,2,3/4,5,6/7,8")
    tables = tables_of(backend, partition)
    start = np.array([8, 6, 7, 2, 5, 4, 3, 0, 1], np.uint8)
    _, at = kernels.measure(backend, tables, start[None])
    heights = kernels.measure(backend, tables, start[None])[0][0].reshape(2, -1).sum(axis=1)
    automaton, walk = backend.asarray(kernels.packed(INVERSE)), Walk(kernels.neighbours(3, 3), 7, INVERSE, 0)
    found: dict[str, object] = {}
    for limit in (kernels.Limit(31), kernels.Limit(100, 2, 3)):
        news = kernels.news_of(INVERSE, 0, (limit.slack(int(heights[0])), limit.slack(int(heights[1]))))
        paths, seen = root(), []
        for wanted in (1, 20, 60, 60, 60):
            paths = split(paths, wanted, walk)
            out = kernels.search(backend, tables, automaton, start, at[0], news, limit, 40, paths)
            seen.append([out.status.tolist(), out.expanded.tolist(), out.generated.tolist(), out.nearest.tolist()])
            paths = out.paths[out.status == kernels.PAUSED]
            seen.append([row[:n].tolist() for row, n in zip(paths.moves, paths.length, strict=True)])
        found[str(limit)] = seen
    return found


def test_devices_agree(backend: Backend) -> None:
    assert bits(backend) == bits(open_backend("cpu"))


def test_counts_do_not_depend_on_how_the_work_is_cut(backend: Backend) -> None:
    """Whole, stopped at any moment and gone on with, in prefixes of any length: the same nodes."""
    partition = parse_partition(3, 3, "1,2,3/4,5,6/7,8")
    tables = tables_of(backend, partition)
    start, limit = np.array([8, 0, 6, 5, 4, 7, 2, 3, 1], np.uint8), kernels.Limit(29)
    heights, at = kernels.measure(backend, tables, start[None])
    views = heights[0].reshape(2, -1).sum(axis=1)
    news = kernels.news_of(INVERSE, 0, (limit.slack(int(views[0])), limit.slack(int(views[1]))))
    automaton, walk = backend.asarray(kernels.packed(INVERSE)), Walk(kernels.neighbours(3, 3), 1, INVERSE, 0)
    totals = set()
    for paths, wanted in ((root(), 1), (root(), 30), (prefixes(walk, 3), 1), (prefixes(walk, 7), 100)):
        for budget in (1 << 40, 50):
            left, total = paths, np.zeros(2, np.int64)
            while len(left):
                out = kernels.search(backend, tables, automaton, start, at[0], news, limit, budget, left)
                total += out.expanded.sum(), out.generated.sum()
                left = split(out.paths[out.status == kernels.PAUSED], wanted, walk)
            totals.add(tuple(total.tolist()))
    assert len(totals) == 1


def test_twins() -> None:
    check_twins(kernels.PROGRAM)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_compiles(arch: str) -> None:
    check_compiles(kernels.PROGRAM, arch)


def test_sanitized() -> None:
    check_sanitized(Path(__file__))
