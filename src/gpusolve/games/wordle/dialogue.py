"""Help through a game of Wordle that is played elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gpusolve.backend import Backend
from gpusolve.errors import BadInput, plain
from gpusolve.games.wordle import drawing, rules, sharing
from gpusolve.games.wordle._suggest import suggest
from gpusolve.games.wordle.analysis.strategies import reply_after
from gpusolve.games.wordle.analysis.trees import read_strategy
from gpusolve.games.wordle.rules import Advice
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights.mistakes import check_first, check_guess
from gpusolve.output import dialogue, report
from gpusolve.output.parts import counted

LISTED = 5
"""Number of suggested guesses that are listed."""


class Adviser:
    """Suggestions for each guess of a game, by a strategy or by `suggest`."""

    introduction = (
        "Enter the pattern of the suggested guess (-y--g), or another guess with its pattern (salet:-y--g), or paste "
        "the text that Wordle shares."
    )

    def __init__(
        self, variant: Variant, *, first: str | None, sort: Advice, strategy: Path | None, backend: Backend
    ) -> None:
        self._variant, self._sort, self._backend = variant, sort, backend
        self._first = check_first(first, variant)
        self._tree = None if strategy is None else read_strategy(strategy, variant)
        self._explained: set[str] = set()

    def advise(self, turns: Sequence[tuple[str, int]]) -> tuple[str, str] | None:
        """Show the answers that remain and the best guesses. Returns None when the game is over."""
        if turns and rules.solves(*turns[-1]):
            report.text(f"solved in {len(turns)}")
            return None
        table = suggest(turns, self._variant, sort=self._sort, backend=self._backend)
        for note in drawing.unknown_notes(table.history, table.variant):
            if note not in self._explained:
                self._explained.add(note)
                report.text(note)
        report.show(drawing.remaining(table))
        if len(turns) >= rules.GUESSES:
            report.text(drawing.OVER)
            return None
        if len(table.answers) > 1:
            report.show(drawing.suggestion_rows(table, LISTED))
        if table.widened and (note := drawing.widening_note(self._variant)) not in self._explained:
            self._explained.add(note)
            report.text(note)
        best = self._first if self._first and not turns else table.best
        if self._tree is not None:
            best = reply_after(self._tree, turns) or best
        return f"{len(turns) + 1}. {best}: ", best

    def parse(self, entry: str, turns: Sequence[tuple[str, int]]) -> tuple[str, int]:
        """Read a guess with its pattern, and show it."""
        word = entry.rpartition(":")[2]
        if word in self._variant.guesses:
            raise BadInput(f"{word}: expected its pattern as well, such as {word}:-y--g")
        turn = rules.parse_turn(entry, self._variant.length, self._variant.digraphs)
        report.show([drawing.turn_tiles(*turn)])
        return turn

    def shared(self, title: str) -> list[tuple[str, int]] | None:
        """Read the rest of a shared text, and ask for its guesses. Returns None if this is not its first line."""
        count = sharing.announced(title)
        if count is None:
            return None
        length, digraphs = self._variant.length, self._variant.digraphs
        lines = dialogue.read_lines(count, lambda line: sharing.squares(line, length))
        share = sharing.read_share([title, *lines], length, digraphs)
        if share is None:
            raise BadInput(f"{title}: expected {count} rows of squares after it")
        patterns = sharing.patterns_of(share)
        texts = [rules.pattern_text(code, length) for code in patterns]
        guesses = dialogue.ask_guesses(texts, lambda word: rules.parse_word(word, length, digraphs))
        return rules.parse_history(list(zip(guesses, patterns, strict=True)))


def help_through(variant: Variant, *, first: str | None, sort: Advice, strategy: Path | None, backend: Backend) -> None:
    """Help a user through a game: see `output.dialogue.help_through`."""
    dialogue.help_through(Adviser(variant, first=first, sort=sort, strategy=strategy, backend=backend))


def face_adversary(variant: Variant) -> None:
    """Let a user guess against the adversary, until a guess wins, or to an empty line or the end of the input."""
    report.text("Guess: the adversary hides no word, and gives the pattern that leaves most words.")
    report.text(dialogue.COMMANDS)
    turns: list[tuple[str, int]] = []
    while not turns or not rules.solves(*turns[-1]):
        left = [word for word in variant.answers if rules.consistent(word, turns, variant.scoring)]
        entry = dialogue.read_line(f"{len(turns) + 1}. ({counted(len(left), 'word')} left) ")
        if not entry:
            return
        if entry == "undo":
            del turns[-1:]
            continue
        try:
            guess = check_guess(entry, variant)
            if why := rules.forbids(guess, turns, variant.mode, variant.scoring):
                raise BadInput(f"'{guess}' is not allowed in {why}")
            if variant.guess_hidden_only and guess not in left:
                raise BadInput(f"'{guess}' can no longer be the answer")
        except BadInput as error:
            report.text(plain(str(error)))
            continue
        turns.append((guess, rules.reply(guess, left, scoring=variant.scoring)))
        report.show([drawing.turn_tiles(*turns[-1])])
    report.text(f"solved in {len(turns)}")
