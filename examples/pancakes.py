"""Pancakes: sort a stack by flipping the top of it. A flip is a permutation of places; the heuristic counts gaps.

    python examples/pancakes.py 3 1 6 8 4 2 0 5 7 11 9 10

Two neighbours in the stack that are not neighbours in the sorted one are a gap, and a flip closes one gap at most
(Helmert, "Landmark heuristics for the pancake problem", SoCS 2010). The plate counts as the largest pancake.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from gpusolve.backend import Array
from gpusolve.search.deepening import ida_star
from gpusolve.search.permutations.puzzle import PermutationPuzzle


def flips(count: int) -> list[list[int]]:
    """Return the flips of 2 to `count` pancakes: the place that the pancake in each place goes to."""
    return [[*range(size - 1, -1, -1), *range(size, count)] for size in range(2, count + 1)]


class Pancakes(PermutationPuzzle):
    """A stack to be turned into another one, by default the sorted one."""

    def __init__(self, places: Sequence[int], goal: Sequence[int] | None = None) -> None:
        super().__init__(flips(len(places)), places, goal=goal)
        self._order = np.argsort(self.finish)  # the pancakes from top to bottom at the end

    def heuristic(self, states: Array) -> Array:
        """Return the number of gaps in each stack, from the places of the pancakes that should be neighbours."""
        plate = np.full((1, states.shape[1]), len(states), np.int8)
        places = np.vstack([states[self._order].astype(np.int8), plate])
        return (np.abs(np.diff(places, axis=0)) != 1).sum(axis=0)

    @property
    def inverse(self) -> Pancakes:
        """The way back: a flip undoes itself."""
        return Pancakes(self.finish, self.start)


if __name__ == "__main__":
    stack = [int(pancake) for pancake in sys.argv[1:]] or [3, 1, 6, 8, 4, 2, 0, 5, 7, 11, 9, 10]
    solution = ida_star(Pancakes(np.argsort(stack).tolist()), batch=1)
    assert solution.moves is not None
    print(f"{solution.cost} flips, proven in {solution.expanded} nodes")
    for move in solution.moves:
        stack[: move + 2] = stack[: move + 2][::-1]
        print(*stack)
