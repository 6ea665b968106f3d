"""What is drawn: boards, moves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from gpusolve import files, report
from gpusolve.errors import plain
from gpusolve.games.sliding.automata import Automaton
from gpusolve.games.sliding.boards import Board, draw
from gpusolve.games.sliding.verdicts import Verdict

PAGE = Path(__file__).with_name("show.html")


def show_board(board: Board) -> None:
    """The board as a grid."""
    report.text(draw(board))


def show_verdict(verdict: Verdict) -> None:
    """Where the moves led, and whether that is the goal."""
    show_board(verdict.boards[-1])
    report.text(summary(verdict))


def summary(verdict: Verdict) -> str:
    """How many moves there are, and whether they lead to the goal."""
    end, count = verdict.boards[-1], len(verdict.moves)
    return f"{count} move{'s' * (count != 1)}: " + ("solved" if verdict.solves else f"not the goal, {end.goal}")


def animate(verdict: Verdict, speed: float) -> None:
    """The boards, one over the other where stdout is a terminal; then whether the goal was reached."""
    report.animate(frames(verdict), 1 / speed)
    report.text(summary(verdict))


def frames(verdict: Verdict) -> Iterator[str]:
    """Each board as text, coloured if stdout is: the tile that has moved, tiles that are home, others."""
    names = ["", *(f"{move}, tile {tile}" for move, tile in zip(verdict.moves, verdict.tiles, strict=True))]
    moved = [0, *verdict.tiles]
    for number, (board, tile, name) in enumerate(zip(verdict.boards, moved, names, strict=True)):
        lines = [
            report.painted((f"{one or '':>3} ", _style(board, i + j, tile)) for j, one in enumerate(row))
            for i, row in ((i, board.tiles[i : i + board.columns]) for i in range(0, board.cells, board.columns))
        ]
        yield "\n".join([*lines, f"{number} of {len(verdict.moves)} moves{': ' * bool(name)}{name:<12}"])


def _style(board: Board, cell: int, moved: int) -> str:
    tile = board.tiles[cell]
    if not tile:
        return "on grey7"
    background = "dark_goldenrod" if tile == moved else "green4" if tile == board.solved[cell] else "grey37"
    return f"bold bright_white on {background}"


def save_page(path: Path, verdict: Verdict) -> None:
    """Writes a page that plays the moves and needs nothing else. Raises BadInput where it cannot be written."""
    board = verdict.boards[0]
    blanks = {
        "about": f"{board.rows}x{board.columns}, {summary(verdict)}",
        "columns": str(board.columns),
        "tiles": json.dumps(board.tiles),
        "solved": json.dumps(board.solved),
        "moves": json.dumps(verdict.moves),
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda blank: blanks[blank[1]], PAGE.read_text(encoding="utf-8"))
    files.write(path, page, "page")


def page_written(path: Path, verdict: Verdict) -> None:
    """Says so in a line."""
    report.text(f"{plain(str(path))}: {summary(verdict)}")


def show_automaton(found: Automaton, factor: float, factors: Sequence[float], seconds: float) -> None:
    """What it forbids, what that leaves, and where it is kept."""
    kind = "each start square" if found.choice == "square" else f"any start square, choice {found.choice}"
    report.text(f"{found.rows}x{found.columns}, strings of up to {found.depth} moves, for {kind}, in {seconds:.1f} s")
    report.text(f"{found.count:,} strings, {found.states:,} states")
    both = " x ".join(f"{one:.5f}" for one in factors)
    report.text(f"branching factor {factor:.5f}, the square root of {both}")
    report.text(plain(str(found.path)))
