"""Ratings and censuses as text."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.games.qless.measuring import drawing
from gpusolve.games.qless.measuring._census import Census
from gpusolve.games.qless.measuring._rate import Rating
from gpusolve.games.qless.rolls import counts_of
from gpusolve.output import report
from gpusolve.output.parts import Line


def rating(solutions: int, shapes: int, **changed: object) -> Rating:
    values: dict[str, object] = {"everyday_solutions": 1, "shapes_tried": None, "on_dice": True}
    values |= {"difficulty": "saturday", "seconds": 0.1}
    return Rating("bbcefklnnpux", solutions, shapes, **(values | changed))  # type: ignore[arg-type]


def rating_text(rating: Rating) -> str:
    (line,) = drawing.rating(rating)
    assert isinstance(line, Line)
    return line.text


def test_a_rating_is_a_sentence_in_the_singular_or_plural() -> None:
    assert rating_text(rating(0, 0, difficulty=None)) == "bbcefklnnpux: no solution"
    assert rating_text(rating(1, 1)) == (
        "bbcefklnnpux: saturday (1 solution in 1 shape, 1 of them of everyday words; fewer than 10 of these are "
        "found in the shapes that are tried)"
    )
    assert rating_text(rating(2, 1, everyday_solutions=0, difficulty=None)) == (
        "bbcefklnnpux: harder than any day (2 solutions in 1 shape, 0 of them of everyday words)"
    )
    assert rating_text(
        rating(2046, 812, everyday_solutions=341, shapes_tried=350, on_dice=False, difficulty="thursday")
    ) == (
        "bbcefklnnpux: thursday (2,046 solutions in 812 shapes, 341 of them of everyday words; the first 10 of these "
        "are found after trying 350 shapes; the dice cannot show these letters)"
    )


def test_a_census_is_shown_with_its_hardest_rolls(capsys: pytest.CaptureFixture[str]) -> None:
    letters, weights = np.stack([counts_of("aet"), counts_of("ent"), counts_of("zzz")]), np.ones(3, np.int64)
    report.show(Census(5, True, False, letters, weights, np.array([1, 2, 0]), 0.1, True).drawing(top=3))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 random rolls of seed 5: 1 without a solution (33.333 %)"
    assert lines[1] == "exactly one solution: 1 roll"
    assert "letter  rolls  without a solution  probability" in lines
    assert lines[-2] == "hardest rolls that have a solution: aet (1 solution), ent (2 or more solutions)"
    assert lines[-1] == "rolls without a solution: zzz"
    report.show(Census(5, False, False, letters, weights, np.array([3, 2, 0]), 0.1, True).drawing(top=3))
    assert capsys.readouterr().out.splitlines()[-1] == "most likely rolls without a solution: zzz"
