"""The package from docs/testing.md, tested through the plugin."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gpusolve.testing.plugin import Run
from gpusolve.testing.tools import lacking, need_emulation, need_nvrtc

PAGE = Path(__file__).parents[2] / "docs" / "testing.md"


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """Write the files of the page to a folder."""
    text = PAGE.read_text(encoding="utf-8")
    files = re.findall(r"`([\w./]+)`:\n\n```\w+\n(.*?)```\n", text, re.DOTALL)
    assert [name for name, _ in files] == [
        "powers/powers.cu", "powers/cpu.py", "powers/kernels.py", "tests/test_kernels.py", "pyproject.toml"
    ]  # fmt: skip
    for name, content in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


def pytest_there(folder: Path, *options: str, **variables: str) -> str:
    """Run pytest in the folder, and return the last line of its output."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
    environment["NUMBA_CACHE_DIR"] = str(folder / "numba")  # otherwise each run would add a folder to the user's cache
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:warnings", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[-1] if done.stdout else done.stderr


def test_the_example_of_the_page(stranger: Path) -> None:
    need_emulation()
    need_nvrtc()
    assert re.match(r"(7 passed, 1 skipped|8 passed) in", pytest_there(stranger))  # cuda is skipped if there is no GPU


@pytest.mark.thorough
def test_a_requested_device_must_be_available(stranger: Path) -> None:
    (stranger / "cupy.py").write_text("raise ImportError\n")
    assert pytest_there(stranger, "--device", "cuda").startswith("5 deselected, 1 error in")
    required = pytest_there(stranger, "-k", "test_powers and not emulated", GPUSOLVE_REQUIRE="nvrtc,cuda")
    assert required.startswith("1 passed, 6 deselected, 1 error")


def test_installing_gpusolve_adds_no_options_to_pytest(stranger: Path) -> None:
    (stranger / "pyproject.toml").unlink()
    assert "unrecognized arguments: --device" in pytest_there(stranger, "--device=cpu")


def test_workers_share_the_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xdist")
    (tmp_path / "test_it.py").write_text(
        "import os, pytest\n"
        "@pytest.mark.parametrize('n', range(8))\n"
        "def test_it(n):\n"
        "    from numba import config\n"
        "    assert config.NUMBA_NUM_THREADS == max(2, os.cpu_count() // 2)\n"
    )
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    assert pytest_there(tmp_path, "-n", "2", "-p", "gpusolve.testing.plugin").startswith("8 passed")


def test_a_missing_tool_skips_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_REQUIRE", "emulated")
    with pytest.raises(pytest.skip.Exception, match="no compiler"):
        lacking("nvrtc", "no compiler")
    monkeypatch.setenv("GPUSOLVE_REQUIRE", "emulated,nvrtc")
    with pytest.raises(pytest.fail.Exception, match="no compiler"):
        lacking("nvrtc", "no compiler")


def test_a_command_runs_in_this_process(run: Run) -> None:
    assert run("--help").out.startswith("Usage:")
    assert run("no-such-game").code == 2
