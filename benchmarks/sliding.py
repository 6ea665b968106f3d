"""Sliding tiles: finding the strings of moves that a search need never make."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from statistics import median

from gpusolve.backend import Backend
from gpusolve.games.sliding.automata import Automaton, automaton
from gpusolve.games.sliding.strings import Choice
from harness import Row, side_by_side

DEPTH = 14


def rows(backend: Backend) -> list[Row]:
    """The automaton of the 24-puzzle, found anew each time, on one core; and read from its file."""
    choices: tuple[Choice, ...] = ("first", "smallest", "square")
    found: dict[str, Automaton] = {}

    def find(choice: Choice) -> None:
        with tempfile.TemporaryDirectory() as place:
            os.environ["GPUSOLVE_TABLES"] = place
            found[choice] = automaton(depth=DEPTH, choice=choice)

    before = os.environ.get("GPUSOLVE_TABLES")
    try:
        seconds = side_by_side({choice: partial(find, choice) for choice in choices}, backend, rounds=3)
    finally:
        del os.environ["GPUSOLVE_TABLES"]
        if before is not None:
            os.environ["GPUSOLVE_TABLES"] = before
    return [
        Row(
            f"automaton of the 24-puzzle, depth {DEPTH}, {choice}",
            median(seconds[choice]),
            f"{found[choice].count:,} strings, {found[choice].states:,} states",
            f"branching factor {found[choice].branching_factors()[0]:.5f}",
        )
        for choice in choices
    ]
