"""`rank` and `take`: the kernels of a beam; ``kernels/sliding.cu`` explains the idea and the layout."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined

u8, u32, u64 = np.uint8, np.uint32, np.uint64
SLOTS, NO_TILE = 4, 255
HEIGHT_BIT, BLANK_BIT, MOVE_BIT, MADE_BIT = u64(18), u64(28), u64(34), u64(37)
MOST_RANK, MOST_HEIGHT = u64(2**18 - 1), u64(2**10 - 1)
MOST_KEY, NOISE_LEVELS = 65535, 2


class Lookups(NamedTuple):
    """The parameters of both kernels that look up heights."""

    cells: int
    views: int
    side_of: npt.NDArray[np.uint8]
    members: npt.NDArray[np.uint8]
    place: npt.NDArray[np.uint8]
    bases: npt.NDArray[np.int64]
    heights: npt.NDArray[np.uint8]


@compiled
def rank(
    first, last, states, capacity, start, words, cells, views, beside, side_of, members, place, bases, heights, bound,
    salt, keys,
):  # fmt: skip
    lookups = Lookups(cells, views, side_of, members, place, bases, heights)
    tiles, where = np.zeros(8 * words, u8), np.zeros(256, np.int64)
    for item in range(first, last):
        state = start + item
        about = states[words - 1, state]
        blank, came = np.int64(about >> BLANK_BIT & u64(63)), np.int64(about >> MOVE_BIT & u64(7))
        room = bound - 1 - np.int64(about >> MADE_BIT)
        _unpack(states, state, words, cells, tiles, where)
        for move in range(4):
            cell = np.int64(beside[blank, move])
            keys[item, move] = 0
            if cell == blank or move == came ^ 1:
                continue
            rank, height = _step(about, tiles[cell], blank, where, lookups)
            noise = 0
            if salt:
                mixed = u32(u32(state * 4 + move) * u32(0x9E3779B1)) ^ u32(salt)
                noise = np.int64(u32(mixed * u32(0x85EBCA6B)) >> u32(31))
            if height <= room:
                keys[item, move] = max(1, MOST_KEY - NOISE_LEVELS * rank - noise)


@compiled
def take(
    first, last, states, capacity, words, cells, views, beside, side_of, members, place, bases, heights, parents, moves,
    out, out_capacity,
):  # fmt: skip
    lookups = Lookups(cells, views, side_of, members, place, bases, heights)
    tiles, where = np.zeros(8 * words, u8), np.zeros(256, np.int64)
    for item in range(first, last):
        state, move = parents[item], np.int64(moves[item])
        about = states[words - 1, state]
        blank = np.int64(about >> BLANK_BIT & u64(63))
        cell = np.int64(beside[blank, move])
        _unpack(states, state, words, cells, tiles, where)
        tile = tiles[cell]
        rank, height = _step(about, tile, blank, where, lookups)
        for word in range(words - 1):
            out[word, item] = states[word, state]
        out[cell >> 3, item] ^= u64(tile) << u64(8 * (cell & 7))
        out[blank >> 3, item] ^= u64(tile) << u64(8 * (blank & 7))
        packed = (about >> MADE_BIT) + u64(1) << MADE_BIT | u64(move) << MOVE_BIT | u64(cell) << BLANK_BIT
        out[words - 1, item] = packed | u64(height) << HEIGHT_BIT | u64(rank)


@inlined
def _unpack(states, state, words, cells, tiles, where):
    """Write the tile of each cell, and the cell of each tile."""
    for word in range(words - 1):
        packed = states[word, state]
        for place in range(8):
            tiles[8 * word + place] = u8(packed >> u64(8 * place))
    for cell in range(cells):
        where[tiles[cell]] = cell


@inlined
def _step(about, tile, blank, where, lookups):
    """Return the rank and the height after a tile has moved from its cell to that of the blank."""
    rank, height = np.int64(about & MOST_RANK), np.int64(about >> HEIGHT_BIT & MOST_HEIGHT)
    for view in range(lookups.views):
        side = lookups.side_of[view, tile]
        index, power, step = lookups.bases[side], 1, 0
        for slot in range(SLOTS):
            member = lookups.members[side, slot]
            if member == NO_TILE:
                break
            there = np.int64(lookups.place[side, where[member]])
            index += there * power
            if member == tile:
                step = (np.int64(lookups.place[side, blank]) - there) * power
            power *= lookups.cells
        rise = np.int64(lookups.heights[index + step]) - np.int64(lookups.heights[index])
        rank += rise
        if view == 0:
            height += rise
    return rank, height
