"""Cells that are known to be solved within a number of turns, with the guesses that each answer takes there.

Every subset of a solved cell is solved as well, by the same strategy. So one cell serves many first words. If a whole
cell of a guess is solved, with all answers that give the pattern, it serves every first word.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.proof.position import Position

HOT = 100
"""A guess for more than twice this number of answers is first sought for this number of them, the hottest ones."""
FAULTS = 3
"""If the guess fails for others, answers from this number of its cells are added, and the search is repeated."""
REUSED, LEAST = 3, 30
"""For this number of answers or more, this number of guesses that solved other parts of the cell are tried first."""

Members: TypeAlias = npt.NDArray[np.intp]
Paths: TypeAlias = npt.NDArray[np.int32]
"""The guesses for each answer, one row for each, and -1 after the answer is found."""


@dataclass
class Part:
    """A solved part of a cell: its answers, the next guess, and all guesses for the answers once they are needed."""

    members: Members
    guess: int
    paths: Paths | None = None


@dataclass
class Cells:
    """The solved cells of one guess.

    Attributes
    ----------
    whole : ndarray of bool, shape (answers,)
        The answers whose whole cell is solved.
    paths : ndarray of int32, shape (answers, turns)
        The guesses for these answers.
    parts : dict of int to list of Part
        The solved parts of the other cells, by pattern.
    tried : set of int
        The patterns whose whole cell has been tried.
    next_guesses : dict of int to Counter
        The number of parts that each next guess has solved, by pattern.
    """

    whole: npt.NDArray[np.bool_]
    paths: Paths
    parts: dict[int, list[Part]] = field(default_factory=dict)
    tried: set[int] = field(default_factory=set)
    next_guesses: dict[int, Counter[int]] = field(default_factory=dict)


class SolvedCells:
    """The solved cells of all guesses.

    Parameters
    ----------
    position : Position
        The position after no guess.
    turns : int
        The cells are solved within this number of turns.
    """

    def __init__(self, position: Position, *, turns: int) -> None:
        self._position, self.turns = position, turns
        self._cells: dict[int, Cells] = {}

    def of(self, guess: int) -> Cells:
        """Return the solved cells of a guess."""
        if guess not in self._cells:
            n = len(self._position.answers)
            self._cells[guess] = Cells(np.zeros(n, np.bool_), np.full((n, self.turns), -1, np.int32))
        return self._cells[guess]

    def covers(self, guess: int, code: int, members: Members) -> bool:
        """Return whether a part of a cell is known to be solved. It is if it has no more answers than turns."""
        if len(members) <= self.turns:
            return True
        cells = self.of(guess)
        return bool(cells.whole[members[0]]) or self._part(cells, code, members) is not None

    def solve(self, guess: int, code: int, members: Members, heat: npt.NDArray[np.float64]) -> Members:
        """Solve a part of a cell and keep it. Return no answers if it is solved, else some that cannot be solved.

        The next guesses that have solved other parts of the cell are tried first. `heat` is that of the members.
        """
        cells = self.of(guess)
        successes = cells.next_guesses.setdefault(code, Counter())
        reused = successes.most_common(REUSED) if len(members) >= LEAST else []
        solution = next((i for i, _ in reused if not self._faults(i, members, most=1)), -1)
        if solution < 0:
            solution, reason = self._solving(members, heat)
            if solution < 0:
                return reason
        successes[solution] += 1
        parts = cells.parts.setdefault(code, [])
        parts[:] = [part for part in parts if not _is_subset(part.members, members)]
        parts.append(Part(members, solution))
        return members[:0]

    def _solving(self, members: Members, heat: npt.NDArray[np.float64]) -> tuple[int, Members]:
        """Return a guess that solves some answers; if there is none, -1 and answers that cannot be solved.

        Many answers are solved lazily: a guess is sought that solves the hottest ones. If it leaves some of the others
        unsolved, a few of these are added.
        """
        is_large = len(members) > 2 * HOT
        some = np.sort(members[np.argsort(-heat, kind="stable")[:HOT]]) if is_large else members
        while True:
            solution, reason, _ = self._position.explain(some, turns=self.turns)
            faults = self._faults(solution, members, most=FAULTS) if is_large and solution >= 0 else []
            if not faults:
                return solution, reason
            some = np.unique(np.concatenate((some, *faults)))

    def _faults(self, guess: int, members: Members, *, most: int) -> list[Members]:
        """Return at most `most` sets of answers that a guess leaves together and unsolved, from the largest cells."""
        position, turns = self._position, self.turns - 1
        codes = position.patterns[members, guess]
        sizes = np.bincount(codes, minlength=position.n_cells)
        sizes[position.n_cells - 1] = 0
        faults: list[Members] = []
        for code in np.argsort(-sizes, kind="stable").tolist():
            if sizes[code] <= turns or len(faults) == most:
                break
            solution, reason, _ = position.explain(members[codes == code], turns=turns)
            if solution < 0:
                faults.append(reason)
        return faults

    def add_whole(self, guess: int, code: int, members: Members) -> None:
        """Keep a whole cell that is solved."""
        cells = self.of(guess)
        cells.whole[members] = True
        cells.paths[members] = paths_of(self._position, members, turns=self.turns)
        cells.parts.pop(code, None)

    def paths(self, guess: int, members: Members) -> Paths:
        """Return the guesses after `guess` that find some answers, all of whose cells are known to be solved."""
        cells, position = self.of(guess), self._position
        result = cells.paths[members]
        codes = position.patterns[members, guess]
        open_ = ~cells.whole[members] & (codes != position.n_cells - 1)
        for code in np.unique(codes[open_]).tolist():
            rows = np.flatnonzero(codes == code)
            cell = members[rows]
            part = self._part(cells, code, cell) if len(cell) > self.turns else None
            if part is None:
                result[rows] = one_by_one(position, cell, turns=self.turns)
                continue
            if part.paths is None:
                part.paths = paths_of(position, part.members, turns=self.turns, guess=part.guess)
            result[rows] = part.paths[np.searchsorted(part.members, cell)]
        return result

    def _part(self, cells: Cells, code: int, members: Members) -> Part | None:
        for part in cells.parts.get(code, ()):
            if _is_subset(members, part.members):
                return part
        return None


def _is_subset(some: Members, others: Members) -> bool:
    """Return whether all of some answers are among others; both ascend."""
    if len(some) > len(others):
        return False
    places = np.searchsorted(others, some)
    return bool(places[-1] < len(others) and (others[places] == some).all())


def one_by_one(position: Position, members: Members, *, turns: int) -> Paths:
    """Return the guesses if the answers are tried one after the other; there are at most as many as turns."""
    paths = np.full((len(members), turns), -1, np.int32)
    for i in range(len(members)):
        paths[i, : i + 1] = position.own[members[: i + 1]]
    return paths


def paths_of(position: Position, members: Members, *, turns: int, guess: int = -1) -> Paths:
    """Return the guesses for some answers that can be solved within `turns`.

    The first guess is `guess` unless it is negative. The search has left the other guesses in its table.
    """
    if len(members) <= 2:
        return one_by_one(position, members, turns=turns)
    paths = np.full((len(members), turns), -1, np.int32)
    if guess < 0:
        guess = position.explain(members, turns=turns).guess
    assert guess >= 0, "a state that was solved before cannot be solved"
    paths[:, 0] = guess
    codes = position.patterns[members, guess]
    for code in np.unique(codes).tolist():
        if code != position.n_cells - 1:
            rows = np.flatnonzero(codes == code)
            paths[rows, 1:] = paths_of(position, members[rows], turns=turns - 1)
    return paths
