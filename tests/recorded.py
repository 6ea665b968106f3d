"""Results of our own, recorded under ``tests/golden/`` because they take long to compute or must never change.

``make goldens`` computes all of them again and shows what differs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("golden")


def recorded(name: str, make: Callable[[], Any]) -> Any:
    """What `make` gave, in values that JSON has, when ``tests/golden/<name>.json`` was recorded.

    With ``GPUSOLVE_RECORD=1`` it is made and recorded now.
    """
    path = FOLDER / f"{name}.json"
    if os.environ.get("GPUSOLVE_RECORD") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_text_of(make()), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def _text_of(value: Any) -> str:
    """JSON, with an entry per line where the value is an object, so that a change shows where it is."""
    dense = (",", ":")
    if not isinstance(value, dict):
        return json.dumps(value, separators=dense) + "\n"
    entries = (f"{json.dumps(name)}: {json.dumps(entry, separators=dense)}" for name, entry in value.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"
