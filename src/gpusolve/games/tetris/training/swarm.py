"""A particle swarm: its state, and a step by the operators of pyswarms.

The loop over the steps is ours, because the one of pyswarms cannot be resumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.fields import Fields
from gpusolve.games.tetris.rules.features import LARGEST
from gpusolve.games.tetris.training.operators import load_operators, make_topology

NEIGHBOURS = 5
"""Neighbours of a particle in a ring, including itself."""
MOST_ITERATIONS = 1_000_000
KEYS = 624
"""Words in the state of NumPy's Mersenne Twister."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Swarm:
    """The state of a particle swarm. A step returns a new state and leaves this one unchanged.

    Attributes
    ----------
    iteration : int
        Number of steps made.
    position, velocity : ndarray of float64, shape (particles, coordinates)
        Where each particle is, and how far it moves in a step.
    best_position : ndarray of float64, shape (particles, coordinates)
        The best position that each particle has visited.
    best_cost : ndarray of float64, shape (particles,)
        The costs of the best positions.
    swarm_best : ndarray of float64, shape (coordinates,) or (particles, coordinates)
        The position that attracts all particles, or with a ring, after the first step, each of them.
    swarm_cost : float
        The least cost so far.
    random : tuple
        The state of NumPy's generator, as its ``get_state`` returns it.
    """

    iteration: int
    position: Floats
    velocity: Floats
    best_position: Floats
    best_cost: Floats
    swarm_best: Floats
    swarm_cost: float
    random: tuple[Any, ...]

    @property
    def best(self) -> Floats:
        """The best position so far, of shape (coordinates,)."""
        position: Floats = self.best_position[np.argmin(self.best_cost)]
        return position

    @property
    def spread(self) -> float:
        """The mean standard deviation of the coordinates, as a fraction of the greatest mean coordinate."""
        greatest = float(np.abs(self.position.mean(axis=0)).max())
        return float(self.position.std(axis=0).mean() / max(greatest, 1e-300))


def scatter(
    seed: int, particles: int, coordinates: int, *, centre: Sequence[float] | None = None, spread: float = 0.0
) -> Swarm:
    """Return a new swarm: around `centre`, with a deviation of `spread` times each coordinate, or else in [0, 1]."""
    random = np.random.RandomState(seed % 2**32)
    shape = (particles, coordinates)
    if centre is None:
        position, velocity = random.uniform(0, 1, shape), random.uniform(0, 1, shape)
    else:
        around = np.array(centre)
        size = spread * np.maximum(np.abs(around), 0.1 * np.abs(around).mean())  # no coordinate is stuck near 0
        position = around + size * random.standard_normal(shape)
        position[0] = around
        position = _bounded(position)
        velocity = size * random.standard_normal(shape) / 2
    state = random.get_state(legacy=True)
    return Swarm(0, position, velocity, position, np.full(particles, np.inf), position[0], np.inf, tuple(state))


def step(
    swarm: Swarm,
    costs: Floats,
    *,
    inertia: float,
    cognitive: float,
    social: float,
    clamp: float | None = None,
    topology: str = "star",
) -> Swarm:
    """Return the swarm after it has learnt the costs of its positions and has moved.

    `inertia`, `cognitive` and `social` are the coefficients of a particle's velocity, of the pull towards its own
    best position and of the pull towards the swarm's. `clamp` limits the speed in each coordinate. With the `topology`
    ``star`` the whole swarm's best position attracts a particle, with ``ring`` that of its NEIGHBOURS nearest ones.
    """
    operators = load_operators()
    moving = operators.swarms.Swarm(
        position=swarm.position,
        velocity=swarm.velocity,
        pbest_pos=swarm.best_position,
        pbest_cost=swarm.best_cost,
        best_pos=swarm.swarm_best,
        best_cost=swarm.swarm_cost,
        current_cost=costs,
        options={"w": inertia, "c1": cognitive, "c2": social},
    )
    moving.pbest_pos, moving.pbest_cost = operators.compute_pbest(moving)
    moving.best_pos, moving.best_cost = make_topology(operators, topology).compute_gbest(moving, p=2, k=NEIGHBOURS)
    random = np.random.RandomState()
    random.set_state(swarm.random)
    moving.velocity = _velocity(moving, random, clamp)
    return Swarm(
        swarm.iteration + 1,
        _bounded(operators.compute_position(moving, None, None)),
        moving.velocity,
        moving.pbest_pos,
        moving.pbest_cost,
        moving.best_pos,
        float(moving.best_cost),
        tuple(random.get_state(legacy=True)),
    )


def _velocity(swarm: Any, random: np.random.RandomState, clamp: float | None) -> Floats:
    """Return the next velocities of a swarm of pyswarms.

    To the bit this is pyswarms' own `compute_velocity`, which draws from NumPy's global generator; another thread may
    be using that.
    """
    options, shape = swarm.options, swarm.position.shape
    cognitive = options["c1"] * random.uniform(0, 1, shape) * (swarm.pbest_pos - swarm.position)
    social = options["c2"] * random.uniform(0, 1, shape) * (swarm.best_pos - swarm.position)
    velocity = options["w"] * swarm.velocity + cognitive + social
    return _bounded(velocity if clamp is None else np.clip(velocity, -clamp, clamp))


def _bounded(coordinates: Floats) -> Floats:
    """Return coordinates within the bounds of a weight: a swarm that flies apart stays finite."""
    return np.clip(coordinates, -LARGEST, LARGEST)


def as_state(swarm: Swarm) -> dict[str, Any]:
    """Return the swarm as the state of a checkpoint; `from_state` reads it."""
    _, keys, position, has_gauss, gauss = swarm.random
    state = {name: value for name, value in vars(swarm).items() if name != "random"}
    state["swarm_cost"] = np.array(swarm.swarm_cost)  # JSON has no infinity
    return state | {
        "random_keys": keys,
        "random_position": position,
        "random_has_gauss": has_gauss,
        "random_gauss": gauss,
    }


def from_state(state: Fields, particles: int, coordinates: int, *, topology: str) -> Swarm:
    """Read a swarm from the state of a checkpoint. Raises BadInput for a state of another shape."""
    shape = (particles, coordinates)
    iteration = state.integer("iteration", 0, MOST_ITERATIONS)
    attracted_apart = topology == "ring" and iteration > 0
    random = (
        "MT19937",
        state.array("random_keys", np.uint32, (KEYS,)),
        state.integer("random_position", 0, KEYS),  # a greater one would be read outside the keys
        state.integer("random_has_gauss", 0, 1),
        state.number("random_gauss", -100, 100),
    )
    return Swarm(
        iteration,
        state.array("position", np.float64, shape, -LARGEST, LARGEST),
        state.array("velocity", np.float64, shape),
        state.array("best_position", np.float64, shape, -LARGEST, LARGEST),
        state.array("best_cost", np.float64, (particles,)),
        state.array("swarm_best", np.float64, shape if attracted_apart else (coordinates,), -LARGEST, LARGEST),
        float(state.array("swarm_cost", np.float64, ())),
        random,
    )
