"""Closed, full or ASCII streams, and signals at any moment: they give an exit code and a line, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faults.kills import wait_until_ready

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and file descriptors of a POSIX system")

GPUSOLVE = f"{sys.executable} -m gpusolve"
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


def test_a_closed_pipe_is_reported() -> None:
    done = shell(f"{GPUSOLVE} {LONG} --quiet | head -1; echo ${{PIPESTATUS[0]}}")
    assert done.stdout.splitlines()[1:] == ["2"]
    assert done.stderr == "gpusolve: the result could not be written: Broken pipe\n"


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


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("delay", [0, 0.1, 0.3, 1.0])
def test_a_signal_at_any_moment_ends_without_a_message(delay: float, number: signal.Signals, code: int) -> None:
    command = [sys.executable, "-m", "gpusolve", "wordle", "simulate", "--answers", "wordle-guesses", "--device", "cpu"]
    with subprocess.Popen([*command, "--quiet"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until_ready(process)
        time.sleep(delay)
        process.send_signal(number)
        time.sleep(0.01)
        process.send_signal(number)  # a second signal must not interrupt the end
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, "", "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_kernels_are_compiled(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """An exception in the middle of LLVM's callbacks would crash the process."""
    command = [sys.executable, "-m", "gpusolve", "wordle", "suggest", "salet:-y--g", "--device", "cpu:1"]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stderr is not None
        notes = [process.stderr.readline() for _ in range(2)]
        assert notes[1] == b"compiling kernels; this happens once on each machine\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert err == b""
    assert process.returncode == (0 if out else code)  # a short command may end right after the compilation
