"""Suggestions for one board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.measuring.prospects import MOST_PLAYOUTS, PLAYOUTS, Prospect, prospects
from gpusolve.games.tetris.players import judgements, playing
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.players.value_play import Search
from gpusolve.games.tetris.players.weights import WeightsLike, best_weights, load_evaluation
from gpusolve.games.tetris.rules import board as rules
from gpusolve.games.tetris.rules.board import Board, State
from gpusolve.games.tetris.rules.reachability import free_paths, timed_paths
from gpusolve.games.tetris.variant import Settings
from gpusolve.runs.seeds import check_seed

LEVEL = 19
PLAYED = 5
"""The best placements, from which playouts go on."""
MOST_LEVEL = 255


@dataclass(frozen=True)
class Suggestion:
    """A placement: its value in the weights' own units (less is better), its features, the presses that reach it.

    `column` of the left edge, `turned`, `row` of the lower edge: where it is as players say it (`rules.player_place`).
    `value` is that of the policy: for two-piece, of the best placement of the next piece after it; a `learned` value's
    is in points that are about to be lost. With weights `tetris` (by this piece), `tetris_next` (by the next one) and
    `stuck` (that one has nowhere to go) outweigh it. `mine`: whether it is the player's own. `prospect`: what came of
    playouts after it, for the best ones and the player's own.
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
    learned: bool = False
    mine: bool = False
    prospect: Prospect | None = None

    @property
    def decisive(self) -> int:
        """What outweighs the value, less is better; a learned value tells all."""
        return 0 if self.learned else self.stuck - self.tetris - self.tetris_next


def suggest(
    board: npt.ArrayLike | str,
    piece: int | str,
    following: int | str | None = None,
    weights: WeightsLike | LearnedValue | None = None,
    level: int | None = None,
    lines: int | None = None,
    reach: str = "free",
    mine: Sequence[int] | None = None,
    source: str = "uniform8",
    double_killscreen: bool = False,
    playouts: int = PLAYOUTS,
    seed: int | None = None,
    backend: Backend | None = None,
) -> list[Suggestion]:
    """The placements of a piece, the best first: two-piece if the piece that follows is given.

    If not, weights judge the board after it, and a learned value what is to be expected with the next one.

    `board`: an array of 22 rows and 10 columns, 1 where a cell is filled, or text as `parse_board` takes it; a piece:
    its number or letter; `weights`: None: the best that come with gpusolve (`best_weights`); a learned value, too.
    `level`, None: 19, or instead `lines`, those cleared in a game from there: for gravity, and a learned value.
    `mine`: what the player would do, which is marked: the column of the piece's left edge, 1 to 10, how often it is
    turned clockwise, and, if it can come to rest at several heights, the row of its lower edge, the lowest being 1;
    without that it is the highest. `playouts`: so many times play goes on from the PLAYED best ones, by two-piece play
    with the same weights, and pieces of `source`; 0: never. `seed`: of these, None: 0.

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
    checks.check_integer("playouts", playouts, 0, MOST_PLAYOUTS)
    seed = 0 if seed is None else check_seed(seed)
    chosen = load_evaluation(best_weights(reach) if weights is None else weights)
    level, lines = progress_of(level, lines, reach, isinstance(chosen, LearnedValue))
    own = None if mine is None else _mine(mine)
    if board.all(axis=1).any():
        raise BadInput(
            f"board, row {rules.ROWS - int(board.all(axis=1).argmax())}: full, the game would have removed it"
        )
    if not rules.can_spawn(board, piece):
        raise NoSolution(f"{rules.PIECES[piece]} cannot spawn: cells in rows 19 and 20 are filled, the game is over")
    backend = open_backend(backend)
    columns = kernels.columns_of(board[None])
    found = kernels.placements(backend, columns, [piece], level, reach, doubled=double_killscreen)
    count = int(found.counts[0])
    states = [kernels.state_of(piece, int(placement)) for placement in found.placements[0, :count]]
    after, cleared = found.after[0, :count], found.cleared[0, :count]
    lowest = [max(row for row, _ in rules.cells_of(piece, state)) for state in states]
    features = kernels.features(backend, after, cleared, lowest)
    if isinstance(chosen, LearnedValue):
        search = Search(backend, chosen, (), settings)
        judged = judgements.by_value(search, after, cleared, piece, following, level, lines)
    else:
        judged = judgements.by_weights(chosen, features, after, following, level, settings, backend)
    values, tetris, stuck = judged.values, cleared == 4, judged.stuck
    decisive = stuck.astype(np.int64) - tetris - judged.tetris_next
    if isinstance(chosen, LearnedValue):
        decisive[:] = 0
    order = np.lexsort((np.arange(count), np.where(decisive == 1, 0, values), decisive))
    paths = (
        free_paths(board, piece)
        if reach == "free"
        else timed_paths(board, piece, reach, level, doubled=double_killscreen)
    )
    his = None if own is None else _find(own, piece, states)
    looked_at = [i for rank, i in enumerate(order.tolist()) if rank < PLAYED or states[i] == his] if playouts else []
    found_out: list[Prospect] = []
    if looked_at:
        choose = playing.chooser(backend, chosen.judge, "two-piece", None, settings)
        known, n = [] if following is None else [following], len(looked_at)
        rows, gone = np.full(n, min(level, kernels.LEVELS - 1), np.int32), np.full(n, lines, np.int32)
        last = [[piece, *known][-1]] * n
        found_out = prospects(
            choose, after[looked_at], rows, gone, [known] * n, last, playouts, settings, seed, backend
        )
    ahead = dict(zip(looked_at, found_out, strict=True))
    return [
        Suggestion(
            states[i],
            *rules.player_place(piece, states[i]),
            float(values[i]),
            bool(tetris[i]),
            bool(judged.tetris_next[i]),
            bool(stuck[i]),
            int(cleared[i]),
            features[i].tolist(),
            paths[states[i]],
            isinstance(chosen, LearnedValue),
            states[i] == his,
            ahead.get(i),
        )
        for i in order
    ]


def loss(best: Suggestion, other: Suggestion) -> float | None:
    """What is lost by another placement than the best one; None where no value tells, but a tetris or being stuck."""
    return other.value - best.value if other.decisive == best.decisive else None


def progress_of(level: int | None, lines: int | None, reach: str, learned: bool) -> tuple[int, int]:
    """The level and the lines cleared, from one of them. Raises BadInput for both, and where they mean nothing."""
    for name, given in (("level", level), ("lines", lines)):
        if given is not None and reach == "free" and not learned:
            where = "where pieces are reached against gravity, not free, or with a learned value"
            raise BadInput(f"{name} {str(given)[:40]}: expected only {where}")
    if lines is not None:
        if level is not None:
            raise BadInput(f"level {str(level)[:40]}: expected without lines, which tell it")
        checks.check_integer("lines", lines, 0, rules.MAX_LINES - 1)
        return rules.level_at(lines, LEVEL), lines
    if level is None:
        return LEVEL, 0
    checks.check_integer("level", level, 0, MOST_LEVEL)
    # Above level 28, where the games of the value have ended, it judges as at the beginning of one.
    return level, next((gone for gone in range(rules.MAX_LINES) if rules.level_at(gone, LEVEL) == level), 0)


def _board(given: npt.ArrayLike) -> Board:
    cells = kernels.in_range("board", given, 0, 1)
    if cells.shape != (rules.ROWS, rules.COLUMNS):
        raise BadInput(f"board of shape {cells.shape}: expected {rules.ROWS} rows and {rules.COLUMNS} columns")
    return cells.astype(np.uint8)


def _piece(name: str, given: int | str) -> int:
    if isinstance(given, str):
        return rules.parse_piece(given)
    checks.check_integer(name, given, 0, len(rules.PIECES) - 1)
    return int(given)


def _mine(given: Sequence[int]) -> tuple[int, ...]:
    """Raises BadInput unless it is a column, turns, and perhaps a row."""
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) not in (2, 3):
        text = ",".join(map(str, given)) if isinstance(given, tuple) else str(given)
        raise BadInput(f"mine {text[:40]}: expected column and turns, or column, turns and row, as 4,1 or 4,1,3")
    for name, value, least, most in zip(
        ("column", "turns", "row"), given, (1, 0, 1), (rules.COLUMNS, 3, rules.ROWS), strict=False
    ):
        checks.check_integer(f"mine: {name}", value, least, most)
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
