"""Translate the PTX of a kernel to C++ that counts.

Each PTX instruction becomes a C++ statement over variables named like the registers, and each basic block counts how
often a thread enters it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gpusolve.testing.counting.statements import CPP_TYPES, Instruction, operands_of, statement
from gpusolve.testing.extent import MOST_DYNAMIC

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
TYPES = """
typedef unsigned char u8; typedef signed char s8; typedef unsigned short u16; typedef short s16;
typedef unsigned u32; typedef int s32; typedef unsigned long long u64; typedef long long s64;
template <class T> T& at(u64 address) { return *(T*)address; }
template <class T> T bits(u64 value) { T x; __builtin_memcpy(&x, &value, sizeof x); return x; }
// Sectors of 32 bytes, the least that a cache gives: those that a warp's lanes ask for at once count once. So do those
// of atomic operations, and lines of local memory, in which the same four bytes of the 32 lanes lie side by side.
enum Touched { GLOBAL, ATOMICS, LOCAL_LINES, LOCAL_SECTORS, TOUCHED };
using cuda_on_cpu::block_number;
static u32 warps_of_block() { return (cuda_on_cpu::block_threads + 31) / 32; }
static u32 warp_number() { return block_number * warps_of_block() + cuda_on_cpu::current->number / 32; }
static u64 touched[TOUCHED], known[1 << 24];
static void touch(Touched what, u64 load, u64 time, u64 address) {
    u64 key = (u64(warp_number()) * 4096 + load) * 0x9e3779b97f4a7c15ull + time;
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9ull + (address >> 5);
    key = (key ^ key >> 32) * 0x94d049bb133111ebull | 1;
    u64 slot = key >> 40;
    for (int tries = 0; tries < 64; ++tries, slot = (slot + 1) & 0xffffff) {
        if (known[slot] == key) return;
        if (!known[slot]) { known[slot] = key; break; }
    }
    ++touched[what];
}
static void touch_local(u64 load, u64 time, u64 address, u32 bytes) {
    const u64 offset = u64(cuda_on_cpu::current->stack) + cuda_on_cpu::current->stack_bytes - address;
    for (u64 word = (offset - bytes) / 4; word <= (offset - 1) / 4; ++word) {
        touch(LOCAL_LINES, load, time, word << 5);
        touch(LOCAL_SECTORS, load, ~time, (word << 2 | cuda_on_cpu::current->number % 32 / 8) << 5);
    }
}
extern "C" void take_touched(u64* counts) {
    memcpy(counts, touched, sizeof touched), memset(touched, 0, sizeof touched), memset(known, 0, sizeof known);
}
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
_LABEL = re.compile(r"\$(\w+):")
_INSTRUCTION = re.compile(r"(?:@(!?)%(\w+)\s+)?([\w.]+)\s*(.*);")
_MARK = re.compile(r"\$L__tmp\d+:")  # of debuggers
_CALL = re.compile(r"call(?:\.uni)?\s*(?:\((\w+)\),\s*)?(\w+),\s*\(\s*([\w\s,]*?)\s*\)\s*;")


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
    """Instructions that read or write global or local memory."""


def translate(
    name: str, body: str, ptx: str, functions: Sequence[Translated] = (), function: bool = False
) -> Translated:
    """Translate a kernel's body to C++: variables, then the instructions, block by block. It may call `functions`."""
    body = _CALL.sub(lambda call: f"call {call[1] or '_'}, {call[2]}, {call[3]};", body)
    body = re.sub(r"(?<=,)\s*\n\s*", " ", body)
    made = Translated(name)
    arrays = _arrays(body, ptx)
    statements = _blocks(made, body, arrays.symbols)
    offsets = _add_counters(made, [called for called in functions if called.name in body])
    number = int(hashlib.sha256(name.encode()).hexdigest()[:4], 16) % 64 * 64
    head = f"enum {{ {name}_touches = {number} }};\n"
    if function:
        head += f"static u64 {name}(u64 shared, u32* n, u32* times, const u64* parameters) {{\n{offsets}"
        tail = f"done: return {'func_retval0' if 'func_retval0' in body else '0'};\n}}\n"
    else:
        count = len(made.blocks)
        head += (
            f"alignas(16) static u8 shared_{name}[{max(16, arrays.bytes)}];\n"
            f"static void {name}(u64* visits, u32* most, const u64* parameters) {{\n"
            f"    const u64 shared = (u64)shared_{name};\n"
            f"    u32 n[{count}] = {{}}, times[{made.touches + 1}] = {{}};\n{offsets}"
        )
        tail = (
            f"done: most += u64(warp_number()) * {count};\n"
            f"    for (int i = 0; i < {count}; ++i) visits[i] += n[i], most[i] = n[i] > most[i] ? n[i] : most[i];\n}}\n"
        )
    made.text = "\n".join([head, *_variables(body), *arrays.local, *statements, tail])
    return made


def _variables(body: str) -> list[str]:
    """Return the declarations of variables: parameters of calls, and registers."""
    lines = []
    if passed := sorted(set(re.findall(r"\b(?:param|retval|func_retval)\d+\b", body))):
        lines.append(f"    u64 {', '.join(f'{word} = 0' for word in passed)};")
    for kind, register, count in re.findall(r"\.reg \.(\w+)\s+%(\w+?)<(\d+)>;", body):
        names = ", ".join(f"{register}{i} = 0" for i in range(int(count)))
        lines.append(f"    {CPP_TYPES[kind]} {names};")
    for kind, register in sorted(set(re.findall(r"\.reg \.(\w+)\s+%([a-zA-Z]\w*);", body))):  # per scope
        lines.append(f"    {CPP_TYPES[kind]} {register} = 0;")
    return lines


@dataclass
class _Arrays:
    """The arrays of a kernel: addresses by name, declarations of those in local memory, and bytes of shared memory."""

    symbols: dict[str, str] = field(default_factory=dict)
    local: list[str] = field(default_factory=list)
    shared: int = 0
    dynamic: int = 0

    @property
    def bytes(self) -> int:
        """Bytes of all shared memory, at most."""
        return self.shared + self.dynamic


def _arrays(body: str, ptx: str) -> _Arrays:
    found = _Arrays({symbol: f"(u64){symbol}" for symbol in re.findall(r"\.(?:const|global) .*? (\w+)\[\d+\]", ptx)})
    for space, align, kind, symbol, length in re.findall(
        r"\.(shared|local) \.align (\d+) \.(\w+)\s+(\w+)(?:\[(\d+)\])?;", body
    ):
        size = int(length or 1) * int(kind[1:]) // 8
        if space == "shared":
            start = -(-found.shared // 16) * 16
            found.symbols[symbol] = str(start)
            found.shared = start + size
        else:
            found.local.append(f"    alignas({align}) u8 {symbol}[{size}];")
            found.symbols[symbol] = f"(u64){symbol}"
    for symbol in re.findall(r"\.extern \.shared [^;]*?(\w+)\[\];", ptx):  # all begin behind the other arrays
        found.symbols[symbol] = str(-(-found.shared // 16) * 16)
        found.dynamic = MOST_DYNAMIC + 16
    return found


def _blocks(made: Translated, body: str, symbols: Mapping[str, str]) -> list[str]:
    """Return the statements of a kernel, and add its basic blocks and what they touch to `made`."""
    statements: list[str] = []

    def begin(label: str = "    ") -> Block:
        made.blocks.append(Block())
        statements.append(f"{label}++n[{len(made.blocks) - 1}];")
        return made.blocks[-1]

    block, line_of = begin(), (0, 0)
    for line in map(_without_scope, body.splitlines()):
        if location := _LOC.match(line):
            line_of = int(location[1]), int(location[2]) or line_of[1]
        if not line or line.startswith(".") or line in ("{", "}") or _MARK.fullmatch(line):
            continue
        if label := _LABEL.fullmatch(line):
            block = begin(f"{label[1]}: ")
            continue
        match = _INSTRUCTION.fullmatch(line)
        # The threads run one after another, so memory is never stale, and volatile means nothing.
        instruction = match and Instruction(match[3].replace(".volatile", ""), operands_of(match[4]), symbols)
        translated = instruction and statement(instruction)
        if not (match and instruction and translated):
            raise NotImplementedError(f"{made.name}: {line}")
        if touch := _touch(instruction, f"{made.name}_touches + {made.touches}, times[{made.touches}]++"):
            translated = f"{touch} {translated}"
            made.touches += 1
        inverted, guard = match[1], match[2]
        statements.append(f"    if ({inverted}{guard}) {{ {translated} }}" if guard else f"    {translated}")
        _count(block, instruction.operation, line_of)
        if guard and instruction.operation.startswith("bra"):
            block = begin()
    return statements


def _touch(instruction: Instruction, which: str) -> str:
    """Return the call that counts what an access to global or local memory touches; "" for other instructions."""
    kind, *parts = instruction.parts
    number = kind in ("ld", "atom")
    if kind in ("atom", "red") and "global" in parts:
        return f"touch(ATOMICS, {which}, {instruction.address(number, 'global')});"
    if kind in ("ld", "st") and parts[0] == "global":
        return f"touch(GLOBAL, {which}, {instruction.address(number, 'global')});"
    if kind in ("ld", "st") and parts[0] == "local":
        return f"touch_local({which}, {instruction.address(number, 'local')}, {_bytes(parts)});"
    return ""


def _bytes(parts: Sequence[str]) -> int:
    """Return the bytes that a thread reads or writes, of the parts of an operation."""
    lanes = next((int(part[1]) for part in parts if re.fullmatch(r"v[24]", part)), 1)
    return lanes * int(parts[-1][1:]) // 8


def _without_scope(line: str) -> str:
    """Return a line without a comment and without the braces of a scope that has a register of its own."""
    line = line.partition("//")[0].strip()
    if line.startswith("{ .reg"):
        return line.partition(";")[2].strip()
    return line.removesuffix("}").strip() if line.endswith("; }") else line


def _add_counters(made: Translated, called: Iterable[Translated]) -> str:
    """Add the counters of functions behind those of the kernel that calls them, and return where they begin."""
    offsets = ""
    for function in called:
        offsets += f"    const u32 n_{function.name} = {len(made.blocks)}, times_{function.name} = {made.touches};\n"
        made.blocks += function.blocks
        made.touches += function.touches
    return offsets


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
        size = _bytes(rest)
        if kind == "ld":
            block.read += size
        else:
            block.written += size


def constants(ptx: str) -> str:
    """Return the arrays in constant memory."""
    found = re.findall(r"\.(?:const|global) \.align (\d+) \.b8 (\w+)\[(\d+)\](?: = \{([^}]*)\})?;", ptx)
    return "".join(f"alignas({align}) static u8 {name}[{n}] = {{{values}}};\n" for align, name, n, values in found)
