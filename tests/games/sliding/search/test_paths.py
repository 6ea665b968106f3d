"""Paths: dividing a search changes neither the nodes that are visited nor their order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from gpusolve.games.sliding.kernels import neighbours
from gpusolve.games.sliding.search.paths import Paths, Walk, find_prefixes, split, whole_tree

INVERSE = (1, 0, 3, 2)
NO_WAY_BACK = np.array(
    [[1, 2, 3, 4], *([-1 if move == INVERSE[last] else 1 + move for move in range(4)] for last in range(4))], np.int32
)
"""An automaton that forbids the inverse of the last move."""
WALK = Walk(neighbours(4, 4), 10, NO_WAY_BACK, 0)
DEEPEST = 6
Node = tuple[int, ...]


def children(node: Node) -> list[Node]:
    """Return the nodes below a node, which is given by the moves that lead to it."""
    cell, state = WALK.blank, WALK.state
    for move in node:
        cell, state = int(WALK.beside[cell, move]), int(WALK.automaton[state, move])
    if len(node) == DEEPEST:
        return []
    return [(*node, move) for move in range(4) if WALK.beside[cell, move] != cell and WALK.automaton[state, move] >= 0]


def visited_below(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from visited_below(child)


def visited(paths: Paths) -> list[Node]:
    """Return the nodes that depth-first searches from these paths count, one search after the other."""
    nodes: list[Node] = []
    for number in range(len(paths)):
        length, fixed, counted = (int(each[number]) for each in (paths.length, paths.fixed, paths.counted))
        path = tuple(paths.moves[number, :length].tolist())
        nodes += [path[:depth] for depth in range(counted, length)]
        below = list(visited_below(path))
        nodes += below[1:] if paths.skip[number] else below
        for depth in range(length - 1, fixed - 1, -1):
            for child in children(path[:depth]):
                if child > path[: depth + 1]:
                    nodes += visited_below(child)
    return nodes


TREE = visited(whole_tree())


@pytest.fixture
def interrupted() -> Paths:
    """Return two searches that stopped: one at a node that has been expanded, and one at its very last node."""
    prefixes = find_prefixes(WALK, 1)
    paths = prefixes[np.array([0, 2])]
    for number, node in enumerate(((0, 0, 2, 1, 1), max(node for node in TREE if node[:1] == (2,)))):
        paths.moves[number, : len(node)] = node
        paths.length[number] = paths.counted[number] = len(node)
    paths.skip[0] = 1
    return paths


@pytest.mark.parametrize("level", range(5))
def test_prefixes_visit_the_tree_in_order(level: int) -> None:
    prefixes = find_prefixes(WALK, level)
    assert visited(prefixes) == TREE
    assert [len(node) for node in map(tuple, prefixes.moves[:, :level].tolist())] == prefixes.length.tolist()


@pytest.mark.parametrize(("count", "parts"), [(1, 2), (2, 2), (3, 4), (5, 5), (8, 6), (1000, 8)])
def test_the_parts_of_a_path_visit_its_nodes_in_order(interrupted: Paths, count: int, parts: int) -> None:
    divided = split(interrupted, count, WALK)
    assert visited(divided) == visited(interrupted)
    assert visited(split(divided, 2 * count, WALK)) == visited(interrupted)
    assert len(divided) == parts


def test_a_search_that_has_just_started_cannot_be_divided() -> None:
    assert len(split(whole_tree(), 10, WALK)) == 1
