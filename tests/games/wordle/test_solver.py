"""Tables, suggestions, greedy play: one call each, checked against plain loops over the rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import greedy, rules, solver
from gpusolve.wordlists import load_words

GUESSES, ANSWERS = load_words("wordle-guesses"), load_words("wordle-answers")
CPU = open_backend("cpu")
few_letters = st.text("abcde", min_size=5, max_size=5)


def turns(*texts: str) -> list[tuple[str, int]]:
    return [rules.parse_turn(text) for text in texts]


def test_rankings_follow_their_measure_and_prefer_possible_answers() -> None:
    table = solver.partition_table(GUESSES, ANSWERS, backend=CPU)
    part = table.partition
    for measure, values in (
        ("entropy", -part.entropy[0]),
        ("expected", part.expected[0]),
        ("patterns", -part.patterns[0]),
        ("largest", part.largest[0]),
    ):
        order = table.ranking(measure)
        assert sorted(order.tolist()) == list(range(len(GUESSES)))
        ranked = values[order]
        assert (np.diff(ranked) >= 0).all(), measure
        tied = np.flatnonzero(np.diff(ranked) == 0)
        possible = part.contains[0][order]
        assert not (~possible[tied] & possible[tied + 1]).any(), measure
    best = [GUESSES[table.ranking(measure)[0]] for measure in solver.MEASURES]
    assert best == ["soare", "roate", "trace", "arise"]


def test_cells_hold_every_answer_once() -> None:
    found = solver.cells("salet", ANSWERS, backend=CPU)
    assert sorted(word for words in found.values() for word in words) == ANSWERS
    assert (len(found), max(map(len, found.values()))) == (148, 221)
    assert all(rules.pattern("salet", word) == code for code, words in found.items() for word in words)


@pytest.mark.parametrize("history", [["salet:-y--g"], ["salet:-----", "crony:-y-y-"], []])
@pytest.mark.parametrize("scoring", rules.SCORINGS)
def test_remaining_is_what_the_rules_say(history: list[str], scoring: str) -> None:
    seen = turns(*history)
    expected = [word for word in ANSWERS if rules.consistent(word, seen, scoring)]
    assert solver.remaining(seen, ANSWERS, scoring, CPU) == expected


@settings(max_examples=60)
@given(
    st.lists(few_letters, min_size=1, max_size=60),
    st.lists(few_letters, min_size=1, max_size=3),
    few_letters,
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
)
def test_allowed_guesses_are_what_the_rules_say(
    words: list[str], guesses: list[str], answer: str, mode: str, scoring: str
) -> None:
    history = [(guess, rules.pattern(guess, answer, scoring)) for guess in guesses]
    mask = solver.allowed_mask(CPU, rules.encode(words), history, mode, scoring)
    assert mask.tolist() == [rules.allowed(word, history, mode, scoring) for word in words]


def test_suggestions_by_mode() -> None:
    history = turns("salet:-y--g")
    left = solver.remaining(history, ANSWERS, backend=CPU)
    for mode in rules.MODES:
        table = solver.suggest(history, GUESSES, ANSWERS, mode, backend=CPU)
        assert table.answers == left
        assert table.guesses == [word for word in GUESSES if rules.allowed(word, history, mode)]
    only = solver.suggest(history, GUESSES, ANSWERS, guess_hidden_only=True, backend=CPU)
    assert only.guesses == only.answers == left


def test_the_last_answer_is_the_first_suggestion() -> None:
    table = solver.suggest(turns("salet:-y--g", "craft:-yg-g", "quart:ggggg"), GUESSES, ANSWERS, backend=CPU)
    assert table.answers == ["quart"]
    assert table.guesses[table.ranking()[0]] == "quart"


def test_what_cannot_be_suggested() -> None:
    with pytest.raises(BadInput, match="contradicts itself"):
        solver.suggest(turns("salet:ggggy"), GUESSES, ANSWERS, backend=CPU)
    with pytest.raises(BadInput, match="contradicts itself"):
        solver.suggest(turns("salet:-----", "salet:g----"), GUESSES, ANSWERS, backend=CPU)
    with pytest.raises(NoSolution, match=r"none of the 2,315 answers"):
        solver.suggest(turns("qajaq:ggggg"), GUESSES, ANSWERS, backend=CPU)
    with pytest.raises(BadInput, match="guess 2, 'crony', is not allowed in hard mode"):
        solver.suggest(turns("salet:-y---", "crony:-----"), GUESSES, ANSWERS, "hard", backend=CPU)
    with pytest.raises(BadInput, match="2,315 answers cannot be guessed, 'aback' for one"):
        solver.suggest([], sorted(set(GUESSES) - set(ANSWERS)), ANSWERS, backend=CPU)
    with pytest.raises(BadInput, match="mode 'medium': expected one of easy, hard, ultra-hard"):
        solver.suggest([], GUESSES, ANSWERS, "medium", backend=CPU)
    with pytest.raises(BadInput, match="no answers: expected at least one word"):
        solver.partition_table(GUESSES, [], backend=CPU)
    with pytest.raises(BadInput, match="'SALET' is no word"):
        solver.partition_table(["SALET"], ANSWERS, backend=CPU)


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("by", solver.MEASURES)
def test_simulation_plays_the_same_games(mode: str, by: str) -> None:
    some = ANSWERS[::23]
    result = greedy.simulate(GUESSES, some, by=by, mode=mode, backend=CPU)
    for i in range(0, len(some), 9):
        game = greedy.play(some[i], GUESSES, some, by=by, mode=mode, backend=CPU)
        assert len(game) == result.turns[i]
        history = [(turn.guess, turn.pattern) for turn in game]
        for n, (guess, code) in enumerate(history):
            assert code == rules.pattern(guess, some[i])
            assert rules.allowed(guess, history[:n], mode)
            assert game[n].remaining == sum(rules.consistent(word, history[:n]) for word in some)


def test_hidden_only_and_presence_play_the_same_games() -> None:
    some = ANSWERS[::40]
    for options in ({"guess_hidden_only": True}, {"scoring": "presence"}, {"first": "salet"}):
        result = greedy.simulate(GUESSES, some, backend=CPU, **options)
        lengths = [len(greedy.play(word, GUESSES, some, backend=CPU, **options)) for word in some[::7]]
        assert lengths == result.turns[::7].tolist()


def test_simulation_is_the_same_on_every_device(backend: Backend) -> None:
    some = ANSWERS[::40]
    here, cpu = (greedy.simulate(GUESSES[::5] + some, some, backend=device) for device in (backend, CPU))
    assert np.array_equal(here.turns, cpu.turns)


def test_simulation_over_all_answers() -> None:
    result = greedy.simulate(GUESSES, ANSWERS, first="salet", backend=CPU)
    assert result.total == 7946  # the optimal strategy after salet takes 7,920: published
    assert sum(result.distribution.values()) == len(ANSWERS)
    assert result.distribution == {1: 0, 2: 79, 3: 1206, 4: 982, 5: 46, 6: 2}
    assert result.worst == ["hover", "poker"]
    assert result.lost == 0
    assert greedy.simulate(GUESSES, ANSWERS, mode="ultra-hard", backend=CPU).lost == 9


def test_what_cannot_be_played() -> None:
    with pytest.raises(BadInput, match="xylyl: not among the 2,315 answers"):
        greedy.play("xylyl", GUESSES, ANSWERS, backend=CPU)
    with pytest.raises(BadInput, match="first guess 'zzzzz'"):
        greedy.simulate(GUESSES, ANSWERS, first="zzzzz", backend=CPU)


def test_a_seed_gives_one_answer() -> None:
    assert greedy.random_answer(ANSWERS, 7) == greedy.random_answer(ANSWERS, 7)
    assert len({greedy.random_answer(ANSWERS, seed) for seed in range(20)}) > 10


def test_everything_is_one_import_away() -> None:
    import gpusolve.games.wordle as wordle

    assert all(callable(getattr(wordle, name)) for name in wordle.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        wordle.nothing  # noqa: B018
