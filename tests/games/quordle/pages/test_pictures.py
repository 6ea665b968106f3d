from __future__ import annotations

from gpusolve.games import quordle
from gpusolve.output import page
from output.pages import quordle_game


def test_boards_show_letters_until_they_are_solved() -> None:
    shown = page.drawn(quordle_game().drawing())
    first, second = shown.split('<section class="card">')[1:3]
    assert first.count('role="img"') == 2
    assert 'aria-label="W green, O green, R green, L green, D green"' in first
    assert "solved with guess 2" in first
    assert "not solved: HELLO" in second


def test_each_guess_stands_beside_the_best_one() -> None:
    first, second = page.drawn(quordle_game().drawing()).split("<article")[1:]
    assert "<dt>best guess</dt><dd>this one</dd>" in first
    assert "<dt>best guess</dt><dd>carle</dd>" in second
    assert "<td>solved</td>" in second
    assert '<td class="figure">4</td><td class="figure">2</td>' in second


def test_suggestions_turns_and_games() -> None:
    rows = [quordle.Rating("carle", 9.5, 0.25, 3.6, None), quordle.Rating("world", 3.5, 0.5, 4.6, 5.85)]
    variant = quordle.Variant.load()
    advice = quordle.Suggestions([], "classic", [["hello", "world"], []], rows, [], [], [0.25, 0.0], variant)
    shown = page.drawn(advice.drawing())
    assert "board 1: 2 left: hello world (25 %: not in the published list)" in shown
    assert "board 2: solved" in shown
    assert advice.columns()["mean"] == [None, 5.85]
    game = quordle.Game(["world", "hello"], "joint", "classic", [], ["carle", "world"], [2, 0], 1, variant)
    shown = page.drawn(game.drawing())
    assert "not solved: HELLO" in shown
    assert shown.count("tiles") == 4
    assert quordle_game().columns()["best_guess"] == ["carle", "carle"]
