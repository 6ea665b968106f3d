"""Sets of tiles, and which database serves which set."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding.databases.catalogue import partition_of
from gpusolve.games.sliding.databases.tilesets import parse_partition


def test_two_databases_serve_the_24_puzzle() -> None:
    partition = partition_of(5, 5, "6-6-6-6")
    assert len(partition.patterns) == 2
    for sets in partition.views:
        assert sorted(tile for view in sets for tile in view.tiles) == list(range(1, 25))
        for view in sets:  # each tile has a cell in the database that its goal cell corresponds to
            assert tuple(view.place[tile] for tile in view.tiles) != ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1,2,3",
        "1,2,3/3,4,5,6,7,8",
        "1,2,3,4,5,6,7,8,9",
        "a/b",
        "1,2,3,4/5,6,7,8,",
        "7-8",
        "1,2,3,4/5,6,7,8+",
        "1,2,3,4/5,6,7,8+1,2,3/4,5,6,7",
        "1,2,3,4/5,6,7,8+1,2,3,4,5,6,7,8",
        "1,2,3,4/5,6,7,8+1,2/3,4,5,6,7,8+1/2",
    ],
)
def test_text_that_is_not_a_partition(text: str) -> None:
    with pytest.raises(BadInput, match="partition"):
        partition_of(3, 3, text)


def test_too_many_tiles_in_a_set() -> None:
    with pytest.raises(BadInput, match="at most 8"):
        parse_partition(4, 4, "1,2,3,4,5,6,7,8,9/10,11,12,13,14,15")
    with pytest.raises(BadInput, match="GiB: expected at most 8 GiB"):
        parse_partition(5, 5, "1,2,3,4,5,6,7/8,9,10,11,12,13,14/15,16,17,18,19,20,21,22/23,24")
    assert sum(parse_partition(4, 4, "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15").sizes) == 57_657_600 + 518_918_400


def test_a_second_partition_takes_the_place_of_the_reflected_position() -> None:
    first, second = "1,2,3,4/5,6,7,8", "1,4,5,7/2,3,6,8"
    partition = parse_partition(3, 3, f"{first}+{second}")
    assert partition.views == tuple(parse_partition(3, 3, text).views[0] for text in (first, second))
    assert parse_partition(3, 3, str(partition)) == partition
