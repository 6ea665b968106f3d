"""The text that the commands of Queuedle print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.puzzles import DailyPuzzle, ScoredPosition
from gpusolve.games.queuedle.searches import Solution
from gpusolve.output import report
from gpusolve.wordlists import is_shipped

NOTE = (
    "the site uses a dictionary that is not shipped here, so two boards out of three differ from the site's. Pass its"
    " dictionary with --puzzle-dictionary FILE, or type its board: gpusolve queuedle solve --grid ROWS --queue LETTERS"
)


def note_about(dictionary: str) -> str | None:
    """Return the note about a day's puzzle drawn with this dictionary; None if it might be the site's dictionary."""
    return NOTE if is_shipped(dictionary) else None


def show_note(about: Mapping[str, Any]) -> None:
    """Print the note about a day's puzzle, if there is one."""
    if about.get("note"):
        report.text(f"{about['date']}, {about['zone']}; note: {about['note']}")


def show_daily(puzzle: DailyPuzzle, dictionary: str) -> None:
    """Print the puzzle of a day."""
    drawn = f"seed {puzzle.puzzle_seed} ({puzzle.tries} earlier seeds drew a grid with a word)"
    report.text(f"{puzzle.date}, {puzzle.zone}, dictionary {dictionary}: {drawn}")
    for row in puzzle.puzzle.grid:
        report.text(f"  {row}")
    report.text(f"queue {puzzle.puzzle.queue}")
    if note := note_about(dictionary):
        report.text(f"note: {note}")


def show_boards(boards: Sequence[ScoredPosition]) -> None:
    """Print each board with the cells of its words marked, then the score, the moves and the words of the last one."""
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
    report.text(f"score {last.score} after {len(moves)} move{'s' * (len(moves) != 1)}: {rules.moves_text(moves)}")
    report.text(f"words: {' '.join(entry.word for entry in last.words)}")


def show_search(solution: Solution) -> None:
    """Print one line about the search."""
    report.text(
        f"{solution.strategy}: {solution.generated:,} boards scored in {solution.seconds:.1f} s"
        f" ({solution.rate / 1e6:.1f} million/s)"
        + (f", seed {solution.seed}" if solution.seed is not None else "")
        + ("; the search was exhaustive, so no board scores more" if solution.proven else "")
        + ("" if solution.complete else "; stopped by the time limit")
    )
