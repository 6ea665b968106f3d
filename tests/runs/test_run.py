"""A run continues where it stopped with the seed that it started with, and observes the time limit."""

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
    """Count to `steps` in a run, or raise KeyboardInterrupt at `fail_at`; return the count and the run."""
    run = Run("toy.count", SETTINGS, **arguments)
    counted = run.state.integer("counted", 0, steps) if run.state else 0
    with run.saved(lambda: {"counted": counted}) as more:
        while counted < steps and more():
            if counted == fail_at:
                raise KeyboardInterrupt
            counted += 1
    return counted, run


def test_a_run_continues_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt) as stopped:
        count(9, fail_at=4, seed=5, checkpoint=file)
    assert stopped.value.__notes__ == [f"stopped; --resume {file} continues this run"]
    assert checkpoint.load(file, "toy.count")[1].values["counted"] == 4
    counted, run = count(9, resume=file)
    assert (counted, run.seed) == (9, 5)
    assert checkpoint.load(file, "toy.count")[1].values["counted"] == 9  # the resumed run saves to the same file


def test_a_run_may_continue_in_another_file(tmp_path: Path) -> None:
    count(2, seed=1, checkpoint=tmp_path / "first")
    count(5, resume=tmp_path / "first", checkpoint=tmp_path / "second")
    counts = [checkpoint.load(tmp_path / name, "toy.count")[1].values["counted"] for name in ("first", "second")]
    assert counts == [2, 5]


def test_the_seed_is_given_or_read_or_drawn(tmp_path: Path) -> None:
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


def test_a_time_limit_allows_one_step() -> None:
    assert count(9, time_limit=0)[0] == 1
    assert count(9, time_limit=60)[0] == 9


@pytest.mark.parametrize("steps", [0, 3])
def test_a_step_that_runs_out_of_time(steps: int, tmp_path: Path) -> None:
    """It ends the run like the time limit, except for the first step: before it, there is no result."""
    run, counted = Run("toy.count", SETTINGS, checkpoint=tmp_path / "run"), 0
    with nullcontext() if steps else pytest.raises(OutOfTime), run.saved(lambda: {"counted": counted}) as more:
        while more():
            if counted == steps:
                raise OutOfTime
            counted += 1
    assert checkpoint.load(tmp_path / "run", "toy.count")[1].values["counted"] == steps


def test_the_clock_includes_earlier_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_an_unwritable_file_is_reported_before_the_first_step(tmp_path: Path) -> None:
    steps: list[int] = []
    run = Run("toy.count", SETTINGS, checkpoint=tmp_path / "none" / "run")
    with pytest.raises(BadInput, match="cannot be written"), run.saved(lambda: {}):
        steps.append(1)
    assert not steps


def test_saving_takes_a_small_fraction_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
