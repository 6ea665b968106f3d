"""What the lessons under ``docs/lessons`` use: a program from a text, the check of an exercise, and the time on a GPU.

::

    text = '''
    #include "common.cuh"

    extern "C" __global__ void twice(int first, int last, const int* in /*[last]*/, int* out /*[last]*/) {
        EACH_ITEM(item, 1) out[item] = 2 * in[item];
    }
    '''
    check(text, "twice", 64, numbers, out, expected=2 * numbers, most={"sectors": 16})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, Program, open_backend
from gpusolve.backend.program import insert_headers, instantiate
from gpusolve.errors import DeviceUnavailable
from gpusolve.testing.profiling import Profile, profile

NAME = "lesson.cu"
"""Name of the text in messages."""
LIMITS = ("instructions", "sectors", "conflicts", "collisions", "divergent", "barriers")
"""What a check can limit: attributes of `Profile`."""
ROUNDS = 20


def program(text: str) -> Program:
    """Return the program of a CUDA text, which includes ``common.cuh``. It has no twins.

    Parameters
    ----------
    text : str
        The text.
    """
    made = Program(Path(NAME), twins="")
    made.__dict__["text"] = insert_headers(instantiate(text.lstrip("\n"), NAME), NAME)
    return made


@dataclass(frozen=True)
class Checked:
    """The answer to an exercise: what is wrong with it, and its profile (None if it does not run)."""

    faults: tuple[str, ...]
    profile: Profile | None = field(repr=False)

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def __str__(self) -> str:
        return "\n".join(["Not yet:", *(f"- {fault}" for fault in self.faults)]) if self.faults else "Solved."


def check(
    text: str,
    kernel: str,
    count: int,
    *arguments: Any,
    expected: npt.NDArray[Any],
    most: Mapping[str, int | float] | None = None,
    lanes: float = 0.0,
) -> Checked:
    """Check an exercise: the result, races, and the counts.

    Parameters
    ----------
    text : str
        The CUDA text.
    kernel : str
        Name of its kernel.
    count : int
        Number of items.
    *arguments
        The arguments that follow ``first, last``. The last one is the array of results; it is not changed.
    expected : ndarray
        The right contents of the last array.
    most : mapping, optional
        Upper limits, by the names in `LIMITS`; ``instructions`` are per warp, the others for the launch. Instructions
        are compared only where NVIDIA's compiler is installed.
    lanes : float, default 0
        Lower limit of the mean number of active lanes.

    Returns
    -------
    Checked
        The faults, in whole sentences.

    Raises
    ------
    ValueError
        If a limit has an unknown name.
    """
    most = dict(most or {})
    if unknown := set(most) - set(LIMITS):
        raise ValueError(f"most: {', '.join(sorted(unknown))}: expected some of {', '.join(LIMITS)}")
    copies = [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]
    try:
        found = profile(program(text), kernel, count, *copies, instructions="instructions" in most)
    except (RuntimeError, TypeError, ValueError, OverflowError) as error:
        return Checked((f"It does not run: {error}",), None)
    faults = []
    if not np.array_equal(copies[-1], expected):
        at = int(np.flatnonzero((copies[-1] != expected).reshape(-1))[0])
        ours, theirs = copies[-1].reshape(-1)[at], expected.reshape(-1)[at]
        faults.append(f"Element {at} of the result is {ours}, and {theirs} was expected.")
    faults += [f"There is a {race}." for race in found.races]
    for name, limit in most.items():
        value = getattr(found, name)
        if value is not None and value > limit:
            faults.append(f"{name}: {value:,.0f}, and at most {limit:,} are needed.")
    if found.lanes < lanes:
        faults.append(f"active lanes: {found.lanes:.1f} of 32, and at least {lanes:g} are possible.")
    return Checked(tuple(faults), found)


def timed(made: Program, kernel: str, count: int, *arguments: Any, backend: Backend | None = None) -> str:
    """Return the time of a launch on this machine's GPU, or why there is none.

    Parameters
    ----------
    made : Program
        The kernels.
    kernel : str
        Name of the kernel.
    count : int
        Number of items.
    *arguments
        The arguments that follow ``first, last``, with arrays on the host.
    backend : Backend, optional
        The device; by default the first GPU.
    """
    try:
        device = backend or open_backend("cuda")
    except DeviceUnavailable as error:
        return f"not timed, because this machine has no usable GPU: {error}"
    placed = [device.asarray(value) if isinstance(value, np.ndarray) else value for value in arguments]
    times = [device.timed(lambda: device.launch(made, kernel, count, *placed)) for _ in range(ROUNDS)]
    return f"{np.median(times[1:]) * 1e6:.1f} microseconds on {device.about}"
