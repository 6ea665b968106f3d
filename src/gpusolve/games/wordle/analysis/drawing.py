"""How a judged game, the explanation of a guess and a checked strategy look."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle import rules
from gpusolve.games.wordle.drawing import COLOURS, distribution, listed, notes, turn_tiles, worst
from gpusolve.output import page
from gpusolve.output.parts import Line, Part, Picture, Table, Title, counted

if TYPE_CHECKING:
    from markupsafe import Markup

    from gpusolve.games.wordle.analysis._analyze import Analysis
    from gpusolve.games.wordle.analysis._explain import Cell, Explanation
    from gpusolve.games.wordle.analysis._verify import Verified
    from gpusolve.games.wordle.analysis.first_words import FirstWords
    from gpusolve.games.wordle.analysis.moves import Alternative, Move
    from gpusolve.games.wordle.wordlist import WordList

TEMPLATE = Path(__file__).with_name("analysis.html")
SQUARES = {"-": "\N{BLACK LARGE SQUARE}", "y": "\N{LARGE YELLOW SQUARE}", "g": "\N{LARGE GREEN SQUARE}"}
MOST_WORDS = 200
"""Number of words of a list on a page."""
TOP = 20
FEW = 10
"""Number of likely words left after a guess up to which they are listed."""
INDENT = "    "
WIDTH = 70
"""Number of columns of a sentence."""
LISTED = 8
"""Number of equally good guesses, and of answers of a cell, that are listed."""


def analysis(game: Analysis) -> Iterator[Part]:
    """Yield the game on tiles, a table with a row for each guess, and the best other guesses."""
    yield Title(_end(game))
    yield from notes(game.variant, widened=game.widened)
    yield Picture(lambda _: _analysis_page(game), tuple(_analysis(game)))


def _analysis(game: Analysis) -> Iterator[Part]:
    yield Line(judged_by(game))
    for move in game.moves:
        yield turn_tiles(move.guess, move.pattern, f"  {_change(move, '->')}")
        if 0 < move.likely_left <= FEW:
            yield Line(textwrap.fill(_words(move), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT))
        yield Line(textwrap.fill(move.reason, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT))
    yield Line()
    yield Table(
        ["guess", "its mean", "best guess", "best mean", "lost", "skill", "luck", "proven"],
        [_move_cells(move) for move in game.moves],
        "the guesses",
    )
    yield Line(_summary(game))
    yield Line("mean: guesses to the end, averaged over the possible words")
    yield Line("skill: 99 for the best guess; luck: 50 is average (both 0 to 99)")
    yield Line("saved by luck: fewer guesses after the patterns than on average")
    if not all(move.exact for move in game.moves):
        yield Line("proven not ticked: the means are those of the best strategies found")
    with_others = [move for move in game.moves if move.alternatives]
    if with_others:
        yield Line()
        yield Line("The best other guesses, each with its mean:")
        for move in with_others:
            others = "  ".join(f"{other.guess} {other.cost:.3f}" for other in move.alternatives)
            yield Line(f"{move.guess}  {others}")


def judged_by(game: Analysis) -> str:
    """Return the lists by which a game is judged."""
    guesses, answers, weights = game.variant.guesses, game.variant.answers, game.variant.weights
    if weights is not None and weights.name == rules.CHANCES:
        return f"judged by {_named(guesses, 'guesses')},\neach with its chance to be the answer"
    likely = ""
    if weights is not None:
        likely = f"\nwith weights ({Path(weights.name).name})" if weights.name else "\nwith weights"
        if weights.unlisted:
            likely += f"; {counted(weights.unlisted, 'word')} in no list: one percent of the weight"
    elif game.widened:
        likely = "\nno listed answer fits, so all words count alike"
    return f"judged by {_named(answers, 'answers')}{likely}\nand {_named(guesses, 'guesses')}"


def _change(move: Move, arrow: str) -> str:
    """Return the number of words before and after a guess, and of the likely ones among them."""
    before = " possible" if move.likely == move.remaining else f", {move.likely:,} likely"
    after = "" if move.likely_left == move.left else f", {move.likely_left:,} likely"
    end = "solved" if move.solved else f"{move.left:,} left{after}"
    return f"{counted(move.remaining, 'word')}{before} {arrow} {end}"


def _words(move: Move) -> str:
    """Return the likely words after a guess, and how many others there are."""
    others = move.left - move.likely_left
    return " ".join(move.words[: move.likely_left]) + (f" and {counted(others, 'unlikely word')}" if others else "")


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


def explanation(explanation: Explanation, *, top: int = TOP) -> Iterator[Part]:
    """Yield the total of the guess, the guesses that are as good or better, and a row for each cell.

    Parameters
    ----------
    top : int, default 20
        Number of cells to show.
    """
    yield from notes(explanation.variant, widened=explanation.widened)
    answers = counted(explanation.answers, "answer")
    weighted = explanation.weight != explanation.answers
    total = "" if weighted else f"{counted(explanation.total, 'guess')} over all of them, "
    yield Line(
        f"{explanation.guess}: {answers}, {total}mean {explanation.mean:.5f} "
        f"({'exact' if explanation.exact else 'by the best strategy found here'}), "
        f"{counted(len(explanation.cells), 'pattern')} to continue from"
    )
    if explanation.proven is not None:
        mean = explanation.proven / explanation.answers
        yield Line(f"proven for these words: {counted(explanation.proven, 'guess')}, mean {mean:.5f}")
    if explanation.best:
        best = [word for word in explanation.best if word != explanation.guess]
        words = " ".join(best[:LISTED]) + (f" and {len(best) - LISTED:,} more" if len(best) > LISTED else "")
        least = min(explanation.best.values())
        if explanation.total > least:
            better = f"mean {least / explanation.weight:.5f}" if weighted else counted(least, "guess")
            yield Line(f"better: {better} with {words}")
        elif best:
            yield Line(f"equally good: {words}")
    number = "chance %" if weighted else "guesses"
    columns, title = ["pattern", "size", "next", number, "mean", "answers"], "patterns that leave words"
    rows = [_cell_row(cell, explanation.weight if weighted else None) for cell in explanation.cells[:top]]

    def coloured(controls: bool) -> Markup:
        turns = [turn_tiles(explanation.guess, cell.pattern) for cell in explanation.cells[:top]]
        tiles = [page.part("tiles", turn.letters, turn.colours) for turn in turns]
        return page.drawn([Table(columns, [(tile, *row[1:]) for tile, row in zip(tiles, rows, strict=True)], title)])

    yield Picture(coloured, [Table(columns, rows, title)])
    if len(explanation.cells) > top:
        yield Line(f"... and {len(explanation.cells) - top:,} more")


def _cell_row(cell: Cell, whole: int | None) -> tuple[Any, ...]:
    """Return a row for a cell: its guesses, or its share of the `whole` weight."""
    size = len(cell.words)
    mean = f"{cell.total / cell.weight:.2f}" if cell.weight else ""
    return (
        rules.pattern_text(cell.pattern, rules.length_of(cell.guess)),
        size,
        cell.guess,
        cell.total if whole is None else f"{100 * cell.weight / whole:.1f}",
        mean,
        listed(cell.words, LISTED),
    )


def verified(verified: Verified) -> Iterator[Part]:
    """Yield the total of a strategy, the distribution of the guesses, and the answers that need the most."""
    variant, answers = verified.variant, len(verified.turns)
    yield Line(
        f"{verified.guess} finds all {counted(answers, 'answer')} in {counted(verified.total, 'guess')}, "
        f"mean {verified.mean:.5f}, at most {max(verified.distribution)} for an answer; "
        f"{len(variant.guesses):,} words may be guessed, {variant.mode} mode"
    )
    yield distribution(verified.distribution, answers)
    yield worst(verified.worst)


def first_words(found: FirstWords) -> Iterator[Part]:
    """Yield how many first words solve every answer, how many fail, and what was checked."""
    yield Line(
        f"{found.solved:,} first words solve all {found.words:,} answers within {found.within} guesses: "
        f"{found.guesses:,} second and third guesses checked"
    )
    yield Line(f"{found.failed:,} first words fail: {found.nogoods:,} sets of answers checked that cannot be solved")
    if found.unproven:
        yield Line(f"{found.unproven:,} first words have no proof in the file")


def _end(game: Analysis) -> str:
    """Return how the game ended.

    The answer is known if the game is solved.
    """
    turns = counted(len(game.moves), "guess")
    if game.solved:
        return f"{str(game.answer).upper()} solved in {turns}"
    return f"not solved in {turns}" + (f": {game.answer.upper()}" if game.answer else "")


def _analysis_page(game: Analysis) -> Markup:
    saved = "luck saved" if game.saved >= 0 else "luck cost"
    about = [("guesses lost", f"{game.lost:.2f}"), (saved, f"{abs(game.saved):.2f}")]
    return page.fill(
        TEMPLATE,
        game=game,
        about=about,
        judged_by=judged_by(game),
        moves=[_move(move) for move in game.moves],
        squares=["".join(SQUARES[mark] for mark in move.marks) for move in game.moves],
    )


def _move(move: Move) -> dict[str, Any]:
    return {
        "guess": move.guess,
        "letters": rules.letters_of(move.guess),
        "colours": [COLOURS[mark] for mark in move.marks],
        "change": _change(move, "\N{RIGHTWARDS ARROW}"),
        "reason": move.reason,
        "skill": move.skill,
        "luck": move.luck,
        "facts": _judged(move),
        "words": move.words[: min(move.likely_left, MOST_WORDS)],
        "unlikely": move.left - move.likely_left,
        "others": [_other(other) for other in move.alternatives],
    }


def _judged(move: Move) -> list[tuple[str, str]]:
    """Return the mean of a guess, and that of the best guess if it is better."""
    better = [("best guess", f"{move.best}, mean {move.best_cost:.3f}"), ("lost", f"{move.lost:.3f}")]
    sure = [] if move.exact else [("proven", "no: by the best strategies found")]
    return [("its mean", f"{move.cost:.3f}"), *(better if move.lost > 0 else [("best guess", "this one")]), *sure]


def _other(other: Alternative) -> tuple[str, str, str]:
    leaves = (
        "" if other.left is None else "solved" if rules.solves(other.guess, other.pattern or 0) else f"{other.left:,}"
    )
    return other.guess, f"{other.cost:.3f}", leaves


def move(move: Move) -> Iterator[Part]:
    """Yield a guess with its mean, and that of the best guess if it is better."""
    left = "solved" if move.solved else f"{move.left:,} left"
    yield turn_tiles(move.guess, move.pattern, f"  {left}")
    for name, value in _judged(move):
        yield Line(f"{name}: {value}")


def cell(cell: Cell) -> Iterator[Part]:
    """Yield a pattern, the best guess after it, and the answers that it leaves."""
    yield Line(f"{cell.marks}: {cell.guess} next; {listed(cell.words, MOST_WORDS)}")
