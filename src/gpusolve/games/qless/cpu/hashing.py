"""Hash tables with linear probing."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.qless.cpu.letters import NO_CLASS
from gpusolve.runs.seeds import GOLDEN


@compiled
def put_classes(keys, table_keys, table):
    """Fill in the table of `Anagrams`. The highest bits of a key are its first position."""
    bits = 0
    while 1 << bits < len(table):
        bits += 1
    for number in range(len(keys)):
        position = np.int64(keys[number] >> np.uint64(64 - bits))
        while table[position] != NO_CLASS:
            position = (position + 1) & (len(table) - 1)
        table_keys[position], table[position] = keys[number], number


@compiled
def table_of_words(heads, tails):
    """Return the table of packed words as in `Variant.known_words`."""
    size = 1024
    while size < 2 * len(heads):
        size *= 2
    table_heads, table_tails = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    mask = np.uint64(size - 1)
    for i in range(len(heads)):
        slot = _first_slot(heads[i], tails[i], mask)
        while table_heads[slot]:
            slot = (slot + np.uint64(1)) & mask
        table_heads[slot], table_tails[slot] = heads[i], tails[i]
    return table_heads, table_tails


@compiled
def is_known(heads, tails, head, tail):
    """Return whether a packed word is in the table of `Variant.known_words`."""
    mask = np.uint64(len(heads) - 1)
    slot = _first_slot(head, tail, mask)
    while heads[slot]:
        if heads[slot] == head and tails[slot] == tail:
            return True
        slot = (slot + np.uint64(1)) & mask
    return False


@inlined
def _first_slot(head, tail, mask):
    return ((head ^ tail) * np.uint64(GOLDEN) >> np.uint64(32)) & mask
