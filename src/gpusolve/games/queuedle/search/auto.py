"""The strategy ``auto``: beam searches in rounds, each different from the one before, until a budget is used up.

A round follows from the seed, its number and the best sequence of slides before it, never from a clock. So a larger
budget continues where a smaller one ends, and a resumed run gives the same as one that was never stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve import clock
from gpusolve.backend import Array
from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.kernels import ALPHABET
from gpusolve.games.queuedle.positions import Moves
from gpusolve.games.queuedle.search.memory import MEMORY, batch_size, most_width
from gpusolve.games.queuedle.search.potential import PACE, letter_weights
from gpusolve.games.queuedle.search.searches import Solution, Solver
from gpusolve.runs.run import Run
from gpusolve.search.space import Progress, Result
from gpusolve.wordlists import digest

STATES = 200_000_000
"""The default budget in boards scored: about seven seconds on two cores."""
MOST_STATES = 10**15
FIRST_WIDTH = 2000  # of round 0, which takes a few milliseconds and needs no tables of potential
SECOND_WIDTH = 20_000
GROWTH = 1.3  # factor of the width from round to round
WIDEST = 1_000_000  # such a round takes three to six seconds on two cores, which is the most that Ctrl-C can lose
ROUNDS_A_TURN = 4  # they share their tables, which take as long to make as a beam of 100,000
ROUNDS_FROM_TURN = 2  # of a turn that start with part of the turn's best sequence; the last starts with the run's
TURNS_A_SCORE = 3  # one turn out of three ranks by score, starting with the second
SPREAD = 0.5  # standard deviation of the logarithm of a letter's weight from turn to turn


@dataclass(frozen=True)
class Round:
    """The plan of a round: a beam search ranked by the tables of its turn, a group of four rounds."""

    width: int
    turn: int
    prefix: float
    """The fraction of the best sequence that the round starts with; 0 for the first slide."""
    from_turn: bool = False
    """Whether that is the best sequence of the turn, not of the run. If it were always the run's, all turns would end
    where the first one did."""
    salt: int = 0
    """An odd uint32 to break ties at random; 0 for the lowest parent."""

    @property
    def by_score(self) -> bool:
        """Whether boards are ranked by score rather than by potential."""
        return self.turn % TURNS_A_SCORE == 1


@dataclass(frozen=True)
class RunState:
    """The state of a run between two rounds: all that it needs to continue."""

    score: int = -1
    moves: list[int] = field(default_factory=list)
    rounds: int = 0
    generated: int = 0
    proven: bool = False
    turn_score: int = -1
    """The best score of the present turn."""
    turn_moves: list[int] = field(default_factory=list)

    def after(self, plan: Round, result: Result, bound: int) -> RunState:
        """Return the state after a round with this result. If the scores are equal, the first sequence stays.

        The best board is proven if the round left nothing out, or if its score is the upper `bound`.
        """
        best = max((self.score, self.moves), (result.value, result.moves), key=itemgetter(0))
        turn_best = (self.turn_score, self.turn_moves) if plan.prefix else (-1, [])
        turn_best = max(turn_best, (result.value, result.moves), key=itemgetter(0))
        proven = (result.exhaustive and not plan.prefix) or best[0] == bound
        return RunState(*best, self.rounds + 1, self.generated + result.generated, proven, *turn_best)


def plan_round(seed: int, number: int, widest: int = WIDEST) -> Round:
    """Return the plan of round `number` of a run. The width grows up to `widest`.

    >>> [plan_round(1, number).width for number in (0, 1, 2, 100)], plan_round(1, 5).prefix
    ([2000, 20000, 26000, 1000000], 0.0)
    """
    if number == 0:
        return Round(min(FIRST_WIDTH, widest), 1, 0.0)
    width = min(int(SECOND_WIDTH * GROWTH ** min(number - 1, 100)), widest)
    turn, index = divmod(number - 1, ROUNDS_A_TURN)
    prefix = float(np.random.default_rng([seed, number]).uniform(0.05, 0.67)) if index else 0.0
    salted = turn > 1 and turn % TURNS_A_SCORE == 1  # without salt, all beams of a width that rank by score are equal
    salt = 2 * int(np.random.default_rng([seed, turn, 2]).integers(1 << 31)) + 1 if salted else 0
    return Round(width, turn, prefix, 0 < index <= ROUNDS_FROM_TURN, salt)


class Rounds:
    """The rounds of a run. The object keeps the tables of a turn from one round to the next."""

    def __init__(self, solver: Solver, *, seed: int, memory: int) -> None:
        self._solver, self._seed = solver, seed
        self._widest = widest_beam(solver, memory)
        self._batch = batch_size(solver.boards, width=self._widest, memory=memory, tables=solver.table_count)
        self._turn, self._tables = -1, list[Array]()

    def plan(self, state: RunState) -> Round:
        """Return the plan of the next round."""
        return plan_round(self._seed, state.rounds, self._widest)

    def run(
        self,
        state: RunState,
        *,
        deadline: float = float("inf"),
        progress: Progress = lambda generated, best: None,
    ) -> tuple[Round, Result | None]:
        """Run the next round, and return its plan and its result.

        The round is cut when `clock.now` passes `deadline`. The result is None if there was no time to make the
        tables.
        """
        plan = self.plan(state)
        if plan.turn != self._turn:
            self._tables = []  # free the old tables before others are made
            tables = _tables(self._solver, self._seed, plan, deadline)
            if tables is None:
                return plan, None
            self._turn, self._tables = plan.turn, tables
        source = state.turn_moves if plan.from_turn else state.moves
        made = len(self._solver.moves)
        start = made + max(1, round(plan.prefix * (len(source) - made)))
        result = self._solver.run_beam(
            self._tables,
            prefix=source[:start] if plan.prefix else [],
            width=plan.width,
            batch=min(self._batch, plan.width),
            salt=plan.salt,
            time_limit=max(0.0, deadline - clock.now()),
            progress=progress,
        )
        return plan, result


def widest_beam(solver: Solver, memory: int) -> int:
    """Return the width that beams grow to with `memory` MiB."""
    return min(WIDEST, most_width(solver.boards, memory=memory, tables=solver.table_count))


def settings_of(solver: Solver, memory: int) -> dict[str, Any]:
    """Return the settings that must be the same when a run is resumed."""
    return puzzle_settings(solver) | {"widest beam": widest_beam(solver, memory)}


def puzzle_settings(solver: Solver) -> dict[str, Any]:
    """Return the settings that say which puzzle a run of any search solves."""
    return {
        "grid": "/".join(solver.puzzle.grid),
        "queue": solver.puzzle.queue,
        "dictionary": digest(solver.words),
    } | ({"moves": str(solver.moves)} if solver.moves else {})


def beams_in_rounds(
    solver: Solver,
    *,
    states: int | None = STATES,
    memory: int = MEMORY,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    improved: Callable[[int, Moves], object] = lambda score, moves: None,
    progress: Progress = lambda generated, best: None,
) -> Solution:
    """Run beam searches in rounds until a budget is used up, and return the best board.

    The first round is narrow and ranks by score, so that there is an answer at once. The others come in turns of four
    that share their tables. The first turn ranks by potential, with letters weighted by their frequency in the puzzle;
    the second and every third after it rank by score; the others rank by potential with weights varied at random, which
    leads to other words. The first round of a turn starts at the first slide, the next two after part of the turn's
    best sequence, and the last after part of the run's best sequence.

    Parameters
    ----------
    solver : Solver
        The puzzle on its device.
    states : int, optional
        No round starts after this number of boards was scored. None for no such limit.
    memory : int
        MiB that may be used. With less, the widest rounds are narrower.
    seed : int, optional
        Seed of all random choices; by default that of the resumed run, or a random one.
    time_limit : float, optional
        Seconds after which the present round is cut between two slides (the first round since the start or the resume
        never is). The result of a cut round counts, but a resumed run does that round again as a whole.
    checkpoint, resume : Path, optional
        The file that the state is saved to after each round, and the file to continue from (`gpusolve.runs.run.Run`).
    improved : callable
        Called after a round that found a better board, with its score and its moves.
    progress : callable
        Called with the number of boards scored and the best score.

    Returns
    -------
    Solution

    Raises
    ------
    BadInput
        For values out of range, too little memory, and a checkpoint of another run.
    """
    if states is not None:
        states = check_integer("states", states, 1, MOST_STATES)
    run = Run(
        "queuedle.auto",
        settings_of(solver, memory),
        seed=seed,
        checkpoint=checkpoint,
        resume=resume,
        time_limit=time_limit,
    )
    state = load_state(solver, run.state) if run.state else RunState()
    first, cut = state.rounds, None
    rounds = Rounds(solver, seed=run.seed, memory=memory)
    budget = MOST_STATES if states is None else states

    def report(generated: int, best: int) -> None:
        progress(state.generated + generated, max(state.score, best))

    with run.saved(lambda: asdict(state)) as more:
        while not state.proven and state.generated < budget and more():
            deadline = float("inf") if state.rounds == first else clock.now() + run.time_left
            plan, result = rounds.run(state, deadline=deadline, progress=report)
            if result is None or not result.complete:
                cut = result
                break
            # A single assignment, so that a signal at any moment saves the state between two rounds.
            before, state = state.score, state.after(plan, result, solver.bound)
            if state.score > before:
                improved(state.score, Moves(state.moves))
    complete = state.proven or state.generated >= budget
    best, moves, generated = state.score, state.moves, state.generated
    if cut is not None:
        generated += cut.generated
        if cut.value > best:
            best, moves = cut.value, cut.moves
    return solver.solution(
        best,
        moves,
        strategy="auto",
        generated=generated,
        seconds=run.seconds,
        complete=complete,
        proven=state.proven,
        seed=run.seed,
        rounds=state.rounds,
    )


def load_state(solver: Solver, fields: Fields) -> RunState:
    """Read the state of a run from a checkpoint. Raises BadInput if its moves do not give its scores."""
    most_move = solver.boards.moves - 1
    state = RunState(
        score=fields.integer("score", -1, MOST_STATES),
        moves=fields.integers("moves", 0, most_move),
        rounds=fields.integer("rounds", 0, MOST_STATES),
        generated=fields.integer("generated", 0, 1000 * MOST_STATES),
        proven=fields.flag("proven"),
        turn_score=fields.integer("turn_score", -1, MOST_STATES),
        turn_moves=fields.integers("turn_moves", 0, most_move),
    )
    if not state.rounds:
        if state != RunState():
            raise fields.wrong("rounds", "at least 1, because the run has a score")
        return state
    check_found(solver, fields, "score", state.score, state.moves)
    check_found(solver, fields, "turn_score", state.turn_score, state.turn_moves)
    return state


def check_found(solver: Solver, fields: Fields, name: str, score: int, moves: list[int]) -> None:
    """Raise BadInput if the moves of a checkpoint do not give its score."""
    if tuple(moves[: len(solver.moves)]) != solver.moves:
        raise fields.wrong(name.replace("score", "moves"), f"moves that begin with {solver.moves}")
    try:
        position = rules.replay(solver.puzzle.start, moves)[-1]
    except BadInput as error:
        raise BadInput(f"{fields.place}: {error}") from None
    actual = rules.score(position.grid, solver.words)
    if score != actual:
        raise fields.wrong(name, f"{actual}, the score that its moves give")


def _tables(solver: Solver, seed: int, plan: Round, deadline: float) -> list[Array] | None:
    """Return the tables of the round's turn; None if `clock.now` passes the deadline while they are made."""
    if plan.by_score:
        return [solver.scores]
    weights = letter_weights(solver.puzzle)
    if plan.turn == 0:
        return solver.tables(weights, pace=PACE, deadline=deadline)
    random = np.random.default_rng([seed, plan.turn, 1])
    varied = weights * np.exp(SPREAD * random.standard_normal(ALPHABET))
    normal = np.asarray(varied / varied.sum(), np.float32)
    return solver.tables(normal, pace=random.uniform(0.35, 0.65), deadline=deadline)
