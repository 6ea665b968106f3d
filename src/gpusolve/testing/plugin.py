"""The pytest plugin: a test written once runs on every device. ``pytest -p gpusolve.testing.plugin`` loads it.

A test with the fixture ``backend`` runs on ``cpu`` (Numba), ``emulated`` (the host code for GPUs over a stand-in for
CuPy, with the CUDA text compiled as C++) and ``cuda`` (a real GPU). Unavailable devices are skipped with the reason; a
device or tool that ``GPUSOLVE_REQUIRE`` names fails instead. ``--device NAME`` runs only these tests, on that device::

    def test_every_number_is_squared(backend: Backend) -> None:
        squares = kernels.squares(backend, np.arange(100))
        assert squares.tolist() == [number**2 for number in range(100)]

It is not an entry point of the group ``pytest11``, which pytest would load by itself, so that installing gpusolve does
not add options to anybody's pytest. Add it to ``addopts``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.cli import main
from gpusolve.commands import configuration
from gpusolve.errors import DeviceUnavailable
from gpusolve.lists import kept
from gpusolve.testing import emulation
from gpusolve.testing.compilers import MISSING
from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.tools import lacking

DEVICES = ("cpu", "emulated", "cuda")
_COMPILATION = re.compile(r"^(compiling kernels; .*|compiled kernels in [\d.]+ s)\n", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--device``."""
    parser.addoption("--device", choices=DEVICES, help="run only the tests of kernels, on this device")


def pytest_configure(config: pytest.Config) -> None:
    """Leave the user's configuration file and lists alone, and let the processes of tests share the cores.

    These are the workers of pytest-xdist and what `check_sanitized` starts.
    """
    os.environ[configuration.VARIABLE] = os.environ[kept.VARIABLE] = os.devnull
    if "PYTEST_XDIST_WORKER" not in os.environ or os.name == "nt":
        return
    share = (os.cpu_count() or 1) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    os.environ.setdefault("NUMBA_NUM_THREADS", str(max(2, share)))  # two, so that batches are divided


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test for each device."""
    if "backend" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--device")
        metafunc.parametrize("backend", [chosen] if chosen else DEVICES, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that need no device if a device is chosen."""
    if config.getoption("--device"):
        chosen = [item for item in items if "backend" in getattr(item, "fixturenames", ())]
        taken = set(chosen)
        config.hook.pytest_deselected(items=[item for item in items if item not in taken])
        items[:] = chosen


@cache
def _open(device: str) -> Backend | str:
    if device == "emulated":
        return EmulatedBackend() if emulation.have_compiler() else f"emulated: {MISSING}"
    try:
        return open_backend(device)
    except DeviceUnavailable as error:
        return f"{device}: {error}"


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Backend:
    """Open the device."""
    opened = _open(request.param)
    if not isinstance(opened, str):
        return opened
    if request.config.getoption("--device"):
        pytest.fail(opened)
    lacking(request.param, opened)


@dataclass(frozen=True)
class Done:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Done]
"""Type of the fixture ``run``: from the words of a command line to its exit code and output."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``gpusolve ARGUMENTS...`` in this process.

    The output lacks the notes on compilation, because an earlier test may have compiled the kernels::

        def test_help(run: Run) -> None:
            assert run("my-game", "--help").code == 0
    """

    def run(*arguments: str) -> Done:
        monkeypatch.setattr("sys.argv", ["gpusolve", *arguments])
        capsys.readouterr()
        code = main()
        out, err = capsys.readouterr()
        return Done(code, out, _COMPILATION.sub("", err))

    return run
