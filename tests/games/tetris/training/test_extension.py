"""The start of a value with tables for several phases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from games.tetris.oracle import some_boards, some_value
from gpusolve.backend import open_backend
from gpusolve.games.tetris import Variant, evaluate, load_value
from gpusolve.games.tetris.rules.losses import READY, SIZE, loss
from gpusolve.games.tetris.training.extension import extended, with_first_phase

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)
LONG = Variant("30hz", "nes", start_level=18, max_lines=430, double_killscreen=True)


def test_every_phase_starts_from_the_tables_of_another_value() -> None:
    start = some_value(1)
    longer = extended(start, LONG, (0, 29, 39), CPU)
    first, *others = np.split(longer.tables, 3)
    assert len(first) == SIZE
    assert all(np.array_equal(part, first) for part in others)
    assert len(longer.endgame) == (LONG.max_lines + 1) * READY
    assert (longer.endgame[:READY] == 0).all()
    assert (np.diff(longer.endgame[::READY]) > 0).all()  # each line still to come costs something
    again = extended(longer, LONG, (0, 29, 39), CPU)
    assert np.array_equal(again.tables, longer.tables)
    assert np.array_equal(again.endgame, longer.endgame)
    assert extended(start, SHORT, (0,), CPU) is start
    assert np.array_equal(np.split(extended(longer, LONG, (0, 29), CPU).tables, 2)[1], first)


def test_boards_differ_as_before_and_a_new_level_changes_little() -> None:
    """Apart from the stages, which all start from one, boards keep their differences; the sum is near 0."""
    start = load_value("learned")
    longer = extended(start, LONG, (0, 29, 39), CPU)
    before, after = start.stakes(Variant()), longer.stakes(LONG)
    lines = 230 - 80  # in the stage that all stages start from; the level is 21 in both games
    boards = some_boards(3, 6)
    old = [loss(start.tables, start.endgame, board, lines=lines, at_stake=before) for board in boards]
    new = [loss(longer.tables, longer.endgame, board, lines=lines, at_stake=after) for board in boards]
    scale = [int(stakes.course[lines, 0]) for stakes in (before, after)]
    expected = (np.array(old) - old[0]) * scale[1] / scale[0]
    assert np.abs(np.array(new) - new[0] - expected).max() <= 2
    empty = np.zeros((22, 10), np.uint8)
    jumps = [
        [loss(value.tables, np.zeros_like(value.endgame), empty, lines=at, at_stake=stakes) for at in (149, 150)]
        for value, stakes in ((start, before), (longer, after))
    ]
    changes = [abs(later - earlier) for earlier, later in jumps]
    assert changes[1] < changes[0] / 5


@pytest.mark.thorough
def test_each_phase_starts_from_the_tables_that_it_plays_best_with() -> None:
    """At 15 Hz, pieces fall as far between two taps as at 30 Hz ten levels later."""
    start = load_value("tournament-30hz")
    parts = np.split(start.tables, 3)
    for reach, expected in (("30hz", [0, 1, 2]), ("15hz", [1, 2, 2])):
        variant = replace(LONG, reach=reach)
        value = extended(start, variant, (0, 29, 39), CPU)
        assert np.array_equal(value.tables, np.concatenate([parts[part] for part in expected]))
        assert np.array_equal(value.endgame, start.endgame)
        means = [
            evaluate(player, count=16, variant=variant, seed=1, backend=CPU).scores.mean() for player in (start, value)
        ]
        assert (means[0] < means[1]) == (reach == "15hz")


@pytest.mark.thorough
def test_a_phase_that_a_value_does_not_have_starts_from_tables_that_it_has() -> None:
    start = load_value("tournament-30hz")
    value = extended(start, LONG, (0, 19, 29, 39), CPU)
    assert value.phases == (0, 19, 29, 39)
    assert np.array_equal(value.endgame, start.endgame)
    first, middle, last = np.split(start.tables, 3)
    assert np.array_equal(value.tables, np.concatenate([first, first, middle, last]))


def test_a_first_phase_keeps_its_order_of_boards_and_goes_on_into_the_next_one() -> None:
    """Up to its last lines, boards keep their differences; the lines to come join those of the next phase."""
    first, later = load_value("tournament-10hz"), load_value("tournament-20hz")
    variant = replace(LONG, reach="10hz")
    joined = with_first_phase(later, first, variant, CPU)
    assert np.array_equal(joined.tables[SIZE:], later.tables[SIZE:])
    four = with_first_phase(extended(later, variant, (0, 19, 29, 39), CPU), first, variant, CPU)
    assert np.array_equal(four.tables[: 2 * SIZE], np.tile(joined.tables[:SIZE], 2))
    rows, before = (value.endgame.reshape(-1, READY) for value in (joined, later))
    assert np.array_equal(rows[: 430 - 230 + 1], before[: 430 - 230 + 1])
    assert (np.diff(rows[430 - 230 :: 20, 0]) > 0).all()
    assert np.abs(np.diff(rows[430 - 230 : 430 - 211, 0], n=2)).max() < 200  # no step where the phase ends
    old, new = first.stakes(replace(variant, max_lines=230)), joined.stakes(variant)
    boards = some_boards(4, 6)
    for lines in (20, 150, 210):
        losses = [
            [loss(value.tables, value.endgame, board, lines=lines, at_stake=stakes) for board in boards]
            for value, stakes in ((first, old), (joined, new))
        ]
        shift = np.diff(np.array(losses), axis=0)[0]
        assert shift.max() - shift.min() <= 2
