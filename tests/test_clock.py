"""Compilation and the building of tables do not count towards time limits and reported seconds."""

from __future__ import annotations

import json
import shlex
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from gpusolve import clock
from gpusolve.backend.cpu import CpuBackend
from gpusolve.clock import OwnPause, Pause
from gpusolve.runs.run import Run
from gpusolve.testing.plugin import Done

LONG = 100_000.0
LIMITED = {
    "qless": "count cddeeimprtwx",
    "queuedle": "solve 2025-06-01 --strategy beam --width 100",
    "quiddler": "census --count 20 --seed 1",
    "quordle": "simulate --count 20 --seed 1 --strategy left-to-right",
    "sliding": "solve '8 6 7 / 2 5 4 / 3 0 1'",
    "tetris": "evaluate published --count 4 --max-lines 5 --policy greedy",
    "wordle": "solve salet:-y--g",
}
"""A command of each game with a time limit."""


class Hands:
    """A clock whose hands the test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_blocks_within_blocks_count_once() -> None:
    hands = Hands()
    pause = Pause(hands)
    hands.seconds = 1
    with pause:
        hands.seconds = 3
        assert (pause.seconds, pause.under_way) == (2, True)
        with pause:
            hands.seconds = 4
        assert pause.under_way
    hands.seconds = 9
    assert (pause.seconds, pause.under_way) == (3, False)


def test_a_thread_does_not_wait_for_the_tables_of_another() -> None:
    hands = Hands()
    pause = OwnPause(hands)
    found = []
    with pause:
        hands.seconds = 5
        thread = threading.Thread(target=lambda: found.append(pause.seconds))
        thread.start()
        thread.join()
        assert (pause.seconds, found) == (5, [0])


def test_a_run_has_all_its_time_after_a_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = time.monotonic()
    later = Hands()
    monkeypatch.setattr(time, "monotonic", lambda: begin + later.seconds)
    for name in ("compiling", "importing"):  # other tests may have compiled and imported
        monkeypatch.setattr(clock, name, Pause(lambda: time.monotonic()))
    run = Run("test", {}, time_limit=10)
    with clock.compiling:
        later.seconds += 100
        assert (run.seconds, run.time_left) == (0, 10)
    with clock.building:
        later.seconds += 100
    assert (round(run.seconds, 6), round(run.time_left, 6)) == (0, 10)
    later.seconds += 4
    assert (round(run.seconds, 6), round(run.time_left, 6)) == (4, 6)
    assert (round(clock.compiling.seconds, 6), round(clock.running() - begin, 6)) == (100, 104)


@pytest.mark.parametrize("game", LIMITED)
def test_a_slow_compilation_takes_nothing_from_the_search(
    game: str, run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first launch of the command pretends that the kernel was compiled for a day."""
    real, extra, launch = time.monotonic, Hands(), CpuBackend.launch
    monkeypatch.setattr(time, "monotonic", lambda: real() + extra.seconds)
    monkeypatch.setattr(clock, "compiling", Pause(lambda: time.monotonic()))

    def slow(self: CpuBackend, *arguments: Any) -> Any:
        if not extra.seconds:
            with clock.compiling:
                extra.seconds = LONG
        return launch(self, *arguments)

    monkeypatch.setattr(CpuBackend, "launch", slow)
    done = run(game, *shlex.split(LIMITED[game]), "--time-limit", "5000", "--json", "--quiet", "--device", "cpu")
    found = json.loads(done.out.splitlines()[-1])
    assert (done.code, found["complete"]) == (0, True)
    assert extra.seconds == LONG
    assert found["seconds"] < 5000 < LONG <= found["compile_seconds"]
