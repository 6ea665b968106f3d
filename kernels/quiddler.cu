// quiddler.cu: a batch of deals of Quiddler solitaire, solved to the proven optimum.
//
// The idea. The set of cards left describes a position completely: there is no need to open a pile (to move its
// top card to an empty place) before a word needs its bottom card, so the cards left determine where they lie. A
// full pile has both cards left. A word can take a set of cards if the number of full piles whose bottom cards
// it takes is at most the number of empty places, piles - (piles with a card left). The cards left also
// determine the points used; only the sum of the bonuses depends on the way there. So a deal is a longest-path
// problem over at most 65,536 sets of cards left:
//
//     card_sets    the sets of cards that spell a word of the dictionary       154,000 spellings -> about 1,900 sets
//     best_bonus   for each set left: the greatest sum of bonuses on the way   about 17,000 sets, 490,000 words played
//     outcome      the best score over all sets left
//
// The data. A card's number is its bit: bottom card i is bit i, top card i is bit 8 + i, so a set of cards is 16 bits:
//
//     pile        7 6 5 4 3 2 1 0 | 7 6 5 4 3 2 1 0
//                 top cards       | bottom cards           bit 15 ... bit 0
//     left        1 1 0 1 1 0 1 1 | 1 1 1 1 1 0 1 1        pile 2 is an empty place, pile 5 has only its bottom card
//     cards       0 0 0 0 1 0 0 0 | 0 0 1 0 0 0 0 1        a word: top card 3, bottom cards 5 and 0
//     left^cards  1 1 0 1 0 0 1 1 | 1 1 0 1 1 0 1 0        legal: it takes the bottom card of one full pile (pile 0)
//
// `deals[d][number]` is the kind
// of the card, 0..30; NO_CARD if the deal does not have it. A spelling is a collection of kinds: bit k of `kinds[s]` is
// set if kind k occurs, and `spelled[s]` lists the kinds in ascending order, padded with NO_CARD. `sets[d]` is a bitmap
// with a bit for each set of cards: for each set of top cards a row of 256 bits, one for each set of bottom cards.

#include "common.cuh"

#define CARDS 16
#define KINDS 31
#define NO_CARD 255
#define STATES 65536
#define ROW 8                  // 32-bit words of the bitmap for one set of top cards
#define UPPER (STATES / 32)    // words of the bitmap, each for the same upper eleven bits of a set
#define GROUPS 8               // of the sets of cards left, by the top cards 5 to 7
#define GROUP (STATES / GROUPS)
#define ROWS (GROUP / 32)      // of a group: 32 sets that differ in the bottom cards 0 to 4
#define ROWS_LISTED 64
#define LISTED (32 * ROWS_LISTED)  // sets in a list: those of 64 rows, or at most 13 over 6 sets of the same size
#define WARPS (BLOCK / WARP)
#define TILE 2048              // spellings examined between two barriers
#define NEVER (-(1 << 30))

// The lowest set of cards of the kinds in `row`, a word's kinds in ascending order; 0 if the deal has too few of them.
__device__ u32 first_set(const u8* row, const u32* cards_of) {
    u32 chosen = 0, kind = NO_CARD, left = 0;
    for (int i = 0; i < CARDS && row[i] != NO_CARD; ++i) {
        if (row[i] != kind) kind = row[i], left = cards_of[kind];
        if (!left) return 0;
        chosen |= left & (0 - left);
        left &= left - 1;
    }
    return chosen;
}

// The set of these kinds after `chosen`; 0 after the last. Each kind is a digit, as in an odometer.
__device__ u32 next_set(const u8* row, const u32* cards_of, u32 chosen) {
    for (int i = 0; i < CARDS && row[i] != NO_CARD;) {
        const u32 kind = row[i], alike = cards_of[kind], digit = chosen & alike;
        // The next number with the same number of ones within `alike`: add the lowest one, let the carry pass over the
        // other bits, and put the ones that were lost back at the lower end.
        u32 following = ((digit | ~alike) + (digit & (0 - digit))) & alike;
        const bool carried = following < digit;
        if (carried) following = 0;
        u32 low = alike;
        for (int lost = __popc(digit) - __popc(following); lost > 0; --lost, low &= low - 1)
            following |= low & (0 - low);
        chosen ^= digit ^ following;
        if (!carried) return chosen;
        while (i < CARDS && row[i] == kind) ++i;
    }
    return 0;
}

// Finds the sets of cards that spell a word: sets[d]. One block per deal. Each spelling costs one coalesced read and a
// test of its kinds. About one in a hundred passes and goes to a list in shared memory, so that the threads share the
// remaining work evenly: to test whether there are enough cards of each kind, and to choose the cards in every way.
extern "C" __global__ void __launch_bounds__(BLOCK) card_sets(int first, int last,
        const u8* __restrict__ deals /*[last][CARDS]*/, const u32* __restrict__ kinds /*[spellings]*/,
        const u8* __restrict__ spelled /*[spellings][CARDS]*/, int spellings,
        u32* __restrict__ sets /*[last][STATES / 32]*/) {
    __shared__ u32 bitmap[STATES / 32];
    __shared__ u32 cards_of[KINDS];
    __shared__ int fitting[TILE];
    __shared__ int found;
    EACH_ITEM(d, BLOCK) {
        for (int i = threadIdx.x; i < STATES / 32; i += BLOCK) bitmap[i] = 0;
        if (threadIdx.x < KINDS) {
            u32 cards = 0;
            for (int i = 0; i < CARDS; ++i) cards |= u32(deals[i64(d) * CARDS + i] == threadIdx.x) << i;
            cards_of[threadIdx.x] = cards;
        }
        if (threadIdx.x == 0) found = 0;
        __syncthreads();
        u32 present = 0;
        for (int k = 0; k < KINDS; ++k) present |= u32(cards_of[k] != 0) << k;

        for (int tile = 0; tile < spellings; tile += TILE) {
            const int end = min(tile + TILE, spellings);
            for (int s = tile + threadIdx.x; s < end; s += BLOCK)
                if (!(kinds[s] & ~present)) fitting[atomicAdd(&found, 1)] = s;
            __syncthreads();
            for (int f = threadIdx.x; f < found; f += BLOCK) {
                const u8* row = spelled + i64(fitting[f]) * CARDS;
                for (u32 chosen = first_set(row, cards_of); chosen; chosen = next_set(row, cards_of, chosen))
                    atomicOr(&bitmap[chosen >> 5], 1u << (chosen & 31));
            }
            __syncthreads();
            if (threadIdx.x == 0) found = 0;
            __syncthreads();
        }
        for (int i = threadIdx.x; i < STATES / 32; i += BLOCK) sets[i64(d) * (STATES / 32) + i] = bitmap[i];
        __syncthreads();  // the bitmap is cleared for the next deal
    }
}

// The sum of `amounts` over the top (base 8) or bottom (base 0) cards of a deal that are in `cards`.
__device__ int sum_of(const u8* deal, int base, const int* amounts, u32 cards) {
    int sum = 0;
    for (int i = 0; i < 8; ++i) {
        const u32 kind = deal[base + i];
        if (cards >> i & 1 && kind != NO_CARD) sum += amounts[kind];
    }
    return sum;
}

// What `play_all` reads of a deal and of what it spells.
struct Spelled {
    u32 bitmap[UPPER];       // sets[d]
    u32 some[GROUPS][8];     // some[t][b]: with which sets of the top cards 0 to 4 the top cards t above them and the
                             // bottom cards b of 5 to 7 have a word of the bitmap that is not 0, as a bitmap
    u32 at_most[32][6];      // at_most[s][n]: the numbers of five bits with at most n ones in s, as a bitmap
    u8 top_letters[256], bottom_letters[256];
    int bonuses[2 * CARDS + 1];
};

// Plays the words that lead from the listed sets of the group `from`, with these values, to sets of `group`, whose
// values are in `table`. A thread plays all words from its set. An atomic maximum raises the value of the set that a
// word leads to, so the order of the list and of the words does not matter.
__device__ void play_all(const Spelled& spelled, const u16* list, int listed, int from, const u32* values, int group,
                         int piles, u32* table) {
    const int lost = from ^ group;  // those of the top cards 5 to 7 that a word has to take
    for (int i = threadIdx.x; i < listed; i += BLOCK) {
        const int left = from * GROUP + list[i], top = left >> 8, bottom = left & 255, full = top & bottom;
        const int upper = bottom >> 5, empty = piles - __popc(top | bottom);
        const u32 value = values[list[i]];
        const u32 tops = spelled.at_most[~top & 31][0], bottoms = spelled.at_most[~bottom & 31][0];  // the subsets
        int eighth = upper + 1;
        do {
            eighth = (eighth - 1) & upper;
            const int room = empty - __popc(full & eighth << 5);
            if (room < 0) continue;
            const u32 allowed = bottoms & spelled.at_most[full & 31][min(room, 5)];
            for (u32 takes = spelled.some[lost][eighth] & tops; takes; takes &= takes - 1) {
                const int taken = lost << 5 | (__ffs(takes) - 1);
                const int after = (left ^ (taken << 8 | eighth << 5)) & (GROUP - 1);
                for (u32 play = spelled.bitmap[taken * ROW + eighth] & allowed; play; play &= play - 1) {
                    const int lower = __ffs(play) - 1;
                    const int letters = spelled.top_letters[taken] + spelled.bottom_letters[eighth << 5 | lower];
                    atomicMax(&table[after ^ lower], value + spelled.bonuses[letters]);
                }
            }
        } while (eighth);
    }
}

// Appends to a list of `listed` sets those of the next ROWS_LISTED rows of a group that are reached. A lane reads a set
// of each row of its warp.
__device__ void list_rows(const u32* values, const u8* rows, u16* list, int& listed) {
    const int lane = threadIdx.x % WARP;
    u32 found[ROWS_LISTED / WARPS];
    int place = 0;
    for (int i = 0; i < ROWS_LISTED / WARPS; ++i) {
        const int row = rows[i * WARPS + threadIdx.x / WARP];
        found[i] = __ballot_sync(FULL, values[row << 5 | lane]);
        place += __popc(found[i]);
    }
    if (lane == 0) place = atomicAdd(&listed, place);
    place = __shfl_sync(FULL, place, 0);
    for (int i = 0; i < ROWS_LISTED / WARPS; ++i) {
        const int row = rows[i * WARPS + threadIdx.x / WARP];
        if (found[i] >> lane & 1) list[place + __popc(found[i] & ((1u << lane) - 1))] = u16(row << 5 | lane);
        place += __popc(found[i]);
    }
}

// The dynamic programme: reached[d][w][left] = 0 if no play leaves these cards, otherwise 1 + the greatest sum of
// bonuses. If words = 0, the number of words is free and w = 0; otherwise layer w is for plays of exactly w words.
//
// One block per deal. The values of all sets do not fit into shared memory, so they are computed in eight groups, one
// for each set of the top cards 5 to 7 that is left. A group has 256 rows of 32 sets:
//
//     left        1 1 0 | 1 1 0 1 1 1 1 1 | 1 1 0 1 1
//                 group | row             | set in the row: a bit of a word of the bitmap
//
// No word adds a card, so the groups are computed from 7 down to 0. A group begins with the plays that lead to it from
// the groups before, whose values are final. If words = 0, the plays within the group follow, by the size of the sets
// left, largest first, because a word makes a set smaller. So each play is one atomic operation in shared memory, and
// each value is written to global memory once.
//
// In each step the threads list sets of one group that are reached; then each thread plays all words from one of them.
// A word of the bitmap has a number of eleven bits, the top cards and the upper three bottom cards that it takes. The
// two groups determine the first three of these bits, so a thread visits those subsets of its set's row that spell
// something with them. The list begins with the rows of the fewest cards, which have the fewest subsets, so the threads
// of a warp have about equally much work. In all, a set costs about 20 visits and 30 plays.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) best_bonus(int first, int last,
        const u8* __restrict__ deals /*[last][CARDS]*/, const int* __restrict__ letters /*[KINDS]*/,
        const int* __restrict__ bonus /*[2 * CARDS + 1]*/, int piles, int words,
        const u32* __restrict__ sets /*[last][STATES / 32]*/, u32* __restrict__ reached /*[last][words + 1][STATES]*/) {
    __shared__ Spelled spelled;
    __shared__ u32 table[GROUP];   // the values of the group that is computed
    __shared__ u16 list[LISTED];   // sets of one group that are reached
    __shared__ u8 by_size[ROWS];   // the rows, those with fewer cards first
    // begins[n]: where those with n cards begin; the length of the list, alternating
    __shared__ int begins[9], listed[2];
    const int me = threadIdx.x, lane = me % WARP, warp = me / WARP;
    if (me < 2 * CARDS + 1) spelled.bonuses[me] = bonus[me];
    for (int i = me; i < 32 * 6; i += BLOCK) {
        u32 numbers = 0;
        for (int b = 0; b < 32; ++b) numbers |= u32(__popc(b & (i / 6)) <= i % 6) << b;
        spelled.at_most[i / 6][i % 6] = numbers;
    }
    if (me == 0) {
        for (int n = 0, begin = 0, choices = 1; n < 9; begin += choices, choices = choices * (8 - n) / (n + 1), ++n)
            begins[n] = begin;
    }
    if (me < 2) listed[me] = 0;
    __syncthreads();
    by_size[atomicAdd(&begins[__popc(me)], 1)] = u8(me);  // BLOCK equals the number of rows
    int step = 0;
    EACH_ITEM(d, BLOCK) {
        const u8* deal = deals + i64(d) * CARDS;
        for (int i = me; i < UPPER; i += BLOCK) spelled.bitmap[i] = sets[i64(d) * UPPER + i];
        spelled.top_letters[me] = u8(sum_of(deal, 8, letters, me));
        spelled.bottom_letters[me] = u8(sum_of(deal, 0, letters, me));
        int dealt = 0;
        for (int i = 0; i < CARDS; ++i) dealt |= int(deal[i] != NO_CARD) << i;
        u32* layers = reached + i64(d) * (words + 1) * STATES;
        for (int i = me; words && i < STATES; i += BLOCK) layers[i] = i == dealt;
        __syncthreads();
        for (int eighth = 0; eighth < 8; ++eighth) {  // a warp takes a set of three top cards, a lane one of five
            const u32 some = __ballot_sync(FULL, spelled.bitmap[me * ROW + eighth] != 0);
            if (lane == 0) spelled.some[warp][eighth] = some;
        }

        for (int word = 0; word < max(words, 1); ++word) {
            const u32* sources = layers + i64(word) * STATES;  // the same as targets if words is 0
            u32* targets = layers + i64(word + (words > 0)) * STATES;
            for (int group = GROUPS - 1; group >= 0; --group) {
                for (int i = me; i < GROUP; i += BLOCK) table[i] = !words && group * GROUP + i == dealt;
                __syncthreads();
                for (int from = GROUPS - 1; from >= group + !words; --from) {
                    if (group & ~from || from & ~(dealt / GROUP)) continue;
                    const u32* values = sources + from * GROUP;
                    for (int tile = 0; tile < ROWS; tile += ROWS_LISTED, ++step) {
                        list_rows(values, by_size + tile, list, listed[step & 1]);
                        __syncthreads();
                        play_all(spelled, list, listed[step & 1], from, values, group, piles, table);
                        if (me == 0) listed[~step & 1] = 0;  // for the next step; nobody reads it now
                        __syncthreads();
                    }
                }
                const int most = words || group & ~(dealt / GROUP) ? 0 : __popc(dealt & (GROUP - 1));
                for (int size = most; size > 0; --size, ++step) {
                    const int row = by_size[me], ones = size - __popc(row);  // of the lower five bits
                    if (ones >= 0 && ones <= 5) {
                        u32 lower = spelled.at_most[31][ones] & ~(ones ? spelled.at_most[31][ones - 1] : 0);
                        for (; lower; lower &= lower - 1) {
                            const int set = row << 5 | (__ffs(lower) - 1);
                            if (table[set]) list[atomicAdd(&listed[step & 1], 1)] = u16(set);
                        }
                    }
                    __syncthreads();
                    play_all(spelled, list, listed[step & 1], group, table, group, piles, table);
                    if (me == 0) listed[~step & 1] = 0;
                    __syncthreads();
                }
                for (int i = me; i < GROUP; i += BLOCK) targets[group * GROUP + i] = table[i];
                __syncthreads();  // the values are read by the groups after this one, and the table is used again
            }
        }
    }
}

// Computes the optimum of each deal, the best score with all cards used (NEVER if no play uses them all) and the number
// of sets of cards left that are reached, summed over the layers. One block per deal. A thread reads every 256th set,
// so it sums the points of one set of bottom cards only.
extern "C" __global__ void __launch_bounds__(BLOCK) outcome(int first, int last,
        const u8* __restrict__ deals /*[last][CARDS]*/, const int* __restrict__ values /*[KINDS]*/, int words,
        const u32* __restrict__ reached /*[last][words + 1][STATES]*/, int* __restrict__ best /*[last]*/,
        int* __restrict__ best_all /*[last]*/, int* __restrict__ states /*[last]*/) {
    __shared__ int top_values[256];
    __shared__ int most_of[WARPS], count_of[WARPS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    EACH_ITEM(d, BLOCK) {
        const u8* deal = deals + i64(d) * CARDS;
        const u32* layers = reached + i64(d) * (words + 1) * STATES;
        top_values[threadIdx.x] = sum_of(deal, 8, values, threadIdx.x);
        __syncthreads();
        const int bottom_value = sum_of(deal, 0, values, threadIdx.x);
        int most = NEVER, count = 0;
        for (int word = 0; word <= words; ++word) {
            for (int top = 0; top < 256; ++top) {
                const u32 value = layers[i64(word) * STATES + 256 * top + threadIdx.x];
                if (value) most = max(most, int(value) - 1 - 2 * (top_values[top] + bottom_value)), ++count;
            }
        }
        most = warp_max(most);
        count = warp_sum(count);
        if (lane == 0) most_of[warp] = most, count_of[warp] = count;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < WARPS; ++w) most = max(most, most_of[w]), count += count_of[w];
            const int total = top_values[255] + sum_of(deal, 0, values, 255);
            int all = NEVER;
            for (int word = 0; word <= words; ++word) {
                const u32 value = layers[i64(word) * STATES];
                if (value) all = max(all, int(value) - 1 + total);
            }
            best[d] = most + total;
            best_all[d] = all;
            states[d] = count;
        }
        __syncthreads();  // all threads have read the sums before those of the next deal are written
    }
}
