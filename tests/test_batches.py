"""Results do not depend on how work is divided: on batches that found no room, and on launches in parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from gpusolve.backend import Backend, Program, open_backend
from gpusolve.games.qless.measuring import _census as qless_census
from gpusolve.games.qless.rolls import random_rolls
from gpusolve.games.qless.variant import Variant as QlessVariant
from gpusolve.games.quiddler._census import census
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.playing import play, play_rows, play_turns
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.shipped import best_player, load_player
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.variant import Variant
from gpusolve.games.wordle import Variant as WordleVariant, kernels, simulate
from gpusolve.games.wordle.proof.kernels import start_bounds
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.tools import need_emulation
from gpusolve.wordlists import load_words

CPU = open_backend("cpu")
GUESSES, ANSWERS = word_list("wordle-guesses"), word_list("wordle-answers")
WORDS = kernels.terms_of(GUESSES.letters[::40])
PLAYER, SHORT = load_weights("published"), Variant("30hz", max_lines=2)


class Crowded(EmulatedBackend):
    """A GPU that says it has room for any batch, but has none for an array of more than `room` bytes.

    It runs 512 threads at once, and its kernels are so slow that each part of a launch has no more items than that.
    """

    def __init__(self, room: int) -> None:
        super().__init__()
        self._full, self.room, self.refused = 512, room, 0

    def batch(self, bytes_per_item: int) -> int:
        return 1 << 30

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        if np.prod(shape) * np.dtype(dtype).itemsize > self.room:
            self.refused += 1
            raise MemoryError
        return super().empty(shape, dtype)

    def _measure(self, key: tuple[Program, str]) -> None:
        self._rates[key] = 0.0


def table(backend: Backend) -> Any:
    """Return the statistics of some of Wordle's words: one launch, whose results take 25 bytes a guess."""
    found = kernels.partition(backend, WORDS, ANSWERS.letters[::20])
    return found.patterns, found.largest, found.sum_squares, found.sum_nlogn, found.contains


def patterns(backend: Backend) -> Any:
    return kernels.pattern_matrix(backend, WORDS, ANSWERS.letters[::20])


def six_letters(backend: Backend) -> Any:
    words = np.random.default_rng(1).integers(0, 9, (400, 6), dtype=np.uint8)
    return kernels.pattern_matrix(backend, kernels.terms_of(words), words)


def wordle_games(backend: Backend) -> Any:
    words = ANSWERS[::20]
    return simulate(WordleVariant.load(words, words), backend=backend).turns


def first_words(backend: Backend) -> Any:
    answers = ANSWERS.letters[::80]
    codes = kernels.pattern_matrix(CPU, WORDS, answers).T
    return start_bounds(backend, WORDS, answers, patterns=codes, chosen=range(0, 80, 7))


def rows_of_weights(backend: Backend) -> Any:
    rows = np.stack([np.array(PLAYER.values), np.linspace(-3, 5, 17)])
    return play_rows(backend, rows, range(3, 14), seed=3, policy=Policy("greedy"), variant=SHORT).results


def two_piece(backend: Backend) -> Any:
    return play(backend, PLAYER, range(5), seed=3, policy=Policy(), variant=SHORT).results


def turns(backend: Backend) -> Any:
    """Return the results of games by turns and their placements: the learned value, which looks at two pieces."""
    player = load_player(best_player(SHORT))
    games, traces = play_turns(
        backend, player, range(5), seed=3, policy=policy_of(player, "two-piece", variant=SHORT), variant=SHORT
    )
    return games.results, *map(np.array, traces)


def rolls(backend: Backend) -> Any:
    words = list(load_words("scowl-35"))[::4]
    return qless_census._searching(QlessVariant(words), backend)(random_rolls(4, 0, 5))


def deals(backend: Backend) -> Any:
    found = census(count=5, seed=9, backend=backend)
    return found.best, found.best_all


@pytest.mark.parametrize(
    ("results_of", "room"),
    [
        (table, 1 << 30),
        (patterns, 30_000),
        (six_letters, 250_000),
        (wordle_games, 17_000),
        (first_words, 300_000),
        (rows_of_weights, 100),
        (two_piece, 40),
        (turns, 2000),
        (rolls, 30_000),
        (deals, 1 << 20),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_crowded_gpu_gives_the_same_results(results_of: Callable[[Backend], Any], room: int) -> None:
    need_emulation()
    crowded = Crowded(room)
    expected, found = results_of(CPU), results_of(crowded)
    assert np.array_equal(expected, found) if isinstance(expected, np.ndarray) else same(expected, found)
    assert crowded.refused or results_of is table
    ranges = [given[:2] for *_, given in crowded.machine.launches]
    assert any(first for first, _ in ranges) or results_of not in (table, patterns)


def same(expected: tuple[Any, ...], found: tuple[Any, ...]) -> bool:
    return len(expected) == len(found) and all(map(np.array_equal, expected, found))
