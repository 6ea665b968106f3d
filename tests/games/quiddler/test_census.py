"""A census: it solves the same deals as the solver, and resumes where it was stopped, with the same settings only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler._census import KIND, Census, census
from gpusolve.games.quiddler._deal import deal
from gpusolve.games.quiddler._solve import solve
from gpusolve.games.quiddler.spellings import Spellings
from gpusolve.games.quiddler.variant import Variant
from gpusolve.runs import checkpoint
from recorded import recorded

CPU = open_backend("cpu")
SEED = 9


def test_a_census_solves_the_deals_as_the_solver_does(backend: Backend, shipped: Spellings) -> None:
    result = census(count=5, dictionary=shipped, seed=SEED, backend=backend)
    assert result.complete
    for number in range(5):
        dealt = deal(SEED, number=number)
        assert result.best[number] == solve(dealt, dictionary=shipped, backend=CPU).score
        if result.best_all[number] != kernels.NEVER:
            assert result.best_all[number] == solve(dealt, dictionary=shipped, goal="all", backend=CPU).score


def test_a_census_gives_the_recorded_result(shipped: Spellings) -> None:
    result = census(count=200, dictionary=shipped, seed=1, backend=CPU)
    optima = {"best": result.best.tolist(), "best_all": result.best_all.tolist()}
    assert optima == recorded("quiddler/census", lambda: optima)


def test_a_census_derives_its_statistics() -> None:
    best, best_all = np.array([90, 70, 90, 110], np.int32), np.array([90, kernels.NEVER, 80, 110], np.int32)
    result = Census(1, best, best_all, seconds=0.1, complete=True)
    assert (result.count, result.mean, result.can_use_all, result.all_is_best) == (4, 90.0, 0.75, 0.5)
    assert result.distribution == {70: 1, 90: 2, 110: 1}
    assert [each.number for each in result.hardest] == [1, 0, 2, 3]
    assert [each.number for each in result.richest] == [3, 0, 2, 1]
    assert (result.hardest[0].best, result.hardest[0].deal) == (70, str(deal(1, number=1)))


class Stopped(Exception):
    pass


@pytest.mark.parametrize("error", [KeyboardInterrupt, Stopped])
def test_a_census_resumes_where_it_was_stopped(
    tmp_path: Path, shipped: Spellings, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(CPU, "batch", lambda bytes_per_item: 7)
    whole = census(count=30, dictionary=shipped, seed=SEED, backend=CPU)
    file = tmp_path / "run"

    def stop(done: int) -> None:
        if done > 15:
            raise error

    with pytest.raises(error):
        census(count=30, dictionary=shipped, seed=SEED, checkpoint=file, progress=stop, backend=CPU)
    seen: list[int] = []
    rest = census(count=30, dictionary=shipped, resume=file, progress=seen.append, backend=CPU)
    assert seen == [28, 30]
    assert rest.complete
    assert rest.seed == SEED
    assert np.array_equal(rest.best, whole.best)
    assert np.array_equal(rest.best_all, whole.best_all)
    part = census(count=10, dictionary=shipped, seed=SEED, resume=file, backend=CPU)
    assert np.array_equal(part.best, whole.best[:10])
    assert part.complete
    _, state = checkpoint.load(file, KIND)  # a longer census is not cut short
    assert np.array_equal(state.values["best"], whole.best)


def test_a_census_resumes_with_the_same_settings_only(tmp_path: Path, shipped: Spellings) -> None:
    file = tmp_path / "run"
    census(count=3, dictionary=shipped, seed=SEED, checkpoint=file, backend=CPU)
    with pytest.raises(BadInput, match=f"made with seed {SEED}, not with 1"):
        census(count=3, dictionary=shipped, seed=1, resume=file, backend=CPU)
    with pytest.raises(BadInput, match="made with another value of dictionary"):
        census(count=3, dictionary=["it"], seed=SEED, resume=file, backend=CPU)
    with pytest.raises(BadInput, match="made with bonus"):
        census(count=3, dictionary=shipped, variant=Variant(bonus={}), resume=file, backend=CPU)
    with pytest.raises(BadInput, match="made with min_cards 2, not with 1"):
        census(count=3, dictionary=shipped, variant=Variant(min_cards=1), resume=file, backend=CPU)


def test_a_census_of_no_deals_is_bad_input(shipped: Spellings) -> None:
    with pytest.raises(BadInput, match="count 0: expected a whole number, 1 to 1,000,000,000"):
        census(count=0, dictionary=shipped, backend=CPU)


def test_a_checkpoint_that_cannot_be_written_is_reported_at_once(tmp_path: Path, shipped: Spellings) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        census(count=10**9, dictionary=shipped, seed=SEED, checkpoint=tmp_path / "none" / "run", backend=CPU)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_leaves_a_checkpoint(tmp_path: Path, shipped: Spellings) -> None:
    file = tmp_path / "run"
    command = [sys.executable, "-m", "gpusolve", "quiddler", "census", "--count", "1000000", "--seed", str(SEED)]
    process = subprocess.Popen(
        [*command, "--device", "cpu", "--checkpoint", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not (file.exists() and len(checkpoint.load(file, KIND)[1].values["best"])):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    _, state = checkpoint.load(file, KIND)
    solved = len(state.values["best"])
    assert solved > 0
    result = census(count=solved + 3, dictionary=shipped, resume=file, backend=CPU)
    for number in range(solved - 2, solved + 3):
        assert result.best[number] == solve(deal(SEED, number=number), dictionary=shipped, backend=CPU).score
