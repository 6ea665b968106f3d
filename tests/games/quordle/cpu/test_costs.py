"""The costs of guesses on the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.games.quordle import Variant, joint
from gpusolve.games.quordle.cpu.costs import _add_costs
from gpusolve.games.wordle.wordlist import word_list


@pytest.mark.parametrize("count", [2, 3, 70, 255, 256, 400])
def test_counting_in_bytes_and_in_cells_gives_the_same_costs(count: int) -> None:
    backend = open_backend("cpu")
    tables = joint.prepare(backend, Variant.load(word_list("wordle-answers")[: 5 * count : 5]))
    fit = np.arange(count)
    costs = np.zeros(tables.codes.shape[1], np.int32)
    _add_costs(tables.codes, fit, tables.nlogn, tables.guesses, costs, np.empty_like(costs))
    costs[tables.own] -= joint.SOLVE // count
    assert (costs[: tables.guesses] == joint.costs(backend, [fit], 9, tables)).all()
