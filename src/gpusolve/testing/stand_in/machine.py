"""The machine that the stand-in pretends there is: its GPUs, which of them is current, and what was asked of it."""

from __future__ import annotations

import threading
from typing import Any

from gpusolve.testing import emulation

FREE = 128 << 20
"""Bytes of memory that a GPU has free: so few that batches are cut, as on a CPU."""


class CUDARuntimeError(RuntimeError):
    """What the driver answers, as ``cupy.cuda.runtime.CUDARuntimeError``."""


class Machine:
    """`devices` GPUs. `error`: what the driver says to everything, such as that there is none.

    `launches` are (device, kernel, blocks, threads, arguments), `asked` what was compiled and looked up. `reverse` and
    `sanitize` are the emulation's.
    """

    def __init__(
        self, devices: int = 1, error: str = "", *, reverse: bool | None = None, sanitize: bool | None = None
    ) -> None:
        self.devices = devices
        self.error = error
        self.reverse = emulation.reversed_order() if reverse is None else reverse
        self.sanitize = emulation.sanitized() if sanitize is None else sanitize
        self.launches: list[tuple[int, str, int, int, tuple[Any, ...]]] = []
        self.asked: list[str] = []
        self._thread = threading.local()

    @property
    def current(self) -> int:
        """The device of the calling thread, 0 at first."""
        return getattr(self._thread, "device", 0)

    @current.setter
    def current(self, device: int) -> None:
        self.answer(device)
        self._thread.device = device

    @property
    def before(self) -> list[int]:
        """The devices that the calling thread goes back to, behind each ``with``."""
        if not hasattr(self._thread, "before"):
            self._thread.before = []
        found: list[int] = self._thread.before
        return found

    def answer(self, device: int = 0) -> None:
        """Raises CUDARuntimeError where the driver does not work, or has no such device."""
        if self.error:
            raise CUDARuntimeError(self.error)
        if self.devices == 0:
            raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")
        if not 0 <= device < self.devices:
            raise CUDARuntimeError("cudaErrorInvalidDevice: invalid device ordinal")
