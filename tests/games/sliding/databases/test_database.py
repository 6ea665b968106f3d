"""Building a pattern database."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.games.sliding import scramble, solve
from gpusolve.games.sliding.databases import tilesets
from gpusolve.games.sliding.databases.catalogue import partition_of
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.lookups import load_databases
from gpusolve.games.sliding.databases.orders import find_orders
from gpusolve.games.sliding.databases.regions import find_regions
from gpusolve.games.sliding.databases.tilesets import Partition, parse_partition


@pytest.mark.parametrize("threads", [1, 2])
def test_a_database_does_not_depend_on_the_number_of_threads(threads: int) -> None:
    pattern = partition_of(3, 4).patterns[0]
    database, other = (build_database(pattern, open_backend(f"cpu:{n}")) for n in (threads, 3))
    assert np.array_equal(database.steps, other.steps)
    assert database.counts.tolist() == other.counts.tolist()
    tiles = len(pattern.cells)
    assert database.counts.sum() == find_regions(3, 4, tiles).n_rows * len(find_orders(tiles))


@pytest.mark.parametrize("sets", ["1,2,3,4,5,6,7/8", "1,2/3,4,5,6,7,8", "1,2,3,4,5,6,7,8"])
def test_a_dense_database_has_the_same_heights_and_nodes(sets: str, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = scramble(rows=3, columns=3, count=50, seed=1)
    tiles = np.array(boards.tiles, np.uint8)
    found = {}
    for least in (7, 9, 2):
        monkeypatch.setattr(tilesets, "DENSE_TILES", least)
        partition = Partition(3, 3, parse_partition(3, 3, sets).sets)
        assert partition.is_dense == any(len(own) >= least for own in partition.sets)
        backend = open_backend("cpu")
        steps = [build_database(pattern, backend, dense=partition.is_dense).steps for pattern in partition.patterns]
        assert tuple(map(len, steps)) == partition.sizes
        databases = load_databases(backend, partition, np.concatenate(steps))
        nodes = [solve(board, databases=databases).expanded for board in boards]
        found[least] = measure(databases, tiles).heights.tolist(), nodes
    assert found[7] == found[9] == found[2]
