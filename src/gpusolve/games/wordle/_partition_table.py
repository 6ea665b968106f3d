"""The table of all guesses, before the first guess of a game."""

from __future__ import annotations

from collections.abc import Sequence

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import ORDERS, SCORINGS, Order, Scoring, parse_word
from gpusolve.games.wordle.tables import PartitionTable, build_table
from gpusolve.games.wordle.variant import guesses_for, load_lists
from gpusolve.games.wordle.weights.weights import WeightsSource
from gpusolve.wordlists import Words


def partition_table(
    *,
    guesses: Words | None = None,
    words: str | Sequence[str] | None = None,
    answers: Words | None = None,
    length: int | None = None,
    scoring: Scoring = "wordle",
    sort: Order = "entropy",
    weights: WeightsSource | None = None,
    backend: Backend | None = None,
) -> PartitionTable:
    """Show how every guess partitions the answers.

    The columns are the number of patterns, the largest cell, the entropy in bits and the expected number of answers.

    Parameters
    ----------
    guesses : str, Path or iterable of str, optional
        Words that can be guessed: a list's name, or a file with one word per line. By default wordle-guesses and
        the answers, or only the answers if they are not five letters a-z.
    words : str or sequence of str, optional
        Guesses to show instead of `guesses`, separated by commas, such as ``trace,salet``.
    answers : str, Path or iterable of str, optional
        Words that can be hidden: a list's name, or a file with one word per line. By default wordle-answers, or
        the words of `weights`. They need not be among the guesses.
    length : int, optional
        Number of letters of the words, 2 to 12; the other words of a list are left out. By default the one that more
        than half of the words have (those that can be guessed, if they are given), else five.
    scoring : {"wordle", "presence"}
        Rules of the patterns. ``presence``: every letter that occurs in the answer and is not green is yellow.
    sort : {"entropy", "expected", "patterns", "largest", "guess"}
        Measure by which the table is sorted. ``guess``: alphabetically.
    weights : str, Path, mapping or sequence, optional
        How likely the answers are: a file with a word and its weight on each line, such as ``gpusolve wordle words``
        writes. By default all are equally likely. The entropy and the expected number of answers depend on them; the
        number of patterns and the largest cell count answers. The order by patterns is then the order by the chance
        that this guess or the next one is right.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

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
    ``gpusolve wordle partition-table --top 5``

    >>> table = partition_table(guesses=["qajaq", "salet"])
    >>> table.partition.patterns.tolist(), table.partition.largest.tolist(), table.best
    ([[18, 148]], [[1369, 221]], 'salet')
    """
    if words is not None:
        if guesses is not None:
            raise BadInput("words: expected either words or guesses")
        guesses = list(dict.fromkeys(parse_word(word, None) for word in checks.words_of(words)))
    checks.check_choice("scoring", scoring, SCORINGS)
    checks.check_choice("sort", sort, ORDERS)
    given, hidden, paired = load_lists(guesses, answers, weights, length=length)
    listed = guesses_for(hidden, weighed_only=answers is None) if given is None else given
    return build_table(
        listed,
        hidden,
        weights=None if paired is None else paired.array,
        scoring=scoring,
        sort=sort,
        backend=open_backend(backend),
    )
