"""``gpusolve sliding`` as a user meets it."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.games.sliding import parse_board, scramble
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]


@pytest.fixture
def sliding(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path / "tables"))
    return lambda *arguments: run("sliding", *arguments)


def test_scramble(sliding: Run) -> None:
    done = sliding("scramble", "--rows", "3", "--columns", "4", "--count", "3", "--seed", "7")
    assert [parse_board(line) for line in done.out.splitlines()] == scramble(3, 4, count=3, seed=7)
    assert done.err == "seed 7\n"
    found = json.loads(sliding("scramble", "--seed", "7", "--moves", "20", "--goal", "blank-last", "--json").out)
    assert found["boards"] == [list(scramble(goal="blank-last", moves=20, seed=7)[0].tiles)]
    assert (found["seed"], found["moves"], found["goal"]) == (7, 20, "blank-last")


def test_verify(sliding: Run) -> None:
    done = sliding("verify", "1 2 5 / 3 4 0", "ULL")
    assert (done.code, done.out) == (0, "  1 2\n3 4 5\n3 moves: solved\n")
    done = sliding("verify", "1 2 5 / 3 4 0", "UL")
    assert (done.code, done.out.splitlines()[-1]) == (1, "2 moves: not the goal, blank-first")
    done = sliding("verify", "1 2 3 / 4 0 5", "5", "--goal", "blank-last", "--json")
    found = json.loads(done.out)
    assert (found["moves"], found["tiles_moved"], found["solves"], found["length"]) == ("R", [5], True, 1)
    done = sliding("verify", "1 2 5 / 3 4 0", "UUL")
    assert (done.code, done.out, done.err) == (2, "", "gpusolve: move 2, U: the blank is at the edge\n")


def test_a_board_from_a_file_and_from_stdin(sliding: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "board").write_text("1 2 5\n3 4 _\n")
    assert sliding("verify", str(tmp_path / "board"), "ULL").code == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("1 2 5\n3 4 _\n"))
    assert sliding("verify", "-", "ULL").code == 0
    (tmp_path / "board").write_text("0 1 2 3\n1 2 3 0\n")
    done = sliding("verify", str(tmp_path / "board"), "D")
    assert (done.code, done.err) == (2, f"gpusolve: {tmp_path / 'board'}: 2 boards: expected one\n")


def test_show(sliding: Run, tmp_path: Path) -> None:
    done = sliding("show", "1 2 5 / 3 4 0", "ULL")
    assert [line.strip() for line in done.out.splitlines()[-2:]] == ["3 of 3 moves: L, tile 1", "3 moves: solved"]
    page = tmp_path / "page.html"
    done = sliding("show", "1 2 5 / 3 4 0", "ULL", "--html", str(page))
    assert done.out == f"{page}: 3 moves: solved\n"
    text = page.read_text()
    assert not re.search(r"\{\{|https?:", text)
    assert 'columns = 3, start = [1, 2, 5, 3, 4, 0], goal = [0, 1, 2, 3, 4, 5], moves = "ULL"' in text
    found = json.loads(sliding("show", "1 2 5 / 3 4 0", "5 2", "--json").out)
    assert [board.index(0) for board in found["boards"]] == [5, 2, 1]


def test_automaton(sliding: Run, tmp_path: Path) -> None:
    done = sliding("automaton", "--depth", "2")
    assert done.code == 0
    assert done.out.splitlines()[1:] == [
        "4 strings, 5 states",
        "branching factor 2.36762, the square root of 2.34108 x 2.39446",
        str(tmp_path / "tables" / "sliding-strings-5x5-first.table"),
    ]
    found = json.loads(sliding("automaton", "--rows", "3", "--columns", "3", "--depth", "6", "--json").out)
    assert (found["strings"], found["complete"], found["depth"]) == (8, True, 6)
    done = sliding("automaton", "--depth", "20", "--time-limit", "0")
    assert (done.code, done.err) == (3, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "1 2 5 / 3 4 4", "U"], "tile 4 is there 2 times, and there is no 0"),
        (["verify", "1 2 5 / 3 4 x", "U"], "'x': expected a tile, 0 to 24"),
        (["verify", "1 2 5 / 3 4 0", "UX"], "move 1, 'UX': expected U, D, L, R, or a tile, 1 to 5"),
        (["verify", " ".join(map(str, range(26))), "U"], "'25': expected a tile, 0 to 24"),
        (["verify", "nothing", "U"], "boards nothing: cannot be read"),
        (["verify", "{letters}", "U"], "letters, line 1: 'a': expected a tile"),
        (["verify", "{empty}", "U"], "empty, there is no board"),
        (["show", "0 1 2 3", "D", "--speed", "2", "--json"], "--speed 2: expected without --json"),
        (["show", "0 1 2 3", "D", "--html", "{nowhere}"], "cannot be written"),
        (["scramble", "--rows", "5", "--columns", "6"], "5x6 is 30 cells: expected at most 25"),
        (["scramble", "--count", "0"], "count 0"),
        (["automaton", "--depth", "24"], "depth 24: expected a whole number, 2 to 23"),
        (["automaton", "--choice", "last"], "--choice"),
    ],
)
def test_bad_input(sliding: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    names = {name: tmp_path / name for name in ("letters", "empty")} | {"nowhere": tmp_path / "none" / "page.html"}
    names["letters"].write_text("a b c d\n")
    names["empty"].write_text("")
    done = sliding(*(argument.format(**names) for argument in arguments))
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
