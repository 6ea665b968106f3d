"""The CUDA text of a game and the signatures of its kernels."""

from __future__ import annotations

import re
from functools import cache

from gpusolve.resources import kernels_dir

_INCLUDE = '#include "common.cuh"\n'
_KERNEL = re.compile(r'extern "C" __global__ void (?:__launch_bounds__\(\w+\) )?(\w+)\(([^)]*)\)')


@cache
def cuda_source(game: str) -> str:
    """The text of ``kernels/<game>.cu`` with ``common.cuh`` put in place of its include.

    One self-contained text: every compiler gets the same one, and a compiled-kernel cache that is
    keyed by the text notices when either file changes.
    """
    return inline_common((kernels_dir() / f"{game}.cu").read_text(encoding="utf-8"), f"{game}.cu")


def inline_common(text: str, name: str) -> str:
    """``text``, the content of the CUDA file called ``name``, with ``common.cuh`` in place of its include.

    A compiler that complains still names ``name`` and its line, or ``common.cuh`` and its line.
    """
    if text.count(_INCLUDE) != 1:
        raise ValueError(f"{name} must include common.cuh exactly once, and nothing else")
    line = text[: text.index(_INCLUDE)].count("\n") + 2
    common = (kernels_dir() / "common.cuh").read_text(encoding="utf-8")
    return text.replace(_INCLUDE, f'#line 1 "common.cuh"\n{common}\n#line {line} "{name}"\n')


def signatures(source: str) -> dict[str, list[tuple[str, str]]]:
    """Name -> [(C type, parameter), ...] of each ``extern "C" __global__`` function of a CUDA text.

    A pointer's type ends in ``*``; ``const`` and ``__restrict__`` are left out.

    >>> signatures('extern "C" __global__ void twice(int first, int last, const u8* __restrict__ x) {}')
    {'twice': [('int', 'first'), ('int', 'last'), ('u8*', 'x')]}
    """
    found = {}
    for name, arguments in _KERNEL.findall(source):
        parameters = []
        for argument in arguments.split(","):
            words = argument.replace("__restrict__", " ").replace("*", "* ").split()
            *kind, parameter = [word for word in words if word != "const"]
            parameters.append(("".join(kind), parameter))
        found[name] = parameters
    return found
