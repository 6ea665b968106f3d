"""The notations in which people write boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import Board, load_boards, parse_moves
from gpusolve.games.sliding.boards import check_solvable

FOUR = Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15")
THREE = Board.parse("1 2 3 / 4 0 5 / 7 8 6")


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("1234/5678/9abc/de0f", FOUR),
        ("1234/5678/9ABC/DE_F", FOUR),
        ("4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,0,15", FOUR),
        ("4 4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15", FOUR),
        ("[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 0, 15]]", FOUR),
        ("[[ 1  2  3  4]\n [ 5  6  7  8]\n [ 9 10 11 12]\n [13 14  0 15]]", FOUR),
        ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15 57", FOUR),  # the length of a solution
        ("7 1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15 57", FOUR),  # an index as well
        ("3\n 1 2 3\n 4 0 5\n 7 8 6\n", THREE),  # Princeton
        ("# This puzzle is solvable\n3\n1 2 3 # first\n4 0 5\n7 8 6\n", THREE),  # 42
        ("3\n\n1 2 3\n4 0 5\n7 8 6", THREE),
        ("3 3\n123\n405\n786", THREE),
        ("3x3 1 2 3 4 0 5 7 8 6", THREE),
        ("123/4x5/786", THREE),
        ("1 2 3 / 4 x 5 / 7 8 6", THREE),
        ("1 2 3 / 4 * 5 / 7 8 6", THREE),
        ("1,2,3/4,,5/7,8,6", THREE),
        ("1,2,3\n4,,5\n7,8,6", THREE),
        ("[1, 2, 3, 4, null, 5, 7, 8, 6]", THREE),
        ("Puzzle 12\n1 2 3\n4 . 5\n7 8 6\n", THREE),
        ("easy: 1 2 3 / 4 0 5 / 7 8 6", THREE),
        ("1 2 3 / 4 0 5 / 7 8 6 // two moves", THREE),
    ],
)
def test_a_board_is_read_in_many_notations(text: str, board: Board, tmp_path: Path) -> None:
    assert load_boards(text) == [board]
    file = tmp_path / "board.txt"
    file.write_text(text, encoding="utf-8")
    assert load_boards(file) == [board]


def test_a_file_has_titles_comments_and_boards_of_several_sizes() -> None:
    text = "My boards\n\nFirst:\n123\n405\n786\n\n# comment\nSecond board\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15 57\n"
    assert load_boards(text) == [THREE, FOUR]
    assert load_boards("[[[1,2,3],[4,0,5],[7,8,6]], [[1,2,3],[4,0,5],[7,8,6]]]") == [THREE, THREE]
    assert load_boards(["1234/5678/9abc/de0f", "123/405/786"]) == [FOUR, THREE]
    assert load_boards([*"123405786"]) == [THREE]


@pytest.mark.parametrize(
    "text", ["RATE/YOUR/MIND/PLA_", "RATE\nYOUR\nMIND\nPLA_", "R A T E / Y O U R / M I N D / P L A *"]
)
def test_letters_stand_for_tiles(text: str) -> None:
    board = Board.parse(text, goal="RATE/YOUR/MIND/PAL_")
    assert str(board) == "R A T E / Y O U R / M I N D / P L A _"
    assert (board.letters, board.named(board.tiles[0])) == ("ADEILMNOPRTUY", "R")
    assert board.solved.count(10) == 2  # R
    check_solvable(board)  # two letters are alike, so both parities can be had
    assert Board.parse(str(board), goal=board.goal) == board


def test_tiles_can_be_alike() -> None:
    board = Board.parse("1 1 1 / 2 0 2 / 3 3 2")
    assert board.solved == (0, 1, 1, 1, 2, 2, 2, 3, 3)
    assert Board.parse("1 2 3 / 4 5 6 / 8 8 0", goal="1 2 3 / 4 5 6 / 8 0 8").layout.alike != ()
    with pytest.raises(BadInput, match="tile 8 appears 2 times, and 7 is missing"):
        Board.parse("1 2 3 / 4 5 6 / 8 8 0")  # a slip, unless the goal has two tiles 8 as well


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "hello: not a board, and there is no file of this name"),
        ("solve me", "solve me: not a board"),
        ("foo/bar", "foo/bar: not a board"),
        ("4x4:1,2,3", "3 tiles: expected 16 for 4x4"),
        ("3 3\n1 2 0\n3 4 5", "rows of 2 and 3 tiles|tiles"),
        ("[[1, 2], 3]", "no board"),
        ("[[1, 2", "expected a list of rows"),
        ("[]", "no board"),
        ('{"boards": [[[1, 2], [3, 0]]]}', "a JSON object: expected a list of rows"),
        ("1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 7 8 8", "line 2: tile 8 appears 2 times, and 0 is missing"),
        ("boards.txt", "boards boards.txt: cannot be read: No such file"),
    ],
)
def test_what_is_not_a_board_is_called_so(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        load_boards(text)


@pytest.mark.parametrize(
    "goal", ["", " ", "blank", "1 2 3", "1 2 3 / 4 5 6 / 7 8 9", "1 1 2 / 3 4 5 / 6 7 0", "1 2 / 3 0"]
)
def test_what_is_not_a_goal(goal: str) -> None:
    with pytest.raises(BadInput, match="goal"):
        Board.parse("1 2 3 / 4 0 5 / 7 8 6", goal=goal)


@pytest.mark.parametrize(
    "moves", ["RRDLL", "R2 D L2", "r2d1l2", "\u2192\u2192\u2193\u2190\u2190", "1 2 5 4 3", "R, R; D L L"]
)
def test_moves_are_read_in_many_notations(moves: str) -> None:
    assert parse_moves("0 1 2 / 3 4 5", moves) == "RRDLL"


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("R3", "move 3, R: the blank is at the edge"),
        ("R0 D", "move 1, 'R0': expected U, D, L, R, or a tile"),
        ("R00", "move 1, 'R00'"),
        ("R2 D Q", "move 4, 'Q'"),
        ("R2x", "move 1, 'R2x'"),
        ("2R", "move 1, '2R'"),
        ("R-1", "move 1, 'R-1'"),
    ],
)
def test_text_that_is_not_moves(moves: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_moves("0 1 2 / 3 4 5", moves)


def test_a_number_that_several_tiles_have_is_no_move() -> None:
    with pytest.raises(BadInput, match="move 1: several tiles 1 are beside the blank: expected U, D, L or R"):
        parse_moves(Board.parse("0 1 / 1 2", goal="1 1 / 2 0"), "1")
