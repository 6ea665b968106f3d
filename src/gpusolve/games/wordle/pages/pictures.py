"""Games on coloured tiles, tables and distributions, and the page of a judged game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle import rules
from gpusolve.games.wordle._play import Turn
from gpusolve.games.wordle._simulate import Simulation
from gpusolve.games.wordle.adversary.duel import Duel
from gpusolve.games.wordle.analysis._analyze import Alternative, Analysis, Move
from gpusolve.games.wordle.analysis._explain import Cell, Explanation
from gpusolve.games.wordle.analysis._verify import Verified
from gpusolve.games.wordle.analysis.drawing import judged_by
from gpusolve.games.wordle.drawing import COLOURS, count
from gpusolve.games.wordle.grouping._groups import Groups
from gpusolve.games.wordle.proof._solve import Solution
from gpusolve.games.wordle.tables import PartitionTable, Suggestions
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights._words import WeightedWords
from gpusolve.games.wordle.weights.weights import Weights
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.output import page

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("analysis.html")
SQUARES = {"-": "\N{BLACK LARGE SQUARE}", "y": "\N{LARGE YELLOW SQUARE}", "g": "\N{LARGE GREEN SQUARE}"}
LISTED = 200
"""Number of words of a list, and of rows of a table, that are shown."""


def picture(result: object) -> Markup:
    """Draw a result for a notebook."""
    match result:
        case Analysis():
            return _analysis(result)
        case Turn():
            return _tiles(result.guess, result.pattern) + page.part(
                "facts", [("possible before", f"{result.remaining:,}")]
            )
        case Duel():
            facts = [("guesses", f"{len(result.turns)}"), ("proven", "yes" if result.proven else "no")]
            drawn = page.part("facts", facts)
            for turn in result.turns:
                drawn += _tiles(turn.guess, turn.pattern)
            return drawn
        case Move():
            left = "solved" if result.solved else f"{result.left:,} left"
            return _tiles(result.guess, result.pattern) + page.part("facts", [("words", left), *_judged(result)])
        case PartitionTable():
            return _table(result)
        case Explanation():
            return _explanation(result)
        case Simulation() | Verified():
            return _distribution(result)
        case Solution():
            proven = "yes" if result.proven else "no"
            about = [("best next guess", result.guess), ("proven", proven)]
            return page.part("facts", about) + _distribution(result)
        case Groups():
            rows = [(" ".join(words),) for words in result.words[:LISTED]]
            title = f"{len(result):,} groups of {result.size} answers that no strategy solves within {result.within}"
            return page.part("table", title, ["answers"], rows)
        case Cell():
            return page.part(
                "facts",
                [
                    ("pattern", rules.pattern_text(result.pattern, rules.length_of(result.guess))),
                    ("best next guess", result.guess),
                ],
            ) + (page.part("words", result.words[:LISTED]))
        case WordList():
            return page.part("facts", [("words", f"{len(result):,}")]) + page.part("words", result[:LISTED])
        case WeightedWords():
            return page.table(f"words of the language {result.language}", result.columns(), len(result.weights))
        case Weights():
            return page.part("facts", [("weights", f"{len(result.values):,}"), ("sum", f"{result.total:,}")])
        case Variant():
            return page.part("facts", _rules(result))
        case _:
            return page.described(result)


def save_page(path: Path, game: Analysis) -> None:
    """Write a page that judges a game guess by guess. Raises BadInput if it cannot be written."""
    page.save(path, "Wordle", _end(game), _analysis(game))


def _end(game: Analysis) -> str:
    """Return how the game ended.

    The answer is known if the game is solved.
    """
    turns = count(len(game.moves), "guess")
    if game.solved:
        return f"{str(game.answer).upper()} solved in {turns}"
    return f"not solved in {turns}" + (f": {game.answer.upper()}" if game.answer else "")


def _analysis(game: Analysis) -> Markup:
    saved = "luck saved" if game.saved >= 0 else "luck cost"
    about = [("guesses lost", f"{game.lost:.2f}"), (saved, f"{abs(game.saved):.2f}")]
    return page.fill(
        TEMPLATE,
        game=game,
        about=about,
        judged_by=judged_by(game),
        moves=[_move(move) for move in game.moves],
        squares=[
            "".join(SQUARES[mark] for mark in rules.pattern_text(move.pattern, rules.length_of(move.guess)))
            for move in game.moves
        ],
    )


def _move(move: Move) -> dict[str, Any]:
    end = "solved" if move.solved else f"{move.left:,} left"
    return {
        "guess": move.guess,
        "letters": rules.letters_of(move.guess),
        "colours": _colours(move.guess, move.pattern),
        "change": f"{count(move.remaining, 'word')} possible, then {end}",
        "skill": move.skill,
        "luck": move.luck,
        "facts": _judged(move),
        "words": move.words[:LISTED],
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


def _colours(guess: str, code: int) -> list[str]:
    return [COLOURS[mark] for mark in rules.pattern_text(code, rules.length_of(guess))]


def _tiles(guess: str, code: int) -> Markup:
    return page.part("tiles", rules.letters_of(guess), _colours(guess, code))


def _table(table: PartitionTable) -> Markup:
    """Draw the best guesses of a table."""
    columns = table.columns(page.MOST_ROWS)
    names = {"guess": "guess", "mean": "mean", "entropy": "bits", "expected": "mean left", "largest": "at most left"}
    names |= {"patterns": "patterns", "is_answer": "possible"}
    shown = {heading: list(columns[name]) for name, heading in names.items() if name in columns}
    what = "suggestions" if isinstance(table, Suggestions) else "guesses"
    title = f"{what} for {count(len(table.answers), 'answer')}, by {table.sort}"
    return page.table(title, shown, len(table.guesses))


def _explanation(explanation: Explanation) -> Markup:
    about = [
        ("guess", explanation.guess),
        ("possible answers", f"{explanation.answers:,}"),
        ("guesses for all of them", f"{explanation.total:,}" + ("" if explanation.exact else ", not proven")),
    ]
    if explanation.weight != explanation.answers:
        about.insert(2, ("their weight", f"{explanation.weight:,}"))
    cells = explanation.cells
    columns: dict[str, Sequence[Any]] = {
        "pattern": [_tiles(explanation.guess, cell.pattern) for cell in cells],
        "answers": [len(cell.words) for cell in cells],
        "next": [cell.guess for cell in cells],
        "guesses": [cell.total for cell in cells],
        "such as": [" ".join(cell.words[:8]) for cell in cells],
    }
    return page.part("facts", about) + page.table("patterns that leave words", columns)


def _distribution(result: Simulation | Verified | Solution) -> Markup:
    guesses, distribution = "guesses", result.distribution
    about = [("mean", f"{result.mean:.5f}")]
    if not isinstance(result, Verified) and result.weights is not None:
        guesses = "weighted guesses"
        about += [("weight", f"{result.weight:,}"), ("won within six", f"{100 * result.won:.4g} %")]
    facts = page.part("facts", [(guesses, f"{result.total:,}"), *about])
    return facts + page.part("bars", "answers by number of guesses", list(distribution), list(distribution.values()))


def _rules(variant: Variant) -> list[tuple[str, str]]:
    lists = {"guesses": variant.guesses, "answers": variant.answers}
    named = [(kind, f"{len(words):,}" + (f" ({words.name})" if words.name else "")) for kind, words in lists.items()]
    weights = [] if variant.weights is None else [("weights", variant.weights.name or "given")]
    return [*named, *weights, ("mode", variant.mode), ("scoring", variant.scoring)]
