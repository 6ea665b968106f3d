"""The games: one package for each, in this folder or in another distribution.

A distribution declares its games in the entry-point group ``gpusolve.games``. Each entry point names a package. The
first line of the package's docstring is the help text of the game, the package exports a function for each command
(`gpusolve.commands.command`), and ``kernels.PROGRAM`` is the program if the game has kernels.
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
    """Return the package of each installed game by the game's name, in alphabetical order, without importing it.

    >>> find_games()["wordle"]
    'gpusolve.games.wordle'
    """
    packages = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    checkout = Path(__file__).parents[3] / "pyproject.toml"
    if "gpusolve.games.wordle" not in packages.values() and checkout.is_file():  # run from a checkout, not installed
        declared = tomllib.loads(checkout.read_text(encoding="utf-8"))
        packages |= declared["project"]["entry-points"][GROUP]
    return dict(sorted(packages.items()))


def summary(package: str) -> str:
    """Return the first line of a package's docstring without importing the package, or "" if there is no docstring.

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
