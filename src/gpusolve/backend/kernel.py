"""A kernel as its CUDA text declares it, and what a launch does with the declaration: check arguments, make outputs.

`gpusolve.backend.program` reads the declarations.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

MOST_ITEMS = 2**31 - 1
"""Largest number of items of a launch: `last` is an int."""

TYPES = {
    "bool": "?", "char": "i1", "short": "i2", "int": "i4", "i64": "i8", "long long": "i8",
    "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "unsigned": "u4", "unsigned char": "u1", "signed char": "i1",
    "unsigned short": "u2", "unsigned int": "u4", "unsigned long long": "u8", "float": "f4", "double": "f8",
}  # fmt: skip
"""Type of a parameter -> dtype of the number, or of the array that the pointer leads to."""
TYPES |= {f"{sign}int{8 * n}_t": f"{sign or 'i'}{n}" for sign in ("", "u") for n in (1, 2, 4, 8)} | {"size_t": "u8"}
VECTORS = {
    f"{name}{length}": (TYPES[kind], length)
    for name, kind in (
        ("char", "signed char"), ("uchar", "u8"), ("short", "short"), ("ushort", "u16"), ("int", "int"),
        ("uint", "u32"), ("float", "float"), ("longlong", "i64"), ("ulonglong", "u64"), ("double", "double"),
    )
    for length in ((2, 3, 4) if np.dtype(TYPES[kind]).itemsize < 8 else (2,))
}  # fmt: skip
"""For pointers only: dtype and length of the array's last axis."""

_LENGTH = re.compile(r"(\w+)(?: \+ (\d+))?")


@dataclass(frozen=True)
class Parameter:
    """A parameter: its C type without ``const``, and its shape as Python expressions (None if not given).

    `changed` says that the contents of an array that is written matter: the kernel reads them, or leaves some.
    """

    name: str
    type: str
    constant: bool
    shape: tuple[str | None, ...] | None = None
    changed: bool = False

    @property
    def python_name(self) -> str:
        """The name in Python, as a twin has it: a word of Python, such as ``in`` or ``lambda``, has ``_`` behind it."""
        return self.name + "_" * keyword.iskeyword(self.name)

    @property
    def is_array(self) -> bool:
        """Whether the parameter is a pointer."""
        return self.type.endswith("*")

    @property
    def is_known(self) -> bool:
        """Whether the type is among TYPES or, for a pointer, VECTORS; other people's kernels have others, too."""
        return self.type.rstrip("*") in TYPES or (self.is_array and self.type.rstrip("*") in VECTORS)

    @property
    def is_output(self) -> bool:
        """Whether a launch can make the array: the kernel only writes to it, and all lengths are declared."""
        return self.is_array and not (self.constant or self.changed) and self.shape is not None and all(self.shape)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the number or of the array's elements."""
        element = self.type.rstrip("*")
        return np.dtype(VECTORS[element][0] if element in VECTORS else TYPES[element])


@dataclass(frozen=True)
class Kernel:
    """A kernel as its CUDA text declares it. `threads` is the number of threads that share an item: 1, 32 or 256."""

    name: str
    threads: int
    parameters: tuple[Parameter, ...]
    constants: Mapping[str, int]

    @property
    def has_range(self) -> bool:
        """Whether the first parameters are ``int first, int last``, as in every kernel of a program."""
        return [(p.type, p.name) for p in self.parameters[:2]] == [("int", "first"), ("int", "last")]

    @cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """The parameters that a launch needs: neither outputs nor numbers that are the length of an array's axis."""
        return tuple(p for p in self.parameters[2:] if not p.is_output and p.python_name not in self._lengths)

    def complete(
        self, count: int, arguments: tuple[Any, ...], array_type: Any, empty: Callable[..., Any]
    ) -> tuple[tuple[Any, ...], Any]:
        """Check the arguments of a launch, and make the arrays for its results.

        Parameters
        ----------
        count : int
            Number of items.
        arguments : tuple
            The kernel's `inputs`, or all parameters that follow ``first, last``, with arrays to write to.
        array_type : type
            Type of the device's arrays.
        empty : callable
            Makes an array of a shape and a dtype.

        Returns
        -------
        arguments : tuple
            All arguments that follow ``first, last``.
        made : None, array or tuple of arrays
            The outputs if only the inputs are given: the array if there is one, otherwise a tuple.

        Raises
        ------
        TypeError
            For a wrong number of arguments, or an argument of a wrong type or memory layout.
        ValueError
            For an array of a wrong shape, or too many items.
        OverflowError
            For a number that its parameter cannot hold.
        """
        if len(arguments) == len(self.parameters) - 2:
            given, completed = self.parameters[2:], self._from_all
        elif len(arguments) == len(self.inputs):
            given, completed = self.inputs, self._from_inputs
        else:
            short, long = (", ".join(p.name for p in some) for some in (self.inputs, self.parameters[2:]))
            raise TypeError(
                f"{self.name} takes {len(self.inputs)} arguments here ({short}), or {len(self.parameters) - 2} "
                f"({long}), not {len(arguments)}"
            )
        try:
            found = completed(True, count, array_type, empty, *arguments)
        except (AttributeError, IndexError):  # a length of something that is no such array
            found = None
        if found is None:
            self._look_closer(given, count, arguments, array_type)
            found = completed(False, count, array_type, empty, *arguments)
        every, made = found
        return every, made

    @cached_property
    def _lengths(self) -> dict[str, str]:
        """The numbers that are lengths of given arrays, each with the expression that reads it off an array's `_name`.

        The first axis is the last choice, because it can be longer than declared.
        """
        numbers = {p.python_name for p in self.parameters[2:] if not p.is_array}
        axes = [
            (axis == 0, match, f"_{parameter.name}.shape[{axis}]")
            for parameter in self.parameters[2:]
            if parameter.is_array and not parameter.is_output
            for axis, size in enumerate(parameter.shape or ())
            if (match := _LENGTH.fullmatch(size or "")) and match[1] in numbers
        ]
        found: dict[str, str] = {}
        for _, match, length in sorted(axes, key=lambda about: about[0]):
            found.setdefault(match[1], f"{length} - {match[2]}" if match[2] else length)
        return found

    @cached_property
    def _from_all(self) -> Callable[..., Any]:
        return self._function(self.parameters[2:])

    @cached_property
    def _from_inputs(self) -> Callable[..., Any]:
        return self._function(self.inputs)

    def _function(self, given: tuple[Parameter, ...]) -> Callable[..., Any]:
        """Write the function that completes the arguments for these parameters, fast enough for small launches.

        Its parameters are: whether to check, last, the type of arrays, the function that makes them, and the arguments.
        It returns what `complete` does, or None if an argument is unusual, such as one of NumPy's numbers. Underscores
        keep our names apart from those of the numbers, to which shapes refer.
        """
        passed, every = (
            [f"_{p.name}" if p.is_array else p.python_name for p in some] for some in (given, self.parameters[2:])
        )
        lengths = [f"{name} = {length}" for name, length in self._lengths.items() if name not in passed]
        made = {f"_{p.name}": p for p in self.parameters[2:] if p not in given and p.is_output}
        outputs = [
            f"{name} = empty_(({', '.join(map(str, p.shape or ()))},), types_['{p.name}'])" for name, p in made.items()
        ]
        checks = [f"0 <= last <= {MOST_ITEMS}", *(check for p in given for check in _kind_checks(p))]
        checks += [check for p in given for check in _shape_checks(p)]
        lines = [
            f"def complete_(checked_, last, array_, empty_, {', '.join(passed)}):",
            *lengths,
            f"if checked_ and not ({' and '.join(checks)}): return None",
            *outputs,
            f"return ({''.join(f'{name}, ' for name in every)}), ({', '.join(made) or None})",
        ]
        types = {p.name: p.dtype for p in self.parameters[2:] if p.is_array}
        kinds = {"type_": type, "int_": int, "float_": float, "bool_": bool}
        known: dict[str, Any] = {"first": 0, **self.constants, "types_": types, **kinds}
        exec("\n    ".join(lines), known)
        function: Callable[..., Any] = known["complete_"]
        return function

    def _look_closer(
        self, given: tuple[Parameter, ...], count: int, arguments: tuple[Any, ...], array_type: Any
    ) -> None:
        """Raise an error for the argument that does not fit, if there is one."""
        if not 0 <= count <= MOST_ITEMS:
            raise ValueError(f"{self.name}: {count} items: expected 0 to {MOST_ITEMS}")
        known: dict[str, Any] = {"first": 0, "last": count, **self.constants}
        arrays = {}
        for parameter, value in zip(given, arguments, strict=True):
            if parameter.is_array:
                arrays[f"_{parameter.name}"] = value
            else:
                known[parameter.python_name] = self.number(parameter, value)
        shaped = [(parameter, arrays[f"_{parameter.name}"]) for parameter in given if parameter.is_array]
        for parameter, value in shaped:
            self._check_kind(parameter, value, array_type)
        known |= {name: eval(length, arrays) for name, length in self._lengths.items() if name not in known}
        for parameter, value in shaped:
            self._check_shape(parameter, value.shape, known)

    def number(self, parameter: Parameter, value: Any) -> Any:
        """Return a number as Python's. Raises TypeError or OverflowError if it does not fit its parameter."""
        dtype = parameter.dtype
        whole = dtype.kind in "iub"
        if not isinstance(value, (int, np.integer, np.bool_) if whole else (int, float, np.integer, np.floating)):
            raise TypeError(f"{self._place(parameter)} expects a number of type {dtype}, not {type(value).__name__}")
        number = value.item() if isinstance(value, np.generic) else value
        if dtype.kind in "iu" and not _least(dtype) <= number <= _most(dtype):
            raise OverflowError(f"{self._place(parameter)} cannot hold {number}")
        return number

    def _check_kind(self, parameter: Parameter, value: Any, array_type: Any) -> None:
        if not isinstance(value, array_type):
            raise TypeError(f"{self._place(parameter)} expects an array of the device, not {type(value).__name__}")
        if value.dtype != parameter.dtype and not (parameter.dtype == np.uint8 and value.dtype == np.bool_):
            raise TypeError(f"{self._place(parameter)} expects an array of {parameter.dtype}, not of {value.dtype}")
        if not value.flags.c_contiguous:
            raise TypeError(f"{self._place(parameter)} expects a C-contiguous array")
        if not parameter.constant and getattr(value.flags, "writeable", True) is False:
            raise TypeError(f"{self._place(parameter)} writes to its array, and this one is read-only")
        if parameter.shape is not None and len(parameter.shape) != value.ndim:
            raise self._misshapen(parameter, parameter.shape, value.shape)

    def _check_shape(self, parameter: Parameter, shape: tuple[int, ...], known: dict[str, Any]) -> None:
        declared = parameter.shape or (None,) * len(shape)
        expected = [None if size is None else eval(size, {"__builtins__": {}}, known) for size in declared]
        for axis, (size, length) in enumerate(zip(expected, shape, strict=True)):
            if size is not None and (length != size if axis else length < size):
                raise self._misshapen(parameter, expected, shape)

    def _misshapen(self, parameter: Parameter, expected: Any, shape: tuple[int, ...]) -> ValueError:
        text = "".join(f"[{'' if size is None else size}]" for size in expected)
        return ValueError(f"{self._place(parameter)} expects an array of shape {text}, not {shape}")

    def _place(self, parameter: Parameter) -> str:
        return f"{self.name}: {parameter.type} {parameter.name}"


def _kind_checks(parameter: Parameter) -> list[str]:
    """Return Python expressions that say whether an argument has the usual type, and a number a value in range."""
    name = parameter.name if parameter.is_array else parameter.python_name
    if parameter.is_array:
        checks = [f"isinstance(_{name}, array_) and _{name}.dtype == types_['{name}'] and _{name}.flags.c_contiguous"]
        return checks if parameter.constant else [*checks, f"getattr(_{name}.flags, 'writeable', True)"]
    kind = {"i": "int_", "u": "int_", "b": "bool_"}.get(parameter.dtype.kind, "float_")
    in_range = [f"{_least(parameter.dtype)} <= {name} <= {_most(parameter.dtype)}"] if kind == "int_" else []
    return [f"type_({name}) is {kind}", *in_range]


def _shape_checks(parameter: Parameter) -> list[str]:
    """Return Python expressions that say whether an array has its shape."""
    if not parameter.is_array or parameter.shape is None:
        return []
    sizes = [(axis, size) for axis, size in enumerate(parameter.shape) if size is not None]
    lengths = [f"_{parameter.name}.shape[{axis}] {'==' if axis else '>='} ({size})" for axis, size in sizes]
    return [f"_{parameter.name}.ndim == {len(parameter.shape)}", *lengths]


@cache
def _least(dtype: np.dtype[Any]) -> int:
    return int(np.iinfo(dtype).min)


@cache
def _most(dtype: np.dtype[Any]) -> int:
    return int(np.iinfo(dtype).max)
