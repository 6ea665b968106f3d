from __future__ import annotations

from gpusolve.games import quordle
from gpusolve.games.quordle.pages.pictures import picture
from output.pages import quordle_game


def test_boards_show_letters_until_they_are_solved() -> None:
    shown = picture(quordle_game())
    first, second = shown.split('<section class="card">')[1:3]
    assert first.count('role="img"') == 2
    assert 'aria-label="W green, O green, R green, L green, D green"' in first
    assert "solved with guess 2" in first
    assert "not solved: HELLO" in second


def test_each_guess_stands_beside_the_best_one() -> None:
    first, second = picture(quordle_game()).split("<article")[1:]
    assert "<dt>best guess</dt><dd>this one</dd>" in first
    assert "<dt>best guess</dt><dd>carle</dd>" in second
    assert "<td>solved</td>" in second
    assert '<td class="figure">4</td><td class="figure">2</td>' in second


def test_suggestions_turns_and_games() -> None:
    rows = [quordle.Rating("carle", 9.5, 0.25, 3.6, None), quordle.Rating("world", 3.5, 0.5, 4.6, 5.85)]
    advice = quordle.Suggestions([["hello", "world"], []], rows)
    assert "2 left: hello world" in picture(advice)
    assert "<dd>solved</dd>" in picture(advice)
    assert advice.columns()["mean"] == [None, 5.85]
    assert "not solved" in picture(quordle.Game(["carle", "world"], [2, 0]))
    assert picture(quordle.Turn("carle", (10, None))).count("tiles") == 1
    assert quordle_game().columns()["best_guess"] == ["carle", "carle"]
