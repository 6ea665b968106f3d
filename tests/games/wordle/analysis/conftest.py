"""A strategy in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.wordle.analysis.small_game import ANSWERS, save_solution
from gpusolve.backend import open_backend
from gpusolve.games.wordle import Variant, solve


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a file with the best strategy for ANSWERS."""
    variant = Variant.load(answers=ANSWERS)
    return save_solution(tmp_path / "tree.json", solve([], variant, backend=open_backend("cpu")), variant)
