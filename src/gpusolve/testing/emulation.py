"""Kernels without a device: the text of a .cu file, compiled by g++ with ``cuda_on_cpu.h`` and run on one core.

With the sanitizers (``GPUSOLVE_SANITIZE=1``) AddressSanitizer must be in the process from its start; `check_sanitized`
sees to that, and by hand it is::

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
MOST_THREADS = 1024  # of a block
POISON = 0xA5  # every byte of an array that is not yet written

# -fno-strict-aliasing: as nvcc; -Bsymbolic and -fno-gnu-unique: names are private to each library.
_FLAGS = ["-std=c++17", "-shared", "-fPIC", "-fno-strict-aliasing", "-fno-gnu-unique", "-Wl,-Bsymbolic"]
_FAST = ["-O2"]
_SANITIZED = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


_lock = threading.Lock()


def run(
    text: str, kernel: Kernel, blocks: int, threads: int, arguments: Sequence[Any], *, reverse: bool, sanitize: bool
) -> str:
    """Launches a kernel of a CUDA text; "", or what went wrong: a deadlock, a trap, a failed assertion.

    `arguments`, NumPy's arrays and numbers, are not checked. ``reverse`` resumes threads and blocks from the highest to
    the lowest; ``sanitize`` compiles with AddressSanitizer and UndefinedBehaviorSanitizer. Raises RuntimeError with the
    words of g++.
    """
    values = [_as_c(parameter, value) for parameter, value in zip(kernel.parameters, arguments, strict=True)]
    function = built(text, sanitize)[f"launch_{kernel.name}"]
    function.restype = ctypes.c_char_p
    with _lock:  # the fibres of a library are one set
        error = function(ctypes.c_uint(blocks), ctypes.c_uint(threads), ctypes.c_int(reverse), *values)
    return error.decode() if error else ""


def cache_folder(name: str) -> Path:
    """Where what is compiled for tests is kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpusolve" / name


def have_compiler() -> bool:
    """Whether g++ is found."""
    return shutil.which("g++") is not None


def have_sanitizers() -> bool:
    """Whether g++ comes with AddressSanitizer."""
    return Path(_sanitizer_libraries()[0]).is_file()


def sanitized() -> bool:
    """Whether ``GPUSOLVE_SANITIZE=1`` asks for sanitized kernels, as in the run of `check_sanitized`."""
    return os.environ.get("GPUSOLVE_SANITIZE") == "1"


def reversed_order() -> bool:
    """Whether ``GPUSOLVE_EMULATE_ORDER=reverse`` asks for the threads in reverse order."""
    return os.environ.get("GPUSOLVE_EMULATE_ORDER") == "reverse"


def sanitizer_environment() -> dict[str, str]:
    """The environment variables of a process that loads sanitized kernels. g++ must be there."""
    preload = ":".join(_sanitizer_libraries())
    return {"GPUSOLVE_SANITIZE": "1", "LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"}


@cache
def _sanitizer_libraries() -> list[str]:
    return [
        subprocess.run(["g++", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libstdc++.so")  # the second: else AddressSanitizer misses its exceptions
    ]


def _as_c(parameter: Parameter, value: Any) -> Any:
    """The argument as ctypes' value."""
    if parameter.is_array:
        return ctypes.c_void_p(value.ctypes.data)
    number = value.item() if isinstance(value, np.generic) else value
    return np.ctypeslib.as_ctypes_type(parameter.dtype)(number)


@cache
def built(text: str, sanitize: bool) -> ctypes.CDLL:
    """The compiled text, from the user's cache folder when it is there."""
    if sanitize and not hasattr(ctypes.CDLL(None), "__asan_init"):
        raise RuntimeError("AddressSanitizer is not in this process: start it with `sanitizer_environment`")
    source = f'#include "{HEADER.name}"\n#line 1 "kernels.cu"\n{text}\n#line 1 "launchers"\n{_launchers(text)}'
    flags = _FLAGS + (_SANITIZED if sanitize else _FAST)
    key = "\0".join([HEADER.read_text(encoding="utf-8"), source, *flags, platform.machine()])
    folder = cache_folder("emulated")
    file = folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.so"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as scratch:  # then a rename: tests may run side by side
            made = Path(scratch) / file.name
            command = ["g++", *flags, "-I", str(HEADER.parent), "-x", "c++", "-", "-o", str(made)]
            done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"g++ refuses the kernels:\n{done.stderr}")
            made.replace(file)
    return ctypes.CDLL(str(file))


def _launchers(text: str) -> str:
    """One C function per kernel: blocks, threads of a block, order, the kernel's arguments -> null or an error."""
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
