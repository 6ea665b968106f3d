"""The removal of duplicates, which is exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from gpusolve.backend import Backend
from gpusolve.search import duplicates


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60), st.booleans())
def test_distinct_is_exact_even_if_all_hashes_are_equal(
    backend: Backend, columns: list[tuple[int, int]], collide: bool
) -> None:
    words = backend.asarray(np.array(columns, np.uint64).T)
    with pytest.MonkeyPatch.context() as patch:
        if collide:
            patch.setattr(duplicates, "_hashes", lambda xp, words: xp.zeros(words.shape[1], xp.uint64))
        keep = duplicates.distinct(backend.xp, words)
    first = [i for i, column in enumerate(columns) if column not in columns[:i]]
    assert (list(range(len(columns))) if keep is None else keep.tolist()) == first


def test_every_bit_of_a_word_changes_the_hash(backend: Backend) -> None:
    xp = backend.xp
    words = np.uint64(1) << xp.arange(64, dtype=xp.uint64)
    assert duplicates.distinct(xp, xp.stack([words, words[::-1]])) is None
    assert len(xp.unique(duplicates._hashes(xp, words[None, :]))) == 64
