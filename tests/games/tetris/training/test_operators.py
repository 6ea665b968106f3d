"""pyswarms leaves nothing behind: no file, no logging configured, no random state changed, nothing patched."""

from __future__ import annotations

import logging
import logging.config
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from games.tetris.training.swarms import SMALL, same, train_small
from gpusolve.games.tetris.training import operators

SCRIPT = """
import logging, logging.config
from logging.config import dictConfig as configure
from gpusolve.games.tetris.training.operators import load_operators
load_operators()
from pyswarms.utils.reporter import Reporter
assert logging.config.dictConfig is configure
assert Reporter._setup_logger.__module__ == "pyswarms.utils.reporter.reporter"
assert not logging.getLogger().handlers
"""


def test_numpys_global_generator_is_left_alone() -> None:
    np.random.seed(1)
    expected = np.random.random(3)
    np.random.seed(1)
    train_small(replace(SMALL, iterations=2))
    assert np.array_equal(np.random.random(3), expected)


def test_a_training_configures_no_logging_and_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    handlers = list(logging.getLogger().handlers)
    train_small(replace(SMALL, iterations=1))
    train_small(replace(SMALL, iterations=1, topology="ring"))
    assert list(tmp_path.iterdir()) == []
    assert logging.getLogger().handlers == handlers


def test_nothing_stays_patched_after_the_import(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], cwd=tmp_path, check=True)
    assert list(tmp_path.iterdir()) == []


def test_another_thread_can_configure_logging_during_the_import(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(logging.config, "dictConfig", calls.append)
    with operators._logging_left_alone():
        logging.config.dictConfig("this thread")  # type: ignore[arg-type]
        other = threading.Thread(target=lambda: logging.config.dictConfig("another thread"))  # type: ignore[arg-type]
        other.start()
        other.join()
    assert calls == ["another thread"]


def test_two_trainings_can_run_in_threads() -> None:
    expected = [train_small(seed=seed).swarm for seed in (4, 5)]
    trained = {}

    def run(seed: int) -> None:
        trained[seed] = train_small(seed=seed).swarm

    threads = [threading.Thread(target=run, args=(seed,)) for seed in (4, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(same(swarm, trained[seed]) for seed, swarm in zip((4, 5), expected, strict=True))
