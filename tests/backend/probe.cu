// probe.cu: kernels for the tests of the backends. The twins are in probe.py.
#include "common.cuh"

#define MARKS 3

// one thread per item: takes an argument of each kind
extern "C" __global__ void __launch_bounds__(BLOCK) weigh(int first, int last,
        const int* __restrict__ table /*[last][columns]*/, int columns, const u8* __restrict__ marks /*[MARKS]*/,
        const uint2* __restrict__ pairs /*[][2]*/, u8 shift, u64 seed, double factor, i64* __restrict__ out /*[last][2]*/) {
    EACH_ITEM(item, 1) {
        i64 sum = 0;
        for (int column = 0; column < columns; ++column) sum += table[item * columns + column];
        out[2 * item] = (sum << shift) + marks[item % MARKS] + pairs[0].x + pairs[0].y;
        out[2 * item + 1] = (i64)seed + (i64)(sum * factor);
    }
}

// one thread per item: counts how often each item is processed
extern "C" __global__ void __launch_bounds__(BLOCK) count_items(int first, int last,
        int* __restrict__ out /*[last] changed*/) {
    EACH_ITEM(item, 1) out[item] += 1;
}
