"""Lists and files of requests: named in the folder, sent as files, or sent as words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

import pytest

import gpusolve
from gpusolve.errors import BadInput
from gpusolve.resources import kernels_dir, wordlists_dir
from gpusolve.serve.operations import LARGEST_BODY, MOST_WORDS, find_operations, schema_of
from gpusolve.serve.pool import Body, Full
from gpusolve.testing.plugin import Done
from serve.client import Server, serving

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
OPERATIONS = find_operations()
WORDS = ["crane", "salet", "trace"]
PACKAGE = Path(gpusolve.__file__).parent


def many(count: int) -> list[str]:
    """Return different words of seven letters."""
    return ["".join(letters) for letters in islice(product("abcdefghij", repeat=7), count)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "files"
    folder.mkdir()
    folder.joinpath("words.txt").write_text("\n".join(WORDS))
    folder.joinpath("broken.value").write_bytes(b"no value")
    return folder


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tables = tmp_path_factory.mktemp("cache") / "tables"
    tables.mkdir()
    tables.joinpath("sliding-broken.table").write_bytes(b"no table")
    return tables


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the user's lists, which has no damaged one."""
    kept = tmp_path_factory.mktemp("kept") / "user-lists"
    kept.mkdir()
    kept.joinpath("mine.txt").write_text("\n".join(WORDS))
    return kept


@pytest.fixture(scope="module")
def server(folder: Path, tables: Path, kept: Path) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tables))
        patch.setenv("GPUSOLVE_LISTS", str(kept))
        with serving(folder, "--jobs", "2") as server:
            yield server


def test_an_answer_is_kept_until_a_list_in_the_folder_changes(server: Server, folder: Path) -> None:
    file, body = folder / "changing.txt", {"guess": "crane", "answers": "changing.txt"}
    assert server.call("wordle/cells", body)[0] == 422
    file.write_text("\n".join(WORDS))
    first = server.call("wordle/cells", body)
    assert (first[0], first[1]["answers"]) == (200, 3)
    assert server.call("wordle/cells", body) == first  # with the same seconds
    file.write_text("\n".join([*WORDS, "other"]))
    assert server.call("wordle/cells", body)[1]["answers"] == 4


def test_the_users_lists_are_offered_and_read_again_after_a_change(server: Server, kept: Path) -> None:
    status, text, _ = server.ask("GET", "/names.json")
    known = json.loads(text)
    assert (status, known["own"], known["files"].count("mine")) == (200, ["mine"], 0)
    assert "wordle-answers" in known["wordlists"]
    body = {"guess": "crane", "answers": "mine"}
    assert server.call("wordle/cells", body)[1]["answers"] == 3
    other = kept / "other.tmp"
    other.write_text("\n".join([*WORDS, "other"]))
    other.replace(kept / "mine.txt")
    assert server.call("wordle/cells", body)[1]["answers"] == 4
    kept.joinpath("enable.txt").write_text("aa")
    assert "enable" not in server.ask("GET", "/names.json")[1]
    status, answer = server.call("qless/count", {"roll": "cddeeimprtwx", "dictionary": "enable"})
    assert (status, "has changed since it was downloaded" in answer["error"]) == (422, True), answer
    assert str(kept) not in answer["error"]
    kept.joinpath("enable.txt").unlink()


@pytest.mark.parametrize(
    "name",
    [
        *(
            "files.py",
            "serve/app.py",
            "wordle.cu",
            "SOURCES.md",
            "wordle-answers.txt",
            "games/tetris/weights/30hz.json",
        ),
        *map(str, (PACKAGE / "files.py", kernels_dir() / "wordle.cu", wordlists_dir() / "wordle-answers.txt")),
    ],
)
def test_files_of_the_package_cannot_be_named(server: Server, name: str) -> None:
    status, answer = server.call("wordle/cells", {"guess": "crane", "answers": name})
    assert (status, "expected a file or a shipped list" in answer["error"]) == (422, True), answer
    status, answer = server.call("tetris/play", {"player": name, "policy": "greedy", "max_lines": 1, "seed": 1})
    assert (status, "expected a file or one of 30hz" in answer["error"]) == (422, True), answer


@pytest.mark.parametrize("name", [PACKAGE / "games" / "tetris" / "weights" / "learned", "games/tetris/weights/learned"])
def test_shipped_values_have_names_only(server: Server, name: Path | str) -> None:
    body = {"policy": "greedy", "max_lines": 1, "seed": 1}
    for player in (str(name), f"{name}.value", f"{name}.packed"):
        assert server.call("tetris/play", body | {"player": player})[0] == 422
    assert server.call("tetris/play", body | {"player": "learned"})[0] == 200


def test_no_answer_has_a_path_of_the_machine(server: Server, folder: Path, tables: Path) -> None:
    status, answer = server.call("sliding/tables", {})
    assert (status, answer["folder"]) == (200, "tables")
    assert [table["path"] for table in answer["tables"]] == ["sliding-broken.table"]
    assert answer["tables"][0]["damaged"].startswith("table sliding-broken.table: damaged")
    assert server.call("sliding/tables", {"remove": "sliding-broken"})[0] == 422  # only who runs the server removes
    assert (tables / "sliding-broken.table").exists()
    status, error = server.call("tetris/play", {"player": "broken.value", "seed": 1})
    assert (status, error["error"].partition(",")[0]) == (422, "table broken.value: damaged")
    events = list(server.events("sliding/tables", {}))
    for place in (folder, tables, PACKAGE):
        assert str(place) not in json.dumps([answer, error, events])


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda operation: operation.path)
def test_every_field_for_a_list_takes_words(operation: Any) -> None:
    for name in {"answers", "guesses", "dictionary", "puzzle_dictionary", "ban"} & operation.fields.keys():
        field = operation.fields[name]
        assert field.takes == ("words",)
        assert {"type": "array", "items": {"type": "string"}, "maxItems": MOST_WORDS}.items() <= max(
            schema_of(field)["anyOf"], key=lambda each: each["type"] == "array"
        ).items()
        operation.check(operation.example | {name: WORDS})
    if "weights" in operation.fields:
        assert operation.fields["weights"].takes == ("weights",)
        operation.check(operation.example | {"weights": {"crane": 1, "content": 0.5}})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"answers": [1]}, "answers: expected only text in the list of words"),
        ({"answers": ["a\0"]}, "answers: expected text without zero characters"),
        ({"answers": ["\ud800"]}, "halves of surrogate pairs"),
        ({"answers": [""] * (MOST_WORDS + 1)}, "answers: 500,001 words: expected at most 500,000"),
        ({"answers": {"crane": 1}}, "or a list of words, not"),
        ({"weights": {"crane": "1"}}, "weights: expected a number for each word"),
        ({"weights": {"crane": True}}, "weights: expected a number for each word"),
        ({"weights": {"content": True}}, "weights: expected a number for each word"),
        ({"weights": ["crane"]}, "or an object with the weight of each word, not"),
        ({"top": ["crane"]}, "top: expected an integer"),
    ],
)
def test_wrong_lists_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        OPERATIONS["wordle/suggest"].check(given)


@pytest.mark.parametrize(
    ("path", "body", "field", "words"),
    [
        ("wordle/cells", {"guess": "crane"}, "answers", WORDS),
        ("wordle/suggest", {"guesses": "words.txt"}, "answers", WORDS[:2]),
        (
            "wordle/suggest",
            {"guesses": "words.txt", "answers": "words.txt"},
            "weights",
            {"crane": 1, "salet": 2.5, "trace": 3},
        ),
        ("quordle/suggest", {"answers": "words.txt", "boards": 2}, "guesses", WORDS),
        ("qless/check", {"grid": "tea"}, "dictionary", ["tea", "eat"]),
        ("quiddler/hand", {"cards": "t e a"}, "dictionary", ["tea", "eat"]),
        ("queuedle/check", {"puzzle": "tsea/enop/adis/ttre eat", "moves": "d1"}, "dictionary", ["tea", "eat"]),
    ],
)
def test_a_list_can_be_sent(
    server: Server, folder: Path, path: str, body: dict[str, Any], field: str, words: Any
) -> None:
    """The answer is that for a file with the same words."""
    lines = [f"{word} {words[word]}" for word in words] if isinstance(words, dict) else words
    folder.joinpath("same.txt").write_text("\n".join(lines))
    clocks = {"seconds", "compile_seconds", "build_seconds", "answer_list", "guess_list", "weight_list"}
    status, sent = server.call(path, body | {field: words})
    assert status == 200, sent
    named = server.call(path, body | {field: "same.txt"})[1]
    assert {key: sent[key] for key in sent.keys() - clocks} == {key: named[key] for key in named.keys() - clocks}


def test_large_lists_can_be_sent(server: Server) -> None:
    words = many(MOST_WORDS)
    for answers in (words, {"content": "\n".join(words)}):
        body = {"guess": words[7], "answers": answers}
        assert 4 << 20 < len(json.dumps(body)) <= LARGEST_BODY
        status, answer = server.call("wordle/cells", body)
        assert (status, answer.get("answers")) == (200, MOST_WORDS), answer
    status, answer = server.call("wordle/cells", {"guess": words[7], "answers": [*words, "another"]})
    assert (status, answer) == (422, {"error": "answers: 500,001 words: expected at most 500,000"})
    status, answer = server.call("wordle/cells", {"guess": words[7], "answers": [*words[:-1], 7]})
    assert (status, answer) == (422, {"error": "answers: expected only text in the list of words"})
    status, answer = server.call("wordle/cells", {"guess": words[7], "answers": words * 3})
    assert (status, answer) == (413, {"error": "the body is larger than 8 MiB: expected a smaller one"})


def test_all_bodies_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpusolve.serve import app

    monkeypatch.setattr(app, "MOST_HELD", 2_000_000)

    async def parts() -> AsyncIterator[bytes]:
        for _ in range(10):
            yield bytes(100_000)

    bodies = WeakSet[Body]()
    request: Any = SimpleNamespace(headers={"content-type": "application/json"}, stream=parts)

    def take() -> Body:
        return asyncio.run(app._body(request, bodies))

    held = [take(), take()]
    assert [len(body.content) for body in held] == [1_000_000] * 2
    with pytest.raises(Full):
        take()
    held.pop()
    assert len(take().content) == 1_000_000


def test_the_lists_in_use_are_those_of_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after another choice, while the server runs; a request can name others."""
    configuration, lists = tmp_path / "config.toml", tmp_path / "lists"
    lists.mkdir()
    lists.joinpath("mine.txt").write_text("crane\nsalet\ntrace\n")
    lists.joinpath("yours.txt").write_text("crane\nsalet\n")
    monkeypatch.setenv("GPUSOLVE_LISTS", str(lists))
    monkeypatch.setenv("GPUSOLVE_CONFIG", str(configuration))

    def remaining(server: Server, **more: str) -> list[str]:
        status, answer = server.call("wordle/suggest", {"history": ["moody:-----"], "sort": "entropy", **more})
        assert status == 200, answer
        return sorted(answer["remaining"])

    configuration.write_text('[wordle]\nanswers = "mine"\n')
    with serving(tmp_path, "--jobs", "1") as server:
        assert remaining(server) == ["crane", "salet", "trace"]
        used, fields = (
            json.loads(server.ask("GET", f"/{name}.json")[1]) for name in ("names", "fields/wordle/suggest")
        )
        assert used["used"]["wordle"] == {"answers": "mine"}
        assert fields["answers"]["default"] == "mine"
        configuration.write_text('[wordle]\nanswers = "yours"  # \n')
        assert remaining(server) == ["crane", "salet"]
        assert len(remaining(server, answers="wordle-answers")) > 100
        configuration.write_text("no TOML")
        assert len(remaining(server)) > 100  # as without a file


def test_a_configuration_file_with_a_fault_is_reported_at_the_start(
    run: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = tmp_path / "config.toml"
    configuration.write_text('[wordle]\nanswerlist = "mine"\n')
    monkeypatch.setenv("GPUSOLVE_CONFIG", str(configuration))
    done = run("serve", "--port", "0")
    assert done.code == 2
    assert "wordle.answerlist: no command of wordle has this option" in done.err
