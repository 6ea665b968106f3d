"""The wheel works when it is installed with only its requirements and without the checkout."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def command(*arguments: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(arguments, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def needed(requirements: list[str], extras: frozenset[str] = frozenset()) -> dict[str, Distribution]:
    """Return the installed distributions that are required, directly or indirectly, by name."""
    found: dict[str, Distribution] = {}
    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""}):
            there = distribution(requirement.name)
            assert requirement.specifier.contains(there.version, prereleases=True), (requirement, there.version)
            found[there.name] = there
            found |= needed(there.requires or [], frozenset(requirement.extras))
    return found


def link(found: dict[str, Distribution], site: Path) -> None:
    """Make the distributions importable from a site-packages folder, without copying them or using the network."""
    for there in found.values():
        for name in sorted({file.parts[0] for file in there.files or ()} - {"..", "__pycache__"}):
            if not (site / name).exists():
                (site / name).symlink_to(Path(str(there.locate_file(name))))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("gpusolve-*.whl")
    return built


@pytest.mark.thorough
def test_the_source_distribution_contains_what_the_readme_links_to(tmp_path: Path) -> None:
    command(sys.executable, "-m", "build", "--sdist", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    (built,) = tmp_path.glob("gpusolve-*.tar.gz")
    with tarfile.open(built) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    linked = set(re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"docs/wordle.svg", "examples/harvest", "docs/testing.md"} <= linked
    missing = {link for link in linked if not any(name == link or name.startswith(f"{link}/") for name in names)}
    assert not missing
    assert not [name for name in names if "__pycache__" in name]


@pytest.mark.thorough
def test_the_readme_is_the_description(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    text = archive.read(metadata).decode()
    assert "Description-Content-Type: text/markdown" in text
    assert text.endswith((ROOT / "README.md").read_text(encoding="utf-8"))


def test_links_of_the_readme_can_be_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, interface in (("builders.hooks", "BuildHookInterface"), ("metadata", "MetadataHookInterface")):
        stand_in = ModuleType("interface")
        setattr(stand_in, interface, list)  # a class that takes a parameter
        monkeypatch.setitem(sys.modules, f"hatchling.{name}.plugin.interface", stand_in)
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))
    text = "![a game](docs/wordle.svg) and [measured](benchmarks/a.md), [Dask](https://dask.org), [above](#more)"
    assert hook["with_absolute_links"](text, "https://forge.org/us/it/") == (
        "![a game](https://forge.org/us/it/raw/main/docs/wordle.svg) and "
        "[measured](https://forge.org/us/it/blob/main/benchmarks/a.md), [Dask](https://dask.org), [above](#more)"
    )


@pytest.mark.thorough
def test_the_wheel_contains_the_data_files(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("kernels", "wordlists"):
        for path in (ROOT / folder).iterdir():
            assert f"gpusolve/{folder}/{path.name}" in names
    others = [path for path in (ROOT / "src").rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")]
    others = [path for path in others if "__pycache__" not in path.parts]
    assert {path.name for path in others} >= {
        "py.typed",
        "cuda_functions.h",
        "cuda_on_cpu.h",
        "published.json",
        "replay.html",
        "replay.js",
        "page.css",
    }
    assert {path.relative_to(ROOT / "src").as_posix() for path in others} <= names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


@pytest.mark.thorough
def test_the_wheel_works_without_a_checkout(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    site = Path(command(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip())
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    command(*pip, wheel, cwd=tmp_path)
    (installed,) = Distribution.discover(name="gpusolve", path=[str(site)])
    dependencies = needed(installed.requires or [])
    assert {"numba", "numpy", "typer"} <= set(dependencies)
    assert not {"gpusolve", "pytest", "hypothesis"} & set(dependencies)
    link(dependencies, site)

    table = command(scripts / "gpusolve", "wordle", "partition-table", "--top", "1", "--device", "cpu", cwd=tmp_path)
    assert table.splitlines()[-1].split() == ["soare", "127", "183", "144227", "5.88596", "62.30108"]
    report = command(scripts / "gpusolve", "doctor", cwd=tmp_path)
    assert str(tmp_path / "venv") in report
    assert "wordle.cu" in report
    code = "import json; from gpusolve.games import find_games; print(json.dumps(find_games()))"
    found = json.loads(command(python, "-c", code, cwd=tmp_path))
    assert found == {
        path.parent.name: f"gpusolve.games.{path.parent.name}" for path in ROOT.glob("src/gpusolve/games/*/cli.py")
    }
    for game in found:
        assert f"\n  {game} " in command(scripts / "gpusolve", "--help", cwd=tmp_path)
