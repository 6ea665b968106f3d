"""HTML pages to keep and to share, and the parts that they are made of. Each page is one file that loads no others.

Jinja escapes every value that it puts into a template, so names cannot become markup. Only `Markup`, which these
functions return, is inserted as it is.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve import files
from gpusolve.output.parts import Bars, Film, Line, Note, Part, Picture, Table, Tiles, Title, Verbatim
from gpusolve.reprs import shortened

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

FOLDER = Path(__file__).with_name("pages")
"""The frame, the style, the parts and the scripts that all pages share."""
PLAYER = FOLDER / "player.js"
STEPS = FOLDER / "steps.js"
MOST_ROWS = 20
"""Number of rows of a table that are shown."""
_FIGURE = re.compile(r"[-+]?[\d,]*\.?\d+( ?%)?|")


def part(name: str, *values: Any, **options: Any) -> Markup:
    """Return one of the parts in ``pages/parts.html``, such as ``table``, filled in with these values.

    >>> part("facts", [("name", "a < b")])
    Markup('<dl class="facts"><div><dt>name</dt><dd>a &lt; b</dd></div></dl>')
    """
    made: Markup = getattr(_environment(FOLDER).get_template("parts.html").module, name)(*values, **options)
    return made


def fill(template: Path, **values: Any) -> Markup:
    """Return a template filled in with values. It can import ``parts.html``."""
    from markupsafe import Markup

    return Markup(_environment(template.parent, FOLDER).get_template(template.name).render(values))


def table(title: str, columns: Mapping[str, Sequence[Any]], count: int | None = None) -> Markup:
    """Return the first rows of a table.

    Parameters
    ----------
    title : str
        What the table shows.
    columns : mapping
        Name -> values of the first rows; at most MOST_ROWS of them are shown.
    count : int, optional
        Number of rows of the whole table. By default, `columns` has all of them.
    """
    rows = [*zip(*columns.values(), strict=True)]
    return _table(title, list(columns), rows, len(rows) if count is None else count)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], count: int) -> Markup:
    cells = [[_text(value) for value in row] for row in rows[:MOST_ROWS]]
    more = f"; the first {len(cells):,} rows of {count:,}" if count > len(cells) else ""
    return part("table", title + more, columns, cells)


def drawn(parts: Iterable[Part], *, controls: bool = False) -> Markup:
    """Return the parts of a drawing as HTML; `controls` says whether scripts can run there."""
    from markupsafe import Markup

    def made(each: Part) -> Markup:
        match each:
            case Line():
                return Markup("").join(part("line", line) for line in each.text.split("\n") if line.strip())
            case Verbatim():
                return part("verbatim", each.text)
            case Note():
                return part("line", each.text, "note")
            case Table():
                return _table(each.title, each.columns, each.rows, len(each.rows))
            case Bars():
                names = [str(row[0]) for row in each.rows]
                return part("bars", each.title, names, [row[1] for row in each.rows], each.lengths)
            case Tiles():
                return part("turn", each.letters, each.colours, each.after)
            case Picture():
                return each.html(controls)
            case Film():
                *_, last = each.frames
                return part("verbatim", last)
            case _:
                return Markup("")

    return Markup("\n").join(map(made, parts))


def save_drawing(path: Path, game: str, parts: Iterable[Part], *, fallback: str) -> None:
    """Write a drawing as a page. Its title is the drawing's `Title`, or `fallback` if it has none."""
    parts = list(parts)
    title = next((each.text for each in parts if isinstance(each, Title)), fallback)
    pictures = [each for each in parts if isinstance(each, Picture)]
    scripts = [*dict.fromkeys(script for each in pictures for script in each.scripts)]
    data = next((each.data() for each in pictures if each.data is not None), None)
    save(path, game.capitalize(), title, drawn(parts, controls=True), scripts=scripts, data=data)


def fragment(body: Markup) -> str:
    """Return a drawing with its style, to show it inside another page such as a notebook."""
    return _printable(f'<div class="gpusolve"><style>\n{_style()}</style>\n{body}</div>')


def save(path: Path, game: str, title: str, body: Markup, *, scripts: Sequence[Path] = (), data: object = None) -> None:
    """Write a page.

    Parameters
    ----------
    path : Path
        The file to write.
    game : str
        The name of the game.
    title : str
        What the page shows, in a few words.
    body : Markup
        The content below the title.
    scripts : sequence of Path
        Scripts to run, one after the other. The page's security policy lets no other script run.
    data : object
        A value for the scripts: ``DATA``. It is made of what JSON has.

    Raises
    ------
    BadInput
        If the page cannot be written.
    """
    from markupsafe import Markup

    script = "\n" + "".join(file.read_text(encoding="utf-8") for file in scripts) if scripts else ""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = fill(
        FOLDER / "frame.html",
        game=game,
        title=title,
        body=body,
        style=Markup(_style()),
        script=Markup(script),
        script_hash=Markup(f"'sha256-{digest}'" if script else "'none'"),
        data=data,
    )
    files.write(path, _printable(page), "page")


def _printable(html: str) -> str:
    """Replace the characters that HTML does not allow: control characters and lone surrogates."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", html)


def _style() -> str:
    return (FOLDER / "page.css").read_text(encoding="utf-8")


def _environment(*folders: Path) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.tests["figure"] = lambda value: _FIGURE.fullmatch(str(value)) is not None
    return made


def _text(value: Any) -> Any:
    from markupsafe import Markup

    if isinstance(value, Markup):
        return value
    if getattr(value, "ndim", None) == 0:  # a NumPy scalar
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.5f}"
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if value is None else shortened(str(value) if isinstance(value, Path) else value)
