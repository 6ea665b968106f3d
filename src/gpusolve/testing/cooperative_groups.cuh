// cooperative_groups.cuh: blocks of threads and tiles of a warp, as <cooperative_groups.h> has them, over the barriers, shuffles
// and votes of CUDA. It takes the place of that header in texts of other people (foreign.py), in the emulation and for NVRTC,
// so nobody needs the toolkit. A tile has at most 32 threads, and there are no grids, clusters or coalesced groups.
#ifdef __CUDACC_RTC__
#define GROUPS_LINE
#define GROUPS_LINE_ONLY
#define GROUPS_AT
#define GROUPS_AT_ONLY
#else  // in the emulation, an operation belongs to the line of its call
#define GROUPS_LINE , int line = cuda_on_cpu::here()
#define GROUPS_LINE_ONLY int line = cuda_on_cpu::here()
#define GROUPS_AT , line
#define GROUPS_AT_ONLY line
#endif

namespace cooperative_groups {

class thread_block {
  public:
    __device__ static unsigned thread_rank() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    __device__ static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ static unsigned size() { return num_threads(); }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static dim3 group_dim() { return dim_threads(); }
    __device__ static void sync(GROUPS_LINE_ONLY) { __syncthreads(GROUPS_AT_ONLY); }
};
typedef thread_block thread_group;

__device__ inline thread_block this_thread_block() { return thread_block(); }

template <unsigned Size, class Parent = void> class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    __device__ static unsigned lane() { return thread_block::thread_rank() % 32; }
    __device__ static unsigned mask() { return unsigned((1ull << Size) - 1) << (lane() & ~(Size - 1)); }
    __device__ static unsigned own(unsigned lanes) { return (lanes & mask()) >> (lane() & ~(Size - 1)); }

  public:
    __device__ thread_block_tile() {}
    template <class Other> __device__ thread_block_tile(const thread_block_tile<Size, Other>&) {}
    __device__ static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ static constexpr unsigned size() { return Size; }
    __device__ static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
    __device__ static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }
    __device__ static void sync(GROUPS_LINE_ONLY) { __syncwarp(mask() GROUPS_AT); }
    template <class T> __device__ static T shfl(T value, int source GROUPS_LINE) {
        return __shfl_sync(mask(), value, source, int(Size) GROUPS_AT);
    }
    template <class T> __device__ static T shfl_down(T value, unsigned by GROUPS_LINE) {
        return __shfl_down_sync(mask(), value, by, int(Size) GROUPS_AT);
    }
    template <class T> __device__ static T shfl_up(T value, unsigned by GROUPS_LINE) {
        return __shfl_up_sync(mask(), value, by, int(Size) GROUPS_AT);
    }
    template <class T> __device__ static T shfl_xor(T value, int bits GROUPS_LINE) {
        return __shfl_xor_sync(mask(), value, bits, int(Size) GROUPS_AT);
    }
    __device__ static int any(int p GROUPS_LINE) { return __any_sync(mask(), p GROUPS_AT); }
    __device__ static int all(int p GROUPS_LINE) { return __all_sync(mask(), p GROUPS_AT); }
    __device__ static unsigned ballot(int p GROUPS_LINE) { return own(__ballot_sync(mask(), p GROUPS_AT)); }
    template <class T> __device__ static unsigned match_any(T value GROUPS_LINE) {
        return own(__match_any_sync(mask(), value GROUPS_AT));
    }
};

template <unsigned Size, class Parent> __device__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
    return thread_block_tile<Size, Parent>();
}
template <class Group> __device__ void sync(const Group& group GROUPS_LINE) { group.sync(GROUPS_AT_ONLY); }

template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };

// Every thread of the tile gets the result.
template <unsigned Size, class Parent, class T, class Op>
__device__ T reduce(const thread_block_tile<Size, Parent>& tile, T value, Op op GROUPS_LINE) {
    for (unsigned bits = Size / 2; bits > 0; bits /= 2) value = op(value, tile.shfl_xor(value, int(bits) GROUPS_AT));
    return value;
}

}  // namespace cooperative_groups
