"""The functions of sliding tiles, called with wrong arguments: BadInput, or TypeError for a wrong type."""

# mypy: ignore-errors
# The arguments have wrong types on purpose.

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from faults.calls import Call, check_refused
from gpusolve.errors import BadInput
from gpusolve.games import sliding
from gpusolve.games.sliding import Board

BOARD = Board(2, 3, (1, 2, 5, 3, 4, 0))
NO_NUMBERS: list[Any] = [-1, 1.5, float("nan"), float("inf"), 10**30, True, "3", [1], np.zeros(2)]
NO_BOARDS: list[Any] = [
    None, 5, b"0 1 2 3", [5], ["0 1 2 4"], [], "", "x", "0", "0 1 2", "0 1 2 4", "1 1 2 3", "0 1 / 2", "-1 0 1 2",
    " ".join(map(str, range(27))), " ".join(map(str, range(13))) + " / 13 14", "\u0660 1 2 3",
]  # fmt: skip
NO_TILES: list[Any] = [
    (), (0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 4), (0, 1, 2, -1), (0, 1, 2, 3.0), (False, 1, 2, 3), ("0", 1, 2, 3),
]  # fmt: skip
NO_MOVES: list[Any] = [None, 5, ["U"], b"U", "D", "UUU", "X", "0", "6", "1", "U5"]
NO_PARTITIONS: list[Any] = ["", "x", "7-8", "1,2,3", "1,2,3,4,5,5", "0,1,2/3,4,5", "1,2,3/4,5,6", "1,2/3,4,5/"]

CALLS: list[Call] = [
    *((function, (text,), {}) for text in NO_BOARDS for function in (Board.parse, sliding.load_boards)),
    *((Board.parse, ("0 1 2 3",), {"goal": goal}) for goal in ("", "blank", 0, ["blank-first"])),
    *((Board, (2, 2, tiles), {}) for tiles in NO_TILES),
    *((Board, (size, 2, (0, 1, 2, 3)), {}) for size in [*NO_NUMBERS, 1, 3, None]),
    (Board, (2, 13, tuple(range(26))), {}),
    *((sliding.load_boards, (file,), {}) for file in ("", "/none", "/", "\x00", "x" * 5000)),
    *((sliding.scramble, (), {"rows": size, "columns": 3}) for size in [*NO_NUMBERS, 0, 1, 9]),
    *(
        (sliding.scramble, (), {"rows": 2, "columns": 2, name: value})
        for name in ("count", "moves", "seed")
        for value in NO_NUMBERS
    ),
    (sliding.scramble, (), {"rows": 2, "columns": 2, "count": 0}),
    (sliding.scramble, (), {"rows": 2, "columns": 2, "goal": "first"}),
    *((function, (board, "U"), {}) for board in (None, "0 1 2 4", 5) for function in (sliding.verify, sliding.show)),
    *((function, (BOARD, moves), {}) for moves in NO_MOVES for function in (sliding.verify, sliding.parse_moves)),
    *((sliding.solve, (board,), {}) for board in (None, "0 1 2 4", 5, [BOARD, BOARD], [])),
    *((sliding.solve, (BOARD,), {"partition": partition}) for partition in NO_PARTITIONS),
    *((sliding.solve, (BOARD,), {"databases": databases}) for databases in (5, "5-5-5", [BOARD])),
    *((sliding.solve, (BOARD,), {"depth": depth}) for depth in [*NO_NUMBERS, 0, 1, 24]),
    *((sliding.solve, (BOARD,), {"bound": bound}) for bound in [*NO_NUMBERS, 251]),
    *((sliding.solve, (BOARD,), {"weight": weight}) for weight in (0.9, -1, 11, float("nan"), "2", [2], True)),
    *((sliding.solve, (BOARD,), {"strategy": strategy}) for strategy in (None, "", "best", 0, ["beam"])),
    *((sliding.solve, (BOARD,), {"strategy": "beam", "width": width}) for width in [*NO_NUMBERS, 0, 10_000_001]),
    *((sliding.solve, (BOARD,), {"strategy": "beam", "seed": seed}) for seed in NO_NUMBERS),
    *((sliding.solve, (BOARD,), {"strategy": "beam", "bound": bound}) for bound in [*NO_NUMBERS, 1001]),
    (sliding.solve, (BOARD,), {"strategy": "beam", "weight": 2}),
    (sliding.solve, (BOARD,), {"width": 5}),
    (sliding.build, (), {"rows": 6, "columns": 6}),
    (sliding.automaton, (), {"rows": 6, "columns": 6}),
    *((sliding.solve, (BOARD,), {"workers": workers}) for workers in (0, -1, None, "x", 1.5, [2], True)),
    *((sliding.solve, (BOARD,), {"time_limit": limit}) for limit in (-1, float("nan"), "3", [1])),
    *((sliding.build, (), {"rows": size, "columns": 3}) for size in [*NO_NUMBERS, 0, 1, 9]),
    *((sliding.build, (), {"rows": 2, "columns": 3, "partition": partition}) for partition in NO_PARTITIONS),
    *(
        (sliding.build, (), {"rows": 2, "columns": 3, name: value})
        for name in ("samples", "seed")
        for value in NO_NUMBERS
    ),
    (sliding.build, (), {"rows": 2, "columns": 3, "samples": 0}),
    *((sliding.open_databases, (size, 3), {}) for size in [*NO_NUMBERS, 0, 1, 9]),
    *((sliding.open_databases, (2, 3), {"partition": partition}) for partition in NO_PARTITIONS),
    *((sliding.automaton, (), {"rows": size, "columns": 3}) for size in [*NO_NUMBERS, 0, 1, 9]),
    *((sliding.automaton, (), {"rows": 2, "columns": 3, "depth": depth}) for depth in [*NO_NUMBERS, 0, 1, 24]),
    *(
        (sliding.automaton, (), {"rows": 2, "columns": 3, "depth": 2, "choice": choice})
        for choice in (None, "", "last", 0, ["first"])
    ),
    *((sliding.load_boards, (name,), {}) for name in ("korf", ["article", "korf"], ["article", 0])),
    *((function, ("0 1 2 4", "D"), {}) for function in (sliding.replay, sliding.tiles_moved, sliding.parse_moves)),
]


@pytest.fixture(autouse=True, scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield


def test_wrong_calls() -> None:
    check_refused(CALLS)


@pytest.mark.parametrize("file", ["", "/", "/none/run"])
def test_a_checkpoint_that_cannot_be_written(file: str) -> None:
    with pytest.raises(BadInput, match=r"^checkpoint .*: cannot be written"):
        sliding.solve(BOARD, checkpoint=Path(file))
