"""Watch the kernels that a call launches, keep their arguments, and time a launch alone on restored arguments."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np

from gpusolve.backend import Backend, Program

ROUNDS = 5
ENOUGH = 2.0  # seconds: a call that takes longer is repeated less often
LONG = 0.004  # seconds for which a launch is repeated in each round
MOST = 200  # but at most this number of times
TABLE = 256 << 20  # bytes: an array of this size that a kernel only reads is a table, which nobody changes
SHARED = {"queuedle": ["gpusolve.search.kernels"]}
"""The programs that are no game's, by the game whose calls launch all of their kernels."""
ROOMS = {"search": "gpusolve.search.permutations"}
"""Where the kernels are of a benchmark that is no game's."""
BUSY = 64 << 20  # bytes that are copied before a launch is timed, so that the host is ready when the GPU is


def programs(game: str) -> list[Program]:
    """Return the program of a game, and those that are verified and counted with it."""
    own = f"{ROOMS.get(game, f'gpusolve.games.{game}')}.kernels"
    return [import_module(room).PROGRAM for room in (own, *SHARED.get(game, ()))]


@dataclass(frozen=True)
class Launch:
    """One launch: a kernel, its number of items, and the arguments that follow ``first, last``."""

    program: Program
    kernel: str
    count: int
    arguments: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The names of the program and the kernel."""
        return f"{self.program.name}.{self.kernel}"

    @property
    def arrays(self) -> list[int]:
        """The positions of the arrays among the arguments."""
        return [number for number, value in enumerate(self.arguments) if hasattr(value, "nbytes") and value.ndim]

    @property
    def written(self) -> list[int]:
        """The positions of the arrays that the kernel may write to."""
        parameters = self.program.kernel(self.kernel).parameters[2:]
        return [number for number in self.arrays if not parameters[number].constant]

    @property
    def bytes(self) -> int:
        """Size of its arrays in bytes."""
        return sum(self.arguments[number].nbytes for number in self.arrays)

    def parameter(self, number: int) -> str:
        """Return the name of an argument."""
        return self.program.kernel(self.kernel).parameters[2 + number].name

    def copied(self, numbers: list[int], copy: Callable[[Any], Any] = lambda array: array.copy()) -> Launch:
        """Return the launch with copies of some of its arrays."""
        new = [copy(value) if number in numbers else value for number, value in enumerate(self.arguments)]
        return replace(self, arguments=tuple(new))

    def run(self, backend: Backend) -> None:
        """Launch the kernel."""
        backend.launch(self.program, self.kernel, self.count, *self.arguments)


@contextmanager
def watched(backend: Backend, see: Callable[[Launch, Callable[[], None]], None]) -> Iterator[None]:
    """Call `see` for each launch within the block, with the launch and a function that performs it."""
    launch = backend.launch

    def seen(program: Program, kernel: str, count: int, *given: Any) -> Any:
        every, made = program.kernel(kernel).complete(count, given, backend.xp.ndarray, backend.empty)
        see(Launch(program, kernel, count, every), lambda: launch(program, kernel, count, *every))
        return made

    backend.launch = seen  # type: ignore[method-assign]
    try:
        yield
    finally:
        backend.launch = launch  # type: ignore[method-assign]


@dataclass
class Longest:
    """The launches within a block, by the name of the kernel.

    `launch` has the longest launch of each kernel, with its arguments as they were before it ran; `launches` and
    `items` count all of them.
    """

    launch: dict[str, Launch] = field(default_factory=dict)
    launches: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)


@contextmanager
def longest(backend: Backend) -> Iterator[Longest]:
    """Time the launches within the block one by one, and keep the longest of each kernel."""
    found, most = Longest(), dict[str, float]()

    def see(launch: Launch, run: Callable[[], None]) -> None:
        before = launch.copied(launch.written)
        seconds, name = backend.timed(run), launch.name
        found.launches[name] += 1
        found.items[name] += launch.count
        if seconds > most.get(name, 0.0):
            most[name] = seconds
            read = [number for number in launch.arrays if number not in launch.written]
            found.launch[name] = before.copied([n for n in read if launch.arguments[n].nbytes < TABLE])

    with watched(backend, see):
        yield found


def seconds_alone(backend: Backend, launch: Launch, rounds: int = ROUNDS) -> float:
    """Return the median time of a launch in seconds. Its arrays are restored before each repetition.

    A copy keeps a GPU busy until the host has sent the launch, so that the time is the kernel's alone.
    """
    work = launch.copied(launch.written)
    busy = [backend.empty(min(BUSY, max(1, launch.bytes)), np.uint8) for _ in range(2)]

    def once() -> float:
        for number in launch.written:
            work.arguments[number][...] = launch.arguments[number]
        busy[0][...] = busy[1]
        return backend.timed(lambda: work.run(backend))

    once()
    times: list[float] = []
    while len(times) < rounds or (sum(times) < LONG * rounds and len(times) < MOST):
        times.append(once())
        if sum(times) > ENOUGH:
            break
    return median(times)


def seconds_of(backend: Backend, run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median time of a call in seconds, over up to `rounds`; `run` has been called before."""
    times: list[float] = []
    while len(times) < rounds and sum(times) < ENOUGH:
        backend.synchronize()
        begin = time.perf_counter()
        run()
        backend.synchronize()
        times.append(time.perf_counter() - begin)
    return median(times)


def difference(one: Any, other: Any) -> str:
    """Return how two results on the host differ, or "": numbers, arrays, dataclasses, and collections of them."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        if one.shape != other.shape or one.dtype != other.dtype:
            return f"{one.dtype} {one.shape} and {other.dtype} {other.shape}"
        bits = np.ascontiguousarray(one), np.ascontiguousarray(other)
        if bits[0].tobytes() == bits[1].tobytes():
            return ""
        places = np.flatnonzero((bits[0] != bits[1]).reshape(-1))
        if not len(places):
            return "the same numbers in different bits"
        at = int(places[0])
        ours, theirs = one.reshape(-1)[at], other.reshape(-1)[at]
        return f"{len(places):,} of {one.size:,} differ, the first at {at}: {ours} and {theirs}"
    if is_dataclass(one) and not isinstance(one, type):
        return difference(_parts(one), _parts(other))
    if isinstance(one, dict):
        return difference(list(one.items()), list(other.items()))
    if isinstance(one, (list, tuple)):
        if len(one) != len(other):
            return f"{len(one):,} and {len(other):,} parts"
        return next((found for a, b in zip(one, other, strict=True) if (found := difference(a, b))), "")
    return "" if one == other else f"{one} and {other}"


def on_host(backend: Backend, result: Any) -> Any:
    """Return a result with its arrays on the host."""
    if isinstance(result, dict):
        return {name: on_host(backend, value) for name, value in result.items()}
    if isinstance(result, (list, tuple)):
        return [on_host(backend, value) for value in result]
    if is_dataclass(result) and not isinstance(result, type):
        return [on_host(backend, part) for part in _parts(result)]
    return backend.to_host(result) if hasattr(result, "nbytes") and not isinstance(result, np.generic) else result


def _parts(result: Any) -> list[Any]:
    return [getattr(result, part.name) for part in fields(result)]
