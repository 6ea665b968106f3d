"""The commands as operations of the HTTP interface: the fields of a request are the parameters of the function.

Nothing is listed here by hand: types, limits, defaults and texts come from `gpusolve.commands.command`. The function
itself checks the values, so Python, the command line and HTTP give the same messages.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from gpusolve import files
from gpusolve.commands import configuration
from gpusolve.commands.command import Command, Parameter, find, of_game
from gpusolve.commands.running import WRITTEN
from gpusolve.errors import BadInput
from gpusolve.files import readable
from gpusolve.games import find_games
from gpusolve.lists import choices

LEFT_OUT = frozenset({*WRITTEN, "device", "json", "quiet", "remove", "resume", "workers"})
"""Parameters that say where the command runs, and which files it writes or removes: the server decides that."""
BINARY = "data:application/octet-stream;base64,"
LARGEST_BODY = 8 << 20
"""Largest number of bytes of a request's body."""
DEEPEST = 8
"""Largest depth of lists and objects in a request's body."""
LONGEST_TEXT = 100_000
"""Largest number of characters of a value. The content of a file can have as many as a body."""
MOST_WORDS = 500_000
"""Largest number of words of a list, or of weights, that a request has itself."""
MOST_ITEMS = 1_000
"""Largest number of values of a list."""
LARGEST_INTEGER = (1 << 53) - 1
"""Largest magnitude of an integer: beyond it, JSON numbers are not exact in a browser."""
FIXED_SEED = re.compile(r"By default (\d|nothing is random)")
"""What the docstring of a command says whose choices are the same each time without a seed."""
NAMED = {
    "text": "text",
    "source": 'text, or {"content": "the text of a file"}',
    "file": 'the name of a file, or {"content": "its text"}',
    "integer": "an integer",
    "number": "a number",
    "flag": "true or false",
}
TAKEN = {"words": "a list of words", "weights": "an object with the weight of each word"}
WORDS = {"type": "array", "items": {"type": "string"}, "maxItems": MOST_WORDS, "description": "The words themselves."}
WEIGHTS = {
    "type": "object",
    "additionalProperties": {"type": "number"},
    "maxProperties": MOST_WORDS,
    "description": "The words with their weights.",
}


def schema_of(parameter: Parameter) -> dict[str, Any]:
    """Return the JSON schema of the values of a field."""
    text = {"type": "string", "maxLength": LONGEST_TEXT}
    schema: dict[str, Any]
    if parameter.choices:
        schema = {"type": "string", "enum": list(parameter.choices)}
    elif parameter.kind == "flag":
        schema = {"type": "boolean"}
    elif parameter.kind in ("integer", "number"):
        least = -LARGEST_INTEGER if parameter.least is None else parameter.least
        most = LARGEST_INTEGER if parameter.most is None else min(parameter.most, LARGEST_INTEGER)
        schema = {"type": parameter.kind, "minimum": least, "maximum": most}
    elif parameter.kind in ("file", "source"):
        about = f"The content of a file: text, or after {BINARY} bytes in base64."
        content = {"type": "string", "maxLength": LARGEST_BODY, "description": about}
        sent = {"type": "object", "properties": {"content": content}, "required": ["content"]}
        own = [schema for kind, schema in (("words", WORDS), ("weights", WEIGHTS)) if kind in parameter.takes]
        schema = {"anyOf": [text, {**sent, "additionalProperties": False}, *own]}
    else:
        schema = text
    if parameter.several:
        schema = {"anyOf": [{"type": "array", "items": schema, "maxItems": MOST_ITEMS}, schema]}
    if parameter.default is not None:
        default = parameter.default
        schema = {**schema, "default": str(default) if isinstance(default, Path) else default}
    return {**schema, "description": parameter.help}


def check(parameter: Parameter, value: Any) -> None:
    """Raise BadInput unless a value has the type of a field. The function checks which values are possible."""
    if "words" in parameter.takes and isinstance(value, list):
        _check_words(parameter, value, "words")
    elif "weights" in parameter.takes and isinstance(value, dict) and not _is_content(value):
        if not all(type(weight) in (int, float) for weight in value.values()):
            raise BadInput(f"{parameter.name}: expected a number for each word")
        _check_words(parameter, [*value], "weights")
    elif parameter.several and isinstance(value, list):
        if len(value) > MOST_ITEMS:
            raise BadInput(f"{parameter.name}: {len(value):,} values: expected at most {MOST_ITEMS:,}")
        for item in value:
            _check(parameter, item)
    else:
        _check(parameter, value)


def _is_content(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"content"} and isinstance(value["content"], str)


def _bytes_of(name: str, content: str) -> bytes:
    """Return the content of a file: text, or after BINARY any bytes in base64. Raises BadInput if they are not that."""
    if not content.startswith(BINARY):
        return content.encode(errors="backslashreplace")
    try:
        return base64.b64decode(content.removeprefix(BINARY), validate=True)
    except ValueError:
        raise BadInput(f"{name}: expected base64 after {BINARY}") from None


def _check_words(parameter: Parameter, words: list[Any], what: str) -> None:
    """Check the words of a list at once: there can be half a million of them."""
    if len(words) > MOST_WORDS:
        raise BadInput(f"{parameter.name}: {len(words):,} {what}: expected at most {MOST_WORDS:,}")
    try:
        _check_text(parameter.name, "\n".join(words), LARGEST_BODY)
    except TypeError:
        raise BadInput(f"{parameter.name}: expected only text in the list of words") from None


def _check_text(name: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise BadInput(f"{name}: {len(text):,} characters: expected at most {longest:,}")
    if "\0" in text:
        raise BadInput(f"{name}: expected text without zero characters")
    if re.search("[\ud800-\udfff]", text):
        raise BadInput(f"{name}: expected text without halves of surrogate pairs")


def _check(parameter: Parameter, value: Any) -> None:
    kind, name = parameter.kind, parameter.name
    sent = kind in ("file", "source") and _is_content(value)
    text = value["content"] if sent else value
    types: dict[str, tuple[type, ...]] = {"flag": (bool,), "integer": (int,), "number": (int, float)}
    if not isinstance(text, types.get(kind, (str,))) or (kind != "flag" and isinstance(value, bool)):
        expected = f"a list of {NAMED[kind]}" if parameter.several else NAMED[kind]
        expected += "".join(f", or {TAKEN[each]}" for each in parameter.takes)
        raise BadInput(f"{name}: expected {expected}, not {_shown(value)}")
    if isinstance(text, str):
        _check_text(name, text, LARGEST_BODY if sent else LONGEST_TEXT)
        if parameter.choices and text not in parameter.choices:
            raise BadInput(f"{name} {_shown(text)}: expected one of {', '.join(parameter.choices)}")
    elif kind == "integer" and abs(value) > LARGEST_INTEGER:
        raise BadInput(f"{name}: {_shown(value)}: expected at most {LARGEST_INTEGER} in magnitude")


@dataclass(frozen=True)
class Operation:
    """A command of a game, with the fields that a request can have."""

    command: Command

    @cached_property
    def fields(self) -> dict[str, Parameter]:
        """The fields: the parameters of the function, and how many rows the answer has. Reading them takes a moment."""
        return {
            name: each
            for name, each in self.command.parameters.items()
            if name not in LEFT_OUT and (each.owner not in ("result", "drawing", "command") or name == "top")
        }

    @property
    def path(self) -> str:
        """The path of the operation under ``/api/``."""
        return f"{self.command.game}/{self.command.name}"

    @property
    def limited(self) -> bool:
        """Whether the command stops by itself at a time limit."""
        return "time_limit" in self.fields

    @cached_property
    def example(self) -> dict[str, Any]:
        """The fields of the first example in the docstring."""
        from gpusolve.commands.line import parse

        given: dict[str, Any] = {}
        if self.command.examples:
            given = parse(self.command, self.command.examples[0][2:])
        return {
            name: str(value) if isinstance(value, Path) else value
            for name, value in given.items()
            if name in self.fields
        }

    def files(self, body: Mapping[str, Any]) -> dict[str, bytes]:
        """Return the files whose content a request has: a name for each, and its content."""
        return {f"sent-{name}": _bytes_of(name, value["content"]) for name, value in body.items() if _is_content(value)}

    def repeatable(self, body: Mapping[str, Any]) -> bool:
        """Return whether the command gives the same answer each time: its choices are not random, or have a seed."""
        return "seed" not in self.fields or "seed" in body or bool(FIXED_SEED.search(self.fields["seed"].help))

    def given(self, body: Mapping[str, Any], device: str) -> dict[str, Any]:
        """Return the values of the parameters for a request that `check` accepts, on a device as for ``--device``."""
        found: dict[str, Any] = {"json": True, "quiet": True}
        if "device" in self.command.parameters:
            found["device"] = device
        for name, value in body.items():
            given = f"sent-{name}" if _is_content(value) else value
            several = self.fields[name].several and not isinstance(given, list)
            found[name] = [given] if several else given
        return found

    def within(self, body: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return a request whose command stops by itself after these seconds, if it can."""
        return {**body, "time_limit": min(seconds, body.get("time_limit", seconds))} if self.limited else {**body}

    def read(self, content: bytes | bytearray) -> dict[str, Any]:
        """Return the request of a body. Raises BadInput unless it is JSON that `check` accepts."""
        try:
            body = files.parse_json(content.decode("utf-8"), "the body")
        except UnicodeDecodeError as error:
            raise BadInput(f"the body: not UTF-8 (byte {error.start})") from None
        _check_depth(body, DEEPEST)
        self.check(body)
        found: dict[str, Any] = body
        return found

    def check(self, body: Any) -> None:
        """Raise BadInput unless a request's body is an object with known fields of the right types."""
        if not isinstance(body, dict):
            raise BadInput(f"{self.path}: expected a JSON object, not {_shown(body)}")
        for name, value in body.items():
            if name not in self.fields:
                known = ", ".join(self.fields) or "no fields"
                raise BadInput(f"{self.path}: no field {_shown(name)}: expected {known}")
            check(self.fields[name], value)
        for name, each in self.fields.items():
            if each.required and name not in body:
                raise BadInput(f"{self.path}: expected the field '{name}': {each.help}")


@cache
def operation_of(game: str, name: str) -> Operation:
    """Return the operation of a command. Reading its source takes longer than many commands."""
    command = find(game, name)
    assert command is not None, f"no command {game} {name}"
    return Operation(command)


def lists_in_use(command: Command) -> dict[str, str]:
    """Return the lists that ``gpusolve lists use`` has made the default of a command, by the names of the fields."""
    found = readable.set(None)  # the configuration file is in no folder that requests may name
    try:
        place = configuration.place()
        state = files.state_of(place) if place else None
        return _lists_in_use(command.game, command.name, place, None if state is None else tuple(state))
    finally:
        readable.reset(found)


def all_lists_in_use() -> dict[str, dict[str, str]]:
    """Return the lists that the user has made the default of each game, by their roles."""
    if configuration.place() is None:
        return {}
    return {
        game: {role: name for role, each in commands.items() if (name := lists_in_use(each).get(role))}
        for game, commands in choices.roles().items()
    }


@lru_cache(maxsize=256)
def _lists_in_use(game: str, name: str, *_: Any) -> dict[str, str]:
    """Return the lists for a file in a certain state. A server goes on without a file that has become faulty."""
    with suppress(BadInput):
        return choices.named(operation_of(game, name).command)
    return {}


def find_operations() -> dict[str, Operation]:
    """Return the operations of all installed games by their path, such as ``wordle/suggest``."""
    operations = (Operation(command) for game in find_games() for command in of_game(game))
    return {operation.path: operation for operation in operations}


def _check_depth(value: Any, deepest: int) -> None:
    if isinstance(value, list | dict):
        if not deepest:
            raise BadInput(f"the body: expected at most {DEEPEST} levels of lists and objects")
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, list | dict):
                _check_depth(item, deepest - 1)


def _shown(value: Any) -> str:
    """Return a value from a request as JSON, not too long."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else f"{text[:60]}..."
