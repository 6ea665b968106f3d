"""The devices, which run a program's kernels and own arrays. They know no game.

A kernel exists twice, under one name and with one list of arguments: as CUDA C++ and as a Numba function (see
`program`). Its first two arguments are the range of items to process; the backend fills them in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy.typing as npt

from gpusolve.backend.driver import driver_version
from gpusolve.backend.program import Program
from gpusolve.checks import digits, shown
from gpusolve.errors import BadInput, DeviceUnavailable, explained

__all__ = ["Array", "Backend", "Program", "in_batches", "open_backend"]

Array: TypeAlias = Any
"""An array that lives on a device: NumPy's on ``cpu``, CuPy's on ``cuda``."""


class Backend(Protocol):
    """A device, opened once and passed as an argument. Any thread may use it."""

    name: str
    """``cpu``, ``cpu:THREADS``, ``cuda:N``, or ``cuda:N/WORKERS`` if workers share a GPU.

    `open_backend` opens the same device by this name in any process.
    """
    about: str
    """A description of the device and, if ``auto`` did not choose the GPU, the reason."""

    @property
    def xp(self) -> Any:
        """The module of its arrays, ``numpy`` or ``cupy``, for sort, unique, bincount, cumsum and so on.

        Reading it makes the device current in the calling thread, so that new arrays are created there.
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

        A CPU thread interleaves `per_thread` of them; a GPU runs the number that fits into its memory.
        """

    def share(self, worker: int, workers: int) -> str:
        """Return the name of the device that a worker of this machine should use; workers count from 0.

        The workers share the threads of a CPU, and each gets at least one. GPUs are assigned in turn, starting with
        this one, and workers on one GPU share its memory.
        """

    def asarray(self, host: npt.ArrayLike) -> Array:
        """Return a contiguous copy of an array on the device, or the array itself if it is already there."""

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
        """Return an uninitialised array on the device."""

    def map_file(self, path: Path, dtype: npt.DTypeLike, offset: int = 0) -> Array:
        """Return the numbers in a file from byte `offset` on, for kernels that only read them.

        On a CPU the file is mapped and takes memory only where it is read; a GPU gets a copy. Raises OSError.
        """

    def batch(self, bytes_per_item: int) -> int:
        """Return how many items of this size to process at once: enough to fill the device, and within its memory.

        The number is at least one. Results must not depend on it. A GPU is asked for its free memory each time;
        `in_batches` also makes batches smaller when an allocation fails.
        """

    def to_host(self, array: Array) -> npt.NDArray[Any]:
        """Return the array as a NumPy array, after waiting for the kernels that write it."""

    def synchronize(self) -> None:
        """Wait until all launched kernels have ended."""

    def timed(self, run: Callable[[], object]) -> float:
        """Return the seconds that `run` takes, including the kernels that it launches; on a GPU, by the GPU's clock."""

    def launch(self, program: Program, kernel: str, count: int, *arguments: Any) -> Any:
        """Run a kernel on the items 0 to count - 1, and return the arrays that it writes.

        `arguments` are the kernel's inputs, in the order of its declaration (see `program`). Those that follow from
        them are left out: the numbers that are lengths of arrays, and the arrays that the kernel only writes. These
        are made and returned, an array if there is one, otherwise a tuple. With all arguments, the kernel writes to the
        arrays that are given, and None is returned. Raises TypeError, ValueError or OverflowError if the arguments do
        not match the kernel (`Kernel.complete`).
        """


Result = TypeVar("Result")


def in_batches(items: range, at_once: Callable[[], int], run: Callable[[range], Result]) -> Iterator[Result]:
    """Yield what `run` returns for one batch of items after another.

    `at_once` is asked for the size of each batch, for example by `Backend.batch`. When an allocation fails, the batch
    is halved and tried again. Raises MemoryError if one item has no room.

    Examples
    --------
    >>> backend = open_backend("cpu")
    >>> list(in_batches(range(5), lambda: backend.batch(8 << 20), list))
    [[0, 1], [2, 3], [4]]
    """
    first, most = 0, len(items)
    while first < len(items):
        batch = items[first : first + min(most, at_once())]
        try:
            result = run(batch)
        except Exception as error:
            if len(batch) == 1 or not isinstance(explained(error), MemoryError):
                raise
            most = len(batch) // 2
            continue
        yield result
        first += len(batch)


def open_backend(device: str | Backend | None = None) -> Backend:
    """Open a device. A device is opened once per process, and later calls return the same object.

    Parameters
    ----------
    device : str or Backend, optional
        ``auto``, ``cpu``, ``cpu:THREADS``, ``cuda`` or ``cuda:N``; a backend is returned as it is. By default the value
        of ``GPUSOLVE_DEVICE``, or else ``auto``, which chooses CUDA only after a probe kernel has compiled and run.

    Returns
    -------
    Backend

    Raises
    ------
    BadInput
        If the name is not one of these.
    TypeError
        If `device` is neither a name nor a backend.
    DeviceUnavailable
        If CUDA is requested by name and does not work.

    Examples
    --------
    >>> open_backend("cpu").name, open_backend("cpu:3").name
    ('cpu', 'cpu:3')
    """
    if device is not None and not isinstance(device, str):
        if not hasattr(device, "launch"):
            raise TypeError(f"backend: expected a backend, a name or None, not {type(device).__name__}")
        return device
    source = "device" if device is not None else "GPUSOLVE_DEVICE"
    device = device if device is not None else os.environ.get("GPUSOLVE_DEVICE") or "auto"
    match = re.fullmatch(r"auto|(cpu)(?::([1-9][0-9]{0,3}))?|(cuda)(?::([0-9]{1,3})(?:/([1-9][0-9]?))?)?", device)
    if match is None:
        raise BadInput(f"{source} {device}: expected auto, cpu, cpu:THREADS, cuda or cuda:N")
    if match[1]:
        return _cpu(int(match[2]) if match[2] else None)
    if match[3]:
        return _cuda(int(match[4] or 0), int(match[5] or 1))
    try:
        return _cuda(0, 1)
    except DeviceUnavailable as error:
        return _cpu(None, f" (auto: {error})" if driver_version() else "")


@cache
def _cpu(threads: int | None, why: str = "") -> Backend:
    from gpusolve.backend.cpu import CpuBackend

    backend = CpuBackend(threads)
    backend.about += why
    return backend


@cache
def _cuda(index: int, workers: int) -> Backend:
    from gpusolve.backend.cuda import CudaBackend

    return CudaBackend(index, workers)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_cuda.cache_clear)  # a child cannot use its parent's GPU


def _check_numba_variables() -> None:
    """Raise BadInput for settings that Numba and LLVM answer with an error or a crash. Numba is imported after this."""
    threads = os.environ.get("NUMBA_NUM_THREADS")
    if threads is not None and not digits(threads.strip(), 9999):
        raise BadInput(f"NUMBA_NUM_THREADS {threads}: expected a whole number, 1 to 9,999")
    features = os.environ.get("NUMBA_CPU_FEATURES", "")
    if not re.fullmatch(r"([+-][0-9A-Za-z._-]+(,[+-][0-9A-Za-z._-]+)*)?", features):
        raise BadInput(f"NUMBA_CPU_FEATURES {shown(features)}: expected names with + or -, such as +avx2,-avx512f")


_check_numba_variables()
