"""Training of weights by a particle swarm.

The swarm's operators are pyswarms'; the loop around them is ours, since theirs cannot be resumed. All particles play
the same games, all of them in one batch: the fitness is what the policy scores that the weights are meant for.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checkpoint
from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels, rules
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.rules import FEATURES

FITNESS = ("mean", "top-half", "top-third", "maxout")
TOPOLOGIES = ("star", "ring")
KIND = "tetris.train"
NEIGHBOURS = 5  # of a particle in a ring, itself included
FINALISTS = 10
FRESH_SEED = 2**32  # added to the seed for the games after training, which no particle has played


@dataclass(frozen=True)
class Plan:
    """What a training is, down to the bit: the same plan gives the same weights on every device.

    `init`: weights around which the swarm starts, each of its coordinates spread by `spread` times its size; None:
    uniform in [0, 1]. `renew`: after so many iterations other games are played, and every personal best is played
    again on them, so that none stands for luck with some games only; 0: never.
    """

    particles: int = 96
    iterations: int = 100
    games: int = 150
    policy: str = "two-piece"
    fitness: str = "mean"
    seed: int = 0
    inertia: float = 0.7298
    cognitive: float = 1.49618
    social: float = 1.49618
    clamp: float | None = None
    topology: str = "star"
    init: tuple[float, ...] | None = None
    spread: float = 0.5
    renew: int = 0
    settings: Settings = field(default_factory=Settings)

    def check(self) -> None:
        """Raises BadInput for what cannot be trained."""
        for name, least in (("particles", 2), ("iterations", 1), ("games", 1), ("renew", 0)):
            if getattr(self, name) < least:
                raise BadInput(f"{name} {getattr(self, name)}: expected at least {least}")
        if self.topology == "ring" and self.particles <= NEIGHBOURS:
            raise BadInput(f"particles {self.particles}: a ring needs more than {NEIGHBOURS}")
        if self.init is not None and len(self.init) != len(FEATURES):
            raise BadInput(f"init: {len(self.init)} weights, expected {len(FEATURES)}")


@dataclass(frozen=True)
class Iteration:
    """What one iteration came to: fitness of the best particle so far, of this iteration's best, and of all of them."""

    iteration: int
    best: float
    iteration_best: float
    mean: float
    deviation: float
    spread: float
    """The mean over the coordinates of the particles' standard deviation, as a part of the best's greatest weight."""
    pieces: int
    seconds: float


@dataclass
class Swarm:
    """The state of a training: everything that the next iteration depends on."""

    iteration: int
    position: npt.NDArray[np.float64]
    velocity: npt.NDArray[np.float64]
    best_position: npt.NDArray[np.float64]
    best_cost: npt.NDArray[np.float64]
    swarm_best: npt.NDArray[np.float64]
    swarm_cost: float
    random: np.random.RandomState

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """The best weights so far, (17,)."""
        found: npt.NDArray[np.float64] = self.best_position[np.argmin(self.best_cost)]
        return found


def fitness_of(scores: npt.NDArray[np.int32], kind: str) -> npt.NDArray[np.float64]:
    """One number a row of `scores`: their mean, that of the best half or third, or the percentage of maxouts.

    >>> fitness_of(np.array([[0, 600_000, 1_200_000, 600_000, 0, 0]], np.int32), "top-third").tolist()
    [900000.0]
    """
    if kind == "maxout":
        return np.asarray(100.0 * (scores >= rules.MAXOUT).mean(axis=1))
    part = {"mean": 1, "top-half": 2, "top-third": 3}[kind]
    best = np.sort(scores, axis=1)[:, ::-1][:, : -(-scores.shape[1] // part)]
    return np.asarray(best.mean(axis=1, dtype=np.float64))


def train(
    plan: Plan,
    backend: Backend,
    save_to: Path | None = None,
    resume: Path | None = None,
    time_limit: float | None = None,
    log: Callable[[Iteration], None] = lambda iteration: None,
) -> tuple[Swarm, bool]:
    """Runs the plan to its end, or until `time_limit` seconds are over; gives the swarm and whether it is done.

    With `save_to` the state is saved after each iteration; `resume` goes on from such a file, to the bit as if there
    had been no stop, and writes to it unless `save_to` says otherwise. Raises BadInput for a checkpoint of another
    plan (more `iterations` are no other plan).
    """
    plan.check()
    begin = time.monotonic()
    swarm = _load(resume, plan) if resume is not None else _start(plan)
    target = save_to or resume
    while swarm.iteration < plan.iterations:
        if time_limit is not None and time.monotonic() - begin >= time_limit:
            return swarm, False
        log(_step(plan, backend, swarm))
        if target is not None:
            _save(target, plan, swarm)
    return swarm, True


def choose(plan: Plan, backend: Backend, swarm: Swarm, games: int) -> tuple[tuple[float, ...], float]:
    """The best, on fresh games that no particle played, of the FINALISTS best positions and their mean; its fitness.

    Being best in training is partly luck, and in the mean luck cancels out. With `games` 0 the best is believed.
    """
    order = np.argsort(swarm.best_cost, kind="stable")[:FINALISTS]
    if games == 0:
        return tuple(swarm.weights.tolist()), -float(swarm.best_cost[order[0]])
    finalists = swarm.best_position[order]
    finalists = np.concatenate([finalists, finalists.mean(axis=0, keepdims=True)])
    played = kernels.play(backend, finalists, games, plan.seed + FRESH_SEED, 0, plan.policy, plan.settings)
    fitness = fitness_of(played.scores, plan.fitness)
    return tuple(finalists[np.argmax(fitness)].tolist()), float(fitness.max())


class Log:
    """The iterations of a run, and the file that gets a line for each: CSV by its suffix, else JSON lines."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.iterations: list[Iteration] = []

    def add(self, iteration: Iteration) -> None:
        """Appends a line. Raises BadInput where the file cannot be written."""
        self.iterations.append(iteration)
        if self.path is None:
            return
        row = asdict(iteration)
        try:
            with self.path.open("a", encoding="utf-8") as file:
                if self.path.suffix != ".csv":
                    file.write(json.dumps({"schema": "gpusolve.tetris.iteration/1"} | row) + "\n")
                    return
                if file.tell() == 0:
                    file.write(",".join(row) + "\n")
                file.write(",".join(map(str, row.values())) + "\n")
        except OSError as error:
            raise BadInput(f"--log {self.path}: cannot be written: {error.strerror}") from error

    def plot(self, path: Path, title: str) -> None:
        """A picture of the fitness over the iterations."""
        from gpusolve.plot import save_lines

        x = [row.iteration for row in self.iterations]
        lines = {
            "best so far": [row.best for row in self.iterations],
            "best of the iteration": [row.iteration_best for row in self.iterations],
            "mean": [row.mean for row in self.iterations],
        }
        save_lines(path, x, lines, title, "iteration", "fitness")


def _start(plan: Plan) -> Swarm:
    random = np.random.RandomState(plan.seed % 2**32)
    shape = (plan.particles, len(FEATURES))
    if plan.init is None:
        position, velocity = random.uniform(0, 1, shape), random.uniform(0, 1, shape)
    else:
        init = np.array(plan.init)
        size = plan.spread * np.maximum(np.abs(init), 0.1 * np.abs(init).mean())  # none is stuck near 0
        position = init + size * random.standard_normal(shape)
        position[0] = init
        velocity = size * random.standard_normal(shape) / 2
    infinite = np.full(plan.particles, np.inf)
    return Swarm(0, position, velocity, position.copy(), infinite, position[0].copy(), np.inf, random)


def _step(plan: Plan, backend: Backend, swarm: Swarm) -> Iteration:
    """One iteration: play, remember the bests, move."""
    backends = _pyswarms()
    begin = time.monotonic()
    pieces = 0

    def costs(position: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        nonlocal pieces
        epoch = swarm.iteration // plan.renew if plan.renew else 0
        games = kernels.play(backend, position, plan.games, plan.seed, epoch * plan.games, plan.policy, plan.settings)
        pieces += int(games.pieces.sum())
        return -fitness_of(games.scores, plan.fitness)

    if plan.renew and swarm.iteration and swarm.iteration % plan.renew == 0:
        swarm.best_cost = costs(swarm.best_position)
        swarm.swarm_cost = np.inf
    found = backends.swarms.Swarm(
        position=swarm.position,
        velocity=swarm.velocity,
        pbest_pos=swarm.best_position,
        pbest_cost=swarm.best_cost,
        best_pos=swarm.swarm_best,
        best_cost=swarm.swarm_cost,
        current_cost=costs(swarm.position),
        options={"w": plan.inertia, "c1": plan.cognitive, "c2": plan.social},
    )
    found.pbest_pos, found.pbest_cost = backends.compute_pbest(found)
    if plan.topology == "star":
        found.best_pos, found.best_cost = backends.topology.Star().compute_gbest(found)
    else:
        found.best_pos, found.best_cost = backends.topology.Ring().compute_gbest(found, p=2, k=NEIGHBOURS)
    best, spread = -found.pbest_cost.min(), _spread(found.position)
    fitness = -found.current_cost
    clamp = None if plan.clamp is None else (-plan.clamp, plan.clamp)
    handler = backends.handlers.VelocityHandler(strategy="unmodified")
    # pyswarms draws from NumPy's global generator: it gets our state for the time, and its own back.
    theirs = np.random.get_state()
    try:
        np.random.set_state(swarm.random.get_state())
        found.velocity = backends.compute_velocity(found, clamp, handler)
        swarm.random.set_state(np.random.get_state())
    finally:
        np.random.set_state(theirs)
    if clamp is not None:
        found.velocity = np.clip(found.velocity, *clamp)
    swarm.position, swarm.velocity = backends.compute_position(found, None, None), found.velocity
    swarm.best_position, swarm.best_cost = found.pbest_pos, found.pbest_cost
    swarm.swarm_best, swarm.swarm_cost = found.best_pos, float(found.best_cost)
    swarm.iteration += 1
    return Iteration(
        swarm.iteration,
        float(best),
        float(fitness.max()),
        float(fitness.mean()),
        float(fitness.std()),
        spread,
        pieces,
        time.monotonic() - begin,
    )


def _spread(position: npt.NDArray[np.float64]) -> float:
    return float(position.std(axis=0).mean() / max(float(np.abs(position.mean(axis=0)).max()), 1e-300))


@cache
def _pyswarms() -> Any:
    """pyswarms.backend, silenced: left alone it configures logging and writes report.log in the working folder."""
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


def _identity(plan: Plan) -> dict[str, Any]:
    """What a checkpoint belongs to."""
    identity: dict[str, Any] = json.loads(json.dumps(asdict(plan)))
    del identity["iterations"]
    return identity


def _save(path: Path, plan: Plan, swarm: Swarm) -> None:
    _, keys, at, has_gauss, gauss = swarm.random.get_state(legacy=True)
    state = {name: value for name, value in vars(swarm).items() if name != "random"}
    # JSON has no infinity
    state["swarm_cost"] = np.array(swarm.swarm_cost)
    state |= {"random_keys": keys, "random_at": at, "random_has_gauss": has_gauss, "random_gauss": gauss}
    checkpoint.save(path, KIND, _identity(plan), state)


def _load(path: Path, plan: Plan) -> Swarm:
    state = checkpoint.load(path, KIND, _identity(plan))
    random = np.random.RandomState()
    names = ("random_keys", "random_at", "random_has_gauss", "random_gauss")
    random.set_state(("MT19937", *(state.pop(name) for name in names)))
    state["swarm_cost"] = float(state["swarm_cost"])
    return Swarm(**state, random=random)
