"""What the lessons under ``docs/lessons`` use: a program from a text, the check of an exercise, and the time on a GPU.

::

    text = '''
    #include "common.cuh"

    extern "C" __global__ void twice(int first, int last, const int* in /*[last]*/, int* out /*[last]*/) {
        EACH_ITEM(item, 1) out[item] = 2 * in[item];
    }
    '''
    check(text, "twice", 64, numbers, out, expected=lambda numbers, out: 2 * numbers, most={"sectors": 16})
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
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
REFUSED = (RuntimeError, TypeError, ValueError, OverflowError)
ROUNDS = 20
HIDDEN = 2
"""Number of further launches, with data that a solution does not know."""


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
    expected: Callable[..., npt.NDArray[Any]] | npt.NDArray[Any],
    most: Mapping[str, int | float] | None = None,
    lanes: float = 0.0,
    seed: int | None = None,
) -> Checked:
    """Check an exercise: the result, wrong accesses, races, and the counts.

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
    expected : callable or ndarray
        The right contents of the last array. A function computes them from all the arguments; then the solution is also
        tried on other data, so that it cannot ignore its input: on another number of items, drawn at random from the
        items of the arguments, whose arrays have `count` rows.
    most : mapping, optional
        Upper limits, by the names in `LIMITS`; ``instructions`` are per warp, the others for the launch. Instructions
        are compared only where NVIDIA's compiler is installed.
    lanes : float, default 0
        Lower limit of the mean number of active lanes.
    seed : int, optional
        Seed of the other data. By default they are different each time.

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
    made = program(text)
    try:
        found, wrong = _tried(made, kernel, count, arguments, expected, instructions="instructions" in most)
    except REFUSED as error:
        return Checked((f"It does not run: {error}",), None)
    faults = [f"Element {wrong}."] if wrong else []
    random = np.random.default_rng(secrets.randbits(64) if seed is None else seed)
    for _ in range(HIDDEN if callable(expected) and not faults else 0):
        number, others = _other_data(count, arguments, random)
        try:
            _, wrong = _tried(made, kernel, number, others, expected, instructions=False)
        except REFUSED as error:
            faults.append(f"With {number:,} other items it does not run: {error}")
            break
        if wrong:
            faults.append(f"With {number:,} other items, element {wrong}.")
            break
    faults += [f"There is a {race}." for race in found.races]
    faults += [f"{str(fault).capitalize()}" for fault in found.faults]
    for name, limit in most.items():
        value = getattr(found, name)
        if value is not None and value > limit:
            faults.append(f"{name}: {value:,.0f}, and at most {limit:,} are needed.")
    if found.lanes < lanes:
        faults.append(f"active lanes: {found.lanes:.1f} of 32, and at least {lanes:g} are possible.")
    return Checked(tuple(faults), found)


def _tried(
    made: Program, kernel: str, count: int, arguments: Sequence[Any], expected: Any, *, instructions: bool
) -> tuple[Profile, str]:
    """Profile a launch on copies of the arguments. Return the profile, and the first wrong element of the result."""
    copies = [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]
    right = expected(*copies) if callable(expected) else expected
    found = profile(made, kernel, count, *copies, instructions=instructions)
    if np.array_equal(copies[-1], right):
        return found, ""
    at = int(np.flatnonzero((copies[-1] != right).reshape(-1))[0])
    return found, f"{at} of the result is {copies[-1].reshape(-1)[at]}, and {right.reshape(-1)[at]} was expected"


def _other_data(count: int, arguments: Sequence[Any], random: np.random.Generator) -> tuple[int, list[Any]]:
    """Return another number of items, at most `count`, and arguments with items that are drawn from the given ones."""
    number = int(random.integers(max(1, count // 2), max(2, count)))
    drawn = random.integers(0, count, number)
    return number, [
        value[drawn] if isinstance(value, np.ndarray) and value.shape[:1] == (count,) else value for value in arguments
    ]


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
