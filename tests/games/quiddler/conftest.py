"""Fixtures of the tests of Quiddler."""

from __future__ import annotations

import pytest

from gpusolve.games.quiddler.spellings import Spellings, spell


@pytest.fixture(scope="session")
def shipped() -> Spellings:
    return spell()
