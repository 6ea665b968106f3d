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
