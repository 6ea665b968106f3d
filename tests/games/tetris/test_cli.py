"""`gpusolve tetris` as a user meets it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.checkpoint import settings_of
from gpusolve.errors import NoSolution
from gpusolve.games.tetris import replay, rules, solver
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.train import KIND
from gpusolve.games.tetris.weights import load_weights
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
CPU = open_backend("cpu")
PUBLISHED = load_weights("published").values
ON_CPU = ("--device", "cpu", "--quiet")


def run_json(run: Run, *arguments: str) -> dict[str, Any]:
    done = run("tetris", *arguments, *ON_CPU, "--json")
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_evaluate(run: Run) -> None:
    found = run_json(run, "evaluate", "--games", "70", "--policy", "greedy", "--max-lines", "20", "--seed", "3")
    (one,) = found["weights"]
    played = solver.evaluate(PUBLISHED, 70, 3, "greedy", Settings(max_lines=20), backend=CPU)
    assert one["score"]["mean"] == played.scores.mean()
    assert one["score"]["error"] == pytest.approx(played.scores.std(ddof=1) / 70**0.5)
    assert one["percentiles"]["50"] == np.median(played.scores)
    assert found["seed"] == 3
    text = run("tetris", "evaluate", "--games", "70", "--policy", "greedy", "--max-lines", "20", "--seed", "3", *ON_CPU)
    assert f"{played.scores.mean():,.0f} ± " in text.out


def test_compare_plays_the_same_games(run: Run, tmp_path: Path) -> None:
    found = run_json(
        run, "evaluate", "published", "--compare", "published", "--games", "9", "--policy", "greedy",
        "--max-lines", "8", "--seed", "3", "--csv", str(tmp_path / "games.csv"),
    )  # fmt: skip
    assert found["difference"] == {"mean": 0.0, "error": 0.0, "confidence": 0.99, "interval": [0.0, 0.0]}
    lines = (tmp_path / "games.csv").read_text().splitlines()
    assert lines[0] == "weights,game,score,lines,pieces,tetrises"
    assert len(lines) == 19
    assert lines[1:10] == lines[10:]


def test_the_interval_is_that_of_paired_differences() -> None:
    first = solver.evaluate(PUBLISHED, 20, 1, "greedy", Settings(max_lines=20), backend=CPU)
    second = solver.evaluate([-w for w in PUBLISHED], 20, 1, "greedy", Settings(max_lines=20), backend=CPU)
    compared = solver.Comparison(first, second)
    differences = second.scores.astype(float) - first.scores
    error = differences.std(ddof=1) / 20**0.5
    low, high = compared.interval(0.99)
    assert (low + high) / 2 == pytest.approx(differences.mean())
    assert (high - low) / 2 == pytest.approx(2.575829 * error)
    assert high < 0


def test_branching_is_evaluated_too(run: Run) -> None:
    found = run_json(
        run, "evaluate", "--games", "2", "--policy", "branching", "--breadths", "2,2", "--max-lines", "4", "--seed", "1"
    )
    assert found["breadths"] == [2, 2]


def test_play_save_replay(run: Run, tmp_path: Path) -> None:
    saved, page = tmp_path / "game.json", tmp_path / "game.html"
    arguments = ("play", "--seed", "5", "--max-lines", "12", "--policy", "greedy")
    done = run("tetris", *arguments, "--save", str(saved), *ON_CPU)
    assert done.code == 0
    end = done.out.splitlines()[-1]
    assert re.search(r"seed 5, game 0: score [\d,]+, \d+ lines", end)
    again = run("tetris", "replay", str(saved))
    assert again.out.splitlines()[-1] == end
    found = json.loads(run("tetris", "replay", str(saved), "--json").out)
    assert found == run_json(run, *arguments)
    assert run("tetris", "replay", str(saved), "--html", str(page)).code == 0
    text = page.read_text()
    assert "{{" not in text
    assert not re.search(r"(src|href)=|https?://", text)
    turns = json.loads(re.findall(r"const turns = (.*);  //", text)[0])
    assert len(turns) == len(found["turns"])
    assert turns[-1][2] == found["score"]


def test_frames_show_board_and_numbers() -> None:
    played = replay.record(CPU, PUBLISHED, 5, policy="greedy", settings=Settings(max_lines=8))
    frames = list(replay.frames(played))
    assert len(frames) == len(played.turns)
    assert frames[0].count("\n") == 19
    assert f"next   {rules.PIECES[played.turns[1].piece]}" in frames[0]
    assert all(rules.PIECES[turn.piece] in frame for turn, frame in zip(played.turns, frames, strict=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda game: game.pop("turns"), "expected a game saved by"),
        (lambda game: game.update(schema="other"), "expected a game saved by"),
        (lambda game: game["turns"][1].__setitem__(2, 3), "turn 2: . cannot rest there"),
        (lambda game: game["turns"][1].__setitem__(0, "Q"), "expected a game saved by"),
    ],
)
def test_damaged_games(run: Run, tmp_path: Path, change: Callable[[dict[str, object]], None], message: str) -> None:
    played = replay.record(CPU, PUBLISHED, 5, policy="greedy", settings=Settings(max_lines=2))
    game = replay.as_json(played)
    change(game)
    (tmp_path / "game.json").write_text(json.dumps(game))
    done = run("tetris", "replay", str(tmp_path / "game.json"))
    assert done.code == 2
    assert re.search(message, done.err)
    assert done.err.count("\n") == 1


def test_suggest(run: Run, tmp_path: Path, published_boards: list[dict[str, Any]]) -> None:
    for case in published_boards:
        (tmp_path / "board.txt").write_text(rules.board_text(case["board"]))
        pieces = [rules.PIECES[case[name]] for name in ("piece", "next")]
        greedy = run_json(run, "suggest", str(tmp_path / "board.txt"), pieces[0], "--top", "99")
        moves = case["moves"]
        assert len(greedy["rows"]) == len(moves)
        for row in greedy["rows"]:
            move = moves[tuple(map(tuple, row["cells"]))]
            assert list(row["features"].values()) == move["features"]
            assert row["value"] == pytest.approx(move["eval"], abs=1e-3)
        best = run_json(run, "suggest", str(tmp_path / "board.txt"), *pieces)["rows"][0]
        assert tuple(map(tuple, best["cells"])) == case["best_2piece"]


def test_suggested_presses_lead_there() -> None:
    board = rules.parse_board("##.....###\n###.######\n" + "#########.\n" * 3)
    for piece in range(7):
        for one in solver.suggest(PUBLISHED, board, piece, 3, backend=CPU):
            state = rules.spawn_state(piece)
            for press in one.presses:
                state = rules.pressed(piece, state, press)
            assert state == one.state


def test_a_tetris_comes_first_and_being_stuck_last() -> None:
    found = solver.suggest(PUBLISHED, rules.parse_board("#########.\n" * 17), 0, 3, backend=CPU)
    assert found[0].tetris
    stuck = [one.stuck for one in found]
    assert stuck == sorted(stuck)
    well = rules.parse_board("####.#####\n" * 4)
    ready = [one.tetris_next for one in solver.suggest(PUBLISHED, well, 6, 0, backend=CPU)]
    assert any(ready)
    assert ready == sorted(ready, reverse=True)


def test_suggest_without_a_next_move() -> None:
    high = rules.parse_board("\n".join(["....##....", "....#.....", *["#########."] * 18]))
    with pytest.raises(NoSolution, match="cannot spawn"):
        solver.suggest(PUBLISHED, high, 3, backend=CPU)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("suggest #########/ T", 2, "line 1: 9 cells, expected 10"),
        ("suggest ##########/########## T", 2, "a full row"),
        ("suggest no-such-file T", 2, "no such file"),
        ("suggest ........../.......... X", 2, "expected one of I L J T Z S O"),
        ("suggest " + "....##..../" * 20 + " T", 1, "T cannot spawn"),
        ("evaluate no-such-weights", 2, "expected a file or one of"),
        ("evaluate --games 0", 2, "games 0: expected at least 1"),
        ("evaluate --breadths 3,x --policy branching", 2, "one to three numbers"),
        ("train --particles 1", 2, "particles 1"),
        ("train --resume no-such-checkpoint", 2, "no-such-checkpoint: cannot be read"),
    ],
)
def test_bad_input_is_told_in_a_line(run: Run, arguments: str, code: int, message: str) -> None:
    done = run("tetris", *arguments.split(), *ON_CPU)
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not done.out


def test_train(run: Run, tmp_path: Path) -> None:
    arguments = (
        "train", "--particles", "6", "--games", "3", "--policy", "greedy", "--max-lines", "8", "--seed", "2",
        "--finals", "5", "--iterations", "3", "--checkpoint", str(tmp_path / "run"), "--out", str(tmp_path / "w.json"),
    )  # fmt: skip
    first = run_json(run, *arguments, "--plot", str(tmp_path / "p.png"), "--log", str(tmp_path / "log.csv"))
    assert (first["iterations"], first["done"]) == (3, True)
    weights = load_weights(str(tmp_path / "w.json"))
    assert list(weights.values) == first["weights"]
    assert "seed 2" in weights.about
    assert len((tmp_path / "log.csv").read_text().splitlines()) == 4
    assert (tmp_path / "p.png").exists()
    more = run_json(run, *arguments, "--resume", str(tmp_path / "run"), "--iterations", "4")
    assert more["iterations"] == 4
    refused = run("tetris", *arguments, "--resume", str(tmp_path / "run"), "--seed", "3", *ON_CPU)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "made with seed 2, not with 3" in refused.err
    assert run("tetris", *arguments, "--time-limit", "0", *ON_CPU).code == 3


def test_a_resumed_training_keeps_its_seed_and_its_file(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "run")
    arguments = (
        "train", "--particles", "6", "--games", "3", "--policy", "greedy", "--max-lines", "8", "--finals", "0",
        "--out", str(tmp_path / "w.json"),
    )  # fmt: skip
    run_json(run, *arguments, "--iterations", "2", "--seed", "8", "--checkpoint", file)
    more = run_json(run, *arguments, "--iterations", "4", "--resume", file)
    assert more["plan"]["seed"] == 8
    whole = run_json(run, *arguments, "--iterations", "4", "--seed", "8")
    assert more["weights"] == whole["weights"]
    again = run_json(run, *arguments, "--iterations", "4", "--resume", file)  # nothing is left to do
    assert again["weights"] == whole["weights"]
    assert settings_of(Path(file), KIND)["seed"] == 8


def test_what_cannot_be_written_costs_no_result(run: Run, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "no" / "file")
    done = run("tetris", "train", "--out", nowhere, *ON_CPU)  # before the training
    assert (done.code, done.out) == (2, "")
    assert f"--out {nowhere}: there is no folder" in done.err
    done = run("tetris", "evaluate", "--games", "2", "--max-lines", "4", "--csv", nowhere, *ON_CPU)  # after the result
    assert (done.code, "mean score" in done.out) == (2, True)
    assert f"--csv {nowhere}: cannot be written" in done.err
