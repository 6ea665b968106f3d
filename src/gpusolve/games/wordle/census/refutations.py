"""Proofs that first words fail, made of sets of answers alone, as `analysis.certificates` checks them.

A census knows sets for four guesses that cannot be solved (its inner cores). Here each of them gets a proof: sets for
three guesses that rule out every guess for it, and sets for two guesses that do so for these. Sets that were proved
before come first, so most guesses are ruled out without a search. At the end, sets that no proof needs are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.analysis.certificates import Arrays
from gpusolve.games.wordle.census.cores import EVERY, Bits, Cores, Numbers
from gpusolve.games.wordle.cpu.proof.cores import least_hot
from gpusolve.games.wordle.proof.position import Position

Cell = tuple[int, int]
"""A first word and a pattern."""


class Refutations:
    """Sets of answers with a proof that they cannot be solved within two, three or four guesses.

    Parameters
    ----------
    position : Position
        The position before the first word.
    """

    def __init__(self, position: Position) -> None:
        self._position = position
        self.sets = {turns: Cores(position.patterns, len(position.guesses)) for turns in (2, 3, 4)}

    def restore(self, arrays: Arrays) -> None:
        """Add the sets of a file of proofs, which were checked."""
        for turns, sets in self.sets.items():
            ends = np.cumsum(arrays[f"lengths_{turns}"])[:-1]
            for core in np.split(arrays[f"nogoods_{turns}"], ends) if len(arrays[f"lengths_{turns}"]) else ():
                sets.add(core)

    def prove(self, answers: Numbers, turns: int) -> Numbers:
        """Prove that some answers cannot be solved; return a part of them for which the proof holds as well.

        Raises AssertionError if they can be solved.
        """
        position, smaller = self._position, self.sets[turns - 1]
        closed = smaller.ruled_out(smaller.inside(answers))
        while (closed != EVERY).any():
            heat = np.ones(len(answers))
            guess = int(least_hot(position.search.patterns, position.search.stride, answers, heat, closed))
            cells = sorted(position.cells(guess, answers).values(), key=len, reverse=True)
            part = next((part for cell in cells if (part := self._unsolved(cell, turns - 1)) is not None), None)
            assert part is not None, "a set that cannot be solved, but a guess solves it"
            closed |= smaller.together(smaller.add(part))
        merged = smaller.merged(smaller.inside(answers))
        assert merged is not None
        return np.sort(merged)

    def _unsolved(self, cell: Numbers, turns: int) -> Numbers | None:
        """Return a part of a cell with a proof that it cannot be solved; None if the cell can be."""
        if len(cell) <= turns:
            return None
        found = self._position.explain(cell, turns=turns)
        if found.guess >= 0:
            return None
        reason = np.sort(found.reason)
        return self._shrunk(reason) if turns == 2 else self.prove(reason, turns)

    def _shrunk(self, answers: Numbers) -> Numbers:
        """Leave answers out as long as two guesses do not solve the others."""
        at = 0
        while at < len(answers):
            fewer = np.delete(answers, at)
            if len(fewer) > 2 and self._position.explain(fewer, turns=2).guess < 0:
                answers = fewer
            else:
                at += 1
        return answers

    def arrays(self, cores: Sequence[Numbers], cells: Iterable[Cell]) -> Arrays:
        """Return the proofs that `cores` and whole cells of first words cannot be solved within five guesses."""
        cells = sorted(cells)
        needed = [*cores, *(np.flatnonzero(self._position.patterns[:, word] == code) for word, code in cells)]
        arrays: Arrays = {"cells": np.array(cells, np.int64).reshape(-1)}
        arrays |= _flat(5, cores)
        for turns in (4, 3, 2):
            known = self._in_order(turns)
            chosen: set[int] = set()
            for answers in needed:
                if not choose(known, known.inside(answers), chosen):
                    raise AssertionError(f"the sets for {turns} guesses do not rule out every guess")
            needed = [known[number] for number in sorted(chosen)]
            arrays |= _flat(turns, needed)
        return arrays

    def _in_order(self, turns: int) -> Cores:
        """Return the different sets for a number of guesses, the smallest ones first."""
        ordered = Cores(self._position.patterns, len(self._position.guesses))
        different = {tuple(core.tolist()) for core in self.sets[turns]}
        for core in sorted(different, key=lambda core: (len(core), core)):
            ordered.add(np.array(core))
        return ordered


def choose(cores: Cores, numbers: npt.NDArray[np.int64], chosen: set[int]) -> bool:
    """Add to `chosen` a few of the cores `numbers` that rule out every guess; return whether there are enough.

    Those that are chosen already count. Then the core that rules out the most of the other guesses comes next.
    """
    masks: Bits = np.array([cores.together(number) for number in numbers.tolist()], np.uint64)
    has = np.array([number in chosen for number in numbers.tolist()], np.bool_)
    left = ~cores.ruled_out(numbers[has])
    numbers, masks = numbers[~has], masks[~has] if len(has) else masks
    while left.any():
        blocks = np.flatnonzero(left)
        if not len(numbers):
            return False
        gains = np.bitwise_count(masks[:, blocks] & left[blocks]).sum(axis=1, dtype=np.int64)
        best = int(gains.argmax())
        if not gains[best]:
            return False
        chosen.add(int(numbers[best]))
        left &= ~masks[best]
        numbers, masks = numbers[gains > 0], masks[gains > 0]
    return True


def _flat(turns: int, sets: Iterable[Numbers]) -> Arrays:
    """Return the arrays of a file of proofs for the sets of one number of guesses, in order."""
    ordered = sorted({tuple(sorted(core.tolist())) for core in sets})
    members = [answer for core in ordered for answer in core]
    return {
        f"nogoods_{turns}": np.array(members, np.int64),
        f"lengths_{turns}": np.array([len(core) for core in ordered], np.int64),
    }
