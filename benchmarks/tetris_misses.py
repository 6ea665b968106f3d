"""Tetris by a player who misses presses: advice that counts on it beside advice that does not.

    PYTHONPATH=src nice -n 19 python benchmarks/tetris_misses.py [--games 40] [--lines 40] [--reach 30hz+tuck] \
        [--start-level 19] [--miss 0.5,0.3,0.1]

Both players look at two pieces and miss presses with the same chances. The first one aims where the expectation over
where the piece comes to rest is best, the second one where the placement itself is. They play the same pieces.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gpusolve.backend import open_backend
from gpusolve.games.tetris import Variant
from gpusolve.games.tetris.kernels import Placements
from gpusolve.games.tetris.players.misses import Aims, Careful
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.players.turns import Now, play_by_turns

SEED = 61


class Unaware(Careful):
    """A player who misses presses and does not count on it."""

    def adjusted(self, aims: Aims, now: Now, placements: Placements, following: Sequence[int]) -> list[int]:
        """See `Careful`; every piece is expected to come to rest where it is aimed at."""
        return super().adjusted(replace(aims, chances=np.eye(*aims.chances.shape)), now, placements, following)


def main() -> None:
    """Print a row for each player, and the difference game by game."""
    options = _options()
    variant = Variant.load(
        reach=options.reach,
        source="nes",
        start_level=options.start_level,
        max_lines=options.lines,
        delay_ms=options.delay_ms,
        miss=options.miss,
    )
    backend, player = open_backend("cpu:1"), player_of(None, variant)
    policy, scores = policy_of(player, variant=variant), []
    print(f"{variant.summary}, {player.name}, seed {SEED}\n")
    print("| aims | games | mean | ended early | ms/piece |\n|---|---:|---:|---:|---:|")
    for name, kind in (("with misses in mind", Careful), ("as if none was missed", Unaware)):
        choose = kind(player, backend, policy, variant).choose
        begin = time.process_time()
        played, _ = play_by_turns(
            choose, range(options.games), seed=SEED, variant=variant, backend=backend, at_once=lambda: options.games
        )
        seconds = time.process_time() - begin
        scores.append(played.scores[0].tolist())
        early = 100 * float((played.lines[0] < options.lines).mean())
        each = 1000 * seconds / int(played.pieces.sum())
        print(f"| {name} | {options.games} | {_mean(scores[-1])} | {early:.0f} % | {each:.1f} |", flush=True)
    print(f"\nGame by game, the difference is {_mean([a - b for a, b in zip(*scores, strict=True)])} points.")


def _mean(scores: Sequence[int]) -> str:
    return f"{statistics.fmean(scores):,.0f} ± {statistics.stdev(scores) / math.sqrt(len(scores)):,.0f}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--lines", type=int, default=40)
    parser.add_argument("--reach", default="30hz+tuck")
    parser.add_argument("--start-level", type=int, default=19)
    parser.add_argument("--delay-ms", type=int, default=0)
    parser.add_argument("--miss", default="0.5,0.3,0.1")
    return parser.parse_args()


if __name__ == "__main__":
    main()
