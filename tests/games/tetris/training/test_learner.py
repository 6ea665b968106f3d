"""The tables of a value while it learns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from games.tetris.oracle import some_value
from gpusolve.backend import open_backend
from gpusolve.fields import Fields
from gpusolve.games.tetris import Variant
from gpusolve.games.tetris.cpu.learning import describe
from gpusolve.games.tetris.cpu.losses import PLACES, PRIOR
from gpusolve.games.tetris.players.judging import greedy
from gpusolve.games.tetris.players.turns import Round
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules.losses import BEGINS, SIZE, TABLES
from gpusolve.games.tetris.training.extension import extended
from gpusolve.games.tetris.training.learner import FIRST_TRUST, TRUST, Learner
from gpusolve.games.tetris.training.lessons import Lessons, play_lessons

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)
LONG = Variant("30hz", "nes", start_level=18, max_lines=430, double_killscreen=True)
FIRST_HEIGHT = BEGINS[list(TABLES).index("height")]
LAST_HEIGHT = FIRST_HEIGHT + TABLES["height"]


def test_the_error_falls_if_the_same_games_are_learnt_from_again() -> None:
    learner = Learner(untrained(), SHORT, Fields("checkpoint"))
    judge, state = learner.value.judge(CPU, SHORT), Round(CPU, range(20), seed=5, variant=SHORT)
    lessons, results = play_lessons(judge, state, greedy(judge))
    assert (results[:, 2] > 0).all()
    errors = [learner.learn(lessons, trace=0.9, rate=0.1, share=0.4, relative=False) for _ in range(6)]
    assert errors[-1] < 0.9 * errors[0]


def test_numbers_that_were_trained_before_change_little() -> None:
    """The same lesson moves the numbers of an untrained value further than those that it trusts."""
    moves = []
    for start in (untrained(), some_value(2)):
        learner = Learner(start, SHORT, Fields("checkpoint"))
        before = learner.weights.copy()
        judge, state = learner.value.judge(CPU, SHORT), Round(CPU, range(4), seed=5, variant=SHORT)
        lessons, _ = play_lessons(judge, state, greedy(judge))
        errors = learner.learn(lessons, trace=0.4, rate=1, share=0.4, relative=False)
        moves.append(np.abs(learner.weights - before).max() / errors)
    assert moves[1] < moves[0] / 4


def test_the_first_phase_of_several_trusts_its_numbers_more() -> None:
    learner = Learner(extended(some_value(2), LONG, 3, CPU), LONG, Fields("checkpoint"))
    first, second, third = (learner.travel[phase * SIZE :][:SIZE].max() for phase in range(3))
    assert (first, second, third) == (FIRST_TRUST, TRUST, TRUST)
    slow = replace(LONG, reach="10hz")  # the start was not trained for it
    assert Learner(extended(some_value(2), slow, 3, CPU), slow, Fields("checkpoint")).travel.max() == TRUST


def _lessons_of(learner: Learner) -> Lessons:
    """Return games from before each phase and from within it."""
    judge = learner.value.judge(CPU, LONG)
    state = Round(CPU, range(12), seed=5, variant=LONG, lines=np.resize(np.array([0, 60, 215, 240, 315], np.int32), 12))
    return play_lessons(judge, state, greedy(judge))[0]


def test_what_all_boards_lose_moves_the_lines_to_come_instead_of_the_tables() -> None:
    """Without this, the numbers of frequent boards followed it, but not those of rare ones."""
    moved = {}
    for relative in (False, True):
        learned = []
        for more in (0, 5000):
            learner = Learner(extended(some_value(2), LONG, 3, CPU), LONG, Fields("checkpoint"))
            lessons = _lessons_of(learner)
            lessons = replace(lessons, costs=lessons.costs + more)
            learner.learn(lessons, trace=0, rate=1, share=0.4, relative=relative)
            learned.append(learner)
        tables = learned[1].weights - learned[0].weights
        for phase in range(3):  # the table of heights gives its mean away
            tables[phase * SIZE + FIRST_HEIGHT : phase * SIZE + LAST_HEIGHT] = 0
        moved[relative] = float(np.abs(tables).sum())
        assert np.abs(learned[1].endgame - learned[0].endgame).max() > 100
    assert moved[True] < moved[False] / 10


def test_the_mean_of_each_part_moves_from_the_tables_to_the_lines_to_come() -> None:
    learner = Learner(extended(some_value(2), LONG, 3, CPU), LONG, Fields("checkpoint"))
    for phase in range(3):
        learner.weights[phase * SIZE + FIRST_HEIGHT : phase * SIZE + LAST_HEIGHT] += 1000
    lessons = _lessons_of(learner)
    places = np.empty((len(lessons.boards), PLACES + 2), np.int32)
    describe(lessons.boards, lessons.lines, learner.course, places)
    parts = learner.course.reshape(-1, 4)[lessons.lines, 1:3]

    def means() -> list[float]:
        sums = places[:, int(PRIOR)] + learner.weights[places[:, :PLACES]].sum(axis=1)
        return [float(sums[(parts == part).all(axis=1)].mean()) for part in np.unique(parts, axis=0)]

    before, ends = means(), learner.endgame.copy()
    for _ in range(60):
        learner.learn(lessons, trace=0.4, rate=0, share=0.4, relative=True)
    assert np.abs(means()).max() < 0.01 * np.abs(before).max()
    assert np.abs(learner.endgame - ends).max() > 1000
