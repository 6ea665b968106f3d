"""The costs of guesses at some point of a game, and what they leave."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.analysis.openings import Openings, known_openings
from gpusolve.games.wordle.cpu.proof.memory import FREE
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.values import WIDTH, best_totals, valued
from gpusolve.games.wordle.rules import History
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights.chances import likeliest, likely_sizes
from gpusolve.games.wordle.wordlist import encode

MANY = 3_000
"""Number of answers beyond which fewer guesses are compared, because the cost of each takes more than a second."""
COMPARED = 5
"""Number of other guesses with which each guess is compared."""
MOST_LUCK = 99
"""The highest value of luck."""


class Left(NamedTuple):
    """What a guess leaves, as arrays with an entry for each pattern, shape (3^length,). Greens only leave nothing."""

    masses: npt.NDArray[np.int64]
    """The weight of the answers that give the pattern; without weights, their number."""
    sizes: npt.NDArray[np.intp]
    """The number of answers that remain after the pattern."""
    likely: npt.NDArray[np.intp]
    """The number of the likely ones among them."""

    def mean(self, sizes: npt.NDArray[np.intp]) -> float:
        """Return the mean of such numbers over the answers, by their weights."""
        return float(self.masses @ sizes) / int(self.masses.sum())

    def luck(self, code: int) -> int:
        """Return the luck of getting a pattern: its rank, 0 to 99, by the number of likely answers that it leaves."""
        worse = self.masses[self.likely > self.likely[code]].sum()
        same = self.masses[self.likely == self.likely[code]].sum()
        return round(MOST_LUCK * float(worse + same / 2) / int(self.masses.sum()))


class State:
    """The costs of guesses at some point of a game."""

    def __init__(self, history: History, variant: Variant, backend: Backend) -> None:
        table = after(history, variant, "patterns", backend)
        self.remaining = len(table.answers)
        self.likely = int(likely_sizes(np.zeros(self.remaining, np.intp), table.weights, 1)[0])
        self.variant, self._table, self._backend = variant, table, backend
        self._position = valued(table, variant, backend=backend)
        self._mass = self._position.mass
        self._openings = Openings() if history or self._position.exact else known_openings(variant)
        share = self._mass / int(table.partition.masses[0])
        self._totals = {word: round(total * share) for word, total in self._openings.totals.items()}

    @property
    def words(self) -> list[str]:
        """The answers that remain, the likeliest first."""
        return [self._table.answers[i] for i in likeliest(self._table.answers, self._table.weights).tolist()]

    def allows(self, guess: str) -> bool:
        """Return whether the guess may be made here: where only answers that remain may, it has to be one of them."""
        return guess in self._position.guesses

    def is_exact(self, guess: str) -> bool:
        """Return whether the cost of the guess and that of the best one are exact."""
        return self._position.exact or (self._openings.all_compared and guess in self._openings.totals)

    def cost_of(self, guess: str) -> float:
        """Return the mean number of guesses to the end, counting this one."""
        position = self._position
        if guess not in self._totals:
            self._totals[guess] = position.cost_after(position.guesses.place[guess], FREE)
        return self._totals[guess] / self._mass

    def best(self, guess: str | None) -> tuple[str, float]:
        """Return the guess of the lowest cost, and the cost. Ties go to `guess`, then to the answers that remain."""
        totals = self._best_totals | ({} if guess is None else {guess: self._total_of(guess)})
        best = min(totals, key=lambda word: (totals[word], word != guess, *self._rank(word)))
        return best, totals[best] / self._mass

    def others(self, guess: str, most: int) -> dict[str, tuple[float, bool]]:
        """Return the best other guesses with their costs, and whether these are exact, in the order of the costs.

        Ties go to the answers that remain.
        """
        totals = {word: total for word, total in self._best_totals.items() if word != guess}
        best = sorted(totals, key=lambda word: (totals[word], *self._rank(word)))[:most]
        known = self._openings.totals if self._openings.exact else {}
        return {word: (totals[word] / self._mass, self._position.exact or word in known) for word in best}

    @cached_property
    def _best_totals(self) -> dict[str, int]:
        """The totals of the best guesses: all answers among the best ones, and enough others to be alternatives."""
        position, partition = self._position, self._table.partition
        if not position.exact:
            candidates = list(self._openings.totals)
            if not self._openings.all_compared:
                width = WIDTH if self.remaining > MANY else COMPARED
                candidates += [position.guesses[int(i)] for i in self._table.ranking("patterns")[:width]]
            return {word: self._total_of(word) for word in candidates}
        most = COMPARED + 1 if self.remaining > 1 else 1  # beside the only answer, every guess is wasted
        found = best_totals(position, most, FREE, ties=False)
        totals = {position.guesses[i]: total for i, total in found.items()}
        total = min(totals.values())
        for i in position.own.tolist():
            bound = 3 * self._mass - partition.next[0, i] - partition.now[0, i]
            if bound <= total == position.cost_after(i, FREE, total + 1):
                totals[position.guesses[i]] = total
        return totals

    def _total_of(self, guess: str) -> int:
        self.cost_of(guess)
        return self._totals[guess]

    def _rank(self, guess: str) -> tuple[bool, bool, str]:
        """Return a key that sorts equally good guesses: those that can be the answer, then those of the answer list."""
        return guess not in self._table.answers, guess not in self._position.variant.answers, guess

    def chance(self, guess: str) -> float:
        """Return the chance that a guess is the answer."""
        answers, weights = self._table.answers, self._table.weights
        if guess not in answers:
            return 0.0
        weight = 1 if weights is None else int(weights[answers.place[guess]])
        return weight / int(self._table.partition.masses[0])

    def left(self, guess: str) -> Left:
        """Return what a guess leaves after each of its patterns."""
        codes, weights, n_cells = self._codes(guess), self._table.weights, self._position.n_cells
        masses = np.zeros(n_cells, np.int64)
        np.add.at(masses, codes, 1 if weights is None else weights)
        sizes, likely = np.bincount(codes, minlength=n_cells), likely_sizes(codes, weights, n_cells)
        sizes[-1] = likely[-1] = 0
        return Left(masses, sizes, likely)

    def known_places(self, guess: str) -> list[int]:
        """Return the places of a guess, from 1, that get the same mark whatever the answer is."""
        codes = self._codes(guess).astype(np.int64)
        marks = [codes // 3**place % 3 for place in range(self._position.length)]
        return [place for place, mark in enumerate(marks, 1) if mark.min() == mark.max()]

    def _codes(self, guess: str) -> npt.NDArray[np.integer[Any]]:
        """Return the pattern of a guess for each answer that remains, shape (answers,)."""
        scoring = self._position.variant.scoring
        terms = kernels.terms_of(encode([guess]))
        codes = kernels.pattern_matrix(self._backend.host, terms, self._table.answers.letters, scoring=scoring)
        return np.asarray(codes[0])
