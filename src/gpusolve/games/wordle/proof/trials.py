"""Whether a large state can be solved in hard mode: its next guesses are tried in turn, the most promising first.

`solvability` decides one guess before it turns to the next. In hard mode a guess with thousands of answers can take
hours, though another guess would succeed in seconds. Here each cell of a guess has a limit on the number of states. A
guess that reaches it is put off, and the limit doubles when its turn comes again.

Which guess is promising follows from the nogoods for two turns less than the state has. In a cell of the guess, such a
nogood rules out every guess after it that leaves the nogood's answers together and contains what the nogood needs. A
guess that reveals letters which many words share leaves few guesses after it, and the nogoods rule out most of them. So
the score of a guess is the logarithm of its largest cell minus, for each cell, the logarithm of the part of the legal
guesses that the nogoods leave there. The lowest score comes first. Nogoods are added and hardly ever taken away, so a
score rises, and it is computed again only when the guess comes up.

Before that, many guesses are tried for a moment each, so that there are nogoods about many different sets.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend.intrinsics.columns import WIDTH
from gpusolve.games.wordle.cpu.proof.memory import CELLS, SOLVED, Table
from gpusolve.games.wordle.cpu.proof.nogoods import KEPT, REASON, Nogoods
from gpusolve.games.wordle.cpu.proof.solvability import HOTTER
from gpusolve.games.wordle.cpu.proof.trials import FACTS, coolest, rest_of, rule_out

MANY = 2500
"""A state needs this many answers for trials: smaller ones are usually decided soon."""
FEWEST_TURNS = 6
"""A state needs this many turns for trials: with fewer, a guess is decided soon."""
PATIENCE = 2000
"""Number of states after which the depth-first search of such a state gives way to trials."""
GLANCE = 250
"""Number of states for a cell while nogoods are collected."""
NOGOOD_STATES = 50_000
"""Number of states that are met while nogoods are collected."""
LIMIT = 16_000
"""Number of states for a cell of a guess when the guess is tried for the first time."""
MOST = 1 << 14
"""Maximum number of nogoods that a score takes into account; a new one replaces the oldest."""
_HOTTEST = 1e100  # heat is divided before it overflows

Attempt: TypeAlias = Callable[[int, int, npt.NDArray[np.intp], int], bool | None]
"""Tells whether a guess's cell (guess, pattern, answers) can be solved; None if a number of states does not suffice."""
Bits: TypeAlias = npt.NDArray[np.uint64]


@dataclass
class Trials:
    """The trials of the next guesses in one state.

    Attributes
    ----------
    table : Table
        The inputs of the search.
    members : ndarray of intp
        The answers of the state.
    legal : ndarray of intp
        The legal guesses.
    turns : int
        Every answer must be found within this number of guesses.
    """

    table: Table
    members: npt.NDArray[np.intp]
    legal: npt.NDArray[np.intp]
    turns: int
    _limits: dict[int, int] = field(default_factory=dict)
    _heap: list[tuple[float, int]] = field(default_factory=list)
    _states: int = 0
    _kept: int = 0

    def __post_init__(self) -> None:
        guesses, words = self.table.stride, self.table.stride // WIDTH
        self._patterns = np.ascontiguousarray(self.table.patterns.reshape(-1, guesses)[self.members].T)
        self._largest = np.array([np.bincount(row, minlength=CELLS)[:SOLVED].max() for row in self._patterns])
        is_legal = np.zeros(guesses, np.bool_)
        is_legal[self.legal] = True
        self._failed = ~is_legal | (self._largest == len(self.members))
        self._seen = np.zeros(guesses, np.bool_)  # tried while nogoods are collected
        self._heat, self._burn = np.ones(len(self.members)), 100.0
        self._place = np.full(len(self.table.own), -1)
        self._place[self.members] = np.arange(len(self.members))
        self._open = _as_bits(is_legal)
        self._holders = np.zeros((self.table.needs.shape[1], FACTS, words), np.uint64)
        for i, bit in np.ndindex(self._holders.shape[:2]):
            self._holders[i, bit] = _as_bits(self.table.needs[:, i] >> np.uint64(bit) & np.uint64(1))
        self._together, self._excluded = (np.zeros((MOST, words), np.uint64) for _ in range(2))
        self._first = np.zeros(MOST, np.int64)
        self._added, self._parts = 0, np.ones(CELLS)

    def decide(self, attempt: Attempt, nogoods: Nogoods, states: Callable[[], int]) -> int:
        """Return a guess that solves the state, or -1 if none does.

        `nogoods` are those of the thread, and `states` returns the number of states met so far. If this is interrupted,
        it can be called again and continues.
        """
        while self._states < NOGOOD_STATES:
            before, guess = states(), self._coolest()
            if guess < 0:
                break
            if self._solves(guess, attempt, nogoods, limit=GLANCE, by_heat=True):
                return guess
            self._seen[guess] = True
            self._states += states() - before
            self._collect(nogoods)
        if not self._heap:
            left: list[int] = np.flatnonzero(~self._failed).tolist()
            self._heap = [(float(np.log(self._largest[guess])), guess) for guess in left]
            heapq.heapify(self._heap)
        while self._heap:
            if self.table.stop[0]:
                raise InterruptedError
            key, guess = self._heap[0]
            now = self._score(guess) + float(np.log(self._limits.get(guess, LIMIT) / LIMIT))
            if self._failed[guess]:
                heapq.heappop(self._heap)
            elif now > key:
                heapq.heapreplace(self._heap, (now, guess))
            elif self._solves(guess, attempt, nogoods, limit=self._limits.get(guess, LIMIT), by_heat=False):
                return guess
            else:
                self._limits[guess] = 2 * self._limits.get(guess, LIMIT)
                self._collect(nogoods)
        return -1

    def _solves(self, guess: int, attempt: Attempt, nogoods: Nogoods, *, limit: int, by_heat: bool) -> bool:
        """Return whether each cell of a guess can be solved; if one cannot, rule out the guesses with the same fault.

        The cell most likely to fail comes first: the hottest one, or the one with the smallest part of guesses left.
        """
        codes = self._patterns[guess]
        sizes = np.bincount(codes, minlength=CELLS)
        order = np.lexsort((-sizes, -np.bincount(codes, self._heat, CELLS) if by_heat else self._parts))
        for code in order.tolist():
            if code == SOLVED or sizes[code] < self.turns:
                continue
            cell = np.flatnonzero(codes == code)
            solved = attempt(guess, code, self.members[cell], limit)
            if solved:
                continue
            if solved is False:
                cell = self._place[nogoods.reason[: nogoods.count[REASON]]]
                self._failed |= self._same_fault(nogoods)
                self._failed[guess] = True
            self._heat[cell] += self._burn / len(cell)
            self._burn *= HOTTER
            if self._burn > _HOTTEST:
                self._heat /= self._burn
                self._burn = 1.0
            return False
        return True

    def _same_fault(self, nogoods: Nogoods) -> npt.NDArray[np.bool_]:
        """Return which guesses leave the reason of the last failure together and contain what it needs."""
        together, excluded = (np.zeros(self.table.stride // WIDTH, np.uint64) for _ in range(2))
        reason = nogoods.reason[: nogoods.count[REASON]].astype(np.int64)
        rule_out(self.table.patterns, self.table.stride, self._holders, reason, nogoods.need, together, excluded)
        faulty: npt.NDArray[np.bool_] = np.unpackbits(excluded.view(np.uint8), bitorder="little").astype(np.bool_)
        faulty &= self._patterns[:, self._place[reason[0]]] != SOLVED
        return faulty

    def _coolest(self) -> int:
        """Return the guess, of those not tried yet, whose hottest cell is the least hot; -1 if there is none."""
        return int(coolest(self._patterns, self._heat, self._failed | self._seen))

    def _collect(self, nogoods: Nogoods) -> None:
        """Take the new nogoods for two turns less than the state has into account."""
        kept = int(nogoods.count[KEPT])
        since = self._kept if self._kept <= kept else 0  # the nogoods were full, and all were forgotten
        for x in np.flatnonzero(nogoods.turns[since:kept] == self.turns - 2) + since:
            members = nogoods.members[nogoods.at[x] : nogoods.at[x + 1]].astype(np.int64)
            if (self._place[members] < 0).any():
                continue
            k = self._added % MOST
            rule_out(
                self.table.patterns, self.table.stride, self._holders, members, nogoods.needs[x],
                self._together[k], self._excluded[k],
            )  # fmt: skip
            self._first[k] = self._place[members[0]]
            self._added += 1
        self._kept = kept

    def _score(self, guess: int) -> float:
        """Return the score of a guess, and set `_parts` to the part of the legal guesses left in each of its cells."""
        count = min(self._added, MOST)
        rest = rest_of(
            guess, self._patterns[guess], self.table.needs, self.table.own[self.members], self._holders, self._open,
            self._together[:count], self._excluded[:count], self._first[:count], self._parts,
        )  # fmt: skip
        return float(np.log(self._largest[guess]) - rest)


def _as_bits(columns: npt.NDArray[Any]) -> Bits:
    """Return a bit for each column, 1 where it is not 0; the number of columns is a multiple of 64."""
    return np.packbits(columns != 0, bitorder="little").view(np.uint64)
