"""Recorded games: the turns of a game, and the JSON file that keeps them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.tetris.measuring.prospects import Prospect
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    PIECES,
    ROWS,
    Board,
    State,
    Turn,
    fits,
    level_at,
    moved,
    place,
    points,
)
from gpusolve.games.tetris.variant import Variant
from gpusolve.notebook import as_html, as_text

SCHEMA = "gpusolve.tetris.game/1"


@dataclass(frozen=True)
class Recording:
    """A recorded game.

    Attributes
    ----------
    player : str
        The name of the player.
    policy : str
        The name of the policy.
    seed, game : int
        The seed of the pieces and the number of the game in it.
    variant : Variant
        The rules that the game was played by.
    turns : list of Turn
        The placements, with the lines and the score after each.
    prospects : tuple of Prospect
        For each turn, the chances of a tetris and of topping out by playouts; empty if there were none.
    """

    player: str
    policy: str
    seed: int
    game: int
    variant: Variant
    turns: list[Turn] = field(repr=False)
    prospects: tuple[Prospect, ...] = field(default=(), repr=False)

    _repr_html_ = as_html
    __repr__ = as_text

    @property
    def score(self) -> int:
        """The points at the end."""
        return self.turns[-1].score if self.turns else 0

    @property
    def lines(self) -> int:
        """The lines at the end."""
        return self.turns[-1].lines if self.turns else 0

    @property
    def boards(self) -> Iterator[tuple[Board, Board]]:
        """For each turn, the board after it and the board before it."""
        before = np.zeros((ROWS, COLUMNS), np.uint8)
        for turn in self.turns:
            after, _, _ = place(before, turn.piece, turn.state)
            yield after, before
            before = after

    @property
    def summary(self) -> str:
        """The end of the game in one line of text."""
        tetrises = sum(turn.cleared == 4 for turn in self.turns)
        counted = f"{tetrises} tetris{'es' * (tetrises != 1)} ({tetris_rate(tetrises, self.lines)})"
        return f"score {self.score:,}, {self.lines} lines, {counted}, {len(self.turns)} pieces"


def tetris_rate(tetrises: int, lines: int) -> str:
    """Return the percentage of lines that were cleared four at a time, as text."""
    return f"{100 * 4 * tetrises / lines:.0f} %" if lines else "-"


def save(path: Path, recording: Recording) -> None:
    """Save a game to a JSON file that `replay` reads. Raise BadInput if it cannot be written."""
    files.write(path, json.dumps({"schema": SCHEMA} | as_json(recording)) + "\n", "game")


def as_json(recording: Recording) -> dict[str, Any]:
    """Return the game as one object; each turn is [piece, orientation, row, column] of the box around its cells."""
    return {
        "player": recording.player,
        "policy": recording.policy,
        "seed": recording.seed,
        "game": recording.game,
        **vars(recording.variant),
        "score": recording.score,
        "lines": recording.lines,
        "turns": [[PIECES[turn.piece], *turn.state] for turn in recording.turns],
    }


def turns_of(states: list[tuple[int, State]], variant: Variant) -> list[Turn]:
    """Return the turns that place each piece in its state.

    Raises BadInput where a piece does not fit or does not rest on anything, and for turns after the game's last line.
    """
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    lines, score = 0, 0
    turns = []
    for number, (piece, state) in enumerate(states, 1):
        if lines >= variant.max_lines:
            raise BadInput(f"turn {number}: the game was over with {lines} lines")
        rests = not fits(board, piece, moved(state, 1, 0))
        if not fits(board, piece, state) or not rests:
            raise BadInput(f"turn {number}: {PIECES[piece]} cannot rest there")
        board, cleared, _ = place(board, piece, state)
        lines += cleared
        score += points(cleared, lines, variant.start_level)
        turns.append(Turn(piece, state, cleared, lines, score, level_at(lines, variant.start_level)))
    return turns
