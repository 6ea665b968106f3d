"""The regions of the blank against a plain flood fill, and their published number."""

from __future__ import annotations

from gpusolve.games.sliding.databases.regions import NO_ROW, find_regions


def test_regions_are_those_of_a_plain_flood_fill() -> None:
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


def test_the_number_of_entries_is_the_published_one() -> None:
    """Six tiles on 5x5 have 181,008,000 placements with a region (Döbbelin, Schütt and Reinefeld 2013)."""
    regions = find_regions(5, 5, 6)
    assert regions.n_rows * 720 == 181_008_000
