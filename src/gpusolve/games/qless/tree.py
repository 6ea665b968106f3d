"""The order in which the words of a shape are filled in, for all shapes at once: a tree in which they share their
beginnings.

Filling begins with a slot of the shape, its *root*, and goes on with slots that cross one filled before. Where a slot
crosses the others says all about its place, so shapes that begin alike are one path until they part. A *path* is a
shape from one of its slots as the root; each slot is a root once, so that the search may begin with whatever words it
likes. The slot with the most crossings comes next, the longest of these.

A cell is known by its number on the path: the root's cells come first, then the new cells of each slot. A *step* is a
slot on a path, in 55 bits, from the highest:

    length 4 | crossings 3 | the cells crossed, 4 each, 24 | how far each is behind the first, 4 each, 20 | place 4

where `place` is that of the first crossed cell in the word. Where runs of two are allowed, words may lie side by
side; a slot that only touches those before has no crossings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.games.qless._shapes import ROW, Shapes, shapes as all_shapes

MOST_STEPS = 9
"""More steps than any path has."""
SYMMETRIC = 1 << 16
"""In `Tree.cares`: the shape is its own transpose."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The tree of some shapes. Node 0 is the beginning; a node is what some paths have filled so far.

    What goes on after node i: the steps ``steps[steps_from[i]:steps_from[i + 1]]`` (uint64), to the nodes of
    `targets` (int32); and the ends ``ends[ends_from[i]:ends_from[i + 1]]`` (uint64), which are last steps without
    their place: bit q of `places` (int32) is set where there is a path whose last word's first crossing is at q. These
    paths are number `paths_from` (int32) and the next ones.

    Of each path: `shape_of` (int32), its shape; `cell_of` (uint8, (paths, letters)), which of the shape's cells each
    cell on the path is; `transposed` (the same), which it is in the transpose, where the shape is symmetric. `cares`
    (int32): bit c is set where cell c belongs to a slot that precedes the root, longer ones preceding shorter ones, and
    SYMMETRIC where the shape is. A symmetric shape's slots mirror one another; of such two only one is a root.
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
def tree_of(letters: int = 12, min_length: int = 3, touching: bool = False) -> Tree:
    """The tree of all shapes of so many letters.

    >>> tree_of(5)
    <Tree: 10 paths of 7 shapes, 2 nodes>
    """
    shapes = all_shapes(letters, min_length, touching)
    count = int(shapes.words.sum())
    steps = np.zeros((count, MOST_STEPS), np.uint64)
    cell_of, transposed = (np.zeros((count, letters), np.uint8) for _ in range(2))
    shape_of, cares = (np.empty(count, np.int32) for _ in range(2))
    count = _paths(
        shapes.cells, shapes.symmetric, shapes.words, min_length, steps, shape_of, cell_of, transposed, cares
    )
    order = np.lexsort(steps[:count].T[::-1])
    nodes = _nodes(steps[order])
    paths = (np.ascontiguousarray(array[order]) for array in (shape_of, cell_of, transposed, cares))
    return Tree(shapes, *nodes, *paths)


@compiled
def _paths(
    cells: Any,
    symmetric: Any,
    words: Any,
    least: int,
    steps: Any,
    shape_of: Any,
    cell_of: Any,
    twin_of: Any,
    cares: Any,
) -> int:
    """Every path: its steps, and what the tree says of it. Their number is returned."""
    shapes, n = cells.shape
    most = words.max()
    grid = np.empty((ROW + 2) * (ROW + 2), np.int64)  # the index of the cell there, -1: none
    lengths, slots = np.empty(most, np.int64), np.empty((most, n), np.int64)
    mirror, twin = np.empty(most, np.int64), np.empty(n, np.int64)
    number, done = np.empty(n, np.int64), np.empty(most, np.bool_)
    found = 0
    for shape in range(shapes):
        count = slots_of(cells[shape], least, grid, lengths, slots)
        mirror[:count] = np.arange(count)
        twin[:] = np.arange(n)
        if symmetric[shape]:
            for k in range(n):
                twin[k] = grid[(cells[shape, k] % ROW + 1) * (ROW + 2) + cells[shape, k] // ROW + 1]
            for a in range(count):
                for b in range(count):
                    if (
                        lengths[a] == lengths[b]
                        and twin[slots[a, 0]] == slots[b, 0]
                        and (twin[slots[a, 1]] == slots[b, 1])
                    ):
                        mirror[a] = b
        for root in range(count):
            if mirror[root] < root:
                continue
            number[:] = -1
            done[:count] = False
            numbered = 0
            for depth in range(count):
                slot = root
                step = np.uint64(lengths[root]) << np.uint64(51)
                if depth:
                    slot, step = _next(lengths, slots, number, done[:count])
                done[slot] = True
                steps[found, depth] = step
                for k in slots[slot, : lengths[slot]]:
                    if number[k] < 0:
                        number[k] = numbered
                        numbered += 1
            care = SYMMETRIC if symmetric[shape] else 0
            for slot in range(count):
                if lengths[slot] > lengths[root] or (lengths[slot] == lengths[root] and min(slot, mirror[slot]) < root):
                    for k in slots[slot, : lengths[slot]]:
                        care |= 1 << number[k]
            for k in range(n):
                cell_of[found, number[k]], twin_of[found, number[k]] = k, twin[k]
            shape_of[found], cares[found] = shape, care
            found += 1
    return found


@compiled
def slots_of(cells: Any, least: int, grid: Any, lengths: Any, slots: Any) -> int:
    """The slots of a shape, those across first; puts the cells on the grid. Their number is returned."""
    side = ROW + 2
    grid[:] = -1
    for k in range(len(cells)):
        grid[(cells[k] // ROW + 1) * side + cells[k] % ROW + 1] = k
    count = 0
    for step in (1, side):
        for k in range(len(cells)):
            place = (cells[k] // ROW + 1) * side + cells[k] % ROW + 1
            if grid[place - step] < 0:
                length = 1
                while grid[place + length * step] >= 0:
                    length += 1
                if length >= least:
                    lengths[count] = length
                    for j in range(length):
                        slots[count, j] = grid[place + j * step]
                    count += 1
    return count


@compiled
def _next(lengths: Any, slots: Any, number: Any, done: Any) -> Any:
    """The slot that comes next on a path, and its step. Among equals it is the one with the lowest step."""
    best, best_rank, best_step = -1, -1, np.uint64(0)
    for slot in range(len(done)):
        if done[slot]:
            continue
        crossed, behind = np.uint64(0), np.uint64(0)
        crossings = first = 0
        for place in range(lengths[slot]):
            cell = number[slots[slot, place]]
            if cell >= 0:
                if crossings == 0:
                    first = place
                shift = np.uint64(4 * (5 - crossings))
                crossed |= np.uint64(cell) << shift
                behind |= np.uint64(place - first) << shift
                crossings += 1
        rank = ROW * crossings + lengths[slot]
        step = (
            np.uint64(lengths[slot]) << np.uint64(51)
            | np.uint64(crossings) << np.uint64(48)
            | crossed << np.uint64(24)
            | behind << np.uint64(4)
            | np.uint64(first)
        )
        if rank > best_rank or (rank == best_rank and step < best_step):
            best, best_rank, best_step = slot, rank, step
    return best, best_step


@compiled
def _nodes(steps: Any) -> Any:
    """The arrays of the tree, from the paths' steps in lexicographic order. A node's paths lie together."""
    paths = len(steps)
    room = MOST_STEPS * paths + 2
    begins, stops, depths = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64)
    stops[0] = paths
    steps_from, ends_from = np.zeros(room, np.int32), np.zeros(room, np.int32)
    going, targets = np.empty(room, np.uint64), np.empty(room, np.int32)
    ends, places, paths_from = np.empty(paths, np.uint64), np.empty(paths, np.int32), np.empty(paths, np.int32)
    nodes, n_steps, n_ends, node = 1, 0, 0, 0
    while node < nodes:
        depth, i = depths[node], begins[node]
        while i < stops[node]:
            step = steps[i, depth]
            if steps[i, depth + 1] == 0:  # the path's last
                end, place = step >> np.uint64(4), 1 << (step & np.uint64(15))
                begun = n_ends > ends_from[node] and ends[n_ends - 1] == end
                if not begun or places[n_ends - 1] >= place:  # shapes that touch otherwise may be filled alike
                    ends[n_ends], places[n_ends], paths_from[n_ends] = end, 0, i
                    n_ends += 1
                places[n_ends - 1] |= place
                i += 1
                continue
            going[n_steps], targets[n_steps] = step, nodes
            n_steps += 1
            begins[nodes], depths[nodes] = i, depth + 1
            while i < stops[node] and steps[i, depth] == step:
                i += 1
            stops[nodes] = i
            nodes += 1
        node += 1
        steps_from[node], ends_from[node] = n_steps, n_ends
        ends_from[node] = n_ends
    return (
        steps_from[: nodes + 1].copy(),
        going[:n_steps].copy(),
        targets[:n_steps].copy(),
        ends_from[: nodes + 1].copy(),
        ends[:n_ends].copy(),
        places[:n_ends].copy(),
        paths_from[:n_ends].copy(),
    )
