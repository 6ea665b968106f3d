"""Output of the commands about groups and endgames in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpusolve.games.wordle.drawing import count
from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.games.wordle.grouping._groups import Groups


def show_groups(groups: Groups, top: int) -> None:
    """Print the number of groups and the first of them."""
    number = f"{count(len(groups), 'group')} of {groups.size} out of {count(len(groups.answers), 'answer')}"
    so_far = "" if groups.complete else " so far"
    report.text(f"{number} cannot always be solved within {groups.within} guesses{so_far}")
    for words in groups.words[:top]:
        report.text(" ".join(words))
    if len(groups) > top:
        report.text(f"... and {len(groups) - top:,} more")


def show_endgames(sets: dict[str, list[str]], least: int, top: int) -> None:
    """Print the number of sets and a table of the largest."""
    report.text(f"{count(len(sets), 'set')} of at least {least} answers that differ in one position only")
    report.table(
        ["template", "size", "answers"],
        [(template, len(words), " ".join(words)) for template, words in list(sets.items())[:top]],
    )
