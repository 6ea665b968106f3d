"""Sets of answers that cannot be solved in so many turns: what a search for the worst case learns as it fails.

A state fails with every guess. Each leaves together, in one of its cells, a few answers that are known to be too many
for the turns after it; the union of these few, over the guesses, is all that the proof speaks of. So it is a lesson:
whatever state holds it fails, too, and every guess that leaves it together is as bad as the one before. That is what
solvers of satisfiability do with clauses (Marques-Silva and Sakallah, GRASP, 1996). Most lessons are sets of words that
agree in all places but one, and a few more; a dozen of them are the reason why a state of a thousand answers fails.

In hard mode a lesson says, too, what a guess must hold at least that is made there (`needs`); with more to hold, fewer
guesses are left, and it fails all the more. Each thread has its own lessons.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.proof.needs import Needs, is_within
from gpusolve.games.wordle.rules import LETTERS

MOST = 1 << 17
"""Lessons that are kept; when there are more, all are forgotten."""
ROOM = 1 << 22
"""Answers in all of them."""
LARGEST = 255
"""Answers in one."""
AT_ONCE = 4096
"""Lessons of a state that are looked at."""
CAUSES = 1 << 20
"""Words of bits for what the lessons of the states on the way forbid."""

Numbers = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]


class Lessons(NamedTuple):
    """What one thread has learnt.

    Lesson x is members[at[x] : at[x + 1]], which fail within turns[x] guesses that hold needs[x].
    """

    members: Places
    at: Places
    turns: npt.NDArray[np.uint8]
    needs: Needs
    next: Places
    """The next lesson in the chain of the same answer, one of the lesson's; -1: none."""
    head: Places
    """For each answer: the first lesson in its chain."""
    lengths: Places
    """For each answer: lessons in its chain."""
    present: Numbers
    """For each answer: the number of the state in which it was met last."""
    held: Places
    """Lessons that a state holds, for one turn less than it has."""
    count: Numbers
    """Lessons kept; states looked at; answers in `reason`; how much of `masks` and `blamed` is in use."""
    reason: Places
    """The answers of the lesson that the last failure taught."""
    need: Needs
    """What guesses must hold there."""
    masks: npt.NDArray[np.uint64]
    """Stack: which columns each cause in the states on the way forbids."""
    blamed: Places
    """Stack: the answers of each cause."""


KEPT, STATES, REASON, MASKS, BLAMED = range(5)


def no_lessons(answers: int) -> Lessons:
    """Room for what there is to learn about sets of so many answers."""
    return Lessons(
        members=np.zeros(ROOM, np.int32),
        at=np.zeros(MOST + 1, np.int32),
        turns=np.zeros(MOST, np.uint8),
        needs=np.zeros((MOST, LETTERS), np.uint64),
        next=np.zeros(MOST, np.int32),
        head=np.full(answers, -1, np.int32),
        lengths=np.zeros(answers, np.int32),
        present=np.zeros(answers, np.int64),
        held=np.zeros(AT_ONCE, np.int32),
        count=np.zeros(5, np.int64),
        reason=np.zeros(answers, np.int32),
        need=np.zeros(LETTERS, np.uint64),
        masks=np.zeros(CAUSES, np.uint64),
        blamed=np.zeros(CAUSES, np.int32),
    )


@compiled
def look_up(lessons, answers, turns, need):
    """What is known of a state: -1 if one of its lessons says that it fails within `turns`, which is then the reason.

    Else the number of its lessons for one turn less, those in lessons.held.
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
                holds = True
                for i in range(lessons.at[x], lessons.at[x + 1]):
                    if present[lessons.members[i]] != state:
                        holds = False
                        break
                if holds and lessons.turns[x] >= turns and is_within(lessons.needs[x], need):
                    repeat(lessons, x)
                    return -1
                if holds and n < AT_ONCE:
                    lessons.held[n] = x
                    n += 1
            x = lessons.next[x]
    return n


@compiled
def repeat(lessons, x):
    """Makes a lesson the reason of the failure."""
    blame(lessons, lessons.members[lessons.at[x] : lessons.at[x + 1]], lessons.needs[x])


@compiled
def blame(lessons, answers, need):
    """Makes some answers, and what guesses must hold there, the reason of the failure."""
    for i in range(len(answers)):
        lessons.reason[i] = answers[i]
    lessons.count[REASON] = len(answers)
    lessons.need[:] = need


@compiled
def learn(lessons, turns):
    """Keeps the reason of the failure as a lesson for so many turns."""
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
