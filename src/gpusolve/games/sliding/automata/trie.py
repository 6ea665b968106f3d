"""The automaton that recognises forbidden strings: a trie with all edges filled in (Aho and Corasick 1975).

A state is the longest suffix of the moves so far that is a prefix of a forbidden string. Complete forbidden strings
need no states because a search never makes them: the table has -1 there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.games.sliding.automata.grounds import Codes, Ground

FORBIDDEN = -1
MISSING = -2  # an edge that has not been filled in yet


def transitions(strings: list[Codes], grounds: list[Ground]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the transition table of the forbidden strings of each ground, and the start state of each ground.

    Returns
    -------
    table : ndarray of int32, shape (states, 4)
        State and rank -> next state, FORBIDDEN if the move would complete a forbidden string. States are numbered by
        the length of the suffix that they stand for. If there is a ground for each square, moves over the edge of the
        board are FORBIDDEN as well.
    starts : ndarray of int32, shape (grounds,)
        The state in which each ground starts.
    """
    lengths = [(np.frexp(codes.astype(np.float64))[1] // 2).astype(np.int64) for codes in strings]
    length = np.concatenate(lengths)
    longest = int(length.max(initial=1))
    roots = np.repeat(np.arange(len(strings), dtype=np.uint64), [len(codes) for codes in strings])
    moves = np.concatenate(strings) - (np.uint64(1) << (2 * length).astype(np.uint64))
    aligned = roots << np.uint64(2 * longest) | moves << (2 * (longest - length)).astype(np.uint64)
    order = np.argsort(aligned)
    aligned, length = aligned[order], length[order]
    squares = np.zeros((1, 4), np.int32) if len(grounds) == 1 else grounds[0].after
    states = len(grounds) + int(_fill(aligned, length, longest, len(grounds), np.empty((0, 4), np.int32)))
    table = np.full((states, 4), MISSING, np.int32)
    _fill(aligned, length, longest, len(grounds), table)
    _complete(table, np.zeros(states, np.int32), squares)
    return table, np.arange(len(grounds), dtype=np.int32)


@compiled
def _fill(aligned: Any, length: Any, longest: Any, roots: Any, table: Any) -> Any:
    """Give numbers to the prefixes of sorted strings, level by level, and return how many there are.

    Each prefix is linked to the prefix before it, unless `table` is empty.
    """
    node = np.empty(len(aligned), np.int32)  # the trie's node of each string on the last level
    for i in range(len(aligned)):
        node[i] = aligned[i] >> np.uint64(2 * longest)
    count = 0
    for level in range(1, longest + 1):
        last = np.uint64(2**64 - 1)
        for i in range(len(aligned)):
            if length[i] < level:
                continue
            prefix = aligned[i] >> np.uint64(2 * (longest - level))
            rank = prefix & np.uint64(3)
            if length[i] == level:
                if len(table):
                    table[node[i], rank] = FORBIDDEN
                continue
            if prefix != last:
                last = prefix
                if len(table):
                    table[node[i], rank] = roots + count
                count += 1
            node[i] = roots + count - 1
    return count


@compiled
def _complete(table: Any, fallback: Any, squares: Any) -> None:
    """Fill in the missing edges: a state does what its fallback does, its longest suffix that is a state, too.

    The edges of a root lead to the root of the next square. States come after their fallbacks, which are shorter.
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
