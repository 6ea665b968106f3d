"""What builds the libraries of twins: its command line, and libraries for other kinds of processors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backend.package import write
from gpusolve.backend import library
from gpusolve.backend.levels import EVERY, levels

ARM = 0xB7
"""The number of ARM 64 in the head of an ELF file."""

pytestmark = pytest.mark.skipif(sys.platform != "linux" or not levels(), reason="libraries are built under Linux")


def build(folder: Path, chosen: str, *lists: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "gpusolve.backend.building", str(folder), chosen, *map(str, lists)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder.parent), *sys.path])}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.thorough
def test_a_library_for_another_kind_of_processor(tmp_path: Path) -> None:
    done = build(tmp_path / "out", "arm64", write(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    arm = next(level for level in EVERY if level.machine == "aarch64")
    for file in (tmp_path / "out" / library.CALLER, library.library_file(tmp_path / "out", arm, "hall.twins")):
        content = file.read_bytes()
        assert (content[:4], int.from_bytes(content[18:20], "little")) == (b"\x7fELF", ARM)
    assert b"twin:hall.twins:mixed" in content


@pytest.mark.parametrize(
    ("chosen", "error"),
    [
        ("x86-64-v9", "level x86-64-v9: expected all, native, or "),
        ("x86-64-v2,arm64", "levels x86-64-v2, arm64: expected one kind of processor"),
    ],
)
def test_wrong_levels_are_one_line(tmp_path: Path, chosen: str, error: str) -> None:
    done = build(tmp_path / "out", chosen)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(error)


def test_nothing_is_built_without_a_level(tmp_path: Path) -> None:
    assert build(tmp_path / "out", "").returncode == 0
    assert not (tmp_path / "out").exists()


def test_a_function_that_cannot_be_compiled_is_named(tmp_path: Path) -> None:
    file = write(tmp_path)
    file.write_text("hall.twins:mixed (int64, int64)\n")
    done = build(tmp_path / "out", "native", file)
    assert done.returncode == 1
    assert "signatures.txt: " in done.stderr


@pytest.mark.parametrize("result", ["(x, None)", f"({'x, ' * 200})"])
def test_a_result_that_cannot_be_returned_is_refused(tmp_path: Path, result: str) -> None:
    text = f"from gpusolve.backend.compiled import compiled\n@compiled\ndef made(x): return {result}\n"
    file = write(tmp_path, text)
    file.write_text("hall.twins:made (int64)\n")
    done = build(tmp_path / "out", "native", file)
    assert done.returncode == 1
    assert "ValueError: " in done.stderr


@pytest.mark.thorough
def test_a_library_does_not_keep_settings_of_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path)
    file.write_text("hall.twins:failing (int64, int64[::1])\n")
    libraries = []
    for folder, value in (("plain", ""), ("checked", "1")):
        monkeypatch.setenv("NUMBA_BOUNDSCHECK", value) if value else None
        assert build(tmp_path / folder, levels()[-1].name, file).returncode == 0
        libraries.append(library.library_file(tmp_path / folder, levels()[-1], "hall.twins").read_bytes())
    assert libraries[0] == libraries[1]
