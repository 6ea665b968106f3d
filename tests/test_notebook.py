"""Results in notebooks, interpreters and tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pytest

from gpusolve.games import find_games, sliding
from gpusolve.games.queuedle import FoundWord
from gpusolve.output import page, report
from gpusolve.result import Result
from output import pages
from output.pages import faults

GAMES = [name for name, package in find_games().items() if package.startswith("gpusolve.")]
NO_RESULTS = {"queuedle.Solver", "tetris.Player"}
"""Public classes that are no results: an engine that keeps state, and a protocol."""
RESULTS: dict[str, Callable[[], Any]] = {
    "qless": pages.qless_solutions,
    "queuedle": pages.queuedle_game,
    "quiddler": pages.quiddler_plan,
    "quordle": pages.quordle_game,
    "sliding": lambda: sliding.show(sliding.Board.parse("1 2 5 / 3 4 0"), "ULL"),
    "tetris": pages.tetris_game,
    "wordle": pages.wordle_game,
}


@pytest.mark.parametrize("game", GAMES)
def test_every_public_result_draws_itself(game: str) -> None:
    package = import_module(f"gpusolve.games.{game}")
    for name in dir(package):
        public = getattr(package, name)
        if inspect.isclass(public) and f"{game}.{name}" not in NO_RESULTS:
            assert callable(getattr(public, "_repr_html_", None)), f"{game}.{name}"


@pytest.mark.parametrize("game", RESULTS)
def test_a_drawing_is_a_fragment_with_its_own_style(game: str) -> None:
    pytest.importorskip("html5lib")
    html = RESULTS[game]()._repr_html_()
    assert html.startswith('<div class="gpusolve"><style>')
    assert html.count("<style>") == 1
    assert "<script" not in html
    assert " id=" not in html  # several results in a notebook would have the same ids
    assert faults(html, whole=False) == []
    assert "<b onclick" not in html


def test_a_result_without_a_picture_shows_its_fields() -> None:
    html = FoundWord(3, 1, "<tea>")._repr_html_()
    assert "<p>word: &lt;tea&gt;</p>" in html


def test_a_class_derived_from_a_result_is_drawn_alike() -> None:
    class Mine(FoundWord):
        """Not in a game's package."""

    assert "<p>word: tea</p>" in Mine(3, 1, "tea")._repr_html_()


def test_a_result_of_a_game_without_pictures_shows_its_fields() -> None:
    @dataclass(repr=False)
    class Elsewhere(Result):
        """A result of another package."""

        path: str

    assert "<p>path: a &lt; b</p>" in Elsewhere("a < b")._repr_html_()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_become_data_frames(library: str) -> None:
    module = pytest.importorskip(library)
    for game in ("qless", "queuedle", "quordle", "wordle"):
        columns: Mapping[str, Any] = RESULTS[game]().columns()
        frame = module.DataFrame(columns)
        assert list(frame.columns) == list(columns)
        assert len(frame) == len(next(iter(columns.values()))) > 0


class Handle:
    """What IPython's display() returns."""

    def __init__(self, shown: list[str]) -> None:
        self._shown = shown

    def update(self, html: str) -> None:
        self._shown.append(html)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pretend that this is a notebook, and return what it shows."""
    shown: list[str] = []

    class Shell:
        kernel = None

    class IPython:
        """The parts of the package that are used."""

        get_ipython = staticmethod(Shell)
        HTML = str

        @staticmethod
        def display(html: str, *, display_id: bool) -> Handle:
            assert display_id
            shown.append(html)
            return Handle(shown)

    monkeypatch.setitem(import_module("sys").modules, "IPython", IPython)
    monkeypatch.setitem(import_module("sys").modules, "IPython.display", IPython)
    monkeypatch.setattr(report, "PATIENCE", -1)
    return shown


def test_a_progress_bar_in_a_notebook(shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpusolve.output.notebook_bar.PAUSE", -1)
    with report.Progress("games <played>", 2000) as progress:
        for done in (0, 500, 2000):
            progress(done)
        progress(2000, 96)
    assert [text for text in ("0 of", "500 of", "2,000 of") if any(text in html for html in shown)] == [
        "0 of",
        "500 of",
        "2,000 of",
    ]
    assert "games &lt;played&gt;" in shown[0]
    assert "best 96" in shown[3]
    assert 'aria-valuenow="25"' in shown[1]
    assert shown[-1] == ""
    assert len(shown) == 5


def test_a_notebook_gets_few_messages(shown: list[str]) -> None:
    with report.Progress("items", 10_000) as progress:
        for done in range(10_001):
            progress(done)
    assert "10,000 of 10,000" in shown[-2]
    assert len(shown) < 1_000


def test_a_quiet_progress_bar_shows_nothing(shown: list[str]) -> None:
    with report.Progress("items", 10, quiet=True) as progress:
        progress(5)
    assert shown == []


def test_a_kernel_draws_results_and_bars() -> None:
    """The same in a real kernel, where there is one."""
    client, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells = [
        "from gpusolve.games import quiddler\nquiddler.deal(1)",
        "from gpusolve.output import report\nreport.PATIENCE = -1\n"
        "with report.Progress('games', 2) as progress:\n    progress(2)\n    print(report.in_notebook())",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    drawn, bar = notebook.cells
    assert page.part("facts", []) not in drawn.outputs[0].data["text/html"]
    assert 'class="board quiddler"' in drawn.outputs[0].data["text/html"]
    assert {output.output_type for output in bar.outputs} == {"display_data", "stream"}
    assert "True" in str(bar.outputs)
