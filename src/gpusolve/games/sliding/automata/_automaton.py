"""The automaton that keeps a search from making duplicate operator strings: computed once, kept in a file, loaded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import prod, sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve import clock, files
from gpusolve.backend import Array, Backend
from gpusolve.checks import check_choice, check_integer, check_number
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.sliding.automata.graphs import ORDERS, Choice, Codes, graphs_of
from gpusolve.games.sliding.automata.strings import MOST_DEPTH, strings_of_length
from gpusolve.games.sliding.automata.trie import transitions
from gpusolve.games.sliding.boards import check_exact_size
from gpusolve.games.sliding.rules import MOVES
from gpusolve.result import HIDDEN, Result, reported, written
from gpusolve.runs import store

VERSION = 1
"""Version of the strings in a file: strings of another version are computed again."""
MEASURED = (22, 24)
"""The branching factor is measured between these depths of the search tree."""
MOST_PAIRS = 1 << 22  # pairs of a state and a cell whose paths are counted at once
WORTH_SAVING = 1.0  # seconds of work after which the strings are saved before the next length


@dataclass(frozen=True, repr=False)
class Automaton(Result, schema="sliding.automaton/1"):
    """The moves that a search on a board of some size can make, depending on the moves before.

    Attributes
    ----------
    rows, columns : int
        Size of the board.
    depth : int
        Length of the longest forbidden strings.
    choice : {"first", "smallest", "square"}
        Which of two equivalent strings is forbidden.
    strings : list of ndarray of uint64
        The forbidden strings as codes: one array, or one per start square with the choice ``square``. In JSON their
        number.
    table : ndarray of int32, shape (states, 4)
        State and move (U D L R) -> next state, or -1 for a move that would complete a forbidden string. With the choice
        ``square`` it is also -1 for moves over the edge of the board.
    starts : ndarray of int32
        The start state: a single one, or one per start square with the choice ``square``.
    file : Path
        The file that keeps the strings.
    complete : bool
        Whether the automaton is as deep as it was asked for.
    seconds : float
        Seconds that this call took.
    """

    rows: int
    columns: int
    depth: int
    choice: Choice
    strings: list[Codes] = field(metadata=written("count"))
    table: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    starts: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    file: Path
    complete: bool
    seconds: float

    def __repr__(self) -> str:
        size = f"{self.rows}x{self.columns}, depth {self.depth}, {self.choice}"
        return f"<Automaton {size}: {self.count:,} strings, {self.states:,} states>"

    @property
    def count(self) -> int:
        """Number of forbidden strings."""
        return sum(map(len, self.strings))

    @reported
    def states(self) -> int:
        """Number of states. Complete forbidden strings have none because they are never made."""
        return len(self.table)

    def nodes(self, depth: int, square: int = 0) -> npt.NDArray[np.int64]:
        """Count the nodes of the search tree of a board whose blank is on a square.

        Parameters
        ----------
        depth : int
            Depth of the tree.
        square : int, default 0
            The cell of the blank, counted row by row.

        Returns
        -------
        ndarray of int64, shape (depth + 1,)
            Number of nodes down to each depth.
        """
        start = self.starts[square if len(self.starts) > 1 else 0]
        after = graphs_of(self.rows, self.columns, "square")[0].after
        pair = np.array([int(start) * len(after) + square])
        return _count_nodes(self.table, after, pair, np.array([1]), depth).cumsum()

    @reported
    def branching_factor(self) -> float:
        """The geometric mean of `branching_factors`."""
        return sqrt(prod(self._factors))

    @reported
    def branching_factors(self) -> tuple[float, float]:
        """How many times more nodes the search tree has with each further move, from the first corner.

        There are two, because moves from the squares of one colour lead to squares of the other.
        """
        return self._factors

    @cached_property
    def _factors(self) -> tuple[float, float]:
        first, _ = MEASURED
        nodes = self.nodes(first + 2)
        return float(nodes[first + 1] / nodes[first]), float(nodes[first + 2] / nodes[first + 1])


def automaton(
    *,
    rows: int = 5,
    columns: int = 5,
    depth: int = 14,
    choice: Choice = "first",
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda length: None,
) -> Automaton:
    """Find strings of moves that no search needs.

    The branching factor that remains is shown. The strings are kept in the cache folder, and a later call continues
    from there.

    Parameters
    ----------
    rows : int, default 5
        Number of rows; a board has at most 25 cells.
    columns : int, default 5
        Number of columns.
    depth : int, default 14
        Length of the longest strings, 2 to 23; each further move takes about 2.5 times as long.
    choice : {"first", "smallest", "square"}, default "first"
        Which of two equivalent strings is allowed: the first in the order U D L R; the one with the smaller bounding
        box, as published; or the first, separately for each start square.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    progress : callable, optional
        Called with each length that is complete.

    Returns
    -------
    Automaton
        `Automaton.complete` is False if the time limit came first.

    Raises
    ------
    BadInput
        For a size, depth or choice out of range.

    References
    ----------
    .. [1] L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993.

    Examples
    --------
    ``gpusolve sliding automaton --depth 8``

    >>> automaton(depth=2)
    <Automaton 5x5, depth 2, first: 4 strings, 5 states>
    """
    rows, columns = check_exact_size(rows, columns)
    depth = check_integer("depth", depth, 2, MOST_DEPTH)
    check_choice("choice", choice, ORDERS)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, float("inf"))
    begin = clock.now()
    end = clock.running() + (float("inf") if time_limit is None else time_limit)
    file = _StringsFile(rows, columns, choice)
    known, longest = file.extend(depth, end, progress)
    reached = min(depth, longest)
    strings = [codes[codes < np.uint64(1) << np.uint64(2 * reached + 1)] for codes in known]
    table, starts = transitions(strings, file.graphs)
    ranks = [ORDERS[choice].index(move) for move in MOVES]
    table = np.ascontiguousarray(table[:, ranks])
    return Automaton(
        rows=rows,
        columns=columns,
        depth=reached,
        choice=choice,
        strings=strings,
        table=table,
        starts=starts,
        file=file.path,
        complete=reached == depth,
        seconds=clock.now() - begin,
    )


@dataclass(frozen=True, eq=False)
class LoadedAutomaton:
    """An automaton that is loaded on a device.

    Attributes
    ----------
    table : ndarray of int32, shape (states, 4)
        The state after each move, -1 if the move is forbidden.
    start : int
        The start state.
    packed : device array of uint32, shape (4 * states,)
        For each state and move the next state, and the moves that it allows; see ``kernels/sliding.cu``.
    """

    table: npt.NDArray[np.int32]
    start: int
    packed: Array


def load_automaton(backend: Backend, table: npt.NDArray[np.int32], start: int = 0) -> LoadedAutomaton:
    """Load an automaton's table on a device."""
    allowed = np.packbits(table >= 0, axis=1, bitorder="little")[:, 0]
    packed = np.where(table >= 0, table << 4 | allowed[table], 0).astype(np.uint32).reshape(-1)
    return LoadedAutomaton(table, start, backend.asarray(packed))


class _TimeIsUpError(Exception):
    """The time limit came while the strings of a length were being computed."""


class _StringsFile:
    """The file that keeps the forbidden strings of a board size and choice."""

    def __init__(self, rows: int, columns: int, choice: Choice) -> None:
        self.path = store.path_of(f"sliding-strings-{rows}x{columns}-{choice}")
        self._choice = choice
        self.graphs = graphs_of(rows, columns, choice)
        self._about = {"what": "forbidden strings", "size": [rows, columns], "choice": choice, "version": VERSION}

    def extend(self, depth: int, end: float, progress: Callable[[int], None]) -> tuple[list[Codes], int]:
        """Return the strings and their greatest length, after adding the lengths up to `depth` that are missing.

        The work stops at the monotonic time `end`.
        """

        def check_time(visits: int) -> None:
            if clock.running() > end:
                raise _TimeIsUpError

        strings, longest = self._load()
        if longest >= depth:
            return strings, longest
        with files.locked(self.path):
            strings, longest = self._load()  # another process may have added some
            saved = clock.running()
            with contextlib.suppress(_TimeIsUpError):
                while longest < depth:
                    new = strings_of_length(longest + 1, strings, self.graphs, choice=self._choice, progress=check_time)
                    strings = [np.concatenate(pair) for pair in zip(strings, new, strict=True)]
                    longest += 1
                    progress(longest)
                    if longest == depth or clock.running() - saved > WORTH_SAVING:
                        self._save(strings, longest)
                        saved = clock.running()
        return strings, longest

    def _load(self) -> tuple[list[Codes], int]:
        with contextlib.suppress(BadInput):
            table = Fields(f"table {self.path}: damaged", store.open_table(self.path, self._about).arrays)
            codes = table.array("codes", np.uint64, (None,))
            counts = table.array("counts", np.int64, (len(self.graphs),), 0, len(codes))
            if counts.sum() == len(codes):
                store.mark_used(self.path)
                return np.split(codes, np.cumsum(counts)[:-1]), int(table.array("depth", np.int64, (), 1, MOST_DEPTH))
        return [np.empty(0, np.uint64) for _ in self.graphs], 1

    def _save(self, strings: list[Codes], longest: int) -> None:
        counts = np.array([len(codes) for codes in strings])
        arrays = {"codes": np.concatenate(strings), "counts": counts, "depth": np.array(longest)}
        store.keep(self.path, self._about, arrays)


def _count_nodes(
    table: npt.NDArray[np.int32],
    after: npt.NDArray[np.int32],
    pairs: npt.NDArray[np.int64],
    paths: npt.NDArray[np.int64],
    depth: int,
) -> npt.NDArray[np.int64]:
    """Count the nodes at each depth of a search tree, int64 (depth + 1,), below nodes that `paths` lead to.

    A pair is a state of the automaton and a cell of the blank: state * cells + cell. Equal pairs of a depth are merged;
    if there are too many, each half of them is counted separately.
    """
    nodes = np.array([paths.sum(), *[0] * depth])
    if not depth or not len(pairs):
        return nodes
    if len(pairs) > MOST_PAIRS:
        half = len(pairs) // 2
        return _count_nodes(table, after, pairs[:half], paths[:half], depth) + _count_nodes(
            table, after, pairs[half:], paths[half:], depth
        )
    states, cells = np.divmod(pairs, len(after))
    reached, counts = [], []
    for move in range(4):
        state, cell = table[states, move].astype(np.int64), after[cells, move]
        legal = (state >= 0) & (cell >= 0)
        reached.append(state[legal] * len(after) + cell[legal])
        counts.append(paths[legal])
    pairs, paths = np.concatenate(reached), np.concatenate(counts)
    order = np.argsort(pairs)
    pairs, paths = pairs[order], paths[order]
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    if len(first):
        pairs, paths = pairs[first], np.add.reduceat(paths, first)
    nodes[1:] = _count_nodes(table, after, pairs, paths, depth - 1)
    return nodes
