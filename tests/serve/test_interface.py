"""Every command over HTTP: the answer to its example is what the command prints with ``--json``, without folders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gpusolve.runs import store
from gpusolve.serve.operations import Operation, find_operations
from gpusolve.serve.worker import without_folders
from gpusolve.testing.plugin import Done
from serve.client import Server, serving, words_of

pytest.importorskip("starlette")
pytestmark = pytest.mark.thorough
OPERATIONS = find_operations()
WORDS = "crane\ntrace\nsalet\n"
CLOCKS = {"seconds", "compile_seconds", "build_seconds", "states_per_second"}
"""Fields that differ from run to run."""
FEWER: dict[str, dict[str, Any]] = {
    "quordle/analyze": {"hidden": "hello,world", "made": ["carle", "world", "hello"]},
    "quordle/play": {"seed": 1},
    "quordle/simulate": {"count": 20},
    "sliding/build": {"rows": 3, "columns": 3, "samples": 10, "seed": 1},
    "tetris/train": {"particles": 2, "iterations": 1, "games": 2, "max_lines": 2, "finals": 2, "seed": 1},
    "tetris/train-value": {"iterations": 1, "games": 2, "max_lines": 2, "seed": 1},
    "tetris/evaluate": {"player": "two-piece", "count": 2, "max_lines": 2, "seed": 1},
    "tetris/suggest": {"playouts": 0},
    "wordle/groups": {"answers": "words.txt", "guesses": "words.txt"},
    "wordle/solve": {"answers": "words.txt", "guesses": "words.txt", "history": [], "top": 1},
    "quiddler/census": {"count": 10},
    "qless/census": {"count": 100},
}
"""Where the example takes long: smaller values for its fields."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    folder.joinpath("words.txt").write_text(WORDS)
    with serving(folder, "--jobs", "2") as server:
        yield server


def files_of(path: str, server: Server, run: Callable[..., Done], folder: Path) -> dict[str, Any]:
    """Return the fields that are files, for commands whose example reads what another command wrote."""
    if path in ("tetris/replay", "tetris/match", "tetris/review"):
        _, played = server.call("tetris/play", {"seed": 5, "policy": "greedy", "max_lines": 2})
        content = json.dumps(played | {"schema": "gpusolve.tetris.game/1"})
        name = {"replay": "file", "match": "results", "review": "game"}[path.removeprefix("tetris/")]
        return {name: {"content": content}}
    if path == "wordle/verify":
        lists = ["--answers", "words.txt", "--guesses", "words.txt"]
        assert run("wordle", "solve", *lists, "--out", "tree.json", "--quiet").code == 0
        tree = {"content": folder.joinpath("tree.json").read_text()}
        return {"tree": tree, "answers": "words.txt", "guesses": "words.txt"}
    return {}


def without_clocks(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_clocks(each) for name, each in value.items() if name not in CLOCKS}
    return [without_clocks(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda operation: operation.path)
def test_the_answer_is_what_the_command_prints(
    server: Server,
    run: Callable[..., Done],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    operation: Operation,
) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("words.txt").write_text(WORDS)
    body = {**operation.example, **FEWER.get(operation.path, {}), **files_of(operation.path, server, run, tmp_path)}
    for name, content in operation.files(body).items():
        tmp_path.joinpath(name).write_bytes(content)
    status, answer = server.call(operation.path, body)
    assert status == 200, answer
    done = run(*words_of(operation, body, "cpu:1"))
    assert done.code in (0, 1), done.err
    hidden = without_folders([store.folder()])  # the server says nothing of the folders of its machine
    *before, last = [json.loads(hidden(line)) for line in done.out.splitlines()]
    printed = {**last, "before": before} if before else last
    assert without_clocks(answer) == without_clocks(printed)
