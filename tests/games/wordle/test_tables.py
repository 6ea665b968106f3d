"""Tables of guesses: their rankings, their columns, and how they are displayed."""

from __future__ import annotations

import re

import numpy as np

from gpusolve.backend import open_backend
from gpusolve.games.wordle import Variant, partition_table, rules, simulate
from gpusolve.games.wordle.rules import Measure
from gpusolve.games.wordle.wordlist import word_list

GUESSES, ANSWERS = word_list("wordle-guesses"), word_list("wordle-answers")
CPU = open_backend("cpu")


def test_rankings_follow_their_measure_and_prefer_possible_answers() -> None:
    table = partition_table(backend=CPU)
    partition = table.partition
    measured: dict[Measure, np.ndarray] = {
        "entropy": -partition.entropy[0],
        "expected": partition.expected[0],
        "patterns": -partition.patterns[0],
        "largest": partition.largest[0],
    }
    for measure, values in measured.items():
        order = table.ranking(measure)
        assert sorted(order.tolist()) == list(range(len(GUESSES)))
        ranked = values[order]
        assert (np.diff(ranked) >= 0).all(), measure
        tied = np.flatnonzero(np.diff(ranked) == 0)
        possible = partition.contains[0][order]
        assert not (~possible[tied] & possible[tied + 1]).any(), measure
    best = [GUESSES[table.ranking(measure)[0]] for measure in rules.MEASURES]
    assert best == ["soare", "roate", "trace", "arise"]


def test_columns_follow_the_ranking() -> None:
    table = partition_table(backend=CPU)
    columns = table.columns()
    assert {len(values) for values in columns.values()} == {len(GUESSES)}
    assert columns["guess"] == [GUESSES[i] for i in table.ranking()]
    assert columns["entropy"].tolist() == table.partition.entropy[0][table.ranking()].tolist()
    assert {name: list(values) for name, values in table.columns(3).items()} == {
        name: list(values[:3]) for name, values in columns.items()
    }
    assert all(values.ndim == 1 for name, values in columns.items() if name != "guess")


def test_results_have_a_short_repr_and_a_table_for_notebooks() -> None:
    table = partition_table(backend=CPU)
    assert repr(table) == "<PartitionTable: 12,972 guesses x 2,315 answers, by entropy; the best soare>"
    assert repr(table.partition) == "<Partition of 1 subset of the answers by 12,972 guesses>"
    page = table._repr_html_()
    assert page.count("<tr>") == 21
    assert "guesses, by entropy</caption>" in page
    assert "12,972 guesses x 2,315 answers, scoring wordle, by entropy" in page
    assert re.search(r'<td>soare</td>(<td class="figure">[\d,]+</td>){3}<td class="figure">5.88596</td>', page)
    result = simulate(Variant.load(answers=ANSWERS[::40]), backend=CPU)
    assert repr(result) == f"<Simulation: 58 answers, mean {result.mean:.5f} guesses, 0 lost>"
    assert result._repr_html_().count("<tr>") == len(result.distribution)
