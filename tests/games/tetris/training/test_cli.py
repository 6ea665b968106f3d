"""`gpusolve tetris train` and `train-value` as a user sees them."""

from __future__ import annotations

from pathlib import Path

from games.tetris.test_cli import ON_CPU, Run, run_json
from gpusolve.errors import Exit
from gpusolve.games.tetris import load_value, save_value
from gpusolve.games.tetris.players.value import base_of
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules.losses import SIZE
from gpusolve.games.tetris.training._train import KIND
from gpusolve.runs import checkpoint


def test_train(run: Run, tmp_path: Path) -> None:
    arguments = (
        "train", "--particles", "6", "--games", "3", "--policy", "greedy", "--max-lines", "8", "--seed", "2",
        "--finals", "5", "--iterations", "3", "--checkpoint", str(tmp_path / "run"), "--out", str(tmp_path / "w.json"),
    )  # fmt: skip
    first = run_json(run, *arguments, "--plot", str(tmp_path / "p.png"), "--log", str(tmp_path / "log.csv"))
    assert (first["iterations"], first["complete"]) == (3, True)
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
    stopped = run("tetris", *arguments, "--time-limit", "0", "--finals", "5", *ON_CPU)
    assert stopped.code == Exit.STOPPED
    assert "on the games of the training" in stopped.out  # there was no time for finals


def test_a_resumed_training_keeps_its_seed_and_its_file(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "run")
    arguments = (
        "train", "--particles", "6", "--games", "3", "--policy", "greedy", "--max-lines", "8", "--finals", "0",
        "--out", str(tmp_path / "w.json"),
    )  # fmt: skip
    run_json(run, *arguments, "--iterations", "2", "--seed", "8", "--checkpoint", file)
    more = run_json(run, *arguments, "--iterations", "4", "--resume", file)
    assert more["seed"] == 8
    whole = run_json(run, *arguments, "--iterations", "4", "--seed", "8")
    assert more["weights"] == whole["weights"]
    again = run_json(run, *arguments, "--iterations", "4", "--resume", file)  # nothing is left to do
    assert again["weights"] == whole["weights"]
    assert checkpoint.load(Path(file), KIND)[0].values["seed"] == 8


def test_train_value(run: Run, tmp_path: Path) -> None:
    arguments = (
        "train-value", "--iterations", "2", "--games", "4", "--opening", "0.5", "--max-lines", "8", "--seed", "2",
        "--checkpoint", str(tmp_path / "run"), "--out", str(tmp_path / "mine.value"),
    )  # fmt: skip
    first = run_json(run, *arguments, "--plot", str(tmp_path / "p.png"), "--log", str(tmp_path / "log.csv"))
    assert (first["iterations"], first["complete"], first["seed"]) == (2, True, 2)
    value = load_value(tmp_path / "mine.value")
    assert value.name == "mine"
    assert "seed 2" in value.about
    assert len((tmp_path / "log.csv").read_text().splitlines()) == 3
    assert (tmp_path / "p.png").exists()
    played = run_json(run, "evaluate", str(tmp_path / "mine.value"), "--count", "2", "--max-lines", "4", "--seed", "1")
    assert played["players"][0]["name"] == "mine"
    assert run("tetris", *arguments, "--time-limit", "0", *ON_CPU).code == Exit.STOPPED


def test_a_value_is_written_as_what_differs_from_its_start(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "small.value"
    rules = ("--hz", "30", "--start-level", "29", "--max-lines", "6")
    arguments = ("train-value", "--iterations", "2", "--games", "4", *rules, "--seed", "2", "--changes-only")
    run_json(run, *arguments, "--init", "tournament-30hz", "--out", str(file))
    assert file.stat().st_size < 100_000
    assert len(load_value(file).tables) == 2 * SIZE
    again = tmp_path / "again.value"
    run_json(run, *arguments, "--init", str(file), "--out", str(again))
    assert again.stat().st_size < 100_000
    assert base_of(again) == base_of(file) == "tournament-30hz"
    whole = tmp_path / "whole.value"
    save_value(whole, load_value(file))
    for init in ((), ("--init", str(whole))):
        refused = run("tetris", *arguments, *init, "--out", str(tmp_path / "none.value"), *ON_CPU)
        assert (refused.code, "expected --init with a value that comes with" in refused.err) == (2, True)
    refused = run("tetris", *arguments, "--init", "published", "--out", str(tmp_path / "none.value"), *ON_CPU)
    assert (refused.code, "value published: no such file" in refused.err) == (2, True)
