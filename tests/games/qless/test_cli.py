"""``gpusolve qless`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.qless.conftest import Run
from gpusolve.games.qless.rules import parse_grid

ROLL = "cddeeimprtwx"


def test_solve_draws_and_writes_the_solutions(qless: Run, tmp_path: Path) -> None:
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


def test_solve_prints_a_json_line_for_each_solution(qless: Run) -> None:
    done = qless("solve", ROLL, "--json", "--quiet", "--must", "mix", "--no-repeats")
    *solutions, last = map(json.loads, done.out.splitlines())
    assert last["schema"] == "gpusolve.qless.solve/3"
    assert (last["roll"], last["solutions"], last["complete"]) == (ROLL, len(solutions), True)
    for solution in solutions:
        grid = parse_grid(solution["grid"])
        assert grid.letters == ROLL
        assert "mix" in grid.words


def test_commands_say_that_a_roll_has_no_solution(qless: Run) -> None:
    done = qless("solve", "beghhjmovwyz", "--quiet")
    assert (done.code, done.out) == (1, "beghhjmovwyz: 0 solutions\n")
    assert qless("count", "beghhjmovwyz", "--quiet").code == 1
    assert json.loads(qless("solve", "beghhjmovwyz", "--json").out)["solutions"] == 0
    done = qless("hint", "beghhjmovwyz", "--quiet")
    assert (done.code, done.out) == (1, "")
    assert "beghhjmovwyz has no solution (proven)" in done.err
    shown = qless("unsolvable", "fgjlmmnnnoot", "--quiet")
    assert shown.code == 0
    assert shown.out.startswith("fgjlmmnnnoot has no solution, but leaving out 1 letter helps:\n")
    assert qless("unsolvable", ROLL, "--quiet").out.startswith(f"{ROLL} has a solution:")
    assert (
        qless("unsolvable", "bbbcccdddfff", "--quiet").out
        == "bbbcccdddfff has no solution, and no part of it has one\n"
    )


def test_numbers_of_solutions_are_in_the_singular_or_plural(qless: Run) -> None:
    assert qless("count", "bbcefklnnpux", "--quiet").out == "bbcefklnnpux: 1 solution\n"
    assert qless("count", ROLL, "--quiet").out == f"{ROLL}: 2,046 solutions\n"
    assert qless("solve", ROLL, "--max-solutions", "1", "--top", "0", "--quiet").out == f"{ROLL}: at least 1 solution\n"
    assert qless("hint", ROLL, "--quiet").out == "pewter (of 3 words)\n"


def test_check_names_the_broken_rule(qless: Run) -> None:
    grid = json.loads(qless("solve", ROLL, "--max-solutions", "1", "--json").out.splitlines()[0])["grid"]
    assert qless("check", grid, "--roll", ROLL).code == 0
    done = qless("check", "tea/e../e..", "--roll", ROLL)
    assert done.code == 2
    assert "the grid is not legal: its letters are aeeet, not cddeeimprtwx" in done.err


def test_shapes_are_counted_and_written(qless: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = json.loads(qless("shapes", "--json", "--out", str(out)).out)
    assert (result["count"], result["fixed"], result["free"], result["symmetric_count"]) == (8363, 16699, 2162, 27)
    assert len(set(out.read_text().splitlines())) == 8363
    assert "39 shapes up to transposition" in qless("shapes", "--letters", "7").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "ab"], "roll: 2 letters: expected 3 to 14"),
        (["solve", "a" * 40], "roll: 40 letters: expected 3 to 14"),
        (["solve", "abc123"], "roll: '1' is not a letter"),
        (["solve", ROLL, "--max-solutions", "0"], "max-solutions 0: expected a whole number, 1 to"),
        (["solve", ROLL, "--must", "xyz"], "'xyz' is not a word of the dictionary"),
        (["solve", ROLL, "--min-length", "2"], "min-length 2: expected a whole number, 3 to 14"),
        (["solve", ROLL, "--dictionary", "{two}"], "the dictionary has no word of 3 to 14 letters"),
        (["solve", ROLL, "--ban", "{none}"], "expected a file or a shipped list"),
        (["check", "te3"], "grid, row 1: '3'"),
        (["shapes", "--letters", "15"], "letters 15: expected a whole number, 3 to 14"),
    ],
)
def test_bad_input_is_one_line_on_stderr(qless: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    files = {"two": tmp_path / "two", "none": tmp_path / "none"}
    files["two"].write_text("at\nto\n")
    done = qless(*(argument.format(**files) for argument in arguments), "--quiet")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
