"""The kernels that look for groups of words that no guess tells apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from games.wordle.grouping.oracle import similar_words, solvable
from gpusolve.backend import Backend
from gpusolve.games.wordle.grouping.kernels import Separation
from gpusolve.games.wordle.wordlist import WordList, word_list


def test_turns_are_those_of_trying_every_guess(backend: Backend) -> None:
    for seed in range(3):
        answers, guesses = similar_words(seed)
        separation = Separation.of(backend, WordList(guesses), WordList(answers))
        for size in (2, 3, 4, 6):
            groups = list(combinations(range(len(answers)), size))[:40]
            turns = separation.turns(backend.asarray(np.array(groups, np.int32)))
            for group, within in zip(groups, turns.tolist(), strict=True):
                words = tuple(answers[i] for i in group)
                assert solvable(words, within, guesses)
                assert not solvable(words, within - 1, guesses)


def test_groups_of_real_words_are_extended_in_one_way_each(backend: Backend) -> None:
    answers, guesses = word_list("wordle-answers")[::29], word_list("wordle-guesses")[::40]
    separation = Separation.of(backend, WordList(sorted({*answers, *guesses})), WordList(answers))
    pairs = separation.pairs(100)
    counts, larger = separation.extended(backend.asarray(pairs), 150)
    triples = backend.to_host(larger(np.arange(len(pairs))))
    assert len(triples) == counts.sum() > 100
    closeness = backend.to_host(separation.closeness).astype(int)
    close_triples = {
        triple
        for triple in combinations(range(len(answers)), 3)
        if sum(closeness[a, b] for a, b in combinations(triple, 2)) >= 150
    }
    assert {tuple(sorted(triple)) for triple in triples.tolist()} <= close_triples
    assert len(np.unique(np.sort(triples, axis=1), axis=0)) == len(triples)
    counts, larger = separation.confused(backend.asarray(triples), 255)
    confused = {tuple(group) for group in backend.to_host(larger(np.flatnonzero(counts))).tolist()}
    _, larger = separation.extended(backend.asarray(triples), 255)
    sample = backend.to_host(separation.sample)
    expected = {
        tuple(group)
        for group in backend.to_host(larger(np.arange(len(triples)))).tolist()
        if not any(len(set(column)) == 4 for column in sample[group].T.tolist())
    }
    assert confused == expected
