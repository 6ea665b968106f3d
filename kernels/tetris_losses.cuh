// tetris_losses.cuh: the learned value, which is the loss that a board leads to.
//
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
