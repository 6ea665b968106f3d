"""Solvers on the CPU, whose tables of line scores are made once."""

from __future__ import annotations

import pytest

from games.queuedle.oracle import CPU, LONG, PUBLISHED, SMALL, WORDS
from gpusolve.games.queuedle.search.searches import Solver


@pytest.fixture(scope="session")
def solver() -> Solver:
    return Solver(PUBLISHED, dictionary=WORDS, backend=CPU)


@pytest.fixture(scope="session")
def small() -> Solver:
    return Solver(SMALL, dictionary=WORDS, backend=CPU)


@pytest.fixture(scope="session")
def long() -> Solver:
    return Solver(LONG, dictionary=WORDS, backend=CPU)
