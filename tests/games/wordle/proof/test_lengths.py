"""Exact solving with words of other lengths and alphabets: against trying everything, and guess by guess."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from games.wordle.oracle import NEVER, Oracle, depths
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import Variant, explain, partition_table, rules, solve, suggest, verify
from gpusolve.games.wordle.analysis.strategies import reply_of
from gpusolve.games.wordle.analysis.trees import save_tree
from gpusolve.games.wordle.cpu.lengths import rank_patterns
from gpusolve.games.wordle.proof import position

CPU = open_backend("cpu:1")
ALPHABETS = {
    "latin": "abcde",
    "german": "äöüabcd",
    "greek": "αβγδεστ",
    "marks": ["שָׁ", "ש", "בּ", "ב", "ל"],  # a letter with its marks is another letter than the one without
    "many": [chr(number) for number in range(0x430, 0x430 + 40)],  # more than 32, so that facts take two columns each
}


CASES = [
    (2, "latin"), (3, "german"), (4, "marks"), (5, "greek"), (5, "many"), (6, "latin"), (6, "marks"),
    (8, "german"), (8, "many"), (11, "latin"), (11, "greek"), (12, "marks"), (12, "many"),
]  # fmt: skip


def drawn_words(seed: int, length: int, count: int, alphabet: Sequence[str]) -> list[str]:
    chance, words = random.Random(seed), set[str]()
    while len(words) < min(count, len(alphabet) ** length):
        words.add(rules.fold("".join(chance.choices(alphabet, k=length))))
    return sorted(words)


def close_words(seed: int, length: int, count: int, alphabet: Sequence[str]) -> list[str]:
    """Return words that differ from one another in few letters, so that more than two guesses are needed."""
    chance, words = random.Random(seed), set[str]()
    base = chance.choices(alphabet, k=length)
    while len(words) < count:
        word = base.copy()
        for place in chance.sample(range(length), min(length, 2)):
            word[place] = chance.choice(alphabet)
        words.add(rules.fold("".join(word)))
    return sorted(words)


SMALL_GAMES: list[tuple[rules.Scoring, Callable[[int, int, int, Sequence[str]], list[str]], int, int]] = [
    ("wordle", close_words, 8, 6),
    ("presence", close_words, 9, 6),
    ("wordle", drawn_words, 1, 6),
    ("presence", drawn_words, 9, 2),
]


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize(("length", "alphabet"), CASES)
def test_totals_and_worst_cases_are_those_of_trying_every_strategy(
    length: int, alphabet: str, mode: rules.Mode, tmp_path: Path
) -> None:
    letters = ALPHABETS[alphabet]
    for scoring, make, count, within in SMALL_GAMES:
        words = make(length, length, 13, letters)
        answers = sorted(random.Random(f"{length} {count}").sample(words, count))
        variant = Variant.load(words, answers, mode=mode, scoring=scoring)
        oracle = Oracle(words, mode, scoring)
        expected = oracle.total(answers, within=within)
        if expected == NEVER:
            with pytest.raises(NoSolution, match=f"within {within} guesses"):
                solve([], variant, max_guesses=within, memory=1, backend=CPU)
        else:
            solution = solve([], variant, max_guesses=within, memory=1, backend=CPU)
            assert (solution.total, solution.proven) == (expected, True)
            turns = depths(solution.tree, oracle, answers)
            assert (sum(turns.values()), max(turns.values())) == (expected, solution.worst)
            file = tmp_path / "tree.json"
            save_tree(file, reply_of(solution.tree, variant.guesses), variant, total=solution.total)
            assert verify(file, guesses=words, answers=answers, mode=mode).turns == turns
        worst = solve([], variant, objective="worst", memory=1, backend=CPU)
        assert worst.proven
        assert worst.worst == oracle.worst(answers)
        assert max(depths(worst.tree, oracle, answers).values()) == worst.worst


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize(("length", "alphabet"), [(3, "marks"), (6, "latin"), (8, "many"), (12, "greek")])
def test_weights(length: int, alphabet: str, mode: rules.Mode) -> None:
    words = close_words(1, length, 11, ALPHABETS[alphabet])
    weights = {word: number % 5 + 1 for number, word in enumerate(words[:9])}
    variant = Variant.load(words, words[:9], mode=mode, weights=weights)
    oracle = Oracle(words, mode, weights=weights)
    expected = oracle.total(words[:9], within=6)
    solution = solve([], variant, memory=1, backend=CPU)
    assert (solution.total, solution.proven) == (expected, True)
    turns = depths(solution.tree, oracle, words[:9])
    assert sum(weights[word] * turns[word] for word in turns) == expected
    table = suggest([], variant, backend=CPU)
    assert min(table.totals.values()) == expected


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize(("length", "alphabet"), [(4, "latin"), (6, "german"), (11, "marks")])
def test_after_words_that_are_not_listed(length: int, alphabet: str, mode: rules.Mode) -> None:
    """A history can have guesses that are not in the list, and an answer that is among the guesses only."""
    words = close_words(3, length, 30, ALPHABETS[alphabet])
    variant, oracle = Variant.load(words[1:], words[2::2], mode=mode), Oracle(words[1:], mode)
    for answer in words[3:9]:
        history = [(words[0], rules.mark(words[0], answer, "wordle"))]
        listed = [word for word in variant.answers if rules.consistent(word, history)]
        left = listed or [word for word in words[1:] if rules.consistent(word, history)]
        if len(left) > 9:
            continue
        table = suggest(history, variant, backend=CPU)
        assert table.answers[:] == left
        assert min(table.totals.values()) == oracle.total(left, history, 5)
        for guess, total in table.totals.items():
            assert total == oracle.total(left, history, 5, table.guesses[guess])
        explained = explain(history, variant, backend=CPU)
        assert explained.total == min(table.totals.values())
        if listed:
            solution = solve(history, variant, memory=1, backend=CPU)
            assert (solution.total, solution.proven) == (oracle.total(left, history, 5), True)
            depths(solution.tree, oracle, left, history)


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize(("length", "alphabet"), [(4, "latin"), (6, "german"), (8, "many"), (12, "greek")])
def test_two_searches_agree_on_the_worst_case(length: int, alphabet: str, mode: rules.Mode) -> None:
    """The search for totals learns nothing from states that fail; that for the worst case does."""
    words = close_words(4, length, 60, ALPHABETS[alphabet])
    variant = Variant.load(words, words[::2], mode=mode)
    worst = solve([], variant, objective="worst", memory=1, backend=CPU)
    assert worst.proven
    assert worst.worst > 2
    assert solve([], variant, max_guesses=worst.worst, memory=1, backend=CPU).worst == worst.worst
    with pytest.raises(NoSolution):
        solve([], variant, max_guesses=worst.worst - 1, memory=1, backend=CPU)


@pytest.mark.parametrize("objective", rules.OBJECTIVES)
def test_guesses_with_more_patterns_than_a_byte_can_number(objective: rules.Objective) -> None:
    words = drawn_words(7, 9, 400, "abcdefgh")
    variant = Variant.load([*words, "zzzzzzzzz"], words)
    solution = solve([], variant, objective=objective, first="zzzzzzzzz", memory=1, backend=CPU)
    assert solution.proven
    assert len(solution.turns) == 400
    table = partition_table(guesses=words, answers=words, backend=CPU)
    most = int(table.partition.patterns.max())
    assert most > 243
    assert solution.worst >= 4
    if objective != "worst":
        assert solution.total >= 400 + 3 * 400 - most - 1  # no second guess gets more than `most` patterns
        assert solution.total <= 400 + 3 * 400 - most + 30


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_search_guess_by_guess_finds_the_same(
    monkeypatch: pytest.MonkeyPatch, mode: rules.Mode, weighted: bool
) -> None:
    """Sets of more than a dozen answers are searched as if some guess had too many patterns there."""
    words = close_words(5, 6, 70, ALPHABETS["german"])
    weights = {word: 1 + 7 * i % 11 for i, word in enumerate(words)} if weighted else None
    few = rank_patterns

    def ranked(codes: Any, *rest: Any) -> int:
        return int(few(codes, *rest)) + (len(codes) > 12)

    for hidden_only in (False, True):
        variant = Variant.load(words, words, mode=mode, guess_hidden_only=hidden_only, weights=weights)
        for objective in rules.OBJECTIVES:
            found = []
            for rank in (few, ranked):
                monkeypatch.setattr(position, "rank_patterns", rank)
                within = 8 if objective == "mean" else None
                solution = solve([], variant, objective=objective, max_guesses=within, memory=1, backend=CPU)
                found.append((solution.total if objective != "worst" else 0, solution.worst, solution.proven))
            assert found[0] == found[1], (mode, objective, hidden_only)


def test_a_history_of_the_same_length() -> None:
    words = drawn_words(2, 6, 60, "abcde")
    history = [(words[0], rules.mark(words[0], words[1], "wordle"))]
    solution = solve(history, Variant.load(words, words), memory=1, backend=CPU)
    left = [word for word in words if rules.consistent(word, history)]
    assert len(solution.turns) == len(left)
    assert solution.proven
    with pytest.raises(BadInput, match="'crane' is not a word: expected 6 letters"):
        solve(["crane:-----"], Variant.load(words, words), backend=CPU)
