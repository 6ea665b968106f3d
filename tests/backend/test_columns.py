"""Operations on 64 columns compared with NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from gpusolve.backend.intrinsics.columns import WIDTH, add_before, add_ranked, copy, distinct, gather, same


@njit
def _ranked(table: Any, starts: Any, first: int, count: int, column: int, steps: Any, step: int, out: Any) -> None:
    add_ranked(table, starts, first, count, column, steps, step, out)


@njit
def _before(table: Any, starts: Any, first: int, count: int, weights: Any, column: int, out: Any) -> None:
    add_before(table, starts, first, count, weights, column, out)


@njit
def _moved(table: Any, columns: Any, out: Any) -> None:
    copy(table, 3, out, 5)
    gather(table, 7, columns, len(columns), out, 80)


@njit
def _compared(table: Any, starts: Any, out: Any) -> Any:
    return distinct(table, starts, len(starts), 9, out), same(table, starts, starts[::-1].copy(), 2, 9, ~np.uint64(0))


@pytest.mark.parametrize(("count", "kinds"), [(1, 2), (2, 2), (9, 3), (256, 1), (256, 40)])
def test_each_byte_adds_a_step_by_its_rank_among_equal_bytes(count: int, kinds: int) -> None:
    random = np.random.default_rng(count)
    table = random.integers(0, kinds, (count + 2, 200), dtype=np.uint8)
    starts = random.permutation(count + 2) * 200
    steps = random.integers(-9, 9, 300).astype(np.int32)
    found = np.arange(200, dtype=np.int32)
    _ranked(table.reshape(-1), starts, 2, count, 70, steps, 11, found)
    rows = table[starts[2:] // 200, 70 : 70 + WIDTH].astype(int)
    expected = np.arange(200)
    for i, row in enumerate(rows):
        ranks = (rows[:i] == row).sum(axis=0)
        expected[70 : 70 + WIDTH] += [steps[12 : 12 + k].sum() for k in ranks]
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize(("count", "kinds"), [(0, 1), (1, 2), (9, 3), (300, 1), (300, 40)])
def test_weights_of_earlier_equal_bytes_are_added_up(count: int, kinds: int) -> None:
    random = np.random.default_rng(count)
    table = random.integers(0, kinds, (count + 3, 200), dtype=np.uint8)
    starts = random.permutation(count + 3) * 200
    weights = random.integers(0, 200, count + 3).astype(np.uint16)
    found = np.full(WIDTH, 7, np.uint16)
    _before(table.reshape(-1), starts, 2, count, weights, 70, found)
    rows = table[starts[2:] // 200, 70 : 70 + WIDTH]
    expected = ((rows[:count] == rows[count]) * weights[2 : 2 + count, None].astype(int)).sum(axis=0)
    assert found.tolist() == expected.tolist()


def test_bytes_are_moved() -> None:
    table, columns = np.random.default_rng(1).integers(0, 256, 200).astype(np.uint8), np.array([5, 0, 99])
    found = np.zeros(90, np.uint8)
    _moved(table, columns, found)
    assert (found[5 : 5 + WIDTH] == table[3 : 3 + WIDTH]).all()
    assert (found[80:83] == table[7 + columns]).all()
    assert np.count_nonzero(found[:5]) == np.count_nonzero(found[83:]) == 0


def test_columns_and_rows_are_compared() -> None:
    table = np.random.default_rng(2).integers(0, 4, (5, 100), dtype=np.uint8)
    starts, found = np.arange(5) * 100, np.zeros(WIDTH, np.uint8)
    most, equal = _compared(table.reshape(-1), starts, found)
    columns = table[:, 9 : 9 + WIDTH]
    assert found.tolist() == [len(set(column)) for column in columns.T]
    assert most == found.max()
    both = (columns[0] == columns[4]) & (columns[1] == columns[3])
    assert [equal >> x & 1 for x in range(WIDTH)] == both.astype(int).tolist()
