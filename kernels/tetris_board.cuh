// tetris_board.cuh: the pieces, a lane's board, and a piece placed on it.
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
// The data. A lane holds a board in ten registers. Loops over columns are unrolled, because a register has no index.
// Placing a piece takes a few instructions per column, and a few more for each row that becomes full.

#define ROWS 22
#define COLUMNS 10
#define FLOOR 0xffc00000u  // rows 22..31
#define CELLS 0x003fffffu  // rows 0..21
#define NUMBERS (34 * 32)  // placement numbers of a piece: none has more templates
#define PLANS (2 * 34)     // plans in the air: a template, which may have been tucked

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

// Returns the orientation of a template, which is the number of other orientations that start at or before it.
__device__ int orientation_of(int piece, int t) {
    const u32 begins = BEGINS[piece];
    return (t >= int(begins & 255)) + (t >= int(begins >> 8 & 255)) + (t >= int(begins >> 16));
}

struct Board { u32 c[COLUMNS]; };

__device__ Board board_of(const u32* columns) {
    Board board;
#pragma unroll
    for (int k = 0; k < COLUMNS; ++k) board.c[k] = columns[k];
    return board;
}

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
