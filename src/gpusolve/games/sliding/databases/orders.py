"""The orders in which k tiles may lie on a map: ranked as Python's `itertools.permutations` lists them."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np
import numpy.typing as npt


def find_orders(tiles: int) -> npt.NDArray[np.uint8]:
    """The tile, by its number in the set, in each of a map's cells: uint8 (orders, tiles).

    >>> find_orders(3)[:4].tolist()
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0]]
    """
    return np.array(list(permutations(range(tiles))), np.uint8).reshape(-1, tiles)


def find_turns(tiles: int) -> npt.NDArray[np.uint16]:
    """The order that comes of another when a tile goes past its fellows: uint16 (tiles * tiles, orders).

    Row ``i * tiles + j``: the tile in the map's cell i gets before or behind them, to be in cell j.
    """
    orders = find_orders(tiles)
    # The rank of an order is the sum over its places of (how many smaller ones come later) * (places behind)!
    weights = [factorial(tiles - 1 - place) for place in range(tiles)]
    turns = np.zeros((tiles * tiles, len(orders)), np.uint16)
    for i in range(tiles):
        for j in range(tiles):
            turned = np.insert(np.delete(orders, i, axis=1), j, orders[:, i], axis=1)
            rank = np.zeros(len(orders), np.uint32)
            for place, weight in enumerate(weights):
                rank += weight * (turned[:, place + 1 :] < turned[:, place : place + 1]).sum(axis=1, dtype=np.uint32)
            turns[i * tiles + j] = rank
    return turns
