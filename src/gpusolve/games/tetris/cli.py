"""``gpusolve tetris``: parse, call, report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve.errors import BadInput, Exit
from gpusolve.options import (
    Checkpoint,
    Csv,
    Device,
    Html,
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
    from gpusolve.games.tetris.evaluation import Estimate
    from gpusolve.games.tetris.kernels import Settings

app = typer.Typer(
    help="NES Tetris: whole games by the thousand, weights by particle swarm, play, suggestions.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SPEED = 8.0
Policy = Annotated[
    Literal["greedy", "two-piece", "branching"],
    typer.Option(help="greedy looks at one piece, two-piece at the next one, branching at what may follow."),
]
Breadths = Annotated[
    str | None,
    typer.Option(
        help="branching: the best placements looked at of the first, second, third piece.", show_default="3,5,5"
    ),
]
Ties = Annotated[
    Literal["number", "presses"] | None,
    typer.Option(
        help="branching, where as much is to be expected of two placements: the better one by itself, then the lower "
        "number; or the one that presses reach first on an empty board, as the published program has it.",
        show_default="number",
    ),
]
Reach = Annotated[
    Literal["free", "30hz", "15hz", "das"] | None,
    typer.Option(
        help="free: any placement that presses reach; else the fastest tapping, against gravity.", show_default="free"
    ),
]
Hz = Annotated[int | None, typer.Option(help="Instead of --reach: so many taps per second, 1 to 30, against gravity.")]
DelayMs = Annotated[
    int, typer.Option(help="Milliseconds until the next piece is known: the player begins with a plan. Needs a clock.")
]
DoubleKillscreen = Annotated[
    bool, typer.Option("--double-killscreen", help="From level 39 on pieces fall two rows a frame. Needs a clock.")
]
Confidence = Annotated[
    float | None, typer.Option(help="Of the interval of the difference, 0.5 to 0.9999.", show_default="0.99")
]
Source = Annotated[Literal["uniform8", "nes"], typer.Option(help="Where pieces come from; nes: the console's own.")]
StartLevel = Annotated[int, typer.Option(help="The level at the start, 18 to 29.")]
MaxLines = Annotated[int, typer.Option(help="A game ends with so many lines, 1 to 10,000; with 430 at level 49.")]
BEST = "two-piece; for the policy greedy published; with a clock 30hz"
WeightsArgument = Annotated[
    str | None, typer.Argument(help="A shipped name or a file; without, the best shipped ones.", show_default=BEST)
]
Speed = Annotated[
    float | None, typer.Option(min=0.1, help="Pieces per second on a terminal.", show_default=f"{SPEED:g}")
]


@app.command(
    epilog="Example: gpusolve tetris train --particles 6 --iterations 3 --games 10 --policy greedy --finals 20"
)
def train(
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
        int | None, typer.Option(help="Iterations.", show_default="100, quick 60; value 1000, quick 200")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            help="Games that each particle plays in an iteration, all the same; value: of an iteration.",
            show_default="150, quick 40; value 64",
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

    from gpusolve import report
    from gpusolve.games.tetris import show, training
    from gpusolve.games.tetris.kernels import Settings
    from gpusolve.games.tetris.weights import Weights, save_weights

    settings = Settings(_reach(reach, hz), source, start_level, max_lines, delay_ms, double_killscreen)
    if method == "value":
        swarm_only = {"particles": particles, "policy": policy, "clamp": clamp, "init": init, "spread": spread}
        _train_value(
            out or Path("learned.value"), iterations, games, quick, settings, swarm_only | {"finals": finals}, log,
            plot, seed, time_limit, checkpoint, resume, device, json, quiet,
        )  # fmt: skip
        return
    out = out or Path("weights.json")
    given = {"particles": particles, "iterations": iterations, "games": games, "policy": policy, "finals": finals}
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
        **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]
    )
    backend = open_device(device, quiet)
    record = show.TrainingLog(log)

    def progress(iteration: training.Iteration) -> None:
        record.add(iteration)
        report.status(show.progress_of(iteration, plan.iterations), quiet)

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


def _train_value(
    out: Path,
    iterations: int | None,
    games: int | None,
    quick: bool,
    settings: Settings,
    swarm_only: dict[str, Any],
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

    from gpusolve import report
    from gpusolve.games.tetris import show, value_training
    from gpusolve.games.tetris.value import save_value

    for name, given in swarm_only.items():
        if given is not None:
            raise BadInput(f"--{name} {given}: expected only with --method swarm")
    plan = value_training.QUICK_VALUE if quick else value_training.ValueSettings()
    plan = replace(plan, iterations=iterations or plan.iterations, games=games or plan.games)
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


@app.command(epilog="Example: gpusolve tetris evaluate weights.json --compare published --games 20 --policy greedy")
def evaluate(
    weights: WeightsArgument = None,
    compare: Annotated[
        str | None, typer.Option(help="Other weights, which play the same games: the paired difference.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games, 5,000,000 at most.")] = 1000,
    policy: Policy = "two-piece",
    breadths: Breadths = None,
    ties: Ties = None,
    confidence: Confidence = None,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    csv: Csv = None,
    workers: Workers = "1",
    seed: Seed = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How good weights are: mean, percentiles, maxouts, tetris rate over many games, with standard errors."""
    from gpusolve import report
    from gpusolve.games.tetris import branching, evaluation, playing, show
    from gpusolve.games.tetris.kernels import Settings

    settings = Settings(_reach(reach, hz), source, start_level, max_lines, delay_ms, double_killscreen)
    wide = _breadths(breadths)
    backend = open_device(device, quiet)
    with report.progress("games", games * (1 if compare is None else 2), quiet) as progress:
        found = evaluation.evaluate(
            weights, compare, games, policy, wide, ties, confidence, settings, workers, seed, time_limit, checkpoint,
            resume, progress, backend,
        )  # fmt: skip
    comparison, played = found.comparison, len(found.scores)
    both = [found] if comparison is None else [found, comparison.second]
    if json:
        report.json_line(
            "tetris.evaluate/1",
            games=played,
            policy=policy,
            breadths=list(wide or branching.BREADTHS) if policy == "branching" else None,
            ties=branching.ties_of(policy, ties) if policy == "branching" else None,
            **vars(settings),
            seed=found.seed,
            device=backend.name,
            seconds=found.seconds,
            complete=found.complete,
            weights=[
                {
                    "name": one.weights.name,
                    "score": _finite(one.score),
                    "percentiles": one.percentiles,
                    "maxout": _finite(one.maxout),
                    "lines": _finite(one.lines),
                    "tetris_rate": _finite(one.tetris_rate),
                    "pieces": one.pieces,
                }
                for one in both
            ],
            difference=comparison
            and {
                **_finite(comparison.difference),
                "confidence": comparison.confidence,
                "interval": list(comparison.interval) if played > 1 else None,
            },
        )
    else:
        number = f"{played:,}" if found.complete else f"{played:,} of {games:,}"
        report.text(f"{number} games, {policy}, {show.played_under(settings)}, seed {found.seed}")
        show.evaluations(both)
        if comparison is not None:
            show.comparison(comparison)
        pieces = sum(one.pieces for one in both)
        report.note(f"{pieces:,} pieces in {found.seconds:.1f} s, {pieces / found.seconds:,.0f} per second", quiet)
    if csv is not None:
        columns = ("weights", "game", "score", "lines", "pieces", "tetrises")
        rows = (
            (one.weights.name, game, *row)
            for one in both
            for game, row in enumerate(
                zip(*(getattr(one.games, name)[0].tolist() for name in playing.RESULTS), strict=True)
            )
        )
        report.write_csv(csv, columns, rows)
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


@app.command(epilog="Example: gpusolve tetris play --seed 5 --policy greedy --max-lines 20 --out game.json")
def play(
    weights: WeightsArgument = None,
    policy: Policy = "two-piece",
    breadths: Breadths = None,
    ties: Ties = None,
    speed: Speed = None,
    game: Annotated[int, typer.Option(help="Which game of the seed, from 0 on.")] = 0,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    playouts: Annotated[
        int,
        typer.Option(
            help="So many times 20 pieces are played on after each turn, for the chances of a tetris and of the end."
        ),
    ] = 0,
    out: Annotated[
        Path | None, typer.Option(callback=writable, help="Write the game to this JSON file, for replay.")
    ] = None,
    html: Html = None,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game, in the terminal or as an HTML page. Where the output is not a terminal, only its end is shown."""
    import time

    from gpusolve import report
    from gpusolve.games.tetris import recording, show
    from gpusolve.games.tetris.kernels import Settings

    speed = _speed(speed, {"--json": json, "--html": html is not None})
    settings = Settings(_reach(reach, hz), source, start_level, max_lines, delay_ms, double_killscreen)
    wide = _breadths(breadths)
    backend = open_device(device, quiet)
    begin = time.monotonic()
    played = recording.play(weights, policy, wide, ties, game, settings, playouts, seed, backend)
    seconds = time.monotonic() - begin
    if out is not None:
        recording.save(out, played)
    if html is not None:
        show.save_page(html, played)
    if json:
        report.json_line(
            "tetris.play/1",
            **recording.as_json(played),
            playouts=playouts,
            prospects=[{"tetris_chance": one.tetris, "risk": one.risk} for one in played.prospects],
            device=backend.name,
            seconds=seconds,
        )
    elif html is not None:
        show.page_written(html, played)
    else:
        show.game(played, speed)


@app.command(epilog="Example: gpusolve tetris replay game.json --html game.html")
def replay(
    file: Annotated[Path, typer.Argument(help="A game that `play --out` wrote.")],
    speed: Speed = None,
    html: Html = None,
    json: Json = False,
) -> None:
    """Watch a saved game, in the terminal or as an HTML page with play, pause, step and speed."""
    from gpusolve import report
    from gpusolve.games.tetris import recording, show

    speed = _speed(speed, {"--json": json, "--html": html is not None})
    played = recording.replay(file)
    if html is not None:
        show.save_page(html, played)
    if json:
        report.json_line("tetris.replay/1", **recording.as_json(played))
    elif html is not None:
        show.page_written(html, played)
    else:
        show.game(played, speed)


@app.command(epilog="Example: gpusolve tetris match game.json --max-lines 20 --weights 30hz")
def match(
    results: Annotated[
        Path,
        typer.Argument(
            help="Another player's games: CSV with the columns pieces (letters), score, lines and, if its placements "
            "are to be checked, game, a file as `play --out` writes it; or one such file."
        ),
    ],
    weights: Annotated[
        str | None, typer.Option(help="Ours: a shipped name or a file; without, the best shipped ones.")
    ] = None,
    policy: Policy = "two-piece",
    breadths: Breadths = None,
    ties: Ties = None,
    confidence: Confidence = None,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    csv: Csv = None,
    plot: Plot = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play the piece lists of another player's games, and compare game by game."""
    from gpusolve import report
    from gpusolve.games.tetris import branching, matches, show
    from gpusolve.games.tetris.kernels import Settings

    settings = Settings(_reach(reach, hz), source, start_level, max_lines, delay_ms, double_killscreen)
    wide = _breadths(breadths)
    backend = open_device(device, quiet)
    with report.progress("games", 0, quiet) as progress:
        found = matches.match(
            results,
            weights,
            policy,
            wide,
            ties,
            confidence,
            settings,
            time_limit,
            checkpoint,
            resume,
            progress,
            backend,
        )
    if json:
        report.json_line(
            "tetris.match/1",
            games=len(found.theirs.pieces),
            policy=policy,
            breadths=list(wide or branching.BREADTHS) if policy == "branching" else None,
            ties=branching.ties_of(policy, ties) if policy == "branching" else None,
            **vars(settings),
            weights=found.weights.name,
            device=backend.name,
            seconds=found.seconds,
            complete=found.complete,
            checked=found.theirs.checked,
            short=found.short,
            ours=show.sums(found.ours.scores[0], found.ours.lines[0]),
            theirs=show.sums(found.theirs.scores, found.theirs.lines),
            difference={
                **_finite(found.difference),
                "confidence": found.confidence,
                "interval": list(found.interval) if len(found.differences) > 1 else None,
            },
            wins=found.wins,
            losses=found.losses,
        )
    else:
        report.text(f"{len(found.theirs.pieces):,} games, {policy}, {show.played_under(settings)}")
        show.match(found)
    if csv is not None:
        columns = ("score", "lines", "pieces", "tetrises", "their_score", "their_lines", "difference")
        ours = (getattr(found.ours, name)[0].tolist() for name in ("scores", "lines", "pieces", "tetrises"))
        their = (found.theirs.scores.tolist(), found.theirs.lines.tolist(), found.differences.tolist())
        report.write_csv(csv, columns, zip(*ours, *their, strict=True))
    if plot is not None:
        show.plot_match(plot, found)
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


@app.command(epilog="Example: gpusolve tetris suggest '####...###/####..####/#########.' I T --reach 30hz")
def suggest(
    board: Annotated[
        str, typer.Argument(help="A file, - for stdin, or rows from top to bottom with / between: . empty, # filled.")
    ],
    piece: Annotated[str, typer.Argument(help="The piece to place: I L J T Z S O.")],
    following: Annotated[str | None, typer.Argument(help="The piece that follows, if it is known.")] = None,
    weights: Annotated[
        str | None, typer.Option(help="A shipped name or a file.", show_default="the best for this: see the output")
    ] = None,
    level: Annotated[
        int | None, typer.Option(help="For gravity, where --reach has a clock, 0 to 255.", show_default="19")
    ] = None,
    reach: Reach = None,
    hz: Hz = None,
    mine: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN,TURNS[,ROW]",
            help="Your own placement, to be rated: the column of its left edge, 1 to 10, how often it is turned "
            "clockwise, and, if it can rest at several heights, the row of its lower edge, 1 at the bottom.",
        ),
    ] = None,
    source: Source = "uniform8",
    double_killscreen: DoubleKillscreen = False,
    playouts: Annotated[
        int,
        typer.Option(
            help="So many times 20 pieces are played on from each of the five best, for the chances of a tetris and of "
            "the end; 0: never."
        ),
    ] = 100,
    top: Annotated[int, typer.Option(min=1, help="Placements to show.")] = 5,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rank the placements of a piece, with their features and the presses that reach them."""
    import time

    from gpusolve import report
    from gpusolve.games.tetris import rules, show, suggestions
    from gpusolve.games.tetris.features import FEATURES
    from gpusolve.games.tetris.playouts import AHEAD
    from gpusolve.games.tetris.weights import load_weights

    cells, number = rules.parse_board(_board_text(board)), rules.parse_piece(piece)
    clock = _reach(reach, hz)
    chosen = load_weights(suggestions.weights_for(following, clock) if weights is None else weights)
    own = (
        None
        if mine is None
        else _numbers(mine, "--mine", "column and turns, or column, turns and row, as 4,1 or 4,1,3")
    )
    backend = open_device(device, quiet)
    begin = time.monotonic()
    found = suggestions.suggest(
        cells, number, following, chosen, level, clock, own, source, double_killscreen, playouts, seed, backend
    )
    seconds = time.monotonic() - begin
    if not json:
        show.suggestions(cells, number, found, top, chosen.name)
        return

    def row(one: suggestions.Suggestion) -> dict[str, Any]:
        return {
            "cells": [list(cell) for cell in rules.cells_of(number, one.state)],
            "column": one.column,
            "turned": one.turned,
            "row": one.row,
            "value": one.value,
            "cleared": one.cleared,
            "tetris": one.tetris,
            "tetris_next": one.tetris_next,
            "stuck": one.stuck,
            "features": dict(zip(FEATURES, one.features, strict=True)),
            "presses": list(one.presses),
            "tetris_chance": one.prospect and one.prospect.tetris,
            "risk": one.prospect and one.prospect.risk,
        }

    report.json_line(
        "tetris.suggest/1",
        piece=rules.PIECES[number],
        following=following and rules.PIECES[rules.parse_piece(following)],
        weights=chosen.name,
        reach=clock,
        level=suggestions.LEVEL if level is None else level,
        device=backend.name,
        seconds=seconds,
        playouts=playouts,
        pieces_ahead=AHEAD,
        source=source,
        double_killscreen=double_killscreen,
        seed=seed or 0,
        placements=len(found),
        rows=[row(one) for one in found[:top]],
        mine=next(
            (
                {"rank": rank, "loss": suggestions.loss(found[0], one), **row(one)}
                for rank, one in enumerate(found, 1)
                if one.mine
            ),
            None,
        ),
    )


def _reach(reach: str | None, hz: int | None) -> str:
    """What is reached. Raises BadInput for both."""
    if hz is None:
        return "free" if reach is None else reach
    if reach is not None:
        raise BadInput(f"--hz {hz}: expected without --reach {reach}")
    from gpusolve import checks
    from gpusolve.games.tetris.reachability import FASTEST

    checks.whole("--hz", hz, 1, FASTEST)
    return f"{hz}hz"


def _breadths(text: str | None) -> tuple[int, ...] | None:
    return None if text is None else _numbers(text, "--breadths", "one to three numbers, as 3,5,5")


def _numbers(text: str, option: str, expected: str) -> tuple[int, ...]:
    """Numbers with commas between. Raises BadInput for anything else."""
    if re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9}){0,9}", text) is None:
        raise BadInput(f"{option} {text}: expected {expected}")
    return tuple(map(int, text.split(",")))


def _finite(estimate: Estimate) -> dict[str, float | None]:
    """An estimate for JSON, which has no nan: one game has no error."""
    return {"mean": estimate.mean, "error": None if estimate.error != estimate.error else estimate.error}


def _speed(speed: float | None, instead: dict[str, bool]) -> float:
    """The speed to show a game at. Raises BadInput where something else is done instead."""
    if speed is not None and any(instead.values()):
        raise BadInput(f"--speed {speed:g}: expected without {' and '.join(name for name in instead if instead[name])}")
    return SPEED if speed is None else speed


def _board_text(source: str) -> str:
    import sys

    if source == "-":
        return sys.stdin.read()
    from gpusolve import files

    if "/" in source and not any(sign.isalnum() and sign not in "01xX" for sign in source):
        return source
    if not files.exists(source):
        raise BadInput(f"board {source}: no such file, nor rows of . and # with / between")
    return files.read_text(source, "board")
