"""The commands of the games, as data: their options and arguments, their functions, and their examples."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from typer.main import get_group

from gpusolve.games import find_games


@dataclass(frozen=True)
class Command:
    """A command ``gpusolve <game> <name>``, with the game's package and Click's command."""

    game: str
    name: str
    package: str
    click: Any

    def __str__(self) -> str:
        return f"{self.game} {self.name}"

    @property
    def words(self) -> dict[str, Any]:
        """The options and arguments by name, without ``--help``; ``--time-limit`` is ``time_limit``."""
        found = {}
        for parameter in self.click.params:
            name = parameter.name
            if parameter.param_type_name == "option":
                name = next(text for text in parameter.opts if text.startswith("--"))[2:].replace("-", "_")
            found[name] = parameter
        found.pop("help", None)
        return found

    @property
    def function(self) -> Callable[..., Any]:
        """The Python function of the command; the package exports it under the command's name."""
        found = getattr(import_module(self.package), self.name.replace("-", "_"), None)
        assert inspect.isfunction(found), f"{self}: {self.package} exports no function of this name, but {found!r}"
        return found

    @property
    def example(self) -> list[str]:
        """The words of the example on the help page, after ``gpusolve``."""
        match = re.fullmatch(rf"Example: gpusolve ({self.game} {self.name}\b.*)", self.click.epilog or "")
        assert match, f"{self}: its help page should end with 'Example: gpusolve {self} ...'"
        return shlex.split(match[1])


def of_game(game: str) -> list[Command]:
    """Return the commands of a game in the order of its help page."""
    package = find_games()[game]
    if not hasattr(import_module(f"{package}.cli") if find_spec(f"{package}.cli") else None, "app"):
        return []  # TRANSITION: this game's commands are read by `gpusolve.command`
    group: Any = get_group(import_module(f"{package}.cli").app)
    return [Command(game, name, package, command) for name, command in group.commands.items()]
