"""Suggestions: which guesses and answers they have, and how they are ranked."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import Variant, cells, explain, play, remaining, rules, suggest, tables
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.wordlist import word_list

GUESSES = word_list("wordle-guesses")
CPU = open_backend("cpu")


def test_suggestions_by_mode() -> None:
    history = ["salet:-y--g"]
    left = remaining(history, backend=CPU)
    for mode in rules.MODES:
        table = suggest(history, Variant.load(mode=mode), backend=CPU)
        assert table.answers == left
        assert table.guesses[:] == [word for word in GUESSES if rules.allowed(word, rules.parse_history(history), mode)]
    only = suggest(history, Variant.load(guess_hidden_only=True), backend=CPU)
    assert only.guesses == only.answers == left


def test_a_history_can_be_written_in_three_ways() -> None:
    for history in ([("salet", "-y--g")], [("SALET", rules.parse_pattern("-y--g"))], ["salet:-y--g"]):
        assert len(suggest(history, backend=CPU).answers) == 20


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
    table = suggest(history, sort="entropy", backend=CPU)
    worth = table.partition.entropy[0] + tables.NEAR * table.partition.contains[0]
    ranked = worth[table.ranking()]
    assert (np.diff(ranked) <= 1e-8).all()
    assert table.best == table.guesses[int(table.ranking()[0])]
    alone = after(rules.parse_history(history), Variant.load(), "entropy", CPU)
    assert (np.diff(alone.partition.entropy[0][alone.ranking()]) <= 0).all()
    for measure in rules.MEASURES[1:]:
        assert table.ranking(measure).tolist() == alone.ranking(measure).tolist()


def test_possible_answers_come_first_when_one_guess_is_left() -> None:
    five = ["salet:-y--g", *["civic:-----"] * 4]
    for measure in rules.MEASURES:
        table = suggest(five, sort=measure, backend=CPU)
        count = len(table.answers)
        assert count > 1
        assert table.partition.contains[0][table.ranking()].tolist() == [i < count for i in range(len(table.guesses))]
        assert set(table.columns(count)["solved_now"]) == {1 / count}


def test_the_chances_to_solve_follow_from_the_cells() -> None:
    table = suggest(["salet:-y--g"], backend=CPU)
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
    with pytest.raises(NoSolution, match=r"none of the 2,315 answers"):
        suggest(["zzzzz:ggggg"], backend=CPU)
    with pytest.raises(BadInput, match="guess 2, 'crony', is not allowed in hard mode"):
        suggest(["salet:-y---", "crony:-----"], Variant.load(mode="hard"), backend=CPU)
    with pytest.raises(BadInput, match="sort guess: expected one of exact, entropy, expected, patterns, largest"):
        suggest([], sort="guess", backend=CPU)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("variant", "totals"),
    [
        (Variant.load(), [("salet", 7920), ("reast", 7923), ("crate", 7926)]),
        (Variant.load(mode="hard"), [("salet", 8122)]),
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
