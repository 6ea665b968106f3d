"""CUDA as CuPy shows it: devices, events, the runtime, and kernels, which the emulation runs."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from gpusolve.backend.program import Kernel, Parameter, parse_kernels
from gpusolve.testing import emulation
from gpusolve.testing.stand_in.arrays import ndarray, on_host
from gpusolve.testing.stand_in.machine import FREE, CUDARuntimeError, Machine
from gpusolve.testing.stand_in.signatures import records

MOST_BLOCKS = 3  # few, so that grid-stride loops make several rounds; odd, so that a stride is no power of two
MOST_GRID = 2**31 - 1
VERSION = 13000
ATTRIBUTES = {
    "MultiProcessorCount": 132, "ClockRate": 1_980_000, "MemoryClockRate": 3_201_000, "GlobalMemoryBusWidth": 6144,
    "L2CacheSize": 50 << 20, "MaxThreadsPerMultiProcessor": 2048, "MaxBlocksPerMultiprocessor": 32,
    "MaxRegistersPerMultiprocessor": 65536, "MaxSharedMemoryPerMultiprocessor": 228 << 10,
    "MaxThreadsPerBlock": 1024, "WarpSize": 32,
}  # fmt: skip
"""Some of an H200's; clocks in kHz, the bus in bits."""


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
        """Makes it the calling thread's."""
        self._machine.current = self.id
        return self

    def synchronize(self) -> None:
        """Nothing to wait for: a kernel has ended when its launch returns."""
        self._machine.answer(self.id)

    @property
    def attributes(self) -> dict[str, int]:
        """Name -> value."""
        self._machine.answer(self.id)
        return dict(ATTRIBUTES)

    @property
    def compute_capability(self) -> str:
        """Major and minor."""
        self._machine.answer(self.id)
        return "90"

    @property
    def mem_info(self) -> tuple[int, int]:
        """Bytes free, and in all."""
        self._machine.answer(self.id)
        return FREE, 2 * FREE


class Event:
    """``cupy.cuda.Event``."""

    def __init__(
        self, machine: Machine, block: bool = False, disable_timing: bool = False, interprocess: bool = False
    ) -> None:
        machine.answer()
        self._timed = not disable_timing
        self._at: float | None = None

    def record(self, stream: Any = None) -> None:
        """Notes the time."""
        self._at = time.perf_counter()

    def synchronize(self) -> None:
        """Nothing to wait for."""

    @property
    def done(self) -> bool:
        """Always."""
        return True


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Milliseconds between two events."""
    if start_event._at is None or end_event._at is None or not (start_event._timed and end_event._timed):
        raise CUDARuntimeError("cudaErrorInvalidResourceHandle: invalid resource handle")
    return 1000 * (end_event._at - start_event._at)


class Runtime:
    """``cupy.cuda.runtime``."""

    CUDARuntimeError = CUDARuntimeError

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def getDeviceCount(self) -> int:
        """How many GPUs."""
        self._machine.answer()
        return self._machine.devices

    def getDevice(self) -> int:
        """The current one."""
        self._machine.answer()
        return self._machine.current

    def setDevice(self, device: int) -> None:
        """Makes one current."""
        self._machine.current = device

    def deviceSynchronize(self) -> None:
        """Nothing to wait for."""
        self._machine.answer()

    def getDeviceProperties(self, device: int) -> dict[str, Any]:
        """Name and memory."""
        self._machine.answer(device)
        return {"name": b"Stand-in", "totalGlobalMem": 2 * FREE, "major": 9, "minor": 0}

    def memGetInfo(self) -> tuple[int, int]:
        """Bytes free, and in all."""
        self._machine.answer()
        return FREE, 2 * FREE

    def runtimeGetVersion(self) -> int:
        """Of the runtime: major * 1000 + minor * 10."""
        return VERSION

    def driverGetVersion(self) -> int:
        """Likewise, the newest that the driver runs."""
        self._machine.answer()
        return VERSION

    def __getattr__(self, name: str) -> Any:
        for record in records().values():
            if name not in record["runtime"]:
                raise AttributeError(f"CuPy {record['version']} has no runtime.{name}")
        raise NotImplementedError(f"the stand-in has no runtime.{name}")


class RawModule:
    """``cupy.RawModule``: a CUDA text, for kernels of the form that `gpusolve.backend.program` reads."""

    def __init__(self, machine: Machine, *, code: str, options: tuple[str, ...] = ()) -> None:
        for name, value, kind in (("code", code, str), ("options", options, tuple)):
            if not isinstance(value, kind):  # Cython's own check
                raise TypeError(f"Argument '{name}' has incorrect type (expected {kind}, got {type(value)})")
        self.code, self.options = code, options
        self._machine = machine
        self._compiled: set[int] = set()

    def get_function(self, name: str) -> RawKernel:
        """A kernel; the first one compiles them all."""
        self._machine.answer()
        if self._machine.current not in self._compiled:
            emulation.built(self.code, self._machine.sanitize)
            self._machine.asked.append("compile")
            self._compiled.add(self._machine.current)
        self._machine.asked.append(name)
        kernels = parse_kernels(self.code)
        if name not in kernels:
            raise CUDARuntimeError("CUDA_ERROR_NOT_FOUND: named symbol not found")
        return RawKernel(self._machine, self.code, kernels[name])


class RawKernel:
    """``cupy.RawKernel``. It refuses what a GPU would take in silence: arguments that are not what the kernel reads."""

    def __init__(self, machine: Machine, code: str, kernel: Kernel) -> None:
        self._machine, self.code, self._kernel = machine, code, kernel
        self.name = kernel.name

    def __call__(self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0, stream: Any = None) -> None:
        """Runs the kernel on MOST_BLOCKS blocks at most, which its loops make good."""
        blocks, threads = _dimension("grid", grid, MOST_GRID), _dimension("block", block, emulation.MOST_THREADS)
        if shared_mem or stream:
            raise NotImplementedError("the stand-in has no dynamic shared memory and no streams")
        parameters = self._kernel.parameters
        if len(args) != len(parameters):
            raise TypeError(f"{self.name} takes {len(parameters)} arguments, not {len(args)}")
        values = [self._value(parameter, value) for parameter, value in zip(parameters, args, strict=True)]
        self._machine.launches.append((self._machine.current, self.name, blocks, threads, tuple(args)))
        error = emulation.run(
            self.code, self._kernel, min(blocks, MOST_BLOCKS), threads, values,
            reverse=self._machine.reverse, sanitize=self._machine.sanitize,
        )  # fmt: skip
        if error:
            raise RuntimeError(error)

    def _value(self, parameter: Parameter, value: Any) -> Any:
        place = f"{self.name}: {parameter.type} {parameter.name}"
        if parameter.is_array:
            if not isinstance(value, ndarray):
                raise TypeError(f"{place} expects an array on the device, not {type(value)}")
            host = on_host(self._machine, value)
            if host.dtype != parameter.dtype and not (host.dtype == np.bool_ and parameter.dtype == np.uint8):
                raise TypeError(f"{place} would read an array of {host.dtype}")
            if not host.flags.c_contiguous:
                raise TypeError(f"{place} would read past the strides of its array, which is not C-contiguous")
            return host
        if not isinstance(value, (np.generic, bool, int, float)):
            raise TypeError(f"{place} expects a number, not {type(value)}")
        if (passed := np.asarray(value).dtype) != parameter.dtype:  # CuPy passes a Python int as int64
            raise TypeError(f"{place} would read a number of {passed}")
        return value


def _dimension(name: str, given: Any, most: int) -> int:
    """The first of the dimensions of a grid or a block; the emulation has no others."""
    if not isinstance(given, tuple):
        raise TypeError(f"Argument '{name}' has incorrect type (expected tuple, got {type(given).__name__})")
    if len(given) > 1 and set(given[1:]) != {1}:
        raise NotImplementedError(f"{name} {given}: the emulation has one dimension")
    if not 1 <= given[0] <= most:
        raise CUDARuntimeError("CUDA_ERROR_INVALID_VALUE: invalid argument")
    return int(given[0])


def make_cuda(machine: Machine) -> Any:
    """``cupy.cuda`` of a machine."""
    return SimpleNamespace(
        runtime=Runtime(machine),
        Device=lambda device=None: Device(machine, device),
        Event=lambda block=False, disable_timing=False, interprocess=False: Event(
            machine, block, disable_timing, interprocess
        ),
        get_elapsed_time=get_elapsed_time,
        is_available=lambda: machine.devices > 0 and not machine.error,
        nvrtc=SimpleNamespace(getVersion=lambda: (VERSION // 1000, VERSION % 1000 // 10)),
    )
