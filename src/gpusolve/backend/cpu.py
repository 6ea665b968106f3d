"""The CPU: twins on several threads."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.program import Program
from gpusolve.backend.threads import Outcome, Threads

CHUNKS_PER_THREAD = 8  # items differ in cost: more chunks than threads balance the load
BATCH_BYTES = 16 << 20  # about the size of the caches
WORTH_SHARING = 5e-4  # seconds of work; starting two threads on it and waiting for them takes 0.2 ms
QUICK = 2e-3  # seconds; after a launch this short, the next one of the same kernel first runs on one thread


class CpuBackend:
    """Runs the twins. They release the interpreter's lock, so plain threads can use every core.

    `threads` is the number of threads; by default ``NUMBA_NUM_THREADS``, or else the number of cores that this process
    may use. A launch with little work stays on the calling thread.
    """

    xp = np

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or int(os.environ.get("NUMBA_NUM_THREADS") or cores())
        self.name = f"cpu:{threads}" if threads else "cpu"
        self.about = f"cpu, {self.threads} thread{'s' * (self.threads != 1)}"
        self._quick: set[Callable[..., None]] = set()  # twins whose last launch was short
        self._started: tuple[int, Threads] | None = None  # the process that started the threads, and the threads

    @property
    def _workers(self) -> Threads:
        """The threads of this process: after a fork the child has none of its parent's, and starts its own."""
        process, kept = os.getpid(), self._started
        if kept is None or kept[0] != process:
            kept = self._started = process, Threads(self.threads)
        return kept[1]

    @property
    def host(self) -> CpuBackend:
        return self

    @property
    def free_memory(self) -> int | None:
        return free_bytes()

    def lanes(self, per_thread: int, bytes_per_lane: int) -> int:
        return per_thread

    def share(self, worker: int, workers: int) -> str:
        return f"cpu:{max(1, self.threads // workers)}"

    def asarray(self, host: npt.ArrayLike) -> npt.NDArray[Any]:
        return np.ascontiguousarray(host)

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        return np.empty(shape, dtype)

    def map_file(self, path: Path, dtype: npt.DTypeLike, offset: int = 0) -> npt.NDArray[Any]:
        return np.asarray(np.memmap(path, dtype, "r", offset))

    def batch(self, bytes_per_item: int) -> int:
        return max(1, BATCH_BYTES // bytes_per_item)

    def to_host(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array

    def synchronize(self) -> None:
        """Do nothing: a launch returns when its work is done."""

    def timed(self, run: Callable[[], object]) -> float:
        begin = time.perf_counter()
        run()
        return time.perf_counter() - begin

    def launch(self, program: Program, kernel: str, count: int, *arguments: Any) -> Any:
        every, made = program.kernel(kernel).complete(count, arguments, np.ndarray, self.empty)
        if count:
            self._run(program.twin(kernel), count, every)
        return made

    def _run(self, twin: Callable[..., None], count: int, arguments: tuple[Any, ...]) -> None:
        chunks = min(count, self.threads * CHUNKS_PER_THREAD)
        if self.threads == 1 or chunks < 2:
            twin(0, count, *arguments)
            return
        cuts = [count * i // chunks for i in range(chunks + 1)]
        begin = time.perf_counter()
        if twin in self._quick:  # measure the first chunk: are the others worth sharing?
            twin(0, cuts[1], *arguments)
            if (time.perf_counter() - begin) * (chunks - 1) < WORTH_SHARING:
                twin(cuts[1], count, *arguments)
                cuts = []
            else:
                cuts = cuts[1:]
        workers, done = self._workers, SimpleQueue[Outcome[None]]()
        for a, b in pairwise(cuts):
            workers.start(partial(twin, a, b, *arguments), done)
        for _ in cuts[1:]:
            done.get().value()
        if time.perf_counter() - begin < QUICK:
            self._quick.add(twin)
        else:
            self._quick.discard(twin)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_bytes() -> int | None:
    """Return the bytes that Linux reports as free, for the machine and for this process; None elsewhere."""
    try:
        import resource

        machine = re.search(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    except (ImportError, OSError):
        return None
    free = [int(machine[1]) << 10] if machine else []
    free += [max(0, limit - taken)] if limit != resource.RLIM_INFINITY else []
    return min(free, default=None)
