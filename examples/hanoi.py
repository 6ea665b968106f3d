"""The Tower of Hanoi with four pegs, in NumPy and a function that Numba compiles: `python examples/hanoi.py 8`.

Frame and Stewart's way is the shortest (Bousch, "La quatrieme tour de Hanoi", 2014): 1, 3, 5, 9 ... (OEIS A007664).
"""

import sys

import numpy as np

from gpusolve.backend import Array
from gpusolve.backend.compiled import compiled
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.problem import Problem

PEGS = 4
FROM, TO = np.array([(a, b) for a in range(PEGS) for b in range(PEGS) if a != b]).T


@compiled
def tops_of(states: Array) -> Array:
    """Return the smallest disc on each peg, or the number of discs if there is none: shape (count, pegs)."""
    tops = np.full((states.shape[1], PEGS), len(states), np.uint8)
    for state in range(states.shape[1]):
        for disc in range(len(states) - 1, -1, -1):
            tops[state, states[disc, state]] = disc
    return tops


class Hanoi(Problem):
    """A state has the peg of each disc, the smallest first; a move is a pair of pegs."""

    is_consistent = True

    def __init__(self, start: list[int], goal: list[int]) -> None:
        super().__init__("cpu")
        self.root, self.goal = (np.array(state, np.uint8)[:, None] for state in (start, goal))

    def costs(self, states: Array) -> Array:
        """Return 1 for each pair of pegs whose first has the smaller top."""
        return np.less(*(tops_of(states)[:, pegs] for pegs in (FROM, TO))).astype(np.uint8)

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the states after moves."""
        made = states[:, parents]
        made[tops_of(states)[parents, FROM[moves]], np.arange(len(moves))] = TO[moves]
        return made

    def heuristic(self, states: Array) -> Array:
        """Return how many discs are not on their peg."""
        return (states != self.goal).sum(axis=0)

    @property
    def inverse(self) -> Problem:
        """The way back."""
        return Hanoi(self.goal[:, 0].tolist(), self.root[:, 0].tolist())


if __name__ == "__main__":
    discs = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    print(bidirectional(Hanoi([0] * discs, [3] * discs)))
