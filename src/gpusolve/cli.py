"""The command line: one sub-command for each folder of ``games/``, and ``doctor``.

Nothing heavy is imported here nor in a game's ``cli.py``: NumPy, Numba and Rich load inside the commands.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

import typer

from gpusolve import __doc__ as about
from gpusolve.errors import GpusolveError

INTERRUPTED = 130


def build_app() -> typer.Typer:
    """The app with every game's sub-app mounted: a folder of ``games/`` that has a ``cli.py`` with an ``app``."""
    app = typer.Typer(help=about, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
    app.command()(doctor)
    for path in sorted((Path(__file__).parent / "games").glob("*/cli.py")):
        app.add_typer(import_module(f"gpusolve.games.{path.parent.name}.cli").app, name=path.parent.name)
    return app


def doctor(json: bool = typer.Option(False, "--json", help="Print one JSON object instead of text.")) -> None:
    """What this machine has for gpusolve, and the command that mends what is missing."""
    from gpusolve import doctor, report

    checks = doctor.examine()
    if json:
        report.json_line("doctor/1", checks=[vars(check) for check in checks])
    else:
        report.table(["", "what", "found"], [("ok" if check.ok else "--", check.name, check.found) for check in checks])
        for check in checks:
            if check.mend:
                report.text(f"to mend {check.name}: {check.mend}")


def main() -> int:
    """Runs the command line and gives the exit code. What is wrong is told in one line on stderr."""
    try:
        code = build_app()(prog_name="gpusolve", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except GpusolveError as error:
        print(f"gpusolve: {error}", file=sys.stderr)
        return error.exit_code
    except Exception as error:
        if not hasattr(error, "format_message"):  # Click's errors have it; newer Typers carry a Click of their own
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error)
            return 2
        context = getattr(error, "ctx", None)
        place = context.command_path if context else "gpusolve"
        print(f"{place}: {error.format_message()} (see {place} --help)", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # whoever read the output has seen enough; Typer makes an exit of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
