"""The devices: what runs a kernel, where an array lives.

A kernel exists twice under one name with one list of arguments: as CUDA C++ in ``kernels/<game>.cu`` and as Numba
in ``gpusolve.games.<game>.cpu``. Its first two arguments are the range of items to do; a backend fills them in.
"""

from __future__ import annotations

import os
import re
from typing import Any, Protocol

import numpy.typing as npt

from gpusolve.errors import BadInput, DeviceUnavailable

__all__ = ["Backend", "open_backend"]


class Backend(Protocol):
    """A device, chosen once and passed as an argument. Arrays are NumPy's on ``cpu`` and CuPy's on ``cuda``."""

    name: str
    """``cpu`` or ``cuda:N``."""
    about: str
    """What the device is and, where ``auto`` chose it, why."""

    @property
    def xp(self) -> Any:
        """The module of its arrays, ``numpy`` or ``cupy``; sort, unique, bincount, cumsum and the like are its."""

    def asarray(self, host: npt.ArrayLike) -> Any:
        """The same array on the device, contiguous; no copy if it is there already."""

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """An array on the device whose content is anything."""

    def to_host(self, array: Any) -> npt.NDArray[Any]:
        """The array as NumPy's; waits until the kernels that fill it have ended."""

    def synchronize(self) -> None:
        """Waits until every kernel launched has ended."""

    def launch(self, game: str, kernel: str, count: int, *arguments: Any, threads_per_item: int = 1) -> None:
        """Runs a kernel on items 0..count-1; `arguments` follow the kernel's ``first, last``.

        `threads_per_item` is how many CUDA threads share an item: 1, 32 (a warp) or 256 (a block).
        """


def open_backend(device: str | None = None) -> Backend:
    """The backend for `device`: ``auto``, ``cpu``, ``cuda`` or ``cuda:N``. None: ``GPUSOLVE_DEVICE``, else ``auto``.

    ``auto`` takes CUDA only after a probe kernel has compiled and run there. Raises BadInput for another name and
    DeviceUnavailable where CUDA is asked for and does not work.

    >>> open_backend("cpu").name
    'cpu'
    """
    from gpusolve.backend.cpu import CpuBackend

    source = "--device" if device is not None else "GPUSOLVE_DEVICE"
    device = device if device is not None else os.environ.get("GPUSOLVE_DEVICE") or "auto"
    match = re.fullmatch(r"auto|cpu|cuda(?::(\d{1,3}))?", device)
    if match is None:
        raise BadInput(f"{source} {device}: expected auto, cpu, cuda or cuda:N")
    if device == "cpu":
        return CpuBackend()
    from gpusolve.backend.cuda import CudaBackend

    try:
        return CudaBackend(int(match[1] or 0))
    except DeviceUnavailable as error:
        if device != "auto":
            raise
        backend = CpuBackend()
        backend.about += f" (auto: {error})"
        return backend
