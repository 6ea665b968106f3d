"""Partitions, which table serves which set, and the numbers of rows and entries as published."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding.databases.catalogue import partition_of
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.orders import find_orders
from gpusolve.games.sliding.databases.regions import NO_ROW, find_regions
from gpusolve.games.sliding.databases.tilesets import parse_partition


def test_two_tables_serve_the_24_puzzle() -> None:
    partition = partition_of(5, 5, "6-6-6-6")
    assert len(partition.patterns) == 2
    for sets in partition.views:
        assert sorted(tile for view in sets for tile in view.tiles) == list(range(1, 25))
        for view in sets:  # each tile belongs where the pattern's does, seen that way
            assert tuple(view.place[tile] for tile in view.tiles) != ()


@pytest.mark.parametrize(("rows", "columns"), [(r, c) for r in range(2, 13) for c in range(2, 13) if r * c <= 25])
def test_every_size_has_a_partition(rows: int, columns: int) -> None:
    partition = partition_of(rows, columns)
    assert max(map(len, partition.sets)) <= 8


@pytest.mark.parametrize(
    "text", ["", "1,2,3", "1,2,3/3,4,5,6,7,8", "1,2,3,4,5,6,7,8,9", "a/b", "1,2,3,4/5,6,7,8,", "7-8"]
)
def test_what_is_no_partition(text: str) -> None:
    with pytest.raises(BadInput, match="partition"):
        partition_of(3, 3, text)


def test_too_many_tiles_in_a_set() -> None:
    with pytest.raises(BadInput, match="at most 8"):
        parse_partition(4, 4, "1,2,3,4,5,6,7,8,9/10,11,12,13,14,15")
    with pytest.raises(BadInput, match="GiB: expected at most 4"):
        parse_partition(4, 4, "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15")


def test_regions_are_those_of_a_plain_fill() -> None:
    regions = find_regions(3, 4, 4)
    for number, mask in enumerate(regions.masks):
        free = {cell for cell in range(12) if not mask >> cell & 1}
        rows = regions.rows[number]
        assert all(rows[cell] == NO_ROW for cell in range(12) if cell not in free)
        for cell in free:
            row, column = divmod(cell, 4)
            if column < 3 and cell + 1 in free:
                assert rows[cell] == rows[cell + 1]
            if row < 2 and cell + 4 in free:
                assert rows[cell] == rows[cell + 4]
    kinds = [len(set(row[row != NO_ROW].tolist())) for row in regions.rows]
    assert sum(kinds) == regions.n_rows


def test_entries_are_as_many_as_published() -> None:
    """181,008,000 places of six tiles on 5x5 with a region of the blank (Döbbelin, Schütt and Reinefeld 2013)."""
    regions = find_regions(5, 5, 6)
    assert regions.n_rows * 720 == 181_008_000


@pytest.mark.parametrize("threads", [1, 2])
def test_a_database_does_not_depend_on_threads(threads: int) -> None:
    pattern = partition_of(3, 4).patterns[0]
    one, other = (build_database(pattern, open_backend(f"cpu:{n}")) for n in (threads, 3))
    assert np.array_equal(one.steps, other.steps)
    assert one.counts.tolist() == other.counts.tolist()
    tiles = len(pattern.cells)
    assert one.counts.sum() == find_regions(3, 4, tiles).n_rows * len(find_orders(tiles))
