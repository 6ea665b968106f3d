"""Statistics of guesses against weighted answers: against plain Python, and with equal weights."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from gpusolve.backend import open_backend
from gpusolve.games.wordle import Variant, partition_table, rules, simulate, suggest
from gpusolve.games.wordle._play import play
from gpusolve.games.wordle.cpu.weights import LOG_BITS
from gpusolve.games.wordle.weights.partitions import weighted_partition
from gpusolve.games.wordle.wordlist import WordList, word_list

CPU = open_backend("cpu")
ANSWERS = word_list("wordle-answers")


@settings(max_examples=30, deadline=None)
@given(
    st.dictionaries(st.text("abcd", min_size=5, max_size=5), st.integers(0, 10**6), min_size=2, max_size=20),
    st.sampled_from(rules.SCORINGS),
    st.data(),
)
def test_measures_are_those_of_plain_python(
    weights: dict[str, int], scoring: rules.Scoring, data: st.DataObject
) -> None:
    words, guesses = WordList(weights), WordList(data.draw(st.permutations([*weights]))[:6])
    values = np.array([weights[word] for word in words])
    places = st.lists(st.integers(0, len(words) - 1), min_size=1, unique=True).map(sorted)
    subsets = [np.array(data.draw(places)) for _ in range(3)]
    found = weighted_partition(CPU, guesses.terms, words.letters, values, subsets, scoring=scoring)
    for s, subset in enumerate(subsets):
        for g, guess in enumerate(guesses):
            cells: dict[int, list[int]] = {}
            for i in subset.tolist():
                cells.setdefault(rules.mark(guess, words[i], scoring), []).append(weights[words[i]])
            assert found.patterns[s, g] == len(cells)
            assert found.largest[s, g] == max(map(len, cells.values()))
            assert found.sum_squares[s, g] == sum(sum(cell) * len(cell) for cell in cells.values())
            assert found.sum_heaviest[s, g] == sum(map(max, cells.values()))
            assert found.own[s, g] == sum(cells.get(rules.SOLVED, [0]))
            assert found.contains[s, g] == (rules.SOLVED in cells)
            logs = sum(mass * math.log2(mass) for mass in map(sum, cells.values()) if mass)
            below = logs * 2**LOG_BITS - found.sum_nlogn[s, g]
            assert -1e-9 * logs * 2**LOG_BITS <= below <= 1.01 * sum(map(sum, cells.values())) + 1
        assert found.weights[s] == values[subset].sum()


def test_equal_weights_give_the_table_without_weights() -> None:
    plain = partition_table(guesses=["salet", "raise", "qajaq"], backend=CPU)
    equal = partition_table(guesses=["salet", "raise", "qajaq"], weights=[3] * len(ANSWERS), backend=CPU)
    assert equal.columns()["guess"] == plain.columns()["guess"]
    assert equal.columns()["entropy"] == pytest.approx(plain.columns()["entropy"], abs=1e-6)
    assert equal.columns()["expected"].tolist() == plain.columns()["expected"].tolist()
    assert (equal.weight, plain.weight) == (3 * 2315, 2315)


def test_a_likely_answer_comes_first() -> None:
    weights = dict.fromkeys(["batch", "catch", "hatch", "latch", "match", "patch", "watch"], 1) | {"watch": 1000}
    table = suggest([], Variant.load(weights=weights), backend=CPU)
    assert table.best == "watch"
    first = {name: values[0] for name, values in table.columns(1).items()}
    assert first["solved_now"] == pytest.approx(1000 / 1006)
    assert first["solved_next"] == pytest.approx(1001 / 1006)  # the other answers are one cell


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("sort", rules.MEASURES)
def test_simulations_are_the_games_of_play(mode: rules.Mode, sort: rules.Measure) -> None:
    random = np.random.default_rng(3)
    some = {ANSWERS[i]: int(random.integers(0, 50)) for i in range(0, len(ANSWERS), 77)}
    variant = Variant.load(ANSWERS[::7] + [word for word in some if word not in ANSWERS[::7]], weights=some, mode=mode)
    simulation = simulate(variant, sort=sort, backend=CPU)
    turns = [len(play(answer, variant, sort=sort, backend=CPU)) for answer in variant.answers]
    assert simulation.turns.tolist() == turns
    weighted = [some[answer] * n for answer, n in zip(variant.answers, turns, strict=True)]
    assert (simulation.total, simulation.weight) == (sum(weighted), sum(some.values()))
    in_time = [some[answer] for answer, n in zip(variant.answers, turns, strict=True) if n <= rules.GUESSES]
    assert simulation.won == sum(in_time) / sum(some.values())
