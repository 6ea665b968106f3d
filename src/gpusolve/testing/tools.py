"""Tools that a machine may lack: tests that need them are skipped, or fail if ``GPUSOLVE_REQUIRE`` names the tool."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

from gpusolve.testing import compilers, emulation, nvrtc


def lacking(tool: str, why: str) -> NoReturn:
    """Skip the current test because `tool` is missing, or fail it if ``GPUSOLVE_REQUIRE=tool,...`` names the tool.

    Continuous integration sets ``GPUSOLVE_REQUIRE=emulated,nvrtc``, so that no check is skipped unnoticed.
    """
    __tracebackhide__ = True
    if tool in os.environ.get("GPUSOLVE_REQUIRE", "").split(","):
        pytest.fail(why)
    pytest.skip(why)


def need_emulation() -> None:
    """Skip or fail (``emulated``) the current test if there is no C++ compiler."""
    __tracebackhide__ = True
    if not emulation.have_compiler():
        lacking("emulated", f"emulated: {compilers.MISSING}")


def need_nvrtc() -> None:
    """Skip or fail (``nvrtc``) the current test if NVIDIA's compiler is not installed; skip it under sanitizers.

    Under AddressSanitizer, NVRTC does not find its files, and a compilation has nothing to sanitize.
    """
    __tracebackhide__ = True
    if emulation.sanitized():
        pytest.skip("nothing to sanitize here")
    if why := nvrtc.missing():
        lacking("nvrtc", why)
