"""The kernels of Wordle: against the oracle, and against published results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from gpusolve.backend import Backend
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.tables import costs
from gpusolve.games.wordle.wordlist import encode, word_list
from recorded import recorded

GUESSES, ANSWERS = word_list("wordle-guesses"), word_list("wordle-answers")

pattern = cache(rules.pattern)  # every device computes the same patterns

some_words = st.lists(st.text("abcde", min_size=5, max_size=5), min_size=1, max_size=40)  # few letters: many repeats
some_seed = st.integers(0, 2**32 - 1)
# The fixture opens the device once for all examples of a test; no example changes it.
examples = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])


def terms_of(words: Sequence[str]) -> kernels.Terms:
    return kernels.terms_of(encode(words))


def random_subsets(random: np.random.Generator, answers: int) -> list[npt.NDArray[np.intp]]:
    """Return one to four subsets of the answers."""
    return [
        random.choice(answers, random.integers(1, answers + 1), replace=False) for _ in range(random.integers(1, 5))
    ]


@examples
@given(some_words, some_words, st.sampled_from(rules.SCORINGS))
def test_patterns_are_those_of_the_oracle(
    backend: Backend, guesses: list[str], answers: list[str], scoring: Scoring
) -> None:
    matrix = kernels.pattern_matrix(backend, terms_of(guesses), encode(answers), scoring=scoring)
    assert matrix.tolist() == [[pattern(guess, answer, scoring=scoring) for answer in answers] for guess in guesses]


@examples
@given(some_words, some_words, some_seed, st.sampled_from(rules.SCORINGS))
def test_partitions_are_those_of_the_oracle(
    backend: Backend, guesses: list[str], answers: list[str], seed: int, scoring: Scoring
) -> None:
    subsets = random_subsets(np.random.default_rng(seed), len(answers))
    partition = kernels.partition(backend, terms_of(guesses), encode(answers), subsets, scoring=scoring)
    for s, subset in enumerate(subsets):
        for g, guess in enumerate(guesses):
            check_partition(partition, s, g, [answers[i] for i in subset], guess, scoring)


@pytest.mark.parametrize("size", [1, 3, 4, 95, 96, 97, 300, 2315])  # the CPU twin has another way for small subsets
def test_partitions_of_every_size(backend: Backend, size: int) -> None:
    random = np.random.default_rng(size)
    subset = random.choice(len(ANSWERS), size, replace=False)
    chosen = random.choice(len(GUESSES), 9, replace=False)
    partition = kernels.partition(
        backend, terms_of([GUESSES[i] for i in chosen]), ANSWERS.letters, [subset, subset[:1]]
    )
    for g, i in enumerate(chosen):
        check_partition(partition, 0, g, [ANSWERS[j] for j in subset], GUESSES[i])
        check_partition(partition, 1, g, [ANSWERS[subset[0]]], GUESSES[i])


@examples
@given(some_words, some_words, some_seed, st.sampled_from(rules.MEASURES), st.booleans(), st.booleans())
def test_the_best_guess_is_the_first_of_least_cost(
    backend: Backend,
    guesses: list[str],
    answers: list[str],
    seed: int,
    measure: rules.Measure,
    masked: bool,
    contained: bool,
) -> None:
    random = np.random.default_rng(seed)
    subsets = random_subsets(random, len(answers))
    allowed = random.random((len(subsets), len(guesses))) < 0.5 if masked else None
    terms, letters = terms_of(guesses), encode(answers)
    partition = kernels.partition(backend, terms, letters, subsets)
    legal = np.ones((len(subsets), len(guesses)), np.bool_) if allowed is None else allowed
    legal = legal & partition.contains if contained else legal
    expected = np.where(legal, costs(partition, measure), np.iinfo(np.int64).max).argmin(axis=1)
    best = kernels.choose(backend, terms, letters, subsets, measure=measure, allowed=allowed, contained=contained)
    assert best.tolist() == expected.tolist()


def check_partition(
    partition: kernels.Partition, s: int, g: int, answers: list[str], guess: str, scoring: Scoring = "wordle"
) -> None:
    cells = Counter(pattern(guess, answer, scoring=scoring) for answer in answers)
    sizes = np.array(list(cells.values()))
    assert partition.sizes[s] == len(answers)
    assert partition.patterns[s, g] == len(cells)
    assert partition.largest[s, g] == sizes.max()
    assert partition.sum_squares[s, g] == (sizes**2).sum()
    assert partition.contains[s, g] == (guess in answers)
    assert partition.expected[s, g] == pytest.approx((sizes**2).sum() / len(answers))
    share = sizes / len(answers)
    assert partition.entropy[s, g] == pytest.approx(-(share * np.log2(share)).sum(), abs=1e-6)


def test_every_device_computes_the_same_bits(backend: Backend) -> None:
    chosen = [GUESSES[i] for i in np.random.default_rng(5).choice(len(GUESSES), 200, replace=False)]
    partition = kernels.partition(backend, terms_of(chosen), ANSWERS.letters)
    nlogn = kernels.nlogn_table(len(ANSWERS))
    for g, (guess, sizes) in enumerate(recorded("wordle/cells", lambda: [[word, cell_sizes(word)] for word in chosen])):
        assert guess == chosen[g]
        assert partition.patterns[0, g] == len(sizes)
        assert partition.largest[0, g] == max(sizes)
        assert partition.sum_squares[0, g] == sum(size**2 for size in sizes)
        assert partition.sum_nlogn[0, g] == nlogn[sizes].sum()
        assert partition.contains[0, g] == (guess in ANSWERS)
    assert np.array_equal(partition.entropy[0], np.log2(2315.0) - partition.sum_nlogn[0] / (2.0**32 * 2315.0))


def cell_sizes(guess: str) -> list[int]:
    """Return the numbers of answers of the cells of a guess, by the rules."""
    return sorted(Counter(rules.pattern(guess, answer) for answer in ANSWERS).values())


def test_n_log_n_is_right_to_its_last_bit() -> None:
    exact = [round(Fraction(n * 2**32) * Fraction(str(Decimal(n).ln() / Decimal(2).ln()))) for n in range(1, 3000, 7)]
    assert np.abs(kernels.nlogn_table(2999)[1::7] - exact).max() <= 1
    assert kernels.nlogn_table(4)[[0, 1, 2, 4]].tolist() == [0, 0, 2 << 32, 8 << 32]


def test_an_empty_subset_is_refused(backend: Backend) -> None:
    with pytest.raises(ValueError, match="empty subset"):
        kernels.partition(backend, terms_of(["salet"]), ANSWERS.letters, [np.array([], np.int64)])


def test_the_sum_of_all_patterns_is_the_published_one(backend: Backend) -> None:
    total = 0
    for letters in np.array_split(GUESSES.letters, 8):
        total += int(kernels.pattern_matrix(backend, kernels.terms_of(letters), ANSWERS.letters).sum(dtype=np.int64))
    assert total == 1_104_289_238


def test_presence_differs_on_the_published_share_of_pairs(backend: Backend) -> None:
    matrices = [
        kernels.pattern_matrix(backend, GUESSES.terms, ANSWERS.letters, scoring=scoring) for scoring in rules.SCORINGS
    ]
    assert round(100 * float(np.mean(matrices[0] != matrices[1])), 2) == 10.13


# guess, patterns, largest cell, sum of squares, entropy: against the 2,315 answers
PUBLISHED = """
trace 150  246  171357 5.83055
crate 148  246  168763 5.83487
salet 148  221  164995 5.83458
slate 147  221  165691 5.85578
raise 132  168  141217 5.87791
soare 127  183  144227 5.88596
roate 126  195  139883 5.88278
tares 128  227  165623 5.74255
qajaq  18 1369 2141623 1.89184
"""
# and against all 12,972 words
PUBLISHED_ALL = """
tares 212 858 3923922 6.19405
lares 192 832 3745512 6.14992
salet 194 865 4328120 6.01684
"""


@pytest.mark.parametrize(("figures", "answers"), [(PUBLISHED, ANSWERS.letters), (PUBLISHED_ALL, GUESSES.letters)])
def test_the_published_partition_figures(backend: Backend, figures: str, answers: kernels.Letters) -> None:
    rows = [line.split() for line in figures.split("\n") if line]
    partition = kernels.partition(backend, terms_of([row[0] for row in rows]), answers)
    for i, (_, patterns, largest, sum_squares, entropy) in enumerate(rows):
        assert partition.patterns[0, i] == int(patterns)
        assert partition.largest[0, i] == int(largest)
        assert partition.sum_squares[0, i] == int(sum_squares)
        assert f"{partition.entropy[0, i]:.5f}" == entropy


def test_the_published_best_guesses(backend: Backend) -> None:
    partition = kernels.partition(backend, GUESSES.terms, ANSWERS.letters)

    def words(mask: np.ndarray) -> str:
        return " ".join(GUESSES[i] for i in np.flatnonzero(mask[0]))

    assert words(partition.patterns == partition.patterns.max()) == "trace"
    assert words(partition.largest == partition.largest.min()) == "aesir arise raise reais serai"
    assert words(partition.sum_squares == partition.sum_squares.min()) == "roate"
    assert words(partition.entropy == partition.entropy.max()) == "soare"
    assert words(partition.entropy == partition.entropy.min()) == "qajaq"
    assert partition.contains.sum() == len(ANSWERS)
