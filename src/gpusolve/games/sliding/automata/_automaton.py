"""The automaton that keeps a search from making duplicate operator strings: found once, kept, and measured."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.checks import check_choice, check_integer, check_number
from gpusolve.errors import BadInput
from gpusolve.games.sliding.automata.strings import MOST_DEPTH, ORDERS, Choice, Codes, grounds, strings_of_length
from gpusolve.games.sliding.automata.trie import transitions
from gpusolve.games.sliding.boards import check_size
from gpusolve.games.sliding.rules import MOVES
from gpusolve.runs import store

VERSION = 1
"""Of what `strings` finds: strings of another version are found again."""
MEASURED = (22, 24)
"""The branching factor is that of the search tree between these depths."""
MOST_PLACES = 1 << 22  # whose paths are counted at once
WORTH_SAVING = 1.0  # seconds for a length, after which it is saved before the next


@dataclass(frozen=True, repr=False)
class Automaton:
    """The moves that a search of a board of some size may make, by what it made before.

    `table`: int32 (states, 4), state and move (U D L R) -> state, -1 for a move that would complete a forbidden string.
    `starts`: int32, the state to begin in: one, or with the choice ``square`` one for each square of the blank; there,
    the table has -1 for moves over the edge, too.
    """

    rows: int
    columns: int
    depth: int
    choice: Choice
    strings: list[Codes]
    table: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int32]
    path: Path
    """The file that keeps the strings."""
    complete: bool
    """Whether it is as deep as was asked for."""

    def __repr__(self) -> str:
        size = f"{self.rows}x{self.columns}, depth {self.depth}, {self.choice}"
        return f"<Automaton {size}: {self.count:,} strings, {self.states:,} states>"

    @property
    def count(self) -> int:
        """Forbidden strings."""
        return sum(map(len, self.strings))

    @property
    def states(self) -> int:
        """States, those of whole strings left out: they are never entered."""
        return len(self.table)

    def nodes(self, depth: int, square: int = 0) -> npt.NDArray[np.int64]:
        """Nodes of the search tree from a board with the blank on a square: int64, those at most 0 to `depth` deep."""
        start = self.starts[square if len(self.starts) > 1 else 0]
        after = grounds(self.rows, self.columns, "square")[0].after
        place = np.array([int(start) * len(after) + square])
        return _count(self.table, after, place, np.array([1]), depth).cumsum()

    def branching_factors(self) -> tuple[float, float, float]:
        """How many times more nodes a move deeper has: over two moves (their geometric mean), then over each of them.

        Moves from the squares of one colour lead to those of the other, which is why the two differ. Nodes are counted
        from the first corner.
        """
        first, last = MEASURED
        nodes = self.nodes(last)
        steps = [float(nodes[n + 1] / nodes[n]) for n in range(first, last)]
        return sqrt(steps[0] * steps[1]), steps[0], steps[1]


def automaton(
    rows: int = 5,
    columns: int = 5,
    depth: int = 14,
    choice: Choice = "first",
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Automaton:
    """The automaton of all forbidden strings of up to `depth` moves on boards of this size.

    `choice`: which of two alike strings is forbidden, and for which start squares (`strings` tells). What was found is
    kept in the cache folder, and gone on from there. No new length is done after `time_limit` seconds. `progress` is
    told the lengths that are done. Raises BadInput for a size, a depth or a choice that cannot be.

    >>> automaton(depth=2)
    <Automaton 5x5, depth 2, first: 4 strings, 5 states>
    """
    check_size(rows, columns)
    check_integer("depth", depth, 2, MOST_DEPTH)
    check_choice("choice", choice, ORDERS)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, float("inf"))
    end = time.monotonic() + (float("inf") if time_limit is None else time_limit)
    path = store.path_of(f"sliding-strings-{rows}x{columns}-{choice}")
    found, deepest = _strings(path, rows, columns, depth, choice, end, progress)
    reached = min(depth, deepest)
    strings = [codes[codes < np.uint64(1) << np.uint64(2 * reached + 1)] for codes in found]
    table, starts = transitions(strings, grounds(rows, columns, choice))
    ranks = [ORDERS[choice].index(move) for move in MOVES]
    table = np.ascontiguousarray(table[:, ranks])
    return Automaton(rows, columns, reached, choice, strings, table, starts, path, reached == depth)


class _TimeIsUp(Exception):
    """The time limit, in the middle of a length."""


def _strings(
    path: Path,
    rows: int,
    columns: int,
    depth: int,
    choice: Choice,
    end: float,
    progress: Callable[[int], None],
) -> tuple[list[Codes], int]:
    """The strings of the file, and the length up to which it has them; longer ones are found if need be, and added."""
    about = {"what": "forbidden strings", "size": [rows, columns], "choice": choice, "version": VERSION}

    def load() -> tuple[list[Codes], int]:
        with contextlib.suppress(BadInput):
            arrays = store.open_table(path, about).arrays
            return np.split(arrays["codes"], np.cumsum(arrays["counts"])[:-1]), int(arrays["depth"])
        return [np.empty(0, np.uint64) for _ in grounds(rows, columns, choice)], 1

    def check_time(visits: int) -> None:
        if time.monotonic() > end:
            raise _TimeIsUp

    found, deepest = load()
    if deepest >= depth:
        return found, deepest
    with files.locked(path):
        found, deepest = load()
        saved = time.monotonic()
        try:
            while deepest < depth:
                new = strings_of_length(deepest + 1, found, grounds(rows, columns, choice), choice, progress=check_time)
                found, deepest = [np.concatenate(pair) for pair in zip(found, new, strict=True)], deepest + 1
                progress(deepest)
                if deepest == depth or time.monotonic() - saved > WORTH_SAVING:
                    counts = np.array([len(codes) for codes in found])
                    store.keep(
                        path, about, {"codes": np.concatenate(found), "counts": counts, "depth": np.array(deepest)}
                    )
                    saved = time.monotonic()
        except _TimeIsUp:
            pass
    return found, deepest


def _count(
    table: npt.NDArray[np.int32],
    after: npt.NDArray[np.int32],
    places: npt.NDArray[np.int64],
    paths: npt.NDArray[np.int64],
    depth: int,
) -> npt.NDArray[np.int64]:
    """The nodes at each depth of a search tree, int64 (depth + 1,), that so many `paths` to each of some places have.

    A place is a state of the automaton and a cell of the blank: state * cells + cell. Those of a depth are merged, or
    where they are many, each half of them by itself.
    """
    nodes = np.array([paths.sum(), *[0] * depth])
    if not depth or not len(places):
        return nodes
    if len(places) > MOST_PLACES:
        half = len(places) // 2
        return _count(table, after, places[:half], paths[:half], depth) + _count(
            table, after, places[half:], paths[half:], depth
        )
    states, cells = np.divmod(places, len(after))
    reached, counts = [], []
    for move in range(4):
        state, cell = table[states, move].astype(np.int64), after[cells, move]
        kept = (state >= 0) & (cell >= 0)
        reached.append(state[kept] * len(after) + cell[kept])
        counts.append(paths[kept])
    places, paths = np.concatenate(reached), np.concatenate(counts)
    order = np.argsort(places)
    places, paths = places[order], paths[order]
    first = np.flatnonzero(np.diff(places, prepend=-1))
    if len(first):
        places, paths = places[first], np.add.reduceat(paths, first)
    nodes[1:] = _count(table, after, places, paths, depth - 1)
    return nodes
