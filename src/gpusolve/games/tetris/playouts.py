"""What is to come of boards: by playing on, over many sequences of pieces."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.tetris import kernels, playing, sources, turns
from gpusolve.games.tetris.kernels import Boards, Settings
from gpusolve.games.tetris.turns import Choose
from gpusolve.seeds import GOLDEN, MASK64, mix

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
    known: list[int],
    previous: int,
    playouts: int,
    settings: Settings,
    seed: int,
    backend: Backend,
) -> list[Prospect]:
    """What is to come of each board if `choose` plays on, first the `known` pieces, then such as follow them.

    The level stays, and all boards meet the same pieces, so that luck cancels out between them. `previous`: the piece
    before the first one that is drawn.
    """
    n, drawn = len(boards), AHEAD + 1 - len(known)  # the last one only follows
    lists = [known + _draw(previous, drawn, settings.source, seed, number) for number in range(playouts)]
    endless = replace(settings, max_lines=kernels.MOST_LINES)
    games, _ = turns.play(
        choose,
        range(n * playouts),
        seed,
        endless,
        backend,
        playing.at_once(backend, "two-piece", (), settings),
        lists * n,
        (np.repeat(boards, playouts, axis=0), np.repeat(levels, playouts)),
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
