"""What only the command line and the server do: trainings write a log and a plot as they go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.commands.running import Call
    from gpusolve.result import Result


def train(call: Call, *, log: Path | None = None, plot: Path | None = None) -> Iterator[Result]:
    """Train weights.

    Parameters
    ----------
    log : Path, optional
        Append a line for each iteration to this file: CSV if its name ends in .csv, or else JSON lines.
    plot : Path, optional
        Draw the fitness of the iterations to this .png, .svg or .pdf file.
    """
    from gpusolve.games.tetris.training import drawing
    from gpusolve.games.tetris.training.settings import TrainingSettings

    settings = call.arguments.get("training", TrainingSettings())
    about = f"{settings.policy}, {settings.particles} particles, {settings.games} games, {settings.fitness}"
    then = "choosing the best weights" if settings.finals else ""
    yield from _train(call, log, plot, about=about, settings=settings, describe=drawing.swarm_progress, then=then)


def train_value(call: Call, *, log: Path | None = None, plot: Path | None = None) -> Iterator[Result]:
    """Train a value.

    Parameters
    ----------
    log : Path, optional
        Append a line for each iteration to this file: CSV if its name ends in .csv, or else JSON lines.
    plot : Path, optional
        Draw the mean score of the iterations to this .png, .svg or .pdf file.
    """
    from gpusolve.games.tetris.players.value import base_for_changes
    from gpusolve.games.tetris.training import drawing
    from gpusolve.games.tetris.training.settings import ValueTrainingSettings
    from gpusolve.games.tetris.variant import Variant

    settings = call.arguments.get("training", ValueTrainingSettings())
    if call.value("changes_only"):
        base_for_changes(settings.init, "--init with")  # before the training, not after it
    rules = call.arguments.get("variant", Variant()).summary
    about = f"value, {settings.games} games an iteration, {rules}"
    then = "choosing the best blend" if settings.blend else ""
    report.status("preparing the start and the first iteration", call.quiet)
    yield from _train(call, log, plot, about=about, settings=settings, describe=drawing.value_progress, then=then)


def _train(
    call: Call,
    log: Path | None,
    plot: Path | None,
    *,
    about: str,
    settings: Any,
    describe: Callable[[Any], str],
    then: str,
) -> Iterator[Result]:
    """Train; the iterations are logged as they end, and plotted also if the training is interrupted."""
    from gpusolve.games.tetris.training import drawing

    record = drawing.TrainingLog(log)
    progress = drawing.TrainingProgress(record, describe, iterations=settings.iterations, then=then, quiet=call.quiet)
    try:
        trained: Any = call.run(progress=progress)
    except (KeyboardInterrupt, SystemExit):
        record.plot(plot, about)
        raise
    finally:
        report.status("", call.quiet)
    record.plot(plot, f"{about}, seed {trained.seed}")
    yield trained
