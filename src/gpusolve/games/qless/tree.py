"""The order in which the words of a shape are filled in, for all shapes at once: a tree of their common beginnings.

A fill starts with a slot of the shape, its *root*, and continues with slots that cross a slot filled before. Where the
next slot crosses the earlier ones determines its position, so shapes that start alike are one path until they differ. A
*path* is a shape together with the slot that is its root. Each slot is a root once, so that the search can start with
any set of words. The next slot on a path is the one with the most crossings, and among these the longest.

A cell has a number on the path: the root's cells come first, then the new cells of each slot. A *step* is a slot on a
path, in 55 bits, from the highest:

    length 4 | crossings 3 | crossed cells, 4 each, 24 | distances from the first crossing, 4 each, 20 | position 4

where the position is that of the first crossed cell in the word. If runs of two cells are allowed, words can lie side
by side; a slot that only touches the earlier ones has no crossings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from gpusolve.games.qless._shapes import Shapes, shapes as shapes_of
from gpusolve.games.qless.cpu.tree import MOST_STEPS, fill_paths, nodes_of


@dataclass(frozen=True, eq=False)
class Tree:
    """The tree of a set of shapes. Node 0 is the start; a node is what some paths have filled in so far.

    Node i continues in two ways. Its *steps* ``steps[steps_from[i]:steps_from[i + 1]]`` (uint64) lead to the nodes in
    `targets` (int32). Its *ends* ``ends[ends_from[i]:ends_from[i + 1]]`` (uint64) are last steps without their
    position: bit q of `places` (int32) is set if there is a path whose last word has its first crossing at position q.
    These paths have the numbers `paths_from` (int32), `paths_from` + 1, ...

    `shape_of` (int32) is the shape of each path. `cell_of` (uint8, (paths, letters)) maps a cell's number on the path
    to its index in the shape, and `transposed` (likewise) to its index in the transpose if the shape is symmetric. Bit
    c of `cares` (int32) is set if cell c belongs to a slot that precedes the root, where longer slots precede shorter
    ones; SYMMETRIC is set if the shape is symmetric. The slots of a symmetric shape mirror one another, and only one
    slot of each such pair is a root.
    """

    shapes: Shapes
    steps_from: npt.NDArray[np.int32]
    steps: npt.NDArray[np.uint64]
    targets: npt.NDArray[np.int32]
    ends_from: npt.NDArray[np.int32]
    ends: npt.NDArray[np.uint64]
    places: npt.NDArray[np.int32]
    paths_from: npt.NDArray[np.int32]
    shape_of: npt.NDArray[np.int32]
    cell_of: npt.NDArray[np.uint8]
    transposed: npt.NDArray[np.uint8]
    cares: npt.NDArray[np.int32]

    def __repr__(self) -> str:
        return (
            f"<Tree: {len(self.shape_of):,} paths of {len(self.shapes):,} shapes, {len(self.steps_from) - 1:,} nodes>"
        )


@cache
def tree_of(letters: int = 12, min_length: int = 3, allow_touching: bool = False) -> Tree:
    """Return the tree of all shapes with this number of letters.

    >>> tree_of(5)
    <Tree: 10 paths of 7 shapes, 2 nodes>
    """
    shapes = shapes_of(letters=letters, min_length=min_length, allow_touching=allow_touching)
    count = int(shapes.words.sum())
    assert shapes.words.max(initial=0) < MOST_STEPS  # 14 letters make at most eight words
    steps = np.zeros((count, MOST_STEPS), np.uint64)
    cell_of, transposed = (np.zeros((count, letters), np.uint8) for _ in range(2))
    shape_of, cares = (np.empty(count, np.int32) for _ in range(2))
    count = fill_paths(
        shapes.cells, shapes.symmetric, shapes.words, min_length, steps, shape_of, cell_of, transposed, cares
    )
    order = np.lexsort(steps[:count].T[::-1])
    nodes = (part.copy() for part in nodes_of(steps[order]))
    paths = (np.ascontiguousarray(array[order]) for array in (shape_of, cell_of, transposed, cares))
    return Tree(shapes, *nodes, *paths)
