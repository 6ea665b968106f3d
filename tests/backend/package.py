"""A small package with twins of every kind of argument and result, from which the tests build libraries."""

from __future__ import annotations

from pathlib import Path

TWINS = """
from typing import NamedTuple

import numpy as np
from gpusolve.backend.compiled import compiled, inlined
from hall import Field, Pair

FACTOR = 3

@inlined
def scaled(x): return x * np.float32(FACTOR)

@compiled
def mixed(values, out):
    for i in range(len(values)):
        out[i] = scaled(values[i] * values[i]) + values[len(values) - 1 - i] / np.float32(7)
    return len(values)

@compiled
def numbers(a, b, c, d, e, f): return a + 1, b + np.uint64(1), not c, d * 2, e * np.float32(2), f is None

@compiled
def sums(field, wide): return field.pair.first.sum(), field.pair.second[0, 1], field.scale, wide[1, 0], wide.shape[1]

@compiled
def sorted_twice(values):
    out = np.sort(values)
    return out, (out[::-1].copy(), np.zeros((2, 0), np.int16)), len(out)

@compiled
def failing(x, values):
    if x == 1: raise ValueError("one", 1)
    if x == 2: return 1 // (x - 2)
    if x == 3: raise KeyError
    if x == 4: values[:2] = values[:3]
    return x

@compiled
def long(count):
    x = np.uint64(1)
    for _ in range(count): x = x * np.uint64(6364136223846793005) + (x >> np.uint64(7))
    return x

@compiled
def counted(values):
    total = 0
    for value in values: total += value
    return total
"""
NAMED = """
from typing import Any, NamedTuple

class Pair(NamedTuple):
    first: Any
    second: Any

class Field(NamedTuple):
    pair: Pair
    scale: Any
"""
LIST = """# a comment
hall.twins:mixed (float32[::1], float32[::1])
hall.twins:numbers (int64, uint64, bool, float64, float32, none)
hall.twins:sums (hall.Field(hall.Pair(readonly int32[::1], uint16[:,::1]), float64), uint8[:,:])
hall.twins:sorted_twice (int64[::1])
hall.twins:failing (int64, int64[::1])
hall.twins:long (int64)
hall.twins:counted (int32[::1])
hall.twins:counted (readonly int32[::1])
hall.twins:counted (int64[::1])
"""


def write(folder: Path, twins: str = TWINS) -> Path:
    """Write the package, and return its list of functions."""
    (folder / "hall").mkdir(parents=True)
    for name, text in {"__init__.py": NAMED, "twins.py": twins, "signatures.txt": LIST}.items():
        (folder / "hall" / name).write_text(text)
    return folder / "hall" / "signatures.txt"
