"""A census: its deals are the solver's, it goes on where it was stopped, and it goes on with nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gpusolve import checkpoint
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import census, kernels, rules, solver
from gpusolve.games.quiddler.census import take_census
from gpusolve.games.quiddler.kernels import Spellings
from gpusolve.games.quiddler.rules import Rules

CPU = open_backend("cpu")
SEED = 9


@pytest.fixture(scope="module")
def spellings() -> Spellings:
    return solver.dictionary()


def test_it_is_the_solver_many_times(backend: Backend, spellings: Spellings) -> None:
    found = take_census(5, SEED, spellings, backend=backend)
    for number in range(5):
        deal = rules.random_deal(SEED, number)
        assert found.best[number] == solver.solve(deal, spellings, backend=CPU).score
        if found.best_all[number] != kernels.NEVER:
            assert found.best_all[number] == solver.solve(deal, spellings, goal="all", backend=CPU).score


def test_what_is_derived() -> None:
    found = census.Census(1, np.array([90, 70, 90, 110], np.int32), np.array([90, kernels.NEVER, 80, 110], np.int32))
    assert (found.deals, found.mean, found.can_use_all, found.all_is_best) == (4, 90.0, 0.75, 0.5)
    assert found.distribution == {70: 1, 90: 2, 110: 1}
    assert (found.hardest(2), found.richest(3)) == ([1, 0], [3, 0, 2])


class Stopped(Exception):
    pass


@pytest.mark.parametrize("error", [KeyboardInterrupt, Stopped])
def test_it_goes_on_where_it_was_stopped(
    tmp_path: Path, spellings: Spellings, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(census, "BATCH", 7)
    whole = take_census(30, SEED, spellings, backend=CPU)
    file = tmp_path / "run"

    def stop(done: int) -> None:
        if done > 15:
            raise error

    with pytest.raises(error):
        take_census(30, SEED, spellings, backend=CPU, progress=stop, save_to=file)
    seen: list[int] = []
    rest = take_census(30, None, spellings, backend=CPU, progress=seen.append, resume=file)
    assert seen == [28, 30]
    assert rest.seed == SEED
    assert np.array_equal(rest.best, whole.best)
    assert np.array_equal(rest.best_all, whole.best_all)
    before = file.read_bytes()
    part = take_census(10, SEED, spellings, backend=CPU, resume=file)
    assert np.array_equal(part.best, whole.best[:10])
    assert file.read_bytes() == before  # a longer census is not cut short


def test_it_goes_on_with_nothing_else(tmp_path: Path, spellings: Spellings) -> None:
    file = tmp_path / "run"
    take_census(3, SEED, spellings, backend=CPU, save_to=file)
    with pytest.raises(BadInput, match=f"made with seed {SEED}, not with 1"):
        take_census(3, 1, spellings, backend=CPU, resume=file)
    with pytest.raises(BadInput, match="made with dictionary"):
        take_census(3, SEED, solver.dictionary(["it"]), backend=CPU, resume=file)
    with pytest.raises(BadInput, match="made with bonus"):
        take_census(3, SEED, spellings, Rules(bonus={}), backend=CPU, resume=file)
    with pytest.raises(BadInput, match="made with min_cards 2, not with 1"):
        take_census(3, SEED, spellings, Rules(min_cards=1), backend=CPU, resume=file)


def test_a_checkpoint_that_cannot_be_written_shows_at_once(tmp_path: Path, spellings: Spellings) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        take_census(10**9, SEED, spellings, backend=CPU, save_to=tmp_path / "none" / "run")


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_leaves_a_checkpoint(tmp_path: Path, spellings: Spellings) -> None:
    file = tmp_path / "run"
    command = [sys.executable, "-m", "gpusolve", "quiddler", "census", "--deals", "1000000", "--seed", str(SEED)]
    process = subprocess.Popen(
        [*command, "--device", "cpu", "--checkpoint", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    solved = len(checkpoint.load(file, census.KIND, census._settings(spellings, rules.STANDARD))["best"])
    found = take_census(solved + 3, None, spellings, backend=CPU, resume=file)
    assert np.array_equal(found.best[-5:], take_census(solved + 3, SEED, spellings, backend=CPU).best[-5:])
