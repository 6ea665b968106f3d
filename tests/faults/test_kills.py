"""Long runs that are killed: a few moments from ``kills.py``, and the moments at which a checkpoint is written."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from faults import kills
from gpusolve import files
from gpusolve.backend import open_backend
from gpusolve.games.quiddler import census
from gpusolve.runs import checkpoint

pytestmark = [pytest.mark.thorough, pytest.mark.skipif(os.name != "posix", reason="signals of a POSIX system")]


@pytest.mark.parametrize("command", kills.LONG)
def test_a_killed_and_resumed_run_gives_the_same_result(command: str) -> None:
    expected, seconds = kills.unstopped(command, times=1)
    chance = random.Random(command)
    for number in kills.CODES:
        found = kills.kill(command, number, chance, expected, seconds)
        assert not found.fault, (number, found)


def test_a_census_that_is_killed_at_once_has_a_checkpoint(tmp_path: Path) -> None:
    """The checkpoint exists before the first deal is solved."""
    file = tmp_path / "run"
    words = ["quiddler", "census", "--count", "100000000", "--seed", "1", "--device", "cpu", "--checkpoint", str(file)]
    with subprocess.Popen(
        [sys.executable, "-m", "gpusolve", *words], env=kills.ENVIRONMENT, stderr=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < deadline
            time.sleep(0.001)
        process.kill()
    solved = len(checkpoint.load(file, "quiddler.census")[1].values["best"])
    assert census(count=solved + 2, resume=file, backend=open_backend("cpu")).best[:2].tolist() == [98, 112]


SAVING = """
    import sys, numpy
    from pathlib import Path
    from gpusolve.runs import run
    run.PATIENCE = 0
    state = {"numbers": numpy.zeros(100_000), "step": 0}
    with run.Run("toy", {}, seed=1, checkpoint=Path("run")).saved(lambda: state) as more:
        print("started", flush=True)
        while more():
            state["step"] += 1
            state["numbers"][:] = state["step"]
"""
"""A run that saves most of the time."""


@pytest.mark.parametrize("number", kills.CODES)
def test_a_kill_while_the_checkpoint_is_written(tmp_path: Path, number: signal.Signals) -> None:
    chance = random.Random(int(number))
    for _ in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(SAVING)],
            cwd=tmp_path,
            env=kills.ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=kills.hear_all,
        ) as process:
            assert process.stdout
            assert process.stdout.readline() == b"started\n"
            time.sleep(chance.uniform(0, 0.1))
            process.send_signal(number)
        _, state = checkpoint.load(tmp_path / "run", "toy")
        assert (state.values["numbers"] == state.values["step"]).all()
    left = [path for path in tmp_path.iterdir() if path.name.endswith(files.TEMPORARY)]
    assert len(left) <= (number != signal.SIGINT)  # each run removes the file that the previous run left


def test_a_file_that_is_being_written_is_not_removed(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    busy, stale, empty = (tmp_path / f".{name}{files.TEMPORARY}" for name in ("busy", "stale", "empty"))
    stale.write_text("half")
    empty.touch()
    with busy.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("half")
        file.flush()
        files.write(tmp_path / "file", "whole")
        assert sorted(path.name for path in tmp_path.iterdir()) == [busy.name, "file"]


def test_a_file_that_is_swept_away_before_it_is_locked_is_created_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    lock = fcntl.flock
    swept: list[str] = []

    def late(file: Any, operation: int) -> None:
        if not swept:  # another process finds the new file first
            swept.extend(path.name for path in tmp_path.iterdir())
            for name in swept:
                (tmp_path / name).unlink()
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    files.write(tmp_path / "file", "whole")
    assert len(swept) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "whole"


def test_two_runs_may_share_a_checkpoint(tmp_path: Path) -> None:
    """Each run writes it atomically, and the final file can be resumed."""
    words = ["quiddler", "census", "--count", "300", "--seed", "1", "--device", "cpu", "--json", "--quiet"]
    command = [sys.executable, "-m", "gpusolve", *words, "--checkpoint", "run"]
    runs = [
        subprocess.Popen(
            command,
            cwd=tmp_path,
            env=kills.ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    ends = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert [err for _, err in ends] == ["", ""]
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert len(checkpoint.load(tmp_path / "run", "quiddler.census")[1].values["best"]) == 300
