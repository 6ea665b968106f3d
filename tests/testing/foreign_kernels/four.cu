// Four kernels as people write them who do not know gpusolve: with host code, headers of the toolkit and templates.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include "four.h"

namespace cg = cooperative_groups;

__global__ void saxpy(int n, float a, const float *x, float *y);  // a declaration

__constant__ unsigned bounds[2];
int launches = getenv("LAUNCHES") ? 1 : 0;  // a variable of the host

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// Counts the bytes that lie within `bounds`, in dynamic shared memory first.
__global__ void histogram(const unsigned char in[], int n, unsigned int *bins)
{
    extern __shared__ unsigned int own[];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] >= bounds[0] && in[i] < bounds[1]) atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}

template <typename T, int Threads = 128>
__global__ __launch_bounds__(Threads) void scan(const T *in, T *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    __shared__ T sums[Threads / 32];
    T sum = in[blockIdx.x * Threads + block.thread_rank()];
    for (int by = 1; by < 32; by *= 2) {
        T other = warp.shfl_up(sum, by);
        if (warp.thread_rank() >= by) sum += other;
    }
    if (warp.thread_rank() == 31) sums[warp.meta_group_rank()] = sum;
    cg::sync(block);
    for (unsigned w = 0; w < warp.meta_group_rank(); ++w) sum += sums[w];
    out[blockIdx.x * Threads + block.thread_rank()] = sum;
}

__global__ void bitonic(int *keys, Step step)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ step.distance;
    if (other <= i) return;
    bool up = (i & step.length) == 0;
    int a = keys[i], b = keys[other];
    if ((a > b) == up) keys[i] = b, keys[other] = a;
}

// The transposition of tiles, for blocks and grids of two dimensions.
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

// Each thread of a block of three dimensions writes its own indices.
__global__ void places(int4 *out)
{
    int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + rank] =
        make_int4(threadIdx.x + 100 * blockIdx.x, threadIdx.y + 100 * blockIdx.y, threadIdx.z + 100 * blockIdx.z, rank % 32);
}

// Faults: an index in two dimensions, dynamic shared memory past its end, and a barrier that one row of threads misses.
__global__ void outside(float *out, int width) { out[(blockIdx.y * 16 + threadIdx.y) * width + threadIdx.x] = 1; }
__global__ void past(int *out)
{
    extern __shared__ int rows[];
    rows[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x + 1];
}
__global__ void missed(int *out)
{
    if (threadIdx.y == 1) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

int main()
{
    float *x, *y;
    cudaMalloc(&x, 1024 * sizeof(float));
    cudaMalloc(&y, 1024 * sizeof(float));
    saxpy<<<4, 256>>>(1024, 2.0f, x, y);
    scan<int><<<1, 128>>>(nullptr, nullptr);
    printf("done { after %d launches\n", launches);
    return cudaDeviceSynchronize() != cudaSuccess;
}
