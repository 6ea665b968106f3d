"""``gpusolve sliding`` as a user meets it."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import Board, scramble, solve
from gpusolve.runs import checkpoint
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]


@pytest.fixture
def sliding(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path / "tables"))
    return lambda *arguments: run("sliding", *arguments)


def test_scramble(sliding: Run) -> None:
    done = sliding("scramble", "--rows", "3", "--columns", "4", "--count", "3", "--seed", "7")
    assert [Board.parse(line) for line in done.out.splitlines()] == list(scramble(rows=3, columns=4, count=3, seed=7))
    assert done.err == "seed 7\n"
    result = json.loads(sliding("scramble", "--seed", "7", "--moves", "20", "--goal", "blank-last", "--json").out)
    assert result["boards"] == [list(scramble(goal="blank-last", moves=20, seed=7)[0].tiles)]
    assert (result["seed"], result["moves"], result["goal"]) == (7, 20, "blank-last")


def test_verify(sliding: Run) -> None:
    done = sliding("verify", "1 2 5 / 3 4 0", "ULL")
    assert (done.code, done.out) == (0, "  1 2\n3 4 5\n3 moves: solved\n")
    done = sliding("verify", "1 2 5 / 3 4 0", "UL")
    assert (done.code, done.out.splitlines()[-1]) == (1, "2 moves: the board is not solved (goal: blank-first)")
    done = sliding("verify", "1 2 3 / 4 0 5", "5", "--goal", "blank-last", "--json")
    result = json.loads(done.out)
    assert (result["moves"], result["tiles_moved"], result["solves"], result["length"]) == ("R", [5], True, 1)
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
    assert done.out.endswith("3 moves: solved\n")
    text = page.read_text()
    [data] = re.findall(r'<script type="application/json" id="data">(.*)</script>', text)
    assert json.loads(data) == {"columns": 3, "tiles": [1, 2, 5, 3, 4, 0], "solved": [0, 1, 2, 3, 4, 5], "moves": "ULL"}
    result = json.loads(sliding("show", "1 2 5 / 3 4 0", "5 2", "--json").out)
    assert [board.index(0) for board in result["boards"]] == [5, 2, 1]


TILES = "1 2 0 3 4 5 6 7 8"


@pytest.mark.parametrize(
    "words",
    [
        TILES.split(),
        ["1", "2", "_", "/", "3", "4", "5", "/", "6", "7", "8"],
        ["1,", "2,", "0,", "3,", "4,", "5,", "6,", "7,", "8"],
        ["1,2,0", "3,4,5", "6,7,8"],
        [TILES],
        [f"17 {TILES}"],
        ["1,2,0,3,4,5,6,7,8"],
        ["120345678"],
    ],
)
def test_a_board_can_be_given_without_quotes(sliding: Run, words: list[str]) -> None:
    done = sliding("solve", *words, "--partition", "1,2,3/4,5,6/7,8", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("LL\n")


def test_several_boards_without_quotes_are_not_one(sliding: Run) -> None:
    done = sliding("solve", "1,0,2,3", "3,1,2,0", "--partition", "1,2,3", "--quiet", "--json")
    assert [json.loads(line)["tiles"] for line in done.out.splitlines()] == [[1, 0, 2, 3], [3, 1, 2, 0]]
    done = sliding("solve", "1023", "3120", "--partition", "1,2,3", "--quiet", "--json")
    assert [json.loads(line)["tiles"] for line in done.out.splitlines()] == [[1, 0, 2, 3], [3, 1, 2, 0]]
    done = sliding("solve", "1", "2", "3", "0", "5", "6")
    assert (done.code, "6 tiles in one row" in done.err) == (2, True)


def test_a_file_with_an_index_column_is_read(sliding: Run, tmp_path: Path) -> None:
    (tmp_path / "korf").write_text(f"1 {TILES}\n2 1 0 2 3 4 5 6 7 8\n")
    done = sliding("solve", str(tmp_path / "korf"), "--partition", "1,2,3/4,5,6/7,8", "--quiet", "--json")
    assert [json.loads(line)["moves"] for line in done.out.splitlines()] == ["LL", "L"]


def test_the_goal_is_guessed_with_a_note(sliding: Run) -> None:
    last = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15"
    done = sliding("verify", last, "R")
    assert (done.code, done.err) == (0, "goal 1 2 ... n 0, because 0 1 2 ... n cannot be reached\n")
    done = sliding("verify", "1 0 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15", "L")
    assert (done.code, done.err) == (0, "goal 0 1 2 ... n, because 1 2 ... n 0 cannot be reached\n")
    done = sliding("verify", TILES, "LL")
    assert (done.code, done.err) == (0, "goal 0 1 2 ... n; with --goal blank-last it is 1 2 ... n 0\n")
    assert sliding("verify", last, "R", "--quiet").err == ""
    for goal in ([], ["--goal", "blank-first"]):
        found = json.loads(sliding("verify", TILES, "LL", *goal, "--json").out)
        assert (found["goal"], found["goal_assumed"]) == ("blank-first", not goal)
    assert sliding("verify", last, "R", "--goal", "blank-first").code == 1


def test_all_optimal_solutions_are_printed(sliding: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("solve", "0 2 / 1 3 / 5 4", "--all-solutions", "--quiet")
    every = json.loads(sliding(*command, "--json").out)["solutions"]
    text = sliding(*command).out
    assert [line for line in text.splitlines() if line in every] == every
    assert f"proven optimal, one of {len(every)} solutions" in text
    monkeypatch.setattr("gpusolve.games.sliding.drawing.MOST_LISTED", 1)
    text = sliding(*command).out
    assert [line for line in text.splitlines() if line in every] == every[:1]
    assert f"... and {len(every) - 1} more; --json prints all of them" in text


def test_automaton(sliding: Run, tmp_path: Path) -> None:
    done = sliding("automaton", "--depth", "2")
    assert done.code == 0
    assert done.out.splitlines()[1:] == [
        "4 strings, 5 states",
        "branching factor 2.36762, the square root of 2.34108 x 2.39446",
        str(tmp_path / "tables" / "sliding-strings-5x5-first.table"),
    ]
    result = json.loads(sliding("automaton", "--rows", "3", "--columns", "3", "--depth", "6", "--json").out)
    assert (result["strings"], result["complete"], result["depth"]) == (8, True, 6)
    done = sliding("automaton", "--depth", "20", "--time-limit", "0")
    assert (done.code, done.err) == (3, "")


BOARD = "8 6 7 / 2 5 4 / 3 0 1"


def test_solve(sliding: Run) -> None:
    done = sliding("solve", BOARD, "--quiet", "--device", "cpu")
    assert (done.code, done.err) == (0, "")
    moves, tiles, *_, last = done.out.splitlines()
    assert re.match(r"27 moves, proven optimal; [\d,]+ nodes expanded, [\d,]+ generated in \d", last)
    for played in (moves, tiles.removeprefix("tiles ")):
        assert sliding("verify", BOARD, played).out.endswith("27 moves: solved\n")


def test_solve_as_json_in_both_conventions(sliding: Run) -> None:
    board = Board.parse(BOARD)
    first = json.loads(sliding("solve", str(board), "--json", "--quiet").out)
    last = json.loads(sliding("solve", str(board.turned()), "--goal", "blank-last", "--json", "--quiet").out)
    assert first["length"] == last["length"] == len(first["moves"]) == 27
    assert (first["proven"], first["complete"], first["ratio"]) == (True, True, 1)
    assert (first["lower_bound"], first["goal"], last["goal"]) == (27, "blank-first", "blank-last")
    assert first["expanded"] == sum(bound["expanded"] for bound in first["bounds"])
    done = sliding("verify", str(board.turned()), last["moves"], "--goal", "blank-last")
    assert done.code == 0


def test_solve_many(sliding: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = scramble(rows=3, columns=3, count=3, seed=4)
    (tmp_path / "boards").write_text("\n".join(map(str, boards)) + f"\n\n{boards[0]}\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("3 1 2 0 4 5 6 7 8\n"))
    done = sliding("solve", str(tmp_path / "boards"), "-", BOARD, "--json", "--quiet")
    assert done.code == 0
    results = [json.loads(line) for line in done.out.splitlines()]
    tiles = [list(board.tiles) for board in (*boards, boards[0])]
    assert [line["tiles"] for line in results[:4]] == tiles
    assert (results[4]["moves"], results[5]["length"]) == ("U", 27)
    assert results[0]["moves"] == results[3]["moves"]


def test_a_board_that_cannot_be_solved(sliding: Run) -> None:
    done = sliding("solve", BOARD, "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0", "--goal", "blank-first", "--quiet")
    assert (done.code, done.out) == (1, "")
    assert "no moves lead to the goal blank-first" in done.err
    assert done.err.endswith("; the goal blank-last can be reached\n")


def test_solve_within_a_bound_and_all(sliding: Run) -> None:
    done = sliding("solve", BOARD, "--bound", "25", "--json", "--quiet")
    result = json.loads(done.out)
    assert (done.code, result["moves"], result["lower_bound"], result["proven"]) == (1, None, 27, False)
    done = sliding("solve", "0 2 / 1 3 / 5 4", "--all-solutions", "--json", "--quiet")
    result = json.loads(done.out)
    assert len(result["solutions"]) > 1
    assert len(set(result["solutions"])) == len(result["solutions"])
    for moves in result["solutions"]:
        assert len(moves) == result["length"]
        assert sliding("verify", "0 2 / 1 3 / 5 4", moves).code == 0


def test_a_time_limit_and_a_checkpoint(sliding: Run, tmp_path: Path) -> None:
    hard = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    whole = json.loads(sliding("solve", hard, "--json", "--quiet").out)
    state = str(tmp_path / "state")
    done = sliding("solve", BOARD, hard, "--time-limit", "0", "--checkpoint", state, "--json", "--quiet")
    assert done.code == 3
    sessions, code = 0, 3
    while code == 3:
        done = sliding("solve", BOARD, hard, BOARD, "--time-limit", "0.2", "--resume", state, "--json", "--quiet")
        code, sessions = done.code, sessions + 1
    results = [json.loads(line) for line in done.out.splitlines()]
    assert (results[-2]["length"], results[-2]["expanded"], results[-2]["moves"]) == (
        whole["length"],
        whole["expanded"],
        whole["moves"],
    )
    done = sliding("solve", "0 1 2 3", "--resume", state, "--quiet")
    assert (done.code, done.out) == (2, "")
    assert re.search(
        r"state: made with board 8 6 7 / 2 5 4 / 3 0 1, goal blank-first, which is not among these boards\n", done.err
    )


def test_databases_are_built_and_listed_and_built_again_if_damaged(sliding: Run, tmp_path: Path) -> None:
    build = ["build", "--rows", "3", "--columns", "3", "--partition", "1,2,3,4/5,6,7,8", "--seed", "1", "--quiet"]
    result = json.loads(sliding(*build, "--json").out)
    assert result["partition"] == "1,2,3,4/5,6,7,8"
    assert 12 < result["mean"] < 22
    assert result["table"]["entries"] >= 2 * 3024
    file = Path(result["table"]["path"])
    whole = file.read_bytes()
    file.write_bytes(whole[:-5000])
    listed = json.loads(sliding("tables", "--json").out)
    assert [table["path"] for table in listed["tables"] if table["damaged"]] == [str(file)]
    assert "damaged" in sliding("tables").out
    solved = ["solve", BOARD, "--partition", "1,2,3,4/5,6,7,8", "--json", "--quiet"]
    assert json.loads(sliding(*solved).out)["length"] == 27
    again = json.loads(sliding(*build, "--json").out)
    assert again["mean"] == result["mean"]


def test_databases_that_cannot_be_saved(sliding: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board is still solved, but building the tables in advance fails."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path / "file" / "tables"))
    with pytest.warns(RuntimeWarning, match="cannot be written"):
        assert sliding("solve", BOARD, "--quiet").code == 0
    done = sliding("build", "--rows", "3", "--columns", "3", "--quiet")
    assert (done.code, done.out) == (2, "")
    assert "cannot be written" in done.err


def test_tables_are_shown_with_their_limit_and_removed(
    sliding: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sliding("build", "--rows", "2", "--columns", "3", "--samples", "1", "--quiet")
    monkeypatch.setenv("GPUSOLVE_TABLES_LIMIT", "0.5")
    (name,) = (path.stem for path in (tmp_path / "tables").glob("*.table"))
    shown = sliding("tables").out.splitlines()
    assert shown[0].split() == ["table", "MiB", "entries", "mean", "state", "used"]
    assert shown[2].startswith(name)
    assert shown[-1] == "all games keep at most 0.5 GB; the longest unused are removed first"
    done = sliding("tables", "--remove", "sliding-5x5-*")
    message = f"expected the name of a table of sliding tiles in {tmp_path}/tables\n"
    assert (done.code, done.out, done.err) == (2, "", f"gpusolve: --remove sliding-5x5-*: {message}")
    result = json.loads(sliding("tables", "--remove", name, "--json").out)
    assert (result["removed"], result["tables"], result["limit"]) == ([name], [], 500_000_000)
    monkeypatch.setenv("GPUSOLVE_TABLES_LIMIT", "much")
    done = sliding("tables")
    message = "gpusolve: GPUSOLVE_TABLES_LIMIT much: expected a number of gigabytes, such as 20\n"
    assert (done.code, done.out, done.err) == (2, "", message)


def test_options_are_checked_before_databases_are_built(sliding: Run, tmp_path: Path) -> None:
    for option, value in (("--weight", "0.5"), ("--bound", "251"), ("--depth", "1"), ("--workers", "0")):
        assert sliding("solve", " ".join(map(str, range(16))), option, value, "--quiet").code == 2
    assert not (tmp_path / "tables").exists()


@pytest.mark.parametrize("settings", [{}, {"board": 5, "goal": "blank-first"}, {"board": BOARD}])
def test_a_checkpoint_whose_settings_are_damaged(sliding: Run, tmp_path: Path, settings: dict[str, object]) -> None:
    state = tmp_path / "state"
    checkpoint.save(state, "sliding.solve", settings, {"seconds": 0.0})
    done = sliding("solve", BOARD, "--resume", str(state), "--quiet")
    assert (done.code, done.out) == (2, "")
    assert re.fullmatch(f"gpusolve: checkpoint {state}: damaged: .*(board|goal).*\n", done.err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve"], "board: expected a board, or with resume"),
        (["solve", "{empty}"], "empty: no board: expected tiles"),
        (["solve", "0 1 2 3", "1 0 2 3", "--html", "page.html"], "--html: 2 boards: expected one"),
        (["solve", "0 1 2 3", "1 0 2 3", "--csv", "bounds.csv"], "--csv: 2 boards: expected one"),
        (["solve", "article", "--goal", "blank-last"], "goal blank-last: expected blank-first, the goal of the board"),
        (["solve", "0 1 2 / 3 4 4"], "tile 4 appears 2 times, and 5 is missing"),
        (["solve", " ".join(map(str, range(27)))], "27 tiles in one row: expected a square number of tiles"),
        (["solve", " / ".join(["0 1"] * 13)], "rows 13: expected a whole number, 2 to 12"),
        (["solve", BOARD, "--weight", "0.5"], "weight 0.5"),
        (["solve", BOARD, "--bound", "-1"], "bound -1"),
        (["solve", BOARD, "--depth", "1"], "depth 1"),
        (["solve", BOARD, "--partition", "1,2/3"], "partition"),
        (["solve", BOARD, "--resume", "{letters}"], "damaged, or not a checkpoint"),
        (["build", "--samples", "0"], "samples 0"),
        (["build", "--partition", "1-2-3"], "partition 1-2-3"),
        (["build", "--partition", "6-6-6-6", "--size", "small"], "size small: expected without a partition"),
        (["verify", "1 2 5 / 3 4 4", "U"], "tile 4 appears 2 times, and 0 is missing"),
        (["verify", "1 2 5 / 3 4 y", "U"], "'y': expected a tile, 0 to 48"),
        (["verify", "1 2 5 / 3 4 0", "UX"], "move 1, 'UX': expected U, D, L, R, or a tile, 1 to 5"),
        (["verify", " ".join(map(str, range(27))), "U"], "27 tiles in one row: expected a square number of tiles"),
        (["verify", "nothing", "U"], "nothing: not a board, and there is no file of this name"),
        (["verify", "{letters}", "U"], "letters: line 1: letters without a blank: expected _ in its cell"),
        (["verify", "{empty}", "U"], "empty: no board: expected tiles"),
        (["show", "0 1 2 3", "D", "--speed", "0", "--json"], "speed 0.0: expected 0.1 to 100"),
        (["show", "0 1 2 3", "D", "--html", "{nowhere}"], "cannot be written"),
        (["scramble", "--rows", "5", "--columns", "8"], "5x8 is 40 cells: expected at most 25, or at most 7x7"),
        (["scramble", "--count", "0"], "count 0"),
        (["automaton", "--depth", "24"], "depth 24: expected a whole number, 2 to 23"),
        (["automaton", "--choice", "last"], "--choice"),
    ],
)
def test_bad_input(sliding: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    names = {name: tmp_path / name for name in ("letters", "empty")} | {"nowhere": tmp_path / "none" / "page.html"}
    names["letters"].write_text("a b c d\n")
    names["empty"].write_text("")
    done = sliding(*(argument.format(**names) for argument in arguments), "--quiet")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_solve_a_large_board_by_a_beam(sliding: Run) -> None:
    board = scramble(rows=6, columns=6, seed=1, moves=30)[0]
    done = sliding("solve", str(board), "--width", "50", "--seed", "2", "--json", "--quiet")
    solved = json.loads(done.out)
    assert (done.code, solved["complete"], solved["seed"]) == (0, True, 2)
    assert sliding("verify", str(board), solved["moves"]).code == 0
    assert sliding("solve", str(board), "--time-limit", "0").code == 3
    refused = sliding("solve", str(board), "--strategy", "deepening")
    assert (refused.code, "expected at most 25, or the strategy beam" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("8 6 7 / 2 5 4 / 3 0 1", None),
        ("1 2 3 / 4 5 6 / 0 7 8", "blank-last"),
        ("A B C / D E F / G _ H", "A B C / D E F / G H _"),
        ("2 1 1 / 0 2 2 / 3 3 3", "1 1 2 / 2 2 3 / 3 3 0"),
    ],
)
def test_a_checkpoint_has_the_board(tmp_path: Path, sliding: Run, text: str, goal: str | None) -> None:
    file, whole = tmp_path / "run", solve(text, goal=goal)
    solve(text, goal=goal, time_limit=0, checkpoint=file)
    done = json.loads(sliding("solve", "--resume", str(file), "--json", "--quiet").out)
    assert (done["moves"], done["proven"]) == (whole.moves, True)
    assert solve(resume=file).moves == whole.moves
    with pytest.raises(BadInput, match=r"expected .*, the goal of the board"):
        solve(resume=file, goal="spiral")


def test_a_board_or_a_checkpoint_is_expected(sliding: Run) -> None:
    assert "board: expected a board, or with resume" in sliding("solve").err
