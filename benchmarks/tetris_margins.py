"""Searches that go deeper only where placements are close, judged by a search that leaves nothing out.

    PYTHONPATH=src python benchmarks/tetris_margins.py tournament-15hz --taps 15hz+tuck --delay 18 --to 225 \
        --breadths 8,4 --breadths 8,4,3 [--from 0] [--boards 300] [--reference 8,4,3]

takes boards from games two pieces deep between the lines `--from` and `--to`. For each of `--breadths` it prints the
milliseconds per board, the fraction of the choices that are those of the reference, and what the choices lose by the
reference's own expectation, in points per piece. With a reaction time, each board is tried with all seven next pieces.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import Variant
from gpusolve.games.tetris.players import value_judge
from gpusolve.games.tetris.players.expectimax import Expectimax
from gpusolve.games.tetris.players.turns import Now, Round
from gpusolve.games.tetris.players.value import TWO_PIECE, load_value
from gpusolve.games.tetris.rules.reachability import FRAMES_PER_SECOND

GAMES, SEED, PART = 24, 99, 0.3
"""The games that boards come from, and the fraction of their boards to draw from."""
LEAD = 15
"""Games start this number of lines before the first boards."""
Breadths: TypeAlias = tuple[int, ...]


def main() -> None:
    """Print what each search loses."""
    options = _options()
    delay_ms = round(1000 * options.delay / FRAMES_PER_SECOND)
    variant = Variant(options.taps, "nes", 18, 430, delay_ms, double_killscreen=True)
    backend = open_backend("cpu:1")
    judge = load_value(options.player).judge(backend, variant)
    now = boards_of(backend, judge, options.begin, options.end, options.boards)
    margins = value_judge.MARGINS
    value_judge.MARGINS = ((value_judge.EVERY, value_judge.EVERY),) * len(margins)
    worths, best, seconds = reference(judge, now, options.reference)
    least = expectations(judge, now, worths, best)
    print(f"{len(best)} boards; reference {options.reference}: {1000 * seconds / len(best):.1f} ms", flush=True)
    value_judge.MARGINS = margins
    for breadths in options.breadths:
        chosen, seconds = choices(judge, now, breadths)
        lost = expectations(judge, now, worths, chosen) - least
        same, error = (chosen == best).mean(), lost.std(ddof=1) / math.sqrt(len(lost))
        print(
            f"{breadths}: {1000 * seconds / len(best):.2f} ms, {100 * same:.1f} % the same choice, "
            f"loses {lost.mean():.1f} ± {error:.1f} points per piece",
            flush=True,
        )


def boards_of(backend: Backend, judge: value_judge.ValueJudge, begin: int, end: int, count: int) -> Now:
    """Return boards of games two pieces deep."""
    random, play = np.random.default_rng(SEED), Expectimax(judge, TWO_PIECE, judge.variant)
    lines = np.full(GAMES, max(0, begin - LEAD), np.int32)
    games, drawn = Round(backend, range(GAMES), seed=SEED, variant=judge.variant, lines=lines), []
    while len(games.going):
        now = games.now()
        kept = (now.lines >= begin) & (now.lines < end) & (random.random(len(now.lines)) < PART)
        drawn.append(Now(*(array[kept] for array in now)))
        _, goes_on = games.turn(games.going, *play.choose(now))
        games.going = games.going[goes_on]
    every = Now(*map(np.concatenate, zip(*drawn, strict=True)))
    picked = np.sort(random.permutation(len(every.lines))[:count])
    return Now(*(array[picked] for array in every))


def reference(
    judge: value_judge.ValueJudge, now: Now, breadths: Breadths
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32], float]:
    """Return the worths of placements with each next piece, in points, the choice for each of these, and the seconds.

    With the next piece known at once, that one is the only one.
    """
    search = Expectimax(judge, breadths, judge.variant)
    begin = time.process_time()
    placements, tried, worths = search.worths(now)
    seconds = time.process_time() - begin
    if search.planner is None:
        return worths / search.whole ** (len(breadths) - 1), worths.argmin(axis=1).astype(np.int32), seconds
    known = np.where(tried[:, :, None], worths, 0)
    chosen = [search.planner.choose(then, placements, known) for then in with_each_next_piece(now)]
    return worths.astype(np.float64), np.stack(chosen, axis=1), seconds


def choices(judge: value_judge.ValueJudge, now: Now, breadths: Breadths) -> tuple[npt.NDArray[np.int32], float]:
    """Return the choices of a search with each next piece, (n, k), and the seconds for one of them on every board."""
    search = Expectimax(judge, breadths, judge.variant)
    every = [now] if search.planner is None else with_each_next_piece(now)
    begin = time.process_time()
    chosen = [search.choose(then)[1] for then in every]
    return np.stack(chosen, axis=1), (time.process_time() - begin) / len(every)


def with_each_next_piece(now: Now) -> list[Now]:
    """Return the boards seven times, with each of the seven pieces as the next one."""
    return [now._replace(following=np.full_like(now.following, piece)) for piece in range(7)]


def expectations(
    judge: value_judge.ValueJudge, now: Now, worths: npt.NDArray[np.float64], chosen: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """Return what the choices on each board are worth: their mean over the next pieces, (n,)."""
    found = np.take_along_axis(worths, chosen[:, None, :], axis=1)[:, 0, :]
    if found.shape[1] == 1:
        return found[:, 0]
    search = Expectimax(judge, TWO_PIECE, judge.variant)
    mean: npt.NDArray[np.float64] = (found * search.chances[now.pieces]).sum(axis=1) / search.whole
    return mean


def _breadths(text: str) -> Breadths:
    return tuple(map(int, text.split(",")))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player")
    parser.add_argument("--taps", required=True)
    parser.add_argument("--delay", type=int, default=0, metavar="FRAMES")
    parser.add_argument("--from", dest="begin", type=int, default=0, metavar="LINES")
    parser.add_argument("--to", dest="end", type=int, default=430, metavar="LINES")
    parser.add_argument("--boards", type=int, default=300)
    parser.add_argument("--reference", type=_breadths, default=(8, 4, 3))
    parser.add_argument("--breadths", type=_breadths, action="append", required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
