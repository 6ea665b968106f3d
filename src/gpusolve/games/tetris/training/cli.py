"""``gpusolve tetris train``; `cli` adds it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve.errors import BadInput, Exit
from gpusolve.games.tetris.cli_options import (
    DelayMs,
    DoubleKillscreen,
    Hz,
    MaxLines,
    Reach,
    Source,
    StartLevel,
    reach_of,
)
from gpusolve.output.options import (
    Checkpoint,
    Device,
    Json,
    Plot,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Workers,
    open_device,
    writable,
)

if TYPE_CHECKING:
    from gpusolve.games.tetris.variant import Settings

SWARM_ONLY = (
    "particles", "policy", "fitness", "inertia", "cognitive", "social", "clamp", "topology", "init", "spread", "renew",
    "finals", "workers",
)  # fmt: skip
"""Options that mean nothing to `--method value`."""


def train(
    context: typer.Context,
    method: Annotated[
        Literal["swarm", "value"],
        typer.Option(help="swarm finds weights of 17 features; value learns tables from its own games."),
    ] = "swarm",
    out: Annotated[
        Path | None,
        typer.Option(
            callback=writable, help="Write the best weights to this file.", show_default="weights.json, learned.value"
        ),
    ] = None,
    particles: Annotated[int | None, typer.Option(help="Particles of the swarm.", show_default="96, quick 24")] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Iterations.", show_default="100, quick 60; value 5000, quick 100")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            help="Games that each particle plays in an iteration, all the same; value: of an iteration.",
            show_default="150, quick 40; value 128, quick 64",
        ),
    ] = None,
    policy: Annotated[
        Literal["greedy", "two-piece"] | None,
        typer.Option(
            help="greedy looks at one piece, two-piece at the next one, too.", show_default="two-piece, quick greedy"
        ),
    ] = None,
    fitness: Annotated[
        Literal["mean", "top-half", "top-third", "maxout"],
        typer.Option(help="What counts: the mean score, of all or of the best games, or % of games over 999,999."),
    ] = "mean",
    inertia: Annotated[float, typer.Option(help="Inertia of a particle.")] = 0.7298,
    cognitive: Annotated[float, typer.Option(help="Pull towards its own best.")] = 1.49618,
    social: Annotated[float, typer.Option(help="Pull towards the swarm's best.")] = 1.49618,
    clamp: Annotated[float | None, typer.Option(help="Greatest speed in a coordinate.")] = None,
    topology: Annotated[
        Literal["star", "ring"], typer.Option(help="Whose best pulls: the swarm's, or the nearest particles'.")
    ] = "star",
    init: Annotated[str | None, typer.Option(help="Start around these weights: a shipped name or a file.")] = None,
    spread: Annotated[
        float | None,
        typer.Option(help="How far around --init, as a part of each weight.", show_default="0.5"),
    ] = None,
    renew: Annotated[int, typer.Option(help="Other games after so many iterations; 0: never.")] = 0,
    finals: Annotated[
        int | None,
        typer.Option(
            help="Fresh games between the ten best particles and their mean at the end; 0: none.",
            show_default="500, quick 400",
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Other defaults: learning shows within a minute.")] = False,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    log: Annotated[
        Path | None, typer.Option(callback=writable, help="Append a line for each iteration: .csv, or JSON lines.")
    ] = None,
    plot: Plot = None,
    workers: Workers = "1",
    seed: Seed = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find weights by particle swarm, or a learned value. Ctrl-C loses nothing where --checkpoint is given."""
    from dataclasses import asdict, replace

    from gpusolve.games.tetris import drawing as show
    from gpusolve.games.tetris.players.weights import Weights, save_weights
    from gpusolve.games.tetris.training import _train as training
    from gpusolve.games.tetris.variant import Settings
    from gpusolve.output import report

    settings = Settings(reach_of(reach, hz), source, start_level, max_lines, delay_ms, double_killscreen)
    if method == "value":
        _check_for_value(context)
        _train_value(
            out or Path("learned.value"), iterations, games, quick, settings, log,
            plot, seed, time_limit, checkpoint, resume, device, json, quiet,
        )  # fmt: skip
        return
    out = out or Path("weights.json")
    given = _given(particles=particles, iterations=iterations, games=games, policy=policy, finals=finals)
    plan = replace(
        training.QUICK if quick else training.TrainingSettings(),
        fitness=fitness,
        inertia=inertia,
        cognitive=cognitive,
        social=social,
        clamp=clamp,
        topology=topology,
        init=init,
        spread=spread,
        renew=renew,
        **given,
    )
    backend = open_device(device, quiet)
    record = show.TrainingLog(log)

    progress = show.SwarmProgress(record, plan.iterations, quiet)

    about = f"{plan.policy}, {plan.particles} particles, {plan.games} games, {fitness}"
    try:
        found = training.train(plan, settings, workers, seed, time_limit, checkpoint, resume, progress, backend)
    except (KeyboardInterrupt, SystemExit):
        record.plot(plot, about)
        raise
    finally:
        report.status("", quiet)
    origin = (
        f"gpusolve tetris train: {plan.policy}, {plan.particles} particles, {found.iterations} iterations, "
        f"{plan.games} games, {fitness}, {show.played_under(settings)}, seed {found.seed}"
    )
    save_weights(out, Weights(out.stem, origin, found.weights))
    if json:
        report.json_line(
            "tetris.train/1",
            method="swarm",
            training=asdict(plan),
            **asdict(settings),
            seed=found.seed,
            device=backend.name,
            seconds=found.seconds,
            complete=found.complete,
            iterations=found.iterations,
            fitness=found.fitness,
            weights=found.weights,
            out=str(out),
        )
    else:
        where = f"{plan.finals:,} games that no particle had played" if plan.finals else "the games of the training"
        report.text(f"{found.iterations} iterations, seed {found.seed}: {fitness} {found.fitness:,.0f} on {where}")
        report.text(f"weights written to {out}")
    record.plot(plot, f"{about}, seed {found.seed}")
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


def _given(**options: Any) -> dict[str, Any]:
    """The options that are given; the others keep their defaults."""
    return {name: value for name, value in options.items() if value is not None}


def _check_for_value(context: typer.Context) -> None:
    """Raises BadInput for an option that is the swarm's alone."""
    for name in SWARM_ONLY:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            raise BadInput(f"--{name} {context.params[name]}: expected only with --method swarm")


def _train_value(
    out: Path,
    iterations: int | None,
    games: int | None,
    quick: bool,
    settings: Settings,
    log: Path | None,
    plot: Path | None,
    seed: int | None,
    time_limit: float | None,
    checkpoint: Path | None,
    resume: Path | None,
    device: str | None,
    json: bool,
    quiet: bool,
) -> None:
    """`train --method value`."""
    from dataclasses import asdict, replace

    from gpusolve.games.tetris import drawing as show
    from gpusolve.games.tetris.players.value import save_value
    from gpusolve.games.tetris.training import value_training
    from gpusolve.output import report

    plan = value_training.QUICK_VALUE if quick else value_training.ValueSettings()
    plan = replace(plan, **_given(iterations=iterations, games=games))
    backend = open_device(device, quiet)
    record = show.TrainingLog(log)

    def progress(iteration: value_training.ValueIteration) -> None:
        record.add(iteration)
        report.status(show.progress_of_value(iteration, plan.iterations), quiet)

    about = f"value, {plan.games} games an iteration, {show.played_under(settings)}"
    try:
        found = value_training.train_value(plan, settings, seed, time_limit, checkpoint, resume, progress, backend)
    except (KeyboardInterrupt, SystemExit):
        record.plot(plot, about)
        raise
    finally:
        report.status("", quiet)
    origin = f"gpusolve tetris train --method value: {found.iterations} iterations, {about}, seed {found.seed}"
    save_value(out, replace(found.value, name=out.stem, about=origin))
    if json:
        report.json_line(
            "tetris.train/1",
            method="value",
            training=asdict(plan),
            **asdict(settings),
            seed=found.seed,
            device=backend.name,
            seconds=found.seconds,
            complete=found.complete,
            iterations=found.iterations,
            out=str(out),
        )
    else:
        report.text(f"{found.iterations} iterations, seed {found.seed}: value written to {out}")
    record.plot(plot, f"{about}, seed {found.seed}")
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)
