from __future__ import annotations

import numpy as np

from gpusolve.games import tetris
from gpusolve.games.tetris._suggest import Adjustment, Suggestion, Suggestions
from gpusolve.games.tetris.measuring._evaluate import Evaluation
from gpusolve.games.tetris.players.kernels import Games
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import ROWS, cells_of
from gpusolve.games.tetris.rules.features import FEATURES
from output.pages import tetris_game, tetris_review


def test_the_board_at_the_end_of_a_game() -> None:
    """Two lying bars and a square: the last row is cleared, and the upper half of the square stays."""
    shown = tetris_game()._repr_html_()
    assert shown.count("<td") == 200
    assert shown.count('<td class="O"></td>') == 2
    assert "<dt>lines</dt><dd>1</dd>" in shown
    assert "heights of the columns: 0 0 0 0 0 0 0 0 1 1" in shown


def test_suggestions_draw_the_best_placement() -> None:
    best = Suggestion(
        state=(0, 17, 6),
        cells=list(cells_of(0, (0, 17, 6))),
        column=7,
        turned=0,
        row=5,
        value=1.5,
        loss=0.0,
        cleared=4,
        tetris=True,
        tetris_next=False,
        stuck=False,
        when=(),
        features=[0] * len(FEATURES),
        presses=("left", "left", "down"),
    )
    position = Position.of("#########./" * 4, "I")
    plan = tuple(Adjustment(then, 1 / 7, (0, 17, 5), (6, 0, 2), 1.5, 5e5, 4e5, 3e3, 3e4) for then in range(7))
    of_player = position, position.variant, "learned", Policy(), plan
    suggestions = Suggestions((best,) * 30, *of_player, games=100, playouts=0, seed=0)
    shown = suggestions._repr_html_()
    assert "400,000 ± 30,000" in shown
    assert "500,000 expected; 400,000 ± 30,000" in shown
    assert shown.count(' falling"') == 4
    assert shown.count('"filled"') == 36
    assert "L2 D" in shown
    assert "the first 20 rows of 30" in shown
    assert suggestions.columns()["column"] == [7] * 30
    assert [*suggestions] == [best] * 30
    assert "column 7, turned 0, row 5" in best._repr_html_()


def test_evaluations_have_a_distribution() -> None:
    games = Games(*np.arange(1, 9, dtype=np.int32).reshape(4, 1, 2))
    player = tetris.Weights("<b>mine", "by hand", (1.0,) * len(FEATURES))
    evaluation = Evaluation(player, Policy("greedy"), tetris.Variant(), games, 3, 1.0, True, 2)
    shown = evaluation._repr_html_()
    assert "&lt;b&gt;mine" in shown
    assert "2 games, greedy, free, uniform8, start level 19, seed 3" in shown
    assert shown.count('class="bar"') == 12
    assert list(evaluation.columns()["lines"]) == [3, 4]
    assert player._repr_html_().count("<tr>") == 1 + len(FEATURES)
    assert ROWS == 22


def test_a_review_lists_the_costliest_placements() -> None:
    shown = tetris_review()._repr_html_()
    assert shown.count("<tr>") == 2 + 1 + 2  # a table of the phases, and of two: the second placement was the best one
    assert "&lt;script&gt;" in shown
    assert "<dt>points lost</dt><dd>9</dd>" in shown
