"""Who may import whom: no way leads back up, and what is heavy waits until it is needed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gpusolve

ROOT = Path(gpusolve.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
COMMAND_LINE = {"typer", "rich", "gpusolve.output.options", "gpusolve.output.report", "gpusolve.cli"}
MAY_REPORT = {"cli", "drawing", "options", "report", "__main__", "dialogue", "commands", "plugin"}


def imports(file: Path) -> Iterator[str]:
    """The modules that a file imports, inside functions too, and for the eyes of the type checker too."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def names(file: Path) -> str:
    return file.relative_to(ROOT).with_suffix("").as_posix()


@pytest.mark.parametrize("file", FILES, ids=names)
def test_only_the_command_line_knows_the_command_line(file: Path) -> None:
    if file.stem.split("_")[0] not in MAY_REPORT and file.stem not in MAY_REPORT:
        assert not COMMAND_LINE & set(imports(file))


@pytest.mark.parametrize("file", [file for file in FILES if not names(file).startswith(("games/", "cli"))], ids=names)
def test_nothing_below_knows_a_game(file: Path) -> None:
    assert not [
        name for name in imports(file) if re.match(r"gpusolve\.games\.\w+\.|gpusolve\.games\.(?!find|summary)", name)
    ]


@pytest.mark.parametrize("file", sorted(ROOT.glob("games/*/rules.py")), ids=names)
def test_rules_are_plain(file: Path) -> None:
    """The standard library, NumPy, what tells a user what is wrong, another game's rules; no kernels, no searches."""
    package = f"gpusolve.games.{file.parent.name}"
    for name in imports(file):
        known = ("gpusolve.errors", "gpusolve.checks", "gpusolve.runs.seeds")
        if name.startswith("gpusolve") and not name.startswith(known):
            assert name.startswith(package) or re.match(r"gpusolve\.games\.\w+\.rules\b", name)
            assert not re.match(rf"{package}\.(kernels|cpu|solver|cli|show)", name)
        assert name.partition(".")[0] not in {"numba", "cupy"}


@pytest.mark.parametrize("file", sorted(ROOT.glob("games/*/*.py")), ids=names)
def test_a_game_uses_another_through_its_rules_kernels_and_types(file: Path) -> None:
    own = f"gpusolve.games.{file.parent.name}"
    for name in imports(file):
        match = re.match(r"gpusolve\.games\.(\w+)\.(\w+)", name)
        if match and not name.startswith(own):
            assert match[2] not in {"cli", "show", "solver", "cpu"}


def test_no_device_is_told_by_its_name() -> None:
    for folder in ("src", "benchmarks", "tests", "examples"):
        for file in ROOT.parents[1].joinpath(folder).rglob("*.py"):
            if "backend" not in file.parts:
                text = file.read_text(encoding="utf-8")
                assert not re.search(
                    r"backend\.name *(==|!=|in\b)|backend\.name\.(starts|ends)with|\[backend\.name\]", text
                ), file
