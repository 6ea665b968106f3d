"""The public names of the package."""

from __future__ import annotations

import pytest

from gpusolve.games import wordle


def test_every_public_name_can_be_used() -> None:
    assert all(callable(getattr(wordle, name)) for name in dir(wordle))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(wordle, "nothing")  # noqa: B009
