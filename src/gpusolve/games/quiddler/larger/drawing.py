"""How a play of the larger solitaire looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gpusolve.games.quiddler.larger._columns import ColumnPlay, ColumnStep
from gpusolve.games.quiddler.larger.rules import COLUMNS, HEIGHT
from gpusolve.output import report
from gpusolve.output.parts import Line, Part, Table, Title, counted


def column_play(play: ColumnPlay) -> Iterator[Part]:
    """Yield the columns, the words and moves, and whether all cards are used."""
    yield Title("All cards are used" if play.won else f"{counted(len(play.left), 'card')} left")
    for number, cards in enumerate(play.columns, 1):
        yield Line(f"column {number}: {' '.join(cards)}")
    rows = [(_named(step), " ".join(step.cards), " ".join(map(str, step.columns))) for step in play.steps]
    yield Table(("step", "cards", "columns"), rows, "the words and moves")
    words = sum(bool(step.word) for step in play.steps)
    seed = "" if play.seed is None else f"; seed {play.seed}"
    if play.won:
        yield Line(f"won: all cards are used by {counted(words, 'word')}{seed}")
    else:
        cut = "" if play.complete else "; stopped by the time limit"
        yield Line(f"not won: {' '.join(play.left)} left; another play may use them (not proven){seed}{cut}")


def column_step(step: ColumnStep) -> Iterator[Part]:
    """Yield a word or a move with its columns."""
    yield Line(f"{_named(step)}: columns {' '.join(map(str, step.columns))}")


def columns_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a search."""
    return report.Progress("cards used", COLUMNS * HEIGHT, quiet)


def _named(step: ColumnStep) -> str:
    return step.word or f"move {step.cards[0]}"
