"""``cupy.cuda.Device``: a GPU of the stand-in's machine."""

from __future__ import annotations

from typing import Any

from gpusolve.testing.stand_in.machine import FREE, Machine

ATTRIBUTES = {
    "MultiProcessorCount": 132, "ClockRate": 1_980_000, "MemoryClockRate": 3_201_000, "GlobalMemoryBusWidth": 6144,
    "L2CacheSize": 50 << 20, "MaxThreadsPerMultiProcessor": 2048, "MaxBlocksPerMultiprocessor": 32,
    "MaxRegistersPerMultiprocessor": 65536, "MaxSharedMemoryPerMultiprocessor": 228 << 10,
    "MaxThreadsPerBlock": 1024, "WarpSize": 32,
}  # fmt: skip
"""Attributes of an H200; clocks in kHz, the bus width in bits."""


class Device:
    """``cupy.cuda.Device`` of a machine."""

    def __init__(self, machine: Machine, device: Any = None) -> None:
        self._machine = machine
        self.id = machine.current if device is None else int(device)

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __enter__(self) -> Device:
        self._machine.before.append(self._machine.current)
        self._machine.current = self.id
        return self

    def __exit__(self, *_: object) -> None:
        self._machine.current = self._machine.before.pop()

    def use(self) -> Device:
        """Make it the calling thread's current device."""
        self._machine.current = self.id
        return self

    def synchronize(self) -> None:
        """Return at once: a kernel has ended when its launch returns."""
        self._machine.answer(self.id)

    @property
    def attributes(self) -> dict[str, int]:
        """The attributes of the device by name."""
        self._machine.answer(self.id)
        return dict(ATTRIBUTES)

    @property
    def compute_capability(self) -> str:
        """Major and minor version as two digits."""
        self._machine.answer(self.id)
        return "90"

    @property
    def mem_info(self) -> tuple[int, int]:
        """Free and total memory in bytes."""
        self._machine.answer(self.id)
        return FREE, 2 * FREE
