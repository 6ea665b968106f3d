"""The state of a swarm and its steps."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from games.tetris.oracle import PUBLISHED
from games.tetris.training.swarms import same
from gpusolve.fields import Fields
from gpusolve.games.tetris.training import swarm
from gpusolve.games.tetris.training.operators import load_operators


@pytest.mark.parametrize("topology", ["star", "ring"])
def test_a_step_leaves_the_swarm_before_it_unchanged(topology: str) -> None:
    before = swarm.scatter(1, 8, 17)
    kept = copy.deepcopy(before)
    costs = np.arange(8.0)
    for _ in range(2):
        after = swarm.step(before, costs, inertia=0.7, cognitive=1.5, social=1.5, clamp=0.3, topology=topology)
        assert same(before, kept)
        assert not same(before, after)
        again = swarm.step(after, costs, inertia=0.7, cognitive=1.5, social=1.5, clamp=0.3, topology=topology)
        assert again.iteration == 2
        assert np.abs(again.velocity).max() <= 0.3


@pytest.mark.parametrize("topology", ["star", "ring"])
def test_a_checkpoint_holds_the_whole_swarm(topology: str) -> None:
    first = swarm.scatter(1, 8, 17, centre=PUBLISHED, spread=0.5)
    second = swarm.step(first, np.arange(8.0), inertia=0.7, cognitive=1.5, social=1.5, topology=topology)
    for whole in (first, second):
        assert same(whole, swarm.from_state(Fields("state", swarm.as_state(whole)), 8, 17, topology=topology))


@pytest.mark.parametrize("clamp", [None, 0.3])
def test_the_velocity_is_that_of_pyswarms_to_the_bit(clamp: float | None) -> None:
    operators, random = load_operators(), np.random.RandomState(5)
    arrays = {name: random.normal(size=(8, 17)) for name in ("position", "velocity", "pbest_pos", "best_pos")}
    moving = operators.swarms.Swarm(options={"w": 0.7, "c1": 1.4, "c2": 1.5}, **arrays)
    ours = swarm._velocity(moving, np.random.RandomState(9), clamp)
    kept = np.random.get_state()
    try:
        np.random.seed(9)
        theirs = operators.compute_velocity(moving, None, lambda velocity, *_, **__: velocity)
    finally:
        np.random.set_state(kept)
    assert np.array_equal(ours, theirs if clamp is None else np.clip(theirs, -clamp, clamp))
