"""Tetris: placements per second of the Gymnasium environment, beside another package's environment.

    PYTHONPATH=src python benchmarks/tetris_environment.py [> TABLE.md]

The other one is tetris-gymnasium, if it is installed (`pip install tetris-gymnasium`), with its wrapper that makes a
step a placement and gives a mask of legal actions. Both play random legal placements on one thread. With a reaction
time a placement of ours takes two steps. Times are processor times of the steps alone, without the choice of actions;
the environments take turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from statistics import median

import gymnasium
import numpy as np

import gpusolve.games.tetris.environment  # noqa: F401
from gpusolve.backend import open_backend
from harness import heading

SIZES = (1, 64, 4096)
SECONDS, ROUNDS = 0.4, 5


def ours(count: int, reach: str, delay_ms: int) -> Iterator[float]:
    """Yield placements per second of processor time, again and again, in `count` games at a time."""
    games = gymnasium.make_vec("gpusolve/NESTetris-v0", num_envs=count, reach=reach, delay_ms=delay_ms, device="cpu:1")
    random = np.random.default_rng(1)
    _, info = games.reset(seed=1)
    while True:
        placed, spent = 0, 0.0
        while spent < SECONDS:
            actions = (info["action_mask"] * random.random((count, 880), np.float32)).argmax(axis=1)
            begin = time.process_time()
            *_, info = games.step(actions)
            spent += time.process_time() - begin
            placed += count
        yield placed / spent / (2 if delay_ms else 1)


def other() -> Iterator[float]:
    """Yield the same for one game of tetris-gymnasium."""
    from tetris_gymnasium.envs import Tetris
    from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations

    game = GroupedActionsObservations(Tetris())
    random = np.random.default_rng(1)
    _, info = game.reset(seed=1)
    while True:
        placed, spent = 0, 0.0
        while spent < SECONDS:
            action = int(random.choice(np.flatnonzero(info["action_mask"])))
            begin = time.process_time()
            _, _, over, _, info = game.step(action)
            if over:
                _, info = game.reset()
            spent += time.process_time() - begin
            placed += 1
        yield placed / spent


def main() -> None:
    """Measure all environments in turn and print a table."""
    runs: dict[str, Callable[[], Iterator[float]]] = {
        f"gpusolve/NESTetris-v0, {reach}{', 300 ms' * bool(delay_ms)}, {count:,} game{'s' * (count > 1)}": partial(
            ours, count, reach, delay_ms
        )
        for reach, delay_ms in (("free", 0), ("30hz", 0), ("30hz", 300))
        for count in SIZES
    }
    beside = None
    if find_spec("tetris_gymnasium"):
        beside = f"tetris-gymnasium {version('tetris-gymnasium')}, one game"
        runs[beside] = other
    going = {name: run() for name, run in runs.items()}
    rates: dict[str, list[float]] = {name: [] for name in going}
    for _ in range(ROUNDS + 1):  # the first one compiles
        for name, run in going.items():
            rates[name].append(next(run))
    print(heading("Tetris: the Gymnasium environment", open_backend("cpu:1")))
    print("| environment | placements per second | ratio |\n|---|---:|---:|")
    for name, measured in rates.items():
        against = rates[beside] if beside else []
        ratio = f"{median(a / b for a, b in zip(measured[1:], against[1:], strict=True)):,.0f}" if against else ""
        print(f"| {name} | {median(measured[1:]):,.0f} | {ratio} |")


if __name__ == "__main__":
    main()
