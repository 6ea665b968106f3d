"""The adversary with words of other lengths and alphabets: against every line that can be played."""

from __future__ import annotations

import random

import pytest

from gpusolve.backend import open_backend
from gpusolve.games.wordle import Variant, beat_adversary, play, rules

CPU = open_backend("cpu:1")
CASES = [
    (2, "abcd"), (3, "αβγδ"), (4, ["שָׁ", "ש", "בּ", "ב"]), (6, "abc"), (8, "äöab"), (11, "abc"), (12, "αβγ"),
]  # fmt: skip


def similar_words(length: int, alphabet: str | list[str], number: int) -> list[str]:
    """Return words with the same first half, so that games are long."""
    draw, words = random.Random(length), set[str]()
    start = "".join(draw.choices(alphabet, k=length // 2 if length > 3 else 0))
    while len(words) < number:
        rest = length - (length // 2 if length > 3 else 0)
        words.add(rules.fold(start + "".join(draw.choices(alphabet, k=rest))))
    return sorted(words)


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize(("length", "alphabet"), CASES)
def test_the_fewest_guesses_are_those_of_every_line(length: int, alphabet: str | list[str], mode: rules.Mode) -> None:
    words = similar_words(length, alphabet, 14)
    for scoring in rules.SCORINGS:
        answers = sorted(random.Random(scoring).sample(words, 9))
        variant = Variant.load(words, answers, mode=mode, scoring=scoring)
        found = beat_adversary([], variant, memory=1, backend=CPU)
        assert found.proven
        assert len(found.turns) == len(rules.shortest_duel(words, answers, mode=mode, scoring=scoring))
        start = words[0]
        history = [(start, rules.reply(start, answers, scoring=scoring))]
        left = [word for word in answers if rules.consistent(word, history, scoring)]
        then = [] if left == [start] else rules.shortest_duel(words, left, mode=mode, scoring=scoring, history=history)
        found = beat_adversary([], variant, first=start, memory=1, backend=CPU)
        assert (len(found.turns), found.proven) == (1 + len(then), True)
        turns = play(variant=variant, adversary=True, sort="largest", backend=CPU)
        assert rules.solves(turns[-1].guess, turns[-1].pattern)
        assert len(turns) >= len(rules.shortest_duel(words, answers, mode=mode, scoring=scoring))


@pytest.mark.parametrize("mode", rules.MODES)
def test_more_patterns_than_a_byte_can_number(mode: rules.Mode) -> None:
    draw = random.Random(9)
    words = sorted({"".join(draw.choices("abcdefgh", k=9)) for _ in range(420)})
    variant = Variant.load(words, words, mode=mode)
    guess = max(words, key=lambda guess: len({rules.mark(guess, word, "wordle") for word in words}))
    assert len({rules.mark(guess, word, "wordle") for word in words}) > 256
    found = beat_adversary([], variant, memory=1, backend=CPU)
    assert found.proven  # every line is replayed by the rules
    assert len(found.turns) > 2
    history = [(found.guess, found.turns[0].pattern)]
    assert history[0][1] == rules.reply(found.guess, words)
    left = [word for word in words if rules.consistent(word, history)]
    rest = rules.shortest_duel(words, left, mode=mode, history=history)
    assert len(rest) == len(found.turns) - 1
