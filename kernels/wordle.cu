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
// and a row of patterns also have `columns` bytes, a multiple of four. Term 0 is the empty one (mask 0, all zero): it fills
// up the five terms of a guess with repeated letters. A batch of subsets of the answers is just their words, one subset
// after the other, each starting at a multiple of four columns.

#include "common.cuh"

#define LETTERS 5       // letters of a word
#define CELLS 243       // 3^5 patterns
#define SOLVED 242      // all five green
#define CELL_ROW 256    // CELLS rounded up, a warp's counters
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

// The row of a term, four answers to a word.
__device__ const u32* term_row(const u8* terms, int t, int columns) { return (const u32*)(terms + i64(t) * columns); }

// The patterns of every guess against every answer: out[g][j]. One block per guess; four patterns cost 5 coalesced reads
// (from the second-level cache: the terms are a few MB), 4 additions and 1 write, so the writes set the speed.
extern "C" __global__ void __launch_bounds__(BLOCK) patterns(int first, int last,
        const int* __restrict__ guess_terms /*[last][LETTERS]*/, const u8* __restrict__ terms /*[][columns]*/, int columns,
        u8* __restrict__ out /*[last][columns]*/) {
    EACH_ITEM(g, BLOCK) {
        const int* t = guess_terms + i64(g) * LETTERS;
        const u32 *t0 = term_row(terms, t[0], columns), *t1 = term_row(terms, t[1], columns),
                  *t2 = term_row(terms, t[2], columns), *t3 = term_row(terms, t[3], columns),
                  *t4 = term_row(terms, t[4], columns);
        u32* row = (u32*)(out + i64(g) * columns);
        for (int k = threadIdx.x; k < columns / 4; k += BLOCK) row[k] = t0[k] + t1[k] + t2[k] + t3[k] + t4[k];
    }
}

// How a guess splits a subset of the answers, without storing a pattern. Item s * guesses + g is guess g on subset s, the
// `sizes[s]` answers from column `starts[s]`. The results of an item: how many patterns occur, the largest cell, the sum of
// squares of the cells, the sum of nlogn[cell] (n log2 n in fixed point, so that the sum is exact and the same on every
// device) and whether the guess is in the subset.
//
// One warp per item, with 243 counters of its own in shared memory: four patterns cost 5 reads, 4 additions and 4 atomic
// increments. Nobody else touches a warp's counters, so __syncwarp is the only barrier.
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
        const int* t = guess_terms + i64(item % guesses) * LETTERS;
        const int start = starts[s] / 4;
        const u32 *t0 = term_row(terms, t[0], columns) + start, *t1 = term_row(terms, t[1], columns) + start,
                  *t2 = term_row(terms, t[2], columns) + start, *t3 = term_row(terms, t[3], columns) + start,
                  *t4 = term_row(terms, t[4], columns) + start;

        for (int c = lane; c < CELL_ROW; c += WARP) cells[c] = 0;
        __syncwarp();
        for (int k = lane; k * 4 < size; k += WARP) {
            u32 four = t0[k] + t1[k] + t2[k] + t3[k] + t4[k];
            for (int b = 0; b < 4 && k * 4 + b < size; ++b, four >>= 8) atomicAdd(&cells[four & 255], 1u);
        }
        __syncwarp();

        int occur = 0, most = 0;
        i64 squares = 0, logs = 0;
        for (int c = lane; c < CELLS; c += WARP) {
            const int n = cells[c];
            occur += n > 0;
            most = max(most, n);
            squares += i64(n) * n;
            logs += nlogn[n];
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

// What a subset of the answers costs at least, in guesses over all of it: the least bound of any guess. A guess with k
// patterns on n answers costs 3n - k or more, one less if it is in the subset: n for itself, and 2m - 1 for a cell of m, of
// which one answer is found at once and the others by the guess after that at best. The bound is 2n - 1 where an answer
// tells all others apart. Of the guesses with the least bound, the first is told.
//
// One block per subset; its warps take the guesses in turn. Which patterns occur is 243 bits, eight words a warp in shared
// memory: four patterns cost 5 reads, 4 additions and 4 atomic ors, and nothing as long as the counters of `partition` has
// to be cleared and read. A warp keeps its best as bound << 32 | guess, which is in order of both.
extern "C" __global__ void __launch_bounds__(BLOCK) bounds(int first, int last,
        const int* __restrict__ guess_terms /*[guesses][LETTERS]*/, int guesses, const u8* __restrict__ terms /*[][columns]*/,
        int columns, const int* __restrict__ starts /*[last]*/, const int* __restrict__ sizes /*[last]*/,
        int* __restrict__ bound /*[last]*/, int* __restrict__ best /*[last]*/) {
    __shared__ u32 patterns_seen[BLOCK / WARP][PATTERN_WORDS];
    __shared__ i64 warps_best[BLOCK / WARP];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    u32* seen = patterns_seen[warp];
    EACH_ITEM(s, BLOCK) {
        const int size = sizes[s], start = starts[s] / 4;
        i64 least = i64(1) << 62;
        for (int g = warp; g < guesses; g += BLOCK / WARP) {
            const int* t = guess_terms + i64(g) * LETTERS;
            const u32 *t0 = term_row(terms, t[0], columns) + start, *t1 = term_row(terms, t[1], columns) + start,
                      *t2 = term_row(terms, t[2], columns) + start, *t3 = term_row(terms, t[3], columns) + start,
                      *t4 = term_row(terms, t[4], columns) + start;
            if (lane < PATTERN_WORDS) seen[lane] = 0;
            __syncwarp();
            for (int k = lane; k * 4 < size; k += WARP) {
                u32 four = t0[k] + t1[k] + t2[k] + t3[k] + t4[k];
                for (int b = 0; b < 4 && k * 4 + b < size; ++b, four >>= 8)
                    atomicOr(&seen[(four & 255) / 32], 1u << (four & 31));
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
