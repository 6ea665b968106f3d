"""Tables, suggestions, greedy play: one call each, checked against plain loops over the rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import _simulate as greedy, _suggest as solver, kernels, rules, tables
from gpusolve.games.wordle.rules import Measure, Mode, Scoring
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.words import WordList, encode, word_list
from recorded import recorded

GUESSES, ANSWERS = word_list("wordle-guesses"), word_list("wordle-answers")
CPU = open_backend("cpu")
few_letters = st.text("abcde", min_size=5, max_size=5)


def turns(*texts: str) -> list[tuple[str, int]]:
    return [rules.parse_turn(text) for text in texts]


def test_rankings_follow_their_measure_and_prefer_possible_answers() -> None:
    table = solver.partition_table(backend=CPU)
    part = table.partition
    measured: dict[Measure, np.ndarray] = {
        "entropy": -part.entropy[0],
        "expected": part.expected[0],
        "patterns": -part.patterns[0],
        "largest": part.largest[0],
    }
    for measure, values in measured.items():
        order = table.ranking(measure)
        assert sorted(order.tolist()) == list(range(len(GUESSES)))
        ranked = values[order]
        assert (np.diff(ranked) >= 0).all(), measure
        tied = np.flatnonzero(np.diff(ranked) == 0)
        possible = part.contains[0][order]
        assert not (~possible[tied] & possible[tied + 1]).any(), measure
    best = [GUESSES[table.ranking(measure)[0]] for measure in rules.MEASURES]
    assert best == ["soare", "roate", "trace", "arise"]


def test_cells_hold_every_answer_once() -> None:
    found = solver.cells("salet", backend=CPU)
    assert sorted(word for words in found.values() for word in words) == ANSWERS[:]
    assert (len(found), max(map(len, found.values()))) == (148, 221)
    assert all(rules.pattern("salet", word) == code for code, words in found.items() for word in words)


@pytest.mark.parametrize("history", [["salet:-y--g"], ["salet:-----", "crony:-y-y-"], []])
@pytest.mark.parametrize("scoring", rules.SCORINGS)
def test_remaining_is_what_the_rules_say(history: list[str], scoring: Scoring) -> None:
    seen = turns(*history)
    expected = [word for word in ANSWERS if rules.consistent(word, seen, scoring)]
    assert solver.remaining(seen, ANSWERS, scoring, CPU)[:] == expected


@settings(max_examples=60)
@given(
    st.lists(few_letters, min_size=1, max_size=60),
    st.lists(few_letters, min_size=1, max_size=3),
    few_letters,
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
)
def test_allowed_guesses_are_what_the_rules_say(
    words: list[str], guesses: list[str], answer: str, mode: Mode, scoring: Scoring
) -> None:
    history = [(guess, rules.pattern(guess, answer, scoring)) for guess in guesses]
    mask = solver.allowed_mask(CPU, encode(words), history, mode, scoring)
    assert mask.tolist() == [rules.allowed(word, history, mode, scoring) for word in words]


def test_suggestions_by_mode() -> None:
    history = ["salet:-y--g"]
    left = solver.remaining(history, backend=CPU)
    for mode in rules.MODES:
        table = solver.suggest(history, Variant.load(mode=mode), backend=CPU)
        assert table.answers == left
        assert table.guesses[:] == [word for word in GUESSES if rules.allowed(word, turns(*history), mode)]
    only = solver.suggest(history, Variant.load(guess_hidden_only=True), backend=CPU)
    assert only.guesses == only.answers == left


def test_a_history_is_written_in_three_ways() -> None:
    for history in ([("salet", "-y--g")], [("SALET", rules.parse_pattern("-y--g"))], ["salet:-y--g"]):
        assert len(solver.suggest(history, backend=CPU).answers) == 20


def test_the_last_answer_is_the_first_suggestion() -> None:
    table = solver.suggest(["salet:-y--g", "craft:-yg-g", "quart:ggggg"], backend=CPU)
    assert table.answers[:] == ["quart"]
    assert table.best == "quart"


def test_a_solved_game_has_one_answer_and_nothing_to_suggest() -> None:
    for mode in rules.MODES:
        table = solver.suggest(["crane:--g-g", "slate:ggggg"], Variant.load(mode=mode), backend=CPU)
        assert (table.solved, table.guesses[:], table.answers[:]) == (True, ["slate"], ["slate"])
        assert repr(table) == "<Suggestions: solved, slate>"
    assert not solver.suggest(["crane:--g-g"], backend=CPU).solved


@pytest.mark.parametrize("history", [[], ["salet:-y--g"], ["salet:-----", "crony:-y---"]])
def test_an_answer_is_suggested_first_unless_it_tells_clearly_less(history: list[str]) -> None:
    table = solver.suggest(history, sort="entropy", backend=CPU)
    worth = table.partition.entropy[0] + tables.NEAR * table.partition.contains[0]
    ranked = worth[table.ranking()]
    assert (np.diff(ranked) <= 1e-8).all()
    assert table.best == table.guesses[int(table.ranking()[0])]
    alone = solver.after(turns(*history), Variant.load(), "entropy", CPU)
    assert (np.diff(alone.partition.entropy[0][alone.ranking()]) <= 0).all()
    for measure in rules.MEASURES[1:]:
        assert table.ranking(measure).tolist() == alone.ranking(measure).tolist()


def test_the_last_of_six_guesses_is_an_answer() -> None:
    five = ["salet:-y--g", *["civic:-----"] * 4]
    for measure in rules.MEASURES:
        table = solver.suggest(five, sort=measure, backend=CPU)
        count = len(table.answers)
        assert count > 1
        assert table.partition.contains[0][table.ranking()].tolist() == [i < count for i in range(len(table.guesses))]
        assert set(table.columns(count)["solved_now"]) == {1 / count}


def test_the_chances_are_those_of_naming_an_answer_of_the_cell() -> None:
    table = solver.suggest(["salet:-y--g"], backend=CPU)
    columns = table.columns()
    for place in range(0, len(table.guesses), 2000):
        guess = columns["guess"][place]
        cells = solver.cells(guess, table.answers, backend=CPU)
        chance = sum(len(words) / len(table.answers) / len(words) for words in cells.values())
        assert columns["solved_next"][place] == pytest.approx(chance)
        assert columns["solved_now"][place] == (guess in table.answers) / len(table.answers)


def test_tables_are_told_in_a_line_and_shown_in_a_notebook() -> None:
    table = solver.partition_table(backend=CPU)
    assert repr(table) == "<PartitionTable: 12,972 guesses x 2,315 answers, by entropy; the best soare>"
    assert repr(table.partition) == "<Partition of 1 subset of the answers by 12,972 guesses>"
    page = table._repr_html_()
    assert page.count("<tr>") == 21
    assert "12,972 guesses x 2,315 answers, by entropy; the first 20 rows of 12,972</caption>" in page
    assert "<td>soare</td><td>127</td><td>183</td><td>144227</td><td>5.88596</td>" in page
    result = greedy.simulate(Variant.load(answers=ANSWERS[::40]), backend=CPU)
    assert repr(result) == f"<Simulation: 58 answers, mean {result.mean:.5f} guesses, 0 lost>"
    assert result._repr_html_().count("<tr>") == 1 + len(result.distribution)


def test_columns_are_those_of_the_ranking() -> None:
    table = solver.partition_table(backend=CPU)
    columns = table.columns()
    assert {len(values) for values in columns.values()} == {len(GUESSES)}
    assert columns["guess"] == [GUESSES[i] for i in table.ranking()]
    assert columns["entropy"].tolist() == table.partition.entropy[0][table.ranking()].tolist()
    assert {name: list(values) for name, values in table.columns(3).items()} == {
        name: list(values[:3]) for name, values in columns.items()
    }
    assert all(values.ndim == 1 for name, values in columns.items() if name != "guess")


def test_what_cannot_be_suggested() -> None:
    with pytest.raises(BadInput, match="contradicts itself"):
        solver.suggest(["salet:ggggy"], backend=CPU)
    with pytest.raises(BadInput, match="contradicts itself"):
        solver.suggest(["salet:-----", "salet:g----"], backend=CPU)
    with pytest.raises(NoSolution, match=r"none of the 2,315 answers"):
        solver.suggest(["zzzzz:ggggg"], backend=CPU)
    with pytest.raises(BadInput, match="guess 2, 'crony', is not allowed in hard mode"):
        solver.suggest(["salet:-y---", "crony:-----"], Variant.load(mode="hard"), backend=CPU)
    with pytest.raises(BadInput, match="sort 'guess': expected one of exact, entropy, expected, patterns, largest"):
        solver.suggest([], sort="guess", backend=CPU)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="words: no words there"):
        solver.partition_table(GUESSES, [], backend=CPU)
    with pytest.raises(BadInput, match="'sal3t' is not a word"):
        solver.partition_table(["sal3t"], backend=CPU)


def test_a_variant_is_sound() -> None:
    with pytest.raises(BadInput, match="2,315 answers cannot be guessed, 'aback' for one"):
        Variant.load(guesses=sorted(set(GUESSES) - set(ANSWERS)))
    with pytest.raises(BadInput, match="mode 'medium': expected one of easy, hard, ultra-hard"):
        Variant.load(mode="medium")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="scoring 'strict': expected one of wordle, presence"):
        Variant.load(scoring="strict")  # type: ignore[arg-type]
    variant = Variant.load()
    assert variant == Variant.load(list(GUESSES), list(ANSWERS)) != Variant.load(mode="hard")
    assert hash(variant) == hash(Variant.load())
    assert [GUESSES[i] for i in variant.answer_guesses] == ANSWERS[:]


def test_a_word_list_in_all_its_forms() -> None:
    words = WordList(["salet", "Crane", "abbey", "trace"])
    assert (words[:], len(words), words[-1]) == (["abbey", "crane", "salet", "trace"], 4, "trace")
    assert words.place == {"abbey": 0, "crane": 1, "salet": 2, "trace": 3}
    assert ("crane" in words, "CRANE" in words, "stare" in words) == (True, False, False)
    assert words.digest == WordList(["trace", "salet", "crane", "abbey"]).digest != ANSWERS.digest
    some = words.take(np.array([True, False, True, False]))
    assert (some[:], some.letters.tolist()) == (["abbey", "salet"], encode(["abbey", "salet"]).tolist())
    assert some == WordList(["abbey", "salet"])
    assert words.take(np.ones(4, np.bool_)) is words
    assert word_list("wordle-answers") is ANSWERS


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("sort", rules.MEASURES)
def test_simulation_plays_the_same_games(mode: Mode, sort: Measure) -> None:
    some = ANSWERS[::23]
    variant = Variant.load(GUESSES, some, mode)
    result = greedy.simulate(variant, sort=sort, backend=CPU)
    for i in range(0, len(some), 9):
        game = greedy.play(some[i], variant, sort=sort, backend=CPU)
        assert len(game) == result.turns[i]
        history = [(turn.guess, turn.pattern) for turn in game]
        for n, (guess, code) in enumerate(history):
            assert code == rules.pattern(guess, some[i])
            assert rules.allowed(guess, history[:n], mode)
            assert game[n].remaining == sum(rules.consistent(word, history[:n]) for word in some)


@pytest.mark.parametrize(
    ("variant", "first"),
    [
        (Variant.load(answers=ANSWERS[::40], guess_hidden_only=True), None),
        (Variant.load(answers=ANSWERS[::40], scoring="presence"), None),
        (Variant.load(answers=ANSWERS[::40]), "salet"),
    ],
)
def test_hidden_only_and_presence_play_the_same_games(variant: Variant, first: str | None) -> None:
    result = greedy.simulate(variant, first, backend=CPU)
    lengths = [len(greedy.play(word, variant, first, "entropy", backend=CPU)) for word in variant.answers[::7]]
    assert lengths == result.turns[::7].tolist()


def test_every_device_plays_as_the_rules_say(backend: Backend) -> None:
    some = ANSWERS[::40]
    variant = Variant.load(sorted({*GUESSES[::5], *some}), some)
    expected = recorded("wordle/greedy", lambda: greedy_turns(variant.guesses[:], some))
    assert greedy.simulate(variant, backend=backend).turns.tolist() == expected


def greedy_turns(guesses: list[str], answers: list[str]) -> list[int]:
    """How many guesses the strategy needs for each answer, by the rules; n log2 n is that of the kernels."""
    nlogn = kernels.nlogn_table(len(answers)).tolist()

    def solve(members: list[str], depth: int) -> dict[str, int]:
        best: tuple[int, bool, dict[int, list[str]]] | None = None
        for guess in members[:1] if len(members) < 3 else guesses:
            cells: dict[int, list[str]] = {}
            for answer in members:
                cells.setdefault(rules.pattern(guess, answer), []).append(answer)
            cost = (sum(nlogn[len(cell)] for cell in cells.values()), guess not in members, cells)
            best = cost if best is None or cost[:2] < best[:2] else best
        assert best is not None
        found: dict[str, int] = {}
        for code, cell in best[2].items():
            found |= {cell[0]: depth} if code == rules.SOLVED else solve(cell, depth + 1)
        return found

    found = solve(answers, 1)
    return [found[answer] for answer in answers]


def test_simulation_over_all_answers() -> None:
    result = greedy.simulate(first="salet", backend=CPU)
    assert result.total == 7946  # the optimal strategy after salet takes 7,920: published
    assert sum(result.distribution.values()) == len(ANSWERS)
    assert result.distribution == {1: 0, 2: 79, 3: 1206, 4: 982, 5: 46, 6: 2}
    assert result.worst == ["hover", "poker"]
    assert result.lost == 0
    assert greedy.simulate(Variant.load(mode="ultra-hard"), backend=CPU).lost == 9


def test_what_cannot_be_played() -> None:
    with pytest.raises(BadInput, match="xylyl: not among the 2,315 answers"):
        greedy.play("xylyl", backend=CPU)
    with pytest.raises(BadInput, match="first guess 'zzzzz'"):
        greedy.simulate(first="zzzzz", backend=CPU)


def test_a_seed_gives_one_answer() -> None:
    assert greedy.random_answer(ANSWERS, 7) == greedy.random_answer(ANSWERS, 7)
    assert len({greedy.random_answer(ANSWERS, seed) for seed in range(20)}) > 10


def test_everything_is_one_import_away() -> None:
    import gpusolve.games.wordle as wordle

    assert all(callable(getattr(wordle, name)) for name in dir(wordle))
    with pytest.raises(AttributeError, match="attribute nothing"):
        getattr(wordle, "nothing")  # noqa: B009
