"""A board chooses among partitions by its first bounds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.games.sliding import Board, open_databases, rules, scramble, solve
from gpusolve.games.sliding.databases import choice
from gpusolve.games.sliding.databases.catalogue import partition_for, path_of
from gpusolve.games.sliding.drawing import solution as drawn
from gpusolve.output.parts import Line
from gpusolve.runs import store
from gpusolve.testing.plugin import Done

TWO = ("1,3,6,8/2,4,5,7", "1,2,3,4/5,6,7,8")


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path))
    monkeypatch.setattr(choice, "ALTERNATIVES", {(3, 3): TWO})
    monkeypatch.setattr(choice, "EARLY", 50)


def test_the_better_of_the_partitions_that_are_built_is_taken(tmp_path: Path) -> None:
    boards, distances = scramble(rows=3, columns=3, count=6, seed=2), rules.distances(3, 3)
    assert not choice.alternatives(boards[0])
    assert solve(boards[0]).choice is None
    for text in TWO:
        open_databases(3, 3, partition=text)
    assert choice.alternatives(boards[0]) == TWO
    chosen = set()
    for board in boards:
        found = solve(board)
        assert (found.length, found.proven) == (distances[board.tiles], True)
        assert found.partition in TWO
        assert found.choice is not None
        assert found.choice.startswith(f"{found.partition}: within ")
        assert Line(found.choice) in list(drawn(found))
        assert found.expanded == solve(board, partition=found.partition).expanded
        assert solve(board, partition=TWO[0]).choice is None
        chosen.add(found.partition)
    assert chosen == {TWO[1]}


def keep_run(tmp_path: Path) -> tuple[Board, Path]:
    """Return a board that has chosen its partition, and the checkpoint of its search."""
    for text in TWO:
        open_databases(3, 3, partition=text)
    (board,), file = scramble(rows=3, columns=3, count=1, seed=2), tmp_path / "run"
    stopped = solve(board, time_limit=0, checkpoint=file)
    assert (stopped.moves, stopped.partition) == (None, TWO[1])
    return board, file


def test_a_resumed_search_keeps_its_choice(tmp_path: Path) -> None:
    board, file = keep_run(tmp_path)
    found = solve(board, resume=file)
    assert (found.length, found.partition) == (rules.distances(3, 3)[board.tiles], TWO[1])


@pytest.mark.parametrize("name", TWO)
def test_a_resumed_search_keeps_its_choice_though_a_table_was_removed(
    tmp_path: Path, run: Callable[..., Done], name: str
) -> None:
    board, file = keep_run(tmp_path)
    store.remove(path_of(partition_for(board, name)))
    done = json.loads(run("sliding", "solve", str(board), "--resume", str(file), "--json", "--quiet").out)
    assert (done["length"], done["proven"]) == (rules.distances(3, 3)[board.tiles], True)
    assert done["partition"] == TWO[1]
