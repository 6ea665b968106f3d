"""Is searching from both sides worth it for sliding tiles? IDA*, A* and BAE* with the same pattern databases.

    python benchmarks/sliding_bidirectional.py BOARDS [--most 100000] [--count 10]

BOARDS is a file with a board on each line. Boards for which IDA* expands more than `--most` nodes are left out, because
for the other searches, every node is looked up in full.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import geometric_mean

from gpusolve.backend import open_backend
from gpusolve.games.sliding import solve
from gpusolve.games.sliding.boards import load_boards
from gpusolve.games.sliding.search.problem import SlidingTiles
from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from harness import heading

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("boards", type=Path)
parser.add_argument("--most", type=int, default=100_000)
parser.add_argument("--count", type=int, default=10)
arguments = parser.parse_args()
backend = open_backend("cpu")
print(heading("Searching sliding tiles from both sides", backend))
print("| board | moves | IDA*, all bounds | IDA* below the optimum | A* | BAE* | IDA* / BAE* |")
print("|---|---|---|---|---|---|---|")
ratios: list[float] = []
for number, board in enumerate(load_boards(arguments.boards), 1):
    if len(ratios) == arguments.count:
        break
    found = solve(board, depth=2)  # only undoing a move is forbidden, as in the textbook
    whole = sum(bound.expanded for bound in found.bounds)
    if whole > arguments.most:
        continue
    problem = SlidingTiles(board, backend=backend)
    forward, both = a_star(problem, batch=256), bidirectional(problem, batch=256)
    assert found.moves is not None
    assert forward.proven
    assert both.proven
    assert forward.cost == both.cost == len(found.moves)
    below = sum(bound.expanded for bound in found.bounds[:-1])
    ratios.append(whole / both.expanded)
    nodes = f"{whole:,} | {below:,} | {forward.expanded:,} | {both.expanded:,}"
    print(f"| {number} | {both.cost} | {nodes} | {ratios[-1]:.2f} |", flush=True)
print(f"\nGeometric mean of IDA* / BAE* over {len(ratios)} boards: {geometric_mean(ratios):.2f}.")
