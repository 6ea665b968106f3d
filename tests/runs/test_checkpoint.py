"""Checkpoints are restored; damaged and foreign files are refused and left alone."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.runs import checkpoint
from gpusolve.testing.plugin import Run

SETTINGS: dict[str, Any] = {"particles": 4, "weights": [1.5, 2.0], "name": "ring", "seed": 7}
STATE: dict[str, Any] = {"positions": np.arange(6.0).reshape(2, 3), "iteration": 7, "best": 1 / 3, "log": ["a", "b"]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "run.ckpt"
    checkpoint.save(path, "tetris.train", SETTINGS, STATE)
    return path


def test_round_trip(file: Path) -> None:
    settings, state = checkpoint.load(file, "tetris.train")
    assert settings.values == SETTINGS
    assert np.array_equal(state.values["positions"], STATE["positions"])
    assert dict(state.values) == STATE | {"positions": state.values["positions"]}
    assert [path.name for path in file.parent.iterdir()] == [file.name]  # no temporary file is left


def test_any_flipped_bit_is_detected(file: Path) -> None:
    """The bit may be in the header with the format and the digest, or in the settings, the seed or the state."""
    whole = file.read_bytes()
    assert b'"seed": 7' in whole.replace(b"\0", b"")  # it is readable, and the digest covers it
    for position in [*range(200), *range(200, len(whole), 5)]:
        content = bytearray(whole)
        content[position] ^= 1
        file.write_bytes(content)
        with pytest.raises(BadInput):
            checkpoint.load(file, "tetris.train")


def test_a_truncated_file_is_detected(file: Path) -> None:
    whole = file.read_bytes()
    for keep in range(0, len(whole), 7):
        file.write_bytes(whole[:keep])
        with pytest.raises(BadInput, match="damaged, or not a checkpoint"):
            checkpoint.load(file, "tetris.train")


def test_the_previous_format_is_named(file: Path) -> None:
    header = {"schema": "gpusolve.checkpoint/1", "kind": "tetris.train", "settings": {}, "sha256": "0" * 64}
    file.write_bytes(json.dumps(header).encode() + b"\nPK")
    with pytest.raises(BadInput, match=r"has the format gpusolve.checkpoint/1 of another version of gpusolve"):
        checkpoint.load(file, "tetris.train")


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"[]", b"{}", b'{"schema": 1}', b"[" * 100_000, b"\0\xff\n", b"null\n"]
)
def test_other_files_are_not_checkpoints(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(BadInput, match="damaged, or not a checkpoint"):
        checkpoint.load(file, "tetris.train")


def forged(content: bytes) -> bytes:
    """Return a checkpoint with this content and its digest."""
    header = {"schema": checkpoint.SCHEMA, "sha256": hashlib.sha256(content).hexdigest()}
    return json.dumps(header).encode() + b"\n" + content


def compressed() -> bytes:
    content = io.BytesIO()
    np.savez_compressed(content, about=np.array("{}"), zeros=np.zeros(1 << 24))
    return content.getvalue()


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"\x93NUMPY", compressed()], ids=["empty", "zip", "array", "compressed"]
)
def test_a_forged_checkpoint_is_refused_in_one_line(file: Path, content: bytes, run: Run) -> None:
    file.write_bytes(forged(content))
    with pytest.raises(BadInput, match=f"^checkpoint {file}: damaged: "):
        checkpoint.load(file, "tetris.train")
    done = run(
        "quiddler", "census", "--count", "10", "--seed", "1", "--device", "cpu", "--quiet", "--resume", str(file)
    )
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_different_settings_are_named(file: Path) -> None:
    found, _ = checkpoint.load(file, "tetris.train")
    checkpoint.check_settings(file, found, SETTINGS)
    with pytest.raises(BadInput, match="made with particles 4, not with 5"):
        checkpoint.check_settings(file, found, SETTINGS | {"particles": 5})
    with pytest.raises(BadInput, match="made with name ring, not without"):
        checkpoint.check_settings(file, found, {name: value for name, value in SETTINGS.items() if name != "name"})
    with pytest.raises(BadInput, match=r"belongs to tetris\.train, not to quiddler.census"):
        checkpoint.load(file, "quiddler.census")


def test_a_failed_save_keeps_the_old_one(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(BadInput, match="No space left"):
        checkpoint.save(file, "tetris.train", SETTINGS, STATE | {"iteration": 8})
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        checkpoint.load(tmp_path / "none", "tetris.train")
