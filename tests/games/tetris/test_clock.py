"""The console's clock on every device: any rate of tapping, and gravity of two rows per drop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from games.tetris.oracle import EMPTY, FIXED, PUBLISHED, some_boards
from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players.kernels import play
from gpusolve.games.tetris.rules import reachability
from gpusolve.games.tetris.rules.policies import play as rules_play
from gpusolve.games.tetris.variant import Variant

examples = settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
some_seed = st.integers(0, 2**32 - 1)
rhythms = st.one_of(st.sampled_from(["slow5", "0,3,5,8", "7"]), st.integers(1, reachability.FASTEST).map("{}hz".format))
reaches = st.one_of(st.just("das"), rhythms, rhythms.map("{}+tuck".format))


@pytest.mark.parametrize("rate", range(1, reachability.FASTEST + 1))
def test_a_rate_is_a_number_of_taps_per_second(rate: int) -> None:
    frames = [frame for frame in range(600) if reachability.is_tap(f"{rate}hz", frame)]
    assert frames == [-(-60 * k // rate) for k in range(10 * rate)]


def test_the_named_rates_tap_on_even_frames() -> None:
    assert [frame for frame in range(9) if reachability.is_tap("30hz", frame)] == [0, 2, 4, 6, 8]
    assert [frame for frame in range(9) if reachability.is_tap("15hz", frame)] == [0, 4, 8]


def test_a_rate_and_its_frames_reach_the_same() -> None:
    frames = ",".join(map(str, range(0, 60, 4)))
    for board in some_boards(4, 5):
        for piece in range(7):
            expected = reachability.placements(board, piece, "15hz", 18)
            assert reachability.placements(board, piece, frames, 18) == expected
            assert len(reachability.placements(board, piece, "999", 18)) <= 1  # no tap before the piece lands


def test_faster_fingers_reach_more() -> None:
    """On an empty board at level 29: ten columns in twenty frames."""
    counts = [len(reachability.placements(EMPTY, 0, f"{rate}hz", 29)) for rate in (8, 12, 15, 20, 30)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1] == 17


@examples
@given(some_seed, reaches, st.integers(0, 60), st.booleans())
@example(224649450, "slow5+tuck", 39, True)  # no frame comes between the rows of one drop
def test_placements_at_any_rate(backend: Backend, seed: int, reach: str, level: int, doubled: bool) -> None:
    quick = level > 17 and reach != "das"  # the rules take long where pieces fall slowly, and with das
    boards = some_boards(seed, 5 if quick else 1)
    pieces = np.random.default_rng(seed).integers(0, 7, len(boards))
    placements = kernels.placements(
        backend, kernels.columns_of(boards), pieces, levels=level, reach=reach, doubled=doubled
    )
    for i, (board, piece) in enumerate(zip(boards, pieces.tolist(), strict=True)):
        states = [kernels.state_of(piece, int(one)) for one in placements.placements[i, : placements.counts[i]]]
        assert states == reachability.placements(board, piece, reach, level, doubled=doubled)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reach": "31hz"}, "reach 31hz"),
        ({"reach": "0hz"}, "reach 0hz"),
        ({"reach": "012hz"}, "reach 012hz"),
        ({"reach": "12.5hz"}, "reach 12.5hz"),
        ({"reach": "\N{ARABIC-INDIC DIGIT THREE}hz"}, "reach"),
        ({"reach": "0,2,3"}, "taps 0,2,3: frame 3 after 2, expected 4 or later"),
        ({"reach": "4,2"}, "taps 4,2: frame 2 after 4"),
        ({"reach": "0,"}, "taps 0,: expected frames from 0 to 999"),
        ({"reach": "0,1000"}, "taps 0,1000: expected frames"),
        ({"reach": "0, 2"}, "reach 0, 2: expected .* or frames of taps, as in 0,2,4"),
        ({"start_level": -1}, "start_level -1"),
        ({"start_level": 30}, "start_level 30"),
        ({"delay_ms": 300}, "delay_ms 300: expected only where pieces are reached against gravity"),
        ({"double_killscreen": True}, "double_killscreen: expected only where"),
        ({"reach": "das", "delay_ms": 300}, "delay_ms 300: expected 0 with das, only tapping has plans"),
        ({"reach": "das", "miss": (0.5,)}, "miss 0.5: expected only with taps against gravity, not das"),
        ({"reach": "30hz", "miss": (0.2, 0.5)}, "miss 0.2,0.5: expected 0.5 no greater than 0.2, for a wider window"),
        ({"reach": "30hz", "delay_ms": -1}, "delay_ms -1"),
        ({"reach": "30hz", "delay_ms": 2001}, "delay_ms 2001"),
        ({"reach": "30hz", "delay_ms": 0.5}, "delay_ms 0.5"),
        ({"reach": "30hz", "delay_ms": True}, "delay_ms True"),
    ],
)
def test_invalid_clocks_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Variant(**changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("reach", "start", "max_lines"), [("12hz", 0, 34), ("free", 9, 102), ("free", 17, 123)])
def test_games_from_low_levels_are_those_of_the_rules(backend: Backend, reach: str, start: int, max_lines: int) -> None:
    """The level changes where the console changes it, and with it the points and the gravity."""
    variant = Variant(reach, "nes", start_level=start, max_lines=max_lines)
    played = play(backend, PUBLISHED, 1, seed=8, policy="greedy", variant=variant)
    turns = rules_play(FIXED, "greedy", seed=8, source="nes", start_level=start, max_lines=max_lines, reach=reach)
    assert turns[-1].level > start
    assert (played.scores[0, 0], played.lines[0, 0]) == (turns[-1].score, turns[-1].lines)
