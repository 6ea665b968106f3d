"""Options that mean the same in every command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from gpusolve.output.device import open_device as open_device


def writable(param: typer.CallbackParam, value: Path | None) -> Path | None:
    """Refuse a file that cannot be written, before the work starts."""
    if value is not None:
        from gpusolve.files import check_writable

        check_writable(value, f"--{param.name}")
    return value


def _drawable(param: typer.CallbackParam, value: Path | None) -> Path | None:
    if value is not None:
        from gpusolve.output.plot import check_plot

        check_plot(value, f"--{param.name}")
    return value


WORDS_HELP = (
    "a shipped list's name, or a file with one word per line; of a dictionary such as /usr/share/dict/words, other "
    "words are left out, with a note."
)
Device = Annotated[
    str | None,
    typer.Option(
        help="Device to compute on: auto, cpu, cpu:THREADS, cuda or cuda:N.", show_default="GPUSOLVE_DEVICE, auto"
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no notes on stderr.")]
Seed = Annotated[int | None, typer.Option(help="Seed of all random choices; it is printed with the result.")]
TimeLimit = Annotated[
    float | None,
    typer.Option(min=0, help="Stop after this many seconds and report the best result so far (exit code 3)."),
]
Checkpoint = Annotated[
    Path | None, typer.Option(callback=writable, help="Save the state of the run to this file from time to time.")
]
Resume = Annotated[Path | None, typer.Option(help="Continue from this checkpoint.")]
Workers = Annotated[
    str,
    typer.Option(
        metavar="N|tcp://HOST:PORT|FILE",
        help="Number of worker processes, or a Dask scheduler's address or file.",
        show_default="1: this process",
    ),
]
Dictionary = Annotated[
    str,
    typer.Option(help=f"Valid words: {WORDS_HELP}"),
]
Weights = Annotated[
    Path | None,
    typer.Option(
        help="How likely the answers are: a file with a word and its weight on each line, separated by a tab, a comma "
        "or spaces, such as `gpusolve wordle words` writes.",
        show_default="all are equally likely",
    ),
]
Csv = Annotated[Path | None, typer.Option(callback=writable, help="Write every row to this CSV file.")]
Plot = Annotated[Path | None, typer.Option(callback=_drawable, help="Draw the result to this .png, .svg or .pdf file.")]
Html = Annotated[Path | None, typer.Option(callback=writable, help="Write the result as a self-contained HTML page.")]


def reading(rewrite: Callable[[Sequence[str]], list[str]]) -> type[TyperCommand]:
    """Return the class of a command that rewrites its words before it parses them: ``app.command(cls=...)``."""

    class Rewriting(TyperCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            return super().parse_args(ctx, rewrite(args))

    return Rewriting
