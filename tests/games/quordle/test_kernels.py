"""The kernels of Quordle on every device, against the rules in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import Backend
from gpusolve.games.quordle import kernels, rules
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.words import WordList, word_list

SOME = WordList(word_list("wordle-answers")[::20])
FEW = WordList(["abbey", "babes", "cabby", "kebab", "maybe"])


@pytest.mark.parametrize(("boards", "answers"), [(1, 1), (4, 4), (4, 2315), (32, 33), (32, 2315)])
def test_deals(backend: Backend, boards: int, answers: int) -> None:
    found = backend.to_host(kernels.deals(backend, 2**64 - 1, 2**32 - 3, 6, boards, answers))
    assert found.tolist() == [rules.deal(2**64 - 1, 2**32 - 3 + i, boards, answers) for i in range(6)]


@pytest.mark.parametrize("strategy", rules.SIMPLE)
@pytest.mark.parametrize(
    ("words", "boards", "guesses", "player", "scoring"),
    [
        (SOME, 4, 9, "consistent", "wordle"),
        (SOME, 3, 7, "article", "presence"),
        (SOME, 4, 9, "article", "wordle"),
        (FEW, 5, 5, "consistent", "wordle"),
        (FEW, 1, 64, "article", "wordle"),
    ],
)
def test_games_are_those_of_the_rules(
    backend: Backend,
    strategy: rules.Simple,
    words: WordList,
    boards: int,
    guesses: int,
    player: rules.Player,
    scoring: Scoring,
) -> None:
    hidden = kernels.deals(backend, 5, 90, 30, boards, len(words))
    found = kernels.games(backend, hidden, kernels.tables(backend, words, player, scoring), strategy, guesses, 5, 90)
    for i, row in enumerate(backend.to_host(hidden)):
        expected = rules.play(
            [words[place] for place in row], words, strategy, guesses, player, scoring, rules.picker(5, 90 + i)
        )
        made = [words[place] for place in found.guessed[i] if place != kernels.NO_WORD]
        assert (made, found.turns[i].tolist()) == (expected.guesses, expected.turns)


def test_many_boards(backend: Backend) -> None:
    words = WordList(SOME[:40])
    hidden = kernels.deals(backend, 1, 0, 2, 32, 40)
    found = kernels.games(backend, hidden, kernels.tables(backend, words, "consistent", "wordle"), "random", 37, 1)
    for i, row in enumerate(backend.to_host(hidden)):
        expected = rules.play(
            [words[place] for place in row], words, "random", 37, "consistent", "wordle", rules.picker(1, i)
        )
        assert found.turns[i].tolist() == expected.turns


def test_the_article_on_its_own_games(backend: Backend) -> None:
    words = word_list("quordle-article")
    lists = kernels.tables(backend, words, "article", "presence")
    hidden = np.array([[words.place[word] for word in ("hello", "world", "tests", "value")]], np.uint16)
    found = kernels.games(backend, hidden, lists, "most-correct", 9, 0)
    made = " ".join(words[place] for place in found.guessed[0])
    assert made == "aback dding elope false halve value hello world jests"
    assert found.turns.tolist() == [[7, 8, 0, 6]]
