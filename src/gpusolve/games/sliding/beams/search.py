"""Good solutions of any board: beams of growing width, then the windows of the solution one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gpusolve import clock
from gpusolve.backend import open_backend
from gpusolve.checks import check_integer
from gpusolve.games.sliding.beams.kernels import BoardSpace, encode
from gpusolve.games.sliding.beams.tables import Tables
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.goals import Layout
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.games.sliding.rules import MOVES
from gpusolve.games.sliding.search.engine import Engine
from gpusolve.games.sliding.search.solution import Bound, Solution, Status
from gpusolve.runs.seeds import GOLDEN, MASK64, check_seed, mix
from gpusolve.search.beam import Beam

WIDTH = 10_000
"""Default number of boards that a beam keeps after each move."""
MOST_WIDTH = 10_000_000
FIRST_WIDTH = 1_000
"""The width of the first beam."""
MOST_MOVES = 1_000
"""Maximum number of moves of a solution, unless a bound is given."""
WINDOWS = ((40, 10), (80, 20))
"""Moves of a window, and moves between the beginnings of two windows; short ones take less time and come first."""
BATCH = 1 << 16  # boards expanded at a time


class _OutOfTime(Exception):
    """The time limit has passed."""


@dataclass
class _Found:
    """The outcome of a beam: the moves to the goal or None, and whether no board was left out."""

    moves: list[int] | None
    exhaustive: bool


@dataclass(frozen=True, kw_only=True)
class Beams(Engine):
    """Beams of 1,000 boards, then 10,000 and so on, each of which looks for a better solution than the best so far.

    After each beam, every window of the solution is searched by a beam of the same width for fewer moves between the
    same two boards, until no window can be improved.
    """

    most_bound: ClassVar[int] = MOST_MOVES

    width: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width is not None:
            check_integer("width", self.width, 1, MOST_WIDTH)
        if self.seed is not None:
            check_seed(self.seed)

    def solve(self, board: Board) -> Solution:
        """Find a good solution."""
        search = _Search(board, self)
        try:
            for width in _widths(WIDTH if self.width is None else self.width):
                search.widen(width)
        except _OutOfTime:
            search.complete = False
        return search.solution()


def _widths(width: int) -> list[int]:
    """Return the widths of the beams.

    >>> _widths(50_000), _widths(7)
    ([1000, 10000, 50000], [7])
    """
    widths = [width]
    while widths[0] > FIRST_WIDTH:
        widths.insert(0, max(FIRST_WIDTH, 10 ** (len(str(widths[0] - 1)) - 1)))
    return widths


class _Search:
    """The best solution so far, and the beams that look for a better one."""

    def __init__(self, board: Board, options: Beams) -> None:
        self._board, self._progress = board, options.progress
        self._start = board.numbered()
        with clock.building:
            self._tables = Tables(open_backend(options.backend))
            _, height = encode(self._tables.lookups(board.layout), self._start.tiles)
        # All solutions are odd if the blank's distance is; the heights of tiles that are alike can be odd or even.
        self._lower_bound = height + (height + board.blank_steps) % 2
        self._beside = neighbours(board.rows, board.columns).tolist()
        self._seed = options.seed
        self._salt = 0 if options.seed is None else mix(options.seed + GOLDEN & MASK64) >> 32 | 1
        self._bound = MOST_MOVES if options.bound is None else options.bound
        self._moves: list[int] | None = [] if board.is_solved else None
        self._bounds: list[Bound] = []
        self._counts = [0, 0]  # expanded and generated since the last entry of `_bounds`
        self._begin = self._since = clock.now()
        self._deadline = self._begin + (float("inf") if options.time_limit is None else options.time_limit)
        self.complete = True

    def widen(self, width: int) -> None:
        """Look for a better solution with a beam of this width, and improve the windows of what it finds."""
        if self._most < self._lower_bound:
            return
        found = self._beam(self._board.layout, self._start.tiles, width, self._most)
        if found.moves is not None:
            self._moves = found.moves
        if found.exhaustive:  # all boards at each number of moves were searched, up to the solution or the bound
            least = len(found.moves) if found.moves is not None else self._most + 1
            self._lower_bound = least + (least - self._lower_bound) % 2
        self._report()
        for moves, stride in WINDOWS:
            self._improve(width, moves, stride)
        self._report()

    @property
    def _most(self) -> int:
        """The number of moves of the solution to look for; all solutions have equally many moves, modulo 2."""
        return self._bound if self._moves is None else min(self._bound, len(self._moves) - 2)

    def _improve(self, width: int, moves: int, stride: int) -> None:
        """Replace windows of the solution by shorter ways, from the end to the beginning, until none is found."""
        if self._moves is None:
            return
        again = True
        while again:
            again = False
            first = max(0, len(self._moves) - moves)
            while True:
                shorter = self._shorter(first, min(first + moves, len(self._moves)), width)
                if shorter:
                    self._moves, again = shorter, True
                    self._report()
                if first == 0:
                    break
                first = max(0, min(first - stride, len(self._moves) - moves))

    def _shorter(self, first: int, last: int, width: int) -> list[int] | None:
        """Return the solution with a shorter way from the board after `first` moves to the one after `last` moves."""
        assert self._moves is not None
        boards = self._boards(self._moves)
        cell_of = {tile: cell for cell, tile in enumerate(boards[last])}
        layout = Layout(self._board.rows, self._board.columns, cell_of[0])
        number = {tile: layout.goal_cell(cell) for tile, cell in cell_of.items()} | {0: 0}
        found = self._beam(layout, [number[tile] for tile in boards[first]], width, last - first - 2)
        return None if found.moves is None else [*self._moves[:first], *found.moves, *self._moves[last:]]

    def _boards(self, moves: list[int]) -> list[list[int]]:
        """Return the board before the first move and after each move."""
        tiles = list(self._start.tiles)
        blank, boards = tiles.index(0), [[*tiles]]
        for move in moves:
            to = self._beside[blank][move]
            tiles[blank], tiles[to] = tiles[to], 0
            blank = to
            boards.append([*tiles])
        return boards

    def _beam(self, layout: Layout, tiles: Sequence[int], width: int, most: int) -> _Found:
        """Search for at most `most` moves from tiles to their goal cells."""
        with clock.building:
            lookups = self._tables.lookups(layout)
            root, height = encode(lookups, tiles)
        if height > most:
            return _Found(None, True)
        space = BoardSpace(lookups, root, most, self._salt)
        beam, number = Beam(space), space.solved(root)
        while number is None:
            if clock.now() > self._deadline:
                raise _OutOfTime
            before = beam.expanded, beam.generated
            more = beam.advance(width=width, batch=BATCH)
            self._counts[0] += beam.expanded - before[0]
            self._counts[1] += beam.generated - before[1]
            if not more:
                break
            number = space.solved(beam.states)
            self._progress(self._status)
        moves = None if number is None else beam.path(len(beam.origins), number)
        return _Found(moves, not beam.dropped)

    @property
    def _status(self) -> Status:
        length = self._bound if self._moves is None else len(self._moves)
        return Status(length, self._counts[0], self._counts[0], clock.now() - self._since, tuple(self._bounds))

    def _report(self) -> None:
        """Close the entry of the solution's length."""
        now = clock.now()
        if self._moves is not None and self._counts[0]:
            self._bounds.append(Bound(len(self._moves), self._counts[0], self._counts[1], now - self._since))
            self._counts, self._since = [0, 0], now

    def solution(self) -> Solution:
        """Return the best solution, in the directions of the board as it was given."""
        moves = None
        if self._moves is not None:
            moves = self._board.as_given("".join(MOVES[move] for move in self._moves))
        self._report()
        return Solution(
            board=self._board,
            moves=moves,
            solutions=[] if moves is None else [moves],
            lower_bound=self._lower_bound,
            bounds=self._bounds,
            seconds=clock.now() - self._begin,
            complete=self.complete,
            seed=self._seed,
        )
