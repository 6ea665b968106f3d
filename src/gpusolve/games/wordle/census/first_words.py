"""Which first words solve every answer within a number of guesses: what one first word shows is used for all others.

A first word fails if one of its cells cannot be solved within the turns after it. The reason is a core (`cores`), and
every other first word that leaves the core together fails, too. A first word succeeds if there is a second guess for
each of its cells whose cells are solved in turn (`solved`). A second guess that solves a cell of one first word
is tried first for the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.intrinsics.columns import WIDTH
from gpusolve.errors import BadInput
from gpusolve.games.wordle.census.cores import EVERY, Cores, Numbers
from gpusolve.games.wordle.census.solved import Members, Paths, SolvedCells, one_by_one
from gpusolve.games.wordle.cpu.proof.cores import find_inside, least_hot
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.rules import LETTERS

STATES = 1000
"""Number of states after which an answer is not left out of a set that cannot be solved."""
SHRUNK = 25
"""Largest number of answers of a set that is shrunk by searches: with more answers, they take too long."""
HOTTER = 1.03
"""Each failure weighs this factor more than the previous one in the heat of the answers that caused it."""
SAMPLE = 200
"""Number of answers by which untried guesses are compared: the hottest ones, and as many others."""
MANY = 5
"""Words that agree in all positions but one are tried first if they outnumber the guesses by this number."""
WHOLE = 250
"""Largest number of answers of a whole cell that is tried."""
LARGE, FEWEST = 500, 4
"""`Census.solves` takes a cell with this number of answers or more as a whole, if the limit is more than FEWEST."""
ALL = -1
"""Stands for all patterns of a first word."""
PATIENCE = 8
"""`Census.patience` at first. What easier words show makes a hard one easier, so it is better decided later."""
SHORT, TRIES = 30, 60
"""When a cell is shrunk: the patience for each smaller set of answers, and the number of such sets."""
OUTER_SHRUNK = 100
"""Largest number of answers of a part of a first word's cell that is shrunk: few first words leave more together."""
MOST_NOGOODS = 3000
"""Number of nogoods, the latest ones, from which a large set that cannot be solved is shrunk."""
PROVEN = 40
"""Number of guesses with earlier successes that are tried before others."""


class _Undecided(Exception):
    """A cell has neither been solved nor refuted within the census's patience."""


class Verdict(NamedTuple):
    """Whether a first word solves every answer.

    Attributes
    ----------
    core : int
        The number of the core that the first word leaves together; -1 if it solves every answer.
    paths : ndarray of int32, shape (answers, turns), or None
        The guesses for each answer, and -1 after the answer is found; None if the first word fails.
    """

    core: int
    paths: Paths | None = None


class Census:
    """What has been learnt so far about all first words.

    Parameters
    ----------
    position : Position
        The position before the first word.
    within : int
        Every answer must be found within this number of guesses, at least three.
    """

    def __init__(self, position: Position, *, within: int) -> None:
        if position.variant.mode != "easy" or position.variant.guess_hidden_only or position.length != LETTERS:
            raise BadInput("a census of first words: expected easy mode and words of five letters")
        self.position, self.within = position, within
        self.outer, self.inner = (Cores(position.patterns, len(position.guesses)) for _ in range(2))
        """The cores for one guess less than `within`, and for two guesses less."""
        self.cells = SolvedCells(position, turns=within - 2)
        self.families = families_of(position.answers.letters, least=within + MANY)
        """Sets of answers that agree in all positions but one, each with its neighbours (`families_of`)."""
        self.patience = PATIENCE
        """Number of second guesses of a cell that may fail before a first word is left undecided."""
        self._lock = Lock()
        self.successes = np.zeros(len(position.guesses), np.int64)
        """How many cells of first words each second guess has solved."""

    def failed(self) -> npt.NDArray[np.int64]:
        """Return for each first word the number of the first core that it leaves together; -1 if there is none."""
        failed = np.full(len(self.position.guesses), -1, np.int64)
        for number in reversed(range(len(self.outer))):
            bits = np.unpackbits(self.outer.together(number).view(np.uint8), bitorder="little")[: len(failed)]
            failed[bits.astype(np.bool_)] = number
        return failed

    def decide(self, word: int) -> Verdict | None:
        """Decide whether a first word solves every answer; return None if `patience` does not suffice."""
        try:
            return self._decide(word)
        except _Undecided:
            return None

    def _decide(self, word: int) -> Verdict:
        position = self.position
        known = self.outer.failing(word)
        if len(known):
            return Verdict(int(known[0]))
        for members in self._hard_sets(word):
            if self.second(members) < 0:
                return Verdict(len(self.outer) - 1)
        cells = position.cells(word, np.arange(len(position.answers)))
        order = sorted(cells, key=lambda code: -len(cells[code]))
        seconds: dict[int, int] = {}
        for code in order:
            if len(cells[code]) < self.within:
                break
            seconds[code] = self.second(cells[code])
            if seconds[code] < 0:
                return Verdict(len(self.outer) - 1)
        paths = np.full((len(position.answers), self.within), -1, np.int32)
        paths[:, 0] = word
        for code, cell in cells.items():
            if code in seconds:
                paths[cell, 1] = seconds[code]
                paths[cell, 2:] = self.cells.paths(seconds[code], cell)
            else:
                paths[cell, 1:] = one_by_one(position, cell, turns=self.within - 1)
        return Verdict(-1, paths)

    def solves(self, word: int, code: int = ALL) -> bool:
        """Return whether every answer can be found within the limit after a first word.

        With a `code`, only the answers with this pattern count. No word is left undecided. The guesses are noted in the
        position's transposition table. Several threads may ask at once: one of them takes large cells at a time.
        """
        position = self.position
        with self._lock:
            if code == ALL and len(self.outer.failing(word)):
                return False
        cells = position.cells(word, np.arange(len(position.answers)))
        chosen = sorted(cells.values(), key=len, reverse=True) if code == ALL else [cells[code]]
        if len(chosen[0]) >= LARGE:
            hard = [part for part in self._hard_sets(word) if code == ALL or position.patterns[part[0], word] == code]
            chosen = [*hard, *chosen]
        return all(self._is_solved(cell) for cell in chosen if len(cell) >= self.within)

    def _is_solved(self, members: Members) -> bool:
        """Return whether some answers can be found within one guess less; keep the core if not."""
        turns = self.within - 1
        if len(members) >= LARGE and self.within > FEWEST:
            with self._lock:
                guess = self._solving(members, patience=len(self.position.guesses))
                if guess < 0:
                    self._keep_outer(members)
            self.position.note(members, turns=turns, guess=guess)
            return guess >= 0
        with self._lock:
            if len(self.outer.inside(members)):
                return False
        found = self.position.explain(members, turns=turns)
        if found.guess < 0:
            with self._lock:
                self.outer.add(np.sort(found.reason))
        return found.guess >= 0

    def _hard_sets(self, word: int) -> Iterator[Members]:
        """Yield small parts of a first word's cells that are likely to have no second guess, if any part has none.

        They are the words of a cell that agree in four positions, and then these with the words that agree with them
        in three of the four.
        """
        for extended in (False, True):
            for family, neighbours in self.families:
                codes, others = self.position.patterns[family, word], self.position.patterns[neighbours, word]
                for code in np.flatnonzero(np.bincount(codes) >= self.within + MANY).tolist():
                    yield neighbours[others == code] if extended else family[codes == code]

    def second(self, members: Members) -> int:
        """Return a second guess that solves a cell of a first word; -1 if there is none, and then keep the core."""
        guess = self._solving(members, patience=self.patience)
        if guess < 0:
            self._keep_outer(members)
        else:
            self.successes[guess] += 1
        return guess

    def find(self, members: Members) -> int | None:
        """Return what `second` does; None if `patience` does not suffice."""
        try:
            return self.second(members)
        except _Undecided:
            return None

    def refutes(self, members: Members, *, patience: int) -> bool | None:
        """Return whether no second guess solves some answers, as the inner cores show then; None if undecided.

        At most `patience` second guesses are tried that no core rules out.
        """
        try:
            return self._solving(members, patience=patience) < 0
        except _Undecided:
            return None

    def _solving(self, members: Members, *, patience: int) -> int:
        """Return a guess after which some answers are solved; -1 if there is none.

        Raise _Undecided if as many guesses as `patience` have failed and others are left.
        """
        position, inner = self.position, self.inner
        proven = self._proven(members)
        if len(proven) and self.cells.of(proven[0]).whole[members].all():
            return proven[0]
        inside = inner.inside(members)
        closed = inner.ruled_out(inside)
        heat, burn = np.zeros(len(position.answers)), len(members) / 20
        heat[members] = 1 + inner.weigh(inside)[members] * (len(members) / max(len(inside), 1))
        waiting, failures = iter(proven[:PROVEN]), 0
        while (closed != EVERY).any():
            if position.search.stop[0]:
                raise InterruptedError
            guess = next((guess for guess in waiting if not _has(closed, guess)), -1)
            if guess < 0:
                some, weights = _sample(members, heat)
                guess = int(least_hot(position.search.patterns, position.search.stride, some, weights, closed))
            core = self._fault(guess, members, heat)
            if core < 0:
                return guess
            failures += 1
            if failures > patience:
                raise _Undecided
            closed |= inner.together(core)
            burn *= HOTTER
            heat[inner[core]] += burn / len(inner[core])
        return -1

    def _proven(self, members: Members) -> list[int]:
        """Return the guesses that have solved cells before; those with the fewest unsolved answers come first."""
        guesses = np.flatnonzero(self.successes)
        unsolved = np.array([(~self.cells.of(guess).whole[members]).sum() for guess in guesses.tolist()])
        ranked: list[int] = guesses[np.lexsort((-self.successes[guesses], unsolved))].tolist()
        return ranked

    def _fault(self, guess: int, members: Members, heat: npt.NDArray[np.float64]) -> int:
        """Return the number of a core in one of the cells of a guess; -1 if all cells are solved."""
        position = self.position
        codes = position.patterns[members, guess]
        heats = np.bincount(codes, heat[members], position.n_cells)
        for code in np.argsort(-heats, kind="stable").tolist():
            if heats[code] == 0:
                break
            if code == position.n_cells - 1:
                continue
            cell = members[codes == code]
            if self.cells.covers(guess, code, cell):
                continue
            if self.successes[guess] and self._solves_whole(guess, code):
                continue
            reason = self.cells.solve(guess, code, cell, heat[cell])
            if len(reason):
                return self._keep_inner(reason)
        return -1

    def _solves_whole(self, guess: int, code: int) -> bool:
        """Return whether all answers that give a pattern are solved after a guess; each pattern is tried once."""
        position, cells = self.position, self.cells.of(guess)
        if code in cells.tried:
            return False
        cells.tried.add(code)
        whole = np.flatnonzero(position.patterns[:, guess] == code)
        if len(whole) > WHOLE:
            return False
        if any(position.patterns[self.inner[core][0], guess] == code for core in self.inner.failing(guess).tolist()):
            return False
        solution, reason, _ = position.explain(whole, turns=self.cells.turns)
        if solution < 0:
            self._keep_inner(reason)
            return False
        self.cells.add_whole(guess, code, whole)
        return True

    def _keep_inner(self, reason: Numbers) -> int:
        """Shrink a set of answers that cannot be solved within two guesses less; keep it and return its number."""
        core = np.sort(reason) if len(reason) <= SHRUNK else self._without_useless(reason)
        if len(core) > SHRUNK:
            return self.inner.add(core)
        step = max(1, len(core) // 4)
        while True:
            at = 0
            while at < len(core):
                fewer = np.concatenate((core[:at], core[at + step :]))
                if len(fewer) > self.cells.turns:
                    reason = self.position.explain(fewer, turns=self.cells.turns, states=STATES).reason
                    if len(reason):
                        core = core[np.isin(core, reason)]
                        continue
                at += step
            if step == 1:
                return self.inner.add(core)
            step //= 2

    def _without_useless(self, reason: Numbers) -> Numbers:
        """Leave out what the nogoods about one guess less do not need to show that a set cannot be solved."""
        nogoods = Cores(self.position.patterns, len(self.position.guesses))
        members, begins, ends = self.position.nogoods(self.cells.turns - 1)
        present, found = np.zeros(len(self.position.answers), np.bool_), np.empty(len(begins), np.int64)
        present[reason] = True
        found = found[: find_inside(members, begins, ends, present, found)]
        for i in found[-MOST_NOGOODS:].tolist():
            nogoods.add(members[begins[i] : ends[i]].astype(np.int64))
        merged = nogoods.merged(np.arange(len(nogoods)))
        return np.sort(reason) if merged is None or len(merged) > len(reason) else merged

    def _keep_outer(self, members: Members) -> int:
        """Find a small part of a cell that has no second guess either; keep it and return its number."""
        core, tries = self._merged(members), 0
        if len(core) > OUTER_SHRUNK:
            return self.outer.add(core)
        step = max(1, len(core) // 4)
        while step:
            at = 0
            while at < len(core) and tries < TRIES:
                fewer, tries = np.concatenate((core[:at], core[at + step :])), tries + 1
                if self._is_unsolved(fewer):
                    core = self._merged(fewer)
                else:
                    at += step
            step //= 2
        return self.outer.add(core)

    def _is_unsolved(self, members: Members) -> bool:
        """Return whether some answers have no second guess, as far as a short search shows."""
        try:
            return self._solving(members, patience=SHORT) < 0
        except _Undecided:
            return False

    def _merged(self, members: Members) -> Members:
        core = self.inner.merged(self.inner.inside(members))
        assert core is not None, "a set of answers without a second guess, but its cores do not rule out every guess"
        return core


def families_of(letters: npt.NDArray[Any], *, least: int) -> list[tuple[Members, Members]]:
    """Return the sets of words that agree in all positions but one, if they have at least this number of words.

    Each set comes with its neighbours: all words that agree with it in all these positions but one.
    """
    families = []
    for position in range(letters.shape[1]):
        fixed = np.delete(letters, position, axis=1)
        shapes, place, counts = np.unique(fixed, axis=0, return_inverse=True, return_counts=True)
        for number in np.flatnonzero(counts >= least).tolist():
            agree = (fixed == shapes[number]).sum(axis=1)
            families.append((np.flatnonzero(place == number), np.flatnonzero(agree >= fixed.shape[1] - 1)))
    return sorted(families, key=lambda family: -len(family[0]))


def _sample(members: Members, heat: npt.NDArray[np.float64]) -> tuple[Members, npt.NDArray[np.float64]]:
    """Return some of the answers and the weight of each: the hottest ones, and others for all that are left out."""
    ranked = members[np.argsort(-heat[members], kind="stable")]
    hottest, others = ranked[:SAMPLE], ranked[SAMPLE:]
    if len(others) <= SAMPLE:
        return ranked, heat[ranked]
    chosen = others[np.linspace(0, len(others) - 1, SAMPLE).astype(np.int64)]
    weights = heat[chosen] * (heat[others].sum() / heat[chosen].sum())
    return np.concatenate((hottest, chosen)), np.concatenate((heat[hottest], weights))


def _has(bits: npt.NDArray[np.uint64], guess: int) -> bool:
    return bool(bits[guess // WIDTH] >> np.uint64(guess % WIDTH) & np.uint64(1))
