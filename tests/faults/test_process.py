"""Closed, full or ASCII streams, and signals at any moment: they give an exit code and a line, never a traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faults.kills import ENVIRONMENT, hear_all, wait_until_ready
from gpusolve.runs import checkpoint

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and file descriptors of a POSIX system")

GPUSOLVE = f"{sys.executable} -m gpusolve"
SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)] if os.name == "posix" else []
LONG = "wordle partition-table --top 12972 --device cpu"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"{command}"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
        encoding="utf-8",
    )


@pytest.mark.parametrize("command", ["wordle pattern crane there", "wordle pattern crane there --json", "--help"])
def test_a_result_that_cannot_be_written_is_reported(command: str) -> None:
    for stream, reason in (("> /dev/full", "No space left on device"), (">&-", "stdout is closed")):
        done = shell(f"{GPUSOLVE} {command} {stream}")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"gpusolve: the result could not be written: {reason}\n"


@pytest.mark.parametrize("command", [f"{LONG} --quiet", "wordle pattern crane there", "doctor", "--help"])
def test_a_closed_pipe_ends_the_command_quietly_as_it_ends_cat(command: str) -> None:
    """The exit code is that of a process that SIGPIPE ends. A short result is lost at the last flush."""
    done = shell(
        f"{GPUSOLVE} {command} | sleep 0; echo ${{PIPESTATUS[0]}}; yes | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    )
    assert (done.stdout, done.stderr) == ("141\n141\n", "")


def test_a_run_whose_reader_has_gone_is_saved(tmp_path: Path) -> None:
    done = shell(
        f"cd {tmp_path}; {GPUSOLVE} quiddler census --count 300 --seed 1 --device cpu --quiet --checkpoint run"
        " | sleep 0; echo ${PIPESTATUS[0]}"
    )
    assert (done.stdout, done.stderr) == ("141\n", "")
    assert len(checkpoint.load(tmp_path / "run", "quiddler.census")[1].values["best"]) == 300


def test_without_stderr_results_and_exit_codes_are_the_same() -> None:
    done = shell(f"{GPUSOLVE} wordle pattern crane there 2>&-")
    assert (done.returncode, done.stdout) == (0, "crane:-y--g\n")
    done = shell(f"{GPUSOLVE} wordle pattern crane ther 2>&-")
    assert (done.returncode, done.stdout) == (2, "")
    done = shell(f"{GPUSOLVE} wordle pattern crane ther 2> /dev/full")
    assert (done.returncode, done.stdout) == (2, "")


def test_without_stdin_a_dialogue_ends() -> None:
    done = shell(f"{GPUSOLVE} wordle play --device cpu --quiet <&-")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_encoding_can_show_the_output(encoding: str) -> None:
    done = shell(f"{GPUSOLVE} wordle partition-table --top 3 --quiet --device cpu | tail -1", PYTHONIOENCODING=encoding)
    assert done.stdout.split()[0] == "raise"
    assert done.stdout.split()[-1] == ("✓" if encoding == "utf-8" else "yes")
    assert done.stderr == ""


def test_the_c_locale() -> None:
    done = shell(f"{GPUSOLVE} doctor", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize("delay", [0, 0.1, 0.3, 1.0])
def test_a_signal_at_any_moment_ends_without_a_message(delay: float, number: signal.Signals, code: int) -> None:
    command = [sys.executable, "-m", "gpusolve", "wordle", "simulate", "--answers", "wordle-guesses", "--device", "cpu"]
    with subprocess.Popen(
        [*command, "--quiet"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_all
    ) as process:
        wait_until_ready(process)
        time.sleep(delay)
        process.send_signal(number)
        time.sleep(0.01)
        process.send_signal(number)  # a second signal must not interrupt the end
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, "", "")


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_a_signal_while_kernels_are_compiled(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """An exception in the middle of LLVM's callbacks would crash the process."""
    command = [sys.executable, "-m", "gpusolve", "wordle", "suggest", "salet:-y--g", "--device", "cpu:1"]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "GPUSOLVE_MACHINE_CODE": ""}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, preexec_fn=hear_all
    ) as process:
        assert process.stderr is not None
        notes = [process.stderr.readline() for _ in range(2)]
        assert notes[1] == b"compiling kernels; this happens once on each machine\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert re.fullmatch(rb"(compiled kernels in [\d.]+ s\n)?", err)
    assert process.returncode == (0 if out else code)  # a short command may be done as soon as its kernels are


CENSUS = "quiddler census --count 100000000 --seed 1 --device cpu --quiet --checkpoint run"


def start_census(folder: Path, *words: str, ignore: bool = False) -> subprocess.Popen[str]:
    """Start a long census, and wait until it has saved some deals."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gpusolve", *CENSUS.split(), *words],
        cwd=folder,
        env=ENVIRONMENT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=(lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) if ignore else hear_all,
    )
    solved_after(folder, 0)
    return process


def solved(folder: Path) -> int:
    """Return the number of deals in the checkpoint."""
    file = folder / "run"
    return len(checkpoint.load(file, "quiddler.census")[1].values["best"]) if file.exists() else 0


def solved_after(folder: Path, before: int) -> int:
    """Wait until the checkpoint has more than `before` deals, and return their number."""
    deadline = time.monotonic() + 60
    while (count := solved(folder)) <= before:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return count


@pytest.mark.thorough
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_closed_terminal_saves_the_run(tmp_path: Path, workers: str) -> None:
    """The terminal sends SIGHUP to the command and to its workers."""
    with start_census(tmp_path, "--workers", workers) as process:
        for worker in children(process.pid):
            os.kill(worker, signal.SIGHUP)
        before = solved_after(tmp_path, solved(tmp_path))
        process.send_signal(signal.SIGHUP)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (129, "", "")
    assert solved(tmp_path) >= before


def children(process: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False)
    return [int(line) for line in listed.stdout.split()]


@pytest.mark.thorough
def test_nohup_keeps_a_run_alive(tmp_path: Path) -> None:
    with start_census(tmp_path, ignore=True) as process:
        process.send_signal(signal.SIGHUP)
        solved_after(tmp_path, solved(tmp_path))
        process.terminate()
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (143, "", "")
