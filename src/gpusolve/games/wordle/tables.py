"""Tables of guesses: how each of them splits the answers, and in what order they come."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.games.wordle.kernels import NLOGN_ONE, Partition
from gpusolve.games.wordle.rules import GUESSES, MEASURES, ORDERS, Measure, Order, check_choice
from gpusolve.games.wordle.words import WordList
from gpusolve.output.notebook import MOST_ROWS, html_table

NEAR = 0.1
"""Bits: so much entropy a guess that can be the answer may lack, and is still suggested first.

Played against all 2,315 answers, this takes fewer guesses than the entropy alone: after soare 8,019 against 8,020,
after salet 7,943 against 7,946, in hard mode 8,319 against 8,339 and 8,145 against 8,154. Half a bit takes more in all
four.
"""


@dataclass(frozen=True, eq=False)
class PartitionTable:
    """`guesses` against `answers`; the arrays of `partition` have shape (1, len(guesses)).

    `sort` is what the table is ranked by.
    """

    guesses: WordList
    answers: WordList
    partition: Partition
    sort: Order = "entropy"

    def ranking(self, sort: Order | None = None) -> npt.NDArray[np.intp]:
        """Indices of the guesses, intp (guesses,), the best first; by `sort`, else as the table is.

        Ties go to a guess that can be the answer, then to the first in `guesses`.
        """
        sort = self.sort if sort is None else sort
        check_choice("sort", sort, ORDERS)
        if sort == "guess":
            return np.arange(len(self.guesses))
        return np.argsort(self._costs(sort), kind="stable")

    def _costs(self, measure: Measure) -> npt.NDArray[np.int64]:
        return np.asarray(costs(self.partition, measure)[0])

    @property
    def best(self) -> str:
        """The first guess of the ranking."""
        return self.guesses[int(self.ranking()[0])]

    def columns(self, top: int | None = None) -> dict[str, Any]:
        """Name -> values in the order of the ranking: what ``pandas.DataFrame`` and ``polars.DataFrame`` take.

        `guess` is a list of strings, the others are arrays of numbers (guesses,): `patterns` that occur, answers in the
        `largest` cell, `sum_squares` of the cells, `entropy` in bits, `expected` answers left, whether the guess
        `is_answer`. `top`: only so many rows.

        >>> from gpusolve.games.wordle import partition_table
        >>> columns = partition_table(["qajaq", "salet"]).columns()
        >>> columns["guess"], columns["patterns"].tolist(), columns["is_answer"].tolist()
        (['salet', 'qajaq'], [148, 18], [False, False])
        """
        if top is not None:
            checks.check_integer("top", top, 1, sys.maxsize)
        order, found = self.ranking()[:top], self.partition
        return {
            "guess": [self.guesses[i] for i in order.tolist()],
            "patterns": found.patterns[0][order],
            "largest": found.largest[0][order],
            "sum_squares": found.sum_squares[0][order],
            "entropy": found.entropy[0][order],
            "expected": found.expected[0][order],
            "is_answer": found.contains[0][order],
        }

    def __repr__(self) -> str:
        return f"<{self._title}; the best {self.best}>"

    def _repr_html_(self) -> str:
        return html_table(self._title, self.columns(MOST_ROWS), len(self.guesses))

    @property
    def _title(self) -> str:
        return f"{type(self).__name__}: {len(self.guesses):,} guesses x {len(self.answers):,} answers, by {self.sort}"


@dataclass(frozen=True, eq=False, repr=False)
class Suggestions(PartitionTable):
    """What may be guessed after `turns` guesses, against the answers that remain, ranked for a player.

    By entropy, a guess that can be the answer counts NEAR bits more. Where only the last of the six guesses is left,
    those that can be the answer come first, by any measure.
    """

    turns: int = 0
    solved: bool = False
    """Whether the last guess was the answer; then it is the only guess and the only answer here."""
    totals: dict[int, int] = field(default_factory=dict)
    """Where it is known: the best guesses by index, and the fewest guesses over all answers, themselves included."""
    widened: bool = False
    """Whether no listed answer fits, so that every word that may be guessed is taken for a possible answer."""

    def ranking(self, sort: Order | None = None) -> npt.NDArray[np.intp]:
        """As that of a PartitionTable; by itself, guesses come first whose totals are known, the least total first."""
        if sort is not None or not self.totals:
            return super().ranking(sort)
        known = np.full(len(self.guesses), np.iinfo(np.int64).max)
        known[list(self.totals)] = list(self.totals.values())
        return np.lexsort((self._costs("entropy"), ~self.partition.contains[0], known))

    def _costs(self, measure: Measure) -> npt.NDArray[np.int64]:
        found, contains = super()._costs(measure), self.partition.contains[0]
        if self.turns == GUESSES - 1:
            return np.where(contains, found, found + np.int64(1 << 62))
        if measure == "entropy":
            return np.asarray(found - contains * (2 * round(NEAR * NLOGN_ONE * len(self.answers))))
        return found

    def columns(self, top: int | None = None) -> dict[str, Any]:
        """As those of a PartitionTable, and three more.

        `mean`, float (guesses,): how many more guesses it takes, on average and if all are the best; nan where that is
        not known. Then the chance to be done with the guess, and by the one after it:

        `solved_now`, float (guesses,): 1 / answers, or 0. `solved_next`: patterns / answers, since the guess after
        names an answer of the cell that is left, and that is one chance in as many as there are.

        >>> from gpusolve.games.wordle import suggest
        >>> columns = suggest(["salet:-y--g"]).columns(2)
        >>> columns["guess"], columns["solved_now"].tolist(), columns["solved_next"].tolist()
        (['courd', 'crudo'], [0.0, 0.0], [0.75, 0.75])
        """
        found, answers = super().columns(top), len(self.answers)
        mean = np.full(len(self.guesses), np.nan)
        mean[list(self.totals)] = np.array(list(self.totals.values())) / answers
        found["mean"] = mean[self.ranking()[:top]]
        return found | {"solved_now": found["is_answer"] / answers, "solved_next": found["patterns"] / answers}

    def __repr__(self) -> str:
        return f"<Suggestions: solved, {self.best}>" if self.solved else super().__repr__()


def costs(partition: Partition, measure: Measure) -> npt.NDArray[np.int64]:
    """What each guess costs by a measure, int64 (subsets, guesses): less is better.

    The lowest bit tells a guess that is in the subset (0) from one that is not, so ties go to the former.
    """
    check_choice("sort", measure, MEASURES)
    cost: Any = {
        "entropy": partition.sum_nlogn,
        "expected": partition.sum_squares,
        "patterns": -partition.patterns.astype(np.int64),
        "largest": partition.largest.astype(np.int64),
    }[measure]
    return np.asarray(cost * 2 + ~partition.contains, dtype=np.int64)
