"""Duplicate operator strings: sequences of moves that a search need never make (Taylor and Korf 1993).

Two strings of moves that take the blank and all tiles to the same cells are *equivalent*. One of two equivalent strings
can be forbidden: a search that has just made it turns back. A string is forbidden only if an equivalent string that is
no longer can be made wherever it can be made. The choice says which of the two is forbidden:

- ``first``: s is forbidden if an equivalent string t comes before it in shortlex order and t's bounding box lies within
  that of s, so that t stays on the board wherever s does. (Before means that t is shorter, or of the same length and
  earlier by the alphabet U D L R.)
- ``smallest``: s is forbidden if t has a smaller box within that of s, or the same box and comes first by the alphabet
  U R L D. These are the published strings, 18,414 of them up to length 14.
- ``square``, for each start square separately, uses no boxes: s is forbidden if an equivalent string t, on the board
  around that square, comes before it in shortlex order.

Why ``first`` and ``square`` lose no optimal solution: of all optimal solutions of a board, take the first in shortlex
order. If it contained a forbidden string s, then replacing s by t would give another solution that is legal, no longer,
and earlier in shortlex order, because adding the same moves before or after two strings does not change which of them
comes first. That is a contradiction. For ``smallest`` the argument fails where the string with the smaller box comes
later in the order, which is so for 16 of the 18,414 strings. There, the evidence is that the optimal lengths of all 2x4
and 3x3 boards are still reached (tests/games/sliding). The search uses ``first``.

The strings of length n follow from the shorter ones: walk all strings of length n that contain no forbidden string, and
look for those that lead to the same state as another string. So no forbidden string contains another one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gpusolve.games.sliding.automata.graphs import Choice, Codes
from gpusolve.games.sliding.automata.trie import transitions
from gpusolve.games.sliding.cpu.strings import BOX, DEPTH, REPEATED, VISITS, Filter, Graph, Walk, choose, walk
from gpusolve.runs.seeds import mix_all

MOST_DEPTH = 23
"""Maximum length of a string: its moves, of 2 bits each, and its bounding box fit into a word of 64 bits."""
MEMORY = 1 << 30
"""Bytes of the filter that finds the states that are reached twice."""
LOAD = 12  # minimum number of filter slots per state
GROWTH = 7  # strings with two moves more lead to about this many times more states
SLICE = 1 << 24  # visits between two calls of `progress`, so that a signal is noticed


def strings_of_length(
    n: int,
    shorter: list[Codes],
    graphs: list[Graph],
    *,
    choice: Choice,
    memory: int = MEMORY,
    progress: Callable[[int], None] = lambda visits: None,
) -> list[Codes]:
    """Return the forbidden strings of n moves for each graph, as sorted codes.

    Parameters
    ----------
    n : int
        Number of moves.
    shorter : list of ndarray of uint64
        All shorter forbidden strings of each graph.
    graphs : list of Graph
        The graphs, from `graphs_of`.
    choice : {"first", "smallest", "square"}
        Which of two equivalent strings is forbidden.
    memory : int, default 1 GiB
        Bytes of the filter. If it is too small for all states, they are searched in several parts.
    progress : callable, optional
        Called regularly with the number of strings visited since the last call. An exception from it ends the work.
    """
    table, starts = transitions(shorter, graphs)
    return [
        _strings_of_graph(_Walks(n, graph, table, int(start), progress), choice, memory)
        for graph, start in zip(graphs, starts, strict=True)
    ]


def _strings_of_graph(walks: _Walks, choice: Choice, memory: int) -> Codes:
    """Return the forbidden strings of one graph, sorted."""
    n, graph = walks.n, walks.graph
    states = GROWTH * walks.shorter_by_two().count()
    slots = min(4 * memory, 1 << (LOAD * states).bit_length())
    parts = -(-LOAD * states // slots)
    strings = [np.empty(0, np.uint64)]
    for part in range(parts):
        records = walks.repeated(Filter(np.zeros(slots // 4, np.uint8), part, parts))
        records = records[np.argsort(records[:, 0])]
        forbidden = np.zeros(len(records), np.bool_)
        choose(n, records, choice == "smallest", graph.start, graph.after, forbidden)
        strings.append(records[forbidden, 1] & np.uint64((1 << BOX) - 1))
    return np.sort(np.concatenate(strings))


class _Walks:
    """Walks over all strings of length n, n - 2, n - 4 ... that contain no forbidden string."""

    def __init__(
        self, n: int, graph: Graph, table: npt.NDArray[np.int32], root: int, progress: Callable[[int], None]
    ) -> None:
        self.n, self.graph, self._table, self._root, self._progress = n, graph, table, root, progress
        cells = len(graph.after)
        self._keys = mix_all(np.arange(1, cells * cells + 1, dtype=np.uint64) << np.uint64(20)).reshape(cells, cells)

    def shorter_by_two(self) -> _Walks:
        """Return the walks over strings of length n - 2, n - 4 ..."""
        return _Walks(self.n - 2, self.graph, self._table, self._root, self._progress)

    def count(self) -> int:
        """Return the number of strings."""
        return self._walk(Filter(np.empty(0, np.uint8), 0, 1), np.empty((0, 2), np.uint64))[0]

    def repeated(self, filter: Filter) -> npt.NDArray[np.uint64]:
        """Return the strings whose states are reached twice, as far as the filter can tell: uint64 (strings, 2).

        Each row is the hash of the state, then box and code of the string. There are two walks: the first fills the
        filter, and the other writes down the strings whose states were visited twice.
        """
        records = np.empty((0, 2), np.uint64)
        count = self._walk(filter, records)[1]
        if count:
            records = np.empty((count, 2), np.uint64)
            self._walk(filter, records)
        return records

    def _walk(self, filter: Filter, records: npt.NDArray[np.uint64]) -> tuple[int, int]:
        """Walk once. Return the number of strings, and the number of them whose states were reached twice."""
        here = Walk(
            counters=np.zeros(3, np.int64),
            stack=np.zeros((self.n + 1, 7), np.int64),
            codes=np.zeros((self.n + 1, 2), np.uint64),
            tiles=np.arange(len(self.graph.after)),
        )
        here.stack[0, :2], here.codes[0, 1] = (self.graph.start, self._root), 1
        while here.counters[DEPTH] >= 0:
            walk(SLICE, self.n, self.graph, self._table, self._keys, here, filter, records)
            self._progress(SLICE)
        return int(here.counters[VISITS]), int(here.counters[REPEATED])
