// tetris.cu: placements, features, values and whole games of NES Tetris.
//
// The idea. A board is ten columns of 22 bits: bit r is the cell in row r, row 0 is on top. Inside a kernel the bits
// from 22 on are set, too, and form the floor. Then nearly every operation takes one or two instructions per column:
//   * the top of a column is its lowest bit (__ffs), its holes are `~c & c << 1`, and counting is __popc;
//   * the rows where a piece fits are the OR of four shifted columns, for all rows at once;
//   * falling is one addition: in `free + start` a carry runs from every start to the end of its run of free rows, so
//     `free & ~(free + start) | start` are all the rows that the piece passes.
// A *template* is an orientation in a column. A piece has 9, 17 or 34 templates, numbered by orientation, then
// by column. A *placement* is template * 32 + the row of the box around its cells. Ties go to the lower
// number, so every device plays the same game.
//
// Values are exact: weights are integers below 2^30 (see features.py), a value is an i64, and a tetris subtracts
// DECISIVE, which is more than any weights can add up to.
//
// The launch. One warp handles a board or a game. In the search for placements each lane has a template; in the
// evaluation of boards each lane has a placement and holds its board in ten registers, so that the list of placements
// in shared memory is all that is read and nothing is stored. The two-piece policy pools the placements of the second
// piece over several first placements, so that all 32 lanes have work: a move with 24 x 24 placements costs 24 searches
// of about 150 instructions and 18 rounds of about 700. A game stays in its warp until it ends, in shared memory.

#include "common.cuh"

#define ROWS 22
#define COLUMNS 10
#define FEATURES 17
#define FLOOR 0xffc00000u   // rows 22..31
#define CELLS 0x003fffffu   // rows 0..21
#define DECISIVE (1ll << 45)
#define NEVER (1ll << 62)   // above every value
#define NOWHERE 0xffffffffu // no placement
#define PLACEMENTS 352      // a piece has at most 10 x 34: the placements of a template are two rows apart
#define NUMBERS (34 * 32)      // placement numbers of a piece: none has more templates
#define LEVELS 40           // rows of the table of taps: levels 0 to 39; the last row also serves all levels above
#define DROPS 24            // its columns: no piece drops more often
#define DAS 2               // `timed`: 0 without a clock, 1 by tapping, 2 by holding the button down
#define CHARGES 16          // of a button that is held; 16 does what 15 does
#define REPEAT 10           // the charge after a shift
#define WARPS (BLOCK / WARP)
#define AFTER (COLUMNS + 1)  // a board, and whether a tetris led to it; odd, so that lanes read from different banks
#define STRIDE 16           // lanes between two orientations in `reached`: columns and a margin of zeros

// An orientation: its four cells in their box, one nibble each (row * 4 + column); the same cells with a nibble for
// each column and a bit for each row; the row and column of the box when the piece spawns in this orientation; the
// number of columns in which it fits; its first template.
struct Shape { u32 cells, masks; int top, left, columns, first; };

// Pieces in the order I L J T Z S O.
__constant__ Shape SHAPES[7][4] = {
    {{0x3210, 0x1111, 2, 3, 7, 0}, {0xc840, 0x000f, 0, 5, 10, 7}, {}, {}},
    {{0x4210, 0x0113, 2, 4, 8, 0}, {0x9510, 0x0071, 1, 4, 9, 8},
     {0x6542, 0x0322, 1, 4, 8, 17}, {0x9840, 0x0047, 1, 5, 9, 25}},
    {{0x6210, 0x0311, 2, 4, 8, 0}, {0x9851, 0x0074, 1, 4, 9, 8},
     {0x6540, 0x0223, 1, 4, 8, 17}, {0x8410, 0x0017, 1, 5, 9, 25}},
    {{0x5210, 0x0131, 2, 4, 8, 0}, {0x9541, 0x0072, 1, 4, 9, 8},
     {0x6541, 0x0232, 1, 4, 8, 17}, {0x8540, 0x0027, 1, 5, 9, 25}},
    {{0x6510, 0x0231, 2, 4, 8, 0}, {0x8541, 0x0036, 1, 5, 9, 8}, {}, {}},
    {{0x5421, 0x0132, 2, 4, 8, 0}, {0x9540, 0x0063, 1, 5, 9, 8}, {}, {}},
    {{0x5410, 0x0033, 2, 4, 9, 0}, {}, {}, {}},
};
__constant__ int ORIENTATIONS[7] = {2, 4, 4, 4, 2, 2, 1};
// The first templates of the second to fourth orientation, one byte each; 255 if there is no such orientation.
__constant__ u32 BEGINS[7] = {0xffff07, 0x191108, 0x191108, 0x191108, 0xffff08, 0xffff08, 0xffffff};
__constant__ int TEMPLATES[7] = {17, 34, 34, 34, 17, 17, 9};
__constant__ int LINE_POINTS[5] = {0, 40, 100, 300, 1200};
__constant__ int NES_ORDER[7] = {3, 2, 4, 6, 5, 1, 0};       // T J Z O S L I
__constant__ int NES_IDS[7] = {2, 7, 8, 10, 11, 14, 18};

// The source of a game's pieces: a counting generator, the console's register and count, the piece before (7: none).
struct Dice { u64 state; u32 reg, count, previous; };

// A game: the numbers are its score, lines, pieces and tetrises.
struct Game { Dice dice; u32 columns[COLUMNS]; int numbers[4]; };

// The shared memory of a warp.
struct Warp {
    u32 columns[COLUMNS + 6];        // the board whose placements are searched; the columns to its right are filled
    u32 reached[STRIDE * 5 + 8];     // rows reached; orientation o starts at lane (o + 1) * STRIDE
    u16 list[PLACEMENTS];            // the placements of the last search
    u16 first[PLACEMENTS];           // the placements of the first piece
    u32 after[WARP][AFTER];          // the boards after 32 of them
    union {
        struct {
            // pairs to be evaluated: number of the board in `after` << 16 | second placement
            u32 pool[PLACEMENTS + WARP];
            Game game;
        };
        i64 values[PLACEMENTS];      // of the placements in the list
    };
};

// Returns the orientation of a template, which is the number of other orientations that start at or before it.
__device__ int orientation_of(int piece, int t) {
    const u32 begins = BEGINS[piece];
    return (t >= int(begins & 255)) + (t >= int(begins >> 8 & 255)) + (t >= int(begins >> 16));
}

// Returns the free rows that a piece passes when it falls from each start. An example with eight rows, row 0 on the
// right; the piece falls to the left, and the carries stop at the filled rows 3 and 7:
//
//     row                       7 6 5 4 3 2 1 0
//     free                      0 1 1 1 0 1 1 1
//     start                     0 0 1 0 0 0 0 1
//     free + start              1 0 0 1 1 0 0 0
//     free & ~(free + start)    0 1 1 0 0 1 1 1
//     ... | start               0 1 1 0 0 1 1 1    rows 0 to 2, and 5 and 6; row 4 is above the start in row 5
//
// The last step is for two starts in one run: the bit of the second one is set in the sum, too.
__device__ u32 fall(u32 start, u32 free) { return (free & ~(free + start)) | start; }

// Returns the sum of the positions of the set bits, adding up one binary digit of the positions at a time.
__device__ int row_sum(u32 bits) {
    return __popc(bits & 0xaaaaaaaau) + 2 * __popc(bits & 0xccccccccu) + 4 * __popc(bits & 0xf0f0f0f0u) +
           8 * __popc(bits & 0xff00ff00u) + 16 * __popc(bits & 0xffff0000u);
}

// --- a lane's board --------------------------------------------------------------------------------------------------

struct Board { u32 c[COLUMNS]; };

__device__ Board board_of(const u32* columns) {
    Board board;
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) board.c[k] = columns[k];
    return board;
}

// Returns the lane's column of a board.
__device__ u32 column_of(const Board& board) {
    u32 column = ~0u;
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) column = threadIdx.x % WARP == k ? board.c[k] : column;
    return column;
}

// Places a piece on the board, removes the full rows, and returns their number.
__device__ int place(Board& board, int piece, int placement) {
    const int t = placement >> 5, top = placement & 31;
    const Shape& shape = SHAPES[piece][orientation_of(piece, t)];
    const u64 masks = u64(shape.masks) << 4 * (t - shape.first);  // one nibble for each column of the board
    u32 full = CELLS;
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) {
        board.c[k] |= u32(masks >> 4 * k & 15) << top;
        full &= board.c[k];
    }
    const int cleared = __popc(full);
    while (full) {  // from the top, so that the full rows further down stay where they are
        const u32 row = full & (0u - full), above = row - 1;
        full ^= row;
#pragma unroll
        for (int k = 0; k < COLUMNS; ++k)
            board.c[k] = (board.c[k] & above) << 1 | (board.c[k] & ~(above | row));
    }
    return cleared;
}

// Returns the row of the lowest cell of a placement.
__device__ int lowest_row(int piece, int placement) {
    const u32 cells = SHAPES[piece][orientation_of(piece, placement >> 5)].cells;
    return (placement & 31) + int(cells >> 14);  // the last cell is in the last row of the box
}

// Computes the 17 features. The loops are unrolled, so that everything stays in registers.
__device__ void features_of(const Board& board, int cleared, int lowest, int* f) {
    int top[COLUMNS];
    int holes = 0, tops = 0, least = ROWS, greatest = 0, wells = 0, deep = 0, open = 0;
    int highest = ROWS, deepest = 0, pile = 0, variance = 0, changes = 0, filled = 0, heights = 0;
    // the number of holes of each row, in binary, one word for each digit
    u32 ones = 0, twos = 0, fours = 0, eights = 0;
    u32 one = 0, two = 0, four = 0, eight = 0;      // the number of filled cells of each row
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) top[k] = __ffs(int(board.c[k])) - 1;
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) {
        const u32 c = board.c[k], hole = ~c & c << 1, cells = c & CELLS;
        const int count = __popc(hole), here = top[k];
        holes += count;
        tops += count * here;
        if (hole) {
            least = min(least, __ffs(int(hole)) - 1 - here);
            greatest = max(greatest, 31 - __clz(int(hole)) - here);
        }
        open += !(c >> (ROWS - 1) & 1) && here < ROWS;
        u32 carry = ones & hole, more = twos & carry;
        ones ^= hole, eights ^= fours & more, fours ^= more, twos ^= carry;
        carry = one & cells, more = two & carry;
        one ^= cells, eight ^= four & more, four ^= more, two ^= carry;
        highest = min(highest, here);
        deepest = max(deepest, here);
        pile += ROWS - here;
        const int left = k > 0 ? top[k - 1] : top[1], right = k < COLUMNS - 1 ? top[k + 1] : top[COLUMNS - 2];
        const int well = max(0, here - max(left, right));
        wells += well;
        deep += well >= 3;
        if (k > 0) {
            variance += abs(here - top[k - 1]);
            changes += __popc(c ^ board.c[k - 1]);
        }
    }
    filled = __popc(one) + 2 * __popc(two) + 4 * __popc(four) + 8 * __popc(eight);
    heights = ROWS * filled - row_sum(one) - 2 * row_sum(two) - 4 * row_sum(four) - 8 * row_sum(eight);
    const int rows = row_sum(ones) + 2 * row_sum(twos) + 4 * row_sum(fours) + 8 * row_sum(eights);
    f[0] = cleared & 3;
    f[1] = 19 - lowest;
    f[2] = wells;
    f[3] = deep;
    f[4] = holes;
    f[5] = rows - holes;
    f[6] = rows - tops;
    f[7] = least;
    f[8] = greatest;
    f[9] = 2 * holes - open;  // each hole is two changes, at its top and at its end, unless it is open at the floor
    // the ten bits of the floor cancel out
    f[10] = 2 * (32 - highest) - __popc(board.c[0]) - __popc(board.c[9]) + changes;
    f[11] = pile;
    f[12] = ROWS - highest;
    f[13] = deepest - highest;
    f[14] = filled;
    f[15] = heights;
    f[16] = variance;
}

// Returns the value of a placement: weights times features, minus DECISIVE for a tetris. Makes the
// placement on `board`.
__device__ i64 value_of(Board& board, int piece, int placement, const int* weights, int& cleared) {
    int f[FEATURES];
    cleared = place(board, piece, placement);
    features_of(board, cleared, lowest_row(piece, placement), f);
    i64 value = 0;
#pragma unroll
    for (int i = 0; i < FEATURES; ++i) value += i64(weights[i]) * f[i];
    return value - (cleared == 4 ? DECISIVE : 0);
}

// Returns the value of a placement on a board in shared memory. Not inlined: a copy keeps the weights in registers
// between boards, and needs 126 registers instead of 80.
__noinline__ __device__ i64 value_on(const u32* columns, int piece, int placement, const int* weights) {
    Board board = board_of(columns);
    int cleared;
    return value_of(board, piece, placement, weights, cleared);
}

// Returns the number of the lane with the least (value, key), and sets its value; all lanes get both.
__device__ int warp_least(i64& value, u32 key, int number) {
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        const i64 other = __shfl_xor_sync(FULL, value, distance);
        const u32 other_key = __shfl_xor_sync(FULL, key, distance);
        const int other_number = __shfl_xor_sync(FULL, number, distance);
        if (other < value || (other == value && other_key < key)) value = other, key = other_key, number = other_number;
    }
    return number;
}

// --- placements, by a warp -------------------------------------------------------------------------------------------

// Returns the rows of its box in which a template fits on a board; the columns to the right of the board are filled.
__device__ u32 fits(const u32* columns, const Shape& shape, int column) {
    u32 filled = 0;
    for (int i = 0; i < 4; ++i) {
        const u32 cell = shape.cells >> 4 * i & 15;
        filled |= columns[column + (cell & 3)] >> (cell >> 2);
    }
    return ~filled & CELLS;
}

// Appends the placements of each lane, one bit for each row, to warp.list; returns the new length.
__device__ int append(Warp& warp, int count, int t, u32 rows) {
    const int lane = threadIdx.x % WARP, mine = __popc(rows);
    int before = mine;
    for (int distance = 1; distance < WARP; distance *= 2) {
        const int other = __shfl_up_sync(FULL, before, distance);
        if (lane >= distance) before += other;
    }
    const int total = __shfl_sync(FULL, before, WARP - 1);
    for (int i = count + before - mine; rows; rows &= rows - 1) warp.list[i++] = u16(t * 32 + __ffs(int(rows)) - 1);
    return count + total;
}

// Writes the placements that {left, right, down, turns} reach from the spawn to warp.list, and returns their number. A
// lane has the templates `lane` and `lane + 32`.
//
// Nearly all placements are straight drops: if every template fits at the height of the spawn, the piece can take any
// column and orientation up there. Only pockets remain then, that is rows where a template fits again below a row where
// it does not. Only if there are pockets, the closure is searched, one press at a time for all templates.
__device__ int free_placements(Warp& warp, int piece) {
    const int lane = threadIdx.x % WARP;
    u32 fit[2], left[2], mine[2];
    int slot[2];
    bool blocked = false, pockets = false;
    for (int h = 0; h < 2; ++h) {
        const int t = lane + h * WARP, o = orientation_of(piece, t);
        const Shape& shape = SHAPES[piece][o];
        fit[h] = left[h] = mine[h] = 0;
        slot[h] = (o + 1) * STRIDE + t - shape.first;
        if (t >= TEMPLATES[piece]) continue;
        fit[h] = fits(warp.columns, shape, t - shape.first);
        const u32 below = fit[h] >> shape.top, run = below & ~(below + 1);
        mine[h] = run << shape.top;
        left[h] = (below ^ run) << shape.top;
        blocked |= !(run & 1);
        pockets |= left[h] != 0;
    }
    blocked = __any_sync(FULL, blocked);
    if (blocked || __any_sync(FULL, pockets)) {
        for (int i = lane; i < STRIDE * 5 + 8; i += WARP) warp.reached[i] = 0;
        __syncwarp();
        for (int h = 0; h < 2; ++h) {
            const int t = lane + h * WARP;
            if (t >= TEMPLATES[piece]) continue;
            if (blocked) {  // only the spawn itself is known to be reached
                const Shape& shape = SHAPES[piece][0];
                const u32 spawn = t == shape.left ? 1u << shape.top & fit[h] : 0;
                mine[h] = spawn ? fall(spawn, fit[h]) : 0;
                left[h] = fit[h] ^ mine[h];
            }
            warp.reached[slot[h]] = mine[h];
        }
        for (bool again = true; again;) {
            __syncwarp();
            u32 entered[2] = {0, 0};
            for (int h = 0; h < 2; ++h) {
                const int t = lane + h * WARP, o = orientation_of(piece, t);
                if (!left[h]) continue;
                const Shape& shape = SHAPES[piece][o];
                u32 near = warp.reached[slot[h] - 1] | warp.reached[slot[h] + 1];
                for (int s = (o + 1) & 1; s < ORIENTATIONS[piece]; s += 2) {  // a quarter turn changes the parity
                    const Shape& source = SHAPES[piece][s];
                    const u32 turned = warp.reached[(s + 1) * STRIDE + t - shape.first + source.left - shape.left];
                    near |= shape.top >= source.top ? turned << (shape.top - source.top)
                                                    : turned >> (source.top - shape.top);
                }
                near &= left[h];
                if (near) entered[h] = fall(near, left[h]);
            }
            again = __any_sync(FULL, entered[0] | entered[1]);
            __syncwarp();  // all lanes have read `reached`; a vote alone does not order memory
            for (int h = 0; h < 2; ++h) {
                if (!entered[h]) continue;
                mine[h] |= entered[h];
                left[h] ^= entered[h];
                warp.reached[slot[h]] = mine[h];
            }
        }
    }
    int count = 0;
    for (int h = 0; h * WARP < TEMPLATES[piece]; ++h)  // a state that can move down is not a placement
        count = append(warp, count, lane + h * WARP, mine[h] & ~(fit[h] >> 1));
    __syncwarp();
    return count;
}

// A lane's two templates under gravity: the rows in which they fit, and the rows where their boxes start.
struct Falling { u32 fit[2]; int top[2]; };

__device__ Falling falling(const u32* columns, int piece) {
    Falling f = {{0, 0}, {0, 0}};
    for (int h = 0; h < 2; ++h) {
        const int t = threadIdx.x % WARP + h * WARP;
        const Shape& shape = SHAPES[piece][orientation_of(piece, t)];
        f.top[h] = shape.top;
        if (t < TEMPLATES[piece]) f.fit[h] = fits(columns, shape, t - shape.first);
    }
    return f;
}

// Returns the templates that fit after a number of drops, one bit each; all lanes get them.
__device__ u64 open_after(const Falling& f, int drops) {
    return __ballot_sync(FULL, f.fit[0] >> (f.top[0] + drops) & 1) |
           u64(__ballot_sync(FULL, f.fit[1] >> (f.top[1] + drops) & 1)) << WARP;
}

// The templates of a piece that have a template to their left, and those that have one to their right.
struct Sides { u64 not_first, not_last; };

__device__ Sides sides_of(int piece) {
    Sides sides = {0, 0};
    for (int o = 0; o < ORIENTATIONS[piece]; ++o) {
        const Shape& shape = SHAPES[piece][o];
        const u64 all = (1ull << shape.columns) - 1;
        sides.not_first |= (all & ~1ull) << shape.first;
        sides.not_last |= (all >> 1) << shape.first;
    }
    return sides;
}

// Returns the states and those that a turn leads to, whether they fit or not.
__device__ u64 turned(u64 states, int piece) {
    u64 near = states;
    for (int o = 0; o < ORIENTATIONS[piece]; ++o) {
        const Shape& shape = SHAPES[piece][o];
        for (int s = (o + 1) & 1; s < ORIENTATIONS[piece]; s += 2) {
            const Shape& source = SHAPES[piece][s];
            const int right = shape.left - source.left;
            const u64 from = states >> source.first & ((1ull << source.columns) - 1);
            const u64 into = (right >= 0 ? from << right : from >> -right) & ((1ull << shape.columns) - 1);
            near |= into << shape.first;
        }
    }
    return near;
}

// Returns the states that a frame with a press can lead to: a shift, then a turn, as in the console.
__device__ u64 tapped(u64 states, u64 allowed, int piece, Sides sides) {
    states = (states | (states & sides.not_last) << 1 | (states & sides.not_first) >> 1) & allowed;
    return turned(states, piece) & allowed;
}

// Writes the placements under gravity to warp.list, and returns their number: taps[s] frames on which a press
// may start come before drop s + 1. Everything in the air has dropped equally often, so a state is a template,
// a bit of a 64-bit word that all lanes have.
__device__ int timed_placements(Warp& warp, int piece, const u8* taps) {
    const int lane = threadIdx.x % WARP;
    const Falling f = falling(warp.columns, piece);
    const Sides sides = sides_of(piece);
    u32 rest[2] = {0, 0};
    u64 allowed = open_after(f, 0), states = allowed & 1ull << SHAPES[piece][0].left;
    for (int step = 0; states; ++step) {
        for (int tap = 0; tap < taps[step]; ++tap) states = tapped(states, allowed, piece, sides);
        allowed = open_after(f, step + 1);
        const u64 resting = states & ~allowed;
        for (int h = 0; h < 2; ++h) rest[h] |= u32(resting >> (lane + h * WARP) & 1) << (f.top[h] + step);
        states &= allowed;
    }
    int count = 0;
    for (int h = 0; h * WARP < TEMPLATES[piece]; ++h) count = append(warp, count, lane + h * WARP, rest[h]);
    __syncwarp();
    return count;
}

// Returns the OR of a word over the lanes of the warp.
__device__ u64 any_lane(u64 word) {
    for (int step = WARP / 2; step; step /= 2) word |= __shfl_xor_sync(FULL, word, step);
    return word;
}

// Returns the states one column to the left or to the right, where they fit.
__device__ u64 moved(u64 states, bool left, u64 allowed, Sides sides) {
    return (left ? (states & sides.not_first) >> 1 : (states & sides.not_last) << 1) & allowed;
}

// The states of a piece with a button that is held, for each charge (a lane's word: lanes 0 to 15
// have the left button, 16 to 31 the right one), and those with none, where all lanes have the same
// words: the charge is ready, or it is lost.
struct Holds { u64 held, ready, lost; };

// Moves the states by a frame in which the button is held or released, but none is pressed.
__device__ void keep(Holds& holds, u64 allowed, Sides sides) {
    const int lane = threadIdx.x % WARP, charge = lane % CHARGES;
    const u64 any = any_lane(holds.held), before = __shfl_up_sync(FULL, holds.held, 1);
    const u64 full = __shfl_sync(FULL, holds.held, lane | (CHARGES - 1));  // the ready states of this button
    holds.ready |= __shfl_sync(FULL, holds.held, CHARGES - 1) | __shfl_sync(FULL, holds.held, 2 * CHARGES - 1);
    holds.lost |= any & ~holds.ready;
    const u64 to = moved(full, lane < CHARGES, allowed, sides);
    holds.held = charge ? before : 0;
    if (charge == REPEAT) holds.held |= to;
    if (charge == CHARGES - 1) holds.held |= full & ~(lane < CHARGES ? to << 1 : to >> 1);
}

__device__ void turn_all(Holds& holds, u64 allowed, int piece) {
    holds.held = turned(holds.held, piece) & allowed;
    holds.ready = turned(holds.ready, piece) & allowed;
    holds.lost = turned(holds.lost, piece) & allowed;
}

// Writes the placements of the console's delayed auto-shift that leave the charge ready
// (gpusolve.games.tetris.rules.das): frames[s] frames come before drop s + 1. A state is a template, a bit of a word.
// `again` has the states in which a button has been pressed since the piece appeared, `first` the others.
__device__ int das_placements(Warp& warp, int piece, const u8* frames) {
    const int lane = threadIdx.x % WARP, charge = lane % CHARGES;
    const Falling f = falling(warp.columns, piece);
    const Sides sides = sides_of(piece);
    u32 rest[2] = {0, 0};
    u64 allowed = open_after(f, 0);
    const u64 spawned = allowed & 1ull << SHAPES[piece][0].left;
    Holds first = {charge == CHARGES - 1 ? spawned : 0, spawned, 0}, again = {0, 0, 0};
    bool is_even = true;
    for (int step = 0; any_lane(first.held | again.held) | first.ready | first.lost | again.ready | again.lost;
         ++step) {
        for (int frame = 0; frame < frames[step]; ++frame) {
            const u64 left = any_lane(lane < CHARGES ? first.held : 0),
                      right = any_lane(lane < CHARGES ? 0 : first.held);
            const u64 pressed = (lane < CHARGES ? right : left) | first.ready | first.lost;
            const u64 to = moved(pressed, lane < CHARGES, allowed, sides);
            keep(first, allowed, sides);
            keep(again, allowed, sides);
            if (charge == 0) again.held = to;
            if (charge == CHARGES - 1) again.held |= pressed & ~(lane < CHARGES ? to << 1 : to >> 1);
            if (is_even) {
                turn_all(first, allowed, piece);
                turn_all(again, allowed, piece);
            }
            is_even = !is_even;
        }
        allowed = open_after(f, step + 1);
        const u64 full = any_lane(charge == CHARGES - 1 ? first.held | again.held : 0);
        const u64 resting = (full | first.ready | again.ready) & ~allowed;
        for (int h = 0; h < 2; ++h) rest[h] |= u32(resting >> (lane + h * WARP) & 1) << (f.top[h] + step);
        first = {first.held & allowed, first.ready & allowed, first.lost & allowed};
        again = {again.held & allowed, again.ready & allowed, again.lost & allowed};
    }
    int count = 0;
    for (int h = 0; h * WARP < TEMPLATES[piece]; ++h) count = append(warp, count, lane + h * WARP, rest[h]);
    __syncwarp();
    return count;
}

// Searches the placements on the board in warp.columns. Not inlined: with a copy at every call, compilers take minutes.
__noinline__ __device__ int search(Warp& warp, int piece, int timed, const u8* taps) {
    __syncwarp();
    if (timed == DAS) return das_placements(warp, piece, taps);
    return timed ? timed_placements(warp, piece, taps) : free_placements(warp, piece);
}

// Copies a board to warp.columns and searches its placements.
__device__ int find_placements(Warp& warp, const Board& board, int piece, int timed, const u8* taps) {
    __syncwarp();
    if (threadIdx.x % WARP < COLUMNS + 6) warp.columns[threadIdx.x % WARP] = column_of(board);
    return search(warp, piece, timed, taps);
}

// --- policies --------------------------------------------------------------------------------------------------------

// Returns the placement of least value among the `count` placements of warp.list on the board of the game.
__device__ int choose(const Warp& warp, int count, int piece, const int* weights) {
    const int lane = threadIdx.x % WARP;
    i64 least = NEVER;
    int best = 0xffff;
#pragma unroll 1
    for (int i = lane; i < count; i += WARP) {
        const int placement = warp.list[i];
        const i64 value = value_on(warp.game.columns, piece, placement, weights);
        if (value < least || (value == least && placement < best)) least = value, best = placement;
    }
    return warp_least(least, u32(best), best);
}

// Evaluates the pairs begin to end - 1 of the pool, one lane each, and keeps the best first placement of each lane;
// `first` has the first placements that led to the boards in warp.after.
__device__ void value_pairs(const Warp& warp, const u16* first, int begin, int end, int following, const int* weights,
                            i64& least, int& best) {
    const int i = begin + threadIdx.x % WARP;
    if (i < end) {
        const u32 pair = warp.pool[i], number = pair >> 16;
        Board after = board_of(warp.after[number]);
        int cleared;
        i64 value = value_of(after, following, int(pair & 0xffff), weights, cleared);
        if (warp.after[number][COLUMNS]) value -= DECISIVE;
        if (value < least || (value == least && first[number] < best)) least = value, best = first[number];
    }
}

// Returns the placement of `piece`, among the `count` placements of warp.list, after which the best placement of
// `following` has the least value. 32 first placements at a time, one lane each, write their boards to shared memory.
__device__ int choose_two(Warp& warp, int count, int piece, int following, const int* weights,
                          int timed, const u8* taps) {
    const int lane = threadIdx.x % WARP;
    for (int i = lane; i < count; i += WARP) warp.first[i] = warp.list[i];
    i64 least = NEVER;
    int best = 0xffff;
    for (int begin = 0; begin < count; begin += WARP) {
        const u16* first = warp.first + begin;
        const int boards = min(WARP, count - begin);
        __syncwarp();
        Board after = board_of(warp.game.columns);  // the lanes that are left over repeat the last placement
        warp.after[lane][COLUMNS] = place(after, piece, first[min(lane, boards - 1)]) == 4;
#pragma unroll
        for (int k = 0; k < COLUMNS; ++k) warp.after[lane][k] = after.c[k];
        int pooled = 0;
        for (int i = 0; i < boards; ++i) {
            __syncwarp();
            if (lane < COLUMNS + 6) warp.columns[lane] = lane < COLUMNS ? warp.after[i][lane] : ~0u;
            const int found = search(warp, following, timed, taps);
            if (found == 0) {  // the next piece has no room
                const i64 value = warp.after[i][COLUMNS] ? 0 : DECISIVE;
                if (lane == 0 && (value < least || (value == least && first[i] < best))) least = value, best = first[i];
            }
            for (int j = lane; j < found; j += WARP) warp.pool[pooled + j] = u32(i) << 16 | warp.list[j];
            pooled += found;
            __syncwarp();
            for (; pooled >= WARP; pooled -= WARP)  // all lanes have a pair
                value_pairs(warp, first, pooled - WARP, pooled, following, weights, least, best);
        }
        value_pairs(warp, first, 0, pooled, following, weights, least, best);
    }
    return warp_least(least, u32(best), best);
}

// --- pieces and games ------------------------------------------------------------------------------------------------

// SplitMix64's output function (Steele, Lea and Flood 2014).
__device__ u64 mix(u64 x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

#define GOLDEN 0x9e3779b97f4a7c15ull

__device__ u32 draw(Dice& dice) { return u32(mix(dice.state += GOLDEN) >> 32); }

__device__ u32 lfsr(u32 v) { return v >> 1 | ((v >> 1 ^ v >> 9) & 1) << 15; }

__device__ Dice seed_dice(u64 seed, int game, int source) {
    Dice dice = {mix(mix(seed + GOLDEN) + u64(i64(game)) * GOLDEN), 0, 0, 7};
    if (source) dice.reg = (draw(dice) % 32767 + 1) << 1;
    return dice;
}

// uniform8: 0 to 7, drawn again from 0 to 6 for 7 or the piece before. nes: the console's register
// after 16 to 31 frames.
__device__ int next_piece(Dice& dice, int source) {
    if (source == 0) {
        u32 piece = draw(dice) >> 29;
        if (piece == dice.previous || piece == 7) piece = u32(u64(draw(dice)) * 7 >> 32);
        dice.previous = piece;
        return int(piece);
    }
    for (u32 frames = 16 + (draw(dice) & 15); frames; --frames) dice.reg = lfsr(dice.reg);
    u32 piece = ((dice.reg >> 8) + ++dice.count) & 7;
    if (piece == dice.previous || piece == 7) {
        dice.reg = lfsr(dice.reg);
        piece = ((dice.reg >> 8 & 7) + (dice.previous < 7 ? u32(NES_IDS[dice.previous]) : 0)) % 7;
    }
    dice.previous = piece;
    return NES_ORDER[piece];
}

// Convert the dice of a game to four words and back.
__device__ void store(const Dice& dice, u64* words) {
    words[0] = dice.state, words[1] = dice.reg, words[2] = dice.count, words[3] = dice.previous;
}
__device__ Dice load_dice(const u64* words) { return {words[0], u32(words[1]), u32(words[2]), u32(words[3])}; }

__device__ int level_at(int lines, int start) {
    const int first = min(10 * start + 10, max(100, 10 * start - 50));
    return lines < first ? start : start + 1 + (lines - first) / 10;
}

// Plays the game of an item with a warp: out = score, lines, pieces, tetrises; trace = its first `turns` placements.
// The game is in shared memory, so that it takes no registers while boards are evaluated.
__device__ void play_game(Warp& warp, bool two_piece, u32 item, const int* weights, u64 seed, int number, int source,
                          int start_level, int max_lines, int timed, const u8* taps, int turns, int* out, u32* trace) {
    const int lane = threadIdx.x % WARP;
    Game& game = warp.game;
    Dice dice = seed_dice(seed, number, source);
    int piece = next_piece(dice, source), following = next_piece(dice, source);
    __syncwarp();  // the last game has been read
    if (lane == 0) game.dice = dice;
    if (lane < COLUMNS) game.columns[lane] = FLOOR;
    if (lane < 4) game.numbers[lane] = 0;
    for (;;) {
        __syncwarp();
        const int level = level_at(game.numbers[1], start_level);
        const u8* tapped = taps + min(level, LEVELS - 1) * DROPS;
        if (game.numbers[1] >= max_lines) break;
        if (lane < COLUMNS + 6) warp.columns[lane] = lane < COLUMNS ? game.columns[lane] : ~0u;
        const int count = search(warp, piece, timed, tapped);
        if (count == 0) break;
        const int placement = two_piece ? choose_two(warp, count, piece, following, weights, timed, tapped)
                                        : choose(warp, count, piece, weights);
        Board board = board_of(game.columns);
        const int cleared = place(board, piece, placement);
        dice = game.dice;
        piece = following;
        following = next_piece(dice, source);
        const u32 column = column_of(board);
        const int points = LINE_POINTS[cleared] * (level_at(game.numbers[1] + cleared, start_level) + 1);
        __syncwarp();  // all lanes have read the game
        if (lane < COLUMNS) game.columns[lane] = column;
        if (lane == 0) {
            if (game.numbers[2] < turns) trace[i64(item) * turns + game.numbers[2]] = u32(placement);
            game.dice = dice;
            game.numbers[0] += points;
            game.numbers[1] += cleared;
            game.numbers[2] += 1;
            game.numbers[3] += cleared == 4;
        }
    }
    __syncwarp();
    if (lane < 4) out[i64(item) * 4 + lane] = game.numbers[lane];
}

// Play whole games: item w * games + g is game first_game + g with weights w. `taps` has a row of
// DROPS for each level. One warp per game.
extern "C" __global__ void __launch_bounds__(BLOCK) play_greedy(int first, int last,
        const int* __restrict__ weights /*[(last + games - 1) / games][FEATURES]*/, int games, u64 seed, int first_game,
        int source, int start_level, int max_lines, int timed, const u8* __restrict__ taps /*[LEVELS * DROPS]*/,
        int turns, int* __restrict__ out /*[last][4]*/, u32* __restrict__ trace /*[last * turns]*/) {
    __shared__ Warp warps[WARPS];
    EACH_ITEM(item, WARP)
        play_game(warps[threadIdx.x / WARP], false, item, weights + item / games * FEATURES, seed,
                  first_game + item % games, source, start_level, max_lines, timed, taps, turns, out, trace);
}

extern "C" __global__ void __launch_bounds__(BLOCK, 2) play_two_piece(int first, int last,
        const int* __restrict__ weights /*[(last + games - 1) / games][FEATURES]*/, int games, u64 seed, int first_game,
        int source, int start_level, int max_lines, int timed, const u8* __restrict__ taps /*[LEVELS * DROPS]*/,
        int turns, int* __restrict__ out /*[last][4]*/, u32* __restrict__ trace /*[last * turns]*/) {
    __shared__ Warp warps[WARPS];
    EACH_ITEM(item, WARP)
        play_game(warps[threadIdx.x / WARP], true, item, weights + item / games * FEATURES, seed,
                  first_game + item % games, source, start_level, max_lines, timed, taps, turns, out, trace);
}

// --- boards in, placements, features, values out ---------------------------------------------------------------------

__device__ Board load(const u32* columns) {
    Board board;
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) board.c[k] = columns[k] | FLOOR;
    return board;
}

__device__ void store(const Board& board, u32* columns) {
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) columns[k] = board.c[k] & CELLS;
}

// Lists the first `most` placements of a piece on each board, by number, and the boards after them. One warp per board.
extern "C" __global__ void __launch_bounds__(BLOCK) placements(int first, int last,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const int* __restrict__ pieces /*[last]*/,
        const int* __restrict__ levels /*[last]*/, int timed, const u8* __restrict__ taps /*[LEVELS * DROPS]*/,
        int most, int* __restrict__ counts /*[last]*/, u32* __restrict__ found /*[last][most]*/,
        u8* __restrict__ cleared /*[last][most]*/, u32* __restrict__ after /*[last][most][COLUMNS]*/) {
    __shared__ Warp warps[WARPS];
    Warp& warp = warps[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const Board board = load(boards + i64(item) * COLUMNS);
        const int piece = pieces[item];
        const int count = find_placements(warp, board, piece, timed, taps + levels[item] * DROPS);
        if (lane == 0) counts[item] = count;
        for (int i = lane; i < count; i += WARP) {
            const int placement = warp.list[i];
            int rank = 0;
            for (int j = 0; j < count; ++j) rank += warp.list[j] < placement;
            if (rank >= most) continue;
            const i64 row = i64(item) * most + rank;
            Board changed = board;
            cleared[row] = u8(place(changed, piece, placement));
            found[row] = u32(placement);
            store(changed, after + row * COLUMNS);
        }
        __syncwarp();
    }
}

// Lists the `most` placements of least value on each board, the least first; ties go to the lower `order` of
// the piece's placement. One warp per board.
extern "C" __global__ void __launch_bounds__(BLOCK, 3) best(int first, int last,
        const int* __restrict__ weights /*[FEATURES]*/, const u32* __restrict__ boards /*[last][COLUMNS]*/,
        const int* __restrict__ pieces /*[last]*/, const int* __restrict__ levels /*[last]*/, int timed,
        const u8* __restrict__ taps /*[LEVELS * DROPS]*/, const u16* __restrict__ order /*[7 * NUMBERS]*/, int most,
        int* __restrict__ counts /*[last]*/, i64* __restrict__ values /*[last][most]*/,
        u32* __restrict__ found /*[last][most]*/, u8* __restrict__ cleared /*[last][most]*/,
        u32* __restrict__ after /*[last][most][COLUMNS]*/) {
    __shared__ Warp warps[WARPS];
    Warp& warp = warps[threadIdx.x / WARP];
    i64* value = warp.values;
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const Board board = load(boards + i64(item) * COLUMNS);
        const int piece = pieces[item];
        const int count = find_placements(warp, board, piece, timed, taps + levels[item] * DROPS);
        if (lane == 0) counts[item] = count;
        for (int i = lane; i < count; i += WARP) {
            Board changed = board;
            int rows;
            value[i] = value_of(changed, piece, warp.list[i], weights, rows);
        }
        __syncwarp();
        const u16* ordered = order + piece * NUMBERS;
        for (int i = lane; i < count; i += WARP) {
            const int placement = warp.list[i];
            int rank = 0;
            for (int j = 0; j < count; ++j)
                rank += value[j] < value[i] || (value[j] == value[i] && ordered[warp.list[j]] < ordered[placement]);
            if (rank >= most) continue;
            const i64 row = i64(item) * most + rank;
            Board changed = board;
            cleared[row] = u8(place(changed, piece, placement));
            values[row] = value[i];
            found[row] = u32(placement);
            store(changed, after + row * COLUMNS);
        }
        __syncwarp();
    }
}

// Evaluates the pairs begin to end - 1 of the pool, one lane each: placements of several pieces on
// the board in warp.columns. The worth of a piece becomes the least of 2 * value + (0 for a tetris,
// else 1). Not inlined: two copies spill.
__noinline__ __device__ void value_pieces(const Warp& warp, int begin, int end, const int* weights, i64* worths) {
    const int i = begin + threadIdx.x % WARP;
    if (i < end) {
        const u32 pair = warp.pool[i];
        Board after = board_of(warp.columns);
        int cleared;
        const i64 value = value_of(after, int(pair >> 16), int(pair & 0xffff), weights, cleared);
        atomicMin(&worths[pair >> 16], 2 * value + (cleared != 4));
    }
}

// Sets worths[p], in shared memory, to the worth of piece p on a board, as in `value_pieces`; NEVER if there is no room
// for it. Takes seven searches; then each lane evaluates a placement of any piece. Not inlined: `worths` would spill.
__noinline__ __device__ void find_worths(Warp& warp, const u32* board, int timed, const u8* taps, const int* weights,
                                         i64* worths) {
    const int lane = threadIdx.x % WARP;
    if (lane < COLUMNS + 6) warp.columns[lane] = lane < COLUMNS ? board[lane] | FLOOR : ~0u;
    if (lane < 7) worths[lane] = NEVER;
    int pooled = 0;
#pragma unroll 1
    for (int piece = 0; piece < 7; ++piece) {
        const int found = search(warp, piece, timed, taps);
        for (int j = lane; j < found; j += WARP) warp.pool[pooled + j] = u32(piece) << 16 | warp.list[j];
        pooled += found;
        __syncwarp();
        for (; pooled >= WARP; pooled -= WARP)  // all lanes have a placement
            value_pieces(warp, pooled - WARP, pooled, weights, worths);
    }
    value_pieces(warp, 0, pooled, weights, worths);
    __syncwarp();
}

// Computes the worth of boards before the next piece is drawn: the sum, over the seven pieces, of the chance of a piece
// after `previous` times the least value of its placements. A tetris with that piece does not count; the `tetrises`
// before it subtract DECISIVE each. A board without room for a piece is worth DECISIVE for it. One warp per board.
extern "C" __global__ void __launch_bounds__(BLOCK) expect(int first, int last,
        const int* __restrict__ weights /*[FEATURES]*/, const u32* __restrict__ boards /*[last][COLUMNS]*/,
        const int* __restrict__ previous /*[last]*/, const int* __restrict__ levels /*[last]*/,
        const i64* __restrict__ tetrises /*[last]*/, const i64* __restrict__ chances /*[7][7]*/, int timed,
        const u8* __restrict__ taps /*[LEVELS * DROPS]*/, i64* __restrict__ out /*[last]*/) {
    __shared__ Warp warps[WARPS];
    __shared__ i64 least[WARPS][8];
    i64* worths = least[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        find_worths(warps[threadIdx.x / WARP], boards + i64(item) * COLUMNS, timed, taps + levels[item] * DROPS,
                    weights, worths);
        i64 worth = 0;
        if (lane < 7) {
            const i64 found = worths[lane];
            worth = DECISIVE;
            if (found != NEVER) worth = (found >> 1) + (found & 1 ? 0 : DECISIVE) - DECISIVE * tetrises[item];
            worth *= chances[previous[item] * 7 + lane];
        }
        worth = warp_sum(worth);
        if (lane == 0) out[item] = worth;
        __syncwarp();  // the worths have been read before the next board's are set
    }
}

// Computes the least value of the placements of each of the seven pieces on each board; DECISIVE if there is no room
// for the piece. One warp per board.
// spills: worths: 8 bytes, on sm_90 only; with (BLOCK, 4) it spills on every architecture.
extern "C" __global__ void __launch_bounds__(BLOCK) worths(int first, int last,
        const int* __restrict__ weights /*[FEATURES]*/, const u32* __restrict__ boards /*[last][COLUMNS]*/,
        const int* __restrict__ levels /*[last]*/, int timed, const u8* __restrict__ taps /*[LEVELS * DROPS]*/,
        i64* __restrict__ out /*[last][7]*/) {
    __shared__ Warp warps[WARPS];
    __shared__ i64 least[WARPS][8];
    i64* found = least[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        find_worths(warps[threadIdx.x / WARP], boards + i64(item) * COLUMNS, timed, taps + levels[item] * DROPS,
                    weights, found);
        if (lane < 7) {
            const i64 value = found[lane];
            out[i64(item) * 7 + lane] = value == NEVER ? DECISIVE : value >> 1;
        }
        __syncwarp();
    }
}

// Chooses among the `found` placements of a piece for a player who learns the following piece only after known[0] drops
// and known[1] more frames with a press. Until then the player follows a plan: a template that the piece has at that
// moment, or a placement where it has locked before. After that, any placement that the plan still leaves can be
// chosen. worths[i][p] is the worth of placement i if piece p follows. The best plan has the least sum, over the
// pieces, of the chance times the least worth that it leaves; ties go to plans in the air, then to the lower template.
// Ties between placements go to the first; the result is 0 if there are no placements. One warp per board, one lane per
// plan, which follows the templates that it leaves.
extern "C" __global__ void __launch_bounds__(BLOCK) plan(int first, int last,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const int* __restrict__ pieces /*[last]*/,
        const int* __restrict__ following /*[last]*/, const int* __restrict__ levels /*[last]*/,
        const u8* __restrict__ taps /*[LEVELS * DROPS]*/, const u8* __restrict__ known /*[LEVELS * 2]*/,
        const i64* __restrict__ chances /*[7][7]*/, const int* __restrict__ counts /*[last]*/,
        const u32* __restrict__ found /*[last][most]*/, const i64* __restrict__ worths /*[last][most][7]*/, int most,
        int* __restrict__ chosen /*[last]*/) {
    __shared__ u32 columns[WARPS][COLUMNS + 6];
    __shared__ u64 open[WARPS][DROPS + 2];  // the templates that fit after each drop
    u32* board = columns[threadIdx.x / WARP];
    u64* allowed = open[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const int piece = pieces[item], next = following[item], count = min(counts[item], most);
        const u8* tapped_at = taps + levels[item] * DROPS;
        const int drops = known[levels[item] * 2], taps_before = known[levels[item] * 2 + 1];
        const Sides sides = sides_of(piece);
        if (lane < COLUMNS + 6) board[lane] = lane < COLUMNS ? boards[i64(item) * COLUMNS + lane] | FLOOR : ~0u;
        __syncwarp();
        const Falling f = falling(board, piece);
        for (int step = 0; step < DROPS + 2; ++step) {
            const u64 fit = open_after(f, step);
            if (lane == 0) allowed[step] = fit;
        }
        __syncwarp();
        u64 states = allowed[0] & 1ull << SHAPES[piece][0].left;
        for (int step = 0; step < drops && states; ++step) {
            for (int tap = 0; tap < tapped_at[step]; ++tap) states = tapped(states, allowed[step], piece, sides);
            states &= allowed[step + 1];
        }
        for (int tap = 0; states && tap < taps_before; ++tap) states = tapped(states, allowed[drops], piece, sides);
        const int flying = __popcll(states);
        i64 least = NEVER;
        u32 best = ~0u;
        int choice = 0;
        for (int k = lane; k < flying + count; k += WARP) {
            u64 mine = states;
            for (int i = 0; i < k; ++i) mine &= mine - 1;  // 0 for a plan at rest
            mine &= 0 - mine;
            i64 worth[7];
            int pick = 0;
#pragma unroll
            for (int p = 0; p < 7; ++p) worth[p] = NEVER;
            int step = k < flying ? drops : int(found[i64(item) * most + k - flying] & 31);
            if (k >= flying)
                step -= SHAPES[piece][orientation_of(piece, found[i64(item) * most + k - flying] >> 5)].top;
            if (k >= flying && step >= drops) continue;  // it locks later, so it is not a plan by itself
            do {
                u64 resting = 0;
                if (k < flying) {
                    for (int tap = step == drops ? taps_before : 0; tap < tapped_at[step]; ++tap)
                        mine = tapped(mine, allowed[step], piece, sides);
                    resting = mine & ~allowed[step + 1];
                    mine &= allowed[step + 1];
                }
                for (int i = 0; i < count; ++i) {
                    const u32 placement = found[i64(item) * most + i];
                    const int t = placement >> 5, top = SHAPES[piece][orientation_of(piece, t)].top;
                    if (k < flying ? int(placement & 31) - top != step || !(resting >> t & 1) : i != k - flying)
                        continue;
                    const i64* its = worths + (i64(item) * most + i) * 7;
#pragma unroll
                    for (int p = 0; p < 7; ++p) {
                        if (p == next && (its[p] < worth[p] || (its[p] == worth[p] && i < pick))) pick = i;
                        worth[p] = min(worth[p], its[p]);
                    }
                }
                ++step;
            } while (mine);
            i64 expected = 0;
#pragma unroll
            for (int p = 0; p < 7; ++p) expected += worth[p] == NEVER ? 0 : worth[p] * chances[piece * 7 + p];
            if (worth[0] == NEVER) continue;  // it leaves none of the placements
            if (expected < least) least = expected, best = u32(k), choice = pick;
        }
        choice = warp_least(least, best, choice);
        if (lane == 0) chosen[item] = choice;
        __syncwarp();  // the board has been read before the next one is set
    }
}

// The state of a game is a row in several arrays: its board, the piece to place and the piece after
// it, the level's row in the table of taps, the dice (generator, register, count, previous piece), and
// the results (score, lines, pieces, tetrises).

// Draws the first two pieces of games first_game, first_game + 1, ... One thread per game.
extern "C" __global__ void __launch_bounds__(BLOCK) deal(int first, int last, u64 seed, int first_game, int source,
        u64* __restrict__ dice /*[last][4]*/, int* __restrict__ pieces /*[last]*/,
        int* __restrict__ following /*[last]*/) {
    EACH_ITEM(game, 1) {
        Dice rolled = seed_dice(seed, first_game + game, source);
        pieces[game] = next_piece(rolled, source);
        following[game] = next_piece(rolled, source);
        store(rolled, dice + i64(game) * 4);
    }
}

// Makes a turn of each game games[item]: makes placement chosen[item] among those that `best` has listed, and
// draws the next piece. placed[item] becomes the placement, or NOWHERE if there was none; going[item] says
// whether the game goes on. One thread per game.
extern "C" __global__ void __launch_bounds__(BLOCK) turn(int first, int last, const int* __restrict__ games /*[last]*/,
        const int* __restrict__ counts /*[last]*/, const u32* __restrict__ found /*[last][most]*/,
        const u8* __restrict__ cleared /*[last][most]*/, const u32* __restrict__ after /*[last][most][COLUMNS]*/,
        int most, const int* __restrict__ chosen /*[last]*/, int source, int start_level, int max_lines,
        u32* __restrict__ boards /*[][COLUMNS]*/, int* __restrict__ pieces /*[]*/, int* __restrict__ following /*[]*/,
        int* __restrict__ levels /*[]*/, u64* __restrict__ dice /*[][4]*/, int* __restrict__ results /*[][4]*/,
        u32* __restrict__ placed /*[last]*/, u8* __restrict__ going /*[last]*/) {
    EACH_ITEM(item, 1) {
        placed[item] = NOWHERE;
        going[item] = 0;
        if (counts[item] == 0) continue;
        const int game = games[item];
        const i64 row = i64(item) * most + chosen[item];
        for (int k = 0; k < COLUMNS; ++k) boards[i64(game) * COLUMNS + k] = after[row * COLUMNS + k];
        int* result = results + i64(game) * 4;
        const int rows = cleared[row], lines = result[1] + rows, level = level_at(lines, start_level);
        result[0] += LINE_POINTS[rows] * (level + 1);
        result[1] = lines;
        ++result[2];
        result[3] += rows == 4;
        levels[game] = min(level, LEVELS - 1);
        pieces[game] = following[game];
        Dice rolled = load_dice(dice + i64(game) * 4);
        following[game] = next_piece(rolled, source);
        store(rolled, dice + i64(game) * 4);
        placed[item] = found[row];
        going[item] = lines < max_lines;
    }
}

// Computes the features of boards after a placement; `locks` is 19 minus the lowest row of the
// piece. One thread per board.
extern "C" __global__ void __launch_bounds__(BLOCK) features(int first, int last,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const u8* __restrict__ cleared /*[last]*/,
        const int* __restrict__ locks /*[last]*/, int* __restrict__ out /*[last][FEATURES]*/) {
    EACH_ITEM(item, 1) {
        int f[FEATURES];
        features_of(load(boards + i64(item) * COLUMNS), cleared[item], 19 - locks[item], f);
#pragma unroll
        for (int i = 0; i < FEATURES; ++i) out[i64(item) * FEATURES + i] = f[i];
    }
}

// --- the learned value -----------------------------------------------------------------------------------------------

// The expected loss of a board, from tables (gpusolve.games.tetris.rules.losses): the sum of 25 numbers, each chosen by
// a few properties of the board (16 bits, in units of 8 points), and a linear prior is scaled; another number, chosen
// by the lines to come and the rows ready, is added. Each lane evaluates one board. Nearly all of its time goes into 25
// random reads from 12 MB, which fit into the L2 cache. The tables follow one another:
//
//     begins at        numbers      chosen by
//             0    4 x 1,062,882    differences of neighbours (columns 0-6, 1-7, 2-8, 3-9), and whether there are holes
//     4,251,528            4,032    the height, the rows ready, the rows with holes, the stage of the game
//     4,255,560     10 x   1,920    a column: its cover and holes, the last column's height above it, the height
//     4,274,760        1,048,576    the two rows above the highest hole
//     5,323,336            6,160    the rows with holes, the holes, the rows to dig, the height
//     5,329,496            2,880    the well: the height of column 9, and its depth on two measures
//     5,332,376            9,261    the pile: its height, the sum of the heights, the height of columns 3 to 6
//     5,341,637           16,384    the row of the highest hole, and how many rows have holes
//     5,358,021            8,820    the heights of column 0, of columns 1 to 3, and of the centre
//     5,366,841            8,820    the heights of columns 8 and 9, and of columns 5 to 7
//     5,375,661      3 x 248,832    the heights of columns 1 to 5, of 4 to 8, and of 6 to 10, each up to 11
//     6,122,157    in all

#define READY 6
#define COURSE 4             // numbers for each number of lines: scale, begin of the tables, stage, row of `endgame`
#define LAST_LINES 16
#define SURFACES (2 * 531441)
#define COLUMN 1920
#define AFTER_SURFACES (4 * SURFACES)
#define AFTER_HEIGHT (AFTER_SURFACES + 21 * READY * 32)
#define AFTER_COLUMNS (AFTER_HEIGHT + COLUMNS * COLUMN)
#define AFTER_ABOVE (AFTER_COLUMNS + (1 << 20))
#define AFTER_DIGGING (AFTER_ABOVE + 7 * 10 * 8 * 11)
#define AFTER_WELL (AFTER_DIGGING + 20 * 12 * 12)
#define AFTER_PILE (AFTER_WELL + 21 * 21 * 21)
#define AFTER_ROW (AFTER_PILE + 1024 * 16)
#define AFTER_LEFT (AFTER_ROW + 20 * 21 * 21)
#define AFTER_RIGHT (AFTER_LEFT + 20 * 21 * 21)
#define TALL 12
#define HEIGHTS_5 (TALL * TALL * TALL * TALL * TALL)
#define VALUES (AFTER_RIGHT + 3 * HEIGHTS_5)
#define RIGHT_CELL 68
#define READY_ROW 112
#define READY_BONUS 1350
#define SHIFT 5

__constant__ int PRIOR[FEATURES] = {0, 0, 108, 219, -8, 128, 381, -49, -61, 569, 167, -10, -200, -165, -403, 33, 89};

__device__ int within(int x, int least, int most) { return min(max(x, least), most); }

__device__ int row_of(const Board& board, int row) {
    int bits = 0;
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) bits |= int(board.c[k] >> row & 1) << k;
    return bits;
}

// Returns the loss of a board; `course` has the numbers of its lines. Not inlined: two copies spill.
__noinline__ __device__ int loss_of(const Board& board, const int* course, const short* tables, const int* endgame) {
    const int scale = course[0], stage = course[2], left = course[3];
    tables += course[1];
    int f[FEATURES], total = 0;
    features_of(board, 0, 19, f);
#pragma unroll
    for (int i = 2; i < FEATURES; ++i) total += f[i] * PRIOR[i];

    int top[COLUMNS], count = 0;
    u32 covered = 0, full = CELLS;
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) {
        const u32 c = board.c[k], hidden = ~c & (0u - (c & (0u - c)));
        top[k] = __ffs(int(c)) - 1;
        covered |= hidden;
        count += __popc(hidden);
        full &= k == COLUMNS - 1 ? ~c : c;
    }
    const int ready = min(__clz(int(~(full << 10 << (ROWS - top[9])))), READY - 1);
    total += RIGHT_CELL * (ROWS - top[9]) - READY_ROW * min(ready, 4) - (ready >= 4 ? READY_BONUS : 0);

    const int rows = __popc(covered), some = rows > 0, first = some ? __ffs(int(covered)) - 1 : 0;
    const int highest = f[12], high = min(highest, 20), digging = some ? first - ROWS + highest : 0;
    int digit[COLUMNS - 1];
#pragma unroll
    for (int k = 0; k < COLUMNS - 1; ++k)
        digit[k] = k < COLUMNS - 2 ? within(top[k + 1] - top[k], -4, 4) + 4 : within(top[9] - top[8], -2, 6) + 2;
#pragma unroll
    for (int t = 0; t < 4; ++t) {
        int surface = 0;
#pragma unroll
        for (int k = 0; k < 6; ++k) surface = surface * 9 + digit[t + k];
        total += tables[t * SURFACES + surface * 2 + some];
    }
    total += tables[AFTER_SURFACES + ((high * READY + ready) * 4 + min(rows, 3)) * 8 + stage];
    const int band = within((highest - 1) >> 2, 0, 4);
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) {
        const u32 c = board.c[k], hidden = ~c & (0u - (c & (0u - c)));
        const int cover = hidden ? min(__ffs(int(hidden)) - 1 - top[k], 5) : 0;
        const int beside = within(top[9] - top[k == COLUMNS - 1 ? 8 : k], -4, 11) + 4;
        total += tables[AFTER_HEIGHT + k * COLUMN + ((cover * 4 + min(__popc(hidden), 3)) * 16 + beside) * 5 + band];
    }
    const int at = some ? row_of(board, first) : 0;
    const int above = some && first >= 1 ? row_of(board, first - 1) : 0;
    const int higher = some && first >= 2 ? row_of(board, first - 2) : 0;
    total += tables[AFTER_COLUMNS + (above << 10 | higher)];
    total +=
        tables[AFTER_ABOVE + ((min(rows, 6) * 10 + min(count, 9)) * 8 + min(digging, 7)) * 11 + min(highest / 2, 10)];
    int lowest = 0;
#pragma unroll
    for (int k = 0; k < COLUMNS - 1; ++k) lowest = max(lowest, top[k]);
    const int last = ROWS - top[9], centre = min(ROWS - min(min(top[3], top[4]), min(top[5], top[6])), 20);
    total += tables[AFTER_DIGGING + (min(last, 19) * 12 + within(top[9] - lowest, -3, 8) + 3) * 12 +
                    within(top[9] - top[8], -3, 8) + 3];
    total += tables[AFTER_WELL + (high * 21 + min(f[11] / 10, 20)) * 21 + centre];
    const int hole_row = at | (rows > 1) << 10 | (digging > 2) << 11;
    total += tables[AFTER_PILE + (some ? hole_row * 4 + min(rows - 1, 3) : 0)];
    total += tables[AFTER_ROW + (min(ROWS - top[0], 19) * 21 + min(ROWS - min(min(top[1], top[2]), top[3]), 20)) * 21 +
                    centre];
    total += tables[AFTER_LEFT + (min(ROWS - top[8], 19) * 21 + min(last, 20)) * 21 +
                    min(ROWS - min(min(top[5], top[6]), top[7]), 20)];
#pragma unroll
    for (int t = 0; t < 3; ++t) {
        const int column = t == 0 ? 0 : t == 1 ? 3 : 5;
        int heights = 0;
#pragma unroll
        for (int k = 0; k < 5; ++k) heights = heights * TALL + min(ROWS - top[column + k], TALL - 1);
        total += tables[AFTER_RIGHT + t * HEIGHTS_5 + heights];
    }
    return (total * scale >> SHIFT) + endgame[left * READY + (left <= LAST_LINES ? ready : 0)];
}

// Lists the `most` placements of least loss on each board, the least first; ties go to the lower
// number. A placement loses the points that its lines could have brought, lost[lines][cleared], plus
// the loss of the board after it. One warp per board.
extern "C" __global__ void __launch_bounds__(BLOCK) least_losses(int first, int last,
        const short* __restrict__ tables /*[]*/, const int* __restrict__ endgame /*[]*/,
        const int* __restrict__ lost /*[(max_lines + 1) * 5]*/,
        const int* __restrict__ course /*[(max_lines + 1) * COURSE]*/, int max_lines,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const int* __restrict__ pieces /*[last]*/,
        const int* __restrict__ lines /*[last]*/, const int* __restrict__ levels /*[last]*/, int timed,
        const u8* __restrict__ taps /*[LEVELS * DROPS]*/, int most, int* __restrict__ counts /*[last]*/,
        int* __restrict__ losses /*[last][most]*/, u32* __restrict__ found /*[last][most]*/,
        u8* __restrict__ cleared /*[last][most]*/, u32* __restrict__ after /*[last][most][COLUMNS]*/) {
    __shared__ Warp warps[WARPS];
    Warp& warp = warps[threadIdx.x / WARP];
    i64* loss = warp.values;
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const Board board = load(boards + i64(item) * COLUMNS);
        const int piece = pieces[item], before = lines[item];
        const int count = find_placements(warp, board, piece, timed, taps + levels[item] * DROPS);
        if (lane == 0) counts[item] = count;
        for (int i = lane; i < count; i += WARP) {
            Board changed = board;
            const int rows = place(changed, piece, warp.list[i]), then = before + rows;
            loss[i] = lost[before * 5 + rows];
            if (then < max_lines) loss[i] += loss_of(changed, course + then * COURSE, tables, endgame);
        }
        __syncwarp();
        for (int i = lane; i < count; i += WARP) {
            const int placement = warp.list[i];
            int rank = 0;
            for (int j = 0; j < count; ++j)
                rank += loss[j] < loss[i] || (loss[j] == loss[i] && warp.list[j] < placement);
            if (rank >= most) continue;
            const i64 row = i64(item) * most + rank;
            Board changed = board;
            cleared[row] = u8(place(changed, piece, placement));
            losses[row] = int(loss[i]);
            found[row] = u32(placement);
            store(changed, after + row * COLUMNS);
        }
        __syncwarp();
    }
}
