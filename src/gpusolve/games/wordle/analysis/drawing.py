"""Output of the judging commands of ``gpusolve wordle``: in the terminal, and a game as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle import rules
from gpusolve.games.wordle.drawing import count, listed, show_distribution, show_turn, show_worst
from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.games.wordle.analysis._analyze import Analysis, Move
    from gpusolve.games.wordle.analysis._explain import Cell, Explanation
    from gpusolve.games.wordle.analysis._verify import Verified
    from gpusolve.games.wordle.wordlist import WordList

FEW = 10
"""Number of words left after a guess up to which they are listed."""
LISTED = 8
"""Number of equally good guesses, and of answers of a cell, that are listed."""


def analysis_fields(game: Analysis) -> dict[str, Any]:
    """Return the judgement of a game as name -> JSON value."""
    variant = game.variant
    return {
        "answer": game.answer,
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
        "guess_list": variant.guesses.name,
        "guesses": len(variant.guesses),
        "answer_list": variant.answers.name,
        "answers": len(variant.answers),
        "weight_list": None if variant.weights is None else variant.weights.name,
        "exact_weights": None if variant.weights is None else variant.weights.exact,
        "widened": game.widened,
        "solved": game.solved,
        "skill": game.skill,
        "luck": game.luck,
        "lost": game.lost,
        "saved": game.saved,
        "moves": [_move_fields(move) for move in game.moves],
    }


def _move_fields(move: Move) -> dict[str, Any]:
    return {
        "guess": move.guess,
        "pattern": rules.pattern_text(move.pattern, rules.length_of(move.guess)),
        "solved": move.solved,
        "remaining": move.remaining,
        "left": move.left,
        "mean_left": move.mean_left,
        "words": move.words,
        "cost": move.cost,
        "best": move.best,
        "best_cost": move.best_cost,
        "best_pattern": _pattern_or_none(move.best, move.best_pattern),
        "best_left": move.best_left,
        "alternatives": [
            {
                "guess": other.guess,
                "cost": other.cost,
                "pattern": _pattern_or_none(other.guess, other.pattern),
                "left": other.left,
                "exact": other.exact,
            }
            for other in move.alternatives
        ],
        "lost": move.lost,
        "skill": move.skill,
        "luck": move.luck,
        "saved": move.saved,
        "exact": move.exact,
    }


def _pattern_or_none(guess: str, code: int | None) -> str | None:
    return None if code is None else rules.pattern_text(code, rules.length_of(guess))


def show_analysis(game: Analysis) -> None:
    """Print the game on tiles, a table with a row for each guess, and the best other guesses."""
    report.text(judged_by(game))
    for move in game.moves:
        end = "solved" if move.solved else f"{move.left:,} left"
        show_turn(move.guess, move.pattern, f"  {count(move.remaining, 'word')} possible -> {end}")
        if 0 < move.left <= FEW:
            report.text(f"    {' '.join(move.words)}")
    report.text()
    report.table(
        ["guess", "its mean", "best guess", "best mean", "lost", "skill", "luck", "proven"],
        [_move_cells(move) for move in game.moves],
    )
    report.text(_summary(game))
    report.text("mean: guesses to the end, averaged over the possible words")
    report.text("skill: 99 for the best guess; luck: 50 is average (both 0 to 99)")
    if not all(move.exact for move in game.moves):
        report.text("proven not ticked: the means are those of the best strategies found")
    with_others = [move for move in game.moves if move.alternatives]
    if with_others:
        report.text()
        report.text("The best other guesses, each with its mean:")
        for move in with_others:
            others = "  ".join(f"{other.guess} {other.cost:.3f}" for other in move.alternatives)
            report.text(f"{move.guess}  {others}")


def judged_by(game: Analysis) -> str:
    """Return the lists by which a game is judged."""
    guesses, answers, weights = game.variant.guesses, game.variant.answers, game.variant.weights
    likely = ""
    if weights is not None:
        likely = f"\nwith weights ({Path(weights.name).name})" if weights.name else "\nwith weights"
        if weights.unlisted:
            likely += f"; {count(weights.unlisted, 'word')} in no list: one percent of the weight"
    elif game.widened:
        likely = "\nno listed answer fits, so all words count alike"
    return f"judged by {_named(answers, 'answers')}{likely}\nand {_named(guesses, 'guesses')}"


def _named(words: WordList, kind: str) -> str:
    name = Path(words.name).name
    return f"{len(words):,} {kind}" + (f" ({name})" if name else "")


def _move_cells(move: Move) -> tuple[Any, ...]:
    return (
        move.guess,
        f"{move.cost:.3f}",
        move.best if move.lost > 0 else "",
        f"{move.best_cost:.3f}",
        f"{move.lost:.3f}",
        str(move.skill),
        str(move.luck),
        move.exact,
    )


def _summary(game: Analysis) -> str:
    turns = len(game.moves)
    end = f"solved in {turns}" if game.solved else f"not solved in {turns}"
    return (
        f"{end}: skill {game.skill}, luck {game.luck}; {game.lost:.2f} guesses lost, "
        f"luck {'saved' if game.saved >= 0 else 'cost'} {abs(game.saved):.2f}"
    )


def show_explanation(explanation: Explanation, top: int) -> None:
    """Print the total of the guess, the guesses that are as good or better, and a row for each cell."""
    answers = count(explanation.answers, "answer")
    weighted = explanation.weight != explanation.answers
    total = f"weight {explanation.weight:,}, weighted guesses {explanation.total:,}"
    report.text(
        f"{explanation.guess}: {answers}, {total if weighted else count(explanation.total, 'guess')} over all of them "
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
            better = f"mean {least / explanation.weight:.5f}" if weighted else count(least, "guess")
            report.text(f"better: {better} with {words}")
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
    mean = f"{cell.total / cell.weight:.2f}" if cell.weight else ""
    return (
        rules.pattern_text(cell.pattern, rules.length_of(cell.guess)),
        size,
        cell.guess,
        cell.total,
        mean,
        listed(cell.words, LISTED),
    )


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
