"""Options that several commands of ``gpusolve tetris`` share, and how their values are parsed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

import typer

from gpusolve.errors import BadInput

Policy = Annotated[
    Literal["greedy", "two-piece", "branching", "playouts"],
    typer.Option(
        help="greedy looks at one piece, two-piece also at the next piece, branching also at all pieces that can "
        "follow (expectimax), playouts at random sequences of the pieces that follow."
    ),
]
Breadths = Annotated[
    str | None,
    typer.Option(
        help="branching: numbers of best placements to consider for the first, second and third piece; with a learned "
        "value up to four numbers, from the second on only where the choice is still open. playouts: numbers of "
        "placements to try, of sequences of pieces, and of pieces in each sequence.",
        show_default="3,5,5; learned 8,4; playouts 4,16,4",
    ),
]
Ties = Annotated[
    Literal["number", "presses"] | None,
    typer.Option(
        help="branching: choice between placements of equal expectation. number: the one with the better value by "
        "itself, then the one with the lower number; presses: the one that presses reach first on an empty board, as "
        "in the program behind the published results.",
        show_default="number",
    ),
]
Reach = Annotated[
    str | None,
    typer.Option(
        help="Placements that the player can reach. free: all that presses lead to, with unlimited time; 30hz, 15hz "
        "and so on: by tapping at this rate against gravity; slow5: by five quick taps and a pause; das: by holding "
        "the button down. 30hz+tuck, slow5+tuck: by tapping, and the last press, a tuck or a spin, may come on any "
        "frame.",
        show_default="free",
    ),
]
Hz = Annotated[int | None, typer.Option(help="Taps per second against gravity, 1 to 30; instead of --reach.")]
Taps = Annotated[
    str | None,
    typer.Option(help="Frames on which the player can tap, as in 0,2,4,6,18,20; instead of --reach and --hz."),
]
DelayMs = Annotated[
    int,
    typer.Option(
        help="Milliseconds until the player knows the next piece; until then the player follows a plan. Needs a clock "
        "(--reach or --hz)."
    ),
]
DoubleKillscreen = Annotated[
    bool, typer.Option("--double-killscreen", help="From level 39 on, pieces fall two rows per frame. Needs a clock.")
]
Confidence = Annotated[
    float | None,
    typer.Option(help="Level of the confidence interval of the difference, 0.5 to 0.9999.", show_default="0.99"),
]
Source = Annotated[
    Literal["uniform8", "nes"],
    typer.Option(help="Generator of the pieces. uniform8: equal chances, with few repeats; nes: the console's."),
]
StartLevel = Annotated[int, typer.Option(help="Level at the start of a game, 0 to 29.")]
MaxLines = Annotated[
    int, typer.Option(help="Number of lines after which a game ends, 1 to 10,000; 430 lines lead to level 49.")
]
BOARD_HELP = (
    "Board: rows of 10 cells from top to bottom, separated by /, with . or 0 for empty cells and # or 1 for filled "
    "cells; or all cells in one string, such as StackRabbit's 200 digits; or ten columns as hexadecimal numbers, such "
    "as 'f f f f f f f f f 0', where bit 0 is the lowest row; or a file with any of these; or - for standard input."
)
BEST = "learned"
PlayerArgument = Annotated[
    str | None,
    typer.Argument(help="Player: a shipped name, or a file of weights or of a learned value.", show_default=BEST),
]


def read_board(source: str) -> str | Path:
    """Return a board as `suggest` takes it: text, a file with such text, or the text of standard input for -."""
    from gpusolve import files
    from gpusolve.games.tetris.rules.board import EMPTY, FILLED
    from gpusolve.output.dialogue import read_input

    if source == "-":
        return read_input()
    if re.fullmatch(rf"[{re.escape(EMPTY + FILLED)}\s,|/]+|[0-9a-fA-FxX]+([\s,]+[0-9a-fA-FxX]+){{9}}", source):
        return source
    if not files.exists(source):
        raise BadInput(f"board {source}: expected a file, or rows of . and # separated by /")
    return Path(source)
