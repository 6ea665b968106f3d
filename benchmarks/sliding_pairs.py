"""Count the nodes of one bound of each 24-puzzle with the standard partitions, and with two of the library.

    nice -n 19 python benchmarks/sliding_pairs.py BOARDS

BOARDS is the file of `sliding_korf.py`, whose results say which bound that is: the last one before the solution that
took at most `--most` nodes. The library, which `sliding solve` uses for long searches, is built first.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from gpusolve.backend import open_backend
from gpusolve.games.sliding import Databases, open_databases
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.catalogue import build_library, databases_of
from gpusolve.games.sliding.databases.pairs import best_pair, draw
from gpusolve.games.sliding.search.kernels import open_root, search
from gpusolve.games.sliding.search.paths import find_prefixes
from gpusolve.games.sliding.search.tree import Limit
from sliding_korf import PARTITIONS, RESULTS, read_puzzles

DEPTH, LEVEL = 14, 12  # of the automaton, and of the prefixes into which a tree is cut


def main() -> int:
    """Print a line for each board, and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", type=Path, help="file of the puzzles")
    parser.add_argument("--most", type=float, default=8e6, help="largest number of nodes of the bound, as published")
    parser.add_argument("--device", default="cpu", help="device, such as cpu:2")
    arguments = parser.parse_args()
    backend = open_backend(arguments.device)
    opened = {name: open_databases(5, 5, partition=name, backend=backend) for name in (*PARTITIONS, "small")}
    build_library(opened["small"].partition, backend)
    solved = {result["number"]: result["bounds"][:-1] for result in json.loads(RESULTS.read_text())}
    found = []
    for puzzle in read_puzzles(arguments.boards):
        bound = max((bound for bound, nodes, _ in solved[puzzle.number] if nodes <= arguments.most), default=None)
        if bound is None:
            continue
        small = opened["small"]
        pair, _ = best_pair(puzzle.board, draw(open_root(small, puzzle.board.tiles, small.automaton(DEPTH))), backend)
        nodes = [count(puzzle.board, opened[name], bound) for name in PARTITIONS]
        found.append((*nodes, min(nodes), count(puzzle.board, databases_of(pair, backend), bound)))
        print(f"number {puzzle.number}, within {bound}: {found[-1]} {pair}", flush=True)
    all_nodes = np.array(found, float)
    ratios = np.exp(np.log(all_nodes / all_nodes[:, 2:3]).mean(axis=0))
    for name, ratio, total in zip((*PARTITIONS, "better", "two"), ratios, all_nodes.sum(axis=0), strict=True):
        print(f"{name}: {ratio:.3f} of the better one's nodes (geometric mean), {total:,.0f} nodes")
    return 0


def count(board: Board, databases: Databases, bound: int) -> int:
    """Return the number of nodes within a bound."""
    root = open_root(databases, board.tiles, databases.automaton(DEPTH))
    searched = search(root, find_prefixes(root.walk, LEVEL), limit=Limit(bound), budget=10**13)
    return int(searched.expanded.sum())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
