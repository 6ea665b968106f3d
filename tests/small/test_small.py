"""A short pass of ``python -m small`` for each command, and a check that no command was forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gpusolve.games import find_games
from gpusolve.result import schema_of
from gpusolve.testing import commands
from small.cases import Call, Check, Trial, attempt, call, run, text_of
from small.checks import checks

CASES = 200
"""Largest number of cases of each command here; `make faults` tries thousands."""
SECONDS = 0.7
"""Seconds after which no further case is tried."""
CLAIMS = {"proven", "complete", "exact"}
"""Fields of results that say that nothing was left out."""
NOT_COMPARED = {
    "qless check": "it judges a given grid by the rules themselves",
    "qless generate": "rolls with a solution, which are random",
    "qless rate": "a measure without a rule of the game",
    "qless roll": "a random roll",
    "qless shapes": "numbers that are published: tests/games/qless/test_shapes.py",
    "queuedle daily": "the letters of a day",
    "quiddler check": "it judges a given plan by the rules themselves",
    "quiddler columns": "plays by the rules: tests/games/quiddler/larger/test_columns.py compares small deals",
    "quiddler deal": "a random deal",
    "quiddler simulate": "rounds that are played: `complete` says whether all were",
    "quordle analyze": "values of playouts, which are random",
    "quordle play": "a game of the player that `suggest` shows",
    "sliding build": "tables that `sliding solve` uses",
    "sliding scramble": "a random board",
    "sliding show": "moves that are drawn",
    "sliding tables": "files of this machine",
    "tetris average-values": "a file of values",
    "tetris evaluate": "games that are played: `complete` says whether all were",
    "tetris join-values": "a file of values",
    "tetris match": "games that are played: `complete` says whether all were",
    "tetris play": "games that are played",
    "tetris replay": "a recorded game by the rules themselves",
    "tetris review": "placements as `suggest` rates them",
    "tetris train": "a training: `complete` says whether it ended by itself",
    "tetris train-value": "a training: `complete` says whether it ended by itself",
    "wordle cells": "patterns of one guess: tests/games/wordle/test_cells.py",
    "wordle letters": "numbers of letters",
    "wordle partition-table": "patterns of each guess: tests/games/wordle/test_partition_table.py",
    "wordle pattern": "one pattern by the rules themselves",
    "wordle play": "a game of the player that `suggest` shows",
    "wordle simulate": "games of the player that `suggest` shows",
    "wordle words": "frequencies of words",
}
"""Commands whose results are not compared with brute force, and why."""
CLAIM_TO_BE_FINISHED = {
    "quiddler columns",
    "quiddler simulate",
    "tetris evaluate",
    "tetris match",
    "tetris train",
    "tetris train-value",
}
"""Those of them whose results have such a field all the same."""
GAMES = [game for game, package in find_games().items() if package.startswith("gpusolve.")]


@pytest.fixture(autouse=True, scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield


@pytest.mark.parametrize("check", checks(), ids=lambda check: check.command)
def test_small_cases_are_as_brute_force_says(check: Check) -> None:
    report = run(check, seed=1, most=CASES, seconds=SECONDS)
    assert not report.found, "\n".join(line for found in report.found for line in text_of(found, check, 1))
    assert report.cases >= 1


def test_every_command_is_compared_or_says_why_not() -> None:
    known = {str(command): command for game in GAMES for command in commands.of_game(game)}
    compared = {check.command for check in checks()}
    assert compared | NOT_COMPARED.keys() == known.keys(), "add a check to tests/small, or a reason"
    assert not compared & NOT_COMPARED.keys()
    claiming = {name for name, command in known.items() if CLAIMS & set(_fields(schema_of(command.result)))}
    assert claiming - compared == CLAIM_TO_BE_FINISHED
    assert len(claiming) > 15


def _fields(schema: Any) -> Iterator[str]:
    """Yield the names of all fields in a schema."""
    if isinstance(schema, list):
        for each in schema:
            yield from _fields(each)
    elif isinstance(schema, dict):
        yield from schema.get("properties", {})
        for each in schema.values():
            yield from _fields(each)


def test_a_wrong_result_is_reported_with_the_call_that_reproduces_it() -> None:
    drawn = call("Deal", ("a",), ("b",), seed=None)
    wrong = Check("quiddler deal", lambda chance: Trial(drawn, lambda deal: f"it has {deal.piles} pile"))
    assert repr(drawn) == "Deal(('a',), ('b',))"
    report = run(wrong, seed=3, first=7, most=2)
    assert [(found.number, found.fault) for found in report.found] == [(7, "it has 1 pile"), (8, "it has 1 pile")]
    assert list(text_of(report.found[0], wrong, 3))[-2:] == [
        "Deal(('a',), ('b',))",
        "PYTHONPATH=tests python -m small --only 'quiddler deal' --seed 3 --first 7 --cases 1",
    ]


def test_errors_are_faults_unless_they_can_be_right() -> None:
    for name, message in (("Deal", "raises BadInput: rows of 0 and 0 cards"), ("Dealt", "raises NameError")):
        check = Check("quiddler deal", lambda chance, name=name: Trial(Call(name, ((), ()), {}), lambda deal: ""))  # type: ignore[misc]
        assert message in attempt(check, 1, 1).fault
