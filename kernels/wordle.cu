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

// Groups: which hidden words can no guess tell apart? A guess tells two words apart if it gets another pattern for each, and
// a group if it gets another one for each of its words. The three kernels below look for groups that no guess tells apart
// without trying all groups.
//
// The *closeness* of two words is the number of guesses, of a sample of up to 255, that do not tell them apart. Each guess
// fails on some pair of a group that nothing tells apart, so over the pairs of such a group the closeness adds up to the
// whole sample at least. Drop from the group the word that is closest to none of the others, the one with the least sum: a
// group is left that holds at least its share, by its number of pairs, of the sum. So all such groups are found by adding
// words to pairs, and a group that does not hold its share is not gone on with; and since the word that was dropped is
// known, each group is made in one way only.
//
//     share of the sample's size that 2, 3 and 4 of four words must hold: 1/6, 3/6, 6/6
//
// `groups` is a row of `size` words for each item. A kernel that finds words for a group gives their number; where
// `starts[item]` is not negative it also writes the larger groups, by the new word, from that row of `out` on.

// The closeness of every word to every other. One block per word: `guesses` bytes read and compared for each byte written.
extern "C" __global__ void __launch_bounds__(BLOCK) closeness(int first, int last,
        const u8* __restrict__ patterns /*[guesses][words]*/, int guesses, int words, u8* __restrict__ out /*[last][words]*/) {
    EACH_ITEM(i, BLOCK) {
        for (int j = threadIdx.x; j < words; j += BLOCK) {
            int same = 0;
            for (int g = 0; g < guesses; ++g) same += patterns[i64(g) * words + i] == patterns[i64(g) * words + j];
            out[i64(i) * words + j] = u8(same);
        }
    }
}

// The number of lanes below this one whose bit is set in a ballot.
__device__ int lanes_before(u32 ballot) { return __popc(ballot & ((1u << threadIdx.x % WARP) - 1)); }

// A group and one more word, in a row of the result.
__device__ void write_group(const int* group, int size, int word, int* out, i64 row) {
    for (int a = 0; a < size; ++a) out[row * (size + 1) + a] = group[a];
    out[row * (size + 1) + size] = word;
}

// What all pairs of a group hold, and what one of its words is close to the others.
__device__ int degree_of(const u8* closeness, int words, const int* group, int size, int a) {
    int degree = 0;
    for (int b = 0; b < size; ++b) degree += a == b ? 0 : closeness[i64(group[a]) * words + group[b]];
    return degree;
}
__device__ int held_by(const u8* closeness, int words, const int* group, int size) {
    int twice = 0;
    for (int a = 0; a < size; ++a) twice += degree_of(closeness, words, group, size, a);
    return twice / 2;
}

// Whether a word may be added to a group that lacks `missing` of what the larger group must hold: that one holds it, and the
// word is the one to drop from it, the least close to the others and of equals the last.
__device__ bool is_to_drop(const u8* closeness, int words, const int* group, int size, int word, int missing) {
    int degree = 0;
    for (int a = 0; a < size; ++a) degree += closeness[i64(group[a]) * words + word];
    bool fits = degree >= missing;
    for (int a = 0; a < size && fits; ++a) {
        const int other = degree_of(closeness, words, group, size, a) + closeness[i64(group[a]) * words + word];
        fits = group[a] != word && (degree < other || (degree == other && group[a] < word));
    }
    return fits;
}

// The words that may be added to a group so that it holds `least`. One warp per group, `size` bytes read per word.
extern "C" __global__ void __launch_bounds__(BLOCK) extend(int first, int last,
        const int* __restrict__ groups /*[last][size]*/, int size, const u8* __restrict__ closeness /*[words][words]*/,
        int words, int least, const i64* __restrict__ starts /*[last]*/, int* __restrict__ counts /*[last]*/,
        int* __restrict__ out /*[][size + 1]*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const int* group = groups + i64(item) * size;
        const int missing = least - held_by(closeness, words, group, size);
        int count = 0;
        for (int base = 0; base < words; base += WARP) {
            const int word = base + lane;
            const bool fits = word < words && is_to_drop(closeness, words, group, size, word, missing);
            const u32 ballot = __ballot_sync(FULL, fits);
            if (fits && starts[item] >= 0) write_group(group, size, word, out, starts[item] + count + lanes_before(ballot));
            count += __popc(ballot);
        }
        if (lane == 0) counts[item] = count;
    }
}

#define MOST_SAMPLE 1024  // guesses of the sample that `candidates` takes: four bits a lane and warp

// The same, but only words that no guess of the sample tells from the words of a group, as far as it tells those apart. A row of `cells`
// has a bit for each word: set for the words of one cell of one guess, row cell_rows[guess][pattern]. A guess that tells the
// group apart leaves the words of the group's cells, the union of `size` rows; what all of them leave is the result:
//
//     slate: (cell of catch | cell of hatch | cell of patch)  &  crane: (... | ... | ...)  &  ...
//
// One warp per group, 64 words a lane. The guess that has the group's words in the smallest cells comes first: it and a few
// others leave nothing, so that a lane stops early, after about 2 x size reads of 8 bytes.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) candidates(int first, int last,
        const int* __restrict__ groups /*[last][size]*/, int size, const u8* __restrict__ closeness /*[words][words]*/,
        int words, int least, const u8* __restrict__ patterns /*[words][guesses]*/, int guesses, const int* __restrict__ cell_rows /*[guesses][CELLS]*/,
        const int* __restrict__ cell_sizes /*[guesses][CELLS]*/, const u64* __restrict__ cells /*[][(words + 63) / 64]*/,
        const i64* __restrict__ starts /*[last]*/, int* __restrict__ counts /*[last]*/,
        int* __restrict__ out /*[][size + 1]*/) {
    __shared__ u32 telling[BLOCK / WARP][MOST_SAMPLE / WARP];  // a bit for each guess: whether it tells the group apart
    u32* tells = telling[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP, chunks = (words + 63) / 64;
    EACH_ITEM(item, WARP) {
        const int* group = groups + i64(item) * size;
        u64 best = 0;  // of the guesses that tell the group apart: the words of its cells and the guess, both inverted
        for (int base = 0; base < guesses; base += WARP) {
            const int g = base + lane;
            bool apart = g < guesses;
            for (int a = 1; a < size; ++a)
                for (int b = 0; b < a; ++b)
                    apart = apart && patterns[i64(group[a]) * guesses + g] != patterns[i64(group[b]) * guesses + g];
            const u32 ballot = __ballot_sync(FULL, apart);
            if (lane == 0) tells[base / WARP] = ballot;
            int together = 0;
            for (int a = 0; a < size && apart; ++a) together += cell_sizes[g * CELLS + patterns[i64(group[a]) * guesses + g]];
            if (apart) best = max(best, (~u64(together) & ~0u) << 32 | ~u32(g));
        }
        const u32 best_guess = ~u32(warp_max(best));  // or none
        __syncwarp();
        const int missing = least - held_by(closeness, words, group, size);
        int count = 0;
        for (int base = 0; base < chunks; base += WARP) {
            const int chunk = base + lane;
            u64 left = chunk < chunks ? ~0ull : 0;
            if (chunk == chunks - 1 && words % 64) left = (1ull << words % 64) - 1;
            for (int k = best_guess < u32(guesses) ? -1 : 0; k < guesses && left; ++k) {
                const int g = k < 0 ? int(best_guess) : k;
                if (!(tells[g / WARP] >> g % WARP & 1)) continue;
                u64 kept = 0;
                for (int a = 0; a < size; ++a) {
                    const int row = cell_rows[g * CELLS + patterns[i64(group[a]) * guesses + g]];
                    kept |= cells[i64(row) * chunks + chunk];
                }
                left &= kept;
            }
            for (u64 bits = left; bits; bits &= bits - 1) {
                const int at = __ffsll(bits) - 1;
                if (!is_to_drop(closeness, words, group, size, chunk * 64 + at, missing)) left &= ~(1ull << at);
            }
            int before = __popcll(left);  // becomes the sum over this lane and those below it
            for (int distance = 1; distance < WARP; distance *= 2) {
                const int below = __shfl_up_sync(FULL, before, distance);
                if (lane >= distance) before += below;
            }
            const int all = __shfl_sync(FULL, before, WARP - 1);
            i64 place = starts[item] + count + before - __popcll(left);
            for (u64 bits = left; bits && starts[item] >= 0; bits &= bits - 1)
                write_group(group, size, chunk * 64 + __ffsll(bits) - 1, out, place++);
            count += all;
        }
        if (lane == 0) counts[item] = count;
        __syncwarp();  // all lanes have read `tells` before it is written again
    }
}

#define MOST_WORDS 6  // of a group: its 64 subsets are the bits of one number

// The subsets of a group that hold a word: bit s is set for subset s if it has bit i.
__device__ u64 holding(int i) {
    return i == 0 ? 0xaaaaaaaaaaaaaaaaull : i == 1 ? 0xccccccccccccccccull : i == 2 ? 0xf0f0f0f0f0f0f0f0ull
         : i == 3 ? 0xff00ff00ff00ff00ull : i == 4 ? 0xffff0000ffff0000ull : 0xffffffff00000000ull;
}

// The subsets that hold all words of `some`.
__device__ u64 above(u32 some) {
    u64 sets = ~0ull;
    for (int i = 0; i < MOST_WORDS; ++i)
        if (some >> i & 1) sets &= holding(i);
    return sets;
}

// Within how many guesses, the last of them right, a group can always be solved. Within one: a single word. Within n + 1: if
// some guess leaves only cells that can be solved within n, so if no cell of it holds one of the smallest subsets that cannot.
// For all subsets of the group at once: a subset is beyond a guess if it holds such a smallest one that lies in one cell.
//
// One warp per group, a guess a lane: size reads for each turn and guess, and about as many operations as there are pairs.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) turns(int first, int last,
        const int* __restrict__ groups /*[last][size]*/, int size, const u8* __restrict__ patterns /*[words][guesses]*/,
        int guesses, int words, u8* __restrict__ out /*[last]*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const int* group = groups + i64(item) * size;
        const u32 everything = (1u << size) - 1;
        u64 beyond = 0;  // the subsets that cannot be solved within `turn` guesses
        for (int a = 1; a < size; ++a)
            for (int b = 0; b < a; ++b) beyond |= holding(a) & holding(b);
        int turn = 1;
        while (turn < size && beyond >> everything & 1) {
            u64 smallest = 0, solved = 0;
            for (u32 some = 3; some <= everything; ++some) {
                bool is_smallest = beyond >> some & 1;
                for (int a = 0; a < size; ++a)
                    if (some >> a & 1) is_smallest = is_smallest && !(beyond >> (some & ~(1u << a)) & 1);
                smallest |= u64(is_smallest) << some;
            }
            for (int base = 0; base < guesses && !(solved >> everything & 1); base += WARP) {
                u64 reached = 0;
                if (base + lane < guesses) {
                    u64 failed = 0;
                    for (u64 rest = smallest; rest; rest &= rest - 1) {
                        const u32 some = __ffsll(rest) - 1;
                        const int one = __ffs(some) - 1;
                        bool together = true;
                        for (int a = one + 1; a < size; ++a)
                            if (some >> a & 1) together = together && patterns[i64(group[a]) * guesses + base + lane] == patterns[i64(group[one]) * guesses + base + lane];
                        if (together) failed |= above(some);
                    }
                    reached = ~failed;
                }
                for (int distance = WARP / 2; distance > 0; distance /= 2)
                    reached |= __shfl_xor_sync(FULL, reached, distance);
                solved |= reached;
            }
            beyond &= ~solved;
            ++turn;
        }
        if (lane == 0) out[item] = u8(turn);
    }
}
