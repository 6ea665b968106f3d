"""The kernels once more, emulated under AddressSanitizer and UndefinedBehaviorSanitizer, threads in reverse order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpusolve.testing.emulation import have_compiler, sanitizer_environment


@pytest.mark.skipif(os.environ.get("GPUSOLVE_SANITIZE") == "1", reason="this is the sanitized run")
def test_every_kernel_is_clean() -> None:
    if not have_compiler():
        if "emulated" in os.environ.get("GPUSOLVE_REQUIRE", ""):
            pytest.fail("g++ is not found")
        pytest.skip("g++ is not found")
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "pytest", "-q", "--device", "emulated", "-p", "no:cacheprovider", "tests"]
    environment = os.environ | sanitizer_environment() | {"GPUSOLVE_EMULATE_ORDER": "reverse"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    assert " passed" in done.stdout
    assert " skipped" not in done.stdout
