"""Strategies compared: the same random games with each of them, and what came of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quordle import kernels, player
from gpusolve.games.quordle.rules import STRATEGIES, Compared, Strategy, check_guesses
from gpusolve.games.quordle.variant import Variant, check_variant
from gpusolve.runs.cluster import batches, open_workers
from gpusolve.runs.run import Run

KIND = "quordle.simulate"
CONFIDENCE = 0.99
MOST_GAMES = 10**9
AT_ONCE = 1 << 16
AT_ONCE_JOINT = 1 << 10
MOST_LOST = 100
"""Lost games of each strategy whose numbers are kept."""


@dataclass(frozen=True)
class Estimate:
    """A mean over games and the ends of its confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Simulation:
    """What came of games 0, 1, ... of a seed with each of some strategies.

    `together[i, j, a, b]`, int64: games that strategy i won with guess a and strategy j with guess b; 0 stands for
    lost. `solved[i, t]`: boards that strategy i solved with guess t, 0: not at all. `lost[i]`: numbers of the first
    games that strategy i lost. `complete`: whether all games were played that were asked for.
    """

    strategies: tuple[Strategy, ...]
    boards: int
    guesses: int
    seed: int
    together: npt.NDArray[np.int64]
    solved: npt.NDArray[np.int64]
    lost: tuple[tuple[int, ...], ...]
    seconds: float
    complete: bool

    @property
    def games(self) -> int:
        """Games played with each strategy."""
        return int(self.together[0, 0].sum())

    def outcomes(self, i: int) -> npt.NDArray[np.int64]:
        """How many games strategy i won with which guess; at 0 those it lost."""
        return np.asarray(self.together[i, i].diagonal())

    def distribution(self, i: int) -> dict[int, int]:
        """Guesses -> games that strategy i won with so many."""
        return {turn: int(count) for turn, count in enumerate(self.outcomes(i)) if turn and count}

    def won(self, i: int) -> int:
        """Games that strategy i won."""
        return self.games - int(self.outcomes(i)[0])

    def rate(self, i: int) -> Estimate:
        """The share of games that strategy i wins, with Wilson's interval (1927)."""
        reach, n, share = _reach(), self.games, self.won(i) / self.games
        middle = (share + reach**2 / (2 * n)) / (1 + reach**2 / n)
        half = reach / (1 + reach**2 / n) * math.sqrt(share * (1 - share) / n + reach**2 / (4 * n * n))
        return Estimate(share, min(share, middle - half), max(share, middle + half))

    def mean(self, i: int) -> Estimate:
        """Guesses of the games that strategy i won."""
        return _estimate(np.arange(self.guesses + 1)[1:], self.outcomes(i)[1:])

    def board_turn(self, i: int) -> Estimate:
        """The guess that solves a board, over the boards that strategy i solved; no interval: they share games."""
        found = _estimate(np.arange(self.guesses + 1)[1:], self.solved[i, 1:])
        return Estimate(found.mean, math.nan, math.nan)

    def difference(self, i: int, j: int) -> Estimate:
        """By how much strategy j wins more of the same games than strategy i, with the interval of paired games."""
        both = self.together[i, j]
        only_i, only_j = int(both[1:, 0].sum()), int(both[0, 1:].sum())
        return _estimate(np.array([-1, 0, 1]), np.array([only_i, self.games - only_i - only_j, only_j]))

    def fewer(self, i: int, j: int) -> Estimate:
        """By how many guesses strategy j is faster than strategy i, over the games that both won."""
        both = self.together[i, j][1:, 1:]
        turns = np.arange(1, self.guesses + 1)
        return _estimate((turns[:, None] - turns).ravel(), both.ravel())


def _reach() -> float:
    return NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def _estimate(values: npt.NDArray[Any], counts: npt.NDArray[np.int64]) -> Estimate:
    """The mean of values that come so often each, with the interval by the normal distribution."""
    n = int(counts.sum())
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan)
    mean = float((values * counts).sum()) / n
    variance = float(((values - mean) ** 2 * counts).sum()) / max(n - 1, 1)
    half = _reach() * math.sqrt(variance / n)
    return Estimate(mean, mean - half, mean + half)


def simulate(
    variant: Variant | None = None,
    strategy: Compared = "all",
    games: int = 10_000,
    boards: int = 4,
    guesses: int | None = None,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Simulation:
    """Plays games 0 .. games - 1 of a seed with one strategy, or the same games with all of them.

    `guesses`, None: boards + 5. `open_workers` tells of `workers`, `Run` of `seed`, `time_limit`, `checkpoint` and
    `resume`; a run that is resumed may have more `games`. `progress` is called with the number of games played. Raises
    BadInput for what cannot be played, and for a checkpoint of other games.

    >>> found = simulate(strategy="left-to-right", games=1000, seed=1)
    >>> found.won(0), round(found.mean(0).mean, 2)
    (847, 8.13)
    """
    variant = check_variant(variant, boards)
    guesses = check_guesses(guesses, boards)
    checks.check_integer("games", games, 1, MOST_GAMES)
    checks.check_choice("strategy", strategy, (*STRATEGIES, "all"))
    chosen: tuple[Strategy, ...] = STRATEGIES if strategy == "all" else (strategy,)
    backend = open_backend(backend)
    settings = {
        "strategies": list(chosen),
        "boards": boards,
        "guesses": guesses,
        "player": variant.player,
        "scoring": variant.scoring,
        "answers": variant.answers.digest,
        "dictionary": variant.dictionary.digest,
    }
    run = Run(KIND, settings, seed, checkpoint, resume, time_limit)
    tally = _Tally(len(chosen), guesses, run.state)
    prepare = partial(_playing, variant, chosen, boards, guesses, run.seed)
    with (
        open_workers(workers, prepare, backend, run=run, progress=progress) as players,
        run.saved(tally.state) as more,
    ):
        parts = players.parts(tally.done, games, _at_once(chosen))
        while tally.done < games and more():
            tally.merge(next(parts)[1])
            progress(tally.done)
    lost = tuple(tuple(int(number) for number in row if number >= 0) for row in tally.lost)
    return Simulation(
        chosen, boards, guesses, run.seed, tally.together, tally.solved, lost, run.seconds, tally.done >= games
    )


def _at_once(strategies: tuple[Strategy, ...]) -> int:
    return AT_ONCE_JOINT if "joint" in strategies else AT_ONCE


def _playing(
    variant: Variant, strategies: tuple[Strategy, ...], boards: int, guesses: int, seed: int, backend: Backend
) -> Callable[[range], dict[str, npt.NDArray[np.int64]]]:
    """What plays some games of the seed with each strategy, and counts them: the state of a `_Tally`."""
    lists = kernels.tables(backend, variant.answers, variant.player, variant.scoring)
    opening = None
    if "joint" in strategies:
        opening = player.prepare_opening(backend, player.prepare(backend, variant))

    def play(games: range) -> dict[str, npt.NDArray[np.int64]]:
        tally = _Tally(len(strategies), guesses, {}, games.start)
        for some in batches(games, _at_once(strategies)):
            hidden = kernels.deals(backend, seed, some.start, len(some), boards, len(variant.answers))
            turns = []
            for one in strategies:
                if one == "joint":
                    assert opening is not None
                    played = player.play(backend, hidden, opening, guesses)
                else:
                    played = kernels.games(backend, hidden, lists, one, guesses, seed, some.start)
                turns.append(played.turns)
            tally.add(turns)
        return tally.state()

    return play


class _Tally:
    """Games from `first` on, counted. Raises BadInput for a checkpoint's state that is none."""

    def __init__(self, strategies: int, guesses: int, state: dict[str, Any], first: int = 0) -> None:
        shapes = {
            "together": (strategies, strategies, guesses + 1, guesses + 1),
            "solved": (strategies, guesses + 1),
            "lost": (strategies, MOST_LOST),
        }
        found = {name: state.get(name, np.zeros(shape, np.int64)) for name, shape in shapes.items()}
        for name, shape in shapes.items():
            array = found[name]
            if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != np.int64:
                raise BadInput(f"checkpoint: damaged: expected {name} of {strategies} strategies")
        self.together, self.solved, self.lost = (found[name].copy() for name in shapes)
        if not state:
            self.lost[:] = -1
        self._first = first

    @property
    def done(self) -> int:
        """Games counted."""
        return int(self.together[0, 0].sum())

    def state(self) -> dict[str, npt.NDArray[np.int64]]:
        """What the checkpoint holds."""
        return {"together": self.together, "solved": self.solved, "lost": self.lost}

    def add(self, turns: list[npt.NDArray[np.uint8]]) -> None:
        """Counts the next games, with the guesses that solved each board, (games, boards), by each strategy."""
        size, before = self.solved.shape[1], self._first + self.done
        ends = [np.where((row == 0).any(axis=1), 0, row.max(axis=1)).astype(np.int64) for row in turns]
        for i, end in enumerate(ends):
            self.solved[i] += np.bincount(turns[i].ravel(), minlength=size)
            self._lose(i, before + np.flatnonzero(end == 0))
            for j, other in enumerate(ends):
                pairs = np.bincount(end * size + other, minlength=size * size)
                self.together[i, j] += pairs.reshape(size, size)

    def merge(self, state: dict[str, npt.NDArray[np.int64]]) -> None:
        """Counts the next games, which have been counted by themselves."""
        self.together += state["together"]
        self.solved += state["solved"]
        for i, numbers in enumerate(state["lost"]):
            self._lose(i, numbers[numbers >= 0])

    def _lose(self, i: int, games: npt.NDArray[np.int64]) -> None:
        """Keeps the numbers of games that strategy i lost, as long as there is room."""
        room = int((self.lost[i] < 0).sum())
        some = games[:room]
        self.lost[i, MOST_LOST - room : MOST_LOST - room + len(some)] = some
