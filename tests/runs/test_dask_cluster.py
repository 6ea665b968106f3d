"""A scheduler and workers in separate processes: the results of a single process, even if workers are lost."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jobs
from dask_machines import Machines, until
from faults.kills import ENVIRONMENT, Session, result_of
from gpusolve import __version__
from gpusolve.backend import open_backend
from gpusolve.errors import ClusterUnavailable, OutOfTime
from gpusolve.games.quiddler import census
from gpusolve.games.sliding.search import jobs as sliding_jobs
from gpusolve.games.tetris import TrainingSettings, Variant, train
from gpusolve.resources import kernels_dir, wordlists_dir
from gpusolve.runs import checkpoint
from gpusolve.runs.cluster import open_workers
from gpusolve.runs.run import Run as LongRun
from gpusolve.testing.plugin import Run
from gpusolve.wordlists import load_words

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'gpusolve[cluster]'")

CPU = open_backend("cpu")
SLOW = partial(jobs.squares, 0.1)
COMMANDS: dict[str, set[str]] = {
    "tetris train --particles 6 --iterations 3 --games 7 --max-lines 10 --finals 20 --seed 1": set(),
    "tetris evaluate published --compare two-piece --count 60 --policy greedy --seed 1 --csv games.csv": set(),
    "quiddler census --count 60 --dictionary words.txt --seed 1 --csv deals.csv": set(),
    "queuedle solve tsea/enop/adis/ttre etaoinsh --restarts 3 --states 300000 --seed 1": set(),
    "qless census --count 1500 --seed 1 --csv rolls.csv": set(),
    "quordle simulate --count 5000 --strategy left-to-right --seed 1": set(),
    "wordle solve --answers answers.txt --memory 8 --out tree.json --first crane": set(),
    "wordle solve --answers answers.txt --memory 8 --out tree.json --objective worst-mean --first crane": set(),
    # The lower bounds of guesses depend on the guesses that were compared before.
    "wordle solve --answers answers.txt --memory 8 --out tree.json --first 'top 40' --top 3": {"low", "exact"},
    "sliding solve '7 13 15 14 / 12 10 0 1 / 6 8 3 4 / 2 5 11 9' --partition 5-5-5": {"bounds", "bound_seconds"},
}
"""Commands with --workers that take a second or two, and the fields of their checkpoints that differ between runs."""
KINDS = {"queuedle solve": "queuedle.restarts"}


def machines(folder: Path, workers: int = 2) -> Iterator[Machines]:
    with closing(Machines(folder)) as found:
        for _ in range(workers):
            found.add_worker()
        found.wait_for(workers)
        yield found


pytestmark = pytest.mark.thorough


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Machines]:
    """Machines that a test may stop."""
    yield from machines(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    yield from machines(tmp_path_factory.mktemp("cluster"))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler without workers."""
    yield from machines(tmp_path_factory.mktemp("empty"), 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_gives_the_same_result_with_any_workers(
    command: str, shared: Machines, empty: Machines, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output and all files are equal except for times, even after a run that waited for workers in vain."""
    monkeypatch.setattr(sliding_jobs, "NODES_PER_JOB", 2_000_000)  # each bound takes more than one job
    game, name, *options = shlex.split(command)
    kind = KINDS.get(f"{game} {name}", f"{game}.{name}")
    found: list[Any] = []
    for workers in ("1", "2", shared.address, empty.address):
        folder = tmp_path / str(len(found))
        folder.mkdir()
        monkeypatch.chdir(folder)
        Path("words.txt").write_text("quick\nbrown\nfox\nthin\nring\nhen\nrein\n")
        Path("answers.txt").write_text("\n".join(load_words("wordle-answers")[::40]))
        words = [game, name, *options, "--json", "--quiet", "--device", "cpu"]
        begin = ["--workers", workers, "--checkpoint", "run"]
        if workers == empty.address:
            with pytest.warns(RuntimeWarning, match="has no workers yet: waiting for them"):
                done = run(*words, *begin, "--time-limit", "0.5")
            assert done.code == 3
            if game == "wordle":  # it reports a strategy that it found in no time
                assert json.loads(done.out)["complete"] is False
            else:
                assert (done.out, done.err) == ("", "gpusolve: the time limit was reached before any worker joined\n")
            begin = ["--resume", "run"]
        done = run(*words, *begin)
        assert (done.code, done.err) == (0, "")
        state = checkpoint.load(Path("run"), kind)[1].values
        results = sorted(state.keys() - COMMANDS[command] - {"seconds"})
        saved = [(result, np.asarray(state[result]).tolist()) for result in results]
        found.append([result_of(Session(0, done.out, "", 0), folder), saved])
    assert found[0] == found[1] == found[2] == found[3]


def test_workers_may_come_and_go(own: Machines) -> None:
    """A worker is killed, another joins late, and then all are missing for a while."""
    with open_workers(own.address, SLOW, CPU) as workers:
        results = workers.results(range(60))
        found = [next(results) for _ in range(5)]
        own.workers[0].kill()
        with pytest.warns(RuntimeWarning, match=r"^lost worker worker-0 at tcp://\S+: 1 left, which repeat its jobs$"):
            until("the end of a worker", lambda: workers.count == 1)
        found += [next(results) for _ in range(10)]
        own.workers[1].kill()
        gone = r"^lost worker worker-1 at tcp://\S+: all workers have gone: waiting for new ones$"
        with pytest.warns(RuntimeWarning, match=gone):
            until("the end of all workers", lambda: workers.count == 0)
        own.add_worker()
        found += list(results)
    assert found == [number**2 for number in range(60)]


def test_the_time_limit_ends_a_wait_for_new_workers(own: Machines, tmp_path: Path) -> None:
    """All workers are lost in the middle of the run: the result so far is returned, and the run can continue."""
    file, whole = tmp_path / "run", census(count=2000, seed=1, backend=CPU)

    def kill(done: int) -> None:
        for process in own.workers:
            process.kill()

    with pytest.warns(RuntimeWarning, match="^lost worker"):
        part = census(count=2000,
            seed=1, workers=own.address, time_limit=12, checkpoint=file, progress=kill, backend=CPU
        )  # fmt: skip
    assert not part.complete
    assert 0 < part.count < 2000
    assert part.best.tolist() == whole.best[: part.count].tolist()
    assert census(count=2000, resume=file, backend=CPU).best.tolist() == whole.best.tolist()


def test_a_training_that_loses_its_workers_before_the_finals(empty: Machines, tmp_path: Path) -> None:
    """The time limit ends the wait; the best result is known, and the finals are played after a resume."""
    training = TrainingSettings(particles=4, games=3, iterations=2, finals=5)
    whole = train(training, variant=Variant(max_lines=5), seed=1, checkpoint=tmp_path / "run", backend=CPU)
    with pytest.warns(RuntimeWarning, match="has no workers yet"):
        part = train(
            training,
            variant=Variant(max_lines=5),
            workers=empty.address,
            time_limit=1,
            resume=tmp_path / "run",
            backend=CPU,
        )
    assert (part.iterations, part.complete) == (2, False)
    assert part.fitness == -part.swarm.best_cost.min()
    again = train(training, variant=Variant(max_lines=5), resume=tmp_path / "run", backend=CPU)
    assert (again.weights, again.fitness, again.complete) == (whole.weights, whole.fitness, True)


@pytest.mark.skipif(os.name != "posix", reason="signals of a POSIX system")
@pytest.mark.parametrize("workers", [0, 1])
def test_ctrl_c_ends_a_wait(workers: int, tmp_path: Path) -> None:
    """No worker has joined yet, or all workers are lost."""
    words = "quiddler census --count 100000000 --seed 1 --checkpoint run --device cpu --quiet --workers scheduler.json"
    with closing(Machines(tmp_path)) as machines_here:
        for _ in range(workers):
            machines_here.add_worker()
        machines_here.wait_for(workers)
        with subprocess.Popen(
            [sys.executable, "-m", "gpusolve", *words.split()],
            cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            done = 0
            while workers and not done:
                time.sleep(0.02)
                done = len(census_so_far(tmp_path / "run"))
            for worker in machines_here.workers:
                worker.kill()
            assert process.stderr is not None
            assert "waiting for" in process.stderr.readline()
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            out, err = process.communicate(timeout=60)
            assert time.monotonic() - begin < 10
    assert (process.returncode, out, err) == (130, "", "")
    before = census_so_far(tmp_path / "run")
    assert len(before) >= done
    found = census(count=len(before) + 20, resume=tmp_path / "run", backend=CPU).best.tolist()
    assert (found[: len(before)], found[:3]) == (before, [98, 112, 104])


def census_so_far(file: Path) -> list[int]:
    """Return the scores in a checkpoint, or an empty list if there is no file."""
    best: list[int] = checkpoint.load(file, "quiddler.census")[1].values["best"].tolist() if file.exists() else []
    return best


def test_a_lost_scheduler_ends_the_command(own: Machines, tmp_path: Path) -> None:
    """There is an error and a checkpoint, and the run continues elsewhere. Most work is after the first result."""
    file, whole = tmp_path / "run", census(count=2000, seed=1, backend=CPU)

    def kill(done: int) -> None:
        own.scheduler.kill()

    with pytest.raises(ClusterUnavailable, match=r"^the scheduler at tcp://\S+ no longer answers"):
        census(count=2000, seed=1, workers=own.address, checkpoint=file, progress=kill, backend=CPU)
    solved = len(checkpoint.load(file, "quiddler.census")[1].values["best"])
    assert 0 < solved < 2000
    assert census(count=2000, resume=file, backend=CPU).best.tolist() == whole.best.tolist()


def another_installation(folder: Path) -> Path:
    """Copy gpusolve, its kernels and its word lists to a folder of packages."""
    other = folder / "packages"
    shutil.copytree(Path(jobs.__file__).parents[1] / "src" / "gpusolve", other / "gpusolve")
    shutil.copytree(kernels_dir(), other / "gpusolve" / "kernels")
    shutil.copytree(wordlists_dir(), other / "gpusolve" / "wordlists")
    return other


def changed_list(packages: Path) -> None:
    with next((packages / "gpusolve" / "wordlists").glob("*.txt")).open("a") as words:
        words.write("zzzzz\n")


def another_version(packages: Path) -> None:
    about = packages / "gpusolve-9.9.dist-info" / "METADATA"
    about.parent.mkdir()
    about.write_text("Metadata-Version: 2.1\nName: gpusolve\nVersion: 9.9\n")


def changed_code(packages: Path) -> None:
    with (packages / "gpusolve" / "checks.py").open("a") as module:
        module.write("# another one\n")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed_list, "other word lists"),
        (another_version, "version 9.9, not {version}"),
        (changed_code, "other code of gpusolve"),
    ],
)
def test_a_worker_with_other_words_or_another_version_is_refused_by_name(
    change: Callable[[Path], None], message: str, empty: Machines, tmp_path: Path
) -> None:
    """No job is sent: the cluster is refused before the work starts, and a worker that joins later gets none."""
    packages = another_installation(tmp_path)
    change(packages)
    with pytest.warns(RuntimeWarning, match="has no workers yet"):
        bad = joined_in_vain(empty, packages)
    try:
        name = rf"^refused: worker worker-\d+ at tcp://\S+: {re.escape(message.format(version=__version__))}$"
        with pytest.raises(ClusterUnavailable, match=name), open_workers(empty.address, jobs.processes, CPU):
            pass
    finally:
        bad.kill()
        bad.wait()


def joined_in_vain(empty: Machines, packages: Path) -> subprocess.Popen[bytes]:
    """Let a worker join while a command waits for one, and return it after it got no job."""
    with open_workers(empty.address, jobs.processes, CPU, run=LongRun("toy", {}, time_limit=0)) as workers:
        bad = empty.add_worker(packages)
        empty.wait_for(1)
        with pytest.raises(OutOfTime, match="before any worker joined"):
            next(workers.results(range(1)))
    return bad


def test_a_worker_that_differs_is_refused(own: Machines, tmp_path: Path) -> None:
    """A worker that joins late gets no jobs and does not count; if it is there from the start, no work starts."""
    other = another_installation(tmp_path)
    with (other / "gpusolve" / "kernels" / "tetris.cu").open("a") as kernel:
        kernel.write("// changed\n")
    with open_workers(own.address, jobs.processes, CPU, run=LongRun("toy", {}, time_limit=0)) as workers:
        results = workers.results(range(80))
        next(results)
        bad = own.add_worker(other)
        own.wait_for(3)
        assert {*results} == {process.pid for process in own.workers} - {bad.pid}
        for good in own.workers[:2]:
            good.kill()
        with (
            pytest.warns(RuntimeWarning, match="^lost worker"),
            pytest.raises(OutOfTime, match="before any worker joined"),
        ):
            next(workers.results(range(1)))
    with (
        pytest.raises(ClusterUnavailable, match=r"^refused: worker worker-2 at tcp://\S+: other kernels$"),
        open_workers(own.address, jobs.processes, CPU),
    ):
        pass


def test_a_scheduler_that_does_not_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpusolve.runs.dask_cluster.CONNECT", "1s")
    done = run("quiddler", "census", "--count", "1", "--quiet", "--workers", "tcp://127.0.0.1:9")
    assert (done.code, done.out) == (4, "")
    assert "workers tcp://127.0.0.1:9: no Dask scheduler answers" in done.err
