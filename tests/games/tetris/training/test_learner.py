"""The tables of a value while it learns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from games.tetris.oracle import some_value
from gpusolve.backend import open_backend
from gpusolve.fields import Fields
from gpusolve.games.tetris import Variant
from gpusolve.games.tetris.players.judging import greedy
from gpusolve.games.tetris.players.turns import Round
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules.losses import SIZE
from gpusolve.games.tetris.training.extension import extended
from gpusolve.games.tetris.training.learner import FIRST_TRUST, TRUST, Learner
from gpusolve.games.tetris.training.lessons import play_lessons

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)
LONG = Variant("30hz", "nes", start_level=18, max_lines=430, double_killscreen=True)


def test_the_error_falls_if_the_same_games_are_learnt_from_again() -> None:
    learner = Learner(untrained(), SHORT, Fields("checkpoint"))
    judge, state = learner.value.judge(CPU, SHORT), Round(CPU, range(20), seed=5, variant=SHORT)
    lessons, results = play_lessons(judge, state, greedy(judge))
    assert (results[:, 2] > 0).all()
    errors = [learner.learn(lessons, trace=0.9, rate=0.1, share=0.4) for _ in range(6)]
    assert errors[-1] < 0.9 * errors[0]


def test_numbers_that_were_trained_before_change_little() -> None:
    """The same lesson moves the numbers of an untrained value further than those that it trusts."""
    moves = []
    for start in (untrained(), some_value(2)):
        learner = Learner(start, SHORT, Fields("checkpoint"))
        before = learner.weights.copy()
        judge, state = learner.value.judge(CPU, SHORT), Round(CPU, range(4), seed=5, variant=SHORT)
        lessons, _ = play_lessons(judge, state, greedy(judge))
        errors = learner.learn(lessons, trace=0.4, rate=1, share=0.4)
        moves.append(np.abs(learner.weights - before).max() / errors)
    assert moves[1] < moves[0] / 4


def test_the_first_phase_of_several_trusts_its_numbers_more() -> None:
    learner = Learner(extended(some_value(2), LONG, 3, CPU), LONG, Fields("checkpoint"))
    first, second, third = (learner.travel[phase * SIZE :][:SIZE].max() for phase in range(3))
    assert (first, second, third) == (FIRST_TRUST, TRUST, TRUST)
    slow = replace(LONG, reach="10hz")  # the start was not trained for it
    assert Learner(extended(some_value(2), slow, 3, CPU), slow, Fields("checkpoint")).travel.max() == TRUST
