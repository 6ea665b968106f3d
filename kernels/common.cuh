// common.cuh: what every kernel of gpusolve shares. No CUDA header is needed, so a user needs no toolkit.
//
// The contract of a kernel, kept by all of them:
//   * it is a pure function over a batch; its first two arguments are `int first, int last`, the range of items to do
//     (an item is one guess, one board, one deal ...), so that a batch can be cut anywhere;
//   * a block has BLOCK threads; one item is done by 1 thread, by one warp (WARP) or by one block (BLOCK), as EACH_ITEM
//     says, which strides over the grid, so that any number of blocks gives the same result;
//   * __launch_bounds__(BLOCK), or (BLOCK, 4) where the compiler would otherwise hold to so few registers that it spills: four
//     blocks on a multiprocessor leave each thread 64;
//   * the shape of an array stands in brackets behind its name; a launch with another one is refused;
//   * integers only where a result is compared between devices, or single precision in a fixed order, products by __fmul_rn.

#define BLOCK 256
#define WARP 32
#define FULL 0xffffffffu  // all lanes of a warp

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

// The loop of a kernel over its items, each done by `threads` threads: 1, WARP or BLOCK. Both the item and the stride stay
// below 2^31, so in an unsigned number their sum cannot overflow, however many items there are. With a whole block the
// item is the same for all threads, and is written so that the compiler sees it and needs one register less.
#define EACH_ITEM(item, threads)                                                                            \
    for (u32 item = first + blockIdx.x * (BLOCK / threads) + (threads < BLOCK ? threadIdx.x / threads : 0); \
         item < u32(last); item += gridDim.x * (BLOCK / threads))

// The sum, the greatest, of one value a lane; every lane gets it. Five exchanges. All 32 lanes must come.
template <class T> __device__ T warp_sum(T value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(FULL, value, distance);
    return value;
}
template <class T> __device__ T warp_max(T value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2) value = max(value, __shfl_xor_sync(FULL, value, distance));
    return value;
}
