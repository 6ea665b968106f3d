"""The kernels on every device: against plain Python on small deals, and against one another on full deals."""

from __future__ import annotations

import hashlib
from itertools import combinations

import numpy as np
import pytest

from games.quiddler.small import small_deals, small_variant, small_words
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.games.quiddler import kernels, rules
from gpusolve.games.quiddler.cards import readings
from gpusolve.games.quiddler.deals import Deal, encode, random_deals
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import STANDARD
from recorded import recorded


def batch(deals: list[Deal]) -> np.ndarray:
    return np.stack([encode(deal) for deal in deals])


@pytest.mark.parametrize(("seed", "piles"), [(1, 2), (2, 3), (3, 4), (4, 4)])
def test_card_sets_are_those_that_spell_a_word(backend: Backend, seed: int, piles: int) -> None:
    deals, words, min_cards = small_deals(seed, piles, 5), small_words(seed), small_variant(seed).min_cards
    loaded = kernels.load(backend, spell(words, min_cards))
    bitmaps = backend.to_host(kernels.card_sets(backend, batch(deals), loaded))
    spelled = {tuple(sorted(reading)) for word in words for reading in readings(word)}
    for deal, bitmap in zip(deals, bitmaps, strict=True):
        expected = {
            sum(1 << number for number in chosen)
            for size in range(min_cards, 2 * piles + 1)
            for chosen in combinations(deal.cards, size)
            if tuple(sorted(deal.cards[number] for number in chosen)) in spelled
        }
        bits = np.unpackbits(bitmap.view(np.uint8), bitorder="little")
        assert set(np.flatnonzero(bits).tolist()) == expected


def test_card_sets_of_equal_cards_are_every_way_to_choose_them(backend: Backend) -> None:
    """From sixteen equal cards, and from eight and eight."""
    deals = [Deal(("e",) * 8, ("e",) * 8), Deal(("e", "a") * 4, ("a", "e") * 4)]
    loaded = kernels.load(backend, spell(["eeeeeee", "eeeaaaa", "a" * 9, "e" * 17, "e" * 16]))
    bitmaps = backend.to_host(kernels.card_sets(backend, batch(deals), loaded))
    counts = np.unpackbits(bitmaps.view(np.uint8), axis=1).sum(axis=1)
    assert counts.tolist() == [11440 + 1, 8 + 56 * 70]


@pytest.mark.parametrize("max_words", [None, 1, 2])
@pytest.mark.parametrize(("seed", "piles"), [(11, 1), (12, 2), (13, 3), (14, 4), (15, 4)])
def test_optima_are_those_of_the_exhaustive_search(
    backend: Backend, seed: int, piles: int, max_words: int | None
) -> None:
    deals, words, variant = small_deals(seed, piles, 6), small_words(seed), small_variant(seed)
    loaded = kernels.load(backend, spell(words, variant.min_cards))
    sets = kernels.card_sets(backend, batch(deals), loaded)
    reached = kernels.best_bonus(backend, batch(deals), sets, variant=variant, piles=piles, max_words=max_words or 0)
    outcome = kernels.outcome(backend, batch(deals), reached, variant)
    for i, deal in enumerate(deals):
        best, best_all = rules.exhaustive(deal, words, variant=variant, max_words=max_words)
        assert outcome.best[i] == best
        assert outcome.best_all[i] == (kernels.NEVER if best_all is None else best_all)


def bits(backend: Backend, spellings: Spellings) -> dict[str, object]:
    """The results of each kernel for full deals: the optima, and the SHA-256 of the other arrays."""
    deals = random_deals(5, range(4))
    sets = kernels.card_sets(backend, deals, kernels.load(backend, spellings))
    results: dict[str, object] = {"sets": digest(backend, sets)}
    for max_words in (0, 3):
        reached = kernels.best_bonus(backend, deals, sets, variant=STANDARD, max_words=max_words)
        outcome = kernels.outcome(backend, deals, reached, STANDARD)
        results[f"reached, {max_words}"] = digest(backend, reached)
        results |= {f"{name}, {max_words}": array.tolist() for name, array in vars(outcome).items()}
    return results


def digest(backend: Backend, array: Array) -> str:
    return hashlib.sha256(backend.to_host(array).tobytes()).hexdigest()


def test_every_device_gives_the_same_bits(backend: Backend, shipped: Spellings) -> None:
    assert bits(backend, shipped) == recorded("quiddler/bits", lambda: bits(open_backend("cpu"), shipped))
