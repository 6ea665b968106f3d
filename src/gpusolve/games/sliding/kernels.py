"""The program ``kernels/sliding.cu``, and the array of neighbours that all its kernels share.

The sub-rooms launch its kernels: `databases.kernels` builds and reads pattern databases, `search.kernels` searches.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Program
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "sliding.cu", "gpusolve.games.sliding.cpu")


def neighbours(rows: int, columns: int) -> npt.NDArray[np.uint8]:
    """Return the cell that the blank reaches by each move U D L R: uint8 (cells, 4).

    At the edge of the board it is the cell itself.
    """
    cells = np.arange(rows * columns).reshape(rows, columns)
    up, left = np.vstack([cells[:1], cells[:-1]]), np.hstack([cells[:, :1], cells[:, :-1]])
    down, right = np.vstack([cells[1:], cells[-1:]]), np.hstack([cells[:, 1:], cells[:, -1:]])
    return np.stack([side.ravel() for side in (up, down, left, right)], axis=1).astype(np.uint8)
