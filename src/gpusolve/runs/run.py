"""A long run: its seed, its clock, its checkpoint. One piece for all that can be stopped and resumed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gpusolve.checks import check_number
from gpusolve.errors import OutOfTime
from gpusolve.fields import Fields
from gpusolve.runs import checkpoint as checkpoints
from gpusolve.runs.seeds import MASK64, check_seed, random_seed

PATIENCE = 20  # saving takes at most one part in so many of the time


class Run:
    """A run of some kind (``tetris.train``) with its settings, that may go on from a checkpoint.

    `settings` are what must be the same to go on, in values that JSON has; the seed is one of them. Without a `seed`
    it is that of `resume`, else a random one. `checkpoint`: the file that the state is saved to; None: `resume`, if
    there is one. `time_limit`: seconds of this sitting, after which no step begins. Raises BadInput where `resume` is
    no checkpoint of such a run, for a `seed` that is none and a `time_limit` below 0.
    """

    def __init__(
        self,
        kind: str,
        settings: dict[str, Any],
        seed: int | None = None,
        checkpoint: Path | None = None,
        resume: Path | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.state = Fields("checkpoint")
        """What the checkpoint held; false if the run begins."""
        self._before = 0.0
        if seed is not None:
            seed = check_seed(seed)
        if time_limit is not None:
            check_number("time_limit", time_limit, 0, float("inf"))
        if resume is not None:
            found, self.state = checkpoints.load(resume, kind)
            saved_seed = found.integer("seed", 0, MASK64)
            self._before = self.state.number("seconds", 0, float("inf"))
            seed = saved_seed if seed is None else seed
            checkpoints.check_settings(resume, found, settings | {"seed": seed})
        self.seed: int = random_seed() if seed is None else seed
        self._kind, self._settings = kind, settings | {"seed": self.seed}
        self._file = resume if checkpoint is None else checkpoint
        self._limit = float("inf") if time_limit is None else time_limit
        self._begin = time.monotonic()

    @property
    def seconds(self) -> float:
        """What the run has taken so far, earlier sittings included."""
        return self._before + time.monotonic() - self._begin

    @property
    def time_left(self) -> float:
        """Seconds of this sitting until the time limit; below 0 after it."""
        return self._begin + self._limit - time.monotonic()

    @contextmanager
    def saved(self, state: Callable[[], dict[str, Any]]) -> Iterator[Callable[[], bool]]:
        """Keeps `state()` in the checkpoint: at once, as the run goes on, and when it ends, by an error or Ctrl-C too.

        Gives a function to call before each step. It saves where that is worth its time, and says whether there is
        time for the step; for one there always is. OutOfTime ends a step and the run, as if there had been no time for
        the step, unless it is the first. Raises BadInput where the file cannot be written.
        """
        due, steps = 0.0, 0

        def save() -> None:
            nonlocal due
            if self._file is not None:
                begin = time.monotonic()
                checkpoints.save(self._file, self._kind, self._settings, state() | {"seconds": self.seconds})
                due = begin + PATIENCE * (time.monotonic() - begin)

        def more() -> bool:
            nonlocal steps
            if steps and time.monotonic() >= due:
                save()
            steps += 1
            return steps == 1 or self.time_left > 0

        save()
        try:
            yield more
        except OutOfTime:
            if steps < 2:
                raise
        finally:
            save()
