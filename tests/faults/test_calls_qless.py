"""Q-less' functions called with wrong things: BadInput, or TypeError for a wrong type, and never nonsense."""

# mypy: ignore-errors
# Wrong types are given on purpose.

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.games import qless
from gpusolve.games.qless import Variant
from gpusolve.runs import checkpoint

ROLL = "cddeeimprtwx"
WORDS = Variant(["tea", "eat", "credit"])
NO_NUMBERS: list[Any] = [-1, 1.5, float("nan"), float("inf"), 10**30, True, "3", [1], np.zeros(2)]
NO_ROLLS: list[Any] = [None, 5, b"tea", ["tea"], "", "ab", "a" * 15, "te3", "t\u00e9a", "\N{KELVIN SIGN}ing"]

CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    *((qless.roll, (seed,), {}) for seed in NO_NUMBERS),
    *((qless.roll, (1, number), {}) for number in [*NO_NUMBERS, None]),
    *((function, (roll,), {}) for roll in NO_ROLLS for function in (qless.solve, qless.count, qless.hint)),
    *((function, (roll,), {}) for roll in NO_ROLLS for function in (qless.unsolvable, qless.rate)),
    *((function, (ROLL,), {"variant": "scowl-70"}) for function in (qless.solve, qless.unsolvable, qless.rate)),
    *((qless.solve, (ROLL, WORDS, limit), {}) for limit in [*NO_NUMBERS, 0]),
    *((qless.solve, (ROLL, WORDS), {"time_limit": limit}) for limit in [-1, float("nan"), "3", [1]]),
    *((qless.solve, (ROLL, WORDS), {"must": must}) for must in ("", "rat", 5, ["tea"], "\N{KELVIN SIGN}ing")),
    *((qless.hint, (ROLL, words), {}) for words in [*NO_NUMBERS, 0, 15]),
    *((qless.check, (grid,), {}) for grid in (None, 5, b"tea", "", ".", "te3/", "\N{KELVIN SIGN}ing")),
    *((qless.shapes, (letters,), {}) for letters in [*NO_NUMBERS, 2, 15, None]),
    *((qless.generate, (day,), {}) for day in (None, 5, "", "someday", "Monday")),
    *((qless.generate, (), {"seed": seed}) for seed in NO_NUMBERS),
    *((qless.census, (rolls,), {}) for rolls in [*NO_NUMBERS, 0]),
    *((qless.census, (5,), {"seed": seed}) for seed in NO_NUMBERS),
    (qless.census, (5, "scowl-70"), {}),
    *((Variant, (), {"min_length": length}) for length in [*NO_NUMBERS, 2, 15, None]),
    *((qless.count, (ROLL, Variant(words)), {}) for words in (None, 5, [], ["at"], ["a1"], "none", ["tea", "tea"])),
    *((qless.count, (ROLL, Variant(["tea"], ban=words)), {}) for words in (5, ["tea"], "none")),
]


def shown(call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> str:
    function, arguments, options = call
    return ascii(f"{function.__name__}{arguments}{options}")[:70]


@pytest.mark.parametrize("call", CALLS, ids=shown)
def test_wrong_calls(call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> None:
    function, arguments, options = call
    with pytest.raises((BadInput, TypeError)) as raised:
        function(*arguments, **options)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "state", [{}, {"solutions": "x"}, {"solutions": np.zeros(3)}, {"solutions": np.zeros((3, 2), np.int64)}]
)
def test_checkpoints_that_somebody_has_made_up(tmp_path: Path, state: dict[str, Any]) -> None:
    file = tmp_path / "run"
    qless.census(1, WORDS, seed=1, checkpoint=file)
    settings, _ = checkpoint.load(file, "qless.census")
    checkpoint.save(file, "qless.census", settings, state | {"seconds": 1.0})
    with pytest.raises(BadInput, match=r"^checkpoint .*run: damaged"):
        qless.census(2, WORDS, resume=file)
