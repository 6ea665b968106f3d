"""Polyominoes, and those of them that are shapes."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined

ROW = 16
"""Difference between the numbers of a cell and of the cell below it."""


@compiled
def enumerate_shapes(n, min_length, touching, cells, words, symmetric):
    """Fill in the cells, the number of words and the symmetry of each shape; return how many shapes there are.

    Those for which the arrays have no room are only counted. The number of polyominoes is returned as well.

    A polyomino grows from its first cell in reading order. `untried` lists the cells that can still be added: each is
    either added or ruled out for good, so no polyomino is made twice.
    """
    width = 2 * n + 1  # an empty border on all sides
    size = (n + 2) * width
    seen, taken = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    start = width + n
    seen[:start] = True  # the cells before the first cell in reading order
    seen[(n + 1) * width :] = True
    seen[start] = True
    untried = np.empty(4 * n, np.int64)
    untried[0] = start
    chosen, before = np.empty(n, np.int64), np.empty(n, np.int64)  # by depth: index in `untried`, length of `untried`
    code, transposed = np.empty(n, np.uint8), np.empty(n, np.uint8)
    polyominoes = accepted = depth = i = 0
    length = 1
    steps = (1, width, -1, -width)
    while depth >= 0:
        if i == length:
            depth -= 1
            if depth >= 0:
                i = chosen[depth]
                taken[untried[i]] = False
                seen[untried[before[depth] : length]] = False
                length = before[depth]
                i += 1
            continue
        cell = untried[i]
        taken[cell] = True
        chosen[depth] = i
        if depth < n - 1:
            before[depth] = length
            for step in steps:
                if not seen[cell + step]:
                    seen[cell + step] = True
                    untried[length] = cell + step
                    length += 1
            depth += 1
            i += 1
            continue
        polyominoes += 1
        count = _words(untried, chosen, taken, n, width, min_length, touching)
        if count:
            _codes(untried, chosen, n, width, code, transposed)
            order = 0
            for k in range(n):
                if code[k] != transposed[k]:
                    order = -1 if code[k] < transposed[k] else 1
                    break
            if order <= 0:
                if accepted < len(words):
                    for k in range(n):
                        cells[accepted, k] = code[k]
                    words[accepted], symmetric[accepted] = count, order == 0
                accepted += 1
        taken[cell] = False
        i += 1
    return accepted, polyominoes


@compiled
def _words(untried, chosen, taken, n, width, min_length, touching):
    """Return the number of words of a polyomino, 0 if it is not a shape."""
    count = covered = 0
    for k in range(n):
        cell = untried[chosen[k]]
        for step in (1, width):
            if taken[cell - step]:
                continue
            length = 1
            while taken[cell + length * step]:
                length += 1
            if length >= min_length:
                count += 1
            elif length > 1 and not (touching and length == 2):
                return 0
    if touching:
        for k in range(n):
            cell = untried[chosen[k]]
            for step in (1, width):
                length = 1
                while taken[cell + length * step]:
                    length += 1
                back = 0
                while taken[cell - (back + 1) * step]:
                    back += 1
                if length + back >= min_length:
                    covered += 1
                    break
        if covered < n:
            return 0
    return count


@compiled
def _codes(untried, chosen, n, width, code, transposed):
    """Fill in the cells of a polyomino and of its transpose in reading order.

    Rows and columns are counted from the top row and the leftmost column of the polyomino.
    """
    left = width
    for k in range(n):
        left = min(left, untried[chosen[k]] % width)
    for k in range(n):
        row, column = untried[chosen[k]] // width - 1, untried[chosen[k]] % width - left
        _insert(code, k, ROW * row + column)
        _insert(transposed, k, ROW * column + row)


@inlined
def _insert(numbers, count, number):
    """Insert a number into `count` sorted numbers. Numba's own sorting takes ten times as long to compile."""
    while count and numbers[count - 1] > number:
        numbers[count] = numbers[count - 1]
        count -= 1
    numbers[count] = number


@compiled
def free_shapes(cells):
    """Return the number of shapes that come first among their eight rotations and reflections."""
    count, n = 0, cells.shape[1]
    other = np.empty(n, np.uint8)
    for shape in cells:
        rows, columns = 0, 0
        for cell in shape:
            rows, columns = max(rows, cell // ROW), max(columns, cell % ROW)
        first = True
        for turn in range(1, 8):
            for k in range(n):
                row, column = shape[k] // ROW, shape[k] % ROW
                if turn & 1:
                    row = rows - row
                if turn & 2:
                    column = columns - column
                _insert(other, k, ROW * column + row if turn & 4 else ROW * row + column)
            for k in range(n):
                if other[k] != shape[k]:
                    first = first and shape[k] < other[k]
                    break
        count += first
    return count
