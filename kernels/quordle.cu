// quordle.cu: whole games of Quordle, where several boards share their guesses.
//
// The idea. A board's knowledge is the set of words that fit every pattern it has shown; the boards are
// independent of one another. With the simple strategies every board walks through a list of words and
// proposes the first word that fits; the strategy chooses the board whose proposal is guessed. A game takes
// about eight guesses, so an item is a whole game.
//
// The data. A word is its index in the list. `shown[guess][hidden]` is the pattern 0..242 that a guess gets.
// `believed[guess][word]` is the pattern that the player expects of a word; it is the same table if the player knows
// the scoring. A row has `columns` bytes, a multiple of 64, padded with 255. `hidden[game][board]` is the hidden word.
// The kernels called _16 are for words of six to ten letters: T is u16, because their patterns have 16 bits, and 65,535
// is the padding.
// The host numbers them (`kernels.numbered_patterns`), except for `games_16`. SOLVED is all green for any length.
// `turns[game][board]` is the number of the guess that solved a board, counted from 1; 0 if none did.
// `guessed[game][turn]` is the word that was guessed, NO_WORD after the last.

#include "common.cuh"

#define CELLS 243
#define SOLVED 242
#define NO_WORD 0xffff
#define MOST_BOARDS 32
#define MOST_GUESSES 64
#define WARPS (BLOCK / WARP)
#define RANDOM 1  // the strategies, in the order of rules.SIMPLE; 0 is left-to-right
#define LEAST_CORRECT 2
#define MOST_CORRECT 3
#define FEWEST_REMAINING 4
#define MOST_REMAINING 5

// SplitMix64: its output function, and draw i of game `number`.
__device__ u64 mix(u64 x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}
#define GOLDEN 0x9e3779b97f4a7c15ull
__device__ u64 draw(u64 seed, u64 number, int i) {
    return mix(mix((mix(seed + GOLDEN) ^ number) + GOLDEN) + (i + 1) * GOLDEN);
}

// The first word whose sum of weights is above `unit`: ends[word] is the sum of the weights up to its own, included.
template <class T> __device__ int word_at(const T* ends, int words, u32 unit) {
    int low = 0;
    for (int high = words - 1; low < high;) {
        const int middle = (low + high) / 2;
        if (ends[middle] > unit) high = middle;
        else low = middle + 1;
    }
    return low;
}

// Draws the hidden words of games `number`, number + 1, ... Board i draws one of the answers that the boards before it
// have left, by weight; without weights every set of words is equally likely. The weights lie side by side on a line:
// ends[word] is where that word's part of the line ends. Without weights (`weighted` is 0), each word has the weight 1
// and `ends` is not read. One thread per game; boards^2 comparisons.
extern "C" __global__ void __launch_bounds__(BLOCK) deals(int first, int last,
        u64 seed, u64 number, int boards, int answers, const u32* __restrict__ ends /*[]*/, int weighted,
        u16* __restrict__ hidden /*[last][boards]*/) {
    EACH_ITEM(game, 1) {
        u16* row = hidden + i64(game) * boards;
        u32 left = weighted ? ends[answers - 1] : answers;
        for (int i = 0; i < boards; ++i) {
            u32 place = u32(draw(seed, number + game, i) % u64(left));
            // Each taken word that does not begin above `place` moves it on by its weight, lowest word first.
            // `row` is not sorted.
            for (int moved = 0, before = -1; moved < i; ++moved) {
                int next = answers;
                for (int k = 0; k < i; ++k)
                    if (row[k] > before && row[k] < next) next = row[k];
                const u32 begin = !weighted ? next : next ? ends[next - 1] : 0;
                if (begin > place) break;
                place += weighted ? ends[next] - begin : 1, before = next;
            }
            const int word = weighted ? word_at(ends, answers, place) : int(place);
            left -= !weighted ? 1 : word ? ends[word] - ends[word - 1] : ends[0];
            row[i] = u16(word);
        }
    }
}

// The number of greens in a pattern.
__device__ int greens(int code) {
    int count = 0;
    for (; code; code /= 3) count += code % 3 == 2;
    return count;
}

// Plays whole games by a simple strategy. One warp per game. Each lane takes a word and checks it against the
// history of a board, which is all that a game stores: a pattern for each board and turn, in shared memory. Most
// words fail after one or two turns. The strategies that count the remaining words go through the whole list;
// the others stop at the first word that fits.
template <class T /*games: u8, games_16: u16*/>
__global__ void __launch_bounds__(BLOCK) games(int first, int last,
        const T* __restrict__ shown /*[words][columns]*/, const T* __restrict__ believed /*[words][columns]*/,
        int words, int columns, const u16* __restrict__ hidden /*[last][boards]*/, int boards, int guesses,
        int strategy, u64 seed, u64 number, u8* __restrict__ turns /*[last][boards]*/,
        u16* __restrict__ guessed /*[last][guesses]*/) {
    __shared__ T codes[WARPS][MOST_BOARDS][MOST_GUESSES];
    __shared__ int history[WARPS][MOST_GUESSES];
    __shared__ int places[WARPS][MOST_BOARDS];  // where each board is in the list
    __shared__ int left[WARPS][MOST_BOARDS];    // words that fit; -1 for a solved board
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    EACH_ITEM(game, WARP) {
        const u16* answers = hidden + i64(game) * boards;
        for (int b = lane; b < boards; b += WARP)
            turns[i64(game) * boards + b] = 0, places[warp][b] = 0, left[warp][b] = words;
        for (int t = lane; t < guesses; t += WARP) guessed[i64(game) * guesses + t] = NO_WORD;
        __syncwarp();
        int unsolved = boards;
        for (int turn = 0; turn < guesses && unsolved; ++turn) {
            int chosen = -1, best = 0, rank = 0;
            const int drawn =
                strategy == RANDOM ? int(draw(seed, number + game, MOST_BOARDS + turn) % u64(unsolved)) : 0;
            for (int b = 0; b < boards; ++b) {
                if (left[warp][b] < 0) continue;
                int value = rank++ != drawn;  // the lowest value is chosen
                if (strategy == LEAST_CORRECT || strategy == MOST_CORRECT)
                    value = turn ? greens(codes[warp][b][turn - 1]) : 0;
                if (strategy >= FEWEST_REMAINING) value = left[warp][b];
                if (strategy == MOST_CORRECT || strategy == MOST_REMAINING) value = -value;
                if (chosen < 0 || value < best) chosen = b, best = value;
            }
            int guess = -1;
            for (int base = places[warp][chosen] / WARP * WARP; base < words && guess < 0; base += WARP) {
                const int word = base + lane;
                bool fits = word < words;
                for (int t = 0; t < turn && fits; ++t)
                    fits = believed[i64(history[warp][t]) * columns + word] == codes[warp][chosen][t];
                const u32 ballot = __ballot_sync(FULL, fits);
                if (ballot) guess = base + __ffs(ballot) - 1;
            }
            if (guess < 0) break;
            __syncwarp();  // all lanes have read `places`
            if (lane == 0) {
                places[warp][chosen] = guess;
                history[warp][turn] = guess;
                guessed[i64(game) * guesses + turn] = u16(guess);
            }
            __syncwarp();
            for (int b = 0; b < boards; ++b) {
                if (left[warp][b] < 0) continue;
                const T code = shown[i64(guess) * columns + answers[b]];
                if (lane == 0) codes[warp][b][turn] = code;
                __syncwarp();
                if (guess == answers[b]) {
                    --unsolved;
                    if (lane == 0) turns[i64(game) * boards + b] = u8(turn + 1), left[warp][b] = -1;
                } else if (strategy >= FEWEST_REMAINING) {
                    int count = 0;
                    for (int word = lane; word < words; word += WARP) {
                        bool fits = true;
                        for (int t = turn; t >= 0 && fits; --t)
                            fits = believed[i64(history[warp][t]) * columns + word] == codes[warp][b][t];
                        count += fits;
                    }
                    count = warp_sum(count);
                    if (lane == 0) left[warp][b] = count;
                }
                __syncwarp();
            }
        }
        __syncwarp();  // the next game uses the same memory
    }
}

// The player `joint` judges each guess over all boards at once. For a board with n words that fit, a guess splits the
// words into cells, one for each pattern. Its cost is the information still missing afterwards, the sum over the cells
// of (size / n) log2 size, less a bonus for the chance that it solves the board:
//
//     cost = sum over boards of  sum over cells (size log2 size) / n  -  `solve` / n if the guess fits
//
// in fixed point. If answers have weights, the sum of the weights of a cell's words takes the place of its size, that
// of the board's words the place of n, and `solve` is multiplied by the weight of the guess. With fewer than `spare`
// guesses to spare, `careful` takes the place of `solve`. If only one word fits some board, that word must be guessed
// at some time, so `joint` guesses it at once: the cheapest of several. Otherwise it makes the cheapest of all guesses.
// Ties go to the first guess.
//
// The cost of the second guess depends on the boards' first patterns only: `opening[pattern]` has it for all
// guesses, so the cost is a sum of rows. Later a board has few words. `codes[answer][guess]` has the patterns of one
// answer side by side, so comparing two rows shows for 64 guesses at once whether two answers share a cell; the k-th
// word of a cell, counted from 0, adds nlogn[k + 1] - nlogn[k] to the cost. `among` has only the columns that are
// answers, side by side: the CPU's playouts use it.
//
// One block per game. Each thread takes guesses in turn and goes through a board's words: n^2 / 2 byte comparisons for
// a guess, from the caches, where the games of a batch share the rows.
//
// The weights that judge are the `masses`: integers whose sum is below 2^16, so that `nlogn` can be a table. With
// weights (`weighted` is 1) the table counts in half units, because otherwise the largest entry would not fit into 32
// bits. If all the words that fit a board have the weight 0, they count as equally likely.
struct Scale {
    const u16* masses;  // null if the words are equally likely
    int total;          // the sum of the masses of a board's words
    int down;           // (amount * factor) >> down is an amount of n log2 n, divided by `total`
    i64 factor;
};

__device__ int mass_of(const Scale& scale, int word) { return scale.masses ? scale.masses[word] : 1; }

// How to weigh a board of n words whose masses have this sum.
__device__ Scale scale_of(const u16* masses, int weighted, int sum, int n) {
    if (!weighted) return {nullptr, n, 20, n ? (1 << 20) / n : 0};
    const int total = sum ? sum : n;
    return {sum ? masses : nullptr, total, 39, total ? (i64(1) << 40) / total : 0};
}

// The same for one thread, which adds the masses.
__device__ Scale scale_of(const u16* masses, int weighted, const u16* fit, int n) {
    int sum = 0;
    for (int i = 0; weighted && i < n; ++i) sum += masses[fit[i]];
    return scale_of(masses, weighted, sum, n);
}

// What a guess's cost is reduced by on a board that hides it with the chance mass / total.
__device__ int bonus(int solve, const Scale& scale, int word) { return solve * mass_of(scale, word) / scale.total; }

// The patterns that a guess gets from the words of a board, in the table of all patterns.
template <class T> struct Patterns {
    const T* codes;
    int columns;
    const u16* fit;
    int guess;
    __device__ T operator[](int i) const { return codes[i64(fit[i]) * columns + guess]; }
};

// The same in shared memory, a column for each lane.
template <class T> struct Copied {
    const T* column;
    __device__ T operator[](int i) const { return column[i * WARP]; }
};

// What word i of a board adds to the cost of a guess with these patterns: nlogn[k + mass] - nlogn[k], where k is the
// mass of the words before it that share its cell.
template <class Codes> __device__ int growth_of(const Codes& codes, const u16* fit, int i, const int* nlogn,
                                                const Scale& scale) {
    const int code = codes[i];
    int before = 0;
    for (int j = 0; j < i; ++j) before += codes[j] == code ? mass_of(scale, fit[j]) : 0;
    return nlogn[before + mass_of(scale, fit[i])] - nlogn[before];
}

// The cost of a guess for a board of n words.
template <class Codes> __device__ int cost_of(const Codes& codes, const u16* fit, int n, const int* nlogn,
                                              const Scale& scale) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += growth_of(codes, fit, i, nlogn, scale);
    return int(sum * scale.factor >> scale.down);
}

// The cost of a guess over all boards: board b has the counts[b] words from fits[starts[b]] on.
template <class T> __device__ int cost_over(const T* codes, int columns, const u16* fits, const int* starts,
                                            const int* counts, int boards, const int* own, const u16* masses,
                                            int weighted, const int* nlogn, int solve, int guess) {
    int cost = 0;
    for (int b = 0; b < boards; ++b) {
        const u16* fit = fits + starts[b];
        const Scale scale = scale_of(masses, weighted, fit, counts[b]);
        cost += cost_of(Patterns<T>{codes, columns, fit, guess}, fit, counts[b], nlogn, scale);
        for (int i = 0; i < counts[b]; ++i) cost -= own[fit[i]] == guess ? bonus(solve, scale, fit[i]) : 0;
    }
    return cost;
}

// Computes the cost of every guess in one position: out[guess]. One thread per guess. Board b has
// the counts[b] words from fits[starts[b]] on.
template <class T /*costs: u8, costs_16: u16*/>
__global__ void __launch_bounds__(BLOCK) costs(int first, int last,
        const T* __restrict__ codes /*[][columns]*/, int columns, const u16* __restrict__ fits /*[]*/,
        const int* __restrict__ starts /*[boards]*/, const int* __restrict__ counts /*[boards]*/, int boards,
        const int* __restrict__ own /*[]*/, const u16* __restrict__ masses /*[]*/, int weighted,
        const int* __restrict__ nlogn /*[]*/, int solve, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(guess, 1)
        out[guess] = cost_over(codes, columns, fits, starts, counts, boards, own, masses, weighted, nlogn, solve,
                               guess);
}

// Computes the cost of every second guess after each pattern of the first: out[cell][guess]. One warp per cell and
// guess. A cell's answers are the sizes[cell] entries of `members` from starts[cell] on. A warp has 243 counters in
// shared memory for the cells into which the guess splits them; a word adds nlogn[k + mass] - nlogn[k], where k is what
// its counter had before. The patterns of longer words are too many for counters, so each lane compares its words with
// those before them: n^2 / 2 comparisons for a cell and guess.
template <class T /*openings: u8, openings_16: u16*/>
__global__ void __launch_bounds__(BLOCK) openings(int first, int last,
        const T* __restrict__ codes /*[][columns]*/, int columns, int guesses, const u16* __restrict__ members /*[]*/,
        const int* __restrict__ starts /*[CELLS]*/, const int* __restrict__ sizes /*[CELLS]*/,
        const u16* __restrict__ masses /*[]*/, int weighted,
        const int* __restrict__ nlogn /*[]*/, int* __restrict__ out /*[][columns]*/) {
    __shared__ u32 counters[WARPS][CELLS + 13];
    u32* cells = counters[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const int cell = item / guesses, guess = item % guesses, n = sizes[cell];
        if constexpr (sizeof(T) == 1) {
            for (int c = lane; c < CELLS; c += WARP) cells[c] = 0;
            __syncwarp();
        }
        const u16* fit = members + starts[cell];
        int sum = 0, total = 0;
        for (int i = lane; weighted && i < n; i += WARP) total += masses[fit[i]];
        const Scale scale = scale_of(masses, weighted, warp_sum(total), n);
        for (int i = lane; i < n; i += WARP) {
            if constexpr (sizeof(T) == 1) {
                const int mass = mass_of(scale, fit[i]);
                const u32 before = atomicAdd(&cells[codes[i64(fit[i]) * columns + guess]], u32(mass));
                sum += nlogn[before + mass] - nlogn[before];
            } else {
                sum += growth_of(Patterns<T>{codes, columns, fit, guess}, fit, i, nlogn, scale);
            }
        }
        sum = warp_sum(sum);
        if (lane == 0) out[i64(cell) * columns + guess] = int(sum * scale.factor >> scale.down);
        __syncwarp();  // all lanes have finished counting
    }
}

// Looking ahead. `joint` looks ahead if no word is known, at most MOST_AHEAD boards are unsolved, none of them has more
// than MOST_FITS words, and there are guesses to spare. Then the TRIED cheapest guesses are tried in playouts: games to
// the end, with the same hidden words for all guesses tried. In a playout a known word is guessed; otherwise the
// cheapest word of a pool: the POOL cheapest guesses of the position, and the words that still fit. After GLIMPSES
// games with each guess, the FINALISTS that took the fewest guesses play PLAYOUTS games each. With weights, so does the
// likeliest word of each board if its chance is at least 1 / LIKELY: a word can be almost certain, and yet not cheap.
//
// Without weights, each set of hidden words is played once if there are at most PLAYOUTS of them. With weights there
// are always PLAYOUTS games: if there are few sets, each set has its share of the games, otherwise each word is drawn
// by its mass.
//
// One block per position, one warp per playout: each lane takes guesses of the pool in turn. The words that fit are in
// shared memory, 2 KB per warp. A step compares, for each guess of the pool and each word that fits, every two words of
// a board. The guesses lie anywhere in the table of patterns, a sector for each lane, so a lane copies the patterns of
// its guess to its column in shared memory, 2 KB per warp, and compares them there. Counted over 300 games of four
// boards, in positions with over 100,000 sets of hidden words: on average 20 guesses in the pool, 1.1 steps in a
// playout, and 13 words that fit in a step.
#define MOST_AHEAD 4
#define MOST_FITS 256
#define POOL 192
#define TRIED 16
#define FINALISTS 4
#define GLIMPSES 32
#define PLAYOUTS 300
#define LIKELY 4
#define NEAR 48  // a guess is in the pool if it costs less than NEAR << FINE more than the cheapest
#define FINE 6

struct Position {
    const u16* words[MOST_AHEAD];  // those that fit each unsolved board
    int count[MOST_AHEAD];
    int boards, pooled;
    int ways;  // number of sets of hidden words, at most PLAYOUTS + 1; with weights at least PLAYOUTS
    int weighted;
    u64 seed;
    u16 pool[POOL + MOST_AHEAD];      // from POOL on, with weights: the likely word of each board, or NO_WORD
    const u16* masses[MOST_AHEAD];    // null if a board's words are equally likely
    u16 ends[MOST_AHEAD][MOST_FITS];  // with weights: the sum of the masses up to and including each word's
};

template <class T> struct Kept {
    static constexpr int COPIED = 64 / sizeof(T);  // words: a board with more is compared where the table is
    T codes[COPIED][WARP];                         // the patterns of a board, for the guess of each lane
    u16 words[MOST_AHEAD][MOST_FITS];
    u16 hidden[MOST_AHEAD];
    int left[MOST_AHEAD], mass[MOST_AHEAD];  // number and mass of the words that fit a board
    Scale scales[MOST_AHEAD];
};

// Computes the sums of the masses, the seed from which a position's hidden words are drawn, and the number of sets of
// them. For one thread.
__device__ void describe(Position& at, const u16* masses, int weighted) {
    at.seed = 0, at.ways = 1, at.weighted = weighted;
    for (int b = 0; b < at.boards; ++b) {
        for (int i = 0; i < at.count[b]; ++i) at.seed = mix(at.seed + at.words[b][i] + 1);
        at.ways = int(min(i64(at.ways) * at.count[b], i64(PLAYOUTS + 1)));
        const Scale scale = scale_of(masses, weighted, at.words[b], at.count[b]);
        at.masses[b] = scale.masses;
        for (int i = 0, end = 0; weighted && i < at.count[b]; ++i)
            at.ends[b][i] = u16(end += mass_of(scale, at.words[b][i]));
    }
    if (weighted) at.ways = max(at.ways, PLAYOUTS);
}

// The word that board b hides in playout k, with weights. If there are few sets, playout k takes the middle of the k-th
// part of a line on which the sets lie side by side: board 0 divides the line into the parts of its words, board 1
// each of these parts, and so on. `part` is the place within a word's part, in units of 2^-32.
__device__ u16 weighed_in(const Position& at, int b, int k, int playouts) {
    if (at.ways > PLAYOUTS) {
        const u64 drawn = mix(at.seed + u64(k * MOST_AHEAD + b + 1) * GOLDEN) >> 32;
        return at.words[b][word_at(at.ends[b], at.count[b], u32(drawn * at.ends[b][at.count[b] - 1] >> 32))];
    }
    u64 part = (u64(2 * k + 1) << 32) / u32(2 * playouts);
    for (int board = 0;; ++board) {
        const u16* ends = at.ends[board];
        const u64 place = part * ends[at.count[board] - 1];
        const int i = word_at(ends, at.count[board], u32(place >> 32));
        if (board == b) return at.words[b][i];
        const u32 begin = i ? ends[i - 1] : 0;
        part = (place - (u64(begin) << 32)) / (ends[i] - begin);
    }
}

// The word that board b hides in playout k. Without weights: each set of words once if there are few sets, otherwise
// drawn.
__device__ u16 hidden_in(const Position& at, int b, int k, int playouts) {
    if (at.weighted) return weighed_in(at, b, k, playouts);
    if (at.ways > PLAYOUTS)
        return at.words[b][(mix(at.seed + u64(k * MOST_AHEAD + b + 1) * GOLDEN) >> 32) * at.count[b] >> 32];
    u32 place = u32(k * at.ways) / u32(playouts);
    for (int before = 0; before < b; ++before) place /= u32(at.count[before]);
    return at.words[b][place % u32(at.count[b])];
}

// The cost of a guess for a board of n words. Without weights the amount of each word is rounded, not their sum.
template <class Codes> __device__ int cost_ahead(const Codes& codes, const u16* fit, int n, const int* nlogn,
                                                 const Scale& scale, int weighted) {
    if (weighted) return cost_of(codes, fit, n, nlogn, scale);
    int sum = 0;
    for (int i = 1; i < n; ++i) {
        const int code = codes[i];
        int rank = 0;
        for (int j = 0; j < i; ++j) rank += codes[j] == code;
        if (rank) sum += int(i64(nlogn[rank + 1] - nlogn[rank]) * ((1 << 20) / n) >> 20);
    }
    return sum;
}

// Candidate x: a guess of the pool, or else a word that fits, board after board; then `board` is
// its board and `word` its number among the answers, otherwise -1.
template <class T> __device__ int guess_at(const Position& at, const Kept<T>& kept, const int* own, int x, int* board,
                                           int* word) {
    *board = *word = -1;
    if (x < at.pooled) return at.pool[x];
    x -= at.pooled;
    int b = 0;
    for (; x >= kept.left[b]; ++b) x -= kept.left[b];
    *board = b, *word = kept.words[b][x];
    return own[*word];
}

// The number of guesses of a playout that starts with `guess`. All lanes of a warp call it and get the same result.
template <class T> __device__ int playout(const T* codes, int columns, const int* own, const int* nlogn, int solve,
                                          const Position& at, Kept<T>& kept, int guess, int k, int playouts) {
    const int lane = threadIdx.x % WARP;
    if (lane < at.boards) kept.hidden[lane] = hidden_in(at, lane, k, playouts);
    __syncwarp();
    for (int made = 1;; ++made) {
        int unsolved = 0, unknown = 0, known = -1, last = 0, fitting = 0;
        for (int b = 0; b < at.boards; ++b) {
            const int n = made == 1 ? at.count[b] : kept.left[b];
            const u16* from = made == 1 ? at.words[b] : kept.words[b];
            if (!n) continue;
            const T code = codes[i64(kept.hidden[b]) * columns + guess];
            int left = 0;
            for (int base = 0; base < n && code != SOLVED; base += WARP) {
                const int i = base + lane;
                const u16 word = i < n ? from[i] : 0;
                const bool fits = i < n && codes[i64(word) * columns + guess] == code;
                const u32 ballot = __ballot_sync(FULL, fits);
                __syncwarp();  // all lanes have read their word, and the list is shortened in place
                if (fits) kept.words[b][left + __popc(ballot & ((1u << lane) - 1))] = word;
                left += __popc(ballot);
                __syncwarp();
            }
            __syncwarp();  // all lanes have read the old count
            int sum = 0;
            if (at.masses[b]) {
                for (int i = lane; i < left; i += WARP) sum += at.masses[b][kept.words[b][i]];
                sum = warp_sum(sum);
            }
            if (lane == 0) kept.left[b] = left, kept.mass[b] = sum;
            __syncwarp();
            fitting += left;
            unsolved += left > 0;
            if (left > 1) ++unknown, last = b;
            if (left == 1 && known < 0) known = kept.words[b][0];
        }
        if (!unknown) return made + unsolved;
        if (known < 0 && lane < at.boards)
            kept.scales[lane] = scale_of(at.masses[lane], at.weighted, kept.mass[lane], kept.left[lane]);
        __syncwarp();
        if (known >= 0) {
            guess = own[known];
        } else if (unsolved == 1 && fitting == 2) {
            const u16* two = kept.words[last];  // the likelier one is guessed first
            const bool second = mass_of(kept.scales[last], two[1]) > mass_of(kept.scales[last], two[0]);
            return made + 1 + (two[second] != kept.hidden[last]);
        } else {
            u64 best = 0;  // the greatest complement, so that ties go to the first candidate
            for (int x = lane; x < at.pooled + fitting; x += WARP) {
                int whose, word, cost = 0;
                const int candidate = guess_at(at, kept, own, x, &whose, &word);
                for (int b = 0; b < at.boards; ++b) {
                    const int n = kept.left[b];
                    const u16* fit = kept.words[b];
                    const Patterns<T> patterns = {codes, columns, fit, candidate};
                    if (n > kept.COPIED) {
                        cost += cost_ahead(patterns, fit, n, nlogn, kept.scales[b], at.weighted);
                    } else if (n > 1) {
                        for (int i = 0; i < n; ++i) kept.codes[i][lane] = patterns[i];
                        cost += cost_ahead(Copied<T>{&kept.codes[0][lane]}, fit, n, nlogn, kept.scales[b], at.weighted);
                    }
                }
                if (whose >= 0) cost -= bonus(solve, kept.scales[whose], word);
                best = max(best, ~(u64(u32(cost ^ 0x80000000)) << 32 | u32(x)));
            }
            int whose, word;
            guess = guess_at(at, kept, own, int(~warp_max(best) & 0xffffffff), &whose, &word);
        }
        __syncwarp();  // all lanes have read `kept`
    }
}

// Describes a position of `playouts`. For one thread.
__device__ void set_up(Position& at, const u16* fits, const int* starts, const int* counts, int boards,
                       const u16* masses, int weighted, const u16* pool, int pooled) {
    at.boards = boards, at.pooled = pooled;
    for (int b = 0; b < boards; ++b) at.words[b] = fits + starts[b], at.count[b] = counts[b];
    for (int x = 0; x < pooled; ++x) at.pool[x] = pool[x];
    describe(at, masses, weighted);
}

// Plays out one position: out[i * samples + k] is the number of guesses of game k that starts with
// tried[i]. One warp per game.
template <class T /*playouts: u8, playouts_16: u16*/>
__global__ void __launch_bounds__(BLOCK, 4) playouts(int first, int last,
        const T* __restrict__ codes /*[][columns]*/, int columns, const u16* __restrict__ fits /*[]*/,
        const int* __restrict__ starts /*[boards]*/, const int* __restrict__ counts /*[boards]*/, int boards,
        const int* __restrict__ own /*[]*/, const u16* __restrict__ masses /*[]*/, int weighted,
        const int* __restrict__ nlogn /*[]*/, int solve, const u16* __restrict__ pool /*[pooled]*/, int pooled,
        const u16* __restrict__ tried /*[]*/, int samples,
        u8* __restrict__ out /*[last]*/) {
    __shared__ Position at;
    __shared__ Kept<T> kept[WARPS];
    if (threadIdx.x == 0) set_up(at, fits, starts, counts, boards, masses, weighted, pool, pooled);
    __syncthreads();
    EACH_ITEM(item, WARP) {
        const int made = playout(codes, columns, own, nlogn, solve, at, kept[threadIdx.x / WARP], tried[item / samples],
                                 item % samples, samples);
        if (threadIdx.x % WARP == 0) out[item] = u8(made);
        __syncwarp();  // all lanes have read `kept`
    }
}

// The memory with which a block looks ahead.
template <class T> struct Ahead {
    Position at;
    Kept<T> kept[WARPS];
    int ends[NEAR + 1], sums[TRIED];
    int finalists[FINALISTS + MOST_AHEAD], totals[FINALISTS + MOST_AHEAD];  // the finalists are places of the pool
    int last;  // number of finalists
    int guess;
};

// The guess that is a board's likeliest word: among equals the one that costs least, then the first. NO_WORD if its
// chance is below 1 / LIKELY. All lanes of a warp call it and get the same result, with weights only.
__device__ int likeliest(const Position& at, const int* own, const int* costs, int b) {
    u64 best = 0;
    for (int i = threadIdx.x % WARP; i < at.count[b]; i += WARP) {
        const int word = at.words[b][i], guess = own[word];
        const u64 mass = at.masses[b] ? at.masses[b][word] : 1;
        best = max(best, mass << 48 | u64(~u32(costs[guess] ^ 0x80000000)) << 16 | u64(0xffff - guess));
    }
    best = warp_max(best);
    return (best >> 48) * LIKELY >= at.ends[b][at.count[b] - 1] ? 0xffff - int(best & 0xffff) : NO_WORD;
}

// The guess that does best in playouts. All threads of a block call it and get the same result, after `describe`.
template <class T> __device__ int look_ahead(const T* codes, int columns, int dictionary, const int* own,
                                             const int* nlogn, int solve, const int* costs, int least, Ahead<T>& my) {
    const int me = threadIdx.x, warp = me / WARP, lane = me % WARP;
    Position& at = my.at;
    for (int i = me; i <= NEAR; i += BLOCK) my.ends[i] = 0;
    if (me < TRIED) my.sums[me] = 0;
    if (me < FINALISTS + MOST_AHEAD) my.totals[me] = 0;
    __syncthreads();
    for (int guess = me; guess < dictionary; guess += BLOCK) {
        const int step = (costs[guess] - least) >> FINE;
        if (step < NEAR) atomicAdd(&my.ends[step + 1], 1);
    }
    __syncthreads();
    if (me == 0) {
        for (int step = 0; step < NEAR; ++step) my.ends[step + 1] += my.ends[step];
        at.pooled = min(my.ends[NEAR], POOL);
    }
    __syncthreads();
    if (warp == 0) {  // by cost in steps; ties go to the first guess
        for (int base = 0; base < dictionary; base += WARP) {
            const int guess = base + lane, step = guess < dictionary ? (costs[guess] - least) >> FINE : NEAR;
            for (u32 near = __ballot_sync(FULL, step < NEAR); near; near &= near - 1) {
                if (lane == __ffs(near) - 1) {
                    const int place = my.ends[step]++;
                    if (place < POOL) at.pool[place] = u16(guess);
                }
                __syncwarp();
            }
        }
    }
    for (int b = warp; at.weighted && b < at.boards; b += WARPS) {
        const int guess = likeliest(at, own, costs, b);
        if (lane == 0) at.pool[POOL + b] = u16(guess);
    }
    if (me == 0) my.last = min(min(at.pooled, TRIED), FINALISTS);
    __syncthreads();
    const int tried = min(at.pooled, TRIED);
    for (int longer = 0; longer < (at.ways > GLIMPSES ? 2 : 1); ++longer) {
        const int playouts = min(at.ways, longer ? PLAYOUTS : GLIMPSES);
        int* totals = longer ? my.totals : my.sums;
        for (int task = warp; task < (longer ? my.last : tried) * playouts; task += WARPS) {
            const int i = task / playouts, guess = at.pool[longer ? my.finalists[i] : i];
            const int made =
                playout(codes, columns, own, nlogn, solve, at, my.kept[warp], guess, task % playouts, playouts);
            if (lane == 0) atomicAdd(&totals[i], made);
            __syncwarp();
        }
        __syncthreads();
        if (me == 0 && !longer) {
            for (int i = 0; i < my.last; ++i) {
                int best = -1;
                for (int place = 0; place < tried; ++place)
                    if (my.sums[place] >= 0 && (best < 0 || my.sums[place] < my.sums[best])) best = place;
                my.finalists[i] = best;
                if (at.ways <= GLIMPSES) my.totals[i] = my.sums[best];
                my.sums[best] = -1;
            }
            for (int b = 0; at.weighted && b < at.boards; ++b) {
                bool again = at.pool[POOL + b] == NO_WORD;
                for (int i = 0; i < my.last; ++i) again = again || at.pool[my.finalists[i]] == at.pool[POOL + b];
                if (!again) my.finalists[my.last++] = POOL + b;
            }
        }
        __syncthreads();
    }
    if (me == 0) {
        int best = 0;
        for (int i = 1; i < my.last; ++i)
            if (my.totals[i] < my.totals[best] ||
                (my.totals[i] == my.totals[best] && my.finalists[i] < my.finalists[best]))
                best = i;
        my.guess = at.pool[my.finalists[best]];
    }
    __syncthreads();
    return my.guess;
}

// Plays whole games by `joint`, as explained above. `judged` stores the cost of each guess;
// `scratch` stores the boards' words, a row of `answers` for each board. A turn after the first has
// these phases, with a barrier between them:
//
//     judge        a thread takes every 256th guess: its cost, summed over the boards                -> judged
//     share        a warp takes a board: each word that fits takes its share off its guess's cost    -> judged
//     choose       each thread its best of `cost << 32 | guess`; then eight halvings                 -> bests[0]
//     look ahead   a warp takes a playout, TRIED x GLIMPSES of them, then PLAYOUTS of each finalist   -> guess
//     filter       a warp takes a board: 32 words at once, a vote, and the words that fit move up    -> scratch, count
//
// If a word is known, the candidates of `judge` are the known words, and `share` and `look ahead` are left out.
// spills: joint: 16 bytes on sm_90 and 8 on sm_80; four blocks on a multiprocessor hide more latency than three.
// spills: joint_16: 24 bytes, on sm_80 only, for the same reason.
template <class T /*joint: u8, joint_16: u16*/>
__global__ void __launch_bounds__(BLOCK, sizeof(T) == 1 ? 4 : 3) joint(int first, int last,
        const T* __restrict__ codes /*[answers][columns]*/, int columns, int dictionary,
        const int* __restrict__ own /*[answers]*/, const T* __restrict__ among /*[answers][answers]*/, int answers,
        int opener, const int* __restrict__ opening /*[CELLS][columns]*/, const u16* __restrict__ members /*[answers]*/,
        const int* __restrict__ starts /*[CELLS]*/, const int* __restrict__ sizes /*[CELLS]*/,
        const u16* __restrict__ masses /*[answers]*/, int weighted, const int* __restrict__ nlogn /*[]*/, int solve,
        int careful, int spare, const u16* __restrict__ hidden /*[last][boards]*/, int boards, int guesses,
        u8* __restrict__ turns /*[last][boards]*/, u16* __restrict__ guessed /*[last][guesses]*/,
        int* __restrict__ judged /*[last][columns]*/, u16* __restrict__ scratch /*[last][boards * answers]*/) {
    __shared__ int count[MOST_BOARDS];  // words that fit a board; 0 if it is solved
    __shared__ Scale scales[MOST_BOARDS];
    __shared__ u64 bests[BLOCK];
    __shared__ int unsolved;
    __shared__ Ahead<T> ahead;
    const int me = threadIdx.x, warp = me / WARP, lane = me % WARP;
    EACH_ITEM(game, BLOCK) {
        int* judge = judged + i64(game) * columns;
        u16* fits = scratch + i64(game) * boards * answers;
        const u16* answer = hidden + i64(game) * boards;
        for (int b = me; b < boards; b += BLOCK) turns[i64(game) * boards + b] = 0, count[b] = answers;
        for (int t = me; t < guesses; t += BLOCK) guessed[i64(game) * guesses + t] = NO_WORD;
        if (me == 0) unsolved = boards;
        __syncthreads();
        for (int turn = 0; turn < guesses && unsolved; ++turn) {
            int guess = opener;
            if (turn) {
                bool known = false;
                for (int b = 0; b < boards; ++b) known = known || count[b] == 1;
                const int share = guesses - turn - unsolved < spare ? careful : solve;
                for (int b = warp; b < boards; b += WARPS) {
                    int sum = 0;
                    for (int i = lane; weighted && i < count[b]; i += WARP) sum += masses[fits[i64(b) * answers + i]];
                    sum = warp_sum(sum);
                    if (lane == 0) scales[b] = scale_of(masses, weighted, sum, count[b]);
                }
                __syncthreads();
                u64 best = ~0ull;
                // If words are known, the candidates are these, one for each such board; otherwise every guess.
                const int choices = known ? boards : dictionary;
                for (int k = me; k < choices; k += BLOCK) {
                    if (known && count[k] != 1) continue;
                    const int candidate = known ? own[fits[i64(k) * answers]] : k;
                    int cost = 0;
                    for (int b = 0; b < boards; ++b) {
                        const int n = count[b];
                        const u16* fit = fits + i64(b) * answers;
                        if (!n) continue;
                        cost += turn == 1 ? opening[i64(codes[i64(answer[b]) * columns + opener]) * columns + candidate]
                                          : cost_of(Patterns<T>{codes, columns, fit, candidate}, fit, n, nlogn,
                                                    scales[b]);
                        for (int i = 0; known && i < n; ++i)
                            cost -= own[fit[i]] == candidate ? bonus(share, scales[b], fit[i]) : 0;
                    }
                    judge[k] = cost;
                    if (known) best = min(best, u64(u32(cost ^ 0x80000000)) << 32 | u32(candidate));
                }
                if (!known) {  // the words that fit are few, so each takes its share off the cost of its guess
                    __syncthreads();
                    for (int b = warp; b < boards; b += WARPS)
                        for (int i = lane; i < count[b]; i += WARP) {
                            const int word = fits[i64(b) * answers + i];
                            atomicSub(&judge[own[word]], bonus(share, scales[b], word));
                        }
                    __syncthreads();
                    for (int k = me; k < dictionary; k += BLOCK)
                        best = min(best, u64(u32(judge[k] ^ 0x80000000)) << 32 | u32(k));
                }
                bests[me] = best;
                __syncthreads();
                for (int half = BLOCK / 2; half; half /= 2) {
                    if (me < half) bests[me] = min(bests[me], bests[me + half]);
                    __syncthreads();
                }
                guess = int(bests[0] & 0xffffffff);
                int largest = 0;
                for (int b = 0; b < boards; ++b) largest = max(largest, count[b]);
                if (!known && share == solve && unsolved <= MOST_AHEAD && largest <= MOST_FITS) {
                    if (me == 0) {
                        ahead.at.boards = 0;
                        for (int b = 0; b < boards; ++b)
                            if (count[b]) {
                                ahead.at.words[ahead.at.boards] = fits + i64(b) * answers;
                                ahead.at.count[ahead.at.boards++] = count[b];
                            }
                        describe(ahead.at, masses, weighted);
                    }
                    __syncthreads();
                    const int least = int(u32(bests[0] >> 32) ^ 0x80000000);
                    guess = look_ahead(codes, columns, dictionary, own, nlogn, solve, judge, least, ahead);
                }
            }
            __syncthreads();  // all threads have read the counts
            if (me == 0) guessed[i64(game) * guesses + turn] = u16(guess);
            for (int b = warp; b < boards; b += WARPS) {  // a warp filters a board
                const int n = count[b];
                if (!n) continue;
                const T code = codes[i64(answer[b]) * columns + guess];
                u16* fit = fits + i64(b) * answers;
                int kept = turn ? 0 : sizes[code];
                for (int i = lane; !turn && i < kept; i += WARP) fit[i] = members[starts[code] + i];
                for (int base = 0; turn && base < n; base += WARP) {
                    const u16 word = base + lane < n ? fit[base + lane] : 0;
                    const bool stays = base + lane < n && codes[i64(word) * columns + guess] == code;
                    const u32 ballot = __ballot_sync(FULL, stays);
                    __syncwarp();  // all lanes have read their word, and the list is shortened in place
                    if (stays) fit[kept + __popc(ballot & ((1u << lane) - 1))] = word;
                    kept += __popc(ballot);
                    __syncwarp();
                }
                __syncwarp();  // all lanes have read the old count
                if (lane == 0) count[b] = code == SOLVED ? 0 : kept;
                if (lane == 0 && code == SOLVED) turns[i64(game) * boards + b] = u8(turn + 1), atomicSub(&unsolved, 1);
            }
            __syncthreads();
        }
        __syncthreads();  // all threads have seen the end of this game
    }
}
