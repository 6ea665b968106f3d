"""Planting faults: which ones there are, where they may be, and that tests that notice nothing are found out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mutate import __main__ as mutate
from mutate.nearest import Sources
from mutate.planting import faults_of, is_real

PROGRAM = b'''"""Say 1 + 1."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numbers import Real


@cache(1)
def largest(values: list[int | str], least: int = 3):
    """Return the largest."""
    assert least > 0
    if not values or least < 0:
        raise ValueError(f"{least + 1} values")
    for value in values:
        log.write(value)
        total -= min(value, -least)
        if known(value):
            break
    return total
'''
PLANTED = [
    "least: int = 4):",
    "if values or least < 0:",
    "if not values and least < 0:",
    "if not values or least <= 0:",
    "if not values or least < 1:",
    "pass",
    "pass",
    "total += min(value, -least)",
    "total -= max(value, -least)",
    "total -= min(value, least)",
    "if not known(value):",
    "continue",
]


def test_a_fault_is_a_small_change_of_what_runs() -> None:
    """Annotations, decorators, texts and assertions stay as they are."""
    faults = [fault for fault in faults_of("module.py", PROGRAM) if is_real(fault, PROGRAM)]
    before = PROGRAM.decode().splitlines()
    assert len(faults) == len(PLANTED)
    for fault, planted in zip(faults, PLANTED, strict=True):
        after = fault.apply(PROGRAM).decode().splitlines()
        (changed,) = (line for line, old in zip(after, before, strict=True) if line != old)
        assert changed.endswith(planted)
        assert [line for line in fault.diff(PROGRAM).splitlines() if line[0] == "+"][1:] == [f"+{changed}"]


def test_faults_keep_their_names_and_their_order_when_other_lines_change() -> None:
    before, after = faults_of("module.py", PROGRAM), faults_of("module.py", b"\n\nother = 5 < 6\n" + PROGRAM)
    assert len({fault.name for fault in after}) == len(after) == len(before) + 3
    assert {fault.name for fault in before} < {fault.name for fault in after}
    assert [fault.rank(1) for fault in before] == [fault.rank(1) for fault in after[3:]]
    assert sorted(before, key=lambda fault: fault.rank(1)) != sorted(before, key=lambda fault: fault.rank(2))


@pytest.mark.thorough
def test_the_nearest_tests_come_first() -> None:
    sources = Sources.read(mutate.ROOT)
    assert str(sources.nearest("gpusolve.output.table", 1)[0]) == "tests/output/test_table.py"
    assert "tests/games/sliding/test_solve.py" in map(str, sources.nearest("gpusolve.games.sliding._solve", 3))
    assert {"gpusolve.output.table", "gpusolve.games.sliding._solve"} <= {*sources.plain}
    assert not {"gpusolve.games.wordle.proof.descent", "gpusolve.games.wordle.cpu.groups"} & {*sources.plain}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a checkout with a module of two functions of which one is tested."""
    root = tmp_path / "checkout"
    for file, text in {
        "src/gpusolve/__init__.py": "",
        "src/gpusolve/sums.py": "def add(a, b):\n    return a + b\n\n\ndef far(a):\n    return a > 9\n",
        "tests/test_sums.py": (
            "from gpusolve.sums import add, far\n\n\ndef test_add():\n    assert add(2, 1) == 3\n\n\n"
            "def test_far():\n    far(0)\n\n\ndef test_of_the_repository():\n    assert not __file__\n"
        ),
        "pytest.ini": "[pytest]\nmarkers =\n    slow: x\n    thorough: x\n",
    }.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text)
    subprocess.run(["git", "init", "--quiet", root], check=True)
    monkeypatch.setattr(mutate, "ROOT", root)
    monkeypatch.setattr(mutate, "KEPT", root / "build" / "mutate.json")
    return root


@pytest.mark.thorough
def test_survivors_are_listed_and_tried_again(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A test that fails without a fault notices nothing."""
    module = checkout / "src/gpusolve/sums.py"
    content = module.read_bytes()
    monkeypatch.setattr("sys.argv", ["mutate", "--count", "9"])
    assert mutate.main() == 1
    out = capsys.readouterr().out
    assert "3 faults: " in out
    assert "2 survived" in out
    assert "1 noticed" in out
    assert "-    return a > 9\n+    return a >= 9\n" in out
    assert module.read_bytes() == content
    tests = checkout / "tests/test_sums.py"
    tests.write_text(tests.read_text().replace("far(0)", "assert [far(9), far(10)] == [False, True]"))
    assert mutate.main() == 0
    again = capsys.readouterr().out
    assert "return a + b" not in again  # its verdict was kept
    assert again.endswith("\n3 faults: 3 noticed\n")
