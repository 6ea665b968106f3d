"""Explanation of a guess: its cells, the best guess in each of them, and the cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules, sharing
from gpusolve.games.wordle.analysis.openings import Openings, known_openings
from gpusolve.games.wordle.cpu.proof.memory import FREE
from gpusolve.games.wordle.history import after, widen
from gpusolve.games.wordle.proof.values import WIDTH, best_totals, valued
from gpusolve.games.wordle.rules import TurnFields, Turns, length_of, pattern_text, turn_fields
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.weights.chances import likely
from gpusolve.games.wordle.weights.mistakes import check_guess
from gpusolve.reprs import columns_of
from gpusolve.result import FLAT, Result, reported, written


@dataclass(frozen=True, repr=False)
class Cell(Result):
    """The answers that one pattern leaves, and the best guess among them.

    Attributes
    ----------
    pattern : int
        The pattern, 0..242 for five letters.
    words : list of str
        The answers that remain, with weights the heaviest first.
    guess : str
        The best next guess.
    total : int
        The fewest guesses over all answers of the cell; with weights, the guesses of each are multiplied by its weight.
    weight : int
        The weight of the answers; without weights, their number.
    """

    pattern: int = field(metadata=written("marks"))
    words: list[str]
    guess: str
    total: int
    weight: int

    @property
    def marks(self) -> str:
        """The pattern as text."""
        return pattern_text(self.pattern, length_of(self.guess))


@dataclass(frozen=True, repr=False)
class Explanation(Result, schema="wordle.explain/2"):
    """A guess, its cells, and its cost.

    Attributes
    ----------
    guess : str
        The guess.
    answers : int
        Number of answers that were possible before it.
    total : int
        The fewest guesses over all answers, counting this one: those of its cells, and one for each answer.
    cells : list of Cell
        The cells that need another guess, the largest first.
    best : dict of str to int
        The best guesses with their totals. It is empty where exact totals are not known.
    exact : bool
        Whether the totals are exact. Otherwise they are those of the best strategy found here.
    proven : int or None
        The proven total, if it is known although the totals are not exact: that of a famous first word.
    widened : bool
        Whether no listed answer fits the history, so that every word that may be guessed counts as a possible answer.
    weight : int
        The weight of the answers; without weights, their number.
    history : list of (str, int)
        The guesses before it, each with its pattern.
    variant : Variant
        The words and the rules.
    """

    guess: str
    answers: int
    total: int
    cells: list[Cell] = field(repr=False)
    best: dict[str, int]
    exact: bool
    proven: int | None
    widened: bool
    weight: int
    history: list[tuple[str, int]] = field(metadata=written("_history"))
    variant: Variant = field(repr=False, metadata=FLAT)

    @property
    def _history(self) -> list[TurnFields]:
        return turn_fields(self.history)

    def columns(self) -> dict[str, list[Any]]:
        """Return the cells as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``pattern`` as text, ``words`` as a list, the best next ``guess`` and the ``total`` of each `Cell`.
        """
        patterns = {"pattern": [cell.marks for cell in self.cells]}
        return patterns | columns_of(self.cells, "words", "guess", "total")

    @reported
    def mean(self) -> float:
        """Expected number of guesses: the total divided by the weight."""
        return self.total / self.weight


def explain(
    history: Turns | str = (),
    variant: Variant | None = None,
    *,
    guess: str | None = None,
    backend: Backend | None = None,
) -> Explanation:
    """Show why a guess is good.

    For each pattern, the answers that it leaves and the best next guess are shown.

    Parameters
    ----------
    history : str or sequence
        The guesses so far with their patterns, such as ``salet:-y--g``; or the text that Wordle shares, pasted in
        quotes, and the guesses alone. In Python also ``("salet", "-y--g")`` or ``("salet", 165)``.
    variant : Variant, optional
        The words and the rules. By default every accepted word can be the answer, each with its chance.
    guess : str, optional
        Guess to explain. By default the best guess: the one with the fewest guesses on average, as in `suggest`. Where
        that is not known, the best of the three guesses with the most patterns.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Explanation
        The cells of the guess, with the best guess and the cost of each. If no listed answer fits the history, every
        word that may be guessed counts as a possible answer.

    Raises
    ------
    BadInput
        If the history is wrong (see `suggest`) or already solved, or if the guess is not allowed.
    NoSolution
        If no word fits the history.

    Examples
    --------
    ``gpusolve wordle explain salet:-y--g``

    >>> explanation = explain(["salet:-y--g", "draft:-yg-g"], Variant.load(answers="wordle-answers"))
    >>> cells = [(rules.pattern_text(cell.pattern), cell.guess) for cell in explanation.cells]
    >>> explanation.guess, explanation.total, cells
    ('apart', 6, [('--ggg', 'chart')])
    """
    variant, backend = likely(check_variant(variant)), open_backend(backend)
    turns = sharing.parse_history(history, variant.length, variant.digraphs)
    if turns and rules.solves(*turns[-1]):
        raise BadInput("the last guess has solved the game: expected a history that is not solved yet")
    played = widen(variant, turns, backend)
    table = after(turns, played, "patterns", backend)
    position = valued(table, played, backend=backend)
    best = best_totals(position, 1, FREE) if position.exact else {}
    openings = Openings() if turns or position.exact else known_openings(played)
    if guess is not None:
        guess = check_guess(guess, variant)
        if guess not in position.guesses:
            raise BadInput(f"guess '{guess}': not among the {len(position.guesses):,} guesses that are allowed")
        chosen = position.guesses.place[guess]
    elif best:
        chosen = min(best, key=lambda i: (best[i], -int(table.partition.now[0, i]), i))
    elif openings.totals:
        chosen = position.guesses.place[min(openings.totals, key=lambda word: openings.totals[word])]
    else:
        chosen = min(table.ranking("patterns")[:WIDTH].tolist(), key=position.cost_after)
    cells = []
    for code, members in position.cells(chosen, np.arange(len(position.answers))).items():
        total, following = position.cost(
            members, via=(chosen, code), allowed=position.allowed_after(None, chosen, code)
        )
        weights = None if position.weights is None else position.weights[members]
        weight = len(members) if weights is None else int(weights.sum())
        left = [position.answers[i] for i in members]
        words = left if weights is None else [left[i] for i in np.argsort(-weights, kind="stable").tolist()]
        cells.append(Cell(code, words, position.guesses[following], total, weight))
    cells.sort(key=lambda cell: (-cell.weight, -len(cell.words), cell.pattern))
    return Explanation(
        guess=position.guesses[chosen],
        answers=len(position.answers),
        total=position.mass + sum(cell.total for cell in cells),
        cells=cells,
        best={position.guesses[i]: total for i, total in best.items() if total == min(best.values())},
        exact=position.exact,
        proven=openings.totals.get(position.guesses[chosen]) if openings.exact else None,
        widened=played is not variant,
        weight=position.mass,
        history=turns,
        variant=variant,
    )
