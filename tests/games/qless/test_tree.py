"""The tree of the shapes."""

from __future__ import annotations

import pytest

from gpusolve.games.qless.tree import tree_of


@pytest.mark.parametrize(("letters", "touching"), [(5, False), (9, False), (12, False), (9, True)])
def test_each_slot_is_the_root_of_a_path(letters: int, touching: bool) -> None:
    """In a symmetric shape, only one of two slots that mirror one another."""
    tree = tree_of(letters, allow_touching=touching)
    all_shapes = tree.shapes
    expected = [
        words - words // 2 if symmetric else words
        for words, symmetric in zip(all_shapes.words.tolist(), all_shapes.symmetric.tolist(), strict=True)
    ]
    roots = [0] * len(all_shapes)
    for shape in tree.shape_of.tolist():
        roots[shape] += 1
    assert roots == expected
    assert sum(places.bit_count() for places in tree.places.tolist()) == len(tree.shape_of)
    assert all(sorted(cells) == list(range(letters)) for cells in tree.cell_of.tolist())
