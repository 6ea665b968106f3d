"""Compile a CUDA text so that every access to memory and every basic block calls ``profiler.h``.

The compiler's ThreadSanitizer and coverage passes insert the calls. They reach the assembly, where each is near a
``.loc`` directive with its file and line. Here the assembly is edited: calls that belong to the emulation are left out,
a label follows each of the others, and a table of these labels becomes part of the library. So the address to which a
call returns leads to the line, without a debugger's tables, on Linux and macOS alike.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_FILE = re.compile(r'\s*\.file\s+(\d+)\s+(?:"[^"]*"\s+)?"([^"]*)"')
_LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
_CALL = re.compile(r"\s*(?:call|callq|bl)\s+_?(__tsan_\w+|__sanitizer_cov_trace_pc)(?:@PLT)?\s*(?:[#;/].*)?$")
_JUMP = re.compile(r"\s*(?:j(?!mp)[a-z]+|b\.[a-z]+|cbn?z|tbn?z)\s")
_FUNCTION = re.compile(r"(?!L)[A-Za-z_][\w.$]*:")
_INSTRUCTION = re.compile(r"\s+[a-z]")
_SIZED = re.compile(r"\s*\.(?:comm|lcomm|size|zerofill \w+,\w+,)\s*_?(_ZZ\w+),\s*(\d+)")
_LOCAL = re.compile(r"_ZZ.*E(\d+)(\w+)$")
AROUND_SHARED = 1 << 18
"""Bytes behind each array in shared memory that nobody uses, so that a wrong index is noticed."""
_BLOCK = "__sanitizer_cov_trace_pc"
_LABEL, _PREFIX = ("Lgpusolve_site", "_") if sys.platform == "darwin" else (".Lgpusolve_site", "")


@dataclass
class Site:
    """A place in the code: the call of a hook.

    `lines` are the lines of a basic block, and `branch` is that of the jump at its end. A line is a file and a number.
    """

    hook: str
    call: str
    line: tuple[str, int]
    lines: set[tuple[str, int]] = field(default_factory=set)
    branch: tuple[str, int] | None = None


@dataclass(frozen=True)
class Instrumented:
    """The edited assembly, its sites in the order of their table, and names and bytes of shared arrays by symbol."""

    assembly: str
    sites: list[Site]
    shared: dict[str, tuple[str, int]]


def instrumented(assembly: str, files: Iterable[str], shared: Collection[str]) -> Instrumented:
    """Edit the assembly of an instrumented compilation.

    Parameters
    ----------
    assembly : str
        The output of the compiler with ``-S -g1``.
    files : iterable of str
        Names of the files whose accesses count: those of the kernels.
    shared : collection of str
        Names of the arrays in shared memory.
    """
    reader = _Reader(frozenset(files))
    for text in assembly.replace("__tsan_mem", "mem").splitlines():  # clang replaces memset, memcpy and memmove
        reader.read(text)
    sites = [one for one in reader.kept if isinstance(one, Site) and (one.lines or one.hook != _BLOCK)]
    for site in sites:
        if site.lines and site.line[0] not in reader.files:
            site.line = min(site.lines)
    names = {symbol: (_name(symbol), size) for symbol, size in reader.sizes.items() if _name(symbol) in shared}
    lines = (_wider(line, names) for line in _labelled(reader.kept, sites))
    return Instrumented("\n".join([*lines, *_tables(len(sites), names)]), sites, names)


@dataclass
class _Reader:
    """Reads an assembly line by line. It keeps the lines, sites in place of calls, and bytes of static variables."""

    files: frozenset[str]
    kept: list[str | Site] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    """Files by their numbers in ``.loc``."""
    _line: tuple[str, int] = ("", 0)
    _kernel_line: tuple[str, int] = ("", 0)
    """The last line of a kernel."""
    _block: Site | None = None
    _followed: bool = False
    """Whether the current function is one of the kernels' text."""

    def read(self, text: str) -> None:
        """Read the next line."""
        if match := _CALL.match(text):
            self._hook(match[1], text)
            return
        self.kept.append(text)
        if match := _FILE.match(text):
            self._names[match[1]] = Path(match[2]).name
        elif match := _LOC.match(text):
            self._move_to(match[1], int(match[2]))
        elif self._block and self._inside and _INSTRUCTION.match(text):
            self._block.lines.add(self._line)
            if _JUMP.match(text):
                self._block.branch = self._line
        elif match := _SIZED.match(text):
            self.sizes[match[1]] = int(match[2])
        elif _FUNCTION.match(text):
            self._block, self._followed = None, False

    @property
    def _inside(self) -> bool:
        return self._line[0] in self.files

    def _move_to(self, file: str, number: int) -> None:
        if number:  # 0: a line that the compiler made up
            self._line = self._names.get(file, ""), number
            if self._inside:
                self._kernel_line = self._line

    def _hook(self, hook: str, call: str) -> None:
        """Keep a call if it belongs to a kernel and not to the emulation."""
        if hook == _BLOCK:  # it may begin with an inlined function of the emulation, before lines of the kernel
            self._block = Site(hook, call, self._line, {self._line} if self._inside else set())
            self.kept.append(self._block)
            return
        if hook == "__tsan_func_entry":
            self._followed = self._inside
        of_function = hook.startswith("__tsan_func")
        if self._followed or (self._inside and not of_function):  # accesses of a vector are in an inlined function
            self.kept.append(Site(hook, call, self._line if self._inside else self._kernel_line))


def _labelled(kept: Iterable[str | Site], sites: Iterable[Site]) -> Iterator[str]:
    """Yield the lines of the assembly, with a label behind the call of each of these sites, and without other calls."""
    numbers = {id(site): number for number, site in enumerate(sites)}
    for one in kept:
        if isinstance(one, str):
            yield one
        elif id(one) in numbers:
            yield one.call
            yield f"{_LABEL}{numbers[id(one)]}:"


def _wider(line: str, shared: Collection[str]) -> str:
    """Return a line of the assembly that makes room behind an array in shared memory, or the line as it is."""
    match = _SIZED.match(line)
    if match is None or match[1] not in shared or ".size" in line:
        return line
    return line[: match.start(2)] + str(int(match[2]) + AROUND_SHARED) + line[match.end(2) :]


def _tables(count: int, shared: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the tables ``gpusolve_sites`` and ``gpusolve_shared``, each with a zero at its end."""
    yield from (".data", ".p2align 3")
    labels = [f"{_LABEL}{number}" for number in range(count)]
    symbols = [f"{_PREFIX}{symbol}" for symbol in shared]
    for table, addresses in (("gpusolve_sites", labels), ("gpusolve_shared", symbols)):
        yield from (f".globl {_PREFIX}{table}", f"{_PREFIX}{table}:")
        yield from (f".quad {address}" for address in [*addresses, "0"])
    yield ""


def _name(symbol: str) -> str:
    """Return the name of a function's static variable from its symbol.

    >>> _name("_ZZ9partitionE5cells"), _name("_ZZ3oneE5cells_0"), _name("_ZZN3two3oneEvE1x")
    ('cells', 'cells', 'x')
    """
    match = _LOCAL.match(symbol)
    return match[2][: int(match[1])] if match else ""
