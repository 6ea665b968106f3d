"""A Dask cluster of processes, started as a user starts them, for tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 60.0


class Machines:
    """A scheduler and its workers in separate processes; `address` is the scheduler's file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.address = str(folder / "scheduler.json")
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", self.address)
        self.workers: list[subprocess.Popen[bytes]] = []

    def add_worker(self, packages: Path | None = None, threads: int = 1) -> subprocess.Popen[bytes]:
        """Start another worker without waiting for it. It imports modules from the folder `packages` first."""
        name = f"worker-{len(self.workers)}"
        words = ("--scheduler-file", self.address, "--nthreads", str(threads), "--no-nanny", "--name", name)
        self.workers.append(self._start("worker", *words, packages=packages))
        return self.workers[-1]

    def wait_for(self, count: int) -> None:
        """Wait for the scheduler and this number of workers."""
        from distributed import Client

        with Client(scheduler_file=self.address, timeout=PATIENCE, set_as_default=False) as client:
            if count:
                client.wait_for_workers(count, timeout=PATIENCE)

    def close(self) -> None:
        """End all processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _start(self, kind: str, *words: str, packages: Path | None = None) -> subprocess.Popen[bytes]:
        paths = [str(path) for path in (packages, Path(__file__).parent) if path is not None]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "NUMBA_NUM_THREADS": "2"}
        with (self._folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", kind, "--no-dashboard", *words],
                cwd=self._folder, env=environment, stdout=log, stderr=log,
            )  # fmt: skip


def until(what: str, true: Callable[[], bool]) -> None:
    """Wait until a function returns a true value."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"timed out while waiting for {what}"
        time.sleep(0.02)
