"""A position to be searched: the answers that remain and what may be guessed, as the tables that the search reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from queue import Empty, SimpleQueue
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.backend.columns import WIDTH
from gpusolve.errors import BadInput
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.proof import descent, needs, restrictions, solvability
from gpusolve.games.wordle.proof.descent import FREE, NEVER
from gpusolve.games.wordle.proof.frames import CELLS, GUESS, MET, Table, Work, new_work
from gpusolve.games.wordle.proof.lessons import BLAMED, MASKS
from gpusolve.games.wordle.proof.memo import empty_memo
from gpusolve.games.wordle.proof.reasons import Reasons, new_reasons
from gpusolve.games.wordle.rules import LETTERS, SOLVED
from gpusolve.games.wordle.tables import PartitionTable
from gpusolve.games.wordle.variant import Variant

MOST_ANSWERS = 1 << 15
TICK = 0.2  # seconds after which a run looks at the clock
SEED = 12  # of the keys; whatever they are, the result is the same

Found = TypeVar("Found")


class Job(NamedTuple):
    """A question about what follows a next guess: after its pattern `code`, or after all of them (-1).

    `beta`: the fewest guesses over all answers, if that is less; 0: whether `turns` are enough. The guess is one of
    the turns.
    """

    guess: int
    code: int
    turns: int
    beta: int


class Position:
    """What may be guessed and what may be hidden, ready to be searched by as many threads as the backend has.

    `table`: both, for some point of a game of the `variant`. `width`: so many guesses are tried in each state, the rest
    left out; 0: all that a proof needs. `memory`: MiB for what has been found out. Raises BadInput for more answers
    than an exact search takes.
    """

    def __init__(
        self,
        table: PartitionTable,
        variant: Variant,
        width: int = 0,
        memory: int = 256,
        backend: Backend | None = None,
    ) -> None:
        host = open_backend("cpu") if backend is None else backend.host
        self.table, self.guesses, self.answers, self.variant = table, table.guesses, table.answers, variant
        self.memory, self.met_elsewhere = memory, 0
        if len(self.answers) >= MOST_ANSWERS:
            raise BadInput(f"{len(self.answers):,} answers: expected fewer than {MOST_ANSWERS:,} for an exact search")
        self.own = np.array([self.guesses.place[word] for word in self.answers])
        self.threads = host.threads
        restricted = variant.mode != "easy" and not variant.guess_hidden_only
        terms, scoring = self.guesses.terms, variant.scoring
        stride = -(-len(self.guesses) // WIDTH) * WIDTH
        patterns = np.zeros((len(self.answers), stride), np.uint8)
        patterns[:, : len(self.guesses)] = kernels.pattern_matrix(host, terms, self.answers.letters, scoring).T
        self.patterns = patterns
        shapes, kinds = restrictions.shapes_of(self.guesses.letters)
        random = np.random.default_rng(SEED)
        self.search = Table(
            patterns.reshape(-1),
            stride,
            self.own,
            random.integers(0, 2**64, len(self.answers), np.uint64),
            random.integers(0, 2**64, FREE + 1 + len(self.guesses), np.uint64),
            estimates(len(self.answers)),
            empty_memo(memory),
            np.zeros(1, np.uint8),
            width,
            variant.guess_hidden_only,
            restricted,
            kernels.pattern_matrix(host, terms, self.guesses.letters, scoring)
            if restricted
            else np.zeros((0, 0), np.uint8),
            shapes,
            restrictions.fitting(kinds, variant.mode, scoring) if restricted else np.zeros((0, 0, 0), np.uint8),
            self._needs(stride) if restricted and variant.mode == "hard" else np.zeros((0, LETTERS), np.uint64),
        )
        self._filled = 0, stride, len(self.answers)  # so much of the stacks is that of frame 0
        self._idle: SimpleQueue[tuple[Work, Reasons]] = SimpleQueue()
        self._works: list[Work] = []

    def _needs(self, stride: int) -> needs.Needs:
        found = np.zeros((stride, LETTERS), np.uint64)
        found[: len(self.guesses)] = needs.needs_of(self.guesses.letters, self.variant.scoring)
        return found

    @property
    def exact(self) -> bool:
        """Whether all guesses are tried that a proof needs."""
        return self.search.width == 0

    def restrict(self, width: int) -> None:
        """From now on so many guesses are tried in each state (0: all), and what was found out is forgotten."""
        self.search = self.search._replace(width=width, memo=empty_memo(self.memory))

    @property
    def states(self) -> int:
        """States met so far, by others too."""
        return self.met_elsewhere + sum(int(work.found[MET]) for work in self._works)

    def _run(self, largest: int, search: Callable[[Work, Reasons], int]) -> tuple[int, int]:
        """What `search` gives and the guess that it leaves, with room for states of up to `largest` answers."""
        try:
            work, reasons = self._idle.get_nowait()
        except Empty:
            work, reasons = self._new_work(largest), new_reasons(len(self.answers), self.search.stride, largest)
        while True:
            try:
                if work.starts.shape[1] >= largest:
                    found = search(work, reasons)
                    break
            except MemoryError:  # the frames above one another need more than was thought
                largest = 2 * work.starts.shape[1]
            except InterruptedError:
                self._idle.put((work, reasons))
                raise
            self._works = [one for one in self._works if one is not work]
            fresh = self._new_work(largest)
            fresh.found[:] = work.found
            work, reasons = fresh, new_reasons(len(self.answers), self.search.stride, largest, reasons.lessons)
        guess = int(work.found[GUESS])
        self._idle.put((work, reasons))
        return int(found), guess

    def _new_work(self, largest: int) -> Work:
        work = new_work(len(self.answers), self.search.stride, largest)
        self._works.append(work)
        return work

    def cost(
        self,
        members: npt.NDArray[np.intp],
        turns: int = FREE,
        beta: int = NEVER,
        via: tuple[int, int] = (-1, -1),
        allowed: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[int, int]:
        """The fewest guesses over some of the answers, and by which guess; NEVER where `turns` are too few.

        `via`: the guess before and its pattern; `allowed`, bool (guesses,): what may be guessed, where that is
        restricted. A result of `beta` or more is only a bound.
        """

        def search(work: Work, reasons: Reasons) -> int:
            state = self._state(work, members, allowed)
            return int(descent.cost(self.search, work, *state, beta, turns, *via, *self._filled))

        return self._run(len(members), search)

    def solvable(
        self,
        members: npt.NDArray[np.intp],
        turns: int,
        via: tuple[int, int] = (-1, -1),
        allowed: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[bool, int]:
        """Whether each of some answers can be found within `turns` guesses, and by which guess. The rest as `cost`."""
        need = np.zeros(LETTERS, np.uint64)
        if len(self.search.needs):  # what all hold that may be guessed
            may_be = slice(len(self.guesses)) if allowed is None else np.flatnonzero(allowed)
            need = np.bitwise_and.reduce(self.search.needs[may_be], axis=0)

        def search(work: Work, reasons: Reasons) -> int:
            reasons.need[0] = need
            reasons.lessons.count[[MASKS, BLAMED]] = 0  # an interrupted search leaves its own there
            state = self._state(work, members, allowed)
            return int(solvability.solvable(self.search, work, reasons, *state, turns, *via, *self._filled))

        found, guess = self._run(len(members), search)
        return bool(found), guess

    def _state(
        self, work: Work, members: npt.NDArray[np.intp], allowed: npt.NDArray[np.bool_] | None
    ) -> tuple[int, int, int, np.uint64]:
        """Puts a state on the stacks, which are empty: its level, where it begins, its size and its key."""
        work.open[: len(self.guesses)] = 1 if allowed is None else allowed
        work.rows[: len(members)] = members
        return 0, 0, len(members), self.search.noise[members].sum(dtype=np.uint64)

    def cost_after(self, guess: int, turns: int = FREE, beta: int = NEVER) -> int:
        """The fewest guesses over all answers after a first guess; a result of `beta` or more is only a bound."""
        cells = sorted(self.cells(guess, np.arange(len(self.answers))).items(), key=lambda cell: -len(cell[1]))
        low = {code: max(2 * len(cell) - 1, 3 * len(cell) - CELLS) for code, cell in cells}
        total, left = len(self.answers) + sum(low.values()), turns if turns == FREE else turns - 1
        # First the patterns are counted, the largest cells first; then comes the search, the smallest first.
        for search, some in ((False, cells), (True, cells[::-1])):
            for code, cell in some:
                if total >= beta:
                    return total
                if len(cell) > 1:
                    window = beta - total + low[code] if search else 0
                    found = max(low[code], self.cost(cell, left, window, (guess, code))[0])
                    total += found - low[code]
                    low[code] = found
        return total

    def solvable_after(self, guess: int, turns: int) -> bool:
        """Whether each answer can be found within `turns` guesses, of which `guess` is the first."""
        cells = sorted(self.cells(guess, np.arange(len(self.answers))).items(), key=lambda cell: -len(cell[1]))
        return all(self.solvable(cell, turns - 1, (guess, code))[0] for code, cell in cells)

    def do(self, job: Job) -> int:
        """The answer to a question, and 1 or 0 where it is yes or no."""
        guess, code, turns, beta = job
        if code < 0:
            return self.cost_after(guess, turns, beta) if beta else self.solvable_after(guess, turns)
        cell, left = np.flatnonzero(self.patterns[:, guess] == code), turns if turns == FREE else turns - 1
        if beta:
            return self.cost(cell, left, beta, (guess, code))[0]
        return self.solvable(cell, left, (guess, code))[0]

    def each(self, jobs: Iterator[Callable[[], Found]], tick: Callable[[], bool]) -> Iterator[Found]:
        """What the jobs give, as they end, on all threads. Between them `tick` is asked whether to go on.

        If not, or if whoever takes the results stops, the jobs under way are ended and lost.
        """
        running: set[Future[Found]] = set()
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                while tick():
                    for job in islice(jobs, self.threads - len(running)):
                        running.add(pool.submit(job))
                    if not running:
                        return
                    done, running = wait(running, TICK, FIRST_COMPLETED)
                    for job_done in done:
                        yield job_done.result()
            finally:
                self.search.stop[0] = bool(running)
        self.search.stop[0] = 0

    def cells(self, guess: int, members: npt.NDArray[np.intp]) -> dict[int, npt.NDArray[np.intp]]:
        """Pattern -> those of `members` that give it, but for five greens."""
        codes = self.patterns[members, guess]
        return {int(code): members[codes == code] for code in np.unique(codes) if code != SOLVED}

    def allowed_after(
        self, allowed: npt.NDArray[np.bool_] | None, guess: int, code: int
    ) -> npt.NDArray[np.bool_] | None:
        """What may be guessed after one more guess and its pattern (-1: none); None: anything."""
        search = self.search
        if not search.restricted or guess < 0:
            return allowed
        fits: npt.NDArray[np.bool_] = search.fits[search.shapes[guess], code, search.full[guess]] == 1
        return fits if allowed is None else fits & allowed


def estimates(most: int) -> npt.NDArray[np.int64]:
    """What cells of 0..most answers may cost, times 100: int64 (most + 1,). It only orders the guesses."""
    n = np.arange(most + 1)
    found = n * (150 + 28 * np.log2(np.maximum(n, 1)))
    found[1:2] = 100
    return np.asarray(found, np.int64)
