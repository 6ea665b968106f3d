"""Output of the commands about groups, endgames and letters in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpusolve.games.wordle.drawing import count
from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.games.wordle.grouping._groups import Groups
    from gpusolve.games.wordle.variant import Variant


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


def show_letters(counts: dict[str, list[int]], variant: Variant) -> None:
    """Print the size of the lists, and a table of the answers with each letter at each position."""
    words = f"{count(len(variant.answers), 'answer')} of {variant.length} letters"
    report.text(f"{words}, {count(len(variant.guesses), 'guess')}, {count(len(counts), 'letter')}")
    positions = [f"at {i}" for i in range(1, variant.length + 1)]
    report.table(["letter", *positions], [(letter, *numbers) for letter, numbers in counts.items()])
