"""A run: it goes on where it was stopped, with its own seed, for the time it is given."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from gpusolve.errors import BadInput, OutOfTime
from gpusolve.runs import checkpoint
from gpusolve.runs.run import Run

SETTINGS: dict[str, Any] = {"size": 3}


def count(steps: int, fail_at: int | None = None, **arguments: Any) -> tuple[int, Run]:
    """A run that counts to `steps`, or fails at one of them."""
    run = Run("toy.count", SETTINGS, **arguments)
    counted = run.state.integer("counted", 0, steps) if run.state else 0
    with run.saved(lambda: {"counted": counted}) as more:
        while counted < steps and more():
            if counted == fail_at:
                raise KeyboardInterrupt
            counted += 1
    return counted, run


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        count(9, fail_at=4, seed=5, checkpoint=file)
    assert checkpoint.load(file, "toy.count")[1].values["counted"] == 4
    counted, run = count(9, resume=file)
    assert (counted, run.seed) == (9, 5)
    assert checkpoint.load(file, "toy.count")[1].values["counted"] == 9  # what is resumed is written on


def test_another_file_may_take_over(tmp_path: Path) -> None:
    count(2, seed=1, checkpoint=tmp_path / "first")
    count(5, resume=tmp_path / "first", checkpoint=tmp_path / "second")
    counts = [checkpoint.load(tmp_path / name, "toy.count")[1].values["counted"] for name in ("first", "second")]
    assert counts == [2, 5]


def test_the_seed_is_given_or_found_or_drawn(tmp_path: Path) -> None:
    drawn = {Run("toy.count", SETTINGS).seed for _ in range(5)}
    assert len(drawn) == 5
    count(1, seed=8, checkpoint=tmp_path / "run")
    assert Run("toy.count", SETTINGS, resume=tmp_path / "run").seed == 8
    with pytest.raises(BadInput, match="made with seed 8, not with 9"):
        Run("toy.count", SETTINGS, seed=9, resume=tmp_path / "run")
    with pytest.raises(BadInput, match="made with size 3, not with 4"):
        Run("toy.count", {"size": 4}, resume=tmp_path / "run")
    with pytest.raises(BadInput, match=r"belongs to toy\.count, not to toy\.sum"):
        Run("toy.sum", SETTINGS, resume=tmp_path / "run")


def test_a_time_limit_lets_one_step_through() -> None:
    assert count(9, time_limit=0)[0] == 1
    assert count(9, time_limit=60)[0] == 9


@pytest.mark.parametrize("steps", [0, 3])
def test_a_step_that_comes_to_nothing_in_time(steps: int, tmp_path: Path) -> None:
    """It ends the run as the time limit does; the first one has no result before it."""
    run, counted = Run("toy.count", SETTINGS, checkpoint=tmp_path / "run"), 0
    with nullcontext() if steps else pytest.raises(OutOfTime), run.saved(lambda: {"counted": counted}) as more:
        while more():
            if counted == steps:
                raise OutOfTime
            counted += 1
    assert checkpoint.load(tmp_path / "run", "toy.count")[1].values["counted"] == steps


def test_the_clock_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    file = tmp_path / "run"
    run = Run("toy.count", SETTINGS, checkpoint=file, time_limit=50)
    with run.saved(lambda: {}):
        now += 30
        assert (run.seconds, run.time_left) == (30, 20)
    resumed = Run("toy.count", SETTINGS, resume=file, time_limit=50)
    now += 10
    assert (resumed.seconds, resumed.time_left) == (40, 40)


def test_a_file_that_cannot_be_written_shows_before_the_first_step(tmp_path: Path) -> None:
    steps: list[int] = []
    run = Run("toy.count", SETTINGS, checkpoint=tmp_path / "none" / "run")
    with pytest.raises(BadInput, match="cannot be written"), run.saved(lambda: {}):
        steps.append(1)
    assert not steps


def test_saving_takes_a_small_part_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each save takes a second here, each step a quarter."""
    now, saves = 0.0, 0

    def save(*_: object) -> None:
        nonlocal now, saves
        now, saves = now + 1, saves + 1

    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr(checkpoint, "save", save)
    run = Run("toy.count", SETTINGS, checkpoint=tmp_path / "run")
    with run.saved(lambda: {}) as more:
        for _ in range(1000):
            assert more()
            now += 0.25
    assert 10 < saves < 16
