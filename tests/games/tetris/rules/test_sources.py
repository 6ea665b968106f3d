"""Sequences of pieces compared with the published probabilities."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest

from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.rules.board import (
    PIECES,
)

NES_TABLE = """
    T 2 10 12 10 10 10 10
    J 12 2 10 10 10 10 10
    Z 10 12 2 10 10 10 10
    O 10 10 10 4 10 10 10
    S 10 10 10 10 4 10 10
    L 12 10 10 10 10 2 10
    I 10 10 10 10 12 10 2
"""


def published_transitions(source: str) -> np.ndarray:
    table = np.full((7, 7), 9) - 7 * np.eye(7, dtype=int)
    if source == "nes":
        lines = [line.split() for line in NES_TABLE.strip().splitlines()]
        order = [PIECES.index(line[0]) for line in lines]
        for previous, line in zip(order, lines, strict=True):
            table[previous, order] = list(map(int, line[1:]))
    return np.asarray(table)


@pytest.mark.parametrize("source", sources.SOURCES)
def test_the_transition_table_agrees_with_simulated_pieces(source: str) -> None:
    counts = np.zeros((7, 7))
    for game in range(10):
        for previous, piece in pairwise(islice(sources.pieces(5, game, source), 4000)):
            counts[previous, piece] += 1
    table = published_transitions(source)
    assert sources.transitions(source).tolist() == table.tolist()
    expected = counts.sum(axis=1, keepdims=True) * table / table.sum(axis=1, keepdims=True)
    assert ((counts - expected) ** 2 / expected).sum() < 79  # chi-squared, 42 degrees of freedom, p = 0.0005


def test_the_consoles_register_has_period_32767() -> None:
    v, steps = sources.lfsr(0x8988), 1
    while v != 0x8988:
        v, steps = sources.lfsr(v), steps + 1
    assert steps == 32_767


def test_pieces_depend_only_on_seed_and_game() -> None:
    for source in sources.SOURCES:
        first = list(islice(sources.pieces(7, 3, source), 50))
        assert first == list(islice(sources.pieces(7, 3, source), 50))
        assert first != list(islice(sources.pieces(7, 4, source), 50))
        assert first != list(islice(sources.pieces(8, 3, source), 50))
