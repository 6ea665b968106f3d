"""The placements of a piece on one board: one bit for each row where a template comes to rest."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros
from gpusolve.games.tetris.cpu.tables import (
    BOX_BOTTOM,
    CELL_COLUMN,
    CELL_ROW,
    CELLS,
    COUNT,
    DROPS,
    KNOWN,
    SHAPES,
    SPAWN_COLUMN,
    SPAWN_TOP,
    STRIDE,
    TUCKS,
    TURN_DOWN,
    TURN_LANE,
    TURN_UP,
    i32,
    i64,
    u32,
    u64,
)
from gpusolve.games.tetris.rules.board import COLUMNS

# The scratch of the search: rows of 6 * STRIDE lanes in one array, so that LLVM sees that they do not overlap. FIT: bit
# r is set if a template fits with its box at row r. TOP: the row where it comes to rest after a straight drop. REACHED,
# LEFT: the rows reached so far, and the rows that might still be reached. REST: a bit for each row where it comes to
# rest in another way. Under gravity there are only two rows. ROW: the rows of the board. AFTER: the states that come to
# rest after each number of drops, two numbers for each word.
FIT, TOP, REACHED, LEFT, REST = (u64(row * 6 * STRIDE) for row in range(5))
ROW, AFTER = FIT, TOP
SCRATCH = 30 * STRIDE


@inlined
def free_placements(columns, begin, piece, scratch):
    """Find the exact closure of {left, right, down, turns} from the spawn.

    Returns whether there are straight drops, and a bit for each lane that has other placements. Fills TOP and, only in
    the lanes that have other placements, REST.

    Nearly all placements are straight drops: if every template fits at the height of the spawn, the piece can take any
    column and orientation up there. Then only pockets remain to be searched, that is rows where a template fits again
    below a row where it does not. A pocket can only be entered from the side or by a turn.
    """
    blocked, pockets = u32(0), u64(0)
    for o in range(SHAPES[piece]):
        fits(columns, begin, piece, o, scratch)
        row, count, top = u64((o + 1) * STRIDE), COUNT[piece, o], SPAWN_TOP[piece, o]
        pocket = u32(0)
        for lane in range(STRIDE):
            i = row + u64(lane)
            below = u32(scratch[FIT + i] >> top)
            run = u32(below & ~(below + u32(1)))
            scratch[TOP + i] = u32(top + u32(popcount(run)) - u32(1))
            scratch[REACHED + i] = u32(run << top)
            scratch[LEFT + i] = u32((below ^ run) << top)
            blocked |= u32((run & u32(1)) ^ u32(lane < count))
            pocket |= u32(below != run) << u32(lane)
        pockets |= u64(pocket) << u64(o * STRIDE)
    if blocked != u32(0):
        return False, _from_spawn(piece, scratch)
    if pockets == u64(0):
        return True, u64(0)
    others, todo = u64(0), _enter(piece, pockets, scratch)
    while todo:
        i = u64(trailing_zeros(todo)) + u64(STRIDE)
        todo &= todo - u64(1)
        # A state that can move down is not a placement.
        resting = scratch[REACHED + i] & ~(scratch[FIT + i] >> u32(1))
        resting &= ~(u32(1) << scratch[TOP + i])
        scratch[REST + i] = resting
        others |= u64(resting != u32(0)) << i - u64(STRIDE)
    return True, others


@compiled
def _from_spawn(piece, scratch):
    """Find the closure under a pile so high that some template does not fit at the spawn: no straight drops."""
    todo, others = u64(0), u64(0)
    for o in range(SHAPES[piece]):
        for lane in range(COUNT[piece, o]):
            i = u64((o + 1) * STRIDE + lane)
            scratch[REACHED + i] = u32(0)
            scratch[LEFT + i] = scratch[FIT + i]
            todo |= u64(1) << i - u64(STRIDE)
    spawn, slot = u32(1) << SPAWN_TOP[piece, 0], u64(STRIDE) + SPAWN_COLUMN[piece]
    fit = scratch[FIT + slot]
    scratch[REACHED + slot] = fall(spawn & fit, fit)
    scratch[LEFT + slot] ^= scratch[REACHED + slot]
    _enter(piece, todo, scratch)
    while todo:
        i = u64(trailing_zeros(todo)) + u64(STRIDE)
        todo &= todo - u64(1)
        resting = scratch[REACHED + i] & ~(scratch[FIT + i] >> u32(1))
        scratch[REST + i] = resting
        others |= u64(resting != u32(0)) << i - u64(STRIDE)
    return others


@compiled
def _enter(piece, pockets, scratch):
    """Move rows that presses reach from LEFT to REACHED in the lanes of `pockets`; return the lanes that gained."""
    entered = u64(0)
    again = True
    while again:
        again = False
        todo = pockets
        while todo:
            bit = todo & ~(todo - u64(1))
            todo ^= bit
            lane = u64(trailing_zeros(bit))
            i, o, column = lane + u64(STRIDE), lane // u64(STRIDE), lane % u64(STRIDE)
            a, b = TURN_LANE[piece, o, 0] + column, TURN_LANE[piece, o, 1] + column
            near = scratch[REACHED + i - u64(1)] | scratch[REACHED + i + u64(1)]
            near |= scratch[REACHED + a] << TURN_DOWN[piece, o, 0] >> TURN_UP[piece, o, 0]
            near |= scratch[REACHED + b] << TURN_DOWN[piece, o, 1] >> TURN_UP[piece, o, 1]
            left = scratch[LEFT + i]
            near = u32(near & left)
            if near:
                fallen = fall(near, left)
                scratch[REACHED + i] |= fallen
                scratch[LEFT + i] = left ^ fallen
                entered |= bit
                if left == fallen:
                    pockets ^= bit
                again = True
    return entered


@inlined
def fall(start, free):
    """Return the bits of `free` that follow a bit of `start` without a gap, towards the floor (the higher bits).

    The addition carries from each start to the end of its run. A second start in a run stays behind, hence the last |.
    """
    return u32((free & ~(free + start)) | start)


@compiled
def timed_placements(columns, begin, piece, taps, scratch):
    """Find the placements under gravity, by a row of the table of taps (`gpusolve.games.tetris.clock.tap_table`).

    Returns their number and the number of drops until the last one rests, and fills AFTER. Everything in the air has
    dropped equally often, so a state is an orientation and a column: bit STRIDE * orientation + column of a word. There
    are two more words: the states that left out the latest tap, and those that have been tucked and only fall.
    """
    turn_rows(columns, begin, scratch)
    allowed, room = open_after(scratch, piece, u32(0)), room_above(columns, begin, piece)
    states, idle, tucked = allowed & u64(1) << SPAWN_COLUMN[piece], u64(0), u64(0)
    again, row = u64(0), u64(0)
    count, drops = u64(0), u32(0)
    while states | again | tucked:
        if drops == taps[KNOWN]:  # the next piece is known: those that are idle start the rhythm again
            states, idle, tucked = press(states, idle, tucked, taps[drops], allowed, piece)
            again, states, row = idle, states & ~idle, u64(2 * DROPS)
        states, idle, tucked = press(states, idle, tucked, taps[row + drops], allowed, piece)
        if again:
            again, idle, tucked = press(again, idle, tucked, taps[DROPS + drops], allowed, piece)
        resting = u64(0)
        if drops >= room:  # before, everything fits, and nothing comes to rest
            allowed = open_after(scratch, piece, drops + u32(1))
            resting = (states | again | tucked) & ~allowed
            states, again, idle, tucked = states & allowed, again & allowed, idle & allowed, tucked & allowed
        count += rest(scratch, drops, resting)
        drops += u32(1)
    return count, drops


@inlined
def room_above(columns, begin, piece):
    """Return the number of drops after which every template of a piece is still above the pile, at least 0."""
    filled = u32(0)
    for c in range(COLUMNS):
        filled |= columns[begin + u64(c)]
    lowest = i32(0)
    for o in range(SHAPES[piece]):
        lowest = max(lowest, i32(SPAWN_TOP[piece, o]) + BOX_BOTTOM[piece, o])
    return u32(max(i32(trailing_zeros(filled)) - i32(1) - lowest, i32(0)))


@inlined
def press(states, idle, tucked, taps, allowed, piece):
    """Return the words of `timed_placements` after the frames between two drops, `taps` of them with a tap."""
    if taps & TUCKS:
        return states, idle, tucked | tapped(idle, allowed, piece)
    for _ in range(taps):  # those that leave out a tap and tuck the piece after it have no more places to go
        idle, states = idle | states, tapped(states, allowed, piece)
    return states, idle, tucked


@inlined
def rest(scratch, drops, states):
    """Note in AFTER that these states come to rest after this number of drops, and return how many they are."""
    i = AFTER + u64(2) * u64(drops)
    scratch[i], scratch[i + u64(1)] = u32(states), u32(states >> u64(32))
    return u64(popcount(states))


@inlined
def resting_after(scratch, drops):
    """Return the states that come to rest after a number of drops."""
    i = AFTER + u64(2) * u64(drops)
    return u64(scratch[i]) | u64(scratch[i + u64(1)]) << u64(32)


@inlined
def turn_rows(columns, begin, scratch):
    """Fill ROW with the rows of the board: bit c for a filled cell in column c, and ones for the wall on the right."""
    for row in range(32):
        cells = u32(0xFFFFFFFF) << u32(COLUMNS)
        for c in range(COLUMNS):
            cells |= (columns[begin + u64(c)] >> u32(row) & u32(1)) << u32(c)
        scratch[ROW + u64(row)] = cells


@inlined
def open_after(scratch, piece, drops):
    """Return the states that fit after a number of drops, one bit each."""
    bits = u64(0)
    for o in range(SHAPES[piece]):
        top, filled = ROW + u64(SPAWN_TOP[piece, o] + drops), u32(0)
        for k in range(4):
            filled |= scratch[top + u64(CELL_ROW[piece, o, k])] >> u32(CELL_COLUMN[piece, o, k])
        bits |= u64(~filled & u32(0xFFFF)) << u64(o * STRIDE)
    return bits


@inlined
def tapped(states, allowed, piece):
    """Return the states that a frame with a press can lead to: a shift, then a turn, as in the console."""
    if states == allowed:  # everything has been reached
        return states
    states = (states | states << u64(1) | states >> u64(1)) & allowed
    return turned(states, piece) & allowed


@inlined
def turned(states, piece):
    """Return the states and those that a turn leads to, whether they fit or not."""
    near = states
    for o in range(SHAPES[piece]):
        for i in range(2):
            lane = i64(TURN_LANE[piece, o, i])
            if lane == 0:  # no such turn
                continue
            source = (lane + 3) // STRIDE - 1
            right = (source + 1) * STRIDE - lane  # columns that the corner of the box moves
            row = states >> u64(source * STRIDE) & u64(0xFFFF)
            row = row << u64(right) if right >= 0 else row >> u64(-right)
            near |= row << u64(o * STRIDE)
    return near


@inlined
def fits(columns, begin, piece, o, scratch):
    """Fill FIT for orientation o. From `begin` on, `columns` has the ten columns of the board, then filled columns."""
    r0, c0 = CELL_ROW[piece, o, 0], CELL_COLUMN[piece, o, 0] + begin
    r1, c1 = CELL_ROW[piece, o, 1], CELL_COLUMN[piece, o, 1] + begin
    r2, c2 = CELL_ROW[piece, o, 2], CELL_COLUMN[piece, o, 2] + begin
    r3, c3 = CELL_ROW[piece, o, 3], CELL_COLUMN[piece, o, 3] + begin
    row = FIT + u64((o + 1) * STRIDE)
    for lane in range(STRIDE):
        i = u64(lane)
        filled = u32(columns[i + c0] >> r0 | columns[i + c1] >> r1 | columns[i + c2] >> r2 | columns[i + c3] >> r3)
        scratch[row + i] = ~filled & CELLS
