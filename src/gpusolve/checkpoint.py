"""Atomic save and load of a long run.

A checkpoint is one file: a line of JSON (what run it is, the settings it belongs to, the sum of what follows), then
an ``.npz`` archive of the state's arrays and numbers. No pickle: a file from a stranger cannot run code.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.errors import BadInput

SCHEMA = "gpusolve.checkpoint/1"


def save(path: Path, kind: str, settings: dict[str, Any], state: dict[str, Any]) -> None:
    """Writes `state` so that `path` holds either all of it or what it held before, whenever the power fails.

    `kind` names the run (``tetris.train``); `settings` are what must be the same to go on, in values that JSON has.
    The values of `state` are NumPy arrays or values that JSON has. Raises BadInput where it cannot be written.
    """
    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    rest = {name: value for name, value in state.items() if name not in arrays}
    payload = io.BytesIO()
    np.savez(payload, allow_pickle=False, **arrays, json=np.array(json.dumps(rest)))
    content = payload.getvalue()
    header = {"schema": SCHEMA, "kind": kind, "settings": settings, "sha256": hashlib.sha256(content).hexdigest()}
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(json.dumps(header).encode() + b"\n" + content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise BadInput(f"checkpoint {path}: cannot be written: {error.strerror}") from error


def load(path: Path, kind: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The state that `save` wrote for the same `kind` and `settings`.

    Raises BadInput, naming what differs, for a checkpoint of another run or other settings, and for a damaged file.
    """
    found, content = _read(path, kind)
    expected = json.loads(json.dumps(settings))
    for name in sorted(expected.keys() | found.keys()):
        if found.get(name) != expected.get(name):
            raise BadInput(f"checkpoint {path}: made with {name} {found.get(name)}, not with {expected.get(name)}")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            state: dict[str, Any] = {name: archive[name] for name in archive.files}
    except (ValueError, zipfile.BadZipFile) as error:
        raise BadInput(f"checkpoint {path}: damaged: {error}") from error
    state |= json.loads(str(state.pop("json")))
    return state


def settings_of(path: Path, kind: str) -> dict[str, Any]:
    """The settings that a checkpoint of `kind` was made with, such as its seed. Raises BadInput as `load` does."""
    return _read(path, kind)[0]


def _read(path: Path, kind: str) -> tuple[dict[str, Any], bytes]:
    """The settings and the undamaged archive of a checkpoint of `kind`."""
    try:
        first, _, content = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise BadInput(f"checkpoint {path}: cannot be read: {error.strerror}") from error
    try:
        header = json.loads(first)
        intact = header["schema"] == SCHEMA and hashlib.sha256(content).hexdigest() == header["sha256"]
        found_kind, settings = header["kind"], header["settings"]
    except (ValueError, KeyError, TypeError):
        intact = False
    if not intact:
        raise BadInput(f"checkpoint {path}: damaged, or not a checkpoint of this version of gpusolve")
    if found_kind != kind:
        raise BadInput(f"checkpoint {path}: belongs to {found_kind}, not to {kind}")
    return settings, content
