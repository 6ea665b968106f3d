"""Strategies after first words that share their parts, as `analysis.certificates` checks them.

A second guess has a third guess for each of its cells. If a whole cell can be solved, with all answers that give the
pattern, one third guess serves every first word. Other cells are *hard*: they have several third guesses, each of which
solves as many answers of the cell as possible. A cell of a first word needs no search if for every hard cell of some
second guess one of them solves the answers that are left.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.analysis.certificates import GREEN, Arrays, answers_of_thirds, cells_of, replies_of
from gpusolve.games.wordle.census.cores import Numbers
from gpusolve.games.wordle.census.first_words import Census
from gpusolve.games.wordle.cpu.proof.apart import tell_apart

WITHIN = 6
WHOLE = 200
"""Largest number of answers of a whole cell that is tried."""
THREE = 70
"""Largest number of answers for which a fourth guess is sought that solves all of them."""
SAMPLE, DROPS = 24, 12
"""A guess is sought for the answers that must be solved, with others up to this number, of which as many may go."""
SECONDS, MANY = 14, 150
"""Number of known second guesses that are tried, and largest number of answers for which a third guess is sought."""
TRIED = 8
"""Number of third guesses of a hard cell that are tried for other answers, those that solve the most first."""

Flags: TypeAlias = npt.NDArray[np.bool_]
Codes: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]


class Third(NamedTuple):
    """A third guess in a cell of a second one: its replies, pattern -> fourth guess, and what they leave unsolved."""

    guess: int
    replies: dict[int, int]
    unsolved: Numbers


@dataclass
class Hard:
    """A cell of a second guess that cannot be solved as a whole, and the numbers of its third guesses."""

    guess: int
    code: int
    answers: Numbers
    thirds: list[int] = field(default_factory=list)


class Strategies:
    """The parts of all strategies.

    Parameters
    ----------
    census : Census
        What is known about first words, for six guesses.
    """

    def __init__(self, census: Census) -> None:
        self.census, self._position, self._patterns = census, census.position, census.position.patterns
        self._legal = ~census.inner.ruled_out(np.zeros(0, np.int64))
        self._chance = random.Random(1)
        self.thirds: list[Third] = []
        self.hard: list[Hard] = []
        self.whole: dict[int, dict[int, int]] = {}
        """For each second guess the third guesses of the whole cells that are solved: pattern -> number."""
        self._left: tuple[Numbers, Numbers] | None = None
        """The rows of `_unsolved` and the answers that each leaves; None after something was added."""

    def open_cells(self, word: int) -> list[int]:
        """Return the patterns of a first word whose cells no second guess is known to solve, the largest first."""
        codes = self._patterns[:, word]
        sizes = np.bincount(codes, minlength=GREEN + 1)
        open_ = ~_any_of(self._solved_by(self._unsolved(codes))) & (sizes >= WITHIN)
        return [code for code in np.argsort(-sizes, kind="stable").tolist() if open_[code]]

    def _unsolved(self, codes: Codes) -> Flags:
        """Return the patterns of a first word with an answer that a third guess leaves unsolved.

        Shape (thirds + hard cells + 1, patterns). After the third guesses come the hard cells without a third guess,
        which leave all their answers unsolved, and a row for none.
        """
        if self._left is None:
            lines = (
                [third.unsolved for third in self.thirds]
                + [cell.answers for cell in self.hard]
                + [self._position.own[:0]]
            )
            self._left = np.repeat(np.arange(len(lines)), [len(line) for line in lines]), np.concatenate(lines)
        rows, answers = self._left
        flags = np.zeros((len(self.thirds) + len(self.hard) + 1, GREEN + 1), np.bool_)
        flags[rows, codes[answers]] = True
        return flags

    def _solved_by(self, unsolved: Flags) -> dict[int, Flags]:
        """Return for each second guess the patterns of a first word whose cells it solves."""
        solved = {guess: np.ones(GREEN + 1, np.bool_) for guess in self.whole}
        for number, cell in enumerate(self.hard, len(self.thirds)):
            solved[cell.guess] &= ~unsolved[[number, *cell.thirds]].all(axis=0)
        return solved

    def _best_first(self, cell: Hard) -> list[int]:
        """Return the third guesses of a hard cell, those that solve the most answers first."""
        return sorted(cell.thirds, key=lambda number: len(self.thirds[number].unsolved))

    def add(self, guess: int, answers: Numbers) -> None:
        """Add what a second guess needs to solve some answers, which it can solve."""
        self._explore(guess)
        left = dict(cells_of(self._patterns, guess, answers))
        for cell in self.hard:
            if cell.guess == guess and cell.code in left and not self._is_solved(cell, left[cell.code]):
                third = self._expand(self._third(cell, left[cell.code]), cell.answers, left[cell.code])
                cell.thirds.append(self._keep(third))

    def _is_solved(self, cell: Hard, left: Numbers) -> bool:
        """Return whether one of the third guesses of a hard cell solves the answers that are left of it."""
        return any(not _among(left, self.thirds[number].unsolved).any() for number in cell.thirds)

    def _keep(self, third: Third) -> int:
        self._left = None
        self.thirds.append(third)
        return len(self.thirds) - 1

    def _explore(self, guess: int) -> None:
        """Find the whole cells of a second guess that can be solved."""
        if guess in self.whole:
            return
        self.whole[guess] = {}
        inner = self.census.inner
        unsolved = {int(self._patterns[inner[core][0], guess]) for core in inner.failing(guess).tolist()}
        for code, cell in cells_of(self._patterns, guess, np.arange(len(self._patterns))):
            if len(cell) < WITHIN - 1:
                continue
            third = -1
            if code not in unsolved and len(cell) <= WHOLE:
                third = self._position.explain(cell, turns=4).guess
            if third >= 0:
                self.whole[guess][code] = self._keep(self._expand(third, cell, cell))
            else:
                self.hard.append(Hard(guess, code, cell))
                self._left = None

    def _third(self, cell: Hard, left: Numbers) -> int:
        """Return a third guess that solves the answers that are left of a hard cell, and likely many others."""
        for number in self._best_first(cell)[:TRIED]:
            if self._solves(self.thirds[number].guess, left):
                return self.thirds[number].guess
        if len(left) <= SAMPLE:
            _, guess = self._with_others(cell.answers, left, turns=4)
            if guess >= 0:
                return guess
        return self._position.explain(left, turns=4).guess if len(left) > 4 else int(self._position.own[left[0]])

    def _solves(self, guess: int, answers: Numbers) -> bool:
        """Return whether some answers are solved within three guesses after a guess."""
        cells = sorted((cell for _, cell in cells_of(self._patterns, guess, answers)), key=len, reverse=True)
        return all(len(cell) <= 3 or self._position.explain(cell, turns=3).guess >= 0 for cell in cells)

    def _with_others(self, cell: Numbers, left: Numbers, *, turns: int) -> tuple[Numbers, int]:
        """Return the answers that are left with a few others of a cell, and a guess that solves them; -1 if none is."""
        others = np.setdiff1d(cell, left, assume_unique=True).tolist()
        added = self._chance.sample(others, min(len(others), max(0, SAMPLE - len(left))))
        some = np.sort(np.concatenate((left, np.array(added, np.int64))))
        for _ in range(DROPS):
            if len(some) <= turns:
                break
            found = self._position.explain(some, turns=turns)
            if found.guess >= 0:
                return some, found.guess
            useless = np.setdiff1d(found.reason, left)
            if not len(useless):
                break
            some = some[some != self._chance.choice(useless.tolist())]
        return left, -1

    def _expand(self, guess: int, cell: Numbers, left: Numbers) -> Third:
        """Return a third guess with replies that solve the answers that are left of a cell, and as many as possible."""
        replies, solved = {}, [self._position.own[:0]]
        for code, part in cells_of(self._patterns, guess, cell):
            needed = part[_among(part, left)]
            if len(part) > 3:
                part, fourth = self._fourth(part, needed)
                if fourth >= 0:
                    replies[code] = fourth
            solved.append(part)
        solved.append(cell[self._patterns[cell, guess] == GREEN])
        return Third(guess, replies, np.setdiff1d(cell, np.concatenate(solved)))

    def _fourth(self, part: Numbers, needed: Numbers) -> tuple[Numbers, int]:
        """Return the answers of a part that a fourth guess solves, among them those needed, and the guess.

        It is -1 if at most three are solved, which need no guess of their own.
        """
        position = self._position
        if len(part) <= THREE and (guess := position.explain(part, turns=3).guess) >= 0:
            return part, guess
        _, guess = self._with_others(part, needed, turns=3)
        if guess < 0:
            if len(needed) <= 3:
                return needed, -1
            guess = position.explain(needed, turns=3).guess
        return self._reached(part, needed, guess), guess

    def _reached(self, part: Numbers, needed: Numbers, guess: int) -> Numbers:
        """Return the answers of a part that a fourth guess solves, among them those needed."""
        cells = [few for _, few in cells_of(self._patterns, guess, part)]
        found = part[self._patterns[part, guess] == GREEN]
        return np.sort(np.concatenate((found, *(self._told_apart(few, needed) for few in cells))))

    def _told_apart(self, few: Numbers, needed: Numbers) -> Numbers:
        """Return answers that one guess tells apart, among them those needed."""
        if len(few) <= 2:
            return few
        order, taken = few[np.argsort(~_among(few, needed), kind="stable")], np.empty(len(few), np.int64)
        flat = self._patterns.reshape(-1)
        return taken[: tell_apart(flat, self._patterns.shape[1], order, self._legal, taken)]

    def known(self, answers: Numbers) -> int:
        """Return a second guess known already that solves some answers, from a few trials; -1 if none was found."""
        inner = self.census.inner
        closed = np.unpackbits(inner.ruled_out(inner.inside(answers)).view(np.uint8), bitorder="little")
        waiting: dict[int, list[tuple[Hard, Numbers]]] = {guess: [] for guess in self.whole if not closed[guess]}
        for cell in self.hard:
            if cell.guess in waiting:
                left = answers[self._patterns[answers, cell.guess] == cell.code]
                if len(left) > 4 and not self._is_solved(cell, left):
                    waiting[cell.guess].append((cell, left))
        for guess in sorted(waiting, key=lambda guess: len(waiting[guess]))[:SECONDS]:
            hardest_first = sorted(waiting[guess], key=lambda pair: -len(pair[1]))
            if all(self._can_solve(cell, left) for cell, left in hardest_first):
                return guess
        return -1

    def _can_solve(self, cell: Hard, left: Numbers) -> bool:
        """Return whether the answers that are left of a hard cell can be solved, as far as a few trials show."""
        if any(self._solves(self.thirds[number].guess, left) for number in self._best_first(cell)[:TRIED]):
            return True
        return len(left) <= MANY and self._position.explain(left, turns=4).guess >= 0

    def restore(self, arrays: Arrays) -> None:
        """Add the parts of strategies in a file of proofs, which were checked."""
        seconds, thirds = replies_of(arrays, "second", "second_third"), replies_of(arrays, "third", "third_fourth")
        needed = answers_of_thirds(self._patterns[:, : len(self._position.guesses)], arrays)
        kept: set[tuple[int, int, int]] = set()
        for guess, pairs in zip(arrays["second"].tolist(), seconds, strict=True):
            self._explore(guess)
            for cell in self.hard:
                number = pairs.get(cell.code, -1) if cell.guess == guess else -1
                if number >= 0 and (guess, cell.code, number) not in kept:
                    kept.add((guess, cell.code, number))
                    third = Third(int(arrays["third"][number]), thirds[number], cell.answers)
                    unsolved = self._left_by(third, cell.answers, needed[number])
                    cell.thirds.append(self._keep(third._replace(unsolved=unsolved)))

    def _left_by(self, third: Third, cell: Numbers, needed: Numbers) -> Numbers:
        """Return answers of a cell that a third guess with its replies may leave unsolved, none of those needed."""
        left = [cell[:0]]
        for code, part in cells_of(self._patterns, third.guess, cell):
            if code in third.replies:
                left.append(np.setdiff1d(part, self._reached(part, needed, third.replies[code])))
            elif len(part) > 3:
                left.append(part[~_among(part, needed)])
        return np.sort(np.concatenate(left))

    def arrays(self, words: Iterable[int]) -> Arrays:
        """Return the strategies of the first words all of whose cells are solved, as a file of proofs has them."""
        seconds: list[tuple[int, list[int]]] = []  # a second guess, and a row of `_unsolved` for each hard cell of it
        width = max(Counter(cell.guess for cell in self.hard).values(), default=0)
        rows = np.zeros((0, width), np.int64)
        first: list[int] = []
        numbers: list[int] = []
        for word in words:
            codes = self._patterns[:, word]
            unsolved = self._unsolved(codes)
            solved = self._solved_by(unsolved)
            large = np.flatnonzero(np.bincount(codes) >= WITHIN).tolist()
            if not _any_of(solved)[large].all():
                continue
            first.append(word)
            for code in large:
                able = np.flatnonzero(~unsolved[rows, code].any(axis=1))
                if len(able):
                    numbers.append(int(able[0]))
                    continue
                guess = next(guess for guess, flags in solved.items() if flags[code])
                chosen = self._choose(guess, unsolved[:, code])
                row = np.full((1, width), len(unsolved) - 1)
                row[0, : len(chosen)] = chosen
                rows = np.concatenate((rows, row))
                numbers.append(len(seconds))
                seconds.append((guess, chosen))
        return self._written(first, numbers, seconds)

    def _choose(self, guess: int, unsolved: Flags) -> list[int]:
        """Return for each hard cell of a second guess the third guess that solves the most answers and those needed."""
        chosen = []
        for number, cell in enumerate(self.hard, len(self.thirds)):
            if cell.guess == guess:
                able = [third for third in self._best_first(cell) if not unsolved[third]]
                chosen.append(able[0] if able else number)
        return chosen

    def _written(self, first: list[int], numbers: list[int], seconds: list[tuple[int, list[int]]]) -> Arrays:
        """Return the arrays of strategies, without the parts that no first word uses."""
        codes = {third: cell.code for cell in self.hard for third in cell.thirds}
        order = sorted(range(len(seconds)), key=lambda number: seconds[number][0])  # alike ones together
        place = {number: i for i, number in enumerate(order)}
        replies = [
            sorted((self.whole[guess] | {codes[row]: row for row in rows if row in codes}).items())
            for guess, rows in (seconds[number] for number in order)
        ]
        used = sorted({third for pairs in replies for _, third in pairs})
        numbered = {third: number for number, third in enumerate(used)}
        thirds = [self.thirds[number] for number in used]
        return {
            "first": _array(first),
            "first_second": _array(place[number] for number in numbers),
            "second": _array(seconds[number][0] for number in order),
            "second_replies": _array(len(pairs) for pairs in replies),
            "second_pattern": _array(code for pairs in replies for code, _ in pairs),
            "second_third": _array(numbered[third] for pairs in replies for _, third in pairs),
            "third": _array(third.guess for third in thirds),
            "third_replies": _array(len(third.replies) for third in thirds),
            "third_pattern": _array(code for third in thirds for code in sorted(third.replies)),
            "third_fourth": _array(third.replies[code] for third in thirds for code in sorted(third.replies)),
        }


def _among(some: Numbers, others: Numbers) -> Flags:
    """Return which of some answers are among others, which ascend."""
    if not len(others):
        return np.zeros(len(some), np.bool_)
    found: Flags = others[np.minimum(np.searchsorted(others, some), len(others) - 1)] == some
    return found


def _any_of(solved: dict[int, Flags]) -> Flags:
    """Return the patterns whose cells one of the second guesses solves."""
    some = np.zeros(GREEN + 1, np.bool_)
    for flags in solved.values():
        some |= flags
    return some


def _array(numbers: Iterable[int]) -> Numbers:
    return np.array(list(numbers), np.int64)
