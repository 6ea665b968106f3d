"""The version of the NVIDIA driver. It is read without CuPy, so that a machine without a driver loses no time."""

from __future__ import annotations

import ctypes


def driver_version() -> tuple[int, int] | None:
    """Return the newest CUDA version (major, minor) that the NVIDIA driver supports, or None without a driver."""
    for library in ("libcuda.so.1", "nvcuda.dll"):
        try:
            driver = ctypes.CDLL(library)
        except OSError:
            continue
        number = ctypes.c_int()
        if driver.cuDriverGetVersion(ctypes.byref(number)) == 0:
            return number.value // 1000, number.value % 1000 // 10
    return None
