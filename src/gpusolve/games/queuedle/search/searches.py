"""A puzzle on a device, and its two searches: beam search and best-first search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.checks import check_integer, check_number, check_type
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle._check import ScoredGame, ScoredPosition, scored
from gpusolve.games.queuedle.kernels import MOST_ENDINGS, Boards, decode_ending, encode, line_scores
from gpusolve.games.queuedle.positions import Moves
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.search.bounds import upper_bound
from gpusolve.games.queuedle.search.memory import MEMORY, batch_size, best_first_bytes, check_free
from gpusolve.games.queuedle.search.potential import MOST_TABLES, PACE, letter_weights, potentials
from gpusolve.games.queuedle.search.spaces import BoardSpace
from gpusolve.result import FLAT, Result, reported
from gpusolve.runs.seeds import check_seed
from gpusolve.search.beam import beam
from gpusolve.search.best_first import best_first
from gpusolve.search.space import Progress, Result as Found
from gpusolve.wordlists import Words, load_words

BEAM_HEURISTICS = ("score", "potential")
BEST_FIRST_HEURISTICS = ("score+remaining", "score")
WIDTH = 100_000
"""Default number of boards that a beam keeps after each slide."""
REVIEW_WIDTH = 30_000
"""Number of boards that the beams keep which tell how much a slide has lost."""
EXPANDED = 500_000
"""Default number of boards that best-first search takes from its queue, as published."""
BATCH = 4096
"""Default number of boards that best-first search takes at a time."""
MOST_WIDTH = MOST_EXPANDED = 100_000_000
MOST_BATCH = 1_000_000
"""The largest values accepted."""
ENDINGS = 2048
"""Number of boards of which a beam tries all endings."""
ENDINGS_A_BYTE = 16  # of a batch, so that two cores look at the clock every second or two


@dataclass(frozen=True, repr=False)
class Solution(Result, schema="queuedle.solve/4"):
    """The best board that a search came upon, and statistics of the search.

    Attributes
    ----------
    game : ScoredGame
        The position before the first slide and after each slide, with their words: the slides are replayed by the
        rules.
    strategy : str
        ``"auto"``, ``"beam"``, ``"best-first"`` or ``"exhaustive"``.
    generated : int
        Number of boards made and scored.
    seconds : float
        Duration of the search, including the time before it was resumed.
    complete : bool
        Whether the search ended by itself or used up its budget, and was not cut by a time limit.
    proven : bool
        Whether no board scores more: the search left nothing out, or found as many points as the bound allows.
    bound : int
        A number of points that is proven not to be exceeded by any board (`gpusolve.games.queuedle.search.bounds`). It
        is the score if that is proven.
    seed : int, optional
        The seed of all random choices; None if there were none.
    rounds : int
        Number of beam searches that the strategy ``"auto"`` made; otherwise 1.
    lost : list of int
        The points that each slide made before has lost: how much less beams of the same width find after it.
    lost_proven : bool
        Whether these beams left nothing out, so that `lost` is exact.
    """

    game: ScoredGame = field(metadata=FLAT)
    strategy: str
    generated: int
    seconds: float
    complete: bool
    proven: bool
    bound: int
    seed: int | None = None
    rounds: int = 1
    lost: list[int] = field(default_factory=list)
    lost_proven: bool = True

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.game.puzzle

    @property
    def score(self) -> int:
        """The score of the board: one point for each letter of every word."""
        return self.game.score

    @property
    def moves(self) -> Moves:
        """The slides to the board; as text, in notation."""
        return self.game.moves

    @property
    def boards(self) -> list[ScoredPosition]:
        """The position before the first slide and after each slide."""
        return self.game.boards

    @reported
    def states_per_second(self) -> float:
        """Boards made and scored per second."""
        return self.generated / max(self.seconds, 1e-9)


class Solver:
    """A puzzle with its table of line scores on a device. The searches are its methods.

    Parameters
    ----------
    puzzle : Puzzle
        The grid and the queue.
    moves : sequence of int
        The slides made before: the searches go on after them, and their results begin with them.
    dictionary : str, path, iterable of str
        Valid words: the name of a list, or a file with one word per line.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Attributes
    ----------
    words : frozenset of str
        The words of the dictionary that fit on the grid.

    Raises
    ------
    BadInput
        If no word of the dictionary fits on the grid, and for an illegal slide.

    Examples
    --------
    >>> puzzle = Puzzle.parse("fndoi/eedgr/aadqs/oeilx/eyatg aikiueieexuatov")
    >>> Solver(puzzle, backend=open_backend("cpu")).beam(width=1000).score
    73
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        moves: Sequence[int] = (),
        dictionary: Words = "scowl-70",
        backend: Backend | None = None,
    ) -> None:
        check_type("puzzle", puzzle, Puzzle)
        self.puzzle = puzzle
        self.words = rules.usable(load_words(dictionary), puzzle.size)
        self.backend = open_backend(backend)
        self.boards = Boards.of(self.backend, puzzle)
        self.position = rules.replay(puzzle.start, moves)[-1]
        self.moves = self.position.moves
        self.root = self._slid(self.backend.asarray(encode(puzzle)), self.moves)

    def _slid(self, root: Array, moves: Sequence[int]) -> Array:
        """Return the state after slides."""
        xp = self.backend.xp
        for move in moves:
            root = self.boards.slide(root, xp.zeros(1, xp.int32), xp.full(1, move, xp.uint16))
        return root

    @cached_property
    def scores(self) -> Array:
        """The score of every line, uint8 (26^n,). Made only after a search has checked that there is memory for it."""
        return line_scores(self.backend, self.words, self.puzzle.size)

    @cached_property
    def bound(self) -> int:
        """A number of points that no board after the slides made before exceeds."""
        return upper_bound(self.position, self.backend.to_host(self.scores))

    def best_first(
        self,
        *,
        heuristic: str = BEST_FIRST_HEURISTICS[0],
        expanded: int = EXPANDED,
        batch: int = BATCH,
        lossy: bool = False,
        time_limit: float = float("inf"),
        progress: Progress = lambda expanded, best: None,
    ) -> Solution:
        """Take the most promising boards from a queue until a number of them is reached.

        With `lossy` and a `batch` of 1 this is the search published by the author of the game [1]_.

        Parameters
        ----------
        heuristic : {"score+remaining", "score"}
            How promising a board is: its score, with or without the number of letters still in the queue before the
            last slide.
        expanded : int
            Number of boards taken from the queue.
        batch : int
            Number of boards taken at a time.
        lossy : bool
            Whether a board counts as visited if a board with the same 32-bit hash (FNV-1a) of its letters was visited,
            even if their directions and queues differ.
        time_limit : float
            Seconds after which no batch is taken.
        progress : callable
            Called with the number of boards taken and the best score so far.

        Returns
        -------
        Solution

        Raises
        ------
        BadInput
            For values out of range, and if the machine does not have enough free memory.

        References
        ----------
        .. [1] https://healeycodes.com/solving-queuedle
        """
        if heuristic not in BEST_FIRST_HEURISTICS:
            raise BadInput(f"heuristic {heuristic}: expected score or score+remaining for best-first")
        expanded = check_integer("expanded", expanded, 1, MOST_EXPANDED)
        batch = check_integer("batch", batch, 1, MOST_BATCH)
        check_number("time_limit", time_limit, 0, float("inf"))
        check_free(self.boards, best_first_bytes(self.boards, expanded))
        remaining = heuristic == "score+remaining"
        space = BoardSpace(self.boards, self.root, self.scores, [self.scores], remaining=remaining, lossy=lossy)
        result = best_first(space, limit=expanded, batch=batch, time_limit=time_limit, progress=progress)
        moves, exhaustive = [*self.moves, *result.moves], result.exhaustive and not lossy
        return self._found(replace(result, moves=moves, exhaustive=exhaustive), "best-first")

    def beam(
        self,
        *,
        width: int = WIDTH,
        heuristic: str = BEAM_HEURISTICS[0],
        endings: int = 0,
        memory: int = MEMORY,
        seed: int | None = None,
        time_limit: float = float("inf"),
        progress: Progress = lambda generated, best: None,
    ) -> Solution:
        """Keep the best `width` boards after each slide, and return the best board of all levels.

        Parameters
        ----------
        width : int
            Number of boards kept after each slide (the beam width).
        heuristic : {"score", "potential"}
            Boards are ranked by their score or by their potential, which is how much their lines are likely to score
            later (see `gpusolve.games.queuedle.search.potential`).
        endings : int
            This many slides before the end, at most 6, all endings of the best ENDINGS boards are tried as well.
        memory : int
            MiB that may be used. The search keeps to it by expanding fewer boards at a time.
        seed : int, optional
            Breaks ties at random. Without a seed, the lowest parent and then the lowest slide win.
        time_limit : float
            Seconds after which the search stops.
        progress : callable
            Called after each slide with the number of boards made and the best score so far.

        Returns
        -------
        Solution

        Raises
        ------
        BadInput
            For values out of range, and if the memory is too little for `width`.
        """
        if heuristic not in BEAM_HEURISTICS:
            raise BadInput(f"heuristic {heuristic}: expected score or potential for a beam")
        endings = check_integer("endings", endings, 0, MOST_ENDINGS)
        width = check_integer("width", width, 1, MOST_WIDTH)
        if seed is not None:
            check_seed(seed)
        check_number("time_limit", time_limit, 0, float("inf"))
        by_score = heuristic == "score"
        batch = batch_size(self.boards, width=width, memory=memory, tables=1 if by_score else self.table_count)
        tables = [self.scores] if by_score else self.tables(letter_weights(self.puzzle), pace=PACE)
        assert tables is not None
        salt = 0 if seed is None else int(np.random.default_rng(seed).integers(1 << 31)) * 2 + 1
        result = self.run_beam(
            tables, width=width, batch=batch, salt=salt, endings=endings, time_limit=time_limit, progress=progress
        )
        return self._found(result, "beam", seed)

    def run_beam(
        self,
        tables: Sequence[Array],
        *,
        prefix: Sequence[int] = (),
        width: int,
        batch: int,
        salt: int = 0,
        endings: int = 0,
        time_limit: float = float("inf"),
        progress: Progress = lambda generated, best: None,
    ) -> Found:
        """Run a beam ranked by `tables` from the position after the slides `prefix`, which the result's moves include.

        A `prefix` begins with the slides made before, which it is by default. `batch` is the number of boards expanded
        at a time, and `salt` as in `BoardSpace`. See `beam` for the rest.
        """
        xp, prefix = self.backend.xp, prefix or self.moves
        root = self._slid(self.root, prefix[len(self.moves) :])
        space = BoardSpace(self.boards, root, self.scores, tables, salt)
        levels, deadline, cut = self.boards.queue_length - len(prefix), clock.now() + time_limit, False

        def try_endings(states: Array, level: int) -> tuple[int, int, list[int]] | None:
            """Try all endings of the best boards. On ten days this gained nothing that the beam had missed."""
            nonlocal cut
            if not endings or level != levels - endings:
                return None
            table = tables[min(endings, len(tables) - 1)]
            chosen = xp.argsort(-self.boards.totals(states, table), kind="stable")[:ENDINGS]
            at_once, best = self.backend.batch(1 + self.boards.moves**endings // ENDINGS_A_BYTE), None
            for first in range(0, len(chosen), at_once):
                cut = clock.now() > deadline
                if cut:
                    break
                part = chosen[first : first + at_once]
                values, sequences = self.boards.finish(xp.ascontiguousarray(states[:, part]), self.scores, endings)
                number = int(values.argmax())
                if best is None or int(values[number]) > best[0]:
                    best = int(values[number]), int(part[number]), decode_ending(int(sequences[number]), endings)
            return best

        result = beam(
            space,
            width=width,
            batch=batch,
            levels=levels,
            look_ahead=try_endings,
            time_limit=time_limit,
            progress=progress,
        )
        complete, exhaustive = result.complete and not cut, result.exhaustive and not cut
        return replace(result, moves=[*prefix, *result.moves], complete=complete, exhaustive=exhaustive)

    @property
    def table_count(self) -> int:
        """Number of tables that a beam ranked by potential uses."""
        return min(MOST_TABLES[self.puzzle.size], max(1, self.boards.queue_length))

    def tables(
        self, weights: npt.NDArray[np.float32], *, pace: float, deadline: float = float("inf")
    ) -> list[Array] | None:
        """Return the tables of potential for 0, 1 ... slides to come; None if `clock.now` passes the deadline."""
        tables = []
        for table in potentials(self.backend, self.scores, weights=weights, count=self.table_count, pace=pace):
            if clock.now() > deadline:
                return None
            tables.append(table)
        return tables

    def _found(self, found: Found, strategy: str, seed: int | None = None) -> Solution:
        return self.solution(
            found.value,
            found.moves,
            strategy=strategy,
            generated=found.generated,
            seconds=found.seconds,
            complete=found.complete,
            proven=found.exhaustive,
            seed=seed,
        )

    def solution(self, score: int, moves: Sequence[int], *, proven: bool, **about: Any) -> Solution:
        """Return the solution of a search that came upon these slides; `about` are its other fields.

        Raise WrongSolution unless the slides lead to the score by the rules, and the score is at most the bound.
        """
        try:
            game = scored(self.puzzle, moves, self.words)
        except BadInput as error:
            raise WrongSolution(f"the search returned {[*moves]}, which is not legal: {error}") from None
        if game.score != score:
            raise WrongSolution(f"the search returned {game.moves} for {score} points, but it scores {game.score}")
        bound = score if proven else self.bound
        if score > bound:
            raise WrongSolution(f"{game.moves} score {score} points, more than the upper bound {bound}")
        lost, lost_proven = self.review()
        return Solution(game, proven=score == bound, bound=bound, lost=lost, lost_proven=lost_proven, **about)

    def review(self) -> tuple[list[int], bool]:
        """Return the points that each slide made before has lost, and whether they are exact.

        A position is worth what a beam finds from it, or more if it is found after the next slide. All beams have the
        same width, since a wider one would find more, whatever the slide. If none of them left anything out, the points
        are exact.
        """
        if not self.moves:
            return [], True
        whole = Solver(self.puzzle, dictionary=self.words, backend=self.backend)
        batch = batch_size(self.boards, width=REVIEW_WIDTH, memory=MEMORY, tables=1)
        found = [
            whole.run_beam([self.scores], prefix=self.moves[:made], width=REVIEW_WIDTH, batch=batch)
            for made in range(len(self.moves) + 1)
        ]
        worth = [found[-1].value]
        for each in reversed(found[:-1]):
            worth.append(max(each.value, worth[-1]))
        return [before - after for before, after in pairwise(reversed(worth))], all(each.exhaustive for each in found)
