"""Checkpoints: what is saved comes back; what is damaged or belongs elsewhere is refused and stays untouched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve import checkpoint
from gpusolve.errors import BadInput

SETTINGS: dict[str, Any] = {"particles": 4, "weights": [1.5, 2.0], "name": "ring"}
STATE: dict[str, Any] = {"positions": np.arange(6.0).reshape(2, 3), "iteration": 7, "best": 1 / 3, "log": ["a", "b"]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "run.ckpt"
    checkpoint.save(path, "tetris.train", SETTINGS, STATE)
    return path


def test_round_trip(file: Path) -> None:
    state = checkpoint.load(file, "tetris.train", SETTINGS)
    assert np.array_equal(state.pop("positions"), STATE["positions"])
    assert state == {name: value for name, value in STATE.items() if name != "positions"}
    assert [path.name for path in file.parent.iterdir()] == [file.name]  # no temporary file stays


@pytest.mark.parametrize("position", [0, 20, 200, -1])
def test_a_flipped_bit_is_found(file: Path, position: int) -> None:
    content = bytearray(file.read_bytes())
    content[position] ^= 1
    file.write_bytes(content)
    with pytest.raises(BadInput):
        checkpoint.load(file, "tetris.train", SETTINGS)


@pytest.mark.parametrize("keep", [0, 1, 100, 400])
def test_a_cut_file_is_found(file: Path, keep: int) -> None:
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(BadInput, match="damaged"):
        checkpoint.load(file, "tetris.train", SETTINGS)


def test_other_settings_are_named(file: Path) -> None:
    with pytest.raises(BadInput, match="made with particles 4, not with 5"):
        checkpoint.load(file, "tetris.train", SETTINGS | {"particles": 5})
    with pytest.raises(BadInput, match="belongs to tetris"):
        checkpoint.load(file, "quiddler.census", SETTINGS)


def test_its_settings_can_be_asked_for(file: Path) -> None:
    assert checkpoint.settings_of(file, "tetris.train") == SETTINGS
    with pytest.raises(BadInput, match="belongs to tetris"):
        checkpoint.settings_of(file, "quiddler.census")


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
        checkpoint.load(tmp_path / "none", "tetris.train", SETTINGS)
