"""The options that mean the same in every command, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gpusolve.backend import Backend

Device = Annotated[str | None, typer.Option(help="auto, cpu, cuda or cuda:N.", show_default="GPUSOLVE_DEVICE, auto")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress or notes on stderr.")]
Seed = Annotated[int | None, typer.Option(help="Seed of every random choice; printed with the result.")]


def open_device(device: str | None, quiet: bool) -> Backend:
    """The backend for ``--device``; a note on stderr says which it is and, for ``auto``, why."""
    from gpusolve import report
    from gpusolve.backend import open_backend

    backend = open_backend(device)
    report.note(f"device: {backend.about}", quiet)
    return backend


def random_seed() -> int:
    """A seed where ``--seed`` is not given."""
    from random import SystemRandom

    return SystemRandom().randrange(2**31)
