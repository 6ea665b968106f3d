"""Races: two threads access the same element, one writes, and no barrier separates them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Program
from gpusolve.testing.extent import Extent
from gpusolve.testing.profiling.parts import Fault, Race
from gpusolve.testing.profiling.watching import find_races
from gpusolve.testing.tools import need_emulation

PROGRAM = Program(Path(__file__).with_name("races.cu"), twins="")
ITEMS = {1: 512, 32: 32, 256: 3}
"""Items by the threads of an item: two blocks share them, so that a block of threads processes two items of its own."""


def marked() -> dict[str, set[frozenset[int]]]:
    """Return the pairs of lines that race, by kernel: from the comments in the text."""
    found: dict[str, set[frozenset[int]]] = {}
    kernel, first = "", 0
    for number, line in enumerate(PROGRAM.source.read_text().splitlines(), 1):
        if match := re.search(r"__global__ void (\w+)\(", line):
            kernel = match[1]
            found[kernel] = set()
        elif line.endswith("// first"):
            first = number
        elif line.endswith("// second"):
            found[kernel].add(frozenset((first, number)))
        elif line.endswith("// both"):
            found[kernel].add(frozenset((number,)))
    return found


MARKED = marked()


def races(name: str) -> tuple[Race | Fault, ...]:
    kernel = PROGRAM.kernel(name)
    random = np.random.default_rng(1)
    given: list[Any] = [0, ITEMS[kernel.threads]]
    given += [
        random.integers(0, 100, 1 << 12).astype(parameter.dtype)
        if parameter.constant
        else np.zeros(1 << 12, parameter.dtype)
        for parameter in kernel.parameters[2:]
    ]
    return find_races(PROGRAM.text, kernel, Extent.of(2, 256), tuple(given))


@pytest.mark.parametrize("name", [name for name, pairs in MARKED.items() if pairs])
def test_a_planted_race_is_found(name: str) -> None:
    need_emulation()
    found = {frozenset((race.first.line, race.second.line)) for race in races(name) if isinstance(race, Race)}
    assert MARKED[name] <= found
    assert set().union(*found) == set().union(*MARKED[name])  # and no other line is accused


@pytest.mark.parametrize("name", [name for name, pairs in MARKED.items() if not pairs])
def test_ordered_accesses_are_no_race(name: str) -> None:
    need_emulation()
    assert races(name) == ()


def test_there_are_twenty() -> None:
    assert sum(bool(pairs) for pairs in MARKED.values()) == 20


def test_a_race_names_both_lines_and_threads() -> None:
    need_emulation()
    (race,) = races("neighbour")  # the early read is the race's, and no second fault
    assert isinstance(race, Race)
    lines = dict(enumerate(PROGRAM.source.read_text().splitlines(), 1))
    assert race.array == "cells"
    assert race.space == "shared"
    assert abs(race.first.thread - race.second.thread) == 1
    assert {race.first.verb, race.second.verb} == {"writes", "reads"}
    assert race.first.text == lines[race.first.line].strip()
    assert str(race) == (
        f"race on cells[{race.element}] in shared memory: thread {race.first.thread} {race.first.verb} it in "
        f"races.cu:{race.first.line} and thread {race.second.thread} {race.second.verb} it in "
        f"races.cu:{race.second.line}, and no barrier separates them"
    )
