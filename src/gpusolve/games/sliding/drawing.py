"""What is drawn: boards, moves."""

from __future__ import annotations

from gpusolve import report
from gpusolve.games.sliding.boards import Board, draw
from gpusolve.games.sliding.verdicts import Verdict


def show_board(board: Board) -> None:
    """The board as a grid."""
    report.text(draw(board))


def show_verdict(verdict: Verdict) -> None:
    """Where the moves led, and whether that is the goal."""
    show_board(verdict.end)
    count = len(verdict.moves)
    plural = "s" * (count != 1)
    report.text(f"{count} move{plural}: " + ("solved" if verdict.solves else f"not the goal {verdict.end.goal}"))
