"""Puzzles as people write them, from files, and of days."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.queuedle.positions import SIZES
from gpusolve.games.queuedle.puzzles import Puzzle, of_day

SMALL = Puzzle(("tsea", "enop", "adis", "ttre"), "eatso")
DAY = of_day("2025-05-31", zone="Europe/London")


@given(st.sampled_from(SIZES), st.data())
def test_a_puzzle_is_read_as_it_is_written(size: int, data: st.DataObject) -> None:
    letters = st.text("abcdefghijklmnopqrstuvwxyz", min_size=size, max_size=size)
    puzzle = Puzzle(tuple(data.draw(letters) for _ in range(size)), data.draw(st.text("aeiou", max_size=31)))
    assert Puzzle.parse(str(puzzle)) == puzzle
    for separator in ("/", " / ", "\n", ", "):
        assert Puzzle.parse(f"{separator.join(puzzle.grid).upper()} {puzzle.queue}") == puzzle
    assert Puzzle.parse([*puzzle.grid, puzzle.queue]) == puzzle


@pytest.mark.parametrize(
    "given",
    [
        SMALL,
        "tsea/enop/adis/ttre eatso",
        "/TSEA/ENOP/ADIS/TTRE\nEAT SO",
        "tsea,enop,adis,ttre,eatso",
        ["tsea/enop/adis/ttre", "eatso"],
        "{file}",
        Path("{file}"),
        ["{file}"],
    ],
)
def test_the_same_puzzle_in_every_form(given: Any, tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text("tsea\nenop\nadis\nttre\neat\nso\n")
    named: dict[Any, Any] = {"{file}": str(file), Path("{file}"): file}
    given = [str(file)] if given == ["{file}"] else given if isinstance(given, list) else named.get(given, given)
    assert Puzzle.parse(given) == SMALL


@pytest.mark.parametrize("given", ["2025-05-31", ["2025-05-31"], date(2025, 5, 31), " 2025-05-31\n"])
def test_a_day_draws_its_puzzle(given: Any) -> None:
    puzzle = Puzzle.parse(given, zone="Europe/London")
    assert (puzzle, vars(puzzle)) == (DAY, vars(DAY))
    assert (puzzle.date, puzzle.zone, puzzle.puzzle_dictionary) == ("2025-05-31", "Europe/London", "scowl-70")


def test_a_file_comes_before_the_day_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("2025-05-31").write_text(str(SMALL))
    assert Puzzle.parse("2025-05-31") == SMALL


def test_a_day_is_drawn_with_its_own_words_or_with_those_that_count() -> None:
    assert Puzzle.parse("2025-05-31", zone="UTC", dictionary=["zzz"]).tries == 0
    drawn = Puzzle.parse("2025-05-31", zone="UTC", dictionary=["zzz"], puzzle_dictionary="scowl-70")
    assert (drawn.tries, drawn.note is None) == (of_day("2025-05-31", zone="UTC").tries, False)
    assert Puzzle.parse("2025-05-31", zone="UTC", dictionary=["zzz"]).note is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "puzzle: empty: expected rows and queue"),
        ("hello", "puzzle hello: expected rows and queue such as"),
        ("ab/de", "2 rows"),
        ("abcdefg/" * 7, "7 rows"),
        ("abcde/abcd/abcde/abcde/abcde", "row 2: 'abcd' has 4 letters: expected 5"),
        ("abcd/abcd/abcd/abcd/abcd", "row 1: 'abcd' has 4 letters: expected 5"),
        ("abcd/ab1d/abcd/abcd", "row 2: '1'"),
        ("abcd/abcd/abcd/abcä", "row 4: 'ä'"),
        ("abcd/abcd/abcd/abcd abc1", "queue: '1'"),
        (f"abcd/abcd/abcd/abcd {'a' * 32}", "at most 31"),
        ("none.txt", r"none\.txt: cannot be read"),
        ("31.13.2025", r"date 31\.13\.2025: expected a day, as 2025-05-31"),
        ("2025-5-32", "date 2025-5-32: expected a day"),
    ],
)
def test_an_invalid_puzzle_is_refused(given: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Puzzle.parse(given)


def test_a_file_that_is_no_puzzle_is_named(tmp_path: Path) -> None:
    file = tmp_path / "puzzle"
    file.write_text("abcd abcd")
    with pytest.raises(BadInput, match=rf"^{file}: grid: 2 rows"):
        Puzzle.parse(file)


@pytest.mark.parametrize(("name", "value"), [("zone", "Asia/Tokyo"), ("puzzle_dictionary", "scowl-70")])
def test_what_belongs_to_a_day_is_refused_for_other_puzzles(name: str, value: str) -> None:
    options: dict[str, Any] = {name: value}
    for puzzle in (SMALL, str(SMALL)):
        with pytest.raises(BadInput, match=f"^{name}: expected with a date"):
            Puzzle.parse(puzzle, **options)
