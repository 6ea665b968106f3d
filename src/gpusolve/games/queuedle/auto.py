"""The best that a budget finds: beams in rounds, each unlike the one before.

What a round does follows from the seed, its number and the best sequence found before it, not from any clock: a larger
budget goes on where a smaller one ends, and a run that is resumed is the one that was not stopped.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.backend import Array
from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import memory as memories, rules
from gpusolve.games.queuedle.kernels import ALPHABET
from gpusolve.games.queuedle.memory import MEMORY
from gpusolve.games.queuedle.potential import PACE, letter_weights
from gpusolve.games.queuedle.searches import Solution, Solver
from gpusolve.runs.run import Run
from gpusolve.search.space import Progress, Result
from gpusolve.wordlists import digest

STATES = 200_000_000
"""States generated if no budget is given: some seven seconds on two cores."""
MOST_STATES = 10**15
FIRST_WIDTH = 2000  # of round 0, which takes some milliseconds and needs no tables
SECOND_WIDTH = 20_000
GROWTH = 1.3  # of the width from round to round
WIDEST = 1_000_000  # a round then takes three to six seconds on two cores: that much is lost at most
TURN = 4  # rounds that share their tables, which take as long as a beam of 100,000
OWN = 2  # of these begin with a part of the turn's best sequence, the last with a part of the best of all
PLAIN = 3  # one turn in so many ranks by score, the second one first
SPREAD = 0.5  # of the logarithm of a letter's weight, from turn to turn


@dataclass(frozen=True)
class Round:
    """What a round does: a beam of `width`, ranked by the tables of its `turn`."""

    width: int
    turn: int
    restart: float
    """Which part of a sequence it begins with, 0 for none of it."""
    own: bool = False
    """Whether that sequence is the turn's best, not the best of all: else all turns would end where the first did."""
    salt: int = 0
    """What ties are broken by, 0 for the lowest parent."""

    @property
    def plain(self) -> bool:
        """Whether it ranks by score."""
        return self.turn % PLAIN == 1


@dataclass(frozen=True)
class Reached:
    """What the rounds so far have come to: all that a run needs to go on."""

    score: int = -1
    moves: list[int] = field(default_factory=list)
    rounds: int = 0
    generated: int = 0
    proven: bool = False
    turn_score: int = -1
    """The best of the present turn."""
    turn_moves: list[int] = field(default_factory=list)

    def after(self, this: Round, found: Result) -> Reached:
        """What it is once a round has found this. Of equal scores the first sequence stays."""
        best = max((self.score, self.moves), (found.value, found.moves), key=itemgetter(0))
        turns = (self.turn_score, self.turn_moves) if this.restart else (-1, [])
        turns = max(turns, (found.value, found.moves), key=itemgetter(0))
        proven = found.exhaustive and not this.restart
        return Reached(*best, self.rounds + 1, self.generated + found.generated, proven, *turns)


def plan(seed: int, number: int, widest: int = WIDEST) -> Round:
    """Round `number` of a run: its width grows up to `widest`, the first of each turn begins at the beginning.

    >>> [plan(1, number).width for number in (0, 1, 2, 100)], plan(1, 5).restart
    ([2000, 20000, 26000, 1000000], 0.0)
    """
    if number == 0:
        return Round(min(FIRST_WIDTH, widest), 1, 0.0)
    width = min(int(SECOND_WIDTH * GROWTH ** min(number - 1, 100)), widest)
    turn, place = divmod(number - 1, TURN)
    restart = float(np.random.default_rng([seed, number]).uniform(0.05, 0.67)) if place else 0.0
    salted = turn > 1 and turn % PLAIN == 1  # without salt, beams of one width that rank by score are all the same
    salt = 2 * int(np.random.default_rng([seed, turn, 2]).integers(1 << 31)) + 1 if salted else 0
    return Round(width, turn, restart, 0 < place <= OWN, salt)


class Rounds:
    """The rounds of a run, one after another. It keeps the tables of a turn from one round to the next."""

    def __init__(self, solver: Solver, seed: int, memory: int) -> None:
        self._solver, self._seed = solver, seed
        self._widest = widest_beam(solver, memory)
        self._batch = memories.batch_size(solver.boards, self._widest, memory, solver.table_count)
        self._turn, self._tables = -1, list[Array]()

    def next(self, reached: Reached) -> Round:
        """What the next round does."""
        return plan(self._seed, reached.rounds, self._widest)

    def run(
        self,
        reached: Reached,
        deadline: float = float("inf"),
        progress: Progress = lambda generated, best: None,
    ) -> tuple[Round, Result | None]:
        """The next round and what it found, cut where `time.monotonic` overtakes; None: no time to make its tables."""
        this = self.next(reached)
        if this.turn != self._turn:
            self._tables = []  # the former ones are let go before others are made
            made = _tables(self._solver, self._seed, this, deadline)
            if made is None:
                return this, None
            self._turn, self._tables = this.turn, made
        source = reached.turn_moves if this.own else reached.moves
        kept = source[: max(1, round(this.restart * len(source)))] if this.restart else []
        left = max(0.0, deadline - time.monotonic())
        batch = min(self._batch, this.width)
        return this, self._solver.run_beam(self._tables, kept, this.width, batch, left, progress, this.salt)


def widest_beam(solver: Solver, memory: int) -> int:
    """The width that beams grow to in so many MiB."""
    return min(WIDEST, memories.most_width(solver.boards, memory, solver.table_count))


def settings_of(solver: Solver, memory: int) -> dict[str, Any]:
    """What must be the same for a run to go on."""
    return {
        "grid": "/".join(solver.puzzle.grid),
        "queue": solver.puzzle.queue,
        "dictionary": digest(solver.words),
        "widest beam": widest_beam(solver, memory),
    }


def beams_in_rounds(
    solver: Solver,
    states: int | None = STATES,
    memory: int = MEMORY,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Progress = lambda generated, best: None,
) -> Solution:
    """The best of beams in rounds: no round begins once so many `states` are generated (None: as many as time allows).

    The first round is narrow and ranks by score, so that there is an answer at once; the others come in turns of four
    with tables of their own. The first turn ranks by potential with the letters as the puzzle has them, the second and
    every third after it by score, the others by potential with the weights varied at random, and so settle on other
    words. The first round of a turn begins at the beginning, two where the turn's best sequence stands after some of
    its slides, and the last where the best of all does. `memory`: MiB that may be taken; less makes the widest rounds
    narrower.

    `time_limit` cuts a round between two slides, but the first of the sitting; what a cut round found counts, and when
    the run is resumed that round is done again as a whole. `seed`, `checkpoint`, `resume`: see `Run`; the state is
    saved after each round. `progress` is told the states generated and the best score. Raises BadInput for numbers out
    of range, too little memory, and a checkpoint of another run.
    """
    if states is not None:
        check_integer("states", states, 1, MOST_STATES)
    settings = settings_of(solver, memory)
    run = Run("queuedle.auto", settings, seed, checkpoint, resume, time_limit)
    reached = restored(solver, run.state, resume)
    first, cut = reached.rounds, None
    rounds = Rounds(solver, run.seed, memory)
    budget = MOST_STATES if states is None else states

    def tell(generated: int, best: int) -> None:
        progress(reached.generated + generated, max(reached.score, best))

    with run.saved(lambda: asdict(reached)) as more:
        while not reached.proven and reached.generated < budget and more():
            deadline = float("inf") if reached.rounds == first else time.monotonic() + run.time_left
            this, found = rounds.run(reached, deadline, tell)
            if found is None or not found.complete:
                cut = found
                break
            # One assignment: whenever a signal ends this, what is saved is the state between two rounds.
            reached = reached.after(this, found)
    complete = reached.proven or reached.generated >= budget
    best, moves, generated = reached.score, reached.moves, reached.generated
    if cut is not None:
        generated += cut.generated
        if cut.value > best:
            best, moves = cut.value, cut.moves
    return Solution(best, moves, "auto", generated, run.seconds, complete, reached.proven, run.seed, reached.rounds)


def _tables(solver: Solver, seed: int, this: Round, deadline: float) -> list[Array] | None:
    """What the rounds of a turn rank by; None if there is no time to make it."""
    if this.plain:
        return [solver.scores]
    weights = letter_weights(solver.puzzle)
    if this.turn == 0:
        return solver.tables(weights, PACE, deadline)
    random = np.random.default_rng([seed, this.turn, 1])
    varied = weights * np.exp(SPREAD * random.standard_normal(ALPHABET))
    return solver.tables(np.asarray(varied / varied.sum(), np.float32), random.uniform(0.35, 0.65), deadline)


def restored(solver: Solver, state: dict[str, Any], resume: Path | None) -> Reached:
    """What a checkpoint held. Raises BadInput unless its moves are worth its score."""
    try:
        reached = Reached(**state)
        for name in ("rounds", "generated"):
            check_integer(name, getattr(reached, name), 0, MOST_STATES * 1000)
        sound = isinstance(reached.proven, bool)
        if reached.rounds:
            for score, moves in ((reached.score, reached.moves), (reached.turn_score, reached.turn_moves)):
                position = rules.replay(solver.puzzle, moves)[-1]
                sound &= rules.score(position.grid, solver.words) == score
        else:
            sound &= reached == Reached()
    except (TypeError, BadInput):
        sound = False
    if not sound:
        raise BadInput(f"checkpoint {resume}: damaged: it does not hold what a run saves")
    return reached
