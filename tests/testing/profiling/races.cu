// races.cu: twenty kernels that lack a barrier or an atomic operation. The lines that race end with // first and // second;
// `// both` marks a line that races with itself. After them, kernels without a race that a careless search would report.
#include "common.cuh"

// 1: a thread reads what its neighbour wrote to shared memory
extern "C" __global__ void neighbour(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, 1) {
        cells[threadIdx.x] = in[item];  // first
        out[item] = cells[threadIdx.x ^ 1];  // second
    }
}

// 2: a warp reads what another warp wrote; __syncwarp() is not enough
extern "C" __global__ void other_warp(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, 1) {
        cells[threadIdx.x] = in[item];  // first
        __syncwarp();
        out[item] = cells[threadIdx.x ^ 32];  // second
    }
}

// 3: a vote does not order memory
extern "C" __global__ void after_vote(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, 1) {
        cells[threadIdx.x] = in[item];  // first
        const int any = __any_sync(FULL, in[item] > 0);
        out[item] = cells[threadIdx.x ^ 1] + any;  // second
    }
}

// 4: a shuffle does not order memory either
extern "C" __global__ void after_shuffle(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, 1) {
        cells[threadIdx.x] = in[item];  // first
        const int sum = warp_sum(in[item]);
        out[item] = cells[threadIdx.x ^ 7] + sum;  // second
    }
}

// 5: the barrier names only half of the lanes
extern "C" __global__ void half_a_warp(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, 1) {
        cells[threadIdx.x] = in[item];  // first
        __syncwarp(threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u);
        out[item] = cells[threadIdx.x ^ 16];  // second
    }
}

// 6: the array is filled again while others still read it
extern "C" __global__ void filled_again(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, BLOCK) {
        cells[threadIdx.x] = in[item] * int(threadIdx.x);  // first
        __syncthreads();
        if (threadIdx.x == 0) {
            int sum = 0;
            for (int i = 0; i < BLOCK; ++i) sum += cells[i];  // second
            out[item] = sum;
        }
    }
}

// 7: a counter without an atomic operation
extern "C" __global__ void counter(int first, int last, int* __restrict__ out /*[]*/) {
    EACH_ITEM(item, 1) {
        ++out[item % 7];  // both
    }
}

// 8: a histogram in shared memory without atomic operations
extern "C" __global__ void histogram(int first, int last, const u8* __restrict__ in /*[last]*/, int* __restrict__ out /*[]*/) {
    __shared__ int cells[16];
    EACH_ITEM(item, 1) {
        if (threadIdx.x < 16) cells[threadIdx.x] = 0;
        __syncthreads();
        cells[in[item] % 16] += 1;  // both
        __syncthreads();
        if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], cells[threadIdx.x]);
    }
}

// 9: the histogram is cleared without a barrier before the first atomic operation
extern "C" __global__ void cleared(int first, int last, const u8* __restrict__ in /*[last]*/, int* __restrict__ out /*[]*/) {
    __shared__ int cells[16];
    EACH_ITEM(item, 1) {
        if (threadIdx.x < 16) cells[threadIdx.x] = 0;  // first
        atomicAdd(&cells[in[item] % 16], 1);  // second
        __syncthreads();
        if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], cells[threadIdx.x]);
    }
}

// 10: the histogram is read without a barrier after the last atomic operation
extern "C" __global__ void read_early(int first, int last, const u8* __restrict__ in /*[last]*/, int* __restrict__ out /*[]*/) {
    __shared__ int cells[16];
    EACH_ITEM(item, 1) {
        if (threadIdx.x < 16) cells[threadIdx.x] = 0;
        __syncthreads();
        atomicAdd(&cells[in[item] % 16], 1);  // first
        if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], cells[threadIdx.x]);  // second
    }
}

// 11: two blocks write different values to the same element
extern "C" __global__ void two_blocks(int first, int last, int* __restrict__ out /*[]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x == 0) out[0] = int(item);  // both
    }
}

// 12: a block reads what another block writes
extern "C" __global__ void next_block(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x == 0) out[item] = int(item) + 1;  // first
        __syncthreads();
        if (threadIdx.x == 1 && item > 0) out[item] += out[item - 1];  // second
    }
}

// 13: a reduction in shared memory without barriers between its steps
extern "C" __global__ void reduction(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, BLOCK) {
        cells[threadIdx.x] = in[item] + int(threadIdx.x);
        __syncthreads();
        for (int half = BLOCK / 2; half > 0; half /= 2)
            if (int(threadIdx.x) < half) cells[threadIdx.x] += cells[threadIdx.x + half];  // both
        if (threadIdx.x == 0) out[item] = cells[0];
        __syncthreads();
    }
}

// 14: bytes of one word, set by reading and writing the whole word
extern "C" __global__ void bits(int first, int last, u32* __restrict__ out /*[]*/) {
    EACH_ITEM(item, 1) {
        out[item / 32] |= 1u << (item % 32);  // both
    }
}

// 15: an atomic operation on one side and a plain read on the other
extern "C" __global__ void plain_read(int first, int last, int* __restrict__ best /*[]*/, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        if (int(item) > best[0])  // first
            out[item] = atomicMax(&best[0], int(item));  // second
    }
}

// 16: a slot is reserved by reading the counter before it is raised
extern "C" __global__ void slots(int first, int last, int* __restrict__ count /*[]*/, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        const int slot = count[0];  // first
        count[0] = slot + 1;  // second
        if (slot < last) atomicExch(&out[slot], int(item));
    }
}

// 17: one thread prepares a variable, and the others use it at once
extern "C" __global__ void prepared(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last][256]*/) {
    __shared__ int factor;
    EACH_ITEM(item, BLOCK) {
        __syncthreads();
        if (threadIdx.x == 0) factor = in[item];  // first
        out[item * BLOCK + threadIdx.x] = factor * int(threadIdx.x);  // second
    }
}

// 18: neighbouring items overlap by one element
extern "C" __global__ void overlap(int first, int last, int* __restrict__ out /*[]*/) {
    EACH_ITEM(item, 1) {
        for (int i = 0; i < 3; ++i)
            out[item * 2 + i] = int(item);  // both
    }
}

// 19: a table is transposed in place
extern "C" __global__ void transposed(int first, int last, int* __restrict__ table /*[32][32]*/) {
    EACH_ITEM(item, WARP) {
        const int column = threadIdx.x % WARP;
        const int other = table[column * 32 + item];  // first
        table[item * 32 + column] = other;  // second
    }
}

// 20: bytes of shared memory, read as words by another lane
extern "C" __global__ void bytes_as_words(int first, int last, const u8* __restrict__ in /*[last][256]*/, u32* __restrict__ out /*[last][64]*/) {
    __shared__ u32 words[BLOCK / 4];
    EACH_ITEM(item, BLOCK) {
        ((u8*)words)[threadIdx.x] = in[item * BLOCK + threadIdx.x];  // first
        if (threadIdx.x < 64) out[item * 64 + threadIdx.x] = words[threadIdx.x];  // second
        __syncthreads();
    }
}

// ---- no race --------------------------------------------------------------------------------------------------------

extern "C" __global__ void clean_neighbour(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, 1) {
        cells[threadIdx.x] = in[item];
        __syncwarp();
        out[item] = cells[threadIdx.x ^ 1];
    }
}

// Each step of a chain of barriers orders two pairs of lanes: lane 0 writes, lane 3 reads.
extern "C" __global__ void clean_chain(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK / WARP];
    EACH_ITEM(item, WARP) {
        const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
        if (lane == 0) cells[warp] = int(item);
        if (lane < 2) __syncwarp(3);
        if (lane == 1 || lane == 3) __syncwarp(10);
        if (lane == 3) out[item] = cells[warp];
        __syncwarp();
    }
}

extern "C" __global__ void clean_same_value(int first, int last, int* __restrict__ out /*[]*/) {
    EACH_ITEM(item, 1) {
        out[item % 3] = 5;
    }
}

extern "C" __global__ void clean_bytes(int first, int last, u8* __restrict__ out /*[last]*/) {
    __shared__ u8 cells[BLOCK];
    EACH_ITEM(item, 1) {
        cells[threadIdx.x] = u8(item);
        out[item] = cells[threadIdx.x];
    }
}

extern "C" __global__ void clean_histogram(int first, int last, const u8* __restrict__ in /*[last]*/, int* __restrict__ out /*[]*/) {
    __shared__ int cells[16];
    EACH_ITEM(item, 1) {
        if (threadIdx.x < 16) cells[threadIdx.x] = 0;
        __syncthreads();
        atomicAdd(&cells[in[item] % 16], 1);
        __syncthreads();
        if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], cells[threadIdx.x]);
    }
}

// The read of an atomicCAS is part of it.
extern "C" __global__ void swapped(int first, int last, int* __restrict__ out /*[]*/) {
    EACH_ITEM(item, 1) {
        for (int slot = item % 7; atomicCAS(&out[slot], 0, int(item) + 1); ++slot) continue;
    }
}

// A loop that retries an atomicCAS begins with a plain read.
extern "C" __global__ void clean_retries(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[]*/) {
    EACH_ITEM(item, 1) {
        for (int seen = out[0]; seen < in[item];) {
            const int old = atomicCAS(&out[0], seen, in[item]);
            if (old == seen) break;
            seen = old;
        }
    }
}
