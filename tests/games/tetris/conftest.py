"""Eight boards with what others found for them; read where they are, skipped elsewhere."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.games.tetris import rules


@pytest.fixture(scope="session")
def published_boards() -> list[dict[str, Any]]:
    """The cases of tetris_boards.json: boards as arrays, pieces as numbers, placements as the rules write cells."""
    folder = Path(os.environ.get("GPUSOLVE_SHARED") or Path(__file__).parents[4] / "shared")
    path = folder / "data" / "tetris_boards.json"
    if not path.exists():
        pytest.skip(f"{path} is not there (GPUSOLVE_SHARED names its folder)")
    cases: list[dict[str, Any]] = json.loads(path.read_text())["cases"]
    for case in cases:
        case["board"] = np.array(list(map(int, case["board"])), np.uint8).reshape(rules.ROWS, rules.COLUMNS)
        case["piece"], case["next"] = rules.parse_piece(case["piece"]), rules.parse_piece(case["next"])
        for name in ("best_1piece", "best_2piece", "best_branching_top3_top5_depth2"):
            case[name] = cells(case[name])
        case["moves"] = {cells(move["cells"]): move for move in case["moves"]}
    return cases


def cells(placed: list[list[int]]) -> rules.Cells:
    return tuple((row, column) for row, column in placed)
