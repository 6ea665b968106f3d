"""The first phase of a value, blended with the tables of another value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from games.tetris.oracle import some_value
from gpusolve.backend import open_backend
from gpusolve.games.tetris import Variant, evaluate, load_value
from gpusolve.games.tetris.players.changes import blend_of, blends_of
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.rules.losses import SIZE
from gpusolve.games.tetris.training.blending import blended
from gpusolve.games.tetris.training.extension import extended

CPU = open_backend("cpu:1")
SHORT = Variant("15hz", "nes", start_level=18, max_lines=20)
LONG = Variant("15hz", "nes", start_level=18, max_lines=430, double_killscreen=True)


def mean_score(value: LearnedValue, variant: Variant) -> float:
    return float(evaluate(value, count=6, variant=variant, seed=5, backend=CPU).scores.mean())


@pytest.mark.thorough
def test_the_blend_that_scores_most_is_chosen() -> None:
    """A value for 230 lines: each number of both tables is the mean over the same four parts."""
    value, other = load_value("tournament-10hz"), load_value("learned")
    best = blended(value, other, games=6, seed=5, variant=SHORT, backend=CPU)
    assert len(blends_of(2)) == 5
    means = {}
    for blend in blends_of(2):
        tables = blend_of([value.tables, other.tables], blend)
        endgame = blend_of([value.endgame, other.endgame], blend)
        means[blend] = mean_score(replace(value, tables=tables, endgame=endgame), SHORT)
    assert mean_score(best, SHORT) == max(means.values())
    share = max(means, key=lambda blend: means[blend]).count(1) / 4
    expected = (1 - share) * value.tables + share * other.tables.astype(np.float64)
    assert np.abs(best.tables - expected).max() <= 0.5


@pytest.mark.thorough
def test_only_the_first_phase_is_blended() -> None:
    start = load_value("tournament-30hz")
    value = replace(start, tables=np.concatenate([start.tables[SIZE:], start.tables[-SIZE:]]))
    best = blended(value, start, games=2, seed=5, variant=LONG, backend=CPU)
    sets = np.split(start.tables, 3)  # the value's own tables are one of them
    assert any(np.array_equal(best.tables[:SIZE], blend_of(sets, blend)) for blend in blends_of(3))
    assert np.array_equal(best.tables[SIZE:], value.tables[SIZE:])
    assert np.array_equal(best.endgame, value.endgame)


def test_a_value_for_several_phases_is_blended_with_a_value_for_one() -> None:
    """Before the blend, the other value's tables are centred, like the tables of the later phases."""
    value = load_value("tournament-30hz")
    best = blended(value, load_value("learned"), games=2, seed=5, variant=LONG, backend=CPU)
    sets = [value.tables[:SIZE], extended(load_value("learned"), LONG, (0, 29), CPU).tables[:SIZE]]
    assert any(np.array_equal(best.tables[:SIZE], blend_of(sets, blend)) for blend in blends_of(2))
    assert np.array_equal(best.tables[SIZE:], value.tables[SIZE:])
    assert np.array_equal(best.endgame, value.endgame)


def test_a_value_that_is_best_alone_keeps_its_tables() -> None:
    value = load_value("learned")
    best = blended(value, some_value(1), games=2, seed=5, variant=SHORT, backend=CPU)
    assert np.array_equal(best.tables, value.tables)
