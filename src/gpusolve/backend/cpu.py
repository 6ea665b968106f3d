"""The CPU: Numba kernels on a few threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

CHUNKS_PER_THREAD = 8  # items differ in cost: more chunks than threads, taken as they come, even that out


class CpuBackend:
    """Runs the Numba twins. They release the interpreter's lock, so plain threads suffice to use every core."""

    name = "cpu"
    xp = np

    def __init__(self) -> None:
        self.about = f"cpu, {self.threads} thread{'s' * (self.threads != 1)}"

    @cached_property
    def threads(self) -> int:
        """The cores this process may use, or fewer by ``NUMBA_NUM_THREADS``."""
        from numba import config

        return int(config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads)

    def asarray(self, host: npt.ArrayLike) -> npt.NDArray[Any]:
        return np.ascontiguousarray(host)

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        return np.empty(shape, dtype)

    def to_host(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array

    def synchronize(self) -> None:
        """Nothing to wait for: launch returns when the work is done."""

    def launch(self, game: str, kernel: str, count: int, *arguments: Any, threads_per_item: int = 1) -> None:
        function = getattr(import_module(f"gpusolve.games.{game}.cpu"), kernel)
        chunks = min(count, self.threads * CHUNKS_PER_THREAD)
        if self.threads == 1 or chunks < 2:
            function(0, count, *arguments)
            return
        cuts = [count * i // chunks for i in range(chunks + 1)]
        runs = [self._pool.submit(function, a, b, *arguments) for a, b in pairwise(cuts)]
        for run in runs:
            run.result()
