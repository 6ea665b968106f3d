"""The public names of games are imported when they are first used, and need no package but NumPy."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from gpusolve.games import find_games

ALONE = """
import sys

MISSING = set("jinja2 lazy_loader matplotlib numba platformdirs pyswarms rich scipy typer".split())

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Refuse())
import gpusolve.games.GAME as game
assert not {"numpy", "gpusolve.backend"} & sys.modules.keys()
from gpusolve.games.GAME import *
assert set(game.__all__) == set(dir(game))
assert all(getattr(game, name) for name in game.__all__)
"""


@pytest.mark.parametrize("game", [name for name, package in find_games().items() if package.startswith("gpusolve.")])
def test_the_names_of_a_game_need_numpy_alone(game: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE.replace("GAME", game)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_name_that_a_package_does_not_have() -> None:
    with pytest.raises(AttributeError, match=r"module 'gpusolve.games.wordle' has no attribute 'none'"):
        import_module("gpusolve.games.wordle").__getattr__("none")
