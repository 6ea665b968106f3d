"""Compile a CUDA text so that every access to memory and every basic block calls ``profiler.h``.

The compiler's ThreadSanitizer and coverage passes insert the calls. They reach the assembly, where each is near a
``.loc`` directive with its file and line. Here the assembly is edited: calls that belong to the emulation are left out,
a label follows each of the others, and a table of these labels becomes part of the library. So the address to which a
call returns leads to the line, without a debugger's tables, on Linux and macOS alike.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
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


def instrumented(assembly: str, files: Iterable[str], shared: Iterable[str]) -> Instrumented:
    """Edit the assembly of an instrumented compilation.

    Parameters
    ----------
    assembly : str
        The output of the compiler with ``-S -g1``.
    files : iterable of str
        Names of the files whose accesses count: those of the kernels.
    shared : iterable of str
        Names of the arrays in shared memory.
    """
    kept, names = list[str | Site](), {}
    files, shared = set(files), set(shared)
    numbers: dict[str, str] = {}
    sizes: dict[str, int] = {}
    now: tuple[str, int] = ("", 0)
    last = now  # the last line of a kernel
    block: Site | None = None
    followed = False  # whether the current function is one of the kernels' text
    for text in assembly.replace("__tsan_mem", "mem").splitlines():  # clang replaces memset, memcpy and memmove
        if match := _FILE.match(text):
            numbers[match[1]] = Path(match[2]).name
        elif match := _LOC.match(text):
            if int(match[2]):  # 0: a line that the compiler made up
                now = numbers.get(match[1], ""), int(match[2])
                last = now if now[0] in files else last
        elif match := _CALL.match(text):
            hook, inside = match[1], now[0] in files
            accesses = hook != _BLOCK and (inside or followed)  # those of a vector are in an inlined function
            if hook == _BLOCK:  # it may begin with an inlined function of the emulation, before lines of the kernel
                block = Site(hook, text, now, {now} if inside else set())
                kept.append(block)
            elif hook == "__tsan_func_entry":
                followed = inside
            if followed if hook.startswith("__tsan_func") else accesses:
                kept.append(Site(hook, text, now if inside else last))
            continue
        elif block and now[0] in files and _INSTRUCTION.match(text):
            block.lines.add(now)
            if _JUMP.match(text):
                block.branch = now
        elif match := _SIZED.match(text):
            sizes[match[1]] = int(match[2])
        elif _FUNCTION.match(text):
            block, followed = None, False
        kept.append(text)
    sites = [site for site in kept if isinstance(site, Site) and (site.lines or site.hook != _BLOCK)]
    numbered = {id(site): number for number, site in enumerate(sites)}
    for site in sites:
        if site.lines and site.line[0] not in files:
            site.line = min(site.lines)
    lines = list[str]()
    for one in kept:
        if isinstance(one, str):
            lines.append(one)
        elif id(one) in numbered:
            lines += [one.call, f"{_LABEL}{numbered[id(one)]}:"]
    for symbol, size in sizes.items():
        name = _name(symbol)
        if name in shared:
            names[symbol] = name, size
    lines += [".data", ".p2align 3", f".globl {_PREFIX}gpusolve_sites", f"{_PREFIX}gpusolve_sites:"]
    lines += [f".quad {_LABEL}{number}" for number in range(len(sites))] + [".quad 0"]
    lines += [f".globl {_PREFIX}gpusolve_shared", f"{_PREFIX}gpusolve_shared:"]
    lines += [f".quad {_PREFIX}{symbol}" for symbol in names] + [".quad 0", ""]
    return Instrumented("\n".join(lines), sites, names)


_BLOCK = "__sanitizer_cov_trace_pc"
_LABEL, _PREFIX = ("Lgpusolve_site", "_") if sys.platform == "darwin" else (".Lgpusolve_site", "")


def _name(symbol: str) -> str:
    """Return the name of a function's static variable from its symbol.

    >>> _name("_ZZ9partitionE5cells"), _name("_ZZ3oneE5cells_0"), _name("_ZZN3two3oneEvE1x")
    ('cells', 'cells', 'x')
    """
    match = _LOCAL.match(symbol)
    return match[2][: int(match[1])] if match else ""
