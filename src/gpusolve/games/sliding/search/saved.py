"""The board of a checkpoint."""

from __future__ import annotations

from pathlib import Path

from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import Board
from gpusolve.runs import checkpoint


def board_of(resume: Path | None) -> Board:
    """Return the board of a checkpoint of `solve`. Raise BadInput if there is none."""
    if resume is None:
        raise BadInput("board: expected a board, or with resume the checkpoint of one")
    settings, _ = checkpoint.load(resume, "sliding.solve")
    return Board.parse(settings.text("board"), goal=settings.text("goal"))


def position(boards: list[Board], resume: Path) -> int:
    """Return the index of the board that a checkpoint belongs to. Raise BadInput if it is not there."""
    saved = board_of(resume)
    for number, board in enumerate(boards):
        if (str(board), board.goal) == (str(saved), saved.goal):
            return number
    raise BadInput(f"checkpoint {resume}: made with board {saved}, goal {saved.goal}, which is not among these boards")
