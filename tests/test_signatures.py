"""The games' lists of compiled functions are complete; wheels and ``gpusolve doctor --compile`` use them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpusolve import doctor
from gpusolve.backend.ahead import entries, found, shipped
from gpusolve.backend.signatures import text_of, types_of
from gpusolve.commands import command
from gpusolve.games import find_games
from uses import USES

PACKAGES = {name: package for name, package in find_games().items() if package.startswith("gpusolve.")}
LISTS = {name: file for name, file in doctor.lists().items() if name in PACKAGES | doctor.SEARCH}
HEAD = (
    "# The compiled functions that Python calls, and the types of their arguments. `make goldens` writes this file.\n"
)


def test_every_game_has_a_list_and_so_has_the_search() -> None:
    assert LISTS.keys() == {*USES, *doctor.SEARCH} == {*PACKAGES, *doctor.SEARCH}
    assert sorted(LISTS.values()) == shipped()


@pytest.mark.parametrize("game", LISTS)
def test_the_functions_and_types_exist(game: str) -> None:
    for function, signature in entries(LISTS[game]):
        assert found(function).name == function
        types = types_of(signature)
        assert text_of(types) == signature
        parameters = found(function).function.__code__.co_argcount
        assert len(types) == parameters, f"{function} has {parameters} parameters: record the list again"


@pytest.mark.parametrize("game", PACKAGES)
def test_the_uses_contain_every_command(game: str) -> None:
    used = {line.split()[0] for line in USES[game].splitlines() if line.strip()}
    names = [each.name for each in command.of_game(game)]
    assert used == {*names}


@pytest.mark.thorough
@pytest.mark.parametrize("game", LISTS)
def test_the_list_has_everything_that_commands_call(game: str, tmp_path: Path) -> None:
    """What is not listed would have to be compiled by everybody who has installed a wheel.

    The commands run as if in a terminal of 70 columns, and everything they print has to fit.
    """
    environment = os.environ | {"GPUSOLVE_DEVICE": "cpu", "GPUSOLVE_TABLES": str(tmp_path / "tables")}
    command = [sys.executable, str(Path(__file__).with_name("uses.py")), game]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    called = done.stdout.splitlines()
    if os.environ.get("GPUSOLVE_RECORD") == "1":
        LISTS[game].write_text(HEAD + done.stdout, encoding="utf-8")
    assert called == [f"{function} ({signature})" for function, signature in entries(LISTS[game])]
