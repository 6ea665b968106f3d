"""The rules in plain Python, against the games that the article prints."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.quordle import rules
from gpusolve.games.wordle.rules import parse_pattern
from gpusolve.wordlists import load_words

HIDDEN = ["hello", "world", "tests", "value"]
PRINTED = {
    "left-to-right": ("aback dding elope hello world fests jests tests value", True),
    "random": ("aback daddy eerie feels halve value world genes jests", False),
    "least-correct": ("aback dding elope hello world fests value jests tests", True),
    "most-correct": ("aback dding elope false halve value hello world jests", False),
}
ARTICLE = load_words("quordle-article")


@pytest.mark.parametrize("strategy", PRINTED)
def test_games_are_those_that_the_article_prints(strategy: rules.Simple) -> None:
    game = rules.play(HIDDEN, ARTICLE, strategy, max_guesses=9, pick=rules.article_picker(0))
    assert (" ".join(game.guesses), game.won) == PRINTED[strategy]


def test_the_articles_list_is_that_of_wamerican_without_roman_numerals() -> None:
    everyday = [word for word in load_words("wamerican") if len(word) == 5]
    assert set(everyday) - set(ARTICLE) == {"abaci", *(word for word in everyday if set(word) <= set("xvci"))}


def test_the_articles_player_runs_out_of_words_under_the_games_own_scoring() -> None:
    """A grey second copy of a letter makes it give up the words that have the first."""
    play = partial(rules.play, ["hello"], ["eerie", "hello"], "left-to-right", max_guesses=9, scoring="wordle")
    assert (play().guesses, play().won) == (["eerie"], False)
    assert play(player="consistent").won


def test_words_that_fit_by_the_articles_rules() -> None:
    assert rules.fits("hello", "lolly", parse_pattern("yyggy")) is False  # y is yellow and not there
    assert rules.fits("hello", "cello", parse_pattern("-gggg"))
    assert not rules.fits("cello", "cello", parse_pattern("-gggg"))
    assert not rules.fits("hello", "hovel", parse_pattern("yy-y-"))


def test_strategies_by_remaining_words_count_the_words_that_fit() -> None:
    words = ["aaaaa", "bbbbb", "bcccc", "bcddd"]
    play = partial(rules.play, words=words, max_guesses=9, player="consistent", scoring="wordle")
    fewest = play(["bcddd", "aaaaa"], strategy="fewest-remaining")
    assert fewest.guesses == ["aaaaa", "bbbbb", "bcccc", "bcddd"]
    assert play(["bcddd", "bbbbb"], strategy="most-remaining").turns == [4, 2]


def test_deals_are_fair_and_never_hide_a_word_twice() -> None:
    dealt = [tuple(rules.deal(7, number, 2, 4)) for number in range(12_000)]
    counts = Counter(dealt)
    assert set(counts) == {(i, j) for i in range(4) for j in range(4) if i != j}
    assert all(abs(count - 1000) < 5 * 1000**0.5 for count in counts.values())


@pytest.mark.parametrize("words", [[], ["hello"] * 33, ["hello", "hello"], ["hell"]])
def test_words_that_cannot_be_hidden_are_bad_input(words: list[str]) -> None:
    with pytest.raises(BadInput):
        rules.parse_hidden(words)
