"""The wheel, installed into a fresh environment far from the checkout, does the main job."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def command(*arguments: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(arguments, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("gpusolve-*.whl")
    return built


def test_the_wheel_holds_kernels_and_word_lists(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("kernels", "wordlists"):
        for path in (ROOT / folder).iterdir():
            assert f"gpusolve/{folder}/{path.name}" in names
    assert "gpusolve/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_the_wheel_works_where_there_is_no_checkout(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    command(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    table = command(scripts / "gpusolve", "wordle", "partition-table", "--top", "1", "--device", "cpu", cwd=tmp_path)
    assert table.splitlines()[-1].split() == ["soare", "127", "183", "144227", "5.88596", "62.30108"]
    report = command(scripts / "gpusolve", "doctor", cwd=tmp_path)
    assert str(tmp_path / "venv") in report
    assert "wordle.cu" in report
