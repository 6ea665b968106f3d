"""A position against the adversary: the answers that remain and the legal guesses, as the search reads them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle.cpu.adversary import STOPPED, Tables, replies, restrict, split_in_two, splitter
from gpusolve.games.wordle.proof import needs, restrictions
from gpusolve.games.wordle.tables import PartitionTable
from gpusolve.games.wordle.variant import Variant

SEED = 12  # of the random keys; the result does not depend on it
BEAM = 30
"""Number of sets of answers that the quick search keeps after each guess."""
LONGEST = 100
"""A number of guesses that no search is limited by."""


class State(NamedTuple):
    """A set of answers, int32 (n,), and the guesses that are allowed, uint8 (guesses,)."""

    members: npt.NDArray[np.int32]
    allowed: npt.NDArray[np.uint8]


class Position:
    """A position against the adversary, ready to be searched by several threads.

    Parameters
    ----------
    table : PartitionTable
        The legal guesses and the answers that remain.
    variant : Variant
        The variant that is played.
    memory : int
        Size of the table of sets that were searched in vain, in MiB.
    backend : Backend
        Its host does the search.
    """

    def __init__(self, table: PartitionTable, variant: Variant, *, memory: int, backend: Backend) -> None:
        host = backend.host
        self.guesses, self.answers, self.threads, self.states = table.guesses, table.answers, host.threads, 0
        terms, scoring = self.guesses.terms, variant.scoring
        is_five = variant.length == rules.LETTERS
        codes = _by_reluctance(variant.length)
        ranks = np.empty(len(codes), np.uint8 if is_five else np.int32)
        ranks[codes] = np.arange(len(codes))
        patterns = kernels.pattern_matrix(host, terms, self.answers.letters, scoring=scoring)
        by_guess = np.ascontiguousarray(ranks[patterns]) if is_five else kernels.numbered(ranks[patterns])
        restricted = variant.mode != "easy" and not variant.guess_hidden_only
        by_pattern = restricted and is_five
        shapes, kinds = restrictions.shapes_of(self.guesses.letters)
        slots = 1 << max(0, (memory << 17).bit_length() - 1)
        self.tables = Tables(
            by_guess=by_guess,
            by_answer=np.ascontiguousarray(by_guess.T),
            cells=len(codes) if is_five else int(by_guess.max()) + 1,
            letters=self.answers.letters.astype(np.uint8, copy=False),
            noise=np.random.default_rng(SEED).integers(0, 2**64, len(self.answers), np.uint64),
            own=np.array([self.guesses.place[word] for word in self.answers], np.int32),
            hidden_only=variant.guess_hidden_only,
            restricted=restricted,
            full=np.ascontiguousarray(kernels.pattern_matrix(host, terms, self.guesses.letters, scoring=scoring))
            if by_pattern
            else np.zeros((0, 0), np.uint8),
            shapes=shapes,
            fits=restrictions.fitting(kinds, variant.mode, scoring) if by_pattern else np.zeros((0, 0, 0), np.uint8),
            codes=codes.astype(np.uint8) if is_five else np.zeros(0, np.uint8),
            facts=needs.needs_of(self.guesses.letters, scoring)
            if restricted and not is_five
            else np.zeros((0, 0), np.uint64),
            exactly=variant.mode == "ultra-hard",
            memo=np.zeros(slots, np.uint64),
            stop=np.zeros(1, np.uint8),
        )

    @property
    def start(self) -> State:
        """All answers that remain, with the guesses that are allowed."""
        return State(np.arange(len(self.answers), dtype=np.int32), np.ones(len(self.guesses), np.uint8))

    def replies(self, state: State) -> tuple[npt.NDArray[np.unsignedinteger[Any]], npt.NDArray[np.int32], int]:
        """Return the adversary's answer to each guess as a rank, the number of answers left, and the most patterns.

        A guess that is not allowed leaves 0.
        """
        ranks, sizes = np.zeros(len(self.guesses), self.tables.by_guess.dtype), np.zeros(len(self.guesses), np.int32)
        return ranks, sizes, int(replies(self.tables, state.members, state.allowed, ranks, sizes))

    def reply(self, state: State, guess: int) -> int:
        """Return the adversary's answer to a guess as a rank, whether the guess is allowed or not."""
        only = np.zeros_like(state.allowed)
        only[guess] = 1
        return int(self.replies(State(state.members, only))[0][guess])

    def wins(self, guess: int, rank: int) -> bool:
        """Return whether an answer of the adversary is that the guess is right."""
        answer = self.answers.place.get(self.guesses[guess])
        return answer is not None and int(self.tables.by_guess[guess, answer]) == rank

    def after(self, state: State, guess: int, rank: int) -> State:
        """Return the state after a guess and the adversary's answer to it."""
        members = state.members[self.tables.by_guess[guess, state.members] == rank]
        allowed = np.empty_like(state.allowed)
        restrict(self.tables, state.allowed, guess, rank, members, allowed)
        return State(members, allowed)

    def line(self, state: State, turns: int) -> list[int] | None:
        """Return guesses that win within `turns` of them, or None if there are none.

        Raises InterruptedError if the search was stopped.
        """
        if turns < 1:
            return None
        if len(state.members) == 1:
            return [int(self.tables.own[state.members[0]])]
        if turns == 1:
            return None
        if turns == 2:
            self.states += 1
            guess = int(
                splitter(self.tables, state.members, state.allowed.copy(), np.zeros(self.tables.cells, np.uint8))
            )
            return None if guess < 0 else self._then(state, [guess])
        if turns == 3:
            if line := self.line(state, 2):
                return line
            found = np.zeros(2, np.int64)
            states = int(split_in_two(self.tables, state.members, state.allowed, found))
            if states == STOPPED:
                raise InterruptedError
            self.states += states
            return None if found[0] < 0 else self._then(state, found.tolist())
        for _, guess, rank in self.next_guesses(state, turns):
            if self.tables.stop[0]:
                raise InterruptedError
            if line := self.line(self.after(state, guess, rank), turns - 1):
                return [guess, *line]
        return None

    def next_guesses(self, state: State, turns: int = LONGEST) -> list[tuple[int, int, int]]:
        """Return the guesses that can win within `turns`, 3 or more: the answers left, the guess, and the rank.

        Guesses that leave fewer answers come first. Each guess divides the answers by at most the number of patterns
        that it gets, and the last but one must leave a single answer, so sets that are too large are left out.
        """
        ranks, sizes, most = self.replies(state)
        good = (sizes > 0) & (sizes < len(state.members)) & (sizes <= float(most) ** (turns - 2))
        order = np.argsort(sizes, kind="stable")
        order = order[good[order]]
        return list(zip(sizes[order].tolist(), order.tolist(), ranks[order].tolist(), strict=True))

    def quick_line(self, state: State) -> list[int]:
        """Return guesses that win, from a quick search that keeps the smallest sets."""
        states: list[tuple[State, list[int]]] = [(state, [])]
        while True:
            for state, line in states:
                if len(state.members) == 1:
                    return [*line, int(self.tables.own[state.members[0]])]
            best = sorted(
                (size, i, guess, rank)
                for i, (state, _) in enumerate(states)
                for size, guess, rank in self.next_guesses(state)[:BEAM]
            )
            states = [
                (self.after(states[i][0], guess, rank), [*states[i][1], guess]) for _, i, guess, rank in best[:BEAM]
            ]

    def _then(self, state: State, guesses: list[int]) -> list[int]:
        """Return these guesses and the last one, which is the only answer left after them."""
        for guess in guesses:
            ranks, _, _ = self.replies(state)
            state = self.after(state, guess, int(ranks[guess]))
        return [*guesses, int(self.tables.own[state.members[0]])]


def _by_reluctance(length: int) -> npt.NDArray[np.int64]:
    """Return all patterns in the order in which the adversary prefers them among equals (`rules.reluctance`)."""
    digits = np.arange(3**length)[:, None] // 3 ** np.arange(length) % 3
    return np.lexsort((*digits.T[::-1], (digits == 1).sum(axis=1), (digits == 2).sum(axis=1)))
