"""The boards of a puzzle as a space of states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from games.queuedle.test_kernels import WORDS, examples, states_of, table
from gpusolve.backend import Backend
from gpusolve.games.queuedle import kernels, rules
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.search.spaces import BoardSpace


def fnv(grid: tuple[str, ...]) -> int:
    """Return the 32-bit FNV-1a hash of the letters 0 to 25."""
    hashed = 2166136261
    for letter in "".join(grid):
        hashed = (hashed ^ ord(letter) - ord("a")) * 16777619 & 0xFFFFFFFF
    return hashed


@pytest.mark.parametrize("size", [4, 5])
@examples
@given(moves=st.lists(st.integers(0, 99), max_size=6))
def test_the_identity_is_the_whole_state_or_the_hash_of_its_letters(
    backend: Backend, size: int, moves: list[int]
) -> None:
    puzzle = Puzzle(tuple("teasetease"[i : i + size] for i in range(size)), "tease")
    position = puzzle.start
    for choice in moves:
        if legal := rules.legal_moves(position):
            position = rules.slide(position, legal[choice % len(legal)])
    boards, scores = kernels.Boards.of(backend, puzzle), table(backend, size)
    states = states_of(boards, puzzle, position)
    fields = [*backend.to_host(states)[:, 0].tolist(), *[0] * (1 - size % 2)]
    exact = BoardSpace(boards, states, scores, [scores])
    words = backend.to_host(exact.identity(states))
    assert words.dtype == np.uint64
    halves = [(int(word) >> 32, int(word) & 0xFFFFFFFF) for word in words[:, 0]]
    if size == 4:
        assert halves[-1] == (0, fields[size])
        halves[-1] = (fields[size], 0)
    assert [half for pair in halves for half in pair] == fields
    lossy = BoardSpace(boards, states, scores, [scores], lossy=True)
    assert backend.to_host(lossy.identity(states)).tolist() == [[fnv(position.grid)]]


def test_a_slide_is_ranked_by_the_table_for_the_slides_to_come(backend: Backend) -> None:
    puzzle = Puzzle(("seat", "east", "teas", "eats"), "tea")
    boards, scores = kernels.Boards.of(backend, puzzle), table(backend, 4)
    tables = [scores, backend.asarray(backend.to_host(scores) // 2)]
    states = states_of(boards, puzzle, puzzle.start)
    position = puzzle.start
    space = BoardSpace(boards, states, scores, tables)
    for left_after in (2, 1, 0):
        keys = backend.to_host(space.expand(states, 0, 1))
        expected = backend.to_host(boards.expand(states, 0, 1, table=tables[min(left_after, 1)]))
        assert keys.tolist() == expected.tolist()
        assert (keys > 1).any()
        position = rules.slide(position, rules.legal_moves(position)[0])
        states = states_of(boards, puzzle, position)
    assert not backend.to_host(space.expand(states, 0, 1)).any()


def test_remaining_adds_the_number_of_letters_in_the_queue(backend: Backend) -> None:
    puzzle = Puzzle(("seat", "east", "teas", "eats"), "tea")
    boards, scores = kernels.Boards.of(backend, puzzle), table(backend, 4)
    position = rules.slide(puzzle.start, 0)
    states = states_of(boards, puzzle, position)
    space = BoardSpace(boards, states, scores, [scores], remaining=True)
    expected = [0] * 16
    for move in rules.legal_moves(position):
        points = rules.score(rules.slide(position, move).grid, WORDS)
        expected[move] = 1 + kernels.NOISE_LEVELS * (points + 2)
    assert backend.to_host(space.expand(states, 0, 1)).tolist() == [expected]
