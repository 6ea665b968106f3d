"""The sequential step of training a learned value: updating the tables from a round of games.

It runs on the host for every device: a board touches 25 tables at random positions, and a round has a few thousand
boards.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import popcount
from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import row_sum
from gpusolve.games.tetris.cpu.losses import HEIGHT, PLACES, PRIOR, READY, WIDE, find_places
from gpusolve.games.tetris.cpu.tables import CAPACITY, FILLED, FLOOR, HEIGHTS, WORKSPACE, i32, i64, u32, u64
from gpusolve.games.tetris.rules.board import COLUMNS
from gpusolve.games.tetris.rules.losses import BEGINS, LAST_LINES, SIZE, STAGES

UNIT = 8.0  # points
PARTS = len(STAGES) + 1  # of a phase, in the table of heights
FIRST_HEIGHT, LAST_HEIGHT = BEGINS[i64(HEIGHT)], BEGINS[i64(HEIGHT) + 1]
FARTHEST_ERROR = 100_000.0  # points
END_GAIN, FEW = (
    0.3,
    300.0,
)  # the fraction of a mean error that a row of `endgame` moves by, if many more boards than FEW are in it
CENTRE_GAIN = 0.1  # the fraction of a mean sum that moves in a round
TEN = 10  # lines: about a level, whose boards have an error in common


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
    ends, places, lines, costs, course, max_lines, trace, rate, share, relative, knots, parts, weights, drift, travel,
    endgame, end_drift, end_travel, tables, table_of_ends, rounds,
):  # fmt: skip
    """Move the weights towards the lambda returns of games, each from its end to its start; return the squared errors.

    costs[i] is the loss between board i and the next board of its game; game g ends before record ends[g].
    `weights` and `endgame` are floats. Each comes with the sum of its errors (`drift`) and the sum of their
    absolute values (`travel`). The step size is the absolute drift divided by the travel (temporal coherence; Beal
    and Smith 1999). `tables` and `table_of_ends` are the weights and `endgame` rounded. `share` is the fraction of
    an error that `endgame` takes; the tables share the rest, and at 1 only `endgame` learns. Row `left` of `endgame` is
    learned as 1 - parts[left] of row knots[left, 0] and parts[left] of row knots[left, 1]. `rounds`, an array of one
    number, is counted here, so that Ctrl-C interrupts either before both the update and the count or after both.

    If `relative` is 1, the tables learn only how the boards of about the same number of lines differ, from errors of at
    most FARTHEST_ERROR points, and `endgame` learns from the whole round at once (`_survey`, `_centre`).
    """
    squares, first = 0.0, 0
    common, bound = np.zeros(max_lines // TEN + 1), FARTHEST_ERROR if relative else 1e30
    totals, counts = np.zeros(len(weights) // SIZE * PARTS), np.zeros(len(weights) // SIZE * PARTS)
    if relative:
        _survey(ends, places, lines, costs, course, max_lines, trace, knots, parts, weights, endgame, common)
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
            if not relative:
                for i, step in ((at, error * share * (1.0 - part)), (other, error * share * part)):
                    if step != 0.0:
                        endgame[i] += rate * _step_size(end_drift[i], end_travel[i]) * step
                        end_drift[i] += step
                        end_travel[i] += abs(step)
            own = min(max(error - common[lines[record] // TEN], -bound), bound)
            step = own * (1.0 - share) / (PLACES * UNIT)
            for t in range(PLACES if share < 1.0 else 0):
                i = row[t]
                weights[i] += rate * _step_size(drift[i], travel[i]) * step
                drift[i] += step
                travel[i] += abs(step)
                tables[i] = round(min(max(weights[i], -32767.0), 32767.0))
            end, total = endgame[at] * (1.0 - part) + endgame[other] * part, _sum(row, weights)
            future = trace * target + (1.0 - trace) * (total * scale + end)
            here = _part(course, lines[record])
            totals[here] += total
            counts[here] += 1.0
        first = ends[game]
    if relative:
        _centre(totals, counts, course, max_lines, weights, endgame, tables)
    for left in range(len(knots)):
        for ready in range(6):
            at, other, part = knots[left, 0] * 6 + ready, knots[left, 1] * 6 + ready, parts[left]
            endgame[left * 6 + ready] = endgame[at] * (1.0 - part) + endgame[other] * part
            table_of_ends[left * 6 + ready] = i32(round(endgame[left * 6 + ready]))
    rounds[0] += 1
    return squares


@compiled
def _survey(ends, places, lines, costs, course, max_lines, trace, knots, parts, weights, endgame, common):
    """Set common[i] to the mean error of the boards of ten lines, and move each row of `endgame` by its mean error.

    A mean over a round of games hardly moves with a single game that ends early, whose error is hundreds of thousands
    of points.
    """
    counts, sums, shares, first = np.zeros(len(common)), np.zeros(len(endgame)), np.zeros(len(endgame)), 0
    common[:] = 0.0
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
            loss = _sum(row, weights) * scale + endgame[at] * (1.0 - part) + endgame[other] * part
            common[lines[record] // TEN] += target - loss
            counts[lines[record] // TEN] += 1.0
            for i, share in ((at, 1.0 - part), (other, part)):
                sums[i] += share * (target - loss)
                shares[i] += share
            future = trace * target + (1.0 - trace) * loss
        first = ends[game]
    for i in range(len(common)):
        common[i] /= max(1.0, counts[i])
    for i in range(len(endgame)):
        endgame[i] += END_GAIN * sums[i] / (shares[i] + FEW)


@compiled
def _centre(totals, counts, course, max_lines, weights, endgame, tables):
    """Move part of the mean sum in each part of each phase from the table of heights to `endgame`.

    A sum is multiplied by a factor that grows with the level, and the table of heights has numbers of its own for each
    part of a phase. If the mean is far from 0, a new level and a new part look like a gain or a loss of thousands of
    points, and play burns lines to get there, or waits. An error that all boards have in common is consistent, so the
    numbers of frequent boards would follow it at full speed, but not those of rare ones: then frequent boards look
    better or worse than they are. This made training worse than no training (benchmarks/results/tetris-tournament.md).
    """
    for here in range(len(totals)):
        totals[here] *= CENTRE_GAIN / max(1.0, counts[here])
        for i in range(here // PARTS * SIZE + FIRST_HEIGHT + here % PARTS, here // PARTS * SIZE + LAST_HEIGHT, PARTS):
            weights[i] -= totals[here]
            tables[i] = round(min(max(weights[i], -32767.0), 32767.0))
    for gone in range(max_lines):
        left, moved = i64(course[gone * 4 + 3]), totals[_part(course, gone)] * course[gone * 4] * (UNIT / 256.0)
        for ready in range(6):
            endgame[left * 6 + ready] += moved


@compiled
def _part(course, gone):
    """Return the number of the part of the phase after `gone` lines, counted through all phases."""
    return i64(course[gone * 4 + 1]) // SIZE * PARTS + i64(course[gone * 4 + 2])


@compiled
def _step_size(drift, travel):
    return abs(drift) / travel if travel > 0 else 1.0


@compiled
def _sum(row, weights):
    total = float(row[PRIOR])
    for t in range(PLACES):
        total += weights[row[t]]
    return total
