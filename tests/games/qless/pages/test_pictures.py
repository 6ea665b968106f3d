from __future__ import annotations

import numpy as np

from gpusolve.games import qless
from gpusolve.games.qless.drawing import FIRST
from gpusolve.games.qless.rules import parse_grid
from gpusolve.output import page
from gpusolve.result import Result
from output.pages import qless_solutions


def picture(result: Result) -> str:
    return str(page.drawn(result.drawing()))


def test_grids_are_tables_of_letters() -> None:
    shown = picture(qless.check("..t/eat/..e"))
    assert shown.count('<td class="letter">') == 5
    assert shown.count("<td>") == 4
    assert "rows from the top: . . t, e a t, . . e" in shown


def test_the_first_solutions_are_shown() -> None:
    solutions = qless_solutions()
    assert len(solutions) > FIRST
    shown = picture(solutions)
    assert shown.count('role="img"') == FIRST
    assert f"aeett: {len(solutions)} solutions" in shown
    columns = solutions.columns()
    assert columns["grid"] == solutions.texts()
    assert columns["n_words"] == [len(words) for words in columns["words"]]


def test_rolls_without_a_solution() -> None:
    part = qless.Part("aet", "x", 3)
    shown = picture(qless.Unsolvable("aetx", True, [part], parse_grid("tea"), 0.1))
    assert "aetx has no solution" in shown
    assert '<td>x</td><td>aet</td><td class="figure">3</td>' in shown
    assert "has a solution" in picture(qless.Unsolvable("aet", False, [], parse_grid("tea"), 0.1))


def test_a_census_shows_the_hardest_rolls() -> None:
    letters = np.zeros((3, 26), np.uint8)
    letters[:, 0] = 12
    census = qless.Census(1, True, True, letters, np.ones(3, np.int64), np.array([0, 1, 900]), 1.0, True)
    shown = picture(census)
    assert "1 without a solution (33.333 %)" in shown
    assert "hardest rolls that have a solution: aaaaaaaaaaaa (1 solution), aaaaaaaaaaaa (900 solutions)" in shown
    assert census.columns()["roll"] == ["a" * 12] * 3
