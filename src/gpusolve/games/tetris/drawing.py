"""How games, suggestions and players look in the terminal, on pages and in notebooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import groupby, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.checks import check_number
from gpusolve.games.tetris._suggest import Suggestion, Suggestions
from gpusolve.games.tetris.measuring.prospects import AHEAD, Prospect
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.players.weights import Weights
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.recording import Recording, tetris_rate
from gpusolve.games.tetris.rules.board import COLUMNS, PIECES, ROWS, Board, Cells, State, cells_of
from gpusolve.games.tetris.rules.features import FEATURES
from gpusolve.games.tetris.variant import Variant
from gpusolve.output import page, report
from gpusolve.output.parts import Film, Line, Part, Picture, Table, Title

if TYPE_CHECKING:
    from markupsafe import Markup

SHOWN = {"holes": 4, "rows": 10, "cols": 9, "wells": 2, "max h": 12, "surface": 16}
"""The features that are shown with a suggestion, by their numbers."""
UNSEEN = 2  # rows above those that a player sees
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
SPEED = 8.0
TEMPLATE = Path(__file__).with_name("replay.html")
SCRIPT = Path(__file__).with_name("replay.js")


# --- games ------------------------------------------------------------------------------------------------------------


def recording(recording: Recording, *, speed: float = SPEED) -> Iterator[Part]:
    """Yield the moves of a game, and then its end.

    Parameters
    ----------
    speed : float, default 8
        Number of pieces per second in the terminal, 0.1 to 1,000.
    """
    check_number("speed", speed, 0.1, 1_000)
    about = f"{recording.player}, {recording.policy}, seed {recording.seed}, game {recording.game}"
    yield Title(recording.summary)
    yield Picture(
        lambda controls: _player(recording, controls),
        [Film(frames(recording), 1 / speed), Line(f"{about}: {recording.summary}")],
        scripts=(page.PLAYER, SCRIPT),
        data=lambda: _moves(recording),
    )


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
            tetris, risk = chances(recording.prospects[number])
            beside += ["", f"in {AHEAD} pieces", f"tetris {tetris} %", f"end    {risk} %"]
        for row, column in cells:
            letters[row][column] = PIECES[turn.piece]
        drawn = _drawn(letters, cells)[UNSEEN:]
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


def _player(recording: Recording, controls: bool) -> Markup:
    """Return the last board with the controls that play the game, or with its numbers where nothing moves."""
    end, numbers, about = _end(recording), _numbers(recording), _about(recording)
    if controls:
        return page.fill(TEMPLATE, rows=cells_on_page(end), label=read_board(end), numbers=numbers, about=about)
    return board_on_page(end) + page.part("facts", [*numbers, *about])


def _moves(recording: Recording) -> dict[str, Any]:
    """Return the turns as the script of the page takes them."""
    turns = [
        [PIECES[turn.piece], cells_of(turn.piece, turn.state), turn.score, turn.lines, turn.level]
        for turn in recording.turns
    ]
    start = {
        "board": [["filled" if cell else "" for cell in row] for row in recording.first_board.tolist()],
        "lines": recording.first_lines,
        "level": recording.variant.level_at(recording.first_lines),
    }
    return {"turns": turns, "start": start, "hidden": UNSEEN}


def _numbers(recording: Recording) -> list[tuple[str, str]]:
    """Return the numbers at the end of a game."""
    tetrises = sum(turn.cleared == 4 for turn in recording.turns)
    level, cleared = recording.variant.level_at(recording.lines), recording.lines - recording.first_lines
    return [
        ("score", f"{recording.score:,}"),
        ("lines", f"{recording.lines}"),
        ("level", f"{level}"),
        ("tetris rate", tetris_rate(tetrises, cleared)),
    ]


def _about(recording: Recording) -> list[tuple[str, str]]:
    """Return who played, and by which rules."""
    game = f"seed {recording.seed}, game {recording.game}"
    return [
        ("player", recording.player),
        ("policy", recording.policy),
        ("pieces", f"{len(recording.turns)} of {game}"),
        ("rules", recording.variant.summary),
    ]


def _end(recording: Recording) -> list[list[str]]:
    """Return the board after a game: for each cell the letter of its piece, "filled" from the start on, or nothing."""
    rows = [["filled" if cell else "" for cell in row] for row in recording.first_board.tolist()]
    for turn in recording.turns:
        for row, column in cells_of(turn.piece, turn.state):
            rows[row][column] = PIECES[turn.piece]
        rows = [row for row in rows if "" in row]
        rows = [[""] * COLUMNS for _ in range(ROWS - len(rows))] + rows
    return rows


# --- boards -----------------------------------------------------------------------------------------------------------


def cells_on_page(letters: list[list[str]]) -> list[list[tuple[str, str]]]:
    """Return the cells that a player sees, without text."""
    return [[("", letter) for letter in row] for row in letters[UNSEEN:]]


def board_on_page(letters: list[list[str]]) -> Markup:
    """Return a board as a page shows it; `letters` has the class of each cell."""
    return page.part("board", cells_on_page(letters), read_board(letters), "tetris")


def read_board(letters: list[list[str]]) -> str:
    """Return the board as text for screen readers."""
    columns = zip(*letters, strict=True)
    heights = [next((ROWS - row for row, letter in enumerate(column) if letter), 0) for column in columns]
    return f"board; heights of the columns: {' '.join(map(str, heights))}"


def beside(titles: list[str], boards: list[list[str]]) -> Iterator[Line]:
    """Yield boards side by side, with their titles if there are any."""
    if titles:
        yield Line("     ".join(f"{title:<{4 + 2 * COLUMNS}}" for title in titles).rstrip())
    for lines in zip(*boards, strict=True):
        yield Line("     ".join(lines).rstrip())


def numbered(board: Board, piece: int, state: State) -> list[str]:
    """Draw the board with a placement, with the rows numbered from the bottom and the columns below."""
    letters = [["#" if cell else " " for cell in row] for row in board.tolist()]
    cells = cells_of(piece, state)
    for row, column in cells:
        letters[row][column] = PIECES[piece]
    first = 0 if board[:UNSEEN].any() else UNSEEN
    lines = [f"{ROWS - i:>2} |{row}|" for i, row in enumerate(_drawn(letters, cells, "."))][first:]
    return [*lines, "    " + "".join(f"{column:<2}" for column in range(1, COLUMNS + 1)) + " "]


def position(position: Position) -> Iterator[Part]:
    """Yield the board, the pieces that are known, and the lines."""
    letters = [["filled" if cell else "" for cell in row] for row in position.board.tolist()]
    yield Picture(lambda controls: board_on_page(letters), [Line(str(position))])
    known = " ".join(PIECES[piece] for piece in position.pieces)
    yield Line(f"pieces {known}, {position.lines} lines, level {position.level}: {position.variant.summary}")


# --- suggestions ------------------------------------------------------------------------------------------------------


def suggestions(suggestions: Suggestions, *, top: int = 5) -> Iterator[Part]:
    """Yield the board with the best placement and the player's own, and a table of the best placements.

    Parameters
    ----------
    top : int, default 5
        Number of placements to show.
    """
    yield Picture(lambda controls: _suggestions_on_page(suggestions), [*_suggestions(suggestions, top)])


def _suggestions(suggestions: Suggestions, top: int) -> Iterator[Part]:
    """Yield what the terminal shows."""
    best, mine, position = suggestions[0], suggestions.mine, suggestions.position
    shown = [best] if mine is None else [best, mine.suggestion]
    boards = [numbered(position.board, position.piece, suggestion.state) for suggestion in shown]
    yield from beside([] if mine is None else ["best", "yours"], boards)
    unit = "expected loss in points" if best.in_points else "less is better"
    yield Line(f"best of {len(suggestions)} placements, {suggestions.player}: {unit}")
    played = next((suggestion.prospect.playouts for suggestion in suggestions if suggestion.prospect is not None), 0)
    titles = ("tetris %", "risk %") if played else ()
    times = _timing_titles(suggestions)
    planned = any(suggestion.when for suggestion in suggestions)
    own = 0 if mine is None else mine.rank
    rows = [
        (number, suggestion)
        for number, suggestion in enumerate(suggestions, 1)
        if number <= top or number == own or suggestion.when
    ]
    yield Table(
        ["", "column", "turned", "row", *(["if next"] * planned), "value", *titles, "presses", *times, "lines", *SHOWN],
        [
            (
                f"{number}" + " yours" * (number == own),
                suggestion.column,
                suggestion.turned,
                suggestion.row,
                *([suggestion.letters] * planned),
                worth(suggestion),
                *(chances(suggestion.prospect) if played else ()),
                presses_text(suggestion.presses),
                *_timing(suggestion)[: len(times)],
                suggestion.cleared,
                *(suggestion.features[i] for i in SHOWN.values()),
            )
            for number, suggestion in rows
        ],
        "placements",
    )
    if played:
        within = f"within {AHEAD} pieces, from {played:,} playouts"
        yield Line(f"tetris, risk: chance of a tetris and of topping out {within}")
    if "made %" in times:
        yield Line("value: expectation over the presses that are missed; made: chance that the piece gets there")
    if mine is not None:
        yield Line(_judged(best, mine.suggestion, mine.rank, len(suggestions)))
    if len(suggestions.plan) > 1 or suggestions.games:
        yield Line()
        yield plan(suggestions)
        if (total := _expected(suggestions)) is not None:
            yield Line(total)


def _timing_titles(suggestions: Suggestions) -> tuple[str, ...]:
    """Return the titles of the columns of `_timing`: only where presses have to be timed, and can be missed."""
    if suggestions.variant.reach in ("free", "das"):
        return ()
    return ("window", "made %") if suggestions.variant.miss else ("window",)


def _timing(suggestion: Suggestion) -> tuple[str, str]:
    """Format the frames of the narrowest window, and the chance that the piece gets there, in per cent."""
    return "-" if suggestion.window is None else str(suggestion.window), f"{100 * suggestion.made:.0f}"


def plan(suggestions: Suggestions) -> Table:
    """Return a table of where the piece goes with each next piece."""
    has_scores, played = suggestions.score is not None, suggestions.games
    worth = ("score to come",) if has_scores else ("value",)
    rows = [
        (
            each.letter,
            f"{100 * each.chance:.1f} %",
            *each.place,
            f"{each.value:,.2f}" if each.score is None else f"{each.score:,.0f}",
            *((_played(each.mean, each.deviation),) if played else ()),
        )
        for each in suggestions.plan
    ]
    titles = ["if next", "chance", "column", "turned", "row", *worth, *(("played to the end",) if played else ())]
    known = "its adjustment for" if suggestions.variant.delay else "the placement with"
    return Table(titles, rows, f"plan: {known} each next piece")


def _played(mean: float | None, deviation: float | None) -> str:
    """Format the points of games with their standard deviation."""
    if mean is None:
        return "-"
    return f"{mean:,.0f}" + ("" if deviation is None or math.isnan(deviation) else f" ± {deviation:,.0f}")


def _expected(suggestions: Suggestions) -> str | None:
    """Say what is still to come in the game."""
    if suggestions.score is None:
        return None
    known = suggestions.position.following
    after = "" if known is None else f" with {PIECES[known]}"
    text = f"score to come{after}: {suggestions.score:,.0f} expected"
    if suggestions.games:
        played = _played(suggestions.mean, suggestions.deviation)
        text += f"; {played} (standard deviation of a game) in {suggestions.games:,} games"
        text += " with each next piece" if known is None else ""
    return text


def _suggestions_on_page(suggestions: Suggestions) -> Markup:
    """Return the board with the best placement, and a table of the best ones."""
    best, piece = suggestions[0], suggestions.position.piece
    letters = [["filled" if cell else "" for cell in row] for row in suggestions.position.board.tolist()]
    for row, column in best.cells:
        letters[row][column] = f"{PIECES[piece]} falling"
    shown = suggestions[: page.MOST_ROWS]
    columns: dict[str, list[Any]] = {
        "column": [each.column for each in shown],
        "turned": [each.turned for each in shown],
        "row": [each.row for each in shown],
        "value": [worth(each) for each in shown],
        "lines": [each.cleared for each in shown],
        "presses": [presses_text(each.presses) for each in shown],
    }
    for number, title in enumerate(_timing_titles(suggestions)):
        columns[title] = [_timing(each)[number] for each in shown]
    found = board_on_page(letters) + page.table("placements, the best first", columns, len(suggestions))
    if len(suggestions.plan) > 1 or suggestions.games:
        found += page.drawn([plan(suggestions), *(Line(text) for text in [_expected(suggestions)] if text)])
    return found


def suggest_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of the games that are played to their end, for each piece that can be next."""
    return report.Progress("games", value("games") * (1 if value("following") else 7), quiet)


def suggestion(suggestion: Suggestion) -> Iterator[Part]:
    """Yield where a placement is, its value, and the presses that reach it."""
    yield Line(f"column {suggestion.column}, turned {suggestion.turned}, row {suggestion.row}")
    yield Line(f"value {worth(suggestion)}, presses {presses_text(suggestion.presses)}")


def _judged(best: Suggestion, mine: Suggestion, rank: int, count: int) -> str:
    """Compare the player's own placement with the best one."""
    position = f"yours is number {rank} of {count}"
    if rank == 1:
        return f"{position}: the best"
    if mine.loss is None:
        return f"{position}: {worth(mine)}, the best {worth(best)}"
    lost = f"{mine.loss:,.0f} points" if mine.in_points else f"{mine.loss:,.2f}"
    return f"{position}: {lost} worse than the best"


def chances(prospect: Prospect | None) -> tuple[str, str]:
    """Format the chances of a tetris and of topping out, in per cent, each with its standard error."""
    if prospect is None:
        return "-", "-"
    return _percent(prospect.tetris_chance, prospect.playouts), _percent(prospect.risk, prospect.playouts)


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


# --- players and rules ------------------------------------------------------------------------------------------------


def weights(weights: Weights) -> Iterator[Part]:
    """Yield the name of a player, where its weights come from, and the weights."""
    yield Line(f"{weights.name}: {weights.about}")
    yield weights_table(weights.values)


def weights_table(values: tuple[float, ...]) -> Table:
    """Return a table of weights."""
    return Table(["feature", "weight"], [*zip(FEATURES, values, strict=True)], "weights")


def learned_value(value: LearnedValue) -> Iterator[Part]:
    """Yield the name of a player, and where its tables come from."""
    yield Line(f"{value.name}: {value.about}")


def variant(variant: Variant) -> Iterator[Part]:
    """Yield the rules."""
    yield Line(f"rules: {variant.summary}")
