"""Wrong calls of Queuedle and of the searches from Python: BadInput or TypeError, never a wrong answer."""

# mypy: ignore-errors
# Wrong types are passed on purpose.

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games import queuedle
from gpusolve.games.queuedle import Puzzle, Solver
from gpusolve.games.queuedle.positions import Moves
from gpusolve.search.beam import beam
from gpusolve.search.best_first import best_first
from search.toy import Toy

CPU = open_backend("cpu")
SMALL = Puzzle.parse("tsea/enop/adis/ttre eat")
WORDS = ["tea", "eat", "east", "seat"]
TOY = Toy((1, 2, 3), 4)
NONSENSE: list[Any] = [0, -1, 2**63, 10**30, float("nan"), float("inf"), 1.5, "5", None, True]


def solve(strategy: Any = "beam", **given: Any) -> Any:
    return queuedle.solve(SMALL, dictionary=WORDS, strategy=strategy, backend=CPU, **given)


def wrong_numbers() -> list[tuple[str, str, Any]]:
    """Return strategies, names and values. None is a default, and 0 is a valid number of endings and a valid seed."""
    names = {"beam": ("width", "endings", "memory", "seed"), "best-first": ("expanded", "batch"),
             "auto": ("states", "memory", "seed")}  # fmt: skip
    return [
        (strategy, name, value)
        for strategy, parameters in names.items()
        for name in parameters
        for value in NONSENSE
        if value is not None
        and not (value == 0 and name in ("endings", "seed"))
        and not (value == 2**63 and name == "seed")
    ]


@pytest.mark.parametrize(("strategy", "name", "value"), wrong_numbers())
def test_numbers_out_of_range_are_refused(strategy: str, name: str, value: Any) -> None:
    with pytest.raises(BadInput, match=rf"^{name} .*: expected a whole number"):
        solve(strategy, **{name: value})


@pytest.mark.parametrize("strategy", ["auto", "beam", "best-first", "exhaustive"])
@pytest.mark.parametrize("limit", [-1, float("nan"), "5", True, float("-inf")])
def test_invalid_time_limits_are_refused(strategy: str, limit: Any) -> None:
    with pytest.raises(BadInput, match=r"^time_limit .*: expected 0 or more"):
        solve(strategy, time_limit=limit)


@pytest.mark.parametrize("name", ["heuristic", "strategy"])
@pytest.mark.parametrize("value", ["luck", 7, "", "SCORE"])
def test_unknown_names_are_refused(name: str, value: Any) -> None:
    with pytest.raises(BadInput, match=f"^{name} "):
        solve(**{name: value})


PUZZLES: list[tuple[Any, Any]] = [
    (("ab", "de"), ""), ((), ""), (("abcdefg",) * 7, ""), (("abcd",) * 5, ""), (("abcde",) * 4, ""),
    (("abcd", "abcd", "abcd", "ABCD"), ""), (("abcd",) * 4, "x1"), (("abcd",) * 4, "a" * 32), (("ab d",) * 4, ""),
    (("abc\u212a",) * 4, ""), (["abcd"] * 4, ""), ("abcd", ""), (("abcd",) * 4, None), ((1, 2, 3, 4), ""), (None, ""),
    (("abcd",) * 4, "a\nb"), (np.full((4, 4), "a"), ""),
]  # fmt: skip


@pytest.mark.parametrize(("grid", "queue"), PUZZLES)
def test_the_constructor_refuses_an_invalid_puzzle(grid: Any, queue: Any) -> None:
    with pytest.raises(BadInput, match=r"^(grid|queue|puzzle)"):
        Puzzle(grid, queue)


CALLS: dict[str, Callable[[], Any]] = {
    "a number for a puzzle": lambda: queuedle.solve(5, dictionary=WORDS, backend=CPU),  # type: ignore[arg-type]
    "bytes for a puzzle to check": lambda: queuedle.check("u1", b"abcd", dictionary=WORDS),  # type: ignore[arg-type]
    "an array for a puzzle": lambda: Puzzle.parse(np.full((4, 4), "a")),  # type: ignore[arg-type]
    "a zone for a puzzle that is no day's": lambda: queuedle.check("", SMALL, dictionary=WORDS, zone="UTC"),
    "None for the puzzle of a solver": lambda: Solver(None, dictionary=WORDS, backend=CPU),  # type: ignore[arg-type]
    "a puzzle of numbers": lambda: Puzzle.parse([5]),  # type: ignore[list-item]
    "a queue that is None": lambda: Puzzle.parse(["abcd/abcd/abcd/abcd", None]),  # type: ignore[list-item]
    "a move of another grid": lambda: queuedle.check([16], SMALL, dictionary=WORDS),
    "a move below 0": lambda: queuedle.check([-1], SMALL, dictionary=WORDS),
    "half a move": lambda: queuedle.check([0.5], SMALL, dictionary=WORDS),  # type: ignore[list-item]
    "a move that is nan": lambda: queuedle.replay(SMALL, [float("nan")]),  # type: ignore[list-item]
    "a move that is a string": lambda: queuedle.replay(SMALL, ["u1"]),  # type: ignore[list-item]
    "a number for a list of moves": lambda: queuedle.check(3, SMALL, dictionary=WORDS),  # type: ignore[arg-type]
    "None for a list of moves": lambda: queuedle.check(None, SMALL, dictionary=WORDS),  # type: ignore[arg-type]
    "moves for a grid of size 0": lambda: Moves.parse("u1", size=0),
    "a digit in another script": lambda: queuedle.check("u\u0661", SMALL, dictionary=WORDS),
    "a slide below 0 in notation": lambda: str(Moves([-1])),
    "a day that is a number": lambda: queuedle.daily(20250531),  # type: ignore[arg-type]
    "a day without dashes": lambda: queuedle.daily("20250531"),
    "a day in Arabic digits": lambda: queuedle.daily("\u0662\u0660\u0662\u0665-05-31"),
    "the first day": lambda: queuedle.daily(datetime.date.min, zone="Asia/Tokyo"),
    "a day before 1970": lambda: queuedle.daily("1960-01-01"),
    "a zone that is a number": lambda: queuedle.daily("2025-05-31", zone=5),  # type: ignore[arg-type]
    "a zone that is a path": lambda: queuedle.daily("2025-05-31", zone="../../etc/passwd"),
    "a zone that is empty": lambda: queuedle.daily("2025-05-31", zone=""),
    "a zone with a surrogate": lambda: queuedle.daily("2025-05-31", zone="\ud800"),
    "no words": lambda: queuedle.solve(SMALL, dictionary=[], backend=CPU),
    "words of two letters": lambda: queuedle.solve(SMALL, dictionary=["ox"], backend=CPU),
    "a folder for a file": lambda: Puzzle.parse(Path("/")),
    "a file without end": lambda: Puzzle.parse(Path("/dev/zero")),
    "an empty path": lambda: Puzzle.parse(Path("")),
    "a beam of width 0": lambda: beam(TOY, width=0, batch=5),
    "a beam of more states than its table has room for": lambda: beam(TOY, width=2**30 + 1, batch=5),
    "an empty batch": lambda: beam(TOY, width=5, batch=0),
    "a beam of half a state": lambda: beam(TOY, width=0.5, batch=5),  # type: ignore[arg-type]
    "no states to take": lambda: best_first(TOY, limit=0),
    "best-first with a negative batch": lambda: best_first(TOY, limit=5, batch=-1),
    "a time limit below 0": lambda: best_first(TOY, limit=5, time_limit=-1),
    "a time limit that is nan": lambda: beam(TOY, width=5, batch=5, time_limit=float("nan")),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_wrong_call_is_refused(call: Callable[[], Any]) -> None:
    with pytest.raises((BadInput, TypeError)):
        call()


def test_a_dictionary_with_a_word_on_every_grid_is_refused() -> None:
    every = [a + b + c for a in "abcdefghijklmnopqrstuvwxyz" for b in "aeiou" for c in "abcdefghijklmnopqrstuvwxyz"]
    every += [b + a + c for a in "bcdfghjklmnpqrstvwxyz" for b in "bcdfghjklmnpqrstvwxyz" for c in "aeiou"]
    with pytest.raises(BadInput, match=r"dictionary: 50,000 grids drawn all have one of its words"):
        queuedle.daily("2025-05-31", zone="UTC", puzzle_dictionary=sorted(set(every)))
