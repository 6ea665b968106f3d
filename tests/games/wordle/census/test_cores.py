"""Cores and the guesses that they rule out, against plain set operations."""

from __future__ import annotations

import numpy as np

from gpusolve.games.wordle.census.cores import EVERY, Cores
from gpusolve.games.wordle.cpu.proof.cores import least_hot


def some_cores(seed: int) -> tuple[np.ndarray, Cores, list[set[int]]]:
    """Return the patterns of 100 guesses on 30 answers, some cores, and the cores as sets."""
    random = np.random.default_rng(seed)
    patterns = np.zeros((30, 128), np.uint8)
    patterns[:, :100] = random.integers(0, 2, (30, 100))
    cores, sets = Cores(patterns, 100), []
    for number in range(200):
        core = np.sort(random.choice(30, random.integers(2, 5), replace=False)).astype(np.int64)
        assert cores.add(core) == number
        sets.append(set(core.tolist()))
    return patterns, cores, sets


def guesses_of(bits: np.ndarray) -> set[int]:
    return set(np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little")).tolist())


def leaving(patterns: np.ndarray, core: set[int]) -> set[int]:
    return {guess for guess in range(100) if len(set(patterns[list(core), guess].tolist())) == 1}


def test_lookups() -> None:
    patterns, cores, sets = some_cores(1)
    assert [set(core.tolist()) for core in cores] == sets
    members = np.arange(0, 30, 2)
    inside = cores.inside(members)
    assert inside.tolist() == [number for number in range(200) if sets[number] <= set(members.tolist())]
    for number in range(200):
        assert guesses_of(cores.together(number)) & set(range(100)) == leaving(patterns, sets[number])
    expected = set().union(*(leaving(patterns, sets[number]) for number in inside))
    assert guesses_of(cores.ruled_out(inside)) == expected | set(range(100, 128))
    assert cores.failing(7).tolist() == [number for number in range(200) if 7 in leaving(patterns, sets[number])]
    weights = np.zeros(30)
    for number in inside:
        weights[list(sets[number])] += 1 / len(sets[number])
    assert np.allclose(cores.weigh(inside), weights)


def test_merged_cores_rule_out_every_guess_and_none_is_needless() -> None:
    merged_some = 0
    for seed in range(5):
        _, cores, sets = some_cores(seed)
        numbers = np.arange(0, 200, 2)
        merged = cores.merged(numbers)
        if merged is None:
            assert (cores.ruled_out(numbers) != EVERY).any()
            continue
        merged_some += 1

        def rules_out(answers: set[int], cores: Cores = cores, sets: list[set[int]] = sets) -> bool:
            usable = np.array([number for number in range(0, 200, 2) if sets[number] <= answers], np.int64)
            return bool((cores.ruled_out(usable) == EVERY).all())

        answers = set(merged.tolist())
        assert rules_out(answers)
        assert not any(rules_out(answers - {answer}) for answer in answers)
    assert merged_some
    _, cores, _ = some_cores(0)
    assert cores.merged(np.arange(2)) is None


def test_the_least_hot_guess() -> None:
    patterns, cores, _ = some_cores(3)
    random = np.random.default_rng(3)
    members, weights = np.arange(4, 28), random.random(24)
    closed = cores.ruled_out(np.arange(3))
    hottest = {
        guess: np.bincount(patterns[members, guess], weights).max()
        for guess in range(100)
        if guess not in guesses_of(closed)
    }
    best = least_hot(patterns.reshape(-1), 128, members, weights, closed)
    assert np.isclose(hottest[best], min(hottest.values()))
    assert least_hot(patterns.reshape(-1), 128, members, weights, np.full_like(closed, EVERY)) == -1
