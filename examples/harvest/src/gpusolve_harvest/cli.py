"""``gpusolve harvest``: parse, call the solver, report."""

from __future__ import annotations

from typing import Annotated

import typer

from gpusolve.output.options import Device, Json, Quiet, open_device

app = typer.Typer(help="Harvest: walk over a field and reap as much as you can.", no_args_is_help=True)


@app.callback()
def harvest() -> None:
    """A game of one command needs this, or Typer takes the command for the game."""


@app.command(epilog="Example: gpusolve harvest solve 131/925/347 --steps 4")
def solve(
    field: Annotated[str, typer.Argument(help="The rows of digits, as 131/925/347.")],
    steps: Annotated[int, typer.Option(help="Steps that may be taken.")] = 20,
    width: Annotated[int, typer.Option(help="Walkers kept after each step.")] = 10_000,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The walk that reaps most."""
    from dataclasses import asdict

    from gpusolve.output import report
    from gpusolve_harvest import solver

    backend = open_device(device, quiet)
    with report.Progress("walkers, at most", 4 * width * steps, quiet) as progress:
        found = solver.solve(field, steps, width, progress, backend)
    if json:
        report.json_line("harvest.solve/1", field=field, steps=steps, device=backend.name, **asdict(found))
        return
    report.text(f"{found.reaped} by {found.path or 'staying'}" + (", proven" if found.proven else ""))
