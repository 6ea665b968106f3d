"""A sample of ``tries.py`` for each command; ``make faults`` runs all of it."""

from __future__ import annotations

import os
import random

import pytest

from faults import tries
from gpusolve.games import find_games
from gpusolve.testing import commands
from gpusolve.testing.commands import Command

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(os.name != "posix", reason="alarms and devices of a POSIX system"),
]

EACH = 25
"""Tries of each command."""
GAMES = [game for game, package in find_games().items() if package.startswith("gpusolve.")]


@pytest.mark.parametrize("command", [command for game in GAMES for command in commands.of_game(game)], ids=str)
def test_bad_and_extreme_input_is_handled(command: Command) -> None:
    found = tries.run(command, random.Random(str(command)), EACH)
    assert not [one for one in found if one.fault]
    assert 3 <= len(found) <= EACH
