"""Solutions: all of them, none twice, and what the options leave."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from games.qless.small import some_letters, usable
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.qless import _solve as solver
from gpusolve.games.qless._solve import Solutions, count, counts, solve
from gpusolve.games.qless.rolls import counts_of, random_rolls, roll
from gpusolve.games.qless.rules import Grid, broken, exhaustive
from gpusolve.games.qless.variant import STANDARD, Variant

CPU = open_backend("cpu")
WORDS = set(STANDARD.anagrams.words)


def grids(found: Solutions) -> set[Grid]:
    """The solutions as `exhaustive` gives them; none may be there twice."""
    lesser = [min(grid, grid.transpose, key=lambda one: one.rows) for grid in found]
    assert len(set(lesser)) == len(lesser) == len(found)
    return set(lesser)


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_they_are_those_of_trying_all(first: int) -> None:
    """Two hundred rolls of five to eight letters. The search in rules.py knows no shapes."""
    for seed in range(first, first + 20):
        letters = some_letters(seed)
        words = usable(letters, 16, seed)
        assert grids(solve(letters, Variant(words), backend=CPU)) == exhaustive(letters, words), letters


@pytest.mark.parametrize("seed", range(12))
def test_touching(seed: int) -> None:
    letters = some_letters(seed, (5, 7))
    words = usable(letters, 12, seed)
    variant = Variant(words, allow_touching=True)
    assert grids(solve(letters, variant, backend=CPU)) == exhaustive(letters, words, allow_touching=True), letters


def test_symmetric_shapes() -> None:
    """A ring and its transpose are one solution, also where the ring is its own transpose."""
    words = ["aba", "abc", "cba", "cbc", "cac", "aca", "bab"]
    for letters in ("aaaabbbb", "aaabbbbc", "aabbbbcc", "aaaacccc", "ababab"):
        letters = "".join(sorted(letters))
        assert grids(solve(letters, Variant(words), backend=CPU)) == exhaustive(letters, words), letters


@pytest.mark.parametrize("number", range(10))
def test_every_solution_of_full_rolls_keeps_the_rules(number: int) -> None:
    found = solve(roll(2, number), Variant(common=True) if number % 2 else STANDARD, limit=20_000, backend=CPU)
    grids(found)
    for grid in found:
        assert broken(grid, found.roll, WORDS) is None


def published(letters: str) -> tuple[int, int]:
    """With and without words that come twice."""
    return tuple(count(letters, Variant(no_repeats=no_repeats), backend=CPU).solutions for no_repeats in (False, True))  # type: ignore[return-value]


def test_rolls_with_none_and_with_one() -> None:
    assert published("beghhjmovwyz") == (0, 0)
    assert published("fgjlmmnnnoot") == (0, 0)
    assert published("bbcefklnnpux") == (1, 1)


def test_count_and_counts_are_the_solutions() -> None:
    rolls = random_rolls(3, 0, 30)
    some = counts(rolls, most=50, backend=CPU)
    for i in range(0, 30, 5):
        found = count(roll(3, i), backend=CPU)
        assert found.complete
        assert len(solve(roll(3, i), backend=CPU)) == found.solutions
        assert some[i] == min(50, found.solutions)
    assert counts(rolls[:0]).tolist() == []


def test_no_repeats_and_must_and_ban() -> None:
    letters = "cddeeimprtwx"
    every = list(solve(letters, backend=CPU))
    once = solve(letters, Variant(no_repeats=True), backend=CPU)
    assert grids(once) == {
        min(grid, grid.transpose, key=lambda one: one.rows) for grid in every if len(set(grid.words)) == len(grid.words)
    }
    assert 0 < len(once) < len(every)
    with_mix = solve(letters, must="MIX", backend=CPU)
    assert 0 < len(with_mix) == sum("mix" in grid.words for grid in every) == count(letters, must="mix").solutions
    without = solve(letters, Variant(ban=["mix"]), backend=CPU)
    assert len(without) == len(every) - len(with_mix)
    longer = solve(letters, Variant(min_length=4), backend=CPU)
    assert len(longer) == sum(min(map(len, grid.words)) >= 4 for grid in every)


@pytest.mark.parametrize("limit", [1, 7, 1500, 2046, 5000])
def test_limit(limit: int) -> None:
    found = solve("cddeeimprtwx", limit=limit, backend=CPU)
    assert len(found) == min(limit, 2046)
    assert found.complete == (limit >= 2046)
    assert len(grids(found)) == len(found)


def test_rows_that_do_not_fit_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    every = solve("cddeeimprtwx", backend=CPU)
    for kept, most in product((1, 20), (1, 100, 10**6)):
        monkeypatch.setattr(solver, "KEPT", kept)
        monkeypatch.setattr(solver, "MOST_ROWS", most)
        again = solve("cddeeimprtwx", backend=CPU)
        assert np.array_equal(again.shape, every.shape)
        assert np.array_equal(again.fill, every.fill)


def test_each_gets_all_and_time_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "AT_ONCE", 3)
    parts: list[Solutions] = []
    done: list[int] = []
    whole = solve("cddeeimprtwx", each=parts.append, progress=done.append, backend=CPU)
    assert whole.complete
    assert sum(map(len, parts)) == len(whole) == 2046
    assert done == [8, 16, 24, 32, 40, 48, 56, 64]
    cut = solve("cddeeimprtwx", time_limit=0, backend=CPU)
    assert not cut.complete
    assert len(cut) == len(parts[0])
    assert not count("cddeeimprtwx", time_limit=0, backend=CPU).complete


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: solve("ab"), "roll: 2 letters: expected 3 to 14"),
        (lambda: solve("a" * 40), "roll: 40 letters: expected 3 to 14"),
        (lambda: solve("abc1"), "roll: '1' is not a letter"),
        (lambda: solve("cat", limit=0), "limit 0: expected"),
        (lambda: solve("cat", must="xyzzy"), "'xyzzy' is not a word of the dictionary"),
        (lambda: solve("cat", Variant(min_length=2)), "min_length 2: expected"),
        (lambda: solve("cat", Variant(["a", "at"])), "no word of 3 to 14 letters"),
        (lambda: solve("cat", time_limit=-1), "time_limit -1: expected"),
        (lambda: solve("cat", Variant(ban="nothing")), "nothing: no such file"),
    ],
)
def test_bad_input(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        wrong()


def test_a_dictionary_without_short_words() -> None:
    found = solve("gnittingsink", Variant(["knitting", "sitting", "sinking"]), backend=CPU)
    assert grids(found) == exhaustive("gnittingsink", ["knitting", "sitting", "sinking"])
    assert counts(counts_of("bbbbbbbbbbbb")[None]).tolist() == [0]
