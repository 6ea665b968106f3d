"""The options that several commands of ``gpusolve tetris`` have, and what they mean."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import typer

from gpusolve.errors import BadInput

Policy = Annotated[
    Literal["greedy", "two-piece", "branching", "playouts"],
    typer.Option(
        help="greedy looks at one piece, two-piece at the next one, branching at what may follow; playouts plays on, "
        "over many sequences of pieces."
    ),
]
Breadths = Annotated[
    str | None,
    typer.Option(
        help="branching: the best placements looked at of the first, second, third piece; with a learned value of the "
        "first and second. playouts: placements that are tried, sequences, pieces of each.",
        show_default="3,5,5; learned 8,4; playouts 4,16,4",
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
BEST = "learned; with das 30hz"
WeightsArgument = Annotated[
    str | None, typer.Argument(help="A shipped name or a file; without, the best shipped ones.", show_default=BEST)
]


def reach_of(reach: str | None, hz: int | None) -> str:
    """What is reached. Raises BadInput for both."""
    if hz is None:
        return "free" if reach is None else reach
    if reach is not None:
        raise BadInput(f"--hz {hz}: expected without --reach {reach}")
    from gpusolve import checks
    from gpusolve.games.tetris.rules.reachability import FASTEST

    checks.check_integer("--hz", hz, 1, FASTEST)
    return f"{hz}hz"


def breadths_of(text: str | None) -> tuple[int, ...] | None:
    """Numbers of placements; None where nothing is given."""
    return None if text is None else numbers_of(text, "--breadths", "one to three numbers, as 3,5,5")


def numbers_of(text: str, option: str, expected: str) -> tuple[int, ...]:
    """Numbers with commas between. Raises BadInput for anything else."""
    if re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9}){0,9}", text) is None:
        raise BadInput(f"{option} {text}: expected {expected}")
    return tuple(map(int, text.split(",")))
