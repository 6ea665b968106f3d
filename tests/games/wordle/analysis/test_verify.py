"""Strategies played against every answer by the rules alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from games.wordle.analysis.small_game import ANSWERS, save_solution
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, Verified, play, solve, verify
from gpusolve.games.wordle.analysis.strategies import reply_of
from gpusolve.games.wordle.analysis.trees import read_tree, tree_text
from gpusolve.games.wordle.rules import Mode
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu")


@pytest.mark.parametrize("mode", ["easy", "hard", "ultra-hard"])
def test_a_strategy_for_the_whole_game_is_verified_and_played(tmp_path: Path, mode: Mode) -> None:
    variant = Variant.load(mode=mode)
    solution = solve([], variant, max_guesses=20, first="salet", width=2, backend=CPU)
    path = save_solution(tmp_path / "tree.json", solution, variant)
    assert path.stat().st_size < 80_000
    verified = verify(path)
    assert (verified.variant.mode, verified.total) == (mode, solution.total)
    game = play("crane", variant, strategy=path, backend=CPU)
    assert (game[0].guess, len(game)) == ("salet", verified.turns["crane"])


def test_a_tree_that_claims_another_total_is_refused(tree: Path) -> None:
    variant = Variant.load(answers=ANSWERS)
    file = read_tree(tree)
    assert file.claims is not None
    tree.write_text(tree_text(file.tree, variant, total=file.claims.total - 1))
    with pytest.raises(BadInput, match="guesses over all answers, but it takes"):
        verify(tree, answers=ANSWERS)


def test_solve_writes_what_verify_reads(run: Callable[..., Done], tmp_path: Path) -> None:
    path = str(tmp_path / "tree.json")
    solved = json.loads(run("wordle", "solve", "salet:-y--g", "--out", path, "--json", "--device", "cpu").out)
    verified = json.loads(run("wordle", "verify", path, "--json").out)
    assert (verified["total"], verified["answers"]) == (solved["total"], 20) == (45, 20)
    assert f"{solved['guess']} finds all 20 answers in 45 guesses" in run("wordle", "verify", path).out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "mode", "worst"),
    [("aargh", "easy", 6), ("peats", "easy", 6), ("brain-hard", "hard", 8), ("chomp-hard", "hard", 7)],
)
def test_recorded_strategies(name: str, mode: Mode, worst: int) -> None:
    """Strategies for all 12,972 words as answers, on which published lists disagree, or that took long to compute."""
    file = Path(__file__).parents[4] / "benchmarks" / "results" / f"wordle-{name}.json"
    verified = verify(file, answers="wordle-guesses")
    assert (len(verified.turns), max(verified.turns.values())) == (12_972, worst)
    assert (verified.guess, verified.variant.mode) == (name.partition("-")[0], mode)


def test_the_text_of_a_strategy_is_short() -> None:
    solution = solve(first="salet", width=1, backend=CPU)
    reply = reply_of(solution.tree, solution.guesses)
    verified = Verified("salet", Variant.load(), dict.fromkeys(solution.answers, 2))
    assert repr(solution.tree) == f"<Tree: guess {solution.tree.guess}, 148 cells>"
    assert (repr(reply), repr(verified)) == (
        "<Reply: salet, 148 replies>",
        "<Verified: salet, 2,315 answers in 4,630 guesses>",
    )
