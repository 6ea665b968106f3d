"""Boards of tiles, and a page that plays moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.sliding._verify import Verdict
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.drawing import summary, written
from gpusolve.games.sliding.heuristics._compare import Comparison
from gpusolve.games.sliding.search.solution import Solution
from gpusolve.output import page

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("show.html")
SCRIPT = Path(__file__).with_name("show.js")


def picture(result: object) -> Markup:
    """Draw a result for a notebook."""
    match result:
        case Board():
            return page.part("board", _rows(result), _read(result), "sliding")
        case Verdict():
            about = [("moves", result.moves or "none"), ("result", summary(result))]
            return picture(result.boards[0]) + page.part("facts", about) + picture(result.boards[-1])
        case Solution():
            return _solution(result)
        case Comparison():
            about = [("heuristic", result.heuristic), ("its value", str(result.estimate))]
            return page.part("facts", about) + picture(result.solution)
        case Databases():
            about = [("pattern databases", str(result.partition)), ("size", f"{result.steps.nbytes / 2**20:,.1f} MiB")]
            return page.part("facts", about)
        case _:
            return page.described(result)


def save_page(path: Path, verdict: Verdict) -> None:
    """Write a page that plays the moves. Raises BadInput if it cannot be written."""
    board = verdict.boards[0]
    data = {"columns": board.columns, "tiles": board.tiles, "solved": board.solved, "moves": verdict.moves}
    body = page.fill(TEMPLATE, rows=_rows(board), label=_read(board), moves=verdict.moves)
    title = f"{board.rows}x{board.columns}, {summary(verdict)}"
    page.save(path, "Sliding tiles", title, body, scripts=(page.PLAYER, SCRIPT), data=data)


def _rows(board: Board) -> list[list[tuple[str, str]]]:
    cells = [
        (str(tile), "green" if tile == goal else "grey") if tile else ("", "blank")
        for tile, goal in zip(board.tiles, board.solved, strict=True)
    ]
    return [cells[i : i + board.columns] for i in range(0, board.cells, board.columns)]


def _read(board: Board) -> str:
    """Return the rows as text for screen readers."""
    rows = [board.tiles[i : i + board.columns] for i in range(0, board.cells, board.columns)]
    return "board, rows from the top: " + ", ".join(" ".join(str(tile or "blank") for tile in row) for row in rows)


def _solution(solution: Solution) -> Markup:
    moves = "none" if solution.moves is None else f"{solution.length}: {written(solution) or '-'}"
    about = [
        ("moves", moves),
        ("optimal", "yes" if solution.proven else f"not proven; at least {solution.lower_bound}"),
        ("nodes expanded", f"{solution.expanded:,}"),
    ]
    columns: dict[str, list[Any]] = {
        name: [getattr(bound, name) for bound in solution.bounds] for name in ("bound", "expanded", "generated")
    }
    table = page.table("bounds searched", columns) if solution.bounds else page.part("facts", [])
    return picture(solution.board) + page.part("facts", about) + table
