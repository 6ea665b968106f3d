"""The stack of frames: deep enough for every limit on the number of guesses, and refused beyond that."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import NotFound
from gpusolve.games.wordle.cpu.proof.frames import locate_rows, push_frame
from gpusolve.games.wordle.cpu.proof.memory import COLUMNS, LEVELS, STRIDE, State, Work
from gpusolve.games.wordle.cpu.proof.reasons import Reasons
from gpusolve.games.wordle.cpu.proof.weighted import Scales
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.proof.starts import MOST_TURNS
from gpusolve.games.wordle.variant import Variant

CPU = open_backend("cpu")
WORDS = ["batch", "catch", "crane", "hatch", "patch"]


def _position() -> Position:
    variant = Variant.load(WORDS, WORDS)
    return Position(after([], variant, "patterns", CPU), variant, memory=1, backend=CPU)


def _copy_frames(position: Position, work: Work, levels: int) -> int:
    """Push the whole table as a new frame again and again; return the number of frames pushed."""
    words = len(WORDS)
    work.rows[:words] = np.arange(words)
    top = position._top
    work.guesses[top.guesses : top.guesses + words] = np.arange(words)
    for level in range(levels):
        state = State(level, 0, words, np.uint64(0))
        locate_rows(work, state)
        push_frame(position.search, work, state, words, top)
        assert (work.frame[level + 1, COLUMNS], work.frame[level + 1, STRIDE]) == (words, 64)
    return levels


def test_there_is_a_level_for_every_guess() -> None:
    position = _position()
    assert _copy_frames(position, position._new_work(len(WORDS)), LEVELS - 2) > MOST_TURNS


def test_a_deeper_search_is_refused_in_one_line() -> None:
    position = _position()

    def too_deep(work: Work, reasons: Reasons, scales: Scales | None) -> int:
        return _copy_frames(position, work, LEVELS - 1)

    with pytest.raises(NotFound, match="the search went deeper than 99 guesses"):
        position._run(len(WORDS), too_deep)
