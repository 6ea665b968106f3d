"""Strategies as files: read as they were written, in the form of other solvers, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.wordle.analysis.small_game import ANSWERS
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, play, rules, solve, verify
from gpusolve.games.wordle.analysis.strategies import reply_of
from gpusolve.games.wordle.analysis.trees import _digest, save_tree

CPU = open_backend("cpu")
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


def test_a_tree_is_read_as_it_was_written(tree: Path) -> None:
    verified, solution = verify(tree, answers=ANSWERS), solve([], Variant.load(answers=ANSWERS), backend=CPU)

    assert verified.total == solution.total
    assert [verified.turns[word] for word in solution.answers] == solution.turns.tolist()
    assert set(verified.worst) == {word for word, turns in verified.turns.items() if turns == solution.worst}


def test_the_nested_form_of_other_solvers(tmp_path: Path) -> None:
    path = tmp_path / "tree.js"
    path.write_text(f"export default {json.dumps(NESTED)};")
    verified = verify(path, answers=["abbot", "abort", "about", "adapt", "craft"])
    assert verified.turns == {"abbot": 3, "abort": 2, "about": 2, "adapt": 2, "craft": 1}
    with pytest.raises(BadInput, match="no reply to craft:"):
        verify(path, answers=ANSWERS)
    path.write_text(json.dumps(NESTED | {"mode": "hard"}))
    assert verify(path, answers=["abort", "adapt"]).variant.mode == "hard"
    assert verify(path, answers=["abort", "adapt"], mode="easy").variant.mode == "easy"
    with pytest.raises(BadInput, match="a strategy for hard mode: expected ultra-hard"):
        play("adapt", Variant.load(mode="ultra-hard"), strategy=path, backend=CPU)
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
        (lambda text: '{"guess": "craft", "map": {"-----": ' + "1" * 5000 + "}}", "not JSON: .*digits"),
        (lambda text: '{"guess": "craft", "guess": "about"}', "an object has the name 'guess' twice"),
        (lambda text: '{"guess": "craft", "map": {"--y-g": "abbot", "00102": "about"}}', "two replies to craft:--y-g"),
        (lambda text: '{"scoring": "x", "guess": "craft"}', "scoring x: expected one of wordle, presence"),
        (lambda text: '{"mode": "x", "guess": "craft"}', "mode x: expected one of easy, hard, ultra-hard"),
        (lambda text: "craft", "expected a tree file, nested JSON or lines such as"),
        (lambda text: '"craft"', "no reply to craft:"),
        (lambda text: '"zzzzz"', "'zzzzz' is not among the 12,972 guesses"),
    ],
)
def test_damaged_and_wrong_files_are_refused(tree: Path, edit: Callable[[str], str], message: str) -> None:
    tree.write_text(edit(tree.read_text()))
    with pytest.raises(BadInput, match=message):
        verify(tree, answers=ANSWERS)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("mode", "medium", "mode medium: expected one of easy, hard, ultra-hard"),
        ("total", "27", "total 27: expected a whole number"),
        ("answers", [8], r"answers \[8\]: expected an object"),
        ("guesses", {"words": 8}, "guesses: it has no sha256"),
        ("history", "salet", "history salet: expected a list"),
        ("history", [["craft", []]], r"history: craft: pattern \[\]: expected a whole number"),
        ("history", [[{}, 1]], "history: word: expected a string, not dict"),
        ("tree", 5, "5: expected a word"),
        ("tree", {"guess": ["craft"]}, r"guess \['craft'\]: expected text"),
        ("scoring", {}, "scoring {}: expected one of wordle, presence"),
        ("history", [5], "history: turn 5: expected a guess and its pattern"),
        ("guess_hidden_only", 1, "guess_hidden_only 1: expected true or false"),
    ],
)
def test_fields_of_a_wrong_type_are_refused(tree: Path, field: str, value: Any, message: str) -> None:
    content = json.loads(tree.read_text()) | {field: value}
    del content["sha256"]
    tree.write_text(json.dumps(content | {"sha256": _digest(content)}))
    with pytest.raises(BadInput, match=f"tree .*: {message}"):
        verify(tree, answers=ANSWERS)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"mode": "hard"}, "a strategy for easy mode: expected hard"),
        ({"scoring": "presence"}, "a strategy for scoring wordle: expected presence"),
        ({"guess_hidden_only": True}, "expected one that guesses only answers that remain"),
    ],
)
def test_a_strategy_for_freer_rules_does_not_play(tree: Path, rules: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        play("craft", Variant.load(answers=ANSWERS, **rules), strategy=tree, backend=CPU)


def test_a_strategy_for_stricter_rules_plays(tmp_path: Path) -> None:
    path, variant = tmp_path / "tree.json", Variant.load(answers=ANSWERS, mode="ultra-hard")
    solution = solve([], variant, backend=CPU)
    save_tree(path, reply_of(solution.tree, variant.guesses), variant, total=solution.total)
    for mode in rules.MODES:
        turns = play("craft", Variant.load(answers=ANSWERS, mode=mode), strategy=path, backend=CPU)
        assert turns[-1].guess == "craft"


def test_a_tree_for_other_words_is_refused(tree: Path) -> None:
    with pytest.raises(BadInput, match=r"made for 8 answers \(SHA-256 .*\), not for these 2,315 \(SHA-256 "):
        verify(tree)
    with pytest.raises(BadInput, match=r"made for 8 answers \(SHA-256 .*\), not for these 2,315 \(SHA-256 "):
        play("crane", strategy=tree, backend=CPU)
    with pytest.raises(BadInput, match="the strategy begins with"):
        play("craft", Variant.load(answers=ANSWERS), first="zoppa", strategy=tree, backend=CPU)
