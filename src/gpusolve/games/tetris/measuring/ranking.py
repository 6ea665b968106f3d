"""The placements of a piece on one board, with what each is worth to a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players.player import Player
from gpusolve.games.tetris.players.ratings import Choices, Ratings
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    PIECES,
    ROWS,
    Board,
    State,
    can_spawn,
    cells_of,
    parse_board,
    parse_piece,
    player_place,
)
from gpusolve.games.tetris.variant import Variant


class Ranking(NamedTuple):
    """The placements of a piece on a board, in the order of their numbers."""

    states: list[State]
    after: kernels.Boards
    """The boards after the placements, (n, 10)."""
    cleared: npt.NDArray[np.uint8]
    """The lines that the placements clear."""
    features: npt.NDArray[np.int32]
    """The features of the boards, (n, 17)."""
    ratings: Ratings
    decisive: npt.NDArray[np.int64]
    """What outweighs the value, less is better; 0 for values in points."""
    order: list[int]
    """The placements from the best to the worst."""


def rank(
    board: Board,
    piece: int,
    following: int | None,
    *,
    player: Player,
    level: int,
    lines: int,
    variant: Variant,
    backend: Backend,
) -> Ranking:
    """Return the placements of a piece with their worth: together with the next piece, if that is known.

    Raises NoSolution if the piece cannot spawn, so that the game is over.
    """
    if not can_spawn(board, piece):
        raise NoSolution(f"{PIECES[piece]} cannot spawn: cells in rows 19 and 20 are filled, the game is over")
    placements = kernels.placements(
        backend,
        kernels.columns_of(board[None]),
        [piece],
        levels=level,
        reach=variant.reach,
        doubled=variant.double_killscreen,
        delay=variant.delay,
    )
    count = int(placements.counts[0])
    states = [kernels.state_of(piece, int(placement)) for placement in placements.placements[0, :count]]
    after, cleared = placements.after[0, :count], placements.cleared[0, :count]
    lowest = [max(row for row, _ in cells_of(piece, state)) for state in states]
    features = kernels.features(backend, after, cleared, lowest)
    ratings = player.rate(backend, Choices(piece, following, after, cleared, features, level, lines), variant)
    decisive = ratings.stuck.astype(np.int64) - (cleared == 4) - ratings.tetris_next
    if player.in_points:
        decisive[:] = 0
    order = np.lexsort((np.arange(count), np.where(decisive == 1, 0, ratings.values), decisive)).tolist()
    return Ranking(states, after, cleared, features, ratings, decisive, order)


# --- positions as people give them ------------------------------------------------------------------------------------


def board_of(board: npt.ArrayLike | str) -> Board:
    """Return a board from text (`parse_board`) or an array. Raises BadInput for another shape and for a full row."""
    if isinstance(board, str):
        return parse_board(board)
    cells = kernels.in_range("board", board, 0, 1)
    if cells.shape != (ROWS, COLUMNS):
        raise BadInput(f"board of shape {cells.shape}: expected {ROWS} rows and {COLUMNS} columns")
    if cells.all(axis=1).any():
        raise BadInput(f"board, row {ROWS - int(cells.all(axis=1).argmax())}: full, the game would have removed it")
    return cells.astype(np.uint8)


def piece_of(name: str, piece: int | str) -> int:
    """Return the number of a piece from its number or its letter."""
    if isinstance(piece, str):
        return parse_piece(piece)
    checks.check_integer(name, piece, 0, len(PIECES) - 1)
    return int(piece)


def place_of(name: str, place: Sequence[int]) -> tuple[int, ...]:
    """Return a placement as players say it. Raise BadInput unless it is a column, turns, and perhaps a row."""
    if isinstance(place, str) or not isinstance(place, Sequence) or len(place) not in (2, 3):
        text = ",".join(map(str, place)) if isinstance(place, tuple) else str(place)
        raise BadInput(f"{name} {text[:40]}: expected column and turns, or column, turns and row, as in 4,1 or 4,1,3")
    for part, value, least, most in zip(("column", "turns", "row"), place, (1, 0, 1), (COLUMNS, 3, ROWS), strict=False):
        checks.check_integer(f"{name}: {part}", value, least, most)
    return tuple(place)


def state_at(name: str, place: tuple[int, ...], piece: int, states: list[State]) -> State:
    """Return the highest of the placements that `place` can mean. Raise BadInput if there is none."""
    positions = {player_place(piece, state): state for state in states}
    matches = [position for position in positions if position[: len(place)] == place]
    if matches:
        return positions[max(matches)]
    text, letter = ",".join(map(str, place)), PIECES[piece]
    rows = sorted({row for column, turned, row in positions if (column, turned) == place[:2]})
    if rows:
        raise BadInput(f"{name} {text}: expected row {_either(rows)} there")
    columns = sorted({column for column, turned, _ in positions if turned == place[1]})
    if columns:
        raise BadInput(f"{name} {text}: expected column {_either(columns)} for {letter} turned like that")
    turns = sorted({turned for _, turned, _ in positions})
    raise BadInput(f"{name} {text}: expected {_either(turns)} turns for {letter}")


def _either(numbers: list[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last
