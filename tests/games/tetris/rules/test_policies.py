"""The simple players on recorded boards and in recorded games."""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.tetris import oracle
from games.tetris.oracle import EMPTY, FIXED
from gpusolve.games.tetris.rules import features, policies, reachability
from gpusolve.games.tetris.rules.board import (
    cells_of,
    place,
)


def test_recorded_boards_are_reproduced() -> None:
    for number, case in enumerate(oracle.cases()):
        states = {cells_of(case.piece, state): state for state in reachability.placements(case.board, case.piece)}
        assert states.keys() == case.moves.keys()
        for cells, state in states.items():
            after, cleared, lowest = place(case.board, case.piece, state)
            values = features.features(after, cleared, lowest)
            assert (values, features.value(FIXED, case.board, case.piece, state), cleared) == case.moves[cells]
        best = policies.greedy(FIXED, case.board, case.piece)
        assert best is not None
        assert cells_of(case.piece, best) == case.greedy
        if number % 4 == 0:  # a second each
            best = policies.two_piece(FIXED, case.board, case.piece, case.following)
            assert best is not None
            assert cells_of(case.piece, best) == case.two_piece


@pytest.mark.parametrize("key", [oracle.GREEDY[0], oracle.GREEDY[-1], oracle.SEEDS[0]])
def test_recorded_games_are_reproduced(key: oracle.Key) -> None:
    turns = policies.play(FIXED, **key._replace(max_lines=1)._asdict())
    assert turns == oracle.games()[key][: len(turns)]


@pytest.mark.parametrize("key", oracle.TWO_PIECE)
def test_recorded_two_piece_games_are_reproduced(key: oracle.Key) -> None:
    board, turns = EMPTY, oracle.games()[key]
    for turn, following in pairwise(turns[:3]):
        choice = policies.two_piece(FIXED, board, turn.piece, following.piece, reach=key.reach, level=key.start_level)
        assert choice == turn.state
        board, _, _ = place(board, turn.piece, turn.state)
