"""The C++ statement of a PTX instruction, over variables named like the registers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

CPP_TYPES = {
    "u8": "u8", "s8": "s8", "b8": "u8", "u16": "u16", "s16": "s16", "b16": "u16", "u32": "u32", "s32": "s32",
    "b32": "u32", "u64": "u64", "s64": "s64", "b64": "u64", "f32": "float", "f64": "double", "pred": "bool",
}  # fmt: skip
"""Types of PTX and their names in C++."""
_WIDE = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}
"""The type of a product of two numbers of a type."""
_SPECIAL = {
    **{
        f"%{register}.{axis}": f"{name}.{axis}"
        for register, name in {"tid": "threadIdx", "ctaid": "blockIdx", "nctaid": "gridDim", "ntid": "blockDim"}.items()
        for axis in "xyz"
    },
    "%laneid": "(cuda_on_cpu::current->number % 32)",
    "WARP_SZ": "32",
}
_COMPARISONS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">",
}  # fmt: skip
_COMMA = re.compile(r",(?![^{\[]*[}\]])")  # not within a vector or an address
_UPDATES = {
    "add": "old + b", "max": "b > old ? b : old", "min": "b < old ? b : old", "or": "old | b", "and": "old & b",
    "xor": "old ^ b", "exch": "b",
}  # fmt: skip
"""What an atomic operation with the operand b makes of the old value."""
_EXPRESSIONS = {
    "add": "({c})({1:wrapping} + {2:wrapping})",
    "sub": "({c})({1:wrapping} - {2:wrapping})",
    "mul": "({c})({1:wrapping} * {2:wrapping})",
    "mul.wide": "({wide}){1} * {2}",
    "mul.hi": "({c})(({wide}){1} * {2} >> 32)",
    "mad": "({c})({1:wrapping} * {2:wrapping} + {3})",
    "mad.wide": "({wide}){1} * {2} + {3:wide}",
    "mad.hi": "({c})(({wide}){1} * {2} >> 32) + {3}",
    "fma": "fmaf({1}, {2}, {3})",
    "div": "({c})({1} / {2})",
    "rem": "({c})({1} % {2})",
    "min": "{1} < {2} ? {1} : {2}",
    "max": "{1} > {2} ? {1} : {2}",
    "neg": "({c})(0 - {1})",
    "abs": "({c})({1} < 0 ? 0 - {1} : {1})",
    "sqrt": "sqrtf({1})",
    "rcp": "1.0f / {1}",
    "and": "({c})({1} & {2})",
    "or": "({c})({1} | {2})",
    "xor": "({c})({1} ^ {2})",
    "not": "({c})~{1}",
    "not.pred": "!{1}",
    "shl": "shift_left<{c}>({1}, {2:u32})",
    "shr": "shift_right<{c}>({1}, {2:u32})",
    "shf.l.wrap": "__funnelshift_l({1}, {2}, {3})",
    "shf.r.wrap": "__funnelshift_r({1}, {2}, {3})",
    "popc": "__builtin_popcountll((u64){1})",
    "clz.b32": "{1} ? __builtin_clz({1}) : 32",
    "clz.b64": "{1} ? __builtin_clzll({1}) : 64",
    "bfind": "{1} ? 31 - __builtin_clz({1}) : 0xffffffffu",
    "bfind.shiftamt": "{1} ? __builtin_clz({1}) : 0xffffffffu",
    "bfi": "insert<{c}>({1}, {2}, {3:u32}, {4:u32})",
    "brev": "__brev({1})",
    "prmt": "__byte_perm({1}, {2}, {3})",
    **{f"setp.{name}": f"{{1}} {sign} {{2}}" for name, sign in _COMPARISONS.items()},
    "selp": "{3:pred} ? {1} : {2}",
    **{f"vote.sync.{name}": f"__{name}_sync({{2:u32}}, {{1:pred}})" for name in ("all", "any", "ballot")},
    **{
        f"redux.sync.{name}": f"__reduce_{name}_sync({{2:u32}}, {{1}})"
        for name in ("add", "min", "max", "and", "or", "xor")
    },
}
"""What operand 0 becomes, by the beginning of the operation; the longest that fits counts.

``{1}`` is operand 1 as an expression of the operation's type, ``{1:u32}`` as one of another type, ``{1:wrapping}`` as
one that may overflow, ``{c}`` is the type in C++, and ``{wide}`` that of a product.
"""


@dataclass(frozen=True)
class _Operation:
    """What an operation such as ``ld.global.u32`` says: its parts, the type of its operands, and its expression."""

    parts: tuple[str, ...]
    kind: str
    expression: str | None


@cache
def _operation(text: str) -> _Operation:
    parts = tuple(text.split("."))
    kind = next((part for part in reversed(parts) if part in CPP_TYPES), "b32")
    fitting = (_EXPRESSIONS.get(".".join(parts[:length])) for length in (3, 2, 1))
    return _Operation(parts, kind, next(filter(None, fitting), None))


class Instruction(NamedTuple):
    """A PTX instruction.

    Attributes
    ----------
    operation : str
        Such as ``ld.global.u32``.
    operands : sequence of str
        As they are written: registers, numbers, names, ``[addresses]`` and ``{vectors}``.
    symbols : mapping
        The addresses of arrays, as expressions, by name.
    """

    operation: str
    operands: Sequence[str]
    symbols: Mapping[str, str]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the operation, such as ``("ld", "global", "u32")``."""
        return _operation(self.operation).parts

    @property
    def kind(self) -> str:
        """The type of the operands."""
        return _operation(self.operation).kind

    @property
    def cpp(self) -> str:
        """The type of the operands in C++."""
        return CPP_TYPES[self.kind]

    def value(self, number: int, kind: str = "") -> str:
        """Return an operand as an expression of the type `kind`, by default that of the operation."""
        return self.read(self.operands[number], kind)

    def read(self, operand: str, kind: str = "") -> str:
        """Return a register, a number or a symbol as an expression of the type `kind`."""
        cpp = CPP_TYPES[kind or self.kind]
        if operand in _SPECIAL:
            return f"({cpp}){_SPECIAL[operand]}"
        if operand.startswith("%"):
            return operand[1:] if cpp in ("float", "double") else f"({cpp}){operand[1:]}"
        if operand.startswith("0f"):
            return f"bits<float>(0x{operand[2:]})"
        if operand.startswith("0d"):
            return f"bits<double>(0x{operand[2:]})"
        if operand in self.symbols:
            return f"({cpp})({self.symbols[operand]})"
        if operand in ("true", "false"):
            return operand
        return f"({cpp}){int(operand, 0)}{'ull' if int(operand, 0) >= 0 else 'll'}"

    def address(self, number: int, space: str) -> str:
        """Return an operand such as ``[%rd1+4]`` as an address in a space of memory."""
        base, _, offset = self.operands[number].strip("[]").partition("+")
        start = base[1:] if base.startswith("%") else self.symbols[base]
        return f"{'shared + ' if space == 'shared' else ''}(u64)({start}) + ({offset or 0}ll)"


class _Operand(NamedTuple):
    """An operand that is formatted with the name of a type: see `_EXPRESSIONS`."""

    instruction: Instruction
    number: int

    def __format__(self, kind: str) -> str:
        if kind == "wide":
            return self.instruction.value(self.number, _WIDE[self.instruction.kind])
        expression = self.instruction.value(self.number, kind.replace("wrapping", ""))
        if kind == "wrapping" and self.instruction.cpp not in ("float", "double"):
            return f"(u64)({expression})"  # signed overflow is undefined in C++
        return expression


def operands_of(text: str) -> list[str]:
    """Return the operands of an instruction.

    >>> operands_of("{%r1, %r2}, [%rd1+8]")
    ['{%r1, %r2}', '[%rd1+8]']
    """
    return [part.strip() for part in _COMMA.split(text)] if text else []


def statement(instruction: Instruction) -> str | None:
    """Return the statement of an instruction; None if there is none for it.

    >>> statement(Instruction("add.s32", ["%r3", "%r1", "4"], {}))
    'r3 = (s32)((u64)((s32)r1) + (u64)((s32)4ull));'
    """
    operation = _operation(instruction.operation)
    if special := _STATEMENTS.get(operation.parts[0]):
        return special(instruction)
    if operation.expression is None:
        return None
    operands = [_Operand(instruction, number) for number in range(len(instruction.operands))]
    wide = CPP_TYPES[_WIDE.get(operation.kind, operation.kind)]
    return _set(instruction.operands[0], operation.expression.format(*operands, c=CPP_TYPES[operation.kind], wide=wide))


# ---- instructions that are no expression of their operands ----------------------------------------------------------


def _set(register: str, expression: str) -> str:
    """Return an assignment; a value narrower than its register is extended according to its type."""
    return "(void)0;" if register == "_" else f"{register[1:]} = {expression};"


def _move(move: Instruction) -> str:
    """Move a register or a number, or two registers to and from one of twice the width."""
    target, source = move.operands
    if target.startswith("{"):
        low, high = _vector(target)
        return f"{_set(low, f'(u32)({move.read(source)})')} {_set(high, f'(u32)(({move.read(source)}) >> 32)')}"
    if source.startswith("{"):
        low, high = (move.read(part, "u32") for part in _vector(source))
        return _set(target, f"(u64){low} | (u64){high} << 32")
    return _set(target, move.read(source))


def _convert_address(instruction: Instruction) -> str:
    """Convert an address in shared memory to one in the memory of all spaces, or back."""
    _, first, *rest = instruction.parts
    offset = {"shared": " + shared", "to": " - shared" if "shared" in rest else ""}.get(first, "")
    return _set(instruction.operands[0], instruction.value(1) + offset)


def _convert(instruction: Instruction) -> str:
    *_, to, kind = instruction.parts
    return _set(instruction.operands[0], f"({CPP_TYPES[to]})({instruction.value(1, kind)})")


def _load(load: Instruction) -> str:
    target, source = load.operands
    if load.parts[1] == "param":
        place = _passed(source)
        own = re.fullmatch(r"\w+_param_(\d+)", place)
        return _set(target, f"bits<{load.cpp}>({f'parameters[{own[1]}]' if own else place})")
    address = load.address(1, load.parts[1])
    return " ".join(_set(part, _element(load, address, i)) for i, part in enumerate(_vector(target)))


def _store(store: Instruction) -> str:
    target, source = store.operands
    if store.parts[1] == "param":
        return f"{_passed(target)} = (u64){store.read(source)};"
    address = store.address(0, store.parts[1])
    return " ".join(f"{_element(store, address, i)} = {store.read(part)};" for i, part in enumerate(_vector(source)))


def _update(update: Instruction) -> str:
    """Read, change and write memory: ``atom`` returns the old value, and ``red`` does not."""
    operation, *parts = update.parts
    returns = operation == "atom"
    action = next(part for part in parts if part in {*_UPDATES, "cas"})
    new = f"old == b ? {update.value(3)} : old" if action == "cas" else _UPDATES[action]
    result = f" {_set(update.operands[0], 'old')}" if returns else ""
    where = f"at<{update.cpp}>({update.address(returns, 'shared' if 'shared' in parts else 'global')})"
    return f"{{ {update.cpp} old = {where}, b = {update.value(1 + returns)}; {where} = {new};{result} }}"


def _call(call: Instruction) -> str:
    result, called, *passed = call.operands
    into = "" if result == "_" else f"{result} = "
    return (
        f"{{ const u64 passed[] = {{{', '.join(passed)}}}; "
        f"{into}{called}(shared, n + n_{called}, times + times_{called}, passed); }}"
    )


def _shuffle(shuffle: Instruction) -> str:
    target = shuffle.operands[0].partition("|")[0]  # after it: whether the source is a lane of the segment
    direction = {"bfly": "xor_", "idx": "", "up": "up_", "down": "down_"}[shuffle.parts[2]]
    lanes, value, by = shuffle.value(4, "u32"), shuffle.value(1, "u32"), shuffle.value(2, "s32")
    return _set(target, f"__shfl_{direction}sync({lanes}, {value}, {by}, 32 - ({shuffle.value(3, 'u32')} >> 8 & 31))")


def _barrier(barrier: Instruction) -> str:
    return f"__syncwarp({barrier.value(0, 'u32')});" if barrier.parts[1] == "warp" else "__syncthreads();"


def _element(instruction: Instruction, address: str, number: int) -> str:
    return f"at<{instruction.cpp}>({address} + {number} * sizeof({instruction.cpp}))"


def _passed(operand: str) -> str:
    """Return the name of a parameter, as in ``[kernel_param_2]``."""
    return operand.strip("[]").partition("+")[0]


def _vector(operand: str) -> list[str]:
    """Return the registers of a vector, or the only one."""
    return operands_of(operand.strip("{}"))


_STATEMENTS: dict[str, Callable[[Instruction], str]] = {
    "bra": lambda jump: f"goto {jump.operands[0][1:]};",
    "ret": lambda _: "goto done;",
    "exit": lambda _: "goto done;",
    "trap": lambda _: "__trap();",
    "mov": _move,
    "cvta": _convert_address,
    "cvt": _convert,
    "ld": _load,
    "st": _store,
    "atom": _update,
    "red": _update,
    "call": _call,
    "shfl": _shuffle,
    "bar": _barrier,
    "barrier": _barrier,
}
