"""Queuedle: the upper bounds of twenty days, and proofs of the best boards of small puzzles.

Takes a few minutes on two cores, and writes ``benchmarks/results/queuedle-bounds.md``. All but the seconds is the same
on every machine::

    PYTHONPATH=src python benchmarks/queuedle_bounds.py
"""

from __future__ import annotations

import csv
import random
from datetime import date
from pathlib import Path
from statistics import mean

from gpusolve.backend import open_backend
from gpusolve.games.queuedle import Puzzle, daily, rules
from gpusolve.games.queuedle.search import bounds
from gpusolve.games.queuedle.search.exhaustive import search_all
from gpusolve.games.queuedle.search.searches import Solver
from harness import heading

ZONE, DICTIONARY, SEED, PUZZLES = "Europe/London", "scowl-70", 1, 3
SMALL = [(3, 6), (3, 8), (3, 9), (4, 4), (4, 5), (4, 6), (4, 7), (4, 8), (5, 4), (5, 5), (5, 6), (6, 4)]
"""Rows and letters of the queue."""
RESULTS = Path(__file__).with_name("results")


def main() -> None:
    """Measure and write."""
    backend = open_backend("cpu")
    lines = [
        heading("Queuedle, upper bounds and proofs: `python benchmarks/queuedle_bounds.py`", backend),
        f"Daily puzzles of {ZONE}, dictionary {DICTIONARY}. `alone`: the best line that the puzzle's letters can form, "
        "for each of the ten lines. `free`: letters can be anywhere, each as often as in the grid and the queue."
        " `agree`: as `free`, and the letters of rows and columns are pulled together; this is what `queuedle solve` "
        "reports. "
        "`found`: the best board of [queuedle-scores.md](queuedle-scores.md).",
        "",
        "| date | alone | free | agree | found | gap |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    with (RESULTS / "queuedle-scores.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    best = max(name for name in rows[0] if name.startswith("auto"))
    table = []
    for row in rows:
        solver = Solver(daily(date.fromisoformat(row["date"]), zone=ZONE), dictionary=DICTIONARY, backend=backend)
        scores = bounds.select(backend.to_host(solver.scores), solver.position)
        alone, free = 10 * int(scores.max()), bounds.free_bound(scores, solver.position, agree=False)
        table.append([alone, free, solver.bound, int(row[best]), solver.bound - int(row[best])])
        lines.append(f"| {row['date']} | {' | '.join(map(str, table[-1]))} |")
    lines.append(f"| mean | {' | '.join(f'{mean(column):.2f}' for column in zip(*table, strict=True))} |")
    lines += [
        "",
        f"Proofs by `--strategy exhaustive`: means over {PUZZLES} puzzles of each size, letters drawn from 98 tiles, "
        f"seed {SEED}. `beam`: what a beam of 30,000 finds, with which the search begins. `of all sequences`: those of "
        "slides, legal or not.",
        "",
        "| grid | queue | best, proven | beam | bound before | boards scored | of all sequences | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    chance = random.Random(SEED)
    for size, queue in SMALL:
        each = []
        for _ in range(PUZZLES):
            text = "".join(chance.choices(rules.TILES, k=size * size + queue))
            grid = tuple(text[i : i + size] for i in range(0, size * size, size))
            solver = Solver(Puzzle(grid, text[size * size :]), dictionary=DICTIONARY, backend=backend)
            beam, proof = solver.beam(width=30_000), search_all(solver)
            assert proof.proven
            each.append([proof.score, beam.score, solver.bound, proof.generated, proof.seconds])
        score, found, bound, generated, seconds = map(mean, zip(*each, strict=True))
        share = generated / (4 * size) ** queue
        lines.append(
            f"| {size} x {size} | {queue} | {score:.1f} | {found:.1f} | {bound:.1f} | {generated:,.0f} | {share:.1%} "
            f"| {seconds:.2f} |"
        )
        print(lines[-1], flush=True)
    (RESULTS / "queuedle-bounds.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
