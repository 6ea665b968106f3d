"""Suggestions for the next guess."""

from __future__ import annotations

from dataclasses import replace

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.wordle import rules, sharing
from gpusolve.games.wordle.analysis.openings import known_openings
from gpusolve.games.wordle.cpu.proof.memory import FREE
from gpusolve.games.wordle.history import after, widen
from gpusolve.games.wordle.proof.values import EXACT, best_totals, valued
from gpusolve.games.wordle.rules import Advice, History, Turns
from gpusolve.games.wordle.tables import TOTALS, PartitionTable, Suggestions
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.weights.chances import likely
from gpusolve.games.wordle.weights.mistakes import nearest


def suggest(
    history: Turns | str = (),
    variant: Variant | None = None,
    *,
    sort: Advice = "exact",
    backend: Backend | None = None,
) -> Suggestions:
    """Show the answers that remain and the best next guesses.

    Parameters
    ----------
    history : str or sequence
        The guesses so far with their patterns, such as ``salet:-y--g``; or the text that Wordle shares, pasted in
        quotes, and the guesses alone. In Python also ``("salet", "-y--g")`` or ``("salet", 165)``.
    variant : Variant, optional
        The words and the rules. By default every accepted word can be the answer, each with its chance.
    sort : {"exact", "entropy", "expected", "patterns", "largest"}
        Measure by which guesses are ranked. ``exact``: the mean number of guesses to the end where it is known (few
        answers remain, or the original lists before the first guess), else entropy.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Suggestions
        The allowed guesses against the answers that remain; of more than 10 billion pairs, only the guesses that are
        the most promising by a part of the answers. If the last guess was the answer, the table has nothing
        but this word. If no listed answer fits the history, every word that may be guessed counts as a possible answer.

    Raises
    ------
    BadInput
        If the history breaks the variant's mode, goes on after greens only, or has patterns that no letters give.
    NoSolution
        If no word fits the history.

    Examples
    --------
    ``gpusolve wordle suggest salet:-y--g --mode hard``

    >>> table = suggest(["salet:-y--g"], Variant.load(mode="hard"))
    >>> table.remaining[:3], table.best
    (['about', 'admit', 'adopt'], 'audit')
    >>> suggest(["slate:ggggg"]).solved
    True
    """
    variant, backend = likely(check_variant(variant)), open_backend(backend)
    turns = sharing.parse_history(history, variant.length, variant.digraphs)
    checks.check_choice("sort", sort, rules.ADVICE)
    played = widen(variant, turns, backend)
    ranked = rank(turns, played, sort=sort, count=TOTALS, backend=backend)
    unknown = {guess: nearest(guess, variant.guesses) for guess, _ in turns if guess not in variant.guesses}
    return replace(ranked, widened=played is not variant, unknown=unknown, variant=variant)


def rank(history: History, variant: Variant, *, sort: Advice, count: int, backend: Backend) -> Suggestions:
    """Return the allowed guesses after a history, of which `count` have exact totals. Parameters as for `suggest`."""
    measure = "entropy" if sort == "exact" else sort
    table = after(history, variant, measure, backend, quickly=True)
    solved = bool(history) and rules.solves(*history[-1])
    totals: dict[int, int] = {}
    exact = True
    if sort == "exact" and not solved:
        totals, exact = best_known(table, variant, turns=len(history), count=count, backend=backend)
    return Suggestions(
        table.guesses,
        table.answers,
        table.partition,
        measure,
        table.weights,
        table.scoring,
        table.allowed,
        history=list(history),
        solved=solved,
        totals=totals,
        exact=exact,
        variant=variant,
    )


def best_known(
    table: PartitionTable, variant: Variant, *, turns: int, count: int, backend: Backend
) -> tuple[dict[int, int], bool]:
    """Return the `count` best guesses of a table and any ties, with their totals, and whether these are exact.

    The total of a guess, by its index, is the fewest guesses over all answers, this one included. Before the first
    guess, it is what is known for the usual lists. Otherwise there are no totals if they take too long to find
    (`proof.values`). If not all answers can be found in what is left of the six guesses after `turns` of them, the
    limit is ignored and the totals are not exact; with two guesses left there are none, because then the chance to win
    is known.
    """
    if turns == 0 and (openings := known_openings(variant)).totals:
        best = sorted(openings.totals.items(), key=lambda each: each[1])[:count]
        return {table.guesses.place[word]: total for word, total in best}, openings.exact
    left = rules.GUESSES - turns
    if len(table.answers) == 1 and table.answers[0] in table.guesses and left > 0:
        return {table.guesses.place[table.answers[0]]: int(table.partition.masses[0])}, True
    if len(table.answers) > EXACT or left < 1:
        return {}, True
    position = valued(table, variant, backend=backend)
    if not position.exact:
        return {}, True
    if totals := best_totals(position, count, left):
        return totals, True
    return (best_totals(position, count, FREE), False) if left > 2 else ({}, True)
