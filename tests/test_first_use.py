"""The benchmark of the first use of every command."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gpusolve.commands import command
from gpusolve.games import find_games

OURS = [name for name, package in find_games().items() if package.startswith("gpusolve.")]


@pytest.fixture
def first_use(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
    return import_module("first_use")


def test_every_command_is_measured(first_use: Any) -> None:
    measured = [" ".join(use.split()[:2]) for use in first_use.uses()]
    of_games = [each for game in OURS for each in command.of_game(game)]
    assert sorted(measured) == sorted(map(str, of_games))
    assert sorted(first_use.FIRST_MINUTE) == sorted(OURS)


def test_a_transcript_shows_what_remains_on_the_screen(first_use: Any) -> None:
    written = "0:01 working\r            \rdone\r\nframe 1\r\n\x1b[1Aframe 2\r\n\x1b[2K\x1b[31mred\x1b[0m\r\n"
    assert first_use.screen(written) == ["done", "frame 2", "red"]


def test_the_report_keeps_what_was_measured_before(first_use: Any) -> None:
    about = {"processor": "a processor", "cores": 2, "libraries": "Numba", "shipped": ["x86-64-v3"]}
    costs = {
        first_use.BASE: [[0.3, 0.3], [0.3, 0.25]],
        "wordle suggest salet:-y--g": [[0.5, 0.55], [0.5, 0.5]],
        "quiddler deal --seed 1": [[0.8, 0.9], [0.5, 0.6]],
        "queuedle daily 2025-06-01": [[0.8, 0.9], [0.8, 0.9]],
    }
    text = first_use.report(
        {"wheel": {"about": about, "rows": costs, "transcripts": {"wordle": "$ x"}}}, "\n## Before\n"
    )
    assert "| `wordle suggest salet:-y--g` | 0.50 | 0.50 | 0.55 | 0.50 | 0.05 | **0.25** |" in text
    assert "| `quiddler deal --seed 1` | 0.80 | 0.50 | 0.90 | 0.60 | **0.30** | 0.35 |" in text
    assert "| `queuedle daily 2025-06-01` | 0.80 | 0.80 | 0.90 | 0.90 | 0.00 | 0.65 |" in text
    assert "1 of 3 commands meet the goals." in text
    assert text.endswith("```text\n$ x\n```\n\n## Before\n")
