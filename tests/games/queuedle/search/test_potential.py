"""The tables of potential compared with a plain form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.queuedle.test_kernels import table
from gpusolve.backend import Backend, open_backend
from gpusolve.games.queuedle.search.potential import potentials


def plain_potential(worth: Any, weights: Any, pace: float) -> Any:
    """Do one step, on an array with an axis for each place."""
    means = [
        np.expand_dims(np.tensordot(worth**4, weights, axes=([axis], [0])) ** 0.25, axis) for axis in range(worth.ndim)
    ]
    return worth + pace * (sum(means) / worth.ndim - worth)


@pytest.mark.parametrize(("size", "letters"), [(4, "aest"), (4, "abcdefghijklmnopqrstuvwxyz"), (5, "est"), (4, "e")])
def test_potentials_equal_the_plain_form_on_every_device(backend: Backend, size: int, letters: str) -> None:
    weights = np.zeros(26, np.float32)
    places = [ord(letter) - ord("a") for letter in letters]
    weights[places] = np.arange(1, len(letters) + 1) / sum(range(1, len(letters) + 1))
    tables = list(potentials(backend, table(backend, size), weights=weights, count=4, pace=0.4))
    host = [backend.to_host(made) for made in tables]
    alone = open_backend("cpu:1")
    for made, same in zip(host, potentials(alone, table(alone, size), weights=weights, count=4, pace=0.4), strict=True):
        assert (made == same).all(), "every device makes the same tables"
    cube, used = (26,) * size, np.ix_(*[places] * size)
    unit, worth = 255 // int(host[0].max()), host[0].reshape(cube)[used].astype(np.float64)
    for made in host[1:]:
        worth = plain_potential(worth, weights[places], 0.4)
        others = made.reshape(cube)
        assert np.abs(others[used] - unit * worth).max() < 0.51
        others[used] = 0
        assert not others.any(), "no other line ever stands on the board"
