"""The NVIDIA driver, asked without CuPy: where there is none, nobody waits for a GPU."""

from __future__ import annotations

import ctypes


def driver_version() -> tuple[int, int] | None:
    """The newest CUDA (major, minor) that the NVIDIA driver runs, None without a driver."""
    for library in ("libcuda.so.1", "nvcuda.dll"):
        try:
            driver = ctypes.CDLL(library)
        except OSError:
            continue
        found = ctypes.c_int()
        if driver.cuDriverGetVersion(ctypes.byref(found)) == 0:
            return found.value // 1000, found.value % 1000 // 10
    return None
