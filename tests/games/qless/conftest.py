"""What the tests of the commands share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpusolve.testing.plugin import Done

Run = Callable[..., Done]


@pytest.fixture
def qless(run: Run) -> Run:
    """Return a function that runs ``gpusolve qless`` with the given arguments."""
    return lambda *arguments: run("qless", *arguments)
