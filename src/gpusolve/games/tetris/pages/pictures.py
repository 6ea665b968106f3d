"""Boards with placements, tables of results, and a page that plays a game."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpusolve.games.tetris._review import Judgement, Review
from gpusolve.games.tetris._suggest import Suggestion, Suggestions
from gpusolve.games.tetris.drawing import HIDDEN, JUDGED, judged_row, lost_text, played_under, presses_text, worth
from gpusolve.games.tetris.measuring._evaluate import Comparison, Evaluation
from gpusolve.games.tetris.measuring._match import Match
from gpusolve.games.tetris.measuring.prospects import AHEAD
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.players.weights import Weights
from gpusolve.games.tetris.recording import Recording, tetris_rate
from gpusolve.games.tetris.rules.board import COLUMNS, PIECES, ROWS, cells_of
from gpusolve.games.tetris.rules.features import FEATURES
from gpusolve.games.tetris.training._train import Training
from gpusolve.games.tetris.training._train_value import ValueTraining
from gpusolve.games.tetris.variant import Variant
from gpusolve.output import page

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("replay.html")
SCRIPT = Path(__file__).with_name("replay.js")
REVIEW = Path(__file__).with_name("review.html"), Path(__file__).with_name("review.js")
COSTLIEST = "the placements that lost most"
BINS = 12
"""Number of bars of a distribution of scores."""


def picture(result: object) -> Markup:
    """Draw a result for a notebook."""
    match result:
        case Recording():
            numbers = [*_numbers(result), *_about(result)]
            return _board(_end(result)) + page.part("facts", numbers)
        case Suggestions():
            return _suggestions(result)
        case Suggestion():
            place = f"column {result.column}, turned {result.turned}, row {result.row}"
            about = [("place", place), ("value", worth(result)), ("presses", presses_text(result.presses))]
            return page.part("facts", about)
        case Review():
            return page.part("facts", _about_review(result)) + _judged(result.costliest(page.MOST_ROWS), COSTLIEST)
        case Judgement():
            return page.described(result)
        case Evaluation():
            return _evaluation(result)
        case Comparison():
            low, high = result.interval
            about = [("difference", f"{result.difference.mean:,.0f}"), ("interval", f"{low:,.0f} to {high:,.0f}")]
            return page.part("facts", about) + picture(result.first) + picture(result.second)
        case Match():
            games = result.differences
            about = [("games", f"{len(games):,}"), ("difference", f"{result.difference.mean:,.0f}")]
            return page.part("facts", about) + _scores("games by our score less theirs", games)
        case Weights():
            about = [("name", result.name), ("about", result.about)]
            columns: dict[str, list[Any]] = {"feature": list(FEATURES), "weight": list(result.values)}
            return page.part("facts", about) + page.table("weights", columns)
        case Training():
            columns = {"feature": list(FEATURES), "weight": list(result.weights)}
            about = [("fitness", f"{result.fitness:,.2f}"), ("iterations", f"{result.iterations:,}")]
            return page.part("facts", about) + page.table("weights", columns)
        case LearnedValue():
            return page.part("facts", [("name", result.name), ("about", result.about)])
        case ValueTraining():
            about = [("iterations", f"{result.iterations:,}"), ("seed", str(result.seed))]
            return picture(result.value) + page.part("facts", about)
        case Variant():
            return page.part("facts", [("rules", played_under(result))])
        case _:
            return page.described(result)


def save_page(path: Path, recording: Recording) -> None:
    """Write a page that plays the game. Raises BadInput if it cannot be written."""
    turns = [
        [PIECES[turn.piece], cells_of(turn.piece, turn.state), turn.score, turn.lines, turn.level]
        for turn in recording.turns
    ]
    end = _end(recording)
    body = page.fill(TEMPLATE, rows=_rows(end), label=_read(end), numbers=_numbers(recording), about=_about(recording))
    start = {
        "board": [["filled" if cell else "" for cell in row] for row in recording.first_board.tolist()],
        "lines": recording.first_lines,
        "level": recording.variant.level_at(recording.first_lines),
    }
    data = {"turns": turns, "start": start, "hidden": HIDDEN}
    page.save(path, "NES Tetris", recording.summary, body, scripts=(page.PLAYER, SCRIPT), data=data)


def save_review(path: Path, review: Review, top: int) -> None:
    """Write a page that goes through a reviewed game. Raises BadInput if it cannot be written."""
    template, script = REVIEW
    placements = [
        [
            ["".join(".#"[cell] for cell in row) for row in board.tolist()],
            PIECES[each.piece],
            cells_of(each.piece, each.state),
            cells_of(each.piece, each.best),
            f"{each.number}, {PIECES[each.piece]}: {lost_text(each, review)}",
        ]
        for board, each in zip(review.boards, review.placements, strict=True)
    ]
    costliest = review.costliest(top)
    worst = costliest[0] if costliest else review.placements[0]
    letters = [["filled" if cell else "" for cell in row] for row in review.boards[worst.number - 1].tolist()]
    for row, column in cells_of(worst.piece, worst.best):
        letters[row][column] = "better"
    for row, column in cells_of(worst.piece, worst.state):
        letters[row][column] = f"{PIECES[worst.piece]} falling"
    body = page.fill(
        template,
        rows=_rows(letters),
        label=f"placement {placements[worst.number - 1][-1]}",
        about=_about_review(review),
        costliest=[(each.number, f"{each.number}: {lost_text(each, review)}") for each in costliest],
        curves=_curves(review),
        curves_label=f"chances within {AHEAD} pieces after each of {len(placements):,} placements",
        ahead=AHEAD,
        table=_judged(costliest, COSTLIEST) + _judged(list(review.placements), "all placements"),
    )
    data = {"placements": placements, "hidden": HIDDEN}
    title = f"{len(placements):,} placements reviewed by {review.player}"
    page.save(path, "NES Tetris", title, body, scripts=(page.PLAYER, script), data=data)


def _about_review(review: Review) -> list[tuple[str, str]]:
    unit = "points lost" if review.in_points else "lost, in the player's unit"
    return [
        ("rated by", review.player),
        ("rules", played_under(review.variant)),
        ("placements", f"{len(review.placements):,}"),
        ("the best one", f"{100 * review.best / len(review.placements):.0f} %"),
        (unit, f"{review.total:,.0f}"),
        ("a placement", f"{review.total / len(review.placements):,.0f}"),
    ]


def _judged(placements: list[Judgement], title: str) -> Markup:
    """Draw a table of placements with what each lost."""
    rows = [judged_row(each) for each in placements]
    return page.part("table", title, list(JUDGED), rows)


def _curves(review: Review) -> list[tuple[str, str]]:
    """Return the chances along the game as points of two lines, 1000 wide and 200 high; none without playouts."""
    chances = [each.prospect for each in review.placements if each.prospect is not None]
    if len(chances) < 2:
        return []

    def points(name: str) -> str:
        heights = (200 * (1 - getattr(chance, name)) for chance in chances)
        return " ".join(f"{1000 * (i + 1) / len(chances):.1f},{y:.1f}" for i, y in enumerate(heights))

    return [("tetris", points("tetris")), ("risk", points("risk"))]


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
        ("rules", played_under(recording.variant)),
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


def _rows(letters: list[list[str]]) -> list[list[tuple[str, str]]]:
    """Return the cells that a player sees, without text."""
    return [[("", letter) for letter in row] for row in letters[HIDDEN:]]


def _board(letters: list[list[str]]) -> Markup:
    return page.part("board", _rows(letters), _read(letters), "tetris")


def _read(letters: list[list[str]]) -> str:
    """Return the board as text for screen readers."""
    columns = zip(*letters, strict=True)
    heights = [next((ROWS - row for row, letter in enumerate(column) if letter), 0) for column in columns]
    return f"board; heights of the columns: {' '.join(map(str, heights))}"


def _suggestions(suggestions: Suggestions) -> Markup:
    """Draw the board with the best placement, and a table of the best ones."""
    best, piece = suggestions[0], suggestions.position.piece
    letters = [["filled" if cell else "" for cell in row] for row in suggestions.position.board.tolist()]
    for row, column in cells_of(piece, best.state):
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
    return _board(letters) + page.table("placements, the best first", columns, len(suggestions))


def _evaluation(evaluation: Evaluation) -> Markup:
    score, lines = evaluation.score, evaluation.lines
    about = [
        ("player", str(evaluation.player.name)),
        ("policy", evaluation.policy.name),
        ("games", f"{len(evaluation.scores):,}, seed {evaluation.seed}"),
        ("mean score", f"{score.mean:,.0f} ± {score.error:,.0f}"),
        ("lines", f"{lines.mean:.1f} ± {lines.error:.1f}"),
        ("tetris rate", f"{evaluation.tetris_rate.mean:.1f} %"),
    ]
    return page.part("facts", about) + _scores("games by score", evaluation.scores)


def _scores(title: str, scores: npt.NDArray[Any]) -> Markup:
    counts, edges = np.histogram(scores, BINS)
    names = [f"{low:,.0f} to {high:,.0f}" for low, high in pairwise(edges)]
    return page.part("bars", title, names, counts.tolist())
