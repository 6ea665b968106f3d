"""Upper bounds: a number of points that no game from a position exceeds.

Three relaxations give bounds. They ignore the directions, so that every line may slide either way at any time.

Each line on its own: a slide changes a line in one of three ways. It slides the line, and the next letter of the queue
enters at one end; or it slides a line across, which changes one letter to any letter of the puzzle; or it leaves the
line alone. `line_bounds` computes the best score of each line after k such changes. The sum over the lines of a board
is a bound, by which the exhaustive search leaves boards out. After as many changes as a line has letters, any line can
be reached.

Letters free to be anywhere: the final board has letters of the grid and the queue, each at most as often as there. A
price for each letter turns this into a problem for each line: no board scores more than the sum of all prices, plus for
each line the most that its score exceeds the prices of its letters by.

Rows and columns agree: each cell belongs to a row and to a column. If both may choose its letter freely, a bonus for
each letter in each cell, paid to the row and taken from the column, pulls them together. `free_bound` looks for good
prices and bonuses by subgradients [1]_, with the lines that score most, and then computes the bound they give with all
lines, in integers. Whatever the prices are, the bound holds.

On the twenty days of `benchmarks/results/queuedle-bounds.md`, these bounds are 218.5, 199.1 and 172.3 points on
average, and the best boards found have 102.1.

References
----------
.. [1] M. Held, P. Wolfe, H. P. Crowder, Validation of subgradient optimization, Mathematical Programming 6, 1974.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.kernels import ALPHABET
from gpusolve.games.queuedle.positions import Position

STEPS = 150
"""Number of subgradient steps."""
TOP = 5000
"""Number of lines with the highest scores, at least, with which the steps are made."""
SCALE = 256
"""Prices and bonuses are multiples of this part of a point."""
MOST_LINE_BOUNDS = {3: 2, 4: 3, 5: 4, 6: 3}
"""Grid size -> number of slides for which `line_bounds` makes tables: one less than makes any line of any other, or
what memory allows."""
PRICE_PACE, PATIENCE, LESS = (
    0.02,
    4,
    0.7,
)  # the step of prices, relative to bonuses; when steps get shorter, and how much
Lines = npt.NDArray[np.uint8]
"""A number for each line of a puzzle's different letters, (letters,) * n."""


def letters_of(position: Position) -> npt.NDArray[np.intp]:
    """Return the different letters 0 to 25 of the grid and the queue."""
    return np.array(sorted(ord(letter) - ord("a") for letter in {*"".join(position.grid), *position.queue}), np.intp)


def select(scores: npt.NDArray[np.uint8], position: Position) -> Lines:
    """Return the scores of the lines that have only letters of the position; `scores` are those of all lines."""
    n = len(position.grid)
    return scores.reshape((ALPHABET,) * n)[np.ix_(*[letters_of(position)] * n)]


def line_bounds(lines: Lines, position: Position) -> list[Lines]:
    """Return for k = 0, 1 ... the most that each line scores if the last k letters of the queue are still to come.

    There are no more tables than MOST_LINE_BOUNDS and the queue allow.
    """
    n, letters = lines.ndim, letters_of(position).tolist()
    tables = [lines]
    for letter in list(reversed(position.queue))[: MOST_LINE_BOUNDS[n]]:
        before, entering = tables[-1], letters.index(ord(letter) - ord("a"))
        best = before.copy()
        for place in range(n):
            np.maximum(best, before.max(axis=place, keepdims=True), out=best)
        np.maximum(best, before[..., entering][None], out=best)  # the first letter drops out
        np.maximum(best, before[entering][..., None], out=best)  # the last letter drops out
        tables.append(best)
    return tables


def widen(table: Lines, position: Position) -> npt.NDArray[np.uint8]:
    """Return a table over all 26^n lines, as the kernels take it."""
    n = table.ndim
    wide = np.zeros((ALPHABET,) * n, np.uint8)
    wide[np.ix_(*[letters_of(position)] * n)] = table
    return wide.reshape(-1)


def upper_bound(position: Position, scores: npt.NDArray[np.uint8]) -> int:
    """Return a number of points that no game from this position exceeds; `scores` are those of all 26^n lines.

    >>> from gpusolve.backend import open_backend
    >>> from gpusolve.games.queuedle.kernels import line_scores
    >>> upper_bound(Position(("tea", "xxx", "xxx"), "ot"), line_scores(open_backend("cpu"), ["tea", "tot"], 3))
    9
    """
    lines = select(scores, position)
    bound = free_bound(lines, position)
    if len(position.queue) <= MOST_LINE_BOUNDS[lines.ndim]:
        table, letters = line_bounds(lines, position)[-1], letters_of(position).tolist()
        numbers = ([letters.index(ord(letter) - ord("a")) for letter in line] for line in rules.lines(position.grid))
        bound = min(bound, sum(int(table[tuple(line)]) for line in numbers))
    return bound


def free_bound(lines: Lines, position: Position, *, steps: int = STEPS, agree: bool = True) -> int:
    """Return the bound of free letters, whose rows and columns agree unless `agree` is False."""
    n, count = lines.ndim, lines.shape[0]
    letters = [ord(letter) - ord("a") for letter in "".join(position.grid) + position.queue]
    copies = 2 * np.bincount(letters, minlength=ALPHABET)[letters_of(position)]  # for a row and for a column
    top, flat = _possible(lines.reshape(-1), copies // 2, n)
    if not len(top):
        return 0
    table = flat.reshape(count ** (n // 2), -1)  # by the first letters and the last
    most = table.max(axis=1)
    values = flat[top].astype(np.int32) * SCALE
    heads, tails = top // table.shape[1], top % table.shape[1]

    def best_of_top(worth: npt.NDArray[np.int32]) -> tuple[int, int]:
        head, tail = _sums(worth[: n // 2]), _sums(worth[n // 2 :])
        reached = values + head[heads] + tail[tails]
        best = int(reached.argmax())
        return int(reached[best]), int(top[best])

    def best_of_all(worth: npt.NDArray[np.int32]) -> int:
        """Return the best of all lines: by their first letters, those with the highest limit first."""
        head, tail = _sums(worth[: n // 2]), _sums(worth[n // 2 :])
        limits = head + most.astype(np.int32) * SCALE + tail.max()
        best = np.iinfo(np.int32).min
        for number in np.argsort(-limits, kind="stable").tolist():
            if limits[number] <= best:
                break
            best = max(best, int(head[number] + (table[number].astype(np.int32) * SCALE + tail).max()))
        return best

    prices, bonuses = _search(best_of_top, copies, n, steps, agree)
    total = int(prices @ copies) + sum(best_of_all(worth) for worth in _worths(prices, bonuses))
    return min(total // SCALE, 2 * n * int(most.max()))


def _possible(
    table: npt.NDArray[np.uint8], copies: npt.NDArray[np.int64], n: int
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.uint8]]:
    """Return the lines with the highest scores, and the table without those of them that need a letter too often."""
    least = int(table.max())
    while least > 1 and np.count_nonzero(table >= least) < TOP:
        least -= 1
    top = np.flatnonzero(table >= max(least, 1))
    places = [top // len(copies) ** place % len(copies) for place in range(n)]
    possible = np.ones(len(top), bool)
    for letter in np.flatnonzero(copies < n):
        possible &= sum((place == letter).astype(np.int8) for place in places) <= copies[letter]
    table = table.copy()
    table[top[~possible]] = 0
    return top[possible], table


def _search(
    best_of: Callable[[npt.NDArray[np.int32]], tuple[int, int]],
    copies: npt.NDArray[np.int64],
    n: int,
    steps: int,
    agree: bool,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return prices (letters,) and bonuses (n, n, letters) for which the bound of the best lines is low.

    A subgradient is what the best lines use too much of: the copies of letters, and in each cell the row's letter if
    it is not the column's.
    """
    count = len(copies)
    price, bonus = np.zeros(count), np.zeros((n, n, count))
    rows, columns = np.indices((n, n))
    lowest, stride, since = float("inf"), LESS, 0
    found = np.zeros(count, np.int32), np.zeros((n, n, count), np.int32)
    for _ in range(steps):
        rounded = np.rint(price * SCALE).astype(np.int32), np.rint(bonus * SCALE).astype(np.int32)
        bests = [best_of(worth) for worth in _worths(*rounded)]
        total = (int(rounded[0] @ copies) + sum(value for value, _ in bests)) / SCALE
        if total < lowest:
            lowest, found, since = total, rounded, 0
        else:
            since += 1
        if since == PATIENCE:
            stride, since = stride * LESS, 0
        chosen = np.array([[line // count ** (n - 1 - k) % count for k in range(n)] for _, line in bests])
        unused = copies - np.bincount(chosen.reshape(-1), minlength=count)
        unused[(price <= 0) & (unused > 0)] = 0
        apart = np.zeros((n, n, count))
        if agree:
            np.add.at(apart, (rows, columns, chosen[:n]), 1)
            np.add.at(apart, (rows, columns, chosen[n:].T), -1)
        length = (apart**2).sum() + PRICE_PACE * (unused**2).sum()
        if length == 0:  # the best lines are a board
            break
        step = stride * total / 2 / length
        bonus -= step * apart
        price = np.maximum(0, price - step * PRICE_PACE * unused)
    return found


def _worths(prices: npt.NDArray[np.int32], bonuses: npt.NDArray[np.int32]) -> list[npt.NDArray[np.int32]]:
    """Return for each line, rows first, what each letter at each place adds to its score, int32 (n, letters)."""
    n = len(bonuses)
    return [*(bonuses - prices), *(-bonuses[:, column] - prices for column in range(n))]


def _sums(worth: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return for each sequence of letters the sum of what they add, int32 (letters^places,)."""
    total: npt.NDArray[np.int32] = worth[0]
    for place in worth[1:]:
        total = (total[:, None] + place).reshape(-1)
    return total
