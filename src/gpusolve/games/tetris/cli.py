"""``gpusolve tetris``: parse, call the solver, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gpusolve.options import Device, Json, Quiet, Seed, open_device

if TYPE_CHECKING:
    from gpusolve.games.tetris.replay import Replay
    from gpusolve.games.tetris.solver import Estimate, Suggestion

app = typer.Typer(
    help="NES Tetris: train weights, evaluate them, watch them play.", no_args_is_help=True, rich_markup_mode=None
)

Policy = Annotated[
    Literal["greedy", "two-piece"], typer.Option(help="greedy looks at one piece, two-piece at the next one, too.")
]
AnyPolicy = Annotated[
    Literal["greedy", "two-piece", "branching"],
    typer.Option(help="greedy looks at one piece, two-piece at the next one, branching at what may follow."),
]
Breadths = Annotated[
    str, typer.Option(help="branching: the best placements looked at of the first, second, third piece.")
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
        int, typer.Option(min=0, help="Fresh games between the ten best particles and their mean at the end; 0: none.")
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
    from gpusolve.checkpoint import settings_of
    from gpusolve.errors import BadInput
    from gpusolve.games.tetris.kernels import Settings
    from gpusolve.games.tetris.train import KIND, Iteration, Log, Plan, choose, train
    from gpusolve.games.tetris.weights import Weights, load_weights, save_weights

    if quick:
        particles, games, policy, iterations, finals = 24, 40, "greedy", min(iterations, 60), 400
    if not out.parent.is_dir():  # said now, not when the training is over
        raise BadInput(f"--out {out}: there is no folder {out.parent}")
    if seed is None:
        seed = settings_of(resume, KIND)["seed"] if resume is not None else random_seed()
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

    def draw() -> None:
        if plot is not None and record.iterations:
            record.plot(plot, f"{policy}, {particles} particles, {games} games, {fitness}, seed {seed}")

    try:
        swarm, done = train(plan, backend, checkpoint, resume, time_limit, show)
    except KeyboardInterrupt:
        draw()
        raise
    finally:
        report.status("", quiet)
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
        report.text(
            f"{swarm.iteration} iterations, seed {seed}: {fitness} {value:,.0f}"
            + (f" on {finals:,} games that no particle had played" if finals else " on the games of the training")
        )
        report.text(f"weights written to {out}")
    draw()
    if not done:
        raise typer.Exit(3)


@app.command()
def evaluate(
    weights: Annotated[str, typer.Argument(help="A shipped name or a file.")] = "published",
    compare: Annotated[
        str | None, typer.Option(help="Other weights, which play the same games: the paired difference.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games, which no training has seen.")] = 1000,
    policy: AnyPolicy = "two-piece",
    breadths: Breadths = "3,5,5",
    confidence: Annotated[float, typer.Option(min=0.5, max=0.9999, help="Of the difference's interval.")] = 0.99,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = "free",
    source: Source = "uniform8",
    csv: Annotated[Path | None, typer.Option(help="Write every game to this file.")] = None,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How good weights are: mean, percentiles, maxouts, tetris rate over many games, with standard errors."""
    import time

    from gpusolve import report
    from gpusolve.games.tetris import solver
    from gpusolve.games.tetris.kernels import Settings
    from gpusolve.games.tetris.weights import load_weights

    sets = [load_weights(name) for name in ([weights, compare] if compare is not None else [weights])]
    settings, wide = Settings(reach, source, start_level, max_lines), _breadths(breadths)
    seed = random_seed() if seed is None else seed
    backend = open_device(device, quiet)
    begin, found = time.monotonic(), []
    for chosen in sets:
        with report.progress(f"games of {chosen.name}", games, quiet) as progress:
            found.append(solver.evaluate(chosen.values, games, seed, policy, settings, wide, backend, progress))
    seconds = time.monotonic() - begin
    comparison = solver.Comparison(*found) if compare is not None else None
    if json:
        report.json_line(
            "tetris.evaluate/1",
            games=games,
            policy=policy,
            breadths=list(wide) if policy == "branching" else None,
            **vars(settings),
            seed=seed,
            device=backend.name,
            seconds=seconds,
            weights=[
                {
                    "name": chosen.name,
                    "score": vars(one.score),
                    "percentiles": one.percentiles,
                    "maxout": vars(one.maxout),
                    "lines": vars(one.lines),
                    "tetris_rate": vars(one.tetris_rate),
                    "pieces": one.pieces,
                }
                for chosen, one in zip(sets, found, strict=True)
            ],
            difference=comparison
            and {
                **vars(comparison.difference),
                "confidence": confidence,
                "interval": list(comparison.interval(confidence)),
            },
        )
    else:
        report.text(f"{games:,} games, {policy}, {reach}, {source}, start level {start_level}, seed {seed}")
        report.table(
            ["", *(chosen.name for chosen in sets)],
            [
                ("mean score", *(_with_error(one.score, 0) for one in found)),
                *(
                    ("median" if p == 50 else f"{p}th percentile", *(f"{one.percentiles[p]:,.0f}" for one in found))
                    for p in solver.PERCENTILES
                ),
                ("maxout %", *(_with_error(one.maxout, 2) for one in found)),
                ("lines", *(_with_error(one.lines, 1) for one in found)),
                ("tetris rate %", *(_with_error(one.tetris_rate, 2) for one in found)),
            ],
        )
        if comparison is not None:
            low, high = comparison.interval(confidence)
            report.text(
                f"{sets[1].name} less {sets[0].name}, game by game: {_with_error(comparison.difference, 0)}, "
                f"{100 * confidence:g} % interval {low:,.0f} to {high:,.0f}"
            )
        pieces = sum(one.pieces for one in found)
        report.note(f"{pieces:,} pieces in {seconds:.1f} s, {pieces / seconds:,.0f} a second", quiet)
    if csv is not None:
        columns = ("weights", "game", "score", "lines", "pieces", "tetrises")
        rows = [
            (chosen.name, game, *row)
            for chosen, one in zip(sets, found, strict=True)
            for game, row in enumerate(zip(*(getattr(one.games, name)[0].tolist() for name in _RESULTS), strict=True))
        ]
        report.write_csv(csv, columns, rows)


@app.command()
def play(
    weights: Annotated[str, typer.Argument(help="A shipped name or a file.")] = "published",
    policy: AnyPolicy = "two-piece",
    breadths: Breadths = "3,5,5",
    speed: Annotated[float, typer.Option(min=0.1, help="Pieces a second on a terminal.")] = 8.0,
    game: Annotated[int, typer.Option(min=0, help="Which game of the seed.")] = 0,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = "free",
    source: Source = "uniform8",
    save: Annotated[Path | None, typer.Option(help="Write the game to this JSON file, for replay.")] = None,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game. Where the output is no terminal, only its end is shown."""
    from gpusolve.games.tetris import replay
    from gpusolve.games.tetris.kernels import Settings
    from gpusolve.games.tetris.weights import load_weights

    chosen, wide = load_weights(weights), _breadths(breadths)
    seed = random_seed() if seed is None else seed
    settings = Settings(reach, source, start_level, max_lines)
    backend = open_device(device, quiet)
    played = replay.record(backend, chosen.values, seed, game, policy, settings, wide, chosen.name)
    if save is not None:
        replay.save(save, played)
    _show_game(played, speed, json)


@app.command("replay")
def replay_command(
    file: Annotated[Path, typer.Argument(help="A game that `play --save` wrote.")],
    speed: Annotated[float, typer.Option(min=0.1, help="Pieces a second on a terminal.")] = 8.0,
    html: Annotated[
        Path | None, typer.Option(help="Write one HTML page with play, pause, step and speed instead.")
    ] = None,
    json: Json = False,
) -> None:
    """Watch a saved game, in the terminal or as an HTML page."""
    from gpusolve import report
    from gpusolve.games.tetris import replay

    played = replay.load(file)
    if html is None:
        _show_game(played, speed, json)
        return
    replay.save_html(html, played)
    if json:
        report.json_line("tetris.replay/1", file=str(html), score=played.score, lines=played.lines)
    else:
        report.text(f"{html}: {played.summary}")


@app.command()
def suggest(
    board: Annotated[
        str, typer.Argument(help="A file, - for stdin, or rows from top to bottom with / between: . empty, # filled.")
    ],
    piece: Annotated[str, typer.Argument(help="The piece to place: I L J T Z S O.")],
    following: Annotated[str | None, typer.Argument(metavar="[NEXT]", help="The next piece, if it is known.")] = None,
    weights: Annotated[str, typer.Option(help="A shipped name or a file.")] = "published",
    level: Annotated[int, typer.Option(min=0, max=255, help="For gravity, where --reach has a clock.")] = 19,
    reach: Reach = "free",
    top: Annotated[int, typer.Option(min=1, help="Placements to show.")] = 5,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rank the placements of a piece, with their features and the presses that reach them."""
    from gpusolve import report
    from gpusolve.games.tetris import rules, solver
    from gpusolve.games.tetris.weights import load_weights

    cells = rules.parse_board(_board_text(board))
    number = rules.parse_piece(piece)
    after = rules.parse_piece(following) if following is not None else None
    chosen = load_weights(weights)
    backend = open_device(device, quiet)
    found = solver.suggest(chosen.values, cells, number, after, level, reach, backend)
    if json:
        report.json_line(
            "tetris.suggest/1",
            piece=rules.PIECES[number],
            next=rules.PIECES[after] if after is not None else None,
            weights=chosen.name,
            reach=reach,
            level=level,
            device=backend.name,
            placements=len(found),
            rows=[
                {
                    "cells": [list(cell) for cell in rules.cells_of(number, one.state)],
                    "value": one.value,
                    "cleared": one.cleared,
                    "tetris": one.tetris,
                    "tetris_next": one.tetris_next,
                    "stuck": one.stuck,
                    "features": dict(zip(rules.FEATURES, one.features, strict=True)),
                    "presses": list(one.presses),
                }
                for one in found[:top]
            ],
        )
        return
    if not found:
        report.text("no placement")
        return
    report.text(rules.board_text(cells, number, found[0].state))
    report.text(f"best of {len(found)} placements, {chosen.name}, less is better")
    names = ["lines", "holes", "rows", "cols", "wells", "max h", "surface"]
    at = (0, 4, 10, 9, 2, 12, 16)
    report.table(
        ["box row,col", "turned", "value", *names, "presses"],
        [
            (
                f"{one.state[1]},{one.state[2]}",
                one.state[0],
                _worth(one),
                *(one.cleared if i == 0 else one.features[i] for i in at),
                _presses(one.presses),
            )
            for one in found[:top]
        ],
    )


_RESULTS = ("scores", "lines", "pieces", "tetrises")


def _with_error(estimate: Estimate, digits: int) -> str:
    return f"{estimate.mean:,.{digits}f} ± {estimate.error:,.{digits}f}"


def _breadths(text: str) -> tuple[int, ...]:
    from gpusolve.errors import BadInput
    from gpusolve.games.tetris import branching

    try:
        breadths = tuple(int(number) for number in text.split(","))
    except ValueError as error:
        raise BadInput(f"--breadths {text}: expected one to three numbers, as 3,5,5") from error
    branching.check(breadths)
    return breadths


def _board_text(source: str) -> str:
    import sys

    from gpusolve.errors import BadInput

    if source == "-":
        return sys.stdin.read()
    try:
        return Path(source).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        if "/" in source and not any(sign.isalnum() and sign not in "01xX" for sign in source):
            return source
        raise BadInput(f"board {source}: no such file, and no rows of . and # with / between") from error


def _worth(one: Suggestion) -> str:
    """What outweighs the value, or else the value."""
    decisive = [name for name in ("tetris", "tetris_next", "stuck") if getattr(one, name)]
    return ", ".join(decisive).replace("_", " ") or f"{one.value:,.2f}"


def _presses(presses: tuple[str, ...]) -> str:
    """Presses in few signs: the same ones in a row with their number."""
    from itertools import groupby

    short = {"left": "L", "right": "R", "down": "D", "clockwise": "A", "counter-clockwise": "B"}
    if any(":" in press for press in presses):
        return " ".join(f"{frame}:{short[press]}" for frame, _, press in (one.partition(":") for one in presses))
    runs = [(short[press], len(list(run))) for press, run in groupby(presses)]
    return " ".join(f"{sign}{count}" if count > 1 else sign for sign, count in runs)


def _show_game(played: Replay, speed: float, json: bool) -> None:
    from gpusolve import report
    from gpusolve.games.tetris import replay

    if json:
        found = replay.as_json(played)
        found.pop("schema")
        report.json_line("tetris.game/1", **found)
        return
    report.animate(replay.frames(played), 1 / speed)
    report.text(f"{played.weights}, {played.policy}, seed {played.seed}, game {played.game}: {played.summary}")
