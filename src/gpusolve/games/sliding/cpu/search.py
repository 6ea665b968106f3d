"""`search`: depth-first search in several lanes, so that one lane waits for memory while the others continue.

A GPU searches an item per thread, with a stack in `stacks`, which is not used here. Here one thread keeps LANES items
and takes each in turn to its next node. A lane prefetches the words of a node when it moves there, and reads them a
round of all other lanes later. Going back undoes a step. Keeping the complete state of each node on the path would need
no branches, but was slower (27 instead of 31 million nodes per second).
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros
from gpusolve.backend.intrinsics.prefetch import prefetch
from gpusolve.games.sliding.cpu.outcomes import DONE, FOUND, PAUSED

u8, u32, u64 = np.uint8, np.uint32, np.uint64
LANES = 12
MOST_MOVES = 256  # room for the moves of a path, which has at most one move fewer
SIDES, CELLS = 16, 32
HEAD_TILES, TAIL_TILES = 4, 4
NO_ITEM, GOING_ON = u64(2**63), -1

# The fields of a node's news; see ``kernels/sliding.cu``.
MOVE, SLACKS, BEYOND = u64(3), u64(0xFFFFFFFC), u64(0x80010000)
SLACK, SLACK_2, ALLOWED, STATE = u64(2), u64(17), u64(32), u64(36)

NODE = np.dtype(
    [
        ("slacks", u64, 4),  # those of the children by move, where their news have them
        ("words", u64),  # those of the two sides that the move from the node has changed, before the move
        ("news", u64),
        ("left", u64),  # the moves left to try; then << 4 the move that was made, and << 8 the cell of the blank
        ("unused", u64),  # completes a cache line
    ]
)
"""A node on the path of a lane."""
NODES = MOST_MOVES + 3  # of a lane; whole pages would make the lanes compete for the same cache lines

LANE = np.dtype(
    [
        ("item", u64),  # NO_ITEM if there is none
        ("target", u64),  # the length of the path on the way to its end, then 0, as `counted` and `skip`
        ("counted", u64),
        ("skip", u64),
        ("fixed", u64),
        ("expanded", u64),
        ("generated", u64),
        ("nearest", u64),
        ("depth", u64),
        ("blank", u64),
        ("pair", u64),  # the sides whose words have been prefetched: side | side in view 2 << 4
        ("index", u64, SIDES),  # the position of each side
        ("at", u64, SIDES),  # the index of its word in `steps`
        ("words", u32, SIDES),
        ("tiles", u8, CELLS),
    ]
)
"""A lane: the item that it searches, and the node that it has reached."""


class Tree(NamedTuple):
    """What is the same for all nodes.

    Attributes
    ----------
    bound, pace, budget : uint64
        The parameters of `search`.
    gain, loss, loss_2 : uint64
        What a move changes in both slacks, and what it takes from each if it leads away from the goal.
    near : ndarray of uint32, shape (cells,)
        The four neighbours of each cell as bytes.
    legal : ndarray of uint64, shape (cells,)
        The moves that stay on the board as bits.
    looks, changes, steps, heads, places, bases, automaton : ndarray, each with one axis
        The parameters of `search`.
    is_dense : bool
        Whether the databases have a word only for placements that exist.
    """

    bound: np.uint64
    pace: np.uint64
    budget: np.uint64
    gain: np.uint64
    loss: np.uint64
    loss_2: np.uint64
    near: npt.NDArray[np.uint32]
    legal: npt.NDArray[np.uint64]
    looks: npt.NDArray[np.uint32]
    changes: npt.NDArray[np.int64]
    steps: npt.NDArray[np.uint32]
    heads: npt.NDArray[np.uint32]
    places: npt.NDArray[np.int32]
    bases: npt.NDArray[np.int64]
    is_dense: bool
    automaton: npt.NDArray[np.uint32]


@compiled
def search(
    first, last, bound, pace, weight, budget, dense, cells, n_sides, start, at, news, beside, looks, changes, steps,
    heads, places, bases, automaton, room, path, fixed, counted, length, skip, status, expanded, generated, nearest,
    stacks,
):  # fmt: skip
    lanes, nodes = np.zeros(LANES, LANE), np.zeros((LANES, NODES), NODE)
    tree = Tree(
        u64(bound),
        u64(pace),
        u64(budget),
        (u64(weight) - u64(pace)) * (u64(1) << SLACK | u64(1) << SLACK_2),
        u64(2 * weight) << SLACK,
        u64(2 * weight) << SLACK_2,
        beside.reshape(-1).view(u32),
        _legal_moves(beside),
        looks.reshape(-1),
        changes.reshape(-1),
        steps,
        heads,
        places.reshape(-1),
        bases,
        dense,
        automaton,
    )
    for number in range(LANES):
        lanes[number].item = NO_ITEM
    following, end, busy = u64(first), u64(last), LANES
    while busy:
        busy = 0
        for number in range(u64(LANES)):
            lane = lanes[number]
            if lane.item == NO_ITEM:
                if following >= end:
                    continue
                item = following
                following += u64(1)
                lane.item, lane.target, lane.fixed = item, u64(length[item]), u64(fixed[item])
                lane.counted, lane.skip = u64(counted[item]), u64(skip[item])
                nodes[number, 0].news = u64(news)
                _start(lane, tree, start, at)
            busy += 1
            item, node, outcome = lane.item, nodes[number, lane.depth], GOING_ON
            on_the_way = lane.depth < lane.target
            left = _enter(lane, node, tree)
            if on_the_way:
                left = _follow(lane, left, u64(path[item, lane.depth]))
                if left == u64(0):
                    outcome = DONE
            while left == u64(0) and outcome == GOING_ON:
                if lane.depth <= lane.fixed:
                    outcome = DONE
                else:
                    lane.depth -= u64(1)
                    node = nodes[number, lane.depth]
                    left = _go_back(lane, node, tree)
            if outcome == GOING_ON:
                lane.depth += u64(1)
                ahead = _go_ahead(lane, node, nodes[number, lane.depth], left, tree)
                if ahead == u64(0) and not (lane.skip and lane.depth == lane.target):
                    outcome = FOUND
                elif lane.expanded >= tree.budget and lane.depth >= lane.target:
                    outcome = PAUSED
            if outcome != GOING_ON:
                if outcome != DONE:
                    for level in range(lane.depth):
                        path[item, level] = nodes[number, level + 1].news & MOVE
                    length[item] = lane.depth
                status[item] = outcome
                expanded[item], generated[item], nearest[item] = lane.expanded, lane.generated, lane.nearest
                lane.item = NO_ITEM


@inlined
def _step_index(position, side, tree):
    """Return the index in `steps` of a side's position: the position itself, or in a dense database its number."""
    if not tree.is_dense:
        return position
    place = side * u64(2 + TAIL_TILES)
    head = u64(tree.heads[u64(tree.places[place]) + (position & u64(tree.places[place + u64(1)]))])
    number, mask = head >> u64(16), head & u64(0xFFFF)
    for item in range(TAIL_TILES):
        cell = position >> u64(4 * (HEAD_TILES + item)) & u64(15)
        number = number * u64(tree.places[place + u64(2 + item)]) + cell
        number -= u64(popcount(mask & ((u64(1) << cell) - u64(1))))
        mask |= u64(1) << cell
    return u64(tree.bases[side]) + number


@inlined
def _legal_moves(beside):
    """Return the moves that stay on the board, as bits, for each cell."""
    legal = np.zeros(len(beside), u64)
    for cell in range(len(beside)):
        for move in range(4):
            legal[cell] |= u64(beside[cell, move] != cell) << u64(move)
    return legal


@inlined
def _start(lane, tree, start, at):
    """Put a lane back to the start."""
    lane.depth, lane.expanded, lane.generated = u64(0), u64(0), u64(0)
    lane.nearest, lane.pair = tree.bound, u64(0)
    for side in range(len(at)):
        lane.index[side] = u64(at[side])
        lane.at[side] = _step_index(u64(at[side]), u64(side), tree)
        lane.words[side] = tree.steps[lane.at[side]]
    for cell in range(len(start)):
        lane.tiles[cell] = start[cell]
        if start[cell] == 0:
            lane.blank = u64(cell)


@inlined
def _enter(lane, node, tree):
    """Enter a node: count it, and return the moves that lead to children within the bound, as bits."""
    side, side_2 = lane.pair & u64(15), lane.pair >> u64(4)
    lane.words[side] = tree.steps[lane.at[side]]
    lane.words[side_2] = tree.steps[lane.at[side_2]]
    allowed = node.news >> ALLOWED & tree.legal[lane.blank]
    left = _within(lane, node, tree) & allowed
    if lane.depth == u64(MOST_MOVES - 1):
        left = u64(0)  # the path has no room for another move
    arrives = lane.depth == lane.target
    if arrives and lane.skip:
        left = u64(0)
    elif lane.depth >= lane.counted:
        lane.expanded += u64(1)
        lane.generated += u64(popcount(allowed))
    if arrives:
        lane.target, lane.counted, lane.skip = u64(0), u64(0), u64(0)
    return left


@inlined
def _within(lane, node, tree):
    """Write the slacks of the children; return the moves to those within the bound in both views, as bits."""
    slacks, around, within = (node.news & SLACKS) + tree.gain, u64(tree.near[lane.blank]), u64(0)
    for move in range(4):
        tile = u64(lane.tiles[around >> u64(8 * move) & u64(255)])
        look = u64(tree.looks[tile * u64(4) + u64(move)])
        up = u64(lane.words[look & u64(15)]) >> (look >> u64(16) & u64(31)) & u64(1)
        up_2 = u64(lane.words[look >> u64(8) & u64(15)]) >> (look >> u64(24)) & u64(1)
        after = slacks - up * tree.loss - up_2 * tree.loss_2
        node.slacks[move] = after
        within |= u64((after & BEYOND) == u64(0)) << u64(move)
    return within


@inlined
def _follow(lane, left, move):
    """Return the path's move and, unless it is fixed, the moves left after it; none if the path's move is not left."""
    if not left >> move & u64(1):
        return u64(0)
    if lane.depth < lane.fixed:
        return u64(1) << move
    return left & ~((u64(1) << move) - u64(1))


@inlined
def _sides(look):
    """Return the sides of a look-up in both views."""
    return u64(look) & u64(15), u64(look) >> u64(8) & u64(15)


@inlined
def _go_back(lane, node, tree):
    """Undo the move from a node; return the moves that are left there."""
    was, move = node.left >> u64(8), node.left >> u64(4) & u64(3)
    tile = u64(lane.tiles[was])
    lane.tiles[lane.blank], lane.tiles[was] = u8(tile), u8(0)
    step = tile * u64(4) + move
    side, side_2 = _sides(tree.looks[step])
    lane.index[side] -= u64(tree.changes[u64(2) * step])
    lane.index[side_2] -= u64(tree.changes[u64(2) * step + u64(1)])
    lane.words[side], lane.words[side_2] = u32(node.words), u32(node.words >> u64(32))
    lane.blank = was
    return node.left & u64(15)


@inlined
def _go_ahead(lane, node, child, left, tree):
    """Make the lowest move that is left, prefetch the words of the child, and return its weighted height."""
    move, blank = u64(trailing_zeros(left)), lane.blank
    to = u64(tree.near[blank]) >> (move << u64(3)) & u64(255)
    tile = u64(lane.tiles[to])
    lane.tiles[blank], lane.tiles[to], lane.blank = u8(tile), u8(0), to
    step = tile * u64(4) + move
    side, side_2 = _sides(tree.looks[step])
    node.words = u64(lane.words[side]) | u64(lane.words[side_2]) << u64(32)
    node.left = (left & (left - u64(1))) | move << u64(4) | blank << u64(8)
    index = lane.index[side] + u64(tree.changes[u64(2) * step])
    index_2 = lane.index[side_2] + u64(tree.changes[u64(2) * step + u64(1)])
    lane.index[side], lane.index[side_2], lane.pair = index, index_2, side | side_2 << u64(4)
    at, at_2 = _step_index(index, side, tree), _step_index(index_2, side_2, tree)
    lane.at[side], lane.at[side_2] = at, at_2
    prefetch(u64(tree.steps.ctypes.data) + at * u64(4))
    prefetch(u64(tree.steps.ctypes.data) + at_2 * u64(4))
    slacks = node.slacks[move] & SLACKS
    child.news = u64(tree.automaton[(node.news >> STATE) * u64(4) + move]) << ALLOWED | slacks | move
    ahead = tree.bound - tree.pace * lane.depth - (slacks >> SLACK & u64(0x7FFF))
    lane.nearest = min(lane.nearest, ahead)
    return ahead
