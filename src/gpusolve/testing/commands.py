"""Rules for the commands of every game, so that a user who knows the commands of a game can use those of all games.

``from gpusolve.testing import commands`` and, for each of ``commands.of_game("queens")``::

    commands.check(command)
    commands.check_example(command, run)  # `run` is a fixture of the plugin
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import typing
from collections.abc import Callable, Collection
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from gpusolve.commands import Command as Command, of_game as of_game
from gpusolve.games import find_games, summary
from gpusolve.output import options

if TYPE_CHECKING:
    from gpusolve.testing.plugin import Done

ONLY_OUTPUT = frozenset({"json", "quiet", "top", "all", "csv", "plot", "html", "out", "changes_only", "log", "speed"})
"""Options without a parameter of the function: they say what is shown, and where."""
LONG_RUN = ("time_limit", "checkpoint", "resume")
SHARED = {
    "device": options.Device,
    "json": options.Json,
    "quiet": options.Quiet,
    "workers": options.Workers,
    "seed": options.Seed,
    "time_limit": options.TimeLimit,
    "checkpoint": options.Checkpoint,
    "resume": options.Resume,
    "csv": options.Csv,
    "plot": options.Plot,
    "html": options.Html,
}
"""Options with the same meaning in every command."""


def check_game(game: str) -> None:
    """Raise AssertionError unless the help page of a game starts with the line shown in the list of games."""
    package = find_games()[game]
    line, found = summary(package), import_module(f"{package}.cli").app.info.help
    assert line, f"{game}: {package} has no docstring"
    assert found == line, f"{game}: its help is '{found}', not the first line of its package's docstring, '{line}'"


def check(command: Command, inputs: Collection[str] = ()) -> None:
    """Raise AssertionError, naming the command and the fault, unless the command follows the rules.

    `inputs` are options that are other ways to give an argument of the function, such as the date of a puzzle.
    """
    words, function = command.words, command.function
    assert command.click.help, f"{command}: its help page has no text"
    assert "json" in words, f"{command}: has no --json"
    assert "quiet" in words, f"{command}: has no --quiet"
    for name, shared in SHARED.items():
        if name in words:
            assert words[name].help == _help_of(shared), f"{command}: --{name} does not have the shared help text"
    assert "seed" not in words or "json" in words
    if any(name in words for name in LONG_RUN):
        missing = [name for name in (*LONG_RUN, "seed") if name not in words]
        assert set(missing) <= {"seed", "checkpoint", "resume"}, f"{command}: has no --time-limit"
        assert ("checkpoint" in words) == ("resume" in words), f"{command}: only one of --checkpoint and --resume"

    parameters = parameters_of(function)
    assert ("backend" in parameters) == ("device" in words), f"{command}: --device and backend go together"
    parameters.pop("backend", None)
    known = parameters.keys() | {field for fields in parameters.values() for field in fields}
    own = words.keys() - ONLY_OUTPUT - {"device"} - set(inputs)
    assert own <= known, f"{command}: the function has no {_listed(own - known)}, only {_listed(known)}"
    for name, fields in parameters.items():
        given = name in words or (fields and fields <= words.keys()) or (inputs and fields)
        assert given, f"{command}: the function's {name} cannot be given on the command line"

    order = list(inspect.signature(function).parameters)
    tail = [name for name in ("seed", *LONG_RUN, "progress", "backend") if name in order]
    if "backend" in order or any(name in order for name in LONG_RUN):
        assert order[-len(tail) :] == tail, f"{command}: the function's last parameters should be {', '.join(tail)}"


def check_example(command: Command, run: Callable[..., Done]) -> dict[str, Any]:
    """Run the example of the help page with ``--json`` in the working folder, and return the last object it printed.

    Raises AssertionError unless it succeeds and prints the fields that its options require.
    """
    words = command.words
    extra = ["--json"] + ["--quiet"] * ("quiet" in words) + ["--device", "cpu"] * ("device" in words)
    done = run(*command.example, *(word for word in extra if word not in command.example))
    assert done.code == 0, f"{command}: its example ends with {done.code}: {done.err}"
    assert not done.err, f"{command}: its example writes to stderr despite --quiet: {done.err}"
    assert done.out.strip(), f"{command}: its example prints nothing"
    found: dict[str, Any] = {}
    for line in done.out.splitlines():
        found = json.loads(line)
        schema = str(found.get("schema"))
        expected = rf"gpusolve\.{command.game}\.{command.name}/[1-9]\d*"
        assert re.fullmatch(expected, schema), f"{command}: its schema is {schema}"
    fields = {"device": ("device", "seconds"), "seed": ("seed",), "time_limit": ("complete", "seconds")}
    for word, names in fields.items():
        for name in names if word in words else ():
            assert name in found, f"{command}: its JSON has no {name}, and the command has --{word.replace('_', '-')}"
    return found


def parameters_of(function: Callable[..., Any]) -> dict[str, set[str]]:
    """Return a function's parameters except callables: name -> the fields of its dataclass, which may be options.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Board:
    ...     grid: str
    >>> def solve(board: Board, depth: int, progress: Callable[[int], None]) -> None: ...
    >>> parameters_of(solve)
    {'board': {'grid'}, 'depth': set()}
    """
    hints = typing.get_type_hints(function)
    found = {}
    for name in inspect.signature(function).parameters:
        kinds = [typing.get_origin(kind) or kind for kind in (hints[name], *typing.get_args(hints[name]))]
        if Callable not in kinds:
            found[name] = {field for kind in kinds for field in _fields(kind)}
    return found


def _fields(kind: Any) -> set[str]:
    if not dataclasses.is_dataclass(kind):
        return set()
    hints = typing.get_type_hints(kind)
    return {
        name for field in dataclasses.fields(kind) if field.init for name in _fields(hints[field.name]) or {field.name}
    }


def _help_of(shared: Any) -> str:
    assert typing.get_origin(shared) is Annotated
    _, option = typing.get_args(shared)
    return str(option.help)


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
