"""The command line as users see it: exit codes, one-line errors, instant help."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from gpusolve.games import find_games
from gpusolve.testing.plugin import Done
from gpusolve.testing.stand_in.machine import CUDARuntimeError

Run = Callable[..., Done]

GAMES = sorted(game for game, package in find_games().items() if package.startswith("gpusolve."))
HEAVY = {"numpy", "numba", "rich", "cupy", "matplotlib", "pyswarms", "scipy", "pooch", "requests", "tomlkit"}


@pytest.mark.parametrize(
    "arguments",
    [[*name, "--help"] for name in ([], ["doctor"], ["lists"], ["lists", "get"], *([game] for game in GAMES))],
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = f"import sys; sys.argv[1:] = {arguments}; from gpusolve.cli import main; main(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *help_lines, modules = done.stdout.splitlines()
    assert help_lines[0].startswith("Usage:")
    assert not HEAVY & set(modules.split())


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["sl"], ["sliding"]),
        (["quiddler", ""], ["census", "check", "columns", "deal", "hand", "simulate", "solve", "suggest", "turn"]),
        (["wordle", "suggest", "--len"], ["--length"]),
        (["wordle", "solve", "--mode", ""], ["easy", "hard", "ultra-hard"]),
    ],
)
def test_the_shell_completes_games_commands_options_and_choices(words: list[str], found: list[str]) -> None:
    completing = {
        "_GPUSOLVE_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["gpusolve", *words]),
        "COMP_CWORD": str(len(words)),
    }
    code = "from gpusolve.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | completing, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == found


def test_a_small_question_imports_nothing_heavy() -> None:
    code = "import sys; sys.argv[1:] = 'wordle pattern eerie there'.split(); from gpusolve.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    pattern, modules = done.stdout.splitlines()
    assert pattern == "eerie:y-y-g"
    assert not HEAVY & set(modules.split())


def test_every_game_is_mounted_with_one_line_of_help(run: Run) -> None:
    done = run("--help")
    assert done.code == 0
    for game in GAMES:
        assert f"\n  {game} " in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("chess", r"gpusolve: no command 'chess' \(see gpusolve --help\)"),
        ("wrdle", r"gpusolve: no command 'wrdle': did you mean wordle\? \(see gpusolve --help\)"),
        ("Tetris", "no command 'Tetris': did you mean tetris"),
        (
            "wordle sugest",
            r"gpusolve wordle: no command 'sugest': did you mean suggest\? \(see gpusolve wordle --help\)",
        ),
        ("wordle guess", "no command 'guess'"),
        ("--fast", r"No such option:? '?--fast"),
        ("serve --port 70000", "--port 70000: expected a whole number, 0 to 65,535"),
        ("serve --waiting 0", "--waiting 0: expected"),
        ("serve --memory -1", "--memory -1: expected"),
        ("serve --time-limit 0", "--time-limit 0(.0)?: expected"),
        ("serve --jobs 0", "--jobs 0: expected a whole number, 1 to 256"),
        ("help chess", "game chess: expected one of doctor, help, "),
        ("wordle suggest --fast", r"No such option:? '?--fast"),
        ("wordle pattern salet", "Missing argument '(answer|ANSWER)'"),
        ("wordle suggest --top many", "--top"),
        ("wordle suggest --mode medium", "--mode"),
        ("quiddler deal --seed \u0663", "expected a number in the digits 0-9"),
        ("quiddler deal --seed=\uff11", "expected a number in the digits 0-9"),
        ("wordle suggest --device gpu", "device gpu: expected auto, cpu, cpu:THREADS, cuda or cuda:N"),
    ],
)
def test_unknown_words_on_the_command_line_are_refused(run: Run, arguments: str, message: str) -> None:
    done = run(*arguments.split())
    assert done.code == 2
    assert re.search(message, done.err)  # the text is Typer's and differs between its versions
    assert done.err.count("\n") == 1
    assert not done.out


def test_the_bare_command_shows_the_help(run: Run) -> None:
    done = run()
    assert (done.code, done.out.startswith("Usage:")) == (2, True)


def test_cuda_never_falls_back_silently(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)  # imports of CuPy fail as if it were not installed
    done = run("wordle", "suggest", "--device", "cuda")
    assert (done.code, done.out) == (4, "")
    assert "CuPy is not installed; `gpusolve doctor` says how to install it" in done.err
    assert done.err.count("\n") == 1
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cuda:1")
    assert run("wordle", "suggest").code == 4


def test_auto_reports_its_choice_and_why_it_did_not_choose_a_gpu(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    for driver, why in ((None, False), ((13, 0), True)):
        monkeypatch.setattr("gpusolve.backend.driver_version", lambda driver=driver: driver)
        done = run("wordle", "suggest", "salet:-y--g", "--device", "auto")
        assert done.code == 0
        assert done.err.startswith("device: cpu")
        assert ("auto: CuPy is not installed" in done.err) is why
    assert run("wordle", "suggest", "salet:-y--g", "--quiet").err == ""


def test_doctor(run: Run) -> None:
    done = run("doctor", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["schema"] == "gpusolve.doctor/1"
    checks = {check["name"]: check for check in found["checks"]}
    assert {"gpusolve", "numpy", "numba", "NVIDIA driver", "CuPy", "kernels", "wordle-answers", "scowl-70"} <= set(
        checks
    )
    assert "wordle.cu" in checks["kernels"]["found"]
    assert all(check["ok"] or check["fix"] for check in checks.values())
    text = run("doctor").out
    assert all(name in text for name in checks)


def test_an_interrupt_ends_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        stop = KeyboardInterrupt()
        stop.add_note("stopped; --resume FILE continues")
        raise stop

    monkeypatch.setattr("gpusolve.doctor.examine", interrupt)
    done = run("doctor")
    assert (done.code, done.out, done.err) == (130, "", "stopped; --resume FILE continues\n")
    done = run("doctor", "--quiet")
    assert (done.code, done.out, done.err) == (130, "", "")


def test_an_unexpected_end_of_a_file_is_a_fault_and_no_interrupt(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer turns an EOFError into the same error as Ctrl-C."""

    def end() -> None:
        raise EOFError("no data left")

    monkeypatch.setattr("gpusolve.doctor.examine", end)
    done = run("doctor")
    assert (done.code, done.out) == (70, "")
    assert "EOFError: no data left" in done.err


def test_a_kernel_that_the_display_stops_is_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped() -> None:
        raise CUDARuntimeError("cudaErrorLaunchTimeout: the launch timed out and was terminated")

    monkeypatch.setattr("gpusolve.doctor.examine", stopped)
    done = run("doctor")
    assert (done.code, done.out) == (4, "")
    assert done.err.endswith("(cudaErrorLaunchTimeout): choose a GPU without a display, or --device cpu\n")
    assert "Traceback" not in done.err


def test_no_color_means_no_colour() -> None:
    command = [sys.executable, "-m", "gpusolve", "wordle", "pattern", "eerie", "there"]
    environment = os.environ | {"NO_COLOR": "1", "FORCE_COLOR": "", "TTY_COMPATIBLE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "eerie:y-y-g\n"
