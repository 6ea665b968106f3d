"""A long run that can be stopped and resumed: its seed, its clock and its checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gpusolve import clock
from gpusolve.checks import check_number
from gpusolve.errors import OutOfTime
from gpusolve.fields import Fields
from gpusolve.runs import checkpoint as checkpoints
from gpusolve.runs.seeds import MASK64, check_seed, random_seed

PATIENCE = 20  # saving takes at most 1/PATIENCE of the time


class Run:
    """A long run, new or continued from a checkpoint.

    Parameters
    ----------
    kind : str
        The kind of run, such as ``tetris.train``.
    settings : dict
        What must be equal when the run continues, as JSON values. The seed is added.
    seed : int, optional
        By default the seed of `resume`, or a random one.
    checkpoint : Path, optional
        The file to which the state is saved; by default `resume`, if given.
    resume : Path, optional
        The checkpoint from which to continue.
    time_limit : float, optional
        Seconds after which no step of the current session starts.
    before : float, default 0
        Seconds that a new run has taken before.

    Raises
    ------
    BadInput
        If `resume` is not a checkpoint of such a run, or if `seed` or `time_limit` is invalid.
    """

    def __init__(
        self,
        kind: str,
        settings: dict[str, Any],
        *,
        seed: int | None = None,
        checkpoint: Path | None = None,
        resume: Path | None = None,
        time_limit: float | None = None,
        before: float = 0.0,
    ) -> None:
        self.state = Fields("checkpoint")
        """The state from the checkpoint; false if the run is new."""
        self._before = before
        if seed is not None:
            seed = check_seed(seed)
        if time_limit is not None:
            check_number("time_limit", time_limit, 0, float("inf"))
        if resume is not None:
            saved_settings, self.state = checkpoints.load(resume, kind)
            saved_seed = saved_settings.integer("seed", 0, MASK64)
            self._before = self.state.number("seconds", 0, float("inf"))
            seed = saved_seed if seed is None else seed
            checkpoints.check_settings(resume, saved_settings, settings | {"seed": seed})
        self.seed: int = random_seed() if seed is None else seed
        self._kind, self._settings = kind, settings | {"seed": self.seed}
        self._file = resume if checkpoint is None else checkpoint
        self._limit = float("inf") if time_limit is None else time_limit
        self._begin = clock.now()

    @property
    def seconds(self) -> float:
        """Seconds that the run has taken so far, including earlier sessions."""
        return self._before + clock.now() - self._begin

    @property
    def time_left(self) -> float:
        """Seconds of the current session until the time limit; negative after it."""
        return self._begin + self._limit - clock.now()

    @contextmanager
    def saved(self, state: Callable[[], dict[str, Any]]) -> Iterator[Callable[[], bool]]:
        """Save `state()` to the checkpoint: at once, from time to time, and at the end, also after an error or Ctrl-C.

        Gives a function to call before each step. It saves the state if enough time has passed, and returns whether
        there is time for the step; the first step always has time. An OutOfTime error in a later step ends the run as
        if there had been no time for the step. A KeyboardInterrupt gets a note on how to continue. Raises BadInput if
        the file cannot be written.
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
        except KeyboardInterrupt as stop:
            if self._file is not None:
                stop.add_note(f"stopped; --resume {self._file} continues this run")
            raise
        finally:
            save()
