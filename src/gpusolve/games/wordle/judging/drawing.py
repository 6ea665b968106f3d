"""What the judging commands of ``gpusolve wordle`` draw: in the terminal, and a game as a page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle import drawing as show, rules
from gpusolve.output import page, report

if TYPE_CHECKING:
    from gpusolve.games.wordle.judging._analyze import Analysis, Move
    from gpusolve.games.wordle.judging._explain import Cell, Explanation
    from gpusolve.games.wordle.judging._verify import Verified
    from gpusolve.games.wordle.variant import Variant

EQUALS = 8  # guesses that are equally good, so many are listed
PAGE = Path(__file__).with_name("analysis.html")
COLOURS = {"-": "#787c7e", "y": "#b59f3b", "g": "#538d4e"}
SQUARES = {"-": "\N{BLACK LARGE SQUARE}", "y": "\N{LARGE YELLOW SQUARE}", "g": "\N{LARGE GREEN SQUARE}"}


def widened(variant: Variant) -> str:
    """The note that no listed answer fits."""
    return (
        f"none of the {len(variant.answers):,} answers fits: all {len(variant.guesses):,} guesses are taken for answers"
    )


def rows(game: Analysis) -> list[dict[str, Any]]:
    """The moves as name -> value."""
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
    """The game on tiles, then a line for each guess."""
    for move in game.moves:
        show.show_turn(move.guess, move.pattern, f"  {_count(move.remaining)} -> {move.left:,}")
    names = ["guess", "cost", "best", "cost", "left", "lost", "skill %", "luck", "exact"]
    report.table(names, [_cells(move) for move in game.moves])
    report.text(_summary(game))
    if not all(move.exact for move in game.moves):
        report.text("not exact: the costs are those of the best strategies known")


def _cells(move: Move) -> tuple[Any, ...]:
    left = "" if move.best_left is None else f"{move.best_left:,}"
    best = "" if move.best == move.guess else move.best
    return (
        move.guess, f"{move.cost:.3f}", best, f"{move.best_cost:.3f}", left, f"{move.lost:.3f}", f"{move.skill:.0f}",
        f"{move.luck:+.2f}", move.exact,
    )  # fmt: skip


def _summary(game: Analysis) -> str:
    turns = len(game.moves)
    end = f"solved in {turns}" if game.solved else f"not solved in {turns}"
    return f"{end}: skill {game.skill:.0f} %, {game.lost:.2f} guesses lost, {game.luck:+.2f} by luck"


def save_page(path: Path, game: Analysis) -> None:
    """Writes a page that shows the game and needs nothing else. Raises BadInput where it cannot be written."""
    moves = []
    for move in game.moves:
        marks = rules.pattern_text(move.pattern)
        tiles = "".join(
            f'<b style="background:{COLOURS[mark]}">{letter.upper()}</b>'
            for letter, mark in zip(move.guess, marks, strict=True)
        )
        texts = [str(cell) for cell in _cells(move)[1:-1]]
        inner = "".join(f"<td>{escape(text)}</td>" for text in (f"{move.remaining:,}", f"{move.left:,}", *texts))
        moves.append(f"<tr><th>{tiles}</th>{inner}<td>{'' if move.exact else 'best known'}</td></tr>")
    squares = "\n".join("".join(SQUARES[mark] for mark in rules.pattern_text(move.pattern)) for move in game.moves)
    page.save(path, PAGE, about=escape(_summary(game)), moves="\n".join(moves), squares=squares)


def show_explanation(found: Explanation, top: int) -> None:
    """What the guess takes, what is as good, and a line for each cell."""
    how = "exactly" if found.exact else "at most, by the best strategy known"
    report.text(
        f"{found.guess}: {_count(found.answers)}, {found.total:,} guesses over all of them {how}, "
        f"mean {found.mean:.5f}, {len(found.cells)} patterns to go on from"
    )
    if found.best:
        best = [word for word in found.best if word != found.guess]
        listed = " ".join(best[:EQUALS]) + (f" and {len(best) - EQUALS:,} more" if len(best) > EQUALS else "")
        least = min(found.best.values())
        if found.total > least:
            report.text(f"best: {least:,} guesses, by {listed}")
        elif best:
            report.text(f"as good: {listed}")
    report.table(["pattern", "size", "next", "guesses", "mean", "answers"], [_cell(cell) for cell in found.cells[:top]])
    if len(found.cells) > top:
        report.text(f"... and {len(found.cells) - top:,} more")


def _cell(cell: Cell) -> tuple[Any, ...]:
    size, listed = len(cell.words), " ".join(cell.words[:EQUALS]) + " ..." * (len(cell.words) > EQUALS)
    mean = f"{cell.total / size:.2f}"
    return rules.pattern_text(cell.pattern), size, cell.guess, cell.total, mean, listed


def show_verified(found: Verified) -> None:
    """Total, depths, worst words."""
    variant, worst = found.variant, found.worst
    report.text(
        f"{found.guess} finds all {_count(len(found.turns))} in {found.total:,} guesses, mean {found.mean:.5f}, "
        f"each within {max(found.distribution)}; {len(variant.guesses):,} words to guess, {variant.mode}"
    )
    show.show_distribution(found.distribution, len(found.turns))
    listed = ", ".join(worst[: show.WORST]) + (" ..." if len(worst) > show.WORST else "")
    report.text(f"worst: {listed}")


def _count(answers: int) -> str:
    return f"{answers:,} answer{'s' * (answers != 1)}"
