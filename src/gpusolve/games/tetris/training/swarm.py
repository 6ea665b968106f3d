"""A particle swarm: its state, and a step by pyswarms' operators.

The loop is ours, since theirs cannot be resumed. Two habits of pyswarms are dealt with here, and here only: it draws
from NumPy's global generator, and when imported it configures logging and writes report.log to the working folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules.features import LARGEST

NEIGHBOURS = 5
"""Of a particle in a ring, itself included."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Swarm:
    """All that the next step depends on. A step gives another one and leaves this as it is.

    `position`, `velocity`, `best_position`: (particles, coordinates); `best_cost`: (particles,), of the best positions;
    `swarm_best`, `swarm_cost`: whose pull counts, with a ring (particles, coordinates); `random`: NumPy's generator as
    its ``get_state`` gives it.
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
        """The best position so far, (coordinates,)."""
        found: Floats = self.best_position[np.argmin(self.best_cost)]
        return found

    @property
    def spread(self) -> float:
        """The mean over the coordinates of the particles' standard deviation, as a part of the greatest mean."""
        greatest = float(np.abs(self.position.mean(axis=0)).max())
        return float(self.position.std(axis=0).mean() / max(greatest, 1e-300))


def scatter(seed: int, particles: int, coordinates: int, centre: Sequence[float] | None, spread: float) -> Swarm:
    """A swarm that begins: around `centre`, each coordinate spread by `spread` times its size, or else in [0, 1]."""
    random = np.random.RandomState(seed % 2**32)
    shape = (particles, coordinates)
    if centre is None:
        position, velocity = random.uniform(0, 1, shape), random.uniform(0, 1, shape)
    else:
        around = np.array(centre)
        size = spread * np.maximum(np.abs(around), 0.1 * np.abs(around).mean())  # none is stuck near 0
        position = around + size * random.standard_normal(shape)
        position[0] = around
        position = _bounded(position)
        velocity = size * random.standard_normal(shape) / 2
    state = random.get_state(legacy=True)
    return Swarm(0, position, velocity, position, np.full(particles, np.inf), position[0], np.inf, tuple(state))


def step(
    swarm: Swarm, costs: Floats, inertia: float, cognitive: float, social: float, clamp: float | None, topology: str
) -> Swarm:
    """The swarm after it has learnt what its positions cost, and has moved.

    `inertia`, `cognitive`, `social`: the weights of a particle's velocity, of its own best and of the swarm's; `clamp`:
    the greatest speed in a coordinate; `topology`: ``star``, or ``ring`` of NEIGHBOURS.
    """
    operators = _pyswarms()
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
    if topology == "star":
        moving.best_pos, moving.best_cost = operators.topology.Star().compute_gbest(moving)
    else:
        moving.best_pos, moving.best_cost = operators.topology.Ring().compute_gbest(moving, p=2, k=NEIGHBOURS)
    limits = None if clamp is None else (-clamp, clamp)
    handler = operators.handlers.VelocityHandler(strategy="unmodified")
    theirs = np.random.get_state()
    try:  # pyswarms draws from NumPy's global generator: it gets our state for the time, and its own back
        np.random.set_state(swarm.random)
        moving.velocity = operators.compute_velocity(moving, limits, handler)
        random = np.random.get_state(legacy=True)
    finally:
        np.random.set_state(theirs)
    if limits is not None:
        moving.velocity = np.clip(moving.velocity, *limits)
    moving.velocity = _bounded(moving.velocity)
    return Swarm(
        swarm.iteration + 1,
        _bounded(operators.compute_position(moving, None, None)),
        moving.velocity,
        moving.pbest_pos,
        moving.pbest_cost,
        moving.best_pos,
        float(moving.best_cost),
        tuple(random),
    )


def _bounded(coordinates: Floats) -> Floats:
    """None beyond what a weight may be: a swarm that flies apart stays finite."""
    return np.clip(coordinates, -LARGEST, LARGEST)


def as_state(swarm: Swarm) -> dict[str, Any]:
    """The swarm as a checkpoint holds it; `from_state` undoes it."""
    _, keys, position, has_gauss, gauss = swarm.random
    state = {name: value for name, value in vars(swarm).items() if name != "random"}
    state["swarm_cost"] = np.array(swarm.swarm_cost)  # JSON has no infinity
    return state | {
        "random_keys": keys,
        "random_position": position,
        "random_has_gauss": has_gauss,
        "random_gauss": gauss,
    }


def from_state(state: dict[str, Any], particles: int, coordinates: int) -> Swarm:
    """The swarm of a checkpoint, for `particles` in so many coordinates. Raises BadInput for what is not one."""
    try:
        if np.shape(state["random_keys"]) != (624,) or not 0 <= state["random_position"] <= 624:
            raise ValueError("its generator")  # which would read outside its keys
        rest = dict(state)
        random = [rest.pop(f"random_{name}") for name in ("keys", "position", "has_gauss", "gauss")]
        found = Swarm(**rest | {"swarm_cost": float(state["swarm_cost"]), "random": ("MT19937", *random)})
        np.random.RandomState().set_state(found.random)
    except (LookupError, TypeError, ValueError) as error:
        raise BadInput(f"checkpoint: not the state of a swarm: {error}") from None
    shape = (particles, coordinates)
    shapes = {"position": shape, "velocity": shape, "best_position": shape, "best_cost": shape[:1]}
    for name, expected in shapes.items():
        array = np.asarray(getattr(found, name))
        if array.shape != expected or array.dtype != np.float64:
            raise BadInput(f"checkpoint: {name} of {array.dtype} and shape {array.shape}, expected {expected}")
    if np.shape(found.swarm_best) not in (shape, shape[1:]) or type(found.iteration) is not int:
        raise BadInput("checkpoint: not the state of a swarm")
    return found


@cache
def _pyswarms() -> Any:
    """pyswarms.backend, silenced."""
    import logging.config

    configure = logging.config.dictConfig
    logging.config.dictConfig = lambda config: None
    try:
        import pyswarms.backend
        from pyswarms.utils.reporter import Reporter
    finally:
        logging.config.dictConfig = configure
    Reporter._setup_logger = lambda reporter, path=None: None
    return pyswarms.backend
