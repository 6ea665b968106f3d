"""The output of ``gpusolve quordle``: text, plots, and the rows of its tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.estimates import CONFIDENCE
from gpusolve.games.wordle.rules import length_of, letters_of, pattern_text
from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.estimates import Estimate
    from gpusolve.games.quordle._analyze import Judgement
    from gpusolve.games.quordle._simulate import Simulation
    from gpusolve.games.quordle.ratings import Rating
    from gpusolve.games.quordle.rules import Game, Turn
    from gpusolve.games.quordle.variant import Variant

COLOUR_OF = {"-": "grey", "y": "yellow", "g": "green"}
LISTED = 12
"""Number of remaining words of a board that are listed."""


def simulation_rows(simulation: Simulation) -> list[dict[str, Any]]:
    """Return a row for each strategy: wins, guesses, and a comparison with the last strategy on the same games."""
    last = len(simulation.strategies) - 1
    rows = []
    for i, strategy in enumerate(simulation.strategies):
        turn = simulation.board_turn(i)
        row: dict[str, Any] = {
            "strategy": strategy,
            "won": simulation.won(i),
            "rate": _interval_fields(simulation.rate(i), simulation.rate_interval(i)),
            "mean": _estimate_fields(simulation.mean(i)),
            "board_turn": None if math.isnan(turn) else turn,
            "distribution": simulation.distribution(i),
            "lost": list(simulation.lost[i]),
        }
        if i != last:
            row["wins_less"] = _estimate_fields(simulation.rate_gain(i, last))
            row["guesses_more"] = _estimate_fields(simulation.guesses_saved(i, last))
        rows.append(row)
    return rows


def _estimate_fields(estimate: Estimate) -> dict[str, float | None]:
    return _interval_fields(estimate.mean, estimate.interval())


def _interval_fields(mean: float, interval: tuple[float, float]) -> dict[str, float | None]:
    fields = dict(zip(("mean", "low", "high"), (mean, *interval), strict=True))
    return {name: None if math.isnan(value) else value for name, value in fields.items()}


def show_simulation(simulation: Simulation) -> None:
    """Print the strategies side by side, their distributions, and a comparison with the last on the same games."""
    names, last = simulation.strategies, len(simulation.strategies) - 1
    report.text(
        f"{simulation.games:,} games, {simulation.boards} boards, at most {simulation.max_guesses} guesses, "
        f"seed {simulation.seed}{_weights_text(simulation)}; {CONFIDENCE:.0%} confidence intervals"
    )
    report.table(
        ["strategy", "won %", "", "guesses", "solved at"],
        [
            (
                name,
                _percent(simulation.rate(i)),
                _range(simulation.rate_interval(i), _percent),
                _with_error(simulation.mean(i)),
                _number(simulation.board_turn(i)),
            )
            for i, name in enumerate(names)
        ],
    )
    report.text("games by number of guesses")
    turns = [t for t in range(1, simulation.max_guesses + 1) if any(simulation.outcomes(i)[t] for i in range(last + 1))]
    report.table(
        ["strategy", *map(str, turns), "lost"],
        [(name, *(int(simulation.outcomes(i)[t]) for t in (*turns, 0))) for i, name in enumerate(names)],
    )
    if len(names) > 1:
        report.text(f"{names[-1]} on the same games: how many more it wins, and guesses saved where both win")
        report.table(
            ["than", "won %", "", "guesses"],
            [
                (
                    name,
                    _percent(gain.mean),
                    _range(gain.interval(), _percent),
                    _with_error(saved),
                )
                for i, name in enumerate(names[:-1])
                for gain, saved in [(simulation.rate_gain(i, last), simulation.guesses_saved(i, last))]
            ],
        )


def _weights_text(simulation: Simulation) -> str:
    """Return that hidden words are drawn by weight, and the name of the list of weights."""
    weights = None if simulation.variant is None else simulation.variant.weights
    return "" if weights is None else f", hidden words drawn by {weights.name or 'weight'}"


def _percent(rate: float) -> str:
    return f"{100 * rate:.3f}"


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"


def _with_error(estimate: Estimate) -> str:
    """Return a mean and half the width of its confidence interval."""
    low, high = estimate.interval()
    return _number(estimate.mean) + ("" if math.isnan(low) else f" ± {(high - low) / 2:.4f}")


def _range(interval: tuple[float, float], text: Callable[[float], str]) -> str:
    return " to ".join(map(text, interval))


def save_distributions(path: Path, simulation: Simulation) -> None:
    """Plot the percentage of games that each strategy wins with each number of guesses, as lines."""
    from gpusolve.output.plot import save_lines

    turns = range(simulation.boards, simulation.max_guesses + 1)
    lines: dict[str, list[float]] = {
        name: [100 * float(simulation.outcomes(i)[t]) / simulation.games for t in turns]
        for i, name in enumerate(simulation.strategies)
    }
    title = f"Quordle: {simulation.games:,} games, {simulation.boards} boards, {simulation.max_guesses} guesses"
    save_lines(path, list(turns), lines, title, "guesses", "% of the games")


def show_game(game: Game, turns: Sequence[Turn], seed: int | None) -> None:
    """Print the guesses with their patterns, then all of them on one line, as the article prints a game."""
    for turn in turns:
        boards = ["" if code is None else pattern_text(code, length_of(turn.guess)) for code in turn.patterns]
        while not boards[-1]:  # solved or closed boards at the end of the line need no room
            del boards[-1]
        report.text(f"{turn.guess}  {'  '.join(_painted(turn.guess, marks) for marks in boards)}")
    report.text(" ".join(game.guesses) + (f" - won in {len(game.guesses)}" if game.won else " - lost"))
    if seed is not None:
        report.text(f"seed {seed}")


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


def widening_note(variant: Variant, boards: Sequence[int]) -> str:
    """Return the note that no listed answer fits some boards.

    >>> from gpusolve.games.quordle import Variant
    >>> widening_note(Variant.load(), [2])
    'board 2: the word is none of the 2,315 answers, so all 12,972 words of the dictionary count as possible there'
    """
    chances = "" if variant.weights is None else ", and words that are not listed share one percent of the weight"
    return (
        f"board {' and '.join(map(str, boards))}: the word is none of the {len(variant.answers):,} answers, so all "
        f"{len(variant.dictionary):,} words of the dictionary count as possible there{chances}"
    )


def rounding_note() -> str:
    """Return the note that the weights had to be rounded."""
    return "the weights have too many digits to be used exactly, so they were rounded to a sum of 2^30"


def list_fields(variant: Variant) -> dict[str, Any]:
    """Return the lists of a game as JSON values: of the words that can be hidden, and of their weights."""
    weights = variant.weights
    return {
        "answer_list": variant.answers.name,
        "weight_list": None if weights is None else weights.name,
        "exact_weights": None if weights is None else weights.exact,
    }


def show_remaining(remaining: Sequence[Sequence[str]], closed: Sequence[int] = ()) -> None:
    """Print the words that remain on each open board."""
    for board, words in enumerate(remaining, 1):
        if board in closed:
            report.text(f"board {board}: not open")
            continue
        more = " ..." if len(words) > LISTED else ""
        listed = f"{len(words):,} left: {' '.join(words[:LISTED])}{more}" if words else "solved"
        report.text(f"board {board}: {listed}")


def show_ratings(rows: Sequence[Rating]) -> None:
    """Print guesses with their costs, solved boards and information, and the results of playouts if there are any."""
    with_chance = any(row.chance is not None for row in rows)
    report.table(
        ["guess", "mean", *["chance %"] * with_chance, "cost", "solves", "bits"],
        [
            (
                row.guess,
                _mean(row),
                *[_chance(row)] * with_chance,
                f"{row.cost:.3f}",
                f"{row.solves:.3f}",
                f"{row.bits:.3f}",
            )
            for row in rows
        ],
    )


def _mean(row: Rating) -> str:
    return "" if row.mean is None else f"{row.mean:.2f}"


def _chance(row: Rating) -> str:
    return "" if row.chance is None else f"{100 * row.chance:.1f}"


def show_analysis(judgements: Sequence[Judgement]) -> None:
    """Print each guess with its cost, and the best guess if it is another one."""
    report.table(
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
    )


def _better(judgement: Judgement) -> tuple[str, str, str]:
    best = judgement.best
    return ("", "", "") if best.guess == judgement.made.guess else (best.guess, _mean(best), f"{best.cost:.3f}")
