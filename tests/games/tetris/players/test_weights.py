"""Weights: their files, and weights given as numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.tetris.oracle import PUBLISHED
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.weights import load_weights, save_weights


def test_damaged_weights_files_are_refused(tmp_path: Path) -> None:
    weights = load_weights("published")
    save_weights(tmp_path / "w.json", weights)
    assert load_weights(str(tmp_path / "w.json")) == weights
    text = (tmp_path / "w.json").read_text()
    damaged = {
        "cut": text[:80],
        "other schema": text.replace("weights/1", "weights/9"),
        "a feature is missing": text.replace('"holes"', '"hols"'),
        "not a number": text.replace("25.267981421496216", '"much"'),
        "infinite": text.replace("25.267981421496216", "Infinity"),
        "a list": "[]",
    }
    for name, content in damaged.items():
        (tmp_path / "d.json").write_text(content)
        with pytest.raises(BadInput, match="weights"):
            load_weights(str(tmp_path / "d.json"))
        assert content != text, name
    with pytest.raises(BadInput, match="expected a file or one of"):
        load_weights("nobody")


def test_weights_can_be_given_as_numbers() -> None:
    assert load_weights(np.array(PUBLISHED).tolist()).values == load_weights(list(PUBLISHED)).values == PUBLISHED
    assert load_weights(load_weights("published")) == load_weights("published")
    for wrong, message in (((1.0,), "1 numbers, expected 17"), ((0,) * 17, "all 0"), ((1, float("nan")) * 9, "18")):
        with pytest.raises(BadInput, match=message):
            load_weights(wrong)
