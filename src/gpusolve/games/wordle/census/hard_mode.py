"""Which first words cannot solve every answer in hard mode: a reason that one first word fails is used for all others.

In hard mode few answers are enough for a first word to fail. If six words in -ill are left and guesses must contain
-ill, a guess hardly tells more than whether it is the answer. So the *tightest* cells of a first word come first: those
with many answers and few legal guesses. The search of a cell that fails gives a reason: a few of its answers, and what
guesses must at least contain (`nogoods`). This *core* is shrunk as far as a short search shows. Every other first
word fails, too, if it contains what the guesses must contain and gets the same pattern for all answers of the core.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput
from gpusolve.games.wordle.census.cores import Cores, Numbers
from gpusolve.games.wordle.cpu.proof.needs import Needs
from gpusolve.games.wordle.cpu.proof.trials import FACTS
from gpusolve.games.wordle.proof.needs import contain
from gpusolve.games.wordle.proof.position import Explanation, Position
from gpusolve.games.wordle.rules import LETTERS

SHORT = 60
"""Number of states after which an answer is not left out of a core."""


class Core(NamedTuple):
    """Answers that cannot be solved in time if all guesses contain `need`."""

    answers: Numbers
    need: Needs


class HardCensus:
    """What has been learnt so far about all first words in hard mode. The parameters are those of `first_words.Census`.

    Attributes
    ----------
    cores : list of Core
        The cores for one guess less than `within`.
    failed : ndarray of int64, shape (guesses,)
        For each first word, the number of a core that it leaves together; -1 if none is known.
    """

    def __init__(self, position: Position, *, within: int) -> None:
        if position.variant.mode != "hard" or position.variant.guess_hidden_only or position.length != LETTERS:
            raise BadInput("a census of first words in hard mode: expected hard mode and words of five letters")
        self.position, self.turns = position, within - 1
        self.facts = position.search.needs[: len(position.guesses)]
        self.cores: list[Core] = []
        self._together = Cores(position.patterns, len(position.guesses))
        self.failed = np.full(len(position.guesses), -1, np.int64)

    def keep(self, core: Core) -> int:
        """Keep a core and return its number; the first words that fail by it, and by no earlier one, are noted."""
        number = self._together.add(core.answers)
        self.cores.append(core)
        bits = np.unpackbits(self._together.together(number).view(np.uint8), bitorder="little")[: len(self.failed)]
        self.failed[(self.failed < 0) & (bits == 1) & contain(self.facts, core.need)] = number
        return number

    def decide(self, word: int, *, states: int, most: int) -> bool | None:
        """Decide whether a first word solves every answer; None if the search of its cells does not show it.

        At most this number of cells is searched, the tightest ones, with a limit on the states of each. If the word
        does not solve every answer, `failed` says by which core.
        """
        if self.failed[word] >= 0:
            return False
        position, undecided = self.position, False
        cells = position.cells(word, np.arange(len(position.answers)))
        needs = {code: self.facts[word] & self.facts[position.own[cell[0]]] for code, cell in cells.items()}
        large = [code for code in cells if len(cells[code]) > self.turns]
        large.sort(key=lambda code: self._slack(cells[code], needs[code]))
        for code in large[:most]:
            found = position.explain(cells[code], turns=self.turns, states=states, need=needs[code])
            if len(found.reason):
                self.keep(self.shrunk(found))
                return False
            undecided |= found.guess < 0
        return None if undecided or len(large) > most else True

    def _slack(self, cell: npt.NDArray[np.intp], need: Needs) -> float:
        """Return how many legal guesses a cell has for its number of answers, as a ratio of logarithms."""
        return float(np.log(contain(self.facts, need).sum()) / np.log(max(len(cell), 2)))

    def shrunk(self, found: Explanation) -> Core:
        """Shrink the reason of a failure: first what guesses must contain, a fact at a time, then the answers."""
        core = Core(np.sort(found.reason), found.need)
        while True:
            smaller = self._without_answers(self._without_facts(core))
            if len(smaller.answers) == len(core.answers) and (smaller.need == core.need).all():
                return core
            core = smaller

    def _without_facts(self, core: Core) -> Core:
        for column in reversed(range(len(core.need))):  # that there is a letter follows from most others, so it is last
            for bit in range(FACTS):
                fact = np.uint64(1) << np.uint64(bit)
                if core.need[column] & fact:
                    less = core.need.copy()
                    less[column] ^= fact
                    core = self._failing(core.answers, less) or core
        return core

    def _without_answers(self, core: Core) -> Core:
        step = max(1, len(core.answers) // 4)
        while step:
            at = 0
            while at < len(core.answers):
                smaller = self._failing(np.concatenate((core.answers[:at], core.answers[at + step :])), core.need)
                if smaller is None:
                    at += step
                else:
                    core = smaller
            step //= 2
        return core

    def _failing(self, answers: Numbers, need: Needs) -> Core | None:
        """Return the core of some answers, as far as a short search shows; None if it shows none."""
        if len(answers) <= self.turns:
            return None
        found = self.position.explain(answers, turns=self.turns, states=SHORT, need=need)
        return Core(np.sort(found.reason), found.need) if len(found.reason) else None
