"""Processor levels: a level is a set of instructions. All processors of a level can run the same machine code.

The x86-64 levels v2 to v4 are those of the System V ABI [1]_. v4x adds the vector instructions that all processors with
AVX-512 have since Ice Lake and Zen 4, except for floats of 16 bits. They count bits and permute bytes, which the boards
of our games are made of.

References
----------
.. [1] https://gitlab.com/x86-psABIs/x86-64-ABI
.. [2] Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2A, CPUID
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass

REGISTERS = ("1.ecx", "7.ebx", "7.ecx", "80000001.ecx", "xcr0")
"""Registers that say what an x86 processor and its operating system offer, in the order of `features` in caller.c."""
_BITS = {
    "1.ecx": "0 sse3 9 ssse3 12 fma 13 cx16 19 sse4.1 20 sse4.2 22 movbe 23 popcnt 26 xsave 28 avx 29 f16c",
    "7.ebx": "3 bmi 5 avx2 8 bmi2 16 avx512f 17 avx512dq 21 avx512ifma 28 avx512cd 30 avx512bw 31 avx512vl",
    "7.ecx": "1 avx512vbmi 6 avx512vbmi2 8 gfni 11 avx512vnni 12 avx512bitalg 14 avx512vpopcntdq",
    "80000001.ecx": "0 sahf 5 lzcnt",
}
"""The bits of the registers that stand for instructions [2]_."""
_WIDE = {"avx": 0x6, "fma": 0x6, "f16c": 0x6, "avx2": 0x6, "avx512": 0xE6}
"""Parts of the registers that the operating system has to keep: bits of XCR0, by the beginning of the instruction."""

_V2 = "cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3"
_V3 = f"{_V2} avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"
_V4 = f"{_V3} avx512bw avx512cd avx512dq avx512f avx512vl"
_V4X = "avx512bitalg avx512ifma avx512vbmi avx512vbmi2 avx512vnni avx512vpopcntdq gfni"


@dataclass(frozen=True)
class Level:
    """A processor level.

    `cpu` is its name in LLVM, `added` are instructions that it has beyond that processor, and `needed` are all that the
    machine must have. Instructions are called by LLVM's names. `machine` is the kind of processor, as Linux names it.
    """

    name: str
    cpu: str
    needed: frozenset[str]
    added: tuple[str, ...] = ()
    machine: str = "x86_64"

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables that let Numba compile for the level."""
        return {"NUMBA_CPU_NAME": self.cpu, "NUMBA_CPU_FEATURES": ",".join(f"+{name}" for name in self.added)}


_X86 = (
    Level("x86-64-v4x", "x86-64-v4", frozenset(f"{_V4} {_V4X}".split()), tuple(_V4X.split())),
    Level("x86-64-v4", "x86-64-v4", frozenset(_V4.split())),
    Level("x86-64-v3", "x86-64-v3", frozenset(_V3.split())),
    Level("x86-64-v2", "x86-64-v2", frozenset(_V2.split())),
)
EVERY = (*_X86, Level("arm64", "generic", frozenset(), machine="aarch64"))
"""All levels of all kinds of processors. Libraries can be built for other kinds than this machine's."""


def levels() -> tuple[Level, ...]:
    """Return the levels of this machine's kind of processor, the highest first; none for other kinds."""
    own = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    return tuple(level for level in EVERY if level.machine == own)


def suitable(registers: Mapping[str, int]) -> list[Level]:
    """Return the levels of a processor whose `REGISTERS` have these contents, the highest first.

    Other processors have the registers 0, and levels that need nothing.

    >>> suitable(dict.fromkeys(REGISTERS, 0)) == [level for level in levels() if not level.needed]
    True
    """
    found = instructions(registers)
    return [level for level in levels() if level.needed <= found]


def instructions(registers: Mapping[str, int]) -> set[str]:
    """Return the instructions that an x86 processor offers and its operating system supports, by LLVM's names.

    >>> sorted(instructions({"1.ecx": 1 << 12 | 1, "7.ebx": 0, "7.ecx": 0, "80000001.ecx": 32, "xcr0": 2}))
    ['lzcnt', 'sse3']
    """
    found: set[str] = set()
    for register, text in _BITS.items():
        bits, names = text.split()[::2], text.split()[1::2]
        found |= {name for bit, name in zip(bits, names, strict=True) if registers[register] >> int(bit) & 1}
    kept = registers["xcr0"]
    lost = {name for name in found for begin, mask in _WIDE.items() if name.startswith(begin) and mask & ~kept}
    return found - lost
