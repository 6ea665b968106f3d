// beam.cu: the two parts of a beam search that need no rules: the best children of a level, and its duplicates.
//
// The best children. A child is a number, parent * moves + move, and its key is 16 bits; 0 is a move that is not
// allowed. The largest `width` keys are kept, and among equal keys the first children. Nothing is sorted:
//
//     tally     how many keys have each upper byte, and then how many of the keys with one upper byte have each lower
//               byte; 256 counters for each tile of TILE keys                       two reads of each key
//     narrow    which byte the least key has that is kept, from the sums over all tiles
//     compare   from its counters: how many keys of a tile are above the least key kept, and how many are equal to it
//     pick      the parents and the moves of the children that are kept, in ascending order: the sums of `compare`
//               over the tiles before say where each goes                                one read of each key
//
// `narrow` keeps what it finds on the device, in `cut`, so the host waits only once, for the number of children:
//
//     cut[0]    EVERY at first; then the upper byte of the least key that is kept, or NONE if all keys are kept
//     cut[1]    how many children are wanted; then how many of those with this upper byte, then with the least key
//     cut[2]    the least key that is kept; 0 if all are kept
//     cut[3]    how many moves are allowed
//     cut[4]    how many children are kept
//
// Duplicates. `claim` finds the first of equal states by a hash table. A slot holds the number of a state, or FREE. A
// state takes the first free slot from that of its hash on, unless one before it holds an equal state. Of equal states
// the least number stays in the slot, so that the result does not depend on the order of the threads.

#include "common.cuh"

#define TILE 8192
#define BYTES 256  // as many as threads in a block
#define CUT 5
#define EVERY (-1)
#define NONE 256
#define FREE 0x7fffffff
#define WARPS (BLOCK / WARP)
#define PART (TILE / WARPS)
#define EQUAL 0x8000u

// One block per tile, with its counters in shared memory. cut[0] says which keys are counted, and by which byte.
extern "C" __global__ void __launch_bounds__(BLOCK) tally(int first, int last, const u16* __restrict__ keys /*[size]*/,
        i64 size, const i64* __restrict__ cut /*[CUT]*/, int* __restrict__ counts /*[last][BYTES]*/) {
    __shared__ int bins[BYTES];
    const int upper = int(cut[0]);
    EACH_ITEM(tile, BLOCK) {
        bins[threadIdx.x] = 0;
        __syncthreads();
        const u16* part = keys + i64(tile) * TILE;
        const int count = int(min(i64(TILE), size - i64(tile) * TILE));
        if (upper == EVERY) {
            for (int i = threadIdx.x; i < count; i += BLOCK)
                if (const u32 key = part[i]) atomicAdd(&bins[key >> 8], 1);
        } else {
            for (int i = threadIdx.x; i < count; i += BLOCK) {
                const u32 lower = part[i] - u32(upper) * BYTES;
                if (lower < BYTES) atomicAdd(&bins[lower], 1);
            }
        }
        __syncthreads();
        const bool none = upper == 0 && threadIdx.x == 0;  // a key of 0 does not count
        counts[i64(tile) * BYTES + threadIdx.x] = none ? 0 : bins[threadIdx.x];
        __syncthreads();  // the counters are read before those of the next tile are cleared
    }
}

// One warp for the only item. The first call finds the upper byte of the least key kept, the second its lower byte. A
// lane has eight bytes: it adds up their counters, and shuffles say how many keys the lanes above it have.
extern "C" __global__ void __launch_bounds__(BLOCK) narrow(int first, int last, const i64* __restrict__ totals /*[BYTES]*/,
        i64* __restrict__ cut /*[CUT] changed*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const i64 upper = cut[0], wanted = cut[1];
        if (upper == NONE) continue;
        i64 own = 0;
        for (int i = 0; i < BYTES / WARP; ++i) own += totals[lane * (BYTES / WARP) + i];
        i64 from = own;  // keys of this lane and those above it
        for (int distance = 1; distance < WARP; distance *= 2) {
            const i64 other = __shfl_down_sync(FULL, from, distance);
            if (lane + distance < WARP) from += other;
        }
        const i64 all = __shfl_sync(FULL, from, 0);
        __syncwarp();  // all lanes have read the cut
        if (upper == EVERY && lane == 0) cut[3] = all, cut[4] = min(all, wanted);
        if (upper == EVERY && all <= wanted) {
            if (lane == 0) cut[0] = NONE;
            continue;
        }
        i64 above = from - own;
        if (above >= wanted || from < wanted) continue;
        int byte = (lane + 1) * (BYTES / WARP) - 1;
        for (; above + totals[byte] < wanted; --byte) above += totals[byte];
        if (upper == EVERY) cut[0] = byte;
        else cut[2] = upper << 8 | byte;
        cut[1] = wanted - above;
    }
}

// taken[0][tile] is how many keys of a tile are above the least key that is kept, and taken[1][tile] how many are equal
// to it. One warp per tile: 512 counters.
extern "C" __global__ void __launch_bounds__(BLOCK) compare(int first, int last, const i64* __restrict__ cut /*[CUT]*/,
        const int* __restrict__ upper_counts /*[tiles][BYTES]*/, const int* __restrict__ lower_counts /*[][BYTES]*/,
        int tiles, int* __restrict__ taken /*[2 * tiles]*/) {
    const int lane = threadIdx.x % WARP, upper = int(cut[0]), least = int(cut[2]) & 255;
    EACH_ITEM(tile, WARP) {
        int above = 0, equal = 0;
        for (int byte = lane; byte < BYTES; byte += WARP) {
            if (upper == NONE || byte > upper) above += upper_counts[i64(tile) * BYTES + byte];
            if (upper == NONE || byte < least) continue;
            const int count = lower_counts[i64(tile) * BYTES + byte];
            if (byte == least) equal = count;
            else above += count;
        }
        above = warp_sum(above);
        equal = warp_sum(equal);
        if (lane == 0) taken[tile] = above, taken[tiles + tile] = equal;
    }
}

// The parents and moves of the children that are kept. The states of `keys` begin with number `start`, and their tiles
// with number `tile_start` among the `tiles` of the level; `sums` are the running sums of all of `taken`. One block
// per tile: each warp lists the keys of its part that are not below the least key kept, and then goes through its list
// with full lanes. A place in the list is the number of a key in the part; EQUAL marks a key that is equal to the least.
extern "C" __global__ void __launch_bounds__(BLOCK) pick(int first, int last, const u16* __restrict__ keys /*[size]*/,
        i64 size, int start, int moves, const i64* __restrict__ cut /*[CUT]*/,
        const i64* __restrict__ sums /*[2 * tiles]*/, int tiles, int tile_start, int kept,
        int* __restrict__ parents /*[kept]*/, u16* __restrict__ made /*[kept]*/) {
    __shared__ u16 listed_of[WARPS][PART];
    __shared__ int above_of[WARPS], equal_of[WARPS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const u32 least = u32(cut[2]), lowest = max(least, 1u), mark = least ? EQUAL : 0, before = (1u << lane) - 1;
    const i64 room = least ? cut[1] : 0;  // of the keys that are equal to the least
    u16* listed = listed_of[warp];
    EACH_ITEM(tile, BLOCK) {
        const i64 begin = i64(tile) * TILE + warp * PART;
        const int count = int(max(i64(0), min(i64(PART), size - begin)));
        const u16* part = keys + begin;
        int length = 0, equal = 0;
        for (int tested = 0; tested < count; tested += WARP) {
            const u32 key = tested + lane < count ? part[tested + lane] : 0;
            const u32 taken = __ballot_sync(FULL, key >= lowest);
            if (key >= lowest) listed[length + __popc(taken & before)] = u16(tested + lane | (key == least ? mark : 0));
            length += __popc(taken);
            equal += key == least;
        }
        equal = least ? warp_sum(equal) : 0;
        if (lane == 0) above_of[warp] = length - equal, equal_of[warp] = equal;
        __syncthreads();
        const int place = tile_start + int(tile);
        i64 over = place ? sums[place - 1] : 0, same = sums[tiles + place - 1] - sums[tiles - 1];
        for (int w = 0; w < warp; ++w) over += above_of[w], same += equal_of[w];
        int left = int(room - min(same, room)), at = int(over + min(same, room));  // equal keys to keep; the next place
        const int parent = start + int(begin / moves);
        const u32 move = u32(begin % moves);
        for (int tested = 0; tested < length; tested += WARP) {
            const bool exists = tested + lane < length;
            const u32 entry = exists ? listed[tested + lane] : 0;
            const u32 like = __ballot_sync(FULL, exists && entry & EQUAL);
            const bool keep = exists && (!(entry & EQUAL) || __popc(like & before) < left);
            const u32 chosen = __ballot_sync(FULL, keep);
            if (keep) {
                const int to = at + __popc(chosen & before);
                const u32 child = move + (entry & (EQUAL - 1));
                parents[to] = parent + int(child / u32(moves));
                made[to] = u16(child % u32(moves));
            }
            at += __popc(chosen);
            left -= min(left, __popc(like));
        }
        __syncthreads();  // lists and counts are read before those of the next tile are written
    }
}

__device__ u32 hash_of(const u64* __restrict__ columns, int words, int count, int item) {
    u64 mixed = 0;
    for (int word = 0; word < words; ++word) {
        mixed = (mixed ^ columns[i64(word) * count + item]) * 0x9E3779B97F4A7C15ull;
        mixed ^= mixed >> 29;
    }
    return u32(mixed * 0xBF58476D1CE4E5B9ull >> 32);
}

__device__ bool are_equal(const u64* __restrict__ columns, int words, int count, int one, int other) {
    for (int word = 0; word < words; ++word)
        if (columns[i64(word) * count + one] != columns[i64(word) * count + other]) return false;
    return true;
}

// Enters the states in the hash table: place[item] is the slot of a state, and slots[place[item]] is at the end the
// first state that is equal to it. `size` is a power of 2 and at least twice the number of states. One thread per
// state: its words, a slot and, if the slot is taken, the words of the state in it.
extern "C" __global__ void __launch_bounds__(BLOCK) claim(int first, int last,
        const u64* __restrict__ columns /*[words][count]*/, int words, int count, int* __restrict__ slots /*[size] changed*/, i64 size,
        int* __restrict__ place /*[last]*/) {
    const u32 mask = u32(size - 1);
    EACH_ITEM(item, 1) {
        u32 slot = hash_of(columns, words, count, item) & mask;
        for (;;) {
            const int held = atomicCAS(&slots[slot], FREE, int(item));
            if (held == FREE) break;
            if (are_equal(columns, words, count, held, item)) {
                atomicMin(&slots[slot], int(item));
                break;
            }
            slot = (slot + 1) & mask;
        }
        place[item] = int(slot);
    }
}
