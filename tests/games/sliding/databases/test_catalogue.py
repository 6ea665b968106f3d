"""The catalogue of partitions, and databases that several searches share."""

from __future__ import annotations

import gc
import shutil
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding import _solve, rules
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding._solve import first_answer, solve
from gpusolve.games.sliding.databases import catalogue, kernels
from gpusolve.games.sliding.databases.catalogue import (
    keep_databases,
    names,
    open_databases,
    partition_for,
    partition_of,
    path_of,
)
from gpusolve.games.sliding.databases.tilesets import Pattern


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path))


@pytest.mark.parametrize(("rows", "columns"), [(r, c) for r in range(2, 13) for c in range(2, 13) if r * c <= 25])
def test_every_size_has_a_partition(rows: int, columns: int) -> None:
    partition = partition_of(rows, columns)
    assert max(map(len, partition.sets)) <= 8


def test_small_and_large_stand_for_the_smallest_and_the_best_partition() -> None:
    assert partition_of(5, 5, "small") == partition_of(5, 5, names(5, 5)[-1])
    assert partition_of(5, 5, "large") == partition_of(5, 5, names(5, 5)[0])
    assert partition_of(3, 3, "small") == partition_of(3, 3, "large") == partition_of(3, 3)
    assert sum(partition_of(5, 5, "small").sizes) * 4 <= 64_000_000


def keep(rows: int, columns: int, name: str) -> None:
    """Create the file of a partition's databases, which is enough to choose the partition."""
    path_of(partition_of(rows, columns, name)).touch()


def test_the_default_is_the_best_partition_that_has_been_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "free_bytes", lambda: None)
    assert partition_of(5, 5) == partition_of(5, 5, "large")
    keep(5, 5, "small")  # which a first answer builds
    assert partition_of(5, 5) == partition_of(5, 5, "large")
    keep(5, 5, "6-6-6-6")
    assert partition_of(5, 5) == partition_of(5, 5, "6-6-6-6")
    keep(5, 5, "large")
    assert partition_of(5, 5) == partition_of(5, 5, "large")
    assert partition_of(4, 4) == partition_of(4, 4, "small")
    keep(4, 4, "large")
    assert partition_of(4, 4) == partition_of(4, 4, "large")


def test_the_default_is_small_if_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    words = partition_of(5, 5, "large").sizes
    for free, name in ((3 << 30, "small"), (5 << 30, "large")):
        monkeypatch.setattr(catalogue, "free_bytes", lambda free=free: free)
        assert partition_of(5, 5) == partition_of(5, 5, name)
    keep(5, 5, "large")  # building takes memory for one database more
    for free, name in ((4 * sum(words) - 1, "small"), (4 * sum(words), "large")):
        monkeypatch.setattr(catalogue, "free_bytes", lambda free=free: free)
        assert partition_of(5, 5) == partition_of(5, 5, name)


def test_the_default_is_small_if_the_disk_is_nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "free_bytes", lambda: None)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=1 << 30))
    assert partition_of(5, 5) == partition_of(5, 5, "small")
    keep(5, 5, "large")  # takes no more room
    assert partition_of(5, 5) == partition_of(5, 5, "large")


def test_a_first_answer_comes_from_small_databases_before_the_large_ones_are_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(catalogue, "free_bytes", lambda: None)
    board, backend = scramble(rows=5, columns=5, seed=3)[0], open_backend("cpu")
    solution = first_answer(board, backend)
    assert solution is not None
    assert solution.moves
    assert 1 < (solution.ratio or 0) <= 1.5
    assert rules.solves(board, solution.moves)
    keep(5, 5, "large")
    assert first_answer(board, backend) is None
    assert first_answer(board, backend, eager=True) is not None  # the small ones have been built above
    assert first_answer(scramble(rows=3, columns=3, seed=3)[0], backend) is None


@pytest.mark.parametrize(("rows", "columns", "farthest"), [(3, 3, 31), (2, 4, 36), (4, 2, 36), (2, 3, 21)])
def test_the_height_in_a_database_of_all_tiles_is_the_distance(rows: int, columns: int, farthest: int) -> None:
    every_tile = ",".join(map(str, range(1, rows * columns)))
    distances = rules.distances(rows, columns)
    databases = open_databases(rows, columns, partition=every_tile, backend=open_backend("cpu"))
    measured = kernels.measure(databases, np.array(list(distances), np.uint8))
    assert measured.heights[:, 0].tolist() == measured.views[:, 0].tolist() == list(distances.values())
    assert max(distances.values()) == farthest


def test_databases_are_built_once_and_report_their_progress() -> None:
    calls: list[tuple[Pattern, int]] = []
    open_databases(3, 3, progress=lambda pattern, entries: calls.append((pattern, entries)))
    assert {pattern for pattern, _ in calls} == set(partition_of(3, 3).patterns)
    assert calls[-1][1] > 0
    calls.clear()
    open_databases(3, 3, progress=lambda pattern, entries: calls.append((pattern, entries)))
    assert not calls


def test_threads_share_databases_and_nothing_keeps_them_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = scramble(rows=3, columns=3, seed=1, count=8)
    alone = [solve(board).moves for board in boards]
    databases = open_databases(3, 3)
    monkeypatch.setattr(_solve, "databases_of", None)  # no others are opened
    with ThreadPoolExecutor(4) as pool:
        solutions = pool.map(partial(solve, databases=databases), boards)
        assert [solution.moves for solution in solutions] == alone
    forgotten = weakref.ref(databases)
    del databases
    gc.collect()
    assert forgotten() is None


def test_databases_that_do_not_fit() -> None:
    databases = open_databases(3, 3, backend=open_backend("cpu"))
    board = scramble(rows=3, columns=3, seed=1)[0]
    with pytest.raises(BadInput, match="databases for 3x3: expected databases for a board of 2x3"):
        solve(scramble(rows=2, columns=3, seed=1)[0], databases=databases)
    with pytest.raises(BadInput, match="partition 1,2,3/4,5,6,7,8: expected that of the databases"):
        solve(board, partition="1,2,3/4,5,6,7,8", databases=databases)
    with pytest.raises(BadInput, match="backend cpu:3: expected that of the databases, cpu"):
        solve(board, databases=databases, backend=open_backend("cpu:3"))
    with pytest.raises(TypeError, match="databases: expected Databases, not str"):
        solve(board, databases="5-5-5")  # type: ignore[arg-type]
    assert solve(board, partition=str(databases.partition), databases=databases).proven


def test_small_databases_stay_open_for_the_next_command_until_their_file_changes() -> None:
    backend, partition = open_backend("cpu"), partition_of(2, 3)
    keep_databases(partition, backend)
    opened = keep_databases(partition, backend)
    assert keep_databases(partition, backend) is opened
    path = path_of(partition)
    path.write_bytes(path.read_bytes())
    assert keep_databases(partition, backend) is not opened


@pytest.mark.parametrize("name", ["large", "small"])
def test_with_the_blank_in_the_centre_the_large_sets_are_rotations_of_one(name: str) -> None:
    board = scramble(rows=5, columns=5, goal="spiral", seed=1)[0]
    partition = partition_for(board, name)
    large = [tiles for tiles in partition.sets if len(tiles) >= 5]
    assert len(large) == 4
    assert len({view.pattern for view in partition.views[0] if len(view.tiles) >= 5}) == 1
    assert sum(partition.sizes) * 4 <= {"large": 1 << 30, "small": 64_000_000}[name]
