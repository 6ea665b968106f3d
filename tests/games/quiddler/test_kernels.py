"""The kernels of Quiddler on every device: against plain Python on small deals, against one another on full ones."""

from __future__ import annotations

import hashlib
from itertools import combinations

import numpy as np
import pytest

from games.quiddler.small import small_deals, small_rules, small_words
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
def test_card_sets(backend: Backend, seed: int, piles: int) -> None:
    deals, words, min_cards = small_deals(seed, piles, 5), small_words(seed), small_rules(seed).min_cards
    loaded = kernels.load(backend, spell(words, min_cards))
    found = backend.to_host(kernels.card_sets(backend, batch(deals), loaded))
    spelled = {tuple(sorted(reading)) for word in words for reading in readings(word)}
    for deal, bitmap in zip(deals, found, strict=True):
        expected = {
            sum(1 << number for number in chosen)
            for size in range(min_cards, 2 * piles + 1)
            for chosen in combinations(deal.cards, size)
            if tuple(sorted(deal.cards[number] for number in chosen)) in spelled
        }
        bits = np.unpackbits(bitmap.view(np.uint8), bitorder="little")
        assert set(np.flatnonzero(bits).tolist()) == expected


def test_many_of_a_card(backend: Backend) -> None:
    """Every way to choose from sixteen equal cards, and from eight and eight."""
    deals = [Deal(("e",) * 8, ("e",) * 8), Deal(("e", "a") * 4, ("a", "e") * 4)]
    loaded = kernels.load(backend, spell(["eeeeeee", "eeeaaaa", "a" * 9, "e" * 17, "e" * 16]))
    found = backend.to_host(kernels.card_sets(backend, batch(deals), loaded))
    counts = np.unpackbits(found.view(np.uint8), axis=1).sum(axis=1)
    assert counts.tolist() == [11440 + 1, 8 + 56 * 70]


@pytest.mark.parametrize("max_words", [None, 1, 2])
@pytest.mark.parametrize(("seed", "piles"), [(11, 1), (12, 2), (13, 3), (14, 4), (15, 4)])
def test_optima_are_the_simulators(backend: Backend, seed: int, piles: int, max_words: int | None) -> None:
    deals, words, scoring = small_deals(seed, piles, 6), small_words(seed), small_rules(seed)
    loaded = kernels.load(backend, spell(words, scoring.min_cards))
    sets = kernels.card_sets(backend, batch(deals), loaded)
    reached = kernels.best_bonus(backend, batch(deals), sets, scoring, max_words or 0)
    found = kernels.outcome(backend, batch(deals), reached, scoring)
    for i, deal in enumerate(deals):
        best, best_all = rules.exhaustive(deal, words, scoring, max_words)
        assert found.best[i] == best
        assert found.best_all[i] == (kernels.NEVER if best_all is None else best_all)


def bits(backend: Backend, spellings: Spellings) -> dict[str, object]:
    """What each kernel gives for full deals: the optima themselves, and the SHA-256 of all else."""
    deals = random_deals(5, 0, 4)
    sets = kernels.card_sets(backend, deals, kernels.load(backend, spellings))
    found: dict[str, object] = {"sets": digest(backend, sets)}
    for max_words in (0, 3):
        reached = kernels.best_bonus(backend, deals, sets, STANDARD, max_words)
        outcome = kernels.outcome(backend, deals, reached, STANDARD)
        found[f"reached, {max_words}"] = digest(backend, reached)
        found |= {f"{name}, {max_words}": array.tolist() for name, array in vars(outcome).items()}
    return found


def digest(backend: Backend, array: Array) -> str:
    return hashlib.sha256(backend.to_host(array).tobytes()).hexdigest()


def test_every_device_gives_the_same_bits(backend: Backend, shipped: Spellings) -> None:
    assert bits(backend, shipped) == recorded("quiddler/bits", lambda: bits(open_backend("cpu"), shipped))
