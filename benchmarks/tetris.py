"""Tetris: pieces per second by policy, on one thread and on all, and by the plain rules; a swarm's iteration."""

from __future__ import annotations

import resource
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players.kernels import RESULTS, play, trace
from gpusolve.games.tetris.players.player import Player, policy_of
from gpusolve.games.tetris.players.playing import play_turns
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.shipped import load_player
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import policies, sources
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, place
from gpusolve.games.tetris.rules.features import fixed_point
from gpusolve.games.tetris.variant import Variant
from harness import Row, Work, ratio, side_by_side

PLAYER = load_weights("published")
PUBLISHED = PLAYER.values
BRANCHING = policy_of(PLAYER, "branching")
GAMES = {"greedy": 400, "two-piece": 40}
ON_GPU = {"greedy": 160_000, "two-piece": 16_000}
BRANCHED, LATE = 1024, 8192  # games side by side
BOARDS = 1_000_000
SWARM = (96, 150)  # particles, games


def rows(backend: Backend) -> list[Row]:
    """Measure everything on a CPU."""
    games = GAMES
    weights = np.tile(PUBLISHED, (SWARM[0], 1))
    one_thread = open_backend("cpu:1")
    slow = partial(policies.play, fixed_point(PUBLISHED)[0], "greedy", seed=1, game=0, max_lines=4)
    branch = partial(play_turns, backend, PLAYER, range(8), seed=1, policy=BRANCHING, variant=Variant(max_lines=8))
    runs: dict[str, Callable[[], object]] = {
        policy: partial(play, backend, PUBLISHED, n, seed=1, policy=policy) for policy, n in games.items()
    }
    runs["swarm"] = partial(play, backend, weights, SWARM[1], seed=1, policy="greedy")
    runs |= {
        f"{policy}, 1 thread": partial(play, one_thread, PUBLISHED, n, seed=1, policy=policy)
        for policy, n in games.items()
    }
    runs |= {"rules": slow, "branching": branch}
    seconds = side_by_side(runs, backend, rounds=5)

    measured = []
    for policy, n in games.items():
        played = play(backend, PUBLISHED, n, seed=1, policy=policy)
        pieces = int(played.pieces.sum())
        values = pieces * _values_per_piece(backend, policy)
        name = f"{policy}, 1 thread"
        one = median(seconds[name])
        measured.append(
            Row(f"{n} games {name}", one, f"{pieces / one:,.0f} pieces/s, {values / one / 1e6:.0f} M values/s")
        )
        middle = median(seconds[policy])
        times = f"{1 / ratio(seconds, policy, name):.2f} x 1 thread"
        measured.append(
            Row(f"{n:,} games {policy}, {backend.about}", middle, f"{pieces / middle:,.0f} pieces/s", times)
        )
        if policy == "greedy":
            turns, plain = slow(), median(seconds["rules"])
            times = f"{ratio(seconds, 'rules', name) * pieces / len(turns):,.0f} x {name}, per piece"
            measured.append(Row("plain Python, greedy", plain, f"{len(turns) / plain:,.0f} pieces/s", times))
    played, _ = branch()
    middle = median(seconds["branching"])
    measured.append(Row("branching (3, 5, 5), 8 games", middle, f"{int(played.pieces.sum()) / middle:,.0f} pieces/s"))
    memory = f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"
    what = f"a swarm's iteration, {SWARM[0]} x {SWARM[1]} games greedy"
    return [*measured, Row(what, median(seconds["swarm"]), "", memory)]


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return what is compared between devices: whole games by each policy, a swarm's iteration, boards one by one."""
    particles, games = SWARM[0], max(1, round(SWARM[1] * scale))
    weights = np.tile(PUBLISHED, (particles if scale >= 1 else 2, 1))
    goals = {"greedy": "100 M pieces/s", "two-piece": "10 M pieces/s"}
    whole, short = (Variant(), Variant(max_lines=8)) if scale >= 0.01 else (Variant(max_lines=4), Variant(max_lines=1))
    late = Variant("30hz", delay_ms=300, max_lines=short.max_lines)
    branching = BRANCHING if scale >= 0.01 else policy_of(PLAYER, "branching", breadths=(2, 2))
    learned = load_player("learned")
    planned = policy_of(learned, "branching", breadths=(4, 2), variant=late)

    def turns(player: Player, policy: Policy, variant: Variant, n: int) -> npt.NDArray[np.int32]:
        return play_turns(backend, player, range(n), seed=1, policy=policy, variant=variant)[0].results

    def pieces(results: npt.NDArray[np.int32]) -> int:
        return int(results[:, :, RESULTS.index("pieces")].sum())

    def games_of(policy: str, n: int) -> npt.NDArray[np.int32]:
        return play(backend, PUBLISHED, n, seed=1, policy=policy, variant=whole).results

    def iteration() -> npt.NDArray[np.int32]:
        return play(backend, weights, games, seed=1, policy="greedy", variant=whole).results

    def judge() -> tuple[npt.NDArray[Any], ...]:
        placed = kernels.placements(backend, boards, chosen, most=4)
        exist = np.arange(4) < placed.counts[:, None]
        return placed.counts, np.where(exist, placed.placements, 0), kernels.features(backend, boards)

    sizes = {policy: max(1, round(n * scale)) for policy, n in ON_GPU.items()}
    n_branched, n_late, n_boards = (max(1, round(n * scale)) for n in (BRANCHED, LATE, BOARDS))
    boards, chosen = _boards(n_boards), np.arange(n_boards, dtype=np.int32) % 7
    by_turns = {
        f"{n_branched:,} games branching, {short.max_lines} lines": (PLAYER, branching, short, n_branched),
        f"{n_late:,} games, next piece late": (PLAYER, policy_of(PLAYER, "two-piece", variant=late), late, n_late),
        f"{n_late:,} games by the learned value": (learned, policy_of(learned, "two-piece"), short, n_late),
        f"{n_branched:,} games branching by the learned value, next piece late": (learned, planned, late, n_branched),
    }
    return {
        **{
            f"{n:,} games {policy}": Work(partial(games_of, policy, n), pieces, "pieces", goals[policy])
            for policy, n in sizes.items()
        },
        f"a swarm's iteration, {len(weights)} x {games}": Work(iteration, pieces, "pieces", "96 x 150 under 0.1 s"),
        **{name: Work(partial(turns, *given), pieces, "pieces") for name, given in by_turns.items()},
        f"{n_boards:,} boards, placements and features": Work(judge, lambda found: n_boards, "boards"),
    }


def _boards(count: int) -> kernels.Boards:
    """Return random boards, uint32 (count, COLUMNS), up to twelve rows high, with a few holes."""
    chance = np.random.default_rng(1)
    heights = chance.integers(0, 12, (count, COLUMNS))
    filled = np.arange(ROWS)[None, :, None] >= ROWS - heights[:, None, :]
    return kernels.columns_of((filled & (chance.random(filled.shape) < 0.95)).astype(np.uint8))


def _values_per_piece(backend: Backend, policy: str) -> float:
    """Return the number of boards evaluated per piece, over one game."""
    placed = trace(backend, PUBLISHED, seed=1, policy=policy)
    drawn = sources.pieces(1, 0)
    pieces = [next(drawn) for _ in range(len(placed) + 1)]
    board, count = np.zeros((ROWS, COLUMNS), np.uint8), 0
    for piece, following, placement in zip(pieces, pieces[1:], placed, strict=False):
        first = kernels.placements(backend, kernels.columns_of(board[None]), [piece])
        n = int(first.counts[0])
        if policy == "greedy":
            count += n
        else:
            count += int(kernels.placements(backend, first.after[0, :n], [following] * n, most=1).counts.sum())
        board, _, _ = place(board, piece, kernels.state_of(piece, placement))
    return count / len(placed)
