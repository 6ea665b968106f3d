"""Which moves may follow which: of short strings of moves with the same effect, only the first is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

MOST_STRINGS = 5000
MOST_LENGTH = 4
NEVER = -1


def find_automaton(moves: npt.NDArray[np.uint8], costs: Sequence[int]) -> npt.NDArray[np.int32]:
    """Return the automaton of a puzzle's moves, int32 (nodes, moves): the next node, or NEVER.

    All strings of up to four moves are compared, or of fewer if there are more than 5,000. Of those with the same
    effect, the first by cost, length and alphabet is allowed. A path of least cost that comes first in this order
    contains no other string, because putting the first one in its place would give an earlier path (Taylor and Korf
    1993).

    Examples
    --------
    Two moves that undo themselves and that can be exchanged:

    >>> find_automaton(np.array([[1, 0, 2, 3], [0, 1, 3, 2]], np.uint8), [1, 1]).tolist()
    [[1, 2], [-1, 3], [-1, -1], [-1, -1]]
    """
    count = len(moves)
    length = next(n for n in range(MOST_LENGTH, 0, -1) if n == 1 or count**n <= MOST_STRINGS)
    first: dict[bytes, tuple[int, int, tuple[int, ...]]] = {}
    effects: dict[tuple[int, ...], bytes] = {(): np.arange(moves.shape[1], dtype=np.uint8).tobytes()}
    for size in range(length + 1):
        for string in product(range(count), repeat=size):
            if string:
                before = np.frombuffer(effects[string[:-1]], np.uint8)
                effects[string] = moves[string[-1]][before].tobytes()
            key = sum(costs[move] for move in string), size, string
            effect = effects[string]
            first[effect] = min(key, first.get(effect, key))
    forbidden = {string for string, effect in effects.items() if first[effect][2] != string}
    nodes: dict[tuple[int, ...], int] = {(): 0}
    waiting: list[tuple[int, ...]] = [()]
    table: list[list[int]] = []
    for string in waiting:  # it grows meanwhile
        row = []
        for move in range(count):
            longer = (*string, move)
            if any(longer[start:] in forbidden for start in range(len(longer))):
                row.append(NEVER)
            else:
                kept = longer[-(length - 1) :] if length > 1 else ()
                if kept not in nodes:
                    nodes[kept] = len(nodes)
                    waiting.append(kept)
                row.append(nodes[kept])
        table.append(row)
    return np.array(table, np.int32)
