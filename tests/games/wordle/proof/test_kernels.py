"""Lower bounds on the cost of subsets of the answers: against the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from games.wordle.test_kernels import examples, pattern, random_subsets, some_seed, some_words, terms_of
from gpusolve.backend import Backend
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.proof.kernels import bounds, start_bounds
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.wordlist import encode, word_list

ANSWERS = word_list("wordle-answers")
WORDS = kernels.terms_of(word_list("wordle-guesses").letters[::150])


@examples
@given(some_words, some_words, some_seed, st.sampled_from(rules.SCORINGS))
def test_bounds_are_those_of_the_oracle(
    backend: Backend, guesses: list[str], answers: list[str], seed: int, scoring: Scoring
) -> None:
    subsets = random_subsets(np.random.default_rng(seed), len(answers))
    lowest, best = bounds(backend, terms_of(guesses), encode(answers), subsets, scoring=scoring)
    for s, subset in enumerate(subsets):
        words = [answers[i] for i in subset]
        costs = [
            3 * len(words) - len({pattern(guess, word, scoring=scoring) for word in words}) - (guess in words)
            for guess in guesses
        ]
        assert (lowest[s], best[s]) == (min(costs), costs.index(min(costs)))


@pytest.mark.parametrize("size", [1, 4, 127, 128, 129, 300])
def test_bounds_of_every_size(backend: Backend, size: int) -> None:
    partition = kernels.partition(backend, WORDS, ANSWERS.letters[:size])
    lowest, best = bounds(backend, WORDS, ANSWERS.letters, [np.arange(size)])
    costs = 3 * size - partition.patterns[0] - partition.contains[0]
    assert (lowest[0], best[0]) == (costs.min(), costs.argmin())


def test_bounds_of_starts(backend: Backend) -> None:
    answers = ANSWERS.letters[::40]
    patterns = kernels.pattern_matrix(backend, WORDS, answers).T
    chosen = [0, 7, len(WORDS.guesses) - 1]
    totals = start_bounds(backend, WORDS, answers, patterns=patterns, chosen=chosen)
    for start, total in zip(chosen, totals, strict=True):
        cells = [
            np.flatnonzero(patterns[:, start] == code) for code in set(patterns[:, start].tolist()) - {rules.SOLVED}
        ]
        assert total == len(answers) + sum(bounds(backend, WORDS, answers, [cell])[0][0] for cell in cells)
