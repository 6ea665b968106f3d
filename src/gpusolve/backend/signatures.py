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

import numba

types: Any = numba.types  # its annotations lack named tuples
SIMPLE = {
    str(kind): kind
    for kind in (
        *(types.int8, types.int16, types.int32, types.int64),
        *(types.uint8, types.uint16, types.uint32, types.uint64),
        *(types.float32, types.float64, types.boolean, types.none),
    )
}
_TOKEN = re.compile(r"(readonly )?([\w.]+)(?:\[([:1,]+)\])?")


def text_of(signature: tuple[Any, ...]) -> str:
    """Return the text of a tuple of Numba types. Raises ValueError for a type that has no text here."""
    return ", ".join(_text(kind) for kind in signature)


def _text(kind: Any) -> str:
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
    if SIMPLE.get(str(kind)) == kind:
        return str(kind)
    raise ValueError(f"no text for {kind}")


def types_of(text: str) -> tuple[Any, ...]:
    """Return the Numba types that a text describes. Raises ValueError if it is not such a text."""
    found, end = _list(text, 0)
    if end != len(text):
        raise ValueError(f"{text}: expected types from {text[end:]!r} on")
    return found


def _list(text: str, start: int) -> tuple[tuple[Any, ...], int]:
    """Read types separated by commas from `start` on; return them and where they end."""
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
        elif name not in SIMPLE:
            raise ValueError(f"{text}: {name} is not a type")
        elif axes:
            layout = "C" if axes.endswith("::1") else "A"
            found.append(types.Array(SIMPLE[name], axes.count(",") + 1, layout, readonly=bool(readonly)))
        else:
            found.append(SIMPLE[name])
        if not text.startswith(", ", start):
            break
        start += 2
    return tuple(found), start


def _named_tuple(fields: tuple[Any, ...], owner: Any) -> Any:
    if len(set(fields)) == 1:
        return types.NamedUniTuple(fields[0], len(fields), owner)
    return types.NamedTuple(fields, owner)
