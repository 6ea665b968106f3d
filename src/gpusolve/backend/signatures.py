"""The types of a compiled function's arguments as text.

Numbers have their names in NumPy, arrays are written as in Numba's signatures, a named tuple has the full name of its
class, and None is ``none``:

>>> from numba import types
>>> text_of((types.int64, types.uint8[:, ::1], types.Array(types.float32, 1, "C", readonly=True)))
'int64, uint8[:,::1], readonly float32[::1]'
>>> types_of("int64, uint8[:,::1], readonly float32[::1]")[0]
int64
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

LETTERS = {
    "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q",
    "float32": "f", "float64": "d", "bool": "?", "none": "n",
}  # fmt: skip
"""Name of a number's type -> its letter in Python's module struct."""
_TOKEN = re.compile(r"(readonly )?([\w.]+)(?:\[([:1,]+)\])?")


def code_of(text: str) -> str:
    """Return the code of a text for machines (building/native/caller.c reads it): a letter for each number.

    An array is a bracket, its number of dimensions, C (contiguous) or A (any strides), small if it is only read, and
    the letter of its elements. A named tuple is its fields in brackets.

    >>> code_of("int64, none, uint8[:,::1], readonly float32[:], game.Tables(bool, uint16[::1])")
    'qn[2CB[1af(?[1CH)'
    """

    def code(match: re.Match[str]) -> str:
        readonly, name, axes = match.groups()
        if name not in LETTERS or not axes:
            return LETTERS.get(name, "")  # the class of a named tuple has no code
        layout = "C" if axes.endswith("::1") else "A"
        return f"[{axes.count(',') + 1}{layout.lower() if readonly else layout}{LETTERS[name]}"

    return _TOKEN.sub(code, text).replace(", ", "")


def text_of(signature: tuple[Any, ...]) -> str:
    """Return the text of a tuple of Numba types. Raises ValueError for a type that has no text here."""
    return ", ".join(_text(kind) for kind in signature)


def _text(kind: Any) -> str:
    types = _types()
    if isinstance(kind, types.Array) and kind.aligned and type(kind) is types.Array:
        axes = [":"] * kind.ndim
        if kind.layout == "C":
            axes[-1] = "::1"
        elif kind.layout != "A":
            raise ValueError(f"no text for {kind}")
        return f"{'' if kind.mutable else 'readonly '}{_text(kind.dtype)}[{','.join(axes)}]"
    if isinstance(kind, types.BaseNamedTuple):
        owner = kind.instance_class
        return f"{owner.__module__}.{owner.__qualname__}({text_of(tuple(kind))})"
    if str(kind) in LETTERS and _simple(str(kind)) == kind:
        return str(kind)
    raise ValueError(f"no text for {kind}")


def _types() -> Any:
    """Return Numba's module of types, whose annotations lack named tuples. It is imported when it is needed."""
    return import_module("numba").types


def _simple(name: str) -> Any:
    """Return Numba's type of a number, or of None."""
    return getattr(_types(), "boolean" if name == "bool" else name)


def types_of(text: str) -> tuple[Any, ...]:
    """Return the Numba types that a text describes. Raises ValueError if it is not such a text."""
    found, end = _list(text, 0)
    if end != len(text):
        raise ValueError(f"{text}: expected types from {text[end:]!r} on")
    return found


def _list(text: str, start: int) -> tuple[tuple[Any, ...], int]:
    """Read types separated by commas from `start` on; return them and where they end."""
    types = _types()
    found: list[Any] = []
    while match := _TOKEN.match(text, start):
        readonly, name, axes = match.groups()
        start = match.end()
        if text.startswith("(", start):
            fields, start = _list(text, start + 1)
            if not text.startswith(")", start):
                raise ValueError(f"{text}: a bracket is missing")
            start += 1
            module, _, owner = name.rpartition(".")
            found.append(_named_tuple(fields, getattr(import_module(module), owner)))
        elif name not in LETTERS:
            raise ValueError(f"{text}: {name} is not a type")
        elif axes:
            layout = "C" if axes.endswith("::1") else "A"
            found.append(types.Array(_simple(name), axes.count(",") + 1, layout, readonly=bool(readonly)))
        else:
            found.append(_simple(name))
        if not text.startswith(", ", start):
            break
        start += 2
    return tuple(found), start


def _named_tuple(fields: tuple[Any, ...], owner: Any) -> Any:
    types = _types()
    if len(set(fields)) == 1:
        return types.NamedUniTuple(fields[0], len(fields), owner)
    return types.NamedTuple(fields, owner)
