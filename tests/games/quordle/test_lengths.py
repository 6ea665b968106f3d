"""Quordle with words of other lengths on every device, against the rules in plain Python."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games import quordle
from gpusolve.games.quordle import joint, kernels, rules
from gpusolve.games.quordle.cpu.numbering import number_patterns
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle.rules import length_of, mark, pattern_text
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.testing.plugin import Done


def some_words(length: int, number: int, letters: str = "abcdefgh") -> list[str]:
    chance = random.Random(length)
    found: set[str] = set()
    while len(found) < min(number, len(letters) ** length):
        found.add("".join(chance.choice(letters) for _ in range(length)))
    return sorted(found)


@pytest.mark.parametrize("length", [2, 4, 6, 8, 10])
@pytest.mark.parametrize("strategy", ["most-correct", "fewest-remaining"])
def test_simple_games_are_those_of_the_rules(backend: Backend, length: int, strategy: rules.Simple) -> None:
    words = WordList(some_words(length, 60))
    hidden = kernels.deals(backend, 2, first=0, count=8, boards=4, answers=len(words))
    tables = kernels.simple_tables(backend, words, "consistent", "wordle")
    games = kernels.simple_games(backend, hidden, tables, strategy=strategy, max_guesses=9, seed=2)
    for i, row in enumerate(backend.to_host(hidden)):
        expected = rules.play(
            [words[word] for word in row], words, strategy, max_guesses=9, player="consistent", scoring="wordle"
        )
        made = [words[word] for word in games.guessed[i] if word != kernels.NO_WORD]
        assert (made, games.turns[i].tolist()) == (expected.guesses, expected.turns)


@pytest.mark.parametrize("length", [4, 6, 8])
@pytest.mark.parametrize("weighted", [False, True])
def test_costs_are_those_of_the_rules(backend: Backend, length: int, weighted: bool) -> None:
    words = some_words(length, 300, "abc" if length > 6 else "abcdefgh")
    variant = Variant.load(words, weights=[1 + i % 7 for i in range(len(words))] if weighted else None)
    tables = joint.prepare(backend, variant)
    boards = [np.arange(0, 280), np.arange(7, 250, 9)]
    masses = joint.masses_of(variant)
    costs = joint.costs(backend, boards, 7, tables)
    for guess in range(0, 300, 60):
        assert costs[guess] == rules.joint_cost(
            words[guess],
            [[words[i] for i in fit] for fit in boards],
            one=joint.ONE,
            solve=joint.SOLVE,
            scoring="wordle",
            masses=None if masses is None else dict(zip(words, masses.tolist(), strict=True)),
        )


@pytest.mark.thorough
@pytest.mark.parametrize("length", [4, 6, 8])
@pytest.mark.parametrize("weighted", [False, True])
def test_joint_plays_the_guesses_that_suggest_ranks_first(backend: Backend, length: int, weighted: bool) -> None:
    words = some_words(length, 80)
    variant = Variant.load(words, weights=[1 + i % 7 for i in range(len(words))] if weighted else None)
    hidden = np.array([[3, 50, 12]], np.uint16)
    games = joint.play(backend, hidden, kernels.openings(backend, joint.prepare(backend, variant)), 8)
    made = [words[word] for word in games.guessed[0] if word != kernels.NO_WORD]
    assert games.turns.all()
    turns = rules.turns_of([words[i] for i in hidden[0]], made, "wordle")
    for number, guess in enumerate(made):
        advice = quordle.suggest(turns[:number], variant=variant, boards=3, backend=backend)
        assert advice.rows[0].guess == guess
        for board, left in enumerate(advice.remaining):
            history = [(turn.guess, turn.patterns[board]) for turn in turns[:number]]
            fits = [w for w in words if all(mark(g, w, "wordle") == code for g, code in history)]
            solved = None in dict(history).values() or words[hidden[0, board]] in made[:number]
            assert sorted(left) == ([] if solved else fits)


def test_patterns_are_numbered_without_that_of_the_solution() -> None:
    codes = np.array([[row, 5] for row in range(700)], np.uint16)
    codes[3, 0] = 728
    numbers = np.empty_like(codes)
    number_patterns(codes, 728, np.full(729, -1, np.int32), numbers)
    assert numbers[:, 0].tolist() == [0, 1, 2, 242, *range(3, 242), *range(243, 700)]
    assert not numbers[:, 1].any()


@pytest.mark.thorough
def test_simulations_and_openings_have_the_rules_patterns(backend: Backend) -> None:
    variant = Variant.load(some_words(6, 60))
    simulation = quordle.simulate(variant, count=4, boards=2, seed=1, strategy="joint", backend=backend)
    for number in range(4):
        words = [variant.answers[i] for i in rules.deal(1, number, 2, 60)]
        assert quordle.play(words, variant=variant, backend=backend).won == (number not in simulation.lost[0])


def test_commands_with_digraphs_and_shared_text(tmp_path: Path, run: Callable[..., Done]) -> None:
    plain = some_words(6, 40)
    words = [word.replace("h", "sz") for word in plain]
    path = tmp_path / "words.txt"
    path.write_text("\n".join(["# digraphs: sz", *words]), encoding="utf-8")
    variant = Variant.load(path)
    assert {length_of(word) for word in variant.answers} == {6}
    lists = ("--answers", str(path), "--device", "cpu", "--quiet", "--json")
    hidden = [words[4], words[17]]
    made = quordle.play(hidden, variant=variant).guesses
    played = run("quordle", "play", ",".join(hidden), *lists)
    assert [turn["guess"] for turn in json.loads(played.out)["turns"]] == made
    for mode in rules.MODES:
        done = run("quordle", "analyze", ",".join(hidden), *made, "--mode", mode, *lists)
        assert done.code == 0, done.err
    squares = {"-": "⬛", "y": "🟨", "g": "🟩"}
    first = [
        pattern_text(mark(variant.answers[0], variant.answers[variant.answers.place[word]], "wordle"), 6)
        for word in hidden
    ]
    shared = "Quordle\n" + " ".join("".join(squares[c] for c in text) for text in first)
    by_share = run("quordle", "suggest", shared, variant.answers[0], *lists)
    by_turn = run("quordle", "suggest", f"{variant.answers[0]}:{','.join(first)}", *lists)
    assert by_share.code == by_turn.code == 0, by_share.err + by_turn.err
    assert json.loads(by_share.out)["rows"] == json.loads(by_turn.out)["rows"]
    wrong = run("quordle", "suggest", f"{words[0]}:-----,-----", *lists)
    assert (wrong.code, "expected 6 characters" in wrong.err) == (2, True)


def test_lengths_that_are_not_played() -> None:
    with pytest.raises(BadInput, match="words of 11 letters: expected 2 to 10"):
        Variant.load(["abcdefghijk", "bcdefghijkl"])
    with pytest.raises(BadInput, match="answers of 4 letters, but guesses of 5: expected the same length"):
        Variant(WordList(["abcd"]), WordList(["abcde"]))
