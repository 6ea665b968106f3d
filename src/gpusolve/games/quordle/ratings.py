"""Guesses rated over all boards of a position, as `joint` judges them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.quordle.joint import ONE, Outlook, best_guess, costs, look_ahead, looks_ahead, worth_of_solving
from gpusolve.games.quordle.kernels import Boards, JointTables
from gpusolve.games.quordle.variant import Variant
from gpusolve.result import Result


@dataclass(frozen=True, repr=False)
class Rating(Result):
    """A guess and what it is worth in a position.

    Attributes
    ----------
    guess : str
        The word.
    cost : float
        The information still missing after it, in bits, on average and summed over the boards, less what a solved
        board counts for each board that it solves.
    solves : float
        Mean number of boards that it solves.
    bits : float
        The information that it gives, in bits, on average and summed over the boards.
    mean : float or None
        Mean number of guesses until the end of the game over playouts; None if it was not played out.
    chance : float or None
        The chance of solving all boards within the guesses left: the share of the playouts that do; None if it was not
        played out.
    """

    guess: str
    cost: float
    solves: float
    bits: float
    mean: float | None
    chance: float | None = None


def rank_guesses(
    backend: Backend, boards: Boards, *, variant: Variant, tables: JointTables, guesses_left: int, is_first: bool
) -> list[Rating]:
    """Rate every guess: first the choice of `joint`, then the others that were played out, then the rest by cost.

    `boards` has the answers that fit each unsolved board, at least one; `is_first` says that no guess was made yet.
    """
    position = _Position(backend, boards, tables, guesses_left)
    outlooks = {} if is_first else position.outlooks()
    best = tables.opener if is_first else position.best(outlooks)
    by_cost = np.argsort(position.costs, kind="stable").tolist()
    return position.ratings(dict.fromkeys([best, *outlooks, *by_cost]), variant, outlooks)


def judge_guess(
    backend: Backend,
    guess: str,
    boards: Boards,
    *,
    variant: Variant,
    tables: JointTables,
    guesses_left: int,
    is_first: bool,
) -> tuple[Rating, Rating]:
    """Rate one guess, with playouts if `joint` would look ahead here, and the best of all guesses that were rated.

    See `rank_guesses` for the parameters.
    """
    position, chosen = _Position(backend, boards, tables, guesses_left), variant.guesses.place[guess]
    outlooks = {} if is_first else position.outlooks(chosen)
    best = tables.opener if is_first else position.best(outlooks)
    made, best_rating = position.ratings([chosen, best], variant, outlooks)
    return made, best_rating


class _Position:
    """The unsolved boards, and every guess's cost, solved boards and information there."""

    def __init__(self, backend: Backend, boards: Boards, tables: JointTables, guesses_left: int) -> None:
        self._backend, self._boards, self._tables, self._guesses_left = backend, boards, tables, guesses_left
        self.costs = costs(backend, boards, guesses_left, tables)
        self.own: npt.NDArray[np.int32] = backend.to_host(tables.own)
        self._solves, masses = np.zeros(len(self.costs)), backend.to_host(tables.masses).astype(np.float64)
        missing = self._known = 0.0
        for fit in boards:
            mass = masses[fit] if masses[fit].any() else np.ones(len(fit))
            total = mass.sum()
            self._solves[self.own[fit]] += mass / total
            missing += float(np.log2(total))
            self._known += float((mass * np.log2(np.maximum(mass, 1))).sum() / total)
        self._bits = missing - self.costs / ONE - self._solves * worth_of_solving(len(boards), guesses_left) / ONE

    def outlooks(self, *also: int) -> dict[int, Outlook]:
        """Return what playouts say about the finalists and these guesses; nothing if `joint` plays none.

        If all words are known, no playout is needed: each of them is as good as the others.
        """
        if all(len(fit) == 1 for fit in self._boards):
            known = {int(self.own[fit[0]]) for fit in self._boards}
            end = Outlook(float(len(known)), float(len(known) <= self._guesses_left))
            return dict.fromkeys(sorted(known, key=lambda guess: (self.costs[guess], guess)), end)
        if not looks_ahead(self._boards, self._guesses_left):
            return {}
        return look_ahead(
            self._backend, self._boards, self.costs, self._tables, guesses_left=self._guesses_left, also=also
        )

    def best(self, outlooks: dict[int, Outlook]) -> int:
        """Return the guess of `joint` after what playouts say."""
        return next(iter(outlooks), best_guess(self._boards, self.costs, self.own))

    def ratings(self, guesses: Iterable[int], variant: Variant, outlooks: dict[int, Outlook]) -> list[Rating]:
        chosen = list(guesses)
        # A kernel's costs count what the weights of the words of a cell already say, which is the same for all guesses.
        costs = self.costs[chosen] / ONE - self._known
        columns = (costs, self._solves[chosen], np.maximum(self._bits[chosen], 0))
        words = variant.guesses[:]
        return [
            Rating(words[guess], cost, solves, bits, *outlooks[guess])
            if guess in outlooks
            else Rating(words[guess], cost, solves, bits, None)
            for guess, cost, solves, bits in zip(chosen, *(column.tolist() for column in columns), strict=True)
        ]
