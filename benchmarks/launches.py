"""What a call launches, and how long each of its kernels takes by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

from gpusolve.backend import Backend, Program

LONG = 0.02  # seconds: a kernel is launched as often as takes so long, else the time would be the launch's
MOST = 1000  # launches, though


@dataclass(frozen=True)
class Launch:
    """One launch: `bytes` are those of all its arrays, which it reads or writes once at least."""

    program: Program
    kernel: str
    count: int
    arguments: tuple[Any, ...]

    @property
    def name(self) -> str:
        """Program and kernel."""
        return f"{self.program.name}.{self.kernel}"

    @property
    def bytes(self) -> int:
        """Bytes of its arrays."""
        return sum(getattr(argument, "nbytes", 0) for argument in self.arguments)

    def again(self, backend: Backend) -> None:
        """Does it again; what was in the arrays that it writes does not change how long it takes."""
        backend.launch(self.program, self.kernel, self.count, *self.arguments)


class Launched(dict[str, Launch]):
    """By name, the largest launch of each kernel, and how many items all its launches had."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()


@contextmanager
def launches(backend: Backend) -> Iterator[Launched]:
    """What is launched meanwhile."""
    found = Launched()
    launch = backend.launch

    def noted(program: Program, kernel: str, count: int, *arguments: Any) -> None:
        this = Launch(program, kernel, count, arguments)
        if this.name not in found or count >= found[this.name].count:
            found[this.name] = this
        found.counts[this.name] += count
        launch(program, kernel, count, *arguments)

    backend.launch = noted  # type: ignore[method-assign]
    try:
        yield found
    finally:
        backend.launch = launch  # type: ignore[method-assign]


def seconds_of(backend: Backend, run: Callable[[], object], rounds: int) -> float:
    """The median time of a run, repeated within each round until it is long enough to be timed."""
    once = max(backend.timed(run), 1e-7)
    times = max(1, min(MOST, round(LONG / once)))

    def repeated() -> None:
        for _ in range(times):
            run()

    return median(backend.timed(repeated) for _ in range(rounds)) / times
