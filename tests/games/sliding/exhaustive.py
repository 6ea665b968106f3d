"""Whether an automaton keeps a shortest path to every board of a size, from a start square: by breadth-first search.

Which numbers the tiles bear does not matter, so all boards that can be reached from the square stand for all pairs of a
start and a goal with the blank of the start there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.games.sliding.automata import Automaton
from gpusolve.games.sliding.rules import MOVES, neighbour

Keys = npt.NDArray[np.uint64]
STATE = 16  # bits for the state of the automaton, below four for each cell


def boards_lost(rows: int, columns: int, square: int, automaton: Automaton) -> tuple[int, int]:
    """The boards to which the automaton forbids all shortest paths, and all boards; up to the first distance with such.

    A layer holds every board of a distance with each state that a permitted path of that length brings there.
    """
    assert automaton.states <= 1 << STATE
    cells = rows * columns
    tiles = [0 if cell == square else cell + (cell < square) for cell in range(cells)]
    start = sum(tile << 4 * cell for cell, tile in enumerate(tiles))
    state = int(automaton.starts[square if len(automaton.starts) > 1 else 0])
    layer = {square: np.array([start << STATE | state], np.uint64)}
    before: dict[int, Keys] = {}
    lost, count = 0, 1
    while layer:
        following: dict[int, list[Keys]] = {}
        reached: dict[int, list[Keys]] = {}
        for blank, keys in layer.items():
            boards, states = keys >> np.uint64(STATE), (keys & np.uint64((1 << STATE) - 1)).astype(np.int64)
            for number, move in enumerate(MOVES):
                cell = neighbour(rows, columns, blank, move)
                if cell is not None:
                    tile = boards >> np.uint64(4 * cell) & np.uint64(15)
                    moved = boards ^ tile << np.uint64(4 * cell) ^ tile << np.uint64(4 * blank)
                    after = automaton.table[states, number]
                    kept = after >= 0
                    pairs = moved[kept] << np.uint64(STATE) | after[kept].astype(np.uint64)
                    reached.setdefault(cell, []).append(np.unique(moved))
                    following.setdefault(cell, []).append(pairs)
        here = {blank: np.unique(keys >> np.uint64(STATE)) for blank, keys in layer.items()}
        layer = {}
        for blank, found in reached.items():
            boards = np.unique(np.concatenate(found))
            new = boards[~_among(boards, before.get(blank, boards[:0]))]
            pairs = np.unique(np.concatenate(following[blank]))
            pairs = pairs[_among(pairs >> np.uint64(STATE), new)]
            count += len(new)
            lost += len(new) - len(np.unique(pairs >> np.uint64(STATE)))
            if len(pairs):
                layer[blank] = pairs
        if lost:  # what comes after them is not as far as it seems
            break
        before = here
    return lost, count


def _among(keys: Keys, others: Keys) -> npt.NDArray[np.bool_]:
    """Which keys are among others, which are sorted."""
    if not len(others):
        return np.zeros(len(keys), np.bool_)
    return np.asarray(others[np.minimum(np.searchsorted(others, keys), len(others) - 1)] == keys)
