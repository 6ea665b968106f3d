"""What the commands of Queuedle draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.puzzles import DailyPuzzle, ScoredPosition
from gpusolve.games.queuedle.searches import Solution
from gpusolve.output import report
from gpusolve.wordlists import shipped

NOTE = (
    "the site draws again by a dictionary of its own, so that its board is another on two days of three: draw with"
    " --puzzle-dictionary FILE, or type the board in: gpusolve queuedle solve --grid ROWS --queue LETTERS"
)


def note_of(dictionary: str) -> str | None:
    """What is to be said of a day's puzzle that this dictionary drew; None where it may be the site's."""
    return NOTE if dictionary in [words.name for words in shipped()] else None


def show_note(about: Mapping[str, Any]) -> None:
    """A line about a day's puzzle, where there is one to be said."""
    if about.get("note"):
        report.text(f"{about['date']}, {about['zone']}; note: {about['note']}")


def show_daily(found: DailyPuzzle, dictionary: str) -> None:
    """The puzzle of a day."""
    report.text(f"{found.date}, {found.zone}, dictionary {dictionary}: seed {found.puzzle_seed}, try {found.tries}")
    for row in found.puzzle.grid:
        report.text(f"  {row}")
    report.text(f"queue {found.puzzle.queue}")
    if note := note_of(dictionary):
        report.text(f"note: {note}")


def show_boards(boards: Sequence[ScoredPosition]) -> None:
    """Each board with its cells that are in a word marked, then score, moves and words of the last."""
    for board in boards:
        position, points = board.position, board.score
        move = rules.move_text(position.moves[-1]) if position.moves else "start"
        report.text(
            f"{move}: {points} point{'s' * (points != 1)}" + (f", queue {position.queue}" if position.queue else "")
        )
        for row, marks in zip(position.grid, rules.marked(position.grid, board.words), strict=True):
            shown = "".join(letter.upper() if mark else letter for letter, mark in zip(row, marks, strict=True))
            report.tiles(row, ["green" if mark else "grey" for mark in marks], f"  {shown}")
    last = boards[-1]
    moves = last.position.moves
    report.text(f"score {last.score} after {len(moves)} moves: {rules.moves_text(moves)}")
    report.text(f"words: {' '.join(found.word for found in last.words)}")


def show_search(found: Solution) -> None:
    """What the search did, on one line."""
    report.text(
        f"{found.strategy}: {found.generated:,} boards scored in {found.seconds:.1f} s"
        f", {found.rate / 1e6:.1f} million/s"
        + (f", seed {found.seed}" if found.seed is not None else "")
        + (", nothing left out: no board scores more" if found.proven else "")
        + ("" if found.complete else ", stopped by the time limit")
    )
