// tetris_features.cuh: the 17 features of a board, and its value by weights.
//
// The idea. A lane computes the features of its own board from ten registers: everything is a count of bits, or the
// position of one. Sums over rows are computed for all rows at once. The number of holes of each row is written in
// binary, one word for each digit, and a column is added to these words like a number to a counter.
//
// Values are exact: weights are integers below 2^30 (see features.py), a value is an i64, and a tetris subtracts
// DECISIVE, which is more than any weights can add up to. A value takes about 700 instructions.

#define FEATURES 17
#define DECISIVE (1ll << 45)
#define NEVER (1ll << 62)  // above every value

// Returns the sum of the positions of the set bits, adding up one binary digit of the positions at a time.
__device__ int row_sum(u32 bits) {
    return __popc(bits & 0xaaaaaaaau) + 2 * __popc(bits & 0xccccccccu) + 4 * __popc(bits & 0xf0f0f0f0u) +
           8 * __popc(bits & 0xff00ff00u) + 16 * __popc(bits & 0xffff0000u);
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
