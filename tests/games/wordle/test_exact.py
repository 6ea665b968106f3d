"""The exact search: against trying everything, and against what is published."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.wordle.oracle import NEVER, Oracle, depths
from gpusolve.backend import open_backend
from gpusolve.errors import NoSolution
from gpusolve.games.wordle import exact, rules
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.words import word_list

GUESSES, ANSWERS = word_list("wordle-guesses"), word_list("wordle-answers")
CPU = open_backend("cpu")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("abcd", min_size=5, max_size=5), min_size=1, max_size=14, unique=True),
    st.integers(1, 9),
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
    st.booleans(),
    st.integers(1, 6),
    st.booleans(),
)
def test_totals_are_those_of_trying_everything(
    words: list[str], count: int, mode: Mode, scoring: Scoring, hidden_only: bool, within: int, with_start: bool
) -> None:
    words, answers = sorted(words), sorted(words[:count])
    start = words[0] if with_start and (not hidden_only or words[0] in answers) else None
    oracle = Oracle(words, mode, scoring, hidden_only)
    expected = oracle.total(answers, within=within, first=start)
    variant = Variant.load(words, answers, mode, scoring, hidden_only)

    def solve() -> exact.Solution:
        return exact.solve([], variant, within=within, start=start, memory=1, backend=CPU)

    if expected == NEVER:
        with pytest.raises(NoSolution, match=f"within {within} guess"):
            solve()
        return
    solution = solve()
    found = depths(solution.tree, oracle, answers)
    assert (solution.total, solution.proven) == (expected, True)
    assert [found[answer] for answer in answers] == solution.turns.tolist()
    assert sum(found.values()) == expected
    assert max(found.values()) == solution.worst <= within


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("abcd", min_size=5, max_size=5), min_size=1, max_size=14, unique=True),
    st.integers(1, 9),
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
    st.booleans(),
    st.booleans(),
)
def test_worst_cases_are_those_of_trying_everything(
    words: list[str], count: int, mode: Mode, scoring: Scoring, hidden_only: bool, with_start: bool
) -> None:
    words, answers = sorted(words), sorted(words[:count])
    start = answers[-1] if with_start else None
    oracle = Oracle(words, mode, scoring, hidden_only)
    variant = Variant.load(words, answers, mode, scoring, hidden_only)
    solution = exact.solve([], variant, "worst", start=start, memory=1, backend=CPU)
    found = depths(solution.tree, oracle, answers)
    assert solution.proven
    assert max(found.values()) == solution.worst == oracle.worst(answers, first=start)


@pytest.mark.parametrize(
    ("mode", "start", "total", "worst"),
    [("easy", "salet", 7920, 5), ("easy", "reast", 7923, None), ("hard", "salet", 8122, 6), ("hard", "least", 8127, 6)],
)
def test_totals_that_are_published(mode: Mode, start: str, total: int, worst: int | None) -> None:
    solution = exact.solve([], Variant.load(mode=mode), start=start, backend=CPU)
    assert (solution.total, solution.proven) == (total, True)
    assert worst is None or solution.worst <= worst
    play(solution, mode)


def play(solution: exact.Solution, mode: Mode) -> None:
    """Plays a strategy against some answers, by the rules."""
    for i in range(0, len(solution.answers), 7):
        tree, answer = solution.tree, solution.answers[i]
        history: list[tuple[str, int]] = []
        while (guess := solution.guesses[tree.guess]) != answer:
            assert rules.allowed(guess, history, mode)
            history.append((guess, rules.pattern(guess, answer)))
            tree = tree.cells[history[-1][1]]
        assert len(history) + 1 == solution.turns[i]


def test_the_answers_of_2022() -> None:
    variant = Variant.load("wordle-guesses", "wordle-2022-02-answers")
    assert exact.solve([], variant, start="salet", backend=CPU).total == 7897


def test_the_best_of_some_starts() -> None:
    solution = exact.solve([], first_words=["crane", "salet", "slate", "trace", "qajaq"], best=3, backend=CPU)
    assert solution.starts == [("salet", 7920), ("trace", 7926), ("slate", 7928)]
    assert (solution.compared, solution.proven, solution.complete) == (5, True, True)


def test_the_worst_case() -> None:
    solution = exact.solve([], objective="worst", within=5, first_words=["salet", "qajaq"], backend=CPU)
    assert solution.starts == [("salet", 5), ("qajaq", 5)]
    for start in ("salet", "qajaq"):
        solution = exact.solve([], objective="worst", within=5, start=start, backend=CPU)
        assert solution.worst == 5
        play(solution, "easy")
    with pytest.raises(NoSolution, match="no strategy finds all 2,315 answers within 4 guesses"):
        exact.solve([], objective="worst", within=4, first_words=["salet", "crane"], backend=CPU)
