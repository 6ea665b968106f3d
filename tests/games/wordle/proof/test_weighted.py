"""The exact search with weights: against trying every strategy, and against the search without weights."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from games.wordle.oracle import NEVER, Oracle, depths
from gpusolve.backend import open_backend
from gpusolve.errors import NoSolution
from gpusolve.games.wordle import rules, solve
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.games.wordle.variant import Variant

CPU = open_backend("cpu")
WEIGHTS = st.one_of(st.integers(0, 6), st.sampled_from([1, 100, 10_000, 90_000_000]))


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.text("abcd", min_size=5, max_size=5), WEIGHTS, min_size=1, max_size=14),
    st.integers(1, 9),
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
    st.booleans(),
    st.integers(1, 6),
    st.booleans(),
)
def test_weighted_totals_are_those_of_trying_every_strategy(
    weighted: dict[str, int],
    count: int,
    mode: Mode,
    scoring: Scoring,
    hidden_only: bool,
    within: int,
    with_start: bool,
) -> None:
    words, weights = sorted(weighted), dict([*weighted.items()][:count])
    answers = sorted(weights)
    weights[answers[0]] += not any(weights.values())
    start = words[0] if with_start and (not hidden_only or words[0] in answers) else None
    oracle = Oracle(words, mode, scoring, hidden_only, weights)
    expected = oracle.total(answers, within=within, first=start)
    variant = Variant.load(words, mode=mode, scoring=scoring, guess_hidden_only=hidden_only, weights=weights)
    if expected == NEVER:
        with pytest.raises(NoSolution, match=f"within {within} guess"):
            solve([], variant, max_guesses=within, first=start, memory=1, backend=CPU)
        return
    solution = solve([], variant, max_guesses=within, first=start, memory=1, backend=CPU)
    turns = depths(solution.tree, oracle, answers)
    assert (solution.total, solution.proven) == (expected, True)
    assert sum(turns[word] * weights[word] for word in answers) == expected
    assert max(turns.values()) == solution.worst <= within


@pytest.mark.parametrize(("mode", "total"), [("easy", 7920), ("hard", 8122)])
def test_equal_weights_give_the_totals_without_weights(mode: Mode, total: int) -> None:
    variant = Variant.load(mode=mode, weights=[7] * 2315)
    solution = solve([], variant, first="salet", backend=CPU)
    assert (solution.total, solution.proven, solution.mean) == (7 * total, True, total / 2315)
