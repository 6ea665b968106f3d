"""Groups of four from each pair: the same groups as when every closest pair grows word by word, and every group."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from games.wordle.grouping.oracle import similar_words, solvable
from gpusolve.backend import open_backend
from gpusolve.games.wordle import groups
from gpusolve.games.wordle.grouping import quadruples
from gpusolve.games.wordle.grouping.kernels import Separation
from gpusolve.games.wordle.grouping.quadruples import Quadruples
from gpusolve.games.wordle.wordlist import WordList, word_list

CPU = open_backend("cpu")
ANSWERS = word_list("wordle-answers")
ENDS = Counter(word[1:] for word in ANSWERS)
ALIKE = WordList(sorted(word for word in ANSWERS if ENDS[word[1:]] > 4))
"""Words that agree with four or more others in all letters but the first."""


def _grown(answers: WordList, guesses: WordList) -> set[tuple[int, ...]]:
    """Return the groups of four that the kernels for larger groups find: pairs, triples, then the fourth word."""
    separation = Separation.of(CPU, guesses, answers)
    least = -(-separation.counted // 2)
    pairs = separation.pairs(-(-separation.counted // 6))
    counts, larger = separation.extended(CPU.asarray(pairs), least)
    triples = larger(np.flatnonzero(counts))
    counts, larger = separation.confused(triples, separation.counted)
    quadruples = larger(np.flatnonzero(counts))
    unsolved = CPU.to_host(quadruples)[separation.turns(quadruples) > 2]
    return {tuple(sorted(group)) for group in unsolved.tolist()}


def _found(answers: WordList, guesses: WordList) -> tuple[set[tuple[int, ...]], npt.NDArray[np.int32]]:
    separation = Separation.of(CPU, guesses, answers)
    pairs = separation.pairs(-(-separation.counted // 6))
    found = Quadruples.of(separation, pairs).around(pairs)
    return {tuple(sorted(group)) for group in found.tolist()}, found


@pytest.mark.parametrize("guesses", [ALIKE, WordList(sorted({*ALIKE, *ANSWERS[::5]}))])
@pytest.mark.parametrize("direct", [0, 30, 200])
def test_the_groups_are_those_of_growing_word_by_word(
    monkeypatch: pytest.MonkeyPatch, guesses: WordList, direct: int
) -> None:
    monkeypatch.setattr(quadruples, "DIRECT", direct)
    found, rows = _found(ALIKE, guesses)
    assert found == _grown(ALIKE, guesses)
    assert len(found) > 10
    assert {len(set(row)) for row in rows.tolist()} == {4}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("direct", [0, 200])
def test_few_words(monkeypatch: pytest.MonkeyPatch, seed: int, direct: int) -> None:
    monkeypatch.setattr(quadruples, "DIRECT", direct)
    answers, guesses = similar_words(seed)
    expected = [list(group) for group in combinations(answers, 4) if not solvable(group, 2, guesses)]
    assert groups(answers=answers, size=4, guesses=guesses, backend=CPU).groups == expected


def test_more_groups_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = _found(ALIKE, ALIKE)
    monkeypatch.setattr(quadruples, "ROOM", 1)
    assert _found(ALIKE, ALIKE)[0] == found
