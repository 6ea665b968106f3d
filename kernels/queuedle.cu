// queuedle.cu: scores of boards and lines, slides, and the potential of lines.
//
// The idea. The score of a board is a sum over its 2n lines, so a table with a byte for each of the 26^n lines
// (12 MB for five letters, which stays in the second-level cache) turns scoring into 2n reads. A slide moves
// one line and changes one letter of each line that crosses it, so the score of a child takes n + 1 reads
// instead of 2n, and only the child's key is written. The table can hold any function that is summed over
// lines: the score, or the potential of a line.
//
// The data. A line is a number in base 26 whose first letter is the most significant digit. A state is n + 1
// words: its rows from top to bottom; then a word with two bits for each line, rows before columns (0: never
// slid, 1: left or up, 2: right or down), and from bit 24 on the number of slides made, which is the position of
// the next letter in the queue. States are stored word by word, states[w * capacity + j], so that neighbouring
// threads read neighbouring words. A move is the number 4 * line + direction, with left, right, up and down as
// directions 0 to 3; `move ^ 1` is the opposite slide.
//
//     words[0] ... words[n - 1]   a row each, 26^4 l0 + 26^3 l1 + 26^2 l2 + 26 l3 + l4 (n = 5)
//     words[n], n = 5             | slides made |       | c4 | c3 | c2 | c1 | c0 | r4 | r3 | r2 | r1 | r0 |
//                                  31         24         19                     9                      0
//
// A state gets one thread, not a warp: its 4n slides share the n^2 letters, the 2n numbers of lines and the two sums,
// which a thread unpacks once into registers, and no two of its reads depend on one another. Lanes of a warp would
// unpack them again or fetch them by shuffles, and 4n slides do not fill 32 lanes evenly.
//
// A key ranks a child: it is 0 for an illegal slide, otherwise 1 + 16 * value + noise. The noise of 0 to 15
// breaks ties at random, and is 0 for salt 0.

#include "common.cuh"

#define SLIDES_BIT 24  // the lowest bit of the number of slides made
#define NOISE_LEVELS 16

__device__ constexpr int power(int n) { return n == 0 ? 1 : 26 * power(n - 1); }

// The scores of all lines with one more letter. The words of a line are those without its last letter and those
// without its first letter, minus those without either, which were counted twice, plus the line itself. On
// entry, out[line] is the number of letters of the line if it is a word, and 0 otherwise. `parts` is
// 26^(letters - 2). Item `prefix` computes the 26 lines that begin with it. One warp per prefix: a coalesced
// read and write per line, the other reads from the cache.
extern "C" __global__ void __launch_bounds__(BLOCK) line_scores(int first, int last,
        const u8* __restrict__ shorter /*[26 * parts]*/, const u8* __restrict__ inner /*[parts]*/, int parts,
        u8* __restrict__ out /*[26 * last] changed*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(prefix, WARP) {
        const u32 middle = prefix % parts;
        if (lane < 26) out[prefix * 26 + lane] += shorter[prefix] - inner[middle] + shorter[middle * 26 + lane];
    }
}

// The potential of lines, by the formula in potential.py, with two kernels per step. Here a line is a number in
// base `letters`, the number of different letters of the puzzle, because no other letter ever stands on its board;
// with 18 of 26 letters there are 6 times fewer lines of five. `parts` is letters^(places - 1), the number of
// lines with one letter less. Products use __fmul_rn, which the compiler does not fuse with an addition, so that
// single precision gives the same bits everywhere.

// means[place][rest]: the power mean with exponent 4 over the letters that can stand at `place` if the other
// places are `rest`; item place * parts + rest. One thread per mean: `letters` reads, coalesced except for the
// last place, with four operations per read.
extern "C" __global__ void __launch_bounds__(BLOCK) power_means(int first, int last,
        const float* __restrict__ worth /*[letters * parts]*/, const float* __restrict__ weights /*[letters]*/,
        int letters, int parts, float* __restrict__ means /*[last]*/) {
    EACH_ITEM(item, 1) {
        const u32 place = item / parts, rest = item % parts;
        u32 inner = parts;  // number of lines that differ only after the place
        for (u32 k = 0; k < place; ++k) inner /= letters;
        const float* line = worth + rest / inner * inner * letters + rest % inner;
        float sum = 0;
        for (int letter = 0; letter < letters; ++letter, line += inner) {
            const float square = __fmul_rn(*line, *line);
            sum += __fmul_rn(weights[letter], __fmul_rn(square, square));
        }
        means[item] = sqrtf(sqrtf(sum));
    }
}

// Moves the worth of each line the fraction `pace` of the way to the average, over its places, of `means`, and writes
// it to the table, in units that fit a byte. In the table a line is a number in base 26. Item `rest` computes the lines
// that begin with it: prefixes[rest] is `rest` in base 26, and alphabet[i] is letter i of the puzzle. One warp per
// rest: per line, a coalesced read of the means of each place, and of the worth.
extern "C" __global__ void __launch_bounds__(BLOCK) approach(int first, int last,
        const float* __restrict__ means /*[places][parts]*/, int letters, int places, int parts, float pace, float unit,
        const int* __restrict__ prefixes /*[last]*/, const u8* __restrict__ alphabet /*[letters]*/,
        float* __restrict__ worth /*[last * letters] changed*/, u8* __restrict__ table /*[] changed*/) {
    const int lane = threadIdx.x % WARP;
    const float share = 1.0f / float(places);
    EACH_ITEM(rest, WARP) {
        if (lane >= letters) continue;
        float target = means[(places - 1) * parts + rest];
        for (u32 k = 0, inner = parts / letters; k + 1 < u32(places); ++k, inner /= letters)
            target += means[k * parts + (rest / (inner * letters) * inner + rest % inner) * letters + lane];
        float& line = worth[rest * letters + lane];
        line += __fmul_rn(pace, __fmul_rn(target, share) - line);
        table[prefixes[rest] * 26 + alphabet[lane]] = u8(__fmul_rn(unit, line) + 0.5f);
    }
}

// A state in registers. All loops over it are unrolled, so that every index is a constant.
template <int N> struct State {
    u32 words[N + 1];

    __device__ State(const u32* __restrict__ states, i64 capacity, int j) {
#pragma unroll
        for (int w = 0; w <= N; ++w) words[w] = states[w * capacity + j];
    }
    __device__ int made() const { return words[N] >> SLIDES_BIT; }
    __device__ u32 slid(int line) const { return words[N] >> 2 * line & 3; }
    __device__ bool allows(int move) const { return slid(line_of(move)) != 2u - (move & 1); }
    __device__ static int line_of(int move) { return (move >> 2) + N * (move >> 1 & 1); }

    __device__ void slide(int move, u32 letter) {
        const int line = move >> 2, direction = move & 3;
        u32 weight = 1;
        for (int k = N - 1; k > line; --k) weight *= 26;
        words[N] = (words[N] | 1u + (direction & 1) << 2 * line_of(move)) + (1u << SLIDES_BIT);
#pragma unroll
        for (int i = 0; i < N; ++i) {  // a column goes against its slide, starting with the letter that enters
            const u32 row = direction == 2 ? words[N - 1 - i] : words[i];
            u32 slid_row = row;
            if (direction >= 2) {
                const u32 leaving = row / weight % 26;
                slid_row += (letter - leaving) * weight;
                letter = leaving;
            } else if (i == line) {
                slid_row = direction == 0 ? row % power(N - 1) * 26 + letter : row / 26 + letter * power(N - 1);
            }
            if (direction == 2) words[N - 1 - i] = slid_row;
            else words[i] = slid_row;
        }
    }
};

// The letters of a state, and its lines as numbers.
template <int N> struct Board {
    int letters[N][N], row[N], column[N];

    __device__ Board(const State<N>& state) {
#pragma unroll
        for (int c = 0; c < N; ++c) column[c] = 0;
#pragma unroll
        for (int r = 0; r < N; ++r) {
            u32 rest = state.words[r];
            row[r] = rest;
#pragma unroll
            for (int c = N - 1; c >= 0; --c) {
                letters[r][c] = rest % 26;
                rest /= 26;
                column[c] = column[c] * 26 + letters[r][c];
            }
        }
    }
};

template <int N> __device__ int total(const Board<N>& board, const u8* __restrict__ table) {
    int sum = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) sum += table[board.row[i]] + table[board.column[i]];
    return sum;
}

// The sum of the table over the lines of each state. One thread per state, 2n reads.
extern "C" __global__ void __launch_bounds__(BLOCK) totals(int first, int last,
        const u32* __restrict__ states /*[n + 1][capacity]*/, int capacity, int n, const u8* __restrict__ table /*[]*/,
        int* __restrict__ out /*[last]*/) {
    EACH_ITEM(j, 1) {
        if (n == 3) out[j] = total(Board<3>(State<3>(states, capacity, j)), table);
        if (n == 4) out[j] = total(Board<4>(State<4>(states, capacity, j)), table);
        if (n == 5) out[j] = total(Board<5>(State<5>(states, capacity, j)), table);
        if (n == 6) out[j] = total(Board<6>(State<6>(states, capacity, j)), table);
    }
}

template <int N> __device__ void slide_one(const u32* __restrict__ states, i64 capacity, int parent, int move,
        const u8* __restrict__ queue, u32* __restrict__ out, i64 out_capacity, int j) {
    State<N> state(states, capacity, parent);
    state.slide(move, queue[state.made()]);
#pragma unroll
    for (int w = 0; w <= N; ++w) out[w * out_capacity + j] = state.words[w];
}

// The states that moves lead to: child j is state parents[j] after slide moves[j]. One thread per
// child reads and writes n + 1 words.
extern "C" __global__ void __launch_bounds__(BLOCK) slide(int first, int last,
        const u32* __restrict__ states /*[n + 1][capacity]*/, int capacity, int n, const u8* __restrict__ queue /*[]*/,
        const int* __restrict__ parents /*[last]*/, const u16* __restrict__ moves /*[last]*/,
        u32* __restrict__ out /*[n + 1][out_capacity]*/, int out_capacity) {
    EACH_ITEM(j, 1) {
        if (n == 3) slide_one<3>(states, capacity, parents[j], moves[j], queue, out, out_capacity, j);
        if (n == 4) slide_one<4>(states, capacity, parents[j], moves[j], queue, out, out_capacity, j);
        if (n == 5) slide_one<5>(states, capacity, parents[j], moves[j], queue, out, out_capacity, j);
        if (n == 6) slide_one<6>(states, capacity, parents[j], moves[j], queue, out, out_capacity, j);
    }
}

// The value of the board after line i of `along` slides towards its beginning (the letter enters at the
// end) or towards its end. `cross` are the lines that cross it, letters[k] the line's letters, and `sum`
// the sum of the table over the lines of `along`.
template <int N> __device__ int slid_value(const u8* __restrict__ table, const int (&along)[N], const int (&cross)[N],
        const int (&letters)[N], int i, int weight, int sum, int letter, bool to_beginning) {
    const int line = to_beginning ? along[i] % power(N - 1) * 26 + letter : along[i] / 26 + letter * power(N - 1);
    int value = sum - table[along[i]] + table[line];
#pragma unroll
    for (int k = 0; k < N; ++k) {
        const int comes = to_beginning ? (k < N - 1 ? letters[k < N - 1 ? k + 1 : k] : letter)
                                       : (k > 0 ? letters[k > 0 ? k - 1 : k] : letter);
        value += table[cross[k] + (comes - letters[k]) * weight];
    }
    return value;
}

__device__ u32 noise(u32 salt, u32 mix, int move) {
    u32 h = mix + u32(move) * 0x9E3779B9u;
    return (h ^ h >> 15) * salt >> 28;
}

// The values of the boards that the 4n slides lead to; -1 for an illegal slide.
template <int N> __device__ void slid_values(const State<N>& state, const u8* __restrict__ table, int letter,
        int (&values)[4 * N]) {
    const Board<N> board(state);
    int row_sum = 0, column_sum = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) row_sum += table[board.row[i]], column_sum += table[board.column[i]];
#pragma unroll
    for (int i = 0; i < N; ++i) {
        const int weight = power(N - 1 - i);
        int across[N], down[N];
#pragma unroll
        for (int k = 0; k < N; ++k) across[k] = board.letters[i][k], down[k] = board.letters[k][i];
#pragma unroll
        for (int d = 0; d < 2; ++d) {
            values[4 * i + d] = values[4 * i + 2 + d] = -1;
            if (state.slid(i) != 2u - d)
                values[4 * i + d] =
                    slid_value<N>(table, board.row, board.column, across, i, weight, row_sum, letter, d == 0);
            if (state.slid(N + i) != 2u - d)
                values[4 * i + 2 + d] =
                    slid_value<N>(table, board.column, board.row, down, i, weight, column_sum, letter, d == 0);
        }
    }
}

template <int N> __device__ void expand_one(const u32* __restrict__ states, i64 capacity, int j,
        const u8* __restrict__ table, const u8* __restrict__ queue, int queue_length, u32 salt, u16* __restrict__ out) {
    const State<N> state(states, capacity, j);
    if (state.made() >= queue_length) {
        for (int move = 0; move < 4 * N; ++move) out[move] = 0;
        return;
    }
    int values[4 * N];
    slid_values(state, table, queue[state.made()], values);
    u32 mix = 0;
#pragma unroll
    for (int r = 0; r < N; ++r) mix = (mix ^ state.words[r]) * 0x01000193u;
#pragma unroll
    for (int move = 0; move < 4 * N; ++move)
        out[move] = values[move] < 0 ? 0 : u16(1 + NOISE_LEVELS * values[move] + noise(salt, mix, move));
}

// The keys of all 4n slides of the states from `start` on: keys[item * 4n + move]. One thread per
// state, with its letters in registers. A slide takes n + 1 reads of the table and no others, and all
// reads of a state are independent of one another.
extern "C" __global__ void __launch_bounds__(BLOCK) expand(int first, int last,
        const u32* __restrict__ states /*[n + 1][capacity]*/, int capacity, int start, int n,
        const u8* __restrict__ table /*[]*/, const u8* __restrict__ queue /*[queue_length + 1]*/, int queue_length,
        u32 salt, u16* __restrict__ keys /*[4 * n * last]*/) {
    EACH_ITEM(item, 1) {
        u16* out = keys + i64(item) * 4 * n;
        const int j = start + item;
        if (n == 3) expand_one<3>(states, capacity, j, table, queue, queue_length, salt, out);
        if (n == 4) expand_one<4>(states, capacity, j, table, queue, queue_length, salt, out);
        if (n == 5) expand_one<5>(states, capacity, j, table, queue, queue_length, salt, out);
        if (n == 6) expand_one<6>(states, capacity, j, table, queue, queue_length, salt, out);
    }
}

template <int N>
__device__ u64 finish_one(const u32* __restrict__ states, i64 capacity, int j, const u8* __restrict__ table,
                          const u8* __restrict__ queue, int moves, int lane) {
    u64 best = 0;
    if (lane == 0) best = u64(total(Board<N>(State<N>(states, capacity, j)), table)) << 32 | 0xffffffffu;
    int prefixes = moves > 0 ? 1 : 0;  // number of sequences without their last move; a sequence is a number in base 4n
    for (int k = 1; k < moves; ++k) prefixes *= 4 * N;
    for (int prefix = lane; prefix < prefixes; prefix += WARP) {
        State<N> state(states, capacity, j);
        u32 sequence = 0;
        int rest = prefix, unit = prefixes, k = 1;
        for (; k < moves; ++k) {
            unit /= 4 * N;
            const int move = rest / unit;
            rest %= unit;
            if (!state.allows(move)) break;
            state.slide(move, queue[state.made()]);
            sequence |= u32(move + 1) << 5 * (moves - k);
            // Only the first of the prefixes that begin in this way counts the sequence that ends here.
            if (rest == 0) best = max(best, u64(total(Board<N>(state), table)) << 32 | u32(~sequence));
        }
        if (k < moves) continue;
        int values[4 * N];
        slid_values(state, table, queue[state.made()], values);
#pragma unroll
        for (int move = 0; move < 4 * N; ++move)
            if (values[move] >= 0) best = max(best, u64(values[move]) << 32 | u32(~(sequence | u32(move + 1))));
    }
    return warp_max(best);
}

// The best value that up to `moves` more slides reach from each state, by trying all sequences. The upper 32 bits of
// best[j] are the value. The lower 32 bits are the complement of the sequence, with five bits per slide: 1 + move, the
// first slide in the highest bits, and zeros after the last. So the greatest word is the best value with the first
// sequence in dictionary order. `moves` is at most 6 and at most the rest of the queue. One warp per state: a lane
// makes all slides of a sequence but the last, and then computes the values of all last slides.
extern "C" __global__ void __launch_bounds__(BLOCK) finish(int first, int last,
        const u32* __restrict__ states /*[n + 1][capacity]*/, int capacity, int n, const u8* __restrict__ table /*[]*/,
        const u8* __restrict__ queue /*[]*/, int moves, u64* __restrict__ best /*[last]*/) {
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(j, WARP) {
        u64 found = 0;
        if (n == 3) found = finish_one<3>(states, capacity, j, table, queue, moves, lane);
        if (n == 4) found = finish_one<4>(states, capacity, j, table, queue, moves, lane);
        if (n == 5) found = finish_one<5>(states, capacity, j, table, queue, moves, lane);
        if (n == 6) found = finish_one<6>(states, capacity, j, table, queue, moves, lane);
        if (lane == 0) best[j] = found;
    }
}
