"""The commands of games that still have a Typer app, as data; `gpusolve.commands.command` describes the others.

The server runs them by their words. This module goes when every game's commands are read from their functions.
"""

from __future__ import annotations

import inspect
import io
import json
import re
import shlex
import typing
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from typer.main import get_group

from gpusolve.commands.command import Kind, Parameter
from gpusolve.errors import BadInput
from gpusolve.games import find_games

Emit = Callable[[Mapping[str, Any]], None]
KINDS: dict[Any, Kind] = {Path: "file", bool: "flag", int: "integer", float: "number"}
SERVED_NOT = ("speed", "trace")
"""Options without a meaning for the server."""


class Objects(io.TextIOBase):
    """A text stream that passes on each line, which is a JSON object."""

    def __init__(self, emit: Emit) -> None:
        self._emit, self._line = emit, ""

    def write(self, text: str, /) -> int:
        """Take text of any length."""
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._emit(json.loads(line))
        return len(text)


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

    @property
    def examples(self) -> list[list[str]]:
        """The words of the example, as a list."""
        return [self.example]

    @property
    def summary(self) -> str:
        """The first line of the help."""
        return (self.click.help or "").partition("\n")[0]

    @property
    def about(self) -> str:
        """The whole help."""
        return self.click.help or ""

    @property
    def result(self) -> None:
        """These commands do not describe their results."""
        return

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The options and arguments."""
        signature = inspect.signature(self.click.callback, eval_str=True)
        return {name: _parameter(name, each, signature.parameters[each.name]) for name, each in self.words.items()}

    @property
    def example_values(self) -> dict[str, Any]:
        """The values in the example."""
        context = self.click.make_context(self.name, self.example[2:], resilient_parsing=True)
        names = {parameter.name: name for name, parameter in self.words.items()}
        given = {}
        for parameter, value in context.params.items():
            source = context.get_parameter_source(parameter)
            if source is not None and source.name == "COMMANDLINE" and value not in (None, ()):
                given[names.get(parameter, "")] = list(value) if isinstance(value, tuple) else value
        return given

    def run(self, given: Mapping[str, Any], emit: Emit) -> int:
        """Run the command, pass on the JSON objects that it prints, and return the exit code."""
        options, arguments = [], []
        for name, value in given.items():
            each = self.words[name]
            if each.param_type_name == "argument":
                arguments += [str(item) for item in (value if isinstance(value, list) else [value])]
            elif isinstance(value, bool):
                words = each.opts if value else each.secondary_opts
                options += [next(word for word in words if word.startswith("--"))] if words else []
            else:
                option = next(word for word in each.opts if word.startswith("--"))
                options += [f"{option}={item}" for item in (value if isinstance(value, list) else [value])]
        try:
            with redirect_stdout(Objects(emit)):
                code = self.click.main([*options, "--", *arguments], f"gpusolve {self}", standalone_mode=False)
        except Exception as error:
            if not hasattr(error, "format_message"):
                raise
            raise BadInput(error.format_message()) from None
        return int(code or 0)


def _parameter(name: str, each: Any, own: inspect.Parameter) -> Parameter:
    """Return the description of an option or argument of Click's, with its parameter of the function."""
    kind, *metadata = typing.get_args(own.annotation)
    info = next((one for one in metadata if hasattr(one, "callback")), None)
    if type(None) in typing.get_args(kind):
        (kind,) = (one for one in typing.get_args(kind) if one is not type(None))
    several = typing.get_origin(kind) is list
    if several:
        (kind,) = typing.get_args(kind)
    choices = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
    missing = own.default is inspect.Parameter.empty
    hidden = name in SERVED_NOT or getattr(info, "callback", None) is not None
    return Parameter(
        name,
        KINDS.get(kind, "text"),
        each.help or "",
        tuple(choices),
        several,
        each.param_type_name == "argument",
        missing,
        None if missing else own.default,
        getattr(info, "min", None),
        getattr(info, "max", None),
        "command" if hidden else "",
    )


def of_game(game: str) -> list[Command]:
    """Return the commands of a game in the order of its help page."""
    package = find_games()[game]
    if not hasattr(import_module(f"{package}.cli") if find_spec(f"{package}.cli") else None, "app"):
        return []
    group: Any = get_group(import_module(f"{package}.cli").app)
    return [Command(game, name, package, command) for name, command in group.commands.items()]


def find(game: str, name: str) -> Command | None:
    """Return a command, or None."""
    return next((each for each in of_game(game) if each.name == name), None)
