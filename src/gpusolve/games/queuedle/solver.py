"""How a Queuedle is solved: best-first, beam, and `auto`, the best within a time limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checkpoint
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.kernels import ALPHABET, FINE, MADE, Boards, encode, finishing, line_scores
from gpusolve.games.queuedle.potential import MOST_TABLES, PACE, letter_weights, potentials
from gpusolve.games.queuedle.rules import Puzzle
from gpusolve.search.beam import Beam
from gpusolve.search.best_first import best_first

BEST_FIRST_HEURISTICS = ("score", "score+remaining")
BEAM_HEURISTICS = ("score", "potential")
EXPANDED = 500_000
"""States that the published best-first search takes from its queue."""
MEMORY = 4096
"""MiB that a beam may take unless it is told otherwise."""
WIDTH = 100_000
TIME_LIMIT = 10.0

MIB = 1 << 20
BATCHES = {"cpu": 1 << 16}
"""States expanded at once: so many keys stay in a CPU's cache; a GPU wants more (LARGE_BATCH)."""
LARGE_BATCH = 1 << 20
FIRST_WIDTH = 20_000  # auto's first beam: a tenth of a second
LEAST_WIDTH = 50_000  # and the least of the later ones
SHARE = 4  # a later beam takes this part of the time left
PLAIN_ROUND = 2  # the beam of auto that ranks by score
SPREAD = 0.5  # of the logarithm of a letter's weight, from one beam of auto to the next
ENDINGS = 2048
"""Boards whose last slides a beam tries out if it is told to."""
KIND = "queuedle.auto"

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Solution:
    """The best board found: its score, the slides to it, and what the search did.

    `generated` counts the states made and scored; `complete`: the search ended by itself, not by its time limit;
    `optimal`: it left nothing out, so that no board scores more.
    """

    score: int
    moves: list[int]
    strategy: str
    generated: int
    seconds: float
    complete: bool
    optimal: bool
    rounds: int = 1

    @property
    def rate(self) -> float:
        """States generated and scored a second."""
        return self.generated / max(self.seconds, 1e-9)


class Solver:
    """A puzzle with its table of line scores on a device; the searches are its methods.

    Raises BadInput if no word of the dictionary fits on the grid.

    >>> from gpusolve.wordlists import load_words
    >>> puzzle = rules.parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiueieexuatov")
    >>> solver = Solver(puzzle, load_words("scowl-70"), open_backend("cpu"))
    >>> solver.beam(width=1000).score
    73
    """

    def __init__(self, puzzle: Puzzle, words: Collection[str], backend: Backend | None = None) -> None:
        self.puzzle = puzzle
        self.backend = backend or open_backend()
        self.boards = Boards.of(self.backend, puzzle)
        self.words = rules.usable(words, puzzle.size)
        self.scores = line_scores(self.backend, self.words, puzzle.size)
        self.root = self.backend.asarray(encode(puzzle))

    def best_first(
        self,
        heuristic: str = "score+remaining",
        expanded: int = EXPANDED,
        batch: int = 4096,
        lossy: bool = False,
        time_limit: float = float("inf"),
        progress: Progress = lambda expanded: None,
    ) -> Solution:
        """Always the most promising states next, `batch` at a time, until `expanded` are taken from the queue.

        `heuristic`: ``score``, or ``score+remaining``, which adds the length of the queue less the slides made before
        the last one. `lossy`: a state counts as visited if one with the same 32-bit hash (FNV-1a) of its grid was,
        whatever its directions and its queue. With `lossy` and a `batch` of 1 it is the search that the game's author
        published (https://healeycodes.com/solving-queuedle).
        """
        if heuristic not in BEST_FIRST_HEURISTICS:
            raise BadInput(f"--heuristic {heuristic}: best-first expects score or score+remaining")
        boards, scores, xp = self.boards, self.scores, self.backend.xp
        length = boards.queue_length if heuristic == "score+remaining" else 0

        def keys(states: Any) -> Any:
            found = boards.expand(states, 0, states.shape[1], scores)
            if not length:
                return found
            remaining = (length - (states[-1] >> np.uint32(MADE))).astype(xp.uint16) * np.uint16(FINE)
            return xp.where(found > 0, found + remaining[:, None], found)

        found = best_first(
            xp,
            self.root,
            keys,
            boards.slide,
            lambda states: boards.totals(states, scores),
            self._grid_hash if lossy else self._identity,
            expanded,
            batch,
            time_limit,
            progress,
        )
        complete = found.exhausted or found.expanded >= expanded
        optimal = found.exhausted and not lossy
        return Solution(found.value, found.moves, "best-first", found.generated, found.seconds, complete, optimal)

    def _identity(self, states: Any) -> Any:
        """All words of a state, two to a 64-bit word."""
        xp = self.backend.xp
        even = states if len(states) % 2 == 0 else xp.concatenate([states, xp.zeros_like(states[:1])])
        wide = even.astype(xp.uint64)
        return xp.ascontiguousarray((wide[0::2] << np.uint64(32) | wide[1::2]).T)

    def _grid_hash(self, states: Any) -> Any:
        """FNV-1a over the letters 0..25 of the grid, row by row, in 32 bits."""
        xp = self.backend.xp
        hashed = xp.full(states.shape[1], 2166136261, xp.uint32)
        for row in states[:-1]:
            for place in range(self.puzzle.size - 1, -1, -1):
                hashed ^= row // np.uint32(ALPHABET**place) % np.uint32(ALPHABET)
                hashed *= np.uint32(16777619)
        return hashed.astype(xp.uint64)[:, None]

    def beam(
        self,
        width: int = WIDTH,
        heuristic: str = "score",
        memory: int = MEMORY,
        seed: int | None = None,
        endings: int = 0,
        time_limit: float = float("inf"),
        progress: Progress = lambda generated: None,
    ) -> Solution:
        """Level by level, the best `width` boards after each slide.

        `heuristic`: ``score``, or ``potential``, what a board's lines are likely to become (see `potential`). `seed`:
        ties are broken at random; without, by the lowest parent and move. `memory`: MiB that may be taken, kept by
        expanding fewer states at once. `endings`, at most 6: so many slides before the end, all endings of the ENDINGS
        best boards are tried out. Raises BadInput where the memory is too little for `width`.
        """
        if heuristic not in BEAM_HEURISTICS:
            raise BadInput(f"--heuristic {heuristic}: a beam expects score or potential")
        begin = time.monotonic()
        batch = self._batch(width, memory, 1 if heuristic == "score" else self._table_count())
        tables = [self.scores] if heuristic == "score" else self._tables(letter_weights(self.puzzle), PACE)
        salt = 0 if seed is None else int(np.random.default_rng(seed).integers(1 << 31)) * 2 + 1
        run = _BeamRun(self, tables, (), salt, progress)
        complete = run.to_the_end(width, batch, begin + time_limit, endings)
        optimal = complete and not run.dropped
        return Solution(run.score, run.moves, "beam", run.generated, time.monotonic() - begin, complete, optimal)

    def auto(
        self,
        time_limit: float = TIME_LIMIT,
        memory: int = MEMORY,
        seed: int = 0,
        save_to: Path | None = None,
        resume: Path | None = None,
        progress: Progress = lambda seconds: None,
    ) -> Solution:
        """The best that `time_limit` seconds find: beams ranked by potential, each unlike the one before.

        The first is narrow and tells the speed; each later one takes a quarter of the time left. The first two weigh
        the letters as the puzzle has them, the third ranks by score. Later ones vary the weights at random, and so
        settle on other words; every other one starts from where the best sequence stands after some of its slides.
        After each, the state is written to `save_to`; `resume` goes on from such a file with the time that was left,
        and writes to it unless `save_to` says otherwise.
        """
        begin = time.monotonic()
        settings = {
            "grid": "/".join(self.puzzle.grid),
            "queue": self.puzzle.queue,
            "dictionary": sha256("\n".join(sorted(self.words)).encode()).hexdigest(),
            "seed": seed,
        }
        best, moves, number, generated, spent = -1, [], 0, 0, 0.0
        if resume is not None:
            state = checkpoint.load(resume, KIND, settings)
            best, moves, number = state["score"], state["moves"], state["rounds"]
            generated, spent = state["generated"], state["seconds"]
        target = save_to or resume
        begin -= spent
        deadline = begin + time_limit
        count = self._table_count()
        most = self._most_width(memory, count)
        weights = letter_weights(self.puzzle)
        speed = cost = 0.0  # seconds for a state of width, seconds for the tables of a beam
        first = number
        while number == first or time.monotonic() + cost + speed * LEAST_WIDTH < deadline:
            random = np.random.default_rng([seed, number])
            started = time.monotonic()
            tables, kept = [self.scores], []
            if number < PLAIN_ROUND:
                tables = self._tables(weights, PACE)
            elif number > PLAIN_ROUND:
                varied = weights * np.exp(SPREAD * random.standard_normal(ALPHABET))
                tables = self._tables(np.asarray(varied / varied.sum(), np.float32), random.uniform(0.35, 0.65))
                if number % 2 == 1:
                    kept = moves[: int(random.integers(1, max(2, len(moves) * 2 // 3)))]
            cost = max(cost, time.monotonic() - started)
            width = min(FIRST_WIDTH, most)
            if number > first:
                left = (deadline - time.monotonic()) / SHARE
                width = max(min(int(left / speed), most), min(LEAST_WIDTH, most))
            started = time.monotonic()
            run = _BeamRun(self, tables, kept, 0, lambda done: progress(int(time.monotonic() - begin)))
            until = deadline if number > first else float("inf")  # however short the time, there is an answer
            complete = run.to_the_end(width, self._batch(width, memory, count), until)
            optimal = complete and not kept and not run.dropped
            speed = max(speed / 2, (time.monotonic() - started) / width)
            generated += run.generated
            number += 1
            if run.score > best:
                best, moves = run.score, run.moves
            if target is not None:
                state = {"score": best, "moves": moves, "rounds": number, "generated": generated}
                checkpoint.save(target, KIND, settings, state | {"seconds": time.monotonic() - begin})
            if optimal:
                break
        return Solution(best, moves, "auto", generated, time.monotonic() - begin, True, optimal, number)

    def _table_count(self) -> int:
        return min(MOST_TABLES[self.puzzle.size], max(1, self.boards.queue_length))

    def _tables(self, weights: npt.NDArray[np.float32], pace: float) -> list[Any]:
        host = potentials(self.backend.to_host(self.scores), weights, self._table_count(), pace)
        return [self.scores, *(self.backend.asarray(table) for table in host[1:])]

    def _fixed_memory(self, tables: int) -> int:
        """Bytes that a beam takes whatever its width: the tables and what makes them, and 200 MiB for the process."""
        lines: int = self.scores.size
        return 200 * MIB + lines * tables + (5 * lines if tables > 1 else 0)

    def _width_memory(self) -> int:
        """Bytes for each state of a level: both levels and what duplicates are found with, the pool, the way back."""
        return 12 * (self.puzzle.size + 1) + 24 + 2 * 28 + 6 * self.boards.queue_length

    def _batch(self, width: int, memory: int, tables: int) -> int:
        """How many states a beam of `width` may expand at once. Raises BadInput if not even one."""
        fixed = self._fixed_memory(tables) + width * self._width_memory()
        each = 28 * self.boards.moves  # a key, its mask, its number and its place in the pool, twice
        batch = (memory * MIB - fixed) // each
        if batch < 1:
            needed = -(-(fixed + each) // MIB)
            raise BadInput(f"--memory {memory}: too little for a beam of {width:,}: expected at least {needed:,} MiB")
        return int(min(batch, BATCHES.get(self.backend.name, LARGE_BATCH)))

    def _most_width(self, memory: int, tables: int) -> int:
        """The widest beam that `memory` MiB hold with a batch of some size."""
        left = memory * MIB - self._fixed_memory(tables) - 28 * self.boards.moves * 1024
        most = left // self._width_memory()
        if most < 1:
            self._batch(1, memory, tables)
            return 1
        return int(most)


class _BeamRun:
    """One beam from the position after some slides, and the best board that it has come upon."""

    def __init__(
        self, solver: Solver, tables: Sequence[Any], kept: Sequence[int], salt: int, progress: Progress
    ) -> None:
        self._solver, self._boards, self._progress = solver, solver.boards, progress
        self._tables, self._salt = tables, salt
        self._kept = list(kept)
        xp, root = solver.backend.xp, solver.root
        for move in kept:
            root = self._boards.slide(root, xp.zeros(1, xp.int32), xp.full(1, move, xp.uint8))
        self._left = self._boards.queue_length - len(self._kept)
        """Slides to go."""
        self._beam = Beam(xp, root, self._expand, self._boards.slide)
        self.score, self.moves = -1, self._kept
        self._look()

    @property
    def generated(self) -> int:
        """States generated and scored so far."""
        return self._beam.generated

    @property
    def dropped(self) -> bool:
        """Whether the beam left a board out."""
        return self._beam.dropped

    def _expand(self, states: Any, first: int, last: int) -> Any:
        table = self._tables[min(self._left - 1, len(self._tables) - 1)]
        return self._boards.expand(states, first, last, table, self._salt)

    def _look(self) -> None:
        """Takes the best board of the level if it is better than all before."""
        values = self._boards.totals(self._beam.states, self._solver.scores)
        index = int(values.argmax())
        if int(values[index]) > self.score:
            self.score = int(values[index])
            self.moves = [*self._kept, *self._beam.path(len(self._beam.steps), index)]

    def to_the_end(self, width: int, batch: int, deadline: float, endings: int = 0) -> bool:
        """Goes on level by level; False if `deadline` came first, as far as the last level's time foretells."""
        took = 0.0
        while self._left > 0:
            started = time.monotonic()
            if started + took > deadline:
                return False
            if self._left == endings:
                self._finish(endings)
            if not self._beam.advance(width, batch):
                return True
            self._left -= 1
            self._look()
            self._progress(self.generated)
            took = time.monotonic() - started
        return True

    def _finish(self, moves: int) -> None:
        """Tries out all endings of the best boards of the level. On ten days it found nothing that the beam missed."""
        xp, states = self._solver.backend.xp, self._beam.states
        table = self._tables[min(moves, len(self._tables) - 1)]
        chosen = xp.argsort(-self._boards.totals(states, table), kind="stable")[:ENDINGS]
        states = xp.ascontiguousarray(states[:, chosen])
        values, sequences = self._boards.finish(states, self._solver.scores, moves)
        index = int(values.argmax())
        if int(values[index]) > self.score:
            self.score = int(values[index])
            path = self._beam.path(len(self._beam.steps), int(chosen[index]))
            self.moves = [*self._kept, *path, *finishing(int(sequences[index]), moves)]
