"""A position to search: the answers that remain and the legal guesses, as the tables that the search reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.backend.intrinsics.columns import WIDTH
from gpusolve.backend.threads import Outcome, Threads
from gpusolve.errors import BadInput, NotFound
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.cpu.lengths import bound_guesses, rank_patterns
from gpusolve.games.wordle.cpu.proof import descent, equal, solvability, weighted
from gpusolve.games.wordle.cpu.proof.memo import GUESS_BITS, empty_memo
from gpusolve.games.wordle.cpu.proof.memory import (
    FREE,
    GUESS,
    LEVELS,
    LIMIT,
    MET,
    NO_LIMIT,
    State,
    Table,
    Top,
    Via,
    Work,
    new_work,
)
from gpusolve.games.wordle.cpu.proof.needs import Needs
from gpusolve.games.wordle.cpu.proof.nogoods import BLAMED, KEPT, MASKS, REASON, Nogoods
from gpusolve.games.wordle.cpu.proof.reasons import Reasons, new_reasons
from gpusolve.games.wordle.cpu.proof.weighted import Scales, new_scales
from gpusolve.games.wordle.history import allowed_mask
from gpusolve.games.wordle.proof import needs, restrictions
from gpusolve.games.wordle.proof.trials import FEWEST_TURNS, MANY, PATIENCE, Trials
from gpusolve.games.wordle.rules import LETTERS
from gpusolve.games.wordle.tables import PartitionTable
from gpusolve.games.wordle.variant import Variant

MOST_ANSWERS = 1 << 15
"""An exact search takes fewer answers than this."""
MOST_GUESSES = 1 << GUESS_BITS
"""An exact search takes at most this many guesses: the transposition table keeps their numbers in as many bits."""
TICK = 0.2  # seconds between two looks at the clock
SEED = 12  # of the random keys; the result does not depend on it
NO_TURN = Via(-1, -1)
"""Stands for the previous guess and its pattern at the start of a search."""

Result = TypeVar("Result")


class Job(NamedTuple):
    """A question about a next guess: the cost after its pattern `code`, or after all of its patterns (-1).

    With a `beta` above 0, the question is the least total of guesses over all answers, exact only if it is below
    `beta`. With 0 it is whether `turns` guesses are enough. The guess itself is one of the turns.
    """

    guess: int
    code: int
    turns: int
    beta: int


class Explanation(NamedTuple):
    """Why some answers can be solved within a number of turns, or not: a guess that does it, or a part of the answers.

    `guess` is -1 if there is none. The part `reason` cannot be solved either, if all guesses contain `need` (in hard
    mode). It is empty if there is a guess, or if the answers were not decided.
    """

    guess: int
    reason: npt.NDArray[np.int64]
    need: Needs


class Position:
    """A position in a game, ready to be searched by all threads of the host.

    Parameters
    ----------
    table : PartitionTable
        The legal guesses and the answers that remain.
    variant : Variant
        The variant that is played.
    width : int
        Beam width: the number of guesses tried in each state; 0 for all that a proof needs.
    memory : int
        Size of the transposition table in MiB.
    backend : Backend, optional
        Its host does the search; None for the CPU.

    Raises
    ------
    BadInput
        For more answers or guesses than an exact search takes.
    """

    def __init__(
        self,
        table: PartitionTable,
        variant: Variant,
        *,
        width: int = 0,
        memory: int = 256,
        backend: Backend | None = None,
    ) -> None:
        host = open_backend("cpu") if backend is None else backend.host
        self.table, self.guesses, self.answers, self.variant = table, table.guesses, table.answers, variant
        self.memory, self.met_elsewhere = memory, 0
        if len(self.answers) >= MOST_ANSWERS:
            raise BadInput(f"{len(self.answers):,} answers: expected fewer than {MOST_ANSWERS:,} for an exact search")
        if len(self.guesses) > MOST_GUESSES:
            raise BadInput(f"{len(self.guesses):,} guesses: expected at most {MOST_GUESSES:,} for an exact search")
        self.own = np.array([self.guesses.place[word] for word in self.answers])
        self.host, self.threads = host, host.threads
        restricted = variant.mode != "easy" and not variant.guess_hidden_only
        self.length, self.n_cells = variant.length, int(3**variant.length)
        terms, scoring = self.guesses.terms, variant.scoring
        stride = -(-len(self.guesses) // WIDTH) * WIDTH
        codes = kernels.pattern_matrix(host, terms, self.answers.letters, scoring=scoring).T
        patterns = np.zeros((len(self.answers), stride), codes.dtype)
        patterns[:, : len(self.guesses)] = codes
        self.patterns = patterns
        shapes, kinds = restrictions.shapes_of(self.guesses.letters)
        random = np.random.default_rng(SEED)
        by_pattern = restricted and self.length == LETTERS  # fastest; other patterns are too many
        is_hard = restricted and variant.mode == "hard"
        facts = np.zeros((0, LETTERS), np.uint64)
        if is_hard or (restricted and not by_pattern):
            facts = self._facts(stride)
        full = facts.view(np.uint8)
        if by_pattern:
            full = np.ascontiguousarray(kernels.pattern_matrix(host, terms, self.guesses.letters, scoring=scoring))
        self.search = Table(
            patterns=patterns.reshape(-1) if self.length == LETTERS else np.zeros(0, np.uint8),
            stride=stride,
            own=self.own,
            noise=random.integers(0, 2**64, len(self.answers), np.uint64),
            guess_noise=random.integers(0, 2**64, FREE + 1 + len(self.guesses), np.uint64),
            estimate=estimated_costs(len(self.answers)),
            memo=empty_memo(memory),
            stop=np.zeros(1, np.uint8),
            width=width,
            hidden_only=variant.guess_hidden_only,
            restricted=restricted,
            full=full,
            shapes=shapes,
            fits=restrictions.fitting(kinds, variant.mode, scoring) if by_pattern else np.zeros((0, 0, 0), np.uint8),
            needs=facts if is_hard else facts[:0],
        )
        self._top = Top(0, stride, len(self.answers))  # frame 0 takes this much of the stacks
        self.weights = table.weights
        self.mass = len(self.answers) if self.weights is None else int(self.weights.sum())
        self.never = equal.NEVER if self.weights is None else weighted.NEVER
        self._idle: SimpleQueue[tuple[Work, Reasons, Scales | None]] = SimpleQueue()
        self._works: list[Work] = []

    def _table(self, members: npt.NDArray[np.intp]) -> tuple[Table, int]:
        """Return the table for a search of some answers, and the number of guesses that it leaves out.

        The search reads patterns as bytes. It only needs to know which of them are equal, and which one is all green.
        It leaves out a guess that gets more patterns than a byte can number.
        """
        if self.length == LETTERS or len(members) <= 2:
            return self.search, 0
        ranks = np.zeros((len(members), self.patterns.shape[1]), np.uint8)
        seen = np.full(self.n_cells, -1, np.int32)
        left_out = rank_patterns(np.ascontiguousarray(self.patterns[members]), self.n_cells - 1, seen, ranks)
        patterns = np.empty((len(self.answers), self.patterns.shape[1]), np.uint8)  # other rows are not read
        patterns[members] = ranks
        return self.search._replace(patterns=patterns.reshape(-1)), int(left_out)

    def _facts(self, stride: int) -> Needs:
        """Return what the guess of each column contains."""
        facts = needs.needs_of(self.guesses.letters, self.variant.scoring)
        return np.concatenate((facts, np.zeros((stride - len(facts), facts.shape[1]), np.uint64)))

    @property
    def exact(self) -> bool:
        """Whether the search tries all guesses that a proof needs."""
        return self.search.width == 0

    def restrict(self, width: int) -> None:
        """Set the beam width (0: all guesses that a proof needs) and clear the transposition table."""
        self.search = self.search._replace(width=width, memo=empty_memo(self.memory))

    @property
    def states(self) -> int:
        """Number of states met so far, by workers too."""
        return self.met_elsewhere + sum(int(work.outcome[MET]) for work in self._works)

    def _run(self, largest: int, search: Callable[[Work, Reasons, Scales | None], int]) -> tuple[int, int]:
        """Run `search` with memory for states of up to `largest` answers; return its result and its best guess."""
        try:
            work, reasons, scales = self._idle.get_nowait()
        except Empty:
            work, reasons = self._new_work(largest), self._new_reasons(largest)
            scales = self._new_scales(largest)
        while True:
            try:
                if work.starts.shape[1] >= largest:
                    result = search(work, reasons, scales)
                    break
            except MemoryError:  # the stack of frames needs more than was allocated
                largest = 2 * work.starts.shape[1]
            except RecursionError:
                self._idle.put((work, reasons, scales))
                raise NotFound(f"the search went deeper than {LEVELS - 2} guesses") from None
            except InterruptedError:
                self._idle.put((work, reasons, scales))
                raise
            self._works = [other for other in self._works if other is not work]
            larger = self._new_work(largest)
            larger.outcome[:] = work.outcome
            work, reasons = larger, self._new_reasons(largest, reasons.nogoods)
            scales = self._new_scales(largest)
        guess = int(work.outcome[GUESS])
        self._idle.put((work, reasons, scales))
        return int(result), guess

    def _new_work(self, largest: int) -> Work:
        """Return new memory for a thread, whose counters `states` adds up."""
        work = new_work(len(self.answers), self.search.stride, largest)
        self._works.append(work)
        return work

    def _new_reasons(self, largest: int, nogoods: Nogoods | None = None) -> Reasons:
        """Return new memory for a thread, with the nogoods that it has learnt so far."""
        return new_reasons(len(self.answers), self.search.stride, largest, self.search.needs.shape[1], nogoods)

    def _new_scales(self, largest: int) -> Scales | None:
        """Return the weights with new memory for a thread; None without weights."""
        return None if self.weights is None else new_scales(self.weights, self.search.stride, largest)

    def low(self, members: npt.NDArray[np.intp]) -> int:
        """Return a lower bound on the total over some of the answers that needs no pattern."""
        if self.weights is None:
            return max(2 * len(members) - 1, 3 * len(members) - int(self.n_cells))
        return int(weighted.rank_bound(-np.sort(-self.weights[members]), len(members), self.n_cells))

    def cost(
        self,
        members: npt.NDArray[np.intp],
        *,
        turns: int = FREE,
        beta: int | None = None,
        via: tuple[int, int] = NO_TURN,
        allowed: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[int, int]:
        """Find the least total of guesses over some of the answers, and the guess that attains it.

        With weights, the guesses of each answer are multiplied by its weight.

        Parameters
        ----------
        members : ndarray of intp
            Indices of the answers.
        turns : int
            Every answer must be found within this number of guesses. If that is impossible, the total is `never`.
        beta : int
            A total of `beta` or more is only a lower bound. By default, every total is exact.
        via : tuple of int
            The previous guess and its pattern.
        allowed : ndarray of bool, shape (guesses,), optional
            The guesses that were legal before the previous guess, where guesses are restricted; None for all.
        """
        beta = self.never if beta is None else beta
        table, left_out = self._table(members)
        if left_out and self.exact:
            return self._cost_by_guess(members, turns=turns, beta=beta, via=via, allowed=allowed)

        def search(work: Work, reasons: Reasons, scales: Scales | None) -> int:
            state = self._state(work, self._heaviest_first(members), allowed)
            return int(descent.cost(table, work, scales, state, beta, turns, Via(*via), self._top))

        return self._run(len(members), search)

    def solvable(
        self,
        members: npt.NDArray[np.intp],
        *,
        turns: int,
        via: tuple[int, int] = NO_TURN,
        allowed: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[bool, int]:
        """Find whether each of some answers can be found within `turns` guesses, and by which guess.

        The parameters are those of `cost`.
        """
        need = np.zeros(self.search.needs.shape[1], np.uint64)
        if len(self.search.needs):  # what all legal guesses contain
            legal = slice(len(self.guesses)) if allowed is None else np.flatnonzero(allowed)
            need = np.bitwise_and.reduce(self.search.needs[legal], axis=0)

        table, left_out = self._table(members)
        if left_out:  # what is learned without these guesses would not hold elsewhere
            return self._solvable_by_guess(members, turns=turns, via=via, allowed=allowed)

        is_large = len(members) >= MANY and turns >= FEWEST_TURNS and len(self.search.needs) > 0
        trials: list[Trials] = []  # kept when the search starts again with more memory

        def search(work: Work, reasons: Reasons, _: Scales | None) -> int:
            attempt = partial(self._search, table, work, reasons, need)
            if not trials:
                states = PATIENCE if is_large else NO_LIMIT
                solved = attempt(members, turns, via, allowed, states)
                if solved is not None:
                    return solved
                trials.append(Trials(table, members, self._legal(members, via, allowed)[0], turns))
            now = self.allowed_after(allowed, *via)
            guess = trials[0].decide(
                lambda guess, code, cell, states: attempt(cell, turns - 1, (guess, code), now, states),
                reasons.nogoods,
                lambda: int(work.outcome[MET]),
            )
            known = need if via[0] < 0 else need | self.search.needs[via[0]] & self.search.needs[self.own[members[0]]]
            self.note(members, turns=turns, guess=guess, need=known)
            work.outcome[GUESS] = guess
            return guess >= 0

        solved, guess = self._run(len(members), search)
        return bool(solved), guess

    def explain(
        self,
        members: npt.NDArray[np.intp],
        *,
        turns: int,
        states: int = NO_LIMIT,
        need: Needs | None = None,
    ) -> Explanation:
        """Find a guess that solves some answers within `turns`; if there is none, a part of them that has none either.

        If this number of states does not suffice, the result has neither. In hard mode, all guesses must contain
        `need`; by default, every guess is legal. This is for words of five letters in easy and in hard mode.
        """
        found = Explanation(NO_TURN[0], np.zeros(0, np.int64), np.zeros(self.search.needs.shape[1], np.uint64))
        need = np.zeros_like(found.need) if need is None else need
        allowed = needs.contain(self.search.needs[: len(self.guesses)], need) if need.any() else None

        def search(work: Work, reasons: Reasons, _: Scales | None) -> bool:
            nonlocal found
            solved = self._search(self.search, work, reasons, need, members, turns, NO_TURN, allowed, states)
            if solved is False:
                nogoods = reasons.nogoods
                reason = nogoods.reason[: nogoods.count[REASON]].astype(np.int64)
                found = found._replace(reason=reason, need=nogoods.need.copy())
            return bool(solved)

        solved, guess = self._run(len(members), search)
        return found._replace(guess=guess) if solved else found

    def note(self, members: npt.NDArray[np.intp], *, turns: int, guess: int, need: Needs | None = None) -> None:
        """Keep in the transposition table that a guess solves some answers within `turns`, or -1 that none does.

        In hard mode, all guesses have to contain `need`.
        """
        need = np.zeros(self.search.needs.shape[1], np.uint64) if need is None else need
        noise = self.search.noise[members].sum(dtype=np.uint64)
        solvability.note(self.search, noise, need, len(members), turns, guess)

    def nogoods(self, turns: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return what a search has learnt about sets that cannot be solved within `turns`, in easy mode.

        Return the members of all nogoods, where each of these nogoods begins, and where it ends. They are those of the
        last search unless other threads search, too.
        """
        try:
            found = self._idle.get_nowait()
        except Empty:
            return np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.int64)
        nogoods = found[1].nogoods
        kept = np.flatnonzero(nogoods.turns[: nogoods.count[KEPT]] >= turns)
        learnt = nogoods.members.copy(), nogoods.at[kept].astype(np.int64), nogoods.at[kept + 1].astype(np.int64)
        self._idle.put(found)
        return learnt

    def _search(
        self,
        table: Table,
        work: Work,
        reasons: Reasons,
        need: Needs,
        members: npt.NDArray[np.intp],
        turns: int,
        via: tuple[int, int],
        allowed: npt.NDArray[np.bool_] | None,
        states: int,
    ) -> bool | None:
        """Return whether a state is solvable; None if this number of states does not suffice to decide it.

        `need`: what all guesses had to contain before the guess `via`.
        """
        reasons.need[0] = need
        reasons.nogoods.count[[MASKS, BLAMED]] = 0  # an interrupted search does not clear its stacks
        work.outcome[LIMIT] = min(int(work.outcome[MET]) + states, NO_LIMIT)
        try:
            state = self._state(work, members, allowed)
            return bool(solvability.solvable(table, work, reasons, state, turns, Via(*via), self._top))
        except InterruptedError:
            if self.search.stop[0]:
                raise
            return None
        finally:
            work.outcome[LIMIT] = NO_LIMIT

    def _cost_by_guess(
        self,
        members: npt.NDArray[np.intp],
        *,
        turns: int,
        beta: int,
        via: tuple[int, int],
        allowed: npt.NDArray[np.bool_] | None,
    ) -> tuple[int, int]:
        """Return what `cost` does, for answers among which guesses get more patterns than a byte can number.

        Each guess is searched cell by cell, in the order of the bounds, until no bound is below the best total. A good
        guess leaves few answers in each cell here, so its bound is close to its total and few guesses are searched.
        """
        legal, now = self._legal(members, via, allowed)
        left = turns if turns == FREE else turns - 1
        best, found = beta, NO_TURN[0]
        for bound, guess in self._by_bound(members, legal):
            total = bound
            if total >= best:
                break
            if self.search.stop[0]:
                raise InterruptedError
            for code, cell in sorted(self.cells(guess, members).items(), key=lambda item: -len(item[1])):
                low = 2 * self._mass(cell) - self._heaviest(cell)
                window, turn = best - total + low, (guess, code)
                total += self.cost(cell, turns=left, beta=window, via=turn, allowed=now)[0] - low
                if total >= best:
                    break
            if total < best:
                best, found = total, guess
        return best, found

    def _solvable_by_guess(
        self,
        members: npt.NDArray[np.intp],
        *,
        turns: int,
        via: tuple[int, int],
        allowed: npt.NDArray[np.bool_] | None,
    ) -> tuple[bool, int]:
        """Return what `solvable` does, for answers among which guesses get more patterns than a byte can number."""
        legal, now = self._legal(members, via, allowed)
        for _, guess in self._by_bound(members, legal) if turns > 1 else ():
            if self.search.stop[0]:
                raise InterruptedError
            cells = sorted(self.cells(guess, members).items(), key=lambda item: -len(item[1]))
            if all(self.solvable(cell, turns=turns - 1, via=(guess, code), allowed=now)[0] for code, cell in cells):
                return True, guess
        return False, NO_TURN[0]

    def _legal(
        self, members: npt.NDArray[np.intp], via: tuple[int, int], allowed: npt.NDArray[np.bool_] | None
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_] | None]:
        """Return the guesses that are legal for some answers after the guess `via`, and as `allowed_after` says it."""
        now = self.allowed_after(allowed, *via)
        if self.search.hidden_only:
            return self.own[members], now
        return np.arange(len(self.guesses)) if now is None else np.flatnonzero(now), now

    def _by_bound(self, members: npt.NDArray[np.intp], legal: npt.NDArray[np.intp]) -> Iterator[tuple[int, int]]:
        """Yield a lower bound on the total over some answers after each legal guess, and the guess; the lowest first.

        The guess finds one answer, and the next guess at best the heaviest answer of each cell. Guesses that tell
        nothing are left out.
        """
        weights = np.ones(len(members), np.int64) if self.weights is None else self.weights[members]
        bounds = np.zeros(self.patterns.shape[1], np.int64)
        heaviest = np.zeros(self.n_cells, np.int64)
        bound_guesses(np.ascontiguousarray(self.patterns[members]), weights, heaviest, bounds)
        for guess in legal[np.argsort(bounds[legal], kind="stable")].tolist():
            if (self.patterns[members, guess] != self.patterns[members[0], guess]).any():
                yield int(bounds[guess]), guess

    def _mass(self, members: npt.NDArray[np.intp]) -> int:
        """Return the number of some answers, or their weight."""
        return len(members) if self.weights is None else int(self.weights[members].sum())

    def _heaviest(self, members: npt.NDArray[np.intp]) -> int:
        """Return the weight of the heaviest of some answers; 1 without weights."""
        return 1 if self.weights is None else int(self.weights[members].max())

    def _heaviest_first(self, members: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Return the answers in descending order of their weights; those of equal weight keep their order."""
        if self.weights is None:
            return members
        return members[np.argsort(-self.weights[members], kind="stable")]

    def _state(self, work: Work, members: npt.NDArray[np.intp], allowed: npt.NDArray[np.bool_] | None) -> State:
        """Put a state on the empty stacks."""
        work.open[: len(self.guesses)] = 1 if allowed is None else allowed
        work.rows[: len(members)] = members
        return State(0, 0, len(members), self.search.noise[members].sum(dtype=np.uint64))

    def cost_after(self, guess: int, turns: int = FREE, beta: int | None = None) -> int:
        """Find the least total over all answers after a first guess; `beta` or more is only a lower bound."""
        beta = self.never if beta is None else beta
        cells = sorted(self.cells(guess, np.arange(len(self.answers))).items(), key=lambda cell: -len(cell[1]))
        if cells and turns == 1:
            return self.never
        low = {code: self.low(cell) for code, cell in cells}
        total, left = self.mass + sum(low.values()), turns if turns == FREE else turns - 1
        # First count the patterns in each cell, the largest cells first; then search the cells, the smallest first.
        for search, ordered in ((False, cells), (True, cells[::-1])):
            for code, cell in ordered:
                if total >= beta:
                    return total
                if len(cell) > 1:
                    window = beta - total + low[code] if search else 0
                    cost = max(low[code], self.cost(cell, turns=left, beta=window, via=(guess, code))[0])
                    total += cost - low[code]
                    low[code] = cost
        return total

    def solvable_after(self, guess: int, turns: int) -> bool:
        """Find whether each answer can be found within `turns` guesses, of which `guess` is the first."""
        cells = sorted(self.cells(guess, np.arange(len(self.answers))).items(), key=lambda cell: -len(cell[1]))
        return all(self.solvable(cell, turns=turns - 1, via=(guess, code))[0] for code, cell in cells)

    def do(self, job: Job) -> int:
        """Answer the question of a job; 1 means yes and 0 no."""
        guess, code, turns, beta = job
        if code < 0:
            return self.cost_after(guess, turns, beta) if beta else self.solvable_after(guess, turns)
        cell, left = np.flatnonzero(self.patterns[:, guess] == code), turns if turns == FREE else turns - 1
        if beta:
            return self.cost(cell, turns=left, beta=beta, via=(guess, code))[0]
        return self.solvable(cell, turns=left, via=(guess, code))[0]

    def each(self, jobs: Iterator[Callable[[], Result]], tick: Callable[[], bool]) -> Iterator[Result]:
        """Do the jobs on all threads, and yield their results as they end.

        `tick` is called between them and says whether to continue. If it says no, or if the caller stops iterating,
        the running jobs are interrupted and their results lost.
        """
        running, done = 0, SimpleQueue[Outcome[Result]]()
        with Threads(self.threads) as threads:
            try:
                while tick():
                    for job in islice(jobs, self.threads - running):
                        threads.start(job, done)
                        running += 1
                    if not running:
                        return
                    try:
                        outcome = done.get(timeout=TICK)
                    except Empty:
                        continue
                    running -= 1
                    yield outcome.value()
            finally:
                self.search.stop[0] = bool(running)
        self.search.stop[0] = 0

    def cells(self, guess: int, members: npt.NDArray[np.intp]) -> dict[int, npt.NDArray[np.intp]]:
        """Return the cells of a guess: each pattern that is not all green, with the answers of `members` behind it."""
        codes = self.patterns[members, guess]
        return {int(code): members[codes == code] for code in np.unique(codes) if code != self.n_cells - 1}

    def allowed_after(
        self, allowed: npt.NDArray[np.bool_] | None, guess: int, code: int
    ) -> npt.NDArray[np.bool_] | None:
        """Return the guesses, of those `allowed`, that are legal after another guess and its pattern.

        None means all guesses, and a guess of -1 means that no guess was made.
        """
        search = self.search
        if not search.restricted or guess < 0:
            return allowed
        fits: npt.NDArray[np.bool_]
        if not len(search.fits):
            turn = [(self.guesses[guess], code)]
            fits = allowed_mask(self.host, self.guesses.letters, turn, self.variant.mode, self.variant.scoring)
        else:
            fits = search.fits[search.shapes[guess], code, search.full[guess]] == 1
        return fits if allowed is None else fits & allowed


def estimated_costs(most: int) -> npt.NDArray[np.int64]:
    """Return the estimated cost of cells of 0..most answers, times 100: int64 (most + 1,). It only orders guesses."""
    n = np.arange(most + 1)
    costs = n * (150 + 28 * np.log2(np.maximum(n, 1)))
    costs[1:2] = 100
    return np.asarray(costs, np.int64)
