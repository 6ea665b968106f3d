"""Shapes against published counts, and against all sets of cells tried one by one."""

from __future__ import annotations

from itertools import combinations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.qless import rules
from gpusolve.games.qless._shapes import ROW, shapes
from gpusolve.games.qless.tree import tree_of


def test_the_published_counts() -> None:
    found = shapes(12)
    assert (len(found), found.fixed, found.free, found.polyominoes) == (8363, 16699, 2162, 505861)
    assert int(found.symmetric.sum()) == 27
    assert found.by_words == {1: 1, 2: 148, 3: 2128, 4: 4139, 5: 1638, 6: 294, 7: 15}


def test_polyominoes() -> None:
    """OEIS A001168."""
    found = [shapes(n).polyominoes for n in range(3, 13)]
    assert found == [6, 19, 63, 216, 760, 2725, 9910, 36446, 135268, 505861]


def is_shape(cells: set[tuple[int, int]], min_length: int, touching: bool) -> bool:
    """By the rules themselves, every run being a word."""
    grid = rules.grid_of(dict.fromkeys(cells, "a"))
    words = {"a" * n for n in range(1, 20)}
    return rules.broken(grid, "a" * len(cells), words, min_length, touching) is None


@pytest.mark.parametrize("touching", [False, True])
@pytest.mark.parametrize(("letters", "min_length"), [(3, 3), (6, 3), (7, 3), (8, 3), (9, 3), (8, 4)])
def test_every_set_of_cells(letters: int, min_length: int, touching: bool) -> None:
    """In a square of four by four, which holds all shapes that are no wider or higher."""
    side = range(4)
    expected = set()
    for cells in combinations([(i, j) for i in side for j in side], letters):
        if min(i for i, _ in cells) == 0 == min(j for _, j in cells) and is_shape(set(cells), min_length, touching):
            expected.add(min(tuple(sorted(cells)), tuple(sorted((j, i) for i, j in cells))))
    found = shapes(letters, min_length, touching)
    small = [
        tuple((cell // ROW, cell % ROW) for cell in shape)
        for shape in found.cells.tolist()
        if max(cell // ROW for cell in shape) < 4 and max(cell % ROW for cell in shape) < 4
    ]
    assert sorted(small) == sorted(expected)


def test_slots_are_runs() -> None:
    found = shapes(9)
    for number in range(0, len(found), 7):
        slots = found.slots(number)
        assert len(slots) == found.words[number]
        for slot in slots:
            cells = [int(found.cells[number][i]) for i in slot.cells]
            assert cells == list(range(cells[0], cells[-1] + 1, 1 if slot.across else ROW))


@pytest.mark.parametrize(("letters", "touching"), [(5, False), (9, False), (12, False), (9, True)])
def test_each_slot_is_the_root_of_a_path(letters: int, touching: bool) -> None:
    """In symmetric shapes, of two slots that mirror one another only one."""
    tree = tree_of(letters, touching=touching)
    all_shapes = tree.shapes
    expected = [
        words - words // 2 if symmetric else words
        for words, symmetric in zip(all_shapes.words.tolist(), all_shapes.symmetric.tolist(), strict=True)
    ]
    found = [0] * len(all_shapes)
    for shape in tree.shape_of.tolist():
        found[shape] += 1
    assert found == expected
    assert sum(places.bit_count() for places in tree.places.tolist()) == len(tree.shape_of)
    assert all(sorted(cells) == list(range(letters)) for cells in tree.cell_of.tolist())


@pytest.mark.parametrize(("letters", "min_length"), [(2, 3), (15, 3), (12, 2), (12, 15), (True, 3)])
def test_other_numbers_are_refused(letters: int, min_length: int) -> None:
    with pytest.raises(BadInput, match="expected a whole number"):
        shapes(letters, min_length)
