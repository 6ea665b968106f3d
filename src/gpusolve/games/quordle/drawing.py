"""How results look: suggestions, a game with its boards, a judged game, and strategies side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.estimates import CONFIDENCE
from gpusolve.games.wordle.rules import length_of, letters_of, pattern_text
from gpusolve.output import page, report
from gpusolve.output.parts import Line, Note, Part, Picture, Table, Title, Verbatim, counted

if TYPE_CHECKING:
    from markupsafe import Markup

    from gpusolve.games.quordle._analyze import Analysis, Judgement
    from gpusolve.games.quordle._play import Game
    from gpusolve.games.quordle._simulate import Interval, Simulation
    from gpusolve.games.quordle._suggest import Suggestions
    from gpusolve.games.quordle.ratings import Rating
    from gpusolve.games.quordle.rules import Turn
    from gpusolve.games.quordle.variant import Variant
    from gpusolve.games.wordle.wordlist import WordList

TEMPLATE = Path(__file__).with_name("boards.html")
COLOUR_OF = {"-": "grey", "y": "yellow", "g": "green"}
LISTED = 12
"""Number of remaining words of a board that are listed."""
NOTED = 0.01
"""From this chance on, it is said that a board may hide a word that is not in the published list."""


def suggestions(suggestions: Suggestions, *, top: int = 10) -> Iterator[Part]:
    """Yield the words that remain on each board, and the best guesses.

    Parameters
    ----------
    top : int, default 10
        Number of guesses to show.
    """
    yield from map(Note, unknown_notes([turn.guess for turn in suggestions.history], suggestions.variant.guesses))
    yield from _notes(suggestions.variant, suggestions.widened)
    yield from remaining(suggestions)
    if suggestions.rows:
        yield Line(f"{_first_of(suggestions)}by the bits still missing after a guess (cost)")
        yield ratings(suggestions.rows[:top])
    else:
        yield Line(ended(suggestions))


def ended(suggestions: Suggestions) -> str:
    """Return how a game without advice ended."""
    number = len(suggestions.history)
    return f"solved in {number}" if suggestions.solved else f"the game is over: all {number} guesses are used"


def _first_of(suggestions: Suggestions) -> str:
    """Return which guesses come before those that are ranked by cost; nothing if there are none."""
    rows = suggestions.rows
    if rows[0].mean is not None:
        return "best by playouts, then "
    if rows[0].cost == min(row.cost for row in rows):
        return ""
    return "first a word that is known, then " if suggestions.history else "first the best start of whole games, then "


def rating(rating: Rating) -> Iterator[Part]:
    """Yield a guess with its values."""
    yield ratings([rating])


def game(game: Game) -> Iterator[Part]:
    """Yield the guesses with their patterns, then all of them on one line, as the article prints a game."""
    end = f"won in {len(game.guesses)}" if game.won else "lost"
    yield Title(end.capitalize())
    yield from _notes(game.variant, [])
    turns = game.turns
    yield Picture(lambda _: _boards_page(turns, game.hidden), tuple(map(_row, turns)))
    yield Line(f"{' '.join(game.guesses)} - {end}")
    if game.strategy == "random":
        yield Line(f"seed {game.seed}")


def analysis(analysis: Analysis) -> Iterator[Part]:
    """Yield each guess with its cost, and the best guess if it is another one."""
    turns = analysis.turns
    end = "Won in" if all(_solved_at(turns)) else "Not won in"
    yield Title(f"{end} {len(turns)} guess{'es' * (len(turns) != 1)}")
    yield from _notes(analysis.variant, analysis.widened)
    yield Picture(lambda _: _judged_page(analysis), (_judgements(analysis),))


def judgement(judgement: Judgement) -> Iterator[Part]:
    """Yield a guess with its cost, and the best guess if it is another one."""
    yield _judgements([judgement])


def simulation(simulation: Simulation) -> Iterator[Part]:
    """Yield the strategies side by side, their distributions, and a comparison with the last on the same games."""
    names, last = simulation.strategies, len(simulation.strategies) - 1
    yield Title(f"{counted(simulation.count, 'game')} of {counted(simulation.boards, 'board')}")
    yield from _notes(simulation.variant, [])
    yield Line(
        f"{counted(simulation.count, 'game')}, {counted(simulation.boards, 'board')}, at most {simulation.max_guesses} "
        f"guesses, seed {simulation.seed}{_weights_text(simulation.variant)}; {CONFIDENCE:.0%} confidence intervals"
    )
    rows = simulation.rows
    yield Table(
        ["strategy", "won %", "", "guesses", "solved at"],
        [
            (row.strategy, _percent(row.rate.mean), _range(row.rate), _with_error(row.mean), _number(row.board_turn))
            for row in rows
        ],
        "strategies",
    )
    yield Line("games by number of guesses")
    turns = [t for t in range(1, simulation.max_guesses + 1) if any(simulation.outcomes(i)[t] for i in range(last + 1))]
    yield Table(
        ["strategy", *map(str, turns), "lost"],
        [(name, *(int(simulation.outcomes(i)[t]) for t in (*turns, 0))) for i, name in enumerate(names)],
        "games by number of guesses",
    )
    if len(names) > 1:
        yield Line(f"{names[-1]} on the same games: how many more it wins, and guesses saved where both win")
        yield Table(
            ["than", "won %", "", "guesses"],
            [
                (row.strategy, _percent(row.wins_less.mean), _range(row.wins_less), _with_error(row.guesses_more))
                for row in rows
                if row.wins_less is not None and row.guesses_more is not None
            ],
            f"{names[-1]} on the same games",
        )
    if not simulation.complete:
        yield Note(f"stopped at the time limit after {counted(simulation.count, 'game')}")


def simulate_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a simulation."""
    return report.Progress("games played", value("count"), quiet)


def variant(variant: Variant) -> Iterator[Part]:
    """Yield the number of words that can be hidden and guessed, with the names of their lists."""
    yield Line(f"answers: {len(variant.answers):,} ({variant.answer_list or 'given'})")
    yield Line(f"guesses: {len(variant.guesses):,} ({variant.guesses.name or 'given'})")
    if variant.weights is not None:
        yield Line(f"weights: {variant.weights.name or 'given'}")


def remaining(suggestions: Suggestions) -> Iterator[Line]:
    """Yield the words that remain on each open board, and the chance that it hides an unpublished one."""
    closed, unpublished = suggestions.closed, suggestions.unpublished
    for board, words in enumerate(suggestions.remaining, 1):
        more = " ..." if len(words) > LISTED else ""
        listed = f"{len(words):,} left: {' '.join(words[:LISTED])}{more}" if words else "solved"
        if words and unpublished is not None and unpublished[board - 1] >= NOTED:
            listed += f" ({100 * unpublished[board - 1]:.0f} %: not in the published list)"
        yield Line(f"board {board}: {'not open' if board in closed else listed}")


def ratings(rows: Sequence[Rating]) -> Table:
    """Return guesses with their costs, solved boards and information, and the results of playouts if there are any."""
    with_mean, with_chance = (
        any(value is not None for value in column) for column in zip(*map(_ends, rows), strict=True)
    )
    return Table(
        ["guess", *["mean"] * with_mean, *["chance %"] * with_chance, "cost", "solves", "bits"],
        [
            (
                row.guess,
                *[_mean(row)] * with_mean,
                *[_chance(row)] * with_chance,
                f"{row.cost:.3f}",
                f"{row.solves:.3f}",
                f"{row.bits:.3f}",
            )
            for row in rows
        ],
        "guesses, the best first",
    )


def _ends(row: Rating) -> tuple[float | None, float | None]:
    """Return what playouts say about a guess."""
    return row.mean, row.chance


def unknown_notes(guesses: Sequence[str], words: WordList) -> Iterator[str]:
    """Yield a note for each guess that is not in the list of guesses."""
    from gpusolve.games.wordle.weights.mistakes import unknown_words

    return unknown_words(guesses, words)


def widening_note(variant: Variant, boards: Sequence[int]) -> str:
    """Return the note that no listed answer fits some boards.

    >>> from gpusolve.games.quordle import Variant
    >>> widening_note(Variant.load(), [2])
    'board 2: the word is none of the 2,315 answers, so all 12,972 words that can be guessed count as possible there'
    """
    chances = "" if variant.weights is None else ", and words that are not listed share one percent of the weight"
    return (
        f"board {' and '.join(map(str, boards))}: the word is none of the {len(variant.answers):,} answers, so all "
        f"{len(variant.guesses):,} words that can be guessed count as possible there{chances}"
    )


def _notes(variant: Variant, widened: Sequence[int]) -> Iterator[Note]:
    """Yield what a reader should know about the lists by which guesses are judged."""
    if variant.exact_weights is False:
        yield Note("the weights have too many digits to be used exactly, so they were rounded to a sum of 2^30")
    if widened:
        yield Note(widening_note(variant, widened))


def _weights_text(variant: Variant) -> str:
    """Return that hidden words are drawn by weight, and the name of the list of weights."""
    weights = variant.weights
    return "" if weights is None else f", hidden words drawn by {weights.name or 'weight'}"


def _percent(rate: float) -> str:
    return f"{100 * rate:.3f}"


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"


def _with_error(interval: Interval) -> str:
    """Return a mean and half the width of its confidence interval."""
    half = "" if math.isnan(interval.low) else f" ± {(interval.high - interval.low) / 2:.4f}"
    return _number(interval.mean) + half


def _range(interval: Interval) -> str:
    return f"{_percent(interval.low)} to {_percent(interval.high)}"


def _mean(row: Rating) -> str:
    return "" if row.mean is None else f"{row.mean:.2f}"


def _chance(row: Rating) -> str:
    return "" if row.chance is None else f"{100 * row.chance:.1f}"


def _judgements(judgements: Sequence[Judgement]) -> Table:
    return Table(
        ["guess", "mean", "cost", "solves", "bits", "best", "its mean", "its cost", "words left"],
        [
            (
                judgement.made.guess,
                _mean(judgement.made),
                f"{judgement.made.cost:.3f}",
                f"{judgement.made.solves:.3f}",
                f"{judgement.made.bits:.3f}",
                *_better(judgement),
                " ".join(str(n) if n else "-" for n in judgement.left),
            )
            for judgement in judgements
        ],
        "guesses",
    )


def _better(judgement: Judgement) -> tuple[str, str, str]:
    best = judgement.best
    return ("", "", "") if best.guess == judgement.made.guess else (best.guess, _mean(best), f"{best.cost:.3f}")


def _row(turn: Turn) -> Verbatim:
    """Return a guess with the patterns of the boards, in colours if there are any."""
    boards = ["" if code is None else pattern_text(code, length_of(turn.guess)) for code in turn.patterns]
    while not boards[-1]:  # solved or closed boards at the end of the line need no room
        del boards[-1]
    return Verbatim(f"{turn.guess}  {'  '.join(_painted(turn.guess, marks) for marks in boards)}")


def _painted(guess: str, marks: str) -> str:
    """Return the letters of a guess in the colours of a pattern, or blanks for a solved board.

    Without colours, a green letter is in upper case, a yellow one in lower case, and a grey one is a dash.
    """
    if not marks:
        return " " * length_of(guess)
    colours = [report.COLOURS[COLOUR_OF[mark]] for mark in marks]
    letters = letters_of(guess)
    plain = "".join(
        "-" if mark == "-" else letter.upper() if mark == "g" else letter
        for mark, letter in zip(marks, letters, strict=True)
    )
    return report.painted(zip([letter.upper() for letter in letters], colours, strict=True), plain)


def _boards_page(turns: Sequence[Turn], hidden: Sequence[str]) -> Markup:
    return page.fill(TEMPLATE, boards=_boards(turns, hidden), judgements=[], about=[])


def _judged_page(game: Analysis) -> Markup:
    after, given = [judgement.left for judgement in game.rows[1:]] + [game.left], len(game.given)
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
        for number, (judgement, turn, left) in enumerate(
            zip(game.rows, game.turns[given:], after, strict=True), given + 1
        )
    ]
    words = game.variant.answers
    about = [("answers", f"{len(words):,}" + (f" ({words.name})" if words.name else ""))]
    if game.variant.weights is not None:
        about.append(("weights", game.variant.weights.name or "given"))
    return page.fill(TEMPLATE, boards=_boards(game.turns, game.hidden), judgements=judgements, about=about)


def _boards(turns: Sequence[Turn], hidden: Sequence[str]) -> list[dict[str, Any]]:
    """Return the boards, each with the guesses that were made until it was solved."""
    boards = []
    for board, solved in enumerate(_solved_at(turns)):
        codes = [(turn.guess, turn.patterns[board]) for turn in turns]
        end = f"solved with guess {solved}" if solved else f"not solved: {hidden[board].upper()}"
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
