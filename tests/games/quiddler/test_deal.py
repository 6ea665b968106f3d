"""One random deal."""

from __future__ import annotations

from gpusolve.games.quiddler._deal import deal


def test_deals_without_a_seed_differ() -> None:
    assert len({deal() for _ in range(5)}) > 1
