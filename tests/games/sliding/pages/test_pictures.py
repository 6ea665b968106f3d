from __future__ import annotations

from gpusolve.games import sliding
from gpusolve.games.sliding.pages.pictures import picture


def test_tiles_in_their_goal_cells_are_green() -> None:
    board = sliding.parse_board("1 2 5 / 3 4 0")
    shown = picture(board)
    assert '<td class="green">3</td><td class="green">4</td><td class="blank"></td>' in shown
    assert shown.count("grey") == 3
    assert "rows from the top: 1 2 5, 3 4 blank" in shown


def test_a_solution_shows_its_moves_and_bounds() -> None:
    board = sliding.parse_board("1 2 5 / 3 4 0")
    bounds = [sliding.Bound(3, 1_234_567, 5, 0.5)]
    solution = sliding.Solution(board, "ULL", ["ULL"], 3, bounds, 0.5, True)
    shown = picture(solution)
    assert "3: ULL" in shown
    assert "<dt>optimal</dt><dd>yes</dd>" in shown
    assert '<td class="figure">1,234,567</td>' in shown
    assert solution.columns() == {"bound": [3], "expanded": [1_234_567], "generated": [5], "seconds": [0.5]}
    assert "<dd>manhattan</dd>" in picture(sliding.Comparison("manhattan", None, solution))
    unsolved = sliding.Solution(board, None, [], 2, [], 0.5, False)
    assert "not proven; at least 2" in picture(unsolved)


def test_a_verdict_shows_both_ends() -> None:
    shown = picture(sliding.show(sliding.parse_board("1 2 5 / 3 4 0"), "UL"))
    assert shown.count("<table") == 2
    assert "not solved" in shown
