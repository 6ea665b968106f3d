"""Permutation puzzles: everything that a search needs, from a table of moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.errors import BadInput
from gpusolve.search.permutations.automaton import find_automaton
from gpusolve.search.permutations.database import Database, check_moves, inverted
from gpusolve.search.permutations.kernels import MOST_KEPT, Looks, foresee, play
from gpusolve.search.problem import Problem


class PermutationPuzzle(Problem):
    """A puzzle whose moves are permutations of places, whatever the pieces are.

    A state has the place of each piece: ``states[piece, number]``, uint8. Without databases the heuristic is 0; a
    subclass can override `heuristic`.

    Parameters
    ----------
    moves : array_like of int, shape (moves, places)
        ``moves[m][p]`` is the place that move `m` takes the piece in place `p` to; at most 256 moves and 32 places.
    start : sequence of int
        The place of each piece at the beginning.
    goal : sequence of int, optional
        The place of each piece at the end; by default each piece is in the place with its own number.
    costs : sequence of int, optional
        The cost of each move; by default 1.
    databases : sequence of Database, optional
        The heuristic is the greatest of their costs.
    symmetries : sequence of permutations of the places, optional
        Each database is looked up through each of them as well. Renaming the places by a symmetry must turn moves
        into moves of the same cost.
    backend : Backend or str, optional
        The device; that of the databases if there are some, otherwise the CPU.

    Raises
    ------
    BadInput
        For moves, a start, a goal or symmetries that are not permutations, for a symmetry that does not keep the moves,
        and for a database of other moves or of another device.

    Examples
    --------
    >>> from gpusolve.search.deepening import ida_star
    >>> swaps = [[1, 0, 2], [0, 2, 1]]
    >>> ida_star(PermutationPuzzle(swaps, start=[2, 1, 0])).moves
    [0, 1, 0]
    """

    is_consistent = True

    def __init__(
        self,
        moves: npt.ArrayLike,
        start: Sequence[int],
        *,
        goal: Sequence[int] | None = None,
        costs: Sequence[int] | None = None,
        databases: Sequence[Database] = (),
        symmetries: Sequence[Sequence[int]] = (),
        backend: Backend | str | None = None,
    ) -> None:
        super().__init__(backend if backend is not None else "cpu")
        self.moves, self.prices = check_moves(moves, costs)
        places = self.moves.shape[1]
        self.start = _permutation("start", start, places)
        self.finish = _permutation("goal", range(places) if goal is None else goal, places)
        self.databases, self.symmetries = tuple(databases), tuple(tuple(symmetry) for symmetry in symmetries)
        self.root = self.backend.asarray(np.array(self.start, np.uint8)[:, None])
        self.goal = self.backend.asarray(np.array(self.finish, np.uint8)[:, None])
        self._steps = self.backend.asarray(self.moves)
        self._prices = self.backend.asarray(np.array([self.prices], np.uint8))
        kept = np.arange(places, dtype=np.uint8)[None]
        self._looks = None
        if self.databases:
            none = self.backend.asarray(np.zeros((1, 1), np.int32))
            self._looks = self._looks_for(kept, none, self.backend.asarray(np.zeros(1, np.uint8)))

    @cached_property
    def automaton(self) -> Array:
        """Which moves may follow which: see `find_automaton`."""
        return self.backend.asarray(find_automaton(self.moves, self.prices))

    @cached_property
    def _ahead(self) -> Looks:
        return self._looks_for(self.moves, self.automaton, self._prices[0])

    def costs(self, states: Array) -> Array:
        """Return the cost of every move: the same for all states."""
        return self.backend.xp.broadcast_to(self._prices, (states.shape[1], len(self.moves)))

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the states that moves lead to."""
        return play(self.backend, states, parents, moves, self._steps)

    def heuristic(self, states: Array) -> Array:
        """Return the greatest cost in the databases, or 0 without any."""
        if self._looks is None:
            return super().heuristic(states)
        none = self.backend.xp.zeros(states.shape[1], np.int32)
        return foresee(self.backend, states, none, none, self._looks)[:, 0].astype(np.int32)

    @property
    def surplus(self) -> Callable[[Array, Array, Array], Array] | None:
        """What `Problem.surplus` says, from the databases, unless a subclass has another heuristic."""
        if not self.databases or type(self).heuristic is not PermutationPuzzle.heuristic:
            return None
        return lambda states, room, at: foresee(self.backend, states, room, at, self._ahead)

    @property
    def inverse(self) -> Problem:
        """The puzzle from the goal to the start, with the databases if the moves undo one another at the same cost."""
        back = inverted(self.moves)
        same = {*zip(map(bytes, back), self.prices, strict=True)} == {
            *zip(map(bytes, self.moves), self.prices, strict=True)
        }
        return PermutationPuzzle(
            back, self.finish, goal=self.start, costs=self.prices, databases=self.databases if same else (),
            symmetries=self.symmetries, backend=self.backend,
        )  # fmt: skip

    def _looks_for(self, moves: npt.NDArray[np.uint8], automaton: Array, costs: Array) -> Looks:
        """Return the look-ups for the states behind some moves, through all symmetries."""
        places = moves.shape[1]
        own = {*zip(map(bytes, self.moves), self.prices, strict=True)}
        shapes, pieces, steps, tables, start = [], [], [], [], 0
        piece_for = np.argsort(self.finish)  # the piece whose goal is each place
        for database in self.databases:
            if {*zip(map(bytes, database.moves), database.costs, strict=True)} != own:
                raise BadInput(f"{database}: built with other moves or costs: expected those of the puzzle")
            for symmetry in (range(places), *self.symmetries):
                there = np.array(_permutation("symmetry", symmetry, places), np.uint8)
                back = np.argsort(there)
                renamed = there[self.moves[:, back]]  # from a renamed place back, the move, and renamed again
                if {*zip(map(bytes, renamed), self.prices, strict=True)} != own:
                    raise BadInput(f"symmetry {[*symmetry]}: expected one that turns moves into moves of the same cost")
                row = np.zeros(MOST_KEPT, np.uint8)
                row[: len(database.kept)] = piece_for[back[list(database.kept)]]
                shapes.append((len(database.kept), start))
                pieces.append(row)
                steps.append(there[moves])
            tables.append(database.table)
            start += len(database.table)
        backend = self.backend
        table = tables[0] if len(tables) == 1 else backend.xp.concatenate(tables)
        arrays = np.array(shapes, np.int64), np.array(pieces), np.array(steps)
        on_device = [backend.asarray(array) for array in arrays]
        return Looks(automaton, costs, on_device[0], on_device[1], on_device[2], table)


def _permutation(name: str, given: Sequence[int], places: int) -> tuple[int, ...]:
    found = tuple(int(place) for place in given)
    if sorted(found) != list(range(places)):
        raise BadInput(f"{name} {list(found)}: expected each of the places 0 to {places - 1} once")
    return found
