"""The checks of all games."""

from __future__ import annotations

from small import qless, queuedle, quiddler, quordle, sliding, tetris, wordle
from small.cases import Check


def checks() -> list[Check]:
    """Return the checks, game by game."""
    return [
        *queuedle.CHECKS,
        *qless.CHECKS,
        *quiddler.CHECKS,
        *quordle.CHECKS,
        *sliding.CHECKS,
        *tetris.CHECKS,
        *wordle.CHECKS,
    ]
