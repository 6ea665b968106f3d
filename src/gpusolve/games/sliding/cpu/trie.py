"""`number_prefixes` and `complete_edges` make the table of an automaton, which ``automata/trie.py`` explains.

A GPU has no twins of them.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled

FORBIDDEN = -1
"""The edge of a move that completes a forbidden string."""
MISSING = -2
"""An edge that has not been filled in yet."""


@compiled
def number_prefixes(aligned, length, longest, roots, table):
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
def complete_edges(table, fallback, squares):
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
