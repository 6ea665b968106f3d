"""Help through a game of your own: you enter the patterns of every board, and your guesses where they are others."""

from __future__ import annotations

from gpusolve.backend import Backend
from gpusolve.errors import GpusolveError
from gpusolve.games.quordle import drawing as show
from gpusolve.games.quordle._suggest import suggest
from gpusolve.games.quordle.rules import Turn, check_max_guesses, parse_turns
from gpusolve.games.quordle.variant import Variant
from gpusolve.output import report

ALTERNATIVES = 5  # guesses that are listed, the best one with them


def help_through(variant: Variant, boards: int, guesses: int | None, backend: Backend) -> None:
    """Asks on stdout, reads stdin until all boards are solved or an empty line or the end of the input comes."""
    limit = check_max_guesses(guesses, boards)
    report.text(
        "Enter the patterns of the guess, one a board (-y---,----y), nothing for a board that was solved before;"
    )
    report.text("or another guess with them (salet:-y---,----y). 'undo' takes the last one back, an empty line ends.")
    turns: list[Turn] = []
    while True:
        try:
            found = suggest(turns, variant=variant, boards=boards, max_guesses=limit, backend=backend)
        except GpusolveError as error:
            if not turns:
                raise
            report.text(f"{error}: the last guess is taken back")
            turns.pop()
            continue
        if not found.rows:
            report.text(f"solved in {len(turns)}")
            return
        show.show_remaining(found.remaining)
        show.show_ratings(found.rows[:ALTERNATIVES])
        best = found.rows[0].guess
        try:
            entry = input(f"{len(turns) + 1} of {limit}. {best}: ").strip().lower()
        except EOFError:
            report.text()
            return
        if not entry:
            return
        if entry == "undo":
            del turns[-1:]
            continue
        try:
            turns = parse_turns([*turns, entry if ":" in entry else f"{best}:{entry}"], boards)
        except GpusolveError as error:
            report.text(str(error))
