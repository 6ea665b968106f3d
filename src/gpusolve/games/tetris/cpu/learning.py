"""The step of the learned value's training that is done in order: what each weight learns from a round of games.

On the host for every device: 22 tables are touched for a board, at random, some thousand boards a round.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import popcount
from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import row_sum
from gpusolve.games.tetris.cpu.losses import WIDE, PLACES, PRIOR, READY, find_places
from gpusolve.games.tetris.cpu.tables import CAPACITY, CLEARED, FILLED, FLOOR, HEIGHTS, WORKSPACE, i32, i64, u32, u64
from gpusolve.games.tetris.rules import COLUMNS

UNIT = 8.0
MOST = 32767.0  # what 16 bits hold


@compiled
def describe(boards, lines, max_lines, out):
    """out[i]: where board i is in the tables, after so many lines; its rows ready; its prior."""
    workspace, numbers = np.zeros(WORKSPACE, u32), np.zeros(WIDE, i32)
    for begin in range(0, len(boards), CAPACITY):
        n = min(CAPACITY, len(boards) - begin)
        for lane in range(n):
            i = u64(lane)
            filled, heights = i32(0), i32(0)
            for k in range(COLUMNS):
                column = boards[begin + lane, k]
                workspace[u64(k * CAPACITY) + i] = column | FLOOR
                filled += i32(popcount(column))
                heights += i32(22 * popcount(column) - row_sum(column))
            workspace[FILLED + i], workspace[HEIGHTS + i] = u32(filled), u32(heights)
            workspace[CLEARED + i] = u32(lines[begin + lane])
        find_places(workspace, u64(n), i32(0), max_lines, numbers)
        for lane in range(n):
            for t in range(PLACES + 2):
                out[begin + lane, t] = numbers[u64(t * CAPACITY) + u64(lane)]


@compiled
def gather(ends, places, lines, costs, scales, max_lines, trace, weights, endgame, sums, hits, end_sums, end_hits):
    """What each number of the tables missed in a round of games, summed over its boards; the sum of squared errors.

    The errors are those of the tables as they are against the lambda returns of the games, each from its end to its
    begin. costs[i]: what was lost between board i and the next one of its game, which ends before record ends[g].
    """
    squares, first = 0.0, 0
    for game in range(len(ends)):
        ahead = 0.0
        for record in range(ends[game] - 1, first - 1, -1):
            target = costs[record] + ahead
            left = min(max_lines - i64(lines[record]), 230)
            if left <= 0:
                ahead = 0.0
                continue
            row, at = places[record], left * 6 + i64(places[record, READY])
            value = _sum(row, weights) * scales[lines[record]] * (UNIT / 256.0) + endgame[at]
            error = target - value
            squares += error * error
            end_sums[at] += error
            end_hits[at] += 1
            for t in range(PLACES):
                sums[row[t]] += error
                hits[row[t]] += 1
            ahead = trace * target + (1.0 - trace) * value
        first = ends[game]
    return squares


@compiled
def learn(rate, share, sums, hits, weights, drift, travel, rounded):
    """Moves each number that was hit by its mean error times `share`, `rate` and a step size; clears sums and hits.

    The step size is the number's own: the sum of the mean errors it has seen (`drift`) as a part of the sum of their
    sizes (`travel`): temporal coherence (Beal and Smith 1999). The mean, since thousands of boards of a round share a
    number: with a step for each of them what is common to all boards swings ever wider. `rounded`: the same as
    integers.
    """
    for i in range(len(weights)):
        if hits[i]:
            mean = sums[i] / hits[i]
            step = abs(drift[i]) / travel[i] if travel[i] > 0 else 1.0
            weights[i] += rate * share * step * mean
            drift[i] += mean
            travel[i] += abs(mean)
            rounded[i] = round(min(max(weights[i], -MOST), MOST)) if rounded.itemsize == 2 else round(weights[i])
            sums[i] = 0.0
            hits[i] = 0


@compiled
def _sum(row, weights):
    total = float(row[PRIOR])
    for t in range(PLACES):
        total += weights[row[t]]
    return total
