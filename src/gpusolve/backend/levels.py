"""Processor levels: a level is a set of instructions. All processors of a level can run the same machine code.

The x86-64 levels v2 to v4 are those of the System V ABI [1]_. v4x adds the vector instructions that all processors with
AVX-512 have since Ice Lake and Zen 4, except for floats of 16 bits. They count bits and permute bytes, which the boards
of our games are made of.

References
----------
.. [1] https://gitlab.com/x86-psABIs/x86-64-ABI
"""

from __future__ import annotations

import platform
from dataclasses import dataclass

_V2 = "cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3"
_V3 = f"{_V2} avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"
_V4 = f"{_V3} avx512bw avx512cd avx512dq avx512f avx512vl"
_V4X = "avx512bitalg avx512ifma avx512vbmi avx512vbmi2 avx512vnni avx512vpopcntdq gfni"


@dataclass(frozen=True)
class Level:
    """A processor level.

    `cpu` is its name in LLVM, `added` are instructions that it has beyond that processor, and `needed` are all that the
    machine must have. Instructions are called by LLVM's names.
    """

    name: str
    cpu: str
    needed: frozenset[str]
    added: tuple[str, ...] = ()

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
_ARM = (Level("arm64", "generic", frozenset({"neon"}), ("neon",)),)
_OF_MACHINE = {"x86_64": _X86, "AMD64": _X86, "aarch64": _ARM, "arm64": _ARM}


def levels() -> tuple[Level, ...]:
    """Return the levels of this machine's kind of processor, the highest first; none for other kinds."""
    return _OF_MACHINE.get(platform.machine(), ())


def suitable(features: str) -> list[Level]:
    """Return the levels of a processor with these features in LLVM's form, the highest first.

    >>> [level.name for level in suitable("-avx,+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3") if level in _X86]
    ['x86-64-v2']
    """
    found = {name[1:] for name in features.split(",") if name.startswith("+")}
    return [level for level in levels() if level.needed <= found]
