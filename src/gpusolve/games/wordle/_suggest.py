"""Suggestions for the next guess."""

from __future__ import annotations

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.history import after, widen
from gpusolve.games.wordle.proof.values import EXACT, best_totals, valued
from gpusolve.games.wordle.rules import Advice, Turns
from gpusolve.games.wordle.tables import PartitionTable, Suggestions
from gpusolve.games.wordle.variant import Variant, check_variant

TOTALS = 10
"""Number of the best guesses whose exact totals are computed."""


def suggest(
    history: Turns = (),
    variant: Variant | None = None,
    *,
    sort: Advice = "exact",
    backend: Backend | None = None,
) -> Suggestions:
    """Rank the guesses that are allowed after a history.

    Parameters
    ----------
    history : sequence
        The guesses so far with their patterns, each as ``salet:-y--g``, ``("salet", "-y--g")`` or ``("salet", 165)``.
    variant : Variant, optional
        The rules; by default, the original game.
    sort : {"exact", "entropy", "expected", "patterns", "largest"}
        The order. ``exact`` puts the guesses first that need the fewest guesses to the end. It computes them where few
        enough answers remain and all of them can be found in the guesses left; elsewhere it means ``entropy``.
    backend : Backend, optional
        The device; by default, the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    Suggestions
        The allowed guesses against the answers that remain. If the last guess was the answer, the table has nothing
        but this word. If no listed answer fits the history, every word that may be guessed counts as a possible answer.

    Raises
    ------
    BadInput
        If the history breaks the variant's mode, goes on after five greens, or has patterns that no five letters give.
    NoSolution
        If no word fits the history.

    Examples
    --------
    >>> table = suggest(["salet:-y--g"], Variant.load(mode="hard"))
    >>> len(table.answers), table.best
    (20, 'craft')
    >>> suggest(["slate:ggggg"]).solved
    True
    """
    turns, backend = rules.parse_history(history), open_backend(backend)
    checks.check_choice("sort", sort, rules.ADVICE)
    variant = check_variant(variant)
    played = widen(variant, turns, backend)
    measure = "entropy" if sort == "exact" else sort
    table = after(turns, played, measure, backend)
    solved = bool(turns) and turns[-1][1] == rules.SOLVED
    totals = {}
    if sort == "exact" and not solved:
        totals = exact_totals(table, played, turns=len(turns), count=TOTALS, backend=backend)
    return Suggestions(
        table.guesses,
        table.answers,
        table.partition,
        measure,
        turns=len(turns),
        solved=solved,
        totals=totals,
        widened=played is not variant,
    )


def exact_totals(
    table: PartitionTable, variant: Variant, *, turns: int, count: int, backend: Backend
) -> dict[int, int]:
    """Return the `count` best guesses of a table and any ties: index -> the fewest guesses over all answers.

    The guess itself is counted. The result is empty if exact totals take too long (`proof.values`), or if not all
    answers can be found in what is left of the six guesses after `turns` of them.
    """
    if len(table.answers) > EXACT or turns >= rules.GUESSES:
        return {}
    position = valued(table, variant, backend=backend)
    return best_totals(position, count, rules.GUESSES - turns) if position.exact else {}
