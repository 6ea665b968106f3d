"""``gpusolve tetris train``, ``train-value``, ``average-values`` and ``join-values``.

`gpusolve.games.tetris.cli` adds them.
"""

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
    Taps,
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
    from gpusolve.games.tetris.players.value import LearnedValue

Quick = Annotated[bool, typer.Option("--quick", help="Use smaller defaults, which show learning within a minute.")]
Log = Annotated[
    Path | None,
    typer.Option(
        callback=writable,
        help="Append a line for each iteration to this file: CSV if its name ends in .csv, or else JSON lines.",
    ),
]


def train(
    out: Annotated[Path, typer.Option(callback=writable, help="Write the best weights to this file.")] = Path(
        "weights.json"
    ),
    particles: Annotated[
        int | None, typer.Option(help="Number of particles in the swarm.", show_default="96, quick 24")
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="Number of iterations.", show_default="100, quick 60")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            help="Number of games that each particle plays in an iteration. All particles play the same games.",
            show_default="150, quick 40",
        ),
    ] = None,
    policy: Annotated[
        Literal["greedy", "two-piece"] | None,
        typer.Option(
            help="greedy looks at one piece, two-piece also at the next piece.", show_default="two-piece, quick greedy"
        ),
    ] = None,
    fitness: Annotated[
        Literal["mean", "top-half", "top-third", "maxout"],
        typer.Option(
            help="Objective: the mean score, of all games or of the best half or third of them, or the percentage of "
            "games with at least 999,999 points (maxout)."
        ),
    ] = "mean",
    inertia: Annotated[
        float, typer.Option(help="Fraction of its velocity that a particle keeps in the next iteration.")
    ] = 0.7298,
    cognitive: Annotated[
        float, typer.Option(help="Pull of a particle towards the best position that it has visited.")
    ] = 1.49618,
    social: Annotated[
        float, typer.Option(help="Pull of a particle towards the best position of the swarm (see --topology).")
    ] = 1.49618,
    clamp: Annotated[
        float | None, typer.Option(help="Maximum speed of a particle in each coordinate.", show_default="no limit")
    ] = None,
    topology: Annotated[
        Literal["star", "ring"],
        typer.Option(
            help="star: the best position of the whole swarm attracts every particle; ring: each particle is attracted "
            "by the best position of the five nearest particles."
        ),
    ] = "star",
    init: Annotated[
        str | None,
        typer.Option(help="Weights to start around: a shipped name or a file.", show_default="start at random"),
    ] = None,
    spread: Annotated[
        float | None,
        typer.Option(
            help="Standard deviation of the start around --init, as a fraction of each weight.",
            show_default="0.5",
        ),
    ] = None,
    renew: Annotated[
        int, typer.Option(help="Play other games after this many iterations. 0: play the same games throughout.")
    ] = 0,
    finals: Annotated[
        int | None,
        typer.Option(
            help="Number of new games on which the ten best particles and their mean compete at the end. 0: no finals.",
            show_default="500, quick 400",
        ),
    ] = None,
    quick: Quick = False,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    taps: Taps = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    log: Log = None,
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
    """Find weights by particle swarm optimization. With --checkpoint, Ctrl-C loses nothing."""
    from dataclasses import asdict, replace

    from gpusolve.games.tetris.drawing import played_under
    from gpusolve.games.tetris.players.weights import Weights, save_weights
    from gpusolve.games.tetris.training import _train, drawing
    from gpusolve.games.tetris.training.settings import TrainingSettings
    from gpusolve.games.tetris.variant import Variant
    from gpusolve.output import report

    variant = Variant.load(
        reach=reach,
        hz=hz,
        taps=taps,
        source=source,
        start_level=start_level,
        max_lines=max_lines,
        delay_ms=delay_ms,
        double_killscreen=double_killscreen,
    )
    training = replace(
        TrainingSettings.quick() if quick else TrainingSettings(),
        fitness=fitness,
        inertia=inertia,
        cognitive=cognitive,
        social=social,
        clamp=clamp,
        topology=topology,
        init=init,
        spread=spread,
        renew=renew,
        **_given(particles=particles, iterations=iterations, games=games, policy=policy, finals=finals),
    )
    backend = open_device(device, quiet)
    record = drawing.TrainingLog(log)
    about = f"{training.policy}, {training.particles} particles, {training.games} games, {fitness}"
    try:
        trained = _train.train(
            training,
            variant=variant,
            workers=workers,
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            progress=drawing.TrainingProgress(
                record,
                drawing.swarm_progress,
                iterations=training.iterations,
                then="choosing the best weights" if training.finals else "",
                quiet=quiet,
            ),
            backend=backend,
        )
    except (KeyboardInterrupt, SystemExit):
        record.plot(plot, about)
        raise
    finally:
        report.status("", quiet)
    origin = (
        f"gpusolve tetris train: {training.policy}, {training.particles} particles, {trained.iterations} iterations, "
        f"{training.games} games, {fitness}, {played_under(variant)}, seed {trained.seed}"
    )
    save_weights(out, Weights(out.stem, origin, trained.weights))
    if json:
        report.json_line(
            "tetris.train/1",
            training=asdict(training),
            **asdict(variant),
            seed=trained.seed,
            device=backend.name,
            seconds=trained.seconds,
            complete=trained.complete,
            iterations=trained.iterations,
            fitness=trained.fitness,
            weights=trained.weights,
            out=str(out),
        )
    else:
        had_finals = trained.complete and training.finals
        where = f"{training.finals:,} new games" if had_finals else "the games of the training"
        done = f"{trained.iterations} iterations, seed {trained.seed}"
        report.text(f"{done}: {fitness} {trained.fitness:,.0f} on {where}")
        report.text(f"weights written to {out}")
    record.plot(plot, f"{about}, seed {trained.seed}")
    if not trained.complete:
        raise typer.Exit(Exit.STOPPED)


def train_value(
    out: Annotated[Path, typer.Option(callback=writable, help="Write the value to this file.")] = Path("learned.value"),
    iterations: Annotated[
        int | None, typer.Option(help="Number of rounds of games.", show_default="5000, quick 100")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Number of games in a round.", show_default="128, quick 64")] = None,
    opening: Annotated[
        float | None,
        typer.Option(
            help="Fraction of the rounds that are played by the published weights, at the start.",
            show_default="0.0025, quick 0.16",
        ),
    ] = None,
    settling: Annotated[
        float | None,
        typer.Option(
            help="Fraction of the rounds after which play has settled; until then, rounds have an eighth of the games.",
            show_default="0.07, quick 1",
        ),
    ] = None,
    trace: Annotated[float | None, typer.Option(help="Lambda of the returns, 0 to 1.", show_default="0.4")] = None,
    rate: Annotated[
        float | None, typer.Option(help="Factor of the step sizes until play has settled.", show_default="1")
    ] = None,
    last_rate: Annotated[
        float | None, typer.Option(help="Factor of the step sizes in the last round.", show_default="0.05")
    ] = None,
    init: Annotated[
        str | None,
        typer.Option(
            help="Value to start from: a shipped name or a file.",
            show_default="untrained; tournament-30hz for several phases",
        ),
    ] = None,
    first_phase: Annotated[
        str | None,
        typer.Option(
            help="Value for one phase: a shipped name or a file. In games beyond level 29 against a clock, the phases "
            "before level 29 start from its tables instead of those of --init.",
            show_default="none",
        ),
    ] = None,
    phases: Annotated[
        str | None,
        typer.Option(
            metavar="<levels>",
            help="For games against a clock: the levels from which another set of tables judges boards, as in "
            "19,29,39. Those before the first of these levels are not learned further.",
            show_default="29, and 39 with --double-killscreen, as far as games get",
        ),
    ] = None,
    blend: Annotated[
        str | None,
        typer.Option(
            help="Value to blend the tables of the first phase with at the end: a shipped name or a file. The blend "
            "that plays best stays.",
            show_default="none",
        ),
    ] = None,
    changes_only: Annotated[
        bool,
        typer.Option(
            "--changes-only",
            help="Write only what differs from the shipped value that --init names, or from the one that its file "
            "differs from. The file is small, but another version of gpusolve may not be able to load it.",
        ),
    ] = False,
    quick: Quick = False,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    taps: Taps = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    log: Log = None,
    plot: Plot = None,
    seed: Seed = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a learned value on games that it plays itself. With --checkpoint, Ctrl-C loses nothing."""
    from dataclasses import asdict, replace

    from gpusolve.games.tetris.drawing import played_under
    from gpusolve.games.tetris.players.value import save_value
    from gpusolve.games.tetris.training import _train_value, drawing
    from gpusolve.games.tetris.training.settings import ValueTrainingSettings
    from gpusolve.games.tetris.variant import Variant
    from gpusolve.output import report

    variant = Variant.load(
        reach=reach,
        hz=hz,
        taps=taps,
        source=source,
        start_level=start_level,
        max_lines=max_lines,
        delay_ms=delay_ms,
        double_killscreen=double_killscreen,
    )
    training = replace(
        ValueTrainingSettings.quick() if quick else ValueTrainingSettings(),
        **_given(
            iterations=iterations,
            games=games,
            opening=opening,
            settling=settling,
            trace=trace,
            rate=rate,
            last_rate=last_rate,
            init=init,
            first_phase=first_phase,
            phases=phases,
            blend=blend,
        ),
    )
    base = _base_of(init, "--init with") if changes_only else None
    backend = open_device(device, quiet)
    record = drawing.TrainingLog(log)
    about = f"value, {training.games} games an iteration, {played_under(variant)}"
    report.status("preparing the start and the first iteration", quiet)
    try:
        trained = _train_value.train_value(
            training,
            variant=variant,
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            progress=drawing.TrainingProgress(
                record,
                drawing.value_progress,
                iterations=training.iterations,
                then="choosing the best blend" if training.blend else "",
                quiet=quiet,
            ),
            backend=backend,
        )
    except (KeyboardInterrupt, SystemExit):
        record.plot(plot, about)
        raise
    finally:
        report.status("", quiet)
    origin = f"gpusolve tetris train-value: {trained.iterations} iterations, {about}, seed {trained.seed}"
    save_value(out, replace(trained.value, name=out.stem, about=origin), base=base)
    if json:
        report.json_line(
            "tetris.train-value/1",
            training=asdict(training),
            **asdict(variant),
            seed=trained.seed,
            device=backend.name,
            seconds=trained.seconds,
            complete=trained.complete,
            iterations=trained.iterations,
            out=str(out),
        )
    else:
        report.text(f"{trained.iterations} iterations, seed {trained.seed}: value written to {out}")
    record.plot(plot, f"{about}, seed {trained.seed}")
    if not trained.complete:
        raise typer.Exit(Exit.STOPPED)


def average_values(
    values: Annotated[
        list[str],
        typer.Argument(
            metavar="VALUE", help="Two or more values: shipped names or files. One that occurs twice counts twice."
        ),
    ],
    out: Annotated[Path, typer.Option(callback=writable, help="Write the mean to this file.")] = Path("mean.value"),
    changes_only: Annotated[
        bool,
        typer.Option(
            "--changes-only",
            help="Write only what differs from the first value if it is a shipped name, or from the shipped value that "
            "its file differs from. Another version of gpusolve may not be able to load the file.",
        ),
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the mean of learned values. It can play better than each of them."""
    from gpusolve.games.tetris.training import _average_values

    mean = _average_values.average_values(values)
    base = _base_of(values[0], "as the first VALUE") if changes_only else None
    _write("average-values", mean, out, base=base, values=values, json=json)


def join_values(
    values: Annotated[
        list[str],
        typer.Argument(
            metavar="LEVEL=VALUE",
            help="For each of two or more levels, from 0 on: the value, a shipped name or a file, whose tables judge "
            "boards from this level on.",
        ),
    ],
    out: Annotated[Path, typer.Option(callback=writable, help="Write the value to this file.")] = Path("joined.value"),
    changes_only: Annotated[
        bool,
        typer.Option(
            "--changes-only",
            help="Write only what differs from the value for level 0 if it is a shipped name, or from the shipped "
            "value that its file differs from. Another version of gpusolve may not be able to load the file.",
        ),
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Join learned values, one for each range of levels."""
    from gpusolve.games.tetris.training import _join_values

    by_level = _join_values.by_level(values)
    joined = _join_values.join_values(by_level)
    base = _base_of(str(by_level[0]), "for level 0") if changes_only else None
    _write("join-values", joined, out, base=base, values=by_level, json=json)


def _write(command: str, value: LearnedValue, out: Path, *, base: str | None, values: object, json: bool) -> None:
    """Save a value under the name of its file, and report what it was made of."""
    from dataclasses import replace

    from gpusolve.games.tetris.players.value import save_value
    from gpusolve.output import report

    save_value(out, replace(value, name=out.stem), base=base)
    if json:
        report.json_line(f"tetris.{command}/1", values=values, phases=list(value.phases), out=str(out))
    else:
        report.text(f"{value.about}: written to {out}")


def _base_of(source: str | None, where: str) -> str:
    """Return the shipped value from which --changes-only writes what differs."""
    from gpusolve.games.tetris.players.value import base_of

    base = None if source is None else base_of(source)
    if base is None:
        raise BadInput(
            f"--changes-only: expected {where} a value that comes with gpusolve, or a file that --changes-only wrote"
        )
    return base


def _given(**options: Any) -> dict[str, Any]:
    """Return the options that are given; the others keep their defaults."""
    return {name: value for name, value in options.items() if value is not None}
