"""The machine that the stand-in simulates: its GPUs, the current one, and a record of requests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from gpusolve.testing import emulation

FREE = 128 << 20
"""Free memory of a GPU in bytes: so little that batches are divided, as on a CPU."""


class CUDARuntimeError(RuntimeError):
    """An error of the driver, like ``cupy.cuda.runtime.CUDARuntimeError``."""


class Machine:
    """A machine with GPUs.

    Parameters
    ----------
    devices : int
        Number of GPUs.
    error : str
        The error with which the driver answers every request, if not empty.
    reverse, sanitize, ahead : bool, optional
        Options of the emulation (`emulation.run`); by default the environment variables decide.

    Attributes
    ----------
    launches : list
        (device, kernel, blocks, threads, arguments) of each launch.
    asked : list
        The compilations and the names of kernels that were looked up.
    """

    def __init__(
        self,
        devices: int = 1,
        error: str = "",
        *,
        reverse: bool | None = None,
        sanitize: bool | None = None,
        ahead: bool | None = None,
    ) -> None:
        self.devices = devices
        self.error = error
        self.reverse = emulation.reversed_order() if reverse is None else reverse
        self.sanitize = emulation.sanitized() if sanitize is None else sanitize
        self.ahead = emulation.runs_ahead() if ahead is None else ahead
        self.find_races: Callable[..., tuple[Any, ...]] | None = None
        """Run a launch and return its races; `EmulatedBackend` sets it."""
        self.launches: list[tuple[int, str, int, int, tuple[Any, ...]]] = []
        self.asked: list[str] = []
        self.call_function: Callable[[str, tuple[Any, ...], dict[str, Any]], Any] = _no_functions
        """Call one of CuPy's functions; the stand-in sets it, so that arrays need not know the functions."""
        self._thread = threading.local()

    @property
    def current(self) -> int:
        """The current device of the calling thread; initially 0."""
        return getattr(self._thread, "device", 0)

    @current.setter
    def current(self, device: int) -> None:
        self.answer(device)
        self._thread.device = device

    @property
    def before(self) -> list[int]:
        """The devices to which the calling thread returns after each ``with`` block."""
        if not hasattr(self._thread, "before"):
            self._thread.before = []
        stack: list[int] = self._thread.before
        return stack

    def answer(self, device: int = 0) -> None:
        """Raise CUDARuntimeError if the driver does not work or has no such device."""
        if self.error:
            raise CUDARuntimeError(self.error)
        if self.devices == 0:
            raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")
        if not 0 <= device < self.devices:
            raise CUDARuntimeError("cudaErrorInvalidDevice: invalid device ordinal")


def _no_functions(name: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    raise NotImplementedError(f"{name}: this machine has no stand-in for CuPy")
