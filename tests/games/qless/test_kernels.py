"""The kernels of Q-less on every device: they agree with plain Python on short rolls, and with one another."""

from __future__ import annotations

import hashlib
from collections import Counter

import numpy as np
import pytest

from games.qless.small import some_letters, usable
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.games.qless import kernels
from gpusolve.games.qless.anagrams import anagrams
from gpusolve.games.qless.cpu.letters import NO_CLASS
from gpusolve.games.qless.rolls import counts_of, random_rolls, text_of
from gpusolve.games.qless.rules import exhaustive
from gpusolve.games.qless.tree import tree_of
from gpusolve.games.qless.variant import STANDARD, Variant
from recorded import recorded


def test_candidates_are_the_words_that_a_roll_spells(backend: Backend) -> None:
    """Including a roll with each letter four times, and a roll that spells nothing."""
    words = STANDARD.anagrams
    loaded = STANDARD.loaded(12, backend)
    batch = np.stack([*random_rolls(4, 0, 3), counts_of("aaaabbbbcccc"), counts_of("bbbbbbbbbbbb")])
    rolls = kernels.candidates(backend, loaded, batch)
    classes, pivots, indices, spans = map(backend.to_host, (rolls.classes, rolls.pivots, rolls.words, rolls.spans))
    for i, counts in enumerate(batch):
        letters = Counter(text_of(counts))
        expected = [word for word in words if not Counter(word) - letters]
        assert sorted(words.words[number] for number in indices[i, : spans[i, -1]]) == sorted(expected)
        having = {letter: sum(letter in word for word in expected) for letter in sorted(letters)}
        assert chr(ord("a") + pivots[i]) == min(having, key=lambda letter: having[letter])
        for length in range(16):
            assert all(
                len(words.words[number]) == length for number in indices[i, spans[i, length] : spans[i, length + 1]]
            )
        assert set(classes[i].tolist()) - {NO_CLASS} == {
            int(np.searchsorted(words.class_from, number, "right")) - 1 for number in indices[i, : spans[i, -1]]
        }


@pytest.mark.parametrize("touching", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_counts_agree_with_the_exhaustive_search(backend: Backend, seed: int, touching: bool) -> None:
    letters = some_letters(seed)
    words = usable(letters, 12, seed)
    loaded = Variant(words, allow_touching=touching).loaded(len(letters), backend)
    rolls = kernels.candidates(backend, loaded, counts_of(letters)[None])
    expected = len(exhaustive(letters, words, allow_touching=touching))
    for shares in (1, 5):
        assert backend.to_host(kernels.fill(backend, loaded, rolls, shares=shares).counts).sum() == expected
    first = backend.to_host(kernels.fill(backend, loaded, rolls, limit=1).counts)
    assert first.tolist() == [min(expected, 1)]


@pytest.mark.parametrize("shares", [1, 3])
def test_pieces_sorted_by_turn_are_in_the_order_of_the_share(backend: Backend, shares: int) -> None:
    loaded = STANDARD.loaded(9, backend)
    rolls = kernels.candidates(backend, loaded, counts_of("abbccddee")[None])
    whole = kernels.fill(backend, loaded, rolls, shares=shares, keep=400)
    shapes, letters, turns = kernels.kept(backend, whole, 400)
    counts = backend.to_host(whole.counts)
    assert 20 < counts.max() < 400
    assert all((np.diff(part) >= 0).all() for part in np.split(turns, np.cumsum(counts)[:-1]))
    for pieces in ((1, 1), (1, 4), (8, 1), (4, 2)):
        divided = kernels.fill(backend, loaded, rolls, shares=shares, pieces=pieces, keep=400)
        found = backend.to_host(divided.counts).reshape(shares, -1)
        assert found.sum(axis=1).tolist() == counts.tolist()
        parts = kernels.kept(backend, divided, 400)
        order = np.lexsort((parts[2], np.repeat(np.arange(shares), counts)))
        assert np.array_equal(parts[0][order], shapes)
        assert np.array_equal(parts[1][order], letters)
        assert np.array_equal(parts[2][order], turns)


def bits(backend: Backend) -> dict[str, object]:
    """Return what each kernel computes for a few rolls: numbers of solutions, and the SHA-256 of everything else."""
    variant = Variant(common=True)
    loaded = variant.loaded(12, backend)
    rolls = kernels.candidates(backend, loaded, random_rolls(5, 0, 3))
    results: dict[str, object] = {name: digest(backend, array) for name, array in vars(rolls).items()}
    for name, no_repeats, must in (("all", False, -1), ("no repeats", True, -1), ("must", False, 40)):
        filled = kernels.fill(backend, loaded, rolls, shares=3, keep=8, no_repeats=no_repeats, must=must)
        counts = backend.to_host(filled.counts)
        kept = np.arange(8) < counts[:, None]
        results[f"{name}, counts"] = counts.tolist()
        results[f"{name}, shapes"] = digest(backend, backend.to_host(filled.shapes)[kept.ravel()])
        results[f"{name}, fills"] = digest(backend, backend.to_host(filled.fills)[kept.ravel()])
    results["most 2"] = backend.to_host(kernels.fill(backend, loaded, rolls, limit=2).counts).tolist()
    return results


def digest(backend: Backend, array: Array) -> str:
    return hashlib.sha256(np.ascontiguousarray(backend.to_host(array)).tobytes()).hexdigest()


def test_every_device_computes_the_same_bits(backend: Backend) -> None:
    assert bits(backend) == recorded("qless/bits", lambda: bits(open_backend("cpu")))


def test_two_collections_can_have_the_same_key(backend: Backend) -> None:
    """A key is a sum modulo 2^64, so the letters of a word have to be compared too."""
    loaded = kernels.load(backend, anagrams(["tea", "eat"]), tree_of(5))
    arrays = list(loaded.dictionary)
    weights = np.zeros(26, np.uint64)  # all keys are 0
    arrays[0], arrays[1] = backend.asarray(weights), backend.asarray(np.full(len(arrays[1]), 2**64 - 1, np.uint64))
    table = np.full(len(arrays[3]), NO_CLASS, np.int32)
    table[0] = 0
    arrays[2], arrays[3] = backend.asarray(np.zeros(len(table), np.uint64)), backend.asarray(table)
    blind = kernels.Loaded(loaded.anagrams, loaded.tree, tuple(arrays), loaded.nodes)
    rolls = kernels.candidates(backend, blind, counts_of("aeett")[None])
    assert sorted(np.unique(backend.to_host(rolls.classes)).tolist()) == [NO_CLASS, 0]
    assert (backend.to_host(rolls.classes) == 0).sum() == 1
