"""``gpusolve quiddler`` as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gpusolve.backend import open_backend
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler._deal import deal
from gpusolve.games.quiddler.cards import NAMES
from gpusolve.games.quiddler.deals import Deal
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]

DEAL = "n w u th r y y i / a c j o u n b i"


@pytest.fixture
def quiddler(run: Run) -> Run:
    return lambda *arguments: run("quiddler", *arguments)


@pytest.fixture
def few_words(tmp_path: Path) -> list[str]:
    """A dictionary for tests that need no other words."""
    file = tmp_path / "words"
    file.write_text("nu\nja\nbi\nicy\nunworthy\nbad\n")
    return ["--dictionary", str(file)]


def test_solve_prints_the_best_plan(quiddler: Run) -> None:
    done = quiddler("solve", DEAL, "--device", "cpu", "--quiet")
    assert (done.code, done.err) == (0, "")
    lines = [line.rstrip() for line in done.out.splitlines()]
    assert lines[:2] == ["n w u th r y y i", "a c j o  u n b i"]
    assert "107 points = 87 used + 20 bonus, proven optimal" in lines
    assert "10 plans reach it" in lines
    row = next(line for line in lines if line.startswith("unworthy"))
    assert "unwor(th)y" in row
    assert "th from 4 to 1" in row


def test_solve_prints_json(quiddler: Run) -> None:
    done = quiddler("solve", DEAL, "--json", "--quiet", "--device", "cpu")
    result = json.loads(done.out)
    assert done.out.count("\n") == 1
    assert result["schema"] == "gpusolve.quiddler.solve/3"
    assert (result["score"], result["n_plans"], result["proven"]) == (107, 10, True)
    assert result["plans"][0]["score"] == 107
    assert [step["word"] for step in result["plans"][0]["steps"]] == ["nu", "ja", "bi", "icy", "unworthy"]
    assert result["plans"][0]["steps"][2]["moves"] == [{"card": "y", "from_place": 7, "to_place": 1}]


def test_a_random_deal_is_reproduced_by_its_seed(quiddler: Run) -> None:
    first, again = (json.loads(quiddler("solve", "--seed", "5", "--json").out) for _ in range(2))
    assert min(first.pop("seconds"), again.pop("seconds")) >= 0
    assert first == again
    dealt = json.loads(quiddler("deal", "--seed", "5", "--json").out)
    assert first["deal"] == {name: dealt[name] for name in ("tops", "bottoms", "seed", "number")}
    assert first["deal"]["seed"] == 5
    shown = quiddler("deal", "--seed", "5")
    assert Deal.parse(shown.out) == deal(5)
    assert shown.err == "seed 5, deal 0\n"
    assert quiddler("deal", "--seed", "5", "--quiet").err == ""
    assert Deal.parse(quiddler("deal", "--seed", "5", "--number", "3").out) == deal(5, number=3)


def test_all_cards_can_be_required(quiddler: Run, few_words: list[str]) -> None:
    assert "all cards used" in quiddler("solve", DEAL, "--goal", "any", *few_words).out
    assert "107 points" in quiddler("solve", DEAL, "--goal", "all", *few_words).out
    done = quiddler("solve", DEAL, "--goal", "all", "--max-words", "2", "--quiet", *few_words)
    assert (done.code, done.out) == (1, "")
    assert done.err == "gpusolve: proven: no play of this deal uses all 16 cards with at most 2 words\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", DEAL, "--goal", "none"], "--goal"),
        (["solve", DEAL, "--seed", "1"], "seed 1: expected a deal or a seed, not both"),
        (["solve", "abcdefg / abcdefghi"], "rows of 7, 9 cards: expected two rows of eight"),
        (["solve", "nwu(th)ryyiacjounb"], "the deal has 15 cards: expected 16"),
        (["solve", "nwu(th)ryyiacjounbii"], "the deal has 17 cards: expected 16"),
        (["solve", DEAL.replace("j", "3")], "card 11, '3': expected a letter a-z or one of cl, er, in, qu, th"),
        (
            ["solve", "q q q a b c d e / a b c d e f g h", "--strict"],
            "strict: 3 copies of card 'q', but the deck has only 2",
        ),
        (["solve", DEAL, "--dictionary", "nothing"], "nothing: no such file: expected a file or a shipped list"),
        (["solve", DEAL, "--dictionary", "{empty}"], "no words there"),
        (["solve", DEAL, "--dictionary", "{letters}"], "the dictionary has no word of at least two letters"),
        (["solve", DEAL, "--bonus", "5"], "bonus, entry 1: '5': expected a pair such as 5:2"),
        (["solve", DEAL, "--values", "{letters}"], "letters, line 1: 'a': expected a pair"),
        (["solve", DEAL, "--max-words", "0"], "max-words 0: expected a whole number, 1 to 16"),
        (["check", "", DEAL], "the plan is empty"),
        (["check", "nu"], "Missing argument 'DEAL"),
        (["check", "nu", ""], "the deal has 0 cards"),
        (["hand", "ab"], "the hand has 2 cards: expected 3 to 10"),
        (["census", "--count", "0"], "count 0: expected a whole number, 1 to 1,000,000,000"),
        (["census", "--count", "1", "--resume", "{letters}"], "damaged, or not a checkpoint"),
    ],
)
def test_bad_input_is_reported_in_one_line(quiddler: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    files = {"empty": tmp_path / "empty", "letters": tmp_path / "letters"}
    files["empty"].write_text("\n")
    files["letters"].write_text("a\nb\n")
    done = quiddler(*(argument.format(**files) for argument in arguments), "--quiet")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_more_copies_of_a_card_than_the_deck_has_are_a_warning(quiddler: Run, few_words: list[str]) -> None:
    warning, deal = "warning: 3 copies of card 'q', but the deck has only 2\n", "q q q a b c d e / a b c d e f g h"
    done = quiddler("check", "bad", deal, *few_words)
    assert (done.code, done.err) == (0, warning)
    done = quiddler("solve", deal, *few_words)
    assert (done.code, done.err[-len(warning) :]) == (0, warning)
    warnings = json.loads(quiddler("solve", deal, "--json", *few_words).out)["warnings"]
    assert warnings == ["3 copies of card 'q', but the deck has only 2"]
    assert quiddler("solve", deal, "--quiet", *few_words).err == ""


def test_check_scores_a_legal_plan(quiddler: Run, few_words: list[str]) -> None:
    done = quiddler("check", "nu ja bi icy unworthy", DEAL, *few_words)
    assert done.code == 0
    assert done.out.endswith("107 points = 87 used + 20 bonus, legal\n")


def test_check_reports_where_a_plan_is_illegal(quiddler: Run, few_words: list[str]) -> None:
    broken = "word 2, 'unworthy': u, n, o are covered, and there is no empty place to uncover them"
    done = quiddler("check", "nu unworthy", DEAL, *few_words)
    assert done.code == 2
    assert done.out.splitlines()[-1] == "-69 points = 9 used - 78 left (a c j o u n b i w th r y y i) + 0 bonus, so far"
    assert done.err.splitlines()[-1] == f"gpusolve: not legal: {broken}"
    done = quiddler("check", "nu unworthy", DEAL, "--json", *few_words)
    assert done.code == 2
    result = json.loads(done.out)
    assert (result["legal"], result["broken"]) == (False, broken)
    assert [step["word"] for step in result["plan"]["steps"]] == ["nu"]


def test_values_and_bonuses_are_read_from_files(quiddler: Run, few_words: list[str], tmp_path: Path) -> None:
    (tmp_path / "values").write_text("\n".join(f"{card} 1" for card in NAMES))
    (tmp_path / "bonus").write_text("5 0\n")
    files = ["--values", str(tmp_path / "values"), "--bonus", str(tmp_path / "bonus")]
    assert "16 points = 16 used + 0 bonus, proven optimal" in quiddler("solve", DEAL, *files, *few_words).out


def test_hand_prints_the_best_words(quiddler: Run) -> None:
    result = json.loads(quiddler("hand", "qu i t er a l", "--json").out)
    assert result["schema"] == "gpusolve.quiddler.hand/2"
    assert result["cards"] == ["qu", "i", "t", "er", "a", "l"]
    assert (result["points"]["score"], result["points"]["words"]) == (26, ["qua", "liter"])
    assert result["longest"]["words"] == ["quilter"]
    shown = quiddler("hand", "(qu)it(er)alz", "--discard", "--beat-longest", "4").out
    assert [line.split()[-1] for line in shown.splitlines()[2:]] == ["36", "32", "36"]


def test_census_prints_plots_and_saves_its_result(quiddler: Run, tmp_path: Path) -> None:
    picture, table, state = tmp_path / "h.png", tmp_path / "t.csv", tmp_path / "state"
    files = ["--plot", str(picture), "--csv", str(table), "--checkpoint", str(state)]
    done = quiddler("census", "--count", "40", "--seed", "1", "--json", "--device", "cpu", *files)
    assert done.code == 0
    result = json.loads(done.out)
    assert (result["count"], result["seed"], result["complete"]) == (40, 1, True)
    assert sum(result["distribution"].values()) == 40
    assert result["mean"] == sum(int(score) * n for score, n in result["distribution"].items()) / 40
    assert picture.read_bytes().startswith(b"\x89PNG")
    rows = table.read_text().splitlines()
    assert rows[0] == "number,best,best_all"
    assert len(rows) == 41
    hardest = result["hardest"][0]
    assert rows[1 + hardest["number"]].startswith(f"{hardest['number']},{hardest['best']},")
    assert json.loads(quiddler("solve", hardest["deal"], "--json").out)["score"] == hardest["best"]
    again = quiddler("census", "--count", "40", "--resume", str(state), "--device", "cpu")
    assert "40 deals of seed 1: mean optimum" in again.out


def test_a_census_stops_at_its_time_limit(quiddler: Run) -> None:
    done = quiddler("census", "--count", "100000000", "--seed", "1", "--time-limit", "0", "--device", "cpu")
    assert done.code == 3
    batch = open_backend("cpu").batch(kernels.BYTES_PER_DEAL)
    assert f"{batch} deals of seed 1" in done.out
    assert f"stopped at the time limit after {batch} deals" in done.err


def test_a_plot_that_cannot_be_written_is_reported_before_the_work(quiddler: Run, tmp_path: Path) -> None:
    file = tmp_path / "none" / "h.png"
    done = quiddler("census", "--count", "1000000000", "--seed", "1", "--quiet", "--plot", str(file))
    message = f"gpusolve: --plot {file}: cannot be written: there is no folder {file.parent}\n"
    assert (done.code, done.out, done.err) == (2, "", message)
    done = quiddler("census", "--count", "1000000000", "--seed", "1", "--quiet", "--plot", str(tmp_path / "picture"))
    assert "expected a file name that ends in .png, .svg, .pdf" in done.err
