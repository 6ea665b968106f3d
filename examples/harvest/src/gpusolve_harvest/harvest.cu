// harvest.cu: steps over a field, for many walkers at once.
//
// The idea. A walker is four words, so a step is a few bit operations and one read of the field:
//
//     row 0   cells 0..31 that are reaped, a bit each        row 2   the cell where the walker stands, row * side + column
//     row 1   cells 32..63                                   row 3   what it has reaped, and above bit 16 its steps
//
// The data. `walkers` is four rows of `capacity` words, a walker a column, so that neighbouring threads read neighbouring
// words. `field` has a digit for each cell.

#include "common.cuh"

#define MOVES 4   // left, right, up, down
#define STEPS 16  // the bit from which a walker's steps are counted

// The cell that a move leads to, -1 off the field.
__device__ int cell_after(int cell, int move, int side) {
    const int row = cell / side, column = cell % side;
    if (move == 0) return column > 0 ? cell - 1 : -1;
    if (move == 1) return column < side - 1 ? cell + 1 : -1;
    if (move == 2) return row > 0 ? cell - side : -1;
    return row < side - 1 ? cell + side : -1;
}

// The keys of all moves of the walkers start..: 0 where a move is not allowed, else 1 more than what is reaped after it.
// One thread per walker: 4 coalesced reads, 4 of the field (which the cache holds), 8 bytes written.
extern "C" __global__ void __launch_bounds__(BLOCK) expand(int first, int last,
        const u32* __restrict__ walkers /*[4][capacity]*/, int capacity, int start, const u8* __restrict__ field /*[side * side]*/,
        int side, int steps, u16* __restrict__ keys /*[last][MOVES]*/) {
    EACH_ITEM(item, 1) {
        const u32* walker = walkers + start + item;
        const u64 reaped = walker[0] | u64(walker[capacity]) << 32;
        const int cell = walker[2 * i64(capacity)];
        const u32 sum = walker[3 * i64(capacity)];
        for (int move = 0; move < MOVES; ++move) {
            const int after = cell_after(cell, move, side);
            const bool allowed = int(sum >> STEPS) < steps && after >= 0 && !(reaped >> after & 1);
            keys[i64(item) * MOVES + move] = allowed ? u16(1 + (sum & 0xffff) + field[after]) : 0;
        }
    }
}

// The walkers after moves: walker j is walker parents[j] after moves[j]. One thread per walker, 4 words in and 4 out.
extern "C" __global__ void __launch_bounds__(BLOCK) walk(int first, int last,
        const u32* __restrict__ walkers /*[4][capacity]*/, int capacity, const u8* __restrict__ field /*[side * side]*/, int side,
        const int* __restrict__ parents /*[last]*/, const u16* __restrict__ moves /*[last]*/,
        u32* __restrict__ out /*[4][out_capacity]*/, int out_capacity) {
    EACH_ITEM(j, 1) {
        const u32* walker = walkers + parents[j];
        const int cell = cell_after(walker[2 * i64(capacity)], moves[j], side);
        const u64 reaped = walker[0] | u64(walker[capacity]) << 32 | u64(1) << cell;
        out[j] = u32(reaped);
        out[i64(out_capacity) + j] = u32(reaped >> 32);
        out[2 * i64(out_capacity) + j] = cell;
        out[3 * i64(out_capacity) + j] = walker[3 * i64(capacity)] + field[cell] + (1u << STEPS);
    }
}
