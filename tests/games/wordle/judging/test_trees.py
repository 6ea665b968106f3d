"""Strategies as files: written, read, verified and refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Solution, Variant, play, solve, verify
from gpusolve.games.wordle.judging.trees import read_tree, reply_of, save_tree, tree_text
from gpusolve.games.wordle.rules import Mode
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu")
WORDS = ["abbot", "abort", "about", "adapt", "craft", "draft", "giant", "trait"]
NESTED = {
    "guess": "craft",
    "map": {
        "00102": {"guess": "about", "map": {"22222": "about", "22102": "abbot"}},
        "-yy-g": "abort",
        "--g-g": "adapt",
        "22222": "craft",
        "-gggg": "draft",
    },
}


def save(path: Path, solution: Solution, variant: Variant) -> Path:
    save_tree(path, reply_of(solution.tree, variant.guesses), variant, total=solution.total)
    return path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a file with the best strategy for a few words."""
    variant = Variant.load(answers=WORDS)
    return save(tmp_path / "tree.json", solve([], variant, backend=CPU), variant)


def test_a_tree_is_read_as_it_was_written(tree: Path) -> None:
    verified, solution = verify(tree, answers=WORDS), solve([], Variant.load(answers=WORDS), backend=CPU)

    assert verified.total == solution.total
    assert [verified.turns[word] for word in solution.answers] == solution.turns.tolist()
    assert set(verified.worst) == {word for word, turns in verified.turns.items() if turns == solution.worst}


@pytest.mark.parametrize("mode", ["easy", "hard", "ultra-hard"])
def test_a_strategy_for_the_whole_game_is_verified_and_played(tmp_path: Path, mode: Mode) -> None:
    variant = Variant.load(mode=mode)
    solution = solve([], variant, within=20, start="salet", width=2, backend=CPU)
    path = save(tmp_path / "tree.json", solution, variant)
    assert path.stat().st_size < 80_000
    verified = verify(path)
    assert (verified.variant.mode, verified.total) == (mode, solution.total)
    game = play("crane", variant, strategy=path, backend=CPU)
    assert (game[0].guess, len(game)) == ("salet", verified.turns["crane"])


def test_the_nested_form_of_other_solvers(tmp_path: Path) -> None:
    path = tmp_path / "tree.js"
    path.write_text(f"export default {json.dumps(NESTED)};")
    verified = verify(path, answers=["abbot", "abort", "about", "adapt", "craft"])
    assert verified.turns == {"abbot": 3, "abort": 2, "about": 2, "adapt": 2, "craft": 1}
    with pytest.raises(BadInput, match="no reply to craft:"):
        verify(path, answers=WORDS)
    again = {"guess": "craft", "map": {"--y-g": {"guess": "craft", "map": {"--y-g": "abbot"}}}}
    path.write_text(json.dumps(again))
    assert verify(path, answers=["abbot"]).turns == {"abbot": 3}
    with pytest.raises(BadInput, match="after craft:--y-g: 'craft' is not allowed in ultra-hard mode"):
        verify(path, answers=["abbot"], mode="ultra-hard")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda text: text[:-40], "cut, or not a tree: not JSON"),
        (lambda text: text.replace('"mode":"easy"', '"mode":"hard"'), "edited or damaged"),
        (lambda text: text.replace("tree/1", "tree/9"), "of another version of gpusolve"),
        (lambda text: "{}", "expected a word, or an object with 'guess' and 'map'"),
        (lambda text: '{"guess": "craft", "map": {"-----": 5}}', "expected a word"),
        (lambda text: '{"guess": "craft", "map": {"--": "about"}}', "is not a pattern"),
        (lambda text: '{"guess": "craft", "map": []}', "map \\[\\]: expected an object"),
        (lambda text: '{"guess": 5}', "guess 5: expected text"),
        (lambda text: "[" * 100_000, "nested too deep"),
        (lambda text: "craft", "not JSON"),
        (lambda text: '"craft"', "no reply to craft:"),
        (lambda text: '"zzzzz"', "'zzzzz' is not among the 12,972 guesses"),
    ],
)
def test_damaged_and_wrong_files_are_refused(tree: Path, edit: Callable[[str], str], message: str) -> None:
    tree.write_text(edit(tree.read_text()))
    with pytest.raises(BadInput, match=message):
        verify(tree, answers=WORDS)


def test_a_tree_for_other_words_is_refused(tree: Path) -> None:
    with pytest.raises(BadInput, match=r"made for 8 answers \(SHA-256 .*\), not for these 2,315 \(SHA-256 "):
        verify(tree)
    with pytest.raises(BadInput, match=r"made for 8 answers \(SHA-256 .*\), not for these 2,315 \(SHA-256 "):
        play("crane", strategy=tree, backend=CPU)
    with pytest.raises(BadInput, match="the strategy begins with"):
        play("craft", Variant.load(answers=WORDS), first="zoppa", strategy=tree, backend=CPU)


def test_a_tree_that_claims_another_total_is_refused(tree: Path) -> None:
    variant = Variant.load(answers=WORDS)
    file = read_tree(tree)
    assert file.claims is not None
    tree.write_text(tree_text(file.tree, variant, total=file.claims.total - 1))
    with pytest.raises(BadInput, match="guesses over all answers, but it takes"):
        verify(tree, answers=WORDS)


def test_solve_writes_what_verify_reads(run: Callable[..., Done], tmp_path: Path) -> None:
    path = str(tmp_path / "tree.json")
    solved = json.loads(run("wordle", "solve", "salet:-y--g", "--out", path, "--json", "--device", "cpu").out)
    verified = json.loads(run("wordle", "verify", path, "--json").out)
    assert (verified["total"], verified["answers"]) == (solved["total"], 20) == (45, 20)
    assert f"{solved['guess']} finds all 20 answers in 45 guesses" in run("wordle", "verify", path).out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "mode", "worst"), [("aargh", "easy", 6), ("peats", "easy", 6), ("brain-hard", "hard", 8)]
)
def test_recorded_strategies(name: str, mode: Mode, worst: int) -> None:
    """Strategies for all 12,972 words as answers, on which published lists disagree, or that took long to compute."""
    file = Path(__file__).parents[4] / "benchmarks" / "results" / f"wordle-{name}.json"
    verified = verify(file, answers="wordle-guesses")
    assert (len(verified.turns), max(verified.turns.values())) == (12_972, worst)
    assert (verified.guess, verified.variant.mode) == (name.partition("-")[0], mode)
