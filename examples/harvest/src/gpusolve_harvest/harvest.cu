// harvest.cu: steps over a field, for many walkers at once.
//
// The idea. A walker is four words, so a step takes a few bit operations and one read of the field:
//
//     row 0   a bit for each of cells 0 to 31: is it reaped?     row 2   the walker's cell, row * side + column
//     row 1   the same for cells 32 to 63                        row 3   the sum reaped, and from bit 16 on the number of steps
//
// The data. `walkers` is four rows of `capacity` words; each column is a walker, so that neighbouring threads read
// neighbouring words. `field` has a digit for each cell.

#include "common.cuh"

#define MOVES 4   // left, right, up, down
#define STEPS 16  // the lowest bit of the number of steps

// The cell that a move leads to; -1 if that is off the field.
__device__ int cell_after(int cell, int move, int side) {
    const int row = cell / side, column = cell % side;
    if (move == 0) return column > 0 ? cell - 1 : -1;
    if (move == 1) return column < side - 1 ? cell + 1 : -1;
    if (move == 2) return row > 0 ? cell - side : -1;
    return row < side - 1 ? cell + side : -1;
}

// The keys of all moves of the walkers from `start` on: 0 for a move that is not allowed, otherwise 1 + the sum after it.
// One thread per walker: 4 coalesced reads, 4 reads of the field, which is in the cache, and 8 bytes written.
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

// The walkers after moves: walker j is walker parents[j] after moves[j]. One thread per walker reads and writes 4 words.
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
