"""`gpusolve tetris` as a user sees it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.tetris import oracle
from games.tetris.oracle import PUBLISHED
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, Exit, NoSolution
from gpusolve.games.tetris import drawing, evaluate, play, replay, suggest
from gpusolve.games.tetris.players.weights import FOLDER
from gpusolve.games.tetris.rules import features
from gpusolve.games.tetris.rules.board import PIECES, board_text, parse_board, pressed, spawn_state
from gpusolve.games.tetris.variant import Variant
from gpusolve.output import report
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
CPU = open_backend("cpu")
ON_CPU = ("--device", "cpu", "--quiet")


def run_json(run: Run, *arguments: str) -> dict[str, Any]:
    done = run("tetris", *arguments, *ON_CPU, "--json")
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out)
    return found


def turns_on(page: str) -> list[Any]:
    """Return the turns that a page plays."""
    [data] = re.findall(r'<script type="application/json" id="data">(.*)</script>', page)
    turns: list[Any] = json.loads(data)["turns"]
    return turns


def test_play_save_replay(run: Run, tmp_path: Path) -> None:
    saved, page = tmp_path / "game.json", tmp_path / "game.html"
    arguments = ("play", "--seed", "5", "--max-lines", "12", "--policy", "greedy")
    done = run("tetris", *arguments, "--out", str(saved), *ON_CPU)
    assert done.code == 0
    end = done.out.splitlines()[-1]
    assert re.search(r"seed 5, game 0: score [\d,]+, \d+ lines", end)
    again = run("tetris", "replay", str(saved))
    assert again.out.splitlines()[-1] == end
    found = json.loads(run("tetris", "replay", str(saved), "--json").out)
    played = run_json(run, *arguments)
    assert (found.pop("schema"), played.pop("schema")) == ("gpusolve.tetris.replay/2", "gpusolve.tetris.play/2")
    assert played.pop("device") == "cpu"
    for each in (found, played):
        assert all(each.pop(f"{kind}seconds") >= 0 for kind in ("", "compile_", "build_"))
    assert (played.pop("playouts"), played.pop("prospects")) == (0, [])  # a recording has none
    assert found == played
    assert vars(replay(saved)) == vars(play(policy="greedy", variant=Variant(max_lines=12), seed=5, backend=CPU))
    assert run("tetris", "replay", str(saved), "--html", str(page)).code == 0
    text = page.read_text()
    turns = turns_on(text)
    assert len(turns) == len(found["turns"])
    assert turns[-1][2] == found["score"]


def test_play_can_write_a_page_directly(run: Run, tmp_path: Path) -> None:
    arguments = ("play", "--seed", "5", "--max-lines", "12", "--policy", "greedy", *ON_CPU)
    saved, pages = str(tmp_path / "game.json"), [str(tmp_path / name) for name in ("one.html", "two.html")]
    done = run("tetris", *arguments, "--html", pages[0], "--out", saved)
    assert (done.code, "score" in done.out.splitlines()[-1]) == (0, True)
    assert run("tetris", "replay", saved, "--html", pages[1]).code == 0
    assert Path(pages[0]).read_text() == Path(pages[1]).read_text()


@pytest.mark.parametrize("name", ["{{turns}}", "\x1b[31mred", "two\nlines", "<script>", "\ud800", "\x9b31m"])
def test_names_cannot_control_the_terminal_or_the_page(run: Run, tmp_path: Path, name: str) -> None:
    weights = tmp_path / "weights.json"
    content = json.loads((FOLDER / "published.json").read_text())
    weights.write_text(json.dumps(content | {"name": name}))
    saved, page = tmp_path / "game.json", tmp_path / "game.html"
    arguments = ("play", str(weights), "--seed", "5", "--max-lines", "2", "--policy", "greedy", "--out", str(saved))
    played = run("tetris", *arguments, *ON_CPU)
    game = json.loads(saved.read_text())
    saved.write_text(json.dumps(game | {"player": name}))
    shown = [played, run("tetris", "replay", str(saved)), run("tetris", "replay", str(saved), "--html", str(page))]
    shown.append(run("tetris", "evaluate", str(weights), "--count", "2", "--max-lines", "2", *ON_CPU))
    for done in shown:
        assert done.code == 0
        assert not re.search(r"[^\n -~±]", done.out)
    text = page.read_text()
    assert len(turns_on(text)) == len(game["turns"])
    assert text.count("<script>") == 1
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


def test_colours_are_only_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play(PUBLISHED, policy="greedy", variant=Variant(max_lines=2), seed=5, backend=CPU)
    plain = list(drawing.frames(played))
    for name, coloured in (("FORCE_COLOR", True), ("NO_COLOR", False)):
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv(name, "1")
        report._console.cache_clear()
        frames = list(drawing.frames(played))
        assert ("\x1b[" in frames[-1]) == coloured
        assert [re.sub(r"\x1b\[[\d;]*m", "", frame) for frame in frames] == plain
    report._console.cache_clear()


def test_frames_show_board_and_numbers() -> None:
    played = play(PUBLISHED, policy="greedy", variant=Variant(max_lines=8), seed=5, backend=CPU)
    frames = list(drawing.frames(played))
    assert len(frames) == len(played.turns)
    assert frames[0].count("\n") == 19
    assert f"next   {PIECES[played.turns[1].piece]}" in frames[0]
    assert all(PIECES[turn.piece] in frame for turn, frame in zip(played.turns, frames, strict=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda game: game.pop("turns"), "it has no turns"),
        (lambda game: game.update(schema="other"), "expected a game saved by"),
        (lambda game: game["turns"][1].__setitem__(2, 3), "turn 2: . cannot rest there"),
        (lambda game: game["turns"][1].__setitem__(0, "Q"), "turn 2: expected a piece of ILJTZSO"),
        (lambda game: game["turns"][1].__setitem__(0, "IL"), "turn 2: expected a piece of ILJTZSO"),
        (lambda game: game["turns"][1].__setitem__(0, ["I"]), "turn 2: expected a piece of ILJTZSO"),
        (lambda game: game["turns"][1].__setitem__(1, 4), "turn 2: orientation 4: expected a whole number, 0 to"),
        (lambda game: game["turns"][1].__setitem__(2, 20.0), "turn 2: row 20.0: expected a whole number"),
        (lambda game: game["turns"][1].__setitem__(3, "0"), "turn 2: column 0: expected a whole number"),
        (lambda game: game["turns"][1].__setitem__(3, True), "turn 2: column True: expected a whole number"),
        (lambda game: game["turns"][1].pop(), "turn 2: expected a piece"),
        (lambda game: game.update(turns={"0": 1}), "turns .*: expected a list"),
        (lambda game: game.update(reach="rubbish"), "reach rubbish: expected free"),
        (lambda game: game.update(reach=["free"]), "reach .*: expected free"),
        (lambda game: game.update(source="dice"), "source dice: expected one of"),
        (lambda game: game.update(policy="luck"), "policy luck: expected one of"),
        (lambda game: game.update(start_level=10**30), "start_level 1000.*: expected a whole number, 0 to 29"),
        (lambda game: game.update(start_level=19.0), "start_level 19.0: expected a whole number"),
        (lambda game: game.update(max_lines=True), "max_lines True: expected a whole number"),
        (lambda game: game.update(max_lines=1), "the game was over with"),
        (lambda game: game.update(game=-1), "game -1: expected a whole number"),
        (lambda game: game.update(seed=None), "seed None: expected a whole number"),
        (lambda game: game.update(seed="5"), "seed 5: expected a whole number"),
        (lambda game: game.update(player=7), "player 7: expected text"),
        (lambda game: game.update(score=5), "score 5: expected"),
        (lambda game: game.update(lines="2"), "lines 2: expected"),
    ],
)
def test_damaged_games_are_refused(
    run: Run, tmp_path: Path, change: Callable[[dict[str, object]], None], message: str
) -> None:
    played = play(PUBLISHED, policy="greedy", variant=Variant(max_lines=2), seed=5, backend=CPU)
    played.save(tmp_path / "game.json")
    game = json.loads((tmp_path / "game.json").read_text())
    change(game)
    (tmp_path / "game.json").write_text(json.dumps(game))
    done = run("tetris", "replay", str(tmp_path / "game.json"))
    assert done.code == 2
    assert re.search(message, done.err)
    assert done.err.count("\n") == 1


def test_suggest(run: Run, tmp_path: Path) -> None:
    shift, published = features.fixed_point(PUBLISHED)[1], ("--player", "published")
    for case in oracle.cases():
        (tmp_path / "board.txt").write_text(board_text(case.board))
        pieces = [PIECES[piece] for piece in (case.piece, case.following)]
        greedy = run_json(run, "suggest", str(tmp_path / "board.txt"), pieces[0], "--top", "99", *published)
        assert len(greedy["rows"]) == len(case.moves)
        for row in greedy["rows"]:
            found, value, cleared = case.moves[tuple(map(tuple, row["cells"]))]
            assert list(row["features"].values()) == found
            assert row["value"] == np.ldexp(value, -shift)
            assert row["cleared"] == cleared
        assert tuple(map(tuple, greedy["rows"][0]["cells"])) == case.greedy
        best = run_json(run, "suggest", str(tmp_path / "board.txt"), *pieces, *published)["rows"][0]
        assert tuple(map(tuple, best["cells"])) == case.two_piece


def test_suggested_presses_lead_to_the_placement() -> None:
    board = parse_board("##.....###\n###.######\n" + "#########.\n" * 3)
    for piece in range(7):
        for one in suggest(board, piece, 3, backend=CPU):
            state = spawn_state(piece)
            for press in one.presses:
                state = pressed(piece, state, press)
            assert state == one.state


def test_a_tetris_comes_first_and_being_stuck_last() -> None:
    found = suggest("#########.\n" * 17, "I", "T", backend=CPU)
    assert found[0].tetris
    stuck = [one.stuck for one in found]
    assert stuck == sorted(stuck)
    well = parse_board("####.#####\n" * 4)
    ready = [one.tetris_next for one in suggest(well, 6, 0, backend=CPU)]
    assert any(ready)
    assert ready == sorted(ready, reverse=True)


def test_the_players_own_move_is_rated(run: Run) -> None:
    board = "####...###/####..####/#########."
    found = run_json(run, "suggest", board, "T", "I", "--mine", "4,1", "--top", "2", "--playouts", "0")
    mine = found["mine"]
    assert (mine["column"], mine["turned"], mine["row"]) == (4, 1, 3)
    everything = run_json(run, "suggest", board, "T", "I", "--top", "99", "--playouts", "0")
    assert everything["mine"] is None
    assert everything["player"] == "learned"
    row = everything["rows"][mine["rank"] - 1]
    assert row == {name: mine[name] for name in row}
    assert mine["loss"] == mine["value"] - everything["rows"][0]["value"] > 0
    text = run("tetris", "suggest", board, "T", "I", "--mine", "4,1", *ON_CPU).out
    assert f"yours is number {mine['rank']} of {found['placements']}: {mine['loss']:,.0f} points worse" in text
    assert " 1 |##################..|" in text
    best = everything["rows"][0]
    place = (best["column"], best["turned"], best["row"])
    own = suggest(board, "T", "I", mine=place, backend=CPU).mine
    assert own is not None
    assert own.rank == 1
    text = run("tetris", "suggest", board, "T", "I", "--mine", ",".join(map(str, place)), *ON_CPU).out
    assert text.endswith(f"yours is number 1 of {found['placements']}: the best\n")
    assert all(18 <= row <= 20 for row, _ in best["cells"])


@pytest.mark.parametrize(
    "board", ["#########.", "1111111110", "0" * 190 + "1111111110", "1 1 1 1 1 1 1 1 1 0", "0x1," * 9 + "0"]
)
def test_a_board_can_be_given_in_every_notation(run: Run, board: str, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(board)
    known = ("--player", "published", "--top", "99", "--playouts", "0")
    for source in (board, str(tmp_path / "board.txt")):
        rows = run_json(run, "suggest", source, "I", *known)["rows"]
        assert [(row["column"], row["cleared"]) for row in rows if row["cleared"]] == [(10, 1)]
    ranked = suggest(board, "I", player="published", playouts=0, backend=CPU)
    assert [(one.column, one.cleared) for one in ranked if one.cleared] == [(10, 1)]


def test_a_placement_without_a_row_is_the_highest_one() -> None:
    cave = "##......../......####/......####"  # the piece that drops, and the one that slides under the ledge
    rows = {one.row for one in suggest(cave, "I", backend=CPU) if (one.column, one.turned) == (1, 0)}
    assert rows == {1, 4}
    for mine, row in (((1, 0), 4), ([1, 0, 1], 1)):
        own = suggest(cave, "I", mine=mine, backend=CPU).mine
        assert own is not None
        assert own.suggestion.row == row
    with pytest.raises(BadInput, match="mine 1,0,2: expected row 1 or 4 there"):
        suggest(cave, "I", mine=(1, 0, 2), backend=CPU)


def test_suggest_reports_that_a_piece_cannot_spawn() -> None:
    high = parse_board("\n".join(["....##....", "....#.....", *["#########."] * 18]))
    with pytest.raises(NoSolution, match="cannot spawn"):
        suggest(high, 3, backend=CPU)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("suggest #########/ T", 2, "line 1: 9 cells, expected 10"),
        ("suggest ##########/########## T", 2, "a full row"),
        ("suggest no-such-file T", 2, "board no-such-file: expected a file"),
        ("suggest ........../.......... X", 2, "expected one of I L J T Z S O"),
        ("suggest " + "....##..../" * 20 + " T", 1, "T cannot spawn"),
        ("evaluate no-such-weights", 2, "expected a file or one of"),
        ("evaluate --count 0", 2, "count 0: expected a whole number, 1 to 5,000,000"),
        ("evaluate --count 1000000000", 2, "count 1000000000: expected a whole number, 1 to 5,000,000"),
        ("evaluate --seed 1" + "0" * 30, 2, "seed 1"),
        ("evaluate --seed -1", 2, "seed -1: expected a whole number"),
        ("play --seed -1", 2, "seed -1: expected a whole number"),
        ("suggest ........../.......... T --seed -1", 2, "seed -1: expected a whole number"),
        ("evaluate --confidence nan --compare published", 2, "confidence nan: expected 0.5 to 0.9999"),
        ("evaluate --breadths 99,99,99 --policy branching", 2, "expected a product of at most 40,000"),
        ("evaluate --start-level 30", 2, "start-level 30: expected a whole number, 0 to 29"),
        ("play --game 2147483648", 2, "game 2147483648: expected a whole number"),
        ("train --inertia nan", 2, "inertia nan: expected -10 to 10"),
        ("train --particles 100000 --games 100000", 2, "10,000,000,000 games at once would take 149.0 GiB"),
        ("suggest ........../.......... T --level 18 --reach 31hz", 2, "31hz"),
        ("suggest ........../.......... \u017f", 2, "expected one of I L J T Z S O"),
        ("suggest ........../.......... T --mine 4", 2, "mine 4: expected column and turns"),
        ("suggest ........../.......... T --mine 9,0", 2, "mine 9,0: expected column 1, 2, 3, 4, 5, 6, 7 or 8 for T"),
        ("suggest ........../.......... T --mine 4,0,9", 2, "mine 4,0,9: expected row 1 there"),
        ("suggest ........../.......... I --mine 4,2", 2, "mine 4,2: expected 0 or 1 turns for I"),
        ("evaluate --breadths 3,x --policy branching", 2, "breadths 3,x: expected 1 to 4 numbers"),
        ("train-value --iterations 0", 2, "iterations 0: expected a whole number, 1 to"),
        ("train-value --trace 2", 2, "trace 2.0: expected 0 to 1"),
        ("evaluate --breadths 3,5", 2, "breadths 3,5: expected only with the policies branching and playouts"),
        ("play --breadths 3,5", 2, "breadths 3,5: expected only with the policies branching and playouts"),
        ("play --json --speed 0", 2, "speed 0.0: expected 0.1 to 1,000"),
        ("evaluate --confidence 0.9", 2, "confidence 0.9: expected only with a player to compare"),
        ("suggest ........../.......... T --level 256", 2, "level 256: expected a whole number, 0 to 255"),
        ("suggest ........../.......... T --lines 60 --max-lines 50", 2, "lines 60: expected fewer, the game is over"),
        ("play --start ##########", 2, "position ##########: expected a board, a piece, the next piece and the lines"),
        ("train --spread 0.1", 2, "spread 0.1: expected only with weights to start around"),
        ("train --particles 1", 2, "particles 1"),
        ("train --resume no-such-checkpoint", 2, "no-such-checkpoint: cannot be read"),
    ],
)
def test_bad_input_is_reported_in_one_line(run: Run, arguments: str, code: int, message: str) -> None:
    arguments_of = ON_CPU if not arguments.startswith("replay") else ()
    done = run("tetris", *arguments.split(), *arguments_of)
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not done.out


def test_what_cannot_be_written_costs_no_result(run: Run, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "no" / "file")
    done = run("tetris", "train", "--out", nowhere, *ON_CPU)  # before the training
    assert (done.code, done.out) == (2, "")
    assert f"--out {nowhere}: cannot be written: there is no folder" in done.err
    done = run("tetris", "evaluate", "--count", "5000000", "--csv", nowhere, *ON_CPU)  # before the games
    assert (done.code, done.out) == (2, "")
    assert f"--csv {nowhere}: cannot be written: there is no folder" in done.err


def test_any_tapping_rate_can_be_chosen(run: Run) -> None:
    games = ("evaluate", "--count", "20", "--max-lines", "10", "--seed", "3")
    slow = run_json(run, *games, "--hz", "12", "--source", "nes", "--delay-ms", "300")
    assert (slow["reach"], slow["delay_ms"], slow["double_killscreen"]) == ("12hz", 300, False)
    played = evaluate(count=20, variant=Variant("12hz", "nes", 19, 10, 300), seed=3, backend=CPU)
    assert slow["players"][0]["score"]["mean"] == played.scores.mean()
    assert run_json(run, *games, "--hz", "30")["players"] == run_json(run, *games, "--reach", "30hz")["players"]
    text = run("tetris", *games, "--hz", "12", "--delay-ms", "300", "--double-killscreen", *ON_CPU).out
    assert "12hz, uniform8, start level 19, 10 lines, next piece known after 300 ms, double killscreen, seed 3" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--hz", "31"), "hz 31: expected a whole number, 1 to 30"),
        (("--hz", "12", "--reach", "das"), "hz 12: expected without reach das"),
        (("--taps", "0,2", "--hz", "12"), "taps 0,2: expected without hz 12"),
        (("--taps", "0,1"), "taps 0,1: frame 1 after 0, expected 2 or later"),
        (("--taps", "X..X"), "taps X..X: X after X, also where it begins again"),
        (("--taps", "x...."), "taps x....: expected frames from 0 to 999, as in 0,2,4, or a timeline as X...."),
        (("--reach", "12hz+tuck+tuck"), "reach 12hz+tuck+tuck: expected free, das, slow5, 1hz to 30hz, or frames"),
        (("--reach", "das+tuck"), "reach das+tuck: expected"),
        (("--delay-ms", "300"), "delay-ms 300: expected only where pieces are reached against gravity"),
        (("--double-killscreen",), "double-killscreen: expected only where"),
        (("--hz", "20", "--miss", "0.1;0"), "miss 0.1;0: expected numbers from 0 to 1 separated by commas"),
        (("--hz", "20", "--delay-ms", "3000"), "delay-ms 3000: expected a whole number, 0 to 2,000"),
    ],
)
def test_bad_clock_options_are_refused(run: Run, options: tuple[str, ...], message: str) -> None:
    done = run("tetris", "evaluate", "--count", "1", *options, *ON_CPU)
    assert (done.code, done.out) == (Exit.BAD_INPUT, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_game_saved_before_delays_existed_can_be_replayed(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    run_json(run, "play", "--seed", "5", "--max-lines", "4", "--reach", "30hz", "--out", str(out))
    saved = json.loads(out.read_text())
    assert (saved.pop("delay_ms"), saved.pop("double_killscreen"), saved.pop("miss")) == (0, False, [])
    out.write_text(json.dumps(saved))
    assert replay(out).variant == Variant("30hz", max_lines=4)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("double_killscreen", None, "double_killscreen None: expected true or false"),
        ("double_killscreen", 1, "double_killscreen 1: expected true or false"),
        ("delay_ms", None, "delay_ms None: expected a whole number"),
        ("miss", 0.5, "miss 0.5: expected a list"),
        ("miss", ["x"], "miss x: expected 0 to 1"),
        ("start", 5, "start 5: expected text"),
        ("reach", [], "reach \\[\\]: expected free"),
        ("turns", {}, "turns {}: expected a list"),
        ("turns", [["T", [], 0, 0]], "turn 1: orientation \\[\\]: expected a whole number"),
    ],
)
def test_a_recorded_game_with_a_wrong_type_is_refused(tmp_path: Path, field: str, value: Any, message: str) -> None:
    path = tmp_path / "game.json"
    play(policy="greedy", variant=Variant(max_lines=1), seed=5, backend=CPU).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(BadInput, match=f"game [^ ]*: {message}"):
        replay(path)


@pytest.mark.parametrize("start", [None, "####...###/#########. I T 3"])
def test_what_play_prints_can_be_replayed(tmp_path: Path, start: str | None) -> None:
    path = tmp_path / "game.json"
    played = play(policy="greedy", variant=Variant(max_lines=4), start=start, seed=5, backend=CPU)
    path.write_text(json.dumps(played.to_json() | {"schema": "gpusolve.tetris.game/1"}))
    assert vars(replay(path)) == vars(played)
