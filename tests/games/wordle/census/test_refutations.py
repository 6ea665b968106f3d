"""Proofs that sets of answers cannot be solved: made by the census, checked by the plain program."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from games.wordle.census.test_first_words import position_of
from games.wordle.oracle import NEVER, Oracle
from gpusolve.games.wordle.analysis import certificates
from gpusolve.games.wordle.census.cores import Cores
from gpusolve.games.wordle.census.refutations import Refutations, choose


def test_every_set_that_cannot_be_solved_gets_a_proof() -> None:
    checked = 0
    for letters in ("abcdefg", "fghijkl"):
        words = sorted([*(letter + "oooo" for letter in letters), *(letter + "oooe" for letter in letters[:3])])
        position, oracle = position_of(words, words), Oracle(words)
        proofs, patterns = Refutations(position), certificates.patterns_of(words)
        for some in list(combinations(range(len(words)), 5))[::4]:
            unsolvable = oracle.total([words[i] for i in some], within=3) == NEVER
            if not unsolvable:
                with pytest.raises(AssertionError, match="a guess solves it"):
                    proofs.prove(np.array(some), 3)
                continue
            part = proofs.prove(np.array(some), 3)
            assert np.isin(part, some).all()
            arrays = {
                "nogoods_2": np.concatenate([np.sort(core) for core in proofs.sets[2]]),
                "lengths_2": np.array([len(core) for core in proofs.sets[2]]),
                "nogoods_3": part,
                "lengths_3": np.array([len(part)]),
            }
            certificates.check_refutations(patterns, arrays, 4)
            again = Refutations(position)
            again.restore(arrays | {"nogoods_4": np.zeros(0, np.int64), "lengths_4": np.zeros(0, np.int64)})
            assert [core.tolist() for core in again.sets[3]] == [part.tolist()]
            assert len(again.sets[2]) == len(proofs.sets[2])
            checked += 1
    assert checked > 10


def test_few_cores_are_chosen_and_known_ones_count() -> None:
    words = ["aoooo", "boooo", "coooo", "doooo"]
    position = position_of(words, words)
    cores = Cores(position.patterns, len(words))
    for core in combinations(range(4), 2):
        cores.add(np.array(core))
    chosen: set[int] = set()
    assert choose(cores, np.arange(len(cores)), chosen)
    assert len(chosen) == 2  # two disjoint pairs: each guess is one of the words and leaves one pair together
    assert choose(cores, np.arange(len(cores)), chosen)
    assert len(chosen) == 2
    assert not choose(cores, np.array([0]), set())
    assert not choose(cores, np.zeros(0, np.int64), set())
