"""The whole command tree: every game follows the same rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.games import find_games
from gpusolve.testing import commands
from gpusolve.testing.plugin import Done
from recorded import recorded

OURS = [name for name, package in find_games().items() if package.startswith("gpusolve.")]
COMMANDS = [command for game in find_games() for command in commands.of_game(game)]
INPUTS = {
    "queuedle check": {"file", "date", "zone", "puzzle_dictionary"},
    "queuedle daily": {"day"},
    "queuedle solve": {"file", "date", "zone", "puzzle_dictionary"},
    "quiddler solve": {"random", "seed"},
    "quordle analyze": {"boards"},
    "quordle play": {"boards"},
    "sliding compare": {"goal"},
    "sliding solve": {"boards", "set", "goal"},
    "tetris evaluate": {"hz", "taps"},
    "tetris match": {"hz", "taps"},
    "tetris play": {"hz", "taps"},
    "tetris review": {"hz", "taps"},
    "tetris suggest": {"hz", "taps"},
    "tetris train": {"hz", "taps", "quick"},
    "tetris train-value": {"hz", "taps", "quick"},
    "wordle partition-table": {"words"},
    "wordle play": {"random", "seed", "yourself"},
    "wordle solve": {"adversary"},
}
"""Options that replace an argument of the function."""


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_every_command_follows_the_rules(command: commands.Command) -> None:
    commands.check(command, INPUTS.get(str(command), ()))


@pytest.mark.parametrize("game", find_games())
def test_every_game_has_a_line_of_help(game: str) -> None:
    commands.check_game(game)


@pytest.mark.parametrize("group", ["", *find_games()])
def test_the_list_of_commands_is_whole_at_80_columns(
    group: str, run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Click cuts a summary that does not fit into its line, and ends it with dots."""
    monkeypatch.setenv("COLUMNS", "80")
    page = run(*group.split(), "--help").out
    listed = page[page.index("Commands:") :]
    assert "..." not in listed
    assert max(map(len, listed.splitlines())) <= 80


@pytest.mark.parametrize("game", find_games())
def test_every_example_runs(
    game: str, run: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples run in one folder in the order of the help page: some read a file that an earlier example wrote."""
    monkeypatch.chdir(tmp_path)
    for command in commands.of_game(game):
        commands.check_example(command, run)


def test_the_command_tree_is_as_recorded() -> None:
    """To rename an option, record the tree again (`make goldens`)."""
    tree = {str(command): " ".join(sorted(command.words)) for command in COMMANDS if command.game in OURS}
    assert tree == recorded("commands", lambda: tree)
