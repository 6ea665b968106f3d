"""A program: a game's kernels as CUDA C++ and as Numba twins, and the check of a launch's arguments.

The CUDA text declares everything once: the names and types of the parameters, the shape of each array in brackets after
its name, and in ``EACH_ITEM(item, THREADS)`` the number of threads that share an item::

    extern "C" __global__ void patterns(int first, int last,
            const u8* __restrict__ terms /*[][columns]*/, int columns, u8* __restrict__ out /*[last][columns]*/) {
        EACH_ITEM(g, BLOCK) { ... }
    }

A shape is an expression of the kernel's numbers and of ``#define`` constants; ``[]`` is any length. An array can have
more rows than the first bracket says, but not fewer; the other brackets are exact. On every device a launch refuses
arguments that do not fit, because a kernel with a wrong pointer fails silently.

A kernel for several types is written once, as a template that says which kernels it stands for::

    template <class T /*patterns_16: u16, patterns_32: u32*/> __global__ void patterns(int first, int last, ...)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.resources import kernels_dir

MOST_ITEMS = 2**31 - 1
"""Largest number of items of a launch: `last` is an int."""

TYPES = {
    "bool": "?", "char": "i1", "short": "i2", "int": "i4", "i64": "i8", "long long": "i8",
    "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "unsigned": "u4", "unsigned char": "u1", "signed char": "i1",
    "unsigned short": "u2", "unsigned int": "u4", "unsigned long long": "u8", "float": "f4", "double": "f8",
}  # fmt: skip
"""Type of a parameter -> dtype of the number, or of the array that the pointer leads to."""
VECTORS = {"int2": ("i4", 2), "int4": ("i4", 4), "uint2": ("u4", 2), "uint4": ("u4", 4)}
"""For pointers only: dtype and length of the array's last axis."""

_INCLUDE = re.compile(r'^#include "(\w+\.cuh)"\n', re.MULTILINE)
_TEMPLATE = re.compile(
    r"^template <class T /\*([^*]+)\*/>\s(__global__ void [^{]*?)\w+(\(int first.*?^\}\n)", re.MULTILINE | re.DOTALL
)
_KERNEL = re.compile(
    r'extern "C" __global__ void (?:__launch_bounds__\((?:[^()]|\([^()]*\))+\) )?'
    r'(\w+)\(((?:[^()]|\([^()]*\))*)\)(.*?)(?=extern "C"|\Z)',
    re.DOTALL,
)
_PARAMETER = re.compile(r"([\w\s*]+?)\s*\b(\w+)\s*(?:/\*((?:\[[^\]]*\])+)\*/)?")
_ITEMS = re.compile(r"\bEACH_ITEM\(\w+, (\w+)\)")
_CONSTANT = re.compile(r"^#define (\w+) +([\w+*/()<\- ]+?) *(?://.*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Parameter:
    """A parameter: its C type without ``const``, and its shape as Python expressions (None if not given)."""

    name: str
    type: str
    constant: bool
    shape: tuple[str | None, ...] | None = None

    @property
    def is_array(self) -> bool:
        """Whether the parameter is a pointer."""
        return self.type.endswith("*")

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

    def check(self, count: int, arguments: tuple[Any, ...], array_type: Any) -> None:
        """Check the number of items and the arguments of a launch, which follow ``first, last``.

        Raises
        ------
        TypeError
            For a wrong number of arguments, or an argument of a wrong type or memory layout.
        ValueError
            For an array of a wrong shape, or too many items.
        OverflowError
            For a number that its parameter cannot hold.
        """
        if len(arguments) != len(self.parameters) - 2 or not self._suits(count, array_type, *arguments):
            self._look_closer(count, arguments, array_type)

    @cached_property
    def _suits(self) -> Callable[..., bool]:
        """A fast check: (last, array type, arguments...) -> whether all arguments have the usual types and shapes.

        It is a single expression generated from the kernel's declaration, fast enough for small launches. Anything
        unusual, such as NumPy's numbers, is left to `_look_closer`.
        """
        terms, shapes, types = [f"0 <= last <= {MOST_ITEMS}"], [], {}
        names = []
        for number, parameter in enumerate(self.parameters[2:]):
            name = f"_{number}" if parameter.is_array else parameter.name
            names.append(name)
            if not parameter.is_array:
                kind = {"i": "int", "u": "int", "b": "bool"}.get(parameter.dtype.kind, "float")
                terms.append(f"type({name}) is {kind}")
                if kind == "int":
                    terms.append(f"{_least(parameter.dtype)} <= {name} <= {_most(parameter.dtype)}")
                continue
            types[f"{name}_type"] = parameter.dtype
            terms.append(f"isinstance({name}, _array) and {name}.dtype == {name}_type and {name}.flags.c_contiguous")
            if not parameter.constant:
                terms.append(f"getattr({name}.flags, 'writeable', True)")
            if parameter.shape is not None:
                shapes.append(f"{name}.ndim == {len(parameter.shape)}")
                for axis, size in enumerate(parameter.shape):
                    if size is not None:
                        shapes.append(f"{name}.shape[{axis}] {'==' if axis else '>='} ({size})")
        builtins = {
            "isinstance": isinstance,
            "getattr": getattr,
            "type": type,
            "int": int,
            "bool": bool,
            "float": float,
        }
        known = {"__builtins__": builtins, "first": 0, **self.constants, **types}
        suits: Callable[..., bool] = eval(
            f"lambda last, _array, {', '.join(names)}: {' and '.join(terms + shapes)}", known
        )
        return suits

    def _look_closer(self, count: int, arguments: tuple[Any, ...], array_type: Any) -> None:
        if not 0 <= count <= MOST_ITEMS:
            raise ValueError(f"{self.name}: {count} items: expected 0 to {MOST_ITEMS}")
        expected = self.parameters[2:]
        if len(arguments) != len(expected):
            names = ", ".join(parameter.name for parameter in expected)
            raise TypeError(
                f"{self.name}(first, last, {names}) takes {len(expected)} arguments here, not {len(arguments)}"
            )
        known = {"first": 0, "last": count, **self.constants}
        for parameter, value in zip(expected, arguments, strict=True):
            if not parameter.is_array:
                known[parameter.name] = self._number(parameter, value)
        for parameter, value in zip(expected, arguments, strict=True):
            if parameter.is_array:
                self._array(parameter, value, array_type, known)

    def _number(self, parameter: Parameter, value: Any) -> Any:
        dtype = parameter.dtype
        whole = dtype.kind in "iub"
        if not isinstance(value, (int, np.integer, np.bool_) if whole else (int, float, np.integer, np.floating)):
            raise TypeError(f"{self._place(parameter)} expects a number of type {dtype}, not {type(value).__name__}")
        number = value.item() if isinstance(value, np.generic) else value
        if dtype.kind in "iu" and not _least(dtype) <= number <= _most(dtype):
            raise OverflowError(f"{self._place(parameter)} cannot hold {number}")
        return number

    def _array(self, parameter: Parameter, value: Any, array_type: Any, known: dict[str, Any]) -> None:
        if not isinstance(value, array_type):
            raise TypeError(f"{self._place(parameter)} expects an array of the device, not {type(value).__name__}")
        if value.dtype != parameter.dtype and not (parameter.dtype == np.uint8 and value.dtype == np.bool_):
            raise TypeError(f"{self._place(parameter)} expects an array of {parameter.dtype}, not of {value.dtype}")
        if not value.flags.c_contiguous:
            raise TypeError(f"{self._place(parameter)} expects a C-contiguous array")
        if not parameter.constant and getattr(value.flags, "writeable", True) is False:
            raise TypeError(f"{self._place(parameter)} writes to its array, and this one is read-only")
        if parameter.shape is None:
            return
        expected = [None if size is None else eval(size, {"__builtins__": {}}, known) for size in parameter.shape]
        rows, *rest = expected
        shape = value.shape
        if (
            len(shape) != len(expected)
            or (rows is not None and shape[0] < rows)
            or any(size is not None and size != length for size, length in zip(rest, shape[1:], strict=True))
        ):
            text = "".join(f"[{'' if size is None else size}]" for size in expected)
            raise ValueError(f"{self._place(parameter)} expects an array of shape {text}, not {shape}")

    def _place(self, parameter: Parameter) -> str:
        return f"{self.name}: {parameter.type} {parameter.name}"


@dataclass(frozen=True, eq=False)
class Program:
    """A game's kernels: a ``.cu`` file (`source`), and the module with the Numba functions for the CPU (`twins`).

    Both are read at the first launch, and only once.
    """

    source: Path
    twins: str

    @property
    def name(self) -> str:
        """The name of the file without its suffix."""
        return self.source.stem

    @cached_property
    def text(self) -> str:
        """The CUDA text with the headers inserted and the templates instantiated: every compiler gets this text."""
        text, name = self.source.read_text(encoding="utf-8"), self.source.name
        return insert_headers(instantiate(text, name), name)

    @cached_property
    def kernels(self) -> dict[str, Kernel]:
        """The kernels by name, in the order of the text."""
        return parse_kernels(self.text)

    def kernel(self, name: str) -> Kernel:
        """Return a kernel by its name. Raises ValueError if the text has no such kernel."""
        kernel = self.kernels.get(name)
        if kernel is None:
            raise ValueError(
                f"{self.source.name} has no kernel {name}, only {', '.join(self.kernels) or 'no kernel at all'}"
            )
        return kernel

    @cached_property
    def twin(self) -> Callable[[str], Callable[..., None]]:
        """The function that returns the Numba function of a kernel by its name."""
        module = import_module(self.twins)
        return cache(lambda name: getattr(module, self.kernel(name).name))


def insert_headers(text: str, name: str) -> str:
    """Insert headers from ``kernels/`` for their includes in `text`, the content of the CUDA file called `name`.

    Compilers still report the right file and line. Raises ValueError unless the first header is ``common.cuh``, each is
    included once, and none includes another.
    """
    headers = _INCLUDE.findall(text)
    if headers[:1] != ["common.cuh"] or len({*headers}) < len(headers) or text.count("#include") != len(headers):
        raise ValueError(f"{name} must include common.cuh first, then only other headers of kernels/, each once")

    def inserted(include: re.Match[str]) -> str:
        header = (kernels_dir() / include[1]).read_text(encoding="utf-8")
        if "#include" in header:
            raise ValueError(f"{include[1]} must not include anything: {name} includes all headers")
        line = text.count("\n", 0, include.end()) + 1
        return f'#line 1 "{include[1]}"\n{header}\n#line {line} "{name}"\n'

    return _INCLUDE.sub(inserted, text)


def instantiate(text: str, name: str) -> str:
    r"""Write each kernel that is a template once for each of its types, with ``extern "C"``, in the file called `name`.

    A compiler would give the instances names that a launch cannot know. All instances have the template's lines.

    >>> text = "template <class T /*one: u8, two: u16*/> __global__ void f(int first, int last, T* x) {\n}\n"
    >>> print(instantiate(text, "x.cu"), end="")
    #line 1 "x.cu"
    extern "C" __global__ void one(int first, int last, u8* x) {
    }
    #line 1 "x.cu"
    extern "C" __global__ void two(int first, int last, u16* x) {
    }
    """

    def instances(template: re.Match[str]) -> str:
        declared, before, after = template.groups()
        line = text.count("\n", 0, template.start(2)) + 1
        kernels = [kernel.split(": ") for kernel in declared.split(", ")]
        return "".join(
            f'#line {line} "{name}"\nextern "C" ' + re.sub(r"\bT\b", kind, f"{before}{kernel}{after}")
            for kernel, kind in kernels
        )

    return _TEMPLATE.sub(instances, text)


def parse_kernels(text: str) -> dict[str, Kernel]:
    """Parse all ``extern "C" __global__`` functions of a CUDA text, and return the kernels by name.

    Raises ValueError for a parameter that cannot be parsed or has an unknown type, and unless the first two are
    ``int first, int last``.

    >>> kernels = parse_kernels('extern "C" __global__ void twice(int first, int last, const u8* __restrict__ x) {}')
    >>> [(p.type, p.name, p.constant) for p in kernels["twice"].parameters[2:]], kernels["twice"].threads
    ([('u8*', 'x', True)], 1)
    """
    constants = _constants(text)
    kernels = {}
    for name, declared, body in _KERNEL.findall(text):
        parameters = tuple(_parameter(name, words) for words in declared.split(","))
        if [(p.type, p.name) for p in parameters[:2]] != [("int", "first"), ("int", "last")]:
            raise ValueError(f"{name}: the first two parameters must be int first, int last")
        threads = {_evaluate(words, constants) for words in _ITEMS.findall(body)}
        if len(threads) > 1:
            raise ValueError(
                f"{name}: EACH_ITEM with {', '.join(map(str, sorted(threads)))} threads: expected one number"
            )
        kernels[name] = Kernel(name, threads.pop() if threads else 1, parameters, constants)
    return kernels


def _parameter(kernel: str, text: str) -> Parameter:
    words = text.replace("__restrict__", " ").strip()
    match = _PARAMETER.fullmatch(words)
    if match is None:
        raise ValueError(f"{kernel}: the parameter '{words}' cannot be read")
    declared, name, brackets = match.groups()
    stars = declared.count("*")
    kind = " ".join(word for word in declared.replace("*", " ").split() if word != "const")
    if stars > 1 or not (kind in TYPES or (stars and kind in VECTORS)):
        raise ValueError(
            f"{kernel}: {kind}{'*' * stars} {name}: this type is not among {', '.join([*TYPES, *VECTORS])}"
        )
    shape = None
    if brackets:
        lengths = re.findall(r"\[([^\]]*)\]", brackets)
        shape = tuple(_python(length) if length else None for length in lengths)
    return Parameter(name, kind + "*" * stars, "const" in declared.split(), shape)


def _constants(text: str) -> dict[str, int]:
    """Return the ``#define`` constants that are integers or integer expressions."""
    constants: dict[str, int] = {}
    for name, value in _CONSTANT.findall(text):
        try:
            constants[name] = int(_evaluate(value, constants))
        except (NameError, SyntaxError, TypeError, ValueError):
            continue  # a macro of another kind
    return constants


def _evaluate(text: str, known: dict[str, int]) -> Any:
    return eval(_python(text), {"__builtins__": {}}, known)


def _python(text: str) -> str:
    return text.strip().replace("/", "//")


@cache
def _least(dtype: np.dtype[Any]) -> int:
    return int(np.iinfo(dtype).min)


@cache
def _most(dtype: np.dtype[Any]) -> int:
    return int(np.iinfo(dtype).max)
