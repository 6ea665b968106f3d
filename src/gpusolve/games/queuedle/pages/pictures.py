"""Boards with their words lit up, and a page that goes from slide to slide."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.puzzles import DailyPuzzle, ScoredGame, ScoredPosition
from gpusolve.games.queuedle.rules import Position, Puzzle
from gpusolve.games.queuedle.searches import Solution
from gpusolve.output import page

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("game.html")
DIRECTIONS = {"l": ("to the left", "←"), "r": ("to the right", "→"), "u": ("up", "↑"), "d": ("down", "↓")}
"""Direction -> its words and its arrow."""


def picture(result: object) -> Markup:
    """Draw a result for a notebook."""
    match result:
        case ScoredGame():
            return _game(result)
        case Solution(boards=boards) if boards:
            return _search(result) + _game(boards)
        case ScoredPosition():
            return _game([result])
        case DailyPuzzle():
            return page.part("facts", [("day", f"{result.date}, {result.zone}")]) + picture(result.puzzle)
        case Puzzle() | Position():
            cells = [[(letter, "letter") for letter in row] for row in result.grid]
            return page.part("board", cells, _read(result.grid), "queuedle") + page.part(
                "facts", [("queue", result.queue or "empty")]
            )
        case _:
            return page.described(result)


def save_page(path: Path, boards: Sequence[ScoredPosition], solution: Solution | None = None, day: str = "") -> None:
    """Write a page that shows the board after each slide. Raises BadInput if it cannot be written.

    Parameters
    ----------
    path : Path
        The page to write.
    boards : sequence of ScoredPosition
        The board before the first slide and after each slide.
    solution : Solution, optional
        The search that led to the last board.
    day : str
        The day of the puzzle, if it has one.
    """
    moves = boards[-1].position.moves
    title = f"{_points(boards[-1].score)} after {len(moves)} slide{'s' * (len(moves) != 1)}"
    about = [("puzzle of", day)] if day else []
    about.append(("slides", rules.moves_text(moves) or "none"))
    if solution is not None:
        about.append(("search", _how(solution)))
    body = page.fill(TEMPLATE, steps=_steps(boards), controls=True, about=about)
    page.save(path, "Queuedle", title, body, scripts=(page.PLAYER, page.STEPS), data={"unit": "slide"})


def _game(boards: Sequence[ScoredPosition]) -> Markup:
    return page.fill(TEMPLATE, steps=_steps(boards), controls=False)


def _search(solution: Solution) -> Markup:
    return page.part("facts", [("score", str(solution.score)), ("search", _how(solution))])


def _how(solution: Solution) -> str:
    proven = ", exhaustive: no board scores more" if solution.proven else ""
    return f"{solution.strategy}, {solution.generated:,} boards scored{proven}"


def _steps(boards: Sequence[ScoredPosition]) -> list[dict[str, Any]]:
    """Return what the template shows of each board."""
    before: list[ScoredPosition | None] = [None, *boards]
    return [_step(earlier, board) for earlier, board in zip(before, boards, strict=False)]


def _step(before: ScoredPosition | None, board: ScoredPosition) -> dict[str, Any]:
    position, n = board.position, len(board.position.grid)
    marks = rules.marked(position.grid, board.words)
    rows = [[("", "edge")] * (n + 2) for _ in range(n + 2)]
    for i, row in enumerate(position.grid):
        for j, letter in enumerate(row):
            rows[i + 1][j + 1] = (letter, "green" if marks[i][j] else "letter")
    title = "Start"
    if position.moves:
        line, direction = position.moves[-1] // 4, rules.DIRECTIONS[position.moves[-1] % 4]
        words, arrow = DIRECTIONS[direction]
        entry = {"l": (line, n - 1), "r": (line, 0), "u": (n - 1, line), "d": (0, line)}[direction]
        edge = {"l": (line, n), "r": (line, -1), "u": (n, line), "d": (-1, line)}[direction]
        letter, kind = rows[entry[0] + 1][entry[1] + 1]
        rows[entry[0] + 1][entry[1] + 1] = (letter, f"{kind} entered")
        rows[edge[0] + 1][edge[1] + 1] = (arrow, "edge")
        title = f"{'Row' if direction in 'lr' else 'Column'} {line + 1} {words}, {letter.upper()} enters"
    gain = "" if before is None else f" ({board.score - before.score:+d})"
    earlier = None if before is None else [word.word for word in before.words]
    return {
        "title": title,
        "rows": rows,
        "label": _read(position.grid),
        "facts": [("score", f"{board.score}{gain}"), ("queue", position.queue or "empty")],
        "words": [(word.word, earlier is not None and word.word not in earlier) for word in board.words],
    }


def _read(grid: Sequence[str]) -> str:
    """Return the rows as text for screen readers."""
    return "board, rows from the top: " + ", ".join(" ".join(row) for row in grid)


def _points(score: int) -> str:
    return f"{score} point{'s' * (score != 1)}"
