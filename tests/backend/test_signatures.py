"""The types of arguments as text, and back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from gpusolve.backend.signatures import text_of, types_of

typeof: Any = numba.typeof


class Pair(NamedTuple):
    """Arguments of a kernel."""

    values: Any
    count: Any


@pytest.mark.parametrize(
    "text",
    [
        "int64",
        "bool, float32, uint64",
        "uint8[:,::1], readonly float32[::1], bool[::1], int32[:,:], uint16[:,:,::1]",
        "gpusolve.games.wordle.cpu.proof.memory.Table(uint8[::1], int64), none",
    ],
)
def test_text_and_types_are_the_same_in_both_directions(text: str) -> None:
    assert text_of(types_of(text)) == text


def test_the_types_are_those_that_numba_finds() -> None:
    arrays = (np.zeros(3, np.uint8), np.zeros((3, 4), np.float32), np.zeros((3, 4))[:, ::2], np.frombuffer(b"12", "i1"))
    values = (*arrays, 3, 2.5, True, np.float32(1), Pair(np.zeros(2), 5), Pair(1, 2))
    found = tuple(typeof(value) for value in values)
    assert types_of(text_of(found)) == found


@pytest.mark.parametrize("value", ["text", np.asfortranarray(np.ones((2, 2))), (1, 2)])
def test_other_types_have_no_text(value: object) -> None:
    with pytest.raises(ValueError, match="no text for"):
        text_of((typeof(value),))


@pytest.mark.parametrize("text", ["int65", "int64,int64", "int64[::1", "int64 int64", "os.path("])
def test_wrong_texts_are_refused(text: str) -> None:
    with pytest.raises((ValueError, AttributeError)):
        types_of(text)
