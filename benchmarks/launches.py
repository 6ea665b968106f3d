"""Record the kernels that a call launches, and time each kernel alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

from gpusolve.backend import Backend, Program

LONG = 0.02  # seconds: a kernel is repeated for this long, so that the launch itself does not dominate
MOST = 1000  # but at most this number of launches


@dataclass(frozen=True)
class Launch:
    """One launch. `bytes` is the size of all its arrays, each of which it reads or writes at least once."""

    program: Program
    kernel: str
    count: int
    arguments: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The names of the program and the kernel."""
        return f"{self.program.name}.{self.kernel}"

    @property
    def bytes(self) -> int:
        """Size of its arrays in bytes."""
        return sum(getattr(argument, "nbytes", 0) for argument in self.arguments)

    def again(self, backend: Backend) -> None:
        """Repeat the launch. The content of the arrays that it writes does not affect the time."""
        backend.launch(self.program, self.kernel, self.count, *self.arguments)


class Launched(dict[str, Launch]):
    """The largest launch of each kernel by name, and the number of items of all its launches."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()


@contextmanager
def launches(backend: Backend) -> Iterator[Launched]:
    """Record the launches within the block."""
    recorded = Launched()
    launch = backend.launch

    def record(program: Program, kernel: str, count: int, *arguments: Any) -> None:
        this = Launch(program, kernel, count, arguments)
        if this.name not in recorded or count >= recorded[this.name].count:
            recorded[this.name] = this
        recorded.counts[this.name] += count
        launch(program, kernel, count, *arguments)

    backend.launch = record  # type: ignore[method-assign]
    try:
        yield recorded
    finally:
        backend.launch = launch  # type: ignore[method-assign]


def seconds_of(backend: Backend, run: Callable[[], object], rounds: int) -> float:
    """Return the median time of a run in seconds, repeated within each round until it is long enough to time."""
    once = max(backend.timed(run), 1e-7)
    times = max(1, min(MOST, round(LONG / once)))

    def repeated() -> None:
        for _ in range(times):
            run()

    return median(backend.timed(repeated) for _ in range(rounds)) / times
