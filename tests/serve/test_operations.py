"""Operations: requests become the values of a command's parameters, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpusolve.commands.command import Command
from gpusolve.commands.line import parse
from gpusolve.errors import BadInput
from gpusolve.serve.openapi import describe
from gpusolve.serve.operations import (
    BINARY,
    LARGEST_INTEGER,
    LEFT_OUT,
    LONGEST_TEXT,
    MOST_ITEMS,
    Operation,
    find_operations,
)
from serve.client import words_of

OPERATIONS = find_operations()


@pytest.mark.parametrize(
    "operation",
    [each for each in OPERATIONS.values() if isinstance(each.command, Command)],
    ids=lambda operation: operation.path,
)
def test_the_values_of_an_example_are_those_of_the_command_line(operation: Operation) -> None:
    example = operation.example
    assert isinstance(operation.command, Command)
    operation.check(example)
    given = operation.given(example, "cpu")
    parsed = parse(operation.command, words_of(operation, example, "cpu")[2:])
    as_text = {name: str(value) if isinstance(value, Path) else value for name, value in parsed.items()}
    assert as_text == given


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda operation: operation.path)
def test_no_field_writes_a_file_or_starts_workers(operation: Operation) -> None:
    assert not LEFT_OUT & operation.fields.keys()


def test_every_kind_of_field_becomes_a_value() -> None:
    operation = OPERATIONS["wordle/suggest"]
    body = {"history": ["salet:-y--g", "--json"], "top": 3, "guess_hidden_only": True, "mode": "hard"}
    assert operation.given(body, "cpu:1") == {**body, "json": True, "quiet": True, "device": "cpu:1"}
    assert operation.given({"history": "salet:-y--g"}, "cpu")["history"] == ["salet:-y--g"]
    assert OPERATIONS["qless/solve"].given({"roll": "tea"}, "cpu")["roll"] == "tea"
    assert "device" not in OPERATIONS["quiddler/deal"].given({}, "cpu")


def test_the_content_of_a_file_is_sent_under_a_name_of_ours() -> None:
    operation = OPERATIONS["wordle/verify"]
    body = {"tree": {"content": "{}"}}
    operation.check(body)
    assert operation.files(body) == {"sent-tree": b"{}"}
    assert operation.given(body, "cpu")["tree"] == "sent-tree"
    assert operation.files({"tree": {"content": f"{BINARY}AP8="}}) == {"sent-tree": b"\0\xff"}
    with pytest.raises(BadInput, match="tree: expected base64 after data:"):
        operation.files({"tree": {"content": f"{BINARY}A!"}})


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("wordle/suggest", [], "expected a JSON object"),
        ("wordle/suggest", {"histroy": []}, 'no field "histroy": expected history, '),
        ("wordle/suggest", {"history": 1}, "history: expected a list of text, not 1"),
        ("wordle/suggest", {"history": [1]}, "history: expected a list of text, not 1"),
        ("wordle/suggest", {"history": ["x"] * (MOST_ITEMS + 1)}, "at most 1,000"),
        ("wordle/suggest", {"top": True}, "top: expected an integer, not true"),
        ("wordle/suggest", {"top": 1.5}, "top: expected an integer, not 1.5"),
        ("wordle/suggest", {"top": LARGEST_INTEGER + 1}, "in magnitude"),
        ("wordle/suggest", {"top": None}, "top: expected an integer, not null"),
        ("wordle/suggest", {"mode": "x" * (LONGEST_TEXT + 1)}, "characters: expected at most"),
        ("wordle/suggest", {"mode": "a\0b"}, "zero characters"),
        ("wordle/suggest", {"history": ["\ud800"]}, "halves of surrogate pairs"),
        ("wordle/suggest", {"\ud800": 1}, 'no field "\\ud800"'),
        ("wordle/suggest", {"guess_hidden_only": 1}, "expected true or false, not 1"),
        ("wordle/suggest", {"json": True}, 'no field "json"'),
        ("wordle/suggest", {"device": "cuda"}, 'no field "device"'),
        ("wordle/solve", {"out": "tree.json"}, 'no field "out"'),
        ("wordle/cells", {}, "expected the field 'guess'"),
        ("wordle/verify", {"tree": {"content": 1}}, "tree: expected the name of a file"),
        ("wordle/verify", {"tree": {"content": "", "name": "x"}}, "tree: expected the name of a file"),
        ("tetris/suggest", {"piece": "I"}, "expected the field 'board'"),
    ],
)
def test_wrong_bodies_are_refused_with_one_line(path: str, body: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        OPERATIONS[path].check(body)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_answers_are_kept_of_commands_that_choose_nothing_by_chance() -> None:
    for path in ("wordle/suggest", "sliding/solve", "tetris/suggest"):
        assert OPERATIONS[path].repeatable({}), path
    for path in ("queuedle/solve", "sliding/scramble", "quiddler/deal"):
        assert not OPERATIONS[path].repeatable({}), path
        assert OPERATIONS[path].repeatable({"seed": 1}), path


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_only_python_calls_json_is_refused(number: str) -> None:
    with pytest.raises(BadInput, match=f"the body: not JSON: {number}"):
        OPERATIONS["wordle/solve"].read(f'{{"time_limit": {number}}}'.encode())


def test_the_document_describes_every_operation() -> None:
    document = describe(OPERATIONS, 10, 600)
    assert document["paths"].keys() == {f"/api/{path}" for path in OPERATIONS}
    body = document["paths"]["/api/wordle/suggest"]["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"]["properties"]["mode"]["enum"] == ["easy", "hard", "ultra-hard"]
    assert body["schema"]["properties"]["top"]["minimum"] == 0
    assert body["example"] == {"history": ["salet:-y--g"], "mode": "hard"}
