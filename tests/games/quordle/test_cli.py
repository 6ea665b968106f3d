"""``gpusolve quordle`` as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
ARTICLE = "--answers quordle-article --player article --scoring presence"


@pytest.fixture(autouse=True)
def cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu")


@pytest.mark.parametrize(
    ("strategy", "printed"),
    [
        ("left-to-right", "aback dding elope hello world fests jests tests value - won in 9"),
        ("least-correct", "aback dding elope hello world fests value jests tests - won in 9"),
        ("most-correct", "aback dding elope false halve value hello world jests - lost"),
    ],
)
def test_a_game_is_printed_as_the_article_prints_it(run: Run, strategy: str, printed: str) -> None:
    done = run("quordle", "play", "hello", "World", "tests", "value", "--strategy", strategy, *ARTICLE.split())
    assert (done.code, done.out.splitlines()[-1]) == (0, printed)
    assert done.out.startswith("aback  -----  -----  -----  a-a--\n")


def test_play_prints_json(run: Run) -> None:
    result = json.loads(run("quordle", "play", "hello", "world", "paper", "value", "--json").out)
    assert (result["won"], result["turns"][0]) == (
        True,
        {"guess": "carle", "patterns": ["---gy", "--gg-", "-gy-y", "-g-yg"]},
    )
    assert max(result["board_turns"]) == len(result["turns"])


def test_simulate_prints_and_plots_its_result(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "distributions.png"
    words = ["quordle", "simulate", "--count", "300", "--seed", "1", "--plot", str(picture)]
    text, result = run(*words).out, json.loads(run(*words, "--json").out)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert text.startswith("300 games, 4 boards, at most 9 guesses, seed 1; 99% confidence intervals\n")
    assert (result["max_guesses"], result["confidence"]) == (9, 0.99)
    rows = {row["strategy"]: row for row in result["rows"]}
    assert len(rows) == 7
    assert rows["joint"]["won"] > rows["random"]["won"]
    assert rows["random"]["wins_less"]["low"] > 0
    assert sum(rows["random"]["distribution"].values()) == rows["random"]["won"]


def test_a_simulation_stops_at_its_time_limit(run: Run) -> None:
    done = run("quordle", "simulate", "--count", "100000000", "--strategy", "random", "--time-limit", "0", "--json")
    assert (done.code, json.loads(done.out)["complete"]) == (3, False)


def test_suggest_lists_the_words_that_remain_on_each_board(run: Run) -> None:
    words = ["carle:-y---,----y,-----,y----", "aunty:ggggg,--y--,-----,-g---"]
    listed = "--answers", "wordle-answers"
    done = run("quordle", "suggest", *words, "--top", "1", *listed)
    lines = done.out.splitlines()
    assert lines[0] == "board 1: solved"
    assert lines[3] == "board 4: 4 left: music quick mucus pubic"
    assert lines[4] == "best by playouts, then by the bits still missing after a guess (cost)"
    assert (lines[5].split(), len(lines)) == (["guess", "mean", "chance", "%", "cost", "solves", "bits"], 8)
    result = json.loads(run("quordle", "suggest", *words, *listed, "--json").out)
    assert (result["remaining"][3], result["unpublished"]) == (["music", "quick", "mucus", "pubic"], None)
    means = [row["mean"] for row in result["rows"] if row["mean"] is not None]  # those played out come first
    costs = [row["cost"] for row in result["rows"][len(means) :]]
    assert (len(means), means, costs) == (4, sorted(means), sorted(costs))
    solved = run("quordle", "suggest", "carle:ggggg", "--answers", "wordle-guesses")
    assert solved.out == "board 1: solved\nsolved in 1\n"


def test_every_accepted_word_can_be_hidden(run: Run) -> None:
    words = ["carle:-y---,----y,-----,y----", "aunty:ggggg,--y--,-----,-g---"]
    result = json.loads(run("quordle", "suggest", *words, "--json").out)
    assert result["remaining"][3][:4] == ["music", "quick", "mucus", "pubic"]
    assert len(result["remaining"][3]) > 20
    assert result["unpublished"][0] == 0 < result["unpublished"][3] < 0.01 < result["unpublished"][2]
    assert result["rows"][0]["chance"] is not None  # played out, although boards have rare words


def test_analyze_rates_each_guess_beside_the_best(run: Run) -> None:
    result = json.loads(
        run("quordle", "analyze", "hello,world", "carle", "hello", "world", "--json", "--answers", "wordle-answers").out
    )
    assert [row["made"]["guess"] for row in result["rows"]] == ["carle", "hello", "world"]
    assert result["rows"][0]["left"] == [2315, 2315]
    assert all(row["best"]["cost"] <= row["made"]["cost"] for row in result["rows"])


def test_a_guess_and_its_patterns_may_be_two_words(run: Run) -> None:
    words = ["carle", "-y---,----y", "aunty", "ggggg,--y--"]
    done = run("quordle", "suggest", *words, "--top", "1", "--json", "--quiet")
    assert (done.code, [turn["patterns"] for turn in json.loads(done.out)["history"]]) == (
        0,
        [["-y---", "----y"], ["ggggg", "--y--"]],
    )


def test_hidden_words_may_be_the_first_words(run: Run) -> None:
    done = run("quordle", "analyze", "hello", "world", "carle", "hello", "world", "--boards", "2", "--json", "--quiet")
    assert json.loads(done.out)["hidden"] == ["hello", "world"]
    done = run("quordle", "analyze", "hello", "world", "paper", "value", "carle", "--json", "--quiet")
    result = json.loads(done.out)
    assert (len(result["hidden"]), [row["made"]["guess"] for row in result["rows"]]) == (4, ["carle"])


def test_play_helps_through_a_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = iter(["-----", "----g,zzzzz", "---gy,--gg-", "undo", "---gy,--gg-", "hello:ggggg,---gy", "world:,ggggg"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(entries))
    done = run("quordle", "play", "--boards", "2")
    assert done.code == 0
    assert "guess 1, carle: 1 pattern: expected 2, one for each board" in done.out
    assert "'zzzzz' is not a pattern" in done.out
    assert done.out.endswith("solved in 3\n")


def test_a_pattern_that_contradicts_is_taken_back(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = iter(["ggggy,-----", ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(entries))
    assert "board 1: the patterns contradict one another" in run("quordle", "play", "--boards", "2").out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("play hello world zzzzz value", 2, "board 3: zzzzz: not among the 12,972 guesses"),
        ("play hello world hello value", 2, "board 3: hello is already hidden on board 1"),
        ("play hello wor1d", 2, "'wor1d' is not a word: expected 5 letters"),
        ("play hello --boards 4", 2, "--boards: expected either hidden words or --boards"),
        ("play hello world --max-guesses 1", 2, "max-guesses 1: expected a whole number, 2 to 64"),
        ("play --json", 2, "--json: expected hidden words"),
        ("play --boards 33", 2, "boards 33: expected a whole number, 1 to 32"),
        ("simulate --boards 0", 2, "boards 0: expected a whole number, 1 to 32"),
        ("simulate --boards 33", 2, "boards 33: expected a whole number, 1 to 32"),
        ("simulate --answers {three}", 2, "boards 4: only 3 words can be hidden: expected one for each board"),
        ("simulate --answers wordle-guesses --guesses wordle-answers", 2, "10,657 of the answers cannot be guessed"),
        ("suggest carle:-----,ggggy", 2, "board 2: the patterns contradict one another"),
        ("suggest carle:----- carle:-----", 0, ""),
        ("suggest carle:-----,----- carle:-----,y----", 2, "board 2: the patterns contradict one another"),
        ("suggest zzzzz:ggggg", 1, "board 1: none of the 12,972 words that can be guessed gives these patterns"),
        (
            "suggest carle:-----,ggggg crony:-----,-----",
            2,
            "board 2, guess 2: expected no pattern, because the board is solved",
        ),
        (
            "suggest carle:-----,,-----,-----",
            2,
            "board 2, guess 1: expected a pattern, because the board is not",
        ),
        ("suggest carle:-----,----- --boards 3", 2, "guess 1, carle: 2 patterns: expected 3, one for each board"),
        ("suggest qajaq:ggggg", 0, ""),
        ("suggest qajaq:gggg-", 1, "board 1: none of the 12,972 words that can be guessed gives these patterns"),
        ("suggest carle", 2, "'carle': expected a guess and the pattern of each board"),
        ("analyze hello,world carle hello world moist", 2, "guess 4, moist: expected no guess after the last board"),
        ("analyze hello world paper value", 2, "no guesses after the hidden words: expected the hidden words and the"),
        ("analyze hello,world carle --boards 2", 2, "boards: expected only if the hidden words are not separated"),
        ("analyze hello,world zzzzz", 2, "guess 1, zzzzz: not among the 12,972 guesses"),
    ],
)
def test_bad_input_is_reported_in_one_line(run: Run, tmp_path: Path, arguments: str, code: int, message: str) -> None:
    (tmp_path / "three").write_text("crane\ntrace\nstale\n")
    done = run("quordle", *(word.format(three=tmp_path / "three") for word in arguments.split()))
    assert done.code == code, done.err
    if code:
        (line,) = [line for line in done.err.splitlines() if not line.startswith("device: ")]
        assert message in line
        assert not done.out


def test_hidden_words_can_be_separated_by_commas(run: Run) -> None:
    command = ("--device", "cpu", "--json", "--quiet", "--strategy", "left-to-right")
    assert json.loads(run("quordle", "play", "hello,world", *command).out)["hidden"] == ["hello", "world"]


def test_a_nearly_certain_word_is_played_out(run: Run) -> None:
    turns = ["carle:---gy,--gg-,-gy-y,-g-yg", "world:-y-g-,ggggg,--y--,---y-"]
    rows = json.loads(run("quordle", "suggest", *turns, "--json").out)["rows"]
    assert (rows[0]["guess"], rows[0]["solves"] > 0.9) == ("hello", True)
    assert rows[0]["mean"] < rows[1]["mean"]


def test_analyze_shows_the_best_of_all_that_was_played_out(run: Run) -> None:
    words = ["hello,world,paper,value", "carle", "world", "gutsy", "hello", "paper", "value"]
    for row in json.loads(run("quordle", "analyze", *words, "--json").out)["rows"][1:]:
        assert row["best"]["mean"] is None or row["best"]["mean"] <= row["made"]["mean"]


def test_a_guess_that_is_not_in_the_list_gets_a_note(run: Run) -> None:
    done = run("quordle", "suggest", "crnae:-y---,----y", "--top", "1")
    assert done.code == 0
    assert "crnae: not among the 12,972 guesses: did you mean crane?" in done.out + done.err
    assert "did you mean crane?" in run("quordle", "play", "hello", "world", "--given", "crnae").err


def test_play_takes_a_word_that_is_not_among_the_answers(run: Run) -> None:
    done = run("quordle", "play", "gizmo", "world")
    assert done.code == 0
    assert "gizmo" in done.out.splitlines()[-1]
    assert "not among the 2,315 answers" in run("quordle", "play", "gizmo", "world", "--strategy", "random").err
    assert "not among" in run("quordle", "play", "gizmo", "world", "--answers", "wordle-answers").err


def test_suggest_says_how_guesses_are_ranked(run: Run) -> None:
    start = run("quordle", "suggest").out
    assert "first the best start of whole games, then by the bits still missing" in start
    assert "mean" not in start
    known = run("quordle", "suggest", "carle:---gy", "salve:--g-y", "hells:gggg-", "--top", "1").out
    assert known.splitlines()[-1].split()[:2] == ["hello", "1.00"]


def test_a_shared_text_without_squares_is_named(run: Run) -> None:
    text = "Daily Quordle 123\n5\ufe0f\u20e38\ufe0f\u20e3\n6\ufe0f\u20e3🟥"
    for command in ("suggest", "analyze"):
        assert "no rows of 5 squares in the text of Quordle" in run("quordle", command, text).err


def test_one_guess_cannot_solve_two_boards(run: Run) -> None:
    assert "crane: solves boards 1 and 2" in run("quordle", "suggest", "crane:ggggg,ggggg").err
