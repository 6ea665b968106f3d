"""Judged games and explained guesses: against plain recursion over all guesses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, analyze, explain, rules, suggest
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu")
WORDS = ["abbot", "abort", "about", "adapt", "craft", "draft", "giant", "grant", "graft", "trait"]
VARIANT = Variant.load(WORDS, WORDS)


def least(answers: list[str], guess: str | None = None) -> int:
    """The fewest guesses over all answers, by trying everything; with a given next guess, after it."""
    best = 10**9
    for word in WORDS if guess is None else [guess]:
        cells: dict[int, list[str]] = {}
        for answer in answers:
            cells.setdefault(rules.pattern(word, answer), []).append(answer)
        cells.pop(rules.SOLVED, None)
        if guess is None and list(cells.values()) == [answers]:
            continue
        best = min(best, len(answers) + sum(least(cell) for cell in cells.values()))
    return best


def test_costs_are_those_of_trying_everything() -> None:
    game = analyze(["abort", "giant", "craft", "grant"], variant=VARIANT, backend=CPU)
    left = WORDS
    for move in game.moves:
        assert (move.remaining, move.exact) == (len(left), True)
        assert move.cost == least(left, move.guess) / len(left)
        assert move.best_cost == least(left) / len(left) == least(left, move.best) / len(left)
        left = [word for word in left if rules.pattern(move.guess, word) == move.pattern]
        after = 0 if move.pattern == rules.SOLVED else least(left) / len(left)
        assert move.luck == pytest.approx(move.cost - 1 - after)
    assert game.solved
    assert game.moves[0].best_cost + game.lost - game.luck == pytest.approx(4)


def test_equally_good_guesses_lose_nothing() -> None:
    for guess in explain(["salet:-y--g"], backend=CPU).best:
        move = analyze(["salet:-y--g", f"{guess}:{rules.pattern_text(rules.pattern(guess, 'craft'))}"], "craft").moves[
            1
        ]
        assert (move.lost, move.best, move.skill) == (0, guess, 100)


def test_a_game_whose_answer_is_not_known() -> None:
    game = analyze(["crane:-y---", "moist:----g"], backend=CPU)
    assert (game.answer, game.solved, game.moves[1].best_left) == (None, False, None)


def test_an_explanation_adds_up() -> None:
    found = explain(variant=VARIANT, backend=CPU)
    assert found.total == least(WORDS) == found.answers + sum(cell.total for cell in found.cells)
    assert sorted(word for cell in found.cells for word in cell.words) == sorted(set(WORDS) - {found.guess})
    for cell in found.cells:
        assert cell.total == least(cell.words) == least(cell.words, cell.guess)
    other = explain(guess="trait", variant=VARIANT, backend=CPU)
    assert (other.total, min(other.best.values())) == (least(WORDS, "trait"), least(WORDS))


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
        (["crane", "salet:-----"], None, "'crane': expected its pattern, too, or --answer"),
        (["crane:ggggg", "salet:-----"], None, "has solved the game"),
        (["salet:ggggg"], "crane", "not the pattern that it gets when crane is hidden"),
        (["salet:ggggy"], None, "contradicts itself"),
    ],
)
def test_games_that_are_refused(words: list[str], answer: str | None, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        analyze(words, answer, backend=CPU)


def test_the_commands(run: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu")
    page = tmp_path / "game.html"
    done = run("wordle", "analyze", "salet:-y--g", "draft", "chart", "--html", str(page))
    assert "solved in 3: skill" in done.out
    text = page.read_text()
    assert text.count("<tr><th>") == 1 + 3
    assert "{{" not in text
    found = json.loads(run("wordle", "analyze", "salet:-y--g", "draft", "chart", "--json").out)
    assert [move["guess"] for move in found["moves"]] == ["salet", "draft", "chart"]
    assert found["moves"][1]["best_cost"] == 2.25
    done = run("wordle", "explain", "salet:-y--g", "--top", "2")
    assert "courd: 20 answers, 45 guesses over all of them exactly" in done.out
    assert "as good: croup crudo" in done.out
    done = run("wordle", "suggest", "qajaq:ggggg")
    assert "none of the 2,315 answers fits: all 12,972 guesses are taken for answers" in done.err
