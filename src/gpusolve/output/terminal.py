"""The terminal: how wide it is, lines folded between words, and a line that shows that a command is at work.

While a command computes, the last line on stderr shows what it does and a clock that moves by itself. It appears after
PATIENCE seconds without output, disappears before anything else is printed, and exists only on a terminal.
"""

from __future__ import annotations

import os
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TextIO

PATIENCE = 1.4
"""Seconds without output after which the line appears; with TICK, less than two seconds."""
TICK = 0.5
NARROWEST = 20
"""Smallest width in columns to which text is folded, even if the terminal is narrower."""
current_command: ContextVar[ExitStack | None] = ContextVar("current_command", default=None)
"""Context managers that end with the current command. `gpusolve.commands.outcome` sets it for each command."""


def width(stream: TextIO) -> int | None:
    """Return how many columns a line on this stream may take: COLUMNS, or the terminal's; None if it is no terminal."""
    chosen = os.environ.get("COLUMNS", "")
    if chosen.isascii() and chosen.isdigit() and int(chosen):
        return max(NARROWEST, int(chosen))
    if not stream.isatty():
        return None
    try:
        return max(NARROWEST, os.get_terminal_size(stream.fileno()).columns or 80)
    except (OSError, ValueError):  # a stand-in for a terminal
        return 80


def folded(text: str, columns: int | None) -> str:
    """Fold each line of a text between words, so that it takes at most `columns` columns; None: no limit.

    A word that is longer than a line stays whole, and so does a line with colours.

    >>> print(folded("  proven optimal with all cards", 20))
      proven optimal
      with all cards
    """
    if columns is None:
        return text
    return "\n".join(_folded(line, columns) for line in text.split("\n"))


def _folded(line: str, columns: int) -> str:
    if len(line) <= columns or "\033" in line:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line,
        columns,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


class Status:
    """The last line of a terminal, which shows what a command does. A thread keeps its clock moving."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._text = ""
        self._drawn = 0  # columns
        self._silent = 0
        self._begin = self._last = time.monotonic()
        self._ended = threading.Event()

    def show(self, text: str) -> None:
        """Show a text at once; if it is empty, the line disappears."""
        with self._lock:
            self._text = text
            if text:
                self._draw()
            else:
                self._clear()
                self._last = time.monotonic()

    def announce(self, text: str) -> None:
        """Set the text without showing it: the line appears when nothing else has been printed for a while."""
        with self._lock:
            self._text = text
            if self._drawn:
                self._draw()

    @contextmanager
    def output(self) -> Iterator[None]:
        """Remove the line while something else is printed within the block."""
        with self._lock:
            self._clear()
            try:
                yield
            finally:
                self._last = time.monotonic()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Show nothing within the block, because it shows something else or waits for the user."""
        with self._lock:
            self._clear()
            self._silent += 1
        try:
            yield
        finally:
            with self._lock:
                self._silent -= 1
                self._last = time.monotonic()

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Keep the clock moving within the block, and remove the line at its end."""
        threading.Thread(target=self._tick, daemon=True).start()
        try:
            yield
        finally:
            self._ended.set()
            with self._lock:
                self._clear()

    def _tick(self) -> None:
        while not self._ended.wait(TICK):
            with self._lock:
                if not self._ended.is_set() and (self._drawn or time.monotonic() - self._last > PATIENCE):
                    self._draw()

    def _draw(self) -> None:
        if self._silent:
            return
        seconds = int(time.monotonic() - self._begin)
        line = f"{seconds // 60}:{seconds % 60:02} {self._text or 'working'}"
        most = (width(sys.stderr) or 80) - 1
        if len(line) > most:
            line = line[: most - 3].rpartition(" ")[0] + " ..."
        print(f"\r{line:<{self._drawn}}", end="", file=sys.stderr, flush=True)
        self._drawn = len(line)

    def _clear(self) -> None:
        if self._drawn:
            print(f"\r{'':<{self._drawn}}\r", end="", file=sys.stderr, flush=True)
        self._drawn = 0


_status: ContextVar[Status | None] = ContextVar("status", default=None)


def status() -> Status:
    """Return the status of the current command. Without `at_work`, it never shows anything."""
    found = _status.get()
    return Hidden() if found is None else found


class Hidden(Status):
    """A status that is never shown: stderr is no terminal, or the command is quiet."""

    def _draw(self) -> None:
        pass


@contextmanager
def at_work(quiet: bool) -> Iterator[None]:
    """Show within the block that the command is at work, if stderr is a terminal and the command is not quiet."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    shown = Status()
    before = _status.set(shown)
    try:
        with shown.ticking():
            yield
    finally:
        _status.reset(before)
