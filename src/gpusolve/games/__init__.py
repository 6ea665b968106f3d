"""One folder a game, here or in a package elsewhere: whatever is declared in the entry-point group ``gpusolve.games``.

An entry point names a package: the first line of its docstring is the game's line of help, ``cli.app`` its Typer app,
``kernels.PROGRAM`` its program if it has one, and it exports one function for each command.
"""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

GROUP = "gpusolve.games"


@cache
def find_games() -> dict[str, str]:
    """Name -> package of every game there is, ours and those of others, by name. Imports none of them.

    >>> find_games()["wordle"]
    'gpusolve.games.wordle'
    """
    found = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    checkout = Path(__file__).parents[3] / "pyproject.toml"
    if "gpusolve.games.wordle" not in found.values() and checkout.is_file():  # not installed: run from the checkout
        declared = tomllib.loads(checkout.read_text(encoding="utf-8"))
        found |= declared["project"]["entry-points"][GROUP]
    return dict(sorted(found.items()))


def summary(package: str) -> str:
    """Return the first line of a package's docstring, read without importing it; "" if there is none.

    >>> summary("gpusolve.games.wordle")[:7]
    'Wordle:'
    """
    try:
        spec = find_spec(package)
        text = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
        docstring = ast.get_docstring(ast.parse(text)) or ""
    except (ImportError, OSError, SyntaxError, ValueError):
        return ""
    return docstring.partition("\n")[0]
