"""Help through a game of your own: you enter the patterns, and your guesses where they are others."""

from __future__ import annotations

from pathlib import Path

from gpusolve.backend import Backend
from gpusolve.errors import GpusolveError
from gpusolve.games.wordle import drawing as show, rules
from gpusolve.games.wordle._simulate import check_first
from gpusolve.games.wordle._suggest import suggest
from gpusolve.games.wordle.judging import drawing as show_judging
from gpusolve.games.wordle.judging._verify import read_strategy, reply_after
from gpusolve.games.wordle.rules import Advice
from gpusolve.games.wordle.variant import Variant
from gpusolve.output import report

ALTERNATIVES = 5  # guesses that are listed, the best one with them


def help_through(
    variant: Variant, first: str | None, sort: Advice, backend: Backend, strategy: Path | None = None
) -> None:
    """Asks on stdout, reads stdin until the game is solved or an empty line or the end of the input comes."""
    first = check_first(first, variant)
    tree = None if strategy is None else read_strategy(strategy, variant)
    report.text("Enter the pattern of the guess (-yg, as -y--g), or another guess with its pattern (salet:-y--g);")
    report.text("'undo' takes the last one back, an empty line ends.")
    turns: list[tuple[str, int]] = []
    widened = False
    while True:
        try:
            table = suggest(turns, variant, sort, backend)
        except GpusolveError as error:
            if not turns:
                raise
            report.text(f"{error}: the last pattern is taken back")
            turns.pop()
            continue
        show.show_remaining(table)
        if len(table.answers) > 1:
            show.show_suggestions(table, ALTERNATIVES)
        if table.widened and not widened:
            widened = True
            report.text(show_judging.widened(variant))
        best = first if first and not turns else table.best
        if tree is not None:
            best = reply_after(tree, turns) or best
        try:
            entry = input(f"{len(turns) + 1}. {best}: ").strip().lower()
        except EOFError:
            report.text()
            return
        if not entry:
            return
        if entry == "undo":
            del turns[-1:]
            continue
        try:
            turn = rules.parse_turn(entry if ":" in entry else f"{best}:{entry}")
        except GpusolveError as error:
            report.text(str(error))
            continue
        show.show_turn(*turn)
        if turn[1] == rules.SOLVED:
            report.text(f"solved in {len(turns) + 1}")
            return
        turns.append(turn)
