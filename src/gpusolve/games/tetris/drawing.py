"""Pictures of games and suggestions: boards in the terminal, tables, and a page that plays a game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby, zip_longest
from pathlib import Path

from gpusolve.errors import plain
from gpusolve.games.tetris._review import Judgement, Review
from gpusolve.games.tetris._suggest import Suggestion, Suggestions
from gpusolve.games.tetris.measuring.prospects import AHEAD, Prospect
from gpusolve.games.tetris.recording import Recording, tetris_rate
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    MAX_LINES,
    PIECES,
    ROWS,
    Board,
    Cells,
    State,
    cells_of,
    player_place,
)
from gpusolve.games.tetris.variant import Variant
from gpusolve.output import report

FEATURES = {"holes": 4, "rows": 10, "cols": 9, "wells": 2, "max h": 12, "surface": 16}
"""The features that are shown with a suggestion, by their numbers."""
HIDDEN = 2  # rows above those that a player sees
COLOURS = {
    "I": "dark_turquoise",
    "L": "orange1",
    "J": "dodger_blue1",
    "T": "medium_orchid",
    "Z": "indian_red1",
    "S": "green3",
    "O": "khaki1",
    "#": "grey50",
}
"""Rich's names of the pieces' colours; "#" is a cell of an unknown piece."""


def played_under(variant: Variant) -> str:
    """Describe the variant in words."""
    words = [variant.reach, variant.source, f"start level {variant.start_level}"]
    if variant.max_lines != MAX_LINES:
        words.append(f"{variant.max_lines} lines")
    if variant.delay_ms:
        words.append(f"next piece known after {variant.delay_ms} ms")
    if variant.double_killscreen:
        words.append("double killscreen")
    return ", ".join(words)


# --- games ------------------------------------------------------------------------------------------------------------


def show_game(recording: Recording, speed: float) -> None:
    """Show a game move by move if stdout is a terminal, and then its end in a line."""
    report.animate(frames(recording), 1 / speed)
    about = f"{recording.player}, {recording.policy}, seed {recording.seed}, game {recording.game}"
    report.text(f"{about}: {recording.summary}")


def frames(recording: Recording) -> Iterator[str]:
    """Yield a drawing of the board for each turn, with the numbers beside it; it has colours if stdout has."""
    letters = [["#" if cell else " " for cell in row] for row in recording.first_board.tolist()]  # of the cells' pieces
    first = recording.first_lines
    score, lines, level, tetrises = 0, first, recording.variant.level_at(first), 0
    for number, turn in enumerate(recording.turns):
        following = PIECES[recording.turns[number + 1].piece] if number + 1 < len(recording.turns) else "-"
        cells = cells_of(turn.piece, turn.state)
        beside = [
            f"next   {following}",
            f"score  {score:,}",
            f"lines  {lines}",
            f"level  {level}",
            f"tetris {tetris_rate(tetrises, lines - first)}",
            f"piece  {number + 1}",
        ]
        if recording.prospects:
            tetris, risk = _chances(recording.prospects[number])
            beside += ["", f"in {AHEAD} pieces", f"tetris {tetris} %", f"end    {risk} %"]
        for row, column in cells:
            letters[row][column] = PIECES[turn.piece]
        drawn = _drawn(letters, cells)[HIDDEN:]
        drawn = [f"|{row}|  {text:<20}" for row, text in zip_longest(drawn, beside, fillvalue="")]
        yield "\n".join(drawn)
        letters = [row for row in letters if " " in row]
        letters = [[" "] * COLUMNS for _ in range(ROWS - len(letters))] + letters
        score, lines, level, tetrises = turn.score, turn.lines, turn.level, tetrises + (turn.cleared == 4)


def _drawn(letters: list[list[str]], cells: Cells = (), empty: str = " ") -> list[str]:
    """Draw each row as a line, with two characters for a cell because characters are narrow.

    `letters` has a space for an empty cell, or else the letter of the cell's piece, or "#" for an unknown piece. The
    `cells` of the falling piece show its letter.
    """
    return [
        report.painted(
            (empty * 2, "bright_black")
            if letter == " "
            else (letter * 2, f"bold black on {COLOURS[letter]}")
            if (number, column) in cells
            else ("##", f"{COLOURS[letter]} on {COLOURS[letter]}")
            for column, letter in enumerate(row)
        )
        for number, row in enumerate(letters)
    ]


def report_page(path: Path, recording: Recording) -> None:
    """Print the name of the page and the end of its game in a line."""
    report.text(f"{plain(str(path))}: {recording.summary}")


# --- suggestions ------------------------------------------------------------------------------------------------------


def show_suggestions(suggestions: Suggestions, *, top: int) -> None:
    """Show the board with the best placement and the player's own, and a table of the `top` best placements."""
    best, mine, position = suggestions[0], suggestions.mine, suggestions.position
    shown = [best] if mine is None else [best, suggestions[mine]]
    boards = [_numbered(position.board, position.piece, suggestion.state) for suggestion in shown]
    if mine is not None:
        report.text("     ".join(f"{title:<{4 + 2 * COLUMNS}}" for title in ("best", "yours")).rstrip())
    for lines in zip(*boards, strict=True):
        report.text("     ".join(lines).rstrip())
    unit = "expected loss in points" if best.in_points else "less is better"
    report.text(f"best of {len(suggestions)} placements, {suggestions.player}: {unit}")
    played = next((suggestion.prospect.playouts for suggestion in suggestions if suggestion.prospect is not None), 0)
    chances = ("tetris %", "risk %") if played else ()
    planned = any(suggestion.when for suggestion in suggestions)
    rows = [
        (number, suggestion)
        for number, suggestion in enumerate(suggestions, 1)
        if number <= top or suggestion.mine or suggestion.when
    ]
    report.table(
        ["", "column", "turned", "row", *(["if next"] * planned), "value", *chances, "presses", "lines", *FEATURES],
        [
            (
                f"{number}" + " yours" * suggestion.mine,
                suggestion.column,
                suggestion.turned,
                suggestion.row,
                *(["".join(PIECES[then] for then in suggestion.when)] * planned),
                worth(suggestion),
                *(_chances(suggestion.prospect) if played else ()),
                presses_text(suggestion.presses),
                suggestion.cleared,
                *(suggestion.features[i] for i in FEATURES.values()),
            )
            for number, suggestion in rows
        ],
    )
    if played:
        report.text(
            f"tetris, risk: chance of a tetris and of topping out within {AHEAD} pieces, from {played:,} playouts"
        )
    if mine is not None:
        report.text(_judged(best, suggestions[mine], mine + 1, len(suggestions)))


def _numbered(board: Board, piece: int, state: State) -> list[str]:
    """Draw the board with a placement, with the rows numbered from the bottom and the columns below."""
    letters = [["#" if cell else " " for cell in row] for row in board.tolist()]
    cells = cells_of(piece, state)
    for row, column in cells:
        letters[row][column] = PIECES[piece]
    first = 0 if board[:HIDDEN].any() else HIDDEN
    lines = [f"{ROWS - i:>2} |{row}|" for i, row in enumerate(_drawn(letters, cells, "."))][first:]
    return [*lines, "    " + "".join(f"{column:<2}" for column in range(1, COLUMNS + 1)) + " "]


def _judged(best: Suggestion, mine: Suggestion, rank: int, count: int) -> str:
    """Compare the player's own placement with the best one."""
    position = f"yours is number {rank} of {count}"
    if rank == 1:
        return f"{position}: the best"
    if mine.loss is None:
        return f"{position}: {worth(mine)}, the best {worth(best)}"
    lost = f"{mine.loss:,.0f} points" if mine.in_points else f"{mine.loss:,.2f}"
    return f"{position}: {lost} worse than the best"


def _chances(prospect: Prospect | None) -> tuple[str, str]:
    """Format the chances of a tetris and of topping out, in per cent, each with its standard error."""
    if prospect is None:
        return "-", "-"
    return _percent(prospect.tetris, prospect.playouts), _percent(prospect.risk, prospect.playouts)


def _percent(fraction: float, draws: int) -> str:
    """Format a chance with its standard error after one more draw of each outcome, so that 0 of 100 is not certain."""
    likely = (fraction * draws + 1) / (draws + 2)
    return f"{100 * fraction:.0f} ± {100 * math.sqrt(likely * (1 - likely) / draws):.0f}"


def worth(suggestion: Suggestion) -> str:
    """Format what outweighs the value, or else the value."""
    if suggestion.in_points:
        return f"{suggestion.value:,.0f}"
    decisive = [name for name in ("tetris", "tetris_next", "stuck") if getattr(suggestion, name)]
    return ", ".join(decisive).replace("_", " ") or f"{suggestion.value:,.2f}"


def presses_text(presses: tuple[str, ...]) -> str:
    """Abbreviate presses; a repeated press is followed by its count."""
    short = {"left": "L", "right": "R", "down": "D", "clockwise": "A", "counter-clockwise": "B"}
    if any(":" in press for press in presses):
        return " ".join(f"{frame}:{short[press]}" for frame, _, press in (text.partition(":") for text in presses))
    runs = [(short[press], len(list(run))) for press, run in groupby(presses)]
    return " ".join(f"{letter}{count}" if count > 1 else letter for letter, count in runs)


# --- reviews ----------------------------------------------------------------------------------------------------------

JUDGED = ("number", "piece", "next", "place", "best", "rank", "loss", "lines", "tetris %", "risk %")
"""The columns of a table of reviewed placements; see `judged_row`."""


def show_review(review: Review, top: int) -> None:
    """Show every placement with its loss, and the `top` costliest ones with the best placement beside each."""
    report.table(JUDGED, [judged_row(each) for each in review.placements])
    report.text("place, best: column, turns, row; rank 1 is the best; loss in " + _unit(review))
    if any(each.prospect is not None for each in review.placements):
        report.text(f"tetris, risk: chance of a tetris and of topping out within {AHEAD} pieces")
    for each in review.costliest(top):
        board = review.boards[each.number - 1]
        report.text()
        report.text(f"placement {each.number}, {PIECES[each.piece]}: {lost_text(each, review)}")
        report.text("     ".join(f"{title:<{4 + 2 * COLUMNS}}" for title in ("best", "placed")).rstrip())
        for lines in zip(*(_numbered(board, each.piece, state) for state in (each.best, each.state)), strict=True):
            report.text("     ".join(lines).rstrip())
    report.text()
    report.text(f"rated by {review.player}, {played_under(review.variant)}: {review_summary(review)}")


def review_summary(review: Review) -> str:
    """Return the sum of a review in a line."""
    count, unit = len(review.placements), "points" if review.in_points else "of the player's units"
    placed = f"{count:,} placement{'s' * (count != 1)}, {review.best:,} of them the best"
    return f"{placed}, {review.total:,.0f} {unit} lost, {review.total / count:,.0f} a placement"


def judged_row(each: Judgement) -> tuple[str, ...]:
    """Return a reviewed placement as a row of a table; places are as players say them."""
    places = (",".join(map(str, player_place(each.piece, state))) for state in (each.state, each.best))
    return (
        f"{each.number:,}",
        PIECES[each.piece],
        "-" if each.following is None else PIECES[each.following],
        *places,
        f"{each.rank} of {each.count}",
        "decisive" if each.loss is None else f"{each.loss:,.0f}",
        f"{each.lines}",
        *_chances(each.prospect),
    )


def lost_text(each: Judgement, review: Review) -> str:
    """Say in a few words what a placement lost."""
    missed = ", a missed tetris" if each.missed else ""
    if each.loss is None:
        return "a tetris or a lost game" + missed
    if each.loss == 0:
        return "the best placement"
    return f"{each.loss:,.0f} {'points lost' if review.in_points else 'worse'}{missed}"


def _unit(review: Review) -> str:
    return "points" if review.in_points else "the player's unit"
