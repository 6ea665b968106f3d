"""All rolls of the dice."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled


@compiled
def merged(keys, weights, adds, ways):
    """Return the sums of a key and one of `adds`, ascending and each once, and their weights.

    A sum weighs the key's weight times the `ways` of what was added; equal sums add their weights.
    """
    room, faces = len(keys) * len(adds), len(adds)
    out, out_weights = np.empty(room, np.uint64), np.empty(room, np.int64)
    position = np.zeros(faces, np.int64)
    count = 0
    while True:
        lowest = np.uint64(0xFFFFFFFFFFFFFFFF)
        for face in range(faces):
            if position[face] < len(keys):
                lowest = min(lowest, keys[position[face]] + adds[face])
        if lowest == np.uint64(0xFFFFFFFFFFFFFFFF):
            break
        total = 0
        for face in range(faces):
            if position[face] < len(keys) and keys[position[face]] + adds[face] == lowest:
                total += weights[position[face]] * ways[face]
                position[face] += 1
        out[count], out_weights[count] = lowest, total
        count += 1
    return out[:count].copy(), out_weights[:count].copy()
