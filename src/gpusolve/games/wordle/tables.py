"""Tables of guesses: how each guess splits the answers, and how the guesses are ranked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.kernels import NLOGN_ONE, Partition
from gpusolve.games.wordle.rules import (
    CHANCES,
    GUESSES,
    MEASURES,
    ORDERS,
    Measure,
    Order,
    Scoring,
    TurnFields,
    turn_fields,
)
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights.chances import familiarity, is_published, likeliest
from gpusolve.games.wordle.weights.partitions import WeightedPartition, weighted_partition
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.result import FLAT, HIDDEN, Result, reported, rows, written

NEAR = 0.1
"""Bonus in bits for guesses that can be the answer, when suggestions are ranked by entropy.

Against all 2,315 answers, the bonus saves guesses: 8,019 instead of 8,020 after soare, 7,943 instead of 7,946 after
salet; in hard mode 8,319 instead of 8,339 and 8,145 instead of 8,154. Half a bit costs guesses in all four cases.
"""


class GuessRow(NamedTuple):
    """A row of a table of guesses: see `PartitionTable.columns`."""

    guess: str
    patterns: int
    largest: int
    sum_squares: int
    entropy: float
    expected: float
    is_answer: bool


class SuggestionRow(NamedTuple):
    """A row of suggestions: see `Suggestions.columns`. The mean is None where it is not known."""

    guess: str
    patterns: int
    largest: int
    sum_squares: int
    entropy: float
    expected: float
    is_answer: bool
    mean: float | None
    solved_now: float
    solved_next: float


TOTALS = 10
"""Number of the best guesses whose totals are computed."""


_Row = TypeVar("_Row")


class TableRows(Sequence[_Row]):
    """The rows of a table, which are made as far as they are wanted: there are thousands, of which few are shown."""

    def __init__(self, table: PartitionTable, kind: Callable[..., _Row]) -> None:
        self._table, self._kind = table, kind

    def __len__(self) -> int:
        return len(self._table.guesses)

    def __getitem__(self, index: Any) -> Any:
        return self._first(index.stop if isinstance(index, slice) and (index.stop or -1) >= 0 else None)[index]

    def __iter__(self) -> Iterator[_Row]:
        return iter(self._first(None))

    def _first(self, count: int | None) -> list[_Row]:
        columns = self._table.columns(count).values()
        lists = [column if isinstance(column, list) else column.tolist() for column in columns]
        return [self._kind(*row) for row in zip(*lists, strict=True)]


@dataclass(frozen=True, eq=False, repr=False)
class PartitionTable(Result, schema="wordle.partition-table/2"):
    """How each guess splits the answers into cells, one cell for each pattern that occurs.

    Attributes
    ----------
    guesses, answers : WordList
        The words.
    partition : Partition
        Statistics of the cells, arrays of shape (1, guesses).
    sort : {"entropy", "expected", "patterns", "largest", "guess"}
        The order in which the table is shown.
    weights : ndarray of int64, shape (answers,), or None
        The weights of the answers; None if all are equally likely.
    scoring : {"wordle", "presence"}
        The rules of the patterns.
    allowed : int or None
        Number of guesses that are allowed, if it was counted: of very many, the table has only the most promising ones.
    """

    guesses: WordList = field(metadata=written("_guesses"))
    answers: WordList = field(metadata=written("_answers"))
    partition: Partition = field(metadata=HIDDEN)
    sort: Order = "entropy"
    weights: npt.NDArray[np.int64] | None = field(default=None, metadata=HIDDEN)
    scoring: Scoring = "wordle"
    allowed: int | None = field(default=None, metadata=HIDDEN)

    @property
    def _guesses(self) -> int:
        return len(self.guesses)

    @property
    def _answers(self) -> int:
        return len(self.answers)

    @rows
    def rows(self) -> Sequence[GuessRow]:
        """The guesses in the order of the table."""
        return TableRows(self, GuessRow)

    @reported
    def weight(self) -> int:
        """The weight of all answers; without weights, their number."""
        return int(self.partition.masses[0])

    def ranking(self, sort: Order | None = None) -> npt.NDArray[np.intp]:
        """Rank the guesses from best to worst.

        Ties go to guesses that can be the answer (the heaviest first, if answers have weights), then to the first in
        `guesses`.

        Parameters
        ----------
        sort : {"entropy", "expected", "patterns", "largest", "guess"}, optional
            The order; by default, the order of the table.

        Returns
        -------
        ndarray of intp, shape (guesses,)
            Indices into `guesses`.

        Raises
        ------
        BadInput
            If the order is unknown.
        """
        sort = self.sort if sort is None else sort
        checks.check_choice("sort", sort, ORDERS)
        if sort == "guess":
            return np.arange(len(self.guesses))
        return in_order(self.partition, self._costs(sort))

    @cached_property
    def _order(self) -> npt.NDArray[np.intp]:
        return self.ranking()

    def _first_of_order(self, top: int | None) -> npt.NDArray[np.intp]:
        """Return the first guesses in the order of the table."""
        return self._order[:top]

    def _costs(self, measure: Measure) -> npt.NDArray[np.int64]:
        return np.asarray(costs(self.partition, measure)[0])

    @property
    def best(self) -> str:
        """The best guess by the order of the table."""
        return self.guesses[int(self._order[0])]

    def columns(self, top: int | None = None) -> dict[str, Any]:
        """Return the table as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Parameters
        ----------
        top : int, optional
            Number of rows; by default, all of them.

        Returns
        -------
        dict of str to list or ndarray
            Values in the order of the table. ``guess`` is a list of str, and ``is_answer`` says whether it can be the
            answer. ``patterns`` counts those that occur, and ``entropy`` is that of the pattern in bits. Then come the
            size of the ``largest`` cell, the ``sum_squares`` of all sizes, and the number of answers ``expected`` to be
            left.

        Raises
        ------
        BadInput
            If `top` is not a whole number from 0 on.

        Examples
        --------
        >>> from gpusolve.games.wordle import partition_table
        >>> columns = partition_table(guesses=["qajaq", "salet"]).columns()
        >>> columns["guess"], columns["patterns"].tolist(), columns["is_answer"].tolist()
        (['salet', 'qajaq'], [148, 18], [False, False])
        """
        if top is not None:
            top = checks.check_integer("top", top, 0, sys.maxsize)
        return self._columns(self._first_of_order(top))

    def _columns(self, order: npt.NDArray[np.intp]) -> dict[str, Any]:
        """Return the columns of some guesses."""
        partition = self.partition
        return {
            "guess": [self.guesses[i] for i in order.tolist()],
            "patterns": partition.patterns[0][order],
            "largest": partition.largest[0][order],
            "sum_squares": partition.sum_squares[0][order],
            "entropy": partition.entropy[0][order],
            "expected": partition.expected[0][order],
            "is_answer": partition.contains[0][order],
        }

    def __repr__(self) -> str:
        return f"<{self._title}; the best {self.best}>"

    @property
    def _title(self) -> str:
        number = f"{len(self.guesses):,} guesses x {len(self.answers):,} answers"
        return f"{type(self).__name__}: {number}, by {self._by}"

    @property
    def _by(self) -> str:
        return self.sort


@dataclass(frozen=True, eq=False, repr=False)
class Suggestions(PartitionTable, schema="wordle.suggest/3"):
    """The guesses that are allowed at some point of a game, against the answers that remain, ranked for a player.

    By entropy, guesses that can be the answer get a bonus of 0.1 bits (with weights, a guess that is less likely than
    the average answer gets less, in proportion). If only one of the six guesses is left, the likeliest answers come
    first by any measure, and with two left and no exact means, the guesses with the best chance to win. Among equals,
    familiar words come first.

    Attributes
    ----------
    history : list of (str, int)
        The guesses so far, each with its pattern.
    solved : bool
        Whether the last guess was the answer. Then it is the only guess and the only answer in the table.
    totals : dict of int to int
        Index of each of the best guesses -> the fewest guesses over all answers, counting this guess. It is empty where
        totals are not known.
    exact : bool
        Whether the totals are exact. Otherwise they are those of the best strategies known for the first guess, or the
        answers cannot all be found in the guesses that are left, and the totals ignore this limit.
    widened : bool
        Whether no listed answer fits the history, so that every word that may be guessed counts as a possible answer.
    unknown : dict of str to list of str
        Guess of the history that is not in the list of guesses -> listed words that could be meant.
    variant : Variant
        The words and the rules.
    """

    history: list[tuple[str, int]] = field(default_factory=list, metadata=written("_history"))
    solved: bool = False
    totals: dict[int, int] = field(default_factory=dict, metadata=HIDDEN)
    widened: bool = False
    exact: bool = field(default=True, metadata=HIDDEN)
    unknown: dict[str, list[str]] = field(default_factory=dict)
    sort: Order = field(default="entropy", metadata=written("ranked_by"))
    variant: Variant = field(kw_only=True, metadata=FLAT)

    @property
    def _history(self) -> list[TurnFields]:
        return turn_fields(self.history)

    @property
    def turns(self) -> int:
        """Number of guesses made so far."""
        return len(self.history)

    @property
    def ranked_by(self) -> str:
        """The measure by which the guesses are ranked: ``exact`` or ``mean`` where the mean number is known."""
        return self.sort if not self.totals else "exact" if self.exact else "mean"

    @reported
    def remaining(self) -> list[str]:
        """The answers that remain, the likeliest first."""
        return [self.answers[i] for i in self._likeliest.tolist()]

    @reported
    def chances(self) -> list[float]:
        """The chance of each of them."""
        weights = np.ones(len(self.answers)) if self.weights is None else self.weights[self._likeliest]
        return [float(chance) for chance in weights / self.weight]

    @reported
    def unpublished(self) -> float | None:
        """The chance that the answer is not in the published list of answers; None where other lists are used."""
        if self.variant.weight_list != CHANCES or self.weights is None:
            return None
        outside = [not is_published(word) for word in self.answers]
        return float(self.weights[outside].sum() / self.weight)

    @cached_property
    def _likeliest(self) -> npt.NDArray[np.intp]:
        """The indices of the answers that remain, the likeliest and then the most familiar first."""
        return likeliest(self.answers, self.weights)

    @rows
    def rows(self) -> Sequence[SuggestionRow]:  # type: ignore[override]
        """The guesses, the best first."""
        return TableRows(self, SuggestionRow)

    def ranking(self, sort: Order | None = None) -> npt.NDArray[np.intp]:
        """Rank the guesses as `PartitionTable.ranking` does, but by default those with known totals come first."""
        if sort == "guess":
            return super().ranking(sort)
        return np.lexsort(self._keys(sort))

    def _first_of_order(self, top: int | None) -> npt.NDArray[np.intp]:
        if self.sort == "guess" or not top or top >= len(self.guesses):
            return super()._first_of_order(top)
        keys = self._keys(None)
        last = np.partition(keys[-1], top - 1)[top - 1]
        near = np.flatnonzero(keys[-1] <= last)  # only these have to be put in order
        return near[np.lexsort([key[near] for key in keys])][:top]

    def _keys(self, sort: Measure | None) -> list[npt.NDArray[np.int64]]:
        """Return the keys by which `ranking` sorts, the last one first."""
        partition = self.partition
        own = -partition.now[0].astype(np.int64)
        measure: Measure = sort or ("entropy" if self.totals or self.sort == "guess" else self.sort)
        keys = [familiarity(self.guesses), self._costs(measure)]
        if self.totals and sort is None:
            known = np.full(len(self.guesses), np.iinfo(np.int64).max)
            known[list(self.totals)] = list(self.totals.values())
            keys += [own, known]
        elif self.turns == GUESSES - 1:
            keys += [own]
        elif self.turns == GUESSES - 2 and sort is None and self.sort == "entropy":
            keys += [own, -partition.next[0].astype(np.int64)]
        return keys

    def _costs(self, measure: Measure) -> npt.NDArray[np.int64]:
        values, contains = super()._costs(measure), self.partition.contains[0]
        if measure == "entropy":
            if self.weights is None:
                return np.asarray(values - contains * (2 * round(NEAR * NLOGN_ONE * len(self.answers))))
            mass = int(self.weights.sum())
            shares = np.minimum(self.partition.now[0] * len(self.answers), mass)
            return np.asarray(values - shares * (2 * round(NEAR * self.partition.bit)))
        return values

    def columns(self, top: int | None = None) -> dict[str, Any]:
        """Return the columns of `PartitionTable.columns` and three more.

        Parameters
        ----------
        top : int, optional
            Number of rows; by default, all of them.

        Returns
        -------
        dict of str to list or ndarray
            In addition, arrays of float. ``mean`` is the number of guesses to the end with best play, averaged over the
            answers and counting this guess (nan where it is not known). ``solved_now`` is the probability that this
            guess is the answer, and ``solved_next`` that this guess or the next one is. The latter is
            patterns / answers: if the next guess is one of the n answers of a cell, it is right with probability 1 / n.
            With weights, the next guess is the heaviest answer of the cell.

        Examples
        --------
        >>> from gpusolve.games.wordle import suggest
        >>> columns = suggest(["salet:-y--g"], Variant.load(answers="wordle-answers")).columns(2)
        >>> columns["guess"], columns["solved_now"].tolist(), columns["solved_next"].tolist()
        (['courd', 'crudo'], [0.0, 0.0], [0.75, 0.75])
        """
        return super().columns(top)

    def _columns(self, order: npt.NDArray[np.intp]) -> dict[str, Any]:
        columns, mass = super()._columns(order), self.partition.masses[0]
        mean = np.full(len(self.guesses), np.nan)
        mean[list(self.totals)] = np.array(list(self.totals.values())) / mass
        columns["mean"] = mean[order]
        now, following = self.partition.now[0][order], self.partition.next[0][order]
        return columns | {"solved_now": now / mass, "solved_next": following / mass}

    @property
    def _by(self) -> str:
        return {"exact": "the exact mean", "mean": "the mean"}.get(self.ranked_by, self.sort)

    def __repr__(self) -> str:
        return f"<Suggestions: solved, {self.best}>" if self.solved else super().__repr__()


def build_table(
    guesses: WordList,
    answers: WordList,
    *,
    weights: npt.NDArray[np.int64] | None = None,
    scoring: Scoring,
    sort: Order,
    backend: Backend,
) -> PartitionTable:
    """Compute how every guess splits the answers. `weights` are theirs, int64 (answers,); None if all are equal."""
    if weights is None:
        partition = kernels.partition(backend, guesses.terms, answers.letters, scoring=scoring)
    else:
        partition = weighted_partition(backend, guesses.terms, answers.letters, weights, scoring=scoring)
    return PartitionTable(guesses, answers, partition, sort, weights, scoring)


def costs(partition: Partition, measure: Measure) -> npt.NDArray[np.int64]:
    """Return the cost of each guess by a measure, int64, shape (subsets, guesses). Lower is better.

    The lowest bit is 0 for a guess that is in the subset and 1 for any other, so ties go to the former. With weights,
    each pattern counts the weight of its heaviest answer; the largest cell is always that with the most answers.
    """
    checks.check_choice("sort", measure, MEASURES)
    cost: Any = {
        "entropy": partition.sum_nlogn,
        "expected": partition.sum_squares,
        "patterns": -partition.next.astype(np.int64),
        "largest": partition.largest.astype(np.int64),
    }[measure]
    return np.asarray(cost * 2 + ~partition.contains, dtype=np.int64)


def in_order(partition: Partition, values: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Return the guesses of the first subset in the order of these costs, intp (guesses,)."""
    if isinstance(partition, WeightedPartition):
        return np.lexsort((-partition.own[0], values))
    return np.argsort(values, kind="stable")
