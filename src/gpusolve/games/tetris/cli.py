"""The commands of ``gpusolve tetris``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gpusolve.clock import now
from gpusolve.errors import BadInput
from gpusolve.games.tetris.cli_options import (
    BEST,
    BOARD_HELP,
    Breadths,
    DelayMs,
    DoubleKillscreen,
    Hz,
    MaxLines,
    PlayerArgument,
    Policy,
    Reach,
    Source,
    StartLevel,
    Taps,
    Ties,
    read_board,
)
from gpusolve.games.tetris.measuring import cli as cli_measuring
from gpusolve.games.tetris.training import cli as cli_training
from gpusolve.output.options import Device, Html, Json, Quiet, Seed, open_device, writable

app = typer.Typer(
    help="NES Tetris: train players, evaluate them over thousands of games, watch games and rank placements.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SPEED = 8.0
Speed = Annotated[
    float | None, typer.Option(min=0.1, help="Number of pieces per second in the terminal.", show_default=f"{SPEED:g}")
]

app.command(
    epilog="Example: gpusolve tetris train --particles 6 --iterations 3 --games 10 --policy greedy --finals 20"
)(cli_training.train)
app.command(epilog="Example: gpusolve tetris train-value --iterations 4 --games 10 --opening 0.25 --max-lines 20")(
    cli_training.train_value
)
app.command(epilog="Example: gpusolve tetris average-values tournament-30hz tournament-20hz")(
    cli_training.average_values
)
app.command(epilog="Example: gpusolve tetris join-values 0=tournament-30hz 19=tournament-15hz")(
    cli_training.join_values
)
app.command(epilog="Example: gpusolve tetris evaluate weights.json --compare published --games 20 --policy greedy")(
    cli_measuring.evaluate
)


@app.command(epilog="Example: gpusolve tetris play --seed 5 --policy greedy --max-lines 20 --out game.json")
def play(
    player: PlayerArgument = None,
    policy: Policy = "two-piece",
    breadths: Breadths = None,
    ties: Ties = None,
    speed: Speed = None,
    game: Annotated[int, typer.Option(help="Number of the game among those of the seed, from 0.")] = 0,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    taps: Taps = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="POSITION",
            help="Play on from a position: a board as in `suggest`, the piece, the next piece and the lines cleared, "
            "as in '####...###/#########. I T 120'. The next piece and the lines may be left out.",
            show_default="the empty board",
        ),
    ] = None,
    playouts: Annotated[
        int,
        typer.Option(
            help="Number of 20-piece playouts after each turn, to estimate the chance of a tetris and of topping out."
        ),
    ] = 0,
    out: Annotated[
        Path | None, typer.Option(callback=writable, help="Write the game to this JSON file, which `replay` reads.")
    ] = None,
    html: Html = None,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game in the terminal or in a browser. If the output is not a terminal, only the end is printed."""
    from gpusolve.games.tetris import drawing, recording
    from gpusolve.games.tetris._play import play
    from gpusolve.games.tetris.variant import Variant
    from gpusolve.output import report

    speed = _speed(speed, {"--json": json, "--html": html is not None})
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
    backend = open_device(device, quiet)
    begin = now()
    played = play(
        player,
        policy=policy,
        breadths=breadths,
        ties=ties,
        game=game,
        variant=variant,
        start=start,
        playouts=playouts,
        seed=seed,
        backend=backend,
    )
    seconds = now() - begin
    if out is not None:
        recording.save(out, played)
    if html is not None:
        from gpusolve.games.tetris.pages import pictures

        pictures.save_page(html, played)
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
        drawing.report_page(html, played)
    else:
        drawing.show_game(played, speed)


@app.command(epilog="Example: gpusolve tetris replay game.json --html game.html")
def replay(
    file: Annotated[Path, typer.Argument(help="A game saved with `play --out`.")],
    speed: Speed = None,
    html: Html = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a saved game in the terminal or in a browser. The page has play, pause, step and speed controls."""
    from gpusolve.games.tetris import drawing, recording
    from gpusolve.games.tetris._replay import replay
    from gpusolve.output import report

    speed = _speed(speed, {"--json": json, "--html": html is not None})
    played = replay(file)
    if html is not None:
        from gpusolve.games.tetris.pages import pictures

        pictures.save_page(html, played)
    if json:
        report.json_line("tetris.replay/1", **recording.as_json(played))
    elif html is not None:
        drawing.report_page(html, played)
    else:
        drawing.show_game(played, speed)


app.command(epilog="Example: gpusolve tetris review game.json --playouts 0")(cli_measuring.review)
app.command(epilog="Example: gpusolve tetris match game.json --max-lines 20 --player 30hz")(cli_measuring.match)


@app.command(epilog="Example: gpusolve tetris suggest '####...###/####..####/#########.' I T --reach 30hz")
def suggest(
    board: Annotated[
        str,
        typer.Argument(help=BOARD_HELP),
    ],
    piece: Annotated[str, typer.Argument(help="Piece to place: I, L, J, T, Z, S or O.")],
    following: Annotated[str | None, typer.Argument(help="Next piece, if it is known.")] = None,
    player: Annotated[
        str | None,
        typer.Option(help="Player: a shipped name, or a file of weights or of a learned value.", show_default=BEST),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            help="Level, 0 to 255, instead of --lines: its first line. A level below the start level is the beginning "
            "of a game that starts there.",
            show_default="the start level",
        ),
    ] = None,
    lines: Annotated[
        int | None,
        typer.Option(
            help="Lines cleared so far. A position beyond the usual 230 lines belongs to a game that goes on to 430 "
            "lines, or else to the last one.",
            show_default="0",
        ),
    ] = None,
    start_level: StartLevel = 19,
    max_lines: MaxLines = 230,
    reach: Reach = None,
    hz: Hz = None,
    taps: Taps = None,
    mine: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN,TURNS[,ROW]",
            help="Your placement, to be rated: the column of its left edge (1 to 10), the number of clockwise quarter "
            "turns and, if it can rest at several heights, the row of its lower edge (1 is the bottom).",
        ),
    ] = None,
    source: Source = "uniform8",
    delay_ms: DelayMs = 0,
    double_killscreen: DoubleKillscreen = False,
    playouts: Annotated[
        int,
        typer.Option(
            help="Number of 20-piece playouts from each of the five best placements, to estimate the chance of a "
            "tetris and of topping out. 0: none."
        ),
    ] = 100,
    top: Annotated[int, typer.Option(min=1, help="Number of placements to show.")] = 5,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rank the placements of a piece. Shows their features and the presses that reach them."""
    from gpusolve.games.tetris import _suggest as suggestions, drawing
    from gpusolve.games.tetris.measuring.prospects import AHEAD
    from gpusolve.games.tetris.rules import board as rules
    from gpusolve.games.tetris.rules.features import FEATURES
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
    cells = read_board(board)
    backend = open_device(device, quiet)
    begin = now()
    ranked = suggestions.suggest(
        cells,
        piece,
        following,
        player=player,
        level=level,
        lines=lines,
        variant=variant,
        mine=mine,
        playouts=playouts,
        seed=seed,
        backend=backend,
    )
    seconds = now() - begin
    if not json:
        drawing.show_suggestions(ranked, top=top)
        return
    position = ranked.position

    def row(one: suggestions.Suggestion) -> dict[str, Any]:
        return {
            "cells": [list(cell) for cell in rules.cells_of(position.piece, one.state)],
            "column": one.column,
            "turned": one.turned,
            "row": one.row,
            "value": one.value,
            "loss": one.loss,
            "cleared": one.cleared,
            "tetris": one.tetris,
            "tetris_next": one.tetris_next,
            "stuck": one.stuck,
            "when": "".join(rules.PIECES[then] for then in one.when),
            "features": dict(zip(FEATURES, one.features, strict=True)),
            "presses": list(one.presses),
            "tetris_chance": one.prospect and one.prospect.tetris,
            "risk": one.prospect and one.prospect.risk,
        }

    report.json_line(
        "tetris.suggest/1",
        piece=rules.PIECES[position.piece],
        following=None if position.following is None else rules.PIECES[position.following],
        player=ranked.player,
        **vars(ranked.variant),
        level=ranked.level,
        lines=position.lines,
        device=backend.name,
        seconds=seconds,
        playouts=playouts,
        pieces_ahead=AHEAD,
        seed=ranked.seed,
        placements=len(ranked),
        rows=[row(one) for one in ranked[:top]],
        mine=None if ranked.mine is None else {"rank": ranked.mine + 1, **row(ranked[ranked.mine])},
    )


def _speed(speed: float | None, instead: dict[str, bool]) -> float:
    """Return the speed at which to show a game. Raises BadInput if the game is not shown in the terminal."""
    if speed is not None and any(instead.values()):
        raise BadInput(f"--speed {speed:g}: expected without {' and '.join(name for name in instead if instead[name])}")
    return SPEED if speed is None else speed
