// profiler.h: follows a launch that cuda_on_cpu.h runs: every access to memory, basic block, barrier and atomic
// operation.
//
// Events. The compiler's ThreadSanitizer and coverage passes call a function before every access and at the beginning
// of every basic block. Here these functions do not detect anything themselves: they append an event to the list of
// the current thread. Each call has a site, a number from which Python knows the file and line (instrument.py).
// Barriers and atomic operations are functions of cuda_on_cpu.h, which report themselves, and get the sites after
// those of the calls.
//
// Lockstep. The threads ran one after another. When a block of threads has ended, each warp is run again from the
// lists of its 32 lanes as a GPU runs it, all lanes in the same place together. If the lanes are in different places,
// those that are behind in the code go first, and the others wait for them (Collange's "min-PC" order). So the lanes
// of a loop wait for the one that needs most rounds, and the two sides of an if are run one after the other. Lanes
// that passed a barrier together are in the same place there. The counts are of these steps of a warp.
//
// Races. For each element of an array that can be written, a cell keeps who read and wrote it last. Two accesses by
// different threads are ordered if a barrier separates them: a barrier of the block between their epochs, or within a
// warp a chain of __syncwarp(), followed with vector clocks as in FastTrack (Flanagan and Freund, 2009). Votes and
// shuffles do not order memory. Blocks are never ordered. Two accesses race if they are not ordered, one is a write or
// an atomic operation, and not both are atomic operations. Two plain writes of the same value are no race: CUDA lets
// one of them win. A plain read and an atomicCAS do not race either, because a loop that retries an atomicCAS begins
// with such a read.
//
// Memory. An access outside of all arrays ends the launch before it happens, unless it is to the thread's own stack or to
// the library, which has the constants and what the emulation itself needs. Arrays have room around them that belongs to
// nobody, which show the array that a wrong index was meant for. An access of 2, 4, 8 or 16 bytes must be aligned
// to its size, as on a GPU. Shared memory that is read before its block has written it is reported, and the launch goes on.
#pragma once

#ifdef __linux__
#include <dlfcn.h>
#include <link.h>
#endif

namespace cuda_on_cpu {

enum Space : u32 { GLOBAL, SHARED, SPACES };
enum Count : u32 { RUNS, ACTIVE, SECTORS, USED, CONFLICTS, COLLISIONS, DIVERGENT, COUNTS };
// Steps of a warp, and lanes active in them; sectors of 32 bytes and the bytes of them that were used; passes that banks
// of shared memory need beyond the first; lanes whose atomic operation waits for another lane's; steps after which the
// lanes part.

struct Place {  // an array
    char* start;
    u64 bytes;
    u32 element;      // bytes of an element
    u32 space;
    u32 constant;     // the kernel cannot write it
    u32 owners;       // elements whose first thread is recorded
    int* owner;       // -1: nobody yet
    u64 before, after;  // bytes around it that belong to nobody
    u64 written;        // whether it must be written before it is read; g++ does not report all writes to structures
};

struct Event {
    u64 key;  // its order in the code
    u64 address;
    u32 site;
    u16 bytes;
    u8 kind, place;
    u32 together, barrier;
};

struct Step { u32 site, active; };

struct Seen { u32 thread, epoch, clock, site; };  // site + 1; 0: nobody
struct Group { Seen one; u32 many; };             // many: number of a table with an entry for each thread of the block
struct Cell { Seen write; Group reads, atomics; Seen before[3]; u32 block; };  // before: in other blocks

struct Race {
    u32 first_site, second_site, first_kind, second_kind, first_thread, second_thread, place, element;
    u64 count;
};
enum What : u32 { OUTSIDE, MISALIGNED, UNWRITTEN, NOWHERE };
struct Fault { u32 what, site, kind, thread, place, bytes; long long offset; u64 count; };  // offset: from the place
struct Extra { u32 kind, line; };  // a site that is not a call

constexpr u32 MOST_PLACES = 250, MOST_RACES = 256, MOST_FAULTS = 256, MOST_STEPS = 1 << 16, MOST_EXTRAS = 1 << 12;

static bool watching;       // events are followed only while it is set
static bool lockstep;       // whether to run the warps again in lockstep
static u32 site_count, place_count, shown_block, shown_warp;
static u64 most_events, event_count;
static char* first_call;    // where the addresses of the calls begin
static u32* site_of;        // by address - first_call: site + 1
static Place* places;
static Cell* cells[MOST_PLACES];
static u32 spaces[MOST_PLACES];
static bool too_fine;       // an access was smaller than an element: the cells must be bytes
static u64 (*counts)[SPACES][COUNTS];
static Extra extras[MOST_EXTRAS];
static bool swaps[MOST_EXTRAS];  // which of them are atomicCAS
static u32 extra_count;
static Race races[MOST_RACES];
static u32 race_count;
static Fault faults[MOST_FAULTS];
static u32 fault_count;
static u64 library_start, library_end;  // the addresses of this library
static List<Step> steps;    // of the warp that is shown
static List<Event> events[MOST_THREADS];
static u64 last_key[MOST_THREADS];
static u32 depth[MOST_THREADS];
static u32 clocks[MOST_WARPS][LANES][LANES], epoch;
static List<Seen*> tables;  // for Group::many; table 0 is not used
static List<u32> free_tables;

extern "C" __attribute__((visibility("hidden"))) char* gpusolve_sites[];  // the addresses after the calls, in order

// ---- races ----------------------------------------------------------------------------------------------------------

static u32 my_thread() { return block_number * block_threads + current->number; }

static bool ordered(const Seen& seen) {
    const u32 mine = current->number, other = seen.thread - block_number * block_threads;
    if (other == mine) return true;
    if (other >= block_threads) return false;  // another block
    if (seen.epoch != epoch) return true;
    if (other / LANES != mine / LANES) return false;
    return seen.clock <= clocks[mine / LANES][mine % LANES][other % LANES];
}

static void found_race(const Seen& seen, Kind kind, u32 site, Kind now, u32 place, u32 element, u32 thread) {
    for (u32 i = 0; i < race_count; ++i)
        if (races[i].first_site == seen.site - 1 && races[i].second_site == site && races[i].place == place) {
            ++races[i].count;
            return;
        }
    if (race_count < MOST_RACES)
        races[race_count++] = {seen.site - 1, site, kind, now, seen.thread, thread, place, element, 1};
}

// A write that races with another write, unless it writes the same value. The write itself follows its call, so the
// value is known when anything else happens.
static struct {
    bool open;
    Seen seen;
    u32 site, place, element, bytes, thread;
    const void* address;
    char before[16];
} pending;

static void settle() {
    if (!pending.open) return;
    pending.open = false;
    if (memcmp(pending.address, pending.before, pending.bytes))
        found_race(pending.seen, WRITE, pending.site, WRITE, pending.place, pending.element, pending.thread);
}

static void add(Group& group, const Seen& me) {
    if (!group.many) {
        if (!group.one.site || group.one.thread == me.thread || ordered(group.one)) {
            group.one = me;
            return;
        }
        if (!tables.count) tables.push(nullptr);
        if (free_tables.count) group.many = free_tables.items[--free_tables.count];
        else tables.push(static_cast<Seen*>(malloc(MOST_THREADS * sizeof(Seen)))), group.many = tables.count - 1;
        memset(tables.items[group.many], 0, block_threads * sizeof(Seen));
        tables.items[group.many][group.one.thread % block_threads] = group.one;
    }
    tables.items[group.many][me.thread % block_threads] = me;
    group.one = me;
}

static void clear(Group& group) {
    if (group.many) free_tables.push(group.many);
    group = {};
}

static bool is_swap_at(u32 site) { return site >= site_count && swaps[site - site_count]; }

static void follow(u32 p, u32 element, Kind kind, u32 site, const void* address, u32 bytes) {
    Cell& cell = cells[p][element];
    if (cell.block != block_number + 1) {  // what happened was in other blocks: one of each kind is enough
        if (cell.write.site) cell.before[0] = cell.write;
        if (cell.reads.one.site) cell.before[1] = cell.reads.one;
        if (cell.atomics.one.site) cell.before[2] = cell.atomics.one;
        cell.write = {}, clear(cell.reads), clear(cell.atomics), cell.block = block_number + 1;
    }
    const u32 t = current->number;
    const Seen me = {my_thread(), epoch, clocks[t / LANES][t % LANES][t % LANES], site + 1};
    auto compare = [&](const Seen& seen, Kind other) {
        if (!seen.site || ordered(seen)) return;
        if ((kind == READ && is_swap_at(seen.site - 1)) || (other == READ && is_swap_at(site))) return;
        if (kind != WRITE || other != WRITE || bytes > sizeof pending.before) {
            found_race(seen, other, site, kind, p, element, my_thread());
        } else if (!pending.open) {
            pending = {true, seen, site, p, element, bytes, my_thread(), address, {}};
            memcpy(pending.before, address, bytes);
        }
    };
    auto compare_all = [&](const Group& group, Kind other) {
        if (!group.many) compare(group.one, other);
        else for (u32 i = 0; i < block_threads; ++i) compare(tables.items[group.many][i], other);
    };
    compare(cell.write, WRITE), compare(cell.before[0], WRITE);
    if (kind != READ) compare_all(cell.reads, READ), compare(cell.before[1], READ);
    if (kind != ATOMIC) compare_all(cell.atomics, ATOMIC), compare(cell.before[2], ATOMIC);
    if (kind == READ) add(cell.reads, me);
    if (kind == ATOMIC) add(cell.atomics, me);
    if (kind == WRITE) cell.write = me, clear(cell.reads), clear(cell.atomics);
}

void warp_synchronized(u32 warp, u32 lanes) {
    if (!watching) return;
    u32 joined[LANES] = {};
    for (u32 i = 0; i < LANES; ++i)
        for (u32 j = 0; lanes >> i & 1 && j < LANES; ++j)
            if (clocks[warp][i][j] > joined[j]) joined[j] = clocks[warp][i][j];
    for (u32 i = 0; i < LANES; ++i)
        if (lanes >> i & 1) memcpy(clocks[warp][i], joined, sizeof joined), ++clocks[warp][i][i];
}

void block_synchronized() { ++epoch; }

// ---- events ---------------------------------------------------------------------------------------------------------

static void append(const Event& event) {
    if (++event_count > most_events) fail("too many events for a profile: launch fewer items");
    events[current->number].push(event);
}

static void found_fault(What what, u32 site, Kind kind, u32 place, u64 at, u32 bytes) {
    for (u32 i = 0; i < fault_count; ++i)
        if (faults[i].what == what && faults[i].site == site && faults[i].place == place) {
            ++faults[i].count;
            return;
        }
    if (fault_count < MOST_FAULTS)
        faults[fault_count++] = {what, site, kind, my_thread(), place, bytes, (long long)(at - u64(places[place].start)), 1};
}

// Stop at an access that no array of the launch contains, unless its memory is that of the thread or of the library.
static void check_outside(u32 site, Kind kind, u64 at, u32 bytes) {
    u32 nearest = 0;
    u64 least = ~0ull;
    for (u32 p = 0; p < place_count; ++p) {
        const u64 start = u64(places[p].start), end = start + places[p].bytes;
        const u64 distance = at < start ? start - at : at - end;
        if (distance < least && (kind == READ || !places[p].constant)) least = distance, nearest = p;
        if (at < start ? distance <= places[p].before : distance < places[p].after) {
            found_fault(OUTSIDE, site, kind, p, at, bytes);
            fail("it leaves an array");
        }
    }
    const u64 stack = u64(current->stack);
    if (!library_end || !place_count || (at >= library_start && at < library_end) ||
        (at >= stack && at < stack + current->stack_bytes)) return;
    found_fault(at < 4096 ? NOWHERE : OUTSIDE, site, kind, nearest, at, bytes);
    fail("it leaves an array");
}

static void at_site(u32 site, u64 key, Kind kind, const void* address, u32 bytes, bool aligned = true) {
    u32 p = 0;
    settle();
    if (kind == READ || kind == WRITE || kind == ATOMIC) {
        const u64 at = u64(address);
        while (p < place_count && at - u64(places[p].start) >= places[p].bytes) ++p;
        if (p == place_count) {  // a variable of the emulation, a constant, or a thread's own
            check_outside(site, kind, at, bytes);
            return;
        }
        Place& place = places[p];
        if (at - u64(place.start) + bytes > place.bytes) {
            found_fault(OUTSIDE, site, kind, p, at, bytes);
            fail("it leaves an array");
        }
        if (aligned && bytes <= 16 && at % bytes) {
            found_fault(MISALIGNED, site, kind, p, at, bytes);
            fail("its access is not aligned");
        }
        const u64 offset = at - u64(place.start), first = offset / place.element;
        u64 last = (offset + bytes - 1) / place.element;
        if (last >= place.bytes / place.element) last = place.bytes / place.element - 1;
        if (offset % place.element || bytes % place.element) too_fine = true;
        for (u64 i = first; i <= last; ++i) {
            if (i < place.owners && place.owner[i] < 0) place.owner[i] = int(my_thread());
            if (place.written && kind != WRITE && !cells[p][i].write.site && !cells[p][i].atomics.one.site)
                found_fault(UNWRITTEN, site, kind, p, at, bytes);
            if (!place.constant) follow(p, u32(i), kind, site, address, bytes);
        }
    }
    if (lockstep) append({key, u64(address), site, u16(bytes), u8(kind), u8(p), 0, 0});
}

// A call from the kernel: the address after the call identifies it.
static void called(void* after, Kind kind, const void* address = nullptr, u32 bytes = 0, bool aligned = true) {
    if (!watching) return;
    const u32 t = current->number;
    const u64 offset = static_cast<char*>(after) - first_call;
    last_key[t] = u64(255 - depth[t]) << 48 | offset << 8;
    at_site(site_of[offset] - 1, last_key[t], kind, address, bytes, aligned);
}

static u32 extra_site(Kind kind, int line, bool swap = false) {
    u32 i = 0;
    while (i < extra_count && (extras[i].kind != kind || extras[i].line != u32(line) || swaps[i] != swap)) ++i;
    if (i == extra_count && extra_count < MOST_EXTRAS - 1) swaps[i] = swap, extras[extra_count++] = {kind, u32(line)};
    return site_count + i;
}

void accessed_atomically(const void* target, u32 bytes, int line, bool swap) {
    if (watching) at_site(extra_site(ATOMIC, line, swap), ++last_key[current->number], ATOMIC, target, bytes);
}

void waited(Kind kind, int line) {
    if (!watching || !lockstep) return;
    const u64 key = ++last_key[current->number];
    append({key, 0, extra_site(kind, line), 0, u8(kind), 0, current->together, current->barrier});
}

void block_begins() {
    if (!watching) return;
    ++epoch, event_count = 0;
    memset(last_key, 0, sizeof last_key), memset(depth, 0, sizeof depth), memset(clocks, 0, sizeof clocks);
    for (u32 w = 0; w < MOST_WARPS; ++w)
        for (u32 i = 0; i < LANES; ++i) clocks[w][i][i] = 1;
    for (u32 t = 0; t < block_threads; ++t) events[t].count = 0;
    for (u32 p = 0; p < place_count; ++p)  // shared memory belongs to the block
        for (u64 i = 0; places[p].space == SHARED && i < places[p].bytes / places[p].element; ++i)
            clear(cells[p][i].reads), clear(cells[p][i].atomics), cells[p][i] = {};
}

// ---- lockstep -------------------------------------------------------------------------------------------------------

static void sort(u64* items, u32 count) {  // short lists, mostly sorted
    for (u32 i = 1; i < count; ++i) {
        const u64 item = items[i];
        u32 j = i;
        for (; j > 0 && items[j - 1] > item; --j) items[j] = items[j - 1];
        items[j] = item;
    }
}

static u32 distinct(u64* items, u32 count) {
    sort(items, count);
    u32 found = 0;
    for (u32 i = 0; i < count; ++i) found += !i || items[i] != items[i - 1];
    return found;
}

// The passes for the words of shared memory that `count` lanes ask for: a bank gives one word per pass, to any lanes.
static u32 passes(u64* words, u32 count) {
    sort(words, count);
    u32 of_bank[LANES] = {}, most = 0;
    for (u32 i = 0; i < count; ++i)
        if (!i || words[i] != words[i - 1]) {
            const u32 n = ++of_bank[words[i] % LANES];
            if (n > most) most = n;
        }
    return most;
}

static void count_access(u64* into, const Event* const* group, u32 n) {
    static u64 list[LANES * 260];
    const Event& first = *group[0];
    const u32 space = places[first.place].space;
    u32 count = 0;
    for (u32 i = 0; i < n; ++i)  // bytes that are used, each counted once
        for (u32 b = 0; b < group[i]->bytes && b < 256; ++b) list[count++] = group[i]->address + b;
    into[USED] += distinct(list, count);
    if (space == GLOBAL) {
        count = 0;
        for (u32 i = 0; i < n; ++i) {
            const u64 last = (group[i]->address + group[i]->bytes - 1) >> 5;
            for (u64 sector = group[i]->address >> 5; sector <= last; ++sector) list[count++] = sector;
        }
        into[SECTORS] += distinct(list, count);
    } else {  // 8 bytes: half a warp at a time; 16 bytes: a quarter
        const u32 words = (first.bytes + 3) / 4, lanes = words <= 1 ? n : words == 2 ? 16 : 8;
        for (u32 begin = 0; begin < n; begin += lanes) {
            count = 0;
            for (u32 i = begin; i < n && i < begin + lanes; ++i)
                for (u64 word = group[i]->address >> 2; word <= (group[i]->address + group[i]->bytes - 1) >> 2; ++word)
                    list[count++] = word;
            into[CONFLICTS] += passes(list, count) - 1;
        }
    }
    if (first.kind == ATOMIC) {
        for (u32 i = 0; i < n; ++i) list[i] = group[i]->address;
        into[COLLISIONS] += n - distinct(list, n);
    }
}

// Run the lanes of a warp of the finished block in lockstep.
static void run_in_lockstep(u32 warp) {
    const List<Event>* lists = &events[warp * LANES];
    const u32 lanes = block_threads - warp * LANES < LANES ? block_threads - warp * LANES : LANES;
    size_t at[LANES] = {};
    const bool shown = block_number == shown_block && warp == shown_warp;
    for (;;) {
        const Event* leader = nullptr;
        for (u32 i = 0; i < lanes; ++i) {
            if (at[i] == lists[i].count) continue;
            const Event& event = lists[i].items[at[i]];
            bool ready = true;
            for (u32 rest = event.together; rest && ready; rest &= rest - 1) {
                const u32 j = __builtin_ctz(rest);
                const Event* other = at[j] < lists[j].count ? &lists[j].items[at[j]] : nullptr;
                ready = other && other->together && other->barrier == event.barrier;
            }
            if (ready && (!leader || event.key < leader->key)) leader = &event;
        }
        if (!leader) break;
        const Event* group[LANES];
        u32 n = 0, active = 0, successor = 0;
        bool parted = false;
        for (u32 i = 0; i < lanes; ++i) {
            if (at[i] == lists[i].count) continue;
            const Event& event = lists[i].items[at[i]];
            if (event.key != leader->key || event.site != leader->site || event.barrier != leader->barrier) continue;
            if (event.together != leader->together || spaces[event.place] != spaces[leader->place]) continue;
            group[n++] = &event, active |= 1u << i, ++at[i];
            if (event.kind != BLOCK) continue;
            size_t next = at[i];
            while (next < lists[i].count && lists[i].items[next].kind != BLOCK) ++next;
            const u32 site = next < lists[i].count ? lists[i].items[next].site + 1 : ~0u;
            if (n > 1 && site != successor) parted = true;
            successor = site;
        }
        const bool memory = leader->kind == READ || leader->kind == WRITE || leader->kind == ATOMIC;
        u64* into = counts[leader->site][memory ? places[leader->place].space : GLOBAL];
        into[RUNS] += 1, into[ACTIVE] += n, into[DIVERGENT] += parted;
        if (memory) count_access(into, group, n);
        if (shown && steps.count < MOST_STEPS) steps.push({leader->site, active});
    }
}

void block_ends() {
    if (!watching || !lockstep || error[0]) return;
    for (u32 w = 0; w < warp_count; ++w) run_in_lockstep(w);
}

// ---- for Python -----------------------------------------------------------------------------------------------------

#define CUDA_ON_CPU_EXPORT extern "C" inline __attribute__((used, visibility("default")))

#ifdef __linux__
// Find the addresses of this library in its own headers. Those of other libraries are not read: a file that was changed
// after it was loaded would end the process.
static void find_library() {
    Dl_info about;
    if (!dladdr(&library_end, &about)) return;
    const char* base = static_cast<const char*>(about.dli_fbase);
    const auto* file = reinterpret_cast<const ElfW(Ehdr)*>(base);
    const auto* parts = reinterpret_cast<const ElfW(Phdr)*>(base + file->e_phoff);
    library_start = u64(base);
    for (int i = 0; i < file->e_phnum; ++i) {
        const u64 end = library_start + parts[i].p_vaddr + parts[i].p_memsz;
        if (parts[i].p_type == PT_LOAD && end > library_end) library_end = end;
    }
}
#endif

CUDA_ON_CPU_EXPORT void profile_begin(u32 sites, Place* given, u32 count, int with_lockstep, u32 block, u32 warp,
                                      u64 most) {
    if (!site_of && sites) {
        char* last = first_call = gpusolve_sites[0];
        for (u32 i = 0; i < sites; ++i) {
            if (gpusolve_sites[i] < first_call) first_call = gpusolve_sites[i];
            if (gpusolve_sites[i] > last) last = gpusolve_sites[i];
        }
        site_of = static_cast<u32*>(calloc(last - first_call + 1, sizeof(u32)));
        for (u32 i = 0; i < sites; ++i) site_of[gpusolve_sites[i] - first_call] = i + 1;
    }
    free(counts);
    counts = static_cast<u64(*)[SPACES][COUNTS]>(calloc(sites + MOST_EXTRAS, sizeof *counts));
    site_count = sites, places = given, place_count = count, lockstep = with_lockstep;
    shown_block = block, shown_warp = warp, most_events = most;
    extra_count = race_count = fault_count = 0, steps.count = 0, too_fine = false, epoch = 0;
    for (u32 p = 0; p < count; ++p) {
        const u64 elements = given[p].bytes / given[p].element;
        cells[p] = given[p].constant ? nullptr : static_cast<Cell*>(calloc(elements + 1, sizeof(Cell)));
        spaces[p] = given[p].space;
    }
#ifdef __linux__  // elsewhere, only the room around arrays is known to be nobody's
    if (!library_end) find_library();
#endif
    watching = true;
}

// Return whether an access was smaller than an element of its array.
CUDA_ON_CPU_EXPORT int profile_end() {
    watching = false;
    settle();
    for (u32 p = 0; p < place_count; ++p) free(cells[p]), cells[p] = nullptr;
    for (size_t i = 1; i < tables.count; ++i) free(tables.items[i]);
    tables.count = free_tables.count = 0;
    return too_fine;
}

CUDA_ON_CPU_EXPORT const void* profile_counts() { return counts; }
CUDA_ON_CPU_EXPORT const void* profile_extras() { return extras; }
CUDA_ON_CPU_EXPORT u32 profile_extra_count() { return extra_count; }
CUDA_ON_CPU_EXPORT const void* profile_races() { return races; }
CUDA_ON_CPU_EXPORT u32 profile_race_count() { return race_count; }
CUDA_ON_CPU_EXPORT const void* profile_faults() { return faults; }
CUDA_ON_CPU_EXPORT u32 profile_fault_count() { return fault_count; }
CUDA_ON_CPU_EXPORT const void* profile_steps() { return steps.items; }
CUDA_ON_CPU_EXPORT u32 profile_step_count() { return u32(steps.count); }

}  // namespace cuda_on_cpu

// ---- what the compiler's passes call --------------------------------------------------------------------------------

#define CUDA_ON_CPU_HOOK extern "C" __attribute__((used, noinline)) void
#define CUDA_ON_CPU_CALLS(prefix, bytes, aligned) \
    CUDA_ON_CPU_HOOK __tsan_##prefix##read##bytes(void* a) { \
        cuda_on_cpu::called(__builtin_return_address(0), cuda_on_cpu::READ, a, bytes, aligned); \
    } \
    CUDA_ON_CPU_HOOK __tsan_##prefix##write##bytes(void* a) { \
        cuda_on_cpu::called(__builtin_return_address(0), cuda_on_cpu::WRITE, a, bytes, aligned); \
    }
CUDA_ON_CPU_CALLS(, 1, true)
CUDA_ON_CPU_CALLS(, 2, true)
CUDA_ON_CPU_CALLS(, 4, true)
CUDA_ON_CPU_CALLS(, 8, true)
CUDA_ON_CPU_CALLS(, 16, true)
CUDA_ON_CPU_CALLS(unaligned_, 2, false)
CUDA_ON_CPU_CALLS(unaligned_, 4, false)
CUDA_ON_CPU_CALLS(unaligned_, 8, false)
CUDA_ON_CPU_CALLS(unaligned_, 16, false)
CUDA_ON_CPU_HOOK __tsan_read_range(void* a, unsigned long bytes) {
    cuda_on_cpu::called(__builtin_return_address(0), cuda_on_cpu::READ, a, unsigned(bytes), false);
}
CUDA_ON_CPU_HOOK __tsan_write_range(void* a, unsigned long bytes) {
    cuda_on_cpu::called(__builtin_return_address(0), cuda_on_cpu::WRITE, a, unsigned(bytes), false);
}
CUDA_ON_CPU_HOOK __tsan_func_entry(void*) {
    if (cuda_on_cpu::watching) ++cuda_on_cpu::depth[cuda_on_cpu::current->number];
}
CUDA_ON_CPU_HOOK __tsan_func_exit() {
    if (cuda_on_cpu::watching) --cuda_on_cpu::depth[cuda_on_cpu::current->number];
}
CUDA_ON_CPU_HOOK __sanitizer_cov_trace_pc() { cuda_on_cpu::called(__builtin_return_address(0), cuda_on_cpu::BLOCK); }
CUDA_ON_CPU_HOOK __tsan_init() {}
