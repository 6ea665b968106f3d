"""The console's clock on every device: any rate of tapping, gravity of two rows, the next piece known only later."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from games.tetris import oracle
from games.tetris.oracle import EMPTY, PUBLISHED, some_boards
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players import branching, planning, playing, turns
from gpusolve.games.tetris.rules import board as rules, reachability, sources
from gpusolve.games.tetris.variant import Settings

CPU = open_backend("cpu")
examples = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
some_seed = st.integers(0, 2**32 - 1)
reaches = st.one_of(st.just("das"), st.integers(1, reachability.FASTEST).map("{}hz".format))


@pytest.mark.parametrize("rate", range(1, reachability.FASTEST + 1))
def test_a_rate_is_so_many_taps_a_second(rate: int) -> None:
    frames = [frame for frame in range(600) if reachability.is_tap(f"{rate}hz", frame)]
    assert frames == [-(-60 * k // rate) for k in range(10 * rate)]


def test_the_names_that_stand_are_rates() -> None:
    assert [frame for frame in range(9) if reachability.is_tap("30hz", frame)] == [0, 2, 4, 6, 8]
    assert [frame for frame in range(9) if reachability.is_tap("15hz", frame)] == [0, 4, 8]


def test_faster_fingers_reach_more() -> None:
    """On an empty board at level 29: ten columns in twenty frames."""
    counts = [len(reachability.placements(EMPTY, 0, f"{rate}hz", 29)) for rate in (8, 12, 15, 20, 30)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1] == 17


@examples
@given(some_seed, reaches, st.integers(0, 60), st.booleans())
def test_placements_at_any_rate(backend: Backend, seed: int, reach: str, level: int, doubled: bool) -> None:
    boards = some_boards(seed, 5)
    pieces = np.random.default_rng(seed).integers(0, 7, len(boards))
    found = kernels.placements(backend, kernels.columns_of(boards), pieces, level, reach, doubled=doubled)
    for i, (board, piece) in enumerate(zip(boards, pieces.tolist(), strict=True)):
        states = [kernels.state_of(piece, int(one)) for one in found.placements[i, : found.counts[i]]]
        assert states == reachability.placements(board, piece, reach, level, doubled=doubled)


@examples
@given(some_seed, reaches, st.integers(18, 45), st.integers(0, 50), st.booleans())
def test_plans_are_the_oracles(backend: Backend, seed: int, reach: str, level: int, delay: int, doubled: bool) -> None:
    """Random worths, many of them equal, so that ties and the order of plans tell."""
    given, random = Settings(reach, "nes", double_killscreen=doubled), np.random.default_rng(seed)
    object.__setattr__(given, "delay_ms", delay * 1000 / reachability.FRAMES_PER_SECOND)
    assert given.delay == delay
    boards = some_boards(seed, 4)
    pieces, following = random.integers(0, 7, (2, len(boards))).astype(np.int32)
    columns, levels = kernels.columns_of(boards), np.full(len(boards), min(level, kernels.LEVELS - 1), np.int32)
    found = kernels.placements(backend, columns, pieces, level, reach, doubled=doubled)
    worths = random.integers(-3, 4, (len(boards), kernels.PLACEMENTS, 7)) * random.choice([1, 10**6, 2**50])
    given_there = (columns, pieces, following, levels, np.zeros_like(levels))
    now = turns.Now(*(backend.asarray(one) for one in given_there))
    there = (found.counts, found.placements, found.cleared, found.after)
    kept = kernels.Placements(*(backend.asarray(one) for one in there))
    planner = planning.Planner(backend, given)
    chosen = backend.to_host(planner.choose(now, kept, backend.asarray(worths)))
    chances = sources.transitions("nes").tolist()
    for i, (board, piece) in enumerate(zip(boards, pieces.tolist(), strict=True)):
        states = reachability.placements(board, piece, reach, level, doubled=doubled)
        number = {state: number for number, state in enumerate(states)}
        best, choice = 0, None
        for left in reachability.plans(board, piece, reach, level, delay=delay, doubled=doubled):
            numbers = sorted(number[state] for state in left)
            its = worths[i, numbers]
            expected = sum(c * int(w) for c, w in zip(chances[piece], its.min(axis=0), strict=True))
            if choice is None or expected < best:
                best, choice = expected, numbers[int(its[:, following[i]].argmin())]
        assert chosen[i] == (0 if choice is None else choice)


def test_every_placement_belongs_to_a_plan() -> None:
    for board in some_boards(3, 8):
        for delay in (0, 7, 18, 90):
            plans = reachability.plans(board, 3, "12hz", 19, delay=delay)
            assert set().union(*plans) == set(reachability.placements(board, 3, "12hz", 19))
            if delay == 0 and plans:
                assert len(plans) == 1


WEIGHTS = np.stack([PUBLISHED, np.linspace(-3, 5, 17)])


@pytest.mark.parametrize("key", oracle.DELAYED)
def test_games_with_a_delay_are_the_oracles(backend: Backend, key: oracle.Key) -> None:
    _, seed, game, source, start_level, max_lines, reach, delay = key
    chosen, turns = Settings(reach, source, start_level, max_lines, delay), oracle.delayed()[key]
    placed = playing.trace(backend, PUBLISHED, seed, game, settings=chosen)
    assert [kernels.state_of(turn.piece, one) for turn, one in zip(turns, placed, strict=True)] == [
        turn.state for turn in turns
    ]
    found = playing.play(backend, WEIGHTS, 2, seed, game - 1, settings=chosen)
    assert found.scores.shape == (2, 2)
    assert (found.scores[0, 1], found.lines[0, 1], found.pieces[0, 1]) == (turns[-1].score, turns[-1].lines, len(turns))


@pytest.mark.parametrize("policy", playing.POLICIES)
def test_by_turns_is_what_the_kernels_play(backend: Backend, policy: str) -> None:
    """On the pieces of a seed, given as lists; a game with fewer pieces than it needs ends where they do."""
    chosen = Settings("30hz", max_lines=2)
    breadths = (2, 2) if policy == "branching" else None
    games = [list(zip(range(40), sources.pieces(3, game), strict=False)) for game in range(3)]
    lists = [[piece for _, piece in game] for game in games]
    found, traces = playing.play_lists(backend, PUBLISHED, [*lists, lists[0][:3]], policy, breadths, chosen)
    plain = playing.play(CPU, PUBLISHED, 3, 3, 0, policy, breadths, chosen)
    for name in playing.RESULTS:
        assert getattr(found, name)[:, :3].tolist() == getattr(plain, name).tolist()
    assert traces[3] == traces[0][:2]
    assert traces[0] == playing.trace(CPU, PUBLISHED, 3, 0, policy, breadths, chosen)


def test_a_delay_below_half_a_frame_is_none() -> None:
    games = [Settings("30hz", "nes", max_lines=40, delay_ms=delay) for delay in (0, 8, 300)]
    assert [one.delay for one in games] == [0, 0, 18]
    scores = [playing.play(CPU, PUBLISHED, 20, 5, settings=one).scores.tolist() for one in games]
    assert scores[0] == scores[1] != scores[2]


def test_branching_with_a_delay_is_plain_recursion() -> None:
    """The worth of each placement with each next piece by `oracle.worth`, then the plans of the reference."""
    chosen, chances = Settings("30hz", delay_ms=300), sources.transitions("uniform8").tolist()
    for pile, piece, following in (("#########.\n" * 3, 3, 0), ("##.#.#.##.\n" * 6, 1, 5)):
        board = rules.parse_board(pile)
        moves = oracle.ranked(board, piece, "30hz", 19)[:3]
        worths = {}
        for rank, (_, _, state) in enumerate(moves):
            after, _, _ = rules.place(board, piece, state)
            worths[state] = rank, [oracle.worth(after, other, 1, 0, (3, 2), "30hz", 19) // 56 for other in range(7)]
        best, choice = 0, None
        for left in reachability.plans(board, piece, "30hz", 19, delay=18):
            its = [worths[state] for state in left if state in worths]
            if its:
                expected = sum(c * min(w[p] for _, w in its) for p, c in enumerate(chances[piece]))
                if choice is None or expected < best:
                    best, choice = expected, min((w[following], rank) for rank, w in its)[1]
        columns, level = kernels.columns_of([board]), np.array([19])
        given = np.array([piece]), np.array([following])
        _, made = branching.choose(PUBLISHED, columns, given[0], given[1], level, (3, 2), chosen, CPU)
        assert made[0] == choice


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reach": "31hz"}, "reach 31hz"),
        ({"reach": "0hz"}, "reach 0hz"),
        ({"reach": "012hz"}, "reach 012hz"),
        ({"reach": "12.5hz"}, "reach 12.5hz"),
        ({"reach": "\N{ARABIC-INDIC DIGIT THREE}hz"}, "reach"),
        ({"delay_ms": 300}, "delay_ms 300: expected only where pieces are reached against gravity"),
        ({"double_killscreen": True}, "double_killscreen: expected only where"),
        ({"reach": "30hz", "delay_ms": -1}, "delay_ms -1"),
        ({"reach": "30hz", "delay_ms": 2001}, "delay_ms 2001"),
        ({"reach": "30hz", "delay_ms": 0.5}, "delay_ms 0.5"),
        ({"reach": "30hz", "delay_ms": True}, "delay_ms True"),
    ],
)
def test_clocks_that_are_none(changes: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Settings(**changes)  # type: ignore[arg-type]
