"""A backend without a device: the text of a .cu file, compiled by g++ with ``cuda_on_cpu.h`` and run on one core.

With the sanitizers (``GPUSOLVE_SANITIZE=1``) AddressSanitizer must be in the process from its start::

    env $(python tests/emulated.py) python -m pytest tests
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
import numpy.typing as npt

from gpusolve.backend.source import cuda_source, signatures

HEADER = Path(__file__).with_name("cuda_on_cpu.h")
BLOCK = 256  # threads, as in common.cuh
MOST_BLOCKS = 3  # few, so that grid-stride loops make several rounds; odd, so that a stride is no power of two
POISON = 0xA5  # every byte of an array that is not yet written

# -fno-strict-aliasing: as nvcc; -Bsymbolic and -fno-gnu-unique: names are private to each library.
_FLAGS = ["-std=c++17", "-shared", "-fPIC", "-fno-strict-aliasing", "-fno-gnu-unique", "-Wl,-Bsymbolic"]
_FAST = ["-O2"]
_SANITIZED = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]

# The type of a parameter, as `signatures` writes it -> as C++ writes it, and the dtype of a scalar or of an array.
_TYPES = {
    **{name: (name, dtype) for name, dtype in {"bool": "?", "char": "i1", "short": "i2", "int": "i4"}.items()},
    **{name: (name, dtype) for name, dtype in {"u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "i64": "i8"}.items()},
    **{name: (name, dtype) for name, dtype in {"unsigned": "u4", "float": "f4", "double": "f8"}.items()},
    "unsignedchar": ("unsigned char", "u1"),
    "signedchar": ("signed char", "i1"),
    "unsignedshort": ("unsigned short", "u2"),
    "unsignedint": ("unsigned int", "u4"),
    "longlong": ("long long", "i8"),
    "unsignedlonglong": ("unsigned long long", "u8"),
}
# Only behind a pointer: an array of the numbers that make the vectors.
_VECTORS = {"int2": ("i4", 2), "int4": ("i4", 4), "uint2": ("u4", 2), "uint4": ("u4", 4)}


class EmulatedBackend:
    """Arrays are NumPy's; a kernel's errors (a deadlock, a trap, a failed assertion) are RuntimeErrors.

    ``reverse`` resumes threads and blocks from the highest to the lowest; ``sanitize`` compiles with
    AddressSanitizer and UndefinedBehaviorSanitizer. None: as ``GPUSOLVE_EMULATE_ORDER=reverse`` and
    ``GPUSOLVE_SANITIZE=1`` say.
    """

    name = "emulated"
    xp = np
    about = "CUDA emulated by g++"

    def __init__(self, *, reverse: bool | None = None, sanitize: bool | None = None) -> None:
        self.reverse = os.environ.get("GPUSOLVE_EMULATE_ORDER") == "reverse" if reverse is None else reverse
        self.sanitize = os.environ.get("GPUSOLVE_SANITIZE") == "1" if sanitize is None else sanitize
        self._texts: dict[str, str] = {}

    def add_source(self, game: str, text: str) -> None:
        """Lets ``launch(game, ...)`` run the kernels of ``text``, a self-contained CUDA text."""
        self._texts[game] = text

    def asarray(self, host: npt.ArrayLike) -> np.ndarray:
        """A C-contiguous copy."""
        return np.array(host, order="C", copy=True)

    def empty(self, shape: int | Sequence[int], dtype: npt.DTypeLike) -> np.ndarray:
        """An array whose every byte is POISON, so that an element which no kernel writes shows."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return np.full(size, POISON, np.uint8).view(dtype).reshape(shape)

    def zeros(self, shape: int | Sequence[int], dtype: npt.DTypeLike) -> np.ndarray:
        """An array of zeros."""
        return np.zeros(shape, dtype)

    def to_host(self, array: np.ndarray) -> np.ndarray:
        """A copy."""
        return array.copy()

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def launch(self, game: str, kernel: str, count: int, *arguments: Any, threads_per_item: int = 1) -> None:
        """Runs ``kernel(0, count, *arguments)`` of ``kernels/<game>.cu``; without items nothing.

        Raises TypeError for arguments that do not suit the kernel, OverflowError for a number too large for its
        parameter, ValueError for an unknown kernel, RuntimeError for what g++ or the running kernel has to say.
        """
        text = self._texts.get(game) or cuda_source(game)
        known = signatures(text)
        if kernel not in known:
            raise ValueError(f"{game}.cu has no kernel {kernel}, but {', '.join(known) or 'none at all'}")
        if known[kernel][:2] != [("int", "first"), ("int", "last")]:
            raise TypeError(f"{kernel}: the first two parameters must be int first, int last")
        values = _convert(kernel, known[kernel], (0, count, *arguments))
        if count <= 0:
            return
        function = _library(game, text, self.sanitize)[f"launch_{kernel}"]
        function.restype = ctypes.c_char_p
        blocks = min(-(-count * threads_per_item // BLOCK), MOST_BLOCKS)
        with _lock:  # the fibres of a library are one set
            error = function(ctypes.c_uint(blocks), ctypes.c_uint(BLOCK), ctypes.c_int(self.reverse), *values)
        if error:
            raise RuntimeError(error.decode())


_lock = threading.Lock()


def have_compiler() -> bool:
    """Whether g++ is found."""
    return shutil.which("g++") is not None


def sanitizer_environment() -> dict[str, str]:
    """The environment variables of a process that loads sanitized kernels."""
    files = [
        subprocess.run(["g++", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libstdc++.so")  # the second: else AddressSanitizer misses its exceptions
    ]
    return {"GPUSOLVE_SANITIZE": "1", "LD_PRELOAD": ":".join(files), "ASAN_OPTIONS": "detect_leaks=0"}


def _convert(kernel: str, parameters: list[tuple[str, str]], arguments: tuple[Any, ...]) -> list[Any]:
    """The arguments as ctypes' values, each checked against the type of its parameter."""
    if len(arguments) != len(parameters):
        names = ", ".join(name for _, name in parameters)
        raise TypeError(f"{kernel}({names}) takes {len(parameters)} arguments, not {len(arguments)}")
    values: list[Any] = []
    for (kind, name), argument in zip(parameters, arguments, strict=True):
        place = f"{kernel}: {kind} {name}"
        values.append(_pointer(place, kind[:-1], argument) if kind.endswith("*") else _scalar(place, kind, argument))
    return values


def _pointer(place: str, kind: str, array: Any) -> ctypes.c_void_p:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{place} wants an array, not {type(array).__name__}")
    dtype, width = _VECTORS[kind] if kind in _VECTORS else (_TYPES[kind][1], 1)
    if array.dtype != np.dtype(dtype) and not (dtype == "u1" and array.dtype == np.bool_):
        raise TypeError(f"{place} wants an array of {np.dtype(dtype).name}, not of {array.dtype}")
    if not array.flags.c_contiguous or array.size % width:
        raise TypeError(f"{place} wants a C-contiguous array of a multiple of {width} numbers")
    return ctypes.c_void_p(array.ctypes.data)


def _scalar(place: str, kind: str, value: Any) -> Any:
    dtype = np.dtype(_TYPES[kind][1])
    whole = dtype.kind in "iub"
    if not isinstance(value, (int, np.integer, np.bool_) if whole else (int, float, np.integer, np.floating)):
        raise TypeError(f"{place} wants a number of type {dtype.name}, not {type(value).__name__}")
    number = value.item() if isinstance(value, np.generic) else value
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= number <= np.iinfo(dtype).max:
        raise OverflowError(f"{place} cannot hold {number}")
    return np.ctypeslib.as_ctypes_type(dtype)(number)


@cache
def _library(game: str, text: str, sanitize: bool) -> ctypes.CDLL:
    """The compiled text, from the user's cache folder when it is there."""
    if sanitize and not hasattr(ctypes.CDLL(None), "__asan_init"):
        raise RuntimeError("AddressSanitizer is not in this process: start it with the output of tests/emulated.py")
    program = f'#include "{HEADER.name}"\n#line 1 "{game}.cu"\n{text}\n#line 1 "launchers"\n{_launchers(text)}'
    flags = _FLAGS + (_SANITIZED if sanitize else _FAST)
    key = "\0".join([HEADER.read_text(encoding="utf-8"), program, *flags, platform.machine()])
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpusolve" / "emulated"
    file = folder / f"{game}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.so"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as scratch:  # then a rename: tests may run side by side
            made = Path(scratch) / file.name
            command = ["g++", *flags, "-I", str(HEADER.parent), "-x", "c++", "-", "-o", str(made)]
            done = subprocess.run(command, input=program, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"g++ refuses {game}.cu:\n{done.stderr}")
            made.replace(file)
    return ctypes.CDLL(str(file))


def _launchers(text: str) -> str:
    """One C function a kernel: blocks, threads of a block, order, the kernel's arguments -> null or an error."""
    lines = []
    for kernel, parameters in signatures(text).items():
        declared = []
        for kind, name in parameters:
            base, star = (kind[:-1], "*") if kind.endswith("*") else (kind, "")
            if base not in _TYPES and not (star and base in _VECTORS):
                raise TypeError(f"{kernel}: {kind} {name}: this type is not among {', '.join([*_TYPES, *_VECTORS])}")
            declared.append(f"{_TYPES[base][0] if base in _TYPES else base}{star} {name}")
        names = ", ".join(name for _, name in parameters)
        lines.append(
            f'extern "C" const char* launch_{kernel}(unsigned blocks_, unsigned threads_, int reverse_, '
            f"{', '.join(declared)}) {{\n"
            f'    return cuda_on_cpu::run("{kernel}", blocks_, threads_, reverse_, [=] {{ {kernel}({names}); }});\n}}\n'
        )
    return "".join(lines)


if __name__ == "__main__":
    print(" ".join(f"{name}={value}" for name, value in sanitizer_environment().items()))
