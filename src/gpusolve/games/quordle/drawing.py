"""What ``gpusolve quordle`` draws, and the rows of its tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle.rules import LETTERS, pattern_text
from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.games.quordle._play import Judged, Row
    from gpusolve.games.quordle._simulate import Estimate, Simulation
    from gpusolve.games.quordle.rules import Game, Turn

CONFIDENCE = 0.99
COLOUR_OF = {"-": "grey", "y": "yellow", "g": "green"}
LISTED = 12
"""Of the words that are left on a board, so many are listed."""


def rows(found: Simulation) -> list[dict[str, Any]]:
    """A row for each strategy: wins, guesses, and how it compares with the last one on the same games."""
    last = len(found.strategies) - 1
    rows = []
    for i, strategy in enumerate(found.strategies):
        row: dict[str, Any] = {
            "strategy": strategy,
            "won": found.won(i),
            "rate": _fields(found.rate(i)),
            "mean": _fields(found.mean(i)),
            "board_turn": _fields(found.board_turn(i))["mean"],
            "distribution": found.distribution(i),
            "lost": list(found.lost[i]),
        }
        if i != last:
            row["wins_less"] = _fields(found.difference(i, last))
            row["guesses_more"] = _fields(found.fewer(i, last))
        rows.append(row)
    return rows


def _fields(found: Estimate) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in vars(found).items()}


def show_simulation(found: Simulation) -> None:
    """The strategies beside one another, their distributions, and each against the last on the same games."""
    report.text(
        f"{found.games:,} games, {found.boards} boards, {found.guesses} guesses, seed {found.seed}; "
        f"{CONFIDENCE:.0%} intervals"
    )
    names = found.strategies
    report.table(
        ["strategy", "won %", "", "guesses", "", "a board's turn"],
        [
            (
                name,
                f"{100 * found.rate(i).mean:.3f}",
                f"{100 * found.rate(i).low:.3f} to {100 * found.rate(i).high:.3f}",
                _number(found.mean(i).mean),
                f"{_number(found.mean(i).low)} to {_number(found.mean(i).high)}",
                _number(found.board_turn(i).mean),
            )
            for i, name in enumerate(names)
        ],
    )
    report.text("games by guesses")
    turns = [t for t in range(1, found.guesses + 1) if any(found.outcomes(i)[t] for i in range(len(names)))]
    report.table(
        ["strategy", *map(str, turns), "lost"],
        [(name, *(int(found.outcomes(i)[t]) for t in (*turns, 0))) for i, name in enumerate(names)],
    )
    if len(names) > 1:
        report.text(f"{names[-1]} on the same games: wins more, and guesses fewer where both win")
        report.table(
            ["than", "won %", "", "guesses", ""],
            [
                (
                    name,
                    f"{100 * wins.mean:.3f}",
                    f"{100 * wins.low:.3f} to {100 * wins.high:.3f}",
                    _number(fewer.mean),
                    f"{_number(fewer.low)} to {_number(fewer.high)}",
                )
                for i, name in enumerate(names[:-1])
                for wins, fewer in [(found.difference(i, len(names) - 1), found.fewer(i, len(names) - 1))]
            ],
        )


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"


def save_distributions(path: Path, found: Simulation) -> None:
    """How many of the games each strategy wins with how many guesses, as lines."""
    from gpusolve.output.plot import save_lines

    turns = range(found.boards, found.guesses + 1)
    lines: dict[str, list[float]] = {
        name: [100 * float(found.outcomes(i)[t]) / found.games for t in turns]
        for i, name in enumerate(found.strategies)
    }
    title = f"Quordle: {found.games:,} games, {found.boards} boards, {found.guesses} guesses"
    save_lines(path, list(turns), lines, title, "guesses", "% of the games")


def show_game(game: Game, turns: Sequence[Turn], seed: int | None) -> None:
    """The guesses with their patterns, then all of them on one line, as the article prints a game."""
    for turn in turns:
        boards = ["" if code is None else pattern_text(code) for code in turn.patterns]
        while not boards[-1]:  # boards that were solved before, at the end of the line
            del boards[-1]
        report.text(f"{turn.guess}  {'  '.join(map(_painted, boards))}")
    report.text(" ".join(game.guesses) + (f" - won in {len(game.guesses)}" if game.won else " - lost"))
    if seed is not None:
        report.text(f"seed {seed}")


def _painted(marks: str) -> str:
    """A pattern in its colours, or room for one."""
    return report.painted((mark, report.COLOURS[COLOUR_OF[mark]]) for mark in marks) if marks else " " * LETTERS


def show_remaining(remaining: Sequence[Sequence[str]]) -> None:
    """What is left on each board."""
    for board, words in enumerate(remaining, 1):
        more = " ..." if len(words) > LISTED else ""
        listed = f"{len(words):,} left: {' '.join(words[:LISTED])}{more}" if words else "solved"
        report.text(f"board {board}: {listed}")


def show_rows(rows: Sequence[Row]) -> None:
    """Guesses with what they cost, solve and tell, and how many the game takes with them where it was played out."""
    report.table(
        ["guess", "guesses", "cost", "solves", "bits"],
        [(row.guess, _mean(row), f"{row.cost:.3f}", f"{row.solves:.3f}", f"{row.bits:.3f}") for row in rows],
    )


def _mean(row: Row) -> str:
    return "" if row.mean is None else f"{row.mean:.2f}"


def show_analysis(found: Sequence[Judged]) -> None:
    """Each guess with its cost, and the best one where that is another."""
    report.table(
        ["guess", "guesses", "cost", "solves", "bits", "best", "guesses", "cost", "words left"],
        [
            (
                one.made.guess,
                _mean(one.made),
                f"{one.made.cost:.3f}",
                f"{one.made.solves:.3f}",
                f"{one.made.bits:.3f}",
                one.best.guess if one.best.guess != one.made.guess else "",
                _mean(one.best) if one.best.guess != one.made.guess else "",
                f"{one.best.cost:.3f}" if one.best.guess != one.made.guess else "",
                " ".join(str(n) if n else "-" for n in one.left),
            )
            for one in found
        ],
    )
