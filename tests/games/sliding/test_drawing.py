"""The status lines that show how databases are built and how a search goes."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gpusolve.games.sliding.databases.tilesets import Pattern
from gpusolve.games.sliding.drawing import BuildProgress, SearchProgress
from gpusolve.games.sliding.search.solution import Status
from gpusolve.output import report
from gpusolve.output.terminal import at_work

PATTERN = Pattern(5, 5, (1, 2, 5, 6, 7, 12), 0)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    """Make stderr a terminal on which status lines appear at once, in a command that is at work."""
    terminal = Terminal()
    monkeypatch.setattr(report, "PATIENCE", -1.0)
    monkeypatch.setattr("gpusolve.games.sliding.drawing.REFRESH", -1.0)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "200")
    with at_work(quiet=False):
        yield terminal


def test_a_database_is_announced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal, BuildProgress(quiet=False) as progress:
        progress(PATTERN, 1_000)
        progress(PATTERN, 2_000)
    note = "building the pattern database 5x5-1.2.5.6.7.12, once for this machine: more than 127.5 million entries"
    assert terminal.getvalue().count(note) == 1
    assert "2,000 of more than 127,512,000 entries" in terminal.getvalue()


def test_a_search_shows_its_bound_the_time_left_and_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal, SearchProgress(quiet=False) as progress:
        progress.watch("2 workers, 7 jobs")
        progress(Status(bound=96, expanded=1_000_000, expected=4_000_000, seconds=2.0))
    line = "bound 96: 1,000,000 nodes of about 4,000,000, 0:06 left, 0.5 million/s, 2 workers, 7 jobs"
    assert line in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")


def test_a_search_writes_lines_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gpusolve.games.sliding.drawing.NOTED", -1.0)
    for quiet in (False, True):
        SearchProgress(quiet)(Status(bound=96, expanded=1_000_000, expected=1_000_000, seconds=2.0))
    assert capsys.readouterr().err == "bound 96: 1,000,000 nodes, 0.5 million/s\n"


def test_nothing_is_shown_if_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal, BuildProgress(quiet=True) as building, SearchProgress(True) as searching:
        building(PATTERN, 1_000)
        searching(Status(bound=96, expanded=1, expected=1, seconds=2.0))
    assert terminal.getvalue() == ""
