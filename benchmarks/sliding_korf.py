"""Solve the fifty 24-puzzles of Korf and Felner (2002) one after the other, the easiest first; this takes hours.

    nice -n 19 python benchmarks/sliding_korf.py BOARDS

BOARDS is a text file with a line for each puzzle: its number, its tiles, its optimal length, and the numbers of nodes
that were published, the second of them for tables of four sets of six tiles; the fields are separated by |. Each result
is written to results/sliding-korf.json at once. The run can be stopped at any time, and the same line continues it.

Each puzzle is solved with the two partitions that `sliding_partitions.py` has chosen for it; their databases take up to
8 GB of memory and disk and are built before the search. For other puzzles a small bound shows which of two partitions
takes fewer nodes.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpusolve import files
from gpusolve.backend import Backend, open_backend
from gpusolve.games.sliding import Solution, Status, open_databases, solve
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.catalogue import is_built, partition_of, path_of
from gpusolve.games.sliding.rules import manhattan
from gpusolve.runs import checkpoint, store

RESULTS = Path(__file__).parent / "results" / "sliding-korf.json"
CHOSEN = RESULTS.with_name("sliding-partitions.json")
PARTITIONS = ("6-6-6-6-best", "6-6-6-6")
ENOUGH = 300_000  # nodes of a bound that show which partition is better for a board


@dataclass(frozen=True)
class Puzzle:
    """A puzzle of the set, with its optimal length and the nodes of another search, as published."""

    number: int
    board: Board
    length: int
    nodes: int


def main() -> int:
    """Solve the puzzles that have no result yet. Return the exit code: 1 if a length is not the published one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", type=Path, help="file of the puzzles")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    parser.add_argument("--checkpoint", type=Path, help="file of the puzzle that is being solved")
    parser.add_argument("--device", default="cpu", help="device, such as cpu:2")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends it as Ctrl-C does
    kept = arguments.checkpoint or store.folder() / "sliding-korf.checkpoint"
    backend = open_backend(arguments.device)
    chosen = {choice["number"]: choice["partition"] for choice in json.loads(CHOSEN.read_text())}
    for puzzle in read_puzzles(arguments.boards):
        results = json.loads(arguments.results.read_text()) if arguments.results.exists() else []
        if puzzle.number in {result["number"] for result in results}:
            continue
        name = chosen.get(puzzle.number) or _better(puzzle.board, backend)
        partition = partition_of(5, 5, name)
        keep = is_built(partition) or puzzle.number not in chosen
        databases = open_databases(5, 5, partition=name, backend=backend)
        resume = kept if _belongs(kept, puzzle.board, str(partition)) else None
        solution = solve(
            puzzle.board,
            databases=databases,
            checkpoint=kept,
            resume=resume,
            progress=_Progress(puzzle.number, name),
        )
        results.append(_result(puzzle.number, name, solution))
        _write(arguments.results, results)
        del databases
        if not keep:
            path_of(partition).unlink()
        print(f"number {puzzle.number}: {len(solution.moves or '')} moves, {solution.expanded:,} nodes", flush=True)
        if len(solution.moves or "") != puzzle.length:
            print(f"number {puzzle.number}: {puzzle.length} moves are published", file=sys.stderr)
            return 1
    return 0


def read_puzzles(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file, those with the fewest published nodes first."""
    puzzles = []
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            number, tiles, length, _, nodes, *_ = line.split("|")
            puzzles.append(Puzzle(int(number), Board.parse(tiles.strip()), int(length), int(nodes)))
    return sorted(puzzles, key=lambda puzzle: puzzle.nodes)


def _better(board: Board, backend: Backend) -> str:
    """Return the partition that takes fewer nodes in the first bound for which any takes enough."""
    opened = {name: open_databases(5, 5, partition=name, backend=backend) for name in PARTITIONS}
    bound = manhattan(board)
    while True:
        tried = {name: solve(board, databases=databases, bound=bound) for name, databases in opened.items()}
        nodes = {name: solution.bounds[-1].expanded if solution.bounds else 0 for name, solution in tried.items()}
        if max(nodes.values()) > ENOUGH or any(solution.moves is not None for solution in tried.values()):
            return min(nodes, key=lambda name: nodes[name])
        bound += 2


def _belongs(path: Path, board: Board, partition: str) -> bool:
    """Return whether there is a checkpoint of this board and partition."""
    if not files.exists(path):
        return False
    settings, _ = checkpoint.load(path, "sliding.solve")
    return (settings.text("board"), settings.text("partition")) == (str(board), partition)


class _Progress:
    """Prints the bound that is being searched, when a bound begins."""

    def __init__(self, number: int, partition: str) -> None:
        self._number, self._partition, self._bound = number, partition, 0

    def __call__(self, status: Status) -> None:
        if status.bound != self._bound:
            self._bound = status.bound
            print(
                f"number {self._number}, {self._partition}: bound {status.bound}, about {status.expected:,} nodes",
                flush=True,
            )


def _result(number: int, partition: str, solution: Solution) -> dict[str, Any]:
    return {
        "number": number,
        "length": len(solution.moves or ""),
        "moves": solution.moves,
        "proven": solution.proven,
        "partition": partition,
        "expanded": solution.expanded,
        "generated": solution.generated,
        "bounds": [[bound.bound, bound.expanded, bound.generated] for bound in solution.bounds],
    }


def _write(path: Path, results: list[dict[str, Any]]) -> None:
    """Write all results in the order of their numbers, one on each line."""
    lines = (json.dumps(result) for result in sorted(results, key=lambda result: int(result["number"])))
    files.write(path, [memoryview(("[\n" + ",\n".join(lines) + "\n]\n").encode())], "results")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped; the checkpoint is saved")
