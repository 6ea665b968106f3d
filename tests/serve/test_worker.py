"""What a worker measures."""

from __future__ import annotations

import builtins
import importlib
import time
from pathlib import Path

import pytest

from gpusolve import clock
from gpusolve.serve.worker import measure_imports


def test_imports_do_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither towards a limit nor in the seconds of a result; also imports inside of imports, once."""
    monkeypatch.setattr(builtins, "__import__", builtins.__import__)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "slow_outside.py").write_text("import time\ntime.sleep(0.2)\nimport slow_inside\n")
    (tmp_path / "slow_inside.py").write_text("import time\ntime.sleep(0.2)\n")
    importlib.invalidate_caches()
    measure_imports()
    before, began, shown = clock.importing.seconds, time.monotonic(), clock.now()
    import slow_outside  # type: ignore[import-not-found]  # noqa: F401

    passed = time.monotonic() - began
    assert 0.4 <= clock.importing.seconds - before <= passed
    assert clock.now() - shown <= passed - 0.4
