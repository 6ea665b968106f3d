"""Nogoods: sets of answers that cannot be solved within a number of turns, learnt when a state fails.

A state fails if every guess fails. Each guess leaves together, in one of its cells, a few answers that are known to be
too many for the turns after it. The proof depends only on the union of these answers over all guesses. Every state that
contains the union fails, too, and so does every guess that leaves it together. Constraint solvers call such a set a
nogood, and solvers for satisfiability learn clauses in the same way (Marques-Silva and Sakallah,
GRASP, 1996). Most nogoods are words that agree in all positions but one, and a few more words. A dozen of them can be
the reason why a state of a thousand answers fails.

In hard mode a nogood also says what the guesses must at least contain (`needs`): if they must contain more, fewer
guesses are legal, and the set fails all the more. Each thread keeps its nogoods to itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.cpu.proof.needs import Needs, is_within

MOST = 1 << 17
"""Maximum number of nogoods; when it is reached, all are forgotten."""
ROOM = 1 << 22
"""Maximum number of answers in all nogoods together."""
LARGEST = 255
"""Maximum number of answers in a nogood."""
AT_ONCE = 4096
"""Maximum number of nogoods that are applied in a state before any guess is tried."""
CAUSES = 1 << 20
"""Size of the stacks of causes, in words."""

Numbers = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]


class Nogoods(NamedTuple):
    """The nogoods of one thread.

    Nogood x is the set members[at[x] : at[x + 1]]. It cannot be solved within turns[x] guesses that contain needs[x].
    """

    members: Indices
    at: Indices
    turns: npt.NDArray[np.uint8]
    needs: Needs
    next: Indices
    """The next nogood in the same chain; -1: none. Each nogood is in the chain of one of its answers."""
    head: Indices
    """For each answer: the first nogood in its chain."""
    lengths: Indices
    """For each answer: the number of nogoods in its chain."""
    present: Numbers
    """For each answer: the number of the last state that contained it."""
    contained: Indices
    """The nogoods that a state contains, for at least one turn less than the state has."""
    count: Numbers
    """Nogoods kept; states looked up; answers in `reason`; words of `masks` and of `blamed` in use."""
    reason: Indices
    """The answers that are the reason of the last failure."""
    need: Needs
    """What guesses must contain for that reason to hold."""
    masks: npt.NDArray[np.uint64]
    """Stack: the columns that each cause rules out, in all states that are being searched."""
    blamed: Indices
    """Stack: the answers of each cause, preceded by their number."""


KEPT, STATES, REASON, MASKS, BLAMED = range(5)


def empty_nogoods(answers: int, facts: int) -> Nogoods:
    """Return empty memory for nogoods about subsets of this number of answers, with needs of `facts` columns."""
    return Nogoods(
        members=np.zeros(ROOM, np.int32),
        at=np.zeros(MOST + 1, np.int32),
        turns=np.zeros(MOST, np.uint8),
        needs=np.zeros((MOST, facts), np.uint64),
        next=np.zeros(MOST, np.int32),
        head=np.full(answers, -1, np.int32),
        lengths=np.zeros(answers, np.int32),
        present=np.zeros(answers, np.int64),
        contained=np.zeros(AT_ONCE, np.int32),
        count=np.zeros(5, np.int64),
        reason=np.zeros(answers, np.int32),
        need=np.zeros(facts, np.uint64),
        masks=np.zeros(CAUSES, np.uint64),
        blamed=np.zeros(CAUSES, np.int32),
    )


@compiled
def look_up(nogoods, answers, turns, need):
    """Look for nogoods that a state contains.

    Return -1 if a nogood says that the state fails within `turns`, and set the reason. Otherwise write the nogoods for
    one turn less to nogoods.contained and return their number.
    """
    nogoods.count[STATES] += 1
    state, n = nogoods.count[STATES], 0
    present = nogoods.present
    for answer in answers:
        present[answer] = state
    for answer in answers:
        x = nogoods.head[answer]
        while x >= 0:
            if nogoods.turns[x] >= turns - 1:
                contains = True
                for i in range(nogoods.at[x], nogoods.at[x + 1]):
                    if present[nogoods.members[i]] != state:
                        contains = False
                        break
                if contains and nogoods.turns[x] >= turns and is_within(nogoods.needs[x], need):
                    recall_reason(nogoods, x)
                    return -1
                if contains and n < AT_ONCE:
                    nogoods.contained[n] = x
                    n += 1
            x = nogoods.next[x]
    return n


@compiled
def recall_reason(nogoods, x):
    """Make a nogood the reason of the failure."""
    set_reason(nogoods, nogoods.members[nogoods.at[x] : nogoods.at[x + 1]], nogoods.needs[x])


@compiled
def set_reason(nogoods, answers, need):
    """Make a set of answers, with what guesses must contain, the reason of the failure."""
    for i in range(len(answers)):
        nogoods.reason[i] = answers[i]
    nogoods.count[REASON] = len(answers)
    nogoods.need[:] = need


@compiled
def learn(nogoods, turns):
    """Keep the reason of the failure as a nogood for this number of turns, in the shortest chain of its answers."""
    size = nogoods.count[REASON]
    if size > LARGEST:
        return
    x = nogoods.count[KEPT]
    if x == MOST or nogoods.at[x] + size > ROOM:
        nogoods.head[:] = -1
        nogoods.lengths[:] = 0
        x = 0
    begin, best = nogoods.at[x], nogoods.reason[0]
    for i in range(size):
        answer = nogoods.reason[i]
        nogoods.members[begin + i] = answer
        if nogoods.lengths[answer] < nogoods.lengths[best]:
            best = answer
    nogoods.at[x + 1] = begin + size
    nogoods.turns[x] = turns
    nogoods.needs[x] = nogoods.need
    nogoods.next[x] = nogoods.head[best]
    nogoods.head[best] = x
    nogoods.lengths[best] += 1
    nogoods.count[KEPT] = x + 1
