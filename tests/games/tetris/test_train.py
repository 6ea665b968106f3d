"""Training: it learns, resumes to the bit, and refuses what does not belong together."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.train import Iteration, Log, Plan, Swarm, choose, fitness_of, train
from gpusolve.games.tetris.weights import load_weights

CPU = open_backend("cpu")
PUBLISHED = load_weights("published").values
SMALL = Plan(particles=8, iterations=6, games=3, policy="greedy", seed=4, settings=Settings(max_lines=12))


def same(a: Swarm, b: Swarm) -> bool:
    states = [vars(a).copy(), vars(b).copy()]
    randoms = [state.pop("random").get_state() for state in states]
    return all(np.array_equal(states[0][name], states[1][name]) for name in states[0]) and all(
        np.array_equal(x, y) for x, y in zip(*randoms, strict=True)
    )


@pytest.mark.parametrize("topology", ["star", "ring"])
@pytest.mark.parametrize("changes", [{}, {"init": PUBLISHED, "renew": 2, "clamp": 5.0, "fitness": "top-half"}])
def test_a_resumed_run_is_the_same_to_the_bit(tmp_path: Path, topology: str, changes: dict[str, object]) -> None:
    plan = replace(SMALL, topology=topology, **changes)  # type: ignore[arg-type]
    whole, done = train(plan, CPU)
    assert done
    for stop in (1, 3):
        half, done = train(replace(plan, iterations=stop), CPU, save_to=tmp_path / "run")
        assert (half.iteration, done) == (stop, True)
        resumed, _ = train(plan, CPU, resume=tmp_path / "run")
        assert same(whole, resumed)
        assert not same(whole, half)


def test_numpys_own_generator_is_left_alone() -> None:
    np.random.seed(1)
    expected = np.random.random(3)
    np.random.seed(1)
    train(replace(SMALL, iterations=2), CPU)
    assert np.array_equal(np.random.random(3), expected)


def test_pyswarms_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    handlers = list(logging.getLogger().handlers)
    train(replace(SMALL, iterations=1), CPU)
    train(replace(SMALL, iterations=1, topology="ring"), CPU)
    assert list(tmp_path.iterdir()) == []
    assert logging.getLogger().handlers == handlers


@pytest.mark.parametrize(
    "changes",
    [{"seed": 5}, {"games": 4}, {"particles": 9}, {"policy": "two-piece"}, {"init": PUBLISHED}, {"inertia": 0.5}],
)
def test_a_checkpoint_of_another_plan_is_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    train(replace(SMALL, iterations=1), CPU, save_to=tmp_path / "run")
    with pytest.raises(BadInput, match=f"made with {next(iter(changes))}"):
        train(replace(SMALL, **changes), CPU, resume=tmp_path / "run")  # type: ignore[arg-type]


def test_a_time_limit_ends_between_iterations(tmp_path: Path) -> None:
    swarm, done = train(SMALL, CPU, save_to=tmp_path / "run", time_limit=0)
    assert (swarm.iteration, done) == (0, False)


def test_a_killed_run_leaves_a_checkpoint(tmp_path: Path) -> None:
    def interrupt(iteration: Iteration) -> None:
        if iteration.iteration == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(SMALL, CPU, save_to=tmp_path / "run", log=interrupt)
    resumed, _ = train(SMALL, CPU, resume=tmp_path / "run")
    assert same(resumed, train(SMALL, CPU)[0])


def test_fitness() -> None:
    scores = np.array([[100, 1_000_000, 50, 0, 999_999, 999_998]], np.int32)
    assert fitness_of(scores, "mean")[0] == scores.mean()
    assert fitness_of(scores, "top-half")[0] == pytest.approx((1_000_000 + 999_999 + 999_998) / 3)
    assert fitness_of(scores, "top-third")[0] == pytest.approx((1_000_000 + 999_999) / 2)
    assert fitness_of(scores, "maxout")[0] == pytest.approx(100 / 3)


def test_it_learns_and_the_best_stays_the_best() -> None:
    plan = replace(SMALL, particles=16, iterations=40, games=20, settings=Settings())
    seen: list[Iteration] = []
    swarm, _ = train(plan, CPU, log=seen.append)
    bests = [iteration.best for iteration in seen]
    assert bests == sorted(bests)
    assert bests[-1] > 3 * bests[0]
    assert -swarm.best_cost.min() == bests[-1]
    values, value = choose(plan, CPU, swarm, 0)
    assert value == bests[-1]
    assert values == tuple(swarm.weights)
    _, fresh = choose(plan, CPU, swarm, 40)
    assert 0 < fresh != value


def test_the_log_has_a_line_for_each_iteration(tmp_path: Path) -> None:
    for suffix in ("csv", "jsonl"):
        log = Log(tmp_path / f"log.{suffix}")
        train(replace(SMALL, iterations=2), CPU, log=log.add)
        train(replace(SMALL, iterations=1), CPU, log=log.add)
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
        ({"particles": 5, "topology": "ring"}, "a ring needs more than 5"),
        ({"init": (1.0,)}, "1 weights, expected 17"),
    ],
)
def test_plans_that_are_none(changes: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        train(replace(SMALL, **changes), CPU)  # type: ignore[arg-type]
