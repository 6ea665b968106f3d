"""An NVIDIA GPU, through CuPy."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.cpu import CpuBackend
from gpusolve.backend.kernel import MOST_ITEMS, Kernel
from gpusolve.backend.program import Program
from gpusolve.errors import DeviceUnavailable

BLOCK = 256  # threads of a block, as in common.cuh
OPTIONS = ("--std=c++17",)
BATCH_BYTES = 1 << 30  # bytes: enough to fill any device
BATCH_SHARE = 8  # a batch takes at most 1/BATCH_SHARE of the free memory, and less if workers share the GPU
LONGEST = 0.25  # seconds that a launch should take at most: a display's watchdog ends a kernel after about two
FULL = 2048  # threads that a multiprocessor runs at once, at most
MOST_WORKERS = 64
PINNED = range(1 << 16, 1 << 28)  # bytes of arrays that are copied to the host through pinned memory

PROBE = """
extern "C" __global__ void probe(int first, int last, int* out) {
    for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x) out[i] = i * i;
}
"""


class CudaBackend:
    """Compiles a program's text on first use (CuPy keeps the binary in its cache folder) and launches its kernels.

    Opening the device runs a probe kernel. If that fails, DeviceUnavailable says what is missing.
    """

    def __init__(self, index: int = 0, workers: int = 1) -> None:
        try:
            import cupy
        except ImportError as error:
            raise DeviceUnavailable("CuPy is not installed; `gpusolve doctor` says how to install it") from error
        self.name = f"cuda:{index}" + f"/{workers}" * (workers > 1)
        self._cupy = cupy
        try:
            devices = cupy.cuda.runtime.getDeviceCount()
            if index >= devices:
                raise DeviceUnavailable(f"there is no cuda:{index}: the driver shows {devices} GPU(s), counted from 0")
            self._opened = cupy.cuda.Device(index)
            self._process = os.getpid()
            with self._opened:
                out = cupy.zeros(BLOCK, cupy.int32)
                module = cupy.RawModule(code=PROBE, options=OPTIONS)
                module.get_function("probe")((1,), (BLOCK,), (np.int32(0), np.int32(BLOCK), out))
                if not np.array_equal(cupy.asnumpy(out), np.arange(BLOCK) ** 2):
                    raise DeviceUnavailable(f"{self.name}: the probe kernel ran but gave wrong numbers")
                name = cupy.cuda.runtime.getDeviceProperties(index)["name"].decode()
                self._full = self._opened.attributes["MultiProcessorCount"] * FULL
        except DeviceUnavailable:
            raise
        except Exception as error:  # CuPy raises many kinds, from a missing driver to a failed compilation
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise DeviceUnavailable(f"{self.name} does not work: {reason}; `gpusolve doctor` says more") from error
        self.about = f"{self.name}, {name}"
        self._index, self._devices, self._workers = index, devices, workers
        self._events = cupy.cuda.Event
        self._timed: dict[tuple[Program, str], tuple[int, Any, Any]] = {}  # the last launch: items, begin and end
        self._rates: dict[tuple[Program, str], float] = {}  # items per second
        self._module = cache(self._compile)
        self._function = cache(lambda program, kernel: self._module(program).get_function(kernel))

    def _compile(self, program: Program) -> Any:
        return self._cupy.RawModule(code=program.text, options=OPTIONS)

    @property
    def _device(self) -> Any:
        """The device. Raises DeviceUnavailable in a child of the process that opened it, where CUDA does not work."""
        if os.getpid() != self._process:
            raise DeviceUnavailable(
                f"{self.name}: a forked process cannot use the GPU of its parent: expected one that is started by spawn"
            )
        return self._opened

    @property
    def xp(self) -> Any:
        self._device.use()
        return self._cupy

    @cached_property
    def host(self) -> CpuBackend:
        return CpuBackend()

    @property
    def threads(self) -> int:
        return self.host.threads

    @property
    def free_memory(self) -> int | None:
        with self._device:
            kept = self._cupy.get_default_memory_pool().free_bytes()
            return int(self._cupy.cuda.runtime.memGetInfo()[0] + kept)

    def lanes(self, per_thread: int, bytes_per_lane: int) -> int:
        return self.batch(bytes_per_lane)

    def share(self, worker: int, workers: int) -> str:
        sharing, device = -(-workers // self._devices), (self._index + worker) % self._devices
        return f"cuda:{device}/{sharing}" if 1 < sharing <= MOST_WORKERS else f"cuda:{device}"

    def asarray(self, host: npt.ArrayLike) -> Any:
        with self._device:
            return self._cupy.ascontiguousarray(self._cupy.asarray(host))

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        with self._device:
            return self._cupy.empty(shape, dtype)

    def map_file(self, path: Path, dtype: npt.DTypeLike, offset: int = 0) -> Any:
        return self.asarray(np.asarray(np.memmap(path, dtype, "r", offset)))

    def batch(self, bytes_per_item: int) -> int:
        share = (self.free_memory or 0) // (BATCH_SHARE * self._workers)
        return int(max(1, min(BATCH_BYTES, share) // bytes_per_item))

    def to_host(self, array: Any) -> npt.NDArray[Any]:
        host: npt.NDArray[Any]
        pinned = None
        if not isinstance(array, np.ndarray) and array.nbytes in PINNED and array.flags.c_contiguous:
            with suppress(RuntimeError, MemoryError):  # CuPy raises both; WSL 2 has little pinned memory
                pinned = self._cupy.cuda.alloc_pinned_memory(array.nbytes)
        if pinned is None:
            host = self._cupy.asnumpy(array)
            return host
        host = np.frombuffer(pinned, array.dtype, array.size).reshape(array.shape)
        array.get(out=host)
        return host

    def synchronize(self) -> None:
        self._device.synchronize()

    def timed(self, run: Callable[[], object]) -> float:
        events = self._cupy.cuda.Event
        with self._device:
            begin, end = events(), events()
            begin.record()
            run()
            end.record()
            end.synchronize()
            return float(self._cupy.cuda.get_elapsed_time(begin, end)) / 1000

    def launch(self, program: Program, kernel: str, count: int, *arguments: Any) -> Any:
        called = program.kernel(kernel)
        with self._device:
            every, made = called.complete(count, arguments, self._cupy.ndarray, self.empty)
            if count:
                self._run(program, called, count, every)
        return made

    def _run(self, program: Program, kernel: Kernel, count: int, arguments: tuple[Any, ...]) -> None:
        typed = [  # a Python number has no width; the kernel's parameter has
            value if parameter.is_array else parameter.dtype.type(value)
            for parameter, value in zip(kernel.parameters[2:], arguments, strict=True)
        ]
        function = self._function(program, kernel.name)

        def run(first: int, last: int) -> None:
            blocks = min(-(-(last - first) * kernel.threads // BLOCK), MOST_ITEMS)
            function((blocks,), (BLOCK,), (np.int32(first), np.int32(last), *typed))

        few = self._full // kernel.threads
        if count <= few:
            run(0, count)
        else:
            self._run_in_parts((program, kernel.name), count, few, run)

    def _run_in_parts(self, key: tuple[Program, str], count: int, few: int, run: Callable[[int, int], None]) -> None:
        """Run the items of a launch in parts of at most LONGEST, judging by the launch before.

        The first launch of a kernel begins with `few` items, as many as the GPU processes at once; a part is never
        smaller.
        """
        if key in self._timed and (key not in self._rates or self._timed[key][2].done):
            self._measure(key)
        first = 0
        while first < count:
            room = few if key not in self._rates else max(few, int(self._rates[key] * LONGEST))
            last = min(count, first + room)
            begin, end = self._events(), self._events()
            begin.record()
            run(first, last)
            end.record()
            self._timed[key] = last - first, begin, end
            first = last
            if first < count and key not in self._rates:
                self._measure(key)

    def _measure(self, key: tuple[Program, str]) -> None:
        """Wait for the last launch of a kernel and take its speed."""
        items, begin, end = self._timed[key]
        end.synchronize()
        self._rates[key] = items / max(1e-6, self._cupy.cuda.get_elapsed_time(begin, end) / 1000)
