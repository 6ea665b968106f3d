"""Training by a swarm: it learns, resumes to the bit, and refuses what does not belong together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.tetris.oracle import PUBLISHED
from games.tetris.training.swarms import CPU, SMALL, same, train_small
from gpusolve.errors import BadInput
from gpusolve.games.tetris import Variant, train
from gpusolve.games.tetris.training import swarm
from gpusolve.games.tetris.training._train import KIND, Iteration, fitness_of
from gpusolve.games.tetris.training.operators import load_operators
from gpusolve.games.tetris.training.settings import Topology
from gpusolve.runs import checkpoint

AROUND: dict[str, Any] = {"init": "published", "renew": 2, "clamp": 5.0, "fitness": "top-half"}


@pytest.mark.parametrize("topology", ["star", "ring"])
@pytest.mark.parametrize("changes", [{}, AROUND])
def test_a_resumed_training_is_the_same_to_the_bit(tmp_path: Path, topology: Topology, changes: dict[str, Any]) -> None:
    settings = replace(SMALL, topology=topology, **changes)
    whole = train_small(settings)
    assert (whole.complete, whole.seed, whole.iterations) == (True, 4, 6)
    for stop in (1, 3):
        half = train_small(replace(settings, iterations=stop), checkpoint=tmp_path / "run")
        assert (half.iterations, half.complete) == (stop, True)
        resumed = train_small(settings, None, resume=tmp_path / "run")
        assert same(whole.swarm, resumed.swarm)
        assert (whole.weights, whole.seed) == (resumed.weights, resumed.seed)
        assert not same(whole.swarm, half.swarm)


@pytest.mark.parametrize(
    "changes",
    [{"seed": 5}, {"games": 4}, {"particles": 9}, {"policy": "two-piece"}, {"init": PUBLISHED}, {"inertia": 0.5}],
)
def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    train_small(replace(SMALL, iterations=1), checkpoint=tmp_path / "run")
    name = next(iter(changes))
    seed = changes.pop("seed", 4)
    made = "made without" if name == "init" else "made with"  # no weights were given to begin with
    with pytest.raises(BadInput, match=f"{made} {name}"):
        train_small(replace(SMALL, **changes), seed, resume=tmp_path / "run")


def test_a_time_limit_ends_the_training_after_an_iteration(tmp_path: Path) -> None:
    trained = train_small(checkpoint=tmp_path / "run", time_limit=0)
    assert (trained.iterations, trained.complete) == (1, False)
    trained = train_small(resume=tmp_path / "run", time_limit=0)
    assert (trained.iterations, trained.complete) == (2, False)
    assert trained.fitness == -trained.swarm.best_cost.min()  # there was no time for finals


def interrupt_after(iteration: Iteration) -> None:
    if iteration.iteration == 3:
        raise KeyboardInterrupt


def test_an_interrupted_training_leaves_a_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        train_small(checkpoint=tmp_path / "run", progress=interrupt_after)
    assert same(train_small(resume=tmp_path / "run").swarm, train_small().swarm)


@pytest.mark.parametrize(
    ("module", "operator"),
    [(load_operators(), "compute_pbest"), (swarm, "_velocity"), (load_operators(), "compute_position")],
)
def test_an_interrupt_within_a_step_leaves_the_swarm_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any, operator: str
) -> None:
    calls = 0
    original: Callable[..., Any] = getattr(module, operator)

    def interrupted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return original(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(module, operator, interrupted)
        with pytest.raises(KeyboardInterrupt):
            train_small(checkpoint=tmp_path / "run")
    assert calls == 3
    seen: list[Iteration] = []
    resumed = train_small(resume=tmp_path / "run", progress=seen.append)
    assert seen[0].iteration == 3
    assert same(resumed.swarm, train_small().swarm)


@pytest.mark.parametrize("topology", ["star", "ring"])
def test_a_swarm_that_flies_apart_stays_finite(topology: Topology) -> None:
    trained = train_small(replace(SMALL, inertia=10.0, cognitive=10.0, social=-10.0, iterations=150, topology=topology))
    assert np.isfinite(trained.swarm.position).all()
    assert np.isfinite(trained.swarm.velocity).all()


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
        {"swarm_best": 3.0},
    ],
)
def test_a_forged_state_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    train_small(replace(SMALL, iterations=1), checkpoint=tmp_path / "run")
    settings, state = (dict(fields.values) for fields in checkpoint.load(tmp_path / "run", KIND))
    for forged in (state | change, {name: value for name, value in state.items() if name not in change}):
        checkpoint.save(tmp_path / "forged", KIND, settings, forged)
        with pytest.raises(BadInput, match=f"checkpoint .*forged.*{next(iter(change))}"):
            train_small(resume=tmp_path / "forged")


def test_a_field_that_nobody_reads_does_no_harm(tmp_path: Path) -> None:
    train_small(replace(SMALL, iterations=1), checkpoint=tmp_path / "run")
    settings, state = (dict(fields.values) for fields in checkpoint.load(tmp_path / "run", KIND))
    checkpoint.save(tmp_path / "run", KIND, settings, state | {"surplus": 1})
    assert same(train_small(resume=tmp_path / "run").swarm, train_small().swarm)


def test_fitness_of_each_kind() -> None:
    scores = np.array([[100, 1_000_000, 50, 0, 999_999, 999_998]], np.int32)
    assert fitness_of(scores, "mean")[0] == scores.mean()
    assert fitness_of(scores, "top-half")[0] == pytest.approx((1_000_000 + 999_999 + 999_998) / 3)
    assert fitness_of(scores, "top-third")[0] == pytest.approx((1_000_000 + 999_999) / 2)
    assert fitness_of(scores, "maxout")[0] == pytest.approx(100 / 3)


def test_it_learns_and_keeps_the_best_position(tmp_path: Path) -> None:
    training, rules = replace(SMALL, particles=16, iterations=25, games=6), Variant(max_lines=60)
    seen: list[Iteration] = []
    trained = train(training, variant=rules, seed=6, checkpoint=tmp_path / "run", progress=seen.append, backend=CPU)
    bests = [iteration.best for iteration in seen]
    assert bests == sorted(bests)
    assert bests[-1] > 3 * bests[0]
    assert -trained.swarm.best_cost.min() == bests[-1]
    assert trained.fitness == bests[-1]
    assert trained.weights == tuple(trained.swarm.best)
    finals = train(replace(training, finals=40), variant=rules, resume=tmp_path / "run", backend=CPU)
    assert same(finals.swarm, trained.swarm)
    assert 0 < finals.fitness != trained.fitness


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
        ({"particles": 5, "topology": "ring"}, "particles 5: expected more than 5 for a ring"),
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
def test_bad_settings_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        train_small(replace(SMALL, **changes))
