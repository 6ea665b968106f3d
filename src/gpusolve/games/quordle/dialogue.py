"""Help through a game of Quordle that is played elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.quordle import drawing
from gpusolve.games.quordle._suggest import suggest
from gpusolve.games.quordle.rules import Turn, check_max_guesses, parse_turns, patterns_text
from gpusolve.games.quordle.sharing import announced, boards_of
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle.rules import parse_word
from gpusolve.games.wordle.sharing import read_share, squares
from gpusolve.output import dialogue, report

LISTED = 5
"""Number of suggested guesses that are listed."""


class Adviser:
    """Suggestions for each guess of a game, by `suggest`."""

    introduction = (
        "Enter the pattern of the suggested guess for each board (-y---,----y), with nothing for a board that is "
        "already solved, or another guess with its patterns (salet:-y---,----y), or paste the text that Quordle shares."
    )

    def __init__(self, variant: Variant, boards: int, max_guesses: int | None, backend: Backend) -> None:
        self._variant, self._boards, self._backend = variant, boards, backend
        self._explained: set[str] = set()
        self._limit = check_max_guesses(max_guesses, boards)

    def advise(self, turns: Sequence[Turn]) -> tuple[str, str] | None:
        """Show the words that remain on each board and the best guesses. Returns None when the game is over."""
        suggestions = suggest(
            turns, variant=self._variant, boards=self._boards, max_guesses=self._limit, backend=self._backend
        )
        if not suggestions.rows:
            report.text(drawing.ended(suggestions))
            return None
        for note in drawing.unknown_notes([turn.guess for turn in turns], self._variant.guesses):
            if note not in self._explained:
                self._explained.add(note)
                report.text(note)
        if suggestions.widened:
            report.text(drawing.widening_note(self._variant, suggestions.widened))
        report.show(drawing.remaining(suggestions))
        report.show([drawing.ratings(suggestions.rows[:LISTED])])
        best = suggestions.rows[0].guess
        return f"{len(turns) + 1} of {self._limit}. {best}: ", best

    def parse(self, entry: str, turns: Sequence[Turn]) -> Turn:
        """Read a guess with the patterns of all boards."""
        words = self._variant
        return parse_turns([*turns, entry], self._boards, digraphs=words.digraphs, length=words.length)[-1]

    def shared(self, title: str) -> list[Turn] | None:
        """Read the rest of a shared text, and ask for its guesses. Returns None if this is not its first line."""
        digraphs, length = self._variant.digraphs, self._variant.length
        if "quordle" not in title:
            return None
        lines = [title, *dialogue.read_lines(2, lambda line: line.strip())]
        count = announced(lines)
        if count is None:
            raise BadInput(f"{title}: expected the turns of four boards on two lines after it")
        lines += dialogue.read_lines(count, lambda line: squares(line, length))
        share = read_share(["\n".join(lines)], length, digraphs)
        if share is None:
            raise BadInput(f"{title}: expected rows of squares after it")
        rows = list(zip(*boards_of(share, length), strict=True))
        patterns = (patterns_text(row, length) for row in rows)
        guesses = dialogue.ask_guesses(patterns, lambda word: parse_word(word, length, digraphs))
        return parse_turns([Turn(guess, row) for guess, row in zip(guesses, rows, strict=True)], self._boards)


def help_through(variant: Variant, boards: int, max_guesses: int | None, backend: Backend) -> None:
    """Help a user through a game: see `output.dialogue.help_through`."""
    dialogue.help_through(Adviser(variant, boards, max_guesses, backend))
