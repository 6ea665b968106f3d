"""``gpusolve tetris``: parse, call, report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gpusolve.errors import BadInput
from gpusolve.games.tetris.cli_options import (
    Breadths,
    DelayMs,
    DoubleKillscreen,
    Hz,
    MaxLines,
    Policy,
    Reach,
    Source,
    StartLevel,
    Ties,
    WeightsArgument,
    breadths_of,
    numbers_of,
    reach_of,
)
from gpusolve.games.tetris.measuring import cli as cli_measuring
from gpusolve.games.tetris.training import cli as cli_training
from gpusolve.output.options import Device, Html, Json, Quiet, Seed, open_device, writable

app = typer.Typer(
    help="NES Tetris: whole games by the thousand, weights by particle swarm, play, suggestions.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SPEED = 8.0
Speed = Annotated[
    float | None, typer.Option(min=0.1, help="Pieces per second on a terminal.", show_default=f"{SPEED:g}")
]

app.command(
    epilog="Example: gpusolve tetris train --particles 6 --iterations 3 --games 10 --policy greedy --finals 20"
)(cli_training.train)
app.command(epilog="Example: gpusolve tetris evaluate weights.json --compare published --games 20 --policy greedy")(
    cli_measuring.evaluate
)


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

    from gpusolve.games.tetris import _play as recording, drawing as show
    from gpusolve.games.tetris.variant import Settings
    from gpusolve.output import report

    speed = _speed(speed, {"--json": json, "--html": html is not None})
    settings = Settings(reach_of(reach, hz), source, start_level, max_lines, delay_ms, double_killscreen)
    wide = breadths_of(breadths)
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
    from gpusolve.games.tetris import _play as recording, drawing as show
    from gpusolve.output import report

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


app.command(epilog="Example: gpusolve tetris match game.json --max-lines 20 --weights 30hz")(cli_measuring.match)


@app.command(epilog="Example: gpusolve tetris suggest '####...###/####..####/#########.' I T --reach 30hz")
def suggest(
    board: Annotated[
        str, typer.Argument(help="A file, - for stdin, or rows from top to bottom with / between: . empty, # filled.")
    ],
    piece: Annotated[str, typer.Argument(help="The piece to place: I L J T Z S O.")],
    following: Annotated[str | None, typer.Argument(help="The piece that follows, if it is known.")] = None,
    weights: Annotated[
        str | None, typer.Option(help="A shipped name or a file.", show_default="learned; with das 30hz")
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            help="For gravity, where --reach has a clock, and for a learned value, 0 to 255.", show_default="19"
        ),
    ] = None,
    lines: Annotated[
        int | None,
        typer.Option(help="Instead of --level: lines cleared in a game from level 19, 0 to 229.", show_default="0"),
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

    from gpusolve.games.tetris import _suggest as suggestions, drawing as show
    from gpusolve.games.tetris.measuring.prospects import AHEAD
    from gpusolve.games.tetris.players.value import LearnedValue
    from gpusolve.games.tetris.players.weights import best_weights, load_evaluation
    from gpusolve.games.tetris.rules import board as rules
    from gpusolve.games.tetris.rules.features import FEATURES
    from gpusolve.output import report

    cells, number = rules.parse_board(_board_text(board)), rules.parse_piece(piece)
    clock = reach_of(reach, hz)
    chosen = load_evaluation(best_weights(clock) if weights is None else weights)
    its_level, gone = suggestions.progress_of(level, lines, clock, isinstance(chosen, LearnedValue))
    own = (
        None
        if mine is None
        else numbers_of(mine, "--mine", "column and turns, or column, turns and row, as 4,1 or 4,1,3")
    )
    backend = open_device(device, quiet)
    begin = time.monotonic()
    found = suggestions.suggest(
        cells, number, following, chosen, level, lines, clock, own, source, double_killscreen, playouts, seed, backend
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
        level=its_level,
        lines=gone,
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
