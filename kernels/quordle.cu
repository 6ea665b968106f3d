// quordle.cu: whole games of Quordle, several boards that share their guesses.
//
// The idea. What a board knows is the set of words that fit every pattern it has shown; boards do not disturb one another. The
// simple strategies let every board walk a list of words: it proposes the first word that fits, and whose proposal is guessed
// is the strategy. A game is over in some eight guesses, so a game is one item, played to its end.
//
// The data. `shown[guess][hidden]` is the pattern 0..242 that a guess gets, `believed[guess][word]` the one that the player
// thinks a word would have given: the same table for a player that knows the scoring. Rows have `columns` bytes, a multiple of
// 64, 255 behind the last word. Words are places in the list. `hidden[game][board]`; `turns[game][board]` is the guess that solved a board, counted from
// 1, 0 where none did; `guessed[game][turn]` the word that was guessed, NO_WORD where the game was over.

#include "common.cuh"

#define CELLS 243
#define SOLVED 242
#define NO_WORD 0xffff
#define MOST_BOARDS 32
#define MOST_GUESSES 64
#define WARPS (BLOCK / WARP)
#define RANDOM 1  // the strategies, in the order of the command's list; 0 is left-to-right
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

// The hidden words of games `number`, number + 1, ...: board i draws one of the answers that are left, so each set is as likely
// as another. One thread per game; boards^2 comparisons.
extern "C" __global__ void __launch_bounds__(BLOCK) deals(int first, int last,
        u64 seed, u64 number, int boards, int answers, u16* __restrict__ hidden /*[last][boards]*/) {
    EACH_ITEM(game, 1) {
        u16* row = hidden + i64(game) * boards;
        for (int i = 0; i < boards; ++i) {
            int place = int(draw(seed, number + game, i) % u64(answers - i));
            // Each taken word that is not above the place moves it on by one, the lowest first; they are not in order here.
            for (int moved = 0, before = -1; moved < i; ++moved) {
                int next = answers;
                for (int k = 0; k < i; ++k)
                    if (row[k] > before && row[k] < next) next = row[k];
                if (next > place) break;
                ++place, before = next;
            }
            row[i] = u16(place);
        }
    }
}

// How many greens a pattern has.
__device__ int greens(int code) {
    int count = 0;
    for (; code; code /= 3) count += code % 3 == 2;
    return count;
}

// Games played to their end by a simple strategy. One warp per game. A lane has a word, and knows whether it fits a board by
// going through the history, which is all that a game keeps: a byte for each board and turn in shared memory. Most words are
// out after one or two turns. The strategies by what remains look at the whole list, the others stop at the first that fits.
extern "C" __global__ void __launch_bounds__(BLOCK) games(int first, int last,
        const u8* __restrict__ shown /*[words][columns]*/, const u8* __restrict__ believed /*[words][columns]*/, int words,
        int columns, const u16* __restrict__ hidden /*[last][boards]*/, int boards, int guesses, int strategy, u64 seed,
        u64 number, u8* __restrict__ turns /*[last][boards]*/, u16* __restrict__ guessed /*[last][guesses]*/) {
    __shared__ u8 codes[WARPS][MOST_BOARDS][MOST_GUESSES];
    __shared__ int history[WARPS][MOST_GUESSES];
    __shared__ int places[WARPS][MOST_BOARDS];  // of each board in the list
    __shared__ int left[WARPS][MOST_BOARDS];    // words that fit, or -1 for a board that is solved
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    EACH_ITEM(game, WARP) {
        const u16* answers = hidden + i64(game) * boards;
        for (int b = lane; b < boards; b += WARP) turns[i64(game) * boards + b] = 0, places[warp][b] = 0, left[warp][b] = words;
        for (int t = lane; t < guesses; t += WARP) guessed[i64(game) * guesses + t] = NO_WORD;
        __syncwarp();
        int unsolved = boards;
        for (int turn = 0; turn < guesses && unsolved; ++turn) {
            int chosen = -1, best = 0, rank = 0;
            const int drawn = strategy == RANDOM ? int(draw(seed, number + game, MOST_BOARDS + turn) % u64(unsolved)) : 0;
            for (int b = 0; b < boards; ++b) {
                if (left[warp][b] < 0) continue;
                int value = rank++ != drawn;  // the less the better
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
            __syncwarp();  // all lanes have read the place
            if (lane == 0) {
                places[warp][chosen] = guess;
                history[warp][turn] = guess;
                guessed[i64(game) * guesses + turn] = u16(guess);
            }
            __syncwarp();
            for (int b = 0; b < boards; ++b) {
                if (left[warp][b] < 0) continue;
                const u8 code = shown[i64(guess) * columns + answers[b]];
                if (lane == 0) codes[warp][b][turn] = code;
                __syncwarp();
                if (code == SOLVED) {
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
        __syncwarp();  // the next game begins with the same memory
    }
}

// The player `joint`: each guess is judged over all boards at once. A guess costs, for a board with n words that fit, what is
// left to be known, the sum over its cells of (size / n) log2 size, and the chance that the board stays unsolved:
//
//     cost = sum over boards of  sum over cells (size log2 size) / n  -  `solve` / n where the guess fits
//
// in fixed point; with fewer than `spare` guesses to spare, `careful` stands for `solve`. While a board is known, its word is guessed, for it must be: of several the one of least cost. Else the guess
// of least cost of all that may be guessed, of equals the first.
//
// What the second guess costs depends on the boards' first patterns alone: `opening[pattern]` has it for all guesses, so that
// it is a sum of rows. Later a board has few words. `codes[answer][guess]` has the patterns of one answer side by side, so that
// one row compared with another tells of 64 guesses where two answers share a cell; the k-th word of a cell adds
// nlogn[k + 1] - nlogn[k] to it.
//
// One block per game; each thread takes guesses in turn and walks a board's words: n^2 / 2 bytes compared for a guess, from
// the caches, and the games of a batch share the rows.

// The cost of a guess for a board of n words.
__device__ int cost_of(const u8* codes, int columns, const u16* fit, int n, const int* nlogn, int guess) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        const u8 code = codes[i64(fit[i]) * columns + guess];
        int rank = 0;
        for (int j = 0; j < i; ++j) rank += codes[i64(fit[j]) * columns + guess] == code;
        sum += nlogn[rank + 1] - nlogn[rank];
    }
    return int(i64(sum) * ((1 << 20) / n) >> 20);
}

// What every guess costs in one position: out[guess]. One thread per guess. Board b has the words fits[starts[b]] on, counts[b]
// of them.
extern "C" __global__ void __launch_bounds__(BLOCK) costs(int first, int last,
        const u8* __restrict__ codes /*[][columns]*/, int columns, const u16* __restrict__ fits /*[]*/,
        const int* __restrict__ starts /*[boards]*/, const int* __restrict__ counts /*[boards]*/, int boards,
        const int* __restrict__ own /*[]*/, const int* __restrict__ nlogn /*[]*/, int solve, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(guess, 1) {
        int cost = 0;
        for (int b = 0; b < boards; ++b) {
            const u16* fit = fits + starts[b];
            cost += cost_of(codes, columns, fit, counts[b], nlogn, guess);
            for (int i = 0; i < counts[b]; ++i) cost -= own[fit[i]] == guess ? solve / counts[b] : 0;
        }
        out[guess] = cost;
    }
}

// The cost of every guess after the first, once for each pattern that the first may get: out[cell][guess]. One warp per cell
// and guess; `starts` and `sizes` tell where a cell's answers are among `members`. 243 counters a warp in shared memory, which
// count what a guess splits: the k-th word of a cell adds nlogn[k + 1] - nlogn[k].
extern "C" __global__ void __launch_bounds__(BLOCK) openings(int first, int last,
        const u8* __restrict__ codes /*[][columns]*/, int columns, int guesses, const u16* __restrict__ members /*[]*/,
        const int* __restrict__ starts /*[CELLS]*/, const int* __restrict__ sizes /*[CELLS]*/,
        const int* __restrict__ nlogn /*[]*/, int* __restrict__ out /*[CELLS][columns]*/) {
    __shared__ u32 counters[WARPS][CELLS + 13];
    u32* cells = counters[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const int cell = item / guesses, guess = item % guesses, n = sizes[cell];
        for (int c = lane; c < CELLS; c += WARP) cells[c] = 0;
        __syncwarp();
        int sum = 0;
        for (int i = lane; i < n; i += WARP) {
            const u32 before = atomicAdd(&cells[codes[i64(members[starts[cell] + i]) * columns + guess]], 1u);
            sum += nlogn[before + 1] - nlogn[before];
        }
        sum = warp_sum(sum);
        if (lane == 0) out[i64(cell) * columns + guess] = n ? int(i64(sum) * ((1 << 20) / n) >> 20) : 0;
        __syncwarp();  // nobody counts any more
    }
}

// Games played to their end by `joint`, as told above. `scratch` keeps the boards' words: a row of `answers` for each board.
extern "C" __global__ void __launch_bounds__(BLOCK) joint(int first, int last,
        const u8* __restrict__ codes /*[answers][columns]*/, int columns, int dictionary, const int* __restrict__ own /*[answers]*/,
        int answers, int opener, const int* __restrict__ opening /*[CELLS][columns]*/, const u16* __restrict__ members /*[answers]*/,
        const int* __restrict__ starts /*[CELLS]*/, const int* __restrict__ sizes /*[CELLS]*/,
        const int* __restrict__ nlogn /*[answers + 1]*/, int solve, int careful, int spare,
        const u16* __restrict__ hidden /*[last][boards]*/, int boards, int guesses, u8* __restrict__ turns /*[last][boards]*/, u16* __restrict__ guessed /*[last][guesses]*/,
        u16* __restrict__ scratch /*[last][boards * answers]*/) {
    __shared__ int count[MOST_BOARDS];   // words that fit a board; 0: it is solved
    __shared__ int shares[MOST_BOARDS];  // what a word of a board takes off the cost
    __shared__ u64 bests[BLOCK];
    __shared__ int unsolved;
    const int me = threadIdx.x;
    EACH_ITEM(game, BLOCK) {
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
                if (me < boards) shares[me] = count[me] ? share / count[me] : 0;
                __syncthreads();
                u64 best = ~0ull;
                // Known words: each is one candidate of its board. Otherwise every guess.
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
                                          : cost_of(codes, columns, fit, n, nlogn, candidate);
                        for (int i = 0; i < n; ++i) cost -= own[fit[i]] == candidate ? shares[b] : 0;
                    }
                    best = min(best, u64(u32(cost ^ 0x80000000)) << 32 | u32(candidate));
                }
                bests[me] = best;
                __syncthreads();
                for (int half = BLOCK / 2; half; half /= 2) {
                    if (me < half) bests[me] = min(bests[me], bests[me + half]);
                    __syncthreads();
                }
                guess = int(bests[0] & 0xffffffff);
            }
            __syncthreads();  // all have read the counts
            if (me == 0) guessed[i64(game) * guesses + turn] = u16(guess);
            if (me < boards && count[me]) {
                const u8 code = codes[i64(answer[me]) * columns + guess];
                u16* fit = fits + i64(me) * answers;
                int kept = 0;
                if (turn == 0) {
                    for (; kept < sizes[code]; ++kept) fit[kept] = members[starts[code] + kept];
                } else {
                    for (int i = 0; i < count[me]; ++i)
                        if (codes[i64(fit[i]) * columns + guess] == code) fit[kept++] = fit[i];
                }
                if (code == SOLVED) kept = 0, turns[i64(game) * boards + me] = u8(turn + 1), atomicSub(&unsolved, 1);
                count[me] = kept;
            }
            __syncthreads();
        }
        __syncthreads();  // all have seen the end of this game
    }
}
