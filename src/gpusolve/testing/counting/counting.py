"""Run a kernel's PTX, as compiled by NVIDIA's compiler, on the CPU and count its instructions."""

from __future__ import annotations

import ctypes
import importlib
import platform
import re
import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gpusolve.backend.kernel import Kernel
from gpusolve.testing.counting.translation import TYPES, UNITS, Translated, constants, translate
from gpusolve.testing.emulation import (
    FLAGS,
    HEADER,
    LINKED,
    aligned,
    compiler,
    constant_finders,
    header_options,
    header_text,
    lock,
    set_constants,
    stacks,
)
from gpusolve.testing.extent import Extent
from gpusolve.testing.kept import kept_file
from gpusolve.testing.nvrtc import options_for


class Text(Protocol):
    """What is compiled: a `Program`, or a `Source` of other people."""

    @property
    def text(self) -> str:
        """The CUDA text."""

    @property
    def source(self) -> Path:
        """The file that it is from."""

    def kernel(self, name: str) -> Kernel:
        """Return a kernel by its name."""


@dataclass(frozen=True)
class Counted:
    """The counts of a launch. `instructions` is 32 times the number for all warps, so idle lanes count, too.

    `units` has the instructions of each of UNITS in the same way. `read` and `written` are bytes of global memory that
    threads access; `sectors` are the 32-byte sectors of warps, `atomics` those of atomic operations. `local_lines`
    and `local_sectors` are the lines of 128 bytes and the sectors of local memory. Each of these counts once for an
    instruction of a warp. `lines` has the instructions of warps, not times 32, by file and line.
    """

    instructions: float
    units: dict[str, float]
    sectors: int
    atomics: int
    local_lines: int
    local_sectors: int
    read: int
    written: int
    lines: dict[tuple[str, int], float]


class Counting:
    """The kernels of a text, compiled by NVIDIA's compiler for `arch`, ready to be launched and counted."""

    def __init__(self, program: Text, arch: str = "sm_90") -> None:
        ptx, cubin = compiled(program, arch)
        self.program = program
        self._files = {int(number): name for number, name in re.findall(r'\.file\s+(\d+)\s+"(?:[^"]*/)?([^"]+)"', ptx)}
        functions: list[Translated] = []
        for name, body in entries(ptx, r"\.func"):  # a function comes before those that call it
            functions.append(translate(name, body, ptx, functions, function=True))
        found = [translate(name, body, ptx, functions) for name, body in entries(ptx, r"\.visible \.entry")]
        self._blocks = {kernel.name: kernel.blocks for kernel in found}
        sizes = code_sizes(cubin)
        self.machine = {name: size // 16 for name, size in sizes.items()}
        """Machine instructions of each kernel, 16 bytes each."""
        self.ratio = {
            kernel.name: self.machine[kernel.name] / sum(block.instructions for block in kernel.blocks)
            for kernel in found
        }
        """Machine instructions that there are to those that PTX lets one expect, in the text."""
        source = f'#include "{HEADER.name}"\n{TYPES}{constants(ptx)}'
        source += constant_finders(re.findall(r"\.const [^;=]*?(\w+)\[\d+\];", ptx))
        source += "".join(made.text for made in [*functions, *found])
        source += "".join(_launcher(program.kernel(kernel.name), len(kernel.blocks)) for kernel in found)
        self._library = _library(source)

    def run(
        self, kernel: str, extent: Extent, arguments: tuple[Any, ...], constants: Mapping[str, npt.NDArray[Any]] = {}
    ) -> Counted:
        """Launch a kernel with arrays of the CPU.

        Parameters
        ----------
        kernel : str
            Name of the kernel.
        extent : Extent
            The blocks of the grid, the threads of a block, and the dynamic shared memory.
        arguments : tuple
            All arguments. The arrays that the kernel writes are changed.
        constants : mapping, optional
            Name -> contents of an array in constant memory.

        Raises
        ------
        RuntimeError
            If the kernel fails.
        """
        called, parts = self.program.kernel(kernel), self._blocks[kernel]
        visits, warps = ((ctypes.c_ulonglong * len(parts))() for _ in range(2))
        placed = [aligned(value) if isinstance(value, np.ndarray) else value for value in arguments]
        values = [_value(parameter, value) for parameter, value in zip(called.parameters, placed, strict=True)]
        function = self._library[f"count_{kernel}"]
        function.restype = ctypes.c_char_p
        set_constants(self._library, constants)
        with lock:
            error = function(extent.as_c(), visits, warps, stacks(False), *values)
        if error:
            raise RuntimeError(error.decode())
        for parameter, value, copy in zip(called.parameters, arguments, placed, strict=True):
            if parameter.is_array and not parameter.constant:
                value[...] = copy
        touched = (ctypes.c_ulonglong * 4)()
        self._library.take_touched(touched)
        sectors, atomics, local_lines, local_sectors = touched
        ratio = {"logic": self.ratio[kernel], "products": self.ratio[kernel]}  # the others are not merged with others
        lines: Counter[tuple[str, int]] = Counter()
        for n, block in zip(warps, parts, strict=True):
            for (file, line), number in block.lines.items():
                lines[self._files.get(file, ""), line] += n * number
        return Counted(
            32 * self.ratio[kernel] * sum(n * block.instructions for n, block in zip(warps, parts, strict=True)),
            {
                unit: 32
                * ratio.get(unit, 1.0)
                * sum(n * block.units[unit] for n, block in zip(warps, parts, strict=True))
                for unit in UNITS
            },
            sectors,
            atomics,
            local_lines,
            local_sectors,
            sum(n * block.read for n, block in zip(visits, parts, strict=True)),
            sum(n * block.written for n, block in zip(visits, parts, strict=True)),
            {place: self.ratio[kernel] * n for place, n in lines.items()},
        )


def compiled(program: Text, arch: str) -> tuple[str, bytes]:
    """Compile a program to PTX and machine code."""

    def checked(answer: tuple[Any, ...]) -> Any:
        if int(answer[0]) != 0:
            raise RuntimeError(f"NVRTC: {answer[0]}")
        return answer[1] if len(answer) > 1 else None

    nvrtc: Any = importlib.import_module("cuda.bindings.nvrtc")
    made = checked(nvrtc.nvrtcCreateProgram(program.text.encode(), program.source.name.encode(), 0, [], []))
    options = [option.encode() for option in (*options_for(arch), "--generate-line-info")]
    checked(nvrtc.nvrtcCompileProgram(made, len(options), options))
    ptx = bytearray(checked(nvrtc.nvrtcGetPTXSize(made)))
    checked(nvrtc.nvrtcGetPTX(made, ptx))
    cubin = bytearray(checked(nvrtc.nvrtcGetCUBINSize(made)))
    checked(nvrtc.nvrtcGetCUBIN(made, cubin))
    return ptx.rstrip(b"\0").decode(), bytes(cubin)


def code_sizes(cubin: bytes) -> dict[str, int]:
    """Return the size of each kernel's machine code in bytes, from the ELF sections ``.text.<kernel>``."""
    (offset,) = struct.unpack_from("<Q", cubin, 40)
    size, number, names = struct.unpack_from("<HHH", cubin, 58)
    headers = [struct.unpack_from("<IIQQQQ", cubin, offset + i * size) for i in range(number)]
    strings = headers[names][4]
    found = {}
    for header in headers:
        start = strings + header[0]
        name = cubin[start : cubin.index(b"\0", start)].decode()
        if name.startswith(".text."):
            found[name[6:]] = header[5]
    return found


def entries(ptx: str, kind: str) -> list[tuple[str, str]]:
    """Yield the name and the body of each kernel, or of each function that is not inlined."""
    found = re.findall(kind + r"\s+(?:\([^)]*\) )?(\w+)\([^)]*\)\n[^{;]*\{\n(.*?)\n\}\n", ptx, re.DOTALL)
    return [(name, body) for name, body in found]


def _launcher(kernel: Kernel, blocks: int) -> str:
    declared = "".join(f", u64 p{i}" for i in range(len(kernel.parameters)))
    passed = ", ".join(f"p{i}" for i in range(len(kernel.parameters))) or "0"
    return (
        f'extern "C" const char* count_{kernel.name}(const unsigned* extent, u64* visits, u64* warps, '
        f"cuda_on_cpu::Stacks* stacks{declared}) {{\n"
        f"    const u64 parameters[] = {{{passed}}};\n"
        f"    const dim3 grid(extent[0], extent[1], extent[2]), block(extent[3], extent[4], extent[5]);\n"
        f"    const u64 all = u64(grid.x) * grid.y * grid.z * ((block.x * block.y * block.z + 31) / 32);\n"
        f"    u32* most = (u32*)calloc(all * {blocks}, 4);  // of a warp's lanes\n"
        f'    const char* error = cuda_on_cpu::run("{kernel.name}", grid, block, extent[6], false, stacks, '
        f"[=] {{ {kernel.name}(visits, most, parameters); }});\n"
        f"    for (u64 i = 0; i < all * {blocks}; ++i) warps[i % {blocks}] += most[i];\n"
        f"    free(most);\n    return error;\n}}\n"
    )


def _library(source: str) -> ctypes.CDLL:
    found = compiler()
    flags = [*FLAGS, "-O1", "-w"]
    key = "\0".join([header_text(), source, *flags, found.name, platform.machine()])

    def make(file: Path) -> None:
        found.compile(source, "c++", [*flags, *header_options(found, flags), *LINKED, "-o", str(file)])

    return ctypes.CDLL(str(kept_file("counting", key, ".so", make)))


def _value(parameter: Any, value: Any) -> Any:
    if parameter.is_array:
        return ctypes.c_ulonglong(value.ctypes.data)
    if not parameter.is_known:
        raise NotImplementedError(f"{parameter.type} {parameter.name}: instructions with structures are not counted")
    if parameter.dtype.kind == "f":
        layout = {4: ("<f", "<I"), 8: ("<d", "<Q")}[parameter.dtype.itemsize]
        return ctypes.c_ulonglong(struct.unpack(layout[1], struct.pack(layout[0], value))[0])
    return ctypes.c_ulonglong(int(value) % 2**64)
