"""Operations: requests become the words of a command line, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from gpusolve.errors import BadInput
from gpusolve.serve.openapi import describe
from gpusolve.serve.operations import LARGEST_INTEGER, LEFT_OUT, LONGEST_TEXT, MOST_ITEMS, Operation, find_operations

OPERATIONS = find_operations()


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda operation: operation.path)
def test_the_words_of_an_example_mean_the_same_as_on_the_help_page(operation: Operation) -> None:
    """Both are parsed by the command; only options about output and devices may differ."""
    example = operation.example
    operation.check(example)
    _, _, *words = operation.words(example, "cpu")
    click = operation.command.click
    parsed = click.make_context("x", words, resilient_parsing=True).params
    expected = click.make_context("x", operation.command.example[2:], resilient_parsing=True).params
    names = {parameter.name: name for name, parameter in operation.command.words.items()}
    for parameter, value in expected.items():
        if names.get(parameter) in operation.fields:
            assert parsed[parameter] == value, parameter
    assert parsed["json"]
    assert parsed["quiet"]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda operation: operation.path)
def test_no_field_writes_a_file_or_starts_workers(operation: Operation) -> None:
    assert not LEFT_OUT & operation.fields.keys()


def test_every_kind_of_field_becomes_a_word() -> None:
    operation = OPERATIONS["wordle/suggest"]
    body = {"history": ["salet:-y--g", "--json"], "top": 3, "guess_hidden_only": True, "mode": "hard"}
    assert operation.words(body, "cpu:1") == [
        *("wordle", "suggest", "--json", "--quiet", "--mode=hard", "--guess-hidden-only", "--top=3", "--device=cpu:1"),
        *("--", "salet:-y--g", "--json"),
    ]
    assert OPERATIONS["qless/solve"].words({"roll": "tea", "common": False}, "cpu")[4:] == ["--device=cpu", "--", "tea"]


def test_the_content_of_a_file_is_sent_under_a_name_of_ours() -> None:
    operation = OPERATIONS["wordle/verify"]
    body = {"tree": {"content": "{}"}}
    operation.check(body)
    assert operation.files(body) == {"sent-tree": "{}"}
    assert operation.words(body, "cpu")[-1] == "sent-tree"


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("wordle/suggest", [], "expected a JSON object"),
        ("wordle/suggest", {"histroy": []}, 'no field "histroy": expected history, '),
        ("wordle/suggest", {"history": "salet"}, "history: expected a list of text"),
        ("wordle/suggest", {"history": [1]}, "history: expected text, not 1"),
        ("wordle/suggest", {"history": ["x"] * (MOST_ITEMS + 1)}, "at most 1,000"),
        ("wordle/suggest", {"top": True}, "top: expected an integer, not true"),
        ("wordle/suggest", {"top": 1.5}, "top: expected an integer, not 1.5"),
        ("wordle/suggest", {"top": LARGEST_INTEGER + 1}, "in magnitude"),
        ("wordle/suggest", {"top": None}, "top: expected an integer, not null"),
        ("wordle/suggest", {"mode": "x" * (LONGEST_TEXT + 1)}, "characters: expected at most"),
        ("wordle/suggest", {"mode": "a\0b"}, "zero characters"),
        ("wordle/suggest", {"guess_hidden_only": 1}, "expected true or false, not 1"),
        ("wordle/suggest", {"json": True}, 'no field "json"'),
        ("wordle/suggest", {"device": "cuda"}, 'no field "device"'),
        ("wordle/solve", {"out": "tree.json"}, 'no field "out"'),
        ("wordle/cells", {}, "expected the field 'guess'"),
        ("wordle/verify", {"tree": {"content": 1}}, "tree: expected the name of a file"),
        ("wordle/verify", {"tree": {"content": "", "name": "x"}}, "tree: expected the name of a file"),
        ("tetris/suggest", {"board": "."}, "expected the field 'piece'"),
    ],
)
def test_wrong_bodies_are_refused_with_one_line(path: str, body: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        OPERATIONS[path].check(body)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_an_argument_needs_the_arguments_before_it() -> None:
    operation = OPERATIONS["wordle/explain"]
    arguments = [name for name, field in operation.fields.items() if not field.option]
    if len(arguments) > 1:
        with pytest.raises(BadInput, match="as well"):
            operation.check({arguments[-1]: "crane"})


def test_the_document_describes_every_operation() -> None:
    document = describe(OPERATIONS, 10, 600)
    assert document["paths"].keys() == {f"/api/{path}" for path in OPERATIONS}
    body = document["paths"]["/api/wordle/suggest"]["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"]["properties"]["mode"]["enum"] == ["easy", "hard", "ultra-hard"]
    assert body["schema"]["properties"]["top"]["minimum"] == 1
    assert body["example"] == {"history": ["salet:-y--g"], "mode": "hard"}
