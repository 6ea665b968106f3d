"""Building a pattern database."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.games.sliding.databases.catalogue import partition_of
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.orders import find_orders
from gpusolve.games.sliding.databases.regions import find_regions


@pytest.mark.parametrize("threads", [1, 2])
def test_a_database_does_not_depend_on_the_number_of_threads(threads: int) -> None:
    pattern = partition_of(3, 4).patterns[0]
    database, other = (build_database(pattern, open_backend(f"cpu:{n}")) for n in (threads, 3))
    assert np.array_equal(database.steps, other.steps)
    assert database.counts.tolist() == other.counts.tolist()
    tiles = len(pattern.cells)
    assert database.counts.sum() == find_regions(3, 4, tiles).n_rows * len(find_orders(tiles))
