"""Kernels without a GPU: g++ compiles the text of a .cu file with ``cuda_on_cpu.h`` and runs it on one core.

With sanitizers (``GPUSOLVE_SANITIZE=1``), AddressSanitizer must be loaded when the process starts. `check_sanitized`
does that; by hand it is::

    env $(python -m gpusolve.testing.emulation) python -m pytest --device emulated tests/test_kernels.py
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from gpusolve.backend.program import Kernel, Parameter, parse_kernels

HEADER = Path(__file__).with_name("cuda_on_cpu.h")
MOST_THREADS = 1024  # per block
POISON = 0xA5  # every byte of an uninitialised array

# -fno-strict-aliasing: like nvcc; -Bsymbolic and -fno-gnu-unique keep names private to each library.
_FLAGS = ["-std=c++17", "-shared", "-fPIC", "-fno-strict-aliasing", "-fno-gnu-unique", "-Wl,-Bsymbolic"]
_FAST = ["-O2"]
_SANITIZED = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


_lock = threading.Lock()


def run(
    text: str, kernel: Kernel, blocks: int, threads: int, arguments: Sequence[Any], *, reverse: bool, sanitize: bool
) -> str:
    """Launch a kernel of a CUDA text.

    Parameters
    ----------
    text : str
        The CUDA text, with ``common.cuh`` inserted.
    kernel : Kernel
        One of its kernels.
    blocks, threads : int
        Number of blocks, and of threads per block.
    arguments : sequence
        NumPy arrays and numbers for all parameters. They are not checked.
    reverse : bool
        Whether to run threads and blocks from the highest to the lowest.
    sanitize : bool
        Whether to compile with AddressSanitizer and UndefinedBehaviorSanitizer.

    Returns
    -------
    str
        "", or the error: a deadlock, a trap, a failed assertion.

    Raises
    ------
    RuntimeError
        If g++ refuses the text; the message contains its output.
    """
    values = [_as_c(parameter, value) for parameter, value in zip(kernel.parameters, arguments, strict=True)]
    function = built(text, sanitize)[f"launch_{kernel.name}"]
    function.restype = ctypes.c_char_p
    with _lock:  # a library has a single set of fibres
        error = function(ctypes.c_uint(blocks), ctypes.c_uint(threads), ctypes.c_int(reverse), *values)
    return error.decode() if error else ""


def cache_folder(name: str) -> Path:
    """Return the folder where the tests keep compiled code."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpusolve" / name


def have_compiler() -> bool:
    """Return whether g++ is installed."""
    return shutil.which("g++") is not None


def have_sanitizers() -> bool:
    """Return whether g++ has AddressSanitizer."""
    return Path(_sanitizer_libraries()[0]).is_file()


def sanitized() -> bool:
    """Return whether ``GPUSOLVE_SANITIZE=1`` is set, as in the run of `check_sanitized`."""
    return os.environ.get("GPUSOLVE_SANITIZE") == "1"


def reversed_order() -> bool:
    """Return whether ``GPUSOLVE_EMULATE_ORDER=reverse`` is set."""
    return os.environ.get("GPUSOLVE_EMULATE_ORDER") == "reverse"


def sanitizer_environment() -> dict[str, str]:
    """Return the environment variables of a process that loads sanitized kernels. It needs g++."""
    preload = ":".join(_sanitizer_libraries())
    return {"GPUSOLVE_SANITIZE": "1", "LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"}


@cache
def _sanitizer_libraries() -> list[str]:
    return [
        subprocess.run(["g++", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libstdc++.so")  # without the second, AddressSanitizer misses C++ exceptions
    ]


def _as_c(parameter: Parameter, value: Any) -> Any:
    """Convert an argument for ctypes."""
    if parameter.is_array:
        return ctypes.c_void_p(value.ctypes.data)
    number = value.item() if isinstance(value, np.generic) else value
    return np.ctypeslib.as_ctypes_type(parameter.dtype)(number)


@cache
def built(text: str, sanitize: bool) -> ctypes.CDLL:
    """Compile the text, or load it from the user's cache folder."""
    if sanitize and not hasattr(ctypes.CDLL(None), "__asan_init"):
        raise RuntimeError("AddressSanitizer is not in this process: start it with `sanitizer_environment`")
    source = f'#include "{HEADER.name}"\n#line 1 "kernels.cu"\n{text}\n#line 1 "launchers"\n{_launchers(text)}'
    flags = _FLAGS + (_SANITIZED if sanitize else _FAST)
    key = "\0".join([HEADER.read_text(encoding="utf-8"), source, *flags, platform.machine()])
    folder = cache_folder("emulated")
    file = folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.so"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as scratch:  # followed by a rename: tests may run in parallel
            library = Path(scratch) / file.name
            command = ["g++", *flags, "-I", str(HEADER.parent), "-x", "c++", "-", "-o", str(library)]
            done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"g++ refuses the kernels:\n{done.stderr}")
            library.replace(file)
    return ctypes.CDLL(str(file))


def _launchers(text: str) -> str:
    """Write a C function per kernel: blocks, threads per block, order, arguments of the kernel -> null or an error."""
    lines = []
    for kernel in parse_kernels(text).values():
        declared = ", ".join(f"{parameter.type} {parameter.name}" for parameter in kernel.parameters)
        names = ", ".join(parameter.name for parameter in kernel.parameters)
        lines.append(
            f'extern "C" const char* launch_{kernel.name}(unsigned blocks_, unsigned threads_, int reverse_, '
            f'{declared}) {{\n    return cuda_on_cpu::run("{kernel.name}", blocks_, threads_, reverse_, [=] '
            f"{{ {kernel.name}({names}); }});\n}}\n"
        )
    return "".join(lines)


if __name__ == "__main__":
    print(" ".join(f"{name}={value}" for name, value in sanitizer_environment().items()))
