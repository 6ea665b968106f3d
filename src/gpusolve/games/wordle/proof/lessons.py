"""Lessons: sets of answers that cannot be solved within a number of turns, learnt when a state fails.

A state fails if every guess fails. Each guess leaves together, in one of its cells, a few answers that are known to be
too many for the turns after it. The proof depends only on the union of these answers over all guesses, so that union is
a lesson: every state that contains it fails, too, and so does every guess that leaves it together. Constraint solvers
call such a set a nogood, and solvers for satisfiability learn clauses in the same way (Marques-Silva and Sakallah,
GRASP, 1996). Most lessons are words that agree in all positions but one, and a few more words. A dozen of them can be
the reason why a state of a thousand answers fails.

In hard mode a lesson also says what the guesses must at least contain (`needs`): if they must contain more, fewer
guesses are legal, and the set fails all the more. Each thread keeps its lessons to itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.proof.needs import Needs, is_within

MOST = 1 << 17
"""Maximum number of lessons; when it is reached, all are forgotten."""
ROOM = 1 << 22
"""Maximum number of answers in all lessons together."""
LARGEST = 255
"""Maximum number of answers in a lesson."""
AT_ONCE = 4096
"""Maximum number of lessons that are applied in a state before any guess is tried."""
CAUSES = 1 << 20
"""Size of the stacks of causes, in words."""

Numbers = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]


class Lessons(NamedTuple):
    """The lessons of one thread.

    Lesson x is the set members[at[x] : at[x + 1]]. It cannot be solved within turns[x] guesses that contain needs[x].
    """

    members: Indices
    at: Indices
    turns: npt.NDArray[np.uint8]
    needs: Needs
    next: Indices
    """The next lesson in the same chain; -1: none. Each lesson is in the chain of one of its answers."""
    head: Indices
    """For each answer: the first lesson in its chain."""
    lengths: Indices
    """For each answer: the number of lessons in its chain."""
    present: Numbers
    """For each answer: the number of the last state that contained it."""
    contained: Indices
    """The lessons that a state contains, for at least one turn less than the state has."""
    count: Numbers
    """Lessons kept; states looked up; answers in `reason`; words of `masks` and of `blamed` in use."""
    reason: Indices
    """The answers that are the reason of the last failure."""
    need: Needs
    """What guesses must contain for that reason to hold."""
    masks: npt.NDArray[np.uint64]
    """Stack: the columns that each cause rules out, in all states that are being searched."""
    blamed: Indices
    """Stack: the answers of each cause, preceded by their number."""


KEPT, STATES, REASON, MASKS, BLAMED = range(5)


def no_lessons(answers: int, facts: int) -> Lessons:
    """Return empty memory for lessons about subsets of this number of answers, with needs of `facts` columns."""
    return Lessons(
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
def look_up(lessons, answers, turns, need):
    """Look for lessons that a state contains.

    Return -1 if a lesson says that the state fails within `turns`, and set the reason. Otherwise write the lessons for
    one turn less to lessons.contained and return their number.
    """
    lessons.count[STATES] += 1
    state, n = lessons.count[STATES], 0
    present = lessons.present
    for answer in answers:
        present[answer] = state
    for answer in answers:
        x = lessons.head[answer]
        while x >= 0:
            if lessons.turns[x] >= turns - 1:
                contains = True
                for i in range(lessons.at[x], lessons.at[x + 1]):
                    if present[lessons.members[i]] != state:
                        contains = False
                        break
                if contains and lessons.turns[x] >= turns and is_within(lessons.needs[x], need):
                    recall_reason(lessons, x)
                    return -1
                if contains and n < AT_ONCE:
                    lessons.contained[n] = x
                    n += 1
            x = lessons.next[x]
    return n


@compiled
def recall_reason(lessons, x):
    """Make a lesson the reason of the failure."""
    set_reason(lessons, lessons.members[lessons.at[x] : lessons.at[x + 1]], lessons.needs[x])


@compiled
def set_reason(lessons, answers, need):
    """Make a set of answers, with what guesses must contain, the reason of the failure."""
    for i in range(len(answers)):
        lessons.reason[i] = answers[i]
    lessons.count[REASON] = len(answers)
    lessons.need[:] = need


@compiled
def learn(lessons, turns):
    """Keep the reason of the failure as a lesson for this number of turns, in the shortest chain of its answers."""
    size = lessons.count[REASON]
    if size > LARGEST:
        return
    x = lessons.count[KEPT]
    if x == MOST or lessons.at[x] + size > ROOM:
        lessons.head[:] = -1
        lessons.lengths[:] = 0
        x = 0
    begin, best = lessons.at[x], lessons.reason[0]
    for i in range(size):
        answer = lessons.reason[i]
        lessons.members[begin + i] = answer
        if lessons.lengths[answer] < lessons.lengths[best]:
            best = answer
    lessons.at[x + 1] = begin + size
    lessons.turns[x] = turns
    lessons.needs[x] = lessons.need
    lessons.next[x] = lessons.head[best]
    lessons.head[best] = x
    lessons.lengths[best] += 1
    lessons.count[KEPT] = x + 1
