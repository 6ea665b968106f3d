"""The options that mean the same in every command, and what they mean."""

from __future__ import annotations

from contextlib import ExitStack
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gpusolve.backend import Backend


def writable(param: typer.CallbackParam, value: Path | None) -> Path | None:
    """Refuses a file that cannot be written before the work begins, not after it."""
    if value is not None:
        from gpusolve.files import check_writable

        check_writable(value, f"--{param.name}")
    return value


def _drawable(param: typer.CallbackParam, value: Path | None) -> Path | None:
    if value is not None:
        from gpusolve.output.plot import check_plot

        check_plot(value, f"--{param.name}")
    return value


Device = Annotated[
    str | None, typer.Option(help="auto, cpu, cpu:THREADS, cuda or cuda:N.", show_default="GPUSOLVE_DEVICE, auto")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress or notes on stderr.")]
Seed = Annotated[int | None, typer.Option(help="Seed of every random choice; printed with the result.")]
TimeLimit = Annotated[float | None, typer.Option(min=0, help="Seconds; then the best so far, and exit code 3.")]
Checkpoint = Annotated[
    Path | None, typer.Option(callback=writable, help="Save the state to this file as the run goes on.")
]
Resume = Annotated[Path | None, typer.Option(help="Go on from this checkpoint.")]
Workers = Annotated[
    str,
    typer.Option(
        metavar="N|tcp://HOST:PORT|FILE",
        help="So many processes, or the workers of a Dask cluster, by its scheduler's address or file.",
        show_default="1: this process",
    ),
]
Dictionary = Annotated[str, typer.Option(help="The words that count: a shipped list's name or a file.")]
Csv = Annotated[Path | None, typer.Option(callback=writable, help="Write every row to this CSV file.")]
Plot = Annotated[
    Path | None, typer.Option(callback=_drawable, help="Draw the result into this .png, .svg or .pdf file.")
]
Html = Annotated[Path | None, typer.Option(callback=writable, help="Write one HTML page that needs nothing else.")]


current_command: ContextVar[ExitStack | None] = ContextVar("current_command", default=None)
"""What ends with the command that runs in this context. `gpusolve.cli.main` sets it for each command."""


def open_device(device: str | None, quiet: bool) -> Backend:
    """The backend for ``--device``; a note on stderr says which it is and, for ``auto``, why."""
    from gpusolve.backend import open_backend
    from gpusolve.backend.compiled import announcing, without_scipy
    from gpusolve.output import report

    without_scipy()
    backend = open_backend(device)
    report.note(f"device: {backend.about}", quiet)
    command = current_command.get()
    if command is not None and not quiet:
        command.enter_context(announcing(lambda: report.note("compiling kernels, once for this machine")))
    return backend
