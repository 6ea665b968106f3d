"""Proofs about first words: those of small games against brute force, the shipped ones played, and damaged ones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from games.wordle.oracle import NEVER, Oracle, cells_of
from gpusolve.errors import BadInput
from gpusolve.games.wordle import FirstWords, rules, verify_first_words
from gpusolve.games.wordle.analysis import certificates
from gpusolve.games.wordle.analysis.certificates import Array, Arrays, Patterns
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.testing.plugin import Run

WORDS = list(word_list("wordle-guesses"))


@pytest.fixture(scope="module")
def patterns() -> Patterns:
    return certificates.patterns_of(WORDS)


@pytest.fixture(scope="module")
def shipped() -> Arrays:
    return certificates.read_proofs(certificates.SHIPPED)


def nogoods_of(proofs: Arrays, turns: int) -> list[Array]:
    ends = np.cumsum(proofs[f"lengths_{turns}"])[:-1]
    return np.split(proofs[f"nogoods_{turns}"], ends) if len(proofs[f"lengths_{turns}"]) else []


def with_nogoods(proofs: Arrays, turns: int, nogoods: list[Array]) -> Arrays:
    changed = {f"nogoods_{turns}": np.concatenate([np.zeros(0, np.int64), *nogoods])}
    return proofs | changed | {f"lengths_{turns}": np.array([len(nogood) for nogood in nogoods], np.int64)}


@pytest.fixture(scope="module")
def refutation(shipped: Arrays) -> Arrays:
    """The smallest shipped nogood for five guesses, with the smaller ones inside it."""
    core = min(nogoods_of(shipped, 5), key=len)
    proofs = with_nogoods({}, 5, [core])
    for turns in (4, 3, 2):
        inside = [nogood for nogood in nogoods_of(shipped, turns) if np.isin(nogood, core).all()]
        proofs = with_nogoods(proofs, turns, inside)
    return proofs


@pytest.fixture(scope="module")
def strategy(shipped: Arrays) -> Arrays:
    """The shipped strategy of one first word, with the parts that it needs."""
    codes = np.array([rules.mark(WORDS[shipped["first"][0]], answer, "wordle") for answer in WORDS])
    numbers = shipped["first_second"][: int((np.bincount(codes) > 5).sum())]
    seconds = np.unique(numbers)
    second = level(shipped, "second", "second_third", seconds)
    thirds = np.unique(second["second_third"])
    second["second_third"] = np.searchsorted(thirds, second["second_third"])
    first = {"first": shipped["first"][:1], "first_second": np.searchsorted(seconds, numbers)}
    return first | second | level(shipped, "third", "third_fourth", thirds)


def level(proofs: Arrays, name: str, to: str, kept: Array) -> Arrays:
    """Return the arrays of some second or third guesses, whose numbers ascend."""
    replies = proofs[f"{name}_replies"]
    with_replies = np.repeat(np.isin(np.arange(len(replies)), kept), replies)
    arrays = {part: proofs[part][with_replies] for part in (f"{name}_pattern", to)}
    return arrays | {name: proofs[name][kept], f"{name}_replies": replies[kept]}


def small_games() -> list[list[str]]:
    chance = random.Random(7)
    endings = ["oooo", "oooe", "eooo"]
    return [sorted({first + chance.choice(endings) for first in "abcdef"} | {"oeoeo", "eoeoe"}) for _ in range(4)]


def test_patterns_are_those_of_the_rules(patterns: Patterns) -> None:
    chance = random.Random(3)
    repeated = [word for word in WORDS if len(set(word)) < 4]
    for guess, answer in [
        (chance.choice(list_), chance.choice(repeated)) for list_ in (WORDS, repeated) for _ in range(500)
    ]:
        assert patterns[WORDS.index(answer), WORDS.index(guess)] == rules.mark(guess, answer, "wordle")


@pytest.mark.parametrize("within", [3, 4])
def test_all_nogoods_of_small_games_are_accepted_and_nothing_else(within: int) -> None:
    """The first words that fail are those of brute force, if the file has every set that cannot be solved."""
    verdicts = []
    for words in small_games():
        oracle, patterns = Oracle(words), certificates.patterns_of(words)
        sets = [list(some) for size in range(2, len(words) + 1) for some in combinations(range(len(words)), size)]
        proofs: Arrays = {}
        for turns in range(2, within):
            unsolved = [some for some in sets if oracle.total([words[i] for i in some], within=turns) == NEVER]
            proofs = with_nogoods(proofs, turns, [np.array(some) for some in unsolved])
        failed = certificates.check_refutations(patterns, proofs, within)
        assert failed == [i for i, word in enumerate(words) if oracle.total(words, within=within, first=word) == NEVER]
        if within > 3:  # a cell needs nogoods for two guesses less, of which two are the fewest
            cells = [
                (i, code)
                for i, word in enumerate(words)
                for code, cell in cells_of(word, words, "wordle").items()
                if oracle.total(cell, within=within - 1) == NEVER
            ]
            only_cells = with_nogoods(proofs, within - 1, []) | {"cells": np.array(cells, np.int64).reshape(-1)}
            assert certificates.check_refutations(patterns, only_cells, within) == failed
        verdicts += [i in failed for i in range(len(words))]
        for turns in range(2, within):
            solved = [some for some in sets if oracle.total([words[i] for i in some], within=turns) < NEVER]
            for some in solved[::19]:
                forged = with_nogoods(proofs, turns, [*nogoods_of(proofs, turns), np.array(some)])
                with pytest.raises(BadInput, match="it is not shown that every guess fails"):
                    certificates.check_refutations(patterns, forged, within)
    assert any(verdicts)
    assert not all(verdicts)


def test_a_shipped_refutation_needs_each_of_its_levels(patterns: Patterns, refutation: Arrays) -> None:
    assert len(certificates.check_refutations(patterns, refutation, 6)) > 0
    for turns in (2, 3, 4, 5):
        nogoods = nogoods_of(refutation, turns)
        if turns < 5:
            with pytest.raises(BadInput, match=f"nogood 0 for {turns + 1} guesses: it is not shown"):
                certificates.check_refutations(patterns, with_nogoods(refutation, turns, []), 6)
        smaller = with_nogoods(refutation, turns, [nogoods[0][:2], *nogoods[1:]])
        with pytest.raises(BadInput, match=f"nogood 0 for {turns} guesses: it is not shown that every guess fails"):
            certificates.check_refutations(patterns, smaller, 6)


def test_a_shipped_nogood_that_is_needed_cannot_be_dropped(patterns: Patterns, refutation: Arrays) -> None:
    nogoods = nogoods_of(refutation, 4)
    outcomes = []
    for dropped in range(0, len(nogoods), max(1, len(nogoods) // 5)):
        fewer = with_nogoods(refutation, 4, nogoods[:dropped] + nogoods[dropped + 1 :])
        try:
            certificates.check_refutations(patterns, fewer, 6)
        except BadInput:
            outcomes.append(True)
        else:
            outcomes.append(False)
    assert any(outcomes)


def test_a_shipped_strategy_finds_answers_by_the_rules(patterns: Patterns, strategy: Arrays) -> None:
    assert certificates.check_strategies(patterns, strategy) == strategy["first"].tolist()
    for answer in random.Random(2).sample(range(len(WORDS)), 150):
        assert turns_of(strategy, patterns, answer) <= 6


def turns_of(proofs: Arrays, patterns: Patterns, answer: int) -> int:
    """Play the strategy of the first first word as the docstring of `certificates` describes it."""
    left, guess = np.arange(len(WORDS)), int(proofs["first"][0])
    large = np.flatnonzero(np.bincount(patterns[:, guess], minlength=243) > 5).tolist()
    number = -1
    for turn in range(1, 20):
        if guess == answer:
            return turn
        code = rules.mark(WORDS[guess], WORDS[answer], "wordle")
        left = left[(patterns[left, guess] == code) & (left != guess)]
        if len(left) <= 6 - turn:
            guess = int(left[0])
        elif turn == 1:
            number = int(proofs["first_second"][large.index(code)])
            guess = int(proofs["second"][number])
        elif turn < 4:
            name, to, guesses = [("second", "second_third", "third"), ("third", "third_fourth", "")][turn - 2]
            begin = int(proofs[f"{name}_replies"][:number].sum())
            replies = proofs[f"{name}_pattern"][begin : begin + proofs[f"{name}_replies"][number]].tolist()
            number = int(proofs[to][begin + replies.index(code)])
            guess = int(proofs[guesses][number]) if guesses else number
        else:
            guess = next(g for g in range(len(WORDS)) if len({*patterns[left, g].tolist()}) == len(left))
    raise AssertionError("not found")


@pytest.mark.parametrize("name", ["second", "third", "third_fourth"])
def test_a_strategy_with_a_changed_guess_is_refused(patterns: Patterns, strategy: Arrays, name: str) -> None:
    """A word that tells little takes the place of every fifth guess."""
    changed = strategy[name].copy()
    changed[::5] = WORDS.index("qajaq")
    with pytest.raises(BadInput, match=r"has no reply to pattern|two guesses are not enough"):
        certificates.check_strategies(patterns, strategy | {name: changed})


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("first_second", lambda array: array[:-1], "first_second: expected a number for each cell"),
        ("first_second", lambda array: np.append(array, 0), "first_second: expected no more numbers"),
        ("second", lambda array: array + len(WORDS), "second: expected numbers from 0 to 12,971"),
        ("second_replies", lambda array: array[:-1], "second_replies: expected lengths that add up"),
        ("third_pattern", lambda array: array[:-1], "third_replies: expected lengths that add up"),
        ("second_third", lambda array: array + 10**6, "second_third: expected numbers from 0 to"),
    ],
)
def test_damaged_arrays_are_refused(
    patterns: Patterns, strategy: Arrays, name: str, change: Callable[[Array], Array], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        certificates.check_strategies(patterns, strategy | {name: change(strategy[name])})


def test_the_command_says_what_was_checked(run: Run, tmp_path: Path, refutation: Arrays, strategy: Arrays) -> None:
    path = tmp_path / "proofs.npz.xz"
    certificates.write_proofs(path, refutation | strategy)
    found = json.loads(run("wordle", "verify", str(path), "--all", "--json", "--quiet").out)
    assert (found["solved"], found["unproven"]) == (1, 12_972 - 1 - found["failed"])
    assert found["failed"] > 0


def test_wrong_files_and_options_give_one_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proofs"
    assert f"proofs {path}: there is no such file" in run("wordle", "verify", str(path), "--all").err
    path.write_bytes(b"something else")
    done = run("wordle", "verify", str(path), "--all")
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "expected an .npz archive compressed by xz" in done.err
    path.write_bytes(certificates.SHIPPED.read_bytes()[:-100])
    assert run("wordle", "verify", str(path), "--all").code == 2
    assert "--all: expected no --mode" in run("wordle", "verify", "--all", "--mode", "hard").err
    assert "tree: expected the file of a strategy" in run("wordle", "verify").err


def test_the_result_draws_itself() -> None:
    html = FirstWords(12_972, 6, ["salet"], ["fuzzy", "qajaq"], 5, 7)._repr_html_()
    assert "2 first words fail: 5 sets of answers" in html
    assert "12,969 first words have no proof in the file" in html


@pytest.mark.slow
def test_all_shipped_proofs_hold_and_agree_with_the_recorded_verdicts() -> None:
    found = verify_first_words()
    file = Path(__file__).parents[4] / "benchmarks" / "results" / "wordle-first-words.json"
    recorded = json.loads(file.read_text(encoding="utf-8"))
    assert len(found.solves) >= 5_728
    assert len(found.fails) >= 5_683
    assert {*found.solves} <= recorded["solves"].keys()
    assert {*found.fails} <= recorded["fails"].keys()
