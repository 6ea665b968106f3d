"""All programs: equal twins, compiled for real architectures, clean under sanitizers."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from backend.weighing import PROBE
from gpusolve.backend import Program
from gpusolve.games import find_games
from gpusolve.resources import kernels_dir
from gpusolve.testing.checks import check_compiles, check_sanitized, check_twins
from gpusolve.testing.nvrtc import ARCHITECTURES

TESTS = Path(__file__).parents[1]
OLDEST, *NEWER = ARCHITECTURES
"""Each takes as long to compile for as the others, so the newer ones are left to `make thorough`."""
TEST_KERNELS = Program(TESTS / "testing" / "cuda_on_cpu_test.cu", twins="")


def our_programs() -> list[Program]:
    """Return the programs of our games and of the searches."""
    rooms = ["gpusolve.search.kernels", "gpusolve.search.permutations.kernels"]
    rooms += [f"{package}.kernels" for package in find_games().values() if package.startswith("gpusolve.")]
    return [import_module(room).PROGRAM for room in rooms if find_spec(room)]


def files_by_folder() -> dict[str, list[Path]]:
    """Return the files whose tests take the fixture ``backend``, by game or by folder."""
    found = defaultdict(list)
    for file in sorted(
        file for folder in ("backend", "search", "games") for file in TESTS.glob(f"{folder}/**/test_*.py")
    ):
        if re.search(r"^def \w+\([^)]*\bbackend: ", file.read_text(encoding="utf-8"), re.MULTILINE):
            found["/".join(file.relative_to(TESTS).parts[:-1][:2])].append(file)
    return found


PROGRAMS = [*our_programs(), PROBE]
FILES = files_by_folder()


def test_every_cuda_file_belongs_to_a_program() -> None:
    assert {program.source for program in our_programs()} == set(kernels_dir().glob("*.cu"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_twins(program: Program) -> None:
    check_twins(program)


@pytest.mark.parametrize("arch", [OLDEST, *(pytest.param(arch, marks=pytest.mark.thorough) for arch in NEWER)])
@pytest.mark.parametrize("program", [*PROGRAMS, TEST_KERNELS], ids=lambda program: program.name)
def test_compiles(program: Program, arch: str) -> None:
    check_compiles(program, arch)


@pytest.mark.thorough
@pytest.mark.parametrize("folder", FILES)
def test_sanitized(folder: str) -> None:
    check_sanitized(*FILES[folder])
