"""The boards that a value learns from."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpusolve.backend import open_backend
from gpusolve.fields import Fields
from gpusolve.games.tetris import Variant, kernels
from gpusolve.games.tetris.players.turns import Now, Round
from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.rules.board import place
from gpusolve.games.tetris.rules.losses import stakes
from gpusolve.games.tetris.training.learner import Learner
from gpusolve.games.tetris.training.lessons import beginner, play_lessons

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)


def test_lessons_are_the_boards_of_the_games() -> None:
    """The rules replay the games: each board, its lines, and the loss with the next placement or without one."""
    at_stake = stakes(SHORT.start_level, SHORT.max_lines)
    learner = Learner(Fields("checkpoint"))
    judge, made = learner.value.judge(CPU, SHORT), []
    player = beginner(judge, np.random.default_rng(1))

    def choose(now: Now) -> Any:
        placements, chosen = player(now)
        made.append((placements.counts.copy(), placements.placements[np.arange(len(chosen)), chosen]))
        return placements, chosen

    lessons, results = play_lessons(judge, Round(CPU, range(1), seed=5, variant=SHORT), choose)
    board, lines, expected, costs = np.zeros((22, 10), np.uint8), 0, [], []
    for (counts, placements), piece in zip(made, sources.pieces(5, 0, "nes"), strict=False):
        cleared = 0
        if counts[0]:
            board, cleared, _ = place(board, piece, kernels.state_of(piece, int(placements[0])))
        costs.append(int(at_stake.lost[lines, cleared]) if counts[0] else int(at_stake.future[lines]))
        lines += cleared
        if counts[0] and lines < SHORT.max_lines:
            expected.append((board, lines))
    assert lines == results[0, 1]
    assert (kernels.columns_of([board for board, _ in expected]) == lessons.boards).all()
    assert lessons.lines.tolist() == [lines for _, lines in expected]
    assert lessons.costs.tolist() == costs[1:]
    assert lessons.ends.tolist() == [len(expected)]
