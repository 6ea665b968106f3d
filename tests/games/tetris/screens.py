"""Frames of games as NestrisChamps records them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gpusolve.games.tetris import Recording
from gpusolve.games.tetris.rules.board import cells_of, spawn_state
from gpusolve.games.tetris.rules.sources import NES_ORDER

VERSIONS = {1: 8, 2: 9, 3: 10}  # bits of a counter


def frame(version: int, counts: list[int], following: int, lines: int, level: int, cells: Any) -> bytes:
    """Return a frame by the published layout."""
    if version == 1:
        numbers = bytes([version << 5, *[0] * 8, lines >> 2, (lines & 3) << 6 | level, following, 7])
    else:
        numbers = bytes([version << 5, *[0] * 5, lines >> 8, lines & 255, level, 0, 0, 0, 0xF8 | following, 0xFF])
    bits = 7 * VERSIONS[version]
    size = (bits + 7) // 8
    counters = 0
    for count in counts:
        counters = counters << VERSIONS[version] | count
    counters <<= 8 * size - bits
    pairs = np.array(cells, np.uint8)[2:].reshape(50, 4) * np.array([64, 16, 4, 1], np.uint8) * 2
    made: bytes = numbers + counters.to_bytes(size) + pairs.sum(axis=1).astype(np.uint8).tobytes()
    return made + bytes(version == 1)  # the oldest version ends with a zero


def frames_of(game: Recording, version: int) -> Iterator[bytes]:
    """Yield three frames of each piece: where it spawns, on its way, and at rest; then the first frame of the next."""
    counts, lines = [0] * 7, 0
    drawn = list(zip(game.drawn, [*game.boards, (None, None)], strict=False))
    last = game.boards
    for board_after, _ in last:
        final = board_after
    for number, (piece, (_, before)) in enumerate(drawn):
        counts[NES_ORDER.index(piece)] += 1
        following = NES_ORDER.index(drawn[number + 1][0]) if number + 1 < len(drawn) else 7
        level = game.variant.level_at(lines)
        begin = final if before is None else before
        spawn = spawn_state(piece)
        states = [spawn] if before is None else [spawn, (spawn[0], spawn[1] + 1, spawn[2]), game.turns[number].state]
        for state in states:
            cells = begin.copy()
            for row, column in cells_of(piece, state):
                cells[row, column] = 1
            yield frame(version, counts, following, lines, level, cells)
        lines = game.turns[number].lines if number < len(game.turns) else lines
