"""The longest game against the adversary: against all games, and what is known when the time is up."""

from __future__ import annotations

import random

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, outlast_adversary, rules
from gpusolve.games.wordle.adversary.longest import Longest
from gpusolve.games.wordle.adversary.position import Position
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.wordlist import word_list

CPU = open_backend("cpu:1")
WORDS = word_list("wordle-answers")[:]
SIMILAR = {ending: [word for word in WORDS if word.endswith(ending)] for ending in ("er", "ee", "ly")}


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("hidden_only", [False, True])
@pytest.mark.parametrize("scoring", rules.SCORINGS)
def test_the_longest_game_is_that_of_all_games(mode: rules.Mode, hidden_only: bool, scoring: rules.Scoring) -> None:
    """Words that are alike, and words with several copies of a letter, need most of the bound's cases."""
    drawn = random.Random(f"{mode} {hidden_only} {scoring}")
    for words in (WORDS, *SIMILAR.values(), ["eerie", "geese", "elude", "emcee", "melee", "levee", "tepee", "rebel"]):
        answers = drawn.sample(words, 6)
        guesses = [*answers, *drawn.sample([word for word in WORDS if word not in answers], 2)]
        variant = Variant.load(guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=hidden_only)
        found = outlast_adversary([], variant, width=1, time_limit=None, backend=CPU)
        longest = rules.longest_duel(
            variant.guesses, variant.answers, mode=mode, scoring=scoring, guess_hidden_only=hidden_only
        )
        assert found.proven
        assert len(found.turns) == len(longest)
        bound = longest_bound(variant)
        assert len(longest) <= bound <= len(answers)


def longest_bound(variant: Variant) -> int:
    """Return the bound for all answers."""
    position = Position(after((), variant, "patterns", CPU), variant, memory=1, backend=CPU)
    search = Longest(position, variant, lambda: True)
    return search.bounds(search.root).high


@pytest.mark.parametrize("mode", rules.MODES)
def test_a_history_counts(mode: rules.Mode) -> None:
    drawn = random.Random(mode)
    answers = drawn.sample(SIMILAR["er"], 16)
    variant = Variant.load(answers, answers, mode=mode)
    history = [(answers[0], rules.reply(answers[0], variant.answers))]
    left = [word for word in variant.answers if rules.consistent(word, history)]
    longest = rules.longest_duel(left, left, mode=mode, history=history, guess_hidden_only=True)
    found = outlast_adversary(history, Variant.load(answers, answers, mode=mode, guess_hidden_only=True), backend=CPU)
    assert (len(found.turns), found.proven) == (len(longest), True)


def test_letters_of_any_length_and_alphabet() -> None:
    answers = ["жара", "жаба", "рыба", "роза", "гора", "нора"]
    variant = Variant.load(answers, answers, mode="hard")
    longest = rules.longest_duel(variant.guesses, variant.answers, mode="hard")
    assert len(outlast_adversary([], variant, backend=CPU).turns) == len(longest)


def test_a_game_in_the_middle_is_proven_and_each_guess_leaves_fewer_answers() -> None:
    found = outlast_adversary(["salet:-y--g"], Variant.load(mode="hard"), time_limit=None, backend=CPU)
    assert (len(found.turns), found.proven) == (16, True)
    left = [turn.remaining for turn in found.turns]
    assert left == sorted(set(left), reverse=True)
    assert left[-1] == 1


@pytest.mark.thorough
def test_when_the_time_is_up_the_game_is_between_its_bounds() -> None:
    found = outlast_adversary([], Variant.load(mode="hard"), width=1, time_limit=0, backend=CPU)
    assert not found.proven
    assert 25 < len(found.turns) < found.at_most < 50
    longer = outlast_adversary([], Variant.load(mode="hard"), width=1, time_limit=2, backend=CPU)
    assert len(found.turns) <= len(longer.turns) <= longer.at_most <= found.at_most


def test_what_is_refused() -> None:
    with pytest.raises(BadInput, match="weights: expected none"):
        outlast_adversary([], Variant.load(weights={"crane": 2, "trace": 1}))
    with pytest.raises(BadInput, match="the last guess has solved the game"):
        outlast_adversary(["crane:ggggg"])
    with pytest.raises(BadInput, match="width"):
        outlast_adversary([], width=0)
