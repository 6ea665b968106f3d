"""Advice in a game: the words that remain on each board, and the best next guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.quordle import joint
from gpusolve.games.quordle.ratings import Rating, rank_guesses
from gpusolve.games.quordle.rules import Turn, check_max_guesses, parse_turns
from gpusolve.games.quordle.sharing import shared_turns
from gpusolve.games.quordle.variant import Variant, check_variant
from gpusolve.games.wordle.rules import SOLVED, possible
from gpusolve.notebook import as_html, as_text, columns_of


@dataclass(frozen=True)
class Suggestions:
    """The words that remain on each board, and every guess, rated.

    Attributes
    ----------
    remaining : list of list of str
        For each board the answers that fit its patterns, in the list's order; empty if the board is solved.
    rows : list of Rating
        The guesses, best first; empty if every board is solved.
    """

    remaining: list[list[str]]
    rows: list[Rating]

    _repr_html_ = as_html
    __repr__ = as_text

    def columns(self) -> dict[str, list[Any]]:
        """Return the guesses as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``guess``, ``mean``, ``cost``, ``solves`` and ``bits`` (see `Rating`), best first.
        """
        return columns_of(self.rows, "guess", "mean", "cost", "solves", "bits")


def suggest(
    history: Sequence[str | Turn] = (),
    *,
    variant: Variant | None = None,
    boards: int | None = None,
    max_guesses: int | None = None,
    backend: Backend | None = None,
) -> Suggestions:
    """Find the words that remain on each board and rate every next guess.

    Parameters
    ----------
    history : sequence of str or Turn
        The guesses so far, each with the patterns of all boards: ``carle:-y--g,-----,y----,--g--``. Leave out the
        pattern of a board that an earlier guess solved, but not its comma. Or the text that Quordle shares, followed by
        the guesses.
    variant : Variant, optional
        The word lists and the scoring. By default those of the original game.
    boards : int, optional
        Number of boards. By default the number in the history, or 4.
    max_guesses : int, optional
        Number of guesses that the game allows. By default boards + 5.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    Suggestions

    Raises
    ------
    BadInput
        For a history that cannot be read, and for patterns that contradict one another; the message names the board.
    NoSolution
        If no answer gives the patterns of a board.

    Examples
    --------
    >>> advice = suggest(["carle:-y---,----y", "aunty:ggggg,-----"])
    >>> len(advice.remaining[1]), advice.rows[0].guess
    (10, 'shied')
    """
    turns = parse_turns(shared_turns(history) or history, boards)
    number = len(turns[0].patterns) if turns else boards or 4
    variant = check_variant(variant, number)
    guesses_left = check_max_guesses(max_guesses, number) - len(turns)
    backend = open_backend(backend)
    tables = joint.prepare(backend, variant)
    fitting = _fitting_answers(turns, number, variant, backend.to_host(tables.codes))
    remaining = [[variant.answers[i] for i in fit] for fit in fitting]
    unsolved = [fit for fit in fitting if len(fit)]
    if not unsolved:
        return Suggestions(remaining, [])
    rows = rank_guesses(
        backend, unsolved, variant=variant, tables=tables, guesses_left=guesses_left, is_first=not turns
    )
    return Suggestions(remaining, rows)


def _fitting_answers(
    turns: Sequence[Turn], boards: int, variant: Variant, codes: npt.NDArray[np.uint8]
) -> list[npt.NDArray[np.intp]]:
    """Return the answers that fit each board; none for a board that is solved."""
    for turn in turns:
        if turn.guess not in variant.dictionary:
            raise BadInput(f"{turn.guess}: not among the {len(variant.dictionary):,} words of the dictionary")
    histories = [
        [(turn.guess, code) for turn in turns if (code := turn.patterns[board]) is not None] for board in range(boards)
    ]
    fitting = []
    for history in histories:
        fit = np.arange(len(variant.answers))
        for guess, code in history:
            fit = fit[codes[fit, variant.dictionary.place[guess]] == code]
        fitting.append(fit)
    without = [board for board, fit in enumerate(fitting) if not len(fit)]
    for board in without:
        if not possible(histories[board], variant.scoring):
            raise BadInput(f"board {board + 1}: the patterns contradict one another: no five letters give them")
    if without:
        number = len(variant.answers)
        raise NoSolution(f"board {without[0] + 1}: none of the {number:,} answers gives these patterns")
    return [
        fit[:0] if history and history[-1][1] == SOLVED else fit
        for fit, history in zip(fitting, histories, strict=True)
    ]
