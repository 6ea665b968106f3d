"""Judged games, explanations and suggestions with weights, and words that no list has."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from games.wordle.analysis.small_game import WORDS
from games.wordle.oracle import Oracle
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, analyze, explain, play, rules, solve, suggest
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu")
WEIGHTS = {word: (i * i) % 17 + 1 for i, word in enumerate(WORDS)}
VARIANT = Variant.load(WORDS, weights=WEIGHTS)
ORACLE = Oracle(WORDS, weights=WEIGHTS)


def mean(words: list[str], first: str | None = None) -> float:
    return ORACLE.total(words, first=first) / sum(WEIGHTS[word] for word in words)


def test_costs_are_those_of_trying_everything() -> None:
    game = analyze(["abort", "giant", "craft", "grant"], VARIANT, backend=CPU)
    left = WORDS
    for move in game.moves:
        assert (move.remaining, move.exact) == (len(left), True)
        assert move.cost == mean(left, move.guess)
        assert move.best_cost == mean(left) == mean(left, move.best)
        cells: dict[int, list[str]] = {}
        for word in left:
            cells.setdefault(rules.pattern(move.guess, word), []).append(word)
        solved = cells.pop(rules.SOLVED, [])
        masses = sum(sum(WEIGHTS[word] for word in cell) * len(cell) for cell in cells.values())
        assert move.mean_left == pytest.approx(masses / sum(WEIGHTS[word] for word in left))
        left = solved if move.solved else cells[move.pattern]
    assert game.solved
    assert game.moves[0].best_cost + game.lost - game.saved == pytest.approx(4)


def test_all_functions_agree_on_the_best_guess_and_its_total() -> None:
    solution = solve([], VARIANT, backend=CPU)
    explanation, table = explain([], VARIANT, backend=CPU), suggest([], VARIANT, backend=CPU)
    best = ORACLE.total(WORDS)
    assert (solution.total, explanation.total, min(table.totals.values())) == (best, best, best)
    assert solution.weight == explanation.weight == table.weight == sum(WEIGHTS.values())
    assert explanation.best[table.best] == best
    assert play(WORDS[0], VARIANT, backend=CPU)[0].guess in explanation.best
    assert sum(cell.weight for cell in explanation.cells) in (
        explanation.weight,
        explanation.weight - WEIGHTS.get(explanation.guess, 0),
    )


def test_the_worst_case_does_not_depend_on_weights() -> None:
    plain, weighted = (
        solve([], variant, objective="worst", first=["giant", "craft", "abort"], backend=CPU)
        for variant in (Variant.load(WORDS, WORDS), VARIANT)
    )
    assert plain.worst == weighted.worst
    assert {start.guess for start in plain.starts} == {start.guess for start in weighted.starts}  # in another order
    both = solve([], VARIANT, objective="worst-mean", backend=CPU)
    assert both.worst == plain.worst
    assert both.total == ORACLE.total(WORDS, within=plain.worst)


def test_answers_that_are_not_listed_keep_a_small_chance() -> None:
    """With weights, a good first guess is not judged by the words that are never answers."""
    listed = [word for word in WORDS if word != "grant"]
    variant = Variant.load(WORDS, weights={word: WEIGHTS[word] for word in listed})
    game = analyze(["abort", "giant", "craft", "grant"], variant, backend=CPU)
    assert game.widened
    assert game.variant.weights is not None
    assert game.variant.weights.unlisted == 1
    plain = analyze(["abort", "giant", "craft", "grant"], Variant.load(WORDS, listed), backend=CPU)
    assert game.moves[0].best_cost == pytest.approx(solve([], variant, backend=CPU).mean, abs=0.05)
    assert abs(plain.moves[0].best_cost - game.moves[0].best_cost) > 0.05


def test_the_answers_of_weight_zero_that_remain_count_alike() -> None:
    variant = Variant.load(WORDS, weights=dict.fromkeys(WORDS, 0) | {"abort": 1})
    table = suggest([("giant", rules.pattern("giant", "craft"))], variant, backend=CPU)
    assert table.weight == len(table.answers) > 1


def test_the_output_names_the_list_that_judged(run: Callable[..., Done], tmp_path: Path) -> None:
    words, file, page, tree = (str(tmp_path / name) for name in ("words", "list.tsv", "page.html", "tree"))
    Path(words).write_text("\n".join([*WORDS, "zincy"]), encoding="utf-8")
    Path(file).write_text("".join(f"{word}\t{weight}\n" for word, weight in WEIGHTS.items()), encoding="utf-8")
    lists = ("--guesses", words, "--weights", file)
    done = run("wordle", "analyze", "abort", "giant", "zincy", *lists, "--html", page, "--json", "-q")
    fields = json.loads(done.out)
    assert (fields["widened"], fields["weight_list"], fields["exact_weights"]) == (True, file, True)
    assert (fields["answers"], fields["answer_list"]) == (11, words)
    assert "with weights (list.tsv); 1 word in no list: one percent" in Path(page).read_text("utf-8")
    assert "in no list: one percent" in run("wordle", "analyze", "abort", "giant", "zincy", *lists).out
    rows = json.loads(run("wordle", "suggest", "giant:--y-g", *lists, "--json", "-q").out)
    assert (rows["answer_list"], rows["weight_list"], rows["widened"]) == (file, file, False)
    assert rows["weight"] == sum(WEIGHTS[word] for word in rows["remaining"])
    solved = json.loads(run("wordle", "solve", *lists, "--out", tree, "-q", "--json").out)
    assert (solved["weight"], solved["won"]) == (sum(WEIGHTS.values()), 1)
    assert solved["total"] == ORACLE.total(WORDS)
    Path(words).write_text("\n".join(WORDS), encoding="utf-8")
    assert run("wordle", "verify", tree, "--guesses", words, "--answers", words).code == 2  # other words may be guessed
    assert run("wordle", "solve", "--guesses", words, "--weights", file, "--out", tree, "-q").code == 0
    assert run("wordle", "verify", tree, "--guesses", words, "--answers", words).code == 0


def test_a_checkpoint_is_for_its_weights(tmp_path: Path) -> None:
    file, best = tmp_path / "run", ORACLE.total(WORDS)
    assert solve([], VARIANT, first="abort", checkpoint=file, backend=CPU).total >= best
    assert solve([], VARIANT, first="abort", resume=file, backend=CPU).total >= best
    for other in (Variant.load(WORDS, weights=dict.fromkeys(WORDS, 1)), Variant.load(WORDS, WORDS)):
        with pytest.raises(BadInput, match="weights"):
            solve([], other, first="abort", resume=file, backend=CPU)
    first_words = solve([], VARIANT, first="all", top=3, checkpoint=file, backend=CPU)
    assert solve([], VARIANT, first="all", top=3, resume=file, backend=CPU).starts == first_words.starts
    assert [start.value for start in first_words.starts] == sorted(ORACLE.total(WORDS, first=w) for w in WORDS)[:3]


def test_rounded_weights_are_noted(run: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "list.tsv"
    file.write_text("abort 1e12\nabout 1\n", encoding="utf-8")
    arguments = ("wordle", "suggest", "--weights", str(file))
    assert "they were rounded to a sum of 2^30" in run(*arguments).err
    assert json.loads(run(*arguments, "--json").out)["exact_weights"] is False
