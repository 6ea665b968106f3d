"""What a suggestion asks of a player: the worth of each placement of a piece on one board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.games.tetris.kernels import Boards


class Choices(NamedTuple):
    """The placements of a piece on one board."""

    piece: int
    following: int | None
    """The next piece, if it is known."""
    after: Boards
    """The boards after the placements, (n, 10)."""
    cleared: npt.NDArray[np.uint8]
    """The lines that the placements clear."""
    features: npt.NDArray[np.int32]
    """The features of the boards, (n, 17)."""
    level: int
    lines: int
    """The lines cleared before."""


class Ratings(NamedTuple):
    """What the placements are worth; if the next piece is known, with that piece where it is best."""

    values: npt.NDArray[np.float64]
    """Less is better."""
    tetris_next: npt.NDArray[np.bool_]
    """Whether the next piece makes a tetris."""
    stuck: npt.NDArray[np.bool_]
    """Whether the next piece has no placement."""
    possible: int | None = None
    """If values are points that are about to be lost: the most that the rest of the game can bring."""
