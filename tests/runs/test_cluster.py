"""Jobs in this process and in others: the same results in the same order, even if workers are lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import gpusolve.runs
import jobs
from faults import kills
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, ClusterUnavailable
from gpusolve.games.quiddler import census
from gpusolve.games.quiddler._census import KIND
from gpusolve.installation import install_command
from gpusolve.runs import checkpoint
from gpusolve.runs.cluster import MOST, open_workers, parse
from gpusolve.runs.processes import LOSSES
from gpusolve.testing.plugin import Run

CPU = open_backend("cpu")


@pytest.mark.parametrize("workers", [0, -1, True, MOST + 1, "", "0", "x", "1.5", "٣", "tcp://", "TCP://a:1", "/", 2.0])
def test_invalid_workers_are_refused(workers: Any) -> None:
    with pytest.raises(BadInput, match=r"^workers .*: expected 1 to 1,024"):
        parse(workers)


@pytest.mark.parametrize("content", ["", "{}", "[1]", "[" * 10_000, '{"workers": {}}', "\0"])
def test_a_file_that_is_not_from_a_scheduler_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(content)
    with pytest.raises(BadInput, match=r"^workers .*: expected the file of a Dask scheduler"):
        parse(str(tmp_path / "file"))


def test_this_process_starts_a_job_when_its_result_is_needed() -> None:
    started: list[int] = []
    with open_workers(1, lambda backend: started.append, CPU) as workers:
        results = workers.results(range(9))
        assert next(results) is None
        assert (started, str(workers), workers.count) == ([0], "", 1)


def test_processes_give_the_results_in_order() -> None:
    with open_workers(2, partial(jobs.squares, 0.05), CPU) as workers:
        assert list(workers.results(range(20))) == [number**2 for number in range(20)]
        assert str(workers) == "2 workers, 20 jobs"
        assert list(workers.results(range(4))) == [0, 1, 4, 9]  # the processes stay until the end


@pytest.mark.parametrize("workers", [1, 2])
def test_parts_cover_all_numbers(workers: int) -> None:
    with open_workers(workers, jobs.ranges, CPU) as some:
        found: list[range] = list(some.parts(3, 5000, 7))
        assert [part.start for part in found] == [3, *(part.stop for part in found[:-1])]
        assert found[-1].stop == 5000
        assert not list(some.parts(5, 5, 7))
    if workers == 1:
        assert {len(part) for part in found[:-1]} == {7}


def test_an_error_of_a_job_is_raised_here() -> None:
    for workers in (1, 2):
        with open_workers(workers, jobs.wrong, CPU) as some, pytest.raises(ZeroDivisionError):
            list(some.results([1, 0, 2]))


def test_a_job_whose_process_was_killed_is_repeated(tmp_path: Path) -> None:
    with (
        open_workers(2, partial(jobs.deadly, tmp_path / "kills", 1), CPU) as workers,
        pytest.warns(RuntimeWarning, match="a worker process was killed from outside"),
    ):
        assert list(workers.results(range(10))) == list(range(10))
    assert (tmp_path / "kills").read_text() == "x"


def test_a_job_that_always_kills_its_process_ends_the_command(tmp_path: Path) -> None:
    with (
        open_workers(2, partial(jobs.deadly, tmp_path / "kills", 99), CPU) as workers,
        pytest.warns(RuntimeWarning, match="a worker process was killed from outside"),
        pytest.raises(ClusterUnavailable, match=r"4 processes were lost while doing the same job"),
    ):
        list(workers.results(range(10)))
    assert len((tmp_path / "kills").read_text()) == LOSSES + 1


def test_an_abandoned_job_is_stopped() -> None:
    """If it were not, the test would take a minute."""
    begin = time.monotonic()
    found: list[int] = []
    with open_workers(2, partial(jobs.squares, 60), CPU) as workers:
        for square in workers.results([1, 0, 3], lambda: not found):
            found.append(square)
    assert found == [1]
    assert time.monotonic() - begin < 30


def test_processes_share_the_threads() -> None:
    with open_workers(2, jobs.devices, open_backend("cpu:6")) as workers:
        assert set(workers.results(range(4))) == {"cpu:3"}


def test_without_dask_the_error_names_the_command_that_installs_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "gpusolve.runs.dask_cluster", raising=False)
    monkeypatch.delattr(gpusolve.runs, "dask_cluster", raising=False)
    done = run("quiddler", "census", "--count", "1", "--quiet", "--workers", "tcp://localhost:8786")
    assert (done.code, done.out) == (4, "")
    assert f"workers tcp://localhost:8786: needs Dask: {install_command('cluster')}" in done.err


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals of a POSIX system")
def test_processes_leave_ctrl_c_and_the_end_of_a_terminal_to_the_command() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with open_workers(2, jobs.blocked, CPU) as workers:
        assert all({signal.SIGINT, signal.SIGHUP} <= blocked for blocked in workers.results(range(4)))
        assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
    assert not {signal.SIGINT, signal.SIGHUP} & before


@pytest.mark.skipif(os.name != "posix", reason="signals of a POSIX system")
def test_ctrl_c_ends_all_processes_and_leaves_a_checkpoint(tmp_path: Path) -> None:
    """The terminal sends the signal to all processes of the command, and none of them prints anything."""
    words = ["quiddler", "census", "--count", "100000000", "--seed", "1", "--workers", "2", "--checkpoint", "run"]
    with subprocess.Popen(
        [sys.executable, "-m", "gpusolve", *words, "--device", "cpu", "--quiet"],
        cwd=tmp_path, env=kills.ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        deadline = time.monotonic() + 300
        while not (tmp_path / "run").exists() or not len(checkpoint.load(tmp_path / "run", KIND)[1].values["best"]):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)  # until the streams are closed, so the workers have ended, too
    assert (process.returncode, out, err) == (130, b"", b"")
    before = checkpoint.load(tmp_path / "run", KIND)[1].values["best"].tolist()
    found = census(count=len(before) + 40, workers=2, resume=tmp_path / "run", backend=CPU).best.tolist()
    assert len(found) == len(before) + 40
    assert (found[: len(before)], found[:3]) == (before, [98, 112, 104])
