"""Faults: small changes of a program that its tests should notice.

A fault replaces a few characters, so that its diff is a line or two: another comparison, a sum for a difference, the
largest for the smallest, a number that is off by one, a negated condition, a call that is left out.
"""

from __future__ import annotations

import ast
import hashlib
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff
from itertools import pairwise
from typing import Any

OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
"""Kind of operator -> how it is written, and what replaces it."""
_PAIRS = (
    ("min", "max"),
    ("any", "all"),
    ("argmin", "argmax"),
    ("floor", "ceil"),
    ("minimum", "maximum"),
    ("startswith", "endswith"),
)
NAMES = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])} | {"sorted": "list", "reversed": "list", "abs": "int"}
"""Name of a called function or method -> the name that replaces it."""


@dataclass(frozen=True)
class Fault:
    """A change of a file.

    Attributes
    ----------
    path : str
        The file, relative to the root of the checkout.
    start, end : int
        The bytes of the file that are replaced.
    old, new : str
        What they are, and what replaces them.
    line : str
        The line where they begin.
    count : int
        Number of equal faults before it, in lines with the same text.
    """

    path: str
    start: int
    end: int
    old: str
    new: str
    line: str
    count: int

    def apply(self, content: bytes) -> bytes:
        """Return the content of the file with the fault."""
        return content[: self.start] + self.new.encode() + content[self.end :]

    def diff(self, content: bytes) -> str:
        """Return the change for a reader."""
        before, after = (each.decode().splitlines(keepends=True) for each in (content, self.apply(content)))
        return "".join(unified_diff(before, after, self.path, self.path, n=2))

    @property
    def name(self) -> str:
        """A name that stays as long as the line does."""
        return f"{self.path}: {self.line.strip()}: {self.old} -> {self.new} ({self.count})"

    def rank(self, seed: int) -> str:
        """Return the place among all faults that the seed gives it: changes elsewhere in the code do not move it."""
        return hashlib.sha256(f"{seed} {self.name}".encode()).hexdigest()


def faults_of(path: str, content: bytes) -> list[Fault]:
    """Return all faults that can be planted in a file, and perhaps some edits that mean nothing (`is_real`)."""
    starts = [0]
    for each in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(each))
    found: list[Fault] = []
    seen: dict[str, int] = {}
    for start, end, new in sorted(_Planter(content, starts).edits(ast.parse(content))):
        number = bisect(starts, start) - 1
        line = content[starts[number] : starts[number + 1]].decode()
        fault = Fault(path, start, end, content[start:end].decode(), new, line, 0)
        count = seen[fault.name] = seen.get(fault.name, -1) + 1
        found.append(replace(fault, count=count))
    return found


def is_real(fault: Fault, content: bytes) -> bool:
    """Return whether a fault leaves a program, and another one."""
    try:
        return ast.dump(ast.parse(fault.apply(content))) != ast.dump(ast.parse(content))
    except SyntaxError:
        return False


Edit = tuple[int, int, str]


@dataclass(frozen=True)
class _Planter:
    content: bytes
    starts: list[int]

    def edits(self, node: ast.AST) -> Iterator[Edit]:
        """Yield the edits of a node and of everything below it that runs."""
        yield from self._own_edits(node)
        for child in _children(node):
            yield from self.edits(child)

    def _own_edits(self, node: ast.AST) -> Iterator[Edit]:
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                yield from self._operator(left, operator, right)
            case ast.BinOp(left=left, op=operator, right=right):
                yield from self._operator(left, operator, right)
            case ast.AugAssign(target=left, op=operator, value=right):
                yield from self._operator(left, operator, right)
            case ast.BoolOp(op=operator, values=values):
                for left, right in pairwise(values):
                    yield from self._operator(left, operator, right)
            case ast.UnaryOp(op=ast.Not()):
                yield (*self._span(node, len("not ")), "")
            case ast.UnaryOp(op=ast.USub()):
                yield (*self._span(node, len("-")), "")
            case ast.Constant(value=bool(value)):
                yield (*self._span(node), str(not value))
            case ast.Constant(value=int(value)):
                yield (*self._span(node), str(value + 1))
            case ast.Constant(value=float(value)):
                yield (*self._span(node), str(2 * value or 1.0))
            case ast.Call(func=ast.Name(id=name) as function, args=arguments, keywords=keywords) if name in NAMES:
                if NAMES[name] != "list" or (len(arguments) == 1 and not keywords):
                    yield (*self._span(function), NAMES[name])
            case ast.Call(func=ast.Attribute(attr=name) as function) if name in NAMES:
                _, end = self._span(function)
                yield end - len(name), end, NAMES[name]
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                if isinstance(test, ast.Name | ast.Call | ast.Attribute):
                    start, end = self._span(test)
                    yield start, end, f"not {self.content[start:end].decode()}"
            case ast.Expr(value=ast.Call()) | ast.Raise():
                yield (*self._span(node), "pass")
            case ast.Break():
                yield (*self._span(node), "continue")
            case ast.Continue():
                yield (*self._span(node), "break")

    def _operator(self, left: ast.AST, operator: ast.AST, right: ast.AST) -> Iterator[Edit]:
        old, new = OPERATORS.get(type(operator), ("", ""))
        (_, first), (last, _) = self._span(left), self._span(right)
        at = self.content.find(old.encode(), first, last)
        if old and at >= 0:
            yield at, at + len(old), new

    def _span(self, node: Any, most: int | None = None) -> tuple[int, int]:
        """Return the first and the last byte of a node, or of its beginning."""
        start = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[node.end_lineno - 1] + node.end_col_offset
        return start, end if most is None else start + most


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that run: no annotations, decorators, texts and assertions."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Assert):
                continue
            if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
                continue
            yield child
