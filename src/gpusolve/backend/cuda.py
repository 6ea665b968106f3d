"""An NVIDIA GPU, through CuPy."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.source import cuda_source, signatures
from gpusolve.errors import DeviceUnavailable

BLOCK = 256  # threads of a block, as in common.cuh
OPTIONS = ("--std=c++17",)
SCALARS = {"int": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64}  # C type of a kernel -> NumPy's

PROBE = """
extern "C" __global__ void probe(int first, int last, int* out) {
    for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x) out[i] = i * i;
}
"""


class CudaBackend:
    """Compiles ``kernels/<game>.cu`` on first use (CuPy keeps the binary in its cache folder) and launches from it.

    Opening it runs a probe kernel; DeviceUnavailable says what is missing otherwise.
    """

    def __init__(self, index: int = 0) -> None:
        try:
            import cupy
        except ImportError as error:
            raise DeviceUnavailable(
                "CuPy is not installed: pip install 'gpusolve[cuda13]' (or cuda12); `gpusolve doctor` tells which"
            ) from error
        self.name = f"cuda:{index}"
        self.xp = self._cupy = cupy
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
        except DeviceUnavailable:
            raise
        except Exception as error:  # CuPy raises a dozen kinds, from a missing driver to a failed compilation
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise DeviceUnavailable(f"{self.name} does not work: {reason}; `gpusolve doctor` tells more") from error
        self.about = f"{self.name}, {name}"
        self._device.use()  # what `xp` makes is made there
        self._module = cache(self._compile)

    def _compile(self, game: str) -> tuple[Any, dict[str, list[tuple[str, str]]]]:
        source = cuda_source(game)
        return self._cupy.RawModule(code=source, options=OPTIONS), signatures(source)

    def asarray(self, host: npt.ArrayLike) -> Any:
        with self._device:
            return self._cupy.ascontiguousarray(self._cupy.asarray(host))

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        with self._device:
            return self._cupy.empty(shape, dtype)

    def to_host(self, array: Any) -> npt.NDArray[Any]:
        host: npt.NDArray[Any] = self._cupy.asnumpy(array)
        return host

    def synchronize(self) -> None:
        self._device.synchronize()

    def launch(self, game: str, kernel: str, count: int, *arguments: Any, threads_per_item: int = 1) -> None:
        if count == 0:
            return
        module, kernels = self._module(game)
        typed = [  # a Python number says nothing of its width: the kernel's signature does
            value if isinstance(value, self._cupy.ndarray) else SCALARS[kind](value)
            for value, (kind, _) in zip((0, count, *arguments), kernels[kernel], strict=True)
        ]
        blocks = min(-(-count * threads_per_item // BLOCK), 2**31 - 1)
        with self._device:
            module.get_function(kernel)((blocks,), (BLOCK,), tuple(typed))
