"""Strategies compared: each of them plays the same random games."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, in_batches, open_backend
from gpusolve.checks import check_choice, check_integer
from gpusolve.errors import BadInput
from gpusolve.estimates import CONFIDENCE, Estimate
from gpusolve.fields import Fields
from gpusolve.games.quordle import joint, kernels
from gpusolve.games.quordle.rules import MOST_BOARDS, STRATEGIES, Compared, Strategy, check_max_guesses
from gpusolve.games.quordle.variant import Variant, check_variant
from gpusolve.result import FLAT, HIDDEN, Result, reported
from gpusolve.runs.run import Run
from gpusolve.runs.series import extend

KIND = "quordle.simulate"
MOST_GAMES = 10**9
AT_ONCE = 1 << 16
"""Games played at once by the simple strategies."""
AT_ONCE_JOINT = 1 << 10
"""Games played at once if `joint` plays too."""
MOST_LOST = 100
"""Number of lost games of each strategy that are listed."""


@dataclass(frozen=True)
class Interval:
    """A mean, and the ends of its confidence interval; they are nan for a single game, and for games that are equal."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class Outcome(Result):
    """How a strategy played.

    Attributes
    ----------
    strategy : str
        The strategy.
    won : int
        Number of games that it won.
    rate : Interval
        The fraction of games that it won.
    mean : Interval
        The mean number of guesses over the games that it won.
    board_turn : float
        The mean number of the guess that solved a board.
    distribution : dict of int to int
        Number of guesses -> number of games that it won with it.
    lost : list of int
        The numbers of the first games that it lost.
    wins_less : Interval or None
        By how much the win rate of the last strategy is higher, on the same games; None for the last strategy.
    guesses_more : Interval or None
        How many guesses more it needs than the last strategy, over the games that both won.
    """

    strategy: Strategy
    won: int
    rate: Interval
    mean: Interval
    board_turn: float
    distribution: dict[int, int]
    lost: list[int]
    wins_less: Interval | None
    guesses_more: Interval | None


@dataclass(frozen=True, eq=False, repr=False)
class Simulation(Result, schema="quordle.simulate/3"):
    """The outcomes of games 0, 1, ... of a seed with each of some strategies.

    Attributes
    ----------
    strategies : tuple of str
        The strategies, numbered from 0 in this order.
    boards : int
        Boards of a game.
    max_guesses : int
        Guesses after which a game is lost.
    seed : int
        The seed of the games.
    pairs : array, int64, (strategies, strategies, max_guesses + 1, max_guesses + 1)
        ``pairs[i, j, a, b]`` is the number of games that strategy i won with guess a and strategy j with guess b;
        guess 0 means that it lost.
    solved : array, int64, (strategies, max_guesses + 1)
        ``solved[i, t]`` is the number of boards that strategy i solved with guess t; t = 0 means never.
    lost : tuple of tuple of int
        The numbers of the first games that each strategy lost, at most 100.
    seconds : float
        Seconds that the simulation took, including the time before it was resumed.
    complete : bool
        Whether all games were played.
    variant : Variant
        The words of the games, and their weights if they have any.
    """

    strategies: tuple[Strategy, ...] = field(metadata=HIDDEN)
    boards: int
    max_guesses: int
    seed: int
    pairs: npt.NDArray[np.int64] = field(metadata=HIDDEN)
    solved: npt.NDArray[np.int64] = field(metadata=HIDDEN)
    lost: tuple[tuple[int, ...], ...] = field(metadata=HIDDEN)
    seconds: float
    complete: bool
    variant: Variant = field(repr=False, metadata=FLAT)

    def plot(self, path: Path) -> None:
        """Draw the percentage of games that each strategy wins with each number of guesses, as lines."""
        from gpusolve.output.plot import save_lines

        turns = range(self.boards, self.max_guesses + 1)
        lines: dict[str, list[float]] = {
            name: [100 * float(self.outcomes(i)[turn]) / self.count for turn in turns]
            for i, name in enumerate(self.strategies)
        }
        title = f"Quordle: {self.count:,} games, {self.boards} boards, {self.max_guesses} guesses"
        save_lines(path, list(turns), lines, title, "guesses", "% of the games")

    @reported
    def count(self) -> int:
        """Number of games that each strategy played."""
        return int(self.pairs[0, 0].sum())

    @reported
    def confidence(self) -> float:
        """The confidence of the intervals."""
        return CONFIDENCE

    @reported
    def rows(self) -> list[Outcome]:
        """How each strategy played, with a comparison with the last one on the same games."""
        last = len(self.strategies) - 1
        return [
            Outcome(
                strategy=strategy,
                won=self.won(i),
                rate=Interval(self.rate(i), *self.rate_interval(i)),
                mean=_interval(self.mean(i)),
                board_turn=self.board_turn(i),
                distribution=self.distribution(i),
                lost=list(self.lost[i]),
                wins_less=None if i == last else Interval(self.rate_gain(i, last), *self.rate_gain_interval(i, last)),
                guesses_more=None if i == last else _interval(self.guesses_saved(i, last)),
            )
            for i, strategy in enumerate(self.strategies)
        ]

    def outcomes(self, i: int) -> npt.NDArray[np.int64]:
        """Return the number of games that strategy i won with each guess, int64 (max_guesses + 1,); lost games at 0."""
        return np.asarray(self.pairs[i, i].diagonal())

    def distribution(self, i: int) -> dict[int, int]:
        """Return number of guesses -> number of games that strategy i won with it."""
        return {turn: int(count) for turn, count in enumerate(self.outcomes(i)) if turn and count}

    def won(self, i: int) -> int:
        """Return the number of games that strategy i won."""
        return self.count - int(self.outcomes(i)[0])

    def rate(self, i: int) -> float:
        """Return the fraction of games that strategy i won."""
        return self.won(i) / self.count

    def rate_interval(self, i: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the ends of Wilson's confidence interval for the win rate of strategy i.

        References
        ----------
        E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927) 209-212.
        """
        reach, n, rate = NormalDist().inv_cdf((1 + confidence) / 2), self.count, self.rate(i)
        middle = (rate + reach**2 / (2 * n)) / (1 + reach**2 / n)
        half = reach / (1 + reach**2 / n) * math.sqrt(rate * (1 - rate) / n + reach**2 / (4 * n * n))
        return min(rate, middle - half), max(rate, middle + half)

    def mean(self, i: int) -> Estimate:
        """Return the mean number of guesses over the games that strategy i won."""
        return _estimate(np.arange(self.max_guesses + 1)[1:], self.outcomes(i)[1:])

    def board_turn(self, i: int) -> float:
        """Return the mean number of the guess that solved a board, over the boards that strategy i solved.

        It has no confidence interval, because the boards of a game depend on one another.
        """
        return _estimate(np.arange(self.max_guesses + 1)[1:], self.solved[i, 1:]).mean

    def rate_gain(self, i: int, j: int) -> float:
        """Return the win rate of strategy j minus that of strategy i."""
        return (self.won(j) - self.won(i)) / self.count

    def rate_gain_interval(self, i: int, j: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the ends of the confidence interval of `rate_gain`, from the paired games.

        It is the normal distribution's after half a game was added to each of the four outcomes of a pair: then games
        without a difference do not prove that there is none.

        References
        ----------
        A. Agresti and Y. Min, Simple improved confidence intervals for comparing matched proportions, Statistics in
        Medicine 24 (2005) 729-740.
        """
        only_i, only_j = (float(pairs[1:, 0].sum()) + 0.5 for pairs in (self.pairs[i, j], self.pairs[j, i]))
        n = self.count + 2
        middle = (only_j - only_i) / n
        reach = NormalDist().inv_cdf((1 + confidence) / 2)
        half = reach * math.sqrt(only_i + only_j - (only_j - only_i) ** 2 / n) / n
        gain = self.rate_gain(i, j)
        return max(-1.0, min(gain, middle - half)), min(1.0, max(gain, middle + half))

    def guesses_saved(self, i: int, j: int) -> Estimate:
        """Return how many guesses fewer strategy j needs than strategy i, over the games that both won."""
        pairs = self.pairs[i, j][1:, 1:]
        turns = np.arange(1, self.max_guesses + 1)
        return _estimate((turns[:, None] - turns).ravel(), pairs.ravel())


def _interval(estimate: Estimate) -> Interval:
    return Interval(estimate.mean, *estimate.interval())


def _estimate(values: npt.NDArray[Any], counts: npt.NDArray[np.int64]) -> Estimate:
    """Estimate the mean of values, each of which occurs `counts` times; of equal values, the error is not known."""
    n = int(counts.sum())
    if n == 0:
        return Estimate(math.nan, math.nan)
    mean = float((values * counts).sum()) / n
    if n == 1:
        return Estimate(mean, math.nan)
    variance = float(((values - mean) ** 2 * counts).sum()) / (n - 1)
    return Estimate(mean, math.sqrt(variance / n) or math.nan)


def simulate(
    variant: Variant | None = None,
    *,
    strategy: Compared = "all",
    count: int = 10_000,
    boards: int = 4,
    max_guesses: int | None = None,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Simulation:
    """Compare strategies on the same random games.

    Wins and guesses are shown with confidence intervals.

    Parameters
    ----------
    strategy : str
        Strategy that plays. ``joint`` judges every guess over all boards; the other strategies are simple: they choose
        a board and guess the word that it proposes; ``all`` compares them.
    count : int, default 10,000
        Number of random games, 1 to 10^9: games 0, 1, 2, ... of the seed.
    boards : int, default 4
        Number of boards, 1 to 32.
    max_guesses : int, optional
        Number of guesses after which a game is lost, from the number of boards to 64. By default the number of boards +
        5.
    variant : Variant, optional
        The word lists, the scoring, and the weights by which hidden words are drawn. By default those of the original
        game, whose words are equally likely.
    workers : int or str, default 1
        Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint. Only `count` can differ from the run that wrote it.
    progress : callable, optional
        Called with the number of games played so far.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Simulation
        The outcomes. They depend on the seed alone, not on the device or on the workers.

    Raises
    ------
    BadInput
        For numbers out of range, for an unknown strategy, and for a checkpoint of other games.

    Examples
    --------
    ``gpusolve quordle simulate --count 2000 --seed 1``

    >>> simulation = simulate(strategy="left-to-right", count=1000, seed=1)
    >>> simulation.won(0), round(simulation.mean(0).mean, 2)
    (847, 8.13)
    """
    variant = check_variant(variant, boards)
    if variant.weights is not None and (likely := np.count_nonzero(variant.weights.array)) < boards:
        raise BadInput(f"boards {boards}: only {likely} words have a positive weight: expected one for each board")
    max_guesses = check_max_guesses(max_guesses, boards)
    count = check_integer("count", count, 1, MOST_GAMES)
    check_choice("strategy", strategy, (*STRATEGIES, "all"))
    chosen: tuple[Strategy, ...] = STRATEGIES if strategy == "all" else (strategy,)
    backend = open_backend(backend)
    settings = {
        "strategies": list(chosen),
        "boards": boards,
        "max_guesses": max_guesses,
        "player": variant.player,
        "scoring": variant.scoring,
        "answers": variant.answers.digest,
        "guesses": variant.guesses.digest,
    }
    if variant.weights is not None:
        settings["weights"] = variant.weights.digest
    run = Run(KIND, settings, seed=seed, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    tally = _Tally.read(run.state, len(chosen), max_guesses) if run.state else _Tally(len(chosen), max_guesses)
    prepare = partial(_playing, variant, strategies=chosen, boards=boards, max_guesses=max_guesses, seed=run.seed)
    complete = extend(
        tally, count, run, prepare, batch=_at_once(chosen), workers=workers, progress=progress, backend=backend
    )
    return Simulation(
        strategies=chosen,
        boards=boards,
        max_guesses=max_guesses,
        seed=run.seed,
        pairs=tally.pairs,
        solved=tally.solved,
        lost=tuple(tuple(int(number) for number in row if number >= 0) for row in tally.lost),
        seconds=run.seconds,
        complete=complete,
        variant=variant,
    )


def _at_once(strategies: tuple[Strategy, ...]) -> int:
    return AT_ONCE_JOINT if "joint" in strategies else AT_ONCE


def _playing(
    variant: Variant,
    backend: Backend,
    *,
    strategies: tuple[Strategy, ...],
    boards: int,
    max_guesses: int,
    seed: int,
) -> Callable[[range], dict[str, npt.NDArray[np.int64]]]:
    """Return the function that plays some games of the seed with each strategy and counts them, as a tally's state."""
    tables = kernels.simple_tables(backend, variant.answers, variant.player, variant.scoring)
    opening = kernels.openings(backend, joint.prepare(backend, variant)) if "joint" in strategies else None

    def turns_of(games: range) -> list[npt.NDArray[np.uint8]]:
        hidden = kernels.deals(
            backend,
            seed,
            first=games.start,
            count=len(games),
            boards=boards,
            answers=len(variant.answers),
            weights=variant.unequal_weights,
        )
        turns = []
        for strategy in strategies:
            if strategy == "joint":
                assert opening is not None
                played = joint.play(backend, hidden, opening, max_guesses)
            else:
                played = kernels.simple_games(
                    backend,
                    hidden,
                    tables,
                    strategy=strategy,
                    max_guesses=max_guesses,
                    seed=seed,
                    first=games.start,
                )
            turns.append(played.turns)
        return turns

    def play(games: range) -> dict[str, npt.NDArray[np.int64]]:
        tally = _Tally(len(strategies), max_guesses, games.start)
        for turns in in_batches(games, partial(_at_once, strategies), turns_of):
            tally.count(turns)
        return tally.state()

    return play


class _Tally:
    """The counts of a simulation, over games `first`, `first` + 1, ... (see `Simulation`)."""

    def __init__(self, strategies: int, max_guesses: int, first: int = 0) -> None:
        size = max_guesses + 1
        self.pairs = np.zeros((strategies, strategies, size, size), np.int64)
        self.solved = np.zeros((strategies, size), np.int64)
        self.lost = np.full((strategies, MOST_LOST), -1, np.int64)
        self._first = first

    @classmethod
    def read(cls, state: Fields, strategies: int, max_guesses: int) -> _Tally:
        """Read the counts from a checkpoint."""
        tally, size = cls(strategies, max_guesses), max_guesses + 1
        tally.pairs = state.array("pairs", np.int64, (strategies, strategies, size, size), 0, MOST_GAMES).copy()
        tally.solved = state.array("solved", np.int64, (strategies, size), 0, MOST_BOARDS * MOST_GAMES).copy()
        tally.lost = state.array("lost", np.int64, (strategies, MOST_LOST), -1, MOST_GAMES).copy()
        if not (tally.pairs.sum(axis=(2, 3)) == tally.done).all() or tally.done > MOST_GAMES:
            raise state.wrong("pairs", "the same number of games for every pair of strategies")
        return tally

    @property
    def done(self) -> int:
        """Number of games counted."""
        return int(self.pairs[0, 0].sum())

    def state(self) -> dict[str, npt.NDArray[np.int64]]:
        """Return the counts, for a checkpoint or for `add`."""
        return {"pairs": self.pairs, "solved": self.solved, "lost": self.lost}

    def count(self, turns: list[npt.NDArray[np.uint8]]) -> None:
        """Count the next games; `turns` has, for each strategy, the guess that solved each board, (games, boards)."""
        size, before = self.solved.shape[1], self._first + self.done
        ends = [np.where((row == 0).any(axis=1), 0, row.max(axis=1)).astype(np.int64) for row in turns]
        for i, end in enumerate(ends):
            self.solved[i] += np.bincount(turns[i].ravel(), minlength=size)
            self._add_lost(i, before + np.flatnonzero(end == 0))
            for j, other in enumerate(ends):
                pairs = np.bincount(end * size + other, minlength=size * size)
                self.pairs[i, j] += pairs.reshape(size, size)

    def add(self, state: dict[str, npt.NDArray[np.int64]], /) -> None:
        """Add the counts of the next games, which another tally has counted."""
        self.pairs += state["pairs"]
        self.solved += state["solved"]
        for i, numbers in enumerate(state["lost"]):
            self._add_lost(i, numbers[numbers >= 0])

    def _add_lost(self, i: int, games: npt.NDArray[np.int64]) -> None:
        """List the numbers of games that strategy i lost, as far as there is room."""
        room = int((self.lost[i] < 0).sum())
        listed = games[:room]
        self.lost[i, MOST_LOST - room : MOST_LOST - room + len(listed)] = listed
