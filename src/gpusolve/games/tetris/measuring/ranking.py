"""The placements of a piece on one board, ranked for a player, and how people name a placement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.kernels import Boards
from gpusolve.games.tetris.players.judge import Ratings
from gpusolve.games.tetris.players.misses import Aims
from gpusolve.games.tetris.rules.board import COLUMNS, PIECES, ROWS, State, player_place


@dataclass(frozen=True)
class Ranking:
    """The placements of a piece on a board, in the order in which the player takes those that are worth the same."""

    states: list[State]
    after: Boards
    """The boards after the placements, (n, 10)."""
    cleared: npt.NDArray[np.uint8]
    """The lines that the placements clear."""
    features: npt.NDArray[np.int32]
    """The features of the boards, (n, 17)."""
    ratings: Ratings
    decisive: npt.NDArray[np.int64]
    """What outweighs the value, less is better; 0 for values in points."""
    order: list[int]
    """The placements from the best to the worst. The first one is what the player makes."""
    aims: Aims | None
    """Where the piece can come to rest, if the player has a learned value and counts on missed presses or branches."""

    def loss(self, placement: int) -> float | None:
        """Return what a placement loses against the best one; None if a tetris or being stuck decides instead.

        A placement that turns out better than the player's own, as it can with a reaction time, loses nothing: it was
        luck.
        """
        best, values = self.order[0], self.ratings.values
        lost = float(values[placement] - values[best])
        if (self.decisive[placement], lost) <= (self.decisive[best], 0):
            return 0.0
        return lost if self.decisive[placement] == self.decisive[best] else None


def place_of(name: str, place: str | Sequence[int]) -> tuple[int, ...]:
    """Return a placement as players say it, from numbers or from text such as ``4,1,3``.

    Raises BadInput unless it is a column, turns, and perhaps a row.
    """
    numbers = checks.numbers_in(place) if isinstance(place, str) else place
    if not isinstance(numbers, Sequence) or len(numbers) not in (2, 3):
        text = ",".join(map(str, place)) if isinstance(place, tuple) else place
        raise BadInput(f"{name} {shown(text)}: expected column and turns, or column, turns and row, as in 4,1 or 4,1,3")
    for part, value, least, most in zip(
        ("column", "turns", "row"), numbers, (1, 0, 1), (COLUMNS, 3, ROWS), strict=False
    ):
        checks.check_integer(f"{name}: {part}", value, least, most)
    return tuple(numbers)


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
