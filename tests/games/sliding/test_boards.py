"""Reading boards, both conventions of the goal, and which boards can be solved."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.sliding import rules
from gpusolve.games.sliding.boards import USUAL, Board, check_solvable, is_solvable, load_boards
from gpusolve.games.sliding.drawing import drawn

SIZES = [(rows, columns) for rows in range(2, 13) for columns in range(2, 13) if rows * columns <= 25]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, columns = draw(st.sampled_from(SIZES))
    tiles = draw(st.permutations(range(rows * columns)))
    return Board(rows, columns, tuple(tiles), draw(st.sampled_from(USUAL)))


@given(boards())
def test_a_board_that_was_written_is_read_again(board: Board) -> None:
    assert Board.parse(str(board), goal=board.goal) == board
    assert Board.parse(drawn(board, blank="_"), goal=board.goal) == board
    text = f"# first\n\n{board}\n{board}\n\n{drawn(board, blank='.')}"
    assert load_boards(text, goal=board.goal) == [board] * 3


@given(boards())
def test_turning_a_board_twice_changes_nothing_and_turning_it_once_keeps_its_solutions(board: Board) -> None:
    assert board.turned().turned() == board
    assert board.turned().goal != board.goal
    assert is_solvable(board.turned()) == is_solvable(board)
    assert Board(board.rows, board.columns, board.solved, board.goal).turned().is_solved
    opposite = {"U": "D", "D": "U", "L": "R", "R": "L"}
    for direction in rules.legal_moves(board):
        assert rules.move(board, direction).turned() == rules.move(board.turned(), opposite[direction])


def test_a_digit_for_each_tile_is_enough_up_to_sixteen_cells() -> None:
    assert Board.parse("867254301") == Board.parse("8 6 7 / 2 5 4 / 3 0 1")
    assert Board.parse("FEDCba9876543210").tiles == tuple(range(15, -1, -1))
    for wrong in ("867254311", "86725430", "fedcba987654321g"):
        with pytest.raises(BadInput):
            Board.parse(wrong)


@pytest.mark.parametrize("goal", USUAL)
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2), (2, 4)])
def test_a_board_is_solvable_if_moves_from_the_goal_reach_it(rows: int, columns: int, goal: str) -> None:
    reached = rules.distances(rows, columns, goal=goal)
    for tiles in every_few_permutations(rows * columns):
        assert is_solvable(Board(rows, columns, tiles, goal)) == (tiles in reached)


def every_few_permutations(cells: int) -> list[tuple[int, ...]]:
    return list(permutations(range(cells)))[:: 1 if cells < 8 else 37]


def test_the_error_for_an_unsolvable_board_says_why() -> None:
    loyd = Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0", goal="blank-last")
    with pytest.raises(
        NoSolution, match="an odd number of swaps, but the blank is an even number of steps from its cell"
    ):
        check_solvable(loyd)
    with pytest.raises(NoSolution, match="; the goal blank-last can be reached"):
        check_solvable(Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0", goal="blank-first"))
    check_solvable(Board.parse("0 1 2 3"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no board: expected tiles"),
        (" / ", "no board: expected tiles"),
        ("\x0c\n", "no board: expected tiles"),
        ("1 2 3", "3 tiles in one row: expected a square number of tiles, or / between the rows"),
        ("0", "1 tile in one row"),
        ("0 1 / 2", "rows of 1 and 2 tiles"),
        ("0 1 2 / 3 4 4", "tile 4 appears 2 times, and 5 is missing"),
        ("0 1 2 / 3 4 6", "position 6: tile 6: expected a whole number, 0 to 5"),
        ("0 1 2 / 3 4 x", "'x': expected a tile, 0 to 48"),
        ("0 1 2 / 3 4 -5", "'-5': expected a tile"),
        ("0 1 2 / 3 4 \u0665", "expected a tile"),
        (
            "0 1 / 2 3 / 4 5 / 6 7 / 8 9 / 10 11 / 12 13 / 14 15 / 16 17 / 18 19 / 20 21 / 22 23 / 24 1",
            "rows 13: expected",
        ),
        (" ".join(map(str, range(27))), "27 tiles in one row: expected a square number of tiles"),
        ("0 1 2 3 3 4", "6 tiles in one row"),
        ("0 / 1 / 2 / 3", "columns 1: expected a whole number, 2 to 12"),
    ],
)
def test_text_that_is_not_a_board(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Board.parse(text)


def test_boards_on_lines_and_in_grids_are_read_from_one_text(tmp_path: Path) -> None:
    text = "# mine\n0 1 2 3\n3 2 1 0 # reversed\n\n1 2 3\r\n4 5 _\r\n\n# a comment ends no grid\n1 2\n# within\n0 3\n"
    assert [str(board) for board in load_boards(text)] == ["0 1 / 2 3", "3 2 / 1 0", "1 2 3 / 4 5 0", "1 2 / 0 3"]
    file = tmp_path / "boards"
    file.write_text("\ufeff0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n3 2 1 1\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"boards: line 2: tile 1 appears 2 times, and 0 is missing"):
        load_boards(file)
    with pytest.raises(BadInput, match="cannot be read"):
        load_boards(tmp_path)
    with pytest.raises(BadInput, match="no board: expected tiles"):
        load_boards("# nothing\n\n")


def test_a_board_is_read_from_text_a_file_and_several_texts(tmp_path: Path) -> None:
    board = Board(3, 3, (8, 6, 7, 2, 5, 4, 3, 0, 1))
    file = tmp_path / "board"
    file.write_text(f"{board}\n")
    rows = ["8,6,7", "2,5,4", "3,0,1"]
    for written in (board, str(board), "867254301", file, str(file), [*"867254301"], rows):
        assert Board.parse(written) == board
        assert rules.replay(written, "U")[-1].blank == 4
        assert rules.tiles_moved(written, "U") == [5]
        assert rules.parse_moves(written, "5") == "U"
    with pytest.raises(BadInput, match="goal blank-last: expected blank-first, the goal of the board"):
        Board.parse(board, goal="blank-last")
    file.write_text(f"{board}\n{board}\n")
    with pytest.raises(BadInput, match=f"{file}: 2 boards: expected one"):
        Board.parse(file)
    with pytest.raises(BadInput, match=r"^2 boards: expected one"):
        Board.parse(f"{board}\n{board}")


def test_rows_can_be_separated_by_semicolons() -> None:
    assert Board.parse("8 6 7; 2 5 4; 3 0 1;\n") == Board.parse("8 6 7 / 2 5 4 / 3 0 1")


def test_a_number_before_the_tiles_is_an_index() -> None:
    first = Board.parse("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")
    for index in ("1", "3", "100", "1:", "12."):
        assert Board.parse(f"{index} {first}".replace(" /", "")) == first
        assert Board.parse(f"{index} {first}") == first
    assert load_boards("1 0 1 2 3\n2 3 2 1 0\n") == load_boards("0 1 2 3\n3 2 1 0")
    for text in ("1 0 1 2 2", "1 2 0 1 2 3", "-1 0 1 2 3", "x 0 1 2 3"):
        with pytest.raises(BadInput):
            Board.parse(text)


@given(boards())
def test_the_goal_is_the_one_that_can_be_reached(board: Board) -> None:
    first, last = (Board(board.rows, board.columns, board.tiles, goal) for goal in USUAL)
    guessed = Board.parse(str(board), goal=None)
    assert guessed == (last if is_solvable(last) and not is_solvable(first) else first)
    assert load_boards(str(board), goal=None) == [guessed]
