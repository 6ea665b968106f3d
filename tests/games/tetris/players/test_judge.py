"""What a tree's judge promises to the search."""

from __future__ import annotations

import numpy as np

from gpusolve.backend import Backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players.judge import with_each_piece
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.players.weights_judge import WeightsTreeJudge
from gpusolve.games.tetris.rules.board import parse_board
from gpusolve.games.tetris.variant import Variant

PILES = [
    "#########.\n" * 3,
    "#########.\n" * 4,
    "##.#.#.##.\n" * 8,
    "#.#.#.#.#.\n" * 18,
    "#########.\n.#########\n" * 11,
]


def test_an_expected_leaf_is_the_sum_of_the_leaves_of_all_pieces(backend: Backend) -> None:
    judge = WeightsTreeJudge(backend, load_weights("published").values, Variant())
    boards = backend.asarray(kernels.columns_of([parse_board(pile) for pile in PILES]))
    levels, accounts = backend.asarray(np.full(5, 19, np.int32)), backend.asarray(np.arange(5))
    previous, chances = np.array([0, 3, 5, 6, 2], np.int32), np.arange(1, 50).reshape(7, 7)
    boards_7, pieces, levels_7, accounts_7 = with_each_piece(backend, boards, levels, accounts)
    leaves = backend.to_host(judge.leaf(boards_7, pieces, levels=levels_7, accounts=accounts_7)).reshape(5, 7)
    expected = judge.expected_leaf(
        boards,
        previous=backend.asarray(previous),
        levels=levels,
        accounts=accounts,
        chances=backend.asarray(chances),
    )
    assert backend.to_host(expected).tolist() == (leaves * chances[previous]).sum(axis=1).tolist()
