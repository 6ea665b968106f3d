"""Tetris: what it costs to look at two pieces after only the placements that are best at first sight.

    PYTHONPATH=src python benchmarks/tetris_two_pieces.py advice [--taps 30hz+tuck] [--delay-ms 0] [--positions 200] \
        [--slips 0] [--lines 0] [--seed 7310]
    PYTHONPATH=src python benchmarks/tetris_two_pieces.py games [--taps 30hz+tuck] [--delay-ms 0] [--games 200] \
        [--breadths 12,20,352] [--seed 720201]

`advice` takes positions from games that begin after `--lines` lines, by a player who searches every placement, and who
makes any placement at random with a chance of `--slips`. It compares a search of twelve placements with one of all:
what the choice by twelve loses against the other, with the next piece of the position. `games` plays the same games
with each breadth.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from gpusolve.backend import open_backend
from gpusolve.games.tetris.kernels import PLACEMENTS
from gpusolve.games.tetris.players.judge import Choices
from gpusolve.games.tetris.players.playing import play
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.players.turns import Choose, Now, Round
from gpusolve.games.tetris.variant import Variant

CPU = open_backend("cpu:1")
ALL = Policy("branching", (PLACEMENTS,))
FEW = Policy("two-piece")
AT_ONCE = 20
"""Games from which positions are taken side by side."""


def positions(choose: Choose, variant: Variant, *, count: int, slips: float, lines: int, seed: int) -> Now:
    """Return positions of games, about one of thirty."""
    random, found, first = np.random.default_rng(seed), list[list[np.ndarray]](), 0
    while len(found) < count:
        games = range(first, first + AT_ONCE)
        state = Round(CPU, games, seed=seed, variant=variant, lines=np.full(AT_ONCE, lines, np.int32))
        first += AT_ONCE
        while len(state.going):
            now = state.now()
            placements, chosen = choose(now)
            taken = np.flatnonzero((random.random(len(chosen)) < 1 / 30) & (placements.counts > 0))
            found += [[array[game] for array in now] for game in taken]
            any_one = (random.random(len(chosen)) * placements.counts).astype(np.int32)
            chosen = np.where(random.random(len(chosen)) < slips, any_one, chosen).astype(np.int32)
            _, goes_on = state.turn(state.going, placements, chosen)
            state.going = state.going[goes_on]
    picked = random.permutation(len(found))[:count]
    return Now(*(np.stack(arrays) for arrays in zip(*(found[at] for at in picked), strict=True)))


def advice(variant: Variant, *, count: int, slips: float, lines: int, seed: int) -> None:
    """Print how often and by how much the choice by twelve placements is worse."""
    player = player_of(None, variant)
    few, every = player.chooser(CPU, FEW, variant), player.chooser(CPU, ALL, variant)
    now = positions(every, variant, count=count, slips=slips, lines=lines, seed=seed)
    fewer, chosen = few(now)
    placements, best = every(now)
    losses = np.zeros(count)
    for i in range(count):
        made = int(np.flatnonzero(placements.placements[i] == fewer.placements[i, chosen[i]])[0])
        if made != best[i]:
            after, cleared = placements.after[i, [made, best[i]]], placements.cleared[i, [made, best[i]]]
            piece, following, level, gone = (int(array[i]) for array in now[1:])
            choices = Choices(piece, following, after, cleared, np.zeros((2, 17), np.int32), level, gone)
            values = player.rate(CPU, choices, FEW, variant).values
            losses[i] = values[0] - values[1]
    differ = np.flatnonzero(losses)
    print(
        f"{count} positions, {placements.counts.mean():.1f} placements: {len(differ)} differ, "
        f"mean loss {losses.mean():.1f} ± {losses.std(ddof=1) / count**0.5:.1f}, worst {losses.max():.0f}"
    )


def games(variant: Variant, *, count: int, breadths: list[int], seed: int) -> None:
    """Print the scores with each breadth, their differences from those with the first, and the time."""
    player = player_of(None, variant)
    play(CPU, player, range(2), seed=1, policy=FEW, variant=variant)  # loads the tables
    first = None
    for breadth in breadths:
        start, policy = time.process_time(), Policy("branching", (breadth,))
        results = play(CPU, player, range(count), seed=seed, policy=policy, variant=variant).results[0]
        used, scores, root = time.process_time() - start, results[:, 0].astype(np.float64), count**0.5
        first = scores if first is None else first
        change = scores - first
        print(
            f"{breadth}: {scores.mean():,.0f} ± {scores.std(ddof=1) / root:,.0f}, "
            f"difference {change.mean():,.0f} ± {change.std(ddof=1) / root:,.0f}, "
            f"{1e6 * used / results[:, 2].sum():.0f} µs a piece",
            flush=True,
        )


def main() -> None:
    """Measure one of the two."""
    parser = argparse.ArgumentParser(description="Two pieces after few placements, and after all.")
    parser.add_argument("what", choices=("advice", "games"))
    parser.add_argument("--taps", default="30hz+tuck")
    parser.add_argument("--delay-ms", type=int, default=0)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--slips", type=float, default=0)
    parser.add_argument("--lines", type=int, default=0)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--breadths", default=f"12,20,{PLACEMENTS}")
    parser.add_argument("--seed", type=int)
    given = parser.parse_args()
    variant = Variant(given.taps, "nes", 18, 430, given.delay_ms)
    if given.what == "advice":
        seed = 7310 if given.seed is None else given.seed
        advice(variant, count=given.positions, slips=given.slips, lines=given.lines, seed=seed)
    else:
        breadths = [int(number) for number in given.breadths.split(",")]
        games(variant, count=given.games, breadths=breadths, seed=720201 if given.seed is None else given.seed)


if __name__ == "__main__":
    main()
