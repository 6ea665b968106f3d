// cuda_on_cpu_test.cu: kernels that use every function of cuda_on_cpu.h. The kernels after "wrong on purpose" test its
// error messages and are not meant for a GPU.
#include "common.cuh"

// one warp per item: from 32 values, each of the shuffles gives a row of 32
extern "C" __global__ void __launch_bounds__(BLOCK) shuffles(int first, int last,
        const int* __restrict__ values /*[last][WARP]*/, int* __restrict__ rows /*[last][9][WARP]*/) {
    int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        int value = values[item * WARP + lane];
        int* row = rows + item * 9 * WARP + lane;
        row[0 * WARP] = __shfl_sync(FULL, value, 5);
        row[1 * WARP] = __shfl_sync(FULL, value, lane * 7 + 3);
        row[2 * WARP] = __shfl_up_sync(FULL, value, 3);
        row[3 * WARP] = __shfl_down_sync(FULL, value, 5);
        row[4 * WARP] = __shfl_xor_sync(FULL, value, 6);
        row[5 * WARP] = __shfl_sync(FULL, value, lane + 1, 8);
        row[6 * WARP] = __shfl_up_sync(FULL, value, 3, 8);
        row[7 * WARP] = __shfl_down_sync(FULL, value, 5, 8);
        row[8 * WARP] = __shfl_xor_sync(FULL, value, 12, 8);
    }
}

// one warp per item: shuffles of types other than int
extern "C" __global__ void reversed(int first, int last,
        u64* __restrict__ wide /*[last][WARP]*/, double* __restrict__ real /*[last][WARP]*/) {
    int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        int i = item * WARP + lane;
        wide[i] = __shfl_xor_sync(FULL, wide[i], 31);
        real[i] = __shfl_sync(FULL, real[i], 31 - lane);
    }
}

// one warp per item: from 32 values, each of the votes and reductions gives a row of 32
extern "C" __global__ void votes(int first, int last,
        const int* __restrict__ values /*[last][WARP]*/, u32* __restrict__ rows /*[last][11][WARP]*/) {
    int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        int value = values[item * WARP + lane];
        u32 bits = (u32)value;
        u32* row = rows + item * 11 * WARP + lane;
        row[0 * WARP] = __ballot_sync(FULL, value & 1);
        row[1 * WARP] = __any_sync(FULL, value < -1000);
        row[2 * WARP] = __all_sync(FULL, value > -1000);
        row[3 * WARP] = __reduce_add_sync(FULL, bits);
        row[4 * WARP] = __reduce_min_sync(FULL, bits);
        row[5 * WARP] = __reduce_max_sync(FULL, bits);
        row[6 * WARP] = __reduce_or_sync(FULL, bits);
        row[7 * WARP] = __reduce_and_sync(FULL, bits);
        row[8 * WARP] = __reduce_xor_sync(FULL, bits);
        row[9 * WARP] = (u32)__reduce_min_sync(FULL, value);
        row[10 * WARP] = (u32)__reduce_max_sync(FULL, value);
    }
}

// one warp per item: the first 20 lanes and the last 12 lanes reduce separately, for different numbers of rounds
extern "C" __global__ void partial(int first, int last,
        const int* __restrict__ values /*[last][WARP]*/, int* __restrict__ sums /*[last][WARP]*/) {
    int lane = threadIdx.x % WARP;
    u32 mask = lane < 20 ? 0x000fffffu : 0xfff00000u;
    EACH_ITEM(item, WARP) {
        int total = values[item * WARP + lane];
        for (int round = 0; round < (lane < 20 ? 3 : 1); ++round) total = __reduce_add_sync(mask, total);
        __syncwarp();
        sums[item * WARP + lane] = total + __shfl_sync(FULL, total, 0);
    }
}

// one block per item: warp w computes w + 1 sums before it reaches the block's barrier
extern "C" __global__ void uneven(int first, int last,
        const int* __restrict__ values /*[last][BLOCK]*/, int* __restrict__ results /*[last][5]*/) {
    __shared__ int sums[BLOCK / WARP];
    __shared__ int visitors;
    int warp = threadIdx.x / WARP;
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x == 0) visitors = 0;
        int total = 0, value = values[item * BLOCK + threadIdx.x];
        for (int round = 0; round <= warp; ++round) {
            int sum = value;
            for (int step = WARP / 2; step; step /= 2) sum += __shfl_down_sync(FULL, sum, step);
            total += sum;
        }
        if (threadIdx.x % WARP == 0) sums[warp] = total;
        __syncthreads();
        atomicAdd(&visitors, 1);
        int odd = __syncthreads_count(value & 1);
        int any = __syncthreads_or(value == 77), all = __syncthreads_and(value < 100);
        if (threadIdx.x == 0) {
            for (int other = 1; other < BLOCK / WARP; ++other) total += sums[other];
            int* result = results + item * 5;
            result[0] = total, result[1] = visitors, result[2] = odd, result[3] = any != 0, result[4] = all != 0;
        }
        __syncthreads();
    }
}

// one thread per item: atomics of every kind and type
extern "C" __global__ void atomics(int first, int last,
        const u32* __restrict__ values /*[last]*/, u32* __restrict__ cells /*[10]*/,
        u64* __restrict__ wide /*[1]*/, int* __restrict__ least /*[1]*/) {
    EACH_ITEM(item, 1) {
        u32 value = values[item];
        atomicAdd(&cells[0], value);
        atomicSub(&cells[1], value);
        atomicMin(&cells[2], value);
        atomicMax(&cells[3], value);
        atomicAnd(&cells[4], value);
        atomicOr(&cells[5], value);
        atomicXor(&cells[6], value);
        if (atomicExch(&cells[7], 1) == 0) cells[8] = 1;  // one thread is the first
        u32 old = cells[9], seen;
        while ((seen = atomicCAS(&cells[9], old, old * 3 + 1)) != old) old = seen;
        atomicAdd(wide, (u64)value << 32);
        atomicMin(least, (int)value - 100);
    }
}

// one thread per item: from two values, 16 results of bit operations, minima and maxima
extern "C" __global__ void bits(int first, int last,
        const uint2* __restrict__ pairs /*[last][2]*/, u64* __restrict__ rows /*[last][16]*/) {
    EACH_ITEM(item, 1) {
        uint2 pair = __ldg(&pairs[item]);
        u32 x = pair.x, y = pair.y;
        u64 xy = (u64)x << 32 | y;
        u64* row = rows + item * 16;
        row[0] = __popc(x), row[1] = __popcll(xy), row[2] = __clz(x), row[3] = __clzll(xy);
        row[4] = __ffs(x), row[5] = __ffsll(xy), row[6] = __brev(x), row[7] = __byte_perm(x, y, 0x9e30);
        row[8] = __funnelshift_l(x, y, 5), row[9] = __funnelshift_r(x, y, 37), row[10] = __umulhi(x, y);
        row[11] = min((int)x, y), row[12] = (u64)(i64)max((int)x, (int)y), row[13] = max((u8)x, (u8)y);
        row[14] = min(xy, (u64)x), row[15] = (u64)(8 * max(0.25f, 0.5));
    }
}

// one block per item: threads from `limit` on return before the others reach a barrier
extern "C" __global__ void early_exit(int first, int last, int limit, u32* __restrict__ results /*[last][BLOCK]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x >= limit) return;
        results[item * BLOCK + threadIdx.x] = __ballot_sync(FULL, 1);
    }
}

extern "C" __global__ void barrier_after_exit(int first, int last, int limit, u32* __restrict__ results /*[last][BLOCK]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x >= limit) return;
        results[item * BLOCK + threadIdx.x] = __syncthreads_count(1);
    }
}

extern "C" __global__ void two_barriers(int first, int last, u32* __restrict__ results /*[last][BLOCK]*/) {
    EACH_ITEM(item, BLOCK) {
        results[item * BLOCK + threadIdx.x] = 1;
        if (threadIdx.x & 1) __syncthreads();
        else {
            results[item * BLOCK + threadIdx.x] = 2;
            __syncthreads();
        }
    }
}

// one thread per item: counts the items by their number modulo 16
extern "C" __global__ void visit(int first, int last, u32* __restrict__ counts /*[16]*/) {
    EACH_ITEM(item, 1) atomicAdd(&counts[item % 16], 1);
}

// one block per item: counts the items by their number modulo 16
extern "C" __global__ void visit_by_blocks(int first, int last, u32* __restrict__ counts /*[16]*/) {
    EACH_ITEM(item, BLOCK) if (threadIdx.x == 0) atomicAdd(&counts[item % 16], 1);
}

// ---- wrong on purpose -----------------------------------------------------------------------------------------------

// one block per item: reads values that other threads may not have written yet
extern "C" __global__ void missing_barrier(int first, int last, int* __restrict__ results /*[last][BLOCK]*/) {
    __shared__ int values[BLOCK];
    EACH_ITEM(item, BLOCK) {
        values[threadIdx.x] = item + 1;
        results[item * BLOCK + threadIdx.x] = values[BLOCK - 1 - threadIdx.x];
    }
}

// one block per item: thread 7 waits for its warp, and the others wait for the block
extern "C" __global__ void divergent(int first, int last) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x == 7)
            __syncwarp();
        else
            __syncthreads();
    }
}

// one warp per item: one half calls a ballot, the other half a shuffle
extern "C" __global__ void mixed(int first, int last, int* __restrict__ results /*[last][WARP]*/) {
    int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        if (lane < 16)
            results[item * WARP + lane] = __ballot_sync(FULL, 1);
        else
            results[item * WARP + lane] = __shfl_sync(FULL, last, 0);
    }
}

// one warp per item: a shuffle reads lane 20, which is not in its mask; if `foreign`, lane 31 calls the shuffle although
// it is not in the mask
extern "C" __global__ void absent(int first, int last, int foreign, u32* __restrict__ results /*[last][WARP]*/) {
    int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        if (lane < 16 || (foreign && lane == 31))
            results[item * WARP + lane] = __shfl_sync(0x0000ffffu, (u32)last, 20);
    }
}

// one thread per item: traps for 1, fails an assertion for 2
extern "C" __global__ void traps(int first, int last, const u8* __restrict__ trap /*[last]*/) {
    EACH_ITEM(item, 1) {
        if (trap[item] == 1) __trap();
        assert(trap[item] != 2);
    }
}

// one thread per item: increments element `index` of an array of 64 in global (0), shared (1) or local (2) memory
extern "C" __global__ void element(int first, int last, int memory, int index,
        int* __restrict__ values /*[64]*/) {
    __shared__ int shared[64];
    int local[64];
    for (int i = 0; i < 64; ++i) local[i] = shared[i] = i;
    int* array = memory == 0 ? values : memory == 1 ? shared : local;
    __syncthreads();
    EACH_ITEM(item, 1) array[index] += 1;
}

// one warp per item: without the barriers, lanes rely on votes to order what they write and read
extern "C" __global__ void __launch_bounds__(BLOCK) pass_on(int first, int last, int barriers,
        const int* __restrict__ values /*[last][WARP]*/, int* __restrict__ out /*[last][WARP]*/) {
    __shared__ int cells[BLOCK];
    const int lane = threadIdx.x % WARP;
    int* mine = cells + threadIdx.x - lane;
    EACH_ITEM(item, WARP) {
        mine[lane] = values[item * WARP + lane];
        const u32 odd = __ballot_sync(FULL, values[item * WARP + lane] & 1);
        if (barriers) __syncwarp();
        out[item * WARP + lane] = mine[(lane + 5) % WARP] + int(odd);
        __syncwarp();
    }
}

// one warp per item: the odd values move to the front of their row, in place
extern "C" __global__ void __launch_bounds__(BLOCK) move_odd(int first, int last, int barriers,
        int* __restrict__ rows /*[last][WARP]*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const int value = rows[item * WARP + lane];
        const u32 odd = __ballot_sync(FULL, value & 1);
        if (barriers) __syncwarp();
        if (value & 1) rows[item * WARP + __popc(odd & ((1u << lane) - 1))] = value;
    }
}
