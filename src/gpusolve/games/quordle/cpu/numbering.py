"""The patterns of words of more than five letters, numbered guess by guess.

A GPU has no twin, because the host does this once for a variant.
"""

from __future__ import annotations

from gpusolve.backend.compiled import compiled
from gpusolve.games.quordle.cpu.costs import SOLVED


@compiled
def number_patterns(codes, solved, seen, numbers):
    """Write the patterns of each column as numbers from 0, without SOLVED, in the order in which they occur.

    SOLVED stands for `solved`. `codes` and `numbers` have the same shape; `seen` is -1 for each pattern, and stays so.
    """
    for column in range(codes.shape[1]):
        n = 0
        for row in range(len(codes)):
            code = codes[row, column]
            if code == solved:
                numbers[row, column] = SOLVED
                continue
            if seen[code] < 0:
                n += n == SOLVED
                seen[code] = n
                n += 1
            numbers[row, column] = seen[code]
        for row in range(len(codes)):
            seen[codes[row, column]] = -1
