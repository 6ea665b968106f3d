"""The search for the longest game against the adversary."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.adversary.position import Position, State
from gpusolve.games.wordle.cpu.outlast import FREE, HARD, HISTORY, keys_after, most_turns
from gpusolve.games.wordle.variant import Variant


class Node(NamedTuple):
    """A position of the search.

    Attributes
    ----------
    state : State
        The answers that remain and the guesses that are allowed.
    required : ndarray of int64, shape (letters, 2)
        In hard mode the number of copies of each letter that later guesses need, and its green places as bits.
    past : ndarray of uint64, shape ()
        The key of what is required, or of the history.
    key : int
        The key of the position.
    """

    state: State
    required: npt.NDArray[np.int64]
    past: np.uint64
    key: int


class Next(NamedTuple):
    """A guess that leaves fewer answers.

    Attributes
    ----------
    left : int
        The number of answers that it leaves.
    guess, rank : int
        The guess, and the rank of the pattern that it gets.
    key : int
        The key of the position after it.
    """

    left: int
    guess: int
    rank: int
    key: int


class Bounds(NamedTuple):
    """The longest game from a position takes at least `low` and at most `high` guesses; `guess` begins one of `low`."""

    low: int
    high: int
    guess: int


class Longest:
    """The longest game in which each guess leaves fewer answers.

    What is known about the length of the longest game from a position is kept.

    Parameters
    ----------
    position : Position
        The position at the start.
    variant : Variant
        The variant that is played.
    more : callable
        Returns whether the search may go on.
    """

    def __init__(self, position: Position, variant: Variant, more: Callable[[], bool]) -> None:
        self._position, self._more, self._presence = position, more, variant.scoring == "presence"
        self._length, self._kind = variant.length, FREE
        if variant.mode != "easy" and not variant.guess_hidden_only:
            self._kind = HARD if variant.mode == "hard" else HISTORY
        letters, spelling = np.unique(position.guesses.letters, return_inverse=True)
        self._spelling = spelling.reshape(position.guesses.letters.shape)
        self._traces = np.zeros((len(self._spelling), len(letters)), np.int64)
        for i, column in enumerate(self._spelling.T):
            self._traces[np.arange(len(column)), column] |= 1 << i
        self._known: dict[int, Bounds] = {}
        self.root = Node(position.start, np.zeros((len(letters), 2), np.int64), np.uint64(0), 0)

    @property
    def states(self) -> int:
        """Number of positions that were decided."""
        return len(self._known)

    def bounds(self, node: Node) -> Bounds:
        """Return what is known about the longest game from a position."""
        members, own = node.state.members, self._position.tables.own
        if len(members) == 1:
            return Bounds(1, 1, int(own[members[0]]))
        known = self._known.get(node.key)
        # Any answer that remains may be guessed, and leaves fewer of them.
        return known or Bounds(2, int(most_turns(self._traces, own, self._length, members)), int(own[members[0]]))

    def next_guesses(self, node: Node) -> list[Next]:
        """Return guesses that leave fewer answers, those that leave most first; one for each position after them."""
        ranks, sizes, _ = self._position.replies(node.state)
        keys = np.zeros(len(ranks), np.uint64)
        keys_after(
            self._position.tables,
            self._traces,
            self._spelling,
            self._presence,
            self._kind,
            node.required,
            node.past,
            node.state.members,
            ranks,
            sizes,
            keys,
        )
        guesses = np.flatnonzero(keys)
        _, first = np.unique(keys[guesses], return_index=True)
        guesses = guesses[np.sort(first)]
        guesses = guesses[np.argsort(-sizes[guesses], kind="stable")]
        columns = (sizes[guesses], guesses, ranks[guesses], keys[guesses])
        return [Next(*each) for each in zip(*(column.tolist() for column in columns), strict=True)]

    def after(self, node: Node, chosen: Next) -> Node:
        """Return the position after a guess."""
        state = self._position.after(node.state, chosen.guess, chosen.rank)
        noise = self._position.tables.noise[state.members].sum(dtype=np.uint64)
        required = node.required
        if self._kind == HARD:
            required, own = required.copy(), self._traces[self._position.tables.own[state.members[0]]]
            for letter in set(self._spelling[chosen.guess].tolist()):
                here, there = int(self._traces[chosen.guess, letter]), int(own[letter])
                greens = here & there
                if there:
                    count = max(1, greens.bit_count()) if self._presence else min(here.bit_count(), there.bit_count())
                    required[letter, 0] = max(count, required[letter, 0])
                    required[letter, 1] |= greens
        return Node(state, required, np.uint64((chosen.key - int(noise)) % (1 << 64)), chosen.key)

    def quick_line(self, width: int) -> list[int]:
        """Return a long game, from a beam that keeps the positions with most answers."""
        beam: list[tuple[Node, tuple[int, ...]]] = [(self.root, ())]
        while True:
            after: dict[int, tuple[int, int, Next]] = {}
            for i, (node, _) in enumerate(beam):
                for each in self.next_guesses(node) if len(node.state.members) > 1 else ():
                    after.setdefault(each.key, (-each.left, i, each))
            if not after:
                node, line = beam[0]
                return [*line, self.bounds(node).guess]
            best = sorted(after.values(), key=lambda each: each[:2])[:width]
            beam = [(self.after(beam[i][0], each), (*beam[i][1], each.guess)) for _, i, each in best]

    def lasts(self, node: Node, turns: int) -> bool:
        """Return whether some game from a position takes at least `turns` guesses.

        Raises InterruptedError if the search has to stop.
        """
        known = self.bounds(node)
        if known.low >= turns:
            return True
        if known.high < turns:
            return False
        if not self._more():
            raise InterruptedError
        for each in (coming := self.next_guesses(node)):
            found = self._known.get(each.key)
            if found and found.low >= turns - 1:
                self._known[node.key] = Bounds(turns, known.high, each.guess)
                return True
        for each in coming:
            if each.left < turns - 1:
                break
            if self.lasts(self.after(node, each), turns - 1):
                self._known[node.key] = Bounds(turns, known.high, each.guess)
                return True
        self._known[node.key] = Bounds(known.low, turns - 1, known.guess)
        return False

    def settle(self, line: list[int]) -> None:
        """Look for longer games, and exclude them, from the last position of a game to its first one.

        What is found out late in the game makes the earlier positions easier. Where the search has to stop, the rest of
        the game stays as it is.
        """
        nodes, going = [self.root], True
        for guess in line[:-1]:
            nodes.append(self._after_guess(nodes[-1], guess))
        for node, guess, after in zip(nodes[-2::-1], line[-2::-1], nodes[:0:-1], strict=True):
            known, low = self.bounds(node), 1 + self.bounds(after).low
            if low > known.low:
                known = self._known[node.key] = Bounds(low, known.high, guess)
            while going and known.low < known.high:
                going = self._decided(node, known.low + 1)
                known = self.bounds(node)

    def line(self) -> list[int]:
        """Return the longest game that is known, of as many guesses as the lower bound of the start says."""
        node, guesses = self.root, list[int]()
        while len(node.state.members) > 1:
            guesses.append(self.bounds(node).guess)
            node = self._after_guess(node, guesses[-1])
        return [*guesses, self.bounds(node).guess]

    def _decided(self, node: Node, turns: int) -> bool:
        try:
            self.lasts(node, turns)
        except InterruptedError:
            return False
        return True

    def _after_guess(self, node: Node, guess: int) -> Node:
        only = np.zeros_like(node.state.allowed)
        only[guess] = 1
        return self.after(node, *self.next_guesses(node._replace(state=node.state._replace(allowed=only))))
