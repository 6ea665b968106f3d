"""The sequential step of training a learned value: updating the tables from a round of games.

It runs on the host for every device: a board touches 25 tables at random positions, and a round has a few thousand
boards.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import popcount
from gpusolve.games.tetris.cpu.boards import row_sum
from gpusolve.games.tetris.cpu.losses import HEIGHT, PLACES, PRIOR, READY, WIDE, find_places
from gpusolve.games.tetris.cpu.tables import CAPACITY, FILLED, FLOOR, HEIGHTS, WORKSPACE, i32, i64, u32, u64
from gpusolve.games.tetris.rules.board import COLUMNS
from gpusolve.games.tetris.rules.losses import LAST_LINES

UNIT = 8.0  # points


@compiled
def describe(boards, lines, course, out):
    """Set out[i] to the indices of board i in the tables, followed by its rows ready and its prior."""
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
        find_places(workspace, u64(n), numbers)
        for lane in range(n):
            here = lines[begin + lane] * 4
            for t in range(PLACES + 2):
                start = course[here + 1] if t < PLACES else i32(0)
                out[begin + lane, t] = numbers[u64(t * CAPACITY) + u64(lane)] + start
            out[begin + lane, HEIGHT] += course[here + 2]


@compiled
def learn(
    ends, places, lines, costs, course, max_lines, trace, rate, share, kept, knots, parts, weights, drift, travel,
    endgame, end_drift, end_travel, tables, table_of_ends, rounds,
):  # fmt: skip
    """Move the weights towards the lambda returns of games, each from its end to its start; return the squared errors.

    costs[i] is the loss between board i and the next board of its game; game g ends before record ends[g].
    `weights` and `endgame` are floats. Each comes with the sum of its errors (`drift`) and the sum of their
    absolute values (`travel`). The step size is the absolute drift divided by the travel (temporal coherence; Beal
    and Smith 1999). `tables` and `table_of_ends` are the weights and `endgame` rounded. `share` is the fraction of
    an error that `endgame` takes; the tables share the rest, and at 1 only `endgame` learns. Row `left` of `endgame` is
    learned as 1 - parts[left] of row knots[left, 0] and parts[left] of row knots[left, 1]. The first `kept` weights
    never change, and their rows of `endgame` move with the row where the phase after them begins. `rounds`, an array of
    one number, is counted here, so that Ctrl-C interrupts either before both the update and the count or after both.
    """
    squares, first, begin = 0.0, 0, len(knots)
    for gone in range(max_lines, -1, -1):
        if course[gone * 4 + 1] >= kept:
            begin = i64(course[gone * 4 + 3]) + 1
    before = endgame[begin * 6 - 6]
    for game in range(len(ends)):
        future = 0.0
        for record in range(ends[game] - 1, first - 1, -1):
            target = costs[record] + future
            if lines[record] >= max_lines:
                future = 0.0
                continue
            scale, left = course[lines[record] * 4] * (UNIT / 256.0), i64(course[lines[record] * 4 + 3])
            row, ready = places[record], i64(places[record, READY]) if left <= LAST_LINES else 0
            at, other, part = knots[left, 0] * 6 + ready, knots[left, 1] * 6 + ready, parts[left]
            end = endgame[at] * (1.0 - part) + endgame[other] * part
            error = target - (_sum(row, weights) * scale + end)
            squares += error * error
            learns = course[lines[record] * 4 + 1] >= kept
            for i, step in ((at, error * share * (1.0 - part)), (other, error * share * part)):
                if step != 0.0 and learns:
                    endgame[i] += rate * _step_size(end_drift[i], end_travel[i]) * step
                    end_drift[i] += step
                    end_travel[i] += abs(step)
            step = error * (1.0 - share) / (PLACES * UNIT)
            for t in range(PLACES if share < 1.0 and learns else 0):
                i = row[t]
                weights[i] += rate * _step_size(drift[i], travel[i]) * step
                drift[i] += step
                travel[i] += abs(step)
                tables[i] = round(min(max(weights[i], -32767.0), 32767.0))
            end = endgame[at] * (1.0 - part) + endgame[other] * part
            future = trace * target + (1.0 - trace) * (_sum(row, weights) * scale + end)
        first = ends[game]
    for left in range(len(knots)):
        for ready in range(6):
            at, other, part = knots[left, 0] * 6 + ready, knots[left, 1] * 6 + ready, parts[left]
            if left < begin:
                endgame[left * 6 + ready] = endgame[at] * (1.0 - part) + endgame[other] * part
            else:
                endgame[left * 6 + ready] += endgame[begin * 6 - 6] - before
            table_of_ends[left * 6 + ready] = i32(round(endgame[left * 6 + ready]))
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
