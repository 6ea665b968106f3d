"""Bit instructions compared with Python's integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numba import njit

from gpusolve.backend.intrinsics.bits import leading_zeros, popcount, trailing_zeros


@njit
def _all(x: Any) -> Any:
    return popcount(x), trailing_zeros(x), leading_zeros(x)


@pytest.mark.parametrize("kind", [np.uint32, np.uint64])
@given(value=st.integers(0, 2**64 - 1))
def test_bits(kind: type[np.unsignedinteger], value: int) -> None:
    width = np.iinfo(kind).bits
    value >>= 64 - width
    lowest = (value & -value).bit_length() - 1 if value else width
    assert _all(kind(value)) == (value.bit_count(), lowest, width - value.bit_length())
