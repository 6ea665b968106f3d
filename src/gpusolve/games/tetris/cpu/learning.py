"""The step of the learned value's training that is done in order: what each weight learns from a round of games.

On the host for every device: 22 tables are touched for a board, at random, some thousand boards a round.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import popcount
from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import row_sum
from gpusolve.games.tetris.cpu.losses import PLACES, PRIOR, READY, WIDE, find_places
from gpusolve.games.tetris.cpu.tables import CAPACITY, CLEARED, FILLED, FLOOR, HEIGHTS, WORKSPACE, i32, i64, u32, u64
from gpusolve.games.tetris.players.value import LAST_LINES
from gpusolve.games.tetris.rules.board import COLUMNS

UNIT = 8.0  # points


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
def learn(
    ends, places, lines, costs, scales, max_lines, trace, rate, share, weights, drift, travel, endgame, end_drift,
    end_travel, tables, table_of_ends, rounds,
):  # fmt: skip
    """Moves the weights towards the lambda returns of games, each from its end to its begin; the sum of squared errors.

    costs[i]: what was lost between board i and the next one of its game, which ends before record ends[g]. `weights`
    and `endgame` in floats, with the sum of the errors each has seen (`drift`) and of their sizes (`travel`), whose
    quotient is its step size (temporal coherence, Beal and Smith 1999); `tables`, `table_of_ends`: the same rounded.
    `share`: the part of an error that `endgame` takes, the others share the rest; 1: only `endgame` learns. `rounds`,
    one number, is counted here, so that Ctrl-C finds both done or neither.
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
            scale = scales[lines[record]] * (UNIT / 256.0)
            row, at = places[record], left * 6 + (i64(places[record, READY]) if left <= LAST_LINES else 0)
            error = target - (_sum(row, weights) * scale + endgame[at])
            squares += error * error
            step = error * share
            endgame[at] += rate * _step_size(end_drift[at], end_travel[at]) * step
            end_drift[at] += step
            end_travel[at] += abs(step)
            table_of_ends[at] = i32(round(endgame[at]))
            step = error * (1.0 - share) / (PLACES * UNIT)
            for t in range(PLACES if share < 1.0 else 0):
                i = row[t]
                weights[i] += rate * _step_size(drift[i], travel[i]) * step
                drift[i] += step
                travel[i] += abs(step)
                tables[i] = round(min(max(weights[i], -32767.0), 32767.0))
            ahead = trace * target + (1.0 - trace) * (_sum(row, weights) * scale + endgame[at])
        first = ends[game]
    rounds[0] += 1
    return squares


@compiled
def _step_size(drift, travel):
    return abs(drift) / travel if travel > 0 else 1.0


@compiled
def _sum(row, weights):
    total = float(row[PRIOR])
    for t in range(PLACES):
        total += weights[row[t]]
    return total
