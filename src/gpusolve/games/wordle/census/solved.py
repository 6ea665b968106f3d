"""Cells that are known to be solved within a number of turns, with the guesses that each answer takes there.

Every subset of a solved cell is solved as well, by the same strategy. So one cell serves many first words. If a whole
cell of a guess is solved, with all answers that give the pattern, it serves every first word.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.proof.position import Position

Members: TypeAlias = npt.NDArray[np.intp]
Paths: TypeAlias = npt.NDArray[np.int32]
"""The guesses for each answer, one row for each, and -1 after the answer is found."""


@dataclass
class Part:
    """A solved part of a cell: its answers, and the guesses for them once they are needed."""

    members: Members
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
    """

    whole: npt.NDArray[np.bool_]
    paths: Paths
    parts: dict[int, list[Part]] = field(default_factory=dict)
    tried: set[int] = field(default_factory=set)


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

    def add(self, guess: int, code: int, members: Members) -> None:
        """Keep a part of a cell that is solved."""
        cells = self.of(guess)
        parts = cells.parts.setdefault(code, [])
        parts[:] = [part for part in parts if not _is_subset(part.members, members)]
        parts.append(Part(members))

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
                part.paths = paths_of(position, part.members, turns=self.turns)
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


def paths_of(position: Position, members: Members, *, turns: int) -> Paths:
    """Return the guesses for some answers that can be solved within `turns`; the search has left them in its table."""
    if len(members) <= 2:
        return one_by_one(position, members, turns=turns)
    paths = np.full((len(members), turns), -1, np.int32)
    guess = position.explain(members, turns=turns).guess
    assert guess >= 0, "a state that was solved before cannot be solved"
    paths[:, 0] = guess
    codes = position.patterns[members, guess]
    for code in np.unique(codes).tolist():
        if code != position.n_cells - 1:
            rows = np.flatnonzero(codes == code)
            paths[rows, 1:] = paths_of(position, members[rows], turns=turns - 1)
    return paths
