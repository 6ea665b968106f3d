"""The benchmark of random boards: a search in slices finds the same solution as a search without a pause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gpusolve.backend import open_backend
from gpusolve.games.sliding import Databases, open_databases, scramble, solve

ROOT = Path(__file__).parents[4]


def test_slices_change_neither_the_nodes_nor_the_solution(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sliding_random, databases, library = opened(monkeypatch)
    puzzles = [
        sliding_random.Puzzle(number, board)
        for number, board in enumerate(scramble(rows=4, columns=4, seed=3, count=2))
    ]
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


def test_a_search_that_has_lost_its_checkpoint_keeps_what_is_proven(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sliding_random, _, library = opened(monkeypatch)
    bounds = [SimpleNamespace(bound=bound, expanded=nodes, generated=nodes) for bound, nodes in ((50, 90), (52, 900))]

    def from_the_start(*_: Any, progress: Callable[[Any], None], **options: Any) -> None:
        assert options["resume"] is None
        progress(SimpleNamespace(bounds=bounds[:1], expected=1_000, expanded=300))
        progress(SimpleNamespace(bounds=bounds, expected=10_000, expanded=0))
        progress(SimpleNamespace(bounds=bounds, expected=10_000, expanded=600))

    monkeypatch.setattr(sliding_random, "solve", from_the_start)
    proven = [[50, 90, 90], [52, 900, 900]]
    puzzle = sliding_random.Puzzle(
        0, scramble(rows=4, columns=4, seed=3, count=1)[0], 10_000, partition="6-6-3", bounds=proven
    )
    sliding_random._search(puzzle, library, tmp_path / "0", puzzle.stop)
    assert (puzzle.bounds, puzzle.searched) == (proven, 600)


def opened(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Databases, Any]:
    """Return the benchmark, small databases and a library that always chooses these."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import sliding_random

    databases = open_databases(4, 4, partition="6-6-3", backend=open_backend("cpu:1"))
    library: Any = SimpleNamespace(choose=lambda board: databases.partition, databases=lambda partition: databases)
    monkeypatch.setattr(sliding_random, "parse_partition", lambda rows, columns, text: text)
    return sliding_random, databases, library
