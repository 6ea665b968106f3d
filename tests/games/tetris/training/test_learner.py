"""The tables of a value while it learns."""

from __future__ import annotations

from gpusolve.backend import open_backend
from gpusolve.fields import Fields
from gpusolve.games.tetris import Variant
from gpusolve.games.tetris.players.judging import greedy
from gpusolve.games.tetris.players.turns import Round
from gpusolve.games.tetris.training.learner import Learner
from gpusolve.games.tetris.training.lessons import play_lessons

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)


def test_the_error_falls_if_the_same_games_are_learnt_from_again() -> None:
    learner = Learner(Fields("checkpoint"))
    judge, state = learner.value.judge(CPU, SHORT), Round(CPU, range(20), seed=5, variant=SHORT)
    lessons, results = play_lessons(judge, state, greedy(judge))
    assert (results[:, 2] > 0).all()
    errors = [learner.learn(lessons, trace=0.9, rate=0.1, share=0.4, variant=SHORT) for _ in range(6)]
    assert errors[-1] < 0.9 * errors[0]
