"""The library of a board size: tables in one file that serve many partitions, so that a board takes the best two.

Turned and reflected, each table serves several sets of tiles, and each division of all tiles into such sets can be
looked up. Any two divisions make a partition for a search.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from gpusolve.games.sliding.databases.tilesets import Partition, Pattern, view_of
from gpusolve.games.sliding.goals import Layout, symmetries
from gpusolve.runs import store

Sets: TypeAlias = tuple[tuple[int, ...], ...]

NAMES: dict[tuple[int, int], tuple[str, ...]] = {
    (5, 5): (
        "0.1.2.3.4.6",
        "0.1.2.3.6.7",
        "0.1.2.3.8.9",
        "0.1.2.5.6.11",
        "0.1.2.5.6.7",
        "0.1.2.6.7.12",
        "0.1.5.6.7.12",
        "1.2.3.5.6.7",
        "1.2.5.6.7.10",
        "1.2.6.7.11.12",
    ),
}
"""The patterns of the tables by board size, as `Pattern` writes them after the size, for a goal with the blank in the
corner; benchmarks/results/sliding.md says how they were chosen."""


def path_of(rows: int, columns: int) -> Path | None:
    """Return the file of the library of a board size, whether or not it has been built; None if there is none."""
    return store.path_of(f"sliding-{rows}x{columns}-library") if (rows, columns) in NAMES else None


def patterns(rows: int, columns: int) -> tuple[Pattern, ...]:
    """Return the patterns of the tables, in the order of the file; none if the board size has no library."""
    return _library(rows, columns, NAMES.get((rows, columns), ()))[0]


def divisions(rows: int, columns: int) -> tuple[Sets, ...]:
    """Return all divisions of the tiles into sets that the library serves, in ascending order."""
    return _library(rows, columns, NAMES.get((rows, columns), ()))[1]


def serves(partition: Partition) -> bool:
    """Return whether the library has all tables of a partition."""
    rows, columns = partition.rows, partition.columns
    if (rows, columns) not in NAMES or partition.layout != Layout(rows, columns):
        return False
    return not partition.is_dense and set(partition.patterns) <= set(patterns(rows, columns))


@lru_cache(maxsize=8)
def _library(rows: int, columns: int, names: tuple[str, ...]) -> tuple[tuple[Pattern, ...], tuple[Sets, ...]]:
    same = tuple(range(rows * columns))
    found: dict[str, Pattern] = {}
    sets: set[tuple[int, ...]] = set()
    for name in names:
        for turned in symmetries(rows, columns):
            tiles = tuple(sorted(turned[int(cell)] for cell in name.partition("-")[0].split(".")))
            if tiles[0]:  # 0 is the blank
                pattern = view_of(rows, columns, tiles, same).pattern
                if str(pattern) == f"{rows}x{columns}-{name}":
                    found[name] = pattern
                    sets.add(tiles)
    return tuple(found.values()), tuple(_divide(frozenset(same) - {0}, sorted(sets)))


def _divide(free: frozenset[int], sets: list[tuple[int, ...]]) -> list[Sets]:
    """Return the ways to divide tiles into some of the sets."""
    if not free:
        return [()]
    first = min(free)
    return [
        (tiles, *rest)
        for tiles in sets
        if tiles[0] == first and free.issuperset(tiles)
        for rest in _divide(free - set(tiles), sets)
    ]
