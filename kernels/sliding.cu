// sliding.cu: sliding tiles: pattern databases with a bit for an entry, and IDA* with them.
//
// The idea. A pattern database holds, for k tiles, the fewest moves of those tiles that bring them home, for each place of
// the tiles and each region of the blank. A move changes this height by exactly 1, up or down, so a search that knows the
// height of a node needs one bit to know a child's: bit 1 of the height, which differs between h - 1 and h + 1. So the two
// tables of the 24-puzzle's 6-6-6-6 partition take 48 MB, which lie in the second-level cache.
//
//     spread, settle    one level of breadth-first search from the goal, a row of k! bits at a time
//     measure           whole heights of a batch of boards, by walking down to the goal in each table
//     search            depth-first search below a bound, a batch of prefixes
//
// The index. The cells of the k tiles are a map; `low` and `high` add up to its number. The regions of the blank that a map
// leaves have a row each; the order in which the tiles lie on the map, as a rank, is the bit in the row:
//
//     about[map]   | first row of the runs, less that of the group of 1024 maps | runs begin here | largest region |
//                   63                                                       50  49            25  24            0
//     row          map number in the largest region, else groups[map / 1024] + bits 50.. + how many runs begin up to here
//
// A tile that moves along a column passes others on the map: turns[i * k + j][order] is the order after the tile in the
// map's cell i has become that in cell j.
//
// A side is a set of tiles looked up in a table, seen straight or reflected; a position has up to 16, eight of each view.
// Where the tiles of a side lie is one word:     | height mod 4 | - | order | - | map's cells |
//                                                  63         62     47   32      24         0
// `shapes` of a side: what to add for low, high, turns; k * k!, k!, bits of a row, the table's first bit, k.
// `steps` of a side, a cell of the blank and a move: the two cells as bits, the cells before the tile's, those before the
// blank's, the tile's cell: all as the table sees the board. beside[cell][move] is the cell itself at the edge.

#include "common.cuh"

#define LOW 0
#define HIGH 1
#define TURNS 2
#define TILES_ORDERS 3
#define ORDERS 4
#define ROW_BITS 5
#define BASE 6
#define TILES 7
#define SHAPE 8
#define CELL_BITS 25
#define HEIGHT 62
#define GROUP_BITS 10
#define MOST_CELLS 25
#define MOST_MOVES 256
#define SIDES 16
#define DONE 0
#define PAUSED 1
#define FOUND 2

// One warp per map: of each region's row, the lanes share the words. Rows of a map are written by its warp alone; a turned
// order may fall into any word, so the bits are set by atomics.
extern "C" __global__ void __launch_bounds__(BLOCK) spread(int first, int last, int cells, int tiles, int orders, int words,
        int low_cells, const u8* __restrict__ beside /*[cells][4]*/, const u32* __restrict__ low /*[]*/,
        const u32* __restrict__ high /*[]*/, const u32* __restrict__ masks /*[last]*/,
        const u32* __restrict__ rows /*[last][cells]*/, const u16* __restrict__ turns /*[tiles * tiles][orders]*/,
        const u8* __restrict__ active /*[]*/, const u32* __restrict__ frontier /*[][words]*/,
        u32* __restrict__ reached /*[][words]*/) {
    const u32 lane = threadIdx.x % WARP;
    EACH_ITEM(number, WARP) {
        const u32 mask = masks[number];
        for (int tile_cell = 0; tile_cell < cells; ++tile_cell) {
            if (!(mask >> tile_cell & 1)) continue;
            const int i = __popc(mask & ((1u << tile_cell) - 1));
            for (int move = 0; move < 4; ++move) {
                const int blank = beside[tile_cell * 4 + move];
                if (mask >> blank & 1) continue;  // a tile, or the edge
                const u32 other = mask ^ (1u << tile_cell | 1u << blank);
                const u32 source = rows[i64(low[other & ((1u << low_cells) - 1)] + high[other >> low_cells]) * cells + tile_cell];
                if (!active[source]) continue;
                const u32* old = frontier + i64(source) * words;
                u32* into = reached + i64(rows[i64(number) * cells + blank]) * words;
                const int j = __popc(other & ((1u << blank) - 1));
                const u16* turn = turns + i64(j * tiles + i) * orders;
                for (int word = lane; word < words; word += WARP) {
                    if (i == j) {
                        into[word] |= old[word];
                        continue;
                    }
                    for (u32 left = old[word]; left; left &= left - 1) {
                        const u32 order = turn[word * 32 + __ffs(left) - 1];
                        atomicOr(into + (order >> 5), 1u << (order & 31));
                    }
                }
                __syncwarp();
            }
        }
    }
}

// One thread per row.
extern "C" __global__ void __launch_bounds__(BLOCK) settle(int first, int last, int words, bool odd,
        u8* __restrict__ active /*[last]*/, u32* __restrict__ frontier /*[last][words]*/,
        u32* __restrict__ reached /*[last][words]*/, u32* __restrict__ visited /*[last][words]*/,
        u32* __restrict__ bits /*[last][words]*/, int* __restrict__ counts /*[last]*/) {
    EACH_ITEM(row, 1) {
        int count = 0;
        for (int word = 0; word < words; ++word) {
            const i64 at = i64(row) * words + word;
            const u32 fresh = reached[at] & ~visited[at];
            frontier[at] = fresh;
            reached[at] = 0;
            visited[at] |= fresh;
            if (odd) bits[at] |= fresh;
            count += __popc(fresh);
        }
        counts[row] = count;
        active[row] = count > 0;
    }
}

// The row of the region that `blank` is in.
__device__ __forceinline__ u64 row_of(u64 mask, u32 blank, const u64* about, const u32* groups, const u64* shape, int low_cells,
                      const u32* low, const u32* high) {
    const u64 number = low[shape[LOW] + (mask & ((1u << low_cells) - 1))] + high[shape[HIGH] + (mask >> low_cells)];
    const u64 one = about[number];
    if (one >> blank & 1) return number;
    return __popc(u32(one >> CELL_BITS) & ((2u << blank) - 1)) + (one >> 2 * CELL_BITS) + groups[number >> GROUP_BITS];
}

// The entry of a row and an order: bit 1 of the height.
__device__ __forceinline__ u32 entry_of(const u32* bits, u64 row, u64 order, const u64* shape) {
    const u64 index = shape[BASE] + row * shape[ROW_BITS] + order;
    return bits[index >> 5] >> (index & 31) & 1;
}

// One thread per board.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) measure(int first, int last, int cells, int columns, int sides,
        int low_cells, const u8* __restrict__ boards /*[last][cells]*/, const u8* __restrict__ beside /*[cells][4]*/,
        const u8* __restrict__ place /*[sides][cells]*/, const u8* __restrict__ item_of /*[sides][cells]*/,
        const u8* __restrict__ goals /*[sides][9]*/, const u64* __restrict__ shapes /*[sides][SHAPE]*/,
        const u32* __restrict__ low /*[]*/, const u32* __restrict__ high /*[]*/, const u64* __restrict__ about /*[]*/,
        const u32* __restrict__ groups /*[]*/, const u16* __restrict__ turns /*[]*/, const u32* __restrict__ bits /*[]*/,
        int* __restrict__ heights /*[last][sides]*/, u64* __restrict__ words /*[last][sides]*/) {
    EACH_ITEM(number, 1) {
        for (int side = 0; side < sides; ++side) {
            const u64* shape = shapes + side * SHAPE;
            const int tiles = int(shape[TILES]);
            const u8* goal = goals + side * 9;
            signed char found[MOST_CELLS];
            for (int cell = 0; cell < cells; ++cell) found[cell] = -1;
            u32 blank = 0, goal_mask = 0;
            int parity = 0;
            for (int cell = 0; cell < cells; ++cell) {
                const int tile = boards[i64(number) * cells + cell], there = place[side * cells + cell];
                const int item = item_of[side * cells + tile];
                if (tile == 0) blank = there;
                else if (item < tiles) {
                    found[there] = item;
                    parity += there / columns + goal[item] / columns + there % columns + goal[item] % columns;
                }
            }
            u64 mask = 0, order = 0;
            for (int cell = 0, items = 0; cell < cells; ++cell) {
                if (found[cell] < 0) continue;
                int smaller = 0;
                for (int later = cell + 1; later < cells; ++later) smaller += 0 <= found[later] && found[later] < found[cell];
                mask |= u64(1) << cell;
                order = order * (tiles - items++) + smaller;
            }
            for (int item = 0; item < tiles; ++item) goal_mask |= 1u << goal[item];
            const u64 row = row_of(mask, blank, about, groups, shape, low_cells, low, high);
            u32 rest = entry_of(bits, row, order, shape) << 1 | (parity & 1);
            u64 word = order << 32 | mask;
            int height = 0;
            for (;; ++height) {
                u32 region = 1u << blank, grown = 0;  // what the blank reaches
                for (;; region = grown) {
                    grown = region;
                    for (int cell = 0; cell < cells; ++cell)
                        if (region >> cell & 1)
                            for (int move = 0; move < 4; ++move) grown |= 1u << beside[cell * 4 + move];
                    grown &= ~u32(mask);
                    if (grown == region) break;
                }
                if (mask == goal_mask && order == 0 && region >> goal[tiles] & 1) break;
                rest = (rest - 1) & 3;
                bool down = false;
                #pragma unroll 1
                for (int cell = 0; cell < cells && !down; ++cell) {
                    if (!(mask >> cell & 1)) continue;
                    #pragma unroll 1
                    for (int move = 0; move < 4 && !down; ++move) {
                        const u32 a = 1u << cell, b = 1u << beside[cell * 4 + move];
                        if (!(region & b)) continue;
                        const u64 other = mask ^ (a | b);
                        const u64 i = __popc(u32(mask) & (a - 1)), j = __popc(u32(other) & (b - 1));
                        const u64 turned = turns[shape[TURNS] + i * shape[TILES_ORDERS] + j * shape[ORDERS] + order];
                        const u64 there = row_of(other, cell, about, groups, shape, low_cells, low, high);
                        if (entry_of(bits, there, turned, shape) != rest >> 1) continue;
                        mask = other, order = turned, blank = cell, down = true;
                    }
                }
                if (!down) {  // no table of ours
                    height = -1;
                    break;
                }
            }
            heights[i64(number) * sides + side] = height;
            words[i64(number) * sides + side] = word | u64(height & 3) << HEIGHT;
        }
    }
}

// Map and order of a side after `step`, a row of `steps`; the height is as before.
__device__ __forceinline__ u64 turned(u64 word, uint4 step, const u64* shape, const u16* turns) {
    const u32 mask = u32(word), other = mask ^ step.x;
    const u64 i = __popc(mask & step.y), j = __popc(other & step.z);
    const u64 order = turns[shape[TURNS] + i * shape[TILES_ORDERS] + j * shape[ORDERS] + (word >> 32 & 0xffff)];
    return word >> HEIGHT << HEIGHT | order << 32 | other;
}

// The word with the height 1 higher (up = 1) or lower (up = 0).
__device__ __forceinline__ u64 raised(u64 word, u32 up) { return word + (u64(2 * up) - 1 << HEIGHT); }

// One thread per item: a path from the start. The search enters the node at its end, then all that follow it in depth-first
// order, moves in the order U D L R, but nothing that leaves the path's first `fixed` moves. A node is within the bound if
// pace * moves + weight * height <= bound in both views, and is expanded when it is entered with a height above 0. After
// `budget` expanded nodes the search stops before the next one, whose path it leaves (PAUSED), as it does at a goal
// (FOUND). `skip`: the node at the end of the path has been expanded before. Nodes on the
// path that are less than `counted` moves deep are not counted.
// `nearest`: the least weight * height of a node entered on the way, the bound if there is none.
//
// The news of a node, one word: how far it is within the bound in each view, its slacks (below 0 it is beyond), and what
// follows from the automaton of forbidden strings of moves:
//
//     | state | moves allowed | slack of view 2 | slack of view 1 | move that led here |
//      63   36 35           32 31             17 16              2 1                  0
//
//
// automaton[4 * state + move] is what follows: the upper two. A thread keeps the board, the words of the sides and, for
// each node on its path, what follows and 14 bits: | move taken | up in view 2, by move | in view 1 | moves left to try |.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) search(int first, int last, int bound, int pace, int weight,
        i64 budget, int cells, int n_sides, int low_cells, const u8* __restrict__ start /*[cells]*/, const u64* __restrict__ words /*[n_sides]*/, u64 news,
        const u8* __restrict__ beside /*[cells][4]*/, const u8* __restrict__ side_of /*[cells]*/,
        const uint4* __restrict__ steps /*[][32][4][4]*/, const u64* __restrict__ shapes /*[][SHAPE]*/,
        const u32* __restrict__ low /*[]*/, const u32* __restrict__ high /*[]*/, const u64* __restrict__ about /*[]*/,
        const u32* __restrict__ groups /*[]*/, const u16* __restrict__ turns /*[]*/, const u32* __restrict__ bits /*[]*/,
        const u32* __restrict__ automaton /*[]*/, u8* __restrict__ path /*[last][MOST_MOVES]*/,
        const int* __restrict__ fixed /*[last]*/, const int* __restrict__ counted /*[last]*/, int* __restrict__ length /*[last]*/,
        const u8* __restrict__ skip /*[last]*/,
        int* __restrict__ status /*[last]*/, i64* __restrict__ expanded /*[last]*/, i64* __restrict__ generated /*[last]*/,
        int* __restrict__ nearest /*[last]*/) {
    EACH_ITEM(item, 1) {
        u8 board[MOST_CELLS];
        u64 sides[SIDES];
        unsigned short frames[MOST_MOVES];
        u32 follows[MOST_MOVES];
        const int floor = fixed[item];
        int target = length[item], from = counted[item];  // both 0 after the arrival
        int depth = 0, blank = 0, slack = news >> 2 & 0x7fff, slack_2 = news >> 17 & 0x7fff, outcome = DONE, least = bound;
        u32 follow = u32(news >> 32);
        i64 entered = 0, made = 0;
        for (int side = 0; side < n_sides; ++side) sides[side] = words[side];
        for (int cell = 0; cell < cells; ++cell)
            if (!(board[cell] = start[cell])) blank = cell;
        for (;;) {
            u32 frame = 0;
            const bool arrives = depth == target, on_the_way = depth < target;
            if (!arrives || !skip[item]) {
                #pragma unroll 1
                for (int move = 0; move < 4; ++move) {
                    const int to = beside[blank * 4 + move];
                    if (to == blank || !(follow >> move & 1)) continue;
                    u32 up[2];
                    for (int view = 0; view < 2; ++view) {
                        const int side = side_of[board[to]] >> 4 * view & 15;
                        const u64* shape = shapes + side * SHAPE;
                        const uint4 step = steps[(side * 32 + blank) * 4 + move];
                        const u64 word = turned(sides[side], step, shape, turns);
                        const u64 row = row_of(u32(word), step.w, about, groups, shape, low_cells, low, high);
                        // up if bit 1 of the entry is that of the height + 1
                        up[view] = (u32(word >> HEIGHT) + 1 >> 1 ^ entry_of(bits, row, word >> 32 & 0xffff, shape) ^ 1) & 1;
                    }
                    const int gain = weight - pace;
                    if (slack + gain >= int(2 * weight * up[0]) && slack_2 + gain >= int(2 * weight * up[1]))
                        frame |= 1u << move | up[0] << 4 + move | up[1] << 8 + move;
                    if (depth >= from) ++made;
                }
                if (depth >= from) ++entered;
            }
            if (arrives) target = from = 0;
            if (on_the_way) {
                const int move = path[i64(item) * MOST_MOVES + depth];
                if (!(frame >> move & 1)) break;
                frame &= depth < floor ? ~15u | 1u << move : ~((1u << move) - 1);
            }
            while (!(frame & 15) && depth > floor) {  // back
                frame = frames[--depth];
                follow = follows[depth];
                const int move = frame >> 12, was = beside[blank * 4 + (move ^ 1)], tile = board[was];
                const u32 up = frame >> 4 + move & 1, up_2 = frame >> 8 + move & 1;
                for (int view = 0; view < 2; ++view) {
                    const int side = side_of[tile] >> 4 * view & 15;
                    const uint4 step = steps[(side * 32 + blank) * 4 + (move ^ 1)];
                    sides[side] = raised(turned(sides[side], step, shapes + side * SHAPE, turns), 1 - (view ? up_2 : up));
                }
                slack += pace - weight + 2 * weight * up;
                slack_2 += pace - weight + 2 * weight * up_2;
                board[blank] = tile;
                board[was] = 0;
                blank = was;
            }
            if (!(frame & 15)) break;
            const int move = __ffs(frame & 15) - 1, to = beside[blank * 4 + move], tile = board[to];
            const u32 up = frame >> 4 + move & 1, up_2 = frame >> 8 + move & 1;
            frames[depth] = (frame & 0xfff & ~(1u << move)) | move << 12;
            follows[depth++] = follow;
            for (int view = 0; view < 2; ++view) {
                const int side = side_of[tile] >> 4 * view & 15;
                const uint4 step = steps[(side * 32 + blank) * 4 + move];
                sides[side] = raised(turned(sides[side], step, shapes + side * SHAPE, turns), view ? up_2 : up);
            }
            slack += weight - pace - 2 * weight * up;
            slack_2 += weight - pace - 2 * weight * up_2;
            follow = automaton[(follow >> 4) * 4 + move];
            board[blank] = tile;
            board[to] = 0;
            blank = to;
            const int ahead = bound - pace * depth - slack;  // the height, times its weight
            const bool solved = ahead == 0 && !(skip[item] && depth == target);
            least = min(least, ahead);
            if (!solved && (entered < budget || depth < target)) continue;
            outcome = solved ? FOUND : PAUSED;
            for (int level = 0; level < depth; ++level) path[i64(item) * MOST_MOVES + level] = frames[level] >> 12;
            length[item] = depth;
            break;
        }
        status[item] = outcome;
        expanded[item] = entered;
        generated[item] = made;
        nearest[item] = least;
    }
}
