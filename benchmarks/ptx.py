"""Run a kernel's PTX, as compiled by NVIDIA's compiler, on the CPU and count its instructions.

Each PTX instruction becomes a C++ statement over variables named like the registers, each basic block counts how often
a thread enters it, and ``cuda_on_cpu.h`` runs the threads as it runs those of the CUDA text.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from cuda.bindings import nvrtc

from gpusolve.backend.program import Kernel, Program
from gpusolve.testing.emulation import HEADER, cache_folder

FREE = {"mov", "cvta", "ret", "ld.param"}
"""PTX instructions that cost nothing in machine code: registers are renamed, parameters are in constant memory."""
COSTS = {"div": 20, "rem": 20, "sqrt": 8, "rcp": 8}
"""32-bit PTX instructions that become several machine instructions; any other 64-bit instruction becomes two."""
_C = {
    "u8": "u8", "s8": "s8", "b8": "u8", "u16": "u16", "s16": "s16", "b16": "u16", "u32": "u32", "s32": "s32",
    "b32": "u32", "u64": "u64", "s64": "s64", "b64": "u64", "f32": "float", "f64": "double", "pred": "bool",
}  # fmt: skip
_TYPES = """
typedef unsigned char u8; typedef signed char s8; typedef unsigned short u16; typedef short s16;
typedef unsigned u32; typedef int s32; typedef unsigned long long u64; typedef long long s64;
template <class T> T& at(u64 address) { return *(T*)address; }
template <class T> T bits(u64 value) { T x; __builtin_memcpy(&x, &value, sizeof x); return x; }
// Sectors of 32 bytes, the least that a cache gives: those that a warp's lanes ask for at once count once.
static u64 sectors, known[1 << 24];
static void touch(u64 load, u64 time, u64 address) {
    u64 key = ((blockIdx.x * 8 + threadIdx.x / 32) * 4096 + load) * 0x9e3779b97f4a7c15ull + time;
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9ull + (address >> 5);
    key = (key ^ key >> 32) * 0x94d049bb133111ebull | 1;
    u64 slot = key >> 40;
    for (int tries = 0; tries < 64; ++tries, slot = (slot + 1) & 0xffffff) {
        if (known[slot] == key) return;
        if (!known[slot]) { known[slot] = key; break; }
    }
    ++sectors;
}
extern "C" u64 take_sectors() { u64 n = sectors; sectors = 0; memset(known, 0, sizeof known); return n; }
template <class T> T shift_left(T x, u32 n) { return n >= 8 * sizeof(T) ? T(0) : T(x << n); }
template <class T> T shift_right(T x, u32 n) {
    return n >= 8 * sizeof(T) ? T(T(-1) < T(0) && x < 0 ? -1 : 0) : T(x >> n);
}
template <class T> T insert(T a, T b, u32 at, u32 length) {
    T mask = (length >= 8 * sizeof(T) ? T(-1) : T((T(1) << length) - 1)) << at;
    return (b & ~mask) | ((a << at) & mask);
}
"""
_CALL = re.compile(r"call(?:\.uni)?\s*\((\w+)\),\s*(\w+),\s*\(\s*([\w\s,]*?)\s*\)\s*;")
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">"}
_BINARY = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "div": "/", "rem": "%"}
_SHUFFLES = {"bfly": "xor_", "idx": "", "up": "up_", "down": "down_"}
_ATOMIC = {"add": "old + b", "max": "b > old ? b : old", "min": "b < old ? b : old", "or": "old | b", "and": "old & b",
           "xor": "old ^ b", "exch": "b"}  # fmt: skip
_SPECIAL = {"%tid.x": "threadIdx.x", "%ctaid.x": "blockIdx.x", "%nctaid.x": "gridDim.x", "%ntid.x": "blockDim.x",
            "%laneid": "(threadIdx.x % 32)"}  # fmt: skip


@dataclass
class Block:
    """A basic block: the expected number of machine instructions, and the bytes of global memory read and written."""

    instructions: int = 0
    read: int = 0
    written: int = 0


@dataclass
class Translated:
    """A kernel translated to C++."""

    name: str
    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    touches: int = 0
    """Instructions that read or write global memory."""


@dataclass(frozen=True)
class Counted:
    """The counts of a launch. `instructions` is 32 times the number for all warps, so idle lanes count, too.

    `read` and `written` are bytes of global memory that threads access; `sectors` are the 32-byte sectors of warps.
    """

    instructions: float
    sectors: int
    read: int
    written: int


class Counting:
    """The kernels of a program, compiled by NVIDIA's compiler for `arch`, ready to be launched and counted."""

    def __init__(self, program: Program, arch: str = "sm_90") -> None:
        ptx, cubin = compiled(program, arch)
        self.program = program
        functions = [translate(name, body, ptx, function=True) for name, body in entries(ptx, r"\.func")]
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
        source = f'#include "{HEADER.name}"\n{_TYPES}{_constants(ptx)}'
        source += "".join(made.text for made in [*functions, *found])
        source += "".join(_launcher(program.kernel(kernel.name), len(kernel.blocks)) for kernel in found)
        self._library = _library(source)

    def run(self, kernel: str, count: int, arguments: tuple[Any, ...]) -> Counted:
        """Launch the items 0 to count - 1 on the number of blocks that a GPU would get, with arrays of the CPU."""
        called, blocks = self.program.kernel(kernel), self._blocks[kernel]
        visits, warps = ((ctypes.c_ulonglong * len(blocks))() for _ in range(2))
        placed = [_aligned(value) if isinstance(value, np.ndarray) else value for value in arguments]
        values = [_value(parameter, value) for parameter, value in zip(called.parameters[2:], placed, strict=True)]
        function = self._library[f"count_{kernel}"]
        function.restype = ctypes.c_char_p
        grid = -(-count * called.threads // 256)
        error = function(ctypes.c_uint(grid), visits, warps, ctypes.c_int(0), ctypes.c_int(count), *values)
        if error:
            raise RuntimeError(error.decode())
        for parameter, value, copy in zip(called.parameters[2:], arguments, placed, strict=True):
            if parameter.is_array and not parameter.constant:
                value[...] = copy
        take = self._library.take_sectors
        take.restype = ctypes.c_ulonglong
        return Counted(
            32 * self.ratio[kernel] * sum(n * block.instructions for n, block in zip(warps, blocks, strict=True)),
            take(),
            sum(n * block.read for n, block in zip(visits, blocks, strict=True)),
            sum(n * block.written for n, block in zip(visits, blocks, strict=True)),
        )


def compiled(program: Program, arch: str) -> tuple[str, bytes]:
    """Compile a program to PTX and machine code."""

    def checked(answer: tuple[Any, ...]) -> Any:
        if int(answer[0]) != 0:
            raise RuntimeError(f"NVRTC: {answer[0]}")
        return answer[1] if len(answer) > 1 else None

    made = checked(nvrtc.nvrtcCreateProgram(program.text.encode(), program.source.name.encode(), 0, [], []))
    options = [f"--gpu-architecture={arch}".encode(), b"--std=c++17"]
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


# ---- one kernel -----------------------------------------------------------------------------------------------------


def translate(
    name: str, body: str, ptx: str, functions: Sequence[Translated] = (), function: bool = False
) -> Translated:
    """Translate a kernel's body to C++: variables, then the instructions, block by block. It may call `functions`."""
    made = Translated(name)
    lines, shared, locals_ = [], 0, []
    symbols: dict[str, str] = {}
    body = _CALL.sub(r"call \1, \2, \3;", body)
    body = re.sub(r"(?<=,)\s*\n\s*", " ", body)
    if passed := sorted(set(re.findall(r"\b(?:param|retval|func_retval)\d+\b", body))):
        lines.append(f"    u64 {', '.join(f'{word} = 0' for word in passed)};")
    for kind, register, count in re.findall(r"\.reg \.(\w+)\s+%(\w+?)<(\d+)>;", body):
        names = ", ".join(f"{register}{i} = 0" for i in range(int(count)))
        lines.append(f"    {_C[kind]} {names};")
    for kind, register in sorted(set(re.findall(r"\.reg \.(\w+)\s+%([a-zA-Z]\w*);", body))):  # per scope
        lines.append(f"    {_C[kind]} {register} = 0;")
    for space, align, kind, symbol, length in re.findall(
        r"\.(shared|local) \.align (\d+) \.(\w+)\s+(\w+)(?:\[(\d+)\])?;", body
    ):
        size = int(length or 1) * ctypes.sizeof(_CTYPES[kind])
        if space == "shared":
            shared = -(-shared // 16) * 16
            symbols[symbol] = str(shared)
            shared += size
        else:
            locals_.append(f"    alignas({align}) u8 {symbol}[{size}];")
            symbols[symbol] = f"(u64){symbol}"
    symbols |= {symbol: f"(u64){symbol}" for symbol in re.findall(r"\.(?:const|global) .*? (\w+)\[\d+\]", ptx)}
    block = Block()
    made.blocks.append(block)
    statements = ["    ++n[0];"]
    for line in body.splitlines():
        line = line.partition("//")[0].strip()
        if line.startswith("{ .reg") or line.endswith("; }"):  # a separate scope for the register %tmp
            line = line.partition(";")[2] if line.startswith("{") else line.removesuffix("}").strip()
        if not line or line.startswith(".") or line in ("{", "}"):
            continue
        if label := re.fullmatch(r"\$(\w+):", line):
            block = Block()
            made.blocks.append(block)
            statements.append(f"{label[1]}: ++n[{len(made.blocks) - 1}];")
            continue
        match = re.fullmatch(r"(?:@(!?)%(\w+)\s+)?([\w.]+)\s*(.*);", line)
        if match is None:
            raise NotImplementedError(f"{name}: {line}")
        inverted, guard, operation, operands = match.groups()
        given = _operands(operands)
        statement = _statement(name, operation, given, symbols)
        if re.match(r"(ld|st)\.global", operation):
            address = _address(given[operation.startswith("ld")], "global", symbols)
            statement = f"touch({name}_touches + {made.touches}, times[{made.touches}]++, {address}); {statement}"
            made.touches += 1
        statements.append(
            f"    if ({'!' if inverted else ''}{guard}) {{ {statement} }}" if guard else f"    {statement}"
        )
        _count(block, operation)
        if operation.startswith("bra") and guard:
            block = Block()
            made.blocks.append(block)
            statements.append(f"    ++n[{len(made.blocks) - 1}];")
    own = len(made.blocks)
    offsets, at, times = "", own, made.touches
    for called in functions:  # its counters follow those of the kernel
        if called.name not in body:
            continue
        offsets += f"    const u32 n_{called.name} = {at}, times_{called.name} = {times};\n"
        at, times = at + len(called.blocks), times + called.touches
        made.blocks += called.blocks
    made.touches = times
    number = int(hashlib.sha256(name.encode()).hexdigest()[:4], 16) % 64 * 64
    head = f"enum {{ {name}_touches = {number} }};\n"
    if function:
        head += f"static u64 {name}(u64 shared, u32* n, u32* times, const u64* parameters) {{"
        tail = "done: return func_retval0;\n}\n" if "func_retval0" in body else "done: return 0;\n}\n"
    else:
        head += f"alignas(16) static u8 shared_{name}[{max(16, shared)}];\n"
        head += f"static void {name}(u64* visits, u32* most, const u64* parameters) {{\n"
        head += (
            f"    const u64 shared = (u64)shared_{name};\n    u32 n[{at}] = {{}}, times[{times + 1}] = {{}};\n{offsets}"
        )
        tail = f"done: most += u64(blockIdx.x * 8 + threadIdx.x / 32) * {at};\n"
        tail += (
            f"    for (int i = 0; i < {at}; ++i) visits[i] += n[i], most[i] = n[i] > most[i] ? n[i] : most[i];\n}}\n"
        )
    made.text = "\n".join([head, *lines, *locals_, *statements, tail])
    return made


_CTYPES: dict[str, Any] = {
    "b8": ctypes.c_ubyte, "u8": ctypes.c_ubyte, "b16": ctypes.c_ushort, "u16": ctypes.c_ushort, "b32": ctypes.c_uint,
    "u32": ctypes.c_uint, "s32": ctypes.c_uint, "f32": ctypes.c_uint, "b64": ctypes.c_ulonglong,
    "u64": ctypes.c_ulonglong,
}  # fmt: skip


def _count(block: Block, operation: str) -> None:
    kind, *rest = operation.split(".")
    if kind in FREE or operation.startswith(("ld.param", "st.param")):
        return
    wide = rest[-1:] in (["s64"], ["u64"], ["b64"]) and kind not in ("ld", "st", "atom", "cvt")
    block.instructions += COSTS.get(kind, 1) * (1 + wide)
    if kind in ("ld", "st") and "global" in rest:
        lanes = next((int(part[1]) for part in rest if re.fullmatch(r"v[24]", part)), 1)
        size = lanes * int(rest[-1][1:]) // 8
        if kind == "ld":
            block.read += size
        else:
            block.written += size


def _operands(text: str) -> list[str]:
    return [part.strip() for part in re.split(r",(?![^{\[]*[}\]])", text)] if text else []


def _aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Copy an array to a multiple of 256 bytes, as on a GPU."""
    room = np.empty(array.nbytes + 256, np.uint8)
    start = -room.ctypes.data % 256
    copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def _value(parameter: Any, value: Any) -> Any:
    if parameter.is_array:
        return ctypes.c_ulonglong(value.ctypes.data)
    if parameter.dtype.kind == "f":
        layout = {4: ("<f", "<I"), 8: ("<d", "<Q")}[parameter.dtype.itemsize]
        return ctypes.c_ulonglong(struct.unpack(layout[1], struct.pack(layout[0], value))[0])
    return ctypes.c_ulonglong(int(value) % 2**64)


def _read(operand: str, kind: str, symbols: dict[str, str]) -> str:
    """Return an operand as an expression of a type."""
    c = _C[kind]
    if operand in _SPECIAL:
        return f"({c}){_SPECIAL[operand]}"
    if operand.startswith("%"):
        return f"({c}){operand[1:]}" if c not in ("float", "double") else operand[1:]
    if operand.startswith("0f"):
        return f"bits<float>(0x{operand[2:]})"
    if operand.startswith("0d"):
        return f"bits<double>(0x{operand[2:]})"
    if operand in symbols:
        return f"({c})({symbols[operand]})"
    if operand in ("true", "false"):
        return operand
    return f"({c}){int(operand, 0)}{'ull' if int(operand, 0) >= 0 else 'll'}"


def _address(operand: str, space: str, symbols: dict[str, str]) -> str:
    base, _, offset = operand.strip("[]").partition("+")
    start = base[1:] if base.startswith("%") else symbols[base]
    return f"{'shared + ' if space == 'shared' else ''}(u64)({start}) + ({offset or 0}ll)"


def _write(operand: str, expression: str) -> str:
    """Return an assignment; a value narrower than its register is extended according to its type."""
    return "(void)0;" if operand == "_" else f"{operand[1:]} = {expression};"


def _statement(kernel: str, operation: str, given: list[str], symbols: dict[str, str]) -> str:
    op, *rest = operation.split(".")
    kind = next((part for part in reversed(rest) if part in _C), "b32")
    c = _C[kind]

    def value(number: int, of: str = kind) -> str:
        return _read(given[number], of, symbols)

    if op == "bra":
        return f"goto {given[0][1:]};"
    if op in ("ret", "exit"):
        return "goto done;"
    if op == "trap":
        return "__trap();"
    if op in ("mov", "cvta"):
        if given[0].startswith("{"):
            low, high = _operands(given[0].strip("{}"))
            return _write(low, f"(u32)({value(1)})") + " " + _write(high, f"(u32)(({value(1)}) >> 32)")
        if given[1].startswith("{"):
            low, high = _operands(given[1].strip("{}"))
            return _write(given[0], f"(u64){_read(low, 'u32', symbols)} | (u64){_read(high, 'u32', symbols)} << 32")
        move = {"shared": " + shared", "to": " - shared" if "shared" in rest else ""}.get(rest[0], "")
        return _write(given[0], value(1) + (move if op == "cvta" else ""))
    if op == "ld":
        if rest[0] == "param":
            place = given[1].strip("[]").partition("+")[0]
            mine = re.fullmatch(r"\w+_param_(\d+)", place)
            return _write(given[0], f"bits<{c}>({f'parameters[{mine[1]}]' if mine else place})")
        address = _address(given[1], rest[0], symbols)
        parts = _operands(given[0].strip("{}"))
        return " ".join(_write(part, f"at<{c}>({address} + {i} * sizeof({c}))") for i, part in enumerate(parts))
    if op == "st" and rest[0] == "param":
        return f"{given[0].strip('[]').partition('+')[0]} = (u64){value(1)};"
    if op == "call":
        result, called, *passed = given
        return (
            f"{{ const u64 passed[] = {{{', '.join(passed)}}}; "
            f"{result} = {called}(shared, n + n_{called}, times + times_{called}, passed); }}"
        )
    if op == "st":
        address, parts = _address(given[0], rest[0], symbols), _operands(given[1].strip("{}"))
        stores = (f"at<{c}>({address} + {i} * sizeof({c})) = {_read(p, kind, symbols)};" for i, p in enumerate(parts))
        return " ".join(stores)
    if op in ("atom", "red"):
        place, b = (given[1], value(2)) if op == "atom" else (given[0], value(1))
        action = next(part for part in rest if part in {*_ATOMIC, "cas"})
        new = f"old == b ? {value(3)} : old" if action == "cas" else _ATOMIC[action]
        result = f" {_write(given[0], 'old')}" if op == "atom" else ""
        where = f"at<{c}>({_address(place, 'shared' if 'shared' in rest else 'global', symbols)})"
        return f"{{ {c} old = {where}, b = {b}; {where} = {new};{result} }}"
    if op in ("bar", "barrier"):
        return f"__syncwarp({value(0, 'u32')});" if rest[0] == "warp" else "__syncthreads();"
    if op == "shfl":
        target, width = given[0].partition("|")[0], f"32 - ({value(3, 'u32')} >> 8 & 31)"
        call = f"__shfl_{_SHUFFLES[rest[1]]}sync({value(4, 'u32')}, {value(1, 'u32')}, {value(2, 's32')}, {width})"
        return _write(target, call)
    if op == "vote":
        return _write(given[0], f"__{rest[1]}_sync({value(2, 'u32')}, {value(1, 'pred')})")
    if op == "redux":
        return _write(given[0], f"__reduce_{rest[1]}_sync({value(2, 'u32')}, {value(1)})")
    if op == "setp":
        return _write(given[0], f"{value(1)} {_COMPARE[rest[0]]} {value(2)}")
    if op == "selp":
        return _write(given[0], f"{_read(given[3], 'pred', symbols)} ? {value(1)} : {value(2)}")
    if op == "cvt":
        return _write(given[0], f"({_C[rest[-2]]})({value(1, rest[-1])})")
    if op in ("mul", "mad", "fma"):
        add = f" + {value(3, _wide(kind) if rest[0] == 'wide' else kind)}" if op != "mul" else ""
        if rest[0] == "wide":
            return _write(given[0], f"({_C[_wide(kind)]}){value(1)} * {value(2)}{add}")
        if rest[0] == "hi":
            return _write(given[0], f"({c})(({_C[_wide(kind)]}){value(1)} * {value(2)} >> 32){add}")
        if op == "fma":
            return _write(given[0], f"fmaf({value(1)}, {value(2)}, {value(3)})")
        return _write(given[0], f"({c})({_unsigned(value(1), c)} * {_unsigned(value(2), c)}{add})")
    if op in _BINARY:
        both = f"{value(1)} {_BINARY[op]} {value(2)}"
        if op in ("add", "sub"):
            both = f"{_unsigned(value(1), c)} {_BINARY[op]} {_unsigned(value(2), c)}"
        return _write(given[0], f"({c})({both})")
    if op in ("min", "max"):
        sign = "<" if op == "min" else ">"
        return _write(given[0], f"{value(1)} {sign} {value(2)} ? {value(1)} : {value(2)}")
    if op in ("shl", "shr"):
        return _write(given[0], f"shift_{'left' if op == 'shl' else 'right'}<{c}>({value(1)}, {value(2, 'u32')})")
    one = {
        "neg": f"({c})(0 - {value(1)})",
        "abs": f"({c})({value(1)} < 0 ? 0 - {value(1)} : {value(1)})",
        "not": f"!{value(1)}" if kind == "pred" else f"({c})~{value(1)}",
        "popc": f"__builtin_popcountll((u64){value(1)})",
        "clz": f"{value(1)} ? __builtin_clz{'ll' * (kind == 'b64')}({value(1)}) : {kind[1:]}",
        "brev": f"__brev({value(1)})",
        "sqrt": f"sqrtf({value(1)})",
        "rcp": f"1.0f / {value(1)}",
    }
    if op in one:
        return _write(given[0], one[op])
    if op == "bfind":
        leading = f"__builtin_clz({value(1)})"
        return _write(given[0], f"{value(1)} ? {leading if 'shiftamt' in rest else f'31 - {leading}'} : 0xffffffffu")
    if op == "bfi":
        return _write(given[0], f"insert<{c}>({value(1)}, {value(2)}, {value(3, 'u32')}, {value(4, 'u32')})")
    if op == "prmt":
        return _write(given[0], f"__byte_perm({value(1)}, {value(2)}, {value(3)})")
    raise NotImplementedError(f"{kernel}: {operation} {', '.join(given)}")


def _wide(kind: str) -> str:
    return kind[0] + str(2 * int(kind[1:]))


def _unsigned(expression: str, c: str) -> str:
    """Return the expression with unsigned arithmetic, because signed overflow is undefined in C++."""
    return expression if c in ("float", "double") else f"(u64)({expression})"


def _constants(ptx: str) -> str:
    """Return the arrays in constant memory."""
    found = re.findall(r"\.(?:const|global) \.align (\d+) \.b8 (\w+)\[(\d+)\](?: = \{([^}]*)\})?;", ptx)
    return "".join(f"alignas({align}) static u8 {name}[{n}] = {{{values}}};\n" for align, name, n, values in found)


def _launcher(kernel: Kernel, blocks: int) -> str:
    declared = "".join(f", u64 p{i}" for i in range(len(kernel.parameters) - 2))
    passed = ", ".join(["(u64)(u32)first", "(u64)(u32)last", *(f"p{i}" for i in range(len(kernel.parameters) - 2))])
    return (
        f'extern "C" const char* count_{kernel.name}(unsigned grid, u64* visits, u64* warps, int first, int last'
        f"{declared}) {{\n"
        f"    const u64 parameters[] = {{{passed}}};\n"
        f"    u32* most = (u32*)calloc(u64(grid) * 8 * {blocks}, 4);  // of each warp's lanes, by basic block\n"
        f'    const char* error = cuda_on_cpu::run("{kernel.name}", grid, 256, false, '
        f"[=] {{ {kernel.name}(visits, most, parameters); }});\n"
        f"    for (u64 i = 0; i < u64(grid) * 8 * {blocks}; ++i) warps[i % {blocks}] += most[i];\n"
        f"    free(most);\n    return error;\n}}\n"
    )


def _library(source: str) -> ctypes.CDLL:
    folder = cache_folder("counting")
    file = folder / f"{hashlib.sha256((HEADER.read_text() + source).encode()).hexdigest()[:32]}.so"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / file.name
            command = ["g++", "-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-fno-strict-aliasing", "-fno-gnu-unique"]
            command += ["-Wl,-Bsymbolic", "-I", str(HEADER.parent), "-x", "c++", "-", "-o", str(made)]
            done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(done.stderr)
            made.replace(file)
    return ctypes.CDLL(str(file))
