"""What a machine may lack: a test that needs it is skipped, or fails where ``GPUSOLVE_REQUIRE`` names it."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

from gpusolve.testing import emulation, nvrtc


def lacking(tool: str, why: str) -> NoReturn:
    """Skips the running test because `tool` is not here; fails it if ``GPUSOLVE_REQUIRE=tool,...`` names it.

    Continuous integration sets ``GPUSOLVE_REQUIRE=emulated,nvrtc``, so that nothing is left out there unseen.
    """
    __tracebackhide__ = True
    if tool in os.environ.get("GPUSOLVE_REQUIRE", "").split(","):
        pytest.fail(why)
    pytest.skip(why)


def need_emulation() -> None:
    """Skips or fails (``emulated``) the running test where there is no g++."""
    __tracebackhide__ = True
    if not emulation.have_compiler():
        lacking("emulated", "emulated: g++ is not found")


def need_nvrtc() -> None:
    """Skips or fails (``nvrtc``) the running test where NVIDIA's compiler is not installed; skips it under sanitizers.

    AddressSanitizer hides NVRTC's own files from it, and there is nothing to sanitize.
    """
    __tracebackhide__ = True
    if emulation.sanitized():
        pytest.skip("nothing to sanitize here")
    if why := nvrtc.missing():
        lacking("nvrtc", why)
