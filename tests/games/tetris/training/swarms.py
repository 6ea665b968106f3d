"""A small training for the tests of this room, and the comparison of two swarms."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpusolve.backend import open_backend
from gpusolve.games.tetris import Training, TrainingSettings, Variant, train
from gpusolve.games.tetris.training.swarm import Swarm

CPU = open_backend("cpu")
SMALL = TrainingSettings(particles=8, iterations=6, games=3, policy="greedy", finals=0)


def train_small(training: TrainingSettings = SMALL, seed: int | None = 4, **others: Any) -> Training:
    return train(training, variant=Variant(max_lines=12), seed=seed, backend=CPU, **others)


def same(a: Swarm, b: Swarm) -> bool:
    states = [vars(swarm).copy() for swarm in (a, b)]
    randoms = [state.pop("random") for state in states]
    return all(np.array_equal(states[0][name], states[1][name]) for name in states[0]) and all(
        np.array_equal(x, y) for x, y in zip(*randoms, strict=True)
    )
