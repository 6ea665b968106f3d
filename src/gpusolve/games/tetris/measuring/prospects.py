"""What is to come of boards: by playing on, over many sequences of pieces."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.tetris.kernels import Boards
from gpusolve.games.tetris.players import playing, turns
from gpusolve.games.tetris.players.turns import Choose, Start
from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.variant import MOST_LINES, Settings
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

AHEAD = 20
"""Pieces of a playout."""
PLAYOUTS = 100
MOST_PLAYOUTS = 10_000


@dataclass(frozen=True)
class Prospect:
    """Of `playouts` ways to play AHEAD pieces on: the part with a tetris, and the part that ended at the top.

    Both are means of draws that are 0 or 1, so the standard error of one is that of a proportion.
    """

    playouts: int
    tetris: float
    risk: float


def prospects(
    choose: Choose,
    boards: Boards,
    levels: npt.NDArray[np.int32],
    lines: npt.NDArray[np.int32],
    known: Sequence[Sequence[int]],
    previous: Sequence[int],
    playouts: int,
    settings: Settings,
    seed: int,
    backend: Backend,
) -> list[Prospect]:
    """What is to come of each board if `choose` plays on, first the pieces `known` there, then such as follow them.

    `levels`: their rows of the table of taps; `lines`: those cleared so far. Both stay, and all boards meet the same
    luck, so that it cancels out between them. `previous`: for each board the piece before the first one that is drawn.
    """
    lists = [
        [*first, *_draw(last, AHEAD + 1 - len(first), settings.source, seed, number)]  # the last one only follows
        for first, last in zip(known, previous, strict=True)
        for number in range(playouts)
    ]
    n = len(boards)
    endless = replace(settings, max_lines=MOST_LINES)
    games, _ = turns.play(
        choose,
        range(n * playouts),
        seed,
        endless,
        backend,
        min(backend.batch(playing.BYTES_PER_GAME), playing.MOST_AT_ONCE),
        lists,
        Start(np.repeat(boards, playouts, axis=0), np.repeat(levels, playouts), np.repeat(lines, playouts)),
    )
    tetris = (games.tetrises[0] > 0).reshape(n, playouts).mean(axis=1)
    ended = (games.pieces[0] < AHEAD).reshape(n, playouts).mean(axis=1)
    return [Prospect(playouts, *both) for both in zip(tetris.tolist(), ended.tolist(), strict=True)]


def _draw(previous: int, count: int, source: str, seed: int, number: int) -> list[int]:
    """Sequence `number` of a seed: pieces that follow one another as those of `source` do."""
    bounds = np.cumsum(sources.transitions(source), axis=1).tolist()
    state, found = mix((mix((seed + GOLDEN) & MASK64) + number * GOLDEN) & MASK64), []
    for _ in range(count):
        state = (state + GOLDEN) & MASK64
        previous = bisect_right(bounds[previous], (mix(state) >> 32) * bounds[previous][-1] >> 32)
        found.append(previous)
    return found
