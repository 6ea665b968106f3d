// cuda_on_cpu.h: compiles the text of a kernels/*.cu file as plain C++17 with g++ or clang++, and runs the blocks of a
// launch one after another on one core. It uses nothing of the C++ standard library.
//
// Threads. A CUDA thread is a fibre: it has a stack and remembers where it stopped. Only one fibre runs at a time,
// until it reaches a barrier or returns. Therefore atomics are plain operations, and every run of a launch is the same.
//
// Barriers. A thread that waits records what it waits for. __syncthreads() waits for the live threads of the block.
// __syncwarp(), a shuffle, a ballot and a reduction wait for the live lanes that the mask names. The last thread to
// arrive, or the last missing thread to return, does the work for all (in a shuffle, it exchanges the values) and makes
// them ready to run. The scheduler stays in a warp while one of its lanes is ready, and then changes to another warp.
// If no thread is ready and some still wait, the barrier is divergent: the launch ends with an error that names a
// waiting thread and the function in which it waits. So it does if the threads of a block wait for it in different lines,
// or if some have returned: what a GPU does then is not defined.
//
// Order. Ready threads and blocks run from the lowest number to the highest, or in the reverse order. A kernel that
// lacks a barrier is likely to give different results in the two orders.
//
// Cost. A fibre is created with ucontext once per process and reused for all blocks and launches. Later switches use
// __builtin_setjmp/longjmp, which save three registers and make no system call: 6 to 10 ns. A barrier costs one switch
// per thread, and so does a thread that reaches no barrier.
//
// Running ahead. Votes, shuffles and reductions wait for lanes, but they do not order memory: a lane may read, after a
// vote, what another lane had in memory before the vote. To find kernels that rely on such an order, a launch is recorded
// and repeated: in the repetition a lane does not wait there, but takes the recorded result and runs on to its next
// __syncwarp() or __syncthreads(). If the results of the launch are then different, a barrier is missing.
//
// Crashes. While a launch runs, a signal handler takes the signals by which a kernel would end the process: for memory
// that is not there, for a stack that overflows (the page below it is protected, and large frames are touched page by
// page), for a division by zero and for a trap of the compiler. The launch then ends with an error.
// AddressSanitizer has its own handler, which reports more.
//
// Profiling. With CUDA_ON_CPU_PROFILE, profiling/profiler.h follows every access, basic block, barrier and atomic
// operation, and finds races and accesses outside of arrays.
//
// Differences from a device: shared memory is zero at first and keeps its values from block to block, a thread has a
// stack of 64 KiB, and a shuffle that reads a lane outside its mask returns 0xa5a5a5a5. Waiting without a barrier is not
// supported: a thread that spins until another thread sets a flag spins forever.
#pragma once
#ifdef __APPLE__
#define _XOPEN_SOURCE 600  // for ucontext.h
#define _DARWIN_C_SOURCE   // for MAP_ANONYMOUS
#endif
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// What profiling/profiler.h shares with the emulation. It is the same for all kernels, so it is compiled once, on its own,
// with CUDA_ON_CPU_PROFILER.
#ifndef CUDA_ON_CPU_PROFILE
#define CUDA_ON_CPU_SHARED static
#elif defined CUDA_ON_CPU_PROFILER
#define CUDA_ON_CPU_SHARED extern __attribute__((visibility("hidden")))
#else
#define CUDA_ON_CPU_SHARED __attribute__((visibility("hidden")))
#endif

#ifdef CUDA_ON_CPU_PROFILE
#define CUDA_ON_CPU_WATCHED(...) __VA_ARGS__
#define CUDA_ON_CPU_CALLED __attribute__((noinline))  // no branches of the emulation within a kernel
#else
#define CUDA_ON_CPU_WATCHED(...)
#define CUDA_ON_CPU_CALLED
#endif
#define __CUDA_ARCH__ 900  // whose functions there are
#define __global__ CUDA_ON_CPU_CALLED
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static  // one block runs at a time, so one copy is enough
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

#ifdef __clang__
#define CUDA_ON_CPU_OPAQUE noinline, optnone
#else
#define CUDA_ON_CPU_OPAQUE noipa
#endif
#if defined(__clang__) && !defined(__x86_64__)  // clang has the built-in functions for few processors
#define CUDA_ON_CPU_SETJMP(buffer) _setjmp(buffer)
#define CUDA_ON_CPU_LONGJMP(buffer) _longjmp(buffer, 1)
typedef jmp_buf cuda_on_cpu_jump;
#else
#define CUDA_ON_CPU_SETJMP(buffer) __builtin_setjmp(buffer)
#define CUDA_ON_CPU_LONGJMP(buffer) __builtin_longjmp(buffer, 1)
typedef void* cuda_on_cpu_jump[5];
#endif

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
CUDA_ON_CPU_SHARED dim3 blockIdx, blockDim, gridDim;
#define threadIdx (cuda_on_cpu::current->index)

namespace cuda_on_cpu {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
constexpr u32 LANES = 32, MOST_WARPS = 32, MOST_THREADS = LANES * MOST_WARPS;
constexpr u32 MOST_DYNAMIC = 227 << 10;  // bytes of dynamic shared memory, as on compute capability 9.0
#ifdef __SANITIZE_ADDRESS__
constexpr size_t STACK = 256 << 10, PAGE = 4096;  // red zones make frames larger
#else
constexpr size_t STACK = 64 << 10, PAGE = 4096;
#endif

// A growing array. It never frees its memory, which the next launch uses again.
template <class T> struct List {
    T* items;
    size_t count, room;
    void push(const T& item) {
        if (count == room) items = static_cast<T*>(realloc(items, (room = 2 * room + 16) * sizeof(T)));
        items[count++] = item;
    }
};

struct Fibre {
    cuda_on_cpu_jump stopped_at;
    const void* stack;    // its lowest byte; null before the first use
    size_t stack_bytes;
    void* fake_stack;     // for AddressSanitizer
    bool started;
};

struct Thread;
using Finish = void (*)(Thread* lanes, u32 mask);  // what the last thread to arrive does for the lanes in mask

struct Thread : Fibre {
    dim3 index;
    u32 number;            // in its block: 32 in a row are the lanes of a warp
    const char* waits_in;  // the name of the function in which it waits
    u32 mask;              // the lanes for which it waits
    u32 source;            // in a shuffle: the lane to read
    u64 value, result;     // what it contributes at the barrier, and what it receives there
    Finish finish;
    u32 together, barrier;  // the lanes of its warp that passed its last barrier with it; the number of that barrier
    int line;               // of the last barrier or exchange at which it waited, from here()
};

struct Warp {
    u32 live, ready, at_warp, at_block;  // sets of lanes: live = ready + at_warp (waits for its warp) + at_block
};

static Thread threads[MOST_THREADS];
static Warp warps[MOST_WARPS];
CUDA_ON_CPU_SHARED u32 warp_count, ready_warps;  // ready_warps: the set of warps with a ready lane
static u32 live_threads, waiting_threads;  // waiting_threads: those at the block's barrier
static u64 block_sum, block_result;        // number of threads at the block's barrier whose predicate is true
static Fibre host, *running, *came_from;   // host: the caller of run()
CUDA_ON_CPU_SHARED Thread* current;
CUDA_ON_CPU_SHARED u32 block_number, block_threads;  // the number of the block in the grid; threads of a block
#ifdef CUDA_ON_CPU_PROFILER
extern "C" u8 gpusolve_dynamic_shared[];
#else  // the bytes behind it belong to nobody, so that a wrong index is noticed
extern "C" {
__attribute__((visibility("default"), aligned(256))) u8 gpusolve_dynamic_shared[MOST_DYNAMIC + (256 << 10)];
}
#endif
static bool downwards;       // whether threads and blocks run from the highest number to the lowest
static void (*body)(void*);  // the kernel
static void* body_data;      // the arguments of the kernel
static const char* kernel_name;
static u32 barriers;     // passed so far, by any set of threads
CUDA_ON_CPU_SHARED char error[512];  // empty if there is no error

// A line as a number: the lower 16 bits are its number in its file, the 15 bits above them are computed from the file's
// name. `places_of` in emulation.py finds the file and the line again.
constexpr int here(int line = __builtin_LINE(), const char* file = __builtin_FILE()) {
    u32 name = 0;
    for (; *file; ++file) name = (name * 31 + u8(*file)) & 0x7fff;
    return int(name << 16 | u32(line));
}

// What to do at an operation that exchanges values in a warp: wait, wait and record the result, or take the recorded one.
enum Mode { WAIT, RECORD, AHEAD };
struct Exchange { int line; u64 value, result; };
constexpr size_t MOST_RECORDED = 1 << 24;  // exchanges of a launch that are recorded
static Mode mode;
static int only_line;                            // if not 0, only exchanges in this line of the kernels run ahead
static List<Exchange>* recorded;  // by block, then by thread
static size_t recorded_threads, recorded_count, next_exchange[MOST_THREADS];

// What profiling/profiler.h does when something happens.
enum Kind : u32 { BLOCK, READ, WRITE, ATOMIC, EXCHANGE, SYNC_WARP, SYNC_BLOCK, KINDS };
#ifdef CUDA_ON_CPU_PROFILE
CUDA_ON_CPU_SHARED void block_begins();
CUDA_ON_CPU_SHARED void block_ends();
CUDA_ON_CPU_SHARED void warp_synchronized(u32 warp, u32 lanes);
CUDA_ON_CPU_SHARED void block_synchronized();
CUDA_ON_CPU_SHARED void waited(Kind kind, int line);  // the current thread has passed a barrier together with others
CUDA_ON_CPU_SHARED void accessed_atomically(const void* target, u32 bytes, int line, bool swap);
#endif

// ---- switching ------------------------------------------------------------------------------------------------------

[[noreturn]] static void start();

// Report a finished switch to AddressSanitizer, and get from it the stack of the fibre that was left.
static void arrive(void* fake_stack) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake_stack, &came_from->stack, &came_from->stack_bytes);
#else
    (void)fake_stack;
#endif
}

// Stop here and continue in `next`; return when another fibre switches back. The attribute hides the body from the
// optimiser, which would otherwise keep a kernel's shared variables in registers across a barrier.
__attribute__((CUDA_ON_CPU_OPAQUE, no_sanitize("address", "undefined"))) static void switch_to(Fibre* next) {
    Fibre* me = came_from = running;
    running = next;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&me->fake_stack, next->stack, next->stack_bytes);
#endif
    if (CUDA_ON_CPU_SETJMP(me->stopped_at) == 0) {
        if (next->started) CUDA_ON_CPU_LONGJMP(next->stopped_at);
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

// An index as text: 5, or (5, 2, 0) if there is more than one dimension.
struct Shown {
    char text[40];
    Shown(dim3 index, dim3 size) {
        if (size.y * size.z == 1) snprintf(text, sizeof text, "%u", index.x);
        else snprintf(text, sizeof text, "(%u, %u, %u)", index.x, index.y, index.z);
    }
};

// End the launch with an error. The fibres stay where they stopped, and run() discards them.
#ifdef CUDA_ON_CPU_PROFILER
[[noreturn]] CUDA_ON_CPU_SHARED void fail(const char* what);
#else
[[noreturn]] CUDA_ON_CPU_SHARED void fail(const char* what) {
    snprintf(error, sizeof error, "%s: block %s: thread %s: %s", kernel_name, Shown(blockIdx, gridDim).text,
             Shown(current->index, blockDim).text, what);
    switch_to(&host);
    __builtin_unreachable();
}
#endif

// Describe a deadlock: name one thread at the block's barrier and one at a warp's barrier. Python replaces {number} by
// the file and the line.
static void report_deadlock() {
    int length = snprintf(error, sizeof error, "%s: block %s: deadlock at a divergent barrier:", kernel_name,
                          Shown(blockIdx, gridDim).text);
    bool reported[2] = {};
    for (u32 i = 0; i < block_threads; ++i) {
        bool at_warp = warps[i / LANES].at_warp >> i % LANES & 1, at_block = warps[i / LANES].at_block >> i % LANES & 1;
        if (!(at_warp || at_block) || reported[at_warp]) continue;
        reported[at_warp] = true;
        length += snprintf(error + length, sizeof error - length, " thread %s waits in %s in {%d};",
                           Shown(threads[i].index, blockDim).text, threads[i].waits_in, threads[i].line);
    }
}

// Run another thread, because the current one cannot continue.
static void run_next() {
    if (ready_warps == 0) {
        if (live_threads) report_deadlock();
        switch_to(&host);
        return;
    }
    u32 w = current->number / LANES;
    if (!warps[w].ready) w = first_of(ready_warps);
    Thread* next = &threads[w * LANES + first_of(warps[w].ready)];
    if (next == current) return;
    current = next;
    switch_to(next);
}

// ---- barriers -------------------------------------------------------------------------------------------------------

static u32 first_at_block() {
    u32 w = 0;
    while (!warps[w].at_block) ++w;
    return w * LANES + __builtin_ctz(warps[w].at_block);
}

static void not_ready(u32 w, u32 bit) {
    warps[w].ready &= ~bit;
    if (!warps[w].ready) ready_warps &= ~(1u << w);
}

// Note which lanes pass a barrier together.
inline void release(u32 w, u32 lanes) {
    for (u32 rest = lanes; rest; rest &= rest - 1) {
        Thread& thread = threads[w * LANES + __builtin_ctz(rest)];
        thread.together = lanes, thread.barrier = barriers;
    }
    ++barriers;
}

static void release_warp_if_complete(u32 w, u32 lane) {
    Warp& warp = warps[w];
    Thread *lanes = &threads[w * LANES], &waiting = lanes[lane];
    u32 all = waiting.mask & warp.live;
    if (all & ~warp.at_warp) return;
    for (u32 i = 0; i < LANES; ++i)  // all must be at the same kind of barrier
        if ((all >> i & 1) && (lanes[i].mask != waiting.mask || lanes[i].finish != waiting.finish)) return;
    if (waiting.finish) waiting.finish(lanes, all);
    CUDA_ON_CPU_WATCHED(release(w, all); if (!waiting.finish) warp_synchronized(w, all);)
    warp.at_warp &= ~all;
    warp.ready |= all;
    ready_warps |= 1u << w;
}

// A barrier of the block is for all of its threads, in one place of the text (CUDA C++ Programming Guide, "Synchronization
// Functions"). Describe what one thread does instead; Python replaces {number} by the file and the line.
static bool is_divergent() {
    const u32 one = first_at_block();
    for (u32 i = 0; i < block_threads; ++i) {
        const bool returned = !(warps[i / LANES].live >> i % LANES & 1);
        if (!returned && threads[i].line == threads[one].line) continue;
        int length = snprintf(error, sizeof error, "%s: block %s: not all threads reach the same barrier: thread %s waits in "
                              "%s in {%d}, and thread %s ", kernel_name, Shown(blockIdx, gridDim).text,
                              Shown(threads[one].index, blockDim).text, threads[one].waits_in, threads[one].line,
                              Shown(threads[i].index, blockDim).text);
        if (returned) snprintf(error + length, sizeof error - length, "has returned");
        else snprintf(error + length, sizeof error - length, "in {%d}", threads[i].line);
        return true;
    }
    return false;
}

static void release_block_if_complete() {
    if (waiting_threads == 0 || waiting_threads != live_threads) return;
    if (is_divergent()) switch_to(&host);
    block_result = block_sum;
    block_sum = waiting_threads = 0;
    CUDA_ON_CPU_WATCHED(block_synchronized();)
    for (u32 w = 0; w < warp_count; ++w) {
        CUDA_ON_CPU_WATCHED(release(w, warps[w].at_block);)
        warps[w].ready |= warps[w].at_block;
        warps[w].at_block = 0;
        if (warps[w].ready) ready_warps |= 1u << w;
    }
}

static u64 wait_for_warp(const char* name, u32 mask, Finish finish, u64 value = 0, u32 source = 0, int line = 0) {
    u32 w = current->number / LANES, lane = current->number % LANES;
    if (!(mask >> lane & 1)) {
        char what[100];
        snprintf(what, sizeof what, "the mask of %s in {%d} does not include the calling lane", name, line);
        fail(what);
    }
    Thread* me = current;
    List<Exchange>* mine =
        mode != WAIT && finish ? &recorded[block_number * block_threads + current->number] : nullptr;
    if (mode == AHEAD && mine) {
        size_t at = next_exchange[current->number]++;
        if (at >= mine->count || mine->items[at].line != line) fail("it takes another way if lanes run ahead");
        if (mine->items[at].value != value) {
            char what[100];
            snprintf(what, sizeof what, "it contributes another value to %s in {%d} if lanes run ahead", name, line);
            fail(what);
        }
        if (!only_line || line == only_line) return mine->items[at].result;
    }
    me->waits_in = name, me->line = line, me->mask = mask, me->finish = finish, me->value = value, me->source = source;
    warps[w].at_warp |= 1u << lane;
    not_ready(w, 1u << lane);
    release_warp_if_complete(w, lane);
    run_next();
    if (mode == RECORD && mine && recorded_count < MOST_RECORDED) {
        mine->push({line, value, me->result});
        ++recorded_count;
    }
    CUDA_ON_CPU_WATCHED(waited(finish ? EXCHANGE : SYNC_WARP, line);)
    return me->result;
}

static u64 wait_for_block(const char* name, bool predicate, int line) {
    u32 w = current->number / LANES, lane = current->number % LANES;
    current->waits_in = name, current->line = line;
    block_sum += predicate;
    ++waiting_threads;
    warps[w].at_block |= 1u << lane;
    not_ready(w, 1u << lane);
    release_block_if_complete();
    run_next();
    CUDA_ON_CPU_WATCHED(waited(SYNC_BLOCK, line);)
    return block_result;
}

// The current thread has returned from the kernel.
static void leave() {
    u32 w = current->number / LANES, lane = current->number % LANES;
    Warp& warp = warps[w];
    warp.live &= ~(1u << lane);
    --live_threads;
    not_ready(w, 1u << lane);
    for (u32 i = 0; warp.at_warp && i < LANES; ++i)
        if (warp.at_warp >> i & 1) release_warp_if_complete(w, i);
    release_block_if_complete();
    run_next();
}

// The main function of a fibre: it runs one thread of the kernel after another.
[[noreturn]] static void start() {
    arrive(nullptr);
    for (;;) {
        body(body_data);
        leave();
    }
}

// Let the next launch start every thread at the beginning of its stack.
static void restart() {
    for (Thread& thread : threads) {
        thread.started = false;
#ifdef __SANITIZE_ADDRESS__
        __asan_unpoison_memory_region(thread.stack, STACK);
#endif
    }
}

// The stacks of all threads, which all libraries of a process share: each stack takes two of the mappings of memory that
// a process may have, so 31 libraries with their own stacks would take nearly all of Linux' 65,530.
struct Stacks {
    char* lowest;      // null before the first launch; that of the signal handler is the last one
    const void* user;  // the library whose threads have run on them
};

// Let the threads of this library run on the stacks. Return false if there is not enough memory.
static bool take(Stacks* stacks) {
    if (stacks->user == threads) return true;
    if (!stacks->lowest) {
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
        void* memory = mmap(nullptr, (MOST_THREADS + 1) * (PAGE + STACK), PROT_READ | PROT_WRITE, flags, -1, 0);
        if (memory == MAP_FAILED) return false;
        stacks->lowest = static_cast<char*>(memory);
        for (u32 i = 0; i <= MOST_THREADS; ++i)  // a stack that overflows must not reach the next one
            mprotect(stacks->lowest + i * (PAGE + STACK), PAGE, PROT_NONE);
    }
    for (u32 i = 0; i < MOST_THREADS; ++i) {
        threads[i].stack = stacks->lowest + i * (PAGE + STACK) + PAGE;
        threads[i].stack_bytes = STACK - i % 32 * 128;  // otherwise all stacks compete for a few cache lines
    }
    restart();
    stacks->user = threads;
    return true;
}

// ---- crashes --------------------------------------------------------------------------------------------------------

#ifdef __SANITIZE_ADDRESS__
struct Guard {
    explicit Guard(Stacks*) {}
};
#else
struct Crash { int number; const char *name, *what; };
static const Crash crashes[] = {
    {SIGSEGV, "SIGSEGV", "it reads or writes memory that is not there"},
    {SIGBUS, "SIGBUS", "it reads or writes memory that is not there"},
    {SIGFPE, "SIGFPE", "it divides an integer by zero, or the smallest integer by -1"},
    {SIGILL, "SIGILL", "it reaches a trap, or code whose behaviour is undefined"},
    {SIGTRAP, "SIGTRAP", "it reaches a trap, or code whose behaviour is undefined"},
};
constexpr size_t CRASHES = sizeof crashes / sizeof *crashes;
static struct sigaction before[CRASHES];  // what a signal does outside of launches
static const char* handler_stack;         // only the thread that launches has signals handled there

// Make an error of a signal. If the kernel is not to blame, let the signal do what it did before.
static void crashed(int number, siginfo_t* info, void*) {
    size_t which = 0;
    while (crashes[which].number != number) ++which;
    const char *top = static_cast<const char*>(__builtin_frame_address(0)), *place = static_cast<char*>(info->si_addr);
    const bool launching = top >= handler_stack && top < handler_stack + STACK, sent = info->si_code <= 0;
    if (!launching || sent || running == &host) {
        sigaction(number, &before[which], nullptr);
        if (sent) raise(number);  // otherwise the instruction runs again
        return;
    }
    const char* stack = static_cast<const char*>(running->stack);
    char what[160];
    snprintf(what, sizeof what, "%s: %s", crashes[which].name,
             place < stack && place >= stack - PAGE ? "its stack overflows: by a recursion, or by a large local array"
                                                    : crashes[which].what);
    fail(what);
}

// From its beginning to its end, the signals of a crash end the launch, and not the process.
struct Guard {
    stack_t outer;
    explicit Guard(Stacks* stacks) {
        stack_t own;
        own.ss_sp = stacks->lowest + MOST_THREADS * (PAGE + STACK) + PAGE, own.ss_size = STACK, own.ss_flags = 0;
        handler_stack = static_cast<char*>(own.ss_sp);
        sigaltstack(&own, &outer);
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = crashed;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // the handler does not return
        for (size_t i = 0; i < CRASHES; ++i) sigaction(crashes[i].number, &action, &before[i]);
    }
    ~Guard() {
        for (size_t i = 0; i < CRASHES; ++i) sigaction(crashes[i].number, &before[i], nullptr);
        sigaltstack(&outer, nullptr);
    }
};
#endif

// Run kernel() in each thread of each block. Return null, or an error message.
template <class Kernel>
const char* run(const char* name, dim3 grid, dim3 block, u32 dynamic_bytes, bool reverse, Stacks* stacks, Kernel kernel) {
    const u64 in_block = u64(block.x) * block.y * block.z, blocks = u64(grid.x) * grid.y * grid.z;
    if (in_block == 0 || in_block > MOST_THREADS) return "the number of threads per block must be 1 to 1024";
    if (dynamic_bytes > MOST_DYNAMIC) return "dynamic shared memory must have at most 232,448 bytes";
    kernel_name = name, downwards = reverse, body_data = &kernel, error[0] = 0;
    body = [](void* data) { (*static_cast<Kernel*>(data))(); };
    gridDim = grid, blockDim = block, block_threads = u32(in_block), warp_count = (block_threads + LANES - 1) / LANES;
    if (mode == RECORD) {
        for (size_t i = 0; i < recorded_threads; ++i) free(recorded[i].items);
        free(recorded);
        recorded_threads = blocks * block_threads, recorded_count = 0;
        recorded = static_cast<List<Exchange>*>(calloc(recorded_threads, sizeof *recorded));
    }
    host.started = true, running = &host;
    if (!take(stacks)) return "not enough memory for the stacks";
    const Guard guard(stacks);
    for (u32 i = 0; i < block_threads; ++i)
        threads[i].number = i, threads[i].index = dim3(i % block.x, i / block.x % block.y, i / block.x / block.y);
    for (u64 b = 0; b < blocks && !error[0]; ++b) {
        const u32 n = block_number = u32(reverse ? blocks - 1 - b : b);
        blockIdx = dim3(n % grid.x, n / grid.x % grid.y, n / grid.x / grid.y);
        memset(next_exchange, 0, sizeof next_exchange);
        live_threads = block_threads, waiting_threads = ready_warps = 0, block_sum = 0;
        for (u32 w = 0; w < warp_count; ++w) {
            u32 lanes = block_threads - w * LANES;
            u32 all = lanes < LANES ? (1u << lanes) - 1 : ~0u;
            warps[w].live = warps[w].ready = all, warps[w].at_warp = warps[w].at_block = 0;
            ready_warps |= 1u << w;
        }
        u32 w = first_of(ready_warps);
        current = &threads[w * LANES + first_of(warps[w].ready)];
        CUDA_ON_CPU_WATCHED(block_begins();)
        switch_to(current);
        CUDA_ON_CPU_WATCHED(block_ends();)
    }
    if (!error[0]) return nullptr;
    restart();  // some have stopped inside the kernel
    return error;
}

// ---- operations of a warp or a block --------------------------------------------------------------------------------

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

constexpr u64 UNDEFINED = 0xa5a5a5a5a5a5a5a5;  // the value that a shuffle reads from a lane outside its mask

inline void gather(Thread* lanes, u32 mask) {
    for (u32 i = 0; i < LANES; ++i)
        if (mask >> i & 1) lanes[i].result = mask >> lanes[i].source & 1 ? lanes[lanes[i].source].value : UNDEFINED;
}
template <class T> T shuffle(const char* name, u32 mask, T value, u32 source, int line) {
    return from_bits<T>(wait_for_warp(name, mask, gather, to_bits(value), source, line));
}

template <class T, class Op> T reduce(const char* name, u32 mask, T value, Op, int line) {
    Finish fold = [](Thread* lanes, u32 all) {
        T total = from_bits<T>(lanes[__builtin_ctz(all)].value);
        for (u32 rest = all & (all - 1); rest; rest &= rest - 1)
            total = Op()(total, from_bits<T>(lanes[__builtin_ctz(rest)].value));
        for (u32 rest = all; rest; rest &= rest - 1) lanes[__builtin_ctz(rest)].result = to_bits(total);
    };
    return from_bits<T>(wait_for_warp(name, mask, fold, to_bits(value), 0, line));
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
CUDA_ON_CPU_OP(Up, a >= b ? 0 : a + 1)
CUDA_ON_CPU_OP(Down, a == 0 || a > b ? b : a - 1)

// Choose what the next launches do.
extern "C" inline __attribute__((used)) void choose_mode(int chosen, int line) { mode = Mode(chosen), only_line = line; }

// Write the lines of the recorded exchanges to `lines`; return their number, or -1 if there were too many to record.
extern "C" inline __attribute__((used)) int recorded_lines(int* lines, int most) {
    if (recorded_count >= MOST_RECORDED) return -1;
    int count = 0;
    for (size_t i = 0; i < recorded_threads; ++i)
        for (size_t j = 0; j < recorded[i].count; ++j) {
            const int line = recorded[i].items[j].line;
            int at = count;  // where it belongs in the sorted list
            while (at > 0 && lines[at - 1] >= line) --at;
            if (count == most || (at < count && lines[at] == line)) continue;
            memmove(lines + at + 1, lines + at, (count++ - at) * sizeof *lines);
            lines[at] = line;
        }
    return count;
}

}  // namespace cuda_on_cpu

CUDA_ON_CPU_CALLED inline void __syncthreads(int line = cuda_on_cpu::here()) {
    cuda_on_cpu::wait_for_block("__syncthreads", false, line);
}
CUDA_ON_CPU_CALLED inline int __syncthreads_count(int p, int line = cuda_on_cpu::here()) {
    return int(cuda_on_cpu::wait_for_block("__syncthreads_count", p != 0, line));
}
CUDA_ON_CPU_CALLED inline int __syncthreads_or(int p, int line = cuda_on_cpu::here()) {
    return cuda_on_cpu::wait_for_block("__syncthreads_or", p != 0, line) != 0;
}
CUDA_ON_CPU_CALLED inline int __syncthreads_and(int p, int line = cuda_on_cpu::here()) {
    return cuda_on_cpu::wait_for_block("__syncthreads_and", p == 0, line) == 0;
}
CUDA_ON_CPU_CALLED inline void __syncwarp(unsigned mask = ~0u, int line = cuda_on_cpu::here()) {
    cuda_on_cpu::wait_for_warp("__syncwarp", mask, nullptr, 0, 0, line);
}

template <class T> CUDA_ON_CPU_CALLED T __shfl_sync(unsigned mask, T value, int source, int width = 32,
                        int line = cuda_on_cpu::here()) {
    unsigned lane = cuda_on_cpu::current->number % 32, first = lane & ~(width - 1);
    return cuda_on_cpu::shuffle("__shfl_sync", mask, value, first + (source & (width - 1)), line);
}
template <class T> CUDA_ON_CPU_CALLED T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                           int line = cuda_on_cpu::here()) {
    unsigned lane = cuda_on_cpu::current->number % 32, first = lane & ~(width - 1);
    return cuda_on_cpu::shuffle("__shfl_up_sync", mask, value, lane < first + delta ? lane : lane - delta, line);
}
template <class T> CUDA_ON_CPU_CALLED T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                             int line = cuda_on_cpu::here()) {
    unsigned lane = cuda_on_cpu::current->number % 32, end = (lane & ~(width - 1)) + width;
    return cuda_on_cpu::shuffle("__shfl_down_sync", mask, value, lane + delta < end ? lane + delta : lane, line);
}
template <class T> CUDA_ON_CPU_CALLED T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32,
                            int line = cuda_on_cpu::here()) {
    unsigned lane = cuda_on_cpu::current->number % 32, end = (lane & ~(width - 1)) + width;
    return cuda_on_cpu::shuffle("__shfl_xor_sync", mask, value, (lane ^ bits) < end ? lane ^ bits : lane, line);
}

#define CUDA_ON_CPU_REDUCE(name, type, Op) \
    CUDA_ON_CPU_CALLED inline type name(unsigned mask, type value, int line = cuda_on_cpu::here()) { \
        return cuda_on_cpu::reduce(#name, mask, value, cuda_on_cpu::Op(), line); \
    }
CUDA_ON_CPU_REDUCE(__reduce_add_sync, unsigned, Add)
CUDA_ON_CPU_REDUCE(__reduce_min_sync, unsigned, Min)
CUDA_ON_CPU_REDUCE(__reduce_min_sync, int, Min)
CUDA_ON_CPU_REDUCE(__reduce_max_sync, unsigned, Max)
CUDA_ON_CPU_REDUCE(__reduce_max_sync, int, Max)
CUDA_ON_CPU_REDUCE(__reduce_and_sync, unsigned, And)
CUDA_ON_CPU_REDUCE(__reduce_or_sync, unsigned, Or)
CUDA_ON_CPU_REDUCE(__reduce_xor_sync, unsigned, Xor)
CUDA_ON_CPU_CALLED inline int __reduce_add_sync(unsigned mask, int value, int line = cuda_on_cpu::here()) {
    return int(__reduce_add_sync(mask, unsigned(value), line));
}
CUDA_ON_CPU_CALLED inline unsigned __ballot_sync(unsigned mask, int p, int line = cuda_on_cpu::here()) {
    return __reduce_or_sync(mask, unsigned(p != 0) << cuda_on_cpu::current->number % 32, line);
}
CUDA_ON_CPU_CALLED inline int __any_sync(unsigned mask, int p, int line = cuda_on_cpu::here()) {
    return int(__reduce_or_sync(mask, unsigned(p != 0), line));
}
CUDA_ON_CPU_CALLED inline int __all_sync(unsigned mask, int p, int line = cuda_on_cpu::here()) {
    return int(__reduce_and_sync(mask, unsigned(p != 0), line));
}

namespace cuda_on_cpu {
inline void match(Thread* lanes, u32 mask) {
    for (u32 i = 0; i < LANES; ++i) {
        u32 equal = 0;
        for (u32 j = 0; j < LANES; ++j) equal |= u32(mask >> j & 1 && lanes[j].value == lanes[i].value) << j;
        if (mask >> i & 1) lanes[i].result = equal;
    }
}
}  // namespace cuda_on_cpu
template <class T>
CUDA_ON_CPU_CALLED unsigned __match_any_sync(unsigned mask, T value, int line = cuda_on_cpu::here()) {
    return unsigned(
        cuda_on_cpu::wait_for_warp("__match_any_sync", mask, cuda_on_cpu::match, cuda_on_cpu::to_bits(value), 0, line));
}
template <class T>
CUDA_ON_CPU_CALLED unsigned __match_all_sync(unsigned mask, T value, int* all, int line = cuda_on_cpu::here()) {
    const unsigned equal = unsigned(
        cuda_on_cpu::wait_for_warp("__match_all_sync", mask, cuda_on_cpu::match, cuda_on_cpu::to_bits(value), 0, line));
    *all = equal == mask;
    return *all ? mask : 0;
}
// All lanes of the warp. On a GPU it is those that run this instruction together, which may be fewer.
inline unsigned __activemask() {
    const unsigned lanes = cuda_on_cpu::block_threads - cuda_on_cpu::current->number / 32 * 32;
    return lanes < 32 ? (1u << lanes) - 1 : ~0u;
}
constexpr int warpSize = 32;

// ---- operations of one thread ---------------------------------------------------------------------------------------

namespace cuda_on_cpu {
// As in CUDA, the value is converted to the type of the target: T is deduced from the pointer only.
template <class T> struct Same { using type = T; };
template <class T> struct If {  // what atomicCAS leaves
    T expected;
    T operator()(T old, T value) const { return old == expected ? value : old; }
};
template <class Op> constexpr bool is_swap = false;
template <class T> constexpr bool is_swap<If<T>> = true;
template <class T, class Op> CUDA_ON_CPU_CALLED T update(T* target, T value, Op op, int line) {
    CUDA_ON_CPU_WATCHED(accessed_atomically(target, sizeof(T), line, is_swap<Op>);)
    (void)line;
    T old = *target;
    *target = op(old, value);
    return old;
}
}  // namespace cuda_on_cpu
#define CUDA_ON_CPU_UPDATE(name, Op) \
    template <class T> T name(T* target, typename cuda_on_cpu::Same<T>::type value, int line = cuda_on_cpu::here()) { \
        return cuda_on_cpu::update<T>(target, value, cuda_on_cpu::Op(), line); \
    }
#define CUDA_ON_CPU_ATOMIC(name, Op) \
    CUDA_ON_CPU_UPDATE(name, Op) CUDA_ON_CPU_UPDATE(name##_block, Op) CUDA_ON_CPU_UPDATE(name##_system, Op)
CUDA_ON_CPU_ATOMIC(atomicAdd, Add)
CUDA_ON_CPU_ATOMIC(atomicSub, Sub)
CUDA_ON_CPU_ATOMIC(atomicMin, Min)
CUDA_ON_CPU_ATOMIC(atomicMax, Max)
CUDA_ON_CPU_ATOMIC(atomicAnd, And)
CUDA_ON_CPU_ATOMIC(atomicOr, Or)
CUDA_ON_CPU_ATOMIC(atomicXor, Xor)
CUDA_ON_CPU_ATOMIC(atomicExch, Second)
CUDA_ON_CPU_ATOMIC(atomicInc, Up)
CUDA_ON_CPU_ATOMIC(atomicDec, Down)
template <class T> T atomicCAS(T* target, typename cuda_on_cpu::Same<T>::type expected,
                               typename cuda_on_cpu::Same<T>::type value, int line = cuda_on_cpu::here()) {
    return cuda_on_cpu::update<T>(target, value, cuda_on_cpu::If<T>{expected}, line);
}
#define atomicCAS_block atomicCAS
#define atomicCAS_system atomicCAS

// As in CUDA: small integers become int, signed with unsigned becomes unsigned, and float with double becomes double.
template <class A, class B> constexpr auto min(A a, B b) -> decltype(a + b) {
    using T = decltype(a + b);
    return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B> constexpr auto max(A a, B b) -> decltype(a + b) {
    using T = decltype(a + b);
    return T(a) < T(b) ? T(b) : T(a);
}

[[noreturn]] inline void __trap() { cuda_on_cpu::fail("__trap()"); }
#define assert(condition) ((condition) ? (void)0 : cuda_on_cpu::fail("assert(" #condition ")"))

#include "cuda_functions.h"
#ifdef CUDA_ON_CPU_PROFILER
#include "profiling/profiler.h"
#endif
