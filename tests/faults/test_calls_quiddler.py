"""Wrong calls of Quiddler's functions raise BadInput, or TypeError for a value of another type."""

# mypy: ignore-errors
# Wrong types are given on purpose.

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from faults.calls import Call, check_refused
from gpusolve.errors import BadInput
from gpusolve.games import quiddler
from gpusolve.games.quiddler import Deal, Variant
from gpusolve.games.quiddler.variant import VALUES
from gpusolve.runs import checkpoint

DEAL = Deal.parse("nwu(th)ryyi / acjounbi")
WORDS = ["nu", "ja", "bi"]
FEW = {"dictionary": WORDS}
HAND = ["qu", "i", "t"]
NO_NUMBERS: list[Any] = [-1, 1.5, float("nan"), float("inf"), 10**30, True, "3", [1], np.zeros(2)]
NAN = float("nan")

CALLS: list[Call] = [
    *((quiddler.deal, (seed,), {}) for seed in NO_NUMBERS),
    *((quiddler.deal, (1,), {"number": number}) for number in [*NO_NUMBERS, None]),
    *(
        (Deal.parse, (text,), {})
        for text in (None, 5, b"a b", "", "a", "a" * 15, "a" * 17, "1" * 16, "/" * 9, [1], [DEAL])
    ),
    *((quiddler.parse_cards, (text,), {}) for text in (None, 5, b"a", ["a"], "()", "(a", "1", "\N{KELVIN SIGN}", "é")),
    *((quiddler.parse_values, (path,), {}) for path in (None, 5, "none", "/", "", "a\0b", "/dev/zero")),
    *(
        (quiddler.parse_bonus, (text,), {})
        for text in (None, 5, "", "5", "5:", "0:1", "33:1", "5:1001", "5:-1", "٣:1", "5:٣", "9" * 5000 + ":1", "a:1")
    ),
    *((Variant, (), {"values": values}) for values in (None, 5, {}, {"a": 1}, VALUES | {"a": -1}, VALUES | {"xx": 1})),
    *((Variant, (), {"values": VALUES | {"a": points}}) for points in [*NO_NUMBERS, None]),
    *((Variant, (), {"bonus": bonus}) for bonus in (None, 5, [1, 2], {0: 1}, {33: 1}, {"5": 1}, {5: None})),
    *((Variant, (), {"bonus": {5: points}}) for points in NO_NUMBERS),
    *((Variant, (), {"min_cards": least}) for least in [*NO_NUMBERS, 0, 3, None]),
    *((Deal, rows, {}) for rows in ((None, None), ((), ()), (("a",), ()), (("a",) * 9, ("a",) * 9), (("A",), ("a",)))),
    *((Deal, rows, {}) for rows in (((1,), (2,)), (("a",), (None,)), (("a",), ("ab",)), (np.zeros(3), np.zeros(3)))),
    *((quiddler.spell, (words,), {}) for words in (None, 5, [], ["a"], ["a1"], "none", ["\N{KELVIN SIGN}ing"])),
    *((quiddler.spell, (WORDS, least), {}) for least in [*NO_NUMBERS, 0, 3, None]),
    *((quiddler.check, ("nu", deal), FEW) for deal in (None, "a b", ("a", "b"), 5)),
    *((quiddler.check, (plan, DEAL), FEW) for plan in (None, 5, ["nu"], "", " , ")),
    *((quiddler.check, ("nu", DEAL), FEW | {"variant": variant}) for variant in ({}, 5, "standard")),
    (quiddler.check, ("(xx)", DEAL), FEW),
    *((quiddler.solve, (deal,), FEW) for deal in (5, "a b", ("a", "b"), np.zeros((8, 2)))),
    *((quiddler.solve, (DEAL,), {"dictionary": words}) for words in (None, 5, [])),
    *((quiddler.solve, (DEAL,), FEW | {"goal": goal}) for goal in ("most", None, 1, ["best"], "")),
    *((quiddler.solve, (DEAL,), FEW | {"max_words": most}) for most in [*NO_NUMBERS, 0, 17]),
    *((quiddler.solve, (DEAL,), FEW | {"top": plans}) for plans in [*NO_NUMBERS, 0, None]),
    *((quiddler.solve, (DEAL,), FEW | {"backend": backend}) for backend in (5, "gpu", "", "cpu:0", np.zeros(1))),
    *((quiddler.solve, (DEAL,), FEW | {"variant": variant}) for variant in ({"a": 1}, 5, "standard")),
    *((quiddler.hand, (cards,), {}) for cards in (None, 5, [], ["a"] * 2, ["a"] * 11, ["é"] * 3, [1, 2, 3], "a1b")),
    *((quiddler.hand, (HAND,), {"discard": discard}) for discard in (None, 2, "x", NAN)),
    *((quiddler.hand, (HAND,), {name: n}) for name in ("beat_longest", "beat_most") for n in NO_NUMBERS),
    *((quiddler.hand, (HAND,), {"variant": variant}) for variant in ({"a": 1}, 5, "standard")),
    *((Variant.load, (), {"values": values}) for values in (5, {}, {"a": 1}, VALUES | {"a": NAN}, Path("none"))),
    *((Variant.load, (), {"bonus": bonus}) for bonus in (5, "", "5", "0:1", {0: 1})),
    *((Variant.load, (), {"min_cards": least}) for least in [*NO_NUMBERS, 0, 3, None]),
    *((quiddler.solve, (DEAL,), FEW | {"seed": seed}) for seed in (1, "x")),
    *((quiddler.solve, (None,), FEW | {"seed": seed}) for seed in NO_NUMBERS),
    *((quiddler.census, (), FEW | {"count": count}) for count in [*NO_NUMBERS, 0, None]),
    *((quiddler.census, (), FEW | {"count": 1, "seed": seed}) for seed in NO_NUMBERS),
    *((quiddler.census, (), FEW | {"count": 1, "time_limit": limit}) for limit in (-1, NAN, "1", [1], True)),
    *((quiddler.census, (), FEW | {"count": 1, "variant": variant}) for variant in ({}, 5, "standard")),
    *((quiddler.census, (), FEW | {"count": 1, "resume": path}) for path in ("none", "", "/", "/dev/null", 5)),
    *((quiddler.census, (), FEW | {"count": 1, "checkpoint": path}) for path in ("", "/", "none/file", "a\0b", 5)),
]


def test_wrong_calls_raise_and_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_refused(CALLS)
    assert not list(tmp_path.iterdir())


def test_more_deals_than_memory_has_room_for_are_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", {"SC_PHYS_PAGES": 2**18, "SC_PAGE_SIZE": 4096}.get)
    message = "^count 100,000,000: needs 2.2 GiB of memory, but this machine has 1.0 GiB$"
    with pytest.raises(BadInput, match=message):
        quiddler.census(count=10**8, dictionary=WORDS, seed=1)
    with pytest.raises(BadInput, match="count 1000000001: expected a whole number, 1 to 1,000,000,000"):
        quiddler.census(count=10**9 + 1, dictionary=WORDS, seed=1)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"best": np.zeros(3, np.int32)},
        {"best": np.zeros(3, np.int32), "best_all": "x"},
        {"best": np.zeros(3), "best_all": np.zeros(3)},
        {"best": np.zeros((3, 2), np.int32), "best_all": np.zeros((3, 2), np.int32)},
        {"best": np.zeros(3, np.int32), "best_all": np.zeros(2, np.int32)},
        {"best": np.full(3, 10**9, np.int32), "best_all": np.zeros(3, np.int32)},
    ],
)
@pytest.mark.parametrize("seconds", [1.0, -1, NAN, "x", None])
def test_made_up_checkpoints_are_bad_input(tmp_path: Path, state: dict[str, Any], seconds: Any) -> None:
    file = tmp_path / "run"
    quiddler.census(count=1, dictionary=WORDS, seed=1, checkpoint=file)
    settings = dict(checkpoint.load(file, "quiddler.census")[0].values)
    checkpoint.save(file, "quiddler.census", settings, state | {"seconds": seconds})
    with pytest.raises(BadInput, match=r"^checkpoint .*run: damaged"):
        quiddler.census(count=2, dictionary=WORDS, resume=file)
    for seed in (None, -1, "x", 1.5):
        checkpoint.save(file, "quiddler.census", settings | {"seed": seed}, state | {"seconds": 1.0})
        with pytest.raises(BadInput, match=r"^checkpoint .*run: damaged"):
            quiddler.census(count=2, dictionary=WORDS, resume=file)
