"""Values that are joined from others, level by level."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from games.tetris.test_cli import ON_CPU, Run
from games.tetris.training.test_average_values import some_value
from gpusolve.errors import BadInput
from gpusolve.games.tetris import join_values, load_value
from gpusolve.games.tetris.players.value import base_of
from gpusolve.games.tetris.rules.losses import SIZE


def test_each_level_has_the_tables_of_its_value() -> None:
    """The first value changes its tables at levels 19 and 29, the second one at levels 18 and 39."""
    first, second = some_value(1, 2, 3, phases=(0, 19, 29)), some_value(4, 5, 6, phases=(0, 18, 39), loss=7)
    joined = join_values({0: first, 25: second})
    assert joined.phases == (0, 19, 25, 39)
    assert joined.tables[::SIZE].tolist() == [1, 2, 5, 6]
    assert len(set(joined.tables)) == 4
    assert np.array_equal(joined.endgame, second.endgame)


def test_the_order_of_the_levels_does_not_matter() -> None:
    one, other, last = some_value(1), some_value(2), some_value(3, lines=5)
    joined = join_values({29: last, 0: one, 19: other})
    assert (joined.phases, joined.tables[::SIZE].tolist()) == ((0, 19, 29), [1, 2, 3])
    assert np.array_equal(joined.endgame, last.endgame)


def test_a_value_joined_with_itself_judges_as_before() -> None:
    value = load_value("tournament-12hz")
    joined = join_values({0: "tournament-12hz", 29: value})
    assert (joined.digest, joined.phases) == (value.digest, value.phases)


@pytest.mark.parametrize("taps", ["12hz", "12hz-300ms", "15hz", "slow5"])
@pytest.mark.thorough
def test_shipped_values_for_slow_taps_have_the_tables_of_30_hz_at_level_18(taps: str) -> None:
    value = load_value(f"tournament-{taps}")
    assert join_values({0: "tournament-30hz", 19: value}).digest == value.digest
    assert value.phases == (0, 19, 29, 39)
    assert not np.array_equal(value.tables[:SIZE], value.tables[SIZE : 2 * SIZE])


def test_what_cannot_be_joined_is_refused() -> None:
    one = some_value(1)
    for wrong in ({}, {0: one}, {1: one, 2: one}, {0: one, 40: one}, {0: one, -1: one}):
        with pytest.raises(BadInput, match="expected at least two, for level 0 and other levels up to 39"):
            join_values(wrong)
    with pytest.raises(TypeError):
        join_values([one, one])  # type: ignore[list-item]
    for texts in (["0=x"], ["0=x", "0=y"], ["0=x", "y"], ["0=x", "40=y"], ["0=x", "a=y"], ["0=", "1=x"]):
        with pytest.raises(BadInput, match="value"):
            join_values(texts)
    named = {0: "tournament-12hz", 29: "tournament-15hz"}
    assert join_values([f"{level}={name}" for level, name in named.items()]).digest == join_values(named).digest
    with pytest.raises(BadInput, match="expected at most 7 levels at which the tables change, not 1, 2, 3, 4, 5"):
        join_values(dict.fromkeys(range(9), one))


@pytest.mark.thorough
def test_the_command(run: Run, tmp_path: Path) -> None:
    file, again, whole = tmp_path / "own.value", tmp_path / "again.value", tmp_path / "whole.value"
    parts = ("0=tournament-30hz", "19=tournament-30hz-300ms")
    written = run("tetris", "join-values", *parts, "--changes-only", "--out", str(file), "--json")
    done = json.loads(written.out)
    assert done["values"] == {"0": "tournament-30hz", "19": "tournament-30hz-300ms"}
    assert done["phases"] == [0, 19, 29, 39]
    joined = load_value(file)
    assert joined.name == "own"
    assert joined.digest == join_values({0: "tournament-30hz", 19: "tournament-30hz-300ms"}).digest
    assert base_of(file) == "tournament-30hz"
    played = run("tetris", "evaluate", str(file), "--count", "1", "--max-lines", "2", "--reach", "30hz", *ON_CPU)
    assert played.code == 0
    written = run("tetris", "join-values", f"29={whole}", f"0={file}", "--out", str(again))
    assert (written.code, written.err) == (2, f"gpusolve: value {whole}: no such file\n")
    written = run("tetris", "join-values", "29=learned", f"0={file}", "--out", str(whole))
    assert written.out == "joined: own from level 0 on, learned from level 29 on\n"
    for wrong, message in (
        (("0=learned", "19"), "value 19: expected LEVEL=VALUE, each level once"),
        (("0=learned", "00=learned"), "value 00=learned: expected LEVEL=VALUE, each level once"),
        (("0=learned", "=learned"), "value =learned: expected LEVEL=VALUE"),
        (("0=learned", "99=learned"), "expected at least two, for level 0 and other levels up to 39"),
        ((f"0={whole}", "19=learned", "--changes-only"), "expected for level 0 a value that comes with gpusolve"),
    ):
        refused = run("tetris", "join-values", *wrong, "--out", str(again))
        assert (refused.code, refused.err.count("\n"), message in refused.err) == (2, 1, True), refused.err
    assert not again.exists()
