"""A search changes to two divisions of the library of its board size."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.games.sliding import Board, Status, rules, scramble, solve
from gpusolve.games.sliding.databases import catalogue, library, pairs
from gpusolve.games.sliding.databases.catalogue import databases_of, is_built, open_databases, partition_of, path_of
from gpusolve.games.sliding.databases.choice import chosen_before
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.tilesets import Partition
from gpusolve.games.sliding.search.kernels import open_root
from gpusolve.games.sliding.search.paths import find_prefixes
from gpusolve.testing.plugin import Done

TEXTS = ("1,3,6,8/2,4,5,7", "1,2,3,4/5,6,7,8", "1,2,4,5/3,6,7,8")
NAMES = tuple(
    dict.fromkeys(str(pattern).removeprefix("3x3-") for text in TEXTS for pattern in partition_of(3, 3, text).patterns)
)
OF_24 = library.NAMES[5, 5]
HARD = Board(3, 3, (8, 0, 6, 5, 4, 7, 2, 3, 1))


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path))
    monkeypatch.setattr(library, "NAMES", {(3, 3): NAMES})
    monkeypatch.setitem(catalogue.NAMED, (3, 3, "weak"), "1/2/3/4/5/6/7/8")  # the default, as the only one with a name
    for name, value in (("CHOOSING", 100), ("BUILDING", 100), ("ENOUGH", 2_000)):
        monkeypatch.setattr(pairs, name, value)


def is_library_there() -> bool:
    path = library.path_of(3, 3)
    return path is not None and path.is_file()


def test_a_library_serves_the_divisions_into_images_of_its_patterns() -> None:
    divisions = library.divisions(3, 3)
    assert {partition_of(3, 3, text).sets for text in TEXTS} <= set(divisions)
    for sets in divisions:
        assert library.serves(Partition(3, 3, sets))
        assert sorted(tile for tiles in sets for tile in tiles) == [*range(1, 9)]
    assert not library.serves(partition_of(3, 3, "1,2,3,6/4,5,7,8"))
    assert not library.serves(partition_of(3, 3, TEXTS[0], blank=4))
    assert not library.serves(partition_of(4, 4, "5-5-5"))


def test_the_library_of_the_24_puzzle_serves_its_best_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "NAMES", {(5, 5): OF_24})
    best = partition_of(5, 5, "large")
    assert library.serves(best)
    assert len(library.patterns(5, 5)) == len(OF_24)
    divisions = library.divisions(5, 5)
    assert best.sets in divisions
    assert all(library.serves(Partition(5, 5, sets, divisions[0])) for sets in divisions)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"all_solutions": True},
        {"weight": 1.3},
        {"goal": "blank-last"},
        {"bound": 31},
        {"depth": 2},
        pytest.param({"workers": 2}, marks=pytest.mark.thorough),
    ],
    ids=str,
)
def test_solutions_are_optimal_after_the_change(options: dict[str, Any]) -> None:
    distances, changed = rules.distances(3, 3), 0
    for first in scramble(rows=3, columns=3, count=1 if "workers" in options else 3, seed=4):
        board, distance = first, distances[first.tiles]
        if "goal" in options:  # the board turned by 180 degrees
            board = Board(3, 3, tuple(tile and 9 - tile for tile in first.tiles[::-1]), options["goal"])
        found, plain = (solve(board, partition=sets, **options) for sets in (None, TEXTS[0]))
        assert found.moves is not None
        assert rules.solves(found.board, found.moves)
        if "weight" not in options:
            assert (found.length, found.lower_bound, found.proven) == (plain.length, plain.lower_bound, True)
        assert found.lower_bound <= distance <= len(found.moves) <= options.get("weight", 1) * distance
        if options.get("all_solutions"):
            assert found.solutions == plain.solutions
        if "+" in str(found.partition):
            changed += 1
            assert str(found.choice).startswith("two partitions: ")
            assert found.expanded == solve(board, partition=found.partition, **options).expanded
    assert changed
    assert is_library_there()


@pytest.mark.parametrize(
    "options",
    [{"partition": TEXTS[0]}, {"goal": "1 1 2 / 3 4 5 / 6 7 0"}, {"goal": "1 2 3 / 8 0 4 / 7 6 5"}, {"time_limit": 60}],
)
def test_nothing_is_built_where_the_library_does_not_serve_or_time_is_limited(options: dict[str, Any]) -> None:
    tiles = {"1": "7 1 6 / 5 4 2 / 1 3 0", "2": "2 8 1 / 4 6 3 / 7 5 0"}.get(options.get("goal", "   ")[2], str(HARD))
    found = solve(tiles, **options)
    assert (found.proven, found.choice) == (True, None)
    assert not is_library_there()


def test_a_search_goes_on_where_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    open_databases(3, 3)
    monkeypatch.setenv("GPUSOLVE_TABLES_LIMIT", "0.0001")
    found = solve(HARD)
    assert (found.length, found.choice) == (31, None)
    monkeypatch.delenv("GPUSOLVE_TABLES_LIMIT")
    monkeypatch.setattr(catalogue, "free_bytes", lambda: 1 << 20)
    assert solve(HARD, partition=None).choice is None
    assert not is_library_there()


def test_partitions_are_opened_from_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    backend, boards = open_backend("cpu"), np.array(list(rules.distances(3, 3))[::97], np.uint8)
    partition = partition_of(3, 3, f"{TEXTS[1]}+{TEXTS[2]}")
    own = measure(databases_of(partition, backend), boards).heights
    path_of(partition).unlink()
    assert not is_built(partition)
    assert "+" in str(solve(HARD).partition)
    assert is_built(partition)
    assert path_of(partition) == library.path_of(3, 3)
    assert (measure(databases_of(partition, backend), boards).heights == own).all()


def stopped(board: Board, file: Path) -> str:
    """Stop a search at the second bound after its change. Return the partition of its checkpoint."""
    most = 0

    def stop(status: Status) -> None:
        nonlocal most
        if most > len(status.bounds) == 1:
            raise KeyboardInterrupt
        most = max(most, len(status.bounds))

    with pytest.raises(KeyboardInterrupt):
        solve(board, checkpoint=file, progress=stop)
    return str(chosen_before(board, file))


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "removed"])
def test_a_resumed_search_keeps_the_two_partitions(tmp_path: Path, run: Callable[..., Done], kept: bool) -> None:
    whole, file = solve(HARD), tmp_path / "run"
    pair = stopped(HARD, file)
    assert pair == whole.partition
    path = library.path_of(3, 3)
    assert path is not None
    if not kept:
        path.unlink()
    content = file.read_bytes()
    found = solve(HARD, resume=file)
    file.write_bytes(content)
    done = json.loads(run("sliding", "solve", str(HARD), "--resume", str(file), "--json", "--quiet").out)
    for length, partition, bounds in (
        (found.length, found.partition, [bound.expanded for bound in found.bounds]),
        (done["length"], done["partition"], [bound["expanded"] for bound in done["bounds"]]),
    ):
        assert (length, partition, bounds) == (31, pair, [bound.expanded for bound in whole.bounds])


def test_a_search_that_was_stopped_before_the_change_keeps_its_partition(tmp_path: Path) -> None:
    file = tmp_path / "run"
    first = solve(HARD, time_limit=0, checkpoint=file)
    found = solve(HARD, resume=file)
    assert (found.length, found.partition, found.choice) == (31, first.partition, None)


def test_the_command_line_changes_too(run: Callable[..., Done]) -> None:
    done = json.loads(run("sliding", "solve", str(HARD), "--json", "--quiet").out)
    assert (done["length"], done["partition"]) == (31, solve(HARD).partition)
    assert "+" in done["partition"]


def test_a_sample_is_drawn_evenly_from_the_nodes_of_a_bound() -> None:
    databases = open_databases(3, 3, backend=open_backend("cpu"))
    root = open_root(databases, HARD.tiles, databases.automaton(14))
    sample = pairs.draw(root, enough=500, count=50)
    assert 20 <= len(sample.boards) <= 75
    assert pairs.is_kept(databases, sample).all()
    distances = rules.distances(3, 3)
    assert {tuple(board) for board in sample.boards.tolist()} <= distances.keys()
    prefixes = find_prefixes(root.walk, 6)
    reached = pairs.positions(np.array(HARD.tiles, np.uint8), root.walk.beside, prefixes)
    for board, moves, length in zip(reached, prefixes.moves, prefixes.length, strict=True):
        assert rules.replay(HARD, "".join(rules.MOVES[move] for move in moves[:length]))[-1].tiles == tuple(board)
