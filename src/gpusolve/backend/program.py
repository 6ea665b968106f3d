"""A program: a game's kernels as CUDA C++ and as Numba twins.

The CUDA text declares everything once: the names and types of the parameters, the shape of each array in brackets after
its name, and in ``EACH_ITEM(item, THREADS)`` the number of threads that share an item::

    extern "C" __global__ void patterns(int first, int last,
            const u8* __restrict__ terms /*[][columns]*/, int columns, u8* __restrict__ out /*[last][columns]*/) {
        EACH_ITEM(g, BLOCK) { ... }
    }

A shape is an expression of the kernel's numbers and of ``#define`` constants; ``[]`` is any length. An array can have
more rows than the first bracket says, but not fewer; the other brackets are exact. On every device a launch refuses
arguments that do not fit, because a kernel with a wrong pointer fails silently.

A launch needs only what it cannot find out: ``launch(program, "patterns", guesses, terms)`` reads `columns` off
`terms`, makes `out` and returns it. It makes each array that is not ``const`` and whose lengths are all declared,
unless the word ``changed`` follows the brackets: the contents of such an array matter, so the caller passes it.

A kernel for several types is written once, as a template that says which kernels it stands for::

    template <class T /*patterns_16: u16, patterns_32: u32*/> __global__ void patterns(int first, int last, ...)
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from gpusolve.backend.kernel import TYPES, VECTORS, Kernel, Parameter
from gpusolve.resources import kernels_dir

_INCLUDE = re.compile(r'^#include "(\w+\.cuh)"\n', re.MULTILINE)
_TEMPLATE = re.compile(
    r"^template <class T /\*([^*]+)\*/>\s(__global__ void [^{]*?)\w+(\(int first.*?^\}\n)", re.MULTILINE | re.DOTALL
)
_KERNEL = re.compile(
    r'extern "C" __global__ void (?:__launch_bounds__\((?:[^()]|\([^()]*\))+\) )?'
    r'(\w+)\(((?:[^()]|\([^()]*\))*)\)(.*?)(?=extern "C"|\Z)',
    re.DOTALL,
)
_PARAMETER = re.compile(r"([\w\s*]+?)\s*\b(\w+)\s*(?:/\*((?:\[[^\]]*\])+)( changed)?\*/)?")
_ITEMS = re.compile(r"\bEACH_ITEM\(\w+, (\w+)\)")
_ALIAS = re.compile(r"\btypedef\s+(unsigned\s+\w+|\w+)\s+(\w+)\s*;")
_ARRAY = re.compile(r"(\w+)\s*\[[^\]]*\]\s*$")
_CONSTANT = re.compile(r"^#define (\w+) +([\w+*/()<\- ]+?) *(?://.*)?$", re.MULTILINE)


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
        return insert_headers(instantiate(text, name), name, self.source.parent)

    @cached_property
    def kernels(self) -> dict[str, Kernel]:
        """The kernels by name, in the order of the text.

        Raises ValueError unless the first two parameters of each are ``int first, int last``.
        """
        kernels = parse_kernels(self.text)
        for name, kernel in kernels.items():
            if not kernel.has_range:
                raise ValueError(f"{name}: the first two parameters must be int first, int last")
        return kernels

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


def insert_headers(text: str, name: str, folder: Path | None = None) -> str:
    """Insert headers for their includes in `text`, the content of the CUDA file called `name`.

    They come from `folder`, that of the file, or else from gpusolve's ``kernels/``. Compilers still report the right
    file and line. Raises ValueError unless the first header is ``common.cuh``, each is included once, and none includes
    another.
    """
    headers = _INCLUDE.findall(text)
    if headers[:1] != ["common.cuh"] or len({*headers}) < len(headers) or text.count("#include") != len(headers):
        raise ValueError(f"{name} must include common.cuh first, then only headers beside it or of gpusolve, each once")

    def inserted(include: re.Match[str]) -> str:
        own = folder / include[1] if folder else None
        header = (own if own and own.is_file() else kernels_dir() / include[1]).read_text(encoding="utf-8")
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


def parse_kernels(text: str, *, any_type: bool = False) -> dict[str, Kernel]:
    """Parse all ``extern "C" __global__`` functions of a CUDA text, and return the kernels by name.

    With `any_type`, parameters may have types that only the text declares. Raises ValueError for a parameter that
    cannot be parsed or has an unknown type.

    >>> kernels = parse_kernels('extern "C" __global__ void twice(int first, int last, const u8* __restrict__ x) {}')
    >>> [(p.type, p.name, p.constant) for p in kernels["twice"].parameters[2:]], kernels["twice"].threads
    ([('u8*', 'x', True)], 1)
    """
    constants = _constants(text)
    others = {alias: kind for kind, alias in _ALIAS.findall(text)} if any_type else None
    kernels = {}
    for name, declared, body in _KERNEL.findall(text):
        parameters = tuple(_parameter(name, words, others) for words in declared.split(",") if words.strip())
        threads = {_evaluate(words, constants) for words in _ITEMS.findall(body)}
        if len(threads) > 1:
            raise ValueError(
                f"{name}: EACH_ITEM with {', '.join(map(str, sorted(threads)))} threads: expected one number"
            )
        kernels[name] = Kernel(name, threads.pop() if threads else 1, parameters, constants)
    return kernels


def _parameter(kernel: str, text: str, others: Mapping[str, str] | None) -> Parameter:
    """Read a parameter. `others` has the text's own names of types; None if there may be no such types."""
    words = text.replace("__restrict__", " ").strip()
    if others is not None:
        words = _ARRAY.sub(r"*\1", words.replace("__restrict", " ").replace("volatile ", ""))
    match = _PARAMETER.fullmatch(words)
    if match is None:
        raise ValueError(f"{kernel}: the parameter '{words}' cannot be read")
    declared, name, brackets, changed = match.groups()
    stars = declared.count("*")
    kind = " ".join(word for word in declared.replace("*", " ").split() if word != "const")
    kind = others.get(kind, kind) if others else kind
    if stars > 1 or (others is None and not (kind in TYPES or (stars and kind in VECTORS))):
        raise ValueError(
            f"{kernel}: {kind}{'*' * stars} {name}: this type is not among {', '.join([*TYPES, *VECTORS])}"
        )
    shape = None
    if brackets:
        lengths = re.findall(r"\[([^\]]*)\]", brackets)
        shape = tuple(_python(length) if length else None for length in lengths)
    return Parameter(name, kind + "*" * stars, "const" in declared.split(), shape, bool(changed))


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
    words = re.sub(r"\b[a-z]+\b", lambda word: word[0] + "_" * keyword.iskeyword(word[0]), text.strip())
    return words.replace("/", "//")
