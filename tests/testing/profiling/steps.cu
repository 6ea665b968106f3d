// steps.cu: kernels whose counts can be worked out by hand.
#include "common.cuh"

// A warp reads 32 neighbouring integers: 4 sectors, all of their bytes used. It writes each second one: 8 sectors, half used.
extern "C" __global__ void rows(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[]*/) {
    EACH_ITEM(item, 1) {
        out[2 * item] = in[item];  // copy
    }
}

// A lane reads and writes 16 bytes at once: a warp's 512 bytes are 16 sectors.
extern "C" __global__ void vectors(int first, int last, const int4* __restrict__ in /*[last][4]*/,
                                   uint4* __restrict__ out /*[last][4]*/) {
    EACH_ITEM(item, 1) {
        const int4 four = in[item];  // read
        out[item] = make_uint4(four.x, four.y, four.z, four.w + 1);  // write
    }
}

// Lane n runs n rounds, so a warp runs 31, on average with half of its lanes.
extern "C" __global__ void rounds(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        int x = int(item);
        for (u32 i = 0; i < item % WARP; ++i)
            x = x * 5 + int(i);  // round
        out[item] = x;
    }
}

// Lanes with odd numbers go one way, the others another: the sides run one after the other.
extern "C" __global__ void sides(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        if (item % 2)  // branch
            out[item] = int(item);  // odd
        else
            out[item] = atomicAdd(&out[item], 3);  // even
        __syncwarp();
        out[item] += 1;  // together
    }
}

// `stride` words from lane to lane: with 1 no bank serves two lanes, with 2 each second bank serves two, with 32 one all.
extern "C" __global__ void banks(int first, int last, int stride, int* __restrict__ out /*[last]*/) {
    __shared__ int words[32 * 32];
    EACH_ITEM(item, 1) {
        words[threadIdx.x % 32 * stride] = 1;  // word
        __syncwarp();
        out[item] = words[item % 2];  // same
    }
}

// All lanes add to as many counters as there are.
extern "C" __global__ void counters(int first, int last, int counters, int* __restrict__ out /*[counters]*/) {
    EACH_ITEM(item, 1) {
        atomicAdd(&out[item % counters], 1);  // add
    }
}

// Straight code: every warp runs every machine instruction once, apart from the loop's.
extern "C" __global__ void __launch_bounds__(BLOCK) straight(int first, int last, const u32* __restrict__ in /*[last]*/,
                                                             u32* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        u32 x = in[item];
#pragma unroll
        for (int i = 0; i < 50; ++i) x = (x ^ (x >> 7)) + __popc(x & 0x55555555u);
        out[item] = x;
    }
}

extern "C" __global__ void deadlock(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        if (item % 2) __syncwarp();
        else __syncthreads();
        out[item] = 1;
    }
}
