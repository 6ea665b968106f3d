"""The dialogue of the games that help a user through a game played elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from gpusolve.errors import BadInput, GpusolveError, plain
from gpusolve.output import report, terminal

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

    def shared(self, title: str) -> list[Turn] | None:
        """Read a text that a game shares, if this is its first line, and ask for its guesses. Otherwise return None."""
        ...


def help_through(adviser: Adviser[Turn]) -> None:
    """Help a user through a game: print advice, read the next guess and its pattern, and so on.

    The user enters the pattern of the suggested guess, or another guess with its pattern, or ``undo``, or pastes the
    text that the game shares. The dialogue ends when the game is over, and at an empty line or the end of the input.
    """
    report.text(adviser.introduction)
    report.text(COMMANDS)
    turns: list[Turn] = []
    advice: tuple[str, str] | None = None
    while True:
        try:
            advice = advice or adviser.advise(turns)
        except GpusolveError as error:
            if not turns:
                raise
            report.text(f"{plain(str(error))}: the last guess is undone")
            turns.pop()
            continue
        if advice is None:
            return
        prompt, best = advice
        entry = read_line(prompt)
        if entry is None:
            report.text()
            return
        if not entry:
            return
        if entry == "undo":
            del turns[-1:]
            advice = None
            continue
        try:
            shared = adviser.shared(entry)
            turns += [adviser.parse(entry if ":" in entry else f"{best}:{entry}", turns)] if shared is None else shared
        except GpusolveError as error:
            report.text(plain(str(error)))  # the advice is still on the screen
        else:
            advice = None


def read_lines(count: int, is_row: Callable[[str], object]) -> list[str]:
    """Read lines until `count` of them are rows, or to the end of the input. Return all of them."""
    lines: list[str] = []
    while sum(bool(is_row(line)) for line in lines) < count:
        line = read_line("")
        if line is None:
            break
        lines.append(line)
    return lines


def read_input() -> str:
    """Read all of stdin: what another program writes, or what the user types or pastes until Ctrl-D."""
    with terminal.status().silent():
        return sys.stdin.read()


def ask_guesses(rows: Iterable[str], parse: Callable[[str], str]) -> list[str]:
    """Ask for the guess of each row of a shared game, until `parse` accepts it. Raises BadInput if the input ends."""
    report.text("Enter the guess of each row.")
    guesses: list[str] = []
    for number, row in enumerate(rows, 1):
        while len(guesses) < number:
            entry = read_line(f"{number}. {row}: ")
            if entry is None:
                raise BadInput(f"row {number}, {row}: expected its guess")
            try:
                guesses.append(parse(entry))
            except GpusolveError as error:
                report.text(plain(str(error)))
    return guesses


def read_line(prompt: str) -> str | None:
    """Return the next line that the user enters, in lower case; None at the end of the input."""
    try:
        with terminal.status().silent():
            return input(prompt).strip().lower()
    except EOFError:
        return None
    except UnicodeDecodeError as error:
        raise BadInput(f"the input is not text in {error.encoding}: byte {error.object[error.start]:#x}") from None
