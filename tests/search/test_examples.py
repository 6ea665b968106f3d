"""The examples of puzzles: published counts, diameters and lengths, and that each has at most 60 lines."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.deepening import ida_star
from gpusolve.search.permutations.database import build_database

EXAMPLES = Path(__file__).parents[2] / "examples"
SEARCHES: tuple[Any, ...] = (ida_star, a_star, bidirectional)

sys.path.insert(0, str(EXAMPLES))
hanoi, pancakes, topspin = (import_module(name) for name in ("hanoi", "pancakes", "topspin"))
sys.path.remove(str(EXAMPLES))

STACKS = {  # OEIS A092113: stacks of n pancakes by the number of flips they need
    4: [1, 3, 6, 11, 3],
    5: [1, 4, 12, 35, 48, 20],
    6: [1, 5, 20, 79, 199, 281, 133, 2],
    7: [1, 6, 30, 149, 543, 1357, 1903, 1016, 35],
    8: [1, 7, 42, 251, 1191, 4281, 10561, 15011, 8520, 455],
    9: [1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804],
    10: [1, 9, 72, 575, 3963, 22825, 106461, 377863, 919365, 1309756, 814678, 73232],
}
MOST_FLIPS = {2: 1, 3: 3, 4: 4, 5: 5, 6: 7, 7: 8, 8: 9, 9: 10, 10: 11}  # OEIS A058986
FRAME_STEWART = [1, 3, 5, 9, 13, 17, 25, 33]  # OEIS A007664, proven for four pegs by Bousch (2014)
TWELVE = [3, 1, 6, 8, 4, 2, 0, 5, 7, 11, 9, 10]


@pytest.mark.parametrize("name", ["hanoi", "pancakes", "topspin"])
def test_examples_are_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("count", MOST_FLIPS)
def test_the_number_of_stacks_by_flips(count: int) -> None:
    counts = build_database(pancakes.flips(count), range(count), backend="cpu").counts.tolist()
    assert len(counts) - 1 == MOST_FLIPS[count]
    assert counts == STACKS.get(count, counts)


def test_every_stack_of_five_pancakes_is_sorted_in_the_least_number_of_flips() -> None:
    lengths = [search(pancakes.Pancakes(stack)).cost for search in SEARCHES for stack in permutations(range(5))]
    assert np.bincount(lengths).tolist() == [3 * count for count in STACKS[5]]


def test_twelve_pancakes_are_proven_in_a_few_nodes() -> None:
    found = {search: search(pancakes.Pancakes(np.argsort(TWELVE).tolist()), batch=1) for search in SEARCHES}
    assert {(solution.cost, solution.proven) for solution in found.values()} == {(11, True)}
    assert (found[ida_star].expanded, found[ida_star].generated) == (37, 368)


@pytest.mark.parametrize("discs", range(1, len(FRAME_STEWART) + 1))
def test_the_tower_of_hanoi_with_four_pegs(discs: int) -> None:
    puzzle = hanoi.Hanoi([0] * discs, [3] * discs)
    for search in SEARCHES[1:] if discs > 4 else SEARCHES:
        solution = search(puzzle)
        assert (solution.cost, solution.proven) == (FRAME_STEWART[discs - 1], True)


def test_top_spin_is_solved_alike_by_every_search() -> None:
    database = build_database(topspin.turns(10, 4), range(4), backend="cpu")
    chance, moves = np.random.default_rng(0), np.array(topspin.turns(10, 4))
    for depth in (3, 6, 9):
        state = np.arange(10)
        for move in chance.integers(0, 10, depth):
            state = moves[move, state]
        puzzle = topspin.top_spin(np.argsort(state).tolist(), 4, database)
        costs = {(solution.cost, solution.proven) for solution in (search(puzzle) for search in SEARCHES)}
        assert len(costs) == 1
        assert costs.pop()[0] <= depth


def rings_by_plain_search(places: int) -> list[int]:
    """Count the rings by the number of turns that they need, with sets of tuples and slices of lists."""
    counts: list[int] = []
    seen = reached = {tuple(range(places))}
    while reached:
        counts.append(len(reached))
        made = set()
        for ring in reached:
            for first in range(places):
                turned = list(ring[first:] + ring[:first])
                turned[:4] = turned[3::-1]
                made.add(tuple(turned[places - first :] + turned[: places - first]))
        reached = made - seen
        seen = seen | reached
    return counts


@pytest.mark.parametrize("places", [5, 6, 7, 8])
def test_the_number_of_rings_by_turns(places: int) -> None:
    counts = build_database(topspin.turns(places, 4), range(places), backend="cpu").counts.tolist()
    assert counts == rings_by_plain_search(places)


@pytest.mark.parametrize(("places", "most"), [(6, 5), (7, 6), (8, 9), (9, 9)])
def test_a_turntable_of_four_reaches_the_even_half_of_all_rings(places: int, most: int) -> None:
    """A turn makes two swaps. Where shifting the ring is free, an even one has all orders (Chen and Skiena 1996)."""
    counts = build_database(topspin.turns(places, 4), range(places), backend="cpu").counts
    assert (len(counts) - 1, int(counts.sum())) == (most, factorial(places) // 2)


@pytest.mark.parametrize(("name", "arguments", "end"), [
    ("pancakes", [], "0 1 2 3 4 5 6 7 8 9 10 11"),
    ("hanoi", ["5"], "seconds="),
])  # fmt: skip
def test_examples_run_as_programs(name: str, arguments: list[str], end: str) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", *arguments], capture_output=True, text=True, check=True
    )
    assert end in done.stdout.splitlines()[-1]
