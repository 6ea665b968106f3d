"""The console's clock on every device: any rate of tapping, and gravity of two rows per drop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from games.tetris.oracle import EMPTY, some_boards
from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.rules import reachability
from gpusolve.games.tetris.variant import Variant

examples = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
some_seed = st.integers(0, 2**32 - 1)
reaches = st.one_of(st.just("das"), st.integers(1, reachability.FASTEST).map("{}hz".format))


@pytest.mark.parametrize("rate", range(1, reachability.FASTEST + 1))
def test_a_rate_is_a_number_of_taps_per_second(rate: int) -> None:
    frames = [frame for frame in range(600) if reachability.is_tap(f"{rate}hz", frame)]
    assert frames == [-(-60 * k // rate) for k in range(10 * rate)]


def test_the_named_rates_tap_on_even_frames() -> None:
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
        ({"delay_ms": 300}, "delay_ms 300: expected only where pieces are reached against gravity"),
        ({"double_killscreen": True}, "double_killscreen: expected only where"),
        ({"reach": "30hz", "delay_ms": -1}, "delay_ms -1"),
        ({"reach": "30hz", "delay_ms": 2001}, "delay_ms 2001"),
        ({"reach": "30hz", "delay_ms": 0.5}, "delay_ms 0.5"),
        ({"reach": "30hz", "delay_ms": True}, "delay_ms True"),
    ],
)
def test_invalid_clocks_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Variant(**changes)  # type: ignore[arg-type]
