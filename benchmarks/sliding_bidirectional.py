"""Is searching from both sides worth it for sliding tiles? IDA*, A* and BAE* with the same pattern databases.

    python benchmarks/sliding_bidirectional.py BOARDS [--most 100000] [--count 10] [--partition SETS] [--memory MIB]

BOARDS is a file with a board on each line. Boards for which IDA* expands more than `--most` nodes are left out, because
for the other searches, every node is looked up in full.
"""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean

from gpusolve.backend import open_backend
from gpusolve.games.sliding import solve
from gpusolve.games.sliding.boards import load_boards
from gpusolve.games.sliding.search.problem import SlidingTiles
from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.problem import Solution
from harness import heading

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("boards", type=Path)
parser.add_argument("--most", type=int, default=100_000)
parser.add_argument("--count", type=int, default=10)
parser.add_argument("--partition")
parser.add_argument("--memory", type=int)
arguments = parser.parse_args()
backend = open_backend("cpu")


def measured(search: Callable[..., Solution], problem: SlidingTiles) -> tuple[Solution, int, str]:
    """Return what a search found, the nodes it expanded, and a text with its nodes, mebibytes and seconds."""

    def trace(expanded: int, bound: int) -> None:
        if not tracemalloc.is_tracing():  # from the first batch on: tables of the other side are built before it
            tracemalloc.start()

    found = search(problem, batch=256, memory=arguments.memory, progress=trace)
    mebibytes = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    more = "" if found.proven else "> "
    return found, found.expanded, f"{more}{found.expanded:,} | {mebibytes:,.0f} | {found.seconds:,.0f}"


print(heading("Searching sliding tiles from both sides", backend))
print(
    "| board | moves | IDA*, all bounds | IDA* below the optimum | seconds "
    "| A* | MiB | seconds | BAE* | MiB | seconds | IDA* / BAE* |"
)
print("|---|---|---|---|---|---|---|---|---|---|---|---|")
ratios: list[float] = []
for number, board in enumerate(load_boards(arguments.boards), 1):
    if len(ratios) == arguments.count:
        break
    # as in the textbook, only undoing a move is forbidden
    found = solve(board, depth=2, partition=arguments.partition)
    whole = sum(bound.expanded for bound in found.bounds)
    if whole > arguments.most:
        continue
    below = sum(bound.expanded for bound in found.bounds[:-1])
    problem = SlidingTiles(board, partition=arguments.partition, backend=backend)
    searches = [measured(search, problem) for search in (a_star, bidirectional)]
    assert all(result.cost == found.length for result, *_ in searches if result.proven)
    ratios.append(whole / searches[1][1])
    texts = " | ".join(text for *_, text in searches)
    print(
        f"| {number} | {found.length} | {whole:,} | {below:,} | {found.seconds:.1f} | {texts} | {ratios[-1]:.2f} |",
        flush=True,
    )
print(f"\nGeometric mean of IDA* / BAE* over {len(ratios)} boards: {geometric_mean(ratios):.2f}.")
