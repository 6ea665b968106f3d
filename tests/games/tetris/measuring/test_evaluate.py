"""Evaluations: the statistics, the comparison on the same games, and runs that are stopped and resumed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.tetris.oracle import PUBLISHED
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, Exit
from gpusolve.games.tetris import Comparison, evaluate, play, suggest
from gpusolve.games.tetris.players.policy import PolicyName
from gpusolve.games.tetris.variant import Variant
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
CPU = open_backend("cpu")
ON_CPU = ("--device", "cpu", "--quiet")


def run_json(run: Run, *arguments: str) -> dict[str, Any]:
    done = run("tetris", *arguments, *ON_CPU, "--json")
    assert (done.code, done.err) == (0, "")
    output: dict[str, Any] = json.loads(done.out)
    return output


def test_evaluate(run: Run) -> None:
    output = run_json(run, "evaluate", "--count", "70", "--policy", "greedy", "--max-lines", "20", "--seed", "3")
    (side,) = output["players"]
    assert (side["name"], output["complete"], output["count"]) == ("learned", True, 70)
    played = evaluate(count=70, policy="greedy", variant=Variant(max_lines=20), seed=3, backend=CPU)
    assert side["score"]["mean"] == played.scores.mean()
    assert side["score"]["error"] == pytest.approx(played.scores.std(ddof=1) / 70**0.5)
    assert side["percentiles"]["50"] == np.median(played.scores)
    assert output["seed"] == 3
    text = run("tetris", "evaluate", "--count", "70", "--policy", "greedy", "--max-lines", "20", "--seed", "3", *ON_CPU)
    assert f"{played.scores.mean():,.0f} ± " in text.out


@pytest.mark.parametrize(
    ("policy", "reach", "delay", "name"),
    [
        ("greedy", "free", 0, "learned"),
        ("two-piece", "das", 0, "tournament-10hz"),
        ("branching", "30hz", 0, "learned"),
        ("two-piece", "30hz", 100, "learned"),
    ],
)
@pytest.mark.thorough
def test_the_default_player_is_the_best_shipped_one(policy: PolicyName, reach: str, delay: int, name: str) -> None:
    variant = Variant(reach, max_lines=1, delay_ms=delay)
    breadths = (1,) if policy == "branching" else None
    assert evaluate(count=1, policy=policy, breadths=breadths, variant=variant, seed=1, backend=CPU).player.name == name
    assert play(policy=policy, breadths=breadths, variant=variant, seed=1, backend=CPU).player == name
    if not delay:
        following = None if policy == "greedy" else "T"
        board = "#........./##......##"
        ranked = suggest(board, "T", following, variant=variant, backend=CPU)
        assert ranked == suggest(board, "T", following, player=name, variant=variant, backend=CPU)
        assert ranked.player == name


def test_compare_plays_the_same_games(run: Run, tmp_path: Path) -> None:
    output = run_json(
        run, "evaluate", "published", "--compare", "published", "--count", "9", "--policy", "greedy",
        "--max-lines", "8", "--seed", "3", "--csv", str(tmp_path / "games.csv"),
    )  # fmt: skip
    assert output["difference"] == {"mean": 0.0, "error": 0.0, "confidence": 0.99, "interval": [0.0, 0.0]}
    lines = (tmp_path / "games.csv").read_text().splitlines()
    assert lines[0] == "player,game,score,lines,pieces,tetrises"
    assert len(lines) == 19
    assert lines[1:10] == lines[10:]


def test_the_interval_is_computed_from_paired_differences() -> None:
    variant = Variant(max_lines=20)
    bad = [-w for w in PUBLISHED]
    first = evaluate("published", compare=bad, count=20, policy="greedy", variant=variant, seed=1, backend=CPU)
    alone = evaluate(bad, count=20, policy="greedy", variant=variant, seed=1, backend=CPU)
    compared = first.comparison
    assert compared is not None
    assert np.array_equal(compared.second.scores, alone.scores)
    differences = alone.scores.astype(float) - first.scores
    error = differences.std(ddof=1) / 20**0.5
    low, high = compared.interval
    assert (low + high) / 2 == pytest.approx(differences.mean())
    assert (high - low) / 2 == pytest.approx(2.575829 * error)
    assert high < 0


COMPARED: dict[str, Any] = {"compare": [-w for w in PUBLISHED], "policy": "greedy", "variant": Variant(max_lines=8)}


@pytest.mark.parametrize(
    "changes",
    [COMPARED, {"player": "two-piece", "policy": "branching", "breadths": (2,), "variant": Variant(max_lines=2)}],
)
def test_a_resumed_evaluation_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    monkeypatch.setattr("gpusolve.games.tetris.players.turns.BYTES_PER_GAME", 1 << 20)
    monkeypatch.setattr("gpusolve.games.tetris.players.weights.BYTES_PER_BOARD", 1 << 20)
    whole = evaluate(count=30, seed=6, backend=CPU, **changes)
    stopped = evaluate(count=30, seed=6, time_limit=0, checkpoint=tmp_path / "run", backend=CPU, **changes)
    assert (whole.complete, stopped.complete, len(stopped.scores)) == (True, False, 8)
    assert np.array_equal(stopped.scores, whole.scores[:8])

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(count=30, resume=tmp_path / "run", progress=interrupt, backend=CPU, **changes)
    resumed = evaluate(count=30, resume=tmp_path / "run", backend=CPU, **changes)
    assert (resumed.complete, resumed.seed) == (True, 6)
    fewer = evaluate(count=11, resume=tmp_path / "run", backend=CPU, **changes)  # nothing is left to do
    for evaluation, games in ((resumed, 30), (fewer, 11)):
        assert np.array_equal(evaluation.scores, whole.scores[:games])
        assert (evaluation.comparison is None) == (whole.comparison is None)
        if evaluation.comparison is not None and whole.comparison is not None:
            assert np.array_equal(evaluation.comparison.second.scores, whole.comparison.second.scores[:games])
    for other in ({"seed": 7}, {"player": "30hz"}, {"variant": Variant(max_lines=9)}):
        with pytest.raises(BadInput, match="made with"):
            evaluate(**{"count": 30, "resume": tmp_path / "run", "backend": CPU, **changes, **other})


def test_a_stopped_evaluation_shows_its_results_so_far(run: Run, tmp_path: Path) -> None:
    arguments = ("--count", "5000000", "--policy", "greedy", "--max-lines", "2", "--time-limit", "0", "--seed", "3")
    done = run("tetris", "evaluate", *arguments, "--json", *ON_CPU)
    output = json.loads(done.out)
    assert (done.code, output["complete"]) == (Exit.STOPPED, False)
    assert 0 < output["count"] < 5_000_000
    text = run("tetris", "evaluate", *arguments, *ON_CPU).out
    assert text.startswith(f"{output['count']:,} of 5,000,000 games, greedy")


def test_a_single_game_has_no_standard_error(run: Run) -> None:
    output = run_json(run, "evaluate", "--count", "1", "--compare", "30hz", "--max-lines", "2", "--policy", "greedy")
    assert output["players"][0]["score"]["error"] is None
    assert output["difference"]["interval"] is None
    text = run("tetris", "evaluate", "--count", "1", "--compare", "30hz", "--max-lines", "2", *ON_CPU).out
    assert "nan" not in text


def test_the_size_of_a_batch_changes_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    variant = Variant(max_lines=4)
    whole = evaluate("published", count=20, policy="greedy", variant=variant, seed=1, backend=CPU)
    monkeypatch.setattr("gpusolve.games.tetris.players.turns.BYTES_PER_GAME", 3 << 20)
    cut = evaluate("published", count=20, policy="greedy", variant=variant, seed=1, progress=seen.append, backend=CPU)
    assert seen == [5, 10, 15, 20]
    assert np.array_equal(whole.scores, cut.scores)


def test_branching_can_be_evaluated(run: Run) -> None:
    output = run_json(
        run, "evaluate", "--count", "2", "--policy", "branching", "--breadths", "2,2", "--max-lines", "4", "--seed", "1"
    )
    assert output["breadths"] == [2, 2]


def test_only_evaluations_of_the_same_games_are_compared() -> None:
    short = Variant(max_lines=2)
    first, more, other = (
        evaluate("published", count=games, seed=seed, policy="greedy", variant=short, backend=open_backend("cpu"))
        for games, seed in ((2, 1), (3, 1), (2, 5))
    )
    for second, message in ((more, "2 games of seed 1 and 3 games of seed 1"), (other, "and 2 games of seed 5")):
        with pytest.raises(BadInput, match=f"comparison of .*{message}: expected the same games"):
            Comparison(first, second)
    assert Comparison(first, first).difference.mean == 0
