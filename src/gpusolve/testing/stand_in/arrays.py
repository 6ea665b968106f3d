"""The array of the stand-in: it wraps a NumPy array and follows CuPy's rules."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from gpusolve.testing.stand_in.device import Device
from gpusolve.testing.stand_in.machine import Machine
from gpusolve.testing.stand_in.signatures import check_call, has

NUMBERS = "biufc"
"""The kinds of dtype that CuPy supports."""
KEEP_ORDER = {"array", "asarray", "asanyarray", "asfortranarray", "astype", "copy", "empty_like", "full_like"}
KEEP_ORDER |= {"ones_like", "zeros_like"}
"""Functions that keep the memory order of their argument. Any other new array is C-contiguous, unlike NumPy's."""

_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "left_shift", "rshift": "right_shift",
}  # fmt: skip
_COMPARING = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"
}  # fmt: skip
_UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}


class Flags:
    """An array's flags: CuPy has fewer than NumPy."""

    def __init__(self, host: npt.NDArray[Any]) -> None:
        self.c_contiguous = host.flags.c_contiguous
        self.f_contiguous = host.flags.f_contiguous
        self.owndata = host.flags.owndata

    def __getitem__(self, name: str) -> bool:
        return bool(getattr(self, name.lower()))


class ndarray:
    """An array on a device. As in CuPy, only `get` makes a NumPy array of it; views share their memory."""

    __slots__ = ("_host", "_machine", "_on")
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 100

    def __init__(self, host: npt.NDArray[Any], machine: Machine, on: int | None = None) -> None:
        if not isinstance(machine, Machine):
            raise NotImplementedError("arrays of the stand-in are made by functions: empty, zeros, asarray ...")
        if host.dtype.kind not in NUMBERS:
            raise ValueError(f"Unsupported dtype {host.dtype}")
        self._host, self._machine = host, machine
        self._on = machine.current if on is None else on

    # ---- properties ----

    dtype = property(lambda self: self._host.dtype)
    shape = property(lambda self: self._host.shape)
    strides = property(lambda self: self._host.strides)
    size = property(lambda self: self._host.size)
    ndim = property(lambda self: self._host.ndim)
    nbytes = property(lambda self: self._host.nbytes)
    itemsize = property(lambda self: self._host.itemsize)
    flags = property(lambda self: Flags(self._host))
    T = property(lambda self: place(self._machine, self._host.T, [self]))
    real = property(lambda self: place(self._machine, self._host.real, [self]))
    imag = property(lambda self: place(self._machine, self._host.imag, [self]))

    @property
    def device(self) -> Any:
        """The device on which the array lives."""
        return Device(self._machine, self._on)

    def __len__(self) -> int:
        return len(self._host)

    def __iter__(self) -> Iterator[ndarray]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    # ---- transfers to the host ----

    def get(self, stream: Any = None, order: Any = "C", out: Any = None, blocking: bool = True) -> npt.NDArray[Any]:
        """Return a copy on the host."""
        if out is None:
            return np.array(self._host, order="C" if order == "A" else order, copy=True)
        np.copyto(out, self._host, casting="no")
        found: npt.NDArray[Any] = out
        return found

    def item(self) -> Any:
        """Return the only element as a Python number."""
        return self._host.item()

    def tolist(self) -> Any:
        """Return nested lists of Python numbers."""
        return self._host.tolist()

    def __bool__(self) -> bool:
        return bool(self._host)

    def __int__(self) -> int:
        return int(self._host)

    def __float__(self) -> float:
        return float(self._host)

    def __complex__(self) -> complex:
        return complex(self._host)

    def __repr__(self) -> str:
        return repr(self._host)

    def __str__(self) -> str:
        return str(self._host)

    def __format__(self, spec: str) -> str:
        return format(self._host, spec)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. "
            "Please use `.get()` to construct a NumPy array explicitly."
        )

    # ---- dispatch from NumPy ----

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        name = ufunc.__name__
        if method != "__call__" or not has("ufuncs", name):
            return NotImplemented
        if any(not isinstance(value, (ndarray, np.ndarray, np.generic, bool, int, float, complex)) for value in inputs):
            return NotImplemented
        if "out" in keywords:
            (keywords["out"],) = keywords["out"]
        return apply_ufunc(self._machine, name, inputs, keywords)

    def __array_function__(self, function: Any, types: Any, given: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        name = function.__name__
        if function.__module__ != "numpy" or not has("functions", name):
            return NotImplemented
        if any(not issubclass(kind, (ndarray, np.ndarray)) for kind in types):
            return NotImplemented
        return self._machine.call_function(name, given, keywords)

    # ---- elements ----

    def __getitem__(self, index: Any) -> ndarray:
        by_array = any(isinstance(part, ndarray) for part in index) if isinstance(index, tuple) else False
        found = self._host[_index(self._machine, index)]
        if by_array or isinstance(index, ndarray):  # always a copy, although NumPy sometimes gives a view
            found = np.array(found)
        placed: ndarray = place(self._machine, found, [self])
        return placed

    def __setitem__(self, index: Any, value: Any) -> None:
        where = _index(self._machine, index)
        by_array = any(isinstance(part, np.ndarray) for part in (where if isinstance(where, tuple) else (where,)))
        if isinstance(value, ndarray):
            value = on_host(self._machine, value)
        elif np.ndim(value) and not by_array:
            raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
        if by_array and np.size(value) > 1:
            numbers = np.arange(self.size).reshape(self.shape)[where]
            if len(np.unique(numbers)) < numbers.size:
                raise ValueError("an element is set twice: on a GPU it is undefined which value stays")
        self._host[where] = value

    # ---- methods ----

    def fill(self, value: Any) -> None:
        """Set every element to a value."""
        if np.ndim(on_host(self._machine, value)):
            raise ValueError("non-scalar cupy.ndarray cannot be used for fill")
        self._host.fill(on_host(self._machine, value))

    def set(self, arr: Any, stream: Any = None) -> None:
        """Copy an array of the same dtype and shape from the host."""
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype.type} array cannot be set to {self.dtype.type} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        self._host[...] = arr

    def sort(self, axis: int = -1) -> None:
        """Sort in place."""
        if not self._host.flags.c_contiguous:
            raise NotImplementedError("Sorting non-contiguous array is not supported.")
        self._host.sort(axis)

    def argsort(self, axis: int | None = -1) -> ndarray:
        """Return the indices of a stable sort."""
        placed: ndarray = place(self._machine, self._host.argsort(axis, kind="stable"), [self])
        return placed

    def __copy__(self) -> ndarray:
        copied: ndarray = self.copy()
        return copied

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or not (has("methods", name) or has("attributes", name)):
            raise AttributeError(f"CuPy's arrays have no {name}")
        if not (has("methods", name) and hasattr(np.ndarray, name)):
            raise NotImplementedError(f"the stand-in's arrays have no {name}")

        def method(*given: Any, **keywords: Any) -> Any:
            check_call("methods", name, len(given), tuple(keywords))
            me = on_host(self._machine, self)
            found = getattr(me, name)(*on_host(self._machine, given), **on_host(self._machine, keywords))
            if name in ("dumps", "tobytes", "tofile", "dump"):
                return found
            return place(self._machine, found, [self, *given, *keywords.values()], name in KEEP_ORDER)

        return method


def _forward(ufunc: str) -> Callable[[ndarray, Any], Any]:
    return lambda self, other: _operate(self, ufunc, self, other)


def _reflected(ufunc: str) -> Callable[[ndarray, Any], Any]:
    return lambda self, other: _operate(self, ufunc, other, self)


def _in_place(ufunc: str) -> Callable[[ndarray, Any], Any]:
    return lambda self, other: _operate(self, ufunc, self, other, out=self)


def _unary(ufunc: str) -> Callable[[ndarray], Any]:
    return lambda self: apply_ufunc(self._machine, ufunc, (self,), {})


def _operate(array: ndarray, ufunc: str, *inputs: Any, **keywords: Any) -> Any:
    return apply_ufunc(array._machine, ufunc, inputs, keywords)


for _name, _ufunc in _BINARY.items():
    setattr(ndarray, f"__{_name}__", _forward(_ufunc))
    setattr(ndarray, f"__r{_name}__", _reflected(_ufunc))
    setattr(ndarray, f"__i{_name}__", _in_place(_ufunc))
for _name, _ufunc in _COMPARING.items():
    setattr(ndarray, f"__{_name}__", _forward(_ufunc))
for _name, _ufunc in _UNARY.items():
    setattr(ndarray, f"__{_name}__", _unary(_ufunc))


def apply_ufunc(machine: Machine, name: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Apply the ufunc `name` to device arrays and plain numbers. Raises TypeError for anything else."""
    check_call("ufuncs", name, len(inputs), tuple(keywords))
    out = keywords.get("out")
    for value in inputs if out is None else (*inputs, out):
        if not isinstance(value, (ndarray, np.generic, bool, int, float, complex)):
            raise TypeError(f"Unsupported type {type(value)}")
    with np.errstate(all="ignore"):  # a GPU gives no warnings
        found = getattr(np, name)(*on_host(machine, inputs), **on_host(machine, keywords))
    return place(machine, found, inputs) if out is None else out


def on_host(machine: Machine, value: Any) -> Any:
    """Return the NumPy arrays inside device arrays, also within tuples, lists and dicts.

    Raises TypeError for a NumPy array, and ValueError for an array of a device that is not current.
    """
    if isinstance(value, ndarray):
        if value._machine is not machine or value._on != machine.current:
            raise ValueError(
                f"The device where the array resides ({value._on}) is different from the current device "
                f"({machine.current}). Peer access is unavailable between these devices."
            )
        return value._host
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    if isinstance(value, (tuple, list)):
        return type(value)(on_host(machine, part) for part in value)
    if isinstance(value, dict):
        return {name: on_host(machine, part) for name, part in value.items()}
    return value


def place(machine: Machine, found: Any, sources: Any = (), keep_order: bool = False) -> Any:
    """Turn NumPy's result into device arrays: numbers become 0-d arrays, and new arrays are contiguous."""
    if isinstance(found, (tuple, list)):
        return type(found)(place(machine, part, sources, keep_order) for part in found)
    if found is None or not isinstance(found, (np.ndarray, np.generic, bool, int, float, complex)):
        return found
    host = np.asarray(found)
    for source in sources:
        if isinstance(source, ndarray) and np.may_share_memory(host, source._host):
            return ndarray(host, machine, source._on)
    return ndarray(host if keep_order else np.ascontiguousarray(host).reshape(host.shape), machine)


def _index(machine: Machine, index: Any) -> Any:
    """Return the index for NumPy: device arrays, lists and NumPy arrays become NumPy arrays, as CuPy copies them."""
    if isinstance(index, tuple):
        parts = tuple(_index(machine, part) for part in index)
        if sum(isinstance(part, np.ndarray) and part.dtype == np.bool_ for part in parts) > 1:
            raise IndexError("the stand-in, like CuPy, takes one boolean array as an index")
        return parts
    if isinstance(index, ndarray):
        return on_host(machine, index)
    if isinstance(index, (list, np.ndarray)):
        return np.asarray(index, None if len(index) else np.int32)
    if index is None or index is Ellipsis or isinstance(index, slice):
        return index
    return operator.index(index) if isinstance(index, SupportsIndex) else index
