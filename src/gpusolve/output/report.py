"""Output in the terminal: tables, coloured tiles, progress bars, JSON. Only this module uses Rich.

Results go to stdout, notes and progress to stderr. Nothing is animated unless stderr is a terminal.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from gpusolve import clock, files
from gpusolve.output import terminal
from gpusolve.output.parts import Bars, Film, Line, Note, Part, Picture, Table, Tiles, Verbatim
from gpusolve.output.table import table_lines

if TYPE_CHECKING:
    from rich.console import Console

PATIENCE = 2.0  # seconds before a progress bar appears
BAR = 40  # characters of the longest bar
WIDE = 100  # columns from which there is room for a bar beside the numbers
watcher: ContextVar[Callable[[dict[str, Any]], None] | None] = ContextVar("watcher", default=None)
"""A function that gets all progress as a dictionary, even with --quiet: the server passes it on to its clients."""
COLOURS = {"green": "on green4", "yellow": "on dark_goldenrod", "grey": "on grey37"}


@cache
def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def text(line: str = "") -> None:
    """Print a text on stdout. On a terminal, its lines are folded between words."""
    _print(terminal.folded(line, terminal.width(sys.stdout)))


def verbatim(line: str) -> None:
    """Print a text on stdout as it is: people copy it, or another program reads it."""
    _print(line)


def note(line: str, quiet: bool = False) -> None:
    """Print a text on stderr, unless quiet. On a terminal, its lines are folded between words."""
    if not quiet:
        _print(terminal.folded(line, terminal.width(sys.stderr)), sys.stderr)


def _print(line: str, stream: TextIO | None = None) -> None:
    with terminal.status().output():
        print(line, file=stream)


def status(line: str, quiet: bool = False) -> None:
    """Show on a terminal's last line what the command does, after its clock; an empty line stands for nothing special.

    While a progress bar is shown, the bar is enough.
    """
    watch = watcher.get()
    if watch is not None and line:
        watch({"status": line})
    if not quiet:
        terminal.status().show(line)


def watched() -> bool:
    """Return whether something gets the progress of this command, even with --quiet."""
    return watcher.get() is not None


def interim(**fields: Any) -> None:
    """Send a part of the result to the server that watches this command."""
    watch = watcher.get()
    if watch is not None:
        watch({"interim": fields})


@contextmanager
def compilation(quiet: bool = False) -> Iterator[None]:
    """Report on stderr which kernels are compiled within the block, and at its end how long that took.

    On a terminal, a line shows which function is being compiled and how many more functions its kernel needs.
    Elsewhere there is one note at the first compilation.
    """
    from gpusolve.backend.compilation import watching

    before, noted = clock.compiling.seconds, False
    shown, watch = terminal.status(), watcher.get()  # a thread that compiles does not know them

    def show(name: str, left: int) -> None:
        nonlocal noted
        if name and not noted and not sys.stderr.isatty():
            note("compiling kernels; this happens once on each machine", quiet)
            noted = True
        more = f" and {left} more" if left else ""
        line = f"compiling {name}{more}, once for this machine" if name else ""
        if watch is not None and line:
            watch({"status": line})
        shown.show(line)

    with watching(show):
        yield
    if (seconds := clock.compiling.seconds - before) >= 0.05:  # a command that fails or is interrupted says only why
        note(f"compiled kernels in {seconds:.1f} s", quiet)


def animate(frames: Iterable[str], pause: float) -> None:
    """Show drawings on stdout, one after another for `pause` seconds each; only the last one unless on a terminal."""
    last = ""
    with terminal.status().silent():
        for frame in frames:
            if sys.stdout.isatty():
                up = f"\033[{last.count(chr(10)) + 1}A" if last else ""
                print(f"{up}{frame}", flush=True)
                time.sleep(pause)
            last = frame
        if not sys.stdout.isatty():
            print(last)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table on stdout, as wide as the terminal at most.

    Columns of numbers are right-aligned; floats show five decimals, booleans a tick.
    """
    verbatim("\n".join(table_lines(columns, rows, terminal.width(sys.stdout))))


def tiles(letters: Sequence[str], colours: Sequence[str], after: str = "") -> None:
    """Print letters on coloured tiles (green, yellow, grey), then plain text; only the text if stdout has no colour."""
    if not (sys.stdout.isatty() or {"FORCE_COLOR", "TTY_COMPATIBLE"} & os.environ.keys()):
        text(after)  # the same result without importing Rich
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
    with terminal.status().output():
        console.print(line)


def painted(parts: Iterable[tuple[str, str]], plain: str | None = None) -> str:
    """Join pieces of text, each with a style named as in Rich; `plain`, or only the text, if stdout has no colour."""
    from rich.text import Text

    console = _console()
    if console.no_color or console.color_system is None:
        return "".join(part for part, _ in parts) if plain is None else plain
    with console.capture() as written:
        console.print(Text.assemble(*parts), end="")
    return written.get()


def show(parts: Iterable[Part], quiet: bool = False) -> None:
    """Print the parts of a drawing."""
    for part in parts:
        match part:
            case Line():
                text(part.text)
            case Verbatim():
                verbatim(part.text)
            case Picture():
                show(part.terminal, quiet)
            case Note():
                note(part.text, quiet)
            case Table():
                table(part.columns, part.rows)
            case Bars():
                longest = max(part.lengths, default=0) or 1
                bars = ["#" * round(BAR * length / longest) for length in part.lengths]
                table([*part.columns, ""], [[*row, bar] for row, bar in zip(part.rows, bars, strict=True)])
            case Tiles():
                tiles(part.letters, part.colours, part.text + part.after)
            case Film():
                animate(part.frames, part.pause)


def json_object(fields: Mapping[str, Any]) -> None:
    """Print one JSON object on one line of stdout."""
    verbatim(json.dumps(fields, ensure_ascii=False))


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV file with a header. Raises BadInput if it cannot be written."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    files.write(path, text.getvalue())


def in_notebook() -> bool:
    """Return whether this process computes for a notebook: an interactive shell with a kernel."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class Progress:
    """A progress bar on stderr, or in a notebook. Call it with the number of items done.

    It appears after PATIENCE seconds, when the first items are done. `label` describes the work; `total` is the number
    of items. No bar appears if `quiet`, or if stderr is not a terminal and this is no notebook. Use it as a context
    manager, so that the bar disappears at the end.
    """

    def __init__(self, label: str, total: int, quiet: bool = False) -> None:
        self._label, self._total = label, total
        self._shown = not quiet and (in_notebook() or sys.stderr.isatty())
        self._bar: Any = None
        self._workers: object = ""
        self._open = ExitStack()
        self._begin = time.monotonic()
        self._first: tuple[float, int] | None = None  # a resumed run starts with items that are already done

    def __call__(self, done: int, best: int | None = None) -> None:
        """Show that `done` items are done and, if the command searches for a best value, the `best` so far."""
        watch = watcher.get()
        if watch is not None:
            watch({"label": self._label, "done": done, "total": self._total, "best": best})
        if not self._shown:
            return
        now = time.monotonic()
        self._first = self._first or (now, done)
        seconds, count = now - self._first[0], done - self._first[1]
        if self._bar is None:
            if now - self._begin <= PATIENCE:
                return
            self._bar, self._task = self._start()
        description = self._label if best is None else f"{self._label}, best {best}"
        rate = f"{count / seconds:,.0f}/s" if seconds else ""
        self._bar.update(self._task, description=description, completed=done, rate=rate)

    def watch(self, workers: object) -> None:
        """Show these workers as well (`runs.cluster.Workers`, whose text says how many there are)."""
        self._workers = workers

    def __enter__(self) -> Progress:
        terminal.status().announce(self._label)
        self._open.callback(terminal.status().announce, "")
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _start(self) -> tuple[Any, Any]:
        if in_notebook():
            from gpusolve.output.notebook_bar import NotebookBar

            found = NotebookBar(self._total)
            self._open.callback(found.stop)
            return found, None

        from rich import progress as bars
        from rich.console import Console
        from rich.table import Column
        from rich.text import Text

        watcher = self

        class WorkersColumn(bars.ProgressColumn):
            """The workers, which may come and go while no job ends."""

            def render(self, task: object) -> Text:
                return Text(str(watcher._workers))

        console = Console(stderr=True)
        wide = console.width >= WIDE
        bar = bars.Progress(
            bars.TimeElapsedColumn(Column(no_wrap=True, min_width=7)),  # it moves while no item is done
            bars.TextColumn("{task.description}"),
            *([bars.BarColumn(), bars.MofNCompleteColumn()] if wide else [bars.TaskProgressColumn()]),
            bars.TextColumn("{task.fields[rate]}"),
            WorkersColumn(),
            bars.TimeRemainingColumn(compact=True),
            bars.TextColumn("left"),
            console=console,
            transient=True,
        )
        task = bar.add_task(self._label, total=self._total, rate="")
        bar.tasks[0].start_time = self._begin
        self._open.enter_context(terminal.status().silent())
        self._open.enter_context(bar)
        return bar, task
