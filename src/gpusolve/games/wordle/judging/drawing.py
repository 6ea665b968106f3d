"""Output of the judging commands of ``gpusolve wordle``: in the terminal, and a game as a page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle import rules
from gpusolve.games.wordle.drawing import count, listed, show_distribution, show_turn, show_worst
from gpusolve.output import page, report

if TYPE_CHECKING:
    from gpusolve.games.wordle.judging._analyze import Analysis, Move
    from gpusolve.games.wordle.judging._explain import Cell, Explanation
    from gpusolve.games.wordle.judging._verify import Verified

LISTED = 8
"""Number of equally good guesses, and of answers of a cell, that are listed."""
PAGE = Path(__file__).with_name("analysis.html")
COLOURS = {"-": "#787c7e", "y": "#b59f3b", "g": "#538d4e"}
SQUARES = {"-": "\N{BLACK LARGE SQUARE}", "y": "\N{LARGE YELLOW SQUARE}", "g": "\N{LARGE GREEN SQUARE}"}


def move_rows(game: Analysis) -> list[dict[str, Any]]:
    """Return the moves, each as name -> JSON value."""
    return [
        {
            "guess": move.guess,
            "pattern": rules.pattern_text(move.pattern),
            "remaining": move.remaining,
            "left": move.left,
            "cost": move.cost,
            "best": move.best,
            "best_cost": move.best_cost,
            "best_pattern": None if move.best_pattern is None else rules.pattern_text(move.best_pattern),
            "best_left": move.best_left,
            "lost": move.lost,
            "skill": move.skill,
            "luck": move.luck,
            "exact": move.exact,
        }
        for move in game.moves
    ]


def show_analysis(game: Analysis) -> None:
    """Print the game on tiles, then a table with a row for each guess."""
    for move in game.moves:
        show_turn(move.guess, move.pattern, f"  {count(move.remaining, 'answer')} -> {move.left:,}")
    names = ["guess", "cost", "best", "best cost", "best left", "lost", "skill %", "luck", "exact"]
    report.table(names, [_move_cells(move) for move in game.moves])
    report.text(_summary(game))
    if not all(move.exact for move in game.moves):
        report.text("where exact is not ticked, the costs are those of the best strategies found here")


def _move_cells(move: Move) -> tuple[Any, ...]:
    best = "" if move.best == move.guess else move.best
    return (
        move.guess,
        f"{move.cost:.3f}",
        best,
        f"{move.best_cost:.3f}",
        "" if move.best_left is None else f"{move.best_left:,}",
        f"{move.lost:.3f}",
        f"{move.skill:.0f}",
        f"{move.luck:+.2f}",
        move.exact,
    )


def _summary(game: Analysis) -> str:
    turns = len(game.moves)
    end = f"solved in {turns}" if game.solved else f"not solved in {turns}"
    return f"{end}: skill {game.skill:.0f}%, {game.lost:.2f} guesses lost, luck {game.luck:+.2f} guesses"


def save_page(path: Path, game: Analysis) -> None:
    """Write a self-contained HTML page that shows the game. Raises BadInput if it cannot be written."""
    moves = []
    for move in game.moves:
        marks = rules.pattern_text(move.pattern)
        tiles = "".join(
            f'<b style="background:{COLOURS[mark]}">{letter.upper()}</b>'
            for letter, mark in zip(move.guess, marks, strict=True)
        )
        texts = [str(cell) for cell in _move_cells(move)[1:-1]]
        inner = "".join(f"<td>{escape(text)}</td>" for text in (f"{move.remaining:,}", f"{move.left:,}", *texts))
        moves.append(f"<tr><th>{tiles}</th>{inner}<td>{'' if move.exact else 'best found here'}</td></tr>")
    squares = "\n".join("".join(SQUARES[mark] for mark in rules.pattern_text(move.pattern)) for move in game.moves)
    page.save(path, PAGE, about=escape(_summary(game)), moves="\n".join(moves), squares=squares)


def show_explanation(explanation: Explanation, top: int) -> None:
    """Print the total of the guess, the guesses that are as good or better, and a row for each cell."""
    answers = count(explanation.answers, "answer")
    report.text(
        f"{explanation.guess}: {answers}, {count(explanation.total, 'guess')} over all of them "
        f"({'exact' if explanation.exact else 'by the best strategy found here'}), mean {explanation.mean:.5f}, "
        f"{count(len(explanation.cells), 'pattern')} to continue from"
    )
    if explanation.proven is not None:
        mean = explanation.proven / explanation.answers
        report.text(f"proven for these words: {count(explanation.proven, 'guess')}, mean {mean:.5f}")
    if explanation.best:
        best = [word for word in explanation.best if word != explanation.guess]
        words = " ".join(best[:LISTED]) + (f" and {len(best) - LISTED:,} more" if len(best) > LISTED else "")
        least = min(explanation.best.values())
        if explanation.total > least:
            report.text(f"better: {count(least, 'guess')} with {words}")
        elif best:
            report.text(f"equally good: {words}")
    report.table(
        ["pattern", "size", "next", "guesses", "mean", "answers"],
        [_cell_row(cell) for cell in explanation.cells[:top]],
    )
    if len(explanation.cells) > top:
        report.text(f"... and {len(explanation.cells) - top:,} more")


def _cell_row(cell: Cell) -> tuple[Any, ...]:
    size = len(cell.words)
    mean = f"{cell.total / size:.2f}"
    return rules.pattern_text(cell.pattern), size, cell.guess, cell.total, mean, listed(cell.words, LISTED)


def show_verified(verified: Verified) -> None:
    """Print the total of a strategy, the distribution of the guesses, and the answers that need the most."""
    variant, answers = verified.variant, len(verified.turns)
    report.text(
        f"{verified.guess} finds all {count(answers, 'answer')} in {count(verified.total, 'guess')}, "
        f"mean {verified.mean:.5f}, at most {max(verified.distribution)} for an answer; "
        f"{len(variant.guesses):,} words may be guessed, {variant.mode} mode"
    )
    show_distribution(verified.distribution, answers)
    show_worst(verified.worst)
