"""The commands as operations of the HTTP interface: JSON in, the words of a command line out.

Nothing is listed here by hand. The options and arguments of a command are its fields, with the types, limits, defaults
and help texts of the command line. The command itself checks the values, so both give the same messages.
"""

from __future__ import annotations

import inspect
import json
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from gpusolve.commands import Command, of_game
from gpusolve.errors import BadInput
from gpusolve.games import find_games

LEFT_OUT = frozenset(
    {
        "json",
        "quiet",
        "device",
        "workers",
        "checkpoint",
        "resume",
        "csv",
        "plot",
        "html",
        "out",
        "log",
        "speed",
        "trace",
    }
)
"""Options that say where the command runs and what is written where: the server decides that."""
LONGEST_TEXT = 100_000
"""Largest number of characters of a value."""
MOST_ITEMS = 1_000
"""Largest number of values of a list."""
LARGEST_INTEGER = (1 << 53) - 1
"""Largest magnitude of an integer: beyond it, JSON numbers are not exact in a browser."""


@dataclass(frozen=True)
class Field:
    """A field of a request: an option or an argument of the command.

    Attributes
    ----------
    name : str
        Name of the field, which is the option's name with ``_`` for ``-``.
    kind : type
        ``str``, ``int``, ``float``, ``bool``, or ``Path`` for a file.
    choices : tuple of str
        The values that are possible, or nothing.
    several : bool
        Whether the field is a list of values.
    required : bool
        Whether the field has to be given.
    lowest, highest : float or None
        The limits of a number.
    default : object
        The value that is taken if the field is absent; None if the command chooses it.
    help : str
        The help text of the command line.
    option, negative : str
        The words for the option, such as ``--top`` and ``--no-top``; empty for an argument.
    """

    name: str
    kind: type
    choices: tuple[str, ...]
    several: bool
    required: bool
    lowest: float | None
    highest: float | None
    default: Any
    help: str
    option: str
    negative: str

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the field's values."""
        schema: dict[str, Any]
        if self.kind is Path:
            named = {"type": "string", "maxLength": LONGEST_TEXT, "description": "A file in the server's folder."}
            content = {"type": "string", "maxLength": LONGEST_TEXT, "description": "The content of the file."}
            sent = {"type": "object", "properties": {"content": content}, "required": ["content"]}
            schema = {"anyOf": [named, {**sent, "additionalProperties": False}]}
        elif self.kind is bool:
            schema = {"type": "boolean"}
        elif self.kind in (int, float):
            schema = {"type": "integer" if self.kind is int else "number"}
            lowest = -LARGEST_INTEGER if self.lowest is None else self.lowest
            schema |= {"minimum": lowest, "maximum": LARGEST_INTEGER if self.highest is None else self.highest}
        elif self.choices:
            schema = {"type": "string", "enum": list(self.choices)}
        else:
            schema = {"type": "string", "maxLength": LONGEST_TEXT}
        if self.several:
            schema = {"type": "array", "items": schema, "maxItems": MOST_ITEMS}
        if self.default is not None and not isinstance(self.default, Path):
            schema["default"] = self.default
        return {**schema, "description": self.help}

    def check(self, value: Any) -> None:
        """Raise BadInput unless the value has the field's type. The command checks what values are possible."""
        if self.several:
            if not isinstance(value, list):
                raise BadInput(f"{self.name}: expected a list of {_named(self.kind)}, not {_shown(value)}")
            if len(value) > MOST_ITEMS:
                raise BadInput(f"{self.name}: {len(value):,} values: expected at most {MOST_ITEMS:,}")
        for item in value if self.several else [value]:
            self._check(item)

    def _check(self, value: Any) -> None:
        if self.kind is Path:
            text = value.get("content") if isinstance(value, dict) and len(value) == 1 else value
            good, text = isinstance(text, str), str(text)
        else:
            types_of = (int, float) if self.kind is float else (self.kind,)
            good = isinstance(value, types_of) and (self.kind is bool or not isinstance(value, bool))
            text = value if isinstance(value, str) else ""
        if not good:
            raise BadInput(f"{self.name}: expected {_named(self.kind)}, not {_shown(value)}")
        if len(text) > LONGEST_TEXT:
            raise BadInput(f"{self.name}: {len(text):,} characters: expected at most {LONGEST_TEXT:,}")
        if "\0" in text:
            raise BadInput(f"{self.name}: expected text without zero characters")
        if self.kind is int and abs(value) > LARGEST_INTEGER:
            raise BadInput(f"{self.name}: {_shown(value)}: expected at most {LARGEST_INTEGER} in magnitude")


@dataclass(frozen=True)
class Operation:
    """A command of a game, with the fields that a request can have."""

    command: Command
    fields: dict[str, Field] = field(hash=False)

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
        """The fields of the example on the help page."""
        click = self.command.click
        context = click.make_context(self.command.name, self.command.example[2:], resilient_parsing=True)
        names = {parameter.name: name for name, parameter in self.command.words.items()}
        given = {}
        for parameter, value in context.params.items():
            source = context.get_parameter_source(parameter)
            name = names.get(parameter, "")
            if name in self.fields and source is not None and source.name == "COMMANDLINE" and value not in (None, ()):
                given[name] = list(value) if self.fields[name].several else value
        return {name: str(value) if isinstance(value, Path) else value for name, value in given.items()}

    def files(self, body: Mapping[str, Any]) -> dict[str, str]:
        """Return the files whose content a request has: a name for each, and its content."""
        return {f"sent-{name}": value["content"] for name, value in body.items() if isinstance(value, dict)}

    def repeatable(self, body: Mapping[str, Any]) -> bool:
        """Return whether the command gives the same answer each time: it makes no random choices, or has a seed."""
        return "seed" not in self.fields or "seed" in body

    def words(self, body: Mapping[str, Any], device: str) -> list[str]:
        """Return the words after ``gpusolve`` for a request that `check` accepts, on a device as for ``--device``."""
        options, arguments = [], []
        for name, spec in self.fields.items():
            if name not in body:
                continue
            value = body[name]
            if spec.kind is bool:
                if value != bool(spec.default):
                    options.append(spec.option if value else spec.negative or spec.option)
                continue
            for item in value if spec.several else [value]:
                text = f"sent-{name}" if isinstance(item, dict) else str(item)
                if spec.option:
                    options.append(f"{spec.option}={text}")
                else:
                    arguments.append(text)
        if "device" in self.command.words:
            options.append(f"--device={device}")
        return [self.command.game, self.command.name, "--json", "--quiet", *options, "--", *arguments]

    def check(self, body: Any) -> None:
        """Raise BadInput unless a request's body is an object with known fields of the right types."""
        if not isinstance(body, dict):
            raise BadInput(f"{self.path}: expected a JSON object, not {_shown(body)}")
        for name, value in body.items():
            if name not in self.fields:
                known = ", ".join(self.fields) or "no fields"
                raise BadInput(f"{self.path}: no field {_shown(name)}: expected {known}")
            self.fields[name].check(value)
        earlier = ""
        for name, spec in self.fields.items():
            if spec.required and name not in body:
                raise BadInput(f"{self.path}: expected the field '{name}': {spec.help}")
            if not spec.option:  # the command line identifies arguments only by their order
                if name in body and earlier:
                    raise BadInput(f"{self.path}: {name}: expected '{earlier}' as well")
                if name not in body:
                    earlier = earlier or name


def find_operations() -> dict[str, Operation]:
    """Return the operations of all installed games by their path, such as ``wordle/suggest``."""
    return {
        operation.path: operation
        for game in find_games()
        for operation in (Operation(command, _fields(command)) for command in of_game(game))
    }


def _fields(command: Command) -> dict[str, Field]:
    """Return the fields of a command: its options and arguments, without files that it would write."""
    parameters = inspect.signature(command.click.callback, eval_str=True).parameters
    fields = {}
    for name, parameter in command.words.items():
        own = parameters[parameter.name]
        kind, info = _parts(own.annotation)
        if name in LEFT_OUT or getattr(info, "callback", None) is not None:
            continue
        several = typing.get_origin(kind) is list
        if several:
            (kind,) = typing.get_args(kind)
        choices = typing.get_args(kind) if typing.get_origin(kind) is Literal else ()
        fields[name] = Field(
            name=name,
            kind=str if choices else kind,
            choices=choices,
            several=several,
            required=own.default is inspect.Parameter.empty,
            lowest=getattr(info, "min", None),
            highest=getattr(info, "max", None),
            default=None if own.default is inspect.Parameter.empty else own.default,
            help=parameter.help or "",
            option=_long(parameter.opts),
            negative=_long(parameter.secondary_opts),
        )
    return fields


def _long(words: list[str]) -> str:
    """Return the first word with two dashes, such as ``--top``, or nothing."""
    return next((word for word in words if word.startswith("--")), "")


def _parts(annotation: Any) -> tuple[Any, Any]:
    """Return the type of an annotation without ``None``, and what Typer knows about the parameter.

    >>> _parts(Annotated[int | None, "an option"])
    (<class 'int'>, 'an option')
    """
    info = None
    if typing.get_origin(annotation) is Annotated:
        annotation, info, *_ = typing.get_args(annotation)
    if typing.get_origin(annotation) in (types.UnionType, typing.Union):
        (annotation,) = (kind for kind in typing.get_args(annotation) if kind is not types.NoneType)
    return annotation, info


def _named(kind: type) -> str:
    return {
        str: "text",
        int: "an integer",
        float: "a number",
        bool: "true or false",
        Path: 'the name of a file, or {"content": "its text"}',
    }[kind]


def _shown(value: Any) -> str:
    """Return a value from a request as JSON, not too long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}..."
