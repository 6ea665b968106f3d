// common.cuh: the definitions that all kernels of gpusolve share. It includes no CUDA header, so users need no toolkit.
//
// Every kernel follows this contract:
//   * It is a pure function over a batch of items; an item is a guess, a board or a deal, for example. The first two
//     parameters are `int first, int last`, the range of items to process, so a batch can be divided anywhere.
//   * A block has BLOCK threads. An item is processed by 1 thread, by a warp (WARP) or by a block (BLOCK): this is the
//     second argument of EACH_ITEM. EACH_ITEM strides over the grid, so any number of blocks gives the same result.
//   * It has __launch_bounds__(BLOCK), or with a number of blocks on a multiprocessor if the
//     compiler would otherwise use so few registers that it spills, or needlessly many: 2, 3, 4 or 5
//     blocks leave 128, 80, 64 or 48 registers for a thread.
//   * The shape of an array is in brackets after its name. A launch refuses an array of another shape. It makes the arrays
//     that a kernel only writes; those that it reads and writes are called `changed` after the brackets.
//   * A result that is compared between devices is an integer, or is computed in single precision in a fixed order with
//     products by __fmul_rn.

#define BLOCK 256
#define WARP 32
#define FULL 0xffffffffu  // all lanes of a warp

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
#ifdef __CUDACC_RTC__  // other compilers have them from <stdint.h>
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#endif

// The loop of a kernel over its items. Each item is processed by `threads` threads: 1, WARP or BLOCK. The item and the
// stride are both below 2^31, so their unsigned sum never overflows. If a whole block processes an item, the item is
// the same for all threads; the expression lets the compiler see this, which saves a register.
#define EACH_ITEM(item, threads)                                                                            \
    for (u32 item = first + blockIdx.x * (BLOCK / threads) + (threads < BLOCK ? threadIdx.x / threads : 0); \
         item < u32(last); item += gridDim.x * (BLOCK / threads))

// Return the sum or the maximum of the values of a warp's lanes, in every lane. This takes five shuffles, and all 32
// lanes must take part.
template <class T> __device__ T warp_sum(T value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(FULL, value, distance);
    return value;
}
template <class T> __device__ T warp_max(T value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(FULL, value, distance));
    return value;
}
