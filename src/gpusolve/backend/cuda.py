"""An NVIDIA GPU, through CuPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.cpu import CpuBackend
from gpusolve.backend.program import MOST_ITEMS, Program
from gpusolve.errors import DeviceUnavailable

BLOCK = 256  # threads of a block, as in common.cuh
OPTIONS = ("--std=c++17",)
BATCH_BYTES = 1 << 30  # bytes: enough to fill any device
BATCH_SHARE = 8  # a batch takes at most 1/BATCH_SHARE of the free memory

PROBE = """
extern "C" __global__ void probe(int first, int last, int* out) {
    for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x) out[i] = i * i;
}
"""


class CudaBackend:
    """Compiles a program's text on first use (CuPy keeps the binary in its cache folder) and launches its kernels.

    Opening the device runs a probe kernel. If that fails, DeviceUnavailable says what is missing.
    """

    def __init__(self, index: int = 0) -> None:
        try:
            import cupy
        except ImportError as error:
            raise DeviceUnavailable(
                "CuPy is not installed: pip install 'gpusolve[cuda13]' (or cuda12); `gpusolve doctor` says which"
            ) from error
        self.name = f"cuda:{index}"
        self._cupy = cupy
        try:
            devices = cupy.cuda.runtime.getDeviceCount()
            if index >= devices:
                raise DeviceUnavailable(f"there is no {self.name}: the driver shows {devices} GPU(s), counted from 0")
            self._device = cupy.cuda.Device(index)
            with self._device:
                out = cupy.zeros(BLOCK, cupy.int32)
                module = cupy.RawModule(code=PROBE, options=OPTIONS)
                module.get_function("probe")((1,), (BLOCK,), (np.int32(0), np.int32(BLOCK), out))
                if not np.array_equal(cupy.asnumpy(out), np.arange(BLOCK) ** 2):
                    raise DeviceUnavailable(f"{self.name}: the probe kernel ran but gave wrong numbers")
                name = cupy.cuda.runtime.getDeviceProperties(index)["name"].decode()
                free, _ = cupy.cuda.runtime.memGetInfo()
        except DeviceUnavailable:
            raise
        except Exception as error:  # CuPy raises many kinds, from a missing driver to a failed compilation
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise DeviceUnavailable(f"{self.name} does not work: {reason}; `gpusolve doctor` says more") from error
        self.about = f"{self.name}, {name}"
        self._index, self._devices = index, devices
        self._batch_bytes = min(BATCH_BYTES, free // BATCH_SHARE)
        self._module = cache(self._compile)
        self._function = cache(lambda program, kernel: self._module(program).get_function(kernel))

    def _compile(self, program: Program) -> Any:
        return self._cupy.RawModule(code=program.text, options=OPTIONS)

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
            return int(self._cupy.cuda.runtime.memGetInfo()[0])

    def lanes(self, per_thread: int, bytes_per_lane: int) -> int:
        return self.batch(bytes_per_lane)

    def share(self, worker: int, workers: int) -> str:
        return f"cuda:{(self._index + worker) % self._devices}"

    def asarray(self, host: npt.ArrayLike) -> Any:
        with self._device:
            return self._cupy.ascontiguousarray(self._cupy.asarray(host))

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        with self._device:
            return self._cupy.empty(shape, dtype)

    def map_file(self, path: Path, dtype: npt.DTypeLike, offset: int = 0) -> Any:
        return self.asarray(np.asarray(np.memmap(path, dtype, "r", offset)))

    def batch(self, bytes_per_item: int) -> int:
        return int(max(1, self._batch_bytes // bytes_per_item))

    def to_host(self, array: Any) -> npt.NDArray[Any]:
        host: npt.NDArray[Any] = self._cupy.asnumpy(array)
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

    def launch(self, program: Program, kernel: str, count: int, *arguments: Any) -> None:
        called = program.kernel(kernel)
        called.check(count, arguments, self._cupy.ndarray)
        if count == 0:
            return
        typed = [  # a Python number has no width; the kernel's parameter has
            value if parameter.is_array else parameter.dtype.type(value)
            for parameter, value in zip(called.parameters, (0, count, *arguments), strict=True)
        ]
        blocks = min(-(-count * called.threads // BLOCK), MOST_ITEMS)
        with self._device:
            self._function(program, kernel)((blocks,), (BLOCK,), tuple(typed))
