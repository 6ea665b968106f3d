"""The automaton that recognises forbidden strings: a trie with all edges filled in (Aho and Corasick 1975).

A state is the longest suffix of the moves so far that is a prefix of a forbidden string. Complete forbidden strings
need no states because a search never makes them: the table has -1 there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.games.sliding.automata.graphs import Codes
from gpusolve.games.sliding.cpu.strings import Graph
from gpusolve.games.sliding.cpu.trie import MISSING, complete_edges, number_prefixes


def transitions(strings: list[Codes], graphs: list[Graph]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the transition table of the forbidden strings of each graph, and the start state of each graph.

    Returns
    -------
    table : ndarray of int32, shape (states, 4)
        State and rank -> next state, FORBIDDEN if the move would complete a forbidden string. States are numbered by
        the length of the suffix that they stand for. If there is a graph for each square, moves over the edge of the
        board are FORBIDDEN as well.
    starts : ndarray of int32, shape (graphs,)
        The state in which each graph starts.
    """
    lengths = [(np.frexp(codes.astype(np.float64))[1] // 2).astype(np.int64) for codes in strings]
    length = np.concatenate(lengths)
    longest = int(length.max(initial=1))
    roots = np.repeat(np.arange(len(strings), dtype=np.uint64), [len(codes) for codes in strings])
    moves = np.concatenate(strings) - (np.uint64(1) << (2 * length).astype(np.uint64))
    aligned = roots << np.uint64(2 * longest) | moves << (2 * (longest - length)).astype(np.uint64)
    order = np.argsort(aligned)
    aligned, length = aligned[order], length[order]
    squares = np.zeros((1, 4), np.int32) if len(graphs) == 1 else graphs[0].after
    states = len(graphs) + int(number_prefixes(aligned, length, longest, len(graphs), np.empty((0, 4), np.int32)))
    table = np.full((states, 4), MISSING, np.int32)
    number_prefixes(aligned, length, longest, len(graphs), table)
    complete_edges(table, np.zeros(states, np.int32), squares)
    return table, np.arange(len(graphs), dtype=np.int32)
