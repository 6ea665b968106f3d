"""The example package: after its installation it adds a command and passes its tests, and it can be uninstalled."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough
HARVEST = Path(__file__).parents[1] / "examples" / "harvest"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a new environment that can import the packages of this one, so that only the example must be installed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    purelib = subprocess.run(
        [scripts / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    Path(purelib, "present.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    return scripts / "python"


def call(*command: str | Path, cwd: Path) -> tuple[int, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # NVIDIA's compiler is not found in a new environment, because it is searched for beside the interpreter.
    environment["GPUSOLVE_REQUIRE"] = environment.get("GPUSOLVE_REQUIRE", "").replace("nvrtc", "")
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_game_in_another_package_can_be_installed_and_uninstalled(python: Path, tmp_path: Path) -> None:
    source = tmp_path / "harvest"
    shutil.copytree(HARVEST, source, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    pip = (python, "-m", "pip", "--disable-pip-version-check")
    gpusolve = (python, "-m", "gpusolve")
    assert "harvest" not in call(*gpusolve, "--help", cwd=tmp_path)[1]

    code, output = call(*pip, "install", "--quiet", "--no-deps", source, cwd=tmp_path)
    assert code == 0, output
    code, output = call(*gpusolve, "--help", cwd=tmp_path)
    assert "  harvest   Harvest: walk over a field and reap as much as you can." in output
    example = (*gpusolve, "harvest", "solve", "131/925/347", "--steps", "4", "--device", "cpu", "--quiet")
    code, output = call(*example, cwd=tmp_path)
    assert (code, output.splitlines()[-1]) == (0, "24 reaped by drrd; no walk reaps more")
    served = """
from gpusolve.serve.boards import find_boards
from gpusolve.serve.operations import find_operations
print(sorted(find_operations()["harvest/solve"].example.items()))
print([board.module.name for board in find_boards() if board.name == "harvest"])
"""
    code, output = call(python, "-c", served, cwd=tmp_path)
    assert (code, output.strip()) == (0, "[('field', '131/925/347'), ('steps', 4)]\n['board.js']")

    code, output = call(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=source)
    assert code == 0, output
    assert " passed" in output
    if "emulated" in os.environ.get("GPUSOLVE_REQUIRE", ""):
        assert "no C++ compiler is found" not in output

    assert call(*pip, "uninstall", "--quiet", "--yes", "gpusolve-harvest", cwd=tmp_path)[0] == 0
    assert "harvest" not in call(*gpusolve, "--help", cwd=tmp_path)[1]
    code, output = call(*example, cwd=tmp_path)
    assert (code, "no command 'harvest'" in output) == (2, True)
