"""Boards that open one after another, guesses at the start, and words that are in no list."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.quordle import Variant, _play, analyze, play, suggest
from gpusolve.games.quordle.rules import parse_turns, turns_of
from gpusolve.games.wordle.rules import SOLVED, parse_pattern, pattern
from gpusolve.games.wordle.wordlist import WordList, word_list
from gpusolve.output import page
from gpusolve.testing.plugin import Run

CPU = open_backend("cpu")
SOME = Variant.load(WordList(word_list("wordle-answers")[::20]))
HIDDEN = SOME.answers[5::30][:3]
UNLISTED = "xylyl"


def test_a_board_opens_when_those_before_it_are_solved() -> None:
    turns = turns_of(["crane", "trace", "slump"], ["carle", "crane", "stump"], "wordle", "sequence")
    assert [str(turn) for turn in turns] == ["carle:gyy-g,yyy-g,", "crane:ggggg,ygg-g,", "stump:,-y---,"]
    assert parse_turns([str(turn) for turn in turns], 3, "sequence") == turns
    assert len(suggest(turns, mode="sequence", backend=CPU).closed) == 1


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (["carle:-y---,----y"], "board 2, guess 1: expected no pattern, because board 1 is not solved"),
        (["crane:ggggg,"], "board 2, guess 1: expected a pattern, because the board is not solved"),
        (["crane:ggggg,y----,y----"], "board 3, guess 1: expected no pattern, because board 2 is not solved"),
    ],
)
def test_patterns_of_closed_boards_are_refused(history: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        suggest(history, mode="sequence", backend=CPU)


def test_patterns_of_closed_boards_may_be_left_out_in_sequence() -> None:
    short, whole = (
        suggest(history, boards=3, mode="sequence", variant=SOME, backend=CPU)
        for history in (["aback:-----"], ["aback:-----,,"])
    )
    assert (short.remaining, short.closed, short.history) == (whole.remaining, [2, 3], whole.history)
    with pytest.raises(BadInput, match="2 patterns: expected 3, one for each board"):
        suggest(["aback:-----,-----"], boards=3, variant=SOME, backend=CPU)


def test_in_sequence_guesses_are_those_for_the_open_board() -> None:
    hidden = list(HIDDEN)
    game = play(hidden, variant=SOME, mode="sequence", backend=CPU)
    assert game.won
    assert game.board_turns == [game.guesses.index(word) + 1 for word in hidden]
    for made in range(len(game.guesses)):
        turns = turns_of(hidden, game.guesses[:made], "wordle", "sequence")
        advice = suggest(turns, variant=SOME, boards=3, mode="sequence", backend=CPU)
        assert advice.rows[0].guess == game.guesses[made]
        opened = 3 - len(advice.closed) - 1
        assert all(not advice.remaining[board] for board in range(opened))
        alone = [
            word
            for word in SOME.answers
            if all(pattern(guess, word) == pattern(guess, hidden[opened]) for guess in game.guesses[:made])
        ]
        assert sorted(advice.remaining[opened]) == alone
    judged = analyze(hidden, game.guesses, variant=SOME, mode="sequence", backend=CPU)
    assert [judgement.best.guess for judgement in judged] == game.guesses


def test_a_game_goes_on_after_given_guesses_as_joint_goes_on() -> None:
    hidden = list(HIDDEN)
    usual = play(hidden, variant=SOME, backend=CPU)
    for begun in range(3):
        game = play(hidden, variant=SOME, given=usual.guesses[:begun], backend=CPU)
        assert (game.guesses, game.board_turns) == (usual.guesses, usual.board_turns)
    again = _play._play_on(hidden, variant=SOME, mode="classic", begun=[], max_guesses=8, backend=CPU)
    assert again == (usual.guesses, usual.board_turns)


def test_given_guesses_count_and_are_not_judged(tmp_path: Path) -> None:
    hidden, given = list(HIDDEN), SOME.answers[:2]
    game = play(hidden, variant=SOME, given=given, backend=CPU)
    assert game.guesses[:2] == given
    judged = analyze(hidden, game.guesses[2:], variant=SOME, given=given, backend=CPU)
    assert len(judged) == len(game.guesses) - 2
    assert [judgement.best.guess for judgement in judged] == game.guesses[2:]
    page.save_drawing(tmp_path / "game.html", "quordle", judged.drawing(), fallback="")
    assert f"Won in {len(game.guesses)} guesses" in (tmp_path / "game.html").read_text()
    lost = play(hidden, variant=SOME, given=given, max_guesses=3, backend=CPU)
    assert (len(lost.guesses), lost.won) == (3, False)


def test_only_joint_plays_these_games() -> None:
    with pytest.raises(BadInput, match="strategy random: expected joint in sequence"):
        play(list(HIDDEN), variant=SOME, strategy="random", mode="sequence", backend=CPU)
    with pytest.raises(BadInput, match="given: 9 guesses: expected at most 8"):
        play(list(HIDDEN), variant=SOME, given=SOME.answers[:9], backend=CPU)
    with pytest.raises(BadInput, match="mode chill: expected"):
        play(list(HIDDEN), variant=SOME, mode="chill", backend=CPU)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def unlisted() -> Variant:
    """A list of answers that misses a word that can be guessed."""
    return Variant.load(SOME.answers, WordList([*SOME.answers, UNLISTED, "lyres"]))


def test_a_word_that_is_not_listed_is_found_on_its_board_alone(unlisted: Variant) -> None:
    hidden = [HIDDEN[0], UNLISTED]
    turns = turns_of(hidden, ["lyres"], "wordle")
    fit = [word for word in unlisted.answers if pattern("lyres", word) == pattern("lyres", hidden[0])]
    advice = suggest(turns, variant=unlisted, backend=CPU)
    assert advice.widened == [2]
    assert advice.remaining == [fit, [UNLISTED]]
    listed = suggest(turns_of([hidden[0], HIDDEN[1]], ["lyres"], "wordle"), variant=unlisted, backend=CPU)
    assert listed.widened == []
    assert listed.remaining[0] == fit


def test_a_finished_game_may_have_words_that_are_not_listed(unlisted: Variant) -> None:
    hidden = [HIDDEN[0], UNLISTED]
    judged = analyze(hidden, ["lyres", *hidden], variant=unlisted, backend=CPU)
    assert judged.widened == [2]
    assert judged[0].left == [len(unlisted.answers), len(unlisted.guesses)]
    assert judged.left == [0, 0]
    with pytest.raises(BadInput, match="board 1: zzzzz: not among the 118 guesses"):
        analyze(["zzzzz"], ["lyres"], variant=unlisted, backend=CPU)


def test_patterns_that_no_word_gives_are_refused(unlisted: Variant) -> None:
    assert parse_pattern("ggggy") != SOLVED
    with pytest.raises(BadInput, match="board 1: the patterns contradict one another"):
        suggest(["lyres:ggggy"], variant=unlisted, backend=CPU)
    with pytest.raises(NoSolution, match=r"board 1: none of the 118 words that can be guessed gives these patterns"):
        suggest(["lyres:gggg-"], variant=unlisted, backend=CPU)


def test_the_command_line_plays_both_modes(run: Run) -> None:
    done = run("quordle", "play", "hello", "world", "--mode", "sequence", "--given", "crane,moist", "--json", "-q")
    assert '"mode": "sequence", "given": ["crane", "moist"]' in done.out
    assert '"turns": [{"guess": "crane", "patterns": ["----y", "-y---"]}' in done.out
    printed = run("quordle", "play", "hello", "world", "-q").out
    assert "----E" in printed or "LO" in printed
    assert run("quordle", "play", "--mode", "sequence", "-q").code == 2
    assert "expected hidden words" in run("quordle", "play", "--given", "crane", "-q").err
