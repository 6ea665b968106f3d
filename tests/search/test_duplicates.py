"""Duplicates, found exactly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpusolve.search import duplicates


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60), st.booleans())
def test_distinct_is_exact_even_if_all_hashes_are_alike(columns: list[tuple[int, int]], collide: bool) -> None:
    words = np.array(columns, np.uint64).T.copy()
    with pytest.MonkeyPatch.context() as patch:
        if collide:
            patch.setattr(duplicates, "_hashes", lambda xp, words: np.zeros(words.shape[1], np.uint64))
        keep = duplicates.distinct(np, words)
    first = [i for i, column in enumerate(columns) if column not in columns[:i]]
    assert (list(range(len(columns))) if keep is None else keep.tolist()) == first


def test_every_bit_of_a_word_counts() -> None:
    words = np.uint64(1) << np.arange(64, dtype=np.uint64)
    assert duplicates.distinct(np, np.stack([words, words[::-1]])) is None
    assert len(np.unique(duplicates._hashes(np, words[None, :]))) == 64
