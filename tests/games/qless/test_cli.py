"""``gpusolve qless`` as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.games.qless.rules import parse_grid
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
ROLL = "cddeeimprtwx"


@pytest.fixture
def qless(run: Run) -> Run:
    return lambda *arguments: run("qless", *arguments)


def test_solve(qless: Run, tmp_path: Path) -> None:
    out, page = tmp_path / "out", tmp_path / "page.html"
    done = qless("solve", ROLL, "--top", "1", "--quiet", "--out", str(out), "--html", str(page))
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == f"{ROLL}: 2,046 solutions"
    grids = out.read_text().splitlines()
    assert len(grids) == 2046
    assert parse_grid("\n".join(lines[2:])) == parse_grid(grids[0])
    assert grids[0] in page.read_text()
    assert page.read_text().count("{{") == 0


def test_solve_as_json(qless: Run) -> None:
    done = qless("solve", ROLL, "--json", "--quiet", "--must", "mix", "--no-repeats")
    *solutions, last = map(json.loads, done.out.splitlines())
    assert last["schema"] == "gpusolve.qless.solve/1"
    assert (last["roll"], last["solutions"], last["complete"]) == (ROLL, len(solutions), True)
    for solution in solutions:
        grid = parse_grid(solution["grid"])
        assert grid.letters == ROLL
        assert "mix" in grid.words


def test_without_a_solution(qless: Run) -> None:
    done = qless("solve", "beghhjmovwyz", "--quiet")
    assert (done.code, done.out) == (1, "beghhjmovwyz: 0 solutions\n")
    assert qless("count", "beghhjmovwyz", "--quiet").code == 1
    assert json.loads(qless("solve", "beghhjmovwyz", "--json").out)["solutions"] == 0
    done = qless("hint", "beghhjmovwyz", "--quiet")
    assert (done.code, done.out) == (1, "")
    assert "proven: beghhjmovwyz has no solution" in done.err
    shown = qless("unsolvable", "fgjlmmnnnoot", "--quiet")
    assert shown.code == 0
    assert shown.out.startswith("fgjlmmnnnoot has no solution; without\n")
    assert qless("unsolvable", ROLL, "--quiet").out.startswith(f"{ROLL} can be solved:")
    assert (
        qless("unsolvable", "bbbcccdddfff", "--quiet").out == "bbbcccdddfff has no solution, nor has any part of it\n"
    )


def test_check(qless: Run) -> None:
    grid = json.loads(qless("solve", ROLL, "--limit", "1", "--json").out.splitlines()[0])["grid"]
    assert qless("check", grid, "--roll", ROLL).code == 0
    done = qless("check", "tea/e../e..", "--roll", ROLL)
    assert done.code == 2
    assert "not legal: its letters are aeeet, not cddeeimprtwx" in done.err


def test_rate_and_generate(qless: Run) -> None:
    found = json.loads(qless("generate", "--day", "saturday", "--seed", "1", "--json", "--quiet").out)
    assert (found["day"], found["on_dice"]) == ("saturday", True)
    assert 0 < found["solutions"] < 10
    rated = json.loads(qless("rate", found["roll"], "--json").out)
    assert {name: rated[name] for name in ("day", "solutions", "tried")} == {
        name: found[name] for name in ("day", "solutions", "tried")
    }
    found = json.loads(qless("generate", "--day", "sunday", "--seed", "1", "--json", "--quiet").out)
    assert (found["day"], found["on_dice"]) == ("sunday", False)


def test_shapes(qless: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = json.loads(qless("shapes", "--json", "--out", str(out)).out)
    assert (found["shapes"], found["fixed"], found["free"], found["symmetric"]) == (8363, 16699, 2162, 27)
    assert len(set(out.read_text().splitlines())) == 8363
    assert "39 shapes up to transposition" in qless("shapes", "7").out


def test_census(qless: Run, tmp_path: Path) -> None:
    picture, table = tmp_path / "p.png", tmp_path / "t.csv"
    files = ["--plot", str(picture), "--csv", str(table)]
    done = qless("census", "--rolls", "300", "--seed", "1", "--json", "--quiet", *files)
    found = json.loads(done.out)
    assert (found["rolls"], found["seed"], found["complete"], found["sample"]) == (300, 1, True, True)
    assert picture.read_bytes().startswith(b"\x89PNG")
    rows = table.read_text().splitlines()
    assert rows[0] == "roll,weight,solutions"
    assert sum(row.endswith(",0") for row in rows) == found["unsolvable"]
    assert "300 random rolls of seed 1" in qless("census", "--rolls", "300", "--seed", "1").out
    done = qless("census", "--rolls", "10000000", "--seed", "1", "--time-limit", "0")
    assert done.code == 3
    assert "stopped at the time limit" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "ab"], "roll: 2 letters: expected 3 to 14"),
        (["solve", "a" * 40], "roll: 40 letters: expected 3 to 14"),
        (["solve", "abc123"], "roll: '1' is not a letter"),
        (["solve", ROLL, "--limit", "0"], "--limit"),
        (["solve", ROLL, "--must", "xyz"], "'xyz' is not a word of the dictionary"),
        (["solve", ROLL, "--min-length", "2"], "--min-length"),
        (["solve", ROLL, "--dictionary", "{two}"], "the dictionary has no word of 3 to 14 letters"),
        (["solve", ROLL, "--ban", "{none}"], "no such file"),
        (["check", "te3"], "grid, row 1: '3'"),
        (["rate", "abc"], "roll: 3 letters: expected 12"),
        (["generate", "--day", "someday"], "--day"),
        (["shapes", "15"], "14"),
        (["census", "--count"], "count: expected a number of random rolls"),
        (["census", "--rolls", "5", "--resume", "{two}"], "damaged, or not a checkpoint"),
    ],
)
def test_bad_input(qless: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    files = {"two": tmp_path / "two", "none": tmp_path / "none"}
    files["two"].write_text("at\nto\n")
    done = qless(*(argument.format(**files) for argument in arguments), "--quiet")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
