"""A short pass of ``fuzz.py``, and a check that its readers reach everything that reads something from outside."""

from __future__ import annotations

import ast
import os
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies

import gpusolve
from faults import fuzz, mutations
from faults.readers import Reader, readers
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.runs import checkpoint

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits of a POSIX system")

EACH = 25
"""Contents that each reader gets here."""
SOURCE = Path(gpusolve.__file__).parent
READS = re.compile(
    r"(.*\.)?(Fields|Run|check_settings|fromfile|getenv|loads|memmap|open_table|parse_json|read_archive|read_bytes"
    r"|read_json|read_text|DictReader|input)|(np|json|checkpoints?)\.load|(files|archive|sys\.stdin)\.read|csv\.reader"
)
"""Calls of functions that read something from outside, or that make an object which does."""
NOT_FROM_OUTSIDE = {
    "backend/just_in_time.py": "Numba's cache: tests/backend/test_compiled.py",
    "backend/sources.py": "the sources of the package",
    "backend/building/__main__.py": "what builds the package",
    "backend/building/linking.py": "what the linker has written",
    "backend/caches.py": "names of folders; the reader of settings reaches them, but must not empty them",
    "backend/program.py": "the sources of the package",
    "backend/ahead.py": "the environment, which it passes on to its own processes",
    "backend/library.py": "libraries of machine code that belong to the package: tests/backend/test_library.py",
    "backend/cuda.py": "an array that a table's reader has checked; and only on a GPU",
    "backend/cpu.py": "an array that a table's reader has checked, and the machine's memory",
    "commands/source.py": "the sources of the package",
    "games/__init__.py": "the installed packages",
    "games/names.py": "the sources of the package",
    "games/wordle/analysis/openings.py": "a file of the package",
    "games/wordle/weights/chances.py": "a file of the package",
    "lists/choices.py": "the sources of the package",
    "lists/downloads.py": "a server, of whose answer only a file with a known SHA-256 is kept: tests/lists/test_cli.py",
    "lists/public.py": "an address from the environment: tests/lists/test_cli.py",
    "output/page.py": "a file of the package",
    "output/report.py": "names of variables, whatever their values",
    "runs/dask_cluster.py": "the workers of a cluster, which run our code: tests/runs/test_dask_cluster.py",
    "runs/worker.py": "the sources of the package",
    "runs/run.py": "an empty state",
    "serve/operations.py": "requests, which are fuzzed over HTTP (docs/serving.md): tests/serve/test_operations.py",
    "serve/server.py": "the token of a public server: tests/serve/test_server.py",
    "serve/worker.py": "what the server sends to its own process, and what commands print",
    "wordlists.py": "files of the package",
}
"""Modules that read, but nothing that a stranger can write; the readers reach the rest of them."""


@pytest.mark.thorough
def test_every_reader_survives_changed_contents() -> None:
    with fuzz.in_new_folder() as folder:
        for reader in readers():
            for number, fault, content in fuzz.run(reader, folder, seed=1, most=EACH):
                assert not fault, f"{reader.name}, number {number}: {fault}\n{content[:300]!r}"


@pytest.mark.thorough
def test_the_readers_reach_everything_that_reads() -> None:
    reached: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(SOURCE)):
            reached.add(_place(frame.f_code))

    with fuzz.in_new_folder() as folder:
        for reader in readers():
            for content in reader.samples(folder):
                sys.setprofile(note)
                fault = fuzz.fault_of(reader, content, folder / "input", valid=True)
                sys.setprofile(None)
                assert not fault, (reader.name, fault)
    missing = [
        f"{file}: {name}" for file, name in _reading() if (file, name) not in reached and file not in NOT_FROM_OUTSIDE
    ]
    assert not missing, "add a reader to tests/faults/readers.py that reaches these functions"
    assert len(reached) > 500


def _place(code: CodeType) -> tuple[str, str]:
    return Path(code.co_filename).relative_to(SOURCE).as_posix(), code.co_name


def _reading() -> Iterator[tuple[str, str]]:
    """Yield the file and name of each function that reads something from outside, or parses what people type."""
    for path in sorted(SOURCE.rglob("*.py")):
        file = path.relative_to(SOURCE).as_posix()
        if file.startswith("testing/"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (
                node.name.startswith("parse_") or any(map(_reads, ast.walk(node)))
            ):
                yield file, node.name


def _reads(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "environ"
    if not isinstance(node, ast.Call):
        return False
    return READS.fullmatch(ast.unparse(node.func)) is not None


def test_the_list_of_what_reads_is_not_empty() -> None:
    found = set(_reading())
    assert {
        ("runs/checkpoint.py", "load"), ("games/sliding/notation.py", "parse_grid"),
        ("games/tetris/_replay.py", "replay"),
        ("games/wordle/analysis/trees.py", "read_tree"), ("backend/caches.py", "folder"),
        ("output/dialogue.py", "read_line"),
    } <= found  # fmt: skip
    assert {file for file, _ in found} >= NOT_FROM_OUTSIDE.keys() - {"runs/dask_cluster.py"}


STATE: dict[str, Any] = {"done": 12, "moves": [0, 3, 1], "runs": [{"score": 4, "proven": True}], "name": "eat"}


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(chance=strategies.randoms(use_true_random=False))
def test_a_forged_checkpoint_has_a_right_digest(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    """It is read, or refused for what it contains. Hypothesis looks for a change that is not refused in one line."""
    file = tmp_path_factory.mktemp("run") / "run"
    checkpoint.save(file, "toy", {"seed": 1}, STATE)
    file.write_bytes(mutations.change_checkpoint(file.read_bytes(), chance))
    try:
        _, state = checkpoint.load(file, "toy")
        state.integer("done", 0, 100)
        state.integers("moves", 0, 3)
        state.objects("runs")
        state.text("name")
    except BadInput as error:
        if not str(error).startswith(f"checkpoint {file}: "):
            raise


def test_most_changes_reach_the_fields_of_a_checkpoint(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "run", "toy", {"seed": 1}, STATE)
    content = (tmp_path / "run").read_bytes()
    read = 0
    for number in range(200):
        (tmp_path / "run").write_bytes(mutations.change_checkpoint(content, random.Random(number)))
        try:
            _, state = checkpoint.load(tmp_path / "run", "toy")
            read += dict(state.values) != STATE
        except BadInput:
            pass
    assert read > 50


def _reader(read: Any) -> Reader:
    return Reader("toy", lambda folder: [b"12"], read)


@pytest.mark.parametrize(
    ("read", "fault"),
    [
        (lambda path: 1 / 0, "ZeroDivisionError at test_fuzz.py"),
        (lambda path: bytearray(3 << 29), "MemoryError: more than 1 GiB"),
        (lambda path: exec("while True: pass"), "not read after"),
        (lambda path: _raise(WrongSolution("no")), "WrongSolution, which is a fault of gpusolve: no"),
        (lambda path: _raise(BadInput("not enough memory")), "more than 1 GiB: not enough memory"),
        (lambda path: _raise(BadInput("x: expected y")), ""),
        (lambda path: 12, ""),
    ],
)
def test_what_counts_as_a_fault(read: Any, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "SECONDS", 0.2)
    *_, (number, found, content) = fuzz.run(_reader(read), tmp_path, seed=1, most=1)
    assert number == 0
    assert content
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


def _raise(error: Exception) -> None:
    raise error


@pytest.mark.thorough
def test_the_tool_prints_one_line_for_each_reader(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = ["workers", "pattern of wordle"]
    assert fuzz.report(names, seed=1, minutes=0.005, keep=tmp_path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[:2]] == ["pattern of wordle", "workers"]
    assert lines[2].startswith("inputs: ")
    assert lines[2].endswith(" for 2 readers, wrong: 0")
