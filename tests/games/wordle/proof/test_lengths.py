"""Exact solving with words of other lengths and alphabets: against trying everything, and where it gives no proof."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from games.wordle.oracle import NEVER, Oracle, depths
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution, NotFound
from gpusolve.games.wordle import Variant, rules, solve, verify
from gpusolve.games.wordle.judging.strategies import reply_of
from gpusolve.games.wordle.judging.trees import save_tree

CPU = open_backend("cpu:1")
ALPHABETS = ("abcde", "äöüabcd", "αβγδεστ")


def drawn_words(seed: int, length: int, count: int, alphabet: str) -> list[str]:
    chance, words = random.Random(seed), set[str]()
    while len(words) < min(count, len(alphabet) ** length):
        words.add("".join(chance.choices(alphabet, k=length)))
    return sorted(words)


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("length", [2, 3, 4, 6, 7, 10, 12])
def test_totals_and_worst_cases_are_those_of_trying_every_strategy(length: int, alphabet: str, tmp_path: Path) -> None:
    words = drawn_words(length, length, 14, alphabet)
    for scoring in rules.SCORINGS:
        for count, within in ((1, 6), (4, 3), (8, 6), (9, 2)):
            answers = random.Random(f"{length} {count}").sample(words, count)
            variant = Variant.load(words, answers, scoring=scoring)
            oracle = Oracle(words, "easy", scoring)
            expected = oracle.total(sorted(answers), within=within)
            if expected == NEVER:
                with pytest.raises(NoSolution, match=f"within {within} guesses"):
                    solve([], variant, within=within, memory=1, backend=CPU)
                continue
            solution = solve([], variant, within=within, memory=1, backend=CPU)
            assert (solution.total, solution.proven) == (expected, True)
            turns = depths(solution.tree, oracle, sorted(answers))
            assert (sum(turns.values()), max(turns.values())) == (expected, solution.worst)
            worst = solve([], variant, objective="worst", memory=1, backend=CPU)
            assert worst.proven
            assert worst.worst == oracle.worst(sorted(answers))
            file = tmp_path / "tree.json"
            save_tree(file, reply_of(solution.tree, variant.guesses), variant, total=solution.total)
            assert verify(file, guesses=words, answers=answers).turns == turns


def test_weights() -> None:
    words = drawn_words(1, 6, 12, "abcd")
    weights = {word: number % 5 + 1 for number, word in enumerate(words)}
    solution = solve([], Variant.load(words, words, weights=weights), memory=1, backend=CPU)
    oracle = Oracle(words, weights=weights)
    assert solution.total == oracle.total(words)


def test_a_guess_with_too_many_patterns_is_not_left_out_silently() -> None:
    """A search reads patterns as bytes, and there is a guess with 243 patterns and more among these answers."""
    words = drawn_words(7, 9, 400, "abcdefgh")
    variant = Variant.load([*words, "zzzzzzzzz"], words)
    objectives: list[rules.Objective] = ["mean", "worst"]
    for objective in objectives:
        with pytest.raises(
            NotFound, match=r"zzzzzzzzz:-{9}: among 400 answers, \d+ guesses get more than 243 patterns"
        ):
            solve([], variant, objective=objective, within=6, start="zzzzzzzzz", memory=1, backend=CPU)
    solution = solve([], variant, start=words[0], memory=1, backend=CPU)  # it leaves fewer answers
    assert solution.proven
    assert len(solution.turns) == 400


def test_a_history_of_the_same_length() -> None:
    words = drawn_words(2, 6, 60, "abcde")
    history = [(words[0], rules.mark(words[0], words[1], "wordle"))]
    solution = solve(history, Variant.load(words, words), memory=1, backend=CPU)
    left = [word for word in words if rules.consistent(word, history)]
    assert len(solution.turns) == len(left)
    assert solution.proven
    with pytest.raises(BadInput, match="'crane' is not a word: expected 6 letters"):
        solve(["crane:-----"], Variant.load(words, words), backend=CPU)
    with pytest.raises(BadInput, match="expected five letters, or the easy mode"):
        solve([], Variant.load(words, words, mode="hard"), backend=CPU)
