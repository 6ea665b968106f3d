"""What a training shows and writes as it goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from games.tetris.training.swarms import SMALL, train_small
from gpusolve.games.tetris.training._train import Iteration
from gpusolve.games.tetris.training._train_value import ValueIteration
from gpusolve.games.tetris.training.drawing import TrainingLog, TrainingProgress, swarm_progress, value_progress
from gpusolve.output import report


def test_the_log_has_a_line_for_each_iteration(tmp_path: Path) -> None:
    for suffix in ("csv", "jsonl"):
        log = TrainingLog(tmp_path / f"log.{suffix}")
        train_small(replace(SMALL, iterations=2), progress=log.add)
        train_small(replace(SMALL, iterations=1), progress=log.add)
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0].startswith("iteration,best,")
    assert [line.split(",")[0] for line in lines[1:]] == ["1", "2", "1"]
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [row["iteration"] for row in rows] == [1, 2, 1]
    log.plot(tmp_path / "run.png", "a run")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")


def test_the_line_of_progress() -> None:
    swarm = Iteration(3, best=1200, iteration_best=1100, mean=900, deviation=5, spread=0.25, pieces=50, seconds=2)
    assert swarm_progress(swarm) == "best 1,200  mean 900  spread 0.250  25 pieces/s"
    value = ValueIteration(3, mean=900, early=0.5, error=10, rate=1, games=8, pieces=50, seconds=2)
    assert value_progress(value) == "mean 900  topped out 50 %  4 games/s"


def test_after_the_last_iteration_the_line_says_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(report, "status", lambda line, quiet: shown.append(line))
    show = TrainingProgress(TrainingLog(), value_progress, iterations=3, then="choosing", quiet=False)
    for number in (2, 3):
        show(ValueIteration(number, mean=900, early=0.5, error=10, rate=1, games=8, pieces=50, seconds=2))
    assert shown == [
        "2/3  mean 900  topped out 50 %  4 games/s  0:02 left",
        "3/3  mean 900  topped out 50 %  4 games/s  choosing",
    ]
