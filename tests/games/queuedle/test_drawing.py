from __future__ import annotations

import re
from itertools import pairwise

from gpusolve.games import queuedle
from gpusolve.games.queuedle import rules
from gpusolve.output import page
from gpusolve.result import Result
from output.pages import queuedle_game


def drawn(result: Result) -> str:
    return page.drawn(result.drawing())


def test_each_board_shows_its_slide_its_words_and_its_gain() -> None:
    game = queuedle_game()
    shown = drawn(game)
    assert shown.count("<article") == len(game) == 5
    for before, board in pairwise(game):
        assert f"{board.score} ({board.score - before.score:+d})" in shown
    steps = shown.split("<article")[1:]
    for before, board, step in zip(game, game[1:], steps[1:], strict=False):
        new = {word.word for word in board.words} - {word.word for word in before.words}
        assert set(re.findall(r"<b>(\w+)</b>", step)) == new
    assert "Row 2 to the right, T enters" in shown
    assert "Column 1 down, E enters" in shown
    assert shown.count("entered") == 4  # a letter for each slide


def test_the_letters_of_words_are_green() -> None:
    for board in queuedle_game():
        cells = sum(map(sum, rules.marked(board.position.grid, board.words)))
        assert drawn(board).count('class="green') == cells


def test_the_arrow_points_to_the_letter_that_entered() -> None:
    game = queuedle.check("l1 r2 u3 d4", "abcd/efgh/ijkl/mnop xyzw", dictionary=["abc"])
    shown = [drawn(board) for board in game[1:]]
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
    puzzle = "fndoi/eedgr/aadqs/oeilx/eyatg aikiu"
    words = ["dog", "dogs", "aged", "tea", "eat"]
    solution = queuedle.solve(puzzle, dictionary=words, strategy="beam", width=100)
    assert [board.position.grid for board in solution.boards] == [
        position.grid for position in queuedle.replay(puzzle, solution.moves)
    ]
    assert drawn(solution).count("<article") == 1 + len(solution.moves)
    assert f"score 10 after 5 moves: {solution.moves}" in drawn(solution)


def test_a_game_becomes_columns() -> None:
    columns = queuedle_game().columns()
    assert columns["slide"] == ["", "r2", "l4", "d1", "r2"]
    assert columns["score"] == [board.score for board in queuedle_game()]
    assert {len(values) for values in columns.values()} == {5}
