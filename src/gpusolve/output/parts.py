"""What a drawing is made of. The same parts are printed in the terminal and put on a page.

A function in a game's ``drawing.py`` yields them for each class of results; `report.show` prints them, and `page.drawn`
and `page.save_drawing` turn them into HTML.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gpusolve.reprs import shortened

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True)
class Title:
    """What the result is, in a few words: the title of its page. The terminal does not show it."""

    text: str


@dataclass(frozen=True)
class Line:
    """A text, which is folded between words to the width of the terminal. Several lines stay several lines."""

    text: str = ""


@dataclass(frozen=True)
class Verbatim:
    """A text that is shown as it is, because people copy it or another program reads it."""

    text: str


@dataclass(frozen=True)
class Note:
    """A text about the run, which is shown on stderr unless ``--quiet`` is given, and below the result on a page."""

    text: str


@dataclass(frozen=True)
class Table:
    """A table. Columns of numbers are right-aligned; floats show five decimals, booleans a tick or yes and no.

    Attributes
    ----------
    columns : sequence of str
        The headings.
    rows : sequence of sequences
        The cells.
    title : str
        What the table shows, which a page needs.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""


@dataclass(frozen=True)
class Bars:
    """Numbers with a bar for each.

    Attributes
    ----------
    columns : sequence of str
        The headings of the name, the count and the others, for the terminal.
    rows : sequence of sequences
        The name and the count of each bar, and further cells for the terminal.
    title : str
        What the bars show.
    shares : sequence of float, optional
        The length of each bar; by default the counts.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    shares: Sequence[float] | None = None

    @property
    def lengths(self) -> list[float]:
        """The length of each bar, in any unit."""
        return [float(row[1]) for row in self.rows] if self.shares is None else list(self.shares)


@dataclass(frozen=True)
class Tiles:
    """Letters on coloured tiles, followed by a text.

    Attributes
    ----------
    letters, colours : sequence of str
        The letters, and for each one ``green``, ``yellow`` or ``grey``.
    text : str
        What stands in place of the tiles where there is no colour.
    after : str
        What follows in any case.
    """

    letters: Sequence[str]
    colours: Sequence[str]
    text: str
    after: str = ""


@dataclass(frozen=True)
class Picture:
    """Something that a page draws in its own way.

    Attributes
    ----------
    html : callable
        It returns the drawing. Its argument says whether scripts can run there, as on a page of its own.
    terminal : sequence of Part
        What the terminal shows in its place.
    scripts : sequence of Path
        The scripts that the drawing needs on a page.
    data : callable, optional
        It returns a value for the scripts, made of what JSON has.
    """

    html: Callable[[bool], Markup]
    terminal: Sequence[Part] = ()
    scripts: Sequence[Path] = ()
    data: Callable[[], Any] | None = None


@dataclass(frozen=True)
class Film:
    """Drawings that follow each other in the terminal; where nothing moves, only the last one is shown.

    Attributes
    ----------
    frames : iterable of str
        The drawings.
    pause : float
        Seconds for which each is shown.
    """

    frames: Iterable[str] = field(repr=False)
    pause: float = 0.25


Part: TypeAlias = Title | Line | Verbatim | Note | Table | Bars | Tiles | Picture | Film


def described(result: Any) -> Iterator[Part]:
    """Yield the fields of a result that no module draws: one line for each."""
    for each in dataclasses.fields(result):
        if not each.name.startswith("_"):
            yield Line(f"{each.name.replace('_', ' ')}: {shortened(getattr(result, each.name))}")


def counted(number: int, noun: str) -> str:
    """Return a number and its noun in the singular or plural.

    >>> counted(1, "answer"), counted(2315, "answer"), counted(2, "guess")
    ('1 answer', '2,315 answers', '2 guesses')
    """
    plural = "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{'' if number == 1 else plural}"
