"""The tree of the shapes' slots, as `gpusolve.games.qless.tree` describes it."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.qless.cpu.shapes import ROW

MOST_STEPS = 9
"""More steps than any path has."""
SYMMETRIC = 1 << 16
"""Bit of `Tree.cares` that is set if the shape is its own transpose."""


@compiled
def fill_paths(
    cells,
    symmetric,
    words,
    min_length,
    steps,
    shape_of,
    cell_of,
    twin_of,
    cares,
):
    """Fill in the steps, the shape and the cells of every path, as in `Tree`, and return the number of paths."""
    shapes, n = cells.shape
    most = 0  # a roll shorter than the shortest word has no shapes
    for shape in range(shapes):
        most = max(most, words[shape])
    grid = np.empty((ROW + 2) * (ROW + 2), np.int64)  # index of the cell at each position, -1 for none
    lengths, slots = np.empty(most, np.int64), np.empty((most, n), np.int64)
    mirror, twin = np.empty(most, np.int64), np.empty(n, np.int64)
    number, done = np.empty(n, np.int64), np.empty(most, np.bool_)
    path = 0
    for shape in range(shapes):
        count = slots_of(cells[shape], min_length, grid, lengths, slots)
        for slot in range(count):  # loops, because Numba takes two seconds to compile an assignment to a slice
            mirror[slot] = slot
        for k in range(n):
            twin[k] = k
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
                steps[path, depth] = step
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
                cell_of[path, number[k]], twin_of[path, number[k]] = k, twin[k]
            shape_of[path], cares[path] = shape, care
            path += 1
    return path


@compiled
def slots_of(cells, min_length, grid, lengths, slots):
    """Fill in the slots of a shape, those across first, and the grid of its cells; return the number of slots."""
    side = ROW + 2
    grid[:] = -1
    for k in range(len(cells)):
        grid[(cells[k] // ROW + 1) * side + cells[k] % ROW + 1] = k
    count = 0
    for step in (1, side):
        for k in range(len(cells)):
            position = (cells[k] // ROW + 1) * side + cells[k] % ROW + 1
            if grid[position - step] < 0:
                length = 1
                while grid[position + length * step] >= 0:
                    length += 1
                if length >= min_length:
                    lengths[count] = length
                    for j in range(length):
                        slots[count, j] = grid[position + j * step]
                    count += 1
    return count


@compiled
def _next(lengths, slots, number, done):
    """Return the next slot on a path and its step. Among equally good slots the one with the lowest step is next."""
    best, best_rank, best_step = -1, -1, np.uint64(0)
    for slot in range(len(done)):
        if done[slot]:
            continue
        crossed, behind = np.uint64(0), np.uint64(0)
        crossings = first = 0
        for position in range(lengths[slot]):
            cell = number[slots[slot, position]]
            if cell >= 0:
                if crossings == 0:
                    first = position
                shift = np.uint64(4 * (5 - crossings))
                crossed |= np.uint64(cell) << shift
                behind |= np.uint64(position - first) << shift
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
def nodes_of(steps):
    """Return the arrays of the tree. The paths' steps are in lexicographic order, so a node's paths are adjacent."""
    paths = len(steps)
    room = MOST_STEPS * paths + 2
    begins, stops, depths = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64)
    stops[0] = paths
    steps_from, ends_from = np.zeros(room, np.int32), np.zeros(room, np.int32)
    onward, targets = np.empty(room, np.uint64), np.empty(room, np.int32)
    ends, places, paths_from = np.empty(paths, np.uint64), np.empty(paths, np.int32), np.empty(paths, np.int32)
    nodes, n_steps, n_ends, node = 1, 0, 0, 0
    while node < nodes:
        depth, i = depths[node], begins[node]
        while i < stops[node]:
            step = steps[i, depth]
            if steps[i, depth + 1] == 0:  # the last step of the path
                end, bit = step >> np.uint64(4), 1 << (step & np.uint64(15))
                continues = n_ends > ends_from[node] and ends[n_ends - 1] == end
                # Shapes that touch differently can have the same steps: each position occurs once in an end.
                if not continues or places[n_ends - 1] >= bit:
                    ends[n_ends], places[n_ends], paths_from[n_ends] = end, 0, i
                    n_ends += 1
                places[n_ends - 1] |= bit
                i += 1
                continue
            onward[n_steps], targets[n_steps] = step, nodes
            n_steps += 1
            begins[nodes], depths[nodes] = i, depth + 1
            while i < stops[node] and steps[i, depth] == step:
                i += 1
            stops[nodes] = i
            nodes += 1
        node += 1
        steps_from[node], ends_from[node] = n_steps, n_ends
    return (
        steps_from[: nodes + 1],
        onward[:n_steps],
        targets[:n_steps],
        ends_from[: nodes + 1],
        ends[:n_ends],
        places[:n_ends],
        paths_from[:n_ends],
    )
