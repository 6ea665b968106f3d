"""The user's cache folder: where it is, what `gpusolve doctor` shows of it, and how it is emptied."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpusolve import doctor
from gpusolve.backend import caches
from gpusolve.errors import BadInput


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the user's cache folder be empty."""
    for variable in caches.VARIABLES.values():
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name, appauthor: tmp_path / name)
    return tmp_path / "gpusolve"


def test_a_folder_that_the_user_has_chosen(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert caches.folder("tables") == own_home / "tables"
    monkeypatch.setenv("GPUSOLVE_TABLES", "elsewhere")
    assert caches.folder("tables") == Path("elsewhere")
    with pytest.raises(BadInput, match="tables: GPUSOLVE_TABLES is set, and only gpusolve's own folder is emptied"):
        caches.empty("tables")


def test_what_is_kept_is_shown_and_removed(own_home: Path) -> None:
    assert doctor._caches() == []
    caches.empty("tables")
    for name, count in (("tables", 2), ("kernels", 1)):
        (own_home / name / "inner").mkdir(parents=True)
        for number in range(count):
            (own_home / name / "inner" / str(number)).write_bytes(bytes(1 << 20))
    shown = {check.name: check.found for check in doctor._caches()}
    assert shown == {
        "cache: kernels": f"1 file, 1.0 MiB, {own_home / 'kernels'}",
        "cache: tables": f"2 files, 2.0 MiB, {own_home / 'tables'}",
    }
    caches.empty("kernels")
    assert list(caches.contents()) == ["tables"]


def test_a_folder_that_cannot_be_removed(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (own_home / "tables").mkdir(parents=True)
    monkeypatch.setattr("shutil.rmtree", lambda path: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    with pytest.raises(BadInput, match="tables: cannot be removed: Permission denied"):
        caches.empty("tables")


def test_the_oldest_files_go_first(own_home: Path) -> None:
    own_home.mkdir()
    for age, name in enumerate("abcd"):
        (own_home / name).write_bytes(bytes(100))
        os.utime(own_home / name, (1000 - age, 1000 - age))
    caches.shrink(own_home, 400)
    assert caches.size(own_home) == (4, 400)
    caches.shrink(own_home, 250)
    assert sorted(path.name for path in own_home.iterdir()) == ["a", "b"]


def test_numba_keeps_kernels_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from gpusolve.backend.compiled import compiled\n@compiled\ndef double(x): return 2 * x\nprint(double(4))\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([*sys.path, str(tmp_path)]),
    }
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", "import own"], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == "8\n"
    found = list((tmp_path / "cache" / "gpusolve" / "kernels").rglob("*.nbc"))
    assert len(found) == 1
    assert not list(tmp_path.glob("__pycache__/*.nb*"))


@pytest.mark.parametrize("names", [["--empty", "kernels"], ["--empty", "all"]])
def test_the_command_empties_a_folder(tmp_path: Path, names: list[str]) -> None:
    place = tmp_path / "gpusolve" / "kernels"
    place.mkdir(parents=True)
    (place / "file").touch()
    environment = {name: value for name, value in os.environ.items() if name not in caches.VARIABLES.values()}
    done = subprocess.run(
        [sys.executable, "-m", "gpusolve", "doctor", *names],
        env=environment | {"XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not (place / "file").exists()
    assert "gpusolve" in done.stdout


def test_the_folder_without_platformdirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert caches.home() == tmp_path / "cache" / "gpusolve"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert caches.home() == tmp_path / ".cache" / "gpusolve"
