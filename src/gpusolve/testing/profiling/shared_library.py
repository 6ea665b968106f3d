"""The instrumented library of a CUDA text: compiled once, kept, and called through ctypes."""

from __future__ import annotations

import ctypes
import json
import platform
import re
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np

from gpusolve.backend.kernel import TYPES
from gpusolve.testing.compilers import Compiler
from gpusolve.testing.emulation import (
    DYNAMIC,
    FLAGS,
    HEADER,
    LINKED,
    compiler,
    cpp_source,
    header_options,
    header_text,
    kernel_files,
)
from gpusolve.testing.kept import kept_file
from gpusolve.testing.profiling.instrument import Site, instrumented

PROFILER = Path(__file__).with_name("profiler.h")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SHARED = re.compile(r"__shared__\s+(?:volatile\s+)?((?:unsigned |signed |long )*\w+)\s+(?:volatile\s+)?([^;]*);")

# Like the GPU's compiler, g++ keeps values in registers; but one access of the text stays one access.
_INSTRUMENTED = [
    "-O1", "-g1", "-DCUDA_ON_CPU_PROFILE", "-fno-optimize-sibling-calls", "-fno-reorder-blocks",
    "-fno-asynchronous-unwind-tables", "-fsanitize=thread", "-fsanitize-coverage=trace-pc", "-w",
]  # fmt: skip
_PROFILER = ["-O2", "-DCUDA_ON_CPU_PROFILE", "-DCUDA_ON_CPU_PROFILER", "-fno-sanitize=undefined", "-w"]
_CLANG = [
    "-O0",
    "-fno-sanitize=undefined",
    "-fsanitize-coverage=trace-pc,no-prune",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
]
"""clang's -O1 merges the code of two lines and moves accesses between them, so its code stays as it is written."""


@dataclass(frozen=True)
class SharedArray:
    """An array in shared memory: its symbol, its name, and the bytes of it and of an element (0 for a structure)."""

    symbol: str
    name: str
    bytes: int
    element: int


@dataclass(frozen=True)
class Library:
    """An instrumented library, its sites, and its arrays in shared memory."""

    code: ctypes.CDLL
    sites: list[Site]
    shared: list[SharedArray]


@cache
def library(text: str) -> Library:
    """Compile a CUDA text for the profiler, or load it from the user's cache folder."""
    found, source = compiler(), cpp_source(text)
    flags = [*FLAGS, *_INSTRUMENTED, *(_CLANG if found.clang else [])]
    headers = [header_text(), PROFILER.read_text(encoding="utf-8")]
    headers.append(Path(__file__).with_name("instrument.py").read_text(encoding="utf-8"))
    elements = shared_elements(text)
    key = "\0".join([*headers, source, str(elements), *flags, found.name, platform.machine()])

    def assembled(file: Path) -> None:
        found.compile(source, "c++", [*flags, *header_options(found, flags), "-S", "-o", str(file)])

    def described(file: Path) -> None:
        assembly = kept_file("profiling", key, ".s", assembled)
        made = instrumented(assembly.read_text(encoding="utf-8"), kernel_files(text), elements)
        kept_file("profiling", key, ".so", lambda so: _link(made.assembly, so))
        assembly.unlink(missing_ok=True)
        shared = [SharedArray(symbol, name, size, elements[name]) for symbol, (name, size) in made.shared.items()]
        sites = [[site.hook, site.line, sorted(site.lines), site.branch] for site in made.sites]
        file.write_text(json.dumps({"sites": sites, "shared": [asdict(array) for array in shared]}), encoding="utf-8")

    def _link(assembly: str, file: Path) -> None:
        found.compile(assembly, "assembler", ["-fPIC", *LINKED, str(profiler(found)), "-o", str(file)])

    about = json.loads(kept_file("profiling", key, ".json", described).read_text(encoding="utf-8"))
    code = ctypes.CDLL(str(kept_file("profiling", key, ".so", lambda so: None)))
    sites = [
        Site(hook, "", tuple(line), {tuple(one) for one in lines}, tuple(branch) if branch else None)
        for hook, line, lines, branch in about["sites"]
    ]
    return Library(code, sites, [SharedArray(**array) for array in about["shared"]])


def profiler(found: Compiler) -> Path:
    """Compile ``profiler.h``, which is the same for all kernels, or find it in the user's cache folder."""
    flags = [*FLAGS, *_PROFILER, "-I", str(HEADER.parent)]
    texts = [header_text(), PROFILER.read_text(encoding="utf-8")]
    key = "\0".join([*texts, *flags, found.name, platform.machine()])

    def compiled(file: Path) -> None:
        found.compile(f'#include "{HEADER.name}"\n', "c++", [*flags, "-c", "-o", str(file)])

    return kept_file("profiling", key, ".o", compiled)


def dynamic_array(text: str, kernel: str) -> tuple[str, int]:
    """Return the name of a kernel's dynamic shared memory and the bytes of an element, as the text declares it first.

    >>> dynamic_array('extern "C" __global__ void f() { extern __shared__ float sums[]; }', "f")
    ('sums', 4)
    """
    begin = text.find(f" {kernel}(")
    found = DYNAMIC.search(text, begin) or DYNAMIC.search(text)
    if found is None:
        return "dynamic shared memory", 4
    kind = found[2].replace("volatile", "").strip()
    return found[3], np.dtype(TYPES[kind]).itemsize if kind in TYPES else 4


def shared_elements(text: str) -> dict[str, int]:
    """Return the bytes of an element of each array in shared memory; 0 for an array of structures.

    >>> shared_elements("__shared__ u32 counts[8][CELLS], total; /* __shared__ int none; */ __shared__ Warp warps[4];")
    {'counts': 4, 'total': 4, 'warps': 0}
    >>> shared_elements("__shared__ volatile u8 cells[8]; volatile __shared__ int sums[4];")
    {'cells': 1, 'sums': 4}
    """
    found: dict[str, int] = {}
    for kind, declared in _SHARED.findall(_COMMENT.sub("", text)):
        size = np.dtype(TYPES[kind]).itemsize if kind in TYPES else 0
        for name in re.sub(r"\[[^\]]*\]", "", declared).split(","):
            found[name.strip()] = min(size, found.get(name.strip(), size))
    return found
