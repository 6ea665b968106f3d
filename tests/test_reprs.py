"""Every public result has a short text, whatever its size."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from importlib import import_module

import numpy as np
import pytest

from gpusolve.games import find_games, qless, quordle, wordle
from gpusolve.reprs import LONGEST, as_text

RESULTS = [
    pytest.param(kind, id=f"{game}.{kind.__name__}")
    for game, package in find_games().items()
    if package.startswith("gpusolve.")
    for kind in (getattr(import_module(package), name) for name in dir(import_module(package)))
    if inspect.isclass(kind) and dataclasses.is_dataclass(kind)
]


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_has_a_text_of_its_own(kind: type) -> None:
    """The text that `dataclass` writes has all fields in full, and wraps the function that writes it."""
    assert not hasattr(kind.__repr__, "__wrapped__"), "derive it from Drawn, with repr=False"


@dataclasses.dataclass
class Large:
    numbers: np.ndarray
    names: dict[str, list[int]]
    text: str
    hidden: int = dataclasses.field(default=3, repr=False)
    inner: Large | None = None
    __repr__ = as_text


def test_the_text_is_short_for_large_values() -> None:
    large = Large(np.zeros((1000, 26)), {str(i): [*range(999)] for i in range(99)}, "x" * 10**6)
    text = repr(Large(large.numbers, large.names, large.text, inner=large))
    assert len(text) <= LONGEST
    assert text.startswith("Large(numbers=<float64 1000x26>, names={'0': [0, 1, 2, 3, ...], ")
    assert "hidden" not in text
    many = dataclasses.make_dataclass("Many", [f"field_with_a_long_name_{i}" for i in range(40)])
    assert len(as_text(many(*["y" * 100] * 40))) == LONGEST


def test_the_text_of_a_small_value_is_the_call_that_makes_it() -> None:
    assert repr(qless.Verdict("eat", qless.Grid(("eat",)), None, [])).startswith("Verdict(roll='eat', grid=Grid(")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "call",
    [
        lambda: quordle.suggest(["carle:-y---,----y,-----,y----"]),
        lambda: wordle.analyze(["crane", "moist", "badly"]),
        lambda: wordle.partition_table(),
        lambda: wordle.Variant.load(),
        lambda: qless.census(count=30, seed=1),
    ],
    ids=["Suggestions", "Analysis", "PartitionTable", "Variant", "Census"],
)
def test_results_that_were_long(call: Callable[[], object]) -> None:
    assert len(repr(call())) <= LONGEST
