"""Results: what every command and public function returns, and what each of them can do.

A result is a frozen dataclass with the base `Result`. It has one conversion to JSON, which the command line, the HTTP
interface and Python share, one schema that describes it, a short ``repr``, and a picture in notebooks. Its fields and
its `reported` properties are the fields of the JSON object:

>>> from dataclasses import dataclass, field
>>> @dataclass(frozen=True, repr=False)
... class Walk(Result, schema="toy.walk/1"):
...     path: str
...     weights: tuple[float, ...] = field(default=(), metadata=HIDDEN)
...
...     @reported
...     def length(self) -> int:
...         "Number of steps."
...         return len(self.path)
>>> Walk("uld").to_json()
{'schema': 'gpusolve.toy.walk/1', 'path': 'uld', 'length': 3}
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import types
import typing
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from gpusolve import clock
from gpusolve.commands.source import drawing_of, entries, sections, snake
from gpusolve.errors import Exit
from gpusolve.reprs import as_text

if TYPE_CHECKING:
    from gpusolve.output.parts import Part

__all__ = [
    "FLAT",
    "HIDDEN",
    "ROWS",
    "Drawn",
    "Result",
    "Rows",
    "json_of",
    "of_run",
    "reported",
    "rows",
    "schema_of",
    "written",
]

HIDDEN: Mapping[str, Any] = types.MappingProxyType({"json": "hidden"})
"""Metadata of a field that JSON does not have, such as a large array."""
ROWS: Mapping[str, Any] = types.MappingProxyType({"json": "rows"})
"""Metadata of a field with many rows, of which JSON has the first ones: as many as ``--top`` says."""
FLAT: Mapping[str, Any] = types.MappingProxyType({"json": "flat"})
"""Metadata of a field whose own fields stand in its place."""


def written(name: str) -> Mapping[str, Any]:
    """Return the metadata of a field in whose place JSON has another attribute, such as a text for a number."""
    return {"json": f"={name}"}


_Value = TypeVar("_Value")


if TYPE_CHECKING:  # type checkers know only the property of the language
    from builtins import property as reported, property as rows
else:

    class reported(property):
        """A property that is a field of the result's JSON."""

        kind = ""

    class rows(reported):
        """A `reported` property with many rows, of which JSON has as many as ``--top`` says."""

        kind = "rows"


class Drawn:
    """Base of what has a picture in notebooks and a short text: results, and values that people write as text."""

    def drawing(self, **view: Any) -> Iterator[Part]:
        """Yield the parts of which the result's picture is made, in text and on a page.

        The function in the nearest module ``drawing`` that has the name of the class, in small letters, draws it.
        """
        owner = next(kind for kind in type(self).__mro__ if _drawer(kind) is not None)
        draw = _drawer(owner)
        assert draw is not None
        yield from draw(self, **view)

    def _repr_html_(self) -> str:
        """Return the result as a notebook shows it."""
        from gpusolve.output import page

        return page.fragment(page.drawn(self.drawing()))

    __repr__ = as_text


class Result(Drawn):
    """Base of the results of public functions.

    ``class Census(Result, schema="quiddler.census/1")`` is the result of a command; without a schema, it is a part of
    other results.
    """

    schema: ClassVar[str] = ""

    def __init_subclass__(cls, schema: str = "", **others: Any) -> None:
        super().__init_subclass__(**others)
        if schema:
            cls.schema = schema

    def to_json(self, top: int | None = None) -> dict[str, Any]:
        """Return the result as an object of JSON, made of dicts, lists, strings, numbers, booleans and None.

        Parameters
        ----------
        top : int, optional
            Number of rows of each long list. By default all of them.

        Returns
        -------
        dict
            Its schema and its fields, as ``gpusolve ... --json`` prints them.
        """
        return ({"schema": f"gpusolve.{self.schema}"} if self.schema else {}) | _fields_of(self, top)

    @property
    def exit_code(self) -> int:
        """The exit code of the command: `Exit.STOPPED` if the result is not complete, else `Exit.DONE`."""
        return Exit.DONE if getattr(self, "complete", True) else Exit.STOPPED

    @property
    def fault(self) -> str:
        """What is wrong with the user's input, which this result judges; the command ends with `Exit.BAD_INPUT`."""
        return ""


class Rows(Result, Sequence[_Value]):
    """A result that is also the sequence of the values of its first field."""

    def __getitem__(self, index: Any) -> Any:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def _rows(self) -> Sequence[_Value]:
        first: Sequence[_Value] = getattr(self, dataclasses.fields(typing.cast(Any, self))[0].name)
        return first


def _drawer(kind: type) -> Callable[..., Iterator[Part]] | None:
    """Return the function that draws results of a class, from the nearest module ``drawing``; None if there is none."""
    if (found := drawing_of(kind.__module__)) is not None:
        return getattr(import_module(found.module), snake(kind.__name__), None)
    from gpusolve.output.parts import described

    return described if issubclass(kind, Drawn) else None


@cache
def json_fields(kind: Hashable) -> list[tuple[str, str]]:
    """Return the fields of a class in JSON: each name, and ``flat``, ``rows`` or "" for how it is written."""
    found: list[tuple[str, str]] = []
    for each in dataclasses.fields(typing.cast(Any, kind)):
        how = each.metadata.get("json", "")
        if how != "hidden" and not each.name.startswith("_"):
            found.append((each.name, how))
    for parent in reversed(typing.cast(type, kind).__mro__):
        for name, each in vars(parent).items():
            if isinstance(each, reported):
                found = [pair for pair in found if pair[0] != name] + [(name, getattr(each, "kind", ""))]
    return found


def _fields_of(value: Any, top: int | None) -> dict[str, Any]:
    """Return the fields of a dataclass as JSON has them."""
    found: dict[str, Any] = {}
    for name, how in json_fields(typing.cast(Hashable, type(value))):
        each = getattr(value, how.removeprefix("=") if how.startswith("=") else name)
        if how == "flat":
            found |= json_of(each, top)
        else:
            found[name] = json_of(each[:top] if how == "rows" else each, top)
    return found


def json_of(value: Any, top: int | None = None) -> Any:
    """Return a value as JSON has it: an array as a list, a dataclass as an object, nan as None."""
    if value is None or type(value) in (str, bool, int):
        return value
    if hasattr(value, "to_json") and not isinstance(value, Result):
        return value.to_json()
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if hasattr(value, "tolist"):  # an array, or a scalar of NumPy
        return json_of(value.tolist())
    if dataclasses.is_dataclass(value):
        return _fields_of(value, top)
    if hasattr(value, "_asdict"):
        return json_of(value._asdict(), top)
    if isinstance(value, Mapping):
        return {str(key): json_of(each, top) for key, each in value.items()}
    if isinstance(value, int):  # an enumeration
        return int(value)
    if isinstance(value, Path | str):
        return str(value)
    if isinstance(value, Fraction):
        return float(value)
    return [
        each if type(each) in (str, int) or (type(each) is float and math.isfinite(each)) else json_of(each, top)
        for each in value
    ]


# Schemas


def schema_of(kind: Any, *, run: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of a type: of a result, of a field of one, or of any type that `json_of` converts.

    Only the outermost result names its schema.

    Parameters
    ----------
    kind : type
        The class or the annotation.
    run : bool
        Whether a command prints the result, so that its schema is named and the fields in `RUN` are there as well.

    Returns
    -------
    dict
        A schema by the specification of 2020-12.
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return schema_of(inner[0])
    if kind is Any or isinstance(kind, TypeVar):
        return {}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (types.UnionType, typing.Union):
        return _any_of([schema_of(each) for each in inner])
    if kind is types.NoneType:
        return {"type": "null"}
    found = origin or kind
    return _schema_of_class(found, inner, run) if isinstance(found, type) else {}


SIMPLE: dict[Any, str | list[str]] = {
    str | Path: "string",
    bool: "boolean",
    int: "integer",
    float | Fraction: ["number", "null"],
}
"""The types of JSON by the classes that are converted to them; a bool is also an int."""


def _schema_of_class(found: type, inner: tuple[Any, ...], run: bool) -> dict[str, Any]:
    """Return the JSON Schema of a class, with the types in the brackets behind it."""
    if not issubclass(found, Result) and (convert := getattr(found, "to_json", None)) is not None:
        return schema_of(typing.get_type_hints(convert)["return"])
    if typing.is_typeddict(found):
        properties = {name: schema_of(hint) for name, hint in typing.get_type_hints(found).items()}
        return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    if dataclasses.is_dataclass(found) or hasattr(found, "_asdict"):
        return _object(typing.cast(Any, found), run)
    if issubclass(found, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1]) if inner else {}}
    for simple, name in SIMPLE.items():
        if issubclass(found, simple):
            return {"type": name}
    if found.__module__.partition(".")[0] == "numpy":
        return {"type": "array"}
    items = [each for each in inner if each is not Ellipsis]
    if issubclass(found, tuple) and inner and Ellipsis not in inner:
        return {"type": "array", "prefixItems": [schema_of(each) for each in inner], "items": False}
    return {"type": "array", "items": schema_of(items[0]) if len(items) == 1 else {}}


RUN: dict[str, tuple[dict[str, Any], str]] = {
    "device": ({"type": "string"}, "The device that computed."),
    "seconds": ({"type": "number"}, "Seconds that the function took, without compiling kernels and building tables."),
    "compile_seconds": ({"type": "number"}, "Seconds in which this run compiled kernels."),
    "build_seconds": ({"type": "number"}, "Seconds in which this run built tables for this and later runs."),
}
"""The fields that a command adds to the JSON of its result: the schema and the description of each."""


def of_run(result: Result, *, top: int | None, device: str | None, seconds: float) -> dict[str, Any]:
    """Return the JSON of a result together with the fields about the run that computed it."""
    about = {
        "device": device,
        "seconds": seconds,
        "compile_seconds": round(clock.compiling.seconds, 3),
        "build_seconds": round(clock.building.seconds, 3),
    }
    found = result.to_json(top)
    return found | {name: value for name, value in about.items() if value is not None and name not in found}


def _object(kind: Any, run: bool) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    about = sections(inspect.cleandoc(kind.__doc__ or ""))
    texts = entries(about.get("Parameters", "")) | entries(about.get("Attributes", ""))
    properties: dict[str, Any] = {}
    if run and kind.schema:
        properties["schema"] = {"const": f"gpusolve.{kind.schema}"}
    names = (
        json_fields(typing.cast(Hashable, kind))
        if dataclasses.is_dataclass(kind)
        else [(name, "") for name in kind._fields]
    )
    for name, how in names:
        member = getattr(kind, name, None)
        if how.startswith("="):
            hint, text = _returned(getattr(kind, how[1:])), texts.get(name, "")
        elif isinstance(member, reported):
            hint, text = _returned(member), " ".join((member.__doc__ or "").split())
        else:
            hint, text = hints[name], texts.get(name, "")
        if how == "flat":
            properties |= schema_of(hint)["properties"]
        else:
            properties[name] = schema_of(hint) | ({"description": text} if text else {})
    required = list(properties)
    if run:
        properties |= {
            name: each | {"description": text} for name, (each, text) in RUN.items() if name not in properties
        }
        required += ["seconds", "compile_seconds", "build_seconds"]
    return {
        "type": "object",
        "properties": properties,
        "required": [*dict.fromkeys(required)],
        "additionalProperties": False,
    }


def _returned(member: Any) -> Any:
    """Return the type of a property."""
    return typing.get_type_hints(member.fget)["return"]


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a schema for several ones; simple types are listed together."""
    if all(each.keys() == {"type"} for each in schemas):
        names: list[str] = []
        for each in schemas:
            names += each["type"] if isinstance(each["type"], list) else [each["type"]]
        return {"type": [*dict.fromkeys(names)]}
    return {"anyOf": schemas}
