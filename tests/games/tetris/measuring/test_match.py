"""Our player against another player's results: read, checked, played and compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, Exit
from gpusolve.games.tetris import evaluate, match, play
from gpusolve.games.tetris.measuring.results import check_reachable, read_results
from gpusolve.games.tetris.players.policy import PolicyName
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules import board as rules, sources
from gpusolve.games.tetris.variant import Variant
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
CPU = open_backend("cpu")
ON_CPU = ("--device", "cpu", "--quiet")
SHORT = Variant("30hz", max_lines=8)


def letters(game: int, count: int = 60) -> str:
    return "".join(rules.PIECES[piece] for piece in islice(sources.pieces(3, game), count))


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return a file of four greedy games with their placements; their lists are longer than the games need."""
    rows = []
    for game in range(4):
        played = play("published", policy="greedy", game=game, variant=SHORT, seed=3, backend=CPU)
        played.save(tmp_path / f"{game}.json")
        rows.append({"pieces": letters(game), "score": played.score, "lines": played.lines, "game": f"{game}.json"})
    return write(tmp_path / "results.csv", rows)


@pytest.mark.parametrize("policy", ["greedy", "two-piece", "branching"])
def test_the_differences_are_those_of_the_games(results: Path, policy: PolicyName) -> None:
    breadths = (2, 1) if policy == "branching" else None
    matched = match(results, player="published", policy=policy, breadths=breadths, variant=SHORT, backend=CPU)
    ours = evaluate("published", count=4, policy=policy, breadths=breadths, variant=SHORT, seed=3, backend=CPU)
    theirs = evaluate("published", count=4, policy="greedy", variant=SHORT, seed=3, backend=CPU)
    assert matched.ours.scores.tolist() == ours.games.scores.tolist()
    assert matched.theirs.scores.tolist() == theirs.scores.tolist()
    differences = ours.scores - theirs.scores
    assert matched.differences.tolist() == differences.tolist()
    assert matched.difference.estimate.mean == differences.mean()
    assert (matched.wins, matched.losses) == ((differences > 0).sum(), (differences < 0).sum())
    assert (matched.theirs.checked, matched.short, matched.complete) == (4, 0, True)
    if policy == "greedy":
        assert matched.difference.interval == (0, 0)


def test_a_learned_value_plays(results: Path) -> None:
    matched = match(results, player=untrained(), variant=SHORT, backend=CPU)
    ours = evaluate(untrained(), count=4, variant=SHORT, seed=3, backend=CPU)
    assert matched.ours.scores.tolist() == ours.games.scores.tolist()


def test_a_list_that_is_too_short(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", [{"pieces": letters(0, n), "score": 40, "lines": 1} for n in (60, 6)])
    matched = match(path, player="published", variant=SHORT, backend=CPU)
    assert matched.short == 1
    assert matched.ours.pieces[0, 1] == 5


def test_a_stopped_match_can_be_continued(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpusolve.games.tetris.players.turns.BYTES_PER_GAME", 1 << 30)
    whole = match(results, player="30hz", variant=SHORT, backend=CPU)
    half = match(results, player="30hz", variant=SHORT, time_limit=0, checkpoint=tmp_path / "run", backend=CPU)
    assert (len(half.differences), half.complete) == (1, False)
    again = match(results, player="30hz", variant=SHORT, resume=tmp_path / "run", backend=CPU)
    assert again.differences.tolist() == whole.differences.tolist()
    with pytest.raises(BadInput, match="made with"):
        match(results, player="published", variant=SHORT, resume=tmp_path / "run", backend=CPU)
    write(results, [{"pieces": letters(1), "score": 40, "lines": 1}])
    with pytest.raises(BadInput, match="made with"):
        match(results, player="30hz", variant=SHORT, resume=tmp_path / "run", backend=CPU)


def test_the_command(run: Run, results: Path, tmp_path: Path) -> None:
    options = ("match", str(results), "--reach", "30hz", "--max-lines", "8")
    files = ("--csv", str(tmp_path / "out.csv"), "--plot", str(tmp_path / "out.png"))
    done = run("tetris", *options, *files, *ON_CPU, "--json")
    assert (done.code, done.err) == (0, "")
    output, expected = json.loads(done.out), match(results, variant=SHORT, backend=CPU)
    assert output["difference"]["mean"] == expected.difference.estimate.mean
    assert output["difference"]["interval"] == pytest.approx(expected.difference.interval)
    assert (output["checked"], output["count"], output["player"]) == (4, 4, "learned")
    rows = (tmp_path / "out.csv").read_text().splitlines()
    assert rows[0] == "score,lines,pieces,tetrises,their_score,their_lines,difference"
    assert [int(row.split(",")[-1]) for row in rows[1:]] == expected.differences.tolist()
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    text = run("tetris", *options, *ON_CPU).out
    assert "4 games, two-piece, 30hz, uniform8, start level 19, 8 lines" in text
    assert "4 of their games checked: every placement can be reached" in text
    one = json.loads(run("tetris", "match", str(tmp_path / "2.json"), *options[2:], *ON_CPU, "--json").out)
    assert one["ours"]["score"]["mean"] == expected.ours.scores[0, 2]
    assert one["difference"]["interval"] is None


def test_reachability_under_the_clock(backend: Backend) -> None:
    """At 8 taps per second some piece of a game by any presses does not get to its column before it locks."""
    played = play("published", variant=Variant(max_lines=60), seed=6, backend=CPU)
    check_reachable(played, variant=Variant(max_lines=60), backend=backend)
    with pytest.raises(BadInput, match=r"turn \d+: [ILJTZSO] turned \d times cannot be reached in column \d+, row \d+"):
        check_reachable(played, variant=Variant("8hz", max_lines=60), backend=backend)


GAME = {"pieces": letters(0), "score": 40, "lines": 1}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([GAME | {"pieces": "ABC"}], "line 2: pieces ABC"),
        ([GAME | {"pieces": "I"}], "line 2: pieces I: expected 2 to"),
        ([GAME, GAME | {"score": -40}], "line 3: score -40"),
        ([GAME | {"score": "much"}], "line 2: score much"),
        ([GAME | {"lines": 12}], "line 2: lines 12: expected a whole number, 0 to 11"),
        ([GAME | {"lines": 2**70}], "line 2: lines"),
        ([{"pieces": "IO", "score": 1}], "expected the columns pieces, score, lines"),
        ([GAME | {"more": 1}], "expected the columns"),
        ([GAME | {"game": "none.json"}], "line 2: .*none.json"),
    ],
)
def test_invalid_results_are_refused(run: Run, tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
    path = write(tmp_path / "r.csv", rows)
    with pytest.raises(BadInput, match=message):
        read_results(path, variant=SHORT, backend=CPU)
    done = run("tetris", "match", str(path), "--max-lines", "8", *ON_CPU)
    assert (done.code, done.out, done.err.count("\n")) == (Exit.BAD_INPUT, "", 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": 40}, "expected 40 and"),
        ({"pieces": letters(2)}, "not those of the list"),
    ],
)
def test_a_game_that_differs_from_its_line_is_refused(
    results: Path, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    played = play("published", policy="greedy", variant=SHORT, seed=3, backend=CPU)
    row = {"pieces": letters(0), "score": played.score, "lines": played.lines, "game": "0.json"} | change
    with pytest.raises(BadInput, match=message):
        read_results(write(tmp_path / "other.csv", [row]), variant=SHORT, backend=CPU)
    with pytest.raises(BadInput, match="game from level 19: expected 18"):
        read_results(results, variant=Variant("30hz", start_level=18, max_lines=8), backend=CPU)


LONG = f"pieces,score,lines\n{'I' * 200_000},1,1\n"


@pytest.mark.parametrize(
    "text", ["", "pieces,score,lines\n", "{}", "pieces,pieces,score,lines\nIO,IO,1,1\n", "\0", LONG]
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(BadInput, match=r"r\.csv"):
        read_results(tmp_path / "r.csv", variant=SHORT, backend=CPU)


def test_a_line_with_more_fields_than_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("pieces,score,lines\nTI,0,0\nTI,0,0,5,6\n")
    with pytest.raises(BadInput, match=r"results .*, line 3: 5 fields: expected 3"):
        match(path, policy="greedy", backend=CPU)


def test_the_text_of_a_match_and_of_a_game_is_short(tmp_path: Path) -> None:
    path = write(tmp_path / "results.csv", [{"pieces": "TI" * 5000, "score": 0, "lines": 0}] * 3)
    assert len(repr(match(path, player="published", policy="greedy", variant=SHORT, backend=CPU))) < 2000
    assert len(repr(play("published", policy="greedy", seed=3, backend=CPU))) < 1000
