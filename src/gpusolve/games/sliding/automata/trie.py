"""The automaton that finds forbidden strings: a trie with all its edges filled in (Aho and Corasick 1975).

A state is the longest end of the moves made so far that a forbidden string begins with. The strings themselves need no
states, since they are never entered: where one would be, the table has -1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled

if TYPE_CHECKING:
    from gpusolve.games.sliding.automata.strings import Codes, Ground

FORBIDDEN = -1
MISSING = -2  # an edge that is not filled in yet


def transitions(strings: list[Codes], grounds: list[Ground]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The table state, rank -> state of the forbidden strings of each ground, FORBIDDEN where one of them ends.

    Gives int32 (states, 4), and int32 (grounds,), the state in which each begins. States are numbered by the length of
    what they remember. Where there is a ground for each square, the edge of the board is FORBIDDEN, too.
    """
    lengths = [(np.frexp(codes.astype(np.float64))[1] // 2).astype(np.int64) for codes in strings]
    length = np.concatenate(lengths)
    most = int(length.max(initial=1))
    places = np.repeat(np.arange(len(strings), dtype=np.uint64), [len(codes) for codes in strings])
    moves = np.concatenate(strings) - (np.uint64(1) << (2 * length).astype(np.uint64))
    aligned = places << np.uint64(2 * most) | moves << (2 * (most - length)).astype(np.uint64)
    order = np.argsort(aligned)
    aligned, length = aligned[order], length[order]
    squares = np.zeros((1, 4), np.int32) if len(grounds) == 1 else grounds[0].after
    states = len(grounds) + int(_fill(aligned, length, most, len(grounds), np.empty((0, 4), np.int32)))
    table = np.full((states, 4), MISSING, np.int32)
    _fill(aligned, length, most, len(grounds), table)
    _complete(table, np.zeros(states, np.int32), squares)
    return table, np.arange(len(grounds), dtype=np.int32)


@compiled
def _fill(aligned: Any, length: Any, most: Any, roots: Any, table: Any) -> Any:
    """Numbers the beginnings of sorted strings, level by level, and links each to its own; how many there are."""
    node = np.empty(len(aligned), np.int32)  # where each string is in the trie, on the level that was last done
    for i in range(len(aligned)):
        node[i] = aligned[i] >> np.uint64(2 * most)
    count = 0
    for level in range(1, most + 1):
        last = np.uint64(2**64 - 1)
        for i in range(len(aligned)):
            if length[i] < level:
                continue
            beginning = aligned[i] >> np.uint64(2 * (most - level))
            rank = beginning & np.uint64(3)
            if length[i] == level:
                if len(table):
                    table[node[i], rank] = FORBIDDEN
                continue
            if beginning != last:
                last = beginning
                if len(table):
                    table[node[i], rank] = roots + count
                count += 1
            node[i] = roots + count - 1
    return count


@compiled
def _complete(table: Any, fallback: Any, squares: Any) -> None:
    """Fills in the missing edges: what is done with a state's fallback, its longest end that is a state, too.

    A root's edges lead to the root of the next square. States come after their fallbacks, which are shorter.
    """
    roots = len(squares)
    for state in range(len(table)):
        for rank in range(4):
            square = squares[state, rank] if state < roots else 0
            beside = square if state < roots else table[fallback[state], rank]
            if table[state, rank] == MISSING:
                table[state, rank] = beside
            elif table[state, rank] != FORBIDDEN:
                fallback[table[state, rank]] = beside
