"""The orders in which k tiles can lie on a map, ranked as Python's `itertools.permutations` lists them."""

from __future__ import annotations

from itertools import permutations
from math import factorial, perm

import numpy as np
import numpy.typing as npt

from gpusolve.games.sliding.databases.tilesets import Pattern


def find_orders(tiles: int) -> npt.NDArray[np.uint8]:
    """Return every order: the tile, by its number in the set, in each of a map's cells, uint8 (orders, tiles).

    >>> find_orders(3)[:4].tolist()
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0]]
    """
    return np.array(list(permutations(range(tiles))), np.uint8).reshape(-1, tiles)


def goal_orders(pattern: Pattern) -> list[int]:
    """Return the ranks of the orders that are the goal: tiles that look alike can change places.

    >>> goal_orders(Pattern(3, 3, (1, 2, 4), 0)), goal_orders(Pattern(3, 3, (1, 2, 4), 0, ((1, 4),)))
    ([0], [0, 5])
    """
    kinds = np.array(pattern.kinds)
    orders = find_orders(len(kinds))
    ranks: list[int] = np.flatnonzero((kinds[orders] == kinds).all(axis=1)).tolist()
    return ranks


def find_weights(pattern: Pattern, *, dense: bool) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return what the index of a placement in the database is made of.

    Returns
    -------
    weights : ndarray of int64, shape (tiles,)
        The index is the sum of these times the cells of the tiles ...
    less : ndarray of int64, shape (orders,)
        ... minus this, by the order of the tiles on the map. In a dense database a tile counts only the cells that the
        tiles before it leave free; in others nothing is subtracted.
    """
    cells, tiles = pattern.rows * pattern.columns, len(pattern.cells)
    orders = find_orders(tiles)
    if not dense:
        return np.array([cells**tile for tile in range(tiles)], np.int64), np.zeros(len(orders), np.int64)
    weights = np.array([perm(cells - tile - 1, tiles - tile - 1) for tile in range(tiles)], np.int64)
    places = np.argsort(orders, axis=1)  # of each tile
    before = np.stack([(places[:, :tile] < places[:, tile : tile + 1]).sum(axis=1) for tile in range(tiles)], axis=1)
    return weights, before @ weights


def find_turns(tiles: int) -> npt.NDArray[np.uint16]:
    """Return the order after a tile has moved past others: uint16 (tiles * tiles, orders).

    In row ``i * tiles + j`` the tile in the map's cell i has moved to the map's cell j.
    """
    orders = find_orders(tiles)
    # The rank of an order is the sum over its positions of (number of smaller tiles after it) * (positions after it)!
    weights = [factorial(tiles - 1 - position) for position in range(tiles)]
    turns = np.zeros((tiles * tiles, len(orders)), np.uint16)
    for i in range(tiles):
        for j in range(tiles):
            turned = np.insert(np.delete(orders, i, axis=1), j, orders[:, i], axis=1)
            rank = np.zeros(len(orders), np.uint32)
            for position, weight in enumerate(weights):
                later = turned[:, position + 1 :] < turned[:, position : position + 1]
                rank += weight * later.sum(axis=1, dtype=np.uint32)
            turns[i * tiles + j] = rank
    return turns
