"""The decorators of the twins: functions that run as machine code, which a library contains or Numba makes.

Python calls a `Twin`. At the first call it is looked up in the libraries that were built with the package (see
`library`); this needs no Numba. A function, or types of arguments, that no library has is compiled by Numba and kept in
the user's cache (see `just_in_time`). This module does not import Numba, so that a command that finds all of its twins
starts at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from gpusolve.errors import DeviceUnavailable

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Options:
    """How Numba compiles a function.

    `python` says whether Python calls it, `inlined` whether it becomes part of the functions that call it, and
    `counted` whether it counts the references to arrays.
    """

    python: bool = False
    inlined: bool = False
    counted: bool = True


class Twin:
    """A function that is compiled. Python calls it with numbers, NumPy's arrays, named tuples of them, and None.

    It runs without the interpreter's lock. An array that it returns is new.
    """

    def __init__(self, function: Callable[..., Any], options: Options) -> None:
        self.function = function
        self.options = options
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.__module__, self.__qualname__ = function.__module__, function.__qualname__
        self.__wrapped__ = function
        self._native: Callable[..., Any] | None = None

    @property
    def name(self) -> str:
        """The module and the function, such as ``gpusolve.runs.store:_mixed``."""
        return f"{self.function.__module__}:{self.function.__qualname__}"

    @cached_property
    def numba(self) -> Any:
        """Numba's function, which compiles for each new list of argument types. Reading it imports Numba.

        Raises DeviceUnavailable without Numba.
        """
        try:
            from gpusolve.backend import just_in_time
        except ImportError as error:
            raise DeviceUnavailable(f"cpu: no library has {self.name}, and Numba is missing: {error}") from None
        return just_in_time.made(self)

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code for these types of arguments."""
        result = (self._native or self._find())(*arguments)
        return self.numba(*arguments) if result is NotImplemented else result

    def _find(self) -> Callable[..., Any]:
        from gpusolve.backend import library

        self._native = found = library.function(self.name) or (lambda *_: NotImplemented)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Twin, (self.function, self.options)  # Numba's cache compares the bytes of what a closure refers to

    def __repr__(self) -> str:
        return f"<compiled function {self.name}>"


def compiled(function: Callable[..., Any]) -> Any:
    """Let Python and compiled functions call a function, which runs as machine code without the interpreter's lock."""
    return Twin(function, Options(python=True))


def inlined(function: _Function) -> _Function:
    """Let compiled functions call a small function, which is inlined there. Python cannot call it."""
    return Twin(function, Options(inlined=True))  # type: ignore[return-value]


def borrowing(function: _Function) -> _Function:
    """Like `inlined`, for a function that neither creates nor returns arrays: it counts no references to them.

    So named tuples of arrays cost nothing. With counting, each field that is read costs two atomic operations: Q-less'
    `fill` then takes six times as long. What it calls in a loop has to be borrowing as well.
    """
    return Twin(function, Options(inlined=True, counted=False))  # type: ignore[return-value]
