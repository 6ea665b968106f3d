"""Best-first search over batches of states that may live on a device. The queue is on the host.

The search takes the most promising states from the queue, a batch at a time, drops those visited before, and expands
the rest in one call. The queue holds only a state's key, parent and move; the state is made when it is taken.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.backend import Array, Backend
from gpusolve.checks import check_integer, check_number
from gpusolve.search.heap import Heap
from gpusolve.search.space import Progress, Result, Space
from gpusolve.search.visited import VisitedSet

MOST_STATES = 2**31 - 1
"""Largest number of states that a search can take: their numbers are int32."""
INITIAL_CAPACITY = 1024  # states


def best_first(
    space: Space,
    *,
    limit: int,
    batch: int = 4096,
    time_limit: float = float("inf"),
    progress: Progress = lambda expanded, best: None,
) -> Result:
    """Take the most promising states from a queue until a limit is reached, and return the best state taken.

    A batch of 1 gives the textbook's order. The queue is a binary heap, in which a state never moves past a state with
    an equal key.

    Parameters
    ----------
    space : Space
        The states and their moves.
    limit : int
        Maximum number of states taken from the queue.
    batch : int
        Number of states taken at a time.
    time_limit : float, optional
        Seconds after which no batch is taken.
    progress : callable, optional
        Called after each batch with the number of states taken and the best value.

    Returns
    -------
    Result
        The best state; of equal ones, the one taken first. Its `expanded` counts all states taken, also those visited
        before. A search that stops at `limit` is complete but not exhaustive.

    Raises
    ------
    BadInput
        For a limit or a batch below 1, and for a time limit below 0.
    """
    limit = check_integer("limit", limit, 1, MOST_STATES)
    batch = check_integer("batch", batch, 1, MOST_STATES)
    check_number("time_limit", time_limit, 0, float("inf"))
    begin = clock.now()
    backend = space.backend
    xp = backend.xp
    queue, visited = Heap(), VisitedSet()
    taken, parents, moves = space.root, np.full(1, -1, np.int32), np.zeros(1, np.uint16)
    store = _Store(backend, taken)
    best, best_parent, best_move = -1, -1, 0
    expanded = generated = width = 0
    while True:
        expanded += taken.shape[1]
        values = space.value(taken)
        top = int(values.argmax())
        if int(values[top]) > best:
            best, best_parent, best_move = int(values[top]), int(parents[top]), int(moves[top])
        progress(expanded, best)
        fresh = np.flatnonzero(visited.add(backend.to_host(space.identity(taken)).T))
        if len(fresh):
            if len(fresh) < taken.shape[1]:
                # Indexing copies in the memory order of the index, not of the states.
                taken = xp.ascontiguousarray(taken[:, xp.asarray(fresh)])
                parents, moves = parents[fresh], moves[fresh]
            first = store.append(taken, parents, moves)
            keys = backend.to_host(space.expand(taken, 0, taken.shape[1]))
            width = keys.shape[1]
            generated += queue.push(keys.reshape(-1), first * width)
        if not len(queue) or expanded >= limit or clock.now() - begin >= time_limit:
            break
        items = queue.pop(min(batch, limit - expanded))
        parents, moves = (items // width).astype(np.int32), (items % width).astype(np.uint16)
        taken = space.make(store.states, backend.asarray(parents), backend.asarray(moves))
    path = [] if best_parent < 0 else [*store.path(best_parent), best_move]
    exhausted = not len(queue)
    complete = exhausted or expanded >= limit
    return Result(best, path, expanded, generated, clock.now() - begin, complete, exhausted)


class _Store:
    """The expanded states, on the device, and the parent and move of each, on the host."""

    def __init__(self, backend: Backend, root: Array) -> None:
        self._backend = backend
        self._count = 0
        self.states = backend.empty((len(root), INITIAL_CAPACITY), root.dtype)
        """The first columns are the states; the others are spare capacity."""
        self._parents = np.empty(INITIAL_CAPACITY, np.int32)
        self._moves = np.empty(INITIAL_CAPACITY, np.uint16)

    def append(self, states: Array, parents: npt.NDArray[np.int32], moves: npt.NDArray[np.uint16]) -> int:
        """Append these states and return the number of the first one."""
        first, last = self._count, self._count + states.shape[1]
        if last > len(self._moves):
            capacity = max(last, 2 * len(self._moves))
            grown = self._backend.empty((len(self.states), capacity), self.states.dtype)
            grown[:, :first] = self.states[:, :first]
            self.states = grown
            self._parents, self._moves = np.resize(self._parents, capacity), np.resize(self._moves, capacity)
        self.states[:, first:last] = states
        self._parents[first:last], self._moves[first:last] = parents, moves
        self._count = last
        return first

    def path(self, number: int) -> list[int]:
        """Return the moves from the root to a state."""
        moves: list[int] = []
        while self._parents[number] >= 0:
            moves.append(int(self._moves[number]))
            number = int(self._parents[number])
        return moves[::-1]
