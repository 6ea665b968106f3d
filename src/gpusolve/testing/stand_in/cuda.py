"""CuPy's view of CUDA: events, the runtime, and kernels, which the emulation runs."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from gpusolve.backend.kernel import Kernel, Parameter
from gpusolve.backend.program import parse_kernels
from gpusolve.testing import emulation
from gpusolve.testing.extent import Extent
from gpusolve.testing.stand_in.arrays import ndarray, on_host
from gpusolve.testing.stand_in.device import Device
from gpusolve.testing.stand_in.machine import FREE, CUDARuntimeError, Machine
from gpusolve.testing.stand_in.signatures import records

MOST_BLOCKS = 3  # few, so that grid-stride loops iterate; odd, so that the stride is not a power of two
MOST_GRID = 2**31 - 1
VERSION = 13000


class Event:
    """``cupy.cuda.Event``."""

    def __init__(
        self, machine: Machine, block: bool = False, disable_timing: bool = False, interprocess: bool = False
    ) -> None:
        machine.answer()
        self._timed = not disable_timing
        self._at: float | None = None

    def record(self, stream: Any = None) -> None:
        """Record the current time."""
        self._at = time.perf_counter()

    def synchronize(self) -> None:
        """Return at once."""

    @property
    def done(self) -> bool:
        """Always true: a kernel has ended when its launch returns."""
        return True


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Return the milliseconds between two events."""
    if start_event._at is None or end_event._at is None or not (start_event._timed and end_event._timed):
        raise CUDARuntimeError("cudaErrorInvalidResourceHandle: invalid resource handle")
    return 1000 * (end_event._at - start_event._at)


class Runtime:
    """``cupy.cuda.runtime``."""

    CUDARuntimeError = CUDARuntimeError

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def getDeviceCount(self) -> int:
        """Return the number of GPUs."""
        self._machine.answer()
        return self._machine.devices

    def getDevice(self) -> int:
        """Return the current device."""
        self._machine.answer()
        return self._machine.current

    def setDevice(self, device: int) -> None:
        """Make a device current."""
        self._machine.current = device

    def deviceSynchronize(self) -> None:
        """Return at once."""
        self._machine.answer()

    def getDeviceProperties(self, device: int) -> dict[str, Any]:
        """Return the name, memory and compute capability."""
        self._machine.answer(device)
        return {"name": b"Stand-in", "totalGlobalMem": 2 * FREE, "major": 9, "minor": 0}

    def memGetInfo(self) -> tuple[int, int]:
        """Return the free and the total memory in bytes."""
        self._machine.answer()
        return FREE, 2 * FREE

    def runtimeGetVersion(self) -> int:
        """Return the version of the runtime: major * 1000 + minor * 10."""
        return VERSION

    def driverGetVersion(self) -> int:
        """Return the newest version that the driver supports, in the same form."""
        self._machine.answer()
        return VERSION

    def __getattr__(self, name: str) -> Any:
        for record in records().values():
            if name not in record["runtime"]:
                raise AttributeError(f"CuPy {record['version']} has no runtime.{name}")
        raise NotImplementedError(f"the stand-in has no runtime.{name}")


class RawModule:
    """``cupy.RawModule``: a CUDA text with kernels in the form that `gpusolve.backend.program` parses."""

    def __init__(self, machine: Machine, *, code: str, options: tuple[str, ...] = ()) -> None:
        for name, value, kind in (("code", code, str), ("options", options, tuple)):
            if not isinstance(value, kind):  # the check that Cython makes
                raise TypeError(f"Argument '{name}' has incorrect type (expected {kind}, got {type(value)})")
        self.code, self.options = code, options
        self._machine = machine
        self._compiled: set[int] = set()

    def get_function(self, name: str) -> RawKernel:
        """Return a kernel. The first call compiles the whole text."""
        self._machine.answer()
        if self._machine.current not in self._compiled:
            if not self._machine.find_races:
                emulation.built(self.code, self._machine.sanitize)
            self._machine.asked.append("compile")
            self._compiled.add(self._machine.current)
        self._machine.asked.append(name)
        kernels = parse_kernels(self.code, any_type=True)
        if name not in kernels:
            raise CUDARuntimeError("CUDA_ERROR_NOT_FOUND: named symbol not found")
        return RawKernel(self._machine, self.code, kernels[name])


class RawKernel:
    """``cupy.RawKernel``. It refuses arguments that do not match the parameters, which a GPU would accept silently."""

    def __init__(self, machine: Machine, code: str, kernel: Kernel) -> None:
        self._machine, self.code, self._kernel = machine, code, kernel
        self.name = kernel.name

    def __call__(self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0, stream: Any = None) -> None:
        """Run the kernel; one with a range of items on at most MOST_BLOCKS blocks, whose loops process every item."""
        if stream:
            raise NotImplementedError("the stand-in has no streams")
        sizes = _sizes("grid", grid), _sizes("block", block)
        if sizes[0][0] > MOST_GRID:
            raise CUDARuntimeError("CUDA_ERROR_INVALID_VALUE: invalid argument")
        try:
            extent = Extent.of(*sizes, shared_mem)
        except ValueError:
            raise CUDARuntimeError("CUDA_ERROR_INVALID_VALUE: invalid argument") from None
        parameters = self._kernel.parameters
        if len(args) != len(parameters):
            raise TypeError(f"{self.name} takes {len(parameters)} arguments, not {len(args)}")
        values = [self._value(parameter, value) for parameter, value in zip(parameters, args, strict=True)]
        self._machine.launches.append((self._machine.current, self.name, extent.blocks, extent.threads, tuple(args)))
        if self._kernel.has_range:
            if extent.blocks > extent.grid[0] or extent.threads > extent.block[0]:
                raise ValueError(f"{self.name}: grid {grid}, block {block}: a range of items has one dimension")
            extent = Extent.of(min(extent.blocks, MOST_BLOCKS), extent.block, shared_mem)
        if self._machine.find_races:
            found = self._machine.find_races(self.code, self._kernel, extent, tuple(values))
            if found:
                raise RuntimeError("\n".join(map(str, found)))
            return
        error = emulation.run(
            self.code, self._kernel, extent, values,
            reverse=self._machine.reverse, sanitize=self._machine.sanitize, ahead=self._machine.ahead,
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


def _sizes(name: str, given: Any) -> tuple[int, ...]:
    """Return a grid or block. Raises TypeError unless it is a tuple."""
    if not isinstance(given, tuple):
        raise TypeError(f"Argument '{name}' has incorrect type (expected tuple, got {type(given).__name__})")
    return given


def make_cuda(machine: Machine) -> Any:
    """Make the namespace ``cupy.cuda`` of a machine."""
    return SimpleNamespace(
        runtime=Runtime(machine),
        Device=lambda device=None: Device(machine, device),
        Event=lambda block=False, disable_timing=False, interprocess=False: Event(
            machine, block, disable_timing, interprocess
        ),
        get_elapsed_time=get_elapsed_time,
        alloc_pinned_memory=lambda size: bytearray([emulation.POISON]) * size,
        is_available=lambda: machine.devices > 0 and not machine.error,
        nvrtc=SimpleNamespace(getVersion=lambda: (VERSION // 1000, VERSION % 1000 // 10)),
    )
