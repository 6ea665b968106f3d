// wordle.cu: patterns and partitions of Wordle guesses.
//
// The idea. A pattern is a number in base 3: position i counts 3^i times 0 (grey), 1 (yellow) or 2 (green). Letters do not
// disturb one another: what a letter adds to the pattern depends only on the letter, on the set of positions where the
// guess holds it (five bits, the mask) and on the answer. So (letter, mask) is a *term*, a row with one byte for each
// answer, and the pattern of a guess is the sum of its terms, one for each different letter:
//
//     salet = s.... + .a... + ..l.. + ...e. + ....t          eerie = ee..e + ..r.. + ...i. + 0 + 0
//
// 12,972 guesses share 345 terms. No sum exceeds 242, so no byte overflows into the next, and one 32-bit addition adds the
// terms of four answers.
//
// The data. Words are letters 0..25. `answers` is five rows, one for each position, of `columns` letters; the row of a term
// and a row of patterns also have `columns` bytes, a multiple of sixteen. Term 0 is the empty one (mask 0, all zero): it fills
// up the five terms of a guess with repeated letters. A batch of subsets of the answers is just their words, one subset
// after the other, each starting at a multiple of sixteen columns; in between stand words of letter 0.

#include "common.cuh"

#define LETTERS 5       // letters of a word
#define CELLS 243       // 3^5 patterns
#define SOLVED 242      // all five green
#define CELL_ROW 256    // CELLS rounded up, a warp's counters
#define SMALL 96        // answers of a subset from which on counting first and then looking at all counters is less work
#define NEVER (1ll << 62)  // above every cost
#define PATTERN_WORDS 8 // 32-bit words that hold a bit for each pattern

// What one letter adds to the pattern. `held`: bit i is set where the answer holds the letter; `mask`: where the guess does.
// Greens first; then yellows from left to right while the answer holds the letter at a place that no green has claimed.
// With `presence` every letter that is not green and occurs anywhere is yellow.
__device__ u32 term_of(u32 held, u32 mask, int presence) {
    int unclaimed = __popc(presence ? held : held & ~mask);
    u32 value = 0, weight = 1;
    for (int i = 0; i < LETTERS; ++i, weight *= 3) {
        if (!(mask >> i & 1)) continue;
        if (held >> i & 1) value += 2 * weight;
        else if (unclaimed > 0) value += weight, unclaimed -= !presence;
    }
    return value;
}

// Every term for every answer: out[t][j]. One block per term; 5 byte reads and 1 write per byte of the row.
extern "C" __global__ void __launch_bounds__(BLOCK) terms(int first, int last,
        const u8* __restrict__ letters /*[last]*/, const u8* __restrict__ masks /*[last]*/,
        const u8* __restrict__ answers /*[LETTERS][columns]*/, int columns, int presence,
        u8* __restrict__ out /*[last][columns]*/) {
    EACH_ITEM(t, BLOCK) {
        for (int j = threadIdx.x; j < columns; j += BLOCK) {
            u32 held = 0;
            for (int i = 0; i < LETTERS; ++i) held |= u32(answers[i64(i) * columns + j] == letters[t]) << i;
            out[i64(t) * columns + j] = u8(term_of(held, masks[t], presence));
        }
    }
}

// The rows of a guess's five terms, from some column on.
struct Rows {
    const u8* rows[LETTERS];

    __device__ Rows(const int* guess, const u8* terms, int columns) {
        for (int i = 0; i < LETTERS; ++i) rows[i] = terms + i64(guess[i]) * columns;
    }
    // The pattern in column j.
    __device__ u32 one(int j) const {
        u32 sum = 0;
        for (int i = 0; i < LETTERS; ++i) sum += rows[i][j];
        return sum;
    }
    // The patterns in sixteen columns from j on, a multiple of sixteen.
    __device__ uint4 sixteen(int j) const {
        uint4 sum = *(const uint4*)(rows[0] + j);
        for (int i = 1; i < LETTERS; ++i) {
            const uint4 more = *(const uint4*)(rows[i] + j);
            sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
        }
        return sum;
    }
};

// The patterns of every guess against every answer: out[g][j]. One warp per guess; sixteen patterns cost 5 coalesced reads,
// 16 additions and 1 write. Guesses side by side share terms, eight in a block of the sorted list 25 of 40, so that a block
// reads 1.9 bytes a pattern from the second-level cache and the rest from the first.
extern "C" __global__ void __launch_bounds__(BLOCK) patterns(int first, int last,
        const int* __restrict__ guess_terms /*[last][LETTERS]*/, const u8* __restrict__ terms /*[][columns]*/, int columns,
        u8* __restrict__ out /*[last][columns]*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(g, WARP) {
        const Rows rows(guess_terms + i64(g) * LETTERS, terms, columns);
        for (int j = lane * 16; j < columns; j += WARP * 16) *(uint4*)(out + i64(g) * columns + j) = rows.sixteen(j);
    }
}

// Adds how often each of the four patterns in a word occurs.
__device__ void count_four(u32* cells, u32 four) {
    for (int b = 0; b < 4; ++b, four >>= 8) atomicAdd(&cells[four & 255], 1u);
}

// How a guess splits a subset of the answers, without storing a pattern. Item s * guesses + g is guess g on subset s, the
// `sizes[s]` answers from column `starts[s]`. The results of an item: how many patterns occur, the largest cell, the sum of
// squares of the cells, the sum of nlogn[cell] (n log2 n in fixed point, so that the sum is exact and the same on every
// device) and whether the guess is in the subset.
//
// One warp per item, with 243 counters of its own in shared memory. Nobody else touches a warp's counters, so __syncwarp is
// the only barrier. A large subset: a lane reads sixteen answers at once, which cost 5 reads, 16 additions and 16 atomic
// increments, 6 instructions a pattern in all; the columns that fill up the last sixteen hold the same word, so what they
// count goes off one counter. Then the counters are summed up. A small subset is over before that: a lane has one answer, and
// what its increment found in the counter tells by how much each result grows.
extern "C" __global__ void __launch_bounds__(BLOCK) partition(int first, int last,
        const int* __restrict__ guess_terms /*[guesses][LETTERS]*/, int guesses, const u8* __restrict__ terms /*[][columns]*/,
        int columns, const int* __restrict__ starts /*[(last + guesses - 1) / guesses]*/,
        const int* __restrict__ sizes /*[(last + guesses - 1) / guesses]*/, const i64* __restrict__ nlogn /*[]*/,
        int* __restrict__ n_patterns /*[last]*/, int* __restrict__ largest /*[last]*/, i64* __restrict__ sum_squares /*[last]*/,
        i64* __restrict__ sum_nlogn /*[last]*/, u8* __restrict__ contains /*[last]*/) {
    __shared__ u32 counters[BLOCK / WARP][CELL_ROW];
    u32* cells = counters[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const int s = item / guesses, size = sizes[s];
        const Rows rows(guess_terms + i64(item % guesses) * LETTERS, terms + starts[s], columns);

        for (int c = lane; c < CELL_ROW; c += WARP) cells[c] = 0;
        __syncwarp();
        int occur = 0, most = 0;
        i64 squares = 0, logs = 0;
        if (size < SMALL) {
            for (int j = lane; j < size; j += WARP) {
                const int before = atomicAdd(&cells[rows.one(j)], 1u);
                occur += before == 0;
                most = max(most, before + 1);
                squares += 2 * before + 1;
                logs += nlogn[before + 1] - nlogn[before];
            }
            __syncwarp();
        } else {
#pragma unroll 1  // unrolled it takes a third more registers
            for (int j = lane * 16; j < size; j += WARP * 16) {
                const uint4 sixteen = rows.sixteen(j);
                count_four(cells, sixteen.x);
                count_four(cells, sixteen.y);
                count_four(cells, sixteen.z);
                count_four(cells, sixteen.w);
            }
            __syncwarp();
            if (lane == 0 && size % 16) cells[rows.one(size)] -= 16 - size % 16;
            __syncwarp();
            for (int c = lane; c < CELLS; c += WARP) {
                const int n = cells[c];
                occur += n > 0;
                most = max(most, n);
                squares += i64(n) * n;
                logs += nlogn[n];
            }
        }
        occur = warp_sum(occur);
        most = warp_max(most);
        squares = warp_sum(squares);
        logs = warp_sum(logs);
        if (lane == 0) {
            n_patterns[item] = occur;
            largest[item] = most;
            sum_squares[item] = squares;
            sum_nlogn[item] = logs;
            contains[item] = cells[SOLVED] > 0;
        }
        __syncwarp();  // lane 0 has read cells before they are cleared again
    }
}

// What a guess costs by a measure, the less the better: twice the number, and one more if the guess is not in the subset.
__device__ i64 cost_of(int measure, i64 item, const int* n_patterns, const int* largest, const i64* sum_squares,
                       const i64* sum_nlogn, u8 contains) {
    const i64 number = measure == 0   ? sum_nlogn[item]
                       : measure == 1 ? sum_squares[item]
                       : measure == 2 ? i64(-n_patterns[item])
                                      : i64(largest[item]);
    return 2 * number + 1 - contains;
}

// The best guess of each subset from the results of `partition`: that of least cost by the measure (0 entropy, 1 expected, 2
// patterns, 3 largest), of equals the first. Bit g of a row of `allowed` says whether guess g may be taken in the subset; with
// `words` 0 all may. With `contained` only those in the subset may. 0 if none may.
//
// One warp per subset; 9 bytes read a guess at most, and 4 per subset go to the host instead of 25 a guess.
extern "C" __global__ void __launch_bounds__(BLOCK) choose(int first, int last,
        const int* __restrict__ n_patterns /*[last * guesses]*/, const int* __restrict__ largest /*[last * guesses]*/,
        const i64* __restrict__ sum_squares /*[last * guesses]*/, const i64* __restrict__ sum_nlogn /*[last * guesses]*/,
        const u8* __restrict__ contains /*[last * guesses]*/, int guesses, int measure,
        const u32* __restrict__ allowed /*[][words]*/, int words, int contained, int* __restrict__ best /*[last]*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(s, WARP) {
        i64 least = NEVER;
        int found = 0;
        for (int g = lane; g < guesses; g += WARP) {
            const i64 item = i64(s) * guesses + g;
            const u8 inside = contains[item];
            if (contained && !inside) continue;
            if (words && !(allowed[i64(s) * words + g / 32] >> g % 32 & 1)) continue;
            const i64 cost = cost_of(measure, item, n_patterns, largest, sum_squares, sum_nlogn, inside);
            if (cost < least) least = cost, found = g;
        }
        for (int distance = WARP / 2; distance > 0; distance /= 2) {
            const i64 other = __shfl_xor_sync(FULL, least, distance);
            const int other_found = __shfl_xor_sync(FULL, found, distance);
            if (other < least || (other == least && other_found < found)) least = other, found = other_found;
        }
        if (lane == 0) best[s] = found;
    }
}

// What a subset of the answers costs at least, in guesses over all of it: the least bound of any guess. A guess with k
// patterns on n answers costs 3n - k or more, one less if it is in the subset: n for itself, and 2m - 1 for a cell of m, of
// which one answer is found at once and the others by the guess after that at best. The bound is 2n - 1 where an answer
// tells all others apart. Of the guesses with the least bound, the first is told.
//
// One block per subset; its warps take the guesses in turn. Which patterns occur is 243 bits, eight words a warp in shared
// memory: a pattern costs 5 reads, 4 additions and an atomic or, and nothing as long as the counters of `partition` has to be
// cleared and read. A warp keeps its best as bound << 32 | guess, which is in order of both.
extern "C" __global__ void __launch_bounds__(BLOCK) bounds(int first, int last,
        const int* __restrict__ guess_terms /*[guesses][LETTERS]*/, int guesses, const u8* __restrict__ terms /*[][columns]*/,
        int columns, const int* __restrict__ starts /*[last]*/, const int* __restrict__ sizes /*[last]*/,
        int* __restrict__ bound /*[last]*/, int* __restrict__ best /*[last]*/) {
    __shared__ u32 patterns_seen[BLOCK / WARP][PATTERN_WORDS];
    __shared__ i64 warps_best[BLOCK / WARP];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    u32* seen = patterns_seen[warp];
    EACH_ITEM(s, BLOCK) {
        const int size = sizes[s];
        i64 least = i64(1) << 62;
        for (int g = warp; g < guesses; g += BLOCK / WARP) {
            const Rows rows(guess_terms + i64(g) * LETTERS, terms + starts[s], columns);
            if (lane < PATTERN_WORDS) seen[lane] = 0;
            __syncwarp();
            for (int j = lane; j < size; j += WARP) {
                const u32 pattern = rows.one(j);
                atomicOr(&seen[pattern / 32], 1u << pattern % 32);
            }
            __syncwarp();
            const int occur = warp_sum(lane < PATTERN_WORDS ? __popc(seen[lane]) : 0);
            const int contains = seen[SOLVED / 32] >> SOLVED % 32 & 1;
            least = min(least, i64(3 * size - occur - contains) << 32 | g);
            __syncwarp();  // every lane has read `seen` before it is cleared again
        }
        if (lane == 0) warps_best[warp] = least;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < BLOCK / WARP; ++w) least = min(least, warps_best[w]);
            bound[s] = int(least >> 32);
            best[s] = int(least & 0xffffffff);
        }
        __syncthreads();  // thread 0 has read warps_best before it is filled again
    }
}
