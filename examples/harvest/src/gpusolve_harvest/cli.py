"""``gpusolve harvest``: parse the command line, call the public functions, report."""

from __future__ import annotations

from typing import Annotated

import typer

from gpusolve.output.options import Device, Json, Quiet, open_device
from gpusolve_harvest import __doc__ as about

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def game() -> None:
    """Make Typer treat ``solve`` as a command of the game. A game with several commands does not need this."""


@app.command(epilog="Example: gpusolve harvest solve 131/925/347 --steps 4")
def solve(
    field: Annotated[str, typer.Argument(help="Rows of digits, as 131/925/347.")],
    steps: Annotated[int, typer.Option(help="Number of steps allowed.")] = 20,
    width: Annotated[int, typer.Option(help="Number of walkers kept after each step.")] = 10_000,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Search for the walk that reaps the most."""
    from dataclasses import asdict

    from gpusolve.output import report
    from gpusolve_harvest import drawing, solve

    backend = open_device(device, quiet)
    with report.Progress("walkers, at most", 4 * width * steps, quiet) as progress:
        solution = solve(field, steps=steps, width=width, progress=progress, backend=backend)
    if json:
        report.json_line("harvest.solve/1", field=field, steps=steps, device=backend.name, **asdict(solution))
    else:
        drawing.show_solution(solution, field)
