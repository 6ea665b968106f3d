"""Atomic save and load of a long run.

A checkpoint is one file: a line of JSON (the format, the SHA-256 of the rest), then an ``.npz`` archive with the kind
of the run, its settings, and the arrays and numbers of its state. Nothing is pickled, so a file from a stranger
cannot run code.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve import files
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.runs.arrays import read_archive

FORMAT = "gpusolve.checkpoint/"
SCHEMA = f"{FORMAT}2"
_DIGEST = re.compile("[0-9a-f]{64}")
LARGEST = 64 << 30
"""Largest size of a checkpoint in bytes."""


def save(path: Path, kind: str, settings: dict[str, Any], state: dict[str, Any]) -> None:
    """Write a checkpoint atomically: even if the power fails, the file holds either the old or the new state.

    Parameters
    ----------
    path : Path
        The file.
    kind : str
        The kind of run, such as ``tetris.train``.
    settings : dict
        What must be equal when the run continues, as JSON values.
    state : dict
        NumPy arrays and JSON values.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    rest = {name: value for name, value in state.items() if name not in arrays}
    about = json.dumps({"kind": kind, "settings": settings, "state": rest})
    payload = io.BytesIO()
    if any(array.dtype.hasobject for array in arrays.values()):
        raise TypeError("an array of objects would be pickled")
    np.savez(payload, **{f"state.{name}": array for name, array in arrays.items()}, about=np.array(about))  # type: ignore[arg-type]
    content = payload.getvalue()
    header = {"schema": SCHEMA, "sha256": hashlib.sha256(content).hexdigest()}
    files.write(path, json.dumps(header).encode() + b"\n" + content, "checkpoint")


def load(path: Path, kind: str) -> tuple[Fields, Fields]:
    """Read the settings and the state that `save` wrote for a run of this kind.

    Raises BadInput if the file is damaged, or belongs to another kind of run or to another version of the format.
    """
    first, _, content = files.read(path, "checkpoint", LARGEST).partition(b"\n")
    try:
        header = json.loads(first)
        schema, digest = str(header["schema"]), header["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"checkpoint {path}: damaged, or not a checkpoint") from None
    if schema.startswith(FORMAT) and schema != SCHEMA:
        raise BadInput(
            f"checkpoint {path}: has the format {schema} of another version of gpusolve; this version expects {SCHEMA}"
        )
    if schema != SCHEMA or hashlib.sha256(content).hexdigest() != digest:
        raise BadInput(f"checkpoint {path}: damaged, or not a checkpoint")
    try:
        arrays = {name.removeprefix("state."): array for name, array in read_archive(content).items()}
        about = json.loads(str(arrays.pop("about")))
        saved_kind, settings, state = about["kind"], dict(about["settings"]), about["state"] | arrays
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"checkpoint {path}: damaged: {error}") from error
    if saved_kind != kind:
        raise BadInput(f"checkpoint {path}: belongs to {shown(saved_kind)}, not to {kind}")
    place = f"checkpoint {path}: damaged"
    return Fields(place, settings), Fields(place, state)


def check_settings(path: Path, settings: Fields, expected: dict[str, Any]) -> None:
    """Raise BadInput, naming the difference, unless a checkpoint's settings are as expected."""
    saved, expected = settings.values, json.loads(json.dumps(expected))
    for name in sorted(expected.keys() | saved.keys()):
        if saved.get(name) != expected.get(name):
            then, now = saved.get(name), expected.get(name)
            if any(isinstance(each, str) and _DIGEST.fullmatch(each) for each in (then, now)):
                raise BadInput(f"checkpoint {path}: was made with another value of {name} than this one")
            made = f"was made with {name} {then}" if then is not None else f"was made without {name}"
            raise BadInput(f"checkpoint {path}: {made}, not {'without' if now is None else f'with {now}'}")
