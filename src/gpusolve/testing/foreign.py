"""Other people's kernels: a CUDA file as it is, with its host code, as a text that the emulation and NVRTC take.

Kernels of gpusolve follow a contract (``kernels/common.cuh``). Those of other people do not: they have any parameters,
are templates, include headers of the toolkit, and lie beside functions that launch them. `adapted` changes such a text
line by line, so that every line keeps its number:

- Headers of the toolkit and of C are left out, because the emulation has what they declare. Others are inserted.
- Functions that run on the host and call CUDA are left out, and so are variables of the host and declarations of
  kernels.
- Each kernel becomes ``extern "C" __global__ void name(...)``. A template is written out for the given arguments, or
  else left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.kernel import Kernel
from gpusolve.backend.program import parse_kernels
from gpusolve.testing import emulation, nvrtc
from gpusolve.testing.emulation import set_constants
from gpusolve.testing.extent import Extent
from gpusolve.testing.profiling.launch import profiled
from gpusolve.testing.profiling.results import Profile
from gpusolve.testing.profiling.shared_library import library
from gpusolve.testing.profiling.watching import find_races

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"][^\n]*$', re.MULTILINE)
_TOOLKIT = re.compile(
    r"(cuda|cooperative_groups|device_launch|helper_|math|std|string|assert|limits|float|vector_types|cstd|cmath|cfloat|"
    r"climits|iostream|algorithm|vector|chrono|time|thrust/|cub/|mma|nvtx|fstream|sstream|iomanip|random|memory|utility)"
)
_OURS = {"cooperative_groups.h": "cooperative_groups.cuh", "cuda_fp16.h": "half.cuh"}
"""Headers of the toolkit whose functions are written here."""
_KERNEL = re.compile(
    r'(template\s*<(?P<given>[^<>]*)>\s*)?(?:extern\s*"."\s*)?(?:(?:static|inline)\s+)*__global__\s+(?:static\s+)?'
    r"(?:void\s+(?P<bounds>__launch_bounds__\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?|"
    r"(?P<early>__launch_bounds__\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)void\s+)(?P<name>\w+)\s*\("
)
_HOST = re.compile(r"<<<|\bcuda[A-Z]\w*|\bcu[A-Z]\w*\(|\bprintf\s*\(|\bmalloc\s*\(|\bstd::|\bcheckCudaErrors\b")
_MAIN = re.compile(r"\bmain\s*\(")
_DEVICE = re.compile(
    r"__device__|__constant__|__shared__|\bconst(?:expr)?\b|\btypedef\b|\bnamespace\b|\busing\b|\bextern\b"
)
_END = re.compile(r"[{;]|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*$", re.MULTILINE)
"""The brace or the end of a definition, or a line of the preprocessor."""
_INSTANCE = re.compile(r"\s*template\s+(?!<)")
_OPENED = re.compile(r'(extern\s*"."|namespace(\s+\w+)?)\s*$')
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Source:
    """A CUDA text that was adapted, and the file that it is from."""

    text: str
    source: Path

    @classmethod
    def read(cls, source: str | Path, *, wanted: Sequence[str] = ()) -> Source:
        """Adapt a file, or a text. `wanted` has the templates to write out, such as ``matrixMul<32>``.

        Raises
        ------
        ValueError
            If a header that is not of the toolkit is missing, or the text has no such template.
        """
        if isinstance(source, Path):
            return cls(adapted(source.read_text(encoding="utf-8"), source.name, source.parent, wanted), source)
        return cls(adapted(source, "kernels.cu", None, wanted), Path("kernels.cu"))

    def kernel(self, name: str) -> Kernel:
        """Return a kernel by its name. Raises ValueError if the text has no such kernel."""
        kernels = parse_kernels(self.text, any_type=True)
        if (found := kernels.get(plain_name(name))) is None:
            raise ValueError(
                f"{self.source.name} has no kernel {name}, only {', '.join(kernels) or 'no kernel at all'}"
            )
        return found


def run_kernel(
    source: str | Path, kernel: str, grid: int | Sequence[int], block: int | Sequence[int], *arguments: Any,
    shared_memory: int = 0, constants: Mapping[str, npt.NDArray[Any]] | None = None, check: bool = True,
) -> None:  # fmt: skip
    """Run a kernel of any CUDA text on the CPU, as ``kernel<<<grid, block, shared_memory>>>(...)`` would on a GPU.

    Parameters
    ----------
    source : Path or str
        The ``.cu`` file, or its text. Functions that run on the host may be in it.
    kernel : str
        Name of the kernel; a template with its arguments, such as ``matrixMul<32>``.
    grid, block : int or sequence of int
        Number of blocks, and of threads per block, in up to three dimensions.
    *arguments
        An array of NumPy for each pointer, a number for each number, and an array of a structured dtype for each
        structure. The arrays to which the kernel writes are changed.
    shared_memory : int, default 0
        Bytes of dynamic shared memory.
    constants : mapping, optional
        Name -> contents of an array in constant memory, as ``cudaMemcpyToSymbol`` copies them on a GPU.
    check : bool, default True
        Whether to follow every access, and refuse races and wrong accesses; takes about fifty times as long.

    Raises
    ------
    RuntimeError
        If there is no C++ compiler, if it refuses the text, or if the kernel fails or, with `check`, does something
        wrong. The message names the line.
    TypeError, ValueError, OverflowError
        If the text has no such kernel, or an argument does not fit its parameter.

    Examples
    --------
    >>> text = "__global__ void saxpy(int n, float a, const float* x, float* y) "
    >>> text += "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }"
    >>> x, y = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
    >>> run_kernel(text, "saxpy", 1, 32, 5, 2.0, x, y)  # doctest: +SKIP
    >>> y  # doctest: +SKIP
    array([1., 3., 5., 7., 9.], dtype=float32)
    """
    read, called, extent, values = _launched(source, kernel, grid, block, arguments, shared_memory)
    set_constants(library(read.text).code if check else emulation.built(read.text, False), constants or {})
    if check:
        if found := find_races(read.text, called, extent, values):
            raise RuntimeError("\n".join(map(str, found)))
    elif error := emulation.run(read.text, called, extent, values, reverse=False, sanitize=False):
        raise RuntimeError(error)


def profile_kernel(
    source: str | Path, kernel: str, grid: int | Sequence[int], block: int | Sequence[int], *arguments: Any,
    shared_memory: int = 0, constants: Mapping[str, npt.NDArray[Any]] | None = None, instructions: bool = True,
    arch: str = "sm_90",
) -> Profile:  # fmt: skip
    """Profile a launch of a kernel of any CUDA text, as `gpusolve.testing.profiling.profile` does for a program.

    Parameters
    ----------
    source, kernel, grid, block, arguments, shared_memory, constants
        As in `run_kernel`.
    instructions : bool, default True
        Whether NVIDIA's compiler, if it is installed, compiles the kernel and its instructions are counted.
    arch : str, default "sm_90"
        The architecture for which it does.

    Returns
    -------
    Profile
        The counts, line by line, the races and the reads of shared memory that was not written.

    Raises
    ------
    RuntimeError, TypeError, ValueError, OverflowError
        As in `run_kernel`.
    NotImplementedError
        If the compiler makes an instruction that cannot be counted.
    """
    read, called, extent, values = _launched(source, kernel, grid, block, arguments, shared_memory)
    set_constants(library(read.text).code, constants or {})
    return profiled(
        read, called, extent, values, items=extent.blocks * extent.threads, block=0, warp=0,
        arch=arch if instructions and not nvrtc.missing() else None, constants=constants or {},
    )  # fmt: skip


def _launched(
    source: str | Path, kernel: str, grid: Any, block: Any, arguments: Sequence[Any], shared_memory: int
) -> tuple[Source, Kernel, Extent, tuple[Any, ...]]:
    extent = Extent.of(grid, block, shared_memory)
    read = Source.read(source, wanted=[kernel] if "<" in kernel else [])
    called = read.kernel(kernel)
    return read, called, extent, checked(called, arguments)


def plain_name(kernel: str) -> str:
    """Return the name that an instance of a template gets.

    >>> plain_name("reduce<float, 512>"), plain_name("saxpy")
    ('reduce_float_512', 'saxpy')
    """
    return "_".join(re.findall(r"\w+", kernel))


def checked(kernel: Kernel, arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Return the arguments of a kernel; each number is checked against the type of its parameter.

    A structure is passed as a number or an array of a structured dtype of NumPy.

    Raises
    ------
    TypeError
        For a wrong number of arguments, or one of a wrong type.
    OverflowError
        For a number that its parameter cannot hold.
    """
    if len(arguments) != len(kernel.parameters):
        expected = ", ".join(f"{p.type} {p.name}" for p in kernel.parameters)
        raise TypeError(f"{kernel.name} takes {len(kernel.parameters)} arguments ({expected}), not {len(arguments)}")
    values = []
    for parameter, value in zip(kernel.parameters, arguments, strict=True):
        place = f"{kernel.name}: {parameter.type} {parameter.name}"
        if parameter.is_array:
            if not isinstance(value, np.ndarray):
                raise TypeError(f"{place} expects an array of NumPy, not {type(value).__name__}")
            if not value.flags.c_contiguous or not (parameter.constant or value.flags.writeable):
                raise TypeError(f"{place} expects an array that is C-contiguous, and writable unless it is const")
            if parameter.is_known and value.dtype != parameter.dtype:
                raise TypeError(f"{place} expects an array of {parameter.dtype}, not of {value.dtype}")
            values.append(value)
        elif parameter.is_known:
            values.append(kernel.number(parameter, value))
        else:
            values.append(np.ascontiguousarray(value))
    return tuple(values)


def adapted(text: str, name: str, folder: Path | None, wanted: Sequence[str] = ()) -> str:
    """Return a CUDA text in the form that the emulation and NVRTC take; see above."""
    text = _without_host(_with_headers(text, name, folder, set()))
    masked, pieces, end = _masked(text), [], 0
    instances: dict[str, list[str]] = {}
    for each in wanted:
        instances.setdefault(each.partition("<")[0].strip(), []).append(each)
    for match in _KERNEL.finditer(masked):
        if match.start() < end:
            continue
        kernel, close = match["name"], _closing(masked, match.end() - 1)
        body = re.match(r"\s*\{", masked[close + 1 :])
        stop = _closing(masked, close + body.end()) if body else masked.index(";", close)
        pieces.append(text[end : match.start()])
        end = stop + 1
        if not body or (match["given"] is not None and kernel not in instances):  # a declaration, or not wanted
            pieces.append("\n" * text.count("\n", match.start(), end))
            continue
        which = "bounds" if match["bounds"] else "early"
        bounds = text[match.start(which) : match.end(which)] if match[which] else ""
        head, rest = " ".join(bounds.split()) + " " * bool(bounds), text[match.end() - 1 : end]
        before = "\n" * text.count("\n", match.start(), match.start("name"))
        if match["given"] is None:
            pieces.append(f'{before}extern "C" __global__ void {head}{kernel}{rest}')
        for number, instance in enumerate(instances.pop(kernel, [])):
            written = _with_values(f"{head}\0{rest}", _arguments(match["given"] or "", instance))
            place = _line_at(text, match.start("name"), name) if number else before
            pieces.append(f'{place}extern "C" __global__ void ' + written.replace("\0", plain_name(instance)))
    if instances:
        raise ValueError(f"{name} has no template of a kernel {', '.join(sorted(instances))}")
    return f'#line 1 "{name}"\n' + "".join([*pieces, text[end:]])


def _arguments(declared: str, wanted: str) -> dict[str, str]:
    """Return the parameters of a template with their values.

    >>> _arguments("class T, int size = 4", "f<float>")
    {'T': 'float', 'size': '4'}
    """
    names = [part.partition("=") for part in declared.split(",")]
    given = [part.strip() for part in wanted.partition("<")[2].rstrip("> ").split(",")]
    if len(given) > len(names):
        raise ValueError(f"{wanted}: expected at most {len(names)} arguments of the template")
    values = [*given, *(default.strip() for _, _, default in names[len(given) :])]
    if not all(values):
        raise ValueError(f"{wanted}: expected {len(names)} arguments of the template: {declared.strip()}")
    return {name.split()[-1]: value for (name, _, _), value in zip(names, values, strict=True)}


def _with_values(text: str, known: Mapping[str, str]) -> str:
    """Replace the parameters of a template by their values.

    >>> _with_values("const T* x", {"T": "float"})
    'const float* x'
    """
    return _WORD.sub(lambda word: known.get(word[0], word[0]), text)


def _line_at(text: str, position: int, name: str) -> str:
    """Return the directive that says in which line of which file a position of the text lies."""
    start, number, file = 0, 1, name
    for match in re.finditer(r'^#line (\d+) "([^"]+)"\n', text[:position], re.MULTILINE):
        start, number, file = match.end(), int(match[1]), match[2]
    return f'\n#line {number + text.count(chr(10), start, position)} "{file}"\n'


def _with_headers(text: str, name: str, folder: Path | None, seen: set[str]) -> str:
    def inserted(include: re.Match[str]) -> str:
        header = include[2]
        own = folder / header if folder and include[1] == '"' else None
        if header in _OURS:
            own = Path(__file__).with_name(_OURS[header])
        if own is not None and own.is_file():
            if header in seen:
                return ""
            seen.add(header)
            line = text.count("\n", 0, include.end()) + 2  # of the line after it
            inner = _with_headers(own.read_text(encoding="utf-8"), own.name, own.parent, seen)
            return f'#line 1 "{own.name}"\n{inner}\n#line {line} "{name}"'
        if include[1] == "<" or _TOOLKIT.match(header):
            return ""
        raise ValueError(f"{name}: the header {header} is not beside it")

    return _INCLUDE.sub(inserted, text)


def _without_host(text: str) -> str:
    """Leave out what is only for the host: functions that call CUDA or print, ``main``, and variables."""
    masked = _masked(text)
    kept, end = [], 0
    for start, brace, stop in _definitions(masked):
        head, whole = masked[start:brace], masked[start : stop + 1]
        if brace == stop:
            left_out = ("=" in head and not _DEVICE.search(head)) or bool(_INSTANCE.match(head))
        else:
            runs = "__device__" in head or "__global__" in head
            left_out = "(" in head and not runs and bool(_HOST.search(whole) or _MAIN.search(head))
        if left_out:
            kept += [text[end:start], "\n" * text.count("\n", start, stop + 1)]
            end = stop + 1
    return "".join([*kept, text[end:]])


def _definitions(masked: str) -> Iterator[tuple[int, int, int]]:
    """Yield where each definition at the top level begins, where its brace or else its end is, and where it ends."""
    start, at = 0, 0
    while (found := _END.search(masked, at)) is not None:
        stop = found.start()
        if found[0] == "{":
            if _OPENED.search(masked[start:stop]):
                start = at = found.end()  # what is inside is at the top level, too
                continue
            stop = _closing(masked, found.start())
        if found[0] in "{;":
            yield start, found.start(), stop
        start = at = max(stop + 1, found.end())


def _closing(masked: str, opening: int) -> int:
    """Return where the bracket closes that opens at `opening`; the end of the text if it does not."""
    one, other = masked[opening], {"(": ")", "{": "}"}[masked[opening]]
    depth = 0
    for match in re.compile(re.escape(one) + "|" + re.escape(other)).finditer(masked, opening):
        depth += 1 if match[0] == one else -1
        if not depth:
            return match.start()
    return len(masked) - 1


def _masked(text: str) -> str:
    """Return the text with blanks for comments, and for what is within quotes and longer than a letter."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)

    def blank(match: re.Match[str]) -> str:
        word = match[0]
        if word == '"C"':
            return word
        return re.sub(r"[^\n]", " ", word) if word[0] == "/" else word[0] + " " * (len(word) - 2) + word[0]

    return pattern.sub(blank, text)
