// qless.cu: Q-less, for a batch of rolls: the words that the letters spell, and the crosswords that use all letters.
//
// The idea. All shapes form one tree (games/qless/tree.py). A path leads from a word, the root, to words that
// cross earlier ones, and shapes share the beginnings of their paths. The search descends this tree with a roll's
// letters. The root is a word with the pivot, the letter that occurs in the fewest words of the roll. A crossword
// is found only from the first of its slots that has the pivot. A step of the tree says which cells the next word
// crosses and where, so the candidates are the words of one length that have the crossed letters at their
// positions and that the available letters spell. The last word has to use all letters that are left, so its
// letters are known and its words are looked up.
//
//     candidates   the collections of a roll's letters that spell a word   4,096 collections per roll, one look-up each
//     gather       these words, by length                                  about 240 per roll
//     fill         the crosswords                                          about 200,000 words tried per roll
//
// The data. A roll is 26 counts. A *collection* of its letters is a 64-bit number. Adding or removing
// letters is adding or subtracting such numbers:
//
//     63          32 31                                0
//     [ mixed radix ][ ... | 0 count | 0 count | 0 count ]    one field per different letter, a guard bit above each
//
// The upper half numbers the collections from 0, with the first letter as the lowest digit; it is an index into
// `classes`. The lower half shows whether a word's letters are available: with the guards set, no field may borrow from
// its guard. The steps and ends of the tree are described in tree.py.

#include "common.cuh"

#define ALPHABET 26
#define WIDTH 16          // length of a word's row
#define NO_LETTER 255
#define NO_CLASS (-1)
#define MOST_STEPS 9
#define SYMMETRIC 65536
#define WARPS (BLOCK / WARP)

// Returns what `letter` adds to a collection of the roll's letters, 0 if the roll does not have it;
// sets the roll's guards.
__device__ u64 unit_of(const u8* roll, int letter, u32& guards) {
    u32 shift = 0, radix = 1;
    u64 unit = 0;
    guards = 0;
#pragma unroll 1
    for (int i = 0; i < ALPHABET; ++i) {
        const int count = roll[i];
        if (!count) continue;
        const u32 width = 32 - __clz(count);
        if (i == letter) unit = u64(radix) << 32 | 1u << shift;
        guards |= 1u << (shift + width);
        shift += width + 1;
        radix *= count + 1;
    }
    return unit;
}

// Finds the anagram class that each collection of a roll's letters spells: classes[roll][collection]. One block per
// roll; a thread takes every 256th collection. Its key is the sum of its letters' weights, and the sieve rejects nearly
// all keys. The pivot is the letter that occurs in the fewest words.
extern "C" __global__ void __launch_bounds__(BLOCK) candidates(int first, int last,
        const u8* __restrict__ rolls /*[last][ALPHABET]*/, const u64* __restrict__ weights /*[ALPHABET]*/,
        const u64* __restrict__ sieve /*[sieve_words]*/, int sieve_words, const u64* __restrict__ keys /*[slots]*/,
        const int* __restrict__ table /*[slots]*/, int slots, const int* __restrict__ class_from /*[]*/,
        const u8* __restrict__ letters /*[dictionary][WIDTH]*/, int dictionary, int subsets,
        int* __restrict__ classes /*[last][subsets]*/, int* __restrict__ pivots /*[last]*/,
        int* __restrict__ sizes /*[last]*/) {
    __shared__ int having[ALPHABET], size;
    const int slot_shift = 65 - __ffs(slots), bit_shift = 59 - __ffs(sieve_words);
    EACH_ITEM(roll, BLOCK) {
        const u8* counts = rolls + i64(roll) * ALPHABET;
        if (threadIdx.x < ALPHABET) having[threadIdx.x] = 0;
        if (threadIdx.x == 0) size = 0;
        __syncthreads();
        int total = 1;
#pragma unroll 1
        for (int i = 0; i < ALPHABET; ++i) total *= counts[i] + 1;
        for (int subset = threadIdx.x; subset < subsets; subset += BLOCK) {
            int found = NO_CLASS;
            if (subset > 0 && subset < total) {
                u64 key = 0;
                int rest = subset, length = 0;
#pragma unroll 1
                for (int i = 0; i < ALPHABET; ++i) {
                    const int digit = rest % (counts[i] + 1);
                    rest /= counts[i] + 1;
                    key += weights[i] * digit;
                    length += digit;
                }
                const u64 bit = key >> bit_shift;
                if (sieve[bit >> 6] >> (bit & 63) & 1) {
                    for (int place = key >> slot_shift; table[place] != NO_CLASS; place = (place + 1) & (slots - 1)) {
                        if (keys[place] != key) continue;
                        // Two collections can have the same key, so the letters have to be compared.
                        const u8* word = letters + i64(class_from[table[place]]) * WIDTH;
                        bool same = length == WIDTH || word[length] == NO_LETTER;
                        rest = subset;
#pragma unroll 1
                        for (int i = 0; i < ALPHABET; ++i) {
                            int digit = rest % (counts[i] + 1);
                            rest /= counts[i] + 1;
                            for (int j = 0; j < length; ++j) digit -= word[j] == i;
                            same = same && digit == 0;
                        }
                        if (!same) continue;
                        found = table[place];
                        break;
                    }
                }
            }
            classes[i64(roll) * subsets + subset] = found;
            if (found != NO_CLASS) {
                const int words = class_from[found + 1] - class_from[found];
                atomicAdd(&size, words);
                int rest = subset;
#pragma unroll 1
                for (int i = 0; i < ALPHABET; ++i) {
                    if (rest % (counts[i] + 1)) atomicAdd(&having[i], words);
                    rest /= counts[i] + 1;
                }
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            int pivot = -1;
#pragma unroll 1
            for (int i = 0; i < ALPHABET; ++i)
                if (counts[i] && (pivot < 0 || having[i] < having[pivot])) pivot = i;
            pivots[roll] = pivot;
            sizes[roll] = size;
        }
        __syncthreads();  // the sums are read before those of the next roll begin
    }
}

// Lists the words of each roll by length, in the order of their collections: words[roll], and their letters:
// values[roll]. The words of length l begin at spans[roll][l]. One warp per roll; a lane takes every 32nd collection. A
// prefix sum over the lanes says where the words of each go.
extern "C" __global__ void __launch_bounds__(BLOCK) gather(int first, int last,
        const u8* __restrict__ rolls /*[last][ALPHABET]*/, const int* __restrict__ classes /*[last][subsets]*/,
        int subsets, const int* __restrict__ class_from /*[]*/, const u8* __restrict__ letters /*[dictionary][WIDTH]*/,
        int dictionary, int room, int* __restrict__ words /*[last][room]*/, u64* __restrict__ values /*[last][room]*/,
        int* __restrict__ spans /*[last][WIDTH + 1]*/) {
    __shared__ u64 units_of[WARPS][ALPHABET];
    const int lane = threadIdx.x % WARP;
    u64* units = units_of[threadIdx.x / WARP];
    EACH_ITEM(roll, WARP) {
        u32 guards;
        if (lane < ALPHABET) units[lane] = unit_of(rolls + i64(roll) * ALPHABET, lane, guards);
        __syncwarp();
        int filled = 0;
        for (int length = 0; length <= WIDTH; ++length) {
            if (lane == 0) spans[i64(roll) * (WIDTH + 1) + length] = filled;
            if (length < 3 || length == WIDTH) continue;
            for (int tile = 0; tile < subsets; tile += WARP) {
                const int number = tile + lane < subsets ? classes[i64(roll) * subsets + tile + lane] : NO_CLASS;
                int from = 0, count = 0;
                if (number != NO_CLASS) {
                    from = class_from[number];
                    const u8* word = letters + i64(from) * WIDTH;
                    if (word[length - 1] != NO_LETTER && word[length] == NO_LETTER)
                        count = class_from[number + 1] - from;
                }
                int before = count;
                for (int distance = 1; distance < WARP; distance *= 2) {
                    const int other = __shfl_up_sync(FULL, before, distance);
                    if (lane >= distance) before += other;
                }
                const int all = __shfl_sync(FULL, before, WARP - 1);
                const i64 begin = i64(roll) * room + filled + before - count;
                u64 value = 0;
                for (int i = 0; count && i < length; ++i) value += units[letters[i64(from) * WIDTH + i]];
                for (int i = 0; i < count; ++i) words[begin + i] = from + i, values[begin + i] = value;
                filled += all;
            }
        }
        for (int i = filled + lane; i < room; i += WARP)
            words[i64(roll) * room + i] = 0, values[i64(roll) * room + i] = 0;
        __syncwarp();  // the units are read before those of the next roll are written
    }
}

// Returns the distance of crossing j of a step or an end from its first crossing.
__device__ int behind(u64 crossed, int j) { return j ? int(crossed >> (20 - 4 * j)) & 15 : 0; }

// Appends the new letters of a word to the cells, and returns the number of cells filled then.
// `step` is as in the tree.
__device__ int place_word(const u8* word, u64 step, int filled, u8* cells) {
    const int crossings = int(step >> 48) & 7, place = step & 15;
    u32 crossed = 0;
    for (int j = 0; j < crossings; ++j) crossed |= 1u << (place + behind(step >> 4, j));
    for (int i = 0; i < WIDTH && word[i] != NO_LETTER; ++i)
        if (!(crossed >> i & 1)) cells[filled++] = word[i];
    return filled;
}

// Returns whether a filled path is the one that counts among all paths that give the same solution: no slot that
// precedes the root has the pivot, and if the shape is symmetric and the transpose would be found too, the fill is not
// greater than its transpose. `length` is the length of the root.
__device__ bool counts_once(int care, const u8* cells, int n, int pivot, int length, const u8* cell_of,
                            const u8* transposed) {
    for (int c = 0; c < n; ++c)
        if (care >> c & 1 && cells[c] == pivot) return false;
    if (!(care & SYMMETRIC)) return true;
    int order = 0;
    u32 pivotal = 0;  // cells where the transpose has the pivot
    for (int i = 0; i < n; ++i) {
        int here = 0, there = 0;
        for (int c = 0; c < n; ++c) {
            if (cell_of[c] == i) here = cells[c];
            if (transposed[c] == i) there = cells[c];
        }
        if (order == 0) order = here - there;
        pivotal |= u32(there == pivot) << i;
    }
    for (int c = 0; c < length; ++c)
        if (pivotal >> cell_of[c] & 1) return order <= 0;
    return true;
}

// The piece of a warp. Roots, second words and the steps of second words have a turn, counted in all pieces of a share
// alike. `turn` is that of the root or second word that is followed, and `ends` says whether its last words belong to
// the piece; step s of a second word does if by_step divides shift + s. `seconds` and `next_turn` count on; before,
// before_turn and among: these numbers before the 32 words of `hits[0]`, and which of them are second words. `residue`
// is the number of the root modulo `parts`, `rounds` how many roots had that of the share, and `start` the node to which
// roots of this length lead, or -1.
struct Piece {
    int piece, word, turn, residue, rounds, start, shift, seconds, next_turn, before, before_turn;
    u32 among;
    bool ends;
};

// The turns of a second word that leads to a node: its own, and one for each step.
__device__ int turns_of_word(const int* __restrict__ steps_from, int node) {
    return 1 + steps_from[node + 1] - steps_from[node];
}

// Finds the crosswords of each item. Item i is piece items[i] % pieces of share items[i] / pieces % parts of roll
// items[i] / pieces / parts. The pairs of a root and a first step are divided among the shares. A share is divided among
// pieces = by_word * by_step pieces: every by_word-th second word, and of its steps every by_step-th. Both are powers of
// 2. So a warp visits few second words that others search, and a large subtree is divided, too. found[i] is the number of crosswords, at
// most `most`. The first `keep` of them are written, starting at row i * keep: their shapes, the letters in the shapes'
// cells, and `turns`: sorted by turn, the crosswords of the pieces are in the order of an undivided share. With
// no_repeats no crossword has the same word twice; with must >= 0 each contains that word.
//
// spills: fill: one word on sm_90, 15 words on sm_80; four blocks on a multiprocessor hide more latency than three.
//
// One warp per item. All lanes are at the same node of the search, whose state is in shared memory by depth. 32 words,
// or 32 ends of the tree, are tested at once, and those that fit are followed one after another.
//
//     the stack, by depth                                    the 39 parameters after `first, last`
//     node[d]     the node of the tree                       items     items parts by_word by_step rolls pivots
//     chosen[d]   the word that led here                     words     classes subsets words values room spans
//     filled[d]   how many cells are filled                            class_from letters dictionary
//     left[d]     the letters that are left                  steps     steps_from nodes steps targets n_steps
//     going[d]    the step whose words are being tried       ends      ends_from ends places paths_from n_ends
//     next[d]     its first word that has not been tested    shapes    shape_of cell_of transposed cares paths n
//     hits[d]     the words among the last 32 that fit       limits    no_repeats must most keep
//     hand[d]     the letters left and those crossed         results   found shapes fills turns
//     cells[c]    the letter in cell c of the path, for all depths: a word overwrites the cells after filled[d]
extern "C" __global__ void __launch_bounds__(BLOCK, 4) fill(int first, int last,
        const int* __restrict__ items /*[last]*/, int parts, int by_word, int by_step,
        const u8* __restrict__ rolls /*[][ALPHABET]*/, const int* __restrict__ pivots /*[]*/,
        const int* __restrict__ classes /*[][subsets]*/, int subsets,
        const int* __restrict__ words /*[][room]*/, const u64* __restrict__ values /*[][room]*/, int room,
        const int* __restrict__ spans /*[][WIDTH + 1]*/, const int* __restrict__ class_from /*[]*/,
        const u8* __restrict__ letters /*[dictionary][WIDTH]*/, int dictionary,
        const int* __restrict__ steps_from /*[nodes + 1]*/, int nodes, const u64* __restrict__ steps /*[n_steps]*/,
        const int* __restrict__ targets /*[n_steps]*/, int n_steps, const int* __restrict__ ends_from /*[nodes + 1]*/,
        const u64* __restrict__ ends /*[n_ends]*/, const int* __restrict__ places /*[n_ends]*/,
        const int* __restrict__ paths_from /*[n_ends]*/, int n_ends, const int* __restrict__ shape_of /*[paths]*/,
        const u8* __restrict__ cell_of /*[paths][n]*/, const u8* __restrict__ transposed /*[paths][n]*/,
        const int* __restrict__ cares /*[paths]*/, int paths, int n, int no_repeats, int must, i64 most,
        int keep, i64* __restrict__ found /*[last]*/, int* __restrict__ shapes /*[last * keep]*/,
        u8* __restrict__ fills /*[last * keep][n]*/, int* __restrict__ turns /*[last * keep]*/) {
    __shared__ u64 units_of[WARPS][ALPHABET], left_of[WARPS][MOST_STEPS], hand_of[WARPS][MOST_STEPS];
    __shared__ u32 hits_of[WARPS][MOST_STEPS];
    __shared__ int node_of[WARPS][MOST_STEPS], step_of[WARPS][MOST_STEPS], next_of[WARPS][MOST_STEPS];
    __shared__ int filled_of[WARPS][MOST_STEPS], chosen_of[WARPS][MOST_STEPS];
    __shared__ Piece pieces_of[WARPS];
    __shared__ u8 cells_of[WARPS][WIDTH];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    Piece& at = pieces_of[warp];
    u64 *units = units_of[warp], *left = left_of[warp], *hand = hand_of[warp];
    u32* hits = hits_of[warp];
    int *node = node_of[warp], *going = step_of[warp], *next = next_of[warp];
    int *filled = filled_of[warp], *chosen = chosen_of[warp];
    u8* cells = cells_of[warp];

    EACH_ITEM(item, WARP) {
        const int whole = items[item] / (by_word * by_step);  // the share of all rolls
        const int roll = whole / parts, share = whole % parts, pivot = pivots[roll];
        const u8* counts = rolls + i64(roll) * ALPHABET;
        const int* span = spans + i64(roll) * (WIDTH + 1);
        const int* list = words + i64(roll) * room;
        const u64* value = values + i64(roll) * room;
        u32 guards;
        const u64 unit = unit_of(counts, lane, guards);
        __syncwarp();  // the state of the last item has been read
        if (lane < ALPHABET) units[lane] = unit;
        if (lane == 0) {
            at.piece = items[item] % (by_word * by_step);
            at.word = at.piece / by_step;
            at.seconds = at.next_turn = at.rounds = 0, at.residue = -1;
        }
        const u64 full = warp_sum(lane < ALPHABET ? unit * counts[lane] : 0);
        __syncwarp();
        const u32 low = u32(units[pivot]), pivot_field = low * ((1u << (32 - __clz(counts[pivot]))) - 1);
        const i64 begin = i64(item) * keep;
        i64 count = 0;
        int length = 0;  // of the root
        for (int tile = 0; tile < span[WIDTH]; tile += WARP) {
            u32 roots =
                __ballot_sync(FULL, tile + lane < span[WIDTH] && u32(value[min(tile + lane, room - 1)]) & pivot_field);
            for (; roots; roots &= roots - 1) {
                const int k = tile + __ffs(roots) - 1, root = list[k];
                __syncwarp();
                if (k >= span[length + 1]) {  // the words are sorted by length
                    while (k >= span[length + 1]) ++length;
                    if (lane == 0) at.start = -1;
                    __syncwarp();
                    for (int s = steps_from[0] + lane; s < steps_from[1]; s += WARP)
                        if (int(steps[s] >> 51) == length) at.start = targets[s];
                }
                if (lane < length) cells[lane] = letters[i64(root) * WIDTH + lane];
                if (lane == 0) {
                    at.turn = at.next_turn++;
                    if (++at.residue == parts) at.residue = 0;
                    at.ends = at.residue == share && at.rounds++ % (by_word * by_step) == at.piece;
                }
                __syncwarp();
                if (length == n) {
                    if (at.ends && (must < 0 || must == root)) {
                        if (count < keep) {
                            if (lane == 0)
                                shapes[begin + count] = shape_of[paths_from[ends_from[0]]], turns[begin + count] = at.turn;
                            if (lane < n) fills[(begin + count) * n + lane] = letters[i64(root) * WIDTH + lane];
                        }
                        ++count;
                    }
                    continue;
                }
                if (at.start < 0) continue;
                if (lane == 0) node[0] = at.start, chosen[0] = root, filled[0] = length, left[0] = full - value[k];
                __syncwarp();
                bool arrived = true;
                for (int depth = 0; depth >= 0 && count < most;) {
                    const int here = node[depth];
                    if (arrived) {
                        // The last word: 32 ends are looked up at once, and those that spell words are followed.
                        for (int base = ends_from[here]; base < ends_from[here + 1]; base += WARP) {
                            if (depth < 2 && !at.ends) break;
                            const int mine = base + lane;
                            int number = NO_CLASS;
                            if (mine < ends_from[here + 1]) {
                                u64 hold = left[depth];
                                const int crossings = int(ends[mine] >> 44) & 7;
                                for (int j = 0; j < crossings; ++j)
                                    hold += units[cells[ends[mine] >> (40 - 4 * j) & 15]];
                                number = classes[i64(roll) * subsets + int(hold >> 32)];
                            }
                            for (u32 spelled = __ballot_sync(FULL, number != NO_CLASS); spelled;
                                 spelled &= spelled - 1) {
                                const int owner = __ffs(spelled) - 1, e = base + owner;
                                const int same = __shfl_sync(FULL, number, owner), crossings = int(ends[e] >> 44) & 7;
                                for (int word = class_from[same]; word < class_from[same + 1]; ++word) {
                                    const u8* row = letters + i64(word) * WIDTH;
                                    u32 fits = places[e];
                                    for (int j = 0; j < crossings; ++j) {
                                        const u32 letter = cells[ends[e] >> (40 - 4 * j) & 15];
                                        const u32 has =
                                            __ballot_sync(FULL, lane < WIDTH && row[lane % WIDTH] == letter);
                                        fits &= has >> behind(ends[e], j);
                                    }
                                    bool wanted = must < 0 || must == word;
                                    for (int i = 0; i <= depth; ++i) wanted = wanted || chosen[i] == must;
                                    for (int i = 0; no_repeats && i <= depth; ++i) {
                                        wanted = wanted && chosen[i] != word;
                                        for (int j = 0; j < i; ++j) wanted = wanted && chosen[i] != chosen[j];
                                    }
                                    for (fits = wanted ? fits : 0; fits; fits &= fits - 1) {
                                        const u32 place = __ffs(fits) - 1;
                                        const int path = paths_from[e] + __popc(places[e] & ((1u << place) - 1));
                                        __syncwarp();
                                        if (lane == 0) place_word(row, ends[e] << 4 | place, filled[depth], cells);
                                        __syncwarp();
                                        if (cares[path] &&
                                            !counts_once(cares[path], cells, n, pivot, length, cell_of + i64(path) * n,
                                                         transposed + i64(path) * n))
                                            continue;
                                        if (count < keep) {
                                            if (lane == 0) {
                                                shapes[begin + count] = shape_of[path];
                                                turns[begin + count] =
                                                    at.turn + (depth > 1 ? 1 + going[1] - steps_from[node[1]] : 0);
                                            }
                                            if (lane < n)
                                                fills[(begin + count) * n + cell_of[i64(path) * n + lane]] =
                                                    cells[lane];
                                        }
                                        ++count;
                                    }
                                }
                            }
                        }
                        if (lane == 0) going[depth] = steps_from[here] - 1, next[depth] = 0, hits[depth] = 0, hand[depth] = 0;
                        __syncwarp();
                    }
                    // Find the next word that fits one of the steps.
                    arrived = false;
                    int step = going[depth], from = next[depth];  // words before `from` have been tested
                    u32 fit = hits[depth];  // those of the last 32 that fit and have not been followed
                    u64 hold = hand[depth];
                    int end = step < steps_from[here] ? 0 : span[1 + int(steps[step] >> 51)];
                    while (!fit) {
                        if (from >= end) {
                            ++step;
                            const int number = step - steps_from[here];  // go to the next step of the share or piece
                            if (depth == 0) {
                                const int gap = number ? parts - 1 : share - at.residue;
                                step += gap < 0 ? gap + parts : gap;
                            } else if (depth == 1) {
                                step += -(at.shift + number) & (by_step - 1);
                            }
                            if (step >= steps_from[here + 1]) break;
                            hold = left[depth];
                            for (int j = 0; j < (int(steps[step] >> 48) & 7); ++j)
                                hold += units[cells[steps[step] >> (44 - 4 * j) & 15]];
                            from = span[int(steps[step] >> 51)], end = span[1 + int(steps[step] >> 51)];
                            continue;
                        }
                        const int taken = steps[step] >> 51, mine = from + lane;
                        bool fitting = mine < end;
                        if (fitting) {
                            const u32 its = u32(value[mine]);
                            fitting = (((u32(hold) | guards) - its) & guards) == guards &&
                                      !(taken > length && its & pivot_field);
                            for (int j = 0; fitting && j < (int(steps[step] >> 48) & 7); ++j)
                                fitting =
                                    letters[i64(list[mine]) * WIDTH + (steps[step] & 15) +
                                            behind(steps[step] >> 4, j)] == cells[steps[step] >> (44 - 4 * j) & 15];
                        }
                        fit = __ballot_sync(FULL, fitting);
                        from += WARP;
                        if (depth > 0 || !fit) continue;
                        const u32 among = fit;
                        const int number = at.seconds + __popc(among & ((1u << lane) - 1));
                        fit = __ballot_sync(FULL, fitting && (number & (by_word - 1)) == at.word);
                        __syncwarp();  // all lanes have read how many second words there were
                        if (lane == 0) {
                            at.before = at.seconds, at.before_turn = at.next_turn, at.among = among;
                            at.seconds += __popc(among);
                            at.next_turn += __popc(among) * turns_of_word(steps_from, targets[step]);
                        }
                        __syncwarp();
                    }
                    __syncwarp();
                    if (fit) {
                        const int taken_at = from - WARP + __ffs(fit) - 1, word = list[taken_at];
                        if (lane == 0) {
                            if (depth == 0) {
                                const int earlier = __popc(at.among & (fit ^ (fit - 1)) >> 1);
                                at.shift = ((at.before + earlier) >> (__ffs(by_word) - 1)) + 1 + by_step - (at.piece & (by_step - 1));
                                at.ends = !((at.shift - 1) & (by_step - 1));
                                at.turn = at.before_turn + earlier * turns_of_word(steps_from, targets[step]);
                            }
                            going[depth] = step, next[depth] = from, hits[depth] = fit & (fit - 1), hand[depth] = hold;
                            node[depth + 1] = targets[step], chosen[depth + 1] = word;
                            left[depth + 1] = hold - value[taken_at];
                            filled[depth + 1] =
                                place_word(letters + i64(word) * WIDTH, steps[step], filled[depth], cells);
                        }
                        arrived = true;
                        ++depth;
                    } else {
                        --depth;
                    }
                    __syncwarp();
                }
            }
        }
        if (lane == 0) found[item] = min(count, most);
    }
}
