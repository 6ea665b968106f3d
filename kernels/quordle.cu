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
