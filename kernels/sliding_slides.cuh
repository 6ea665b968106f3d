// sliding_slides.cuh: the multi-tile metric, in which sliding several tiles of a line at once is one move, a slide.
//
// The idea. Two slides along the same line are one slide or none, so vertical and horizontal slides alternate, and the
// axis of the next slide belongs to a node: 0 is vertical, 1 horizontal. A path is written in moves of the blank, as in
// `search`: a move in the direction of the last one belongs to the same slide and costs nothing, and one along the other
// axis begins the next slide. So a node may always go on in its direction, and may turn if its slides and its height are
// within the bound.
//
//     widen    one level of the breadth-first search that makes the tables
//     slide    depth-first search below a bound, a batch of paths
//
// A table has, for a few tiles and the blank (its items), the number of slides that bring them to their goal cells where
// all other tiles are alike, separately for both axes of the first slide. Slides of other tiles count, too, so heights of
// several tables cannot be added; the greatest of them counts. On a square board each table is read twice, the second
// time for the position mirrored at the main diagonal, which swaps the axes.
//
// A position has four bits for the cell of each item, the blank in the lowest, so a move changes it by a constant. Its
// number counts only positions that exist: heads[code] has, for all items but the last three, how many come before them,
// and their cells as bits; the last three are counted among the free cells.
//
//     position   | item 6 | item 5 | item 4 | item 3 | item 2 | item 1 | blank |      heads[code]  | number | cells |
//                  tail                       head                                                  31    16 15    0

#define TAIL 3
#define UNKNOWN 255
#define SLIDE_SIDES 8
#define SLIDE_CELLS 16

__device__ static int numbered(u32 position, int head_bits, int cells, const u32* heads) {
    const u32 head = heads[position & ((1u << head_bits) - 1)];
    u32 number = head >> 16, mask = head & 0xffff;
    for (int item = 0, radix = cells - head_bits / 4; item < TAIL; ++item, --radix) {
        const u32 cell = position >> (head_bits + 4 * item) & 15;
        number = number * radix + cell - __popc(mask & ((1u << cell) - 1));
        mask |= 1u << cell;
    }
    return number;
}

// One thread per head. Several threads can give a position its distance, which is the same for all of them. `counts` is
// the number of positions at the distance `slides`. A position of that distance costs a read of 4 bytes and some bytes
// at random for each slide.
extern "C" __global__ void __launch_bounds__(BLOCK) widen(int first, int last, int rows, int columns, int head_bits,
        int slides, const u32* __restrict__ heads /*[last]*/, u8* distances /*[2][positions] changed*/, int positions,
        int* __restrict__ counts /*[last]*/) {
    const int cells = rows * columns, radix = cells - head_bits / 4, tails = radix * (radix - 1) * (radix - 2);
    EACH_ITEM(code, 1) {
        const u32 head = heads[code];
        int count = 0;
        if (head) {  // else no position begins like this
            u64 shifts = 0, free = 0;  // four bits for each cell: a quarter of the shift of the item in it, 0 if there
                                       // is none; and for each place, the free cell that has it
            for (int item = 1; item < head_bits / 4; ++item) shifts |= u64(item) << 4 * (code >> 4 * item & 15);
            for (int cell = 0, place = 0; cell < cells; ++cell)
                if (!(head >> cell & 1)) free |= u64(cell) << 4 * place++;
            const i64 begin = i64(head >> 16) * tails;
            const int blank = code & 15;
            for (int axis = 0; axis < 2; ++axis) {
                const int stride = axis ? 1 : columns, lines = axis ? columns : rows,
                          line = axis ? blank % columns : blank / columns;
                for (int tail = 0; tail < tails; ++tail) {
                    if (distances[i64(1 - axis) * positions + begin + tail] != slides) continue;
                    ++count;
                    u32 position = code;
                    u64 in = shifts, unused = free;
                    for (int item = 0, left = tail, ways = tails; item < TAIL; ++item) {
                        ways /= radix - item;
                        const int place = left / ways, cell = unused >> 4 * place & 15;
                        left %= ways;
                        const u64 before = (u64(1) << 4 * place) - 1;
                        unused = (unused & before) | (unused >> 4 & ~before);
                        position |= u32(cell) << (head_bits + 4 * item);
                        in |= u64(head_bits / 4 + item) << 4 * cell;
                    }
                    for (int forth = 0; forth < 2; ++forth) {
                        const int step = forth ? stride : -stride;
                        u32 after = position;
                        int here = blank;
                        for (int left = forth ? lines - 1 - line : line; left; --left) {
                            after += step;
                            const int item = in >> 4 * (here + step) & 15;
                            if (item) after -= u32(step) << 4 * item;
                            here += step;
                            u8* reached = distances + i64(axis) * positions + numbered(after, head_bits, cells, heads);
                            if (*reached == UNKNOWN) *reached = slides + 1;
                        }
                    }
                }
            }
        }
        counts[code] = count;
    }
}

// One thread per item: a path, with the meaning of `search`. A node is within the bound if pace * slides + weight * height
// <= bound for the axis of its next slide; it is expanded when it is entered within the bound. The start can go on along
// both axes. A node that is entered reads `sides` bytes at random, and so many words of `heads`. No path has more than
// MOST_MOVES - 1 moves; the slides of a path within a bound that is not refused fit into them.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) slide(int first, int last, int bound, int pace, int weight,
        i64 budget, int rows, int columns, int head_bits, const u8* __restrict__ start /*[rows * columns]*/,
        const int* __restrict__ at /*[sides]*/, int sides, const u8* __restrict__ beside /*[rows * columns][4]*/,
        const int* __restrict__ changes /*[sides][rows * columns][4]*/, const u8* __restrict__ sets /*[sides][2]*/,
        const u32* __restrict__ heads /*[]*/, const u8* __restrict__ heights /*[][2][positions]*/, int positions,
        const u32* __restrict__ homes /*[rows * columns]*/, int room, u8* __restrict__ path /*[last][room] changed*/,
        const int* __restrict__ fixed /*[last]*/, const int* __restrict__ counted /*[last]*/,
        int* __restrict__ length /*[last] changed*/, const u8* __restrict__ skip /*[last]*/,
        int* __restrict__ status /*[last]*/, i64* __restrict__ expanded /*[last]*/,
        i64* __restrict__ generated /*[last]*/, int* __restrict__ nearest /*[last]*/) {
    const int cells = rows * columns;
    EACH_ITEM(item, 1) {
        u8 board[SLIDE_CELLS], lefts[MOST_MOVES], moves[MOST_MOVES];
        u32 index[SLIDE_SIDES];
        const int floor = fixed[item];
        int target = length[item], from = counted[item];  // -1 and 0 once the search has arrived
        int depth = 0, blank = 0, slides = 0, last_move = 0, outcome = DONE, least = bound;
        i64 entered = 0, made = 0;
        for (int side = 0; side < sides; ++side) index[side] = at[side];
        for (int cell = 0; cell < cells; ++cell)
            if (!(board[cell] = start[cell])) blank = cell;
        for (;;) {
            const bool skipped = depth == target && skip[item];
            u32 left = 0;
            bool solved = false;
            for (int axis = 0; axis < 2 && !skipped; ++axis) {  // enter
                if (depth && axis == last_move >> 1) continue;
                int height = 0;
                for (int side = 0; side < sides; ++side) {
                    const i64 table = 2 * sets[side * 2] + (axis ^ sets[side * 2 + 1]);
                    height = max(height, int(heights[table * positions +
                                                     numbered(index[side], head_bits, cells, heads)]));
                }
                if (!height && pace * slides <= bound) {
                    solved = true;
                    for (int cell = 0; cell < cells; ++cell) solved &= homes[board[cell]] >> cell & 1;
                    if (solved) break;
                }
                if (pace * slides + weight * height > bound) continue;
                least = min(least, weight * height);
                left |= 3u << 2 * axis;
                if (depth >= from) {
                    ++entered;
                    made += (axis ? columns : rows) - 1;
                }
            }
            if (solved) {
                outcome = FOUND;
                least = 0;
            } else {
                if (depth && !skipped) left |= 1u << last_move;
                if (depth == MOST_MOVES - 1) left = 0;
                for (int move = 0; move < 4; ++move)
                    if (beside[blank * 4 + move] == blank) left &= ~(1u << move);
                if (depth < target) {
                    const int move = path[i64(item) * room + depth];
                    if (!(left >> move & 1)) break;
                    left &= depth < floor ? 1u << move : ~((1u << move) - 1);
                } else if (depth == target) {
                    target = -1;
                    from = 0;
                }
                int move;
                while (!left && depth > floor) {  // go back
                    move = moves[--depth] ^ 1;
                    const int to = beside[blank * 4 + move], tile = board[to];
                    for (int side = 0; side < sides; ++side) index[side] += changes[(side * cells + tile) * 4 + move];
                    board[blank] = tile;
                    board[to] = 0;
                    blank = to;
                    last_move = depth ? moves[depth - 1] : 0;
                    if (!depth || last_move != (move ^ 1)) --slides;
                    left = lefts[depth];
                }
                if (!left) break;
                move = __ffs(left) - 1;  // go ahead
                lefts[depth] = left & (left - 1);
                if (!depth || last_move != move) ++slides;
                moves[depth++] = last_move = move;
                const int to = beside[blank * 4 + move], tile = board[to];
                for (int side = 0; side < sides; ++side) index[side] += changes[(side * cells + tile) * 4 + move];
                board[blank] = tile;
                board[to] = 0;
                blank = to;
                if (entered < budget || depth < target) continue;
                outcome = PAUSED;
            }
            for (int level = 0; level < depth; ++level) path[i64(item) * room + level] = moves[level];
            length[item] = depth;
            break;
        }
        status[item] = outcome;
        expanded[item] = entered;
        generated[item] = made;
        nearest[item] = least;
    }
}
