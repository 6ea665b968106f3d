"""``gpusolve qless rate``, ``generate`` and ``census`` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.qless.conftest import Run


def test_a_generated_roll_has_the_difficulty_asked_for(qless: Run) -> None:
    result = json.loads(qless("generate", "--difficulty", "saturday", "--seed", "1", "--json", "--quiet").out)
    assert (result["difficulty"], result["on_dice"]) == ("saturday", True)
    assert 0 < result["everyday_solutions"] < 10
    rated = json.loads(qless("rate", result["roll"], "--json").out)
    for name in ("difficulty", "solutions", "shapes", "shapes_tried"):
        assert rated[name] == result[name]
    result = json.loads(qless("generate", "--difficulty", "sunday", "--seed", "1", "--json", "--quiet").out)
    assert (result["difficulty"], result["on_dice"]) == ("sunday", False)


def test_census_prints_and_writes_its_results(qless: Run, tmp_path: Path) -> None:
    picture, table = tmp_path / "p.png", tmp_path / "t.csv"
    files = ["--plot", str(picture), "--csv", str(table)]
    done = qless("census", "--count", "300", "--seed", "1", "--json", "--quiet", *files)
    result = json.loads(done.out)
    assert (result["count"], result["seed"], result["complete"], result["sample"]) == (300, 1, True, True)
    assert picture.read_bytes().startswith(b"\x89PNG")
    rows = table.read_text().splitlines()
    assert rows[0] == "roll,weight,solutions"
    assert sum(row.endswith(",0") for row in rows) == result["unsolvable"]
    assert "300 random rolls of seed 1" in qless("census", "--count", "300", "--seed", "1").out
    done = qless("census", "--count", "10000000", "--seed", "1", "--time-limit", "0")
    assert done.code == 3
    assert "stopped at the time limit" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rate", "abc"], "roll: 3 letters: expected 12"),
        (["generate", "--difficulty", "someday"], "--difficulty"),
        (["census", "--all-solutions"], "--all-solutions: expected a number of random rolls"),
        (["census", "--count", "5", "--resume", "{two}"], "damaged, or not a checkpoint"),
    ],
)
def test_bad_input_is_one_line_on_stderr(qless: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    words = tmp_path / "two"
    words.write_text("at\nto\n")
    done = qless(*(argument.format(two=words) for argument in arguments), "--quiet")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
