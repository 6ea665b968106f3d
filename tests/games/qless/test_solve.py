"""Solutions: all of them are there, none is there twice, and each keeps the rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from games.qless.small import some_letters, usable
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.qless import _solve
from gpusolve.games.qless._count import count, counts
from gpusolve.games.qless._roll import roll
from gpusolve.games.qless._solve import Solutions, solve
from gpusolve.games.qless.rolls import counts_of
from gpusolve.games.qless.rules import Grid, broken_rule, exhaustive
from gpusolve.games.qless.variant import STANDARD, Variant

CPU = open_backend("cpu")
WORDS = set(STANDARD.anagrams.words)
ROLL = "cddeeimprtwx"


def lesser(grid: Grid) -> Grid:
    """Return a grid or its transpose, whichever comes first: `exhaustive` returns only that one."""
    return min(grid, grid.transpose, key=lambda grid: grid.rows)


def grids(solutions: Solutions) -> set[Grid]:
    """Return the solutions as `exhaustive` does, after checking that none occurs twice."""
    distinct = set(map(lesser, solutions))
    assert len(distinct) == len(solutions)
    return distinct


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_solutions_agree_with_the_exhaustive_search(first: int) -> None:
    """Two hundred rolls of five to eight letters. The search in rules.py knows no shapes."""
    for seed in range(first, first + 20):
        letters = some_letters(seed)
        words = usable(letters, 16, seed)
        assert grids(solve(letters, variant=Variant(words), backend=CPU)) == exhaustive(letters, words), letters


@pytest.mark.parametrize("seed", range(12))
def test_words_can_touch_if_that_is_allowed(seed: int) -> None:
    letters = some_letters(seed, (5, 7))
    words = usable(letters, 12, seed)
    solutions = solve(letters, variant=Variant(words, allow_touching=True), backend=CPU)
    assert grids(solutions) == exhaustive(letters, words, allow_touching=True), letters


def test_a_grid_and_its_transpose_are_one_solution() -> None:
    """Even if the shape, here a ring, is its own transpose."""
    words = ["aba", "abc", "cba", "cbc", "cac", "aca", "bab"]
    for letters in ("aaaabbbb", "aaabbbbc", "aabbbbcc", "aaaacccc", "aaabbb"):
        assert grids(solve(letters, variant=Variant(words), backend=CPU)) == exhaustive(letters, words), letters


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(10))
def test_every_solution_of_full_rolls_keeps_the_rules(number: int) -> None:
    variant = Variant(common=True) if number % 2 else STANDARD
    solutions = solve(roll(number=number, seed=2), variant=variant, max_solutions=20_000, backend=CPU)
    grids(solutions)
    for grid in solutions:
        assert broken_rule(grid, solutions.roll, WORDS) is None


def test_options_select_solutions() -> None:
    every = list(solve(ROLL, backend=CPU))
    once = solve(ROLL, variant=Variant(no_repeats=True), backend=CPU)
    assert grids(once) == {lesser(grid) for grid in every if len(set(grid.words)) == len(grid.words)}
    assert 0 < len(once) < len(every)
    with_mix = solve(ROLL, must="MIX", backend=CPU)
    assert 0 < len(with_mix) == sum("mix" in grid.words for grid in every) == count(ROLL, must="mix").solutions
    without = solve(ROLL, variant=Variant(ban=["mix"]), backend=CPU)
    assert len(without) == len(every) - len(with_mix)
    longer = solve(ROLL, variant=Variant(min_length=4), backend=CPU)
    assert len(longer) == sum(min(map(len, grid.words)) >= 4 for grid in every)


@pytest.mark.parametrize("limit", [1, 7, 1500, 2046, 5000])
def test_the_search_stops_at_the_limit(limit: int) -> None:
    solutions = solve(ROLL, max_solutions=limit, backend=CPU)
    assert len(solutions) == min(limit, 2046)
    assert solutions.complete == (limit >= 2046)
    assert len(grids(solutions)) == len(solutions)


def test_shares_with_more_solutions_than_rows_are_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    every = solve(ROLL, backend=CPU)
    for rows_at_first, max_rows in product((1, 20), (1, 100, 10**6)):
        monkeypatch.setattr(_solve, "ROWS_AT_FIRST", rows_at_first)
        monkeypatch.setattr(_solve, "MAX_ROWS", max_rows)
        again = solve(ROLL, backend=CPU)
        assert np.array_equal(again.shape, every.shape)
        assert np.array_equal(again.fill, every.fill)


@pytest.mark.parametrize("lanes", [8, 700, 10_000])
def test_pieces_of_shares_give_the_same_solutions_in_the_same_order(
    lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A GPU searches pieces."""
    limits = (None, 1, 7, 1500)
    every = [solve(ROLL, max_solutions=limit, backend=CPU) for limit in limits]
    monkeypatch.setattr(type(CPU), "lanes", lambda backend, per_thread, bytes_per_lane: lanes)
    monkeypatch.setattr(_solve, "ROWS_OF_A_PIECE", 20)
    for limit, whole in zip(limits, every, strict=True):
        again = solve(ROLL, max_solutions=limit, backend=CPU)
        assert np.array_equal(again.shape, whole.shape)
        assert np.array_equal(again.fill, whole.fill)
        assert again.complete == whole.complete
    assert count(ROLL, backend=CPU).solutions == len(every[0])


def test_solutions_are_reported_by_rounds_and_the_time_limit_is_checked_between_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_solve, "ONE_ROUND", 3)
    rounds: list[Solutions] = []
    done: list[int] = []
    every = solve(ROLL, on_solutions=rounds.append, progress=done.append, backend=CPU)
    assert every.complete
    assert sum(map(len, rounds)) == len(every) == 2046
    assert done == [8, 16, 24, 32, 40, 48, 56, 64]
    cut = solve(ROLL, time_limit=0, backend=CPU)
    assert not cut.complete
    assert len(cut) == len(rounds[0])
    assert not count(ROLL, time_limit=0, backend=CPU).complete


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: solve("a"), "roll: 1 letter: expected 3 to 14"),
        (lambda: solve("ab"), "roll: 2 letters: expected 3 to 14"),
        (lambda: solve("a" * 40), "roll: 40 letters: expected 3 to 14"),
        (lambda: solve("abc1"), "roll: '1' is not a letter"),
        (lambda: solve("cat", max_solutions=0), "max_solutions 0: expected"),
        (lambda: solve("cat", must="xyzzy"), "'xyzzy' is not a word of the dictionary"),
        (lambda: solve("cat", variant=Variant(min_length=2)), "min_length 2: expected"),
        (lambda: solve("cat", variant=Variant(["a", "at"])), "no word of 3 to 14 letters"),
        (lambda: solve("cat", time_limit=-1), "time_limit -1: expected"),
        (
            lambda: solve("cat", variant=Variant(ban="nothing")),
            "nothing: no such file: expected a file or a shipped list",
        ),
    ],
)
def test_bad_input_is_refused(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        wrong()


def test_a_dictionary_can_have_only_long_words() -> None:
    words = ["knitting", "sitting", "sinking"]
    assert grids(solve("gnittingsink", variant=Variant(words), backend=CPU)) == exhaustive("gnittingsink", words)
    assert counts(counts_of("bbbbbbbbbbbb")[None]).tolist() == [0]
