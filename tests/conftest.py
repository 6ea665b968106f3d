"""Configuration of all tests; the devices come from ``gpusolve.testing.plugin``.

Without Hypothesis (`make gpu` installs nothing), the files that need it are not collected.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.pop("COLUMNS", None)  # a shell may export it, and output would be folded to that width
collect_ignore: list[str] = []
try:
    from hypothesis import HealthCheck, settings
except ImportError:
    files = Path(__file__).parent.rglob("*.py")
    collect_ignore += [str(file) for file in files if "\nfrom hypothesis" in file.read_text(encoding="utf-8")]
else:
    # There is no deadline because the first example of a test compiles kernels. All examples may share the fixture of a
    # device, because a device keeps no state between them.
    settings.register_profile("ours", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    settings.load_profile("ours")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the emulated runs of whole commands as thorough: they take minutes."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        if item.path.name == "test_devices.py" and callspec and callspec.params.get("backend") == "emulated":
            item.add_marker(pytest.mark.thorough)


def pytest_report_header() -> str:
    """Return a line for the head of the report if Hypothesis is missing."""
    return f"Hypothesis is not installed: {len(collect_ignore)} files are not collected" if collect_ignore else ""
