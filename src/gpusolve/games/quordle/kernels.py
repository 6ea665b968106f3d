"""Batches of games and of guesses: every launch of the kernels of ``quordle.cu``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.quordle.cpu.numbering import number_patterns
from gpusolve.games.quordle.rules import SIMPLE, Player, Simple
from gpusolve.games.wordle.kernels import Codes, pattern_matrix
from gpusolve.games.wordle.rules import LETTERS, Scoring
from gpusolve.games.wordle.wordlist import WordList
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "quordle.cu", "gpusolve.games.quordle.cpu")
NO_WORD = 0xFFFF
"""Marks a guess that was not made."""
MOST_WORDS = NO_WORD - 1
MOST_LETTERS = 10
"""Largest number of letters of a word: patterns of more letters do not fit into 16 bits."""
SOLVED = 242
"""The number of the pattern that is all green in `JointTables.codes`, for words of any length."""
ALIGN = 64  # columns that the CPU compares at once

Boards = Sequence[npt.NDArray[np.integer[Any]]]
"""For each unsolved board the answers that fit it, ascending."""


@dataclass(frozen=True)
class Games:
    """Finished games.

    Attributes
    ----------
    turns : array, uint8, (games, boards)
        The number of the guess that solved a board, counted from 1; 0 if it was not solved.
    guessed : array, uint16, (games, max_guesses)
        The words that were guessed, as indices; NO_WORD after the last.
    """

    turns: npt.NDArray[np.uint8]
    guessed: npt.NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class SimpleTables:
    """The arrays that the simple strategies read; they live on the device.

    Attributes
    ----------
    shown : array, uint8 or uint16, (words, columns)
        The pattern of each guess against each hidden word, as the game shows it.
    believed : array, the same type, (words, columns)
        The pattern that the player expects of each word.
    """

    shown: Array
    believed: Array


@dataclass(frozen=True, eq=False)
class JointTables:
    """The arrays that every judgement of `joint` reads; they live on the device.

    Attributes
    ----------
    opener : int
        The first guess.
    guesses : int
        Number of words that can be guessed.
    weighted : bool
        Whether the answers have weights that differ.
    codes : array, uint8 or uint16, (answers, columns)
        The pattern of each guess against an answer, as `numbered_patterns` numbers it.
    own : array, int32, (answers,)
        The guess that an answer is.
    masses : array, uint16, (answers,)
        The weights by which guesses are judged, with a sum of at most 65,535; all 1 without weights.
    nlogn : array, int32, (n,)
        n log2 n in fixed point, for all n up to the number of answers and to the sum of the masses; half of it with
        weights.
    """

    opener: int
    guesses: int
    weighted: bool
    codes: Array
    own: Array
    masses: Array
    nlogn: Array


@dataclass(frozen=True, eq=False)
class OpeningTables:
    """The arrays that follow from the first guess of `joint`; they live on the device.

    Attributes
    ----------
    joint : JointTables
        Everything that does not depend on the first guess.
    among : array, of the type of the patterns, (answers, answers)
        The patterns of the answers against one another, for playouts.
    costs : array, int32, (cells, columns)
        The cost of each second guess, by the pattern that the first one got on a board.
    members, starts, sizes : array
        The answers sorted by the pattern that the first guess gets, and where each pattern's answers lie among them.
    """

    joint: JointTables
    among: Array
    costs: Array
    members: Array
    starts: Array
    sizes: Array


def deals(
    backend: Backend,
    seed: int,
    *,
    first: int,
    count: int,
    boards: int,
    answers: int,
    weights: npt.NDArray[np.int64] | None = None,
) -> Array:
    """Return the hidden words of games first, first + 1, ... of a seed, as indices into the answers.

    They are uint16, (count, boards), on the device; `rules.deal` says how they are drawn. `weights` are those of the
    answers, with a sum below 2^32, of which at least `boards` are positive.
    """
    ends = backend.asarray(np.zeros(1, np.uint32) if weights is None else np.cumsum(weights).astype(np.uint32))
    return backend.launch(
        PROGRAM, "deals", count, np.uint64(seed), np.uint64(first), boards, answers, ends, int(weights is not None)
    )


def patterns(backend: Backend, words: WordList, scoring: Scoring) -> Array:
    """Return the pattern of every word against every word, (words, columns), as `padded` pads the rows."""
    return backend.asarray(
        padded(_of_five(pattern_matrix(backend, words.terms, words.letters, scoring=scoring), words))
    )


def padded(codes: Codes) -> Codes:
    """Return rows of patterns in whole groups of ALIGN columns, filled up with the largest number of their type."""
    columns = -(-codes.shape[1] // ALIGN) * ALIGN
    matrix = np.full((len(codes), columns), np.iinfo(codes.dtype).max, codes.dtype)
    matrix[:, : codes.shape[1]] = codes
    return matrix


def _of_five(codes: Codes, words: WordList) -> Codes:
    """Return patterns of fewer than five letters as those of five letters, of which the others are green."""
    return codes + np.uint8(3**LETTERS - 3**words.length) if words.length < LETTERS else codes


def numbered_patterns(backend: Backend, dictionary: WordList, answers: WordList, scoring: Scoring) -> Codes:
    """Return the pattern of each guess against each answer, (answers, guesses), on the host; all green is SOLVED.

    Patterns of up to five letters are uint8, and those of fewer letters are those of five letters, of which the others
    are green. Patterns of more letters are uint16: those of each guess are numbered from 0, without SOLVED, in the
    order in which they occur, because most of them do not occur.
    """
    codes = _of_five(pattern_matrix(backend, dictionary.terms, answers.letters, scoring=scoring), answers).T
    if answers.length <= LETTERS:
        return codes
    numbers = np.empty(codes.shape, np.uint16)
    number_patterns(codes, 3**answers.length - 1, np.full(3**answers.length, -1, np.int32), numbers)
    return numbers


def simple_tables(backend: Backend, words: WordList, player: Player, scoring: Scoring) -> SimpleTables:
    """Return the tables for a list through which every board walks.

    By the article's rules a word fits a pattern if the scoring ``presence`` would have given it.
    """
    shown = patterns(backend, words, scoring)
    as_shown = player == "consistent" or scoring == "presence"
    return SimpleTables(shown, shown if as_shown else patterns(backend, words, "presence"))


def simple_games(
    backend: Backend,
    hidden: Array,
    tables: SimpleTables,
    *,
    strategy: Simple,
    max_guesses: int,
    seed: int,
    first: int = 0,
) -> Games:
    """Play games with these hidden words, (games, boards) as `deals` returns them, by a simple strategy.

    `seed` and `first`, the number of the first game, matter for the strategy ``random`` only. `rules.play` is the same
    in plain Python.
    """
    played = backend.launch(
        PROGRAM, _kernel("games", tables.shown), len(hidden), tables.shown, tables.believed, backend.asarray(hidden),
        max_guesses, SIMPLE.index(strategy), np.uint64(seed), np.uint64(first),
    )  # fmt: skip
    return Games(*map(backend.to_host, played))


def openings(backend: Backend, tables: JointTables) -> OpeningTables:
    """Return the tables for whole games by `joint`: what every second guess costs after each pattern of the first."""
    first = backend.to_host(tables.codes)[:, tables.opener]
    members = np.argsort(first, kind="stable").astype(np.uint16)
    sizes = np.bincount(first, minlength=SOLVED + 1).astype(np.int32)
    starts = (np.cumsum(sizes) - sizes).astype(np.int32)
    cells = [backend.asarray(array) for array in (members, starts, sizes)]
    costs = backend.empty((len(sizes), tables.codes.shape[1]), np.int32)
    backend.launch(
        PROGRAM, _kernel("openings", tables.codes), len(sizes) * tables.guesses, tables.codes, tables.guesses, *cells,
        *_weighing(tables), costs,
    )  # fmt: skip
    return OpeningTables(tables, backend.xp.take(tables.codes, tables.own, axis=1), costs, *cells)


def joint_games(
    backend: Backend, hidden: Array, opening: OpeningTables, *, max_guesses: int, solve: int, careful: int, spare: int
) -> Games:
    """Play games with these hidden words, (games, boards) as `deals` returns them, by `joint`.

    A solved board counts `solve`, or `careful` if fewer than `spare` guesses are to spare.
    """
    joint = opening.joint
    turns, guessed, *_ = backend.launch(
        PROGRAM, _kernel("joint", joint.codes), len(hidden), joint.codes, joint.guesses, joint.own, opening.among,
        joint.opener, opening.costs, opening.members, opening.starts, opening.sizes, *_weighing(joint), solve, careful,
        spare, backend.asarray(hidden), max_guesses,
    )  # fmt: skip
    return Games(backend.to_host(turns), backend.to_host(guessed))


def costs(backend: Backend, boards: Boards, tables: JointTables, solve: int) -> npt.NDArray[np.int32]:
    """Return the cost of every guess, int32 (guesses,), with at least one board; a solved board counts `solve`.

    Boards with the same words, as at the start of a game, are computed once.
    """
    alike = Counter(tuple(fit.tolist()) for fit in boards)
    total = np.zeros(tables.guesses, np.int32)
    for number in sorted(set(alike.values())):
        group = [np.array(fit) for fit, times in alike.items() if times == number]
        found = backend.launch(
            PROGRAM, _kernel("costs", tables.codes), tables.guesses, tables.codes, *_side_by_side(backend, group),
            tables.own, *_weighing(tables), solve,
        )  # fmt: skip
        total += number * backend.to_host(found)
    return total


def playouts(
    backend: Backend,
    boards: Boards,
    tables: JointTables,
    *,
    pool: npt.NDArray[np.uint16],
    tried: npt.NDArray[np.uint16],
    count: int,
    solve: int,
) -> npt.NDArray[np.uint8]:
    """Return how many guesses each playout takes, uint8 (tried, count): `count` games start with each guess tried."""
    found = backend.launch(
        PROGRAM, _kernel("playouts", tables.codes), len(tried) * count, tables.codes, *_side_by_side(backend, boards),
        tables.own, *_weighing(tables), solve, backend.asarray(pool), backend.asarray(tried), count,
    )  # fmt: skip
    return backend.to_host(found).reshape(len(tried), count)


def _kernel(name: str, codes: Array) -> str:
    """Return the name of the kernel for patterns of this type."""
    return f"{name}_16" if codes.dtype == np.uint16 else name


def _weighing(tables: JointTables) -> tuple[Array, int, Array]:
    """Return what every kernel that judges reads of the weights."""
    return tables.masses, int(tables.weighted), tables.nlogn


def _side_by_side(backend: Backend, boards: Boards) -> tuple[Array, Array, Array]:
    """Return the words of all boards, uint16; where each board's words start, and their number, int32 (boards,)."""
    counts = np.array([len(fit) for fit in boards], np.int32)
    starts = (np.cumsum(counts) - counts).astype(np.int32)
    return backend.asarray(np.concatenate(boards).astype(np.uint16)), backend.asarray(starts), backend.asarray(counts)
