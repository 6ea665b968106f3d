"""Our player beside another's results: read, checked, played, compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, Exit
from gpusolve.games.tetris import _play as recording, evaluate, match, play
from gpusolve.games.tetris.measuring import _match as matches
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules import board as rules, sources
from gpusolve.games.tetris.variant import Settings
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
CPU = open_backend("cpu")
ON_CPU = ("--device", "cpu", "--quiet")
SHORT = Settings("30hz", max_lines=8)


def letters(game: int, count: int = 60) -> str:
    return "".join(rules.PIECES[piece] for piece in islice(sources.pieces(3, game), count))


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """What greedy play makes of four lists, with its games; the lists go on further than they need."""
    rows = []
    for game in range(4):
        played = play("published", "greedy", game=game, settings=SHORT, seed=3, backend=CPU)
        recording.save(tmp_path / f"{game}.json", played)
        rows.append({"pieces": letters(game), "score": played.score, "lines": played.lines, "game": f"{game}.json"})
    return write(tmp_path / "results.csv", rows)


@pytest.mark.parametrize("policy", ["greedy", "two-piece", "branching"])
def test_the_differences_are_those_of_the_games(results: Path, policy: str) -> None:
    breadths = (2, 1) if policy == "branching" else None
    found = match(results, "published", policy, breadths, settings=SHORT, backend=CPU)
    ours = evaluate("published", None, 4, policy, breadths, settings=SHORT, seed=3, backend=CPU)
    theirs = evaluate("published", None, 4, "greedy", settings=SHORT, seed=3, backend=CPU)
    assert found.ours.scores.tolist() == ours.games.scores.tolist()
    assert found.theirs.scores.tolist() == theirs.scores.tolist()
    differences = ours.scores - theirs.scores
    assert found.differences.tolist() == differences.tolist()
    assert found.difference.mean == differences.mean()
    assert (found.wins, found.losses) == ((differences > 0).sum(), (differences < 0).sum())
    assert (found.theirs.checked, found.short, found.complete) == (4, 0, True)
    if policy == "greedy":
        assert found.interval == (0, 0)


def test_a_learned_value_plays(results: Path) -> None:
    found = match(results, untrained(), settings=SHORT, backend=CPU)
    ours = evaluate(untrained(), None, 4, settings=SHORT, seed=3, backend=CPU)
    assert found.ours.scores.tolist() == ours.games.scores.tolist()


def test_a_list_that_is_too_short(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", [{"pieces": letters(0, n), "score": 40, "lines": 1} for n in (60, 6)])
    found = match(path, "published", settings=SHORT, backend=CPU)
    assert found.short == 1
    assert found.ours.pieces[0, 1] == 5


def test_a_stopped_match_goes_on(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpusolve.games.tetris.players.playing.MOST_AT_ONCE", 1)
    whole = match(results, "30hz", settings=SHORT, backend=CPU)
    half = match(results, "30hz", settings=SHORT, time_limit=0, checkpoint=tmp_path / "run", backend=CPU)
    assert (len(half.differences), half.complete) == (1, False)
    again = match(results, "30hz", settings=SHORT, resume=tmp_path / "run", backend=CPU)
    assert again.differences.tolist() == whole.differences.tolist()
    with pytest.raises(BadInput, match="made with"):
        match(results, "published", settings=SHORT, resume=tmp_path / "run", backend=CPU)
    write(results, [{"pieces": letters(1), "score": 40, "lines": 1}])
    with pytest.raises(BadInput, match="made with"):
        match(results, "30hz", settings=SHORT, resume=tmp_path / "run", backend=CPU)


def test_the_command(run: Run, results: Path, tmp_path: Path) -> None:
    options = ("match", str(results), "--reach", "30hz", "--max-lines", "8")
    files = ("--csv", str(tmp_path / "out.csv"), "--plot", str(tmp_path / "out.png"))
    done = run("tetris", *options, *files, *ON_CPU, "--json")
    assert (done.code, done.err) == (0, "")
    found, expected = json.loads(done.out), match(results, settings=SHORT, backend=CPU)
    assert found["difference"]["mean"] == expected.difference.mean
    assert found["difference"]["interval"] == pytest.approx(expected.interval)
    assert (found["checked"], found["games"], found["weights"]) == (4, 4, "learned")
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
    """On a pile of 17 rows an I at level 29 that does not get to the side before it locks."""
    played = play("published", settings=Settings(max_lines=60), seed=6, backend=CPU)
    matches.check_reachable(played, Settings(max_lines=60), backend)
    with pytest.raises(BadInput, match=r"turn \d+: [ILJTZSO] turned \d times cannot be reached in column \d+, row \d+"):
        matches.check_reachable(played, Settings("8hz", max_lines=60), backend)


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
def test_results_that_are_none(run: Run, tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
    path = write(tmp_path / "r.csv", rows)
    with pytest.raises(BadInput, match=message):
        matches.read_results(path, SHORT, CPU)
    done = run("tetris", "match", str(path), "--max-lines", "8", *ON_CPU)
    assert (done.code, done.out, done.err.count("\n")) == (Exit.BAD_INPUT, "", 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": 40}, "expected 40 and"),
        ({"pieces": letters(2)}, "not those of the list"),
    ],
)
def test_a_game_that_is_not_its_lines(results: Path, tmp_path: Path, change: dict[str, Any], message: str) -> None:
    played = play("published", "greedy", settings=SHORT, seed=3, backend=CPU)
    row = {"pieces": letters(0), "score": played.score, "lines": played.lines, "game": "0.json"} | change
    with pytest.raises(BadInput, match=message):
        matches.read_results(write(tmp_path / "other.csv", [row]), SHORT, CPU)
    with pytest.raises(BadInput, match="game from level 19: expected 18"):
        matches.read_results(results, Settings("30hz", start_level=18, max_lines=8), CPU)


LONG = f"pieces,score,lines\n{'I' * 200_000},1,1\n"


@pytest.mark.parametrize(
    "text", ["", "pieces,score,lines\n", "{}", "pieces,pieces,score,lines\nIO,IO,1,1\n", "\0", LONG]
)
def test_files_that_hold_no_results(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(BadInput, match=r"r\.csv"):
        matches.read_results(tmp_path / "r.csv", SHORT, CPU)
