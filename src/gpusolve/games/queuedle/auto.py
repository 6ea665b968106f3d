"""The best that some seconds find: beams in rounds, each unlike the one before."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.games.queuedle import memory as memories
from gpusolve.games.queuedle.kernels import ALPHABET
from gpusolve.games.queuedle.memory import MEMORY
from gpusolve.games.queuedle.potential import PACE, letter_weights
from gpusolve.games.queuedle.searches import Solution, Solver
from gpusolve.run import Run
from gpusolve.search.space import Progress
from gpusolve.wordlists import digest

TIME_LIMIT = 10.0
FIRST_WIDTH = 20_000  # of the first beam: a tenth of a second
LEAST_WIDTH = 50_000  # and the least of the later ones
SHARE = 4  # a later beam takes this part of the time left
PLAIN_ROUND = 2  # the beam that ranks by score
SPREAD = 0.5  # of the logarithm of a letter's weight, from one beam to the next


def beams_in_rounds(
    solver: Solver,
    memory: int = MEMORY,
    seed: int | None = None,
    time_limit: float = TIME_LIMIT,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Progress = lambda seconds: None,
) -> Solution:
    """The best that `time_limit` seconds find: beams ranked by potential.

    The first is narrow and tells the speed; each later one takes a quarter of the time left. The first two weigh the
    letters as the puzzle has them, the third ranks by score. Later ones vary the weights at random, and so settle on
    other words; every other one starts from where the best sequence stands after some of its slides. `memory`: MiB that
    may be taken. `seed`, `checkpoint`, `resume`: see `Run`; the state is saved after each round.
    """
    settings = {
        "grid": "/".join(solver.puzzle.grid),
        "queue": solver.puzzle.queue,
        "dictionary": digest(solver.words),
    }
    run = Run("queuedle.auto", settings, seed, checkpoint, resume, time_limit)
    begin = time.monotonic()
    best: int = run.state.get("score", -1)
    moves: list[int] = run.state.get("moves", [])
    number: int = run.state.get("rounds", 0)
    generated: int = run.state.get("generated", 0)
    proven: bool = run.state.get("proven", False)

    def state() -> dict[str, Any]:
        return {"score": best, "moves": moves, "rounds": number, "generated": generated, "proven": proven}

    count = solver.table_count
    most = memories.most_width(solver.boards, memory, count)
    weights = letter_weights(solver.puzzle)
    speed = cost = 0.0  # seconds for a state of width, seconds for the tables of a beam
    first = number
    with run.saved(state) as more:
        while not proven and more() and (number == first or run.time_left > cost + speed * LEAST_WIDTH):
            random = np.random.default_rng([run.seed, number])
            started = time.monotonic()
            tables, kept = [solver.scores], []
            if number < PLAIN_ROUND:
                tables = solver.tables(weights, PACE)
            elif number > PLAIN_ROUND:
                varied = weights * np.exp(SPREAD * random.standard_normal(ALPHABET))
                tables = solver.tables(np.asarray(varied / varied.sum(), np.float32), random.uniform(0.35, 0.65))
                if number % 2 == 1:
                    kept = moves[: int(random.integers(1, max(2, len(moves) * 2 // 3)))]
            cost = max(cost, time.monotonic() - started)
            width, limit = min(FIRST_WIDTH, most), float("inf")  # however short the time, there is an answer
            if number > first:
                limit = run.time_left
                width = max(min(int(limit / SHARE / speed), most), min(LEAST_WIDTH, most))
            batch = memories.batch_size(solver.boards, width, memory, count)
            started = time.monotonic()
            found = solver.run_beam(
                tables, kept, width, batch, limit, lambda done: progress(int(time.monotonic() - begin))
            )
            speed = max(speed / 2, (time.monotonic() - started) / width)
            generated += found.generated
            number += 1
            if found.value > best:
                best, moves = found.value, found.moves
            proven = found.exhaustive and not kept
    return Solution(best, moves, "auto", generated, run.seconds, True, proven, run.seed, number)
