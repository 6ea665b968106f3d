"""The pytest plugin: the devices that a test written once runs on. ``pytest -p gpusolve.testing.plugin`` loads it.

A test that takes the fixture ``backend`` runs on ``cpu`` (Numba), ``emulated`` (the CUDA text compiled by g++) and
``cuda`` (a real GPU). What is not available here is skipped with its reason; a device or tool that ``GPUSOLVE_REQUIRE``
names fails instead. ``--device NAME`` runs that side of these tests, and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.cli import main
from gpusolve.errors import DeviceUnavailable
from gpusolve.testing import emulation

DEVICES = ("cpu", "emulated", "cuda")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--device``."""
    parser.addoption("--device", choices=DEVICES, help="run only the tests of kernels, on this device")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each device."""
    if "backend" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--device")
        metafunc.parametrize("backend", [chosen] if chosen else DEVICES, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what needs no device if one is chosen."""
    if config.getoption("--device"):
        others = [item for item in items if "backend" not in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in set(others)]


@cache
def _open(device: str) -> Backend | str:
    if device == "emulated":
        return emulation.EmulatedBackend() if emulation.have_compiler() else "emulated: g++ is not found"
    try:
        return open_backend(device)
    except DeviceUnavailable as error:
        return f"{device}: {error}"


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Backend:
    """The device."""
    device = request.param
    opened = _open(device)
    if isinstance(opened, str):
        required = device in os.environ.get("GPUSOLVE_REQUIRE", "") or device == request.config.getoption("--device")
        (pytest.fail if required else pytest.skip)(opened)
    assert not isinstance(opened, str)
    return opened


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Runs ``gpusolve ARGUMENTS...`` in this process."""

    def run(*arguments: str) -> Done:
        monkeypatch.setattr("sys.argv", ["gpusolve", *arguments])
        capsys.readouterr()
        code = main()
        return Done(code, *capsys.readouterr())

    return run
