"""The kernels of Queuedle compared with the rules in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from gpusolve.backend import Backend, open_backend
from gpusolve.games.queuedle import kernels, rules
from gpusolve.games.queuedle.positions import Position
from gpusolve.games.queuedle.puzzles import Puzzle

# Few letters and many words of them, so that a random board has words.
LETTERS = "aest"
_WORDS = """
    ate eat eta sea set tea tee ease east eats etas seat seta teas tees sates tease state states
"""
WORDS = frozenset(_WORDS.split())
SALT = 0x9E3779B1

examples = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


_tables: dict[tuple[str, int], Any] = {}


def table(backend: Backend, size: int) -> Any:
    key = backend.name, size
    if key not in _tables:
        _tables[key] = kernels.line_scores(backend, WORDS, size)
    return _tables[key]


@st.composite
def positions(draw: st.DrawFn, sizes: tuple[int, ...] = (3, 4, 5)) -> tuple[Puzzle, list[Position]]:
    """Draw a puzzle and the positions of a game on it."""
    size = draw(st.sampled_from(sizes))
    grid = tuple(draw(st.text(LETTERS, min_size=size, max_size=size)) for _ in range(size))
    puzzle = Puzzle(grid, draw(st.text(LETTERS, max_size=8)))
    game = [Position(grid, puzzle.queue)]
    for choice in draw(st.lists(st.integers(0, 99), max_size=8)):
        if moves := rules.legal_moves(game[-1]):
            game.append(rules.slide(game[-1], moves[choice % len(moves)]))
    return puzzle, game


def states_of(boards: kernels.Boards, puzzle: Puzzle, position: Position) -> Any:
    """Return the state of a position, made by the kernel from the position's slides."""
    states = boards.backend.asarray(kernels.encode(puzzle))
    for move in position.moves:
        parents, moves = np.zeros(1, np.int32), np.array([move], np.uint16)
        states = boards.slide(states, boards.backend.asarray(parents), boards.backend.asarray(moves))
    return states


@pytest.mark.parametrize("size", [3, 4, 5])
def test_line_scores_equal_the_rules(backend: Backend, size: int) -> None:
    scores = backend.to_host(table(backend, size))
    assert scores.shape == (26**size,)
    random = np.random.default_rng(1)
    for _ in range(2000):
        line = "".join(random.choice(list(LETTERS + "b"), size))
        points = sum(
            end - start
            for start in range(size)
            for end in range(start + rules.SHORTEST, size + 1)
            if line[start:end] in WORDS
        )
        assert scores[kernels.encode_line(line)] == points, line


def test_a_line_whose_runs_are_all_words_scores_22(backend: Backend) -> None:
    scores = backend.to_host(kernels.line_scores(backend, ["aaa", "aaaa", "aaaaa"], 5))
    assert scores[0] == 22
    assert scores.max() == 22


@examples
@given(positions())
def test_slides_totals_and_keys_equal_the_rules(backend: Backend, game: tuple[Puzzle, list[Position]]) -> None:
    puzzle, played = game
    boards, scores = kernels.Boards.of(backend, puzzle), table(backend, puzzle.size)
    position = played[-1]
    states = states_of(boards, puzzle, position)
    rows = [kernels.encode_line(row) for row in position.grid]
    host = backend.to_host(states)
    assert host[:-1, 0].tolist() == rows
    assert host[-1, 0] >> kernels.SLIDES_BIT == len(position.moves)
    assert backend.to_host(boards.totals(states, scores)).tolist() == [rules.score(position.grid, WORDS)]

    expected = [0] * boards.moves
    for move in rules.legal_moves(position):
        expected[move] = 1 + kernels.NOISE_LEVELS * rules.score(rules.slide(position, move).grid, WORDS)
    assert backend.to_host(boards.expand(states, 0, 1, table=scores)).tolist() == [expected]
    salted = backend.to_host(boards.expand(states, 0, 1, table=scores, salt=SALT))[0].astype(int)
    assert all(0 <= key - plain < kernels.NOISE_LEVELS for key, plain in zip(salted, expected, strict=True))
    assert all((key == 0) == (plain == 0) for key, plain in zip(salted, expected, strict=True))


def best_ending(position: Position, moves: int) -> tuple[int, list[int]]:
    """Return the best score within `moves` slides, and the first sequence to it in dictionary order."""
    best: tuple[int, list[int]] = (rules.score(position.grid, WORDS), [])
    if moves:
        for move in rules.legal_moves(position):
            value, rest = best_ending(rules.slide(position, move), moves - 1)
            if value > best[0]:
                best = value, [move, *rest]
    return best


@settings(examples, max_examples=6)
@given(positions(), st.integers(0, 2))
def test_endings_equal_the_rules(backend: Backend, game: tuple[Puzzle, list[Position]], moves: int) -> None:
    puzzle, played = game
    boards = kernels.Boards.of(backend, puzzle)
    moves = min(moves, len(played[-1].queue))
    value, sequence = boards.finish(states_of(boards, puzzle, played[-1]), table(backend, puzzle.size), moves)
    expected = best_ending(played[-1], moves)
    assert int(value[0]) == expected[0]
    assert kernels.decode_ending(int(sequence[0]), moves) == expected[1]


@pytest.mark.parametrize("size", [4, 5])
def test_a_batch_can_be_cut_anywhere(backend: Backend, size: int) -> None:
    random = np.random.default_rng(2)
    puzzle = Puzzle(tuple("".join(random.choice(list(LETTERS), size)) for _ in range(size)), "tease")
    boards, scores = kernels.Boards.of(backend, puzzle), table(backend, size)
    states = backend.asarray(kernels.encode(puzzle))
    for _ in range(2):
        keys = backend.to_host(boards.expand(states, 0, states.shape[1], table=scores))
        parents, moves = np.nonzero(keys)
        states = boards.slide(
            states, backend.asarray(parents.astype(np.int32)), backend.asarray(moves.astype(np.uint16))
        )
    count = states.shape[1]
    whole = backend.to_host(boards.expand(states, 0, count, table=scores, salt=SALT))
    parts = [
        backend.to_host(boards.expand(states, first, min(first + 37, count), table=scores, salt=SALT))
        for first in range(0, count, 37)
    ]
    assert (np.concatenate(parts) == whole).all()


@pytest.fixture(scope="module")
def six_letters() -> Any:
    """The table of 309 MB, made on the CPU because the emulated kernel would take minutes."""
    return kernels.line_scores(open_backend("cpu"), WORDS, 6)


@pytest.mark.slow
def test_six_by_six(backend: Backend, six_letters: Any) -> None:
    scores = backend.asarray(six_letters)
    random = np.random.default_rng(3)
    for _ in range(20):
        puzzle = Puzzle(tuple("".join(random.choice(list(LETTERS), 6)) for _ in range(6)), "teases")
        position = puzzle.start
        for _ in range(random.integers(0, 5)):
            position = rules.slide(position, int(random.choice(rules.legal_moves(position))))
        boards = kernels.Boards.of(backend, puzzle)
        states = states_of(boards, puzzle, position)
        assert backend.to_host(states)[:-1, 0].tolist() == [kernels.encode_line(row) for row in position.grid]
        expected = [0] * 24
        for move in rules.legal_moves(position):
            expected[move] = 1 + kernels.NOISE_LEVELS * rules.score(rules.slide(position, move).grid, WORDS)
        assert backend.to_host(boards.expand(states, 0, 1, table=scores)).tolist() == [expected]
        value, sequence = boards.finish(states, scores, 1)
        assert (int(value[0]), kernels.decode_ending(int(sequence[0]), 1)) == best_ending(position, 1)
