"""The learned value as a player, and its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpusolve
from games.tetris.oracle import some_value
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import LearnedValue, load_player, load_value, save_value
from gpusolve.games.tetris.players.changes import blend_of, changed, changes_from
from gpusolve.games.tetris.players.playing import choose, play, trace
from gpusolve.games.tetris.players.policy import Policy, PolicyName
from gpusolve.games.tetris.players.shipped import best_player
from gpusolve.games.tetris.players.value import untrained, up_to_kill_screen
from gpusolve.games.tetris.rules.losses import SIZE, SIZE_WITHOUT_HEIGHTS
from gpusolve.games.tetris.variant import Variant
from gpusolve.runs import store

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)


@pytest.mark.parametrize("name", ["greedy", "two-piece"])
def test_games_do_not_depend_on_how_many_are_played_at_once(name: PolicyName, monkeypatch: pytest.MonkeyPatch) -> None:
    learned, policy = untrained(), Policy(name)
    together = play(CPU, learned, range(5), seed=7, policy=policy, variant=SHORT)
    traces = [trace(CPU, learned, seed=7, game=game, policy=policy, variant=SHORT) for game in range(5)]
    monkeypatch.setattr(LearnedValue, "games_at_once", lambda *_: 2)
    apart = play(open_backend("cpu:2"), learned, range(5), seed=7, policy=policy, variant=SHORT)
    assert together.scores.tolist() == apart.scores.tolist()
    assert together.pieces[0].tolist() == [len(placements) for placements in traces]


def test_a_value_is_saved_and_loaded(tmp_path: Path) -> None:
    learned, path = replace(some_value(4, phases=2), phases=(0, 19)), tmp_path / "some.value"
    save_value(path, learned)
    for loaded in (load_value(path), load_player(path), load_player(str(path))):
        assert isinstance(loaded, LearnedValue)
        assert np.array_equal(loaded.tables, learned.tables)
        assert np.array_equal(loaded.endgame, learned.endgame)
        assert (loaded.name, loaded.digest, loaded.phases) == ("random", learned.digest, (0, 19))
    assert load_value("learned").digest != learned.digest
    content = bytearray(path.read_bytes())
    content[-5000] ^= 1
    path.write_bytes(content)
    with pytest.raises(BadInput, match="damaged"):
        load_value(path)
    with pytest.raises(BadInput, match="no such file"):
        load_value(tmp_path / "none.value")


def test_a_file_from_before_the_tables_of_heights_means_the_same(tmp_path: Path) -> None:
    """Its numbers come first in every phase; the tables of heights are 0."""
    learned, path = some_value(6, phases=3, horizon=430), tmp_path / "older.value"
    older = learned.tables.reshape(3, SIZE)[:, :SIZE_WITHOUT_HEIGHTS]
    about = {"schema": "gpusolve.tetris.value/1", "name": "older", "about": ""}
    store.save(path, about, {"tables": older.reshape(-1), "endgame": learned.endgame})
    loaded = load_value(path).tables.reshape(3, SIZE)
    assert np.array_equal(loaded[:, :SIZE_WITHOUT_HEIGHTS], older)
    assert not loaded[:, SIZE_WITHOUT_HEIGHTS:].any()


def test_a_value_is_saved_as_what_differs_from_a_shipped_one(tmp_path: Path) -> None:
    base, chance = load_value("tournament-30hz"), np.random.default_rng(8)
    sets = np.split(base.tables, 3)
    tables = np.concatenate([blend_of(sets, blend) for blend in ((0, 0, 0, 1), (2, 2, 2, 2), (1, 1, 2, 2))])
    tables[chance.integers(0, len(tables), 1000)] = chance.integers(-32768, 32768, 1000)
    value, path = replace(base, name="other", tables=tables), tmp_path / "other.value"
    save_value(path, value, base="tournament-30hz")
    loaded = load_value(path)
    assert (loaded.name, loaded.digest) == ("other", value.digest)
    assert path.stat().st_size < 40_000
    with pytest.raises(BadInput, match="value none: expected one that comes with gpusolve"):
        save_value(path, value, base="none")


def test_a_phase_that_has_little_in_common_with_the_shipped_value_is_saved_whole(tmp_path: Path) -> None:
    base = load_value("tournament-30hz")
    first, middle, last = np.split(base.tables, 3)
    tables = np.concatenate([first ^ 1, last, middle ^ 2])
    tables[SIZE + 9] ^= 4
    value, path = replace(base, name="other", tables=tables), tmp_path / "other.value"
    save_value(path, value, base="tournament-30hz")
    loaded = load_value(path)
    assert (loaded.name, loaded.digest) == ("other", value.digest)
    assert path.stat().st_size < tables[: 2 * SIZE].nbytes + 40_000


def test_changes_hold_differences_that_do_not_fit_sixteen_bits() -> None:
    base = np.full(SIZE, 32767, np.int16)
    tables = base.copy()
    tables[[0, 7, SIZE - 1]] = [-32768, -1, 32766]
    changes = changes_from(base, tables)
    assert changes.gaps.tolist() == [1, 7, SIZE - 8]
    assert np.array_equal(changed(base, changes), tables)


@pytest.mark.parametrize(
    ("about", "arrays", "message"),
    [
        ({"base": "mine"}, {}, "value mine: expected one that comes with"),
        ({"digest": ""}, {}, "another tournament-30hz than this version"),
        ({"parts": []}, {}, "parts .*: expected 4 numbers for each of 1 to 8 phases"),
        ({"parts": [0] * 3}, {}, "parts .*: expected 4 numbers for each"),
        ({"parts": [0] * 36}, {}, "parts .*: expected 4 numbers for each"),
        ({"parts": [3, 0, 0, 0]}, {}, r"parts\[0\] 3: expected"),
        ({"parts": [-2] * 4}, {}, r"parts\[0\] -2: expected"),
        ({"parts": [-1, 0, 0, 0]}, {}, "parts .*: expected -1 for all 4 numbers of a phase or for none"),
        ({"parts": [-1] * 4}, {}, "whole .*: expected an array of int16"),
        ({}, {"whole": np.zeros(SIZE, np.int16)}, "whole .*: expected an array of int16"),
        ({}, {"gaps": np.array([SIZE + 1], np.int32)}, "gaps .*: expected no element above"),
        ({}, {"gaps": np.array([0], np.int32)}, "gaps .*: expected no element below"),
        ({}, {"gaps": np.array([9, SIZE], np.int32), "steps": np.ones(2, np.int16)}, "gaps .*: expected a sum of at"),
        ({}, {"steps": np.zeros(2, np.int16)}, "steps .*: expected an array of int16"),
        ({}, {"steps": np.array([np.nan])}, "steps .*: expected an array of int16"),
    ],
)
def test_changes_that_cannot_be_are_refused(
    tmp_path: Path, about: dict[str, Any], arrays: dict[str, Any], message: str
) -> None:
    base, path = load_value("tournament-30hz"), tmp_path / "wrong.value"
    whole = {"schema": "gpusolve.tetris.value/1", "name": "x", "about": ""}
    whole |= {"base": base.name, "digest": base.digest, "parts": [0] * 4} | about
    changes: dict[str, Any] = {
        "gaps": np.array([6], np.int32),
        "steps": np.array([7], np.int16),
        "endgame": base.endgame,
    }
    store.save(path, whole, changes | arrays)
    with pytest.raises(BadInput, match=message):
        load_value(path)


def test_the_default_player_follows_from_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = Variant("30hz", "nes", 18, 430, double_killscreen=True)
    assert best_player(tournament) == "tournament-30hz"
    monkeypatch.setattr("gpusolve.games.tetris.players.value.FOLDER", tmp_path)
    for rate in (12, 30):
        (tmp_path / f"tournament-{rate}hz.packed").touch()
    chosen = {
        reach: best_player(replace(tournament, reach=reach))
        for reach in ("30hz", "slow5", "0,2,9", "20hz", "10hz", "das")
    }
    assert chosen == {
        "30hz": "tournament-30hz",
        "slow5": "tournament-30hz",
        "0,2,9": "tournament-30hz",
        "20hz": "tournament-30hz",
        "10hz": "tournament-12hz",
        "das": "tournament-12hz",
    }
    (tmp_path / "tournament-slow5.packed").touch()
    assert best_player(replace(tournament, reach="slow5")) == "tournament-slow5"
    (tmp_path / "tournament-30hz-300ms.packed").touch()
    assert best_player(tournament) == "tournament-30hz"
    assert best_player(replace(tournament, delay_ms=500)) == "tournament-30hz-300ms"
    assert best_player(replace(tournament, reach="20hz", delay_ms=18)) == "tournament-30hz-300ms"
    assert best_player(replace(tournament, reach="12hz", delay_ms=300)) == "tournament-12hz"
    assert best_player(replace(tournament, double_killscreen=False)) == "tournament-30hz"
    for other in (Variant(), Variant("30hz"), Variant(max_lines=430), Variant("16hz"), Variant("12hz", start_level=9)):
        assert best_player(other) == "learned"
    for slow in ("15hz", "10hz+tuck", "das", "slow5", "0,5,10", "0,6,12"):
        assert best_player(Variant(slow)) == best_player(replace(tournament, reach=slow)) != "learned"
    assert best_player(Variant("0,5,10")) == "tournament-12hz"
    assert best_player(Variant("0,4,10")) == "tournament-30hz"


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ([1], r"damaged: about \[1\]: expected an object"),
        ({"schema": "gpusolve.tetris.value/1", "name": 5, "about": ""}, "name 5: expected text"),
        ({"schema": "gpusolve.tetris.value/1", "name": "x"}, "it has no about"),
        (
            {"schema": "gpusolve.tetris.value/1", "name": "x", "about": ""},
            r"value .*: expected .* numbers, int16",
        ),
        ({"schema": "gpusolve.tetris.value/1", "name": "x", "about": "", "phases": 7}, "phases 7: expected a list"),
        (
            {"schema": "gpusolve.tetris.value/1", "name": "x", "about": "", "phases": [0, 40]},
            r"phases\[1\] 40: expected",
        ),
    ],
)
def test_a_file_whose_header_is_consistent_but_wrong_is_refused(tmp_path: Path, about: Any, message: str) -> None:
    path, value = tmp_path / "wrong.value", untrained()
    store.save(path, about, {"tables": value.tables.reshape(1, -1), "endgame": value.endgame})
    with pytest.raises(BadInput, match=message):
        load_value(path)


def test_the_name_in_a_file_cannot_drive_the_terminal(tmp_path: Path) -> None:
    path, value = tmp_path / "named.value", untrained()
    about = {"schema": "gpusolve.tetris.value/1", "name": "\x1b[31mred\ud800", "about": ""}
    store.save(path, about, {"tables": value.tables, "endgame": value.endgame})
    assert load_value(path).name == r"\x1b[31mred\ud800"


@pytest.mark.parametrize("kind", ["truncated", "empty", "random", "weights", "nan", "int64", "huge", "uneven"])
def test_a_file_that_is_no_value_is_refused_with_one_line(tmp_path: Path, kind: str) -> None:
    path, value = tmp_path / f"{kind}.value", untrained()
    about = {"schema": "gpusolve.tetris.value/1", "name": "x", "about": ""}
    arrays: dict[str, np.ndarray[Any, Any]] = {"tables": value.tables, "endgame": value.endgame}
    changed: dict[str, dict[str, np.ndarray[Any, Any]]] = {
        "nan": {"tables": np.full(value.tables.shape, np.nan, np.float32)},
        "int64": {"endgame": value.endgame.astype(np.int64)},
        "huge": {"endgame": np.full_like(value.endgame, -(2**31))},
        "uneven": {"tables": value.tables[:-1]},
    }
    store.save(path, about, arrays | changed.get(kind, {}))
    contents = {
        "truncated": path.read_bytes()[:100_000],
        "empty": b"",
        "random": np.random.default_rng(1).bytes(10_000),
        "weights": (Path(gpusolve.__file__).parent / "games/tetris/weights/published.json").read_bytes(),
    }
    if kind in contents:
        path.write_bytes(contents[kind])
    with pytest.raises(BadInput) as error:
        load_player(path)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("phases", [(0,), (19, 29), (0, 29, 19), (0, 19, 19), (0, 19, 29, 39)])
def test_phases_that_do_not_fit_the_tables_are_refused(phases: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="value random: expected 3 levels at which phases begin, from 0 up, not"):
        replace(some_value(4, phases=3), phases=phases)


def test_a_value_has_tables_for_each_phase() -> None:
    """A board is judged by the tables of its level, and the next phase begins where the level changes."""
    value, variant = some_value(5, phases=3, horizon=430), Variant("30hz", max_lines=430, double_killscreen=True)
    course = value.stakes(variant).course
    assert [int(begin) // SIZE for begin in course[[0, 229, 230, 329, 330, 430], 1]] == [0, 0, 1, 1, 2, 2]
    assert course[[229, 329, 429], 2].tolist() == [0, 0, 0]  # a line before the next phase, and before the end
    assert course[[0, 230, 429, 430], 3].tolist() == [430, 200, 1, 0]
    shorter = value.stakes(Variant("30hz", max_lines=230)).course
    assert (shorter[:230] == course[:230]).all()
    other = replace(value, phases=(0, 19, 29)).stakes(replace(variant, start_level=18)).course
    assert [int(begin) // SIZE for begin in other[[0, 129, 130, 229, 230, 430], 1]] == [0, 0, 1, 1, 2, 2]
    longer = value.stakes(Variant("30hz", max_lines=1000)).course
    assert longer[[400, 900, 990], 3].tolist() == [50, 50, 10]


LINES = np.array([229, 230, 100, 235, 228])
LEVELS = np.array([28, 29, 27, 29, 28])


def chosen(policy: Policy, variant: Variant, rows: list[int]) -> tuple[Any, list[int], list[int]]:
    """Return the least values, the placements and the choices for some games, with an I on four rows with a well."""
    boards = np.tile(np.uint32(0b1111 << 18) * (np.arange(10) < 9), (len(rows), 1)).astype(np.uint32)
    placements, index = choose(
        untrained(), boards, [6] * len(rows), following=[1] * len(rows), levels=LEVELS[rows], lines=LINES[rows],
        policy=policy, variant=variant, backend=CPU,
    )  # fmt: skip
    assert placements.values is not None
    return placements.values[:, 0], placements.placements[:, 0].tolist(), index.tolist()


@pytest.mark.parametrize("policy", [Policy("greedy"), Policy("branching", (2, 2))])
@pytest.mark.parametrize(("reach", "same"), [("30hz", True), ("free", False)])
def test_a_value_with_one_phase_plays_it_as_if_the_game_ended_there(policy: Policy, reach: str, same: bool) -> None:
    """Against a clock; where gravity changes nothing, the levels from 29 on are like those before."""
    longer = Variant(reach, "nes", start_level=27, max_lines=240)
    assert up_to_kill_screen(longer).max_lines == 230
    early = [row for row, lines in enumerate(LINES) if lines < 230]
    values, placements, index = chosen(policy, longer, list(range(len(LINES))))
    shorter = chosen(policy, up_to_kill_screen(longer), early)
    assert (values[early] == shorter[0]).all() == same
    for row in range(len(LINES)):
        alone = chosen(policy, longer, [row])
        assert (values[row], placements[row], index[row]) == (alone[0][0], alone[1][0], alone[2][0])


def test_a_value_is_loaded_once_until_its_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "one.value"
    save_value(file, untrained("one"))
    value = load_value(file)
    assert load_value(file) is value
    save_value(file, untrained("two"))
    assert load_value(file).name == "two"
