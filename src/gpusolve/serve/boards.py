"""The pages of the server: an analysis board for each game that has one, the list of boards, and the documentation.

A game has a board if its package contains ``board.js``, a module that uses the components in ``static/lib``. Beside it
can be ``board.svg``, a picture, and ``board.json``, a sentence about the game, a sample and the rules in brief. The
module can import further ones from the folder ``board``.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gpusolve.errors import BadInput
from gpusolve.games import find_games, summary
from gpusolve.output import page

STATIC = Path(__file__).with_name("static")
LOOK = page.FOLDER
"""The style that the boards share with the pages that commands write."""
_PAGES = Path(__file__).with_name("pages")


@dataclass(frozen=True)
class Board:
    """The board of a game.

    Attributes
    ----------
    name, title, about : str
        The name of the game, its title, and a sentence about it.
    module : Path
        The JavaScript module.
    emoji : str
        A sign for the game in a text to share.
    sample, sample_about : str
        A position, as the address has it after the question mark, and what it is; empty if there is none.
    rules : tuple of str
        The rules in brief, in paragraphs.
    """

    name: str
    title: str
    about: str
    module: Path
    emoji: str = ""
    sample: str = ""
    sample_about: str = ""
    rules: tuple[str, ...] = ()

    @property
    def picture(self) -> Path:
        """The picture, which need not exist."""
        return self.module.with_suffix(".svg")

    @property
    def parts(self) -> Path:
        """The folder with the modules that the board imports, if it has any."""
        return self.module.with_name("board")


def find_boards() -> list[Board]:
    """Return the boards of all installed games, in alphabetical order of their names."""
    boards = []
    for name, package in find_games().items():
        spec = find_spec(package)
        for folder in spec.submodule_search_locations or () if spec else ():
            module = Path(folder) / "board.js"
            if module.is_file():
                title, _, about = summary(package).partition(": ")
                boards.append(Board(name, title, module=module, **{"about": about, **_more(module)}))
    return boards


def _more(module: Path) -> dict[str, Any]:
    """Return what ``board.json`` says about a board."""
    file = module.with_suffix(".json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}


def manifest(boards: Sequence[Board]) -> dict[str, Any]:
    """Return the web app manifest, with which a browser installs the boards."""
    return {
        "name": "gpusolve: analysis boards",
        "short_name": "gpusolve",
        "description": "Analysis boards for word games and puzzles, which this machine computes.",
        "id": "/",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#2f7d46",
        "icons": [
            {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any maskable"},
            {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
        ],
        "shortcuts": [{"name": board.title, "url": f"/{board.name}"} for board in boards],
    }


def shell(boards: Sequence[Board]) -> list[str]:
    """Return the addresses that a browser keeps, so that the boards open also while the server does not run."""
    own = [
        f"/{name}/{file.relative_to(folder).as_posix()}"
        for name, folder in (("static", STATIC), ("look", LOOK))
        for file in sorted(folder.rglob("*"))
        if file.suffix in (".js", ".css", ".svg", ".png")
    ]
    pages = [address for board in boards for address in (f"/{board.name}", f"/boards/{board.name}.js")]
    parts = [f"/boards/{board.name}/{file.name}" for board in boards for file in sorted(board.parts.glob("*.js"))]
    pictures = [f"/boards/{board.name}.svg" for board in boards if board.picture.is_file()]
    return ["/", *pages, *parts, *pictures, *own]


def service_worker(boards: Sequence[Board]) -> str:
    """Return the script that keeps these addresses. A browser installs it again when they change."""
    return f"const SHELL = {json.dumps(shell(boards))};\n{(STATIC / 'offline.js').read_text(encoding='utf-8')}"


def qr_code(text: str) -> bytes:
    """Return the QR code of a text as an SVG picture. Raises BadInput if the text is too long for one."""
    import segno

    try:
        code = segno.make(text, error="l", micro=False)
    except segno.DataOverflowError:
        raise BadInput("the address is too long for a QR code") from None
    found = io.BytesIO()
    code.save(found, kind="svg", border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, omitsize=True)
    return found.getvalue()


def render(template: str, title: str, boards: Sequence[Board], **values: Any) -> str:
    """Return a page made from one of the templates: about one `board`, or with a `script`. All values are escaped."""
    return str(page.fill(_PAGES / template, title=title, boards=boards, **{"board": None, "script": "", **values}))
