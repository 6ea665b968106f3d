"""Recorded results under ``tests/golden/``, which take long to compute or must never change.

``make goldens`` computes all of them again and shows the differences.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("golden")


def recorded(name: str, make: Callable[[], Any]) -> Any:
    """Return the result of `make` that is recorded in ``tests/golden/<name>.json``, as JSON values.

    With ``GPUSOLVE_RECORD=1``, call `make` and record the result first.
    """
    return json.loads(recorded_text(f"{name}.json", lambda: _text_of(make())))


def recorded_text(name: str, make: Callable[[], str]) -> str:
    """Return the text that is recorded in ``tests/golden/<name>``; record the result of `make` first as above."""
    path = FOLDER / name
    if os.environ.get("GPUSOLVE_RECORD") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make(), encoding="utf-8")
    return path.read_text(encoding="utf-8")


def _text_of(value: Any) -> str:
    """Return JSON with one entry per line if the value is an object, so that differences are easy to see."""
    dense = (",", ":")
    if not isinstance(value, dict):
        return json.dumps(value, separators=dense) + "\n"
    entries = (f"{json.dumps(name)}: {json.dumps(entry, separators=dense)}" for name, entry in value.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"
