"""Options that several commands of ``gpusolve tetris`` share, and how their values are parsed."""

from __future__ import annotations

import re
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
        "value, for the first and second. playouts: numbers of placements to try, of sequences of pieces, and of "
        "pieces in each sequence.",
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
    Literal["free", "30hz", "15hz", "das"] | None,
    typer.Option(
        help="Placements that the player can reach. free: all that presses lead to, with unlimited time; 30hz and "
        "15hz: by tapping at this rate against gravity; das: by holding the button down.",
        show_default="free",
    ),
]
Hz = Annotated[int | None, typer.Option(help="Taps per second against gravity, 1 to 30; instead of --reach.")]
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
StartLevel = Annotated[int, typer.Option(help="Level at the start of a game, 18 to 29.")]
MaxLines = Annotated[
    int, typer.Option(help="Number of lines after which a game ends, 1 to 10,000; 430 lines lead to level 49.")
]
BEST = "learned; 30hz with --reach das"
PlayerArgument = Annotated[
    str | None,
    typer.Argument(help="Player: a shipped name, or a file of weights or of a learned value.", show_default=BEST),
]


def reach_of(reach: str | None, hz: int | None) -> str:
    """Return the reach that the two options name. Raises BadInput if both are given."""
    if hz is None:
        return "free" if reach is None else reach
    if reach is not None:
        raise BadInput(f"--hz {hz}: expected without --reach {reach}")
    from gpusolve import checks
    from gpusolve.games.tetris.rules.reachability import FASTEST

    checks.check_integer("--hz", hz, 1, FASTEST)
    return f"{hz}hz"


def breadths_of(text: str | None) -> tuple[int, ...] | None:
    """Parse --breadths. Returns None if the option is not given."""
    return None if text is None else numbers_of(text, "--breadths", "one to three numbers, like 3,5,5")


def numbers_of(text: str, option: str, expected: str) -> tuple[int, ...]:
    """Parse numbers separated by commas. Raises BadInput for anything else."""
    if re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9}){0,9}", text) is None:
        raise BadInput(f"{option} {text}: expected {expected}")
    return tuple(map(int, text.split(",")))
