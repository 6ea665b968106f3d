// faults.cu: thirty kernels with a wrong index, memory that is read before it is written, or a barrier that not all threads
// reach. The line that is reported ends with // here. After them, kernels without a fault in the same styles.
#include "common.cuh"

// ---- outside: just behind the end, far away, before the beginning, in every kind of array -----------------------------

extern "C" __global__ void outside_next(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) out[item + 1] = int(item);  // here
}

extern "C" __global__ void outside_far(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) out[item + 100000] = 5;  // here
}

extern "C" __global__ void outside_very_far(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) out[(item + 1) * i64(1000000000)] = 5;  // here
}

extern "C" __global__ void outside_before(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) out[item] = in[item] - in[int(item) - 1];  // here
}

extern "C" __global__ void outside_row(int first, int last, const u8* __restrict__ rows /*[last][7]*/, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        int sum = 0;
        for (int i = 0; i <= 7; ++i) sum += rows[item * 7 + i];  // here
        out[item] = sum;
    }
}

extern "C" __global__ void outside_shared(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, BLOCK) {
        cells[threadIdx.x + 1] = int(item);  // here
        __syncthreads();
        if (threadIdx.x == 0) out[item] = cells[1];
        __syncthreads();
    }
}

extern "C" __global__ void outside_shared_far(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ u8 cells[64];
    EACH_ITEM(item, WARP) {
        cells[64 + 1000 * (threadIdx.x % WARP)] = 1;  // here
        __syncwarp();
        out[item] = cells[item % 64];
    }
}

extern "C" __global__ void outside_atomic(int first, int last, int* __restrict__ out /*[16]*/) {
    EACH_ITEM(item, 1) atomicAdd(&out[item % 17], 1);  // here
}

extern "C" __global__ void outside_vector(int first, int last, const u32* __restrict__ in /*[last]*/, u32* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        const uint2 two = *(const uint2*)(in + (item & ~i64(1)) + 2 * (item == last - 2));  // here
        out[item] = two.x + two.y;
    }
}

extern "C" __global__ void misaligned(int first, int last, const u8* __restrict__ in /*[64]*/, u32* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) out[item] = *(const u32*)(in + item % 8);  // here
}

extern "C" __global__ void null_read(int first, int last, int* __restrict__ out /*[last]*/) {
    const int* nothing = nullptr;
    EACH_ITEM(item, 1) out[item] = nothing[item];  // here
}

// ---- unwritten: shared memory that the block has not written before -----------------------------------------------------

extern "C" __global__ void unwritten_all(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, 1) {
        if (int(item) < first) cells[threadIdx.x] = 1;
        out[item] = cells[threadIdx.x];  // here
    }
}

extern "C" __global__ void unwritten_half(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x < BLOCK / 2) cells[threadIdx.x] = 1;
        __syncthreads();
        const int sum = __syncthreads_count(cells[threadIdx.x]);  // here
        if (threadIdx.x == 0) out[item] = sum;
    }
}

extern "C" __global__ void unwritten_counter(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ int count;
    EACH_ITEM(item, BLOCK) {
        atomicAdd(&count, 1);  // here
        __syncthreads();
        if (threadIdx.x == 0) out[item] = count;
        __syncthreads();
    }
}

extern "C" __global__ void unwritten_last(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[WARP + 1];
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x < WARP) cells[threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            int sum = 0;
            for (int i = 0; i <= WARP; ++i) sum += cells[i];  // here
            out[item] = sum;
        }
        __syncthreads();
    }
}

extern "C" __global__ void unwritten_flag(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ bool found;
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x == 0 && in[item] < 0) found = true;
        __syncthreads();
        if (threadIdx.x == 0) out[item] = found;  // here
        __syncthreads();
    }
}

extern "C" __global__ void unwritten_increment(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK];
    EACH_ITEM(item, BLOCK) {
        cells[threadIdx.x] += int(threadIdx.x);  // here
        __syncthreads();
        if (threadIdx.x == 0) out[item] = cells[5];
        __syncthreads();
    }
}

extern "C" __global__ void unwritten_maximum(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int best[BLOCK / WARP];
    EACH_ITEM(item, WARP) {
        atomicMax(&best[threadIdx.x / WARP], in[item]);  // here
        __syncwarp();
        if (threadIdx.x % WARP == 0) out[item] = best[threadIdx.x / WARP];
        __syncwarp();
    }
}

extern "C" __global__ void unwritten_halo(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK + 2];
    EACH_ITEM(item, BLOCK) {
        cells[threadIdx.x + 1] = in[item] + int(threadIdx.x);
        __syncthreads();
        const int low = __syncthreads_count(cells[threadIdx.x] < cells[threadIdx.x + 1]);  // here
        if (threadIdx.x == 0) out[item] = low;
    }
}

extern "C" __global__ void unwritten_bytes(int first, int last, u32* __restrict__ out /*[last]*/) {
    __shared__ u8 cells[4 * WARP];
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x < WARP) cells[4 * threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x < WARP) out[item] = cells[4 * threadIdx.x + 1];  // here
        __syncthreads();
    }
}

extern "C" __global__ void unwritten_swap(int first, int last, int* __restrict__ out /*[last]*/) {
    __shared__ int lock;
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x == 0) out[item] = atomicExch(&lock, 1);  // here
    }
}

// ---- barriers that not all threads of a block reach ----------------------------------------------------------------------

extern "C" __global__ void barrier_in_two_places(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x & 1) {
            __syncthreads();  // here
        } else {
            out[item] = 1;
            __syncthreads();  // here
        }
    }
}

extern "C" __global__ void barrier_after_return(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x > 7) return;
        __syncthreads();  // here
        out[item] = 1;
    }
}

extern "C" __global__ void barrier_of_an_item(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        out[item] = 1;
        __syncthreads();  // here
    }
}

extern "C" __global__ void barrier_in_a_loop(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        for (u32 i = 0; i < 1 + threadIdx.x % 2; ++i) __syncthreads();  // here
        if (threadIdx.x == 0) out[item] = 1;
        return;
    }
}

extern "C" __global__ void barrier_in_a_branch(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x == 0) {
            out[item] = 1;
            __syncthreads();  // here
        }
        return;
    }
}

extern "C" __global__ void barrier_and_count(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x < WARP) __syncthreads();  // here
        else out[item] = __syncthreads_count(1);  // here
    }
}

extern "C" __global__ void barrier_in_a_switch(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        switch (threadIdx.x % 3) {
            case 0: __syncthreads(); break;  // here
            case 1: __syncthreads(); break;  // here
            default: __syncthreads(); out[item] = 1;  // here
        }
    }
}

extern "C" __global__ void barrier_after_break(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        for (int i = 0; i < 4; ++i) {
            if (threadIdx.x == 9) return;
            __syncthreads();  // here
        }
        out[item] = 1;
    }
}

extern "C" __global__ void barrier_of_the_first_warp(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x / WARP == 0) {
            __syncthreads();  // here
            out[item] = 1;
        }
        return;
    }
}

extern "C" __global__ void barrier_or(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x % WARP < 16) out[item] = __syncthreads_or(1);  // here
        else __syncthreads_and(1);  // here
    }
}

// ---- no fault -------------------------------------------------------------------------------------------------------------

__constant__ const int table[4] = {3, 1, 4, 1};

extern "C" __global__ void clean_tables(int first, int last, const u8* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        int own[4] = {0, 1, 2, 3};
        own[in[item] % 4] += table[in[item] & 3];
        out[item] = own[in[item] % 4];
    }
}

extern "C" __global__ void clean_shared(int first, int last, const u8* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    __shared__ int cells[BLOCK], total;
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x == 0) total = 0;
        cells[threadIdx.x] = in[item];
        __syncthreads();
        atomicAdd(&total, cells[BLOCK - 1 - threadIdx.x]);
        __syncthreads();
        if (threadIdx.x == 0) out[item] = total;
        __syncthreads();
    }
}

extern "C" __global__ void clean_ends(int first, int last, const int* __restrict__ in /*[last]*/, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) out[item] = in[item ? item - 1 : 0] + in[item + 1 < last ? item + 1 : item];
}

extern "C" __global__ void clean_vectors(int first, int last, const u32* __restrict__ in /*[last]*/, u32* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        const uint2 two = *(const uint2*)(in + (item & ~i64(1)));
        out[item] = two.x ^ two.y;
    }
}

extern "C" __global__ void clean_return(int first, int last, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        if (item % 3 == 0) return;
        out[item] = 1;
    }
}

extern "C" __global__ void clean_bytes_of_words(int first, int last, u32* __restrict__ out /*[last]*/) {
    __shared__ u32 words[WARP];
    EACH_ITEM(item, BLOCK) {
        if (threadIdx.x < 4 * WARP) ((u8*)words)[threadIdx.x] = u8(threadIdx.x);
        __syncthreads();
        if (threadIdx.x == 0) out[item] = words[3];
        __syncthreads();
    }
}
