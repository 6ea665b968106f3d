"""Launches of probe.cu's kernel ``weigh``, which takes each kind of argument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.backend import Backend, Program

PROBE = Program(Path(__file__).with_name("probe.cu"), "backend.probe")
ITEMS, COLUMNS = 5, 4


def arguments(backend: Backend) -> dict[str, Any]:
    """Return the arguments of ``weigh`` by name."""
    return {
        "table": backend.asarray(np.arange(ITEMS * COLUMNS, dtype=np.int32).reshape(ITEMS, COLUMNS)),
        "columns": COLUMNS,
        "marks": backend.asarray(np.array([1, 2, 3], np.uint8)),
        "pairs": backend.asarray(np.array([[10, 20]], np.uint32)),
        "shift": 3,
        "seed": 7,
        "factor": 0.5,
        "out": backend.asarray(np.zeros((ITEMS, 2), np.int64)),
    }


def weigh(backend: Backend, count: int = ITEMS, **changed: Any) -> list[list[int]]:
    given = arguments(backend) | changed
    backend.launch(PROBE, "weigh", count, *given.values())
    result: list[list[int]] = backend.to_host(given["out"]).tolist()
    return result


EXPECTED = [[(total << 3) + (1, 2, 3)[item % 3] + 30, 7 + total // 2] for item, total in enumerate(range(6, 80, 16))]
