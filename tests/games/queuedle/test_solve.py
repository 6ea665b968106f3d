"""The public function ``solve``: which parameters apply to which strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.queuedle.oracle import CPU, LONG, SMALL, WORDS, outcome
from gpusolve.errors import BadInput
from gpusolve.games.queuedle._solve import STRATEGIES, solve
from gpusolve.games.queuedle.search.searches import Solver


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_parameter_that_does_not_apply_to_the_strategy_is_refused(strategy: Any) -> None:
    given: dict[str, Any] = {
        "heuristic": "score", "width": 5, "expanded": 5, "batch": 5, "lossy": True, "endings": 1, "states": 9,
        "restarts": 2, "memory": 4096, "workers": "2", "seed": 1, "checkpoint": Path("x"), "resume": Path("x"),
    }  # fmt: skip
    assert {name for names in STRATEGIES.values() for name in names} == given.keys()
    for name in given.keys() - set(STRATEGIES[strategy]):
        with pytest.raises(BadInput, match=f"^{name}: expected with strategy .*, not {strategy}$"):
            solve(SMALL, dictionary=WORDS, strategy=strategy, backend=CPU, **{name: given[name]})


def test_solve_passes_its_parameters_to_the_searches(small: Solver) -> None:
    options: dict[str, Any] = {"width": 100, "heuristic": "potential", "seed": 4, "endings": 1, "memory": 400}
    solution = solve(SMALL, dictionary=WORDS, strategy="beam", backend=CPU, **options)
    assert (outcome(solution), solution.seed) == (outcome(small.beam(**options)), 4)
    options = {"heuristic": "score", "expanded": 90, "batch": 7, "lossy": True}
    solution = solve(SMALL, dictionary=WORDS, strategy="best-first", backend=CPU, **options)
    assert (outcome(solution), solution.seed) == (outcome(small.best_first(**options)), None)


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(BadInput, match="strategy breadth-first: expected one of auto, beam, best-first, exhaustive"):
        solve(SMALL, dictionary=WORDS, strategy="breadth-first")  # type: ignore[arg-type]


def test_workers_are_refused_without_restarts() -> None:
    with pytest.raises(BadInput, match="workers 2: expected together with restarts"):
        solve(LONG, dictionary=WORDS, workers=2, backend=CPU)
