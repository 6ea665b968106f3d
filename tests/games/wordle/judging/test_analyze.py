"""Judged games: compared with trying everything."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from games.wordle.judging.small_game import VARIANT, WORDS, least_total
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, analyze, explain, rules, suggest
from gpusolve.games.wordle.judging.proven import Proven, proven_totals
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu")


def test_costs_are_those_of_trying_everything() -> None:
    game = analyze(["abort", "giant", "craft", "grant"], VARIANT, backend=CPU)
    left = WORDS
    for move in game.moves:
        assert (move.remaining, move.exact) == (len(left), True)
        assert move.cost == least_total(left, move.guess) / len(left)
        assert move.best_cost == least_total(left) / len(left) == least_total(left, move.best) / len(left)
        left = [word for word in left if rules.pattern(move.guess, word) == move.pattern]
        after = 0 if move.pattern == rules.SOLVED else least_total(left) / len(left)
        assert move.luck == pytest.approx(move.cost - 1 - after)
    assert game.solved
    assert game.moves[0].best_cost + game.lost - game.luck == pytest.approx(4)


def test_equally_good_guesses_lose_nothing() -> None:
    for guess in explain(["salet:-y--g"], backend=CPU).best:
        turn = f"{guess}:{rules.pattern_text(rules.pattern(guess, 'craft'))}"
        move = analyze(["salet:-y--g", turn], answer="craft").moves[1]
        assert (move.lost, move.best, move.skill) == (0, guess, 100)


def test_first_guesses_cost_what_is_proven() -> None:
    crane, salet = (analyze([word, "badly"], backend=CPU).moves[0] for word in ("crane", "salet"))
    assert (crane.cost, crane.best_cost, crane.best, crane.exact) == (7930 / 2315, 7920 / 2315, "salet", True)
    assert (salet.lost, salet.best, salet.exact) == (0, "salet", True)
    other = analyze(["raise", "badly"], backend=CPU).moves[0]
    assert (other.best_cost, other.exact, other.cost > 7950 / 2315) == (7920 / 2315, False, True)
    hard = analyze(["salet", "badly"], Variant.load(mode="hard"), backend=CPU).moves[0]
    assert (hard.cost, hard.exact) == (8122 / 2315, False)


def test_the_proven_totals_are_those_of_the_report() -> None:
    report = (Path(__file__).parents[4] / "benchmarks" / "results" / "wordle-exact.md").read_text()
    rows = {
        word: int(total.replace(",", "")) for word, total in re.findall(r"\| (\w{5}) \| ([\d,]+) \| [\d.]+ \|", report)
    }
    proven = proven_totals(Variant.load())
    assert (proven.totals, len(rows), proven.all_compared) == (rows, 10, True)
    assert proven_totals(Variant.load(mode="hard")) == Proven({"salet": 8122}, False)
    assert proven_totals(Variant.load(answers="wordle-2022-02-answers")).totals == {"salet": 7897}
    for variant in (Variant.load(scoring="presence"), Variant.load(guess_hidden_only=True), VARIANT):
        assert proven_totals(variant) == Proven()


def test_a_game_whose_answer_is_not_known() -> None:
    game = analyze(["crane:-y---", "moist:----g"], backend=CPU)
    assert (game.answer, game.solved, game.moves[1].best_left) == (None, False, None)


def test_a_game_beyond_the_listed_answers() -> None:
    table = suggest(["qajaq:ggggg"], backend=CPU)
    assert (table.widened, table.answers[:]) == (True, ["qajaq"])
    game = analyze(["crane", "salet", "aahed"], backend=CPU)
    assert (game.widened, game.solved, game.answer) == (True, True, "aahed")


@pytest.mark.parametrize(
    ("words", "answer", "message"),
    [
        ([], None, "no guesses"),
        (["zzzzz", "crane"], None, "guess 'zzzzz': not among the 12,972 guesses"),
        (["crane"], "zzzzz", "answer 'zzzzz': not among the 12,972 guesses"),
        (["crane", "zzzzz"], None, "answer 'zzzzz': not among the 12,972 guesses"),
        (["crane", "salet:-----"], None, "'crane': expected its pattern as well, or the answer"),
        (["crane:ggggg", "salet:-----"], None, "has solved the game"),
        (["salet:ggggg"], "crane", "'salet:ggggg': not the pattern that this guess gets when crane is hidden"),
        (["salet:ggggy"], None, "contradicts itself"),
    ],
)
def test_games_that_are_refused(words: list[str], answer: str | None, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        analyze(words, answer=answer, backend=CPU)


def test_the_command_prints_a_summary_and_writes_a_page(
    run: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu")
    page = tmp_path / "game.html"
    done = run("wordle", "analyze", "salet:-y--g", "draft", "chart", "--html", str(page))
    assert "solved in 3: skill" in done.out
    text = page.read_text()
    assert text.count("<tr><th>") == 1 + 3
    assert "{{" not in text
    output = json.loads(run("wordle", "analyze", "salet:-y--g", "draft", "chart", "--json").out)
    assert [move["guess"] for move in output["moves"]] == ["salet", "draft", "chart"]
    assert output["moves"][1]["best_cost"] == 2.25
