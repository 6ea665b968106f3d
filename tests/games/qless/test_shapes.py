"""Shapes, compared with published counts and with all sets of cells."""

from __future__ import annotations

from itertools import combinations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.qless import rules
from gpusolve.games.qless._shapes import shapes
from gpusolve.games.qless.cpu.shapes import ROW


def test_shapes_of_twelve_letters_have_the_published_counts() -> None:
    twelve = shapes(letters=12)
    assert (len(twelve), twelve.fixed, twelve.free, twelve.polyominoes) == (8363, 16699, 2162, 505861)
    assert int(twelve.symmetric.sum()) == 27
    assert twelve.by_words == {1: 1, 2: 148, 3: 2128, 4: 4139, 5: 1638, 6: 294, 7: 15}


def test_polyominoes_have_the_published_counts() -> None:
    """OEIS A001168."""
    counts = [shapes(letters=n).polyominoes for n in range(3, 13)]
    assert counts == [6, 19, 63, 216, 760, 2725, 9910, 36446, 135268, 505861]


def is_shape(cells: set[tuple[int, int]], min_length: int, touching: bool) -> bool:
    """Return whether cells are a shape according to rules.py, where every run counts as a word."""
    grid = rules.grid_of(dict.fromkeys(cells, "a"))
    words = {"a" * n for n in range(1, 20)}
    broken = rules.broken_rule(grid, "a" * len(cells), words, min_length=min_length, allow_touching=touching)
    return broken is None


@pytest.mark.parametrize("touching", [False, True])
@pytest.mark.parametrize(("letters", "min_length"), [(3, 3), (6, 3), (7, 3), (8, 3), (9, 3), (8, 4)])
def test_shapes_are_the_sets_of_cells_that_keep_the_rules(letters: int, min_length: int, touching: bool) -> None:
    """In a square of four by four cells."""
    side = range(4)
    expected = set()
    for cells in combinations([(i, j) for i in side for j in side], letters):
        if min(i for i, _ in cells) == 0 == min(j for _, j in cells) and is_shape(set(cells), min_length, touching):
            expected.add(min(tuple(sorted(cells)), tuple(sorted((j, i) for i, j in cells))))
    small = [
        tuple((cell // ROW, cell % ROW) for cell in shape)
        for shape in shapes(letters=letters, min_length=min_length, allow_touching=touching).cells.tolist()
        if max(cell // ROW for cell in shape) < 4 and max(cell % ROW for cell in shape) < 4
    ]
    assert sorted(small) == sorted(expected)


def test_slots_are_runs_of_adjacent_cells() -> None:
    nine = shapes(letters=9)
    for number in range(0, len(nine), 7):
        slots = nine.slots(number)
        assert len(slots) == nine.words[number]
        for slot in slots:
            cells = [int(nine.cells[number][i]) for i in slot.cells]
            assert cells == list(range(cells[0], cells[-1] + 1, 1 if slot.across else ROW))


@pytest.mark.parametrize(("letters", "min_length"), [(2, 3), (15, 3), (12, 2), (12, 15), (True, 3)])
def test_numbers_out_of_range_are_refused(letters: int, min_length: int) -> None:
    with pytest.raises(BadInput, match="expected a whole number"):
        shapes(letters=letters, min_length=min_length)
