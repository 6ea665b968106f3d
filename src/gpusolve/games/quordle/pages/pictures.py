"""Boards with the letters of their guesses, and the page of a judged game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.quordle._analyze import Analysis, Judgement
from gpusolve.games.quordle._simulate import Simulation
from gpusolve.games.quordle._suggest import Suggestions
from gpusolve.games.quordle.drawing import COLOUR_OF
from gpusolve.games.quordle.ratings import Rating
from gpusolve.games.quordle.rules import Game, Turn
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle.rules import length_of, letters_of, pattern_text
from gpusolve.output import page

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("analysis.html")
LISTED = 100
"""Number of remaining words of a board that are shown."""


def picture(result: object) -> Markup:
    """Draw a result for a notebook."""
    match result:
        case Analysis():
            return _analysis(result)
        case Turn():
            return page.fill(TEMPLATE, boards=_boards([result]), judgements=[], about=[])
        case Game():
            boards = [
                (f"board {board}", f"guess {turn}" if turn else "not solved")
                for board, turn in enumerate(result.turns, 1)
            ]
            won = f"won in {len(result.guesses)}" if result.won else "lost"
            return page.part("facts", [("guesses", " ".join(result.guesses)), ("game", won), *boards])
        case Judgement():
            return page.part("facts", [("guess", result.made.guess), *_judged(result)])
        case Suggestions():
            left = [(f"board {number}", _words(words)) for number, words in enumerate(result.remaining, 1)]
            lists = [] if result.variant is None else _lists(result.variant)
            return page.part("facts", left + lists) + _ratings(result.rows)
        case Rating():
            return _ratings([result])
        case Simulation():
            return _simulation(result)
        case _:
            return page.described(result)


def save_page(path: Path, game: Analysis) -> None:
    """Write a page that judges a game guess by guess. Raises BadInput if it cannot be written."""
    end = "Won in" if all(_solved_at(game.turns)) else "Not won in"
    page.save(path, "Quordle", f"{end} {len(game.turns)} guess{'es' * (len(game.turns) != 1)}", _analysis(game))


def _analysis(game: Analysis) -> Markup:
    after, given = [judgement.left for judgement in game[1:]] + [game.left], len(game.turns) - len(game)
    judgements = [
        {
            "title": f"{number}. {judgement.made.guess.upper()}",
            "tiles": [_tiles(turn.guess, code) for code in turn.patterns if code is not None],
            "facts": _judged(judgement),
            "left": [
                (str(board), f"{before:,}", "solved" if not then else f"{then:,}")
                for board, (before, then) in enumerate(zip(judgement.left, left, strict=True), 1)
                if before
            ],
        }
        for number, (judgement, turn, left) in enumerate(zip(game, game.turns[given:], after, strict=True), given + 1)
    ]
    about = [] if game.variant is None else _lists(game.variant)
    return page.fill(TEMPLATE, boards=_boards(game.turns, game.hidden), judgements=judgements, about=about)


def _lists(variant: Variant) -> list[tuple[str, str]]:
    """Return the number of words that can be hidden, with the name of the list, and the name of their weights."""
    words = variant.answers
    named = [("answers", f"{len(words):,}" + (f" ({words.name})" if words.name else ""))]
    return named + ([] if variant.weights is None else [("weights", variant.weights.name or "given")])


def _boards(turns: Sequence[Turn], hidden: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the boards, each with the guesses that were made until it was solved."""
    boards = []
    for board, solved in enumerate(_solved_at(turns)):
        codes = [(turn.guess, turn.patterns[board]) for turn in turns]
        end = f"solved with guess {solved}" if solved else f"not solved{': ' + hidden[board].upper() if hidden else ''}"
        guesses = [_tiles(guess, code) for guess, code in codes if code is not None]
        boards.append({"title": f"Board {board + 1}", "guesses": guesses, "end": end})
    return boards


def _solved_at(turns: Sequence[Turn]) -> list[int]:
    """Return for each board the number of the guess that solved it; 0 if it is not solved."""
    boards = range(len(turns[0].patterns))
    return [next((n for n, turn in enumerate(turns, 1) if turn.solved(board)), 0) for board in boards]


def _tiles(guess: str, code: int) -> tuple[list[str], list[str]]:
    return letters_of(guess), [COLOUR_OF[mark] for mark in pattern_text(code, length_of(guess))]


def _judged(judgement: Judgement) -> list[tuple[str, str]]:
    """Return the values of a guess, and of the best one if it is another."""
    made, best = judgement.made, judgement.best
    facts = [("cost", f"{made.cost:.3f}"), ("boards solved, mean", f"{made.solves:.3f}"), ("bits", f"{made.bits:.3f}")]
    if made.mean is not None:
        facts.append(("guesses to the end", f"{made.mean:.2f}"))
    if made.chance is not None:
        facts.append(("chance to finish", f"{100 * made.chance:.1f} %"))
    if best.guess == made.guess:
        return [*facts, ("best guess", "this one")]
    facts += [("best guess", best.guess), ("its cost", f"{best.cost:.3f}")]
    return facts + ([] if best.mean is None else [("its guesses to the end", f"{best.mean:.2f}")])


def _words(words: Sequence[str]) -> str:
    more = " ..." if len(words) > LISTED else ""
    return f"{len(words):,} left: {' '.join(words[:LISTED])}{more}" if words else "solved"


def _ratings(rows: Sequence[Rating]) -> Markup:
    columns: dict[str, list[Any]] = {
        "guess": [row.guess for row in rows[: page.MOST_ROWS]],
        "guesses": [row.mean for row in rows[: page.MOST_ROWS]],
        "chance %": [None if row.chance is None else 100 * row.chance for row in rows[: page.MOST_ROWS]],
        "cost": [row.cost for row in rows[: page.MOST_ROWS]],
        "solves": [row.solves for row in rows[: page.MOST_ROWS]],
        "bits": [row.bits for row in rows[: page.MOST_ROWS]],
    }
    return page.table("guesses, the best first", columns, len(rows))


def _simulation(simulation: Simulation) -> Markup:
    strategies = range(len(simulation.strategies))
    about = [("games", f"{simulation.games:,}"), ("boards", str(simulation.boards)), ("seed", str(simulation.seed))]
    about += [] if simulation.variant is None else _lists(simulation.variant)
    columns: dict[str, list[Any]] = {
        "strategy": list(simulation.strategies),
        "won %": [100 * simulation.rate(i) for i in strategies],
        "guesses": [simulation.mean(i).mean for i in strategies],
    }
    best = simulation.distribution(len(strategies) - 1)
    bars = page.part("bars", f"games by guesses: {simulation.strategies[-1]}", list(best), list(best.values()))
    return page.part("facts", about) + page.table("strategies", columns) + bars
