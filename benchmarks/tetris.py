"""Tetris: pieces a second by policy, beside the plain Python rules and one thread beside all; a swarm's iteration."""

from __future__ import annotations

import resource
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np

from gpusolve.backend import Backend
from gpusolve.games.tetris import branching, cpu, kernels, rules
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.weights import load_weights
from harness import Row, ratio, side_by_side

PUBLISHED = load_weights("published").values
GAMES = {"greedy": 400, "two-piece": 40}
ON_CUDA = 400  # times as many there
SWARM = (96, 150)  # particles, games


def rows(backend: Backend) -> list[Row]:
    """Everything measured on this backend."""
    on_cpu = not backend.name.startswith("cuda")
    games = {policy: n * (1 if on_cpu else ON_CUDA) for policy, n in GAMES.items()}
    weights = np.tile(PUBLISHED, (SWARM[0], 1))
    runs: dict[str, Callable[[], object]] = {
        policy: partial(kernels.play, backend, PUBLISHED, n, 1, 0, policy) for policy, n in games.items()
    }
    runs["swarm"] = partial(kernels.play, backend, weights, SWARM[1], 1, 0, "greedy")
    if on_cpu:
        runs |= {f"{policy}, 1 thread": partial(_one_thread, policy, n) for policy, n in games.items()}
        runs["rules"] = partial(rules.play, rules.fixed_point(PUBLISHED)[0], "greedy", 1, 0, max_lines=4)
        runs["branching"] = partial(branching.play, backend, PUBLISHED, 8, 1, settings=Settings(max_lines=8))
    seconds = side_by_side(runs, backend, rounds=5)

    found = []
    for policy, n in games.items():
        played = kernels.play(backend, PUBLISHED, n, 1, 0, policy)
        pieces = int(played.pieces.sum())
        if on_cpu:
            values = pieces * _values_a_piece(backend, policy)
            name = f"{policy}, 1 thread"
            one = median(seconds[name])
            found.append(
                Row(f"{n} games {name}", one, f"{pieces / one:,.0f} pieces/s, {values / one / 1e6:.0f} M values/s")
            )
        middle = median(seconds[policy])
        times = f"{1 / ratio(seconds, policy, f'{policy}, 1 thread'):.2f} x 1 thread" if on_cpu else ""
        found.append(Row(f"{n:,} games {policy}, {backend.about}", middle, f"{pieces / middle:,.0f} pieces/s", times))
        if on_cpu and policy == "greedy":
            few = rules.play(rules.fixed_point(PUBLISHED)[0], "greedy", 1, 0, max_lines=4)
            slow = median(seconds["rules"])
            times = f"{ratio(seconds, 'rules', name) * pieces / len(few):,.0f} x {name}, a piece"
            found.append(Row("rules.py, greedy", slow, f"{len(few) / slow:,.0f} pieces/s", times))
    if on_cpu:
        played, _ = branching.play(backend, PUBLISHED, 8, 1, 0, settings=Settings(max_lines=8))
        middle = median(seconds["branching"])
        found.append(Row("branching (3, 5, 5), 8 games", middle, f"{int(played.pieces.sum()) / middle:,.0f} pieces/s"))
    memory = f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"
    what = f"a swarm's iteration, {SWARM[0]} x {SWARM[1]} games greedy"
    return [*found, Row(what, median(seconds["swarm"]), "", memory)]


def _one_thread(policy: str, games: int) -> None:
    out = np.empty((games, 4), np.int32)
    kernel = {"greedy": cpu.play_greedy, "two-piece": cpu.play_two_piece}[policy]
    taps, trace = kernels.tap_table("free"), np.zeros(1, np.uint32)
    kernel(
        0, games, kernels.fixed_point(PUBLISHED), games, np.uint64(1), 0, 0, 19, rules.MAX_LINES, 0, taps, 0, out, trace
    )  # fmt: skip


def _values_a_piece(backend: Backend, policy: str) -> float:
    """Boards valued for each piece, over one game."""
    placed = kernels.trace(backend, PUBLISHED, 1, 0, policy)
    drawn = rules.pieces(1, 0)
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
