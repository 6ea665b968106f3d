"""LLVM instructions that Numba does not offer, for compiled functions only. Numba is imported when one is compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Any, Concatenate, ParamSpec

P = ParamSpec("P")


class Later:
    """A module that is imported when something in it is needed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


ir, types, cgutils = Later("llvmlite.ir"), Later("numba.core.types"), Later("numba.core.cgutils")


class Intrinsic:
    """A function that compiled functions call, and that writes LLVM's instructions into them."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    @cached_property
    def numba(self) -> Any:
        """Numba's object for it."""
        from numba import extending

        return extending.intrinsic(self._function)


def intrinsic(function: Callable[Concatenate[Any, P], Any]) -> Callable[P, Any]:
    """Return a function that compiled functions call without its first parameter, the typing context."""
    return Intrinsic(function)  # type: ignore[return-value]
