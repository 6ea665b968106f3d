"""The learned value as a player, and its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.tetris.oracle import some_value
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import LearnedValue, load_player, load_value, save_value
from gpusolve.games.tetris.players.playing import play, trace
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.variant import Variant
from gpusolve.runs import store

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", "nes", max_lines=12)


@pytest.mark.parametrize("name", ["greedy", "two-piece"])
def test_games_do_not_depend_on_how_many_are_played_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    learned, policy = untrained(), Policy(name)
    together = play(CPU, learned, range(5), seed=7, policy=policy, variant=SHORT)
    traces = [trace(CPU, learned, seed=7, game=game, policy=policy, variant=SHORT) for game in range(5)]
    monkeypatch.setattr(LearnedValue, "games_at_once", lambda *_: 2)
    apart = play(open_backend("cpu:2"), learned, range(5), seed=7, policy=policy, variant=SHORT)
    assert together.scores.tolist() == apart.scores.tolist()
    assert together.pieces[0].tolist() == [len(placements) for placements in traces]


def test_a_value_is_saved_and_loaded(tmp_path: Path) -> None:
    learned, path = some_value(4), tmp_path / "some.value"
    save_value(path, learned)
    for loaded in (load_value(path), load_player(path), load_player(str(path))):
        assert isinstance(loaded, LearnedValue)
        assert np.array_equal(loaded.tables, learned.tables)
        assert np.array_equal(loaded.endgame, learned.endgame)
        assert (loaded.name, loaded.digest) == ("random", learned.digest)
    assert load_value("learned").digest != learned.digest
    content = bytearray(path.read_bytes())
    content[-5000] ^= 1
    path.write_bytes(content)
    with pytest.raises(BadInput, match="damaged"):
        load_value(path)
    with pytest.raises(BadInput, match="no such file"):
        load_value(tmp_path / "none.value")


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
