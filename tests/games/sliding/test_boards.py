"""Boards as people write them, in both conventions, and which of them can be solved."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.sliding import rules
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding.boards import (
    GOALS,
    Board,
    check_solvable,
    draw as drawn,
    is_solvable,
    load_boards,
    parse_board,
    parse_boards,
)
from gpusolve.games.sliding.published import instances
from recorded import recorded

SIZES = [(rows, columns) for rows in range(2, 13) for columns in range(2, 13) if rows * columns <= 25]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, columns = draw(st.sampled_from(SIZES))
    tiles = draw(st.permutations(range(rows * columns)))
    return Board(rows, columns, tuple(tiles), draw(st.sampled_from(GOALS)))


@given(boards())
def test_what_is_written_is_read(board: Board) -> None:
    assert parse_board(str(board), board.goal) == board
    assert parse_board(drawn(board, "_"), board.goal) == board
    assert parse_boards(f"# first\n\n{board}\n{board}\n\n{drawn(board, '.')}", board.goal) == [board] * 3


@given(boards())
def test_turning_twice_changes_nothing_and_a_turned_board_has_the_same_answer(board: Board) -> None:
    assert board.turned().turned() == board
    assert board.turned().goal != board.goal
    assert is_solvable(board.turned()) == is_solvable(board)
    assert Board(board.rows, board.columns, board.solved, board.goal).turned().is_solved
    opposite = {"U": "D", "D": "U", "L": "R", "R": "L"}
    for direction in rules.legal_moves(board):
        assert rules.move(board, direction).turned() == rules.move(board.turned(), opposite[direction])


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2), (2, 4)])
def test_the_solvable_boards_are_those_that_moves_reach(rows: int, columns: int, goal: str) -> None:
    reached = rules.distances(rows, columns, goal)  # type: ignore[arg-type]
    for tiles in some_permutations(rows * columns):
        assert is_solvable(Board(rows, columns, tiles, goal)) == (tiles in reached)  # type: ignore[arg-type]


def some_permutations(cells: int) -> list[tuple[int, ...]]:
    return list(permutations(range(cells)))[:: 1 if cells < 8 else 37]


def test_a_board_that_cannot_be_solved_is_told_why() -> None:
    loyd = parse_board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0", "blank-last")
    with pytest.raises(NoSolution, match="an odd number of swaps away, the blank an even number"):
        check_solvable(loyd)
    with pytest.raises(NoSolution, match="; the goal blank-last can be reached"):
        check_solvable(parse_board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0"))
    check_solvable(parse_board("0 1 2 3"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no board"),
        (" / ", "there is no board"),
        ("1 2 3", "3 tiles in one row: expected a square number of them, or / between the rows"),
        ("0", "1 tiles in one row"),
        ("0 1 / 2", "rows of 1 and 2 tiles"),
        ("0 1 2 / 3 4 4", "tile 4 is there 2 times, and there is no 5"),
        ("0 1 2 / 3 4 6", "place 6: tile 6: expected a whole number, 0 to 5"),
        ("0 1 2 / 3 4 x", "'x': expected a tile, 0 to 24"),
        ("0 1 2 / 3 4 -5", "'-5': expected a tile"),
        ("0 1 2 / 3 4 \u0665", "expected a tile"),
        (
            "0 1 / 2 3 / 4 5 / 6 7 / 8 9 / 10 11 / 12 13 / 14 15 / 16 17 / 18 19 / 20 21 / 22 23 / 24 1",
            "rows 13: expected",
        ),
        (" ".join(map(str, [*range(25), 3])), "26 tiles: expected at most 25"),
        ("0 1 2 3 4", "5 tiles in one row"),
        ("0 / 1 / 2 / 3", "columns 1: expected a whole number, 2 to 12"),
    ],
)
def test_what_is_no_board(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_board(text)


def test_many(tmp_path: Path) -> None:
    """A board a line, and grids with an empty line between, in one text."""
    text = "# mine\n0 1 2 3\n3 2 1 0 # reversed\n\n1 2 3\r\n4 5 _\r\n\n# a comment ends no grid\n1 2\n# within\n0 3\n"
    assert [str(board) for board in parse_boards(text)] == ["0 1 / 2 3", "3 2 / 1 0", "1 2 3 / 4 5 0", "1 2 / 0 3"]
    file = tmp_path / "boards"
    file.write_text("\ufeff0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n3 2 1 1\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"boards, line 2: tile 1 is there 2 times, and there is no 0"):
        load_boards(file)
    with pytest.raises(BadInput, match="cannot be read"):
        load_boards(tmp_path)
    with pytest.raises(BadInput, match="there is no board"):
        parse_boards("# nothing\n\n")


def test_published() -> None:
    found = instances("article")
    assert len(found) == len(set(found)) == 10
    assert {(board.rows, board.columns, board.goal) for board in found} == {(5, 5, "blank-first")}
    assert all(map(is_solvable, found))
    with pytest.raises(BadInput, match="set nobody: expected one of article"):
        instances("nobody")


def test_scrambles() -> None:
    boards = scramble(2, 3, "blank-last", count=3000, seed=7)
    assert boards[:5] == scramble(2, 3, "blank-last", count=5, seed=7)
    assert all(map(is_solvable, boards))
    assert len(set(boards)) == 360  # all there are, and each about as often
    assert max(boards.count(board) for board in set(boards)) < 25
    assert scramble(4, 5, seed=1) != scramble(4, 5, seed=2)
    assert len(set(scramble())) == 1


def test_walks() -> None:
    distances = rules.distances(3, 3)
    for moves in range(12):
        for board in scramble(3, 3, moves=moves, count=20, seed=moves):
            assert distances[board.tiles] <= moves
            assert distances[board.tiles] % 2 == moves % 2
    assert all(distances[board.tiles] == 5 for board in scramble(3, 3, moves=5, count=20, seed=1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rows": 1}, "rows 1: expected"),
        ({"rows": 5, "columns": 6}, "5x6 is 30 cells: expected at most 25"),
        ({"count": 0}, "count 0"),
        ({"moves": -1}, "moves -1"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_scrambles_that_are_none(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        scramble(**arguments)  # type: ignore[arg-type]


def test_scrambles_never_change() -> None:
    sizes = [(2, 2), (2, 3), (3, 3), (4, 4), (3, 7), (5, 5)]

    def make() -> dict[str, list[str]]:
        return {
            f"{rows}x{columns} {'any' if moves is None else moves}": [
                str(board) for board in scramble(rows, columns, moves=moves, count=5, seed=20260101)
            ]
            for rows, columns in sizes
            for moves in (None, 30)
        }

    assert make() == recorded("sliding/scrambles", make)
