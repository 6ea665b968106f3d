"""The whole command tree: every game follows the same rules."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.cli import OWN
from gpusolve.commands.line import parse
from gpusolve.games import find_games
from gpusolve.result import schema_of
from gpusolve.testing import commands
from gpusolve.testing.plugin import Done
from recorded import recorded, recorded_text

OURS = [name for name, package in find_games().items() if package.startswith("gpusolve.")]
COMMANDS = [command for game in find_games() for command in commands.of_game(game)]


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_every_command_follows_the_rules(command: commands.Command) -> None:
    commands.check(command)


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
    """The examples run in one folder; those that write a file come before those that read it."""
    monkeypatch.chdir(tmp_path)
    for command in sorted(commands.of_game(game), key=lambda each: "out" not in each.parameters):
        commands.check_example(command, run)


@pytest.fixture
def with_game(run: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a folder with the game that examples read."""
    monkeypatch.chdir(tmp_path)
    run("tetris", "play", "published", "--policy", "greedy", "--max-lines", "1", "--seed", "1", "--out", "game.json")


@pytest.mark.usefixtures("with_game")
@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_number_beyond_its_limits_is_refused(command: commands.Command, run: Callable[..., Done]) -> None:
    """The limits of the description, which clients of the HTTP interface get, are those of the function."""
    given = parse(command, command.examples[0][2:])
    for name, each in command.parameters.items():
        for limit, step in ((each.least, -1), (each.most, 1)):
            if limit is not None and each.owner != "drawing" and name not in given:
                beyond = limit + step * (1 if isinstance(limit, int) else max(1, abs(limit) / 1e6))
                words = [*command.examples[0], f"{each.option}={beyond}"]
                done = run(*words, *["--device", "cpu"] * ("device" in command.parameters))
                assert (done.code, name in done.err.replace("-", "_")) == (2, True), (words, done)


def test_the_command_tree_is_as_recorded() -> None:
    """To rename an option, record the tree again (`make goldens`)."""
    tree = {str(command): " ".join(sorted(command.parameters)) for command in COMMANDS if command.game in OURS}
    assert tree == recorded("commands", lambda: tree)


def test_the_schemas_are_as_recorded() -> None:
    """A change of a result's JSON is a change for those who read it: record the schemas again, and raise the number."""
    schemas = {str(command): schema_of(command.result, run=True) for command in COMMANDS if command.game in OURS}
    assert schemas == recorded("schemas", lambda: schemas)


@pytest.mark.parametrize("name", [*OURS, *OWN])
def test_the_help_is_as_recorded(name: str, run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same with every version of Typer."""
    monkeypatch.setenv("COLUMNS", "80")
    pages = run("help", name).out
    assert pages == recorded_text(f"help/{name}.txt", lambda: pages)


def test_the_help_of_gpusolve_is_as_recorded(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of commands at its end contains the games that others have installed."""
    monkeypatch.setenv("COLUMNS", "80")
    page = run("--help").out.partition("\nCommands:")[0]
    assert page == recorded_text("help/gpusolve.txt", lambda: page)


def test_help_prints_the_help_of_every_command(run: Callable[..., Done]) -> None:
    pages = run("help").out
    for name in OURS:
        assert run("help", name).out.strip() in pages
    for command in COMMANDS:
        assert run(*str(command).split(), "--help").out.strip() in pages
    for name in OWN:
        assert run(name, "-h").out.strip() in pages


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
def test_a_terminal_shows_the_help_in_the_pager() -> None:
    import pty

    ours, terminal = pty.openpty()
    environment = os.environ | {"PAGER": "sed s/^/shown:/", "TERM": "xterm"}
    command = [sys.executable, "-m", "gpusolve", "help", "quiddler"]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment)
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # Linux reports the end as an error
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    assert process.wait() == 0
    lines = shown.decode().splitlines()
    assert lines[0] == "shown:Usage: gpusolve quiddler [OPTIONS] COMMAND [ARGS]..."
    assert all(line.startswith("shown:") for line in lines)
