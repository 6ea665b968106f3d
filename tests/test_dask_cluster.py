"""A scheduler and workers as processes of their own: the results of one process, whatever happens to them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import jobs
from dask_machines import Machines, until
from faults.kills import Sitting, result_of
from gpusolve import checkpoint
from gpusolve.backend import open_backend
from gpusolve.cluster import open_workers
from gpusolve.errors import ClusterUnavailable
from gpusolve.games.quiddler import census
from gpusolve.resources import kernels_dir, wordlists_dir
from gpusolve.testing.plugin import Run

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'gpusolve[cluster]'")

CPU = open_backend("cpu")
SLOW = partial(jobs.squares, 0.1)
COMMANDS = {
    "tetris train": "--particles 6 --iterations 3 --games 7 --max-lines 10 --finals 20 --seed 1",
    "tetris evaluate": "published --compare two-piece --games 60 --policy greedy --seed 1 --csv games.csv",
    "quiddler census": "--deals 60 --dictionary words.txt --seed 1 --csv deals.csv",
    "queuedle solve": "--grid tsea/enop/adis/ttre --queue etaoinsh --restarts 3 --states 300000 --seed 1",
    "qless census": "--rolls 1500 --seed 1 --csv rolls.csv",
    "quordle simulate": "--games 5000 --strategy left-to-right --seed 1",
}
"""What is split among workers, in a second or two."""
KINDS = {"queuedle solve": "queuedle.restarts"}


def machines(folder: Path) -> Iterator[Machines]:
    found = Machines(folder)
    try:
        found.add_worker()
        found.add_worker()
        found.wait_for(2)
        yield found
    finally:
        found.close()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Machines]:
    """Machines that a test may end."""
    yield from machines(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    yield from machines(tmp_path_factory.mktemp("cluster"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_comes_to_the_same_with_all_workers(
    command: str, shared: Machines, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it prints, and every file that it writes, but for times."""
    found = []
    for number, workers in enumerate(("1", "2", shared.address)):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        Path("words.txt").write_text("quick\nbrown\nfox\nthin\nring\nhen\nrein\n")
        words = [*command.split(), *COMMANDS[command].split(), "--workers", workers, "--checkpoint", "run"]
        done = run(*words, "--json", "--quiet", "--device", "cpu")
        assert (done.code, done.err) == (0, "")
        _, state = checkpoint.load(Path("run"), KINDS.get(command, command.replace(" ", ".")))
        saved = [(name, np.asarray(value).tolist()) for name, value in sorted(state.items()) if name != "seconds"]
        found.append([result_of(Sitting(0, done.out, "", 0), folder), saved])
    assert found[0] == found[1] == found[2]


def test_they_come_and_go(own: Machines) -> None:
    """One is killed, another joins late, then all are gone for a while."""
    with open_workers(own.address, SLOW, CPU) as workers:
        results = workers.results(range(60))
        found = [next(results) for _ in range(5)]
        own.workers[0].kill()
        found += [next(results) for _ in range(10)]
        own.workers[1].kill()
        with pytest.warns(RuntimeWarning, match="all workers are gone: waiting for others"):
            until("their end", lambda: workers.count == 0)
        own.add_worker()
        found += list(results)
    assert found == [number**2 for number in range(60)]


def test_the_scheduler_is_gone(own: Machines, tmp_path: Path) -> None:
    """An error, a checkpoint, and the run goes on elsewhere. There is work for long after the first result."""
    file, whole = tmp_path / "run", census(2000, seed=1, backend=CPU)

    def kill(done: int) -> None:
        own.scheduler.kill()

    with pytest.raises(ClusterUnavailable, match=r"^the scheduler at tcp://\S+ is gone"):
        census(2000, seed=1, workers=own.address, checkpoint=file, progress=kill, backend=CPU)
    solved = len(checkpoint.load(file, "quiddler.census")[1]["best"])
    assert 0 < solved < 2000
    assert census(2000, resume=file, backend=CPU).best.tolist() == whole.best.tolist()


def test_a_worker_that_has_something_else_is_refused(own: Machines, tmp_path: Path) -> None:
    """One that joins late is given no job, by one that is there already no work begins."""
    other = tmp_path / "packages"
    shutil.copytree(Path(jobs.__file__).parents[1] / "src" / "gpusolve", other / "gpusolve")
    shutil.copytree(kernels_dir(), other / "gpusolve" / "kernels")
    shutil.copytree(wordlists_dir(), other / "gpusolve" / "wordlists")
    with (other / "gpusolve" / "kernels" / "tetris.cu").open("a") as kernel:
        kernel.write("// another one\n")
    with open_workers(own.address, jobs.processes, CPU) as workers:
        results = workers.results(range(80))
        next(results)
        bad = own.add_worker(other)
        own.wait_for(3)
        assert {*results} == {process.pid for process in own.workers} - {bad.pid}
    with (
        pytest.raises(ClusterUnavailable, match=r"^refused: worker worker-2 at tcp://\S+: other kernels$"),
        open_workers(own.address, jobs.processes, CPU),
    ):
        pass


def test_nobody_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpusolve.dask_cluster.CONNECT", "1s")
    done = run("quiddler", "census", "--deals", "1", "--quiet", "--workers", "tcp://127.0.0.1:9")
    assert (done.code, done.out) == (4, "")
    assert "workers tcp://127.0.0.1:9: no Dask scheduler answers" in done.err
