// wordle.cu: patterns and partitions of Wordle guesses.
//
// Most kernels here are for words of five letters, whose patterns are bytes. Shorter words are filled up with one more
// letter that all words have, so its positions are always green. The kernels called _16 and _32 are for longer words.
//
// The idea. A pattern is a number in base 3: position i adds 3^i times 0 (grey), 1 (yellow) or 2 (green). Letters are
// independent of one another: what a letter adds to the pattern depends only on the letter, on the set of positions
// where the guess has it (five bits, the mask) and on the answer. So (letter, mask) is a *term*, a row with one byte
// for each answer, and the pattern of a guess is the sum of its terms, one for each different letter:
//
//     salet = s.... + .a... + ..l.. + ...e. + ....t          eerie = ee..e + ..r.. + ...i. + 0 + 0
//
// The 12,972 guesses share 345 terms. No sum exceeds 242, so no byte overflows into the next, and one
// 32-bit addition adds the terms of four answers.
//
// The data. Words are letters 0..25. `answers` is five rows, one for each position, of `columns` letters; the
// row of a term and a row of patterns also have `columns` bytes, a multiple of sixteen. Term 0 is empty (mask
// 0, all zero): it pads the five terms of a guess with repeated letters. A batch of subsets of the answers
// consists of their words, one subset after the other. Each subset starts at a multiple of sixteen columns, and
// the gaps are filled with words of letter 0:
//
//     column     0              15 16      20        31 32      40    47
//     answers    | subset 0: 20 answers   | aaaaa ...  | subset 1: 9 | aaaaa ...
//     a row      | 20 bytes               | 12 alike   | 9 bytes     | 7 alike
//     read by    | lane 0         | lane 1             | lane 0 of the warp of another item
//
// So a lane can always read sixteen bytes, and what it counts too often is the same pattern each time.

#include "common.cuh"

#define LETTERS 5       // letters of a word
#define CELLS 243       // 3^5 patterns
#define SOLVED 242      // all five green
#define CELL_ROW 256    // CELLS rounded up: the counters of a warp
#define SMALL 96        // subsets of at least this many answers are counted first, and then all counters are added up
#define NEVER (1ll << 62)  // higher than any cost

// What one letter adds to the pattern. Bit i of `held` is set where the answer has the letter, and bit i of
// `mask` where the guess has it. Greens come first, then yellows from left to right, as long as the answer
// has the letter at a position that no green has claimed. With `presence`, every letter that is not green
// and occurs anywhere in the answer is yellow.
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

// What every term adds for every answer: out[t][j]. One block per term; 5 bytes read and 1 written per byte of the row.
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

// The rows of a guess's five terms, from a given column on.
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
    // The patterns in the sixteen columns from j on, where j is a multiple of sixteen.
    __device__ uint4 sixteen(int j) const {
        uint4 sum = *(const uint4*)(rows[0] + j);
        for (int i = 1; i < LETTERS; ++i) {
            const uint4 more = *(const uint4*)(rows[i] + j);
            sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
        }
        return sum;
    }
};

// The pattern of every guess against every answer: out[g][j]. One warp per guess; sixteen patterns cost 5
// coalesced reads, 16 additions and 1 write. Neighbours in the sorted list share terms: the eight guesses of a
// block have 25 different terms instead of 40. So a block reads 1.9 bytes per pattern from the second-level
// cache, and the rest from the first-level cache.
extern "C" __global__ void __launch_bounds__(BLOCK) patterns(int first, int last,
        const int* __restrict__ guess_terms /*[last][LETTERS]*/, const u8* __restrict__ terms /*[][columns]*/,
        int columns, u8* __restrict__ out /*[last][columns]*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(g, WARP) {
        const Rows rows(guess_terms + i64(g) * LETTERS, terms, columns);
        for (int j = lane * 16; j < columns; j += WARP * 16) *(uint4*)(out + i64(g) * columns + j) = rows.sixteen(j);
    }
}

// Longer words: the same idea with terms and patterns of 16 bits for up to ten letters (3^10 = 59,049), and of 32 bits
// for eleven and twelve. `length` is the number of letters, and a mask has a bit for each.

// What every term adds for every answer. One block per term; `length` bytes read for each element of the row.
template <class T /*terms_16: u16, terms_32: u32*/>
__global__ void __launch_bounds__(BLOCK) long_terms(int first, int last,
        const u8* __restrict__ letters /*[last]*/, const u16* __restrict__ masks /*[last]*/,
        const u8* __restrict__ answers /*[length][columns]*/, int length, int columns, int presence,
        T* __restrict__ out /*[last][columns]*/) {
    EACH_ITEM(t, BLOCK) {
        for (int j = threadIdx.x; j < columns; j += BLOCK) {
            u32 held = 0, value = 0, weight = 1;
            for (int i = 0; i < length; ++i) held |= u32(answers[i64(i) * columns + j] == letters[t]) << i;
            int unclaimed = __popc(presence ? held : held & ~u32(masks[t]));
            for (int i = 0; i < length; ++i, weight *= 3) {
                if (!(masks[t] >> i & 1)) continue;
                if (held >> i & 1) value += 2 * weight;
                else if (unclaimed > 0) value += weight, unclaimed -= !presence;
            }
            out[i64(t) * columns + j] = T(value);
        }
    }
}

// The pattern of every guess against every answer. One warp per guess. Sixteen bytes of a row are eight patterns of 16
// bits or four of 32 bits; no pattern overflows into the next. They cost `length` reads, 4 x `length` additions and 1
// write.
template <class T /*patterns_16: u16, patterns_32: u32*/>
__global__ void __launch_bounds__(BLOCK) long_patterns(int first, int last,
        const int* __restrict__ guess_terms /*[last][length]*/, int length, const T* __restrict__ terms /*[][columns]*/,
        int columns, T* __restrict__ out /*[last][columns]*/) {
    EACH_ITEM(g, WARP) {
        const int* guess = guess_terms + i64(g) * length;
        const uint4* rows = (const uint4*)terms;
        uint4* sums = (uint4*)(out + i64(g) * columns);
        const int quads = columns / int(16 / sizeof(T));
        for (int q = threadIdx.x % WARP; q < quads; q += WARP) {
            uint4 sum = rows[i64(guess[0]) * quads + q];
            for (int i = 1; i < length; ++i) {
                const uint4 more = rows[i64(guess[i]) * quads + q];
                sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
            }
            sums[q] = sum;
        }
    }
}

// Count the four patterns in a 32-bit word.
__device__ void count_four(u32* cells, u32 four) {
    for (int b = 0; b < 4; ++b, four >>= 8) atomicAdd(&cells[four & 255], 1u);
}

// Note that the four patterns in a 32-bit word occur.
__device__ void see_four(u8* seen, u32 four) {
    for (int b = 0; b < 4; ++b, four >>= 8) seen[four & 255] = 1;
}

// How a guess splits a subset of the answers, without storing the patterns. Item s * guesses + g is guess g on subset
// s: the `sizes[s]` answers from column `starts[s]` on. The results of an item are the number of different patterns,
// the size of the largest cell, the sum of the squared sizes, the sum of nlogn[size] (n log2 n in fixed point, so that
// the sum is exact and the same on every device), and whether the guess is in the subset.
//
// One warp per item, with its 243 counters in shared memory. No other warp uses them, so __syncwarp is the
// only barrier. In a large subset, a lane reads sixteen answers at once, for 5 reads, 16 additions and 16
// atomic increments: 6 instructions per pattern in all. The columns that pad the last sixteen all have the
// same word, so their number is subtracted from a single counter. Then the warp adds up the counters. A small
// subset would be finished by then: each lane takes one answer at a time, and the value of the counter before
// its increment says by how much each result grows.
extern "C" __global__ void __launch_bounds__(BLOCK) partition(int first, int last,
        const int* __restrict__ guess_terms /*[guesses][LETTERS]*/, int guesses,
        const u8* __restrict__ terms /*[][columns]*/, int columns,
        const int* __restrict__ starts /*[(last + guesses - 1) / guesses]*/,
        const int* __restrict__ sizes /*[(last + guesses - 1) / guesses]*/, const i64* __restrict__ nlogn /*[]*/,
        int* __restrict__ n_patterns /*[last]*/, int* __restrict__ largest /*[last]*/,
        i64* __restrict__ sum_squares /*[last]*/, i64* __restrict__ sum_nlogn /*[last]*/,
        u8* __restrict__ contains /*[last]*/) {
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
#pragma unroll 1  // unrolled, it would take a third more registers
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
        __syncwarp();  // lane 0 reads `cells` before they are cleared again
    }
}

// The cost of a guess by a measure; lower is better. It is twice the number, plus one if the guess
// is not in the subset.
__device__ i64 cost_of(int measure, i64 item, const int* n_patterns, const int* largest, const i64* sum_squares,
                       const i64* sum_nlogn, u8 contains) {
    const i64 number = measure == 0   ? sum_nlogn[item]
                       : measure == 1 ? sum_squares[item]
                       : measure == 2 ? i64(-n_patterns[item])
                                      : i64(largest[item]);
    return 2 * number + 1 - contains;
}

// The best guess of each subset, from the results of `partition`: the first guess of the lowest cost by the measure (0
// entropy, 1 expected, 2 patterns, 3 largest). Bit g of a row of `allowed` says whether guess g is
// allowed in the subset; if `words` is 0, all are. With `contained`, only guesses in the subset are
// allowed. The result is 0 if no guess is.
//
// One warp per subset. It reads at most 9 bytes per guess, and 4 bytes per subset go to the host
// instead of 25 per guess.
extern "C" __global__ void __launch_bounds__(BLOCK) choose(int first, int last,
        const int* __restrict__ n_patterns /*[last * guesses]*/, const int* __restrict__ largest /*[last * guesses]*/,
        const i64* __restrict__ sum_squares /*[last * guesses]*/,
        const i64* __restrict__ sum_nlogn /*[last * guesses]*/, const u8* __restrict__ contains /*[last * guesses]*/,
        int guesses, int measure, const u32* __restrict__ allowed /*[][words]*/, int words, int contained,
        int* __restrict__ best /*[last]*/) {
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

// A lower bound on the total number of guesses over all answers of a subset: the minimum of the bounds of all guesses,
// and the first guess that attains it. A guess that splits n answers into k patterns costs at least 3n - k, or one less
// if it is in the subset: n for the guess itself, and 2m - 1 for each cell of m answers, where the next guess finds one
// answer and the guess after it finds the others at best. The bound is 2n - 1 where an answer tells all others apart.
//
// One block per subset; its warps take the guesses in turn. A warp has a byte in shared memory for each pattern, which
// is set to 1 if the pattern occurs, whatever lane sets it, so there are no atomic operations. A lane reads sixteen
// answers at once: 5 reads, 16 additions and 16 writes. The answers of the last, incomplete sixteen are read one by
// one. A warp keeps its best guess as bound << 32 | guess, which sorts by the bound and then by the guess.
extern "C" __global__ void __launch_bounds__(BLOCK) bounds(int first, int last,
        const int* __restrict__ guess_terms /*[guesses][LETTERS]*/, int guesses,
        const u8* __restrict__ terms /*[][columns]*/, int columns, const int* __restrict__ starts /*[last]*/,
        const int* __restrict__ sizes /*[last]*/, int* __restrict__ bound /*[last]*/,
        int* __restrict__ best /*[last]*/) {
    __shared__ u64 patterns_seen[BLOCK / WARP][WARP];  // CELL_ROW bytes
    __shared__ i64 warps_best[BLOCK / WARP];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    u8* seen = (u8*)patterns_seen[warp];
    EACH_ITEM(s, BLOCK) {
        const int size = sizes[s], whole = size < WARP ? 0 : size & ~15;  // the rest takes one answer per lane
        i64 least = i64(1) << 62;
        for (int g = warp; g < guesses; g += BLOCK / WARP) {
            const Rows rows(guess_terms + i64(g) * LETTERS, terms + starts[s], columns);
            patterns_seen[warp][lane] = 0;
            __syncwarp();
#pragma unroll 1  // unrolled, it would take more registers
            for (int j = lane * 16; j < whole; j += WARP * 16) {
                const uint4 sixteen = rows.sixteen(j);
                see_four(seen, sixteen.x);
                see_four(seen, sixteen.y);
                see_four(seen, sixteen.z);
                see_four(seen, sixteen.w);
            }
            if (whole + lane < size) seen[rows.one(whole + lane)] = 1;
            __syncwarp();
            const int occur = warp_sum(__popcll(patterns_seen[warp][lane]));
            const int contains = seen[SOLVED];
            least = min(least, i64(3 * size - occur - contains) << 32 | g);
            __syncwarp();  // every lane reads `seen` before it is cleared again
        }
        if (lane == 0) warps_best[warp] = least;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < BLOCK / WARP; ++w) least = min(least, warps_best[w]);
            bound[s] = int(least >> 32);
            best[s] = int(least & 0xffffffff);
        }
        __syncthreads();  // thread 0 reads `warps_best` before it is filled again
    }
}

// Groups: which hidden words can no guess tell apart? A guess tells two words apart if it gets a different pattern for
// each, and it tells a group apart if it gets a different pattern for each of its words. The three kernels below find
// the groups that no guess tells apart, without trying all groups.
//
// The *closeness* of two words is the number of guesses, out of a sample of up to 255, that do not tell them apart. If
// no guess tells a group apart, each guess of the sample fails on at least one of its pairs, so the closeness of its
// pairs adds up to at least the size of the sample. Now drop the word with the lowest sum of closeness to the others.
// The remaining group has at least its share of the total, in proportion to its number of pairs. So all such groups can
// be found by adding words to pairs, and a group with less than its share need not be extended. Since it is known which
// word was dropped, each group is made in only one way.
//
//     share of the sample's size that 2, 3 and 4 out of four words must have: 1/6, 3/6, 6/6
//
// `groups` has a row of `size` words for each item. A kernel that finds words for a group returns their number; if
// `starts[item]` is not negative, it also writes the larger groups, in the order of the new word,
// from that row of `out` on.

// The closeness of all pairs of words. One block per word; `guesses` bytes are read and compared for each byte written.
extern "C" __global__ void __launch_bounds__(BLOCK) closeness(int first, int last,
        const u8* __restrict__ patterns /*[guesses][words]*/, int guesses, int words,
        u8* __restrict__ out /*[last][words]*/) {
    EACH_ITEM(i, BLOCK) {
        for (int j = threadIdx.x; j < words; j += BLOCK) {
            int same = 0;
            for (int g = 0; g < guesses; ++g) same += patterns[i64(g) * words + i] == patterns[i64(g) * words + j];
            out[i64(i) * words + j] = u8(same);
        }
    }
}

// The number of lower lanes whose bit is set in a ballot.
__device__ int lanes_before(u32 ballot) { return __popc(ballot & ((1u << threadIdx.x % WARP) - 1)); }

// Write a group and one more word to a row of the result.
__device__ void write_group(const int* group, int size, int word, int* out, i64 row) {
    for (int a = 0; a < size; ++a) out[row * (size + 1) + a] = group[a];
    out[row * (size + 1) + size] = word;
}

// The closeness of a word of a group to the others, and the closeness of all pairs of the group.
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

// Whether a word may be added to a group that is `missing` closeness: the larger group has enough, and the new word is
// the one that would be dropped from it, the least close to the others (or the last of equally close ones).
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

// The words that may be added to a group so that its closeness is at least `least`. One warp per
// group; `size` bytes read per word.
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
            if (fits && starts[item] >= 0)
                write_group(group, size, word, out, starts[item] + count + lanes_before(ballot));
            count += __popc(ballot);
        }
        if (lane == 0) counts[item] = count;
    }
}

#define MOST_SAMPLE 1024  // maximum number of guesses of the sample for `candidates`: a bit for each in shared memory

// The words that `extend` would add to a group, but only those for which no guess of the sample tells the larger group
// apart. A row of `cells` has a bit for each word; row cell_rows[guess][pattern] is one cell of one guess. If a guess
// tells the group apart, the new word must be in the same cell as one of the group's words, so in the union of `size`
// rows. The result is the intersection of these unions over all guesses that tell the group apart:
//
//     slate: (cell of catch | cell of hatch | cell of patch)  &  crane: (... | ... | ...)  &  ...
//
// One warp per group, 64 words per lane. The guess that has the group's words in the smallest cells comes first. It and
// a few others usually leave no words, so that a lane stops early, after about 2 x size reads of 8 bytes.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) candidates(int first, int last,
        const int* __restrict__ groups /*[last][size]*/, int size, const u8* __restrict__ closeness /*[words][words]*/,
        int words, int least, const u8* __restrict__ patterns /*[words][guesses]*/, int guesses,
        const int* __restrict__ cell_rows /*[guesses][CELLS]*/, const int* __restrict__ cell_sizes /*[guesses][CELLS]*/,
        const u64* __restrict__ cells /*[][(words + 63) / 64]*/, const i64* __restrict__ starts /*[last]*/,
        int* __restrict__ counts /*[last]*/, int* __restrict__ out /*[][size + 1]*/) {
    __shared__ u32 telling[BLOCK / WARP][MOST_SAMPLE / WARP];  // a bit for each guess, set if it tells the group apart
    u32* tells = telling[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP, chunks = (words + 63) / 64;
    EACH_ITEM(item, WARP) {
        const int* group = groups + i64(item) * size;
        // over the guesses that tell the group apart: the number of words in its cells and the guess, inverted
        u64 best = 0;
        for (int base = 0; base < guesses; base += WARP) {
            const int g = base + lane;
            bool apart = g < guesses;
            for (int a = 1; a < size; ++a)
                for (int b = 0; b < a; ++b)
                    apart = apart && patterns[i64(group[a]) * guesses + g] != patterns[i64(group[b]) * guesses + g];
            const u32 ballot = __ballot_sync(FULL, apart);
            if (lane == 0) tells[base / WARP] = ballot;
            int together = 0;
            for (int a = 0; a < size && apart; ++a)
                together += cell_sizes[g * CELLS + patterns[i64(group[a]) * guesses + g]];
            if (apart) best = max(best, (~u64(together) & ~0u) << 32 | ~u32(g));
        }
        const u32 best_guess = ~u32(warp_max(best));  // not below `guesses` if no guess tells the group apart
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
        __syncwarp();  // all lanes read `tells` before it is written again
    }
}

#define MOST_WORDS 6  // maximum size of a group, so that its 64 subsets are the bits of one number

// The subsets of a group that contain word i: bit s is set if subset s has bit i.
__device__ u64 holding(int i) {
    return i == 0 ? 0xaaaaaaaaaaaaaaaaull : i == 1 ? 0xccccccccccccccccull : i == 2 ? 0xf0f0f0f0f0f0f0f0ull
         : i == 3 ? 0xff00ff00ff00ff00ull : i == 4 ? 0xffff0000ffff0000ull : 0xffffffff00000000ull;
}

// The supersets of the subset `some`.
__device__ u64 above(u32 some) {
    u64 sets = ~0ull;
    for (int i = 0; i < MOST_WORDS; ++i)
        if (some >> i & 1) sets &= holding(i);
    return sets;
}

// The number of guesses, the last one right, within which a group can always be solved. One guess is enough for a
// single word. n + 1 guesses are enough if some guess leaves only cells that can be solved within n, which means that
// none of its cells contains one of the minimal subsets that cannot. This is computed for all subsets of the group at
// once: a guess does not solve a subset that contains such a minimal subset within one cell.
//
// One warp per group, one guess per lane: `size` reads for each turn and guess, and about one
// operation per pair of words.
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
                            if (some >> a & 1)
                                together = together && patterns[i64(group[a]) * guesses + base + lane] ==
                                                           patterns[i64(group[one]) * guesses + base + lane];
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
