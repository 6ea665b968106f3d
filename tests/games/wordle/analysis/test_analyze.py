"""Judged games: compared with trying everything."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from games.wordle.analysis.small_game import VARIANT, WORDS, least_total
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, analyze, explain, rules, suggest
from gpusolve.games.wordle.analysis.openings import Openings, known_openings
from gpusolve.games.wordle.weights.chances import size_of
from gpusolve.testing.plugin import Done
from gpusolve.wordlists import load_words

CPU = open_backend("cpu")
LIST = "--answers", "wordle-answers"
LISTED = Variant.load(answers="wordle-answers")


def test_costs_are_those_of_trying_everything() -> None:
    game = analyze(["abort", "giant", "craft", "grant"], VARIANT, backend=CPU)
    left = WORDS
    for move in game.moves:
        assert (move.remaining, move.exact) == (len(left), True)
        assert move.cost == least_total(left, move.guess) / len(left)
        assert move.best_cost == least_total(left) / len(left) == least_total(left, move.best) / len(left)
        left = [word for word in left if rules.pattern(move.guess, word) == move.pattern]
        after = 0 if move.pattern == rules.SOLVED else least_total(left) / len(left)
        assert move.saved == pytest.approx(move.cost - 1 - after)
        assert move.skill == round(99 * (1 - min(move.lost, 1)))
    assert game.solved
    assert game.moves[0].best_cost + game.lost - game.saved == pytest.approx(4)
    assert game.skill == round(sum(move.skill for move in game.moves) / 4)


def test_luck_compares_the_words_left_with_those_after_every_other_answer() -> None:
    game = analyze(["abort", "giant", "craft", "grant"], VARIANT, backend=CPU)
    left = WORDS
    for move in game.moves:
        after = {word: words_left(move.guess, word, left) for word in left}
        assert move.words == likeliest_first(after["grant"])
        sizes, size = list(map(len, after.values())), len(after["grant"])
        worse = sum(other > size for other in sizes) + sum(other == size for other in sizes) / 2
        assert (move.left, move.luck) == (size, round(99 * worse / len(left)))
        assert move.mean_left == pytest.approx(sum(sizes) / len(sizes))
        left = after["grant"]
    assert game.luck == round(sum(move.luck for move in game.moves) / 4)


def likeliest_first(words: list[str]) -> list[str]:
    """Return equally likely words in the order of their familiarity, then of the alphabet."""
    return sorted(words, key=lambda word: (size_of(word), word))


def words_left(guess: str, answer: str, words: list[str]) -> list[str]:
    """Return the words that are possible after a guess; none after the answer itself."""
    code = rules.pattern(guess, answer)
    return [] if code == rules.SOLVED else [word for word in words if rules.pattern(guess, word) == code]


def test_the_alternatives_are_the_best_other_guesses() -> None:
    game = analyze(["abort", "giant", "craft", "grant"], VARIANT, backend=CPU)
    left = WORDS
    for move in game.moves:
        costs = sorted(least_total(left, word) / len(left) for word in VARIANT.guesses if word != move.guess)
        if len(left) == 1:  # beside the only word left, every guess is wasted
            costs = [1.0] if left != [move.guess] else []
        assert [other.cost for other in move.alternatives] == costs[:5]
        for other in move.alternatives:
            assert other.cost == least_total(left, other.guess) / len(left)
            assert (other.pattern, other.exact) == (rules.pattern(other.guess, "grant"), True)
            assert other.left == len(words_left(other.guess, "grant", left))
        if move.best != move.guess:
            assert move.alternatives[0].guess == move.best
        left = move.words


def test_a_wasted_guess_shows_no_skill() -> None:
    game = analyze(["salet", "salet", "salet", "crane"], backend=CPU)
    assert [move.skill for move in game.moves[:3]] == [99, 0, 0]
    assert analyze(["crane"], backend=CPU).moves[0].luck == 99


def test_the_result_names_the_lists_that_judged_the_game(tmp_path: Path) -> None:
    judged = analyze(["salet", "crane"], LISTED, backend=CPU).variant
    assert (judged.guesses.name, judged.answers.name) == ("wordle-guesses", "wordle-answers")
    words = tmp_path / "mine.txt"
    words.write_text("crane\ntrace\n")
    assert Variant.load(answers=str(words)).answers.name == str(words)
    assert Variant.load(answers=["crane", "trace"]).answers.name == ""
    judged = analyze(["salet", "crane"], backend=CPU).variant
    assert (judged.answers.name, judged.weight_list) == ("wordle-guesses", "chances")


def test_equally_good_guesses_lose_nothing() -> None:
    for guess in explain(["salet:-y--g"], backend=CPU).best:
        turn = f"{guess}:{rules.pattern_text(rules.pattern(guess, 'craft'))}"
        move = analyze(["salet:-y--g", turn], answer="craft").moves[1]
        assert (move.lost, move.best, move.skill) == (0, guess, 99)


def test_first_guesses_cost_what_is_proven() -> None:
    crane, salet = (analyze([word, "badly"], LISTED, backend=CPU).moves[0] for word in ("crane", "salet"))
    assert (crane.cost, crane.best_cost, crane.best, crane.exact) == (7930 / 2315, 7920 / 2315, "salet", True)
    assert (salet.lost, salet.best, salet.exact) == (0, "salet", True)
    other = analyze(["raise", "badly"], LISTED, backend=CPU).moves[0]
    assert (other.best_cost, other.exact, other.cost > 7950 / 2315) == (7920 / 2315, False, True)
    hard = analyze(["salet", "badly"], Variant.load(answers=LISTED.answers, mode="hard"), backend=CPU).moves[0]
    assert (hard.cost, hard.exact) == (8122 / 2315, False)


def test_the_proven_totals_are_those_of_the_report() -> None:
    report = (Path(__file__).parents[4] / "benchmarks" / "results" / "wordle-exact.md").read_text()
    rows = {
        word: int(total.replace(",", "")) for word, total in re.findall(r"\| (\w{5}) \| ([\d,]+) \| [\d.]+ \|", report)
    }
    proven = known_openings(Variant.load())
    assert (proven.totals, len(rows), proven.all_compared) == (rows, 10, True)
    assert known_openings(Variant.load(mode="hard")) == Openings({"salet": 8122}, False)
    assert known_openings(Variant.load(answers="wordle-2022-02-answers")).totals == {"salet": 7897}
    for variant in (Variant.load(scoring="presence"), Variant.load(guess_hidden_only=True), VARIANT):
        assert known_openings(variant) == Openings()


def test_a_game_whose_answer_is_not_known() -> None:
    game = analyze(["crane:-y---", "moist:----g"], backend=CPU)
    assert (game.answer, game.solved, game.moves[1].best_left) == (None, False, None)


@pytest.mark.parametrize("words", [["crane", "moist", "gizmo"], ["salet", "corni", "gizmo"]])
def test_a_game_with_an_answer_that_is_not_listed_is_judged_by_the_chances(words: list[str]) -> None:
    listed, default = (analyze(words, variant, backend=CPU) for variant in (LISTED, None))
    assert (listed.widened, default.widened) == (True, False)
    assert listed.variant.weight_list == "chances"
    assert listed.columns() == default.columns()


def test_a_game_beyond_the_listed_answers() -> None:
    table = suggest(["qajaq:ggggg"], LISTED, backend=CPU)
    assert (table.widened, table.answers[:]) == (True, ["qajaq"])
    short = Variant.load("wordle-answers", load_words("wordle-answers")[::10])
    game = analyze(["crane", "slate", "stark"], short, backend=CPU)
    assert (game.widened, game.solved, game.answer) == (True, True, "stark")
    assert (len(short.answers), len(game.variant.answers)) == (232, 2315)


@pytest.mark.parametrize(
    ("words", "answer", "message"),
    [
        ([], None, "no guesses"),
        (["zzzzz", "crane"], None, "guess 'zzzzz': not among the 12,972 guesses"),
        (["crane"], "zzzzz", "answer 'zzzzz': not among the 12,972 guesses"),
        (["crane", "zzzzz"], None, "last word 'zzzzz': not among the 12,972 guesses"),
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
    done = run("wordle", "analyze", "salet:-y--g", "draft", "chart", *LIST, "--html", str(page))
    assert "solved in 3: skill" in done.out
    assert "20 words possible -> 3 left\n    apart chart quart\n    croup needs 0.25 fewer guesses" in done.out
    assert "chart:ggggg  3 words possible -> solved" in done.out
    assert "judged by 2,315 answers (wordle-answers)\n" in done.out
    assert max(map(len, done.out.splitlines())) <= 70
    text = page.read_text()
    assert text.count('<article class="card">') == 3
    assert "judged by 2,315 answers (wordle-answers)" in text
    for shown in ("CHART solved in 3 guesses", "best guess", "croup, mean 2.250", "apart chart quart", "\u2192 solved"):
        assert shown in text, shown
    output = json.loads(run("wordle", "analyze", "salet:-y--g", "draft", "chart", *LIST, "--json").out)
    assert [move["guess"] for move in output["moves"]] == ["salet", "draft", "chart"]
    assert output["moves"][1]["best_cost"] == 2.25
    assert (output["answer_list"], output["answers"]) == ("wordle-answers", 2315)
    assert output["moves"][1]["words"] == ["apart", "chart", "quart"]
    assert output["moves"][2]["solved"]
    assert len(output["moves"][1]["alternatives"]) == 5


def test_a_guess_that_may_not_be_made_is_refused_by_its_number() -> None:
    variant = Variant.load(answers=["eb", "ed", "ek"], guess_hidden_only=True)
    with pytest.raises(BadInput, match="guess 3, 'ek': expected an answer that remains"):
        analyze(["eb:g-", "ek:g-", "ek:g-"], variant, backend=CPU)
