"""How trainings look, and what a training shows and writes as it goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Generic, TypeVar

from gpusolve import files
from gpusolve.games.tetris.drawing import weights_table
from gpusolve.games.tetris.training._train import Iteration, Training
from gpusolve.games.tetris.training._train_value import ValueIteration, ValueTraining
from gpusolve.output import page, report
from gpusolve.output.parts import Line, Part, Picture

SomeIteration = TypeVar("SomeIteration", Iteration, ValueIteration)


def training(training: Training) -> Iterator[Part]:
    """Yield the number of iterations, the fitness, and on a page the weights."""
    settings = training.training
    had_finals = training.complete and settings.finals
    where = f"{settings.finals:,} new games" if had_finals else "the games of the training"
    done = f"{training.iterations} iterations, seed {training.seed}"
    yield Line(f"{done}: {settings.fitness} {training.fitness:,.0f} on {where}")
    yield Picture(lambda controls: page.drawn([weights_table(training.weights)]))


def value_training(training: ValueTraining) -> Iterator[Part]:
    """Yield the number of iterations and the seed."""
    yield Line(f"{training.iterations} iterations, seed {training.seed}")


def swarm_progress(iteration: Iteration) -> str:
    """Describe an iteration of a swarm."""
    return (
        f"best {iteration.best:,.0f}  mean {iteration.mean:,.0f}  spread {iteration.spread:.3f}  "
        f"{iteration.pieces / iteration.seconds:,.0f} pieces/s"
    )


def value_progress(iteration: ValueIteration) -> str:
    """Describe an iteration of a value's training."""
    return (
        f"mean {iteration.mean:,.0f}  topped out {100 * iteration.early:.0f} %  "
        f"{iteration.games / iteration.seconds:,.0f} games/s"
    )


class TrainingLog:
    """The iterations of a training, and the file that gets a line for each: CSV by its suffix, or else JSON lines."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.iterations: list[Iteration | ValueIteration] = []

    def add(self, iteration: Iteration | ValueIteration) -> None:
        """Append a line. Raises BadInput if the file cannot be written."""
        self.iterations.append(iteration)
        if self.path is None:
            return
        row = asdict(iteration)
        if self.path.suffix != ".csv":
            files.append(self.path, json.dumps({"schema": "gpusolve.tetris.iteration/1"} | row) + "\n", "log")
            return
        values = ",".join(map(str, row.values())) + "\n"
        empty = not files.exists(self.path) or self.path.stat().st_size == 0
        files.append(self.path, ",".join(row) + "\n" + values if empty else values, "log")

    def plot(self, path: Path | None, title: str) -> None:
        """Plot the fitness over the iterations, if there is a path and at least one iteration."""
        if path is None or not self.iterations:
            return
        from gpusolve.output.plot import save_lines

        x = [row.iteration for row in self.iterations]
        lines = {"mean": [row.mean for row in self.iterations]}
        swarms = [row for row in self.iterations if isinstance(row, Iteration)]
        if swarms:
            lines["best so far"] = [row.best for row in swarms]
            lines["best of the iteration"] = [row.iteration_best for row in swarms]
        save_lines(path, x, lines, title, "iteration", "fitness" if swarms else "mean score")


class TrainingProgress(Generic[SomeIteration]):
    """A callback for each iteration of a training: it writes the log and shows one line on stderr.

    After the last iteration, the line shows `then`: what the training does next, in place of the time left.
    """

    def __init__(
        self, log: TrainingLog, describe: Callable[[SomeIteration], str], *, iterations: int, then: str, quiet: bool
    ) -> None:
        self._describe: Callable[[SomeIteration], str] = describe
        self._log, self._iterations, self._then, self._quiet = log, iterations, then, quiet
        self._workers: object = ""

    def __call__(self, iteration: SomeIteration) -> None:
        """Log an iteration and show it."""
        self._log.add(iteration)
        left = (self._iterations - iteration.iteration) * iteration.seconds
        following = f"{left // 60:.0f}:{left % 60:02.0f} left"
        if iteration.iteration == self._iterations:
            following = self._then
        line = f"{iteration.iteration}/{self._iterations}  {self._describe(iteration)}  {following}  {self._workers}"
        report.status(line.rstrip(), self._quiet)

    def watch(self, workers: object) -> None:
        """Show these workers as well."""
        self._workers = workers
