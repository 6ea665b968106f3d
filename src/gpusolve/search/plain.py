"""A problem in plain Python: states of any kind, and functions of one state at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput
from gpusolve.search.problem import Problem

State = TypeVar("State", bound=Hashable)


class PlainProblem(Problem):
    """A problem whose states are Python's tuples, texts, frozen sets or anything else with an equality and a hash.

    Parameters
    ----------
    root : hashable
        The state that the search begins with.
    moves : callable
        A function of a state that returns pairs of a cost, a whole number above 0, and the state that a move leads to,
        always in the same order. The moves of a `Solution` are numbers in this order.
    is_goal : callable
        A function of a state that tells whether it is a goal.
    heuristic : callable, optional
        A function of a state that returns a lower bound on the cost to the goal; by default 0.
    inverse : PlainProblem, optional
        The problem from the goal to the root.
    is_consistent : bool, default False
        Whether the heuristic never drops by more than the cost of a move.

    Examples
    --------
    From 1 to 100 by doubling and by adding 3:

    >>> from gpusolve.search.a_star import a_star
    >>> a_star(PlainProblem(1, lambda n: [(1, 2 * n), (1, n + 3)], lambda n: n == 100)).moves
    [1, 0, 1, 0, 1, 0, 0]
    """

    def __init__(
        self,
        root: State,
        moves: Callable[[State], Iterable[tuple[int, State]]],
        is_goal: Callable[[State], bool],
        *,
        heuristic: Callable[[State], int] = lambda state: 0,
        inverse: PlainProblem | None = None,
        is_consistent: bool = False,
    ) -> None:
        super().__init__("cpu")
        self.root = _row([root])
        self.is_consistent = is_consistent
        self._moves, self._is_goal, self._heuristic, self._inverse = moves, is_goal, heuristic, inverse
        self._numbers: dict[Any, int] = inverse._numbers if inverse is not None else {}

    def costs(self, states: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        """Return the costs of the moves of each state; a state with fewer moves than others has zeros at the end."""
        rows = [[self._cost(cost) for cost, _ in self._moves(state)] for state in states[0]]
        longest = max(1, *map(len, rows), 1)
        return np.array([row + [0] * (longest - len(row)) for row in rows], np.uint32)

    def make(
        self, states: npt.NDArray[Any], parents: npt.NDArray[np.int32], moves: npt.NDArray[np.uint16]
    ) -> npt.NDArray[Any]:
        """Return the states that moves lead to."""
        known = {parent: list(self._moves(states[0, parent])) for parent in set(parents.tolist())}
        return _row([known[parent][move][1] for parent, move in zip(parents.tolist(), moves.tolist(), strict=True)])

    def is_goal(self, states: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Return for each state whether it is a goal."""
        return np.array([bool(self._is_goal(state)) for state in states[0]], np.bool_)

    def heuristic(self, states: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return the heuristic of each state."""
        return np.array([self._heuristic(state) for state in states[0]], np.int32)

    def identity(self, states: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        """Return the number of each state in the order in which they were first asked for."""
        numbers = self._numbers
        return np.array([[numbers.setdefault(state, len(numbers)) for state in states[0]]], np.uint64)

    @property
    def inverse(self) -> PlainProblem | None:
        """The problem from the goal to the root."""
        return self._inverse

    @staticmethod
    def _cost(cost: int) -> int:
        if not isinstance(cost, int) or cost < 1:
            raise BadInput(f"cost {cost}: expected a whole number above 0")
        return cost


def _row(states: Sequence[Any]) -> npt.NDArray[Any]:
    """Return objects as an array of one row; NumPy would make more rows of tuples."""
    row = np.empty((1, len(states)), object)
    for number, state in enumerate(states):
        row[0, number] = state
    return row
