"""The functions of the stand-in: NumPy's functions, called with CuPy's signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpusolve.testing.emulation import POISON
from gpusolve.testing.stand_in.arrays import KEEP_ORDER, ndarray, on_host, place
from gpusolve.testing.stand_in.machine import Machine
from gpusolve.testing.stand_in.signatures import check_call, read, records

ARRAYS = {"a", "ar", "ar1", "ar2", "arr", "arr1", "arr2", "array", "ary", "bins", "element", "keys", "m", "prototype"}
ARRAYS |= {"test_elements", "v", "weights", "x"}
"""Parameters that must be device arrays, while NumPy also accepts numbers and lists."""
SEQUENCES = {"arrays", "choices", "condlist", "tup", "xi"}
"""Parameters that are sequences of device arrays."""
NUMBERS_TOO = {"where", "nan_to_num", "result_type", "can_cast"}
"""Functions that accept numbers instead of arrays."""
PYTHON = {"can_cast", "common_type", "iscomplexobj", "isfortran", "isrealobj", "isscalar", "ndim"}
PYTHON |= {"array2string", "array_repr", "array_str", "may_share_memory", "min_scalar_type", "result_type", "shape"}
PYTHON |= {"shares_memory", "size"}
"""Functions whose result is not an array."""
STABLE = (None, "stable")


def call(machine: Machine, name: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Call CuPy's function `name`. Raises TypeError or ValueError for what CuPy refuses."""
    check_call("functions", name, len(given), tuple(keywords))
    if name in SPECIAL:
        return SPECIAL[name](machine, *given, **keywords)
    for parameter, value in _named(name, given, keywords).items():
        _check(name, parameter, value)
    if not hasattr(np, name):
        raise NotImplementedError(f"the stand-in has no {name}")
    with np.errstate(all="ignore"):
        found = getattr(np, name)(*on_host(machine, given), **on_host(machine, keywords))
    if name in PYTHON:
        return found
    sources = [*given, *keywords.values()]
    sources += [part for value in sources if isinstance(value, (list, tuple)) for part in value]
    return place(machine, found, sources, name in KEEP_ORDER)


def _named(name: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    newest = list(records().values())[-1]
    return dict(read(newest["functions"][name]).bind(*given, **keywords).arguments)


def _check(name: str, parameter: str, value: Any) -> None:
    if value is None or isinstance(value, ndarray):
        return
    if isinstance(value, np.ndarray) or (parameter in ARRAYS and name not in NUMBERS_TOO):
        raise TypeError(f"{name}: {parameter} expects an array on the device, not {type(value)}")
    if parameter in SEQUENCES and any(not isinstance(part, ndarray) for part in value):
        raise TypeError(f"{name}: {parameter} expects only arrays on the device")


# ---- functions that differ from NumPy --------------------------------------------------------------------------------


def _array(function: Callable[..., Any]) -> Callable[..., ndarray]:
    """Make a function that brings arrays to the device: it copies host data and returns a device array as it is."""

    def made(machine: Machine, obj: Any, *given: Any, blocking: bool = False, **keywords: Any) -> ndarray:
        if isinstance(obj, ndarray):
            found = function(on_host(machine, obj), *given, **keywords)
            if np.may_share_memory(found, obj._host) and found.shape == obj.shape and found.dtype == obj.dtype:
                return obj
            return ndarray(found, machine)
        machine.answer()
        found = function(_plain(machine, obj), *given, **keywords)
        return ndarray(np.array(found, order="K", copy=True), machine)

    return made


def _plain(machine: Machine, value: Any) -> Any:
    """Return host data; lists may contain device arrays."""
    if isinstance(value, ndarray):
        return on_host(machine, value)
    return [_plain(machine, part) for part in value] if isinstance(value, (list, tuple)) else value


def _asnumpy(machine: Machine, a: Any, stream: Any = None, order: Any = "C", out: Any = None, **_: Any) -> Any:
    return a.get(stream, order, out) if isinstance(a, ndarray) else np.asarray(a, order=order)


def _empty(machine: Machine, shape: Any, dtype: Any = float, order: Any = "C") -> ndarray:
    """Return an array in which every byte is POISON, so that an element that is never written is noticed."""
    machine.answer()
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return ndarray(np.full(size, POISON, np.uint8).view(dtype).reshape(shape, order=order), machine)


def _empty_like(machine: Machine, prototype: Any, dtype: Any = None, order: Any = "K", *_: Any) -> ndarray:
    _check("empty_like", "prototype", prototype)
    made = np.empty_like(on_host(machine, prototype), dtype, order)
    made.ravel(order="K").view(np.uint8)[...] = POISON  # a view
    return ndarray(made, machine)


def _sort(machine: Machine, a: Any, axis: int | None = -1, kind: Any = None) -> ndarray:
    _check("sort", "a", a)
    if kind not in STABLE:
        raise ValueError(f"kind='{kind}' is not supported")
    return ndarray(np.sort(on_host(machine, a), axis), machine)


def _argsort(machine: Machine, a: Any, axis: int | None = -1, kind: Any = None) -> ndarray:
    _check("argsort", "a", a)
    if kind not in STABLE:
        raise ValueError(f"kind='{kind}' is not supported")
    return ndarray(np.argsort(on_host(machine, a), axis, kind="stable"), machine)


def _get_array_module(machine: Machine, *given: Any) -> Any:
    raise NotImplementedError("the stand-in has no get_array_module: a backend knows its xp")


SPECIAL: dict[str, Callable[..., Any]] = {
    **{name: _array(getattr(np, name)) for name in ("array", "asarray", "asanyarray", "ascontiguousarray")},
    "asfortranarray": _array(np.asfortranarray),
    "asnumpy": _asnumpy,
    "empty": _empty,
    "empty_like": _empty_like,
    "sort": _sort,
    "argsort": _argsort,
    "get_array_module": _get_array_module,
}
