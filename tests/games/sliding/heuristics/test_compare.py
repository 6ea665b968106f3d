"""``gpusolve sliding compare``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import Board, compare, scramble
from gpusolve.testing.plugin import Done

BOARD = "8 6 7 / 2 5 4 / 3 0 1"
SETS = "1,2,3/4,5,6/7,8"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(autouse=True)
def folder(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tables))


def test_each_heuristic_solves_each_board_with_fewer_nodes() -> None:
    boards = [Board.parse(BOARD), *scramble(rows=3, columns=3, count=2, seed=4)]
    rows = compare(boards, partition=SETS)
    assert [row.heuristic for row in rows] == ["manhattan", "linear-conflict", "walking-distance", "pdb"] * 3
    for board in boards:
        mine = [row for row in rows if row.solution.board == board]
        assert len({len(row.solution.moves or "") for row in mine}) == 1
        assert all(row.solution.proven and row.estimate <= len(row.solution.moves or "") for row in mine)
        assert mine[0].solution.expanded >= mine[1].solution.expanded
        assert [row.partition for row in mine] == [None, None, None, SETS]
    assert [row.solution.expanded for row in rows[:3]] == [7257, 2982, 1239]


def test_a_long_board_has_no_tables_of_lines() -> None:
    assert [row.heuristic for row in compare(scramble(rows=2, columns=5, seed=1), partition="1,2,3/4,5,6/7,8,9")] == [
        "manhattan",
        "pdb",
    ]


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(BadInput, match="no board"):
        compare([])
    with pytest.raises(BadInput, match="5x5, expected a board of at most 16 cells"):
        compare(scramble(rows=5, columns=5, seed=1))
    with pytest.raises(BadInput, match="seconds -1"):
        compare([Board.parse(BOARD)], seconds=-1)
    with pytest.raises(TypeError, match="board: expected Board or Path or str, not int"):
        compare([5])  # type: ignore[list-item]


def test_the_command_prints_a_table(run: Callable[..., Done]) -> None:
    done = run("sliding", "compare", *BOARD.split(), "--partition", SETS, "--device", "cpu", "--quiet")
    lines = done.out.splitlines()
    assert lines[0] == BOARD
    assert [line.split()[:4] for line in lines[3:6]] == [
        ["manhattan", "19", "27", "7,257"],
        ["linear-conflict", "21", "27", "2,982"],
        ["walking-distance", "25", "27", "1,239"],
    ]
    assert lines[-1] == f"pdb: {SETS}"
    assert max(map(len, lines)) <= 70
    done = run("sliding", "compare", BOARD, "1 0 2 3 4 5 6 7 8", "--partition", SETS, "--device", "cpu", "--quiet")
    assert "mean over the boards that were solved" in done.out
    assert max(map(len, done.out.splitlines())) <= 70
    done = run("sliding", "compare", BOARD, "--partition", SETS, "--device", "cpu", "--json")
    rows = json.loads(done.out)["rows"]
    assert (rows[0]["heuristic"], rows[0]["estimate"], rows[0]["length"]) == ("manhattan", 19, 27)


def test_a_search_that_is_stopped_is_shown(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpusolve.games.sliding.search.serial.BUDGET", 100)
    done = run("sliding", "compare", BOARD, "--seconds", "0", "--partition", SETS, "--device", "cpu", "--quiet")
    assert (done.code, done.out.count("stopped")) == (3, 4)


def test_boards_after_one_that_is_stopped_are_compared(
    run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpusolve.games.sliding.search.serial.BUDGET", 100)
    easy = "1 0 2 / 3 4 5 / 6 7 8"
    done = run("sliding", "compare", BOARD, easy, BOARD, "--seconds", "0", "--partition", SETS, "--quiet")
    assert (done.code, done.out.count("stopped")) == (3, 8)
    assert [line for line in done.out.splitlines() if " / " in line] == [BOARD, easy, BOARD]
    means = done.out.partition("mean over the boards that were solved")[2]
    assert [line.split()[:2] for line in means.splitlines()[3:]] == [
        [name, "1"] for name in ("manhattan", "linear-conflict", "walking-distance", "pdb")
    ]


def test_a_page_has_all_boards_and_their_means(run: Callable[..., Done], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("sliding", "compare", BOARD, "1 0 2 3 4 5 6 7 8", "--partition", SETS, "--html", str(page), "--quiet")
    text = page.read_text()
    assert BOARD in text
    assert "1 0 2 / 3 4 5 / 6 7 8" in text
    assert "mean over the boards that were solved" in text


def test_solve_takes_a_heuristic(run: Callable[..., Done]) -> None:
    done = run("sliding", "solve", BOARD, "--heuristic", "walking-distance", "--device", "cpu", "--json", "--quiet")
    assert json.loads(done.out)["expanded"] == 1239
    done = run("sliding", "solve", BOARD, "--heuristic", "manhattan", "--all-solutions", "--device", "cpu", "--quiet")
    assert (done.code, "--all-solutions: expected only with heuristic pdb" in done.err) == (2, True)
