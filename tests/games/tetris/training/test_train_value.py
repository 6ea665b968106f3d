"""Training of a learned value: it depends only on its seed, resumes to the bit, and refuses bad settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.tetris.oracle import some_value
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import (
    LearnedValue,
    ValueTraining,
    ValueTrainingSettings,
    Variant,
    load_value,
    save_value,
    train_value,
)
from gpusolve.games.tetris.cpu import learning
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules.losses import SIZE
from gpusolve.games.tetris.training._train_value import KIND, ValueIteration
from gpusolve.games.tetris.training.extension import extended
from gpusolve.runs import checkpoint

CPU = open_backend("cpu:1")
SMALL = ValueTrainingSettings(iterations=4, games=6, opening=0.25, settling=0.5)
SHORT = Variant("30hz", "nes", max_lines=12)
SLOW = Variant("12hz", "nes", start_level=18, max_lines=140)


def train(training: ValueTrainingSettings = SMALL, device: Backend = CPU, **others: Any) -> ValueTraining:
    return train_value(training, variant=SHORT, backend=device, **({"seed": 3} | others))


def same(a: LearnedValue, b: LearnedValue) -> bool:
    return np.array_equal(a.tables, b.tables) and np.array_equal(a.endgame, b.endgame)


def test_training_depends_only_on_the_seed() -> None:
    once = train()
    assert same(once.value, train(device=open_backend("cpu:2")).value)
    assert not same(once.value, train(seed=4).value)
    assert once.value.tables.any()


def test_a_resumed_training_is_the_same_to_the_bit(tmp_path: Path) -> None:
    whole = train()
    for stop in (1, 3):

        def kill(iteration: ValueIteration, stop: int = stop) -> None:
            if iteration.iteration == stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train(progress=kill, checkpoint=tmp_path / "run")
        resumed = train(seed=None, resume=tmp_path / "run")
        assert (resumed.iterations, resumed.seed) == (4, 3)
        assert same(whole.value, resumed.value)
    with pytest.raises(BadInput, match="games"):
        train(replace(SMALL, games=7), resume=tmp_path / "run")


def test_a_training_in_phases_resumes_to_the_bit_from_the_value_it_started_from(tmp_path: Path) -> None:
    fast = Variant("30hz", "nes", start_level=29, max_lines=12)
    start, settings = untrained(), ValueTrainingSettings(iterations=4, games=6, opening=0.25, init=untrained())
    whole = train_value(settings, variant=fast, seed=3, backend=CPU).value
    assert len(whole.tables) == 2 * len(start.tables)
    below, beyond = np.split(whole.tables, 2)  # games from level 29 on never meet the first phase
    assert beyond.any()
    unmet, _ = np.split(extended(start, fast, (0, 29), CPU).tables, 2)
    assert np.count_nonzero(below != unmet) <= 8  # of the empty board

    def kill(iteration: ValueIteration) -> None:
        if iteration.iteration == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_value(settings, variant=fast, seed=3, backend=CPU, progress=kill, checkpoint=tmp_path / "run")
    assert same(whole, train_value(settings, variant=fast, backend=CPU, resume=tmp_path / "run").value)
    other = replace(settings, init=whole)
    with pytest.raises(BadInput, match="init"):
        train_value(other, variant=fast, backend=CPU, resume=tmp_path / "run")


def test_a_training_in_phases_plays_the_first_one_with_the_tables_of_another_value() -> None:
    fast = Variant("30hz", "nes", start_level=28, max_lines=240)
    settings = ValueTrainingSettings(iterations=1, games=2, init=untrained(), first_phase=some_value(3))
    below, _ = np.split(train_value(settings, variant=fast, seed=3, backend=CPU).value.tables, 2)
    shares, counts = np.unique(some_value(3).tables - below, return_counts=True)
    assert counts.max() > SIZE - 100  # all but those of the empty board are less by the same number
    assert abs(int(shares[counts.argmax()])) < 2000
    several = replace(untrained(), tables=np.zeros(2 * SIZE, np.int16), phases=())
    with pytest.raises(BadInput, match="first_phase untrained: expected a value with tables for one phase"):
        train_value(replace(settings, first_phase=several), variant=fast, backend=CPU)
    for variant in (SHORT, replace(fast, start_level=29)):
        with pytest.raises(BadInput, match="first_phase: expected only for games against a clock that begin before"):
            train_value(settings, variant=variant, backend=CPU)


def test_a_training_can_give_more_levels_tables_of_their_own(tmp_path: Path) -> None:
    """Level 19 begins at line 130, where pieces fall a row in two frames instead of three."""
    settings = ValueTrainingSettings(iterations=4, games=6, init=untrained(), phases=(19,))
    value = train_value(settings, variant=SLOW, seed=3, backend=CPU).value
    assert value.phases == (0, 19)
    below, beyond = np.split(value.tables, 2)
    start, _ = np.split(extended(untrained(), SLOW, (0, 19), CPU).tables, 2)
    assert np.count_nonzero(below != start) <= 8  # of the empty board
    assert np.count_nonzero(beyond != start) > 40
    save_value(tmp_path / "slow.value", value)
    assert load_value(tmp_path / "slow.value").phases == (0, 19)
    more, longer = replace(settings, init=value, phases=(19, 20)), replace(SLOW, max_lines=145)
    assert train_value(more, variant=longer, backend=CPU).value.phases == (0, 19, 20)
    train_value(settings, variant=longer, checkpoint=tmp_path / "run", backend=CPU)
    with pytest.raises(BadInput, match=r"was made with phases \[0, 19\], not with \[0, 20\]"):
        train_value(replace(settings, phases=(20,)), variant=longer, resume=tmp_path / "run", backend=CPU)


@pytest.mark.parametrize(
    ("phases", "variant", "message"),
    [
        ((), SLOW, "phases : expected levels in ascending order"),
        ((29, 19), SLOW, "phases 29,19: expected levels in ascending order"),
        ((19, 19), SLOW, "phases 19,19: expected levels in ascending order"),
        ((0, 29), SLOW, "phases 0: expected a whole number, 1 to 39"),
        ((40,), SLOW, "phases 40: expected a whole number, 1 to 39"),
        (range(19, 28), SLOW, "phases: expected at most 7 levels, not 9"),
        ((19, 29), SLOW, "phases 29: expected levels that these games reach, 19 at most"),
        ((19,), replace(SLOW, reach="free"), "phases: expected only for games against a clock"),
    ],
)
def test_phases_that_games_do_not_have_are_refused(phases: Sequence[int], variant: Variant, message: str) -> None:
    settings = ValueTrainingSettings(iterations=1, games=1, init=untrained(), phases=phases)
    with pytest.raises(BadInput, match=message):
        train_value(settings, variant=variant, backend=CPU)


def test_a_blend_is_found_at_the_end_of_a_resumed_training_too(tmp_path: Path) -> None:
    settings = replace(SMALL, blend="learned")
    whole, plain = train(settings).value, train().value
    assert not same(whole, plain)
    train(settings, checkpoint=tmp_path / "run", progress=lambda iteration: None, time_limit=0)
    resumed = train(settings, seed=None, resume=tmp_path / "run")
    assert same(whole, resumed.value)
    with pytest.raises(BadInput, match="blend"):
        train(resume=tmp_path / "run", seed=None)


def test_after_ctrl_c_while_it_learns_no_round_is_learnt_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupt is raised when the compiled function has returned."""
    whole, learn, calls = train(), learning.learn, 0

    def interrupted(*arguments: Any) -> float:
        nonlocal calls
        learn(*arguments)
        calls += 1
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(learning, "learn", interrupted)
        for resume in (None, tmp_path / "run"):
            with pytest.raises(KeyboardInterrupt):
                train(seed=None if resume else 3, checkpoint=tmp_path / "run", resume=resume)
    resumed = train(seed=None, resume=tmp_path / "run")
    assert (calls, resumed.iterations) == (2, 4)
    assert same(whole.value, resumed.value)


@pytest.mark.parametrize(
    "change",
    [
        {"iteration": -1},
        {"touched": np.array([-1], np.int32)},
        {"touched": np.array([2**31 - 1], np.int32)},
        {"weights": np.zeros(1, np.float32)},
        {"travel": "none"},
        {"endgame": np.zeros(3, np.float32)},
        {"end_drift": np.zeros(3)},
        {"endgame": np.full(len(untrained().endgame), np.nan, np.float32)},
        {"endgame": np.full(len(untrained().endgame), 1e12, np.float32)},
    ],
)
def test_a_forged_state_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    train(replace(SMALL, iterations=2), checkpoint=tmp_path / "run")
    settings, state = (dict(fields.values) for fields in checkpoint.load(tmp_path / "run", KIND))
    for forged in (state | change, {name: value for name, value in state.items() if name not in change}):
        checkpoint.save(tmp_path / "forged", KIND, settings, forged)
        with pytest.raises(BadInput, match=f"checkpoint .*forged.*{next(iter(change))}"):
            train(replace(SMALL, iterations=2), resume=tmp_path / "forged")


@pytest.mark.parametrize(("name", "bad"), [("iterations", 0), ("games", 0), ("opening", -1), ("trace", 2), ("rate", 0)])
def test_bad_settings_are_refused(name: str, bad: Any) -> None:
    with pytest.raises(BadInput, match=name):
        train(replace(SMALL, **{name: bad}))
