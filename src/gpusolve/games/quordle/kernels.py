"""Batches of games: what the solver asks the device for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.quordle.rules import SIMPLE, Player, Simple
from gpusolve.games.wordle import kernels as wordle
from gpusolve.games.wordle.rules import Scoring
from gpusolve.games.wordle.words import WordList
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "quordle.cu", "gpusolve.games.quordle.cpu")
NO_WORD = 0xFFFF
"""What stands for a guess that was not made."""
NO_PATTERN = 255
CELLS = 243
MOST_WORDS = NO_WORD - 1
ALIGN = 64  # columns that the CPU does at once


@dataclass(frozen=True)
class Games:
    """Games that are over: `turns`, uint8 (games, boards), the guess that solved a board, counted from 1, 0: none did.

    `guessed`, uint16 (games, guesses): the places of the words that were guessed, NO_WORD after the last.
    """

    turns: npt.NDArray[np.uint8]
    guessed: npt.NDArray[np.uint16]


def deals(backend: Backend, seed: int, first: int, count: int, boards: int, answers: int) -> Array:
    """The hidden words of games first, first + 1, ... of a seed, as places among the answers.

    On the device, uint16 (count, boards); `rules.deal` tells how they are drawn.
    """
    hidden = backend.empty((count, boards), np.uint16)
    backend.launch(PROGRAM, "deals", count, np.uint64(seed), np.uint64(first), boards, answers, hidden)
    return hidden


def patterns(backend: Backend, words: WordList, scoring: Scoring) -> Array:
    """The pattern of every word against every word, uint8 (words, columns) on the device; NO_PATTERN fills up a row."""
    found = np.full((len(words), -(-len(words) // ALIGN) * ALIGN), NO_PATTERN, np.uint8)
    found[:, : len(words)] = wordle.pattern_matrix(backend, words.terms, words.letters, scoring=scoring)
    return backend.asarray(found)


@dataclass(frozen=True, eq=False)
class Tables:
    """What the simple strategies read: patterns as they are shown, and as the player takes them; on the device."""

    words: int
    shown: Array
    believed: Array


def tables(backend: Backend, words: WordList, player: Player, scoring: Scoring) -> Tables:
    """The tables for a list that every board walks.

    By the article's rules a word fits a pattern where the scoring ``presence`` would give it.
    """
    shown = patterns(backend, words, scoring)
    as_shown = player == "consistent" or scoring == "presence"
    return Tables(len(words), shown, shown if as_shown else patterns(backend, words, "presence"))


def games(
    backend: Backend, hidden: Array, lists: Tables, strategy: Simple, guesses: int, seed: int, first: int = 0
) -> Games:
    """Games with these hidden words, (games, boards) as `deals` gives them, played to their end by a simple strategy.

    `seed` and `first`, the number of the first game, are for the strategy ``random``; `rules.play` tells what is
    played.
    """
    count, boards = hidden.shape
    turns, guessed = backend.empty((count, boards), np.uint8), backend.empty((count, guesses), np.uint16)
    backend.launch(
        PROGRAM,
        "games",
        count,
        lists.shown,
        lists.believed,
        lists.words,
        lists.shown.shape[1],
        backend.asarray(hidden),
        boards,
        guesses,
        SIMPLE.index(strategy),
        np.uint64(seed),
        np.uint64(first),
        turns,
        guessed,
    )
    return Games(backend.to_host(turns), backend.to_host(guessed))
