"""The kernels of Quordle on every device, against the rules in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import Backend
from gpusolve.games.quordle import kernels, rules
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.wordlist import WordList, word_list

SOME = WordList(word_list("wordle-answers")[::20])
FEW = WordList(["abbey", "babes", "cabby", "kebab", "maybe"])


@pytest.mark.parametrize(("boards", "answers"), [(1, 1), (4, 4), (4, 2315), (32, 33), (32, 2315)])
def test_deals_are_those_of_the_rules(backend: Backend, boards: int, answers: int) -> None:
    hidden = kernels.deals(backend, 2**64 - 1, first=2**32 - 3, count=6, boards=boards, answers=answers)
    assert backend.to_host(hidden).tolist() == [rules.deal(2**64 - 1, 2**32 - 3 + i, boards, answers) for i in range(6)]


@pytest.mark.parametrize("strategy", rules.SIMPLE)
@pytest.mark.parametrize(
    ("words", "boards", "max_guesses", "player", "scoring"),
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
    max_guesses: int,
    player: rules.Player,
    scoring: Scoring,
) -> None:
    hidden = kernels.deals(backend, 5, first=90, count=30, boards=boards, answers=len(words))
    tables = kernels.simple_tables(backend, words, player, scoring)
    games = kernels.simple_games(backend, hidden, tables, strategy=strategy, max_guesses=max_guesses, seed=5, first=90)
    for i, row in enumerate(backend.to_host(hidden)):
        expected = rules.play(
            [words[word] for word in row],
            words,
            strategy,
            max_guesses=max_guesses,
            player=player,
            scoring=scoring,
            pick=rules.picker(5, 90 + i),
        )
        made = [words[word] for word in games.guessed[i] if word != kernels.NO_WORD]
        assert (made, games.turns[i].tolist()) == (expected.guesses, expected.turns)


def test_games_of_32_boards_are_those_of_the_rules(backend: Backend) -> None:
    words = WordList(SOME[:40])
    hidden = kernels.deals(backend, 1, first=0, count=2, boards=32, answers=40)
    tables = kernels.simple_tables(backend, words, "consistent", "wordle")
    games = kernels.simple_games(backend, hidden, tables, strategy="random", max_guesses=37, seed=1)
    for i, row in enumerate(backend.to_host(hidden)):
        expected = rules.play(
            [words[word] for word in row],
            words,
            "random",
            max_guesses=37,
            player="consistent",
            scoring="wordle",
            pick=rules.picker(1, i),
        )
        assert games.turns[i].tolist() == expected.turns


def test_the_articles_game_is_played_as_it_prints_it(backend: Backend) -> None:
    words = word_list("quordle-article")
    tables = kernels.simple_tables(backend, words, "article", "presence")
    hidden = np.array([[words.place[word] for word in ("hello", "world", "tests", "value")]], np.uint16)
    games = kernels.simple_games(backend, hidden, tables, strategy="most-correct", max_guesses=9, seed=0)
    made = " ".join(words[word] for word in games.guessed[0])
    assert made == "aback dding elope false halve value hello world jests"
    assert games.turns.tolist() == [[7, 8, 0, 6]]
