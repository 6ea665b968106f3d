"""The commands of ``gpusolve wordle``, as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.games.wordle import rules
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]


@pytest.fixture(autouse=True)
def cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu")


LIST = "--answers", "wordle-answers"


def test_partition_table(run: Run) -> None:
    done = run("wordle", "partition-table", "--top", "3")
    assert done.code == 0
    title, columns, _, *rows = done.out.splitlines()
    assert title == "12,972 guesses x 2,315 answers, scoring wordle, by entropy"
    assert columns.split() == ["guess", "patterns", "largest", "sum_squares", "entropy", "expected", "is_answer"]
    assert [row.split() for row in rows] == [
        ["soare", "127", "183", "144227", "5.88596", "62.30108"],
        ["roate", "126", "195", "139883", "5.88278", "60.42462"],
        ["raise", "132", "168", "141217", "5.87791", "61.00086", "✓"],
    ]


def test_partition_table_of_chosen_words_in_every_order(run: Run) -> None:
    orders = {"entropy": "salet trace tares", "expected": "salet tares trace", "guess": "salet tares trace"}
    orders |= {"patterns": "trace salet tares", "largest": "salet tares trace"}
    for sort, expected in orders.items():
        done = run("wordle", "partition-table", "--words", "Trace,salet,tares", "--sort", sort, "--json")
        output = json.loads(done.out)
        assert output["schema"] == "gpusolve.wordle.partition-table/2"
        assert (output["guesses"], output["answers"], output["device"]) == (3, 2315, "cpu")
        assert [row["guess"] for row in output["rows"]] == expected.split(), sort


def test_partition_table_as_csv_has_every_row(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    assert run("wordle", "partition-table", "--answers", "wordle-guesses", "--csv", str(path)).code == 0
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert len(rows) == 12972
    assert rows[0]["guess"] == "tares"
    assert (rows[0]["patterns"], rows[0]["largest"], rows[0]["sum_squares"]) == ("212", "858", "3923922")
    done = run("wordle", "partition-table", "--csv", str(tmp_path / "no" / "table.csv"))
    assert (done.code, "cannot be written" in done.err) == (2, True)


def test_cells(run: Run) -> None:
    output = json.loads(run("wordle", "cells", "salet", "--json").out)
    assert len(output["cells"]) == 148
    assert max(len(cell["words"]) for cell in output["cells"]) == 221
    assert {"pattern": "ggggg", "words": ["salet"]} not in output["cells"]  # salet is not an answer


def test_cells_are_as_wide_as_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    done = run("wordle", "cells", "salet")
    assert "\n-y--g      20  abbot abort about adapt admit adopt afoot ...\n" in done.out
    everything = run("wordle", "cells", "salet", "--all")
    assert max(map(len, (done.out + everything.out).splitlines())) <= 60
    assert len(done.out.splitlines()) == 3 + 148
    words = [word for line in everything.out.splitlines()[3:] for word in line[15:].split()]
    assert sorted(words) == sorted(word_list("wordle-answers"))


def test_pattern(run: Run) -> None:
    assert run("wordle", "pattern", "Eerie", "there").out == "eerie:y-y-g\n"
    assert run("wordle", "pattern", "eerie", "there", "--scoring", "presence").out == "eerie:yyy-g\n"
    output = json.loads(run("wordle", "pattern", "eerie", "there", "--json").out)
    assert (output["pattern"], output["code"]) == ("y-y-g", rules.parse_pattern("y-y-g"))


def test_suggest(run: Run) -> None:
    exactly = run("wordle", "suggest", "salet:-y--g", "--mode", "hard", "--top", "2", *LIST).out
    by = "the exact mean number of guesses to the end"
    assert f"\nguess 2 of 6, hard mode: the best of 273 allowed guesses, by {by}\n" in exactly
    assert [line.split()[:3] for line in exactly.splitlines()[-4:]] == [
        ["guess", "mean", "is_answer"],
        ["-----", "------", "---------"],
        ["craft", "2.4000", "✓"],
        ["audit", "2.4000", "✓"],
    ]
    done = run("wordle", "suggest", "salet:-y--g", "--mode", "hard", "--top", "2", "--sort", "entropy", *LIST)
    assert "20 answers left: about admit adopt" in done.out
    assert (
        "\nguess 2 of 6, hard mode: the best of 273 allowed guesses, by entropy, with a bonus for likely answers\n"
        in done.out
    )
    columns, _, *rows = (line.split() for line in done.out.splitlines()[-4:])
    assert columns == ["guess", "is_answer", "entropy", "expected", "patterns", "largest", "now", "%", "next", "%"]
    assert rows == [
        ["craft", "✓", "3.20", "2.60", "11", "5", "5.0", "55.0"],
        ["draft", "✓", "3.17", "2.40", "10", "3", "5.0", "50.0"],  # ariot has 3.20 bits, but cannot be the answer
    ]
    output = json.loads(run("wordle", "suggest", "salet:-y--g", "craft:-yg-g", *LIST, "--json").out)
    assert output["remaining"] == ["apart", "quart"]
    assert output["history"] == [{"guess": "salet", "pattern": "-y--g"}, {"guess": "craft", "pattern": "-yg-g"}]
    first = output["rows"][0]
    assert (output["solved"], first["guess"], first["solved_now"], first["solved_next"]) == (False, "apart", 0.5, 1.0)
    everything = json.loads(run("wordle", "suggest", *LIST, "--json").out)
    assert (len(everything["remaining"]), everything["rows"][0]["guess"]) == (2315, "salet")


@pytest.mark.parametrize(
    "words",
    [["salet", "-y--g"], ["SALET", ".Y..G", "--top", "1"], ["--top", "1", "salet", "-y--g"], ["salet", "0100g"]],
)
def test_a_guess_and_its_pattern_may_be_two_words(run: Run, words: list[str]) -> None:
    done = run("wordle", "suggest", *words, "--json", "--quiet")
    assert (done.code, json.loads(done.out)["history"]) == (0, [{"guess": "salet", "pattern": "-y--g"}])


def test_a_pattern_that_looks_like_an_option_belongs_to_the_guess_before_it(run: Run) -> None:
    done = run("wordle", "suggest", "raise", "-----", "count", "--y--", "--json", "--quiet")
    assert [turn["pattern"] for turn in json.loads(done.out)["history"]] == ["-----", "--y--"]
    alone = run("wordle", "suggest", "-y--g")
    expected = "gpusolve: '-y--g': expected a guess before its pattern, such as salet:-y--g\n"
    assert (alone.code, alone.err) == (2, expected)
    done = run("wordle", "suggest", "salet", "--fast")
    assert (done.code, "--fast" in done.err) == (2, True)


def test_suggest_says_solved(run: Run) -> None:
    assert run("wordle", "suggest", "slate:ggggg").out == "slate:ggggg\nsolved in 1\n"
    output = json.loads(run("wordle", "suggest", "salet:-y--g", "craft:ggggg", "--json").out)
    assert (output["solved"], output["remaining"], [row["guess"] for row in output["rows"]]) == (
        True,
        ["craft"],
        ["craft"],
    )


def test_play_against_an_answer(run: Run) -> None:
    exactly = run("wordle", "play", "crane", *LIST).out.splitlines()
    assert exactly == [
        "salet:-y-y-  2,315 possible answers",
        "beard:-ygy-  83 possible answers",
        "cezve:g---g  8 possible answers",
        "crane:ggggg  1 possible answer",
        "4 guesses, chosen by the exact mean number of guesses to the end where it is known, else by entropy",
    ]
    done = run("wordle", "play", "crane", "--sort", "entropy", *LIST)
    assert done.out.splitlines() == [
        "soare:--gyg  2,315 possible answers",
        "diact:--gy-  19 possible answers",
        "anvil:yy---  3 possible answers",
        "crane:ggggg  1 possible answer",
        "4 guesses, chosen by entropy",
    ]
    output = json.loads(run("wordle", "play", "crane", "--first", "salet", "--mode", "ultra-hard", *LIST, "--json").out)
    assert output["turns"][0] == {"guess": "salet", "pattern": "-y-y-", "remaining": 2315}
    assert output["turns"][-1]["pattern"] == "ggggg"


def test_a_seed_repeats_a_random_game(run: Run) -> None:
    game = json.loads(run("wordle", "play", "--random", "--json").out)
    again = json.loads(run("wordle", "play", "--random", "--seed", str(game["seed"]), "--json").out)
    assert again | {"seconds": 0} == game | {"seconds": 0}
    assert f"seed {game['seed']}" in run("wordle", "play", "--random", "--seed", str(game["seed"])).out


def test_help_through_a_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = iter(["-----", "undo", "soare:--gyg", "nonsense", "salet:-----", "diact:--gy-", "anvil:yy---", "ggggg"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(entries))
    done = run("wordle", "play", *LIST)
    assert done.code == 0
    assert "'nonsense' is not a pattern" in done.out
    assert "contradicts itself: no five letters give these patterns: the last guess is undone" in done.out
    assert done.out.endswith("\n1 answer left: crane\ncrane:ggggg\nsolved in 4\n")
    alternatives = done.out.split("--gyg\n")[1].split("'nonsense'")[0].splitlines()
    assert (alternatives[0][:18], len(alternatives)) == ("19 answers left: f", 1 + 2 + 5)


def test_the_end_of_the_input_ends_the_dialogue(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def end(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    assert run("wordle", "play").code == 0


def test_suggest_without_a_listed_answer(run: Run) -> None:
    done = run("wordle", "suggest", "qajaq:ggggg", *LIST)
    assert "no listed answer fits, so all 12,972 guesses count as possible answers, each with its chance" in done.err


def test_simulate(run: Run) -> None:
    done = run("wordle", "simulate", "--first", "salet")
    assert "2,315 answers, 7,946 guesses, mean 3.43240" in done.out
    output = json.loads(run("wordle", "simulate", "--first", "salet", "--json").out)
    assert output["distribution"] == {"1": 0, "2": 79, "3": 1206, "4": 982, "5": 46, "6": 2}
    assert output["worst"] == ["hover", "poker"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            "partition-table --answers nowhere.txt",
            2,
            "nowhere.txt: no such file: expected a file or a shipped list",
        ),
        ("suggest --top -1", 2, "--top -1: expected 0 to 1,000,000,000"),
        ("solve --time-limit -1", 2, "--time-limit -1.0: expected 0 or more"),
        ("partition-table --answers {digit}", 2, "line 1: 'cr4ne' is not a word: expected letters a-z only"),
        ("partition-table --guesses {mixed}", 2, "line 1: 'a' has 1 letter: expected 5"),
        ("partition-table --answers {empty}", 2, "no words there: expected at least one"),
        ("partition-table --words trace,sal3t", 2, "sal3t' is not a word: expected 2 to 12 letters"),
        ("partition-table --words=", 2, "'' is not a word"),
        ("cells abc", 2, "'abc' is not a word: expected 5 letters"),
        ("pattern crane cr4ne", 2, "'cr4ne' is not a word"),
        ("pattern crane cranes", 2, "'cranes' is not a word: expected 5 letters"),
        ("suggest salet:-y--", 2, "'-y--' is not a pattern: expected 5 characters"),
        ("suggest salet", 2, "'salet': expected a guess and its pattern, such as salet:-y--g"),
        ("suggest salet:ggggy", 2, "the history contradicts itself: no five letters give these patterns"),
        (
            "suggest salet:-y--- crony:----- --mode hard",
            2,
            "'crony', is not allowed in hard mode: expected A, as in salet",
        ),
        ("analyze salet crony crane --mode hard", 2, "'crony', is not allowed in hard mode: expected A, as in salet"),
        ("solve" + 6 * " salet:y----", 2, "the game is over after six guesses"),
        (
            "play crane --length 6",
            2,
            "--length 6: wordle-answers has words of 5 letters: expected other answers as well",
        ),
        ("suggest " + 1000 * "a", 2, f"gpusolve: '{40 * 'a'}': expected a guess and its pattern"),
        ("suggest " + 1000 * "a" + ":-----", 2, f"gpusolve: '{40 * 'a'}' is not a word: expected 5 letters"),
        ("suggest --answers {folder}", 2, "it is a folder: expected a file or a list's name"),
        ("beat-adversary --weights {digit}", 2, "No such option: --weights"),
        ("suggest slate:ggggg crane:-----", 2, "guess 1, 'slate', has solved the game: expected no guess after it"),
        ("suggest sal3t:-----", 2, "is not a word: expected 5 letters"),
        ("suggest zzzzz:ggggg", 1, "none of the 12,972 words that may be guessed gives these patterns"),
        (
            "suggest --guesses wordle-answers --answers wordle-guesses",
            2,
            "10,657 of the answers cannot be guessed",
        ),
        ("play zzzzz", 2, "answer 'zzzzz': not among the 12,972 answers"),
        ("play crane --random", 2, "random: expected neither an answer nor the adversary"),
        ("play crane --seed 1", 2, "seed 1: expected a random answer as well"),
        ("play --first zzzzz", 2, "first guess 'zzzzz': not among the 12,972 guesses"),
        ("partition-table --guesses wordle-answers --words crane", 2, "words: expected either words or guesses"),
        ("partition-table --guesses=", 2, "expected a file or a shipped list"),
        ("analyze crane --answer zzzzz", 2, "answer 'zzzzz': not among the 12,972 guesses"),
        ("play --json", 2, "expected an answer, --random or --adversary"),
        ("simulate --first sal", 2, "'sal' is not a word"),
        ("simulate --first zzzzz", 2, "first guess 'zzzzz': not among the 12,972 guesses"),
        ("simulate --scoring strict", 2, "--scoring"),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, arguments: str, code: int, message: str) -> None:
    files = {"digit": "cr4ne\n", "mixed": "a\nab\nabc\n", "empty": ""}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    places = {name: str(tmp_path / name) for name in files} | {"folder": str(tmp_path)}
    done = run("wordle", *(word.format(**places) for word in arguments.split()))
    assert (done.code, done.out) == (code, "")
    (line,) = [line for line in done.err.splitlines() if not line.startswith("device: ")]
    assert message in line


def test_guesses_can_be_separated_by_commas(run: Run) -> None:
    one, two = (
        json.loads(run("wordle", "analyze", *words, "--device", "cpu", "--json", "--quiet").out)["moves"]
        for words in (["salet,draft,chart"], ["salet", "draft", "chart"])
    )
    assert one == two


def test_answers_that_are_not_listed_can_be_guessed(run: Run) -> None:
    for command in ("suggest", "letters", "partition-table"):
        assert "12,973" in run("wordle", command, "--answers", "scowl-35").out
    done = run("wordle", "suggest", "--answers", "scowl-35", "--guesses", "wordle-guesses")
    assert (done.code, "1 of the answers cannot be guessed, for example 'multi'" in done.err) == (2, True)


def test_a_history_has_the_length_of_its_patterns(run: Run, tmp_path: Path) -> None:
    german = tmp_path / "de.txt"
    german.write_text("küsse\nhaben\nsagen\nwürde\nwörter\nkönnen\nmüssen\n", encoding="utf-8")
    assert (
        "'wörter' is not a word: expected 5 letters"
        in run("wordle", "suggest", "wörter:---gg", "--answers", str(german)).err
    )
    done = run("wordle", "suggest", "wörter:----g-", "--answers", str(german), "--json")
    assert json.loads(done.out)["remaining"] == ["müssen"]
    found = json.loads(run("wordle", "suggest", "kitten:------", "--answers", "wamerican", "--json").out)
    assert (found["guesses"], len(found["remaining"][0])) == (7352, 6)


def test_a_lost_game_is_over(run: Run) -> None:
    done = run("wordle", "suggest", *(6 * ["salet:y----"]))
    assert done.out.splitlines()[-1] == "the game is over: none of the six guesses was the answer"


def test_no_rows_mean_no_table(run: Run) -> None:
    assert run("wordle", "suggest", "salet:-y--g", "--top", "0").out.splitlines()[-1].startswith("guess 2 of 6")
    assert len(run("wordle", "partition-table", "--words", "crane,salet", "--top", "0").out.splitlines()) == 1
