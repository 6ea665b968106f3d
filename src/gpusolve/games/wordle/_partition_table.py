"""The table of all guesses, before the first guess of a game."""

from __future__ import annotations

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import ORDERS, SCORINGS, Order, Scoring
from gpusolve.games.wordle.tables import PartitionTable, build_table
from gpusolve.games.wordle.variant import guesses_for, weighted_answers
from gpusolve.games.wordle.weights.weights import WeightsSource
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.wordlists import Words


def partition_table(
    guesses: Words | None = None,
    answers: Words | None = None,
    *,
    scoring: Scoring = "wordle",
    sort: Order = "entropy",
    weights: WeightsSource | None = None,
    backend: Backend | None = None,
) -> PartitionTable:
    """Compute how every guess splits the answers.

    Parameters
    ----------
    guesses, answers : str, Path or iterable of str
        The name of a shipped list, a text file with one word per line, or the words. The answers need not be among the
        guesses. The defaults are those of `Variant.load`.
    scoring : {"wordle", "presence"}
        How guesses are marked; see `pattern`.
    sort : {"entropy", "expected", "patterns", "largest", "guess"}
        The order of the table: by the entropy of the pattern, the expected number of answers left, the number of
        patterns, the largest cell, or alphabetically.
    weights : str, Path, mapping or sequence, optional
        How likely the answers are, as for `Variant.load`. The entropy and the expected number of answers depend on
        them; the number of patterns and the largest cell count answers. The order by patterns is then the order by the
        chance that this guess or the next one is right.
    backend : Backend, optional
        The device; by default, the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    PartitionTable
        The statistics of every guess.

    Raises
    ------
    BadInput
        If words cannot be read or differ in length, or the scoring or the order is unknown.

    Examples
    --------
    >>> table = partition_table(["qajaq", "salet"])
    >>> table.partition.patterns.tolist(), table.partition.largest.tolist(), table.best
    ([[18, 148]], [[1369, 221]], 'salet')
    """
    checks.check_choice("scoring", scoring, SCORINGS)
    checks.check_choice("sort", sort, ORDERS)
    hidden, paired = weighted_answers(answers, weights)
    listed = guesses_for(hidden) if guesses is None else word_list(guesses, digraphs=hidden.digraphs)
    if listed.length != hidden.length:
        raise BadInput(f"answers of {hidden.length} letters, but guesses of {listed.length}: expected the same length")
    return build_table(
        listed,
        hidden,
        weights=None if paired is None else paired.array,
        scoring=scoring,
        sort=sort,
        backend=open_backend(backend),
    )
