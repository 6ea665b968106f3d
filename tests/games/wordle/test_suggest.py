"""Suggestions: which guesses and answers they have, and how they are ranked."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import (
    Variant,
    beat_adversary,
    cells,
    explain,
    outlast_adversary,
    play,
    remaining,
    rules,
    solve,
    suggest,
    tables,
)
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.rules import Advice
from gpusolve.games.wordle.weights.chances import size_of
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.output.parts import Line, Note, Table

GUESSES = word_list("wordle-guesses")
CPU = open_backend("cpu")
LISTED = Variant.load(answers="wordle-answers")


def test_suggestions_by_mode() -> None:
    history = ["salet:-y--g"]
    left = remaining(history, backend=CPU)
    for mode in rules.MODES:
        table = suggest(history, Variant.load(answers=LISTED.answers, mode=mode), backend=CPU)
        assert table.answers == left
        assert table.guesses[:] == [word for word in GUESSES if rules.allowed(word, rules.parse_history(history), mode)]
    only = suggest(history, Variant.load(answers=LISTED.answers, guess_hidden_only=True), backend=CPU)
    assert only.guesses == only.answers == left


def test_a_history_can_be_written_in_three_ways() -> None:
    for history in ([("salet", "-y--g")], [("SALET", rules.parse_pattern("-y--g"))], ["salet:-y--g"]):
        assert len(suggest(history, LISTED, backend=CPU).answers) == 20


def test_the_answer_of_a_solved_game_is_the_best_guess() -> None:
    table = suggest(["salet:-y--g", "craft:-yg-g", "quart:ggggg"], backend=CPU)
    assert table.answers[:] == ["quart"]
    assert table.best == "quart"


def test_the_table_of_a_solved_game_has_only_the_answer() -> None:
    for mode in rules.MODES:
        table = suggest(["crane:--g-g", "slate:ggggg"], Variant.load(mode=mode), backend=CPU)
        assert (table.solved, table.guesses[:], table.answers[:]) == (True, ["slate"], ["slate"])
        assert repr(table) == "<Suggestions: solved, slate>"
    assert not suggest(["crane:--g-g"], backend=CPU).solved


@pytest.mark.parametrize("history", [[], ["salet:-y--g"], ["salet:-----", "crony:-y---"]])
def test_a_possible_answer_is_preferred_unless_its_entropy_is_clearly_lower(history: list[str]) -> None:
    table = suggest(history, LISTED, sort="entropy", backend=CPU)
    worth = table.partition.entropy[0] + tables.NEAR * table.partition.contains[0]
    ranked = worth[table.ranking()]
    assert (np.diff(ranked) <= 1e-8).all()
    assert table.best == table.guesses[int(table.ranking()[0])]
    alone = after(rules.parse_history(history), Variant.load(), "entropy", CPU)
    assert (np.diff(alone.partition.entropy[0][alone.ranking()]) <= 0).all()
    for measure in rules.MEASURES[1:]:
        ours, others = (each._costs(measure)[each.ranking(measure)] for each in (table, alone))
        assert np.array_equal(ours, others)  # equal guesses are sorted by familiarity here, by the alphabet there


def test_possible_answers_come_first_when_one_guess_is_left() -> None:
    five = ["salet:-y--g", *["civic:-----"] * 4]
    for measure in rules.MEASURES:
        table = suggest(five, LISTED, sort=measure, backend=CPU)
        count = len(table.answers)
        assert count > 1
        assert table.partition.contains[0][table.ranking()].tolist() == [i < count for i in range(len(table.guesses))]
        assert set(table.columns(count)["solved_now"]) == {1 / count}


def test_the_chances_to_solve_follow_from_the_cells() -> None:
    table = suggest(["salet:-y--g"], LISTED, backend=CPU)
    columns = table.columns()
    for index in range(0, len(table.guesses), 2000):
        guess = columns["guess"][index]
        by_pattern = cells(guess, answers=table.answers, backend=CPU).by_pattern
        chance = sum(len(words) / len(table.answers) / len(words) for words in by_pattern.values())
        assert columns["solved_next"][index] == pytest.approx(chance)
        assert columns["solved_now"][index] == (guess in table.answers) / len(table.answers)


def test_impossible_and_illegal_histories_are_refused() -> None:
    with pytest.raises(BadInput, match="contradicts itself"):
        suggest(["salet:ggggy"], backend=CPU)
    with pytest.raises(BadInput, match="contradicts itself"):
        suggest(["salet:-----", "salet:g----"], backend=CPU)
    for variant in (None, LISTED):
        with pytest.raises(NoSolution, match="none of the 12,972 words that may be guessed"):
            suggest(["zzzzz:ggggg"], variant, backend=CPU)
    with pytest.raises(BadInput, match="guess 2, 'crony', is not allowed in hard mode"):
        suggest(["salet:-y---", "crony:-----"], Variant.load(mode="hard"), backend=CPU)
    with pytest.raises(BadInput, match="sort guess: expected one of exact, entropy, expected, patterns, largest"):
        suggest([], sort="guess", backend=CPU)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("variant", "totals"),
    [
        (LISTED, [("salet", 7920), ("reast", 7923), ("crate", 7926)]),
        (Variant.load(answers="wordle-answers", mode="hard"), [("salet", 8122)]),
        (Variant.load(answers="wordle-2022-02-answers"), [("salet", 7897)]),
    ],
    ids=["easy", "hard", "2022"],
)
def test_one_first_guess_is_the_best_everywhere(variant: Variant, totals: list[tuple[str, int]]) -> None:
    """Suggestions, the player and explanations take the first guess with the fewest guesses on average."""
    table = suggest([], variant, backend=CPU)
    assert table.best == "salet" == play("crane", variant, backend=CPU)[0].guess
    assert [(table.guesses[i], table.totals[i]) for i in list(table.totals)[: len(totals)]] == totals
    assert table.columns(1)["mean"] == totals[0][1] / len(variant.answers)
    assert suggest([], variant, sort="entropy", backend=CPU).best == "raise"


def test_the_player_makes_the_guesses_that_are_suggested() -> None:
    variant = Variant.load(answers=word_list("wordle-answers")[::9])
    history: list[tuple[str, int]] = []
    for turn in play("wrung", variant, backend=CPU):
        assert turn.guess == suggest(history, variant, backend=CPU).best
        history.append((turn.guess, turn.pattern))
    assert explain(backend=CPU).guess == "salet"


def test_only_the_best_guesses_and_ties_have_exact_totals() -> None:
    """The first guess that is searched is no better than the others before ten totals are known."""
    guesses, answers = (
        ["ab", "af", "aj", "ca", "eb", "gl", "hf", "jf", "kb", "kl", "lh"],
        ["ab", "af", "eb", "jf", "kl"],
    )
    table = suggest([], Variant.load(guesses, answers, scoring="presence"), backend=CPU)
    assert sorted(table.totals.values()) == [10, 10, 11, 11, 12, 12, 12, 13, 13, 13]
    assert table.guesses.place["ca"] not in table.totals


def test_every_accepted_word_stays_possible_with_its_chance() -> None:
    """Gizmo is not in the list of 2021, and was the answer on 11 November 2025."""
    table = suggest(["salet:-----", "corni:-y--y"], backend=CPU)
    listed = suggest(["salet:-----", "corni:-y--y"], LISTED, backend=CPU)
    chances = dict(zip(table.remaining, table.chances, strict=True))
    assert "gizmo" not in listed.remaining
    assert set(listed.remaining) == set(table.remaining[: len(listed.remaining)])
    assert chances["gizmo"] > 0.02
    assert sum(chances.values()) == pytest.approx(1)
    assert list(chances.values()) == sorted(chances.values(), reverse=True)
    outside = sum(chance for word, chance in chances.items() if word not in listed.answers)
    assert table.unpublished == pytest.approx(outside)
    assert (listed.unpublished, listed.chances) == (None, [0.2] * 5)


def test_familiar_words_come_first_among_equals() -> None:
    table = suggest(["trove:ggg--"], LISTED, sort="patterns", backend=CPU)
    columns = table.columns(60)
    keys = [
        (-patterns, not answer, size_of(word))
        for word, patterns, answer in zip(columns["guess"], columns["patterns"], columns["is_answer"], strict=True)
    ]
    assert keys == sorted(keys)
    assert len({patterns for patterns, _, _ in keys}) < len(keys)


@pytest.mark.parametrize(("turns", "column"), [(4, "solved_next"), (5, "solved_now")])
def test_the_last_two_guesses_have_the_best_chance_to_win(turns: int, column: str) -> None:
    history = ["hatch:-g---", *["civic:-----"] * (turns - 1)]
    table = suggest(history, backend=CPU)
    values = table.columns()[column]
    assert (table.ranked_by, values[0], table.totals) == ("entropy", values.max(), {})


def test_the_last_guess_is_an_answer() -> None:
    table = suggest([f"{word}atch:-gggg" for word in "hbclm"], backend=CPU)
    shown = next(part for part in table.drawing() if isinstance(part, Table))
    assert [row[0] for row in shown.rows][:2] == ["patch", "watch"]
    assert {row[0] for row in shown.rows} == set(table.answers)


def test_means_ignore_the_limit_where_no_guess_keeps_it() -> None:
    variant = Variant.load(answers=["batch", "catch", "latch", "match", "patch", "watch"], mode="hard")
    for turns, known in ((1, ("mean", False)), (3, ("mean", False)), (4, ("entropy", True))):
        table = suggest(["hatch:-gggg"] * turns, variant, backend=CPU)
        assert (table.ranked_by, table.exact) == known
    few = suggest(["hatch:-gggg"] * 3, Variant.load(answers=["batch", "catch"], mode="hard"), backend=CPU)
    assert (few.ranked_by, few.to_json()["sort"]) == ("exact", "exact")


def test_the_only_answer_is_the_only_guess_with_a_mean() -> None:
    table = suggest(["trove:ggg-g"], LISTED, backend=CPU)
    assert (table.remaining, table.ranked_by, table.best, len(table.totals)) == (["trope"], "exact", "trope", 1)
    lines = "\n".join(part.text for part in table.drawing() if isinstance(part, Line))
    shown = next(part for part in table.drawing() if isinstance(part, Table))
    assert "1 answer left: trope" in lines
    assert [row[0] for row in shown.rows] == ["trope"]


@pytest.mark.parametrize("turns", [1, 4, 5])
@pytest.mark.parametrize("sort", ["entropy", "expected", "patterns", "largest"])
def test_the_first_guesses_are_those_of_the_whole_order(sort: Advice, turns: int) -> None:
    table = suggest(["crane:-----", *["slipt:-----"] * (turns - 1)], sort=sort)
    assert table.columns(7)["guess"] == table.columns()["guess"][:7]


def test_a_guess_that_is_not_accepted_is_pointed_out() -> None:
    assert suggest(["crnae:-y---"], backend=CPU).unknown == {"crnae": ["crane"]}
    assert suggest(["crane:-y---"], backend=CPU).unknown == {}
    assert suggest(["zzzzz:-----"], backend=CPU).unknown == {"zzzzz": []}
    for advise in (suggest, solve, beat_adversary, outlast_adversary):
        found = advise(["crnae:-y---", "spilt:-----", "dumbo:----y"], LISTED, backend=CPU)
        notes = [part.text for part in found.drawing() if isinstance(part, Note)]
        assert "crnae: not among the 12,972 guesses: did you mean crane?" in notes


def test_of_very_many_guesses_the_most_promising_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = suggest([], LISTED, sort="entropy", backend=CPU)
    monkeypatch.setattr("gpusolve.games.wordle.history.MOST_PAIRS", 10**7)
    table = suggest([], LISTED, sort="entropy", backend=CPU)
    assert (len(table.guesses), table.allowed) == (10**7 // 2 // 2315, 12972)
    assert table.best == everything.best
    texts = [part.text for part in table.drawing() if isinstance(part, Line)]
    assert any("the best of 2,159 guesses, the most promising of 12,972 allowed ones" in text for text in texts)
