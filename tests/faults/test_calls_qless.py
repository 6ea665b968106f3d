"""The functions of Q-less refuse wrong arguments: with BadInput, or with TypeError for a wrong type."""

# mypy: ignore-errors
# Wrong types are given on purpose.

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from faults.calls import Call, check_refused
from gpusolve.errors import BadInput
from gpusolve.games import qless
from gpusolve.games.qless import Variant
from gpusolve.runs import checkpoint

ROLL = "cddeeimprtwx"
WORDS = Variant(["tea", "eat", "credit"])
NO_NUMBERS: list[Any] = [-1, 1.5, float("nan"), float("inf"), 10**30, True, "3", [1], np.zeros(2)]
NO_ROLLS: list[Any] = [None, 5, b"tea", ["tea"], "", "ab", "a" * 15, "te3", "t\u00e9a", "\N{KELVIN SIGN}ing"]

CALLS: list[Call] = [
    *((qless.roll, (), {"seed": seed}) for seed in NO_NUMBERS),
    *((qless.roll, (), {"number": number, "seed": 1}) for number in [*NO_NUMBERS, None]),
    *((function, (roll,), {}) for roll in NO_ROLLS for function in (qless.solve, qless.count, qless.hint)),
    *((function, (roll,), {}) for roll in NO_ROLLS for function in (qless.unsolvable, qless.rate)),
    *((function, (ROLL,), {"variant": "scowl-70"}) for function in (qless.solve, qless.unsolvable, qless.rate)),
    *((qless.solve, (ROLL,), {"variant": WORDS, "max_solutions": limit}) for limit in [*NO_NUMBERS, 0]),
    *((qless.solve, (ROLL,), {"variant": WORDS, "time_limit": limit}) for limit in [-1, float("nan"), "3", [1]]),
    *(
        (qless.solve, (ROLL,), {"variant": WORDS, "must": must})
        for must in ("", "rat", 5, ["tea"], "\N{KELVIN SIGN}ing")
    ),
    *((qless.hint, (ROLL,), {"words": words}) for words in [*NO_NUMBERS, 0, 15]),
    *((qless.check, (grid,), {}) for grid in (None, 5, b"tea", "", ".", "te3/", "\N{KELVIN SIGN}ing")),
    *((qless.shapes, (), {"letters": letters}) for letters in [*NO_NUMBERS, 2, 15, None]),
    *((qless.generate, (), {"difficulty": day}) for day in (None, 5, "", "someday", "Monday")),
    *((qless.generate, (), {"seed": seed}) for seed in NO_NUMBERS),
    *((qless.census, (), {"count": rolls}) for rolls in [*NO_NUMBERS, 0]),
    *((qless.census, (), {"count": 5, "seed": seed}) for seed in NO_NUMBERS),
    (qless.census, (), {"count": 5, "variant": "scowl-70"}),
    *(
        (qless.counts, (rolls,), {})
        for rolls in (None, "tea", [[1]], np.zeros(26, np.uint8), np.zeros((1, 26), np.uint8))
    ),
    *((qless.counts, (np.eye(26, dtype=np.uint8) * 3,), {"limit": limit}) for limit in [*NO_NUMBERS, 0]),
    *((Variant, (), {name: 1}) for name in ("allow_touching", "no_repeats", "common")),
    (qless.shapes, (), {"letters": 5, "allow_touching": 1}),
    *((Variant, (), {"min_length": length}) for length in [*NO_NUMBERS, 2, 15, None]),
    *(
        (qless.count, (ROLL,), {"variant": Variant(words)})
        for words in (None, 5, [], ["at"], ["a1"], "none", ["tea", "tea"])
    ),
    *((qless.count, (ROLL,), {"variant": Variant(["tea"], ban=words)}) for words in (5, ["tea"], "none")),
]


def test_wrong_arguments_are_refused_in_one_line() -> None:
    check_refused(CALLS)


@pytest.mark.parametrize(
    "state", [{}, {"solutions": "x"}, {"solutions": np.zeros(3)}, {"solutions": np.zeros((3, 2), np.int64)}]
)
def test_forged_checkpoints_are_refused(tmp_path: Path, state: dict[str, Any]) -> None:
    file = tmp_path / "run"
    qless.census(count=1, variant=WORDS, seed=1, checkpoint=file)
    settings, _ = checkpoint.load(file, "qless.census")
    checkpoint.save(file, "qless.census", dict(settings.values), state | {"seconds": 1.0})
    with pytest.raises(BadInput, match=r"^checkpoint .*run: damaged"):
        qless.census(count=2, variant=WORDS, resume=file)
