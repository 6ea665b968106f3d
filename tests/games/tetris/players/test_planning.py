"""The choice of a player who learns the next piece only after a delay, on every device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from games.tetris import oracle
from games.tetris.oracle import PUBLISHED, some_boards
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.playing import choose
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import board as rules, reachability, sources
from gpusolve.games.tetris.variant import Variant

CPU = open_backend("cpu")
PLAYER = load_weights(PUBLISHED)
examples = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
some_seed = st.integers(0, 2**32 - 1)
rhythms = st.one_of(st.sampled_from(["slow5", "0,3,5,8", "7"]), st.integers(1, reachability.FASTEST).map("{}hz".format))
reaches = st.one_of(rhythms, rhythms.map("{}+tuck".format))


@examples
@given(some_seed, reaches, st.integers(18, 45), st.integers(1, 50), st.booleans())
def test_plans_are_the_oracles(backend: Backend, seed: int, reach: str, level: int, delay: int, doubled: bool) -> None:
    """The worths are random and many of them equal, so that ties and the order of plans matter."""
    variant, random = Variant(reach, "nes", double_killscreen=doubled), np.random.default_rng(seed)
    object.__setattr__(variant, "delay_ms", delay * 1000 / reachability.FRAMES_PER_SECOND)
    assert variant.delay == delay
    boards = some_boards(seed, 4)
    pieces, following = random.integers(0, 7, (2, len(boards))).astype(np.int32)
    columns, levels = kernels.columns_of(boards), np.full(len(boards), min(level, LEVELS - 1), np.int32)
    clock: Any = {"reach": reach, "doubled": doubled, "delay": delay}
    placements = kernels.placements(backend, columns, pieces, levels=level, **clock)
    worths = random.integers(-3, 4, (len(boards), kernels.PLACEMENTS, 7)) * random.choice([1, 10**6, 2**50])
    now = Now(*map(backend.asarray, (columns, pieces, following, levels, np.zeros_like(levels))))
    arrays = (placements.counts, placements.placements, placements.cleared, placements.after)
    on_device = kernels.Placements(*(backend.asarray(array) for array in arrays))
    planner = Planner(backend, variant)
    chosen = backend.to_host(planner.choose(now, on_device, backend.asarray(worths)))
    listed = backend.to_host(planner.plans(now, on_device))
    chances = sources.transitions("nes").tolist()
    for i, (board, piece) in enumerate(zip(boards, pieces.tolist(), strict=True)):
        states = reachability.placements(board, piece, level=level, **clock)
        assert [kernels.state_of(piece, p) for p in placements.placements[i, : placements.counts[i]].tolist()] == states
        number = {state: number for number, state in enumerate(states)}
        best, choice = 0, None
        plans: list[set[int]] = []
        for left in reachability.plans(board, piece, level=level, **clock):
            numbers = sorted(number[state] for state in left)
            plans += [] if any(plan.issuperset(numbers) for plan in plans) else [set(numbers)]
            left_worths = worths[i, numbers]
            leasts = left_worths.min(axis=0).tolist()
            expected = sum(chance * least for chance, least in zip(chances[piece], leasts, strict=True))
            if choice is None or expected < best:
                best, choice = expected, numbers[int(left_worths[:, following[i]].argmin())]
        assert chosen[i] == (0 if choice is None else choice)
        assert [set(plan.nonzero()[0].tolist()) for plan in listed[i] if plan.any()] == plans


def test_every_placement_belongs_to_a_plan() -> None:
    for board in some_boards(3, 8):
        for delay in (0, 7, 18, 90):
            plans = reachability.plans(board, 3, "12hz", 19, delay=delay)
            assert set().union(*plans) == set(reachability.placements(board, 3, "12hz", 19))
            if delay == 0 and plans:
                assert len(plans) == 1


@pytest.mark.thorough
def test_branching_with_a_delay_is_plain_recursion() -> None:
    """`oracle.worth` gives the worth of each placement with each next piece, `reachability.plans` the plans."""
    variant, chances = Variant("30hz", delay_ms=300), sources.transitions("uniform8").tolist()
    for pile, piece, following in (("#########.\n" * 3, 3, 0), ("##.#.#.##.\n" * 6, 1, 5)):
        board = rules.parse_board(pile)
        moves = oracle.ranked(board, piece, "30hz", 19)[:3]
        worths = {}
        for rank, (_, _, state) in enumerate(moves):
            after, _, _ = rules.place(board, piece, state)
            worths[state] = rank, [oracle.worth(after, other, 1, 0, (3, 2), "30hz", 19) // 56 for other in range(7)]
        best, choice = 0, None
        for left in reachability.plans(board, piece, "30hz", 19, delay=18):
            tried = [worths[state] for state in left if state in worths]
            if tried:
                expected = sum(c * min(w[p] for _, w in tried) for p, c in enumerate(chances[piece]))
                if choice is None or expected < best:
                    best, choice = expected, min((w[following], rank) for rank, w in tried)[1]
        _, chosen = choose(
            PLAYER,
            kernels.columns_of([board]),
            [piece],
            following=[following],
            levels=[19],
            policy=Policy("branching", (3, 2)),
            variant=variant,
            backend=CPU,
        )
        assert chosen[0] == choice
