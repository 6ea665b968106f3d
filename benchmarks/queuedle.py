"""Queuedle: the speed of the kernels and searches compared with plain Python, and the scores on twenty days.

The scores take half an hour on two cores and are written to ``benchmarks/results/queuedle-scores.{md,csv}`` after each
day. They are the same on every machine::

    PYTHONPATH=src python benchmarks/queuedle.py
"""

from __future__ import annotations

import csv
import resource
from datetime import date, timedelta
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.games.queuedle import Puzzle, daily, rules
from gpusolve.games.queuedle.kernels import line_scores
from gpusolve.games.queuedle.search.auto import beams_in_rounds
from gpusolve.games.queuedle.search.potential import PACE, letter_weights
from gpusolve.games.queuedle.search.searches import Solution, Solver
from harness import Row, Work, heading, side_by_side

FIRST, DAYS, ZONE, DICTIONARY = date(2025, 6, 1), 20, "Europe/London", "scowl-70"
WIDTHS, STATES, SEED = (10_000, 100_000, 1_000_000), (300_000_000, 2_000_000_000), 1
RESULTS = Path(__file__).with_name("results")
ENDING = 3  # slides that are tried in all orders
SPEC = Puzzle.parse("fndoi/eedgr/aadqs/oeilx/eyatg aikiueieexuatov")


def rows(backend: Backend) -> list[Row]:
    """Return the measurements on this backend."""
    solver = Solver(SPEC, dictionary=DICTIONARY, backend=backend)
    alone = Solver(SPEC, dictionary=DICTIONARY, backend=open_backend("cpu:1"))
    states = _states_of_level(solver, 4, 100_000)
    count = states.shape[1]
    host = alone.backend.asarray(backend.to_host(states))
    position = rules.replay(SPEC.start, [3, 0])[-1]

    weights = letter_weights(SPEC)
    used = np.flatnonzero(weights)
    worth = backend.to_host(solver.scores).reshape((26,) * SPEC.size)[np.ix_(*[used] * SPEC.size)].astype(np.float32)

    def potential_numpy() -> None:
        for axis in range(worth.ndim):
            np.tensordot(worth**4, weights[used], axes=([axis], [0])) ** 0.25

    def expand_python() -> None:
        for move in rules.legal_moves(position):
            rules.score(rules.slide(position, move).grid, solver.words)

    runs = {
        "expand": lambda: solver.boards.expand(states, 0, count, table=solver.scores),
        "expand, 1 thread": lambda: alone.boards.expand(host, 0, count, table=alone.scores),
        "python": expand_python,
        "beam 100k": lambda: solver.beam(width=100_000),
        "best-first": lambda: solver.best_first(heuristic="score"),
        "potentials": lambda: solver.tables(weights, pace=PACE),
        "potential, numpy": potential_numpy,
    }
    seconds = side_by_side(runs, backend)
    keys = backend.to_host(solver.boards.expand(states, 0, count, table=solver.scores))
    boards = {
        "expand": int((keys > 0).sum()),
        "expand, 1 thread": int((keys > 0).sum()),
        "python": len(rules.legal_moves(position)),
        "beam 100k": solver.beam(width=100_000).generated,
        "best-first": solver.best_first(heuristic="score").generated,
    }
    python = [seconds["python"][i] / boards["python"] for i in range(len(seconds["python"]))]

    def row(name: str, label: str) -> Row:
        rate = boards[name] / median(seconds[name])
        factor = median(p / (s / boards[name]) for p, s in zip(python, seconds[name], strict=True))
        return Row(label, median(seconds[name]), f"{rate / 1e6:.3f} M boards/s", f"{factor:,.0f} x plain Python")

    table = [
        row("python", "expand, plain Python (rules.py)"),
        row("expand", f"expand {count:,} boards, {backend.about}"),
        row("expand, 1 thread", f"expand {count:,} boards, {alone.backend.about}"),
        row("beam 100k", "beam of 100,000, whole"),
        row("best-first", "best-first, 500,000 taken, whole"),
    ]
    made, plain = solver.table_count - 1, seconds["potential, numpy"]
    factor = median(p * made / s for p, s in zip(plain, seconds["potentials"], strict=True))
    rate = made / median(seconds["potentials"])
    table.append(
        Row(
            f"{made} tables of potential",
            median(seconds["potentials"]),
            f"{rate:.0f} tables/s",
            f"{factor:.1f} x NumPy",
        )
    )
    million = side_by_side({"beam": lambda: solver.beam(width=1_000_000)}, backend, rounds=3)["beam"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    rate = solver.beam(width=1_000_000).generated / median(million)
    table.append(
        Row("beam of 1,000,000, whole", median(million), f"{rate / 1e6:.1f} M boards/s", f"peak memory {peak:.0f} MiB")
    )
    return table


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return the calls that are compared between devices: the searches, and a batch of states large enough to time."""
    puzzle = SPEC if scale >= 0.01 else Puzzle.parse("tsea/enop/adis/ttre eatns")
    solver = Solver(puzzle, dictionary=DICTIONARY, backend=backend)
    few = _states_of_level(solver, 4 if scale >= 0.01 else 2, 100_000)
    count = max(1000, round(4_000_000 * scale))
    states = backend.xp.ascontiguousarray(backend.xp.tile(few, -(-count // few.shape[1]))[:, :count])
    width, expanded = max(100, round(1_000_000 * scale)), max(100, round(500_000 * scale))
    ends = max(20, round(200_000 * scale))

    def expand() -> Any:
        return solver.boards.expand(states, 0, count, table=solver.scores)

    def found(solution: Solution) -> tuple[Any, ...]:
        return solution.score, solution.moves, solution.generated

    def generated(result: tuple[Any, ...]) -> int:
        return int(result[2])

    def endings() -> Any:
        return solver.boards.finish(states[:, :ends].copy(), solver.scores, ENDING)

    return {
        f"expand {count:,} boards": Work(expand, lambda keys: int(keys.size), "states", "8,000 M states/s"),
        f"beam of {width:,}": Work(
            lambda: found(solver.beam(width=width)), generated, "states", "a million under 0.2 s"
        ),
        f"beam of {width:,} by potential": Work(
            lambda: found(solver.beam(width=width, heuristic="potential")), generated, "states"
        ),
        "scores of all lines": Work(
            lambda: line_scores(backend, solver.words, puzzle.size), lambda table: int(table.size), "lines"
        ),
        "tables of potential": Work(lambda: solver.tables(letter_weights(puzzle), pace=PACE), len, "tables"),
        f"{ENDING} slides from {ends:,} boards": Work(endings, lambda best: len(best[0]), "states"),
        "best-first": Work(lambda: found(solver.best_first(heuristic="score", expanded=expanded)), generated, "states"),
    }


def _states_of_level(solver: Solver, level: int, count: int) -> Any:
    """Return up to `count` states that `level` slides lead to."""
    states = solver.root
    for _ in range(level):
        keys = solver.backend.to_host(solver.boards.expand(states, 0, states.shape[1], table=solver.scores))
        parents, moves = np.nonzero(keys)
        states = solver.boards.slide(
            states,
            solver.backend.asarray(parents[-count:].astype(np.int32)),
            solver.backend.asarray(moves[-count:].astype(np.uint16)),
        )
    return states


def scores() -> None:
    """Measure the scores of the searches on twenty days, and write them after each day."""
    backend = open_backend()
    top = heading("Queuedle, scores on twenty days: `python benchmarks/queuedle.py`", backend)
    columns = ["date", *(f"beam {width:,}" for width in WIDTHS), *(f"auto {states:,}" for states in STATES)]
    columns += ["moves of the last"]
    table: list[list[str | float]] = []
    for day in (FIRST + timedelta(days=i) for i in range(DAYS)):
        puzzle = daily(day, zone=ZONE, puzzle_dictionary=DICTIONARY)
        solver = Solver(puzzle, dictionary=DICTIONARY, backend=backend)
        solutions = [solver.beam(width=width) for width in WIDTHS]
        solutions += [beams_in_rounds(solver, states=states, seed=SEED) for states in STATES]
        table.append(
            [
                day.isoformat(),
                *(solution.score for solution in solutions),
                str(solutions[-1].moves),
            ]
        )
        print(*table[-1], flush=True)
        _write(top, columns, table)


def _write(top: str, columns: list[str], table: list[list[str | float]]) -> None:
    with (RESULTS / "queuedle-scores.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *table])
    means = ["mean", *(f"{mean(float(row[i]) for row in table):.2f}" for i in range(1, len(columns) - 1)), ""]
    shown: list[list[str | float]] = [[*columns], ["---"] * len(columns), *table, [*means]]
    lines = [
        top,
        f"Daily puzzles of {ZONE}, dictionary {DICTIONARY}. `beam`: its width, ranked by score, ties broken by the "
        f"lowest parent; `auto`: its budget in boards, seed {SEED}. All with 4 GiB.",
        "",
        *(f"| {' | '.join(map(str, row))} |" for row in shown),
    ]
    (RESULTS / "queuedle-scores.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    scores()
