// tetris_search.cuh: the shared memory of a warp, and the placements that a piece reaches without a clock.
//
// The idea. Each lane has two templates, and a word for each with one bit per row: the rows in which it fits, and those
// that the piece has reached. Falling is one addition. A shift or a turn leads to a template of another lane, so the
// words that have been reached are in shared memory, and all lanes read their neighbours' words in each step. Nearly
// always no step is needed, and a search takes about 150 instructions.
//
// The data. A warp has a board or a game, 6 KB of shared memory, and a list of placements there, which all lanes read.

#define WARPS (BLOCK / WARP)
#define PLACEMENTS 352       // a piece has at most 10 x 34: the placements of a template are two rows apart
#define AFTER (COLUMNS + 1)  // a board, and whether a tetris led to it; odd, so that lanes read from different banks
#define STRIDE 16            // lanes between two orientations in `reached`: columns and a margin of zeros

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
