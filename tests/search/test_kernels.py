"""The best children of a level and its duplicates, compared with plain versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from gpusolve.backend import Backend
from gpusolve.search.kernels import BYTES, FREE, PROGRAM, TILE, best_children, first_of_equals

MOVES = 5
levels = st.lists(
    st.lists(st.lists(st.sampled_from([0, 1, 2, 255, 256, 257, 511, 512, 65535]), min_size=MOVES, max_size=MOVES),
             min_size=1, max_size=12), min_size=1, max_size=3)  # fmt: skip


def plain_children(keys: list[int], width: int) -> list[int]:
    """Return the numbers of the largest keys above 0, ascending; of equal keys the first."""
    allowed = [i for i in range(len(keys)) if keys[i]]
    return sorted(sorted(allowed, key=lambda i: (-keys[i], i))[:width])


def check(backend: Backend, parts: list[np.ndarray], width: int) -> None:
    parents, moves, allowed = best_children(backend, [backend.asarray(part) for part in parts], width)
    keys = np.concatenate(parts)
    assert allowed == np.count_nonzero(keys)
    best = plain_children(keys.reshape(-1).tolist(), width)
    assert (parents.dtype, moves.dtype) == (np.int32, np.uint16)
    assert backend.to_host(parents).tolist() == [child // keys.shape[1] for child in best]
    assert backend.to_host(moves).tolist() == [child % keys.shape[1] for child in best]


@given(levels, st.integers(1, 70))
def test_the_largest_keys_are_kept_and_of_equal_ones_the_first(
    backend: Backend, parts: list[list[list[int]]], width: int
) -> None:
    check(backend, [np.array(part, np.uint16) for part in parts], width)


@pytest.mark.parametrize("width", [1, 2_000, 30_000, 10**6])
@pytest.mark.parametrize("spread", [3, 400, 65536])
def test_levels_of_several_tiles(backend: Backend, spread: int, width: int) -> None:
    random = np.random.default_rng(spread + width)
    sizes = [(TILE + 8, 3), (1, 3), (TILE // 3 + 1, 3)]
    check(backend, [random.integers(0, spread, size).astype(np.uint16) for size in sizes], width)


def test_no_allowed_move(backend: Backend) -> None:
    check(backend, [np.zeros((3, 4), np.uint16)], 2)
    check(backend, [np.zeros((300, 4), np.uint16)], 2)


def plain_hash(column: list[int]) -> int:
    """Return the hash of a column: the place in the table where it is looked for first."""
    mixed = 0
    for word in column:
        mixed = (mixed ^ word) * 0x9E3779B97F4A7C15 % 2**64
        mixed ^= mixed >> 29
    return mixed * 0xBF58476D1CE4E5B9 % 2**64 >> 32


COLLIDING = [word for word in range(4000) if plain_hash([word, 0]) % 256 == 255]


@given(st.lists(st.sampled_from([*range(6), *COLLIDING]), min_size=1, max_size=100))
def test_of_equal_columns_the_first_is_kept(backend: Backend, words: list[int]) -> None:
    """Some words are looked for in the last place of a table of 256, so that others go to its beginning."""
    keep = first_of_equals(backend, backend.asarray(np.array([words, [0] * len(words)], np.uint64)))
    first = [i for i, word in enumerate(words) if word not in words[:i]]
    assert (list(range(len(words))) if keep is None else backend.to_host(keep).tolist()) == first


def test_the_places_are_those_of_the_hash(backend: Backend) -> None:
    assert len(COLLIDING) > 4
    words = np.array([COLLIDING[:3], [0] * 3], np.uint64)
    slots, place = backend.asarray(np.full(256, FREE, np.int32)), backend.empty(3, np.int32)
    backend.launch(PROGRAM, "claim", 3, backend.asarray(words), 2, 3, slots, 256, place)
    assert sorted(backend.to_host(place).tolist()) == [0, 1, 255]


def test_every_word_and_bit_is_compared(backend: Backend) -> None:
    words = np.uint64(1) << np.arange(64, dtype=np.uint64)
    columns = np.concatenate([np.stack([words, words[::-1]]), np.stack([words, words])], axis=1)
    assert first_of_equals(backend, backend.asarray(columns)) is None


def test_the_twins_have_the_constants_of_the_kernels() -> None:
    constants = PROGRAM.kernel("tally").constants
    assert (constants["TILE"], constants["BYTES"], constants["FREE"]) == (TILE, BYTES, FREE)
