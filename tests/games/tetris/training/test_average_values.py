"""The mean of learned values."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from games.tetris.test_cli import ON_CPU, Run
from gpusolve.errors import BadInput
from gpusolve.games.tetris import LearnedValue, average_values, load_value, save_value
from gpusolve.games.tetris.players.value import base_of
from gpusolve.games.tetris.rules.losses import READY, SIZE


def some_value(*numbers: int, phases: tuple[int, ...] = (0,), lines: int = 2, loss: int = 0) -> LearnedValue:
    """Return a value whose tables have the same number everywhere, one for each phase."""
    tables = np.repeat(np.array(numbers, np.int16), SIZE)
    return LearnedValue("some", "", tables, np.full((lines + 1) * READY, loss, np.int32), phases)


@pytest.mark.thorough
def test_each_number_is_the_rounded_mean() -> None:
    rng = np.random.default_rng(5)
    values = [
        LearnedValue("a", "", rng.integers(-900, 900, SIZE, np.int16), rng.integers(0, 9999, READY * 3, np.int32))
        for _ in range(3)
    ]
    mean = average_values(values)
    assert np.array_equal(mean.tables, [np.rint(sum(int(v.tables[i]) for v in values) / 3) for i in range(SIZE)])
    assert np.array_equal(mean.endgame, np.rint(sum(v.endgame.astype(float) for v in values) / 3))


def test_the_greatest_numbers_do_not_overflow() -> None:
    mean = average_values([some_value(32767, loss=1_000_000_000)] * 16)
    assert (set(mean.tables), set(mean.endgame)) == ({32767}, {1_000_000_000})


def test_each_level_has_the_mean_of_the_tables_there() -> None:
    """The first value changes its tables at level 29, the second one at levels 19 and 39."""
    mean = average_values([some_value(0, 60, phases=(0, 29)), some_value(2, 4, 6, phases=(0, 19, 39))])
    assert mean.phases == (0, 19, 29, 39)
    assert mean.tables[::SIZE].tolist() == [1, 2, 32, 33]
    assert len(set(mean.tables)) == 4


def test_a_value_that_occurs_twice_counts_twice() -> None:
    one, other = some_value(0, loss=30), some_value(9, loss=90)
    mean = average_values([one, one, other])
    assert (set(mean.tables), set(mean.endgame)) == ({3}, {50})


def test_the_mean_of_equal_values_is_the_value() -> None:
    value = load_value("tournament-12hz")
    mean = average_values(["tournament-12hz", value])
    assert (mean.digest, mean.phases) == (value.digest, value.phases)


def test_what_cannot_be_averaged_is_refused() -> None:
    with pytest.raises(BadInput, match="expected two to 16, not 1"):
        average_values(["learned"])
    with pytest.raises(BadInput, match="expected two to 16, not 17"):
        average_values(["learned"] * 17)
    with pytest.raises(BadInput, match="games of the same length, not some of 2 lines and some of 3 lines"):
        average_values([some_value(1), some_value(1, lines=3)])
    with pytest.raises(TypeError):
        average_values("learned")
    many = [some_value(0, 0, 0, phases=(0, level, level + 1)) for level in range(1, 40, 2)]
    with pytest.raises(BadInput, match="levels at which the tables change, not"):
        average_values(many[:16])


@pytest.mark.thorough
def test_the_command(run: Run, tmp_path: Path) -> None:
    file, again, whole = tmp_path / "half.value", tmp_path / "again.value", tmp_path / "whole.value"
    names = ("tournament-30hz", "tournament-30hz-300ms")
    written = run("tetris", "average-values", *names, "--changes-only", "--out", str(file), "--json")
    done = json.loads(written.out)
    assert (done["values"], done["phases"]) == (list(names), [0, 29, 39])
    mean = load_value(file)
    assert (mean.name, mean.about) == ("half", "the mean of tournament-30hz, tournament-30hz-300ms")
    assert mean.digest == average_values(names).digest
    assert base_of(file) == "tournament-30hz"
    played = run("tetris", "evaluate", str(file), "--count", "1", "--max-lines", "2", "--reach", "30hz", *ON_CPU)
    assert played.code == 0
    written = run("tetris", "average-values", str(file), names[1], "--changes-only", "--out", str(again))
    assert (written.out, written.err) == (f"mean: the mean of half, {names[1]}\n", f"written to {again}\n")
    assert base_of(again) == "tournament-30hz"
    save_value(whole, mean)
    for wrong, message in (
        ((str(whole), "learned"), "of the same length, not half of"),
        ((str(whole), names[0], "--changes-only"), "expected as the first VALUE a value that comes with gpusolve"),
        (("learned", "published"), "value published: no such file"),
        (("learned",), "expected two to 16, not 1"),
    ):
        refused = run("tetris", "average-values", *wrong, "--out", str(tmp_path / "none.value"))
        assert (refused.code, refused.err.count("\n"), message in refused.err) == (2, 1, True), refused.err
    assert not (tmp_path / "none.value").exists()
