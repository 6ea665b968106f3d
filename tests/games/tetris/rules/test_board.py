"""Pieces, boards and points compared with published facts."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules.board import (
    PIECES,
    SPAWN,
    Board,
    board_text,
    cells_of,
    parse_board,
    parse_piece,
    points,
    rotated,
    spawn_state,
)


def parsed(text: str) -> Board:
    return parse_board("\n".join(line.strip() for line in text.strip().splitlines()))


def test_pieces_spawn_on_the_published_cells() -> None:
    for piece, name in enumerate(PIECES):
        assert sorted(cells_of(piece, spawn_state(piece))) == sorted(SPAWN[name])


def test_an_upright_i_stands_in_the_third_column_of_its_box() -> None:
    upright = rotated(PIECES.index("I"), spawn_state(0), 1)
    assert cells_of(0, upright) == ((0, 5), (1, 5), (2, 5), (3, 5))


def test_a_turn_and_its_reverse_cancel_out() -> None:
    for piece in range(7):
        state = spawn_state(piece)
        for turns in (1, -1):
            after = rotated(piece, rotated(piece, state, turns), -turns)
            assert after == state


@pytest.mark.parametrize(("start", "most"), [(19, 1_542_000), (18, 1_503_600)])
def test_the_highest_score_of_230_lines_is_the_published_one(start: int, most: int) -> None:
    assert sum(points(4, lines, start) for lines in range(4, 233, 4)) == most


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0 rows"),
        ("." * 9, "line 1: 9 cells, expected 10"),
        ("..........\n" * 23, "23 rows: expected 1 to 22"),
        (".....?....", "line 1: '\\?'"),
        ("..........\n##########", "line 2: a full row"),
        ("f f f f f f f f f f", "row 1 from the bottom: full"),
        ("f f f f f f f f f", "line 1: 9 cells"),
        ("800000 0 0 0 0 0 0 0 0 0", "column 1: 800000, expected at most 22 bits"),
        ("0" * 199, "line 1: 199 cells"),
        ("0" * 230, "23 rows"),
        (".........w", "line 1: 'w'"),
    ],
)
def test_texts_that_are_no_board_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_board(text)


def test_a_drawn_board_can_be_parsed_again() -> None:
    drawn = parsed("#.........\n.#########")
    assert np.array_equal(parse_board(board_text(drawn)), drawn)
    with pytest.raises(BadInput, match="expected one of I L J T Z S O"):
        parse_piece("X")


BOARD = parsed("#.........\n.#.######.\n#########.")


@pytest.mark.parametrize(
    "text",
    [
        "#........./.#.######./#########.",
        "1000000000\n0101111110\n1111111110\n",
        "1000000000/0101111110/1111111110",
        "xoooooooo".replace("o", "_") + "-/_X_XXXXXX_/XXXXXXXXX_",
        "|#.........|\n|.#.######.|\n|#########.|",
        "1 0 0 0 0 0 0 0 0 0\n0 1 0 1 1 1 1 1 1 0\n1 1 1 1 1 1 1 1 1 0",
        "1,0,0,0,0,0,0,0,0,0\r\n0,1,0,1,1,1,1,1,1,0\r\n1,1,1,1,1,1,1,1,1,0\r\n",
        "100000000001011111101111111110",
        "0" * 170 + "3000000000" + "0102121210" + "1233322110",
        "0" * 190 + "1000000000" + "0101111110" + "1111111110",
        "5 3 1 3 3 3 3 3 3 0",
        "0x5,0x3,0x1,0x3,0x3,0x3,0x3,0x3,0x3,0x0",
        "00005 00003 00001 00003 00003 00003 00003 00003 00003 00000",
    ],
)
def test_every_notation_is_read(text: str) -> None:
    assert np.array_equal(parse_board(text), BOARD)


def test_a_single_row_is_the_lowest_one() -> None:
    for text in ("#########.", "1111111110", "1 1 1 1 1 1 1 1 1 0"):
        assert np.array_equal(parse_board(text), parsed("#########."))


def test_columns_reach_all_22_rows() -> None:
    board = parse_board("3fffff " + "0 " * 9)
    assert (board[:, 0].sum(), board.sum()) == (22, 22)
    assert parse_board("200000 " + "0 " * 9)[0, 0] == 1
