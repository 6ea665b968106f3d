"""``gpusolve tetris``: parse, call the solver, report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gpusolve.options import Device, Json, Quiet, Seed, open_device, random_seed

app = typer.Typer(
    help="NES Tetris: train weights, evaluate them, watch them play.", no_args_is_help=True, rich_markup_mode=None
)

Policy = Annotated[
    Literal["greedy", "two-piece"], typer.Option(help="greedy looks at one piece, two-piece at the next one, too.")
]
Reach = Annotated[
    Literal["free", "30hz", "15hz", "das"],
    typer.Option(help="free: any placement that presses reach; else the fastest tapping, against gravity."),
]
Source = Annotated[Literal["uniform8", "nes"], typer.Option(help="Where pieces come from; nes: the console's own.")]
StartLevel = Annotated[int, typer.Option(min=18, max=29, help="The level at the start.")]
MaxLines = Annotated[int, typer.Option(min=1, max=10_000, help="A game ends with so many lines.")]


@app.command()
def train(
    out: Annotated[Path, typer.Option("--out", "-o", help="Write the best weights to this file.")] = Path(
        "weights.json"
    ),
    particles: Annotated[int, typer.Option(help="Particles of the swarm.")] = 96,
    iterations: Annotated[int, typer.Option(help="Iterations.")] = 100,
    games: Annotated[int, typer.Option(help="Games that each particle plays in an iteration, all the same.")] = 150,
    policy: Policy = "two-piece",
    fitness: Annotated[
        Literal["mean", "top-half", "top-third", "maxout"],
        typer.Option(help="What counts: the mean score, of all or of the best games, or % of games over 999,999."),
    ] = "mean",
    inertia: Annotated[float, typer.Option("--w", help="Inertia of a particle.")] = 0.7298,
    cognitive: Annotated[float, typer.Option("--c1", help="Pull towards its own best.")] = 1.49618,
    social: Annotated[float, typer.Option("--c2", help="Pull towards the swarm's best.")] = 1.49618,
    clamp: Annotated[float | None, typer.Option(min=0, help="Greatest speed in a coordinate.")] = None,
    topology: Annotated[
        Literal["star", "ring"], typer.Option(help="Whose best pulls: the swarm's, or the nearest particles'.")
    ] = "star",
    init: Annotated[str | None, typer.Option(help="Start around these weights: a shipped name or a file.")] = None,
    spread: Annotated[float, typer.Option(min=0, help="How far around --init, as a part of each weight.")] = 0.5,
    renew: Annotated[int, typer.Option(min=0, help="Other games after so many iterations; 0: never.")] = 0,
    finals: Annotated[
        int, typer.Option(min=0, help="Fresh games between the ten best particles at the end; 0: the best is taken.")
    ] = 500,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = "free",
    source: Source = "uniform8",
    quick: Annotated[
        bool, typer.Option("--quick", help="A run that shows learning in a minute: greedy, 24 particles, 40 games.")
    ] = False,
    log: Annotated[Path | None, typer.Option(help="Append a line for each iteration: .csv, or JSON lines.")] = None,
    plot: Annotated[Path | None, typer.Option(help="A picture of the run: .png, .svg or .pdf.")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="Save the state after each iteration.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on from this checkpoint.")] = None,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds; then exit code 3.")] = None,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find weights by particle swarm. Ctrl-C loses nothing where --checkpoint is given."""
    from dataclasses import asdict

    from gpusolve import report
    from gpusolve.games.tetris.kernels import Settings
    from gpusolve.games.tetris.train import Iteration, Log, Plan, choose, train
    from gpusolve.games.tetris.weights import Weights, load_weights, save_weights

    if quick:
        particles, games, policy, iterations, finals = 24, 40, "greedy", min(iterations, 60), 400
    seed = random_seed() if seed is None else seed
    plan = Plan(
        particles=particles,
        iterations=iterations,
        games=games,
        policy=policy,
        fitness=fitness,
        seed=seed,
        inertia=inertia,
        cognitive=cognitive,
        social=social,
        clamp=clamp,
        topology=topology,
        init=load_weights(init).values if init is not None else None,
        spread=spread,
        renew=renew,
        settings=Settings(reach, source, start_level, max_lines),
    )
    backend = open_device(device, quiet)
    record = Log(log)

    def show(iteration: Iteration) -> None:
        record.add(iteration)
        left = (iterations - iteration.iteration) * iteration.seconds
        report.status(
            f"{iteration.iteration}/{iterations}  best {iteration.best:,.0f}  mean {iteration.mean:,.0f}  "
            f"spread {iteration.spread:.3f}  {iteration.pieces / iteration.seconds:,.0f} pieces/s  "
            f"{left // 60:.0f}:{left % 60:02.0f} left",
            quiet,
        )

    try:
        swarm, done = train(plan, backend, checkpoint, resume, time_limit, show)
    finally:
        report.status("", quiet)
        if plot is not None and record.iterations:
            record.plot(plot, f"{policy}, {particles} particles, {games} games, {fitness}, seed {seed}")
    values, value = choose(plan, backend, swarm, finals)
    about = f"gpusolve tetris train: {policy}, {particles} particles, {swarm.iteration} iterations, {games} games, "
    about += f"{fitness}, {reach}, {source}, start level {start_level}, seed {seed}"
    save_weights(out, Weights(out.stem, about, values))
    if json:
        report.json_line(
            "tetris.train/1",
            plan=asdict(plan),
            device=backend.name,
            iterations=swarm.iteration,
            done=done,
            fitness=value,
            finals=finals,
            weights=values,
            file=str(out),
        )
    else:
        report.text(f"{swarm.iteration} iterations, seed {seed}: {fitness} {value:,.0f}" + (
            f" on {finals:,} games that no particle had played" if finals else " on the games of the training"
        ))
        report.text(f"weights written to {out}")
    if not done:
        raise typer.Exit(3)
