"""The typed reader: it returns values of the declared type, and refuses all others with a one-line error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.fields import Fields

FIELDS = Fields(
    "game x.json",
    {
        "lines": 12,
        "rate": 0.5,
        "name": "crane",
        "won": True,
        "moves": [0, 3, 1],
        "board": {"rows": 4},
        "turns": [{"piece": "T"}, {"piece": "I"}],
        "scores": np.arange(6, dtype=np.int32).reshape(2, 3),
        "nothing": None,
    },
)


def test_fields_are_read_by_name_and_type() -> None:
    assert FIELDS.integer("lines", 0, 230) == 12
    assert FIELDS.number("rate", 0, 1) == 0.5
    assert FIELDS.number("lines", 0, 230) == 12.0
    assert FIELDS.text("name") == "crane"
    assert FIELDS.choice("name", ["crane", "slate"]) == "crane"
    assert FIELDS.flag("won") is True
    assert FIELDS.integers("moves", 0, 3, length=3) == [0, 3, 1]
    assert FIELDS.object("board").integer("rows", 1, 6) == 4
    assert [turn.text("piece") for turn in FIELDS.objects("turns")] == ["T", "I"]
    assert FIELDS.array("scores", np.int32, (None, 3), 0, 5).sum() == 15
    assert "name" in FIELDS
    assert FIELDS
    assert not Fields("game x.json")


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda fields: fields.integer("age", 0, 1), "it has no age"),
        (lambda fields: fields.integer("lines", 0, 11), "lines 12: expected a whole number, 0 to 11"),
        (lambda fields: fields.integer("rate", 0, 1), "rate 0.5: expected a whole number, 0 to 1"),
        (lambda fields: fields.integer("won", 0, 1), "won True: expected a whole number, 0 to 1"),
        (lambda fields: fields.integer("nothing", 0, 1), "nothing None: expected a whole number, 0 to 1"),
        (lambda fields: fields.number("name", 0, 1), "name crane: expected 0 to 1"),
        (lambda fields: fields.text("lines"), "lines 12: expected text of at most 10,000 characters"),
        (lambda fields: fields.text("name", longest=4), "name crane: expected text of at most 4 characters"),
        (lambda fields: fields.choice("name", ["slate"]), "name crane: expected one of slate"),
        (lambda fields: fields.flag("lines"), "lines 12: expected true or false"),
        (lambda fields: fields.integers("moves", 0, 2), r"moves\[1\] 3: expected a whole number, 0 to 2"),
        (lambda fields: fields.integers("moves", 0, 3, length=2), "expected a list of 2"),
        (lambda fields: fields.sequence("name"), "name crane: expected a list"),
        (lambda fields: fields.object("moves"), "expected an object"),
        (lambda fields: fields.object("board").integer("columns", 1, 6), "board: it has no columns"),
        (lambda fields: fields.objects("moves"), r"moves\[0\] 0: expected an object"),
        (lambda fields: fields.array("scores", np.int64, (None, 3)), "expected an array of int64 and shape"),
        (lambda fields: fields.array("scores", np.int32, (3, 3)), r"expected an array of int32 and shape \(3, 3\)"),
        (lambda fields: fields.array("scores", np.int32, (6,)), r"expected an array of int32 and shape \(6\)"),
        (lambda fields: fields.array("moves", np.int32, (3,)), "expected an array of int32"),
        (lambda fields: fields.array("scores", np.int32, (None, 3), least=1), "expected no element below 1"),
        (lambda fields: fields.array("scores", np.int32, (None, 3), most=4), "expected no element above 4"),
    ],
)
def test_other_values_are_refused_with_the_file_and_the_field(read: Callable[[Fields], Any], message: str) -> None:
    with pytest.raises(BadInput, match=f"^game x.json: .*{message}"):
        read(FIELDS)


def test_nan_violates_every_bound() -> None:
    fields = Fields("value x", {"weights": np.array([0.0, np.nan])})
    with pytest.raises(BadInput, match="expected no element below 0"):
        fields.array("weights", np.float64, (2,), least=0)


@pytest.mark.parametrize("number", [10**400, -(10**400)])
def test_a_number_beyond_all_floats_is_refused(number: int) -> None:
    with pytest.raises(BadInput, match=r"^run x: seconds -?1000.*: expected 0 or more"):
        Fields("run x", {"seconds": number}).number("seconds", 0, float("inf"))
