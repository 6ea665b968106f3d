"""The contract between a heuristic search and a puzzle: moves with costs, a goal, and a lower bound on what is left.

A search asks for whole batches of states, as beams do (see `space`), so that a puzzle written with NumPy alone is
searched at millions of nodes per second on a core, one with kernels at ten million, and states can live on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, open_backend
from gpusolve.errors import BadInput

MOST_COST = 2**27
"""Costs and estimates of paths stay below this: the queue has a place for each of their values."""
EAGER = 8
"""A batch is at most this fraction of the nodes expanded before it, so that a small search stays a small one."""
Progress = Callable[[int, int], object]
"""A callback with the number of nodes expanded so far and the proven lower bound on the cost."""


class Problem:
    """A puzzle: a state to begin with, moves with costs, and a goal. Subclasses say what a move does.

    States are one array of unsigned integers on the device, shape (fields, count): each column is a state. A puzzle
    needs `root`, `costs` and `make`, and either `goal` or `is_goal`; everything else has a default.

    Attributes
    ----------
    backend : Backend
        The device that the states live on; its ``xp`` is NumPy or CuPy. By default the CPU.
    root : Array, shape (fields, 1)
        The state that the search begins with.
    goal : Array, shape (fields, 1)
        The state to reach, unless `is_goal` is overridden.
    is_consistent : bool
        Whether the heuristic never drops by more than the cost of a move. Searches from both sides then use BAE*.
    """

    backend: Backend
    root: Array
    goal: Array
    is_consistent: bool = False

    def __init__(self, backend: Backend | str | None = "cpu") -> None:
        self.backend = open_backend(backend)

    def costs(self, states: Array) -> Array:
        """Return the cost of every move of each state, 0 for a move that is not allowed.

        Parameters
        ----------
        states : Array, shape (fields, count)

        Returns
        -------
        Array of unsigned integers, shape (count, moves)
        """
        raise NotImplementedError

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the states that allowed moves lead to.

        Parameters
        ----------
        states : Array, shape (fields, count)
        parents : Array of int32, shape (children,)
            For each child, the column of its parent.
        moves : Array of uint16, shape (children,)
            For each child, its parent's move.

        Returns
        -------
        Array, shape (fields, children)
        """
        raise NotImplementedError

    def is_goal(self, states: Array) -> Array:
        """Return for each state whether it is a goal, bool (count,)."""
        return (states == self.goal).all(axis=0)

    def heuristic(self, states: Array) -> Array:
        """Return a lower bound on the cost from each state to the goal, integers (count,); by default 0."""
        return self.backend.xp.zeros(states.shape[1], np.int32)

    @property
    def automaton(self) -> Array | None:
        """Which moves may follow which, for iterative deepening: int32 (nodes, moves); by default None.

        It has the next node for each node and move, or -1 for a move that is not worth trying because another path of
        the same cost is tried. The root has node 0. Without it, only moves that lead straight back are left out.
        """
        return None

    @property
    def surplus(self) -> Callable[[Array, Array, Array], Array] | None:
        """A function that tells iterative deepening which moves are worth making; by default None.

        It is for puzzles that know the heuristic behind a move before they make the state. It takes states, the room of
        each, int32 (count,), and the node of the automaton of each, int32 (count,). It returns by how much the cost of
        each move and the heuristic behind it exceed the room, uint8 (count, moves): 0 if they do not, 254 also for
        more, and 255 for a move that is not allowed, by the rules or by the automaton.
        """
        return None

    def identity(self, states: Array) -> Array:
        """Return words that are equal only for equal states, uint64 (words, count); by default the fields, packed."""
        xp, size = self.backend.xp, states.dtype.itemsize
        per_word = 8 // size
        words = -(-len(states) // per_word)
        packed = xp.zeros((words, states.shape[1]), np.uint64)
        for field in range(len(states)):
            packed[field // per_word] |= states[field].astype(np.uint64) << np.uint64(8 * size * (field % per_word))
        return packed

    @property
    def inverse(self) -> Problem | None:
        """The problem from the goal to the root, or None if it is unknown: for searches from both sides.

        Its moves undo those of this problem at the same costs. It has the same states, and its `root` has a column for
        each goal. Its heuristic is a lower bound on the cost from the root of this problem.
        """
        return None


@dataclass(frozen=True)
class Solution:
    """What a search has found, and what it has proven.

    Attributes
    ----------
    moves : list of int or None
        The moves from the root to a goal; None if none was found.
    cost : int or None
        Their cost.
    lower_bound : int
        No solution costs less, provided that the heuristic overestimates nothing.
    proven : bool
        Whether no solution costs less than this one or, without moves, there is no solution.
    expanded : int
        Number of nodes whose moves were examined.
    generated : int
        Number of allowed moves that they had.
    seconds : float
        Duration of the search.
    """

    moves: list[int] | None
    cost: int | None
    lower_bound: int
    proven: bool
    expanded: int
    generated: int
    seconds: float


def check_problem(problem: Problem, *, roots: int = 1) -> None:
    """Raise BadInput unless the root of a problem has as many states as expected (0: any number)."""
    shape = problem.root.shape
    if len(shape) != 2 or not shape[1] or (roots and shape[1] != roots):
        raise BadInput(f"root of shape {shape}: expected (fields, {roots or 'count'})")


def replayed(problem: Problem, moves: list[int]) -> int:
    """Return the cost of a path that a search has found.

    Raises BadInput if the rules contradict themselves on it: if a move is not allowed, if it does not end at a goal, or
    if the heuristic exceeds the cost that is left, so that nothing would be proven.
    """
    xp, state, costs, estimates = problem.backend.xp, problem.root, [], []
    for move in moves:
        estimates.append(int(problem.heuristic(state)[0]))
        costs.append(int(problem.costs(state)[0, move]))
        if not costs[-1]:
            raise BadInput(f"move {move} after {len(costs) - 1}: not allowed: expected the moves that `costs` allows")
        state = problem.make(state, xp.zeros(1, xp.int32), xp.full(1, move, xp.uint16))
    if not bool(problem.is_goal(state)[0]):
        raise BadInput(f"{len(moves)} moves: they do not lead to the goal: expected `make` to be a function")
    left = sum(costs)
    for estimate, cost in zip([*estimates, int(problem.heuristic(state)[0])], [*costs, 0], strict=True):
        if estimate > left:
            raise BadInput(f"heuristic {estimate}: expected at most {left}, the cost of a path to the goal")
        left -= cost
    return sum(costs)


def allowed_moves(problem: Problem, allowed: Array) -> tuple[Array, Array]:
    """Return the parents, int32, and the moves, uint16, of the entries of a matrix that are true, from the last on.

    A stack then gives the first move first.
    """
    places = problem.backend.xp.flatnonzero(allowed)[::-1].astype(np.uint32)
    moves = np.uint32(allowed.shape[1])
    parents = places // moves
    return parents.astype(np.int32), (places - parents * moves).astype(np.uint16)


def batch_size(batch: int, expanded: int) -> int:
    """Return the number of nodes to expand next: at most `batch`, and few at the beginning."""
    return min(batch, 1 + expanded // EAGER)


def resized(array: npt.NDArray[Any], capacity: int) -> npt.NDArray[Any]:
    """Return a copy of an array on the host with another length of its last axis; new elements are not set."""
    new = np.empty((*array.shape[:-1], capacity), array.dtype)
    kept = min(capacity, array.shape[-1])
    new[..., :kept] = array[..., :kept]
    return new
