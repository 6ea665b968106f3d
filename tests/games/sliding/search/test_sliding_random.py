"""The benchmark of random boards: a search in slices finds the same solution as a search without a pause."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gpusolve.backend import open_backend
from gpusolve.games.sliding import open_databases, scramble, solve

ROOT = Path(__file__).parents[4]


def test_slices_change_neither_the_nodes_nor_the_solution(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import sliding_random
    from sliding_random import Puzzle

    databases = open_databases(4, 4, partition="6-6-3", backend=open_backend("cpu:1"))
    library: Any = SimpleNamespace(choose=lambda board: databases.partition, databases=lambda partition: databases)
    monkeypatch.setattr(sliding_random, "parse_partition", lambda rows, columns, text: text)
    puzzles = [Puzzle(number, board) for number, board in enumerate(scramble(4, 4, seed=3, count=2))]
    stops: dict[int, list[tuple[int, int]]] = {0: [], 1: []}
    for puzzle, rival in sliding_random._easiest(puzzles):
        assert puzzle.stop <= rival
        sliding_random._search(puzzle, library, tmp_path / f"{puzzle.number}", max(rival, puzzle.stop))
        stops[puzzle.number].append((len(puzzle.bounds or []), puzzle.searched))
    assert any(searched for places in stops.values() for _, searched in places)  # some stopped within a bound
    for puzzle in puzzles:
        whole = solve(puzzle.board, databases=databases)
        assert puzzle.moves == whole.moves
        assert puzzle.bounds == [[each.bound, each.expanded, each.generated] for each in whole.bounds]
        *earlier, last = stops[puzzle.number]
        assert earlier == sorted(earlier)
        assert last == (len(whole.bounds), 0)
