"""Tetris: tables for level 18 that learn from a search whose player never knows the next piece.

    PYTHONPATH=src nice python benchmarks/tetris_first_phase.py train STATE.npz [--rounds 60] [--time-limit SECONDS]
    PYTHONPATH=src nice python benchmarks/tetris_first_phase.py compare STATE.npz [--taps 30hz+tuck] [--delay 61] \
        [--breadths 12] [--games 800] [--seed 720131]

`train` plays games from the empty board to line 130 with 61 frames of reaction time by a search two pieces deep, learns
from them after each round, and saves the round to STATE.npz; the next run goes on there. What a board is about to lose
is learned towards what the search expects with the piece that came, (1 - TRACE), and what the game then lost, TRACE,
where the search counts the next pieces as unknown. From line 130 on the tables stay as they are, and say what the last
board is worth. `compare` plays the same games with the trained and the present tables, and counts points up to line
130.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, open_backend
from gpusolve.games.tetris.cpu import learning
from gpusolve.games.tetris.cpu.losses import PLACES
from gpusolve.games.tetris.kernels import Placements
from gpusolve.games.tetris.players.expectimax import Expectimax
from gpusolve.games.tetris.players.shipped import best_player
from gpusolve.games.tetris.players.turns import Round
from gpusolve.games.tetris.players.value import LearnedValue, load_value
from gpusolve.games.tetris.rules.losses import READY, SIZE
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.training.learner import TRUST
from gpusolve.games.tetris.variant import Variant
from tetris_tournament import variant_of

LAST = 130
"""The lines at level 18."""
TAPS, DELAY = "30hz+tuck", 61
SEED = 720_130
GAMES = 256
"""Games of a round."""
TRIED = (4,)
"""The placements of a piece that training searches."""
TRACE = 0.8
"""The part of a target that is what the game lost, per piece."""
RATE, LAST_RATE = 0.3, 0.03


@dataclass(frozen=True)
class Boards:
    """What a round of games saw at level 18: boards, lines cleared, and what followed by the search and by the game."""

    boards: npt.NDArray[np.uint32]
    lines: npt.NDArray[np.int32]
    targets: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]
    """The points of each game up to line 130."""


class State:
    """The tables for level 18 while they learn, and what STATE.npz has of them."""

    def __init__(self, path: Path, start: LearnedValue, variant: Variant) -> None:
        self.path, self.start = path, start
        self.course = start.stakes(variant).course.reshape(-1)
        self.rows = len(start.endgame) // READY
        self.first = self.rows - LAST  # the first of the rows of lines to come at level 18
        self.weights = start.tables[:SIZE].astype(np.float32)
        self.drift = np.zeros(SIZE, np.float32)
        self.travel = np.float32(TRUST) * (self.weights != 0)
        self.line = np.zeros(2)
        self.curve = np.empty((0, 5))
        if path.exists():
            self._load()

    @property
    def value(self) -> LearnedValue:
        """The value with these tables at level 18."""
        tables, endgame = self.start.tables.copy(), self.start.endgame.copy()
        tables[:SIZE] = self.weights.clip(-32767, 32767).round()
        endgame[self.first * READY :] += np.repeat(self.lines_to_come[self.first :], READY).round().astype(np.int32)
        return LearnedValue("trained", "", tables, endgame, self.start.phases)

    @property
    def lines_to_come(self) -> npt.NDArray[np.float64]:
        """What is added to each row of lines to come: a straight line at level 18."""
        constant, slope = self.line.tolist()
        return constant + slope * np.arange(-self.first, self.rows - self.first, dtype=np.float64)

    def learn(self, seen: Boards, rate: float) -> float:
        """Learn from the boards of a round; return the root mean squared error in points.

        What the errors have in common goes to the lines to come, so that the tables learn only what tells boards apart.
        """
        places = np.empty((len(seen.boards), PLACES + 2), np.int32)
        learning.describe(seen.boards, seen.lines, self.course, places)
        left = self.rows - 1 - seen.lines
        targets = seen.targets - self.start.endgame[left * READY]
        sums = self.weights[places[:, :PLACES]].sum(axis=1) + places[:, PLACES + 1]
        errors = targets - sums * self.course[seen.lines * 4] * (learning.UNIT / 256)
        slope, constant = np.polyfit(left - self.first, errors, 1)
        self.line = np.array([constant, slope])
        ends, unused = np.repeat(self.lines_to_come, READY).astype(np.float32), np.zeros(self.rows * READY, np.float32)
        knots = np.repeat(np.arange(self.rows)[:, None], 2, axis=1)
        squares = learning.learn(
            np.arange(1, len(targets) + 1), places, seen.lines, targets, self.course, 430, 0.0, rate, 0.0, 0, knots,
            np.zeros(self.rows), self.weights, self.drift, self.travel, ends, unused, unused.copy(),
            np.empty(SIZE, np.int16), np.empty(len(ends), np.int32), np.zeros(1, np.int64),
        )  # fmt: skip
        return math.sqrt(squares / len(targets))

    def save(self) -> None:
        """Save the numbers that have changed."""
        touched = np.flatnonzero(self.drift).astype(np.int32)
        partial = self.path.with_suffix(".partial.npz")
        np.savez_compressed(
            partial, touched=touched, weights=self.weights[touched], drift=self.drift[touched],
            travel=self.travel[touched], line=self.line, curve=self.curve, digest=np.array(self.start.digest),
        )  # fmt: skip
        partial.replace(self.path)

    def _load(self) -> None:
        with np.load(self.path) as saved:
            if str(saved["digest"]) != self.start.digest:
                raise SystemExit(f"{self.path}: it was trained from other tables")
            for name in ("weights", "drift", "travel"):
                getattr(self, name)[saved["touched"]] = saved[name]
            for name in ("line", "curve"):
                setattr(self, name, saved[name])


def lessons(backend: Backend, value: LearnedValue, games: range, variant: Variant) -> Boards:
    """Play games up to line 130 by plans that are never adjusted, and return what there is to learn from them."""
    judge = value.judge(backend, variant)
    search, chances = Expectimax(judge, TRIED, variant), transitions(variant.source)
    assert search.planner is not None
    state = Round(backend, games, seed=SEED, variant=variant)
    scores, future = np.zeros(len(games), np.int64), np.zeros(len(games), np.int64)
    turns = []
    while len(state.going):
        now, going = state.now(), state.going
        placements, tried, worths = search.worths(now)
        worths = np.where(tried[:, :, None], worths, 0)
        chosen, rows = search.planner.choose(now, placements, worths), np.arange(len(going))
        weights, is_stuck = chances[now.pieces], placements.counts == 0
        expected = (worths[rows, chosen] * weights).sum(axis=1) // weights.sum(axis=1)
        expected[is_stuck] = judge.end(now.lines[is_stuck])
        is_searched = tried.any(axis=1) | is_stuck  # a single placement is made without a search
        scores[going], is_over = state.results[going, 0], is_stuck | (now.lines >= LAST)
        future[going[is_over]] = expected[is_over]
        going = going[~is_over]
        cleared = placements.cleared[rows, chosen][~is_over]
        cost = judge.cost(now.lines[~is_over], cleared)
        turns.append(
            (going, now.boards[~is_over], now.lines[~is_over], expected[~is_over], cost, is_searched[~is_over])
        )
        if len(going):
            state.turn(going, rows_of(placements, ~is_over), chosen[~is_over])
        state.going = going
    targets = []
    for going, _, _, expected, cost, is_searched in reversed(turns):
        followed = cost + future[going]
        mixed = expected + TRACE * (followed - expected)
        future[going] = np.where(is_searched, mixed, followed)
        targets.append(future[going])
    _, boards, lines, *_ = (np.concatenate(parts) for parts in zip(*turns, strict=True))
    return Boards(boards, lines, np.concatenate(targets[::-1]), scores)


def rows_of(placements: Placements, rows: Array) -> Placements:
    """Return the placements of some boards."""
    counts, numbers = placements.counts[rows], placements.placements[rows]
    return Placements(counts, numbers, placements.cleared[rows], placements.after[rows])


def points(
    backend: Backend, value: LearnedValue, games: range, *, seed: int, variant: Variant, breadths: tuple[int, ...]
) -> npt.NDArray[np.int64]:
    """Return the points of games up to line 130."""
    choose = Expectimax(value.judge(backend, variant), breadths, variant).choose
    state, scores = Round(backend, games, seed=seed, variant=variant), np.zeros(len(games), np.int64)
    while len(state.going):
        going = state.going
        _, goes_on = state.turn(going, *choose(state.now()))
        scores[going] = state.results[going, 0]
        state.going = going[goes_on & (state.results[going, 1] < LAST)]
    return scores


def train(state: State, rounds: int, seconds: float) -> None:
    """Play and learn, round by round."""
    backend, variant, end = open_backend("cpu:1"), variant_of(TAPS, DELAY), time.monotonic() + seconds
    while len(state.curve) < rounds and time.monotonic() < end:
        number, begin = len(state.curve), time.process_time()
        seen = lessons(backend, state.value, range(number * GAMES, (number + 1) * GAMES), variant)
        rate = RATE * (LAST_RATE / RATE) ** (number / rounds)
        error = state.learn(seen, rate)
        row = [rate, seen.scores.mean(), seen.scores.std() / math.sqrt(GAMES), error, time.process_time() - begin]
        state.curve = np.vstack([state.curve, row])
        state.save()
        print(number + 1, *(f"{each:,.3f}" for each in row), len(seen.boards), flush=True)


def compare(state: State, options: argparse.Namespace) -> None:
    """Play the same games with the trained and the present tables, and print both means and the difference."""
    backend, variant = open_backend("cpu:1"), variant_of(options.taps, options.delay)
    present = load_value(best_player(variant))
    trained = with_first(present, state.value)
    breadths = tuple(map(int, options.breadths.split(",")))
    found = [
        points(backend, value, range(options.games), seed=options.seed, variant=variant, breadths=breadths)
        for value in (present, trained)
    ]
    lead = found[1] - found[0]
    for name, scores in (("present", found[0]), ("trained", found[1]), ("difference", lead)):
        print(f"{name}: {scores.mean():,.0f} ± {scores.std(ddof=1) / math.sqrt(len(scores)):,.0f}", flush=True)


def with_level_18(value: LearnedValue) -> LearnedValue:
    """Return the value with tables of its own for level 18, which then count the lines to level 19."""
    if 19 in value.phases:
        return value
    tables = np.concatenate([value.tables[:SIZE], value.tables])
    return LearnedValue(value.name, "", tables, value.endgame, (0, 19, *value.phases[1:]))


def with_first(value: LearnedValue, trained: LearnedValue) -> LearnedValue:
    """Return a value that judges level 18 by trained tables; its lines to come end where those of `value` begin."""
    value = with_level_18(value)
    tables, endgame = np.concatenate([trained.tables[:SIZE], value.tables[SIZE:]]), value.endgame.copy()
    first = (len(endgame) // READY - LAST) * READY
    endgame[first:] = trained.endgame[first:] + (endgame[first - 1] - trained.endgame[first - 1])
    return LearnedValue("trained", "", tables, endgame, value.phases)


def main() -> None:
    """Train or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["train", "compare"])
    parser.add_argument("state", type=Path, metavar="STATE.npz")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--time-limit", type=float, default=math.inf)
    parser.add_argument("--taps", default=TAPS)
    parser.add_argument("--delay", type=int, default=DELAY)
    parser.add_argument("--breadths", default="12")
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--seed", type=int, default=SEED + 1)
    options = parser.parse_args()
    variant = variant_of(TAPS, DELAY)
    state = State(options.state, with_level_18(load_value(best_player(variant))), variant)
    if options.what == "train":
        train(state, options.rounds, options.time_limit)
    else:
        compare(state, options)


if __name__ == "__main__":
    main()
