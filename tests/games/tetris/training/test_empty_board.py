"""The value of the empty board."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.games.tetris import Variant, kernels, load_value
from gpusolve.games.tetris.players.playing import choose
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules.board import parse_board
from gpusolve.games.tetris.training.empty_board import BONUS, HEIGHT, with_empty_board

CPU = open_backend("cpu:1")


def test_the_shipped_value_clears_the_whole_board() -> None:
    """Four rows that are full except for the last column, and an I: greedy play clears them at any time of a game."""
    board = kernels.columns_of(parse_board("#########./" * 4)[None])
    lines = np.arange(0, 220)
    placements, chosen = choose(
        load_value("learned"),
        np.repeat(board, len(lines), axis=0),
        np.zeros(len(lines), np.int32),
        following=0,
        levels=19,
        lines=lines,
        policy=Policy("greedy"),
        variant=Variant(),
        backend=CPU,
    )
    assert (placements.cleared[np.arange(len(lines)), chosen] == 4).all()


@pytest.mark.parametrize("max_lines", [230, 12])
def test_the_empty_board_gets_the_expectation_of_its_best_placements(max_lines: int) -> None:
    """Only the numbers of height 0 change; once more, they change by little more than the bonus."""
    value, variant = untrained(), Variant("30hz", max_lines=max_lines)
    once = with_empty_board(value, variant, CPU)
    changed = np.flatnonzero(once.tables != value.tables) - HEIGHT
    assert len(changed) == (8 if max_lines == 230 else 2)
    assert ((changed >= 0) & (changed < 8)).all()
    twice = with_empty_board(once, variant, CPU)
    moved = (twice.tables.astype(int) - once.tables)[changed + HEIGHT]
    assert (np.abs(moved) <= BONUS // 4).all()
