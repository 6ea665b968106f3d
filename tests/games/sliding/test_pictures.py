from __future__ import annotations

from gpusolve.games import sliding


def test_tiles_in_their_goal_cells_are_green() -> None:
    board = sliding.Board.parse("1 2 5 / 3 4 0")
    shown = board._repr_html_()
    assert '<td class="green">3</td><td class="green">4</td><td class="blank"></td>' in shown
    assert shown.count('class="grey"') == 3
    assert "rows from the top: 1 2 5, 3 4 blank" in shown


def test_a_solution_shows_its_moves_and_bounds() -> None:
    board = sliding.Board.parse("1 2 5 / 3 4 0")
    bounds = [sliding.Bound(3, 1_234_567, 5, 0.5)]
    solution = sliding.Solution(board, "ULL", ["ULL"], 3, bounds, 0.5, True)
    shown = solution._repr_html_()
    assert "<p>ULL</p>" in shown
    assert "3 moves, proven optimal" in shown
    assert '<td class="figure">1,234,567</td>' in shown
    assert solution.columns() == {"bound": [3], "expanded": [1_234_567], "generated": [5], "seconds": [0.5]}
    assert "manhattan: its value is 3" in sliding.Comparison("manhattan", None, solution)._repr_html_()
    unsolved = sliding.Solution(board, None, [], 2, [], 0.5, False)
    assert "stopped: every solution has at least 2 moves" in unsolved._repr_html_()


def test_a_verdict_shows_both_ends() -> None:
    shown = sliding.show("1 2 5 / 3 4 0", "UL")._repr_html_()
    assert shown.count("<table") == 2
    assert "not solved" in shown
