"""A scheduler and workers as processes of their own: the results of one process, whatever happens to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import jobs
from dask_machines import Machines, until
from gpusolve.backend import open_backend
from gpusolve.cluster import open_workers
from gpusolve.errors import ClusterUnavailable

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'gpusolve[cluster]'")

CPU = open_backend("cpu")
SLOW = partial(jobs.squares, 0.1)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    found = Machines(tmp_path)
    try:
        found.add_worker()
        found.add_worker()
        found.wait_for(2)
        yield found
    finally:
        found.close()


def test_they_come_and_go(machines: Machines) -> None:
    """One is killed, another joins late, then all are gone for a while."""
    with open_workers(machines.address, SLOW, CPU) as workers:
        results = workers.results(range(60))
        found = [next(results) for _ in range(5)]
        machines.workers[0].kill()
        found += [next(results) for _ in range(10)]
        machines.workers[1].kill()
        with pytest.warns(RuntimeWarning, match="all workers are gone: waiting for others"):
            until("their end", lambda: workers.count == 0)
        machines.add_worker()
        found += list(results)
    assert found == [number**2 for number in range(60)]


def test_the_scheduler_is_gone(machines: Machines) -> None:
    with open_workers(machines.address, SLOW, CPU) as workers:
        results = workers.results(range(60))
        next(results)
        machines.scheduler.kill()
        with pytest.raises(ClusterUnavailable, match=r"^the scheduler at tcp://\S+ is gone"):
            list(results)
    with (
        pytest.raises(ClusterUnavailable, match=r"no Dask scheduler answers"),
        open_workers(machines.address, SLOW, CPU),
    ):
        pass
