"""Output in the terminal: tables, coloured tiles, progress bars, JSON. Only this module uses Rich.

Results go to stdout, notes and progress to stderr. Nothing is animated unless stderr is a terminal.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve import files

if TYPE_CHECKING:
    from rich.console import Console

PATIENCE = 2.0  # seconds before a progress bar appears
_NUMBER = re.compile(r"-?[\d,]+(\.\d+)?")
COLOURS = {"green": "on green4", "yellow": "on dark_goldenrod", "grey": "on grey37"}


@cache
def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def text(line: str = "") -> None:
    """Print a line on stdout."""
    print(line)


def note(line: str, quiet: bool = False) -> None:
    """Print a line on stderr, unless quiet."""
    if not quiet:
        print(line, file=sys.stderr)


def status(line: str, quiet: bool = False) -> None:
    """Show a line on stderr in place of the previous one; an empty line clears it. Only if stderr is a terminal."""
    if not quiet and sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{line[:width]:<{width}}" + ("" if line else "\r"), end="", file=sys.stderr, flush=True)


def animate(frames: Iterable[str], pause: float) -> None:
    """Show drawings on stdout, one after another for `pause` seconds each; only the last one unless on a terminal."""
    last = ""
    for frame in frames:
        if sys.stdout.isatty():
            up = f"\033[{last.count(chr(10)) + 1}A" if last else ""
            print(f"{up}{frame}", flush=True)
            time.sleep(pause)
        last = frame
    if not sys.stdout.isatty():
        print(last)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table on stdout. Columns of numbers are right-aligned; floats show five decimals, booleans a tick."""
    cells = [[_format(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    right = [bool(cells) and all(_NUMBER.fullmatch(row[i]) for row in cells) for i in range(len(columns))]
    for line in (columns, ["-" * width for width in widths], *cells):
        aligned = zip(line, widths, right, strict=True)
        print("  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in aligned).rstrip())


def tiles(letters: str, colours: Sequence[str], after: str = "") -> None:
    """Print letters on coloured tiles (green, yellow, grey), then plain text; only the text if stdout has no colour."""
    if not (sys.stdout.isatty() or {"FORCE_COLOR", "TTY_COMPATIBLE"} & os.environ.keys()):
        print(after)  # the same result without importing Rich
        return
    from rich.text import Text

    console = _console()
    line = Text()
    if console.is_terminal and not console.no_color:
        for letter, colour in zip(letters, colours, strict=True):
            line.append(f" {letter.upper()} ", f"bold bright_white {COLOURS[colour]}")
            line.append(" ")
        line.append(" ")
    line.append(after)
    console.print(line)


def painted(parts: Iterable[tuple[str, str]]) -> str:
    """Join pieces of text, each with a style named as in Rich; only the text if stdout has no colour."""
    from rich.text import Text

    console = _console()
    if console.no_color or console.color_system is None:
        return "".join(part for part, _ in parts)
    with console.capture() as written:
        console.print(Text.assemble(*parts), end="")
    return written.get()


def json_line(schema: str, **fields: Any) -> None:
    """Print one JSON object on one line of stdout. `schema` is ``<game>.<command>/<version>``."""
    print(json.dumps({"schema": f"gpusolve.{schema}", **fields}, ensure_ascii=False))


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV file with a header. Raises BadInput if it cannot be written."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    files.write(path, text.getvalue())


class Progress:
    """A progress bar on stderr. Call it with the number of items done; it appears after PATIENCE seconds.

    `label` describes the work; `total` is the number of items. No bar appears if `quiet`, or if stderr is not a
    terminal. Use it as a context manager, so that the bar disappears at the end.
    """

    def __init__(self, label: str, total: int, quiet: bool = False) -> None:
        self._label, self._total = label, total
        self._shown = not quiet and sys.stderr.isatty()
        self._bar: Any = None
        self._workers: object = ""
        self._begin = time.monotonic()
        self._first: tuple[float, int] | None = None  # a resumed run starts with items that are already done

    def __call__(self, done: int, best: int | None = None) -> None:
        """Show that `done` items are done and, if the command searches for a best value, the `best` so far."""
        if not self._shown:
            return
        now = time.monotonic()
        self._first = self._first or (now, done)
        seconds, count = now - self._first[0], done - self._first[1]
        if self._bar is None:
            if now - self._begin <= PATIENCE:
                return
            self._bar, self._task = self._start()
        description = self._label if best is None else f"{self._label}, best so far {best}"
        rate = f"{count / seconds:,.0f}/s" if seconds else ""
        self._bar.update(self._task, description=description, completed=done, rate=rate)

    def watch(self, workers: object) -> None:
        """Show these workers as well (`runs.cluster.Workers`, whose text says how many there are)."""
        self._workers = workers

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _start(self) -> tuple[Any, Any]:
        from rich import progress as bars
        from rich.console import Console
        from rich.text import Text

        watcher = self

        class WorkersColumn(bars.ProgressColumn):
            """The workers, which may come and go while no job ends."""

            def render(self, task: object) -> Text:
                return Text(str(watcher._workers))

        bar = bars.Progress(
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            bars.MofNCompleteColumn(),
            bars.TextColumn("{task.fields[rate]}"),
            WorkersColumn(),
            bars.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        task = bar.add_task(self._label, total=self._total, rate="")
        bar.start()
        return bar, task


def _format(value: Any) -> str:
    if isinstance(value, bool):
        return "✓" if value else ""
    if isinstance(value, float):
        return f"{value:.5f}"
    return str(value)
