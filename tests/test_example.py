"""The example is what a stranger copies: installed it adds its command, its tests pass, and uninstalled it is gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

HARVEST = Path(__file__).parents[1] / "examples" / "harvest"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that sees what this one has, so that nothing but the example is to be installed."""
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
    # NVIDIA's compiler is looked for beside the interpreter, where a fresh environment has none.
    environment["GPUSOLVE_REQUIRE"] = environment.get("GPUSOLVE_REQUIRE", "").replace("nvrtc", "")
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_stranger_adds_a_game_and_takes_it_away(python: Path, tmp_path: Path) -> None:
    source = tmp_path / "harvest"
    shutil.copytree(HARVEST, source, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    pip = (python, "-m", "pip", "--disable-pip-version-check")
    gpusolve = (python, "-m", "gpusolve")
    assert "harvest" not in call(*gpusolve, "--help", cwd=tmp_path)[1]

    code, said = call(*pip, "install", "--quiet", "--no-deps", source, cwd=tmp_path)
    assert code == 0, said
    code, said = call(*gpusolve, "--help", cwd=tmp_path)
    assert "  harvest   Harvest: walk over a field and reap as much as you can." in said
    example = (*gpusolve, "harvest", "solve", "131/925/347", "--steps", "4", "--device", "cpu", "--quiet")
    assert call(*example, cwd=tmp_path) == (0, "24 by drrd, proven\n")

    code, said = call(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=source)
    assert code == 0, said
    assert " passed" in said
    if "emulated" in os.environ.get("GPUSOLVE_REQUIRE", ""):
        assert "g++ is not found" not in said

    assert call(*pip, "uninstall", "--quiet", "--yes", "gpusolve-harvest", cwd=tmp_path)[0] == 0
    assert "harvest" not in call(*gpusolve, "--help", cwd=tmp_path)[1]
    code, said = call(*example, cwd=tmp_path)
    assert (code, "No such command 'harvest'" in said) == (2, True)
