"""How a command ends: its exit code, and the line that says what went wrong.

Every start of the command line imports this module, so it imports nothing that only some commands need.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from gpusolve.errors import Exit, GpusolveError, ReaderGone, WordsLeftOut, explained, plain
from gpusolve.output import terminal


def outcome(work: Callable[[], int], *, quiet: bool) -> tuple[int, str]:
    """Run a command in its own surroundings, and return its exit code and its error line.

    Parameters
    ----------
    work : callable
        It runs the command and returns the exit code.
    quiet : bool
        Whether no notes are wanted.

    Returns
    -------
    int
        The exit code (`errors.Exit`).
    str
        What went wrong, on one line; empty for a command that has no fault or was interrupted. The traceback of a fault
        of gpusolve is written to stderr.
    """
    try:
        with ExitStack() as command, warnings.catch_warnings():
            command.enter_context(terminal.at_work(quiet))
            _show_notes(quiet=quiet)
            terminal.current_command.set(command)
            return work(), ""
    except KeyboardInterrupt:
        return Exit.INTERRUPTED, ""
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else Exit.FAULT, ""
    except Exception as raised:
        match found := explained(raised):
            case ReaderGone():
                return found.exit_code, ""
            case GpusolveError():
                return found.exit_code, str(found)
            case MemoryError():
                return Exit.BAD_INPUT, f"not enough memory: {found}".removesuffix(": ")
        traceback.print_exception(raised)
        return Exit.FAULT, "this is a fault of gpusolve, not yours; please report the lines above"


def _show_notes(*, quiet: bool) -> None:
    """Show the warnings of `errors.WordsLeftOut` as notes, until the end of ``warnings.catch_warnings``."""
    show = warnings.showwarning

    def note(message: Warning | str, category: type[Warning], *where: Any, **also: Any) -> None:
        if category is not WordsLeftOut:
            show(message, category, *where, **also)
        else:
            from gpusolve.output import report

            report.note(plain(str(message)), quiet)

    warnings.simplefilter("always", WordsLeftOut)
    warnings.showwarning = note
