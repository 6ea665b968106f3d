"""The kernels of sliding tiles on every device, against breadth-first search on small boards and one another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding import rules
from gpusolve.games.sliding.automata._automaton import load_automaton
from gpusolve.games.sliding.cpu.outcomes import DONE, FOUND, PAUSED
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.lookups import Databases, load_databases
from gpusolve.games.sliding.databases.tilesets import Partition, Pattern, parse_partition
from gpusolve.games.sliding.kernels import PROGRAM, neighbours
from gpusolve.games.sliding.search.kernels import open_root, search
from gpusolve.games.sliding.search.paths import find_prefixes, split, whole_tree
from gpusolve.games.sliding.search.tree import Limit
from gpusolve.testing.checks import check_compiles, check_sanitized, check_twins
from gpusolve.testing.nvrtc import ARCHITECTURES

INVERSE = np.array(
    [[move + 1 if not state or (state - 1) ^ 1 != move else -1 for move in range(4)] for state in range(5)], np.int32
)
"""The automaton that forbids only undoing the last move."""
SMALL = [(2, 2, "1,2,3"), (2, 3, "1,2/3,4,5"), (3, 3, "1,2,3,4/5,6,7,8"), (2, 4, "1,2,3,4,5,6,7")]


def databases_of(backend: Backend, partition: Partition) -> Databases:
    steps = [build_database(pattern, backend, dense=partition.is_dense).steps for pattern in partition.patterns]
    return load_databases(backend, partition, np.concatenate(steps))


def plain_heights(partition: Partition, rows: int, columns: int) -> dict[Pattern, dict[tuple[int, ...], int]]:
    """The heights of each pattern, by plain breadth-first search over the cells of its tiles and of the blank."""
    heights_of = {}
    beside = neighbours(rows, columns)
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
        heights_of[pattern] = heights
    return heights_of


@pytest.mark.parametrize(("rows", "columns", "sets"), SMALL)
def test_heights_are_those_of_plain_search(backend: Backend, rows: int, columns: int, sets: str) -> None:
    partition = parse_partition(rows, columns, sets)
    databases, plain = databases_of(backend, partition), plain_heights(partition, rows, columns)
    boards = list(rules.distances(rows, columns))[:: max(1, len(rules.distances(rows, columns)) // 300)]
    measured = measure(databases, np.array(boards, np.uint8))
    for board, row in zip(boards, measured.heights, strict=True):
        for side, view in enumerate(view for sets_ in partition.both_views for view in sets_):
            state = (*(view.place[board.index(tile)] for tile in view.tiles), view.place[board.index(0)])
            assert row[side] == plain[view.pattern][state]


def test_partitions_can_share_databases_in_one_array(backend: Backend) -> None:
    """The array holds the databases in another order, and one that neither of the partitions needs."""
    partitions = [parse_partition(3, 3, sets) for sets in ("1,2,3,4/5,6,7,8", "1,2,5,8/3,4,6,7+1,2,4,5/3,6,7,8")]
    other = parse_partition(3, 3, "1,2,3/4,5,6,7,8")
    patterns = dict.fromkeys(pattern for each in (other, *partitions[::-1]) for pattern in each.patterns)
    steps = [build_database(pattern, backend).steps for pattern in patterns]
    starts = dict(zip(patterns, np.cumsum([0, *map(len, steps)]).tolist(), strict=False))
    boards = np.array(list(rules.distances(3, 3))[::1000], np.uint8)
    for partition in partitions:
        shared = load_databases(backend, partition, np.concatenate(steps), starts)
        alone = databases_of(backend, partition)
        assert (measure(shared, boards).heights == measure(alone, boards).heights).all()
        assert (measure(shared, boards).at != measure(alone, boards).at).any()


def test_forged_steps_that_go_in_circles_have_no_height(backend: Backend) -> None:
    """A table from a stranger can have right sums and any steps: the walk down to the goal has an end all the same."""
    partition = parse_partition(3, 3, "1,2,3,4/5,6,7,8")
    forged = np.zeros(len(databases_of(open_backend("cpu"), partition).steps), np.uint32)  # every move leads down
    boards = np.array(list(rules.distances(3, 3))[5:40:5], np.uint8)
    with pytest.raises(BadInput, match="its steps do not lead to the goal"):
        measure(load_databases(backend, partition, forged), boards)


@pytest.mark.parametrize(("rows", "columns", "sets"), SMALL)
def test_search_finds_the_distance(backend: Backend, rows: int, columns: int, sets: str) -> None:
    databases, distances = databases_of(backend, parse_partition(rows, columns, sets)), rules.distances(rows, columns)
    for board in list(distances)[1 :: max(1, len(distances) // 12)]:
        root = open_root(databases, board, load_automaton(backend, INVERSE))
        bound = max(root.heights)
        while True:
            searched = search(root, whole_tree(), limit=Limit(bound), budget=1 << 40)
            if searched.status[0] == FOUND:
                break
            assert searched.status[0] == DONE
            bound += 2
        assert bound == distances[board] == searched.paths.length[0]


def results(backend: Backend) -> dict[str, object]:
    """The results of searching paths of a 3x3 board that are stopped, split and continued."""
    databases = databases_of(backend, parse_partition(3, 3, "1,2,3/4,5,6/7,8"))
    root = open_root(databases, [8, 6, 7, 2, 5, 4, 3, 0, 1], load_automaton(backend, INVERSE))
    results: dict[str, object] = {}
    for limit in (Limit(31), Limit(100, 2, 3)):
        paths, outputs = whole_tree(), []
        for count in (1, 20, 60, 60, 60):
            paths = split(paths, count, root.walk)
            out = search(root, paths, limit=limit, budget=40)
            outputs.append([out.status.tolist(), out.expanded.tolist(), out.generated.tolist(), out.nearest.tolist()])
            paths = out.paths[out.status == PAUSED]
            outputs.append([row[:n].tolist() for row, n in zip(paths.moves, paths.length, strict=True)])
        results[str(limit)] = outputs
    return results


def test_devices_agree(backend: Backend) -> None:
    assert results(backend) == results(open_backend("cpu"))


def test_counts_do_not_depend_on_how_the_work_is_divided(backend: Backend) -> None:
    """The whole tree, searches that stop at any moment and continue, and prefixes of any length have the same nodes."""
    databases = databases_of(backend, parse_partition(3, 3, "1,2,3/4,5,6/7,8"))
    root = open_root(databases, [8, 0, 6, 5, 4, 7, 2, 3, 1], load_automaton(backend, INVERSE))
    limit = Limit(29)
    totals = set()
    for paths, count in (
        (whole_tree(), 1),
        (whole_tree(), 30),
        (find_prefixes(root.walk, 3), 1),
        (find_prefixes(root.walk, 7), 100),
    ):
        for budget in (1 << 40, 50):
            left, total = paths, np.zeros(2, np.int64)
            while len(left):
                out = search(root, left, limit=limit, budget=budget)
                total += out.expanded.sum(), out.generated.sum()
                left = split(out.paths[out.status == PAUSED], count, root.walk)
            totals.add(tuple(total.tolist()))
    assert len(totals) == 1


def test_twins() -> None:
    check_twins(PROGRAM)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_compiles(arch: str) -> None:
    check_compiles(PROGRAM, arch)


@pytest.mark.thorough
def test_sanitized() -> None:
    check_sanitized(Path(__file__))
