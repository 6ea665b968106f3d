"""The list of environment variables in docs/environment.md is complete."""

from __future__ import annotations

import re
from pathlib import Path

import gpusolve

ROOT = Path(__file__).parents[1]
OF_OTHERS = {"PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTHONPATH"}
"""Variables that pytest-xdist sets for its workers, and pip for the packages with which it builds a wheel."""


def test_every_environment_variable_is_documented() -> None:
    files = [*Path(gpusolve.__file__).parent.rglob("*.py"), ROOT / "hatch_build.py", ROOT / "tests" / "recorded.py"]
    read: set[str] = set()
    for file in files:
        text = file.read_text(encoding="utf-8")
        read |= set(re.findall(r"\bGPUSOLVE_[A-Z_]*[A-Z]\b", text))
        read |= set(re.findall(r"""environ(?:\.get\(|\[)["'](\w+)["']""", text))
        for names in re.findall(r"\{([^{}]*)\} & os\.environ\.keys\(\)", text):
            read |= set(re.findall(r'"(\w+)"', names))
    documented = set(re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")))
    assert {"GPUSOLVE_DEVICE", "GPUSOLVE_TOKEN", "FORCE_COLOR", "COLUMNS", "TZ"} <= read
    assert read - OF_OTHERS <= documented
    assert {name for name in documented if name.startswith("GPUSOLVE_")} <= read
