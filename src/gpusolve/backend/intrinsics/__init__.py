"""LLVM instructions that Numba does not offer, for Numba functions only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from numba import extending

P = ParamSpec("P")


def intrinsic(function: Callable[Concatenate[Any, P], Any]) -> Callable[P, Any]:
    """Return a function that Numba functions call without its first parameter, the typing context."""
    made: Callable[P, Any] = extending.intrinsic(function)
    return made
