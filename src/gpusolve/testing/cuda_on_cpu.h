// cuda_on_cpu.h: lets g++ compile a kernels/*.cu text as plain C++17 and run it, one block after another, on one core.
//
// The idea. A CUDA thread is a fibre: a stack of its own and a place where it stopped. Only one fibre runs at a time,
// and it runs until it meets a barrier or returns. So atomics are plain operations, and a run is repeatable.
//
// A barrier. Whoever waits writes down for what: __syncthreads() waits for the live threads of the block; __syncwarp(),
// a shuffle, a ballot and a reduction wait for the live lanes that their mask names. The last one to come (or the
// last one missing to return) does the work for all, say hands out the shuffled values, and makes them ready again.
// The scheduler stays in a warp while a lane of it is ready, then goes on to the next warp. If no thread is ready and
// some still wait, the barrier is divergent: the launch ends with a message that says who waits for what.
//
// The order. Ready threads, and blocks, are taken from the lowest up, or from the highest down. A kernel that lacks a
// barrier is likely to give two different results.
//
// The cost. A fibre is made by ucontext once a process and then used for all blocks and launches; later switches are
// __builtin_setjmp/longjmp, which save three registers and make no system call: 6 to 10 ns. A barrier is one switch
// a thread, and so is a thread that meets none.
//
// Unlike a device: shared memory starts with zeros and keeps its values from block to block, a thread has 64 KiB of
// stack, and a shuffle that reads a lane outside its mask gives 0xa5a5a5a5. Not there: dynamic shared memory, blocks of
// more than one dimension, and waiting without a barrier (a thread that spins on a flag of another spins for ever).
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static  // one block runs at a time, so one copy will do
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
static dim3 blockIdx, blockDim, gridDim;
#define threadIdx (cuda_on_cpu::current->index)

namespace cuda_on_cpu {

using u32 = unsigned;
using u64 = unsigned long long;
constexpr u32 LANES = 32, MOST_WARPS = 32, MOST_THREADS = LANES * MOST_WARPS;
#ifdef __SANITIZE_ADDRESS__
constexpr size_t STACK = 256 << 10, PAGE = 4096;  // red zones make frames larger
#else
constexpr size_t STACK = 64 << 10, PAGE = 4096;
#endif

struct Fibre {
    void* place[5];      // where it stopped: __builtin_setjmp's buffer
    const void* stack;   // its lowest byte; null before the first use
    size_t stack_bytes;
    void* fake_stack;    // AddressSanitizer's
    bool started;
};

struct Thread;
using Finish = void (*)(Thread* lanes, u32 mask);  // what the last one does for all that are named in mask

struct Thread : Fibre {
    dim3 index;
    const char* waits_for;  // the name of the function it waits in
    u32 mask;               // the lanes it waits for
    u32 source;             // a shuffle: the lane to read
    u64 value, result;      // what it brings to the barrier, what it takes away
    Finish finish;
};

struct Warp {
    u32 live, ready, at_warp, at_block;  // sets of lanes; live = ready + at_warp + at_block
};

static Thread threads[MOST_THREADS];
static Warp warps[MOST_WARPS];
static u32 warp_count, ready_warps;            // ready_warps: a set, those with a ready lane
static u32 live_threads, waiting_threads;      // waiting_threads: at the block's barrier
static u64 block_sum, block_result;            // how many came to the block's barrier with a true predicate
static Fibre host, *running, *came_from;       // host: the caller of run()
static Thread* current;
static bool downwards;                         // the order
static void (*body)(void*);                    // the kernel and
static void* body_data;                        // its arguments
static const char* kernel_name;
static char error[512];                        // empty: none

// ---- switching ------------------------------------------------------------------------------------------------------

[[noreturn]] static void start();

static void arrive(void* fake_stack) {  // tells AddressSanitizer; and it tells where the stack is that we came from
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake_stack, &came_from->stack, &came_from->stack_bytes);
#else
    (void)fake_stack;
#endif
}

// Stops here and goes on in `next`; returns when somebody switches back. `noipa` hides the body from the optimiser,
// which would otherwise keep a kernel's shared variables in registers across a barrier.
__attribute__((noipa, no_sanitize("address", "undefined"))) static void switch_to(Fibre* next) {
    Fibre* me = came_from = running;
    running = next;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&me->fake_stack, next->stack, next->stack_bytes);
#endif
    if (__builtin_setjmp(me->place) == 0) {
        if (next->started) __builtin_longjmp(next->place, 1);
        next->started = true;
        ucontext_t fresh;
        getcontext(&fresh);
        fresh.uc_stack.ss_sp = const_cast<void*>(next->stack);
        fresh.uc_stack.ss_size = next->stack_bytes;
        fresh.uc_link = nullptr;
        makecontext(&fresh, start, 0);
        setcontext(&fresh);
    }
    arrive(running->fake_stack);
}

static u32 first_of(u32 set) { return downwards ? 31 - __builtin_clz(set) : __builtin_ctz(set); }

[[noreturn]] static void fail(const char* what) {  // the fibres stay where they are; run() forgets them
    snprintf(error, sizeof error, "%s: block %u: thread %u: %s", kernel_name, blockIdx.x, current->index.x, what);
    switch_to(&host);
    __builtin_unreachable();
}

static void say_deadlock() {  // tells of one thread at the block's barrier and of one at a warp's
    int length = snprintf(error, sizeof error, "%s: block %u: deadlock at a divergent barrier:", kernel_name,
                          blockIdx.x);
    bool told[2] = {};
    for (u32 i = 0; i < blockDim.x; ++i) {
        bool at_warp = warps[i / LANES].at_warp >> i % LANES & 1, at_block = warps[i / LANES].at_block >> i % LANES & 1;
        if (!(at_warp || at_block) || told[at_warp]) continue;
        told[at_warp] = true;
        length += snprintf(error + length, sizeof error - length, " thread %u waits in %s;", i, threads[i].waits_for);
    }
}

// The current thread cannot go on: run another one.
static void run_next() {
    if (ready_warps == 0) {
        if (live_threads) say_deadlock();
        switch_to(&host);
        return;
    }
    u32 w = current->index.x / LANES;
    if (!warps[w].ready) w = first_of(ready_warps);
    Thread* next = &threads[w * LANES + first_of(warps[w].ready)];
    if (next == current) return;
    current = next;
    switch_to(next);
}

// ---- barriers -------------------------------------------------------------------------------------------------------

static void not_ready(u32 w, u32 bit) {
    warps[w].ready &= ~bit;
    if (!warps[w].ready) ready_warps &= ~(1u << w);
}

static void release_warp_if_complete(u32 w, u32 lane) {
    Warp& warp = warps[w];
    Thread *lanes = &threads[w * LANES], &one = lanes[lane];
    u32 all = one.mask & warp.live;
    if (all & ~warp.at_warp) return;
    for (u32 i = 0; i < LANES; ++i)  // all of them at the same kind of barrier
        if ((all >> i & 1) && (lanes[i].mask != one.mask || lanes[i].finish != one.finish)) return;
    if (one.finish) one.finish(lanes, all);
    warp.at_warp &= ~all;
    warp.ready |= all;
    ready_warps |= 1u << w;
}

static void release_block_if_complete() {
    if (waiting_threads == 0 || waiting_threads != live_threads) return;
    block_result = block_sum;
    block_sum = waiting_threads = 0;
    for (u32 w = 0; w < warp_count; ++w) {
        warps[w].ready |= warps[w].at_block;
        warps[w].at_block = 0;
        if (warps[w].ready) ready_warps |= 1u << w;
    }
}

static u64 wait_for_warp(const char* name, u32 mask, Finish finish, u64 value = 0, u32 source = 0) {
    u32 w = current->index.x / LANES, lane = current->index.x % LANES;
    if (!(mask >> lane & 1)) fail("its mask does not name itself");
    Thread* me = current;
    me->waits_for = name, me->mask = mask, me->finish = finish, me->value = value, me->source = source;
    warps[w].at_warp |= 1u << lane;
    not_ready(w, 1u << lane);
    release_warp_if_complete(w, lane);
    run_next();
    return me->result;
}

static u64 wait_for_block(const char* name, bool predicate) {
    u32 w = current->index.x / LANES, lane = current->index.x % LANES;
    current->waits_for = name;
    block_sum += predicate;
    ++waiting_threads;
    warps[w].at_block |= 1u << lane;
    not_ready(w, 1u << lane);
    release_block_if_complete();
    run_next();
    return block_result;
}

static void leave() {  // the current thread has returned from the kernel
    u32 w = current->index.x / LANES, lane = current->index.x % LANES;
    Warp& warp = warps[w];
    warp.live &= ~(1u << lane);
    --live_threads;
    not_ready(w, 1u << lane);
    for (u32 i = 0; warp.at_warp && i < LANES; ++i)
        if (warp.at_warp >> i & 1) release_warp_if_complete(w, i);
    release_block_if_complete();
    run_next();
}

[[noreturn]] static void start() {  // a fibre's life: one kernel thread after another
    arrive(nullptr);
    for (;;) {
        body(body_data);
        leave();
    }
}

// Runs kernel() for each thread of each block. Returns null, or what went wrong.
template <class Kernel>
const char* run(const char* name, u32 blocks, u32 block_threads, bool reverse, Kernel kernel) {
    if (block_threads == 0 || block_threads > MOST_THREADS) return "a block has 1 to 1024 threads";
    kernel_name = name, downwards = reverse, body_data = &kernel, error[0] = 0;
    body = [](void* data) { (*static_cast<Kernel*>(data))(); };
    gridDim = blocks, blockDim = block_threads, warp_count = (block_threads + LANES - 1) / LANES;
    host.started = true, running = &host;
    for (u32 i = 0; i < block_threads; ++i) {
        Thread& thread = threads[i];
        thread.index = dim3(i, 0, 0);
        if (thread.stack) continue;
        void* place = mmap(nullptr, STACK + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (place == MAP_FAILED) return "no memory for the stacks";
        mprotect(place, PAGE, PROT_NONE);  // a stack that overflows must not run into its neighbour
        thread.stack = static_cast<char*>(place) + PAGE;
        thread.stack_bytes = STACK - i % 32 * 128;  // else the tops of all stacks share a few cache lines
    }
    for (u32 b = 0; b < blocks && !error[0]; ++b) {
        blockIdx = dim3(reverse ? blocks - 1 - b : b, 0, 0);
        live_threads = block_threads, waiting_threads = ready_warps = 0, block_sum = 0;
        for (u32 w = 0; w < warp_count; ++w) {
            u32 lanes = block_threads - w * LANES;
            u32 all = lanes < LANES ? (1u << lanes) - 1 : ~0u;
            warps[w].live = warps[w].ready = all, warps[w].at_warp = warps[w].at_block = 0;
            ready_warps |= 1u << w;
        }
        u32 w = first_of(ready_warps);
        current = &threads[w * LANES + first_of(warps[w].ready)];
        switch_to(current);
    }
    if (!error[0]) return nullptr;
    for (Thread& thread : threads) {  // some are in the middle of the kernel: the next launch starts them afresh
        thread.started = false;
#ifdef __SANITIZE_ADDRESS__
        if (thread.stack) __asan_unpoison_memory_region(thread.stack, STACK);
#endif
    }
    return error;
}

// ---- what lanes do together -----------------------------------------------------------------------------------------

template <class T> u64 to_bits(T value) {
    static_assert(sizeof(T) <= sizeof(u64), "lanes exchange at most 64 bits");
    u64 bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> T from_bits(u64 bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

constexpr u64 UNDEFINED = 0xa5a5a5a5a5a5a5a5;  // what a shuffle reads from a lane that takes no part

inline void gather(Thread* lanes, u32 mask) {
    for (u32 i = 0; i < LANES; ++i)
        if (mask >> i & 1) lanes[i].result = mask >> lanes[i].source & 1 ? lanes[lanes[i].source].value : UNDEFINED;
}
template <class T> T shuffle(const char* name, u32 mask, T value, u32 source) {
    return from_bits<T>(wait_for_warp(name, mask, gather, to_bits(value), source));
}

template <class T, class Op> T reduce(const char* name, u32 mask, T value, Op) {
    Finish fold = [](Thread* lanes, u32 all) {
        T total = from_bits<T>(lanes[__builtin_ctz(all)].value);
        for (u32 rest = all & (all - 1); rest; rest &= rest - 1)
            total = Op()(total, from_bits<T>(lanes[__builtin_ctz(rest)].value));
        for (u32 rest = all; rest; rest &= rest - 1) lanes[__builtin_ctz(rest)].result = to_bits(total);
    };
    return from_bits<T>(wait_for_warp(name, mask, fold, to_bits(value)));
}

#define CUDA_ON_CPU_OP(Name, expression) \
    struct Name { template <class T> T operator()(T a, T b) { return T(expression); } };
CUDA_ON_CPU_OP(Add, a + b)
CUDA_ON_CPU_OP(Sub, a - b)
CUDA_ON_CPU_OP(Min, b < a ? b : a)
CUDA_ON_CPU_OP(Max, a < b ? b : a)
CUDA_ON_CPU_OP(And, a & b)
CUDA_ON_CPU_OP(Or, a | b)
CUDA_ON_CPU_OP(Xor, a ^ b)
CUDA_ON_CPU_OP(Second, ((void)a, b))

}  // namespace cuda_on_cpu

inline void __syncthreads() { cuda_on_cpu::wait_for_block("__syncthreads", false); }
inline int __syncthreads_count(int p) { return int(cuda_on_cpu::wait_for_block("__syncthreads_count", p != 0)); }
inline int __syncthreads_or(int p) { return cuda_on_cpu::wait_for_block("__syncthreads_or", p != 0) != 0; }
inline int __syncthreads_and(int p) { return cuda_on_cpu::wait_for_block("__syncthreads_and", p == 0) == 0; }
inline void __syncwarp(unsigned mask = ~0u) { cuda_on_cpu::wait_for_warp("__syncwarp", mask, nullptr); }

template <class T> T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    unsigned lane = threadIdx.x % 32, first = lane & ~(width - 1);
    return cuda_on_cpu::shuffle("__shfl_sync", mask, value, first + (source & (width - 1)));
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    unsigned lane = threadIdx.x % 32, first = lane & ~(width - 1);
    return cuda_on_cpu::shuffle("__shfl_up_sync", mask, value, lane < first + delta ? lane : lane - delta);
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    unsigned lane = threadIdx.x % 32, end = (lane & ~(width - 1)) + width;
    return cuda_on_cpu::shuffle("__shfl_down_sync", mask, value, lane + delta < end ? lane + delta : lane);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
    unsigned lane = threadIdx.x % 32, end = (lane & ~(width - 1)) + width;
    return cuda_on_cpu::shuffle("__shfl_xor_sync", mask, value, (lane ^ bits) < end ? lane ^ bits : lane);
}

#define CUDA_ON_CPU_REDUCE(name, type, Op) \
    inline type name(unsigned mask, type value) { return cuda_on_cpu::reduce(#name, mask, value, cuda_on_cpu::Op()); }
CUDA_ON_CPU_REDUCE(__reduce_add_sync, unsigned, Add)
CUDA_ON_CPU_REDUCE(__reduce_min_sync, unsigned, Min)
CUDA_ON_CPU_REDUCE(__reduce_min_sync, int, Min)
CUDA_ON_CPU_REDUCE(__reduce_max_sync, unsigned, Max)
CUDA_ON_CPU_REDUCE(__reduce_max_sync, int, Max)
CUDA_ON_CPU_REDUCE(__reduce_and_sync, unsigned, And)
CUDA_ON_CPU_REDUCE(__reduce_or_sync, unsigned, Or)
CUDA_ON_CPU_REDUCE(__reduce_xor_sync, unsigned, Xor)
inline int __reduce_add_sync(unsigned mask, int value) { return int(__reduce_add_sync(mask, unsigned(value))); }
inline unsigned __ballot_sync(unsigned mask, int p) {
    return __reduce_or_sync(mask, unsigned(p != 0) << threadIdx.x % 32);
}
inline int __any_sync(unsigned mask, int p) { return int(__reduce_or_sync(mask, unsigned(p != 0))); }
inline int __all_sync(unsigned mask, int p) { return int(__reduce_and_sync(mask, unsigned(p != 0))); }

// ---- what a thread does alone ---------------------------------------------------------------------------------------

namespace cuda_on_cpu {
template <class T> struct Same { using type = T; };  // so that the value converts to the type of the place, as in CUDA
template <class T, class Op> T update(T* place, T value, Op op) {
    T old = *place;
    *place = op(old, value);
    return old;
}
}  // namespace cuda_on_cpu
#define CUDA_ON_CPU_ATOMIC(name, Op) \
    template <class T> T name(T* place, typename cuda_on_cpu::Same<T>::type value) { \
        return cuda_on_cpu::update(place, value, cuda_on_cpu::Op()); \
    }
CUDA_ON_CPU_ATOMIC(atomicAdd, Add)
CUDA_ON_CPU_ATOMIC(atomicSub, Sub)
CUDA_ON_CPU_ATOMIC(atomicMin, Min)
CUDA_ON_CPU_ATOMIC(atomicMax, Max)
CUDA_ON_CPU_ATOMIC(atomicAnd, And)
CUDA_ON_CPU_ATOMIC(atomicOr, Or)
CUDA_ON_CPU_ATOMIC(atomicXor, Xor)
CUDA_ON_CPU_ATOMIC(atomicExch, Second)
template <class T> T atomicCAS(T* place, typename cuda_on_cpu::Same<T>::type expected,
                               typename cuda_on_cpu::Same<T>::type value) {
    return cuda_on_cpu::update(place, *place == expected ? value : *place, cuda_on_cpu::Second());
}

// As CUDA's: small integers become int, signed with unsigned becomes unsigned, float with double becomes double.
template <class A, class B> constexpr auto min(A a, B b) -> decltype(a + b) {
    using T = decltype(a + b);
    return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B> constexpr auto max(A a, B b) -> decltype(a + b) {
    using T = decltype(a + b);
    return T(a) < T(b) ? T(b) : T(a);
}

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {  // a nibble: 0-7 a byte of yx, +8 its sign
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned nibble = selector >> 4 * i & 15, byte = unsigned(bytes >> 8 * (nibble & 7)) & 255;
        result |= (nibble & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
    }
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return unsigned((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}
inline unsigned __umulhi(unsigned x, unsigned y) { return unsigned((unsigned long long)x * y >> 32); }
inline float __fmul_rn(float x, float y) { return x * y; }  // never part of a fused multiply-add
template <class T> T __ldg(const T* place) { return *place; }
inline void __threadfence() {}
inline void __threadfence_block() {}
[[noreturn]] inline void __trap() { cuda_on_cpu::fail("__trap()"); }
#define assert(condition) ((condition) ? (void)0 : cuda_on_cpu::fail("assert(" #condition ")"))

struct alignas(8) int2 { int x, y; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) int4 { int x, y, z, w; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
inline int2 make_int2(int x, int y) { return {x, y}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
