"""The dialogue of the games that help a user through a game played elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from gpusolve.errors import BadInput, GpusolveError, plain
from gpusolve.output import report

Turn = TypeVar("Turn")
COMMANDS = "Enter 'undo' to take back the last guess, or an empty line to stop."


class Adviser(Protocol[Turn]):
    """A game in which a user enters guesses with the patterns that they got."""

    @property
    def introduction(self) -> str:
        """A line that explains how to enter a guess."""
        ...

    def advise(self, turns: Sequence[Turn]) -> tuple[str, str] | None:
        """Show the advice for the next guess, and return the prompt and the suggested guess.

        Returns None when the game is over. Raises GpusolveError if the last turn contradicts the turns before it.
        """
        ...

    def parse(self, entry: str, turns: Sequence[Turn]) -> Turn:
        """Read ``guess:pattern``, the turn that follows `turns`. Raises GpusolveError if it is wrong."""
        ...


def help_through(adviser: Adviser[Turn]) -> None:
    """Help a user through a game: print advice, read the next guess and its pattern, and so on.

    The user enters the pattern of the suggested guess, or another guess with its pattern, or ``undo``. The dialogue
    ends when the game is over, and at an empty line or the end of the input.
    """
    report.text(adviser.introduction)
    report.text(COMMANDS)
    turns: list[Turn] = []
    while True:
        try:
            advice = adviser.advise(turns)
        except GpusolveError as error:
            if not turns:
                raise
            report.text(f"{plain(str(error))}: the last guess is undone")
            turns.pop()
            continue
        if advice is None:
            return
        prompt, best = advice
        try:
            entry = input(prompt).strip().lower()
        except EOFError:
            report.text()
            return
        except UnicodeDecodeError as error:
            raise BadInput(f"the input is not text in {error.encoding}: byte {error.object[error.start]:#x}") from None
        if not entry:
            return
        if entry == "undo":
            del turns[-1:]
            continue
        try:
            turns.append(adviser.parse(entry if ":" in entry else f"{best}:{entry}", turns))
        except GpusolveError as error:
            report.text(plain(str(error)))
