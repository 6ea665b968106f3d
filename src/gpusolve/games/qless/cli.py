"""``gpusolve qless``: parse, call the function of the same name, report."""

from __future__ import annotations

import typer

from gpusolve.games.qless import __doc__ as about

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)
