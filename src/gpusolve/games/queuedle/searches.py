"""A puzzle on a device, and its two searches: a beam and best-first."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, open_backend
from gpusolve.checks import check_integer, check_number
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import memory as memories, rules
from gpusolve.games.queuedle.kernels import MOST_ENDINGS, Boards, encode, finishing, line_scores
from gpusolve.games.queuedle.memory import MEMORY
from gpusolve.games.queuedle.potential import MOST_TABLES, PACE, letter_weights, potentials
from gpusolve.games.queuedle.rules import Puzzle
from gpusolve.games.queuedle.spaces import BoardSpace
from gpusolve.runs.seeds import check_seed
from gpusolve.search.beam import beam
from gpusolve.search.best_first import best_first
from gpusolve.search.space import Progress, Result
from gpusolve.wordlists import Words, load_words

BEAM_HEURISTICS = ("score", "potential")
BEST_FIRST_HEURISTICS = ("score+remaining", "score")
WIDTH = 100_000
EXPANDED = 500_000
"""States that the published best-first search takes from its queue."""
BATCH = 4096
"""States that best-first takes at once unless it is told otherwise."""
MOST_WIDTH, MOST_EXPANDED, MOST_BATCH = 100_000_000, 100_000_000, 1_000_000
"""What a search can be told, whatever the memory."""
ENDINGS = 2048
"""Boards whose last slides a beam tries out if it is told to."""
ENDINGS_A_BYTE = 16  # of a batch: two cores then look at the clock every second or two


@dataclass(frozen=True)
class Solution:
    """The best board found: its score, the slides to it, and what the search did.

    `generated` counts the states made and scored; `complete`: the search ended by itself or had all its budget, and no
    time limit cut it; `proven`: it left nothing out, so that no board scores more; `seed`: None if nothing was
    random; `rounds`: beams of the strategy auto, else 1. `seconds` are those of all sittings of a run that was resumed.
    """

    score: int
    moves: list[int]
    strategy: str
    generated: int
    seconds: float
    complete: bool
    proven: bool
    seed: int | None = None
    rounds: int = 1

    @property
    def rate(self) -> float:
        """States generated and scored per second."""
        return self.generated / max(self.seconds, 1e-9)


class Solver:
    """A puzzle with its table of line scores on a device; the searches are its methods.

    Raises BadInput if no word of the dictionary fits on the grid.

    >>> puzzle = rules.parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiueieexuatov")
    >>> Solver(puzzle, "scowl-70", open_backend("cpu")).beam(width=1000).score
    73
    """

    def __init__(self, puzzle: Puzzle, dictionary: Words = "scowl-70", backend: Backend | None = None) -> None:
        rules.check_puzzle(puzzle)
        self.puzzle = puzzle
        self.words = rules.usable(load_words(dictionary), puzzle.size)
        self.backend = open_backend(backend)
        self.boards = Boards.of(self.backend, puzzle)
        self.root = self.backend.asarray(encode(puzzle))

    @cached_property
    def scores(self) -> Array:
        """The score of every line, made when a search has made sure that there is memory for it."""
        return line_scores(self.backend, self.words, self.puzzle.size)

    def best_first(
        self,
        heuristic: str = BEST_FIRST_HEURISTICS[0],
        expanded: int = EXPANDED,
        batch: int = BATCH,
        lossy: bool = False,
        time_limit: float = float("inf"),
        progress: Progress = lambda expanded, best: None,
    ) -> Solution:
        """Always the most promising states next, `batch` at a time, until `expanded` are taken from the queue.

        `heuristic`: ``score``, or ``score+remaining``, which adds the length of the queue less the slides made before
        the last one. `lossy`: a state counts as visited if one with the same 32-bit hash (FNV-1a) of its grid was,
        whatever its directions and its queue. With `lossy` and a `batch` of 1 it is the search that the game's author
        published (https://healeycodes.com/solving-queuedle).
        """
        if heuristic not in BEST_FIRST_HEURISTICS:
            raise BadInput(f"heuristic {heuristic}: best-first expects score or score+remaining")
        check_integer("expanded", expanded, 1, MOST_EXPANDED)
        check_integer("batch", batch, 1, MOST_BATCH)
        check_number("time_limit", time_limit, 0, float("inf"))
        memories.check_free(self.boards, memories.best_first_bytes(self.boards, expanded))
        remaining = heuristic == "score+remaining"
        space = BoardSpace(self.boards, self.root, self.scores, [self.scores], remaining=remaining, lossy=lossy)
        found = best_first(space, expanded, batch, time_limit, progress)
        proven = found.exhaustive and not lossy
        return Solution(found.value, found.moves, "best-first", found.generated, found.seconds, found.complete, proven)

    def beam(
        self,
        width: int = WIDTH,
        heuristic: str = BEAM_HEURISTICS[0],
        memory: int = MEMORY,
        seed: int | None = None,
        endings: int = 0,
        time_limit: float = float("inf"),
        progress: Progress = lambda generated, best: None,
    ) -> Solution:
        """Level by level, the best `width` boards after each slide.

        `heuristic`: ``score``, or ``potential``, what a board's lines are likely to become (see `potential`). `seed`:
        ties are broken at random; without, by the lowest parent and move. `memory`: MiB that may be taken, kept by
        expanding fewer states at once. `endings`, at most 6: so many slides before the end, all endings of the ENDINGS
        best boards are tried out. Raises BadInput where the memory is too little for `width`.
        """
        if heuristic not in BEAM_HEURISTICS:
            raise BadInput(f"heuristic {heuristic}: a beam expects score or potential")
        check_integer("endings", endings, 0, MOST_ENDINGS)
        check_integer("width", width, 1, MOST_WIDTH)
        if seed is not None:
            check_seed(seed)
        check_number("time_limit", time_limit, 0, float("inf"))
        batch = memories.batch_size(self.boards, width, memory, 1 if heuristic == "score" else self.table_count)
        tables = [self.scores] if heuristic == "score" else self.tables(letter_weights(self.puzzle), PACE)
        assert tables is not None
        salt = 0 if seed is None else int(np.random.default_rng(seed).integers(1 << 31)) * 2 + 1
        found = self.run_beam(tables, (), width, batch, time_limit, progress, salt, endings)
        return Solution(
            found.value, found.moves, "beam", found.generated, found.seconds, found.complete, found.exhaustive, seed
        )

    def run_beam(
        self,
        tables: Sequence[Array],
        kept: Sequence[int],
        width: int,
        batch: int,
        time_limit: float,
        progress: Progress,
        salt: int = 0,
        endings: int = 0,
    ) -> Result:
        """A beam ranked by `tables`, from the position after the slides `kept`, with which its moves begin."""
        xp, root = self.backend.xp, self.root
        for move in kept:
            root = self.boards.slide(root, xp.zeros(1, xp.int32), xp.full(1, move, xp.uint16))
        space = BoardSpace(self.boards, root, self.scores, tables, salt)
        levels, deadline, cut = self.boards.queue_length - len(kept), time.monotonic() + time_limit, False

        def try_endings(states: Array, level: int) -> tuple[int, int, list[int]] | None:
            """All endings of the best boards. On ten days it found nothing that the beam missed."""
            nonlocal cut
            if not endings or level != levels - endings:
                return None
            table = tables[min(endings, len(tables) - 1)]
            chosen = xp.argsort(-self.boards.totals(states, table), kind="stable")[:ENDINGS]
            at_once, best = self.backend.batch(1 + self.boards.moves**endings // ENDINGS_A_BYTE), None
            for first in range(0, len(chosen), at_once):
                cut = time.monotonic() > deadline
                if cut:
                    break
                some = chosen[first : first + at_once]
                values, sequences = self.boards.finish(xp.ascontiguousarray(states[:, some]), self.scores, endings)
                number = int(values.argmax())
                if best is None or int(values[number]) > best[0]:
                    best = int(values[number]), int(some[number]), finishing(int(sequences[number]), endings)
            return best

        found = beam(space, width, batch, time_limit, progress, levels, try_endings)
        complete, exhaustive = found.complete and not cut, found.exhaustive and not cut
        return replace(found, moves=[*kept, *found.moves], complete=complete, exhaustive=exhaustive)

    @property
    def table_count(self) -> int:
        """Tables that a beam ranked by potential has."""
        return min(MOST_TABLES[self.puzzle.size], max(1, self.boards.queue_length))

    def tables(
        self, weights: npt.NDArray[np.float32], pace: float, deadline: float = float("inf")
    ) -> list[Array] | None:
        """The potentials of all lines with 0, 1 .. slides to go, on the device; None if `time.monotonic` overtakes."""
        found = []
        for table in potentials(self.backend, self.scores, weights, self.table_count, pace):
            if time.monotonic() > deadline:
                return None
            found.append(table)
        return found
