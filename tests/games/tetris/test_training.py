"""Training: it learns, resumes to the bit, and refuses what does not belong together."""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris.drawing import TrainingLog
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.training import _train as training, swarm
from gpusolve.games.tetris.training._train import Iteration, Training, TrainingSettings, fitness_of
from gpusolve.games.tetris.training.swarm import Swarm
from gpusolve.games.tetris.variant import Settings
from gpusolve.runs import checkpoint

CPU = open_backend("cpu")
PUBLISHED = load_weights("published").values
SMALL = TrainingSettings(particles=8, iterations=6, games=3, policy="greedy", finals=0)
AROUND: dict[str, Any] = {"init": "published", "renew": 2, "clamp": 5.0, "fitness": "top-half"}


def train(settings: TrainingSettings = SMALL, seed: int | None = 4, **others: Any) -> Training:
    return training.train(settings, Settings(max_lines=12), seed=seed, backend=CPU, **others)


def same(a: Swarm, b: Swarm) -> bool:
    states = [vars(one).copy() for one in (a, b)]
    randoms = [state.pop("random") for state in states]
    return all(np.array_equal(states[0][name], states[1][name]) for name in states[0]) and all(
        np.array_equal(x, y) for x, y in zip(*randoms, strict=True)
    )


@pytest.mark.parametrize("topology", ["star", "ring"])
@pytest.mark.parametrize("changes", [{}, AROUND])
def test_a_resumed_run_is_the_same_to_the_bit(tmp_path: Path, topology: str, changes: dict[str, Any]) -> None:
    settings = replace(SMALL, topology=topology, **changes)
    whole = train(settings)
    assert (whole.complete, whole.seed, whole.iterations) == (True, 4, 6)
    for stop in (1, 3):
        half = train(replace(settings, iterations=stop), checkpoint=tmp_path / "run")
        assert (half.iterations, half.complete) == (stop, True)
        resumed = train(settings, None, resume=tmp_path / "run")
        assert same(whole.swarm, resumed.swarm)
        assert (whole.weights, whole.seed) == (resumed.weights, resumed.seed)
        assert not same(whole.swarm, half.swarm)


def test_a_step_leaves_the_swarm_as_it_was() -> None:
    before = swarm.scatter(1, 8, 17, None, 0.0)
    kept = copy.deepcopy(before)
    costs = np.arange(8.0)
    for topology in ("star", "ring"):
        after = swarm.step(before, costs, 0.7, 1.5, 1.5, 0.3, topology)
        assert same(before, kept)
        assert not same(before, after)
        again = swarm.step(after, costs, 0.7, 1.5, 1.5, 0.3, topology)
        assert again.iteration == 2
        assert np.abs(again.velocity).max() <= 0.3


def test_a_checkpoint_holds_the_whole_swarm() -> None:
    first = swarm.scatter(1, 8, 17, PUBLISHED, 0.5)
    assert same(first, swarm.from_state(swarm.as_state(first), 8, 17))


def test_numpys_own_generator_is_left_alone() -> None:
    np.random.seed(1)
    expected = np.random.random(3)
    np.random.seed(1)
    train(replace(SMALL, iterations=2))
    assert np.array_equal(np.random.random(3), expected)


def test_pyswarms_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    handlers = list(logging.getLogger().handlers)
    train(replace(SMALL, iterations=1))
    train(replace(SMALL, iterations=1, topology="ring"))
    assert list(tmp_path.iterdir()) == []
    assert logging.getLogger().handlers == handlers


@pytest.mark.parametrize(
    "changes",
    [{"seed": 5}, {"games": 4}, {"particles": 9}, {"policy": "two-piece"}, {"init": PUBLISHED}, {"inertia": 0.5}],
)
def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    train(replace(SMALL, iterations=1), checkpoint=tmp_path / "run")
    name = next(iter(changes))
    seed = changes.pop("seed", 4)
    with pytest.raises(BadInput, match=f"made with {name}"):
        train(replace(SMALL, **changes), seed, resume=tmp_path / "run")


def test_a_time_limit_ends_after_an_iteration(tmp_path: Path) -> None:
    found = train(checkpoint=tmp_path / "run", time_limit=0)
    assert (found.iterations, found.complete) == (1, False)
    found = train(resume=tmp_path / "run", time_limit=0)
    assert (found.iterations, found.complete) == (2, False)


def interrupt_after(iteration: Iteration) -> None:
    if iteration.iteration == 3:
        raise KeyboardInterrupt


def test_an_interrupted_run_leaves_a_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(checkpoint=tmp_path / "run", progress=interrupt_after)
    assert same(train(resume=tmp_path / "run").swarm, train().swarm)


@pytest.mark.parametrize("operator", ["compute_pbest", "compute_velocity", "compute_position"])
def test_an_interrupt_within_a_step_tears_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operator: str
) -> None:
    operators, calls = swarm._pyswarms(), 0
    original: Callable[..., Any] = getattr(operators, operator)

    def interrupted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return original(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(operators, operator, interrupted)
        with pytest.raises(KeyboardInterrupt):
            train(checkpoint=tmp_path / "run")
    assert calls == 3
    seen: list[Iteration] = []
    resumed = train(resume=tmp_path / "run", progress=seen.append)
    assert seen[0].iteration == 3
    assert same(resumed.swarm, train().swarm)


@pytest.mark.parametrize("topology", ["star", "ring"])
def test_a_swarm_that_flies_apart_stays_finite(topology: str) -> None:
    found = train(replace(SMALL, inertia=10.0, cognitive=10.0, social=-10.0, iterations=150, topology=topology))
    assert np.isfinite(found.swarm.position).all()
    assert np.isfinite(found.swarm.velocity).all()


@pytest.mark.parametrize(
    "change",
    [
        {"position": np.zeros((8, 16))},
        {"best_cost": np.zeros(9)},
        {"velocity": "none"},
        {"random_keys": np.zeros(3, np.uint32)},
        {"random_position": 10**6},
        {"swarm_cost": "x"},
        {"iteration": 1.5},
        {"surplus": 1},
        {"swarm_best": 3.0},
    ],
)
def test_a_forged_state_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    train(replace(SMALL, iterations=1), checkpoint=tmp_path / "run")
    settings, state = checkpoint.load(tmp_path / "run", training.KIND)
    for forged in (state | change, {name: value for name, value in state.items() if name not in change}):
        if forged.keys() == state.keys() and "surplus" in change:
            continue
        checkpoint.save(tmp_path / "forged", training.KIND, settings, forged)
        with pytest.raises(BadInput, match="checkpoint"):
            train(resume=tmp_path / "forged")


def test_fitness() -> None:
    scores = np.array([[100, 1_000_000, 50, 0, 999_999, 999_998]], np.int32)
    assert fitness_of(scores, "mean")[0] == scores.mean()
    assert fitness_of(scores, "top-half")[0] == pytest.approx((1_000_000 + 999_999 + 999_998) / 3)
    assert fitness_of(scores, "top-third")[0] == pytest.approx((1_000_000 + 999_999) / 2)
    assert fitness_of(scores, "maxout")[0] == pytest.approx(100 / 3)


def test_it_learns_and_the_best_stays_the_best(tmp_path: Path) -> None:
    settings, rules = replace(SMALL, particles=16, iterations=25, games=6), Settings(max_lines=60)
    seen: list[Iteration] = []
    found = training.train(settings, rules, seed=6, checkpoint=tmp_path / "run", progress=seen.append, backend=CPU)
    bests = [iteration.best for iteration in seen]
    assert bests == sorted(bests)
    assert bests[-1] > 3 * bests[0]
    assert -found.swarm.best_cost.min() == bests[-1]
    assert found.fitness == bests[-1]
    assert found.weights == tuple(found.swarm.best)
    finals = training.train(replace(settings, finals=40), rules, resume=tmp_path / "run", backend=CPU)
    assert same(finals.swarm, found.swarm)
    assert 0 < finals.fitness != found.fitness


def test_the_log_has_a_line_for_each_iteration(tmp_path: Path) -> None:
    for suffix in ("csv", "jsonl"):
        log = TrainingLog(tmp_path / f"log.{suffix}")
        train(replace(SMALL, iterations=2), progress=log.add)
        train(replace(SMALL, iterations=1), progress=log.add)
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0].startswith("iteration,best,")
    assert [line.split(",")[0] for line in lines[1:]] == ["1", "2", "1"]
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [row["iteration"] for row in rows] == [1, 2, 1]
    log.plot(tmp_path / "run.png", "a run")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"particles": 1}, "particles 1"),
        ({"games": 0}, "games 0"),
        ({"iterations": 0}, "iterations 0"),
        ({"finals": -1}, "finals -1"),
        ({"policy": "branching"}, "policy branching"),
        ({"topology": "tree"}, "topology tree"),
        ({"fitness": "luck"}, "fitness luck"),
        ({"particles": 5, "topology": "ring"}, "a ring needs more than 5"),
        ({"init": (1.0,)}, "1 numbers, expected 17"),
        ({"spread": 0.1}, "only with weights to start around"),
        ({"particles": 2.0}, "particles 2.0: expected a whole number"),
        ({"particles": True}, "particles True"),
        ({"iterations": 2**31}, "iterations 2147483648: expected a whole number, 1 to 1,000,000"),
        ({"particles": 10**7, "games": 10**7}, "would take 1,490,116.1 GiB, expected at most 10,000,000"),
        ({"finals": 10**6}, "finals 1000000"),
        ({"games": 10**6, "renew": 1, "iterations": 10**6}, "more than 2\\^31 games"),
        ({"inertia": float("nan")}, "inertia nan"),
        ({"cognitive": float("inf")}, "cognitive inf"),
        ({"social": "1"}, "social 1"),
        ({"clamp": -1.0}, "clamp -1.0"),
        ({"spread": 1e300, "init": "published"}, "spread 1e"),
        ({"fitness": None}, "fitness None"),
        ({"init": 5}, "expected 17 numbers, not int"),
    ],
)
def test_settings_that_are_none(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        train(replace(SMALL, **changes))
