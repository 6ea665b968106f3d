"""A strict stand-in for CuPy, so that the host code for GPUs runs, under CuPy's rules, on a machine without a GPU.

Its arrays wrap NumPy's, and its kernels run in the emulation. It accepts what every recorded version of CuPy accepts
(`signatures`) and refuses what CuPy refuses: NumPy arrays mixed with device arrays, implicit conversions, functions,
arguments and keywords that CuPy lacks, sorting of strided arrays. It also refuses what CuPy accepts silently although
the result on a GPU is wrong: kernel arguments of another dtype or layout, an assignment that sets an element twice.
A part of CuPy that the stand-in lacks raises NotImplementedError.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from gpusolve.testing.stand_in import arrays, cuda, functions
from gpusolve.testing.stand_in.machine import Machine
from gpusolve.testing.stand_in.signatures import has, records

__all__ = ["Machine", "StandIn", "installed"]


class StandIn(ModuleType):
    """The module ``cupy`` on a machine."""

    ndarray = arrays.ndarray

    def __init__(self, machine: Machine | None = None) -> None:
        super().__init__("cupy")
        self.machine = machine or Machine()
        self.machine.call_function = partial(functions.call, self.machine)
        self.cuda = cuda.make_cuda(self.machine)
        self.RawModule = partial(cuda.RawModule, self.machine)
        self.__version__ = f"stand-in for {', '.join(records())}"

    def __getattr__(self, name: str) -> Any:
        found: Any
        if has("numpy", name):
            found = getattr(np, name)
        elif has("ufuncs", name):
            found = partial(self._ufunc, name)
        elif has("functions", name):
            found = partial(self._call, name)
        else:
            kinds = ("numpy", "ufuncs", "functions")
            lacking = [
                version for version, known in records().items() if not any(name in known[kind] for kind in kinds)
            ]
            raise AttributeError(f"CuPy {', '.join(lacking)} has no {name}, or NumPy has no such name")
        setattr(self, name, found)
        return found

    def get_default_memory_pool(self) -> Any:
        """Return a pool that keeps no freed memory."""
        return SimpleNamespace(free_bytes=lambda: 0)

    def _ufunc(self, name: str, *inputs: Any, **keywords: Any) -> Any:
        return arrays.apply_ufunc(self.machine, name, inputs, keywords)

    def _call(self, name: str, *given: Any, **keywords: Any) -> Any:
        return functions.call(self.machine, name, given, keywords)


@contextmanager
def installed(cupy: Any) -> Iterator[None]:
    """Let ``import cupy`` give this module within the block."""
    before = sys.modules.get("cupy")
    sys.modules["cupy"] = cupy
    try:
        yield
    finally:
        if before is None:
            del sys.modules["cupy"]
        else:
            sys.modules["cupy"] = before
