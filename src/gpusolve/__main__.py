"""The command line's process. Its signals and streams are handled so that a kill or a full disk ends cleanly.

``gpusolve`` and ``python -m gpusolve`` start here, before anything heavy is imported. The rest is `cli.main`.
"""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import warnings
from functools import partial
from typing import Any, TextIO

from gpusolve import signals
from gpusolve.errors import Exit, GpusolveError, OutputLost, ReaderGone, plain

PLAIN = {"✓": "yes", "±": "+-", "×": "x", "…": "...", "–": "-"}
"""Replacements for characters that the terminal's encoding lacks; any other one becomes a question mark."""


def process() -> None:
    """Run the command line and end the process with its exit code (`errors.Exit`)."""
    _end_at_signals()  # nothing has started yet
    _open_streams()
    _check_folder()
    warnings.showwarning = _show_warning
    from gpusolve import cli

    received: list[int] = []
    signals.handle(partial(signals.interrupt, received))
    code = cli.main()
    if received:  # a library may have swallowed the exception that the signal raised
        code = signals.SIGNALS[signal.Signals(received[0])]
    _end_at_signals()  # everything is saved
    if code not in signals.SIGNALS.values():  # an unfinished result is dropped: the checkpoint has it
        try:
            sys.stdout.flush()
        except GpusolveError as error:
            if not code and not isinstance(error, ReaderGone):
                cli.report_error(str(error))
            code = code or error.exit_code
    os._exit(code)  # do not wait for threads that still run kernels


def _check_folder() -> None:
    """End if the working folder was deleted: no file can be named there, and no kernel compiled."""
    try:
        os.getcwd()
    except OSError as error:
        print(f"gpusolve: the working folder cannot be used: {error.strerror}", file=sys.stderr)
        os._exit(Exit.BAD_INPUT)


def _end_at_signals() -> None:
    """Let a signal end the process at once, without a message."""
    signals.handle(lambda number, _: os._exit(signals.SIGNALS[number]))


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print the first line of a warning; Numba adds a traceback to one about an environment variable."""
    from gpusolve.output import report

    report.note(f"gpusolve: note: {plain(str(message).partition(chr(10))[0])}")


class _Results(io.FileIO):
    """The file behind stdout. It raises OutputLost for a result that could not be written, or ReaderGone."""

    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except BrokenPipeError as error:
            raise ReaderGone("the program that reads the result has ended") from error
        except OSError as error:
            raise OutputLost(f"the result could not be written: {error.strerror}") from error


class _Notes(io.FileIO):
    """The file behind stderr. A note that nobody can read is not an error."""

    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except OSError:
            return len(content)


def _open_streams() -> None:
    """Replace closed streams by empty ones, except stdout: a result that cannot be written is an error."""
    codecs.register_error("plain", _plain)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        print("gpusolve: the result could not be written: stdout is closed", file=sys.stderr)
        os._exit(Exit.BAD_INPUT)
    sys.stdout = _wrapped(sys.stdout, _Results, line_buffering=sys.stdout.isatty())
    sys.stderr = _wrapped(sys.stderr, _Notes, line_buffering=True)


def _wrapped(stream: TextIO, kind: type[io.FileIO], line_buffering: bool) -> TextIO:
    raw = io.BufferedWriter(kind(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(raw, stream.encoding, "plain", line_buffering=line_buffering)


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(char, "?") for char in error.object[error.start : error.end]), error.end


if __name__ == "__main__":
    process()
