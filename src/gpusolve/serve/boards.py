"""The pages of the server: an analysis board for each game that has one, the list of boards, and the documentation.

A game has a board if its package contains ``board.js``, a module that uses the components in ``static/lib``.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gpusolve.games import find_games, summary
from gpusolve.output import page

STATIC = Path(__file__).with_name("static")
LOOK = page.FOLDER
"""The style that the boards share with the pages that commands write."""
_PAGES = Path(__file__).with_name("pages")


@dataclass(frozen=True)
class Board:
    """The board of a game: its name, its title, a line about the game, and the module."""

    name: str
    title: str
    about: str
    module: Path


def find_boards() -> list[Board]:
    """Return the boards of all installed games, in alphabetical order of their names."""
    boards = []
    for name, package in find_games().items():
        spec = find_spec(package)
        for folder in spec.submodule_search_locations or () if spec else ():
            module = Path(folder) / "board.js"
            if module.is_file():
                title, _, about = summary(package).partition(": ")
                boards.append(Board(name, title, about, module))
    return boards


def render(template: str, title: str, *, script: str = "", **values: Any) -> str:
    """Return a page made from one of the templates, which runs a script if it is named. All values are escaped."""
    return str(page.fill(_PAGES / template, title=title, script=script, **values))
