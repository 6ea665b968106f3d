"""The process of the command line: its signals and streams, so that whatever is killed, closed or full ends in order.

``gpusolve`` and ``python -m gpusolve`` begin here, before anything heavy is imported. The rest is `cli.main`.
"""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import warnings
from threading import Timer
from types import FrameType
from typing import Any, TextIO

from gpusolve.errors import Exit, GpusolveError, OutputLost

PLAIN = {"✓": "yes", "±": "+-", "×": "x", "…": "...", "–": "-"}
"""What is written for a sign that the terminal's encoding does not have; anything else becomes a question mark."""


def process() -> None:
    """Runs the command line and ends the process with its exit code (`errors.Exit`)."""
    _end_at_signals()  # nothing has begun
    _open_streams()
    _check_folder()
    warnings.showwarning = _show_warning
    from gpusolve import cli

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    code = cli.main()
    _end_at_signals()  # nothing is left to be saved
    if code not in (Exit.INTERRUPTED, Exit.TERMINATED):  # a result on its way out is dropped: the checkpoint has it
        try:
            sys.stdout.flush()
        except GpusolveError as error:
            code = code or cli.tell(error)
    os._exit(code)  # threads that still run kernels are not waited for


def _check_folder() -> None:
    """Ends where the working folder has been deleted: no file can be named there, and no kernel compiled."""
    try:
        os.getcwd()
    except OSError as error:
        print(f"gpusolve: the working folder cannot be used: {error.strerror}", file=sys.stderr)
        os._exit(Exit.BAD_INPUT)


def _end_at_signals() -> None:
    """Has a signal end the process at once, without a word."""
    for number, code in ((signal.SIGINT, Exit.INTERRUPTED), (signal.SIGTERM, Exit.TERMINATED)):
        signal.signal(number, lambda *_, code=code: os._exit(code))


def _interrupt(number: int, frame: FrameType | None) -> None:
    """The first signal ends the command, which saves what it has to; the ones after it find that under way."""
    if _is_compiling(frame):  # an exception in what LLVM calls back crashes the process: once more in a moment
        Timer(0.005, signal.raise_signal, (number,)).start()
        return
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(Exit.TERMINATED) if number == signal.SIGTERM else KeyboardInterrupt


def _is_compiling(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in ("numba", "llvmlite"):
            return True
        frame = frame.f_back
    return False


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"gpusolve: note: {message}", file=sys.stderr)


class _Results(io.FileIO):
    """The file behind stdout, which tells a result that could not be written from every other error."""

    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except OSError as error:
            raise OutputLost(f"the result could not be written: {error.strerror}") from error


class _Notes(io.FileIO):
    """The file behind stderr: a note that nobody can read is no reason to end."""

    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except OSError:
            return len(content)


def _open_streams() -> None:
    """Streams that are closed read as empty and swallow what is written, but stdout: what goes there is wanted."""
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
    return "".join(PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


if __name__ == "__main__":
    process()
