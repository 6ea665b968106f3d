"""How groups, endgames and letters look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gpusolve.output import report
from gpusolve.output.parts import Line, Part, Table, counted

if TYPE_CHECKING:
    from gpusolve.games.wordle.grouping._endgames import Endgames
    from gpusolve.games.wordle.grouping._groups import Groups
    from gpusolve.games.wordle.grouping._letters import Letters

TOP = 20


def groups(groups: Groups, *, top: int = TOP) -> Iterator[Part]:
    """Yield the number of groups and the first of them.

    Parameters
    ----------
    top : int, default 20
        Number of groups to show.
    """
    number = f"{counted(len(groups), 'group')} of {groups.size} out of {counted(len(groups.answers), 'answer')}"
    so_far = "" if groups.complete else " so far"
    yield Line(f"{number} cannot always be solved within {groups.max_guesses} guesses{so_far}")
    for words in groups.groups[:top]:
        yield Line(" ".join(words))
    if len(groups) > top:
        yield Line(f"... and {len(groups) - top:,} more")


@contextmanager
def groups_progress(value: Callable[[str], Any], quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show how many pairs of answers have been extended."""
    yield lambda done, pairs: report.status(f"{done:,} of {pairs:,} pairs", quiet)
    report.status("", quiet)


def endgames(sets: Endgames, *, top: int = TOP) -> Iterator[Part]:
    """Yield the number of sets and a table of the largest.

    Parameters
    ----------
    top : int, default 20
        Number of sets to show.
    """
    yield Line(f"{counted(sets.count, 'set')} of at least {sets.least} answers that differ in one position only")
    rows = [(each.template, len(each.words), " ".join(each.words)) for each in sets.sets[:top]]
    yield Table(["template", "size", "answers"], rows, "endgames")


def letters(letters: Letters) -> Iterator[Part]:
    """Yield the size of the lists, and a table of the answers with each letter at each position."""
    words = f"{counted(letters.answers, 'answer')} of {letters.length} letters"
    yield Line(f"{words}, {counted(letters.guesses, 'guess')}, {counted(len(letters), 'letter')}")
    positions = [f"at {i}" for i in range(1, letters.length + 1)]
    yield Table(["letter", *positions], [(each.letter, *each.counts) for each in letters], "letters by position")
