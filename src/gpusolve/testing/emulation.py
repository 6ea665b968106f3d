"""Kernels without a GPU: a C++ compiler translates a .cu file with ``cuda_on_cpu.h``, and one core runs it.

With sanitizers (``GPUSOLVE_SANITIZE=1``), AddressSanitizer must be loaded when the process starts. `check_sanitized`
does that; by hand it is::

    env $(python -m gpusolve.testing.emulation) python -m pytest --device emulated tests/test_kernels.py
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.kernel import Kernel, Parameter
from gpusolve.backend.program import parse_kernels
from gpusolve.testing.compilers import MISSING, Compiler, find_compiler
from gpusolve.testing.extent import Extent
from gpusolve.testing.kept import kept_file

HEADER = Path(__file__).with_name("cuda_on_cpu.h")
POISON = 0xA5  # every byte of an uninitialised array

# -fno-strict-aliasing: like nvcc; -Bsymbolic and -fno-gnu-unique keep names private to each library;
# -fstack-clash-protection: a large frame meets the protected page below its stack.
FLAGS = ["-std=c++17", "-fPIC", "-fno-strict-aliasing", "-fno-gnu-unique", "-fno-exceptions", "-fno-rtti"]
FLAGS += ["-fstack-clash-protection"]
LINKED = ["-shared", *([] if sys.platform == "darwin" else ["-Wl,-Bsymbolic"])]
_FAST = ["-O2"]
_SANITIZED = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


_ASSEMBLY = re.compile(r"\b(asm|__asm__)\b\s*(volatile|__volatile__)?\s*\(")
DYNAMIC = re.compile(
    r"\bextern\s+(volatile\s+)?__shared__\s+(?:(?:__align__|alignas)\s*\([^()]*\)\s*)?((?:volatile\s+)?[\w:]+(?:\s+\w+)*?)\s+"
    r"(?:__align__\s*\([^()]*\)\s*)?(\w+)\s*\[\s*\]\s*;"
)
_CONSTANT = re.compile(r"^__constant__\s+[\w ]+?(\w+)\s*(?:\[[^\]]*\]\s*)*;", re.MULTILINE)
_FILE_NAME = re.compile(r'^#line \d+ "([^"]+)"$', re.MULTILINE)

lock = threading.Lock()


def run(
    text: str,
    kernel: Kernel,
    extent: Extent,
    arguments: Sequence[Any],
    *,
    reverse: bool,
    sanitize: bool,
    ahead: bool = False,
) -> str:
    """Launch a kernel of a CUDA text.

    Parameters
    ----------
    text : str
        The CUDA text, with its headers inserted.
    kernel : Kernel
        One of its kernels.
    extent : Extent
        The blocks of the grid, the threads of a block, and the dynamic shared memory.
    arguments : sequence
        NumPy arrays and numbers for all parameters. They are not checked.
    reverse : bool
        Whether to run threads and blocks from the highest to the lowest.
    sanitize : bool
        Whether to compile with AddressSanitizer and UndefinedBehaviorSanitizer.
    ahead : bool, default False
        Whether to look for missing barriers as well: the launch is repeated with lanes that do not wait at votes,
        shuffles and reductions, in both orders, and must give the same results.

    Returns
    -------
    str
        "", or the error: a deadlock, a trap, a failed assertion, a missing barrier.

    Raises
    ------
    RuntimeError
        If the compiler refuses the text; the message contains its output.
    """
    values = [as_c(parameter, value) for parameter, value in zip(kernel.parameters, arguments, strict=True)]
    library = built(text, sanitize)
    function = library[f"launch_{kernel.name}"]
    function.restype = ctypes.c_char_p

    def launch(reverse: bool, mode: int = WAIT, line: int = 0) -> str:
        library.choose_mode(mode, line)
        error = function(extent.as_c(), ctypes.c_int(reverse), stacks(sanitize), *values)
        library.choose_mode(WAIT, 0)
        return readable(text, error)

    with lock:  # a library has a single set of fibres, and all libraries share their stacks
        if not ahead:
            return launch(reverse)
        arrays = [value for value in arguments if isinstance(value, np.ndarray)]
        return _without_barriers(library, text, launch, arrays, kernel.name) or launch(reverse)


WAIT, RECORD, AHEAD = 0, 1, 2
"""The modes of ``cuda_on_cpu.h``."""
MOST_LINES = 1000


def _without_barriers(library: ctypes.CDLL, text: str, launch: Callable[..., str], arrays: list[Any], name: str) -> str:
    """Repeat a launch with lanes that run ahead, in both orders; restore the arrays. Return an error or ""."""
    before = [array.copy() for array in arrays]

    def restore() -> None:
        for array, original in zip(arrays, before, strict=True):
            if array.flags.writeable:
                array[...] = original

    def differs(reverse: bool, line: int, expected: list[Any]) -> str:
        restore()
        error = launch(reverse, AHEAD, line)
        same = all(one.tobytes() == other.tobytes() for one, other in zip(arrays, expected, strict=True))
        return error or ("" if same else "other results")

    for reverse in (False, True):
        error = launch(reverse, RECORD)
        lines = (ctypes.c_int * MOST_LINES)()
        count = library.recorded_lines(lines, MOST_LINES)
        if not error and count > 0:
            expected = [array.copy() for array in arrays]
            if why := differs(reverse, 0, expected):
                alone = [line for line in lines[:count] if differs(reverse, line, expected)]
                found = sorted(places_of(text, alone or lines[:count]))
                places = ", ".join(f"{file}:{number}" for file, number in found)
                order = "the last to the first" if reverse else "the first to the last"
                error = f"{name}: a barrier is missing near {places}, if lanes run from {order}: {why}"
        restore()
        if error:
            return error
    return ""


def texts_of(text: str) -> dict[tuple[str, int], str]:
    """Return the lines of a CUDA text by file and number."""
    found, file, number = {}, "kernels.cu", 1
    for line in text.splitlines():
        if line.startswith("#line "):
            _, digits, name = line.split()
            file, number = name.strip('"'), int(digits)
            continue
        found[file, number] = line
        number += 1
    return found


def kernel_files(text: str) -> set[str]:
    """Return the names of the files whose lines a CUDA text has."""
    return {"kernels.cu", *_FILE_NAME.findall(text)}


def places_of(text: str, numbers: Iterable[int]) -> list[tuple[str, int]]:
    """Return the file and the line that each number from ``here`` in ``cuda_on_cpu.h`` stands for."""
    names = {}
    for file in kernel_files(text):
        name = 0
        for byte in file.encode():
            name = (name * 31 + byte) & 0x7FFF
        names[name] = file
    return [(names[number >> 16], number & 0xFFFF) for number in numbers]


def readable(text: str, error: bytes | None) -> str:
    """Return the error of a launch with its places as file and line; "" if there is none."""

    def named(number: re.Match[str]) -> str:
        ((file, line),) = places_of(text, [int(number[1])])
        return f"{file}:{line}"

    return re.sub(r"\{(\d+)\}", named, (error or b"").decode())


def header_text() -> str:
    """Return the text of the emulation's headers."""
    return "".join(file.read_text(encoding="utf-8") for file in (HEADER, HEADER.with_name("cuda_functions.h")))


def have_compiler() -> bool:
    """Return whether there is a C++ compiler: g++, clang++ or ziglang."""
    return find_compiler() is not None


def compiler() -> Compiler:
    """Return the C++ compiler. Raises RuntimeError if there is none."""
    if (found := find_compiler()) is None:
        raise RuntimeError(MISSING)
    return found


def have_sanitizers() -> bool:
    """Return whether the compiler is g++ with AddressSanitizer."""
    found = find_compiler()
    return found is not None and not found.clang and Path(_sanitizer_libraries()[0]).is_file()


def sanitized() -> bool:
    """Return whether ``GPUSOLVE_SANITIZE=1`` is set, as in the run of `check_sanitized`."""
    return os.environ.get("GPUSOLVE_SANITIZE") == "1"


def reversed_order() -> bool:
    """Return whether ``GPUSOLVE_EMULATE_ORDER=reverse`` is set."""
    return os.environ.get("GPUSOLVE_EMULATE_ORDER") == "reverse"


def runs_ahead() -> bool:
    """Return whether ``GPUSOLVE_EMULATE_ORDER=ahead`` is set."""
    return os.environ.get("GPUSOLVE_EMULATE_ORDER") == "ahead"


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


def aligned(array: npt.NDArray[Any], around: int = 0) -> npt.NDArray[Any]:
    """Copy an array to a multiple of 256 bytes, as on a GPU, with a number of bytes on both sides that nobody uses."""
    room = np.empty(array.nbytes + 256 + 2 * around, np.uint8)
    start = around + -(room.ctypes.data + around) % 256
    copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def as_c(parameter: Parameter, value: Any) -> Any:
    """Convert an argument for ctypes."""
    if parameter.is_array:
        return ctypes.c_void_p(value.ctypes.data)
    if not parameter.is_known:  # a structure: the launcher takes a pointer
        return ctypes.c_void_p(np.asarray(value).ctypes.data)
    number = value.item() if isinstance(value, np.generic) else value
    return np.ctypeslib.as_ctypes_type(parameter.dtype)(number)


@cache
def built(text: str, sanitize: bool) -> ctypes.CDLL:
    """Compile the text, or load it from the user's cache folder."""
    if sanitize and not hasattr(ctypes.CDLL(None), "__asan_init"):
        raise RuntimeError("AddressSanitizer is not in this process: start it with `sanitizer_environment`")
    found, source = compiler(), cpp_source(text)
    flags = [*FLAGS, *LINKED, *(_SANITIZED if sanitize else _FAST), "-I", str(HEADER.parent)]
    key = "\0".join([header_text(), source, *flags, found.name, platform.machine()])

    def make(file: Path) -> None:
        found.compile(source, "c++", [*flags, "-o", str(file)])

    return ctypes.CDLL(str(kept_file("emulated", key, ".so", make)))


def set_constants(library: ctypes.CDLL, constants: Mapping[str, npt.NDArray[Any]]) -> None:
    """Fill arrays in constant memory. Raises ValueError for a name that the text lacks, and for another size."""
    for name, contents in constants.items():
        find = getattr(library, f"constant_{name}", None)
        if find is None:
            raise ValueError(f"constants: the text has no array {name} in constant memory")
        size, found = ctypes.c_ulong(), find
        found.restype = ctypes.c_void_p
        address, whole = found(ctypes.byref(size)), np.ascontiguousarray(contents)
        if whole.nbytes != size.value:
            raise ValueError(f"constants: {name} has {size.value:,} bytes, not {whole.nbytes:,}")
        ctypes.memmove(address, whole.ctypes.data, whole.nbytes)


def constant_finders(names: Iterable[str]) -> str:
    """Write a C function for each array in constant memory, with which `set_constants` finds it."""
    return "".join(
        f'extern "C" void* constant_{name}(unsigned long* bytes) '
        f"{{ *bytes = sizeof({name}); return (void*)&{name}; }}\n"
        for name in names
    )


def cpp_source(text: str) -> str:
    """Return the C++ of a CUDA text: the emulation, the text, and a C function that launches each kernel.

    Raises RuntimeError for machine code of a GPU in the text.
    """
    for (file, number), line in texts_of(text).items():
        if _ASSEMBLY.search(line.partition("//")[0]):
            raise RuntimeError(f"{file}:{number}: inline PTX runs only on a GPU: {line.strip()}")
    launchers = _launchers(text) + constant_finders(_CONSTANT.findall(text))
    return f'#include "{HEADER.name}"\n#line 1 "kernels.cu"\n{_with_dynamic(text)}\n#line 1 "launchers"\n{launchers}'


def header_options(found: Compiler, flags: list[str]) -> list[str]:
    """Return the options with which a compilation finds the header; g++ finds it in a form that it has parsed before.

    Parameters
    ----------
    found : Compiler
        The compiler.
    flags : list of str
        The other options. g++ ignores the parsed form if its options or its version differ.
    """
    plain = ["-I", str(HEADER.parent)]
    if found.clang:
        return plain
    text = header_text()

    def parsed(file: Path) -> None:
        found.compile(HEADER, "c++-header", [*flags, "-o", str(file)])

    key = "\0".join([text, *flags, found.name, platform.machine()])
    return ["-I", str(kept_file("headers", key, f"/{HEADER.name}.gch", parsed).parent), *plain]


@cache
def stacks(sanitize: bool) -> Any:
    """Return the ``Stacks`` of ``cuda_on_cpu.h`` for all launches of this process; the first launch makes them."""
    return (ctypes.c_void_p * 2)()


def _with_dynamic(text: str) -> str:
    """Replace each declaration of dynamic shared memory by a pointer to it.

    >>> _with_dynamic("extern __shared__ float sums[];")
    'float* const sums = (float*)cuda_on_cpu::gpusolve_dynamic_shared;'
    """
    return DYNAMIC.sub(r"\1\2* const \3 = (\1\2*)cuda_on_cpu::gpusolve_dynamic_shared;", text)


def _launchers(text: str) -> str:
    """Write a C function per kernel: extent, order, stacks, arguments -> null or an error."""
    lines = []
    for kernel in parse_kernels(text, any_type=True).values():
        by_value = [parameter.is_array or parameter.is_known for parameter in kernel.parameters]
        named = list(zip(kernel.parameters, by_value, strict=True))
        declared = "".join(f", {p.type}{' ' if known else '* '}{p.name}" for p, known in named)
        names = ", ".join(p.name if known else f"*{p.name}" for p, known in named)
        lines.append(
            f'extern "C" const char* launch_{kernel.name}(const unsigned* extent_, int reverse_, '
            f"cuda_on_cpu::Stacks* stacks_{declared}) {{\n"
            f'    return cuda_on_cpu::run("{kernel.name}", dim3(extent_[0], extent_[1], extent_[2]), '
            f"dim3(extent_[3], extent_[4], extent_[5]), extent_[6], reverse_, stacks_, [=] "
            f"{{ ::{kernel.name}({names}); }});\n}}\n"
        )
    return "".join(lines)


if __name__ == "__main__":
    print(" ".join(f"{name}={value}" for name, value in sanitizer_environment().items()))
