"""A backend without a device: the text of a .cu file, compiled by g++ with ``cuda_on_cpu.h`` and run on one core.

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
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.cpu import CpuBackend
from gpusolve.backend.program import Kernel, Parameter, Program

HEADER = Path(__file__).with_name("cuda_on_cpu.h")
BLOCK = 256  # threads, as in common.cuh
MOST_BLOCKS = 3  # few, so that grid-stride loops make several rounds; odd, so that a stride is no power of two
POISON = 0xA5  # every byte of an array that is not yet written

# -fno-strict-aliasing: as nvcc; -Bsymbolic and -fno-gnu-unique: names are private to each library.
_FLAGS = ["-std=c++17", "-shared", "-fPIC", "-fno-strict-aliasing", "-fno-gnu-unique", "-Wl,-Bsymbolic"]
_FAST = ["-O2"]
_SANITIZED = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


class EmulatedBackend(CpuBackend):
    """Arrays are NumPy's, as on a CPU; a kernel's errors (a deadlock, a trap, a failed assertion) are RuntimeErrors.

    ``reverse`` resumes threads and blocks from the highest to the lowest; ``sanitize`` compiles with
    AddressSanitizer and UndefinedBehaviorSanitizer. None: as ``GPUSOLVE_EMULATE_ORDER=reverse`` and
    ``GPUSOLVE_SANITIZE=1`` say.

    >>> EmulatedBackend().empty(3, np.uint8).tolist()  # what no kernel has written shows
    [165, 165, 165]
    """

    name = "emulated"
    about = "CUDA emulated by g++"

    def __init__(self, *, reverse: bool | None = None, sanitize: bool | None = None) -> None:
        self.reverse = os.environ.get("GPUSOLVE_EMULATE_ORDER") == "reverse" if reverse is None else reverse
        self.sanitize = sanitized() if sanitize is None else sanitize

    def asarray(self, host: npt.ArrayLike) -> npt.NDArray[Any]:
        """A C-contiguous copy, as the other side of a bus has it."""
        return np.array(host, order="C", copy=True)

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """An array whose every byte is POISON, so that an element which no kernel writes shows."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return np.full(size, POISON, np.uint8).view(dtype).reshape(shape)

    def to_host(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A copy."""
        return array.copy()

    def launch(self, program: Program, kernel: str, count: int, *arguments: Any) -> None:
        """Runs ``kernel(0, count, *arguments)``; without items nothing.

        Raises TypeError, ValueError or OverflowError for arguments that do not suit the kernel (`Kernel.check`), and
        RuntimeError for what g++ or the running kernel has to say.
        """
        called = program.kernel(kernel)
        called.check(count, arguments, np.ndarray)
        if count:
            self.run_range(program, called, 0, count, arguments)

    def run_range(self, program: Program, kernel: Kernel, first: int, last: int, arguments: tuple[Any, ...]) -> None:
        """Runs a kernel on items first..last-1, whatever its arguments are: for tests of ranges beyond any array."""
        values = [_as_c(p, value) for p, value in zip(kernel.parameters, (first, last, *arguments), strict=True)]
        function = _function(program, kernel.name, self.sanitize)
        blocks = min(-(-(last - first) * kernel.threads // BLOCK), MOST_BLOCKS)
        with _lock:  # the fibres of a library are one set
            error = function(ctypes.c_uint(blocks), ctypes.c_uint(BLOCK), ctypes.c_int(self.reverse), *values)
        if error:
            raise RuntimeError(error.decode())


_lock = threading.Lock()


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
def _function(program: Program, kernel: str, sanitize: bool) -> Any:
    """The C function that launches a kernel."""
    function = _library(program, sanitize)[f"launch_{kernel}"]
    function.restype = ctypes.c_char_p
    return function


@cache
def _library(program: Program, sanitize: bool) -> ctypes.CDLL:
    """The compiled text, from the user's cache folder when it is there."""
    if sanitize and not hasattr(ctypes.CDLL(None), "__asan_init"):
        raise RuntimeError("AddressSanitizer is not in this process: start it with `sanitizer_environment`")
    name, text = program.source.name, program.text
    source = f'#include "{HEADER.name}"\n#line 1 "{name}"\n{text}\n#line 1 "launchers"\n{_launchers(program)}'
    flags = _FLAGS + (_SANITIZED if sanitize else _FAST)
    key = "\0".join([HEADER.read_text(encoding="utf-8"), source, *flags, platform.machine()])
    folder = cache_folder("emulated")
    file = folder / f"{program.name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.so"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as scratch:  # then a rename: tests may run side by side
            made = Path(scratch) / file.name
            command = ["g++", *flags, "-I", str(HEADER.parent), "-x", "c++", "-", "-o", str(made)]
            done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"g++ refuses {name}:\n{done.stderr}")
            made.replace(file)
    return ctypes.CDLL(str(file))


def _launchers(program: Program) -> str:
    """One C function per kernel: blocks, threads of a block, order, the kernel's arguments -> null or an error."""
    lines = []
    for kernel in program.kernels.values():
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
