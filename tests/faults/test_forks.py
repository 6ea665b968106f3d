"""A forked process, as of `multiprocessing` on Linux and of web servers, plays every game; none waits for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from faults import forks
from faults.kills import ENVIRONMENT
from gpusolve.games import find_games


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
@pytest.mark.thorough
def test_every_game_gives_the_same_result_after_a_fork() -> None:
    """In a separate process, because a fork of the tests would have their memory."""
    folder = Path(forks.__file__).parent
    done = subprocess.run(
        [sys.executable, folder / "forks.py"], env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, done.stdout) == (0, "".join(f"{game}: the same result\n" for game in forks.GAMES))


def test_every_game_is_forked() -> None:
    assert list(forks.GAMES) == [game for game, package in find_games().items() if package.startswith("gpusolve.")]
