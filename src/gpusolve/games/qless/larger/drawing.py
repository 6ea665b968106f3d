"""How a crossword of many tiles looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gpusolve.games.qless.drawing import board
from gpusolve.games.qless.larger._arrange import Arrangement
from gpusolve.output import report
from gpusolve.output.parts import Line, Note, Part, Picture, counted


def arrangement(arrangement: Arrangement) -> Iterator[Part]:
    """Yield the crossword, what the blanks stand for, and how many tiles of a given grid have moved."""
    grid = arrangement.grid
    if grid is None:
        if arrangement.unsolvable:
            yield Line(f"no crossword (proven): no word of these tiles has {' '.join(arrangement.unsolvable)}")
        else:
            tries = "try" if arrangement.tries == 1 else "tries"
            yield Line(f"no crossword found in {arrangement.tries:,} {tries}; there may be one (not proven)")
        return
    yield Picture(lambda _: board(grid), (Line(str(grid)),))
    if arrangement.blanks:
        yield Line(f"blanks: {' '.join(arrangement.blanks)}")
    if arrangement.moved is not None:
        yield Line(f"{counted(arrangement.moved, 'tile')} of the grid moved")
    if arrangement.doubtful:
        yield Note(f"only in some dictionaries: {' '.join(arrangement.doubtful)}")
    if arrangement.stopped:
        yield Line(
            f"stopped by the time limit after {arrangement.tries:,} {'try' if arrangement.tries == 1 else 'tries'}"
        )
    size = f"{counted(arrangement.rows, 'row')}, {counted(arrangement.columns, 'column')}"
    yield Note(f"{size}; seed {arrangement.seed}")


def arrange_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a search."""
    return report.Progress("tries", value("tries"), quiet)
