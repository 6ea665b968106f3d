"""Recorded games: the turns of a game, and the JSON file that keeps them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import chain, islice
from pathlib import Path

import numpy as np

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.tetris.measuring.prospects import Prospect
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    PIECES,
    ROWS,
    Board,
    State,
    Turn,
    fits,
    moved,
    place,
    points,
)
from gpusolve.games.tetris.rules.sources import pieces
from gpusolve.games.tetris.variant import Variant
from gpusolve.result import FLAT, HIDDEN, Result, reported, written

SCHEMA = "gpusolve.tetris.game/1"
RULES = [rule.name for rule in fields(Variant)]
FILED = ("player", "policy", "seed", "game", *RULES, "start", "score", "lines", "turns")
"""What the file of a game has."""


@dataclass(frozen=True, repr=False)
class Recording(Result):
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
        The placements, with the lines and the score after each. In JSON each is [piece, orientation, row, column] of
        the box around its cells.
    prospects : tuple of Prospect
        For each turn, the chances of a tetris and of topping out by playouts; empty if there were none.
    start : Position or None
        The position that the game started from, if that was not the empty board.
    """

    player: str
    policy: str
    seed: int
    game: int
    variant: Variant = field(metadata=FLAT)
    turns: list[Turn] = field(repr=False, metadata=written("placed"))
    prospects: tuple[Prospect, ...] = field(default=(), repr=False, metadata=HIDDEN)
    start: Position | None = None

    @property
    def placed(self) -> list[tuple[str, int, int, int]]:
        """For each turn the letter of the piece, and the orientation, row and column of the box around its cells."""
        return [(PIECES[turn.piece], *turn.state) for turn in self.turns]

    @reported
    def score(self) -> int:
        """The points at the end."""
        return self.turns[-1].score if self.turns else 0

    @reported
    def lines(self) -> int:
        """The lines at the end."""
        return self.turns[-1].lines if self.turns else self.first_lines

    @property
    def first_lines(self) -> int:
        """The lines at the start."""
        return 0 if self.start is None else self.start.lines

    @property
    def first_board(self) -> Board:
        """The board at the start."""
        return np.zeros((ROWS, COLUMNS), np.uint8) if self.start is None else self.start.board

    @property
    def drawn(self) -> Iterator[int]:
        """The pieces of the seed, which a game by `play` places one after the other."""
        return drawn_pieces(self.seed, self.game, self.variant, self.start)

    @property
    def boards(self) -> Iterator[tuple[Board, Board]]:
        """For each turn, the board after it and the board before it."""
        before = self.first_board
        for turn in self.turns:
            after, _, _ = place(before, turn.piece, turn.state)
            yield after, before
            before = after

    @property
    def summary(self) -> str:
        """The end of the game in one line of text."""
        tetrises = sum(turn.cleared == 4 for turn in self.turns)
        rate = tetris_rate(tetrises, self.lines - self.first_lines)
        counted = f"{tetrises} tetris{'es' * (tetrises != 1)} ({rate})"
        return f"score {self.score:,}, {self.lines} lines, {counted}, {len(self.turns)} pieces"

    def save(self, out: Path | None = None) -> None:
        """Save the game. Raises BadInput if the file cannot be written.

        Parameters
        ----------
        out : Path, optional
            Write the game to this JSON file, which `replay` reads.
        """
        if out is not None:
            content = self.to_json()
            kept = {name: content[name] for name in FILED if content[name] is not None}
            files.write(out, json.dumps({"schema": SCHEMA} | kept) + "\n", "game")


def tetris_rate(tetrises: int, lines: int) -> str:
    """Return the percentage of lines that were cleared four at a time, as text."""
    return f"{100 * 4 * tetrises / lines:.0f} %" if lines else "-"


def drawn_pieces(seed: int, game: int, variant: Variant, start: Position | None) -> Iterator[int]:
    """Yield the pieces of a game without end: those that its start shows, then those that the seed gives."""
    if start is None:
        return pieces(seed, game, variant.source)
    return chain(start.pieces, islice(pieces(seed, game, variant.source, after=start.pieces[-1]), 2, None))


def turns_of(states: list[tuple[int, State]], variant: Variant, start: Position | None = None) -> list[Turn]:
    """Return the turns that place each piece in its state, from the start of a game or from another position.

    Raises BadInput where a piece does not fit or does not rest on anything, and for turns after the game's last line.
    """
    board = np.zeros((ROWS, COLUMNS), np.uint8) if start is None else start.board
    lines, score = 0 if start is None else start.lines, 0
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
        turns.append(Turn(piece, state, cleared, lines, score, variant.level_at(lines)))
    return turns
