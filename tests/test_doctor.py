"""What `gpusolve doctor` finds, and the commands that it recommends."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpusolve import doctor
from gpusolve.backend import library
from gpusolve.backend.levels import levels
from gpusolve.doctor import Check, cupy_command
from gpusolve.installation import install_command


@pytest.fixture
def came_from(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Pretend that gpusolve came from a registry, unless a test says otherwise."""
    pretend(monkeypatch, None)
    return monkeypatch


def pretend(monkeypatch: pytest.MonkeyPatch, origin: object) -> None:
    text = None if origin is None else json.dumps(origin)
    found = SimpleNamespace(read_text=lambda name: text if name == "direct_url.json" else None)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: found)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (None, "pip install 'gpusolve[serve]'"),
        ({"url": "file:///a/b", "dir_info": {}}, "pip install '/a/b[serve]'"),
        ({"url": "file:///a%20b", "dir_info": {"editable": True}}, "pip install --editable '/a b[serve]'"),
        ({"url": "file:///a/x.whl", "archive_info": {}}, "pip install '/a/x.whl[serve]'"),
        ({"url": "https://a.org/x.whl", "archive_info": {}}, "pip install 'gpusolve[serve] @ https://a.org/x.whl'"),
        (
            {"url": "https://a.org/x", "vcs_info": {"vcs": "git", "requested_revision": "v1", "commit_id": "12"}},
            "pip install 'gpusolve[serve] @ git+https://a.org/x@v1'",
        ),
    ],
)
def test_gpusolve_is_installed_again_from_where_it_came(
    came_from: pytest.MonkeyPatch, origin: object, expected: str
) -> None:
    pretend(came_from, origin)
    assert install_command("serve") == expected


def test_a_checkout_on_the_path_is_installed_from_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    checkout = Path(doctor.__file__).parents[2]
    assert install_command(again=True) == f"pip install --force-reinstall --editable {checkout}"


@pytest.mark.parametrize(
    ("driver", "packages", "expected"),
    [
        (None, [], "pip install 'gpusolve[cuda13]'"),
        ((12, 4), [], "pip install 'gpusolve[cuda12]'"),
        ((13, 0), [], "pip install 'gpusolve[cuda13]'"),
        ((13, 0), ["cupy-cuda12x"], "pip install 'gpusolve[cuda12]'"),
        ((12, 4), ["cupy-cuda13x"], "pip uninstall cupy-cuda13x && pip install 'gpusolve[cuda12]'"),
        (
            (13, 0),
            ["cupy-cuda12x", "cupy-cuda13x"],
            "pip uninstall cupy-cuda12x cupy-cuda13x && pip install 'gpusolve[cuda13]'",
        ),
    ],
)
def test_one_package_of_cupy_that_the_driver_can_run_is_recommended(
    came_from: pytest.MonkeyPatch, driver: tuple[int, int] | None, packages: list[str], expected: str
) -> None:
    assert cupy_command(driver, packages) == expected


def checks_of(monkeypatch: pytest.MonkeyPatch, driver: tuple[int, int], packages: list[str]) -> dict[str, Check]:
    monkeypatch.setattr(doctor, "driver_version", lambda: driver)
    monkeypatch.setattr(doctor, "packages_distributions", lambda: {"cupy": packages})
    return {check.name: check for check in doctor._cuda()}


def test_a_driver_that_is_too_old_is_a_fault(came_from: pytest.MonkeyPatch) -> None:
    found = checks_of(came_from, (11, 4), [])["NVIDIA driver"]
    assert (found.ok, found.fix) == (False, "install a newer driver, for CUDA 12 or later")


def test_two_packages_of_cupy_are_a_fault(came_from: pytest.MonkeyPatch) -> None:
    found = checks_of(came_from, (13, 0), ["cupy-cuda13x", "cupy-cuda12x"])["CuPy"]
    assert not found.ok
    assert found.found == "cupy-cuda12x and cupy-cuda13x are installed: expected one"


@pytest.mark.parametrize(("visible", "expected"), [("", "unset CUDA_VISIBLE_DEVICES"), (None, "nvidia-smi")])
def test_hidden_gpus_are_named_where_none_is_found(
    came_from: pytest.MonkeyPatch, visible: str | None, expected: str
) -> None:
    def missing() -> int:
        raise RuntimeError("no CUDA-capable device is detected")

    runtime = SimpleNamespace(getDeviceCount=missing, runtimeGetVersion=lambda: 13000)
    cuda = SimpleNamespace(runtime=runtime, nvrtc=SimpleNamespace(getVersion=lambda: (13, 0)))
    came_from.setitem(sys.modules, "cupy", SimpleNamespace(cuda=cuda, __version__="14.0"))
    came_from.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        came_from.setenv("CUDA_VISIBLE_DEVICES", visible)
    found = checks_of(came_from, (13, 0), ["cupy-cuda13x"])
    assert found["CUDA runtime"] == Check("CUDA runtime", True, "13.0")
    assert not found["GPU"].ok
    assert found["GPU"].fix.startswith(expected)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"schema": "gpusolve.twins/0"}, "damaged, or of another version"),
        ({"level": "x86-64-v9"}, "made for x86-64-v9"),
    ],
)
def test_a_library_that_cannot_be_used_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], reason: str
) -> None:
    part = "gpusolve.games.quiddler"
    monkeypatch.setattr(library, "usable", lambda: [levels()[-1]])
    file = library.library_file(tmp_path, levels()[-1], part)
    place = library.folder()
    if place is None or not (place / library.CALLER).exists():
        pytest.skip("no library was built here")
    content = (place / library.CALLER).read_bytes()
    library.save(file, content, {"level": levels()[-1].name, "functions": {}, "dependencies": {}, "made from": {}})
    text = json.dumps(json.loads(file.with_suffix(".json").read_bytes().splitlines()[0]) | change).encode()
    file.with_suffix(".json").write_bytes(text + b"\n" + library._seal(text))
    monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", str(tmp_path))
    monkeypatch.setattr("gpusolve.backend.just_in_time.is_kept", lambda twin, types: False)
    library.library.cache_clear()
    try:
        found = doctor._compiled("quiddler", doctor.lists(["quiddler"])["quiddler"])
    finally:
        library.library.cache_clear()
    assert not found.ok
    assert found.found.endswith(f"the library cannot be used: {reason}")
    assert found.fix == "gpusolve doctor --compile quiddler"
