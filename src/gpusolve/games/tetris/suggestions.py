"""Suggestions for one board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.tetris import kernels, rules
from gpusolve.games.tetris.features import DECISIVE, fixed_point
from gpusolve.games.tetris.reachability import free_paths, timed_paths
from gpusolve.games.tetris.rules import Board, State
from gpusolve.games.tetris.weights import WeightsLike, load_weights

LEVEL = 19


@dataclass(frozen=True)
class Suggestion:
    """A placement: its value in the weights' own units (less is better), features, and the presses that reach it.

    `value` is that of the policy: for two-piece, of the best placement of the next piece after it. `tetris` (by this
    piece), `tetris_next` (by the next one) and `stuck` (that one has nowhere to go) outweigh any value.
    """

    state: State
    value: float
    tetris: bool
    tetris_next: bool
    stuck: bool
    cleared: int
    features: list[int]
    presses: tuple[str, ...]


def suggest(
    board: Board | str,
    piece: int | str,
    following: int | str | None = None,
    weights: WeightsLike = "published",
    level: int | None = None,
    reach: str = "free",
    backend: Backend | None = None,
) -> list[Suggestion]:
    """The placements of a piece, the best first: greedy, or two-piece if the piece that follows is given.

    `board`: an array, or text as `parse_board` takes it; a piece: its number or letter; `level`: for gravity, None: 19.
    Raises BadInput for what is none of these, for a board with a full row and for a level without gravity; and
    NoSolution if the piece cannot spawn: then the game is over.

    >>> suggest("#########./" * 4, "I")[0].state
    (1, 18, 9)
    """
    board = rules.parse_board(board) if isinstance(board, str) else board
    piece = rules.parse_piece(piece) if isinstance(piece, str) else piece
    following = rules.parse_piece(following) if isinstance(following, str) else following
    if level is not None and reach == "free":
        raise BadInput(f"level {level}: expected only where pieces are reached against gravity, not free")
    level = LEVEL if level is None else level
    numbers = load_weights(weights).values
    if board.shape != (rules.ROWS, rules.COLUMNS):
        raise BadInput(f"board of shape {board.shape}: expected {rules.ROWS} rows and {rules.COLUMNS} columns")
    if board.all(axis=1).any():
        raise BadInput(f"board, row {int(board.all(axis=1).argmax())}: full, the game would have removed it")
    if not rules.can_spawn(board, piece):
        raise NoSolution(f"{rules.PIECES[piece]} cannot spawn: cells in rows 2 and 3 are filled, the game is over")
    backend = backend or open_backend()
    found = kernels.placements(backend, kernels.columns_of(board[None]), [piece], level, reach)
    count = int(found.counts[0])
    states = [kernels.state_of(piece, int(placement)) for placement in found.placements[0, :count]]
    after, cleared = found.after[0, :count], found.cleared[0, :count]
    lowest = [max(row for row, _ in rules.cells_of(piece, state)) for state in states]
    features = kernels.features(backend, after, cleared, lowest)
    fixed, shift = fixed_point(numbers)
    values = features.astype(np.int64) @ np.array(fixed, np.int64)
    stuck = np.zeros(count, np.bool_)
    second_tetris = np.zeros(count, np.int64)
    if following is not None:
        second = kernels.best(backend, numbers, after, np.full(count, following), level, reach)
        assert second.values is not None
        stuck = second.counts == 0
        second_tetris = ((second.cleared[:, 0] == 4) & ~stuck).astype(np.int64)
        values = np.where(stuck, 0, second.values[:, 0] + DECISIVE * second_tetris)
    tetris = cleared == 4
    decisive = stuck.astype(np.int64) - tetris - second_tetris
    order = np.lexsort((np.arange(count), np.where(decisive == 1, 0, values), decisive))
    paths = free_paths(board, piece) if reach == "free" else timed_paths(board, piece, reach, level)
    return [
        Suggestion(
            states[i],
            float(np.ldexp(float(values[i]), -shift)),
            bool(tetris[i]),
            bool(second_tetris[i]),
            bool(stuck[i]),
            int(cleared[i]),
            features[i].tolist(),
            paths[states[i]],
        )
        for i in order
    ]
