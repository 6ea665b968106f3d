"""`make gpu` without a GPU: the complete report with the stand-in for CuPy, in an environment with nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.weighing import ITEMS, PROBE, arguments
from gpusolve.backend import Program, open_backend
from gpusolve.backend.cpu import CpuBackend
from gpusolve.games import find_games
from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.tools import need_emulation

ROOT = Path(__file__).parents[1]
GAMES = ("wordle", "tetris", "sliding", "queuedle", "quiddler", "qless", "quordle", "search")
HARMLESS = {"sliding.widen", "permutations.spread"}
"""Kernels with races that change nothing: threads give a byte the same value while others look for another one."""
STAND_IN = """
import sys
from gpusolve.testing.stand_in import StandIn
sys.modules["cupy"] = StandIn()
"""
PACKAGES = (
    "numpy numba llvmlite pytest _pytest py pluggy iniconfig packaging pygments typer click shellingham rich "
    "markdown_it mdurl annotated_doc typing_extensions gpusolve cupy"
)
"""What a machine with NumPy, Numba, pytest, Typer and Rich has."""
ONLY_THESE = f"""
import sys
from importlib.machinery import PathFinder
PACKAGES = "{PACKAGES}".split()
class Only(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        spec = super().find_spec(name, path, target)
        where = [] if spec is None else [spec.origin or "", *(spec.submodule_search_locations or [])]
        outside = any("site-packages" in place for place in where)
        return None if outside and name.partition(".")[0] not in PACKAGES else spec
sys.meta_path[:] = [Only if finder is PathFinder else finder for finder in sys.meta_path]
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Run everything once and return the files by name."""
    need_emulation()
    folder = tmp_path_factory.mktemp("gpu")
    (folder / "cupy.py").write_text(STAND_IN)
    (folder / "sitecustomize.py").write_text(ONLY_THESE)
    out = folder / "out"
    paths = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(folder)]), "GPUSOLVE_TABLES": str(folder / "tables")}
    command = [sys.executable, str(ROOT / "benchmarks" / "gpu.py"), "--out", str(out), "--jobs", "1", "--limit", "3600"]
    command += ["--scale", "1e-5", "--cpu-scale", "1e-5", "--rounds", "1", "--tests", "tests/backend/test_program.py"]
    done = subprocess.run(command, env=os.environ | paths, capture_output=True, text=True, check=False)
    files = {path.name: path.read_text(encoding="utf-8") for path in out.glob("*")}
    assert done.returncode == 0, done.stdout + done.stderr + str(files)
    assert "failed" not in done.stdout
    return files


@pytest.mark.thorough
def test_each_part_has_a_file(report: dict[str, str]) -> None:
    assert sorted(report) == ["gpu-cold.md", "gpu-speed.md", "gpu-tests.md", "gpu-verify.md", "gpu.md"]
    assert "The card: 132 multiprocessors" in report["gpu.md"]
    assert "Missing: pyswarms" in report["gpu.md"]
    assert " passed" in report["gpu-tests.md"]
    assert report["gpu-cold.md"].count("| compile wordle.cu |") == 2


@pytest.mark.thorough
def test_every_kernel_is_verified(report: dict[str, str]) -> None:
    rows = [line.split(" | ") for line in report["gpu-verify.md"].splitlines() if line.startswith("| ") and "." in line]
    assert {row[0][2:] for row in rows} == all_kernels()
    assert {row[-1] for row in rows} == {"equal |"}
    assert all(int(row[1]) > 0 and int(row[2].replace(",", "")) > 0 for row in rows)


@pytest.mark.thorough
def test_every_call_and_kernel_is_measured(report: dict[str, str]) -> None:
    text = report["gpu-speed.md"]
    for game in GAMES:
        _, calls, kernels, beside = text.split(f"### {game}\n")[1].split("\n### ")[0].split("---|\n")
        compared = [line for line in beside.splitlines() if line.startswith("| ")]
        assert len(compared) == calls.partition("\n\n")[0].count("/s | ") > 0
        assert all("| equal |" in line for line in compared)
        assert f"| {'permutations' if game == 'search' else game}." in kernels
    assert all(f"| {kernel} |" in text for kernel in all_kernels())


def all_kernels() -> set[str]:
    """Return the kernels of all games and of the searches by name."""
    rooms = [*find_games().values(), "gpusolve.search", "gpusolve.search.permutations"]
    programs = [import_module(f"{room}.kernels").PROGRAM for room in rooms]
    return {f"{program.name}.{kernel}" for program in programs for kernel in program.kernels}


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_no_kernel_lacks_a_barrier(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The launches that `make gpu` verifies have no race, and the same results if lanes run ahead of votes."""
    need_emulation()
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import gpu_part

    launched, reason = gpu_part._launches(game, open_backend("cpu"), 1e-5)
    for backend, left_out in ((EmulatedBackend(ahead=True), set()), (EmulatedBackend(races=True), HARMLESS)):
        chosen = [pairs for name, pairs in launched.items() if name not in left_out]
        found = {gpu_part._differences(backend, *pair) for pairs in chosen for pair in pairs}
        assert (found, reason) == ({""}, "")


def test_what_a_kill_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import gpu

    report = gpu.Report(tmp_path / "gpu.md")
    fails = "raise SystemExit('no such device')"
    slow = "import time\nprint('| measured |', flush=True)\ntime.sleep(100)"
    assert not gpu.run(report, "wordle", [sys.executable, "-c", slow], time.monotonic() + 1)
    assert not gpu.run(report, "tetris", [sys.executable, "-c", fails], time.monotonic() + 60)
    assert gpu.run(report, "qless", [sys.executable, "-c", "print('| also measured |')"], time.monotonic() + 60)
    lines = [line for line in report.path.read_text().splitlines() if line]
    assert lines == [
        "| measured |",
        "wordle: stopped at its limit",
        "tetris: ended with 1: no such device",
        "| also measured |",
    ]


def test_a_wrong_kernel_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that gives another result on the device, or that writes to an array that it should only read."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import gpu_part
    from launches import Launch

    cpu = open_backend("cpu:1")
    before = Launch(PROBE, "weigh", ITEMS, tuple(arguments(cpu).values()))
    after = before.copied(before.arrays)
    after.run(cpu)
    assert gpu_part._differences(cpu, before, after) == ""
    read = next(number for number in before.arrays if number not in before.written)

    class Wrong(CpuBackend):
        def __init__(self, number: int) -> None:
            super().__init__(1)
            self.number = number

        def launch(self, program: Program, kernel: str, count: int, *given: Any) -> Any:
            made = super().launch(program, kernel, count, *given)
            given[self.number].reshape(-1)[1] += 1
            return made

    for number in (read, before.written[0]):
        found = gpu_part._differences(Wrong(number), before, after)
        size = before.arguments[number].size
        assert f"{before.parameter(number)}, {ITEMS} items: 1 of {size} differ, the first at 1" in found


def test_a_launch_is_timed_on_restored_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest launch is kept as it was before it ran, although later launches changed its arrays."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import launches

    cpu = open_backend("cpu:1")
    out = np.zeros(1024, np.int32)
    with launches.longest(cpu) as found:
        cpu.launch(Program(PROBE.source, PROBE.twins), "count_items", 1024, out)
        cpu.launch(PROBE, "count_items", 1, out)
    (launch,) = found.launch.values()
    assert found.launches[launch.name] == 2
    assert found.items[launch.name] == 1025
    assert launch.arguments[0].max() == (0 if launch.count == 1024 else 1)
    before = launch.arguments[0].copy()
    launches.seconds_alone(cpu, launch)
    assert np.array_equal(launch.arguments[0], before)


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (np.arange(3), np.arange(3), ""),
        (np.arange(3), np.array([0, 5, 2]), "1 of 3 differ, the first at 1: 1 and 5"),
        (np.arange(3), np.arange(4), "int64 (3,) and int64 (4,)"),
        (np.array([0.0]), np.array([-0.0]), "the same numbers in different bits"),
        ([1, {"a": np.arange(2)}], [1, {"a": np.arange(2)}], ""),
        ((1, 2), (1, 3), "2 and 3"),
        ((1, 2), (1,), "2 and 1 parts"),
    ],
)
def test_results_are_compared_and_not_their_numbers(
    one: object, other: object, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from launches import difference

    assert difference(one, other) == words


def test_a_machine_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import harness

    monkeypatch.setenv("PATH", "")
    assert "commit unknown" in harness.heading("Title", open_backend("cpu:1"))
