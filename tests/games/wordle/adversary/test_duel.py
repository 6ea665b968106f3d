"""The fewest guesses against the adversary: against every line that can be played, and against published facts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution, WrongSolution
from gpusolve.games.wordle import Variant, beat_adversary, play, rules
from gpusolve.games.wordle.adversary.position import Position, State
from gpusolve.games.wordle.adversary.replay import replayed
from gpusolve.games.wordle.wordlist import word_list

CPU = open_backend("cpu")
WORDS = word_list("wordle-answers")[:]
PUBLISHED = """
    agile,snort,dumpy,chuck arson,plied,beech,fugue arson,plied,hefty,queue decry,slant,booth,thump
    early,pinto,crush,stood early,shunt,cabin,dingo early,south,bison,knock
"""
"""Lines that win in four guesses, by m1el/absurdle-solver; some win only with the right order among equal sets."""


@pytest.mark.parametrize("line", PUBLISHED.split())
def test_published_lines_win_in_four(line: str) -> None:
    left, codes = WORDS, []
    for guess in line.split(","):
        codes.append(rules.reply(guess, left))
        left = [word for word in left if rules.pattern(guess, word) == codes[-1]]
    assert codes.index(rules.SOLVED) == 3


def test_the_adversary_leaves_most_words_and_tells_little_among_equals() -> None:
    assert rules.pattern_text(rules.reply("crane", ["crane", "slump", "dusky"])) == "-----"
    assert rules.pattern_text(rules.reply("crane", ["crane", "crank"])) == "gggg-"  # not solved while it can be avoided
    assert rules.reluctance(rules.parse_pattern("gg---")) > rules.reluctance(rules.parse_pattern("gyyyy"))
    assert rules.reluctance(rules.parse_pattern("yy---")) > rules.reluctance(rules.parse_pattern("y----"))
    assert rules.reluctance(rules.parse_pattern("y----")) > rules.reluctance(rules.parse_pattern("-y---"))
    with pytest.raises(BadInput, match="answers: expected at least one"):
        rules.reply("crane", [])


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("hidden_only", [False, True])
def test_the_fewest_guesses_are_those_of_every_line(mode: rules.Mode, hidden_only: bool) -> None:
    """Similar words make games long."""
    drawn = random.Random(f"{mode} {hidden_only}")
    similar = [word for word in WORDS if word.endswith("er")]
    for scoring in rules.SCORINGS:
        for size in (1, 2, 4, 7, 10):
            answers = drawn.sample(similar if size > 4 else WORDS, size)
            guesses = [*answers, *drawn.sample([word for word in WORDS if word not in answers], 5)]
            variant = Variant.load(guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=hidden_only)
            found = beat_adversary([], variant, memory=1, backend=CPU)
            shortest = rules.shortest_duel(
                variant.guesses, variant.answers, mode=mode, scoring=scoring, guess_hidden_only=hidden_only
            )
            assert found.proven
            assert len(found.turns) == len(shortest)


@pytest.mark.parametrize("mode", rules.MODES)
def test_a_history_and_a_start_count(mode: rules.Mode) -> None:
    drawn = random.Random(mode)
    answers = drawn.sample([word for word in WORDS if word.endswith("er")], 20)
    variant = Variant.load(answers, answers, mode=mode)
    history = [(answers[0], rules.reply(answers[0], variant.answers))]
    left = [word for word in variant.answers if rules.consistent(word, history)]
    shortest = rules.shortest_duel(variant.guesses, left, mode=mode, history=history)
    assert len(beat_adversary(history, variant, memory=1, backend=CPU).turns) == len(shortest)
    found = beat_adversary([], variant, first=answers[0], memory=1, backend=CPU)
    assert found.guess == answers[0]
    assert len(found.turns) == 1 + len(shortest)
    assert found.proven


@pytest.mark.parametrize("mode", rules.MODES)
def test_every_start_has_an_answer(mode: rules.Mode) -> None:
    """After some of them, one answer is left."""
    answers = [
        "crane",
        "trace",
        "slate",
        "stale",
        "least",
        "caper",
        "react",
        "cater",
        "carte",
        "crate",
        "tears",
        "stare",
    ]
    variant = Variant.load(answers, answers, mode=mode)
    lengths = []
    for start in answers:
        history = [(start, rules.reply(start, variant.answers))]
        left = [word for word in variant.answers if rules.consistent(word, history)]
        shortest = rules.shortest_duel(variant.guesses, left, mode=mode, history=history)
        lengths.append(len(beat_adversary([], variant, first=start, memory=1, backend=CPU).turns))
        assert lengths[-1] == 1 + len(shortest)
    assert set(lengths) == {2, 3}


def test_a_limit_is_kept_and_proven() -> None:
    variant = Variant.load(WORDS[:40], WORDS[:40])
    fewest = len(beat_adversary([], variant, memory=1, backend=CPU).turns)
    with pytest.raises(NoSolution, match=f"no line of guesses beats the adversary within {fewest - 1} guess"):
        beat_adversary([], variant, max_guesses=fewest - 1, memory=1, backend=CPU)


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_is_stopped_goes_on(
    mode: rules.Mode, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the quick search, which finds the best line of small lists, the exact one has to find it."""
    similar = [word for word in WORDS if word.endswith("er")][:60]
    variant, backend, file = Variant.load(similar, similar, mode=mode), open_backend(f"cpu:{threads}"), tmp_path / "it"
    whole = beat_adversary([], variant, memory=1, backend=CPU)

    def one_by_one(position: Position, state: State) -> list[int]:
        line = []
        while len(state.members):
            line.append(int(position.tables.own[state.members[0]]))
            rank = position.reply(state, line[-1])
            if position.wins(line[-1], rank):
                break
            state = position.after(state, line[-1], rank)
        return line

    monkeypatch.setattr(Position, "quick_line", one_by_one)
    stopped = beat_adversary([], variant, memory=1, time_limit=0, checkpoint=file, backend=backend)
    assert stopped.at_least <= len(whole.turns) <= len(stopped.turns)
    resumed = beat_adversary([], variant, memory=1, resume=file, backend=backend)
    assert len(resumed.turns) == len(whole.turns) > 3
    assert resumed.proven
    other = Variant.load(similar, similar, mode=mode, scoring="presence")
    with pytest.raises(BadInput, match="scoring"):
        beat_adversary([], other, memory=1, resume=file, backend=CPU)


def test_a_wrong_line_is_refused() -> None:
    variant = Variant.load(WORDS[:5], WORDS[:5])
    with pytest.raises(WrongSolution, match="does not win"):
        replayed(WORDS[:1], [], variant)


def test_bad_input_gives_one_line() -> None:
    variant = Variant.load(weights={"crane": 1, "trace": 2})
    with pytest.raises(BadInput, match="weights: expected none against the adversary"):
        beat_adversary([], variant, backend=CPU)
    with pytest.raises(BadInput, match="first guess 'zzzzz'"):
        beat_adversary([], first="zzzzz", backend=CPU)
    with pytest.raises(BadInput, match="expected a history that is not solved yet"):
        beat_adversary(["crane:ggggg"], backend=CPU)
    with pytest.raises(BadInput, match="answer: expected a hidden word, or the adversary"):
        play("crane", adversary=True, backend=CPU)
    with pytest.raises(BadInput, match="answer: expected a hidden word, or the adversary"):
        play(backend=CPU)


@pytest.mark.thorough
@pytest.mark.parametrize("mode", rules.MODES)
def test_the_original_game_needs_four_guesses(mode: rules.Mode) -> None:
    """Published: four guesses are the best possible score, in hard mode, too (https://qntm.org/fabsurdleq)."""
    found = beat_adversary([], Variant.load(mode=mode), backend=CPU)
    assert (len(found.turns), found.proven) == (4, True)


def test_the_player_meets_the_adversary() -> None:
    turns = play(adversary=True, sort="largest", backend=CPU)
    left = WORDS
    for turn in turns:
        assert (turn.remaining, turn.pattern) == (len(left), rules.reply(turn.guess, left))
        left = [word for word in left if rules.pattern(turn.guess, word) == turn.pattern]
    assert turns[-1].pattern == rules.SOLVED
