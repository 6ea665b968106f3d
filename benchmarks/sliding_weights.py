"""Measure how the work of a search falls as its weight grows, on Korf's 15-puzzles.

    python benchmarks/sliding_weights.py BOARDS

BOARDS is a file of boards, one per line, as `sliding solve` reads it. The rows and the picture are written to
results/sliding-weights.csv and results/sliding-weights.png. Each weight is measured as `sliding solve --weight` uses
it, and up to DIRECT also without the limit of `databases.divided.STRONGEST`.
"""

from __future__ import annotations

import argparse
import csv
from fractions import Fraction
from pathlib import Path
from statistics import mean
from unittest.mock import patch

from matplotlib.figure import Figure

from gpusolve.games.sliding import Solution, load_boards, open_databases, solve
from gpusolve.games.sliding.search import divided

RESULTS = Path(__file__).parent / "results" / "sliding-weights.csv"
WEIGHTS = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0)
DIRECT = 5.0  # greater weights take minutes without the limit


def main() -> int:
    """Measure, and write the rows and the picture. Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", type=Path, help="file of the boards")
    parser.add_argument("--partition", default="6-6-3", help="the pattern databases")
    arguments = parser.parse_args()
    boards = load_boards(arguments.boards)
    databases = open_databases(boards[0].rows, boards[0].columns, partition=arguments.partition)

    def solved(weight: float, limit: Fraction) -> list[Solution]:
        with patch.object(divided, "STRONGEST", limit):
            return [solve(board, databases=databases, weight=weight) for board in boards]

    optimal = [solution.length or 0 for solution in solved(1, divided.STRONGEST)]
    rows = []
    for limit in (divided.STRONGEST, Fraction(divided.MOST_WEIGHT)):
        for weight in WEIGHTS:
            if limit > divided.STRONGEST and not divided.STRONGEST < weight <= DIRECT:
                continue
            found = solved(weight, limit)
            nodes = [solution.expanded for solution in found]
            longer = mean((solution.length or 0) / best for solution, best in zip(found, optimal, strict=True))
            rows.append((float(limit), weight, mean(nodes), max(nodes), round(longer, 3)))
            print(*rows[-1], flush=True)
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("greatest weight used", "weight", "mean nodes", "most nodes", "length"), *rows])
    figure = Figure(figsize=(7, 3), layout="constrained")
    work, lengths = figure.subplots(1, 2)
    for limit, label in ((divided.STRONGEST, "as used"), (Fraction(divided.MOST_WEIGHT), "the weight itself")):
        own = [row for row in rows if row[0] == float(limit)]
        work.plot([row[1] for row in own], [row[2] for row in own], "o-", label=label, markersize=3)
        lengths.plot([row[1] for row in own], [row[4] for row in own], "o-", label=label, markersize=3)
    work.set(xscale="log", yscale="log", xlabel="weight", ylabel="nodes per board")
    lengths.set(xscale="log", xlabel="weight", ylabel="length / optimum")
    for axes in (work, lengths):
        axes.set_xticks([1, 1.5, 2, 3, 5, 10], ["1", "1.5", "2", "3", "5", "10"], minor=False)
        axes.minorticks_off()
    work.legend()
    figure.savefig(RESULTS.with_suffix(".png"), dpi=100)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
