"""``gpusolve queuedle``: output, JSON and error messages."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gpusolve.games.queuedle.puzzles import NOTE
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
GRID = "tsea/enop/adis/ttre"
DAY = ("2025-05-31", "--zone", "Europe/London")


@pytest.fixture(autouse=True)
def cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu")


def test_daily(run: Run) -> None:
    done = run("queuedle", "daily", *DAY)
    assert done.code == 0
    assert done.out.splitlines() == [
        "2025-05-31, Europe/London, dictionary scowl-70: seed 1748646000043 (43 earlier seeds drew a grid with a word)",
        *("  faiie", "  rsabt", "  ubeag", "  ljaii", "  oioeq"),
        "queue raaeutpioesduii",
        f"note: {NOTE}",
    ]
    data = json.loads(run("queuedle", "daily", *DAY, "--json").out)
    assert data["schema"] == "gpusolve.queuedle.daily/2"
    assert (data["puzzle_seed"], data["queue"]) == (1748646000043, "raaeutpioesduii")
    assert (data["puzzle_dictionary"], data["note"]) == ("scowl-70", NOTE)


def test_the_puzzle_is_drawn_with_the_puzzle_dictionary_and_scored_with_the_other(run: Run, tmp_path: Path) -> None:
    """With any dictionary that no shipped list equals and whose words the first draw does not have."""
    site = tmp_path / "site.txt"
    first = json.loads(run("queuedle", "daily", *DAY, "--json").out)
    site.write_text("zzz\n")
    other = json.loads(run("queuedle", "daily", *DAY, "--puzzle-dictionary", str(site), "--json").out)
    assert (other["tries"], other["note"]) == (0, None)
    assert other["grid"] != first["grid"]
    assert "note" not in run("queuedle", "daily", *DAY, "--puzzle-dictionary", str(site)).out
    drawn = [*DAY, "--puzzle-dictionary", str(site)]
    checked = json.loads(run("queuedle", "check", "", *drawn, "--json").out)
    assert checked["puzzle"]["grid"] == other["grid"]
    assert checked["score"] > 0  # for words of scowl-70, which the draw did not avoid
    solved = json.loads(run("queuedle", "solve", *drawn, "--strategy", "beam", "--width", "9", "--json").out)
    assert (solved["puzzle"]["grid"], solved["puzzle"]["puzzle_dictionary"]) == (other["grid"], str(site))
    as_dictionary = json.loads(run("queuedle", "check", "", *DAY, "--dictionary", str(site), "--json").out)
    assert (as_dictionary["puzzle"]["grid"], as_dictionary["score"]) == (other["grid"], 0)


def test_a_note_says_that_the_site_may_have_another_puzzle(run: Run) -> None:
    assert run("queuedle", "check", "", *DAY).out.splitlines()[0] == f"2025-05-31, Europe/London; note: {NOTE}"
    assert "note" not in run("queuedle", "check", "", GRID).out


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be changed here")
@pytest.mark.parametrize(
    ("zone", "named"),
    [("Asia/Tokyo", "Asia/Tokyo"), (":Asia/Tokyo", "Asia/Tokyo"), ("JST-9", "UTC+09:00"), ("XYZ3:30", "UTC-03:30")],
)
def test_the_day_begins_at_the_machines_midnight(
    run: Run, monkeypatch: pytest.MonkeyPatch, zone: str, named: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        data = json.loads(run("queuedle", "daily", "2025-05-31", "--json").out)
        hours = (data["puzzle_seed"] - data["tries"] - 1748649600000) / 3.6e6  # since midnight UTC
        today = run("queuedle", "daily").out.partition(",")[0]
        assert today in {f"{datetime.now() - timedelta(seconds=late):%Y-%m-%d}" for late in (0, 30)}
    finally:
        monkeypatch.undo()
        time.tzset()
    assert data["zone"] == named
    assert hours == (3.5 if named == "UTC-03:30" else -9)


def test_the_default_is_the_puzzle_of_today(run: Run) -> None:
    assert len(run("queuedle", "daily", "--zone", "Asia/Tokyo").out.splitlines()) == 8


def test_solve_shows_every_board(run: Run) -> None:
    done = run("queuedle", "solve", GRID, "eat", "--strategy", "beam")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].endswith("queue eat")
    assert lines[-1].startswith("beam: ")
    assert lines[-1].endswith("; no board scores more, which is proven")
    moves = next(line for line in lines if line.startswith("score ")).partition("moves: ")[2]
    again = run("queuedle", "check", moves, GRID, "eat")
    assert again.code == 0
    assert again.out.splitlines() == lines[:-1]


def test_solve_in_json(run: Run) -> None:
    results = []
    for strategy, more in (("auto", ["--seed", "1"]), ("beam", ["--seed", "1"]), ("best-first", [])):
        done = run("queuedle", "solve", GRID, "eat", "--strategy", strategy, "--json", *more)
        results.append(json.loads(done.out))
    assert {data["schema"] for data in results} == {"gpusolve.queuedle.solve/4"}
    assert len({data["score"] for data in results}) == 1
    assert [data["seed"] for data in results] == [1, 1, None]
    for data in results:
        assert data["proven"]
        assert data["complete"]
        assert len(data["boards"]) == len(data["moves"]) + 1
        words = [found["word"] for found in data["boards"][-1]["words"]]
        assert data["boards"][-1]["score"] == data["score"] == sum(map(len, words))


def test_the_json_of_a_daily_puzzle_has_its_seed_and_the_seed_of_the_search(run: Run) -> None:
    beam = ["--strategy", "beam", "--width", "10", "--seed", "7"]
    data = json.loads(run("queuedle", "solve", *DAY, *beam, "--json").out)
    puzzle = data["puzzle"]
    assert (puzzle["puzzle_seed"], data["seed"], puzzle["date"]) == (1748646000043, 7, "2025-05-31")
    daily = json.loads(run("queuedle", "daily", *DAY, "--json").out)
    checked = json.loads(run("queuedle", "check", " ".join(data["moves"]), *DAY, "--json").out)
    assert checked["schema"] == "gpusolve.queuedle.check/2"
    assert puzzle == {name: value for name, value in daily.items() if name in puzzle}
    for name in ("puzzle", "score", "moves", "boards"):
        assert checked[name] == data[name]


def test_check_without_slides(run: Run) -> None:
    data = json.loads(run("queuedle", "check", "", GRID, "--json").out)
    assert (data["moves"], data["score"], len(data["boards"])) == ([], 20, 1)


@pytest.mark.parametrize(
    ("moves", "queue", "message"),
    [
        ("u1,d1", "", "move 1, u1: the queue is empty after 0 moves"),
        ("u1,d1", "ab", "move 2, d1: move 1 slid this line the other way"),
        ("u1 x9", "ab", "move 2, 'x9': expected one of l r u d and a line 1..4"),
    ],
)
def test_an_illegal_slide_is_refused(run: Run, moves: str, queue: str, message: str) -> None:
    done = run("queuedle", "check", moves, GRID, queue)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_solve_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text(GRID.replace("/", "\n") + "\neat\n")
    done = run("queuedle", "solve", str(file), "--strategy", "beam", "--json")
    assert json.loads(done.out)["puzzle"]["queue"] == "eat"


def test_with_an_empty_queue_the_grid_is_scored(run: Run) -> None:
    data = json.loads(run("queuedle", "solve", "east/tttt/eeee/aaaa", "--json").out)
    assert (data["score"], data["moves"], data["proven"]) == (19, [], True)


def test_a_time_limit_ends_with_exit_code_3(run: Run) -> None:
    done = run("queuedle", "solve", GRID, "eaten", "--strategy", "beam", "--time-limit", "0")
    assert done.code == 3
    assert done.out.splitlines()[-1].endswith("stopped by the time limit")


def test_auto_ends_with_its_budget_or_at_the_time_limit(run: Run) -> None:
    long = [GRID, "aikiueieexuatov", "--seed", "3"]
    done = run("queuedle", "solve", *long, "--states", "500000", "--json")
    solved = json.loads(done.out)
    assert (done.code, solved["complete"], solved["generated"] >= 500_000) == (0, True, True)
    assert json.loads(run("queuedle", "solve", *long, "--states", "500000", "--json").out) == solved | {
        name: pytest.approx(solved[name], rel=1e9) for name in ("seconds", "states_per_second")
    }
    done = run("queuedle", "solve", *long, "--time-limit", "0", "--json")
    assert (done.code, json.loads(done.out)["complete"], json.loads(done.out)["rounds"]) == (3, False, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("abcd/ab\u212ad/abcd/abcd", "grid, row 2: '\u212a' in 'ab\u212ad': expected letters a-z only"),
        ("2025-W22-6", "date 2025-W22-6: expected a day, as 2025-05-31"),
        ("1969-12-31 --zone UTC", "date 1969-12-31: expected 1970-01-02 or later"),
        ("tsea/enop/adis/ttre --puzzle-dictionary x", "puzzle_dictionary: expected with a date"),
        ("tsea/enop/adis/ttre --states 0", "states 0: expected a whole number, 1 to 1e+15"),
        ("tsea/enop/adis/ttre --strategy beam --states 5", "states: expected with strategy auto, not beam"),
        ("tsea/enop/adis/ttre --seed -1", "seed -1: expected a whole number"),
        ("tsea/enop/adis/ttre --time-limit nan", "limit"),
        ("ab/de", "grid: 2 rows: expected 3 to 6"),
        (
            "tsea/enop/adis/ttre --strategy exhaustive --seed 1",
            "seed: expected with strategy auto or beam, not exhaustive",
        ),
        ("abcde/abcd/abcde/abcde/abcde", "grid, row 2: 'abcd' has 4 letters: expected 5"),
        ("abcd/ab1d/abcd/abcd", "grid, row 2: '1' in 'ab1d': expected letters a-z only"),
        ("abcd/abcd/abcd/abcd 12", "queue: '1' in '12': expected letters a-z only"),
        ("abc", "puzzle abc: expected rows and queue such as 'abcd/efgh/ijkl/mnop eat', a date"),
        ("31.13.2025", "date 31.13.2025: expected a day, as 2025-05-31"),
        ("--zone Nowhere", "zone Nowhere: expected an IANA time zone"),
        ("tsea/enop/adis/ttre --strategy beam --memory 5", "memory 5: too little for a beam of 100,000"),
        ("tsea/enop/adis/ttre --zone Asia/Tokyo", "zone: expected with a date"),
        (
            "tsea/enop/adis/ttre --strategy beam --checkpoint x",
            "checkpoint: expected with strategy auto or exhaustive, not beam",
        ),
        (
            "tsea/enop/adis/ttre --strategy best-first --seed 1",
            "seed: expected with strategy auto or beam, not best-first",
        ),
        (
            "tsea/enop/adis/ttre --strategy beam --heuristic score+remaining",
            "heuristic score+remaining: expected score or potential for a beam",
        ),
        (
            "tsea/enop/adis/ttre --strategy best-first --heuristic potential",
            "heuristic potential: expected score or score+remaining for best-first",
        ),
        (
            "tsea/enop/adis/ttre --heuristic potential",
            "heuristic: expected with strategy beam or best-first, not auto",
        ),
        ("missing.txt", "missing.txt: cannot be read"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: str, message: str) -> None:
    done = run("queuedle", "solve", *arguments.split())
    assert done.code == 2
    assert done.out == ""
    assert message in done.err
    assert len([line for line in done.err.splitlines() if not line.startswith("device:")]) == 1


def test_a_dictionary_without_a_usable_word_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("ox\noxtails\n")
    done = run("queuedle", "solve", GRID, "--dictionary", str(file))
    assert done.code == 2
    assert "none of its 2 words has 3 to 4 letters" in done.err
