"""What a guess must contain in the hard modes, as bits: against the rules, for words of all lengths."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.cpu.proof.needs import is_within, may_follow, meets
from gpusolve.games.wordle.proof.needs import needs_of
from gpusolve.games.wordle.wordlist import ALPHABET, encode

ALPHABETS = {
    "latin": "abc",
    "marks": ["שָׁ", "ש", "בּ", "ב"],
    "32": [chr(number) for number in range(0x430, 0x430 + 32)],
    "33": [chr(number) for number in range(0x430, 0x430 + 33)],
    "most": [chr(0x4E00 + number) for number in range(ALPHABET)],
}


@compiled
def follows(facts: Any, guess: Any, last: Any, answer: Any, same: Any) -> Any:
    return may_follow(facts, guess, last, answer, same)


@compiled
def contains(facts: Any, guess: Any, need: Any) -> Any:
    return meets(facts, guess, need) + 2 * is_within(need, facts[guess])


@pytest.mark.parametrize("scoring", rules.SCORINGS)
@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("length", [2, 4, 5, 6, 9, 12])
def test_facts_say_which_guesses_are_allowed(length: int, alphabet: str, scoring: rules.Scoring) -> None:
    draw, letters = random.Random(length), ALPHABETS[alphabet]
    few = draw.sample(list(letters), min(3, len(letters)))
    words = ["".join(draw.choices(few, k=length)) for _ in range(10)]
    every = [letters[i % len(letters)] for i in range(-(-len(letters) // length) * length)]
    words += ["".join(every[i : i + length]) for i in range(0, len(every), length)]  # so that all letters occur
    facts = needs_of(encode(words), scoring)
    assert len(facts) == len(words)
    for last in range(0, 10, 3):
        for answer in range(10):
            turn = [(words[last], rules.mark(words[last], words[answer], scoring))]
            need = facts[last] & facts[answer]
            for guess, word in enumerate(words):
                hard = rules.allowed(word, turn, "hard", scoring)
                assert follows(facts, guess, last, answer, False) == hard
                assert contains(facts, guess, need) == 3 * hard
                assert follows(facts, guess, last, answer, True) == rules.allowed(word, turn, "ultra-hard", scoring)


def test_the_facts_of_five_letters_take_five_numbers() -> None:
    assert needs_of(encode(["eerie", "there"])).shape == (2, 5)
    assert needs_of(encode(["λόγος", "μέρος"])).shape == (2, 5)
    assert needs_of(encode(["ab", "ba"])).shape == (2, 5)
    assert needs_of(encode(["würden", "können"])).shape == (2, 6)
    many = "".join(chr(0x430 + i) for i in range(36))
    assert needs_of(encode([many[i : i + 12] for i in (0, 12, 24)])).shape == (3, 24)
