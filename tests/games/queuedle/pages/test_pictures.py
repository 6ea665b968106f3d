from __future__ import annotations

from itertools import pairwise

from gpusolve.games import queuedle
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.pages.pictures import picture
from output.pages import queuedle_game


def test_each_board_shows_its_slide_its_words_and_its_gain() -> None:
    game = queuedle_game()
    shown = picture(game)
    assert shown.count("<article") == len(game) == 5
    for before, board in pairwise(game):
        assert f"{board.score} ({board.score - before.score:+d})" in shown
    assert "Row 2 to the right, T enters" in shown
    assert "Column 1 down, E enters" in shown
    assert shown.count("entered") == 4  # a letter for each slide


def test_the_letters_of_words_are_green() -> None:
    for board in queuedle_game():
        cells = sum(map(sum, rules.marked(board.position.grid, board.words)))
        assert picture(board).count('class="green') == cells


def test_the_arrow_points_to_the_letter_that_entered() -> None:
    puzzle = queuedle.parse_puzzle("abcd/efgh/ijkl/mnop", "xyzw")
    shown = [picture(board) for board in queuedle.check("l1 r2 u3 d4", puzzle, dictionary=["abc"])[1:]]
    edge, entered = '<td class="edge">{}</td>', '<td class="letter entered">{}</td>'
    assert entered.format("x") + edge.format("←") in shown[0]
    assert edge.format("→") + entered.format("y") in shown[1]
    assert "↑" in shown[2]
    assert "↓" in shown[3]
    rows = [text.split("</tr>") for text in shown]
    assert "↑" in rows[2][5]
    assert entered.format("z") in rows[2][4]
    assert "↓" in rows[3][0]
    assert entered.format("w") in rows[3][1]


def test_a_solution_draws_the_boards_that_lead_to_it() -> None:
    puzzle = queuedle.parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiu")
    words = ["dog", "dogs", "aged", "tea", "eat"]
    solution = queuedle.solve(puzzle, dictionary=words, strategy="beam", width=100)
    assert [board.position.grid for board in solution.boards] == [
        position.grid for position in queuedle.replay(puzzle, solution.moves)
    ]
    assert picture(solution).count("<article") == 1 + len(solution.moves)
    assert "<dt>score</dt><dd>10</dd>" in picture(solution)


def test_a_game_becomes_columns() -> None:
    columns = queuedle_game().columns()
    assert columns["slide"] == ["", "r2", "l4", "d1", "r2"]
    assert columns["score"] == [board.score for board in queuedle_game()]
    assert {len(values) for values in columns.values()} == {5}
