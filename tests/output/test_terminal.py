"""The width of a terminal, and the line that shows that a command is at work."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from gpusolve import __main__
from gpusolve.output import dialogue, report, terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def line(self) -> str:
        """What the last line shows."""
        return self.getvalue().rpartition("\n")[2].rstrip("\r").rpartition("\r")[2].rstrip()


@contextmanager
def on_terminal(monkeypatch: pytest.MonkeyPatch, *, quiet: bool = False, patience: float = -1.0) -> Iterator[Terminal]:
    """Make stderr the terminal of a command that is at work."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(terminal, "PATIENCE", patience)
    monkeypatch.setattr(terminal, "TICK", 0.01)
    with terminal.at_work(quiet):
        yield shown


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_clock_appears_by_itself_and_disappears_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as shown:
        wait_for(lambda: shown.line.endswith("working"))
        assert shown.line.startswith("0:0")
    assert shown.line == ""
    assert shown.getvalue().endswith("\r")


def test_nothing_appears_before_patience_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch, patience=1e9) as shown:
        with report.Progress("games", 10):
            time.sleep(0.05)
        report.note("done")
    assert shown.getvalue() == "done\n"


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_appears_if_quiet_or_without_a_terminal(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    with on_terminal(monkeypatch, quiet=True) as shown:
        if not quiet:
            shown = io.StringIO()  # type: ignore[assignment]
            monkeypatch.setattr(sys, "stderr", shown)
        with terminal.at_work(quiet):
            report.status("bound 53")
            time.sleep(0.05)
    assert shown.getvalue() == ""


def test_the_line_shows_what_the_command_does(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as shown:
        report.status("bound 53: 1,234 nodes of about 1,000,000,000, 12:00 left")
        assert shown.line == "0:00 bound 53: 1,234 nodes of about ..."
        report.status("")
        assert shown.line == ""
        with report.Progress("games", 10):
            wait_for(lambda: shown.line.endswith("games"))


def test_output_replaces_the_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with on_terminal(monkeypatch, patience=1e9) as shown:
        prints: list[Callable[[], None]] = [
            lambda: report.text("result"),
            lambda: report.table(["word"], [("crane",)]),
            lambda: report.json_object({"schema": "test/1"}),
            lambda: report.tiles("crane", ["grey"] * 5, "crane:-----"),
            lambda: report.animate(["frame"], 0),
        ]
        for print_something in prints:
            report.status("bound 53")
            print_something()
            assert shown.line == ""
        report.status("bound 53")
        __main__._show_warning("the worker has gone")
        assert shown.getvalue().endswith("\r \r".replace(" ", " " * 13) + "gpusolve: note: the worker has gone\n")
    assert capsys.readouterr().out.startswith("result\nword\n-----\ncrane\n{")


def test_nothing_appears_while_the_user_types(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as shown:

        def type_slowly(prompt: str) -> str:
            before = shown.getvalue()
            time.sleep(0.05)
            assert shown.getvalue() == before
            return "salet"

        monkeypatch.setattr("builtins.input", type_slowly)
        assert dialogue.ask_guesses(["-y--g"], str) == ["salet"]


def test_a_bar_takes_the_place_of_the_line_and_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "PATIENCE", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    with on_terminal(monkeypatch) as shown:
        wait_for(lambda: "working" in shown.getvalue())
        with report.Progress("games", 10) as progress:
            progress(5)
            wait_for(lambda: "50%" in shown.getvalue())
            before = shown.getvalue().count("working")
            time.sleep(0.05)
            assert shown.getvalue().count("working") == before
        after = shown.getvalue()
    assert "\x1b[2K" in after[after.rindex("50%") :]  # the bar's line is erased


def test_texts_are_folded_between_words_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "  no solution within the bound, and 12 more words"
    report.text(long)
    monkeypatch.setenv("COLUMNS", "30")
    report.text(long)
    report.note(long)
    report.verbatim(long)
    done = capsys.readouterr()
    folded = "  no solution within the\n  bound, and 12 more words\n"
    assert done.out == f"{long}\n{folded}{long}\n"
    assert done.err == folded


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert terminal.width(io.StringIO()) is None
    assert terminal.width(Terminal()) == 80  # it has no number, and cannot be asked
    monkeypatch.setenv("COLUMNS", "7")
    assert terminal.width(io.StringIO()) == terminal.NARROWEST
    monkeypatch.setenv("COLUMNS", "wide")
    assert terminal.width(io.StringIO()) is None
