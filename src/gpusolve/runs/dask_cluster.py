"""A Dask cluster as workers. Only this module imports ``distributed``.

Each worker compares itself with the command when the work starts, or when the worker joins. A worker that passes offers
a resource with a name that only this command uses. Every job requires that resource, so no other worker gets one.
"""

from __future__ import annotations

import logging
import pickle
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from functools import partial
from importlib.metadata import version
from typing import Any

from distributed import Client, KilledWorker, Worker, WorkerPlugin
from distributed.core import Status

from gpusolve.errors import ClusterUnavailable
from gpusolve.runs import worker
from gpusolve.runs.worker import Do, Fingerprint, Prepare, Work

CONNECT = "10s"
"""How long to wait for the scheduler's answer."""
EVERY = 2.0  # seconds between two counts of the workers


class Refused(Exception):
    """A worker differs from the command."""


class Plugin(WorkerPlugin):
    """Hands the work of a command to each worker that has everything it needs."""

    def __init__(self, name: str, payload: bytes, expected: Fingerprint, packages: list[str]) -> None:
        self.name, self._payload, self._expected, self._packages = name, payload, expected, packages

    async def setup(self, worker: Worker) -> None:
        from gpusolve.runs import worker as ours

        wrong = ours.differences(ours.fingerprint(self._packages), self._expected)
        if wrong:
            raise Refused(f"worker {worker.name} at {worker.address}: {wrong}")
        ours.works[self.name] = Work(self._payload, None)
        await worker.set_resources(**{self.name: worker.state.nthreads})
        # The scheduler assigns waiting jobs when a worker starts, not when it offers a new resource.
        worker.status = Status.paused
        worker.status = Status.running

    async def teardown(self, worker: Worker) -> None:
        from gpusolve.runs import worker as ours

        if ours.works.pop(self.name, None):
            await worker.set_resources(**{self.name: 0})


class DaskPool:
    """The jobs of one command on a cluster."""

    def __init__(self, client: Client, name: str) -> None:
        self._client, self._name = client, name
        self._executor = client.get_executor(pure=False, resources={name: 1})
        self._refreshed, self._threads = 0.0, dict[str, float]()
        self.is_lost = False
        self.refresh()

    @property
    def size(self) -> int:
        if time.monotonic() > self._refreshed + EVERY:
            self.refresh()
        return int(sum(self._threads.values()))

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(function, *arguments)
        return future

    def refresh(self) -> None:
        before = self._threads
        try:
            self._threads = self._client.run_on_scheduler(_offered(self._name))
        except Exception as error:  # the layers of the connection raise many kinds
            raise self._lost() from error
        self._refreshed = time.monotonic()
        if gone := [worker for worker in before if worker not in self._threads]:
            left = len(self._threads)
            rest = f"{left} left, which repeat its jobs" if left else "all workers have gone: waiting for new ones"
            warnings.warn(f"lost {' and '.join(gone)}: {rest}", RuntimeWarning, stacklevel=2)

    def explain(self, error: BaseException) -> BaseException:
        if isinstance(error, CancelledError):  # a lost scheduler cancels every job
            return self._lost()
        if isinstance(error, KilledWorker):
            lost = f"{error.allowed_failures + 1} workers were lost while doing the same job"
            last = f"worker {error.last_worker.name} at {error.last_worker.address}"
            return ClusterUnavailable(f"{lost}, the last is {last}: is their memory limit too low? (--memory-limit)")
        return error

    def _lost(self) -> ClusterUnavailable:
        self.is_lost = True
        return ClusterUnavailable(f"the scheduler at {self._client.scheduler.address} no longer answers")


@contextmanager
def joined(address: str, prepare: Prepare) -> Iterator[tuple[DaskPool, Do]]:
    """Join a cluster by its scheduler's address, and yield its pool of workers and the function that does a job.

    Raises ClusterUnavailable if the scheduler does not answer, or if a worker differs from this process.
    """
    name, packages = f"gpusolve-{uuid.uuid4().hex}", [worker.package_of(prepare)]
    plugin = Plugin(name, pickle.dumps(prepare), worker.fingerprint(packages), packages)
    with _quiet_loggers():
        yield from _joined(address, prepare, name, plugin)


@contextmanager
def _quiet_loggers() -> Iterator[None]:
    """Silence the layers below while a cluster is in use: gpusolve reports errors in one line."""
    layers = [*(f"distributed.{layer}" for layer in ("client", "core", "batched", "comm")), "tornado.application"]
    loggers = [logging.getLogger(layer) for layer in layers]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _joined(address: str, prepare: Prepare, name: str, plugin: Plugin) -> Iterator[tuple[DaskPool, Do]]:
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except Exception as error:  # a timeout, an unknown host, a certificate
        raise ClusterUnavailable(f"workers {address}: no Dask scheduler answers: {_line(error)}") from error
    pool = None
    try:
        _check_versions(client)
        try:
            client.register_plugin(plugin, name=name)
        except Refused as error:
            raise ClusterUnavailable(f"refused: {error}") from None
        pool = DaskPool(client, name)
        if not pool.size:
            warnings.warn(f"{address} has no workers yet: waiting for them", RuntimeWarning, stacklevel=4)
        yield pool, partial(worker.do, name)
    finally:
        with suppress(Exception):
            if pool is None or not pool.is_lost:
                client.unregister_worker_plugin(name)
        with suppress(Exception):
            client.close(timeout=2)


def _offered(name: str) -> Callable[[Any], dict[str, float]]:
    """Return a function that finds, on the scheduler, how many jobs each accepted worker does at a time."""

    def offered(dask_scheduler: Any) -> dict[str, float]:
        workers = dask_scheduler.workers
        found = dask_scheduler.resources.get(name, {})
        return {f"worker {workers[address].name} at {address}": n for address, n in found.items() if address in workers}

    return offered


def _check_versions(client: Client) -> None:
    """Raise ClusterUnavailable unless the scheduler and all workers have this version of gpusolve."""
    own = version("gpusolve")
    found: dict[str, Any] = {"the scheduler": _answer(partial(client.run_on_scheduler, version, "gpusolve"))}
    answers = client.run(version, "gpusolve", on_error="return")
    workers = client.scheduler_info(n_workers=-1)["workers"]
    for address, answer in answers.items():  # a worker may have joined or gone meanwhile
        found[f"worker {workers.get(address, {}).get('name', '?')} at {address}"] = answer
    for member, answer in found.items():
        if isinstance(answer, Exception):
            raise ClusterUnavailable(f"refused: {member}: no gpusolve: {_line(answer)}")
        if answer != own:
            raise ClusterUnavailable(f"refused: {member}: version {answer}, not {own}")


def _answer(question: Callable[[], str]) -> str | Exception:
    try:
        return question()
    except Exception as error:
        return error


def _line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
