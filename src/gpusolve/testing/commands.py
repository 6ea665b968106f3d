"""Rules for the commands of every game, so that a user who knows the commands of a game can use those of all games.

``from gpusolve.testing import commands`` and, for each of ``commands.of_game("queens")``::

    commands.check(command)
    commands.check_example(command, run)  # `run` is a fixture of the plugin

The package jsonschema is needed, which the extra ``testing`` brings.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gpusolve.commands.command import LAST, Command as Command, of_game as of_game
from gpusolve.commands.source import drawing_of, entries, sections, snake
from gpusolve.games import find_games, summary
from gpusolve.result import Result, schema_of

if TYPE_CHECKING:
    from gpusolve.testing.plugin import Done

SHARED = {
    "backend": "The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.",
    "checkpoint": "Save the state of the run to this file from time to time.",
    "dictionary": "Valid words: the name of a list, or a file with one word per line.",
    "progress": "Called with ",
    "resume": "Continue from this checkpoint.",
    "seed": "Seed of all random choices, 0 to 2^64 - 1. By default ",
    "time_limit": "Stop after this many seconds and return the best result so far. Compiling kernels and building "
    "tables does not count.",
    "workers": "Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it.",
}
"""How the description begins of each parameter that means the same in every function."""
ORDER = ("workers", *LAST)


def check_game(game: str) -> None:
    """Raise AssertionError unless a game has a line for the list of games, which is the first of its docstring."""
    package = find_games()[game]
    assert summary(package), f"{game}: {package} has no docstring"


def check(command: Command) -> None:
    """Raise AssertionError, naming the command and the fault, unless the command follows the rules."""
    exported = getattr(import_module(command.package), command.function_name, None)
    assert exported is command.function, f"{command}: {command.package} exports another {command.function_name}"
    _check_text(command)
    _check_order(command)
    if "checkpoint" in command.takes:
        missing = {"resume", "time_limit"} - command.takes
        assert not missing, f"{command}: has --checkpoint, but no {', '.join(missing)}"
    check_result(command)


def _check_text(command: Command) -> None:
    """Raise AssertionError unless the docstring of a command describes it, its parameters and an example."""
    assert command.about, f"{command}: its docstring has no text"
    assert command.examples, f"{command}: its docstring has no example such as ``gpusolve {command} ...``"
    for example in command.examples:
        assert example[:2] == [command.game, command.name], f"{command}: an example is of {' '.join(example[:2])}"
    for name, parameter in command.parameters.items():
        assert parameter.help, f"{command}: {name} is not described"
    texts = entries(sections(inspect.getdoc(command.function) or "").get("Parameters", ""))
    for name in command.takes & SHARED.keys():
        begin = texts.get(name, "")
        assert begin.startswith(SHARED[name]), f"{command}: {name}: expected '{SHARED[name]}', not '{begin}'"


def _check_order(command: Command) -> None:
    """Raise AssertionError unless the options are behind the ``*``, and those of every command at the end."""
    parameters = inspect.signature(command.function).parameters
    tail = [name for name in ORDER if name in parameters and parameters[name].kind is inspect.Parameter.KEYWORD_ONLY]
    assert [*parameters][len(parameters) - len(tail) :] == tail, f"{command}: expected {', '.join(tail)} at the end"
    for name, each in parameters.items():
        if each.kind is not each.KEYWORD_ONLY and name not in LAST and name in command.parameters:
            message = f"{command}: {name} is an option: expected it after the *"
            assert command.parameters[name].positional, message


def check_result(command: Command) -> None:
    """Raise AssertionError unless the result of a command has a schema and a drawing."""
    from jsonschema import Draft202012Validator

    kind = command.result
    assert issubclass(kind, Result), f"{command}: its function returns {kind.__name__}, which is no Result"
    expected = rf"{command}/[1-9]\d*".replace(" ", r"\.")
    assert re.fullmatch(expected, kind.schema), f"{command}: the schema of {kind.__name__} is '{kind.schema}'"
    schema = schema_of(kind, run=True)
    Draft202012Validator.check_schema(schema)
    for place, found in _holes(schema, ""):
        raise AssertionError(f"{command}: {place} of its schema says nothing: {found}")
    for option, method in (("csv", "columns"), ("plot", "plot")):
        offered = option in command.parameters and command.parameters[option].owner == "result"
        has_method = inspect.isfunction(getattr(kind, method, None))
        assert offered == has_method, f"{command}: --{option} needs a method '{method}'"
    drawn = any(_has_drawing(base) for base in kind.__mro__ if issubclass(base, Result))
    assert drawn, f"{command}: the module 'drawing' beside {kind.__module__} has no function '{snake(kind.__name__)}'"


def _has_drawing(kind: type) -> bool:
    drawing = drawing_of(kind.__module__)
    return drawing is not None and drawing.statement(snake(kind.__name__)) is not None


def _holes(schema: dict[str, Any], place: str) -> Iterator[tuple[str, Any]]:
    """Yield the places of a schema that allow anything."""
    if not schema.keys() - {"description"}:
        yield place or "all", schema
    for name, each in schema.get("properties", {}).items():
        yield from _holes(each, f"{place}.{name}")
    if schema.get("type") == "array" and "prefixItems" not in schema:
        yield from _holes(schema.get("items", {}), f"{place}[]")


def check_example(command: Command, run: Callable[..., Done]) -> dict[str, Any]:
    """Run the first example with ``--json`` in the working folder, and return the last object that it printed.

    Raises AssertionError unless it succeeds and prints what its schema describes.
    """
    extra = ["--json", "--quiet", *["--device", "cpu"] * ("device" in command.parameters)]
    done = run(*command.examples[0], *(word for word in extra if word not in command.examples[0]))
    assert done.code == 0, f"{command}: its example ends with {done.code}: {done.err}"
    assert not done.err, f"{command}: its example writes to stderr despite --quiet: {done.err}"
    assert done.out.strip(), f"{command}: its example prints nothing"
    *_, last = map(json.loads, done.out.splitlines())
    check_json(command, last)
    return dict(last)


def check_json(command: Command, found: dict[str, Any]) -> None:
    """Raise AssertionError unless an object is what the schema of the command's result describes."""
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(schema_of(command.result, run=True)).iter_errors(found):
        raise AssertionError(f"{command}: its JSON is not as in its schema: {error.json_path}: {error.message[:300]}")
