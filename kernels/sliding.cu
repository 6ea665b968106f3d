// sliding.cu: sliding tiles: pattern databases that say which steps lead away from the goal, IDA*
// with them, and a beam.
//
// The idea. A pattern database holds, for k tiles, the least number of moves of these tiles that bring them to their
// goal cells, for each placement of the tiles and each region of the blank: their height. A step of one of the tiles
// changes the height by exactly 1, up or down. So a search that knows the height of its start needs only one bit per
// step, and a node needs one word per set of tiles: the bits of all steps that its tiles can make. From these it knows
// the heights of all children before it makes any. It makes only children within the bound, and each of them reads two
// words: those of the set whose tile has moved, in the position as it is and in its reflection.
//
//     spread, settle    one level of breadth-first search from the goal, a row of k! bits at a time
//     unfold            the bits of all steps, from the levels
//     measure           the heights of a batch of boards, by walking down to the goal in each database
//     search            depth-first search below a bound, a batch of paths
//     rank, take        a beam: the key of every move of a batch of states, and the states that moves lead to
//
// The rows of the breadth-first search. The cells of the k tiles are a map; `low` and `high` add up to its number. Each
// region of the blank that a map leaves has a row: rows[map][cell]. The order in which the tiles lie on the map, as a
// rank, is the index of a bit in the row. That bit is bit 1 of the height; bit 0 follows from the cells of the tiles. A
// tile that moves along a column passes others on the map: turns[i * k + j][order] is the order after the tile in the
// map's cell i has moved to the map's cell j.
//
// The steps that go up, one word for each placement of the tiles (tile 0 in cell c0, tile 1 in c1 ..., up to 8 tiles):
//
//     steps[c0 + c1 * cells + c2 * cells^2 ...]    | tile 7: R L D U | ... | tile 1: R L D U | tile 0: R L D U |
//                                                    31           28         7             4   3             0
//
// So a step changes the index by a constant. In a dense database of up to 16 cells this position has four bits for each
// tile instead, and there is a word only for each placement that exists. The number of one is looked up for the first four
// tiles, heads[position & 65535] = | number | cells as bits |, and each further tile counts the cells that are free below
// it; places[side] = | where its heads begin | their bits | cells that are free for tile 4, 5, 6, 7 |, 1 for tiles that it
// does not have.
//
// A side is a look-up: a set of tiles in its database, in one of two views,
// the position as it is, and reflected or in a second partition. A position has up to 16 sides, eight in each view. For
// a tile and a move of the blank, `looks` holds the side in each view and the bit in its word, and `changes` what the
// step adds to the indices:
//
//     looks[tile][move]     | bit in view 2 | bit in view 1 | side in view 2 | side in view 1 |
//                             31         24   23         16   15           8   7            0
//
// beside[cell][move] is the cell itself at the edge. Moves are those of the blank, U D L R; tiles
// step the opposite way.

#include "common.cuh"
#include "sliding_planes.cuh"

#define MOST_CELLS 25
#define MOST_TILES 8
#define HEAD_TILES 4
#define TAIL_TILES 4
#define MOST_MOVES 256
#define SIDES 16
#define DONE 0
#define PAUSED 1
#define FOUND 2

#include "sliding_slides.cuh"

// One warp per map: its lanes share the words of each region's row. Only this warp writes the rows of the map. A turned
// order can be in any word, so the bits are set by atomic operations.
extern "C" __global__ void __launch_bounds__(BLOCK) spread(int first, int last, int cells, int tiles, int orders,
        int words, int low_cells, const u8* __restrict__ beside /*[cells][4]*/, const u32* __restrict__ low /*[]*/,
        const u32* __restrict__ high /*[]*/, const u32* __restrict__ masks /*[last]*/,
        const u32* __restrict__ rows /*[last][cells]*/, const u16* __restrict__ turns /*[tiles * tiles][orders]*/,
        const u8* __restrict__ active /*[]*/, const u32* __restrict__ frontier /*[][words]*/,
        u32* __restrict__ reached /*[][words] changed*/) {
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
                const u32 source =
                    rows[i64(low[other & ((1u << low_cells) - 1)] + high[other >> low_cells]) * cells + tile_cell];
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

// One thread per row: the entries that were reached for the first time become the frontier.
extern "C" __global__ void __launch_bounds__(BLOCK) settle(int first, int last, int words, bool odd,
        u8* __restrict__ active /*[last]*/, u32* __restrict__ frontier /*[last][words]*/,
        u32* __restrict__ reached /*[last][words] changed*/, u32* __restrict__ visited /*[last][words] changed*/,
        u32* __restrict__ bits /*[last][words] changed*/, int* __restrict__ counts /*[last]*/) {
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

// One warp per map: its lanes share the orders. A placement of the tiles belongs to one map and one order, so no two
// threads write the same word. A map costs k! * (k + steps) reads.
extern "C" __global__ void __launch_bounds__(BLOCK, 3) unfold(int first, int last, int cells, int tiles, int orders,
        int words, int low_cells, int columns, int odd, const u8* __restrict__ beside /*[cells][4]*/,
        const u32* __restrict__ low /*[]*/, const u32* __restrict__ high /*[]*/,
        const u32* __restrict__ masks /*[last]*/, const u32* __restrict__ rows /*[last][cells]*/,
        const u16* __restrict__ turns /*[tiles * tiles][orders]*/, const u8* __restrict__ at_place /*[orders][tiles]*/,
        const i64* __restrict__ weights /*[tiles]*/, const i64* __restrict__ less /*[orders]*/,
        const u32* __restrict__ bits /*[][words]*/, u32* __restrict__ steps /*[] changed*/) {
    const u32 lane = threadIdx.x % WARP;
    EACH_ITEM(number, WARP) {
        const u32 mask = masks[number];
        u32 parity = odd;
        for (int cell = 0; cell < cells; ++cell)
            if (mask >> cell & 1) parity ^= (cell / columns + cell % columns) & 1;
        for (int order = lane; order < orders; order += WARP) {
            i64 to = -less[order];
            u32 found = 0;
            for (int cell = 0, i = 0; cell < cells; ++cell) {
                if (!(mask >> cell & 1)) continue;
                const int tile = at_place[order * tiles + i];
                to += cell * weights[tile];
                for (int move = 0; move < 4; ++move) {
                    const int blank = beside[cell * 4 + move];
                    if (mask >> blank & 1) continue;  // a tile, or the edge
                    const u32 other = mask ^ (1u << cell | 1u << blank);
                    const u32* here = bits + i64(rows[i64(number) * cells + blank]) * words;
                    const u32 row =
                        rows[i64(low[other & ((1u << low_cells) - 1)] + high[other >> low_cells]) * cells + cell];
                    const int j = __popc(other & ((1u << blank) - 1));
                    const u32 after = turns[(i * tiles + j) * orders + order];
                    // If the height is even, both bits are equal when it goes up; if it is odd, they differ.
                    const u32 up =
                        here[order >> 5] >> (order & 31) ^ bits[i64(row) * words + (after >> 5)] >> (after & 31);
                    found |= ((up ^ parity ^ 1) & 1) << (4 * tile + move);
                }
                ++i;
            }
            steps[to] = found;
        }
    }
}

// Return the index of a placement in `steps`.
__device__ static i64 placed(const u8* where, int tiles, int cells, bool dense, i64 base) {
    i64 index = 0;
    if (dense)
        for (int item = 0; item < tiles; ++item) {
            int cell = where[item];
            for (int other = 0; other < item; ++other) cell -= where[other] < where[item];
            index = index * (cells - item) + cell;
        }
    else
        for (int item = tiles - 1; item >= 0; --item) index = index * cells + where[item];
    return base + index;
}

// One thread per board. goals[side] has, as bits, the cells in which each tile can be in the goal, then that of the blank.
extern "C" __global__ void __launch_bounds__(BLOCK, 3) measure(int first, int last, int cells, int sides, bool dense,
        const u8* __restrict__ boards /*[last][cells]*/, const u8* __restrict__ beside /*[cells][4]*/,
        const u8* __restrict__ place /*[sides][cells]*/, const u8* __restrict__ item_of /*[sides][cells]*/,
        const u32* __restrict__ goals /*[sides][9]*/, const i64* __restrict__ bases /*[sides]*/,
        const u32* __restrict__ steps /*[]*/, int* __restrict__ heights /*[last][sides]*/,
        i64* __restrict__ at /*[last][sides]*/) {
    EACH_ITEM(number, 1) {
        for (int side = 0; side < sides; ++side) {
            const u32* goal = goals + side * 9;
            u8 where[MOST_TILES];
            u32 mask = 0, blank = 0;
            int tiles = 0;
            for (int cell = 0; cell < cells; ++cell) {
                const int tile = boards[i64(number) * cells + cell], there = place[side * cells + cell];
                const int item = item_of[side * cells + tile];
                if (tile == 0) blank = there;
                else if (item < MOST_TILES) {
                    where[item] = there;
                    mask |= 1u << there;
                    ++tiles;
                }
            }
            i64 position = 0;
            for (int item = 0; item < tiles; ++item) position |= i64(where[item]) << 4 * item;
            at[i64(number) * sides + side] =
                dense ? position : placed(where, tiles, cells, dense, bases[side]);
            int height = 0;
            for (;; ++height) {
                u32 region = 1u << blank, grown = 0;  // the cells that the blank can reach
                for (;; region = grown) {
                    grown = region;
                    for (int cell = 0; cell < cells; ++cell)
                        if (region >> cell & 1)
                            for (int move = 0; move < 4; ++move) grown |= 1u << beside[cell * 4 + move];
                    grown &= ~mask;
                    if (grown == region) break;
                }
                bool home = region & goal[tiles], down = false;
                for (int item = 0; item < tiles; ++item) home &= goal[item] >> where[item] & 1;
                if (home) break;
                const u32 up = steps[placed(where, tiles, cells, dense, bases[side])];
                #pragma unroll 1
                for (int item = 0; item < tiles && !down; ++item) {
                    #pragma unroll 1
                    for (int move = 0; move < 4 && !down; ++move) {
                        const int from = where[item], to = beside[from * 4 + move];
                        if (!(region >> to & 1) || up >> (4 * item + move) & 1) continue;
                        down = true;
                        blank = from;
                        mask ^= 1u << from | 1u << to;
                        where[item] = to;
                    }
                }
                if (!down || height == MOST_MOVES - 2) {  // not the steps of a database: forged ones can go in circles
                    height = -1;
                    break;
                }
            }
            heights[i64(number) * sides + side] = height;
        }
    }
}

// Return the index in `steps` of a side's position: the position itself, or in a dense database its number.
__device__ static i64 step_index(i64 position, u32 side, bool dense, const u32* heads, const int* places,
        const i64* bases) {
    if (!dense) return position;
    const int* place = places + side * (2 + TAIL_TILES);
    const u32 head = heads[place[0] + (u32(position) & u32(place[1]))];
    u32 number = head >> 16, mask = head & 0xffff;
    #pragma unroll
    for (int item = 0; item < TAIL_TILES; ++item) {
        const u32 cell = u32(position) >> 4 * (HEAD_TILES + item) & 15;
        number = number * place[2 + item] + cell - __popc(mask & ((1u << cell) - 1));
        mask |= 1u << cell;
    }
    return bases[side] + number;
}

// One thread per item: a path from the start. The search enters the node at the end of the path, then the nodes after
// it in depth-first order, with moves in the order U D L R, but it never takes back the first `fixed` moves. A node is
// within the bound if pace * moves + weight * height <= bound in both views, and is expanded when it is entered with a
// height above 0. After `budget` expanded nodes the search stops before the next node and writes the path to it
// (PAUSED). At a goal it does the same (FOUND). If `skip` is set, the node at the end of the path has been expanded
// before. Nodes on the path with fewer than `counted` moves are not counted. A node after MOST_MOVES - 1 moves has no
// children, because a checkpoint has a byte for the length of a path. No path within the bound, and none that is given,
// has more than `room` moves. `nearest` is the least weight * height of the nodes that were entered, or the bound if
// there were none.
//
// The news of a node is one word: how far the node is within the bound in each view, its slacks (negative: beyond), and
// the state of the automaton of forbidden strings with the moves that it allows:
//
//     | state | moves allowed | slack of view 2 | slack of view 1 | move that led here |
//      63   36 35           32 31             17 16              2 1                  0
//
// Each turn of the loop has these parts:
//
//     enter      which moves of the blank does the automaton allow, and which are within the bound in both views? It is
//                two bits of two words that the thread has already; no step is read     -> frame, made, entered
//     follow     on the way to the end of the path: leave only the path's move and, unless it is fixed, the moves
//                after it
//     go back    while no move is left: undo the last move from the stack            -> index, words, slacks, board
//     go ahead   take the lowest move that is left: push it, and read the two words that it changes (64 bytes)
//     judge      at the goal: FOUND. Budget spent: PAUSED. Both write the path. Otherwise enter the new node
//
// automaton[4 * state + move] is the upper half of the word after a move. A thread has the board, and the index and the
// word of each side, in its column of shared memory, 156 bytes, where the lanes of a warp can all read at once, whatever
// rows they read. Its stack, one of `stacks`, has for each node on the path the words that the move from it has changed,
// the upper half of its news, and 14 bits, together 16 bytes in a row:
//
//     | move taken | up in view 2, by move | up in view 1 | moves left | upper half of news | word of view 2 | of view 1 |
//      109      108 107                 104 103        100 99       96 95                64 63            32 31         0
//
// An expanded node costs two reads of 32 bytes in the databases, one in the automaton, and two accesses to the stack.
extern "C" __global__ void __launch_bounds__(BLOCK, 5) search(int first, int last, int bound, int pace, int weight,
        i64 budget, bool dense, int cells, int n_sides, const u8* __restrict__ start /*[cells]*/,
        const i64* __restrict__ at /*[n_sides]*/, u64 news, const u8* __restrict__ beside /*[cells][4]*/,
        const u32* __restrict__ looks /*[cells][4]*/, const i64* __restrict__ changes /*[cells][4][2]*/,
        const u32* __restrict__ steps /*[]*/, const u32* __restrict__ heads /*[]*/,
        const int* __restrict__ places /*[n_sides][6]*/, const i64* __restrict__ bases /*[n_sides]*/,
        const u32* __restrict__ automaton /*[]*/, int room, u8* __restrict__ path /*[last][room] changed*/,
        const int* __restrict__ fixed /*[last]*/,
        const int* __restrict__ counted /*[last]*/, int* __restrict__ length /*[last] changed*/,
        const u8* __restrict__ skip /*[last]*/, int* __restrict__ status /*[last]*/,
        i64* __restrict__ expanded /*[last]*/, i64* __restrict__ generated /*[last]*/,
        int* __restrict__ nearest /*[last]*/, u64* __restrict__ stacks /*[last][room][2]*/) {
    __shared__ u32 index_of[SIDES][BLOCK], words_of[SIDES][BLOCK], tiles_of[(MOST_CELLS + 3) / 4][BLOCK];
    __shared__ u32 near_of[MOST_CELLS], looks_of[MOST_CELLS * 4], changes_of[MOST_CELLS * 4 * 2];
    const u32 thread = threadIdx.x;
    for (int i = thread; i < cells * 4; i += BLOCK) {
        looks_of[i] = looks[i];
        changes_of[2 * i] = changes[2 * i];  // an index is below 2^31, so 32 bits of each sum are enough
        changes_of[2 * i + 1] = changes[2 * i + 1];
        if (i < cells) near_of[i] = reinterpret_cast<const u32*>(beside)[i];  // the four neighbours of a cell
    }
    __syncthreads();
    u8* tiles = reinterpret_cast<u8*>(tiles_of) + 4 * thread;  // four cells in a word, and those of the threads in a row
    const auto tile_in = [&](int cell) -> u8& { return tiles[(cell & ~3) * BLOCK + (cell & 3)]; };
    EACH_ITEM(item, 1) {
        ulonglong2* stack = reinterpret_cast<ulonglong2*>(stacks) + i64(item) * room;
        const int floor = fixed[item];
        int target = length[item], from = counted[item];  // both are 0 once the search has arrived
        int depth = 0, blank = 0, slack = news >> 2 & 0x7fff, slack_2 = news >> 17 & 0x7fff;
        int outcome = DONE, least = bound;
        u32 follow = u32(news >> 32);
        i64 entered = 0, made = 0;
        for (int side = 0; side < n_sides; ++side) {
            index_of[side][thread] = at[side];
            words_of[side][thread] = steps[step_index(at[side], side, dense, heads, places, bases)];
        }
        for (int cell = 0; cell < cells; ++cell)
            if (!(tile_in(cell) = start[cell])) blank = cell;
        for (;;) {
            u32 frame = 0;
            const u32 near = near_of[blank];
            const bool arrives = depth == target, on_the_way = depth < target;
            if (!arrives || !skip[item]) {
                #pragma unroll
                for (int move = 0; move < 4; ++move) {
                    const int to = near >> 8 * move & 255;
                    if (to == blank || !(follow >> move & 1)) continue;
                    const u32 look = looks_of[tile_in(to) * 4 + move];
                    const u32 up = words_of[look & 15][thread] >> (look >> 16 & 31) & 1,
                              up_2 = words_of[look >> 8 & 15][thread] >> (look >> 24) & 1;
                    const int gain = weight - pace;
                    if (slack + gain >= int(2 * weight * up) && slack_2 + gain >= int(2 * weight * up_2))
                        frame |= 1u << move | up << 4 + move | up_2 << 8 + move;
                    if (depth >= from) ++made;
                }
                if (depth >= from) ++entered;
            }
            if (depth == MOST_MOVES - 1) frame = 0;  // the path has no room for another move
            if (arrives) target = from = 0;
            if (on_the_way) {
                const int move = path[i64(item) * room + depth];
                if (!(frame >> move & 1)) break;
                frame &= depth < floor ? ~15u | 1u << move : ~((1u << move) - 1);
            }
            while (!(frame & 15) && depth > floor) {  // go back
                const ulonglong2 node = stack[--depth];
                follow = node.y, frame = node.y >> 32;
                const int move = frame >> 12, was = near_of[blank] >> 8 * (move ^ 1) & 255, tile = tile_in(was),
                          one = tile * 4 + move;
                const u32 side = looks_of[one] & 15, side_2 = looks_of[one] >> 8 & 15;
                index_of[side][thread] -= changes_of[one * 2];
                index_of[side_2][thread] -= changes_of[one * 2 + 1];
                words_of[side][thread] = node.x;
                words_of[side_2][thread] = node.x >> 32;
                slack += pace - weight + 2 * weight * int(frame >> 4 + move & 1);
                slack_2 += pace - weight + 2 * weight * int(frame >> 8 + move & 1);
                tile_in(blank) = tile;
                tile_in(was) = 0;
                blank = was;
            }
            if (!(frame & 15)) break;
            const int move = __ffs(frame & 15) - 1, to = near_of[blank] >> 8 * move & 255, tile = tile_in(to),
                      one = tile * 4 + move;
            const u32 side = looks_of[one] & 15, side_2 = looks_of[one] >> 8 & 15;
            const u32 taken = (frame & 0xfff & ~(1u << move)) | move << 12;
            stack[depth++] = make_ulonglong2(words_of[side][thread] | u64(words_of[side_2][thread]) << 32,
                                             follow | u64(taken) << 32);
            const u32 index = index_of[side][thread] + changes_of[one * 2],
                      index_2 = index_of[side_2][thread] + changes_of[one * 2 + 1];
            index_of[side][thread] = index;
            index_of[side_2][thread] = index_2;
            words_of[side][thread] = steps[step_index(index, side, dense, heads, places, bases)];
            words_of[side_2][thread] = steps[step_index(index_2, side_2, dense, heads, places, bases)];
            slack += weight - pace - 2 * weight * int(frame >> 4 + move & 1);
            slack_2 += weight - pace - 2 * weight * int(frame >> 8 + move & 1);
            follow = automaton[(follow >> 4) * 4 + move];
            tile_in(blank) = tile;
            tile_in(to) = 0;
            blank = to;
            const int ahead = bound - pace * depth - slack;  // the height times its weight
            const bool solved = ahead == 0 && !(skip[item] && depth == target);
            least = min(least, ahead);
            if (!solved && (entered < budget || depth < target)) continue;
            outcome = solved ? FOUND : PAUSED;
            for (int level = 0; level < depth; ++level) path[i64(item) * room + level] = stack[level].y >> 44;
            length[item] = depth;
            break;
        }
        status[item] = outcome;
        expanded[item] = entered;
        generated[item] = made;
        nearest[item] = least;
    }
}

// The beam. The tiles are divided into sets of up to four, and a small pattern database holds, for each placement of a
// set, the least number of its moves to the goal cells. The sum over the sets is a height: no solution is shorter. A
// board is divided into sets in several ways, its views. The rank of a state is the sum of its heights in all views,
// because that tells more boards apart than one of them; the height in view 1 prunes. A move changes the height of one
// set in each view, which takes two reads in each.
//
// A state is a column of 64-bit words: the tiles as bytes, cell by cell, eight in a word; then one
// word about the state:
//
//     | moves made | move that led here | blank | height in view 1 | rank |
//      63        37 36                34 33   28 27              18 17   0
//
// The move is 4 in the first state. Moves are those of the blank, U D L R. side_of[view][tile] is the tile's set, and
// members[side] its tiles, in the order of the table's index; place[side] turns and reflects the cells of the board
// into those of the table, which starts at bases[side] and may serve several sets:
//
//     heights[bases[side] + place of member 0 + place of member 1 * cells + place of member 2 * cells^2 ...]
//
// An item costs about 2 * cells bytes for the cells of the tiles, and 2 reads of heights for each move and view.

#define BEAM_CELLS 49
#define SLOTS 4
#define NO_TILE 255
#define HEIGHT_BIT 18
#define BLANK_BIT 28
#define MOVE_BIT 34
#define MADE_BIT 37
#define MOST_KEY 65535
#define NOISE_LEVELS 2

// The cell of each tile of a state.
struct Cells {
    u8 of[BEAM_CELLS];
    __device__ Cells(const u64* states, int capacity, int cells, i64 state) {
        for (int cell = 0; cell < cells; ++cell)
            of[states[i64(cell >> 3) * capacity + state] >> (8 * (cell & 7)) & 255] = cell;
    }
};

// The word of a state after a tile has moved to the cell of the blank: its rank and height only.
__device__ __forceinline__ u64 ranked(const Cells& where, u64 about, int tile, int blank, int cells, int views,
        const u8* side_of, const u8* members, const u8* place, const i64* bases, const u8* heights) {
    int change = 0, first = 0;
    for (int view = 0; view < views; ++view) {
        const int side = side_of[view * cells + tile];
        i64 index = bases[side], power = 1, step = 0;
        for (int slot = 0; slot < SLOTS; ++slot, power *= cells) {
            const int member = members[side * SLOTS + slot];
            if (member == NO_TILE) break;
            const int there = place[side * cells + where.of[member]];
            index += there * power;
            if (member == tile) step = (place[side * cells + blank] - there) * power;
        }
        const int rise = int(heights[index + step]) - int(heights[index]);
        change += rise;
        if (view == 0) first = rise;
    }
    const int rank = int(about & ((1 << HEIGHT_BIT) - 1)) + change;
    const int height = int(about >> HEIGHT_BIT & ((1 << (BLANK_BIT - HEIGHT_BIT)) - 1)) + first;
    return u64(height) << HEIGHT_BIT | u64(rank);
}

// One thread per state. A key is 0 for a move that is illegal, undoes the last one, or leads to a
// state whose moves made and height exceed `bound`; otherwise it is the larger, the smaller the
// rank. With a salt, ties are broken at random.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) rank(int first, int last,
        const u64* __restrict__ states /*[words][capacity]*/, int capacity, int start, int words, int cells, int views,
        const u8* __restrict__ beside /*[cells][4]*/, const u8* __restrict__ side_of /*[views][cells]*/,
        const u8* __restrict__ members /*[][SLOTS]*/, const u8* __restrict__ place /*[][cells]*/,
        const i64* __restrict__ bases /*[]*/, const u8* __restrict__ heights /*[]*/, int bound, u32 salt,
        u16* __restrict__ keys /*[last][4]*/) {
    EACH_ITEM(item, 1) {
        const i64 state = i64(start) + item;
        const u64 about = states[i64(words - 1) * capacity + state];
        const Cells where(states, capacity, cells, state);
        const int blank = int(about >> BLANK_BIT & 63), came = int(about >> MOVE_BIT & 7),
                  made = int(about >> MADE_BIT);
        for (int move = 0; move < 4; ++move) {
            const int cell = beside[blank * 4 + move];
            int key = 0;
            if (cell != blank && move != (came ^ 1)) {
                const int tile = states[i64(cell >> 3) * capacity + state] >> (8 * (cell & 7)) & 255;
                const u64 after = ranked(where, about, tile, blank, cells, views, side_of, members, place, bases,
                    heights);
                u32 noise = 0;
                if (salt) noise = (((u32(state) * 4 + move) * 0x9E3779B1u ^ salt) * 0x85EBCA6Bu) >> 31;
                if (made + 1 + int(after >> HEIGHT_BIT) <= bound)
                    key = max(1, MOST_KEY - NOISE_LEVELS * int(after & ((1 << HEIGHT_BIT) - 1)) - int(noise));
            }
            keys[item * 4 + move] = key;
        }
    }
}

// One thread per new state.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) take(int first, int last,
        const u64* __restrict__ states /*[words][capacity]*/, int capacity, int words, int cells, int views,
        const u8* __restrict__ beside /*[cells][4]*/, const u8* __restrict__ side_of /*[views][cells]*/,
        const u8* __restrict__ members /*[][SLOTS]*/, const u8* __restrict__ place /*[][cells]*/,
        const i64* __restrict__ bases /*[]*/, const u8* __restrict__ heights /*[]*/,
        const int* __restrict__ parents /*[last]*/, const u16* __restrict__ moves /*[last]*/,
        u64* __restrict__ out /*[words][out_capacity]*/, int out_capacity) {
    EACH_ITEM(item, 1) {
        const i64 state = parents[item];
        const u64 about = states[i64(words - 1) * capacity + state];
        const Cells where(states, capacity, cells, state);
        const int blank = int(about >> BLANK_BIT & 63), cell = beside[blank * 4 + moves[item]];
        const u64 tile = states[i64(cell >> 3) * capacity + state] >> (8 * (cell & 7)) & 255;
        const u64 after = ((about >> MADE_BIT) + 1) << MADE_BIT | u64(moves[item]) << MOVE_BIT |
                          u64(cell) << BLANK_BIT |
                          ranked(where, about, int(tile), blank, cells, views, side_of, members, place, bases, heights);
        for (int word = 0; word < words - 1; ++word) {
            u64 packed = states[i64(word) * capacity + state];
            if (word == cell >> 3) packed ^= tile << (8 * (cell & 7));
            if (word == blank >> 3) packed ^= tile << (8 * (blank & 7));
            out[i64(word) * out_capacity + item] = packed;
        }
        out[i64(words - 1) * out_capacity + item] = after;
    }
}
