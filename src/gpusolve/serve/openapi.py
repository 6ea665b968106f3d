"""The description of the HTTP interface in the OpenAPI format, made from the operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpusolve import __version__
from gpusolve.serve.operations import Operation

ERROR = {
    "description": "One line that says what is wrong.",
    "content": {
        "application/json": {
            "schema": {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
        }
    },
}


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
    about = (
        "Each command of gpusolve is an operation. The fields of a request are the command's options and arguments, "
        f"and the answer is the object that the command prints with --json. A request may take {short:g} seconds. With "
        f"the header 'Accept: text/event-stream' it may take {seconds:g} seconds and sends events: "
        "job, waiting, progress, interim, object, and at the end result or error. A field that names word lists, "
        "weights or a file takes the name of a shipped one or of a file in the folder that the server offers."
    )
    return {
        "openapi": "3.1.0",
        "info": {"title": "gpusolve", "version": __version__, "description": about},
        "paths": {f"/api/{path}": {"post": _operation(operation)} for path, operation in operations.items()},
    }


def _operation(operation: Operation) -> dict[str, Any]:
    fields = operation.fields
    schema = {
        "type": "object",
        "properties": {name: field.schema for name, field in fields.items()},
        "required": [name for name, field in fields.items() if field.required],
        "additionalProperties": False,
    }
    about = " ".join(operation.command.click.help.split())
    return {
        "operationId": operation.path.replace("/", "-"),
        "summary": about.partition(". ")[0].rstrip(".") + ".",
        "description": about,
        "tags": [operation.command.game],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema, "example": operation.example}},
        },
        "responses": {
            "200": {
                "description": "The object that the command prints with --json. A spent time limit is a result too.",
                "content": {"application/json": {"schema": {"type": "object"}}, "text/event-stream": {}},
            },
            "422": ERROR,
            "429": ERROR,
        },
    }
