"""Translate the PTX of a kernel to C++ that counts.

Each PTX instruction becomes a C++ statement over variables named like the registers, and each basic block counts how
often a thread enters it.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

FREE = {"mov", "cvta", "ret", "ld.param"}
"""PTX instructions that cost nothing in machine code: registers are renamed, parameters are in constant memory."""
COSTS = {"div": 20, "rem": 20, "sqrt": 8, "rcp": 8}
"""32-bit PTX instructions that become several machine instructions; any other 64-bit instruction becomes two."""
UNITS = {
    "logic": {"and", "or", "xor", "not", "shr", "shf", "lop3", "setp", "selp", "slct", "prmt", "bfe", "bfi", "min",
              "max", "abs", "neg", "vote"},
    "products": {"mul", "mad"},
    "bits": {"popc", "clz", "bfind", "brev", "redux", "sqrt", "rcp"},
    "exchange": {"ld", "st", "atom", "red", "shfl"},
}  # fmt: skip
"""PTX instructions by the unit that is their limit. Sums and left shifts run in the unit of products or of logic."""
_C = {
    "u8": "u8", "s8": "s8", "b8": "u8", "u16": "u16", "s16": "s16", "b16": "u16", "u32": "u32", "s32": "s32",
    "b32": "u32", "u64": "u64", "s64": "s64", "b64": "u64", "f32": "float", "f64": "double", "pred": "bool",
}  # fmt: skip
TYPES = """
typedef unsigned char u8; typedef signed char s8; typedef unsigned short u16; typedef short s16;
typedef unsigned u32; typedef int s32; typedef unsigned long long u64; typedef long long s64;
template <class T> T& at(u64 address) { return *(T*)address; }
template <class T> T bits(u64 value) { T x; __builtin_memcpy(&x, &value, sizeof x); return x; }
// Sectors of 32 bytes, the least that a cache gives: those that a warp's lanes ask for at once count once.
static u32 warps_of_block() { return (blockDim.x + 31) / 32; }
static u64 sectors, known[1 << 24];
static void touch(u64 load, u64 time, u64 address) {
    u64 key = ((blockIdx.x * warps_of_block() + threadIdx.x / 32) * 4096 + load) * 0x9e3779b97f4a7c15ull + time;
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
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)")
_MARK = re.compile(r"\$L__tmp\d+:")  # of debuggers
_CALL = re.compile(r"call(?:\.uni)?\s*(?:\((\w+)\),\s*)?(\w+),\s*\(\s*([\w\s,]*?)\s*\)\s*;")
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">"}
_BINARY = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "div": "/", "rem": "%"}
_SHUFFLES = {"bfly": "xor_", "idx": "", "up": "up_", "down": "down_"}
_ATOMIC = {"add": "old + b", "max": "b > old ? b : old", "min": "b < old ? b : old", "or": "old | b", "and": "old & b",
           "xor": "old ^ b", "exch": "b"}  # fmt: skip
_SPECIAL = {"%tid.x": "threadIdx.x", "%ctaid.x": "blockIdx.x", "%nctaid.x": "gridDim.x", "%ntid.x": "blockDim.x",
            "%laneid": "(threadIdx.x % 32)"}  # fmt: skip


@dataclass
class Block:
    """A basic block: the expected number of machine instructions, in all, by line (number of a file, line) and by unit.

    `read` and `written` are bytes of global memory.
    """

    instructions: int = 0
    lines: Counter[tuple[int, int]] = field(default_factory=Counter)
    units: Counter[str] = field(default_factory=Counter)
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


# ---- one kernel -----------------------------------------------------------------------------------------------------


def translate(
    name: str, body: str, ptx: str, functions: Sequence[Translated] = (), function: bool = False
) -> Translated:
    """Translate a kernel's body to C++: variables, then the instructions, block by block. It may call `functions`."""
    made = Translated(name)
    lines, shared, locals_ = [], 0, []
    symbols: dict[str, str] = {}
    body = _CALL.sub(lambda call: f"call {call[1] or '_'}, {call[2]}, {call[3]};", body)
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
    line_of = 0, 0
    statements = ["    ++n[0];"]
    for line in body.splitlines():
        line = line.partition("//")[0].strip()
        if line.startswith("{ .reg") or line.endswith("; }"):  # a separate scope for the register %tmp
            line = line.partition(";")[2] if line.startswith("{") else line.removesuffix("}").strip()
        if location := _LOC.match(line):
            line_of = int(location[1]), int(location[2]) or line_of[1]
        if not line or line.startswith(".") or line in ("{", "}") or _MARK.fullmatch(line):
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
        _count(block, operation, line_of)
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
        head += f"static u64 {name}(u64 shared, u32* n, u32* times, const u64* parameters) {{\n{offsets}"
        tail = "done: return func_retval0;\n}\n" if "func_retval0" in body else "done: return 0;\n}\n"
    else:
        head += f"alignas(16) static u8 shared_{name}[{max(16, shared)}];\n"
        head += f"static void {name}(u64* visits, u32* most, const u64* parameters) {{\n"
        head += (
            f"    const u64 shared = (u64)shared_{name};\n    u32 n[{at}] = {{}}, times[{times + 1}] = {{}};\n{offsets}"
        )
        tail = f"done: most += u64(blockIdx.x * warps_of_block() + threadIdx.x / 32) * {at};\n"
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


def _count(block: Block, operation: str, line: tuple[int, int]) -> None:
    kind, *rest = operation.split(".")
    if kind in FREE or operation.startswith(("ld.param", "st.param")):
        return
    wide = rest[-1:] in (["s64"], ["u64"], ["b64"]) and kind not in ("ld", "st", "atom", "cvt")
    block.instructions += COSTS.get(kind, 1) * (1 + wide)
    block.lines[line] += COSTS.get(kind, 1) * (1 + wide)
    for unit, kinds in UNITS.items():
        if kind in kinds and "f32" not in rest[-1:]:
            block.units[unit] += 1 + wide
    if kind in ("ld", "st") and "global" in rest:
        lanes = next((int(part[1]) for part in rest if re.fullmatch(r"v[24]", part)), 1)
        size = lanes * int(rest[-1][1:]) // 8
        if kind == "ld":
            block.read += size
        else:
            block.written += size


def _operands(text: str) -> list[str]:
    return [part.strip() for part in re.split(r",(?![^{\[]*[}\]])", text)] if text else []


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
        into = "" if result == "_" else f"{result} = "
        return (
            f"{{ const u64 passed[] = {{{', '.join(passed)}}}; "
            f"{into}{called}(shared, n + n_{called}, times + times_{called}, passed); }}"
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
    if op == "shf" and rest[1] == "wrap":
        return _write(given[0], f"__funnelshift_{rest[0]}({value(1)}, {value(2)}, {value(3)})")
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


def constants(ptx: str) -> str:
    """Return the arrays in constant memory."""
    found = re.findall(r"\.(?:const|global) \.align (\d+) \.b8 (\w+)\[(\d+)\](?: = \{([^}]*)\})?;", ptx)
    return "".join(f"alignas({align}) static u8 {name}[{n}] = {{{values}}};\n" for align, name, n, values in found)
