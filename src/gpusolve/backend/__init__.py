"""The devices: what runs a program's kernels, where an array lives. They know no game.

A kernel exists twice under one name with one list of arguments: as CUDA C++ and as Numba (see `program`). Its first two
arguments are the range of items to do; a backend fills them in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy.typing as npt

from gpusolve.backend.driver import driver_version
from gpusolve.backend.program import Program
from gpusolve.checks import digits
from gpusolve.errors import BadInput, DeviceUnavailable

__all__ = ["Array", "Backend", "Program", "open_backend"]

Array: TypeAlias = Any
"""An array that lives on a device: NumPy's on ``cpu``, CuPy's on ``cuda``."""


class Backend(Protocol):
    """A device, chosen once and passed as an argument. Any thread may use it."""

    name: str
    """``cpu``, ``cpu:THREADS`` or ``cuda:N``: `open_backend` gives the same device for it, in another process, too."""
    about: str
    """What the device is and, where ``auto`` has passed over a GPU, why."""

    @property
    def xp(self) -> Any:
        """The module of its arrays, ``numpy`` or ``cupy``; sort, unique, bincount, cumsum and the like are its.

        To ask for it makes the device current in the calling thread, so that the arrays are made there.
        """

    @property
    def host(self) -> Backend:
        """The CPU of this machine: the backend itself if it is one."""

    @property
    def threads(self) -> int:
        """Number of CPU threads that a search on the host may use."""

    @property
    def free_memory(self) -> int | None:
        """Bytes of memory that are free for its arrays; None if the machine does not say."""

    def lanes(self, per_thread: int, bytes_per_lane: int) -> int:
        """Return how many independent searches one item range runs side by side.

        A CPU thread interleaves `per_thread` of them; a GPU runs as many as its memory has room for.
        """

    def share(self, worker: int, workers: int) -> str:
        """The name of the device for one of so many workers of this machine, counted from 0.

        They share the threads of a CPU, one for each at least. Of GPUs they take turns, from this one on.
        """

    def asarray(self, host: npt.ArrayLike) -> Array:
        """The same array on the device, contiguous; no copy if it is there already."""

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
        """An array on the device whose content is anything."""

    def map_file(self, path: Path, dtype: npt.DTypeLike, offset: int = 0) -> Array:
        """The numbers of a file from byte `offset` on, for kernels that only read them.

        On a CPU the file is mapped, and takes memory only where it is read; a GPU gets a copy. Raises OSError.
        """

    def batch(self, bytes_per_item: int) -> int:
        """How many items to do at once if each takes so many bytes: enough for the device, not too many for its memory.

        At least one. What comes out of a batch must not depend on it.
        """

    def to_host(self, array: Array) -> npt.NDArray[Any]:
        """The array as NumPy's; waits until the kernels that fill it have ended."""

    def synchronize(self) -> None:
        """Waits until every kernel launched has ended."""

    def timed(self, run: Callable[[], object]) -> float:
        """The seconds that `run` takes, until every kernel that it launches has ended; on a GPU by its own clock."""

    def launch(self, program: Program, kernel: str, count: int, *arguments: Any) -> None:
        """Runs a kernel on items 0..count-1; `arguments` follow the kernel's ``first, last``.

        Raises TypeError, ValueError or OverflowError for arguments that do not suit the kernel (`Kernel.check`).
        """


def open_backend(device: str | Backend | None = None) -> Backend:
    """The backend for ``auto``, ``cpu``, ``cpu:THREADS``, ``cuda`` or ``cuda:N``.

    None: what ``GPUSOLVE_DEVICE`` says, else ``auto``, which takes CUDA only after a probe kernel has compiled and run
    there. A device is opened once; whoever asks again gets the same one, and a backend is given back as it is. Raises
    BadInput for another name, TypeError for what is none, and DeviceUnavailable where CUDA is asked for and does not
    work.

    >>> open_backend("cpu").name, open_backend("cpu:3").name
    ('cpu', 'cpu:3')
    """
    if device is not None and not isinstance(device, str):
        if not hasattr(device, "launch"):
            raise TypeError(f"backend: expected one, its name or None, not {type(device).__name__}")
        return device
    source = "device" if device is not None else "GPUSOLVE_DEVICE"
    device = device if device is not None else os.environ.get("GPUSOLVE_DEVICE") or "auto"
    match = re.fullmatch(r"auto|(cpu)(?::([1-9][0-9]{0,3}))?|(cuda)(?::([0-9]{1,3}))?", device)
    if match is None:
        raise BadInput(f"{source} {device}: expected auto, cpu, cpu:THREADS, cuda or cuda:N")
    if match[1]:
        return _cpu(int(match[2]) if match[2] else None)
    if match[3]:
        return _cuda(int(match[4] or 0))
    try:
        return _cuda(0)
    except DeviceUnavailable as error:
        return _cpu(None, f" (auto: {error})" if driver_version() else "")


@cache
def _cpu(threads: int | None, why: str = "") -> Backend:
    from gpusolve.backend.cpu import CpuBackend

    backend = CpuBackend(threads)
    backend.about += why
    return backend


@cache
def _cuda(index: int) -> Backend:
    from gpusolve.backend.cuda import CudaBackend

    return CudaBackend(index)


def _check_threads() -> None:
    """Raises BadInput for a number of threads with which Numba cannot be imported; nothing imports it before this."""
    threads = os.environ.get("NUMBA_NUM_THREADS")
    if threads is not None and not digits(threads.strip(), 9999):
        raise BadInput(f"NUMBA_NUM_THREADS {threads}: expected a whole number, 1 to 9,999")


_check_threads()
