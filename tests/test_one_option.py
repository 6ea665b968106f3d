"""An option is written once: a line in a class of settings is an option, a field of HTTP and a line of the help."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpusolve.commands import source as sources
from gpusolve.commands.command import Command, of_game
from gpusolve.commands.line import click_command, parse
from gpusolve.commands.source import Source
from gpusolve.games import find_games
from gpusolve.serve.operations import Operation, schema_of

SETTINGS = "gpusolve.games.tetris.training.settings"
DESCRIBED = "    finals : int\n"
FIELD = "    finals: int = 500\n"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return ``tetris train`` as it would be with one more line in its settings, and one in their docstring."""
    found = sources.source

    def edited(module: str) -> Source | None:
        given = found(module)
        if given is None or module != SETTINGS:
            return given
        assert given.text.count(DESCRIBED) == given.text.count(FIELD) == 1
        text = given.text.replace(DESCRIBED, f"    patience : int\n        Iterations to wait.\n{DESCRIBED}")
        return replace(given, text=text.replace(FIELD, f"    patience: int = 7\n{FIELD}"))

    monkeypatch.setattr(sources, "source", edited)
    return next(each for each in of_game("tetris") if each.name == "train")


def test_a_new_field_is_everywhere(command: Command) -> None:
    made = click_command(command)
    assert "--patience" in {option for each in made.params for option in each.opts}
    assert "Iterations to wait." in made.get_help(made.make_context("train", [], resilient_parsing=True))
    context = made.make_context("train", [], resilient_parsing=True)
    assert [each.value for each in made.shell_complete(context, "--pat")] == ["--patience"]
    assert parse(command, ["--patience", "3"]) == {"patience": 3}
    schema = schema_of(Operation(command).fields["patience"])
    assert (schema["type"], schema["description"]) == ("integer", "Iterations to wait.")


def test_without_the_line_it_is_nowhere() -> None:
    for game in find_games():
        for each in of_game(game):
            assert "patience" not in each.parameters
