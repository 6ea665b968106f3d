"""The transposition table, which uses more lines as it fills."""

from __future__ import annotations

from threading import Thread
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.cpu.proof.memo import EQUAL, MASK, WAYS, Memo, empty_memo, guess_of, low_of, recall, remember


@compiled
def store(memo: Any, keys: Any) -> None:
    """Store a bound and a guess for each key, both computed from the key."""
    for key in keys:
        remember(memo, key, 5, np.int64(key & np.uint64(0xFFFF)), 1, np.int64(key >> np.uint64(48)), EQUAL)


@compiled
def found(memo: Any, keys: Any) -> Any:
    """Return how many keys are found, or -1 if one of them has another bound or guess."""
    n = 0
    for key in keys:
        datum = recall(memo, key)
        if datum:
            n += 1
            if low_of(datum, EQUAL) != np.int64(key & np.uint64(0xFFFF)):
                return -1
            if guess_of(datum, EQUAL) != np.int64(key >> np.uint64(48)):
                return -1
    return n


def keys_of(seed: int, count: int) -> npt.NDArray[np.uint64]:
    return np.random.default_rng(seed).integers(0, 2**64, count, np.uint64)


def lines_used(memo: Memo) -> int:
    return int(memo[-MASK, 0]) + 1


@pytest.mark.parametrize("count", [1, 100, 5000])
def test_it_grows_with_what_it_stores_and_finds_nearly_all_of_it(count: int) -> None:
    memo, keys = empty_memo(1), keys_of(1, count)
    store(memo, keys)
    assert count // 2 <= lines_used(memo) <= 2 * count
    assert not memo[lines_used(memo) : -MASK].any()
    assert found(memo, keys) >= 0.97 * count
    assert found(memo, keys_of(2, count)) == 0


def test_a_full_table_keeps_as_much_as_it_has_room_for() -> None:
    memo, keys = empty_memo(1), keys_of(3, 500_000)
    store(memo, keys)
    assert lines_used(memo) == len(memo) - 2 == (1 << 20) // (16 * WAYS)
    assert found(memo, keys) == WAYS * lines_used(memo)


def test_threads_that_store_at_once_never_find_a_wrong_bound() -> None:
    memo, parts = empty_memo(4), [keys_of(seed, 50_000) for seed in range(4)]
    store(memo, keys_of(9, 1))  # compiles it
    threads = [Thread(target=store, args=(memo, part)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for part in parts:
        assert 0.5 * len(part) < found(memo, part) <= len(part)
