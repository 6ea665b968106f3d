"""The tables of a value while it learns."""

from __future__ import annotations

import numpy as np

from games.tetris.oracle import some_value
from gpusolve.backend import open_backend
from gpusolve.fields import Fields
from gpusolve.games.tetris import Variant
from gpusolve.games.tetris.players.judge import greedy
from gpusolve.games.tetris.players.turns import Round
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules.losses import READY, SIZE
from gpusolve.games.tetris.training.episodes import play_episodes
from gpusolve.games.tetris.training.extension import extended
from gpusolve.games.tetris.training.learner import Learner

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)
LONG = Variant("30hz", "nes", start_level=18, max_lines=430, double_killscreen=True)


def test_the_error_falls_if_the_same_games_are_learnt_from_again() -> None:
    learner = Learner(untrained(), SHORT, Fields("checkpoint"))
    judge, state = learner.value.judge(CPU, SHORT), Round(CPU, range(20), seed=5, variant=SHORT)
    episodes, results = play_episodes(judge, state, greedy(judge))
    assert (results[:, 2] > 0).all()
    errors = [learner.learn(episodes, trace=0.9, rate=0.1, share=0.4) for _ in range(6)]
    assert errors[-1] < 0.9 * errors[0]


def test_numbers_that_were_trained_before_change_little() -> None:
    """The same lesson moves the numbers of an untrained value further than those that it trusts."""
    moves = []
    for start in (untrained(), some_value(2)):
        learner = Learner(start, SHORT, Fields("checkpoint"))
        before = learner.weights.copy()
        judge, state = learner.value.judge(CPU, SHORT), Round(CPU, range(4), seed=5, variant=SHORT)
        episodes, _ = play_episodes(judge, state, greedy(judge))
        errors = learner.learn(episodes, trace=0.4, rate=1, share=0.4)
        moves.append(np.abs(learner.weights - before).max() / errors)
    assert moves[1] < moves[0] / 4


def test_the_first_phase_of_several_keeps_its_numbers() -> None:
    """Its lines to come move together, with those where the second phase begins."""
    learner = Learner(extended(some_value(2), LONG, (0, 29, 39), CPU), LONG, Fields("checkpoint"))
    weights, endgame = learner.weights.copy(), learner.endgame.reshape(-1, READY).copy()
    judge = learner.value.judge(CPU, LONG)
    state = Round(CPU, range(4), seed=5, variant=LONG, lines=np.array([225, 225, 230, 230], np.int32))
    episodes, _ = play_episodes(judge, state, greedy(judge))
    assert (episodes.lines < 230).any()
    assert (episodes.lines >= 230).any()
    learner.learn(episodes, trace=0.4, rate=1, share=0.4)
    assert (learner.weights[:SIZE] == weights[:SIZE]).all()
    assert (learner.weights[SIZE:] != weights[SIZE:]).any()
    moved = learner.endgame.reshape(-1, READY) - endgame
    assert abs(moved[200, 0]) > 1
    assert np.allclose(moved[200:, 0], moved[200, 0], atol=0.5)
