"""The description of the HTTP interface in the OpenAPI format, made from the operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpusolve import __version__
from gpusolve.result import schema_of as result_schema
from gpusolve.serve.operations import Operation, schema_of

ERROR = {
    "description": "One line that says what is wrong.",
    "content": {
        "application/json": {
            "schema": {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
        }
    },
}


def about_interface(short: float, seconds: float) -> str:
    """Return what the interface is, and how long a request may take: waiting for its answer, and with a stream."""
    return (
        "Each command of gpusolve is an operation. The fields of a request are the command's options and arguments, "
        f"and the answer is the object that the command prints with --json. A request may take {short:g} seconds. With "
        f"the header 'Accept: text/event-stream' it may take {seconds:g} seconds and sends events: "
        "job, waiting, began, progress, interim, object, and at the end result or error. A field that names word "
        "lists, weights or a file takes the name of a shipped one or of a file in the folder that the server offers; "
        "many of them also take the words themselves, as a list, or as an object with their weights."
    )


def describe(operations: Mapping[str, Operation], short: float, seconds: float) -> dict[str, Any]:
    """Return the OpenAPI document, version 3.1.

    Parameters
    ----------
    operations : mapping
        The operations by path.
    short : float
        Seconds for a request that waits for its answer.
    seconds : float
        Seconds for a request that follows a stream.
    """
    return {
        "openapi": "3.1.0",
        "info": {"title": "gpusolve", "version": __version__, "description": about_interface(short, seconds)},
        "paths": {f"/api/{path}": {"post": _operation(operation)} for path, operation in operations.items()},
    }


def _operation(operation: Operation) -> dict[str, Any]:
    fields, command = operation.fields, operation.command
    schema = {
        "type": "object",
        "properties": {name: schema_of(each) for name, each in fields.items()},
        "required": [name for name, each in fields.items() if each.required],
        "additionalProperties": False,
    }
    return {
        "operationId": operation.path.replace("/", "-"),
        "summary": command.summary,
        "description": command.about,
        "tags": [command.game],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema, "example": operation.example}},
        },
        "responses": {
            "200": {
                "description": "The result, as the command prints it with --json. A spent time limit is a result too.",
                "content": {"application/json": {"schema": _answer(command.result)}, "text/event-stream": {}},
            },
            "413": ERROR,
            "422": ERROR,
            "429": ERROR,
        },
    }


def _answer(result: type) -> dict[str, Any]:
    """Return the schema of an answer: a result, perhaps with those before it, or the line that there is no solution."""
    found = result_schema(result, run=True)
    before = {"type": "array", "items": {"type": "object"}, "description": "What the command printed before."}
    found["properties"] = {**found["properties"], "before": before}
    none = {"type": "object", "properties": {"no_solution": {"type": "string"}}, "required": ["no_solution"]}
    return {"anyOf": [found, {**none, "additionalProperties": False}]}
