"""Suggestions for one board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.tetris import kernels, playing, rules
from gpusolve.games.tetris.features import DECISIVE, fixed_point
from gpusolve.games.tetris.kernels import Boards, Settings
from gpusolve.games.tetris.playouts import MOST_PLAYOUTS, PLAYOUTS, Prospect, prospects
from gpusolve.games.tetris.reachability import free_paths, timed_paths
from gpusolve.games.tetris.rules import Board, State
from gpusolve.games.tetris.value import LearnedValue, stakes
from gpusolve.games.tetris.value_play import Table
from gpusolve.games.tetris.weights import WeightsLike, best_weights, load_evaluation

LEVEL = 19
PLAYED = 5
"""The best placements, from which playouts go on."""
MOST_LEVEL = 255


@dataclass(frozen=True)
class Suggestion:
    """A placement: its value (less is better), features, and the presses that reach it.

    `column` of the left edge, `turned`, `row` of the lower edge: where it is as players say it (`rules.player_place`).
    `value` is that of the policy: for two-piece, of the best placement of the next piece after it; in the weights' own
    units, by a learned value the points that are lost. By weights, `tetris` (by this piece), `tetris_next` (by the next
    one) and `stuck` (that one has nowhere to go) outweigh any value: `decisive`, less is better; it is None by a
    learned value, which counts them in. `mine`: whether it is the player's own. `prospect`: what came of playouts after
    it, for the best ones and the player's own.
    """

    state: State
    column: int
    turned: int
    row: int
    value: float
    tetris: bool
    tetris_next: bool
    stuck: bool
    cleared: int
    features: list[int]
    presses: tuple[str, ...]
    decisive: int | None
    mine: bool = False
    prospect: Prospect | None = None


def suggest(
    board: npt.ArrayLike | str,
    piece: int | str,
    following: int | str | None = None,
    weights: WeightsLike | LearnedValue | None = None,
    level: int | None = None,
    reach: str = "free",
    mine: Sequence[int] | None = None,
    source: str = "uniform8",
    double_killscreen: bool = False,
    playouts: int = PLAYOUTS,
    seed: int | None = None,
    backend: Backend | None = None,
) -> list[Suggestion]:
    """The placements of a piece, the best first: greedy, or two-piece if the piece that follows is given.

    `board`: an array of 22 rows and 10 columns, 1 where a cell is filled, or text as `parse_board` takes it; a piece:
    its number or letter; `weights`: None: the best that come with gpusolve (`best_weights`); a learned value judges as
    at the begin of a game. `level`: for gravity, None: 19. `mine`: what the player would do, which is marked: the
    column of the piece's left edge, 1 to 10, how often it is turned clockwise, and, if it can come to rest at several
    heights, the row of its lower edge, the lowest being 1; without that it is the highest. `playouts`: so many times
    play goes on from the PLAYED best ones, by two-piece play with the same weights and pieces of `source`; 0: never.
    `seed`: of these, None: 0.

    Raises BadInput for what is none of these, for a board with a full row and for a level without gravity; and
    NoSolution if the piece cannot spawn: then the game is over.

    >>> best = suggest("#########./" * 4, "I")[0]
    >>> best.column, best.turned, best.row, best.tetris
    (10, 1, 1, True)
    """
    board = rules.parse_board(board) if isinstance(board, str) else _board(board)
    piece = _piece("piece", piece)
    following = None if following is None else _piece("following", following)
    settings = Settings(reach, source, double_killscreen=double_killscreen)
    checks.whole("playouts", playouts, 0, MOST_PLAYOUTS)
    kernels.check_seed(seed)
    if level is not None and reach == "free":
        raise BadInput(f"level {str(level)[:40]}: expected only where pieces are reached against gravity, not free")
    if level is not None:
        checks.whole("level", level, 0, MOST_LEVEL)
    level = LEVEL if level is None else level
    judge = load_evaluation(best_weights() if weights is None else weights).judge
    own = None if mine is None else _mine(mine)
    if board.all(axis=1).any():
        raise BadInput(
            f"board, row {rules.ROWS - int(board.all(axis=1).argmax())}: full, the game would have removed it"
        )
    if not rules.can_spawn(board, piece):
        raise NoSolution(f"{rules.PIECES[piece]} cannot spawn: cells in rows 19 and 20 are filled, the game is over")
    backend = open_backend(backend)
    found = kernels.placements(
        backend, kernels.columns_of(board[None]), [piece], level, reach, doubled=double_killscreen
    )
    count = int(found.counts[0])
    states = [kernels.state_of(piece, int(placement)) for placement in found.placements[0, :count]]
    after, cleared = found.after[0, :count], found.cleared[0, :count]
    lowest = [max(row for row, _ in rules.cells_of(piece, state)) for state in states]
    features = kernels.features(backend, after, cleared, lowest)
    tetris = cleared == 4
    if isinstance(judge, LearnedValue):
        worths = _by_value(backend, judge, board, piece, found.placements[0, :count], following, level, settings)
    else:
        worths = _by_weights(backend, judge, after, cleared, features, following, level, settings)
    order = np.lexsort((np.arange(count), worths.values, worths.decisive))
    paths = free_paths(board, piece) if reach == "free" else timed_paths(board, piece, reach, level, double_killscreen)
    chosen = None if own is None else _find(own, piece, states)
    looked_at = [i for rank, i in enumerate(order.tolist()) if rank < PLAYED or states[i] == chosen] if playouts else []
    found_out: list[Prospect] = []
    if looked_at:
        choose = playing.chooser(backend, judge, "two-piece", None, settings)
        rows = np.full(len(looked_at), min(level, kernels.LEVELS - 1), np.int32)
        known, n = [] if following is None else [following], len(looked_at)
        last = [[piece, *known][-1]] * n
        found_out = prospects(choose, after[looked_at], rows, [known] * n, last, playouts, settings, seed or 0, backend)
    ahead = dict(zip(looked_at, found_out, strict=True))
    return [
        Suggestion(
            states[i],
            *rules.player_place(piece, states[i]),
            float(np.ldexp(float(worths.values[i]), -worths.shift)),
            bool(tetris[i]),
            bool(worths.tetris_next[i]),
            bool(worths.stuck[i]),
            int(cleared[i]),
            features[i].tolist(),
            paths[states[i]],
            None if isinstance(judge, LearnedValue) else int(worths.decisive[i]),
            states[i] == chosen,
            ahead.get(i),
        )
        for i in order
    ]


def loss(best: Suggestion, other: Suggestion) -> float | None:
    """What is lost by another placement than the best one; None where no value tells, but a tetris or being stuck."""
    return other.value - best.value if other.decisive == best.decisive else None


class _Worths(NamedTuple):
    """Of each placement: the value, times 2^shift, whether the next piece is stuck after it or can be a tetris, and
    what outweighs the value."""

    values: npt.NDArray[np.int64]
    shift: int
    stuck: npt.NDArray[np.bool_]
    tetris_next: npt.NDArray[np.bool_]
    decisive: npt.NDArray[np.int64]


def _by_weights(
    backend: Backend,
    weights: tuple[float, ...],
    after: Boards,
    cleared: npt.NDArray[np.uint8],
    features: npt.NDArray[np.int32],
    following: int | None,
    level: int,
    settings: Settings,
) -> _Worths:
    fixed, shift = fixed_point(weights)
    values = features.astype(np.int64) @ np.array(fixed, np.int64)
    stuck = tetris_next = np.zeros(len(after), np.bool_)
    if following is not None:
        pieces = np.full(len(after), following)
        second = kernels.best(
            backend, weights, after, pieces, level, settings.reach, doubled=settings.double_killscreen
        )
        assert second.values is not None
        stuck = second.counts == 0
        tetris_next = (second.cleared[:, 0] == 4) & ~stuck
        values = np.where(stuck, 0, second.values[:, 0] + DECISIVE * tetris_next)
    return _Worths(values, shift, stuck, tetris_next, stuck.astype(np.int64) - (cleared == 4) - tetris_next)


def _by_value(
    backend: Backend,
    value: LearnedValue,
    board: Board,
    piece: int,
    placements: npt.NDArray[np.uint32],
    following: int | None,
    level: int,
    settings: Settings,
) -> _Worths:
    table = Table(backend, value, settings)
    row = backend.asarray(np.array([min(level, kernels.LEVELS - 1)], np.int32))
    lines = backend.xp.zeros(1, np.int32)
    columns, pieces = (backend.asarray(one) for one in (kernels.columns_of(board[None]), np.array([piece], np.int32)))
    found = table.least(columns, pieces, row, lines, kernels.PLACEMENTS)
    first = found.on_host(backend)
    count = len(placements)
    assert first.values is not None
    values = first.values[0, :count].astype(np.int64)
    stuck = tetris_next = np.zeros(count, np.bool_)
    if following is not None:
        cleared = found.cleared[0, :count]
        then = table.after(backend.xp.zeros(count, np.int32), cleared)
        second = table.least(
            found.after[0, :count], backend.xp.full(count, following, np.int32), backend.xp.repeat(row, count), then, 1
        )
        host = second.on_host(backend)
        assert host.values is not None
        stuck = host.counts == 0
        tetris_next = (host.cleared[:, 0] == 4) & ~stuck
        at_stake = stakes(settings.start_level, settings.max_lines)
        after = backend.to_host(then)
        lost = at_stake.lost[0, first.cleared[0, :count]]
        values = lost + np.where(stuck, at_stake.future[after], host.values[:, 0]).astype(np.int64)
    ranks = {placement: rank for rank, placement in enumerate(first.placements[0, :count].tolist())}
    order = np.array([ranks[placement] for placement in placements.tolist()])
    return _Worths(values[order], 0, stuck[order], tetris_next[order], np.zeros(count, np.int64))


def _board(given: npt.ArrayLike) -> Board:
    cells = kernels.in_range("board", given, 0, 1)
    if cells.shape != (rules.ROWS, rules.COLUMNS):
        raise BadInput(f"board of shape {cells.shape}: expected {rules.ROWS} rows and {rules.COLUMNS} columns")
    return cells.astype(np.uint8)


def _piece(name: str, given: int | str) -> int:
    if isinstance(given, str):
        return rules.parse_piece(given)
    checks.whole(name, given, 0, len(rules.PIECES) - 1)
    return int(given)


def _mine(given: Sequence[int]) -> tuple[int, ...]:
    """Raises BadInput unless it is a column, turns, and perhaps a row."""
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) not in (2, 3):
        text = ",".join(map(str, given)) if isinstance(given, tuple) else str(given)
        raise BadInput(f"mine {text[:40]}: expected column and turns, or column, turns and row, as 4,1 or 4,1,3")
    for name, value, least, most in zip(
        ("column", "turns", "row"), given, (1, 0, 1), (rules.COLUMNS, 3, rules.ROWS), strict=False
    ):
        checks.whole(f"mine: {name}", value, least, most)
    return tuple(given)


def _find(mine: tuple[int, ...], piece: int, states: list[State]) -> State:
    """The highest of the placements that the player may mean. Raises BadInput where there is none."""
    places = {rules.player_place(piece, state): state for state in states}
    found = [place for place in places if place[: len(mine)] == mine]
    if found:
        return places[max(found)]
    text, name = ",".join(map(str, mine)), rules.PIECES[piece]
    rows = sorted({row for column, turned, row in places if (column, turned) == mine[:2]})
    if rows:
        raise BadInput(f"mine {text}: expected row {_either(rows)} there")
    columns = sorted({column for column, turned, _ in places if turned == mine[1]})
    if columns:
        raise BadInput(f"mine {text}: expected column {_either(columns)} for {name} turned like that")
    turns = sorted({turned for _, turned, _ in places})
    raise BadInput(f"mine {text}: expected {_either(turns)} turns for {name}")


def _either(numbers: list[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last
