from __future__ import annotations

import numpy as np

from gpusolve.games import wordle
from gpusolve.games.wordle.wordlist import WordList
from output.pages import wordle_game


def test_each_guess_shows_what_it_left_and_the_best_other_guesses() -> None:
    first, second, third = wordle_game()._repr_html_().split("<article")[1:]
    assert "2,315 words possible → 250 left" in first
    assert first.count("abbot") == 200  # some of them in a part that folds
    assert "170 more" in first
    assert 'aria-label="C green, R yellow, O grey, N grey, Y grey"' in second
    assert "croup, mean 2.250" in second
    assert '<td>chart</td><td class="figure">2.300</td><td>solved</td>' in second
    assert "1 word possible → solved" in third
    assert "by the best strategies found" in third
    assert "words left" not in third


def test_the_lists_that_judge_a_game_are_named() -> None:
    assert "judged by 3 answers" in wordle_game()._repr_html_()


def test_a_game_that_is_not_solved() -> None:
    game = wordle_game()
    lost = wordle.Analysis(game.moves[:2], None, game.variant, widened=False)
    assert lost._repr_html_().count("<article") == 2
    assert lost.columns()["pattern"] == ["-y--g", "gy---"]


def test_distributions_trees_and_lists() -> None:
    words = WordList(["crane", "salet", "trace"])
    simulation = wordle.Simulation(words, np.array([1, 2, 2], np.int32), 0.1)
    assert '<th scope="row">2</th>' in simulation._repr_html_()
    assert "1.66667" in simulation._repr_html_()
    assert "crane salet trace" in words._repr_html_()
    groups = wordle.Groups(words, 2, 3, "wordle", np.array([[0, 1]], np.int32), 0.1, True)
    assert "<p>crane salet</p>" in groups._repr_html_()
    cell = wordle.Cell(0, ["crane"], "crane", 1, 1)
    explanation = wordle.Explanation(
        "salet", 3, 5, [cell], {"salet": 5}, True, None, False, 3, [], wordle.Variant.load()
    )
    assert explanation._repr_html_().count("tile grey") == 5
    assert explanation.columns() == {"pattern": ["-----"], "words": [["crane"]], "guess": ["crane"], "total": [1]}
    listed = wordle.WeightedWords("en", 5, {"crane": 12}, {"crane": 3.9})
    assert "1 words of 5 letters" in listed._repr_html_()
    assert "2 weights, sum 15" in wordle.Weights((10, 5))._repr_html_()
    weighted = wordle.Simulation(words, np.array([1, 2, 7], np.int32), 0.1, np.array([6, 3, 1]))
    assert all(text in weighted._repr_html_() for text in ("weighted guesses 19", "1.90000", "90 %"))
    assert "tile grey" in wordle.PlayedTurn("salet", 0, 3)._repr_html_()
    assert "guess: 1" in wordle.Tree(1, {})._repr_html_()
