"""Tetris: pieces per second by policy, beside the plain Python rules and one thread beside all; a swarm's iteration."""

from __future__ import annotations

import resource
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import branching, kernels, policies, rules, sources
from gpusolve.games.tetris.features import fixed_point
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.weights import load_weights
from harness import Row, ratio, side_by_side

PUBLISHED = load_weights("published").values
GAMES = {"greedy": 400, "two-piece": 40}
ON_CUDA = 400  # times as many there
SWARM = (96, 150)  # particles, games


def rows(backend: Backend) -> list[Row]:
    """Everything measured on this backend."""
    on_cpu = backend.xp is np
    games = {policy: n * (1 if on_cpu else ON_CUDA) for policy, n in GAMES.items()}
    weights = np.tile(PUBLISHED, (SWARM[0], 1))
    one_thread = open_backend("cpu:1")
    slow = partial(policies.play, fixed_point(PUBLISHED)[0], "greedy", 1, 0, max_lines=4)
    branch = partial(branching.play, PUBLISHED, 8, 1, settings=Settings(max_lines=8), backend=backend)
    runs: dict[str, Callable[[], object]] = {
        policy: partial(kernels.play, backend, PUBLISHED, n, 1, 0, policy) for policy, n in games.items()
    }
    runs["swarm"] = partial(kernels.play, backend, weights, SWARM[1], 1, 0, "greedy")
    if on_cpu:
        runs |= {
            f"{policy}, 1 thread": partial(kernels.play, one_thread, PUBLISHED, n, 1, 0, policy)
            for policy, n in games.items()
        }
        runs |= {"rules": slow, "branching": branch}
    seconds = side_by_side(runs, backend, rounds=5)

    found = []
    for policy, n in games.items():
        played = kernels.play(backend, PUBLISHED, n, 1, 0, policy)
        pieces = int(played.pieces.sum())
        if on_cpu:
            values = pieces * _values_per_piece(backend, policy)
            name = f"{policy}, 1 thread"
            one = median(seconds[name])
            found.append(
                Row(f"{n} games {name}", one, f"{pieces / one:,.0f} pieces/s, {values / one / 1e6:.0f} M values/s")
            )
        middle = median(seconds[policy])
        times = f"{1 / ratio(seconds, policy, f'{policy}, 1 thread'):.2f} x 1 thread" if on_cpu else ""
        found.append(Row(f"{n:,} games {policy}, {backend.about}", middle, f"{pieces / middle:,.0f} pieces/s", times))
        if on_cpu and policy == "greedy":
            turns, plain = slow(), median(seconds["rules"])
            times = f"{ratio(seconds, 'rules', name) * pieces / len(turns):,.0f} x {name}, per piece"
            found.append(Row("plain Python, greedy", plain, f"{len(turns) / plain:,.0f} pieces/s", times))
    if on_cpu:
        played, _ = branch()
        middle = median(seconds["branching"])
        found.append(Row("branching (3, 5, 5), 8 games", middle, f"{int(played.pieces.sum()) / middle:,.0f} pieces/s"))
    memory = f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"
    what = f"a swarm's iteration, {SWARM[0]} x {SWARM[1]} games greedy"
    return [*found, Row(what, median(seconds["swarm"]), "", memory)]


def _values_per_piece(backend: Backend, policy: str) -> float:
    """Boards valued for each piece, over one game."""
    placed = kernels.trace(backend, PUBLISHED, 1, 0, policy)
    drawn = sources.pieces(1, 0)
    pieces = [next(drawn) for _ in range(len(placed) + 1)]
    board, count = np.zeros((rules.ROWS, rules.COLUMNS), np.uint8), 0
    for piece, following, placement in zip(pieces, pieces[1:], placed, strict=False):
        first = kernels.placements(backend, kernels.columns_of(board[None]), [piece])
        n = int(first.counts[0])
        if policy == "greedy":
            count += n
        else:
            count += int(kernels.placements(backend, first.after[0, :n], [following] * n, most=1).counts.sum())
        board, _, _ = rules.place(board, piece, kernels.state_of(piece, placement))
    return count / len(placed)
