// tetris_choice.cuh: the best placement of one or two pieces, and the worth of a board for each next piece.
//
// The idea. Each lane evaluates a placement, and the warp takes the least value. If a second piece is known, or any of
// seven pieces can come, each board has its own placements, often fewer than a warp has lanes. They are pooled over
// several boards or pieces, so that all 32 lanes have work: a move with 24 x 24 placements costs 24 searches of about
// 150 instructions and 18 rounds of about 700.
//
// The data. The pool, the list of placements and the boards after them are in the warp's shared memory; nothing but the
// choice is stored.

// Returns the number of the lane with the least (value, key), and sets its value; all lanes get both.
__device__ int warp_least(i64& value, u32 key, int number) {
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        const i64 other = __shfl_xor_sync(FULL, value, distance);
        const u32 other_key = __shfl_xor_sync(FULL, key, distance);
        const int other_number = __shfl_xor_sync(FULL, number, distance);
        if (other < value || (other == value && other_key < key)) value = other, key = other_key, number = other_number;
    }
    return number;
}

// Returns the placement of least value among the `count` placements of warp.list on the board of the game.
__device__ int choose(const Warp& warp, int count, int piece, const int* weights) {
    const int lane = threadIdx.x % WARP;
    i64 least = NEVER;
    int best = 0xffff;
#pragma unroll 1
    for (int i = lane; i < count; i += WARP) {
        const int placement = warp.list[i];
        const i64 value = value_on(warp.game.columns, piece, placement, weights);
        if (value < least || (value == least && placement < best)) least = value, best = placement;
    }
    return warp_least(least, u32(best), best);
}

// Evaluates the pairs begin to end - 1 of the pool, one lane each, and keeps the best first placement of each lane;
// `first` has the first placements that led to the boards in warp.after.
__device__ void value_pairs(const Warp& warp, const u16* first, int begin, int end, int following, const int* weights,
                            i64& least, int& best) {
    const int i = begin + threadIdx.x % WARP;
    if (i < end) {
        const u32 pair = warp.pool[i], number = pair >> 16;
        Board after = board_of(warp.after[number]);
        int cleared;
        i64 value = value_of(after, following, int(pair & 0xffff), weights, cleared);
        if (warp.after[number][COLUMNS]) value -= DECISIVE;
        if (value < least || (value == least && first[number] < best)) least = value, best = first[number];
    }
}

// Returns the placement of `piece`, among the `count` placements of warp.list, after which the best placement of
// `following` has the least value. 32 first placements at a time, one lane each, write their boards to shared memory.
__device__ int choose_two(Warp& warp, int count, int piece, int following, const int* weights,
                          int timed, const u8* taps) {
    const int lane = threadIdx.x % WARP;
    for (int i = lane; i < count; i += WARP) warp.first[i] = warp.list[i];
    i64 least = NEVER;
    int best = 0xffff;
    for (int begin = 0; begin < count; begin += WARP) {
        const u16* first = warp.first + begin;
        const int boards = min(WARP, count - begin);
        __syncwarp();
        Board after = board_of(warp.game.columns);  // the lanes that are left over repeat the last placement
        warp.after[lane][COLUMNS] = place(after, piece, first[min(lane, boards - 1)]) == 4;
#pragma unroll
        for (int k = 0; k < COLUMNS; ++k) warp.after[lane][k] = after.c[k];
        int pooled = 0;
        for (int i = 0; i < boards; ++i) {
            __syncwarp();
            if (lane < COLUMNS + 6) warp.columns[lane] = lane < COLUMNS ? warp.after[i][lane] : ~0u;
            const int found = search(warp, following, timed, taps);
            if (found == 0) {  // the next piece has no room
                const i64 value = warp.after[i][COLUMNS] ? 0 : DECISIVE;
                if (lane == 0 && (value < least || (value == least && first[i] < best))) least = value, best = first[i];
            }
            for (int j = lane; j < found; j += WARP) warp.pool[pooled + j] = u32(i) << 16 | warp.list[j];
            pooled += found;
            __syncwarp();
            for (; pooled >= WARP; pooled -= WARP)  // all lanes have a pair
                value_pairs(warp, first, pooled - WARP, pooled, following, weights, least, best);
        }
        value_pairs(warp, first, 0, pooled, following, weights, least, best);
    }
    return warp_least(least, u32(best), best);
}

// Evaluates the pairs begin to end - 1 of the pool, one lane each: placements of several pieces on
// the board in warp.columns. The worth of a piece becomes the least of 2 * value + (0 for a tetris,
// else 1). Not inlined: two copies spill.
__noinline__ __device__ void value_pieces(const Warp& warp, int begin, int end, const int* weights, i64* worths) {
    const int i = begin + threadIdx.x % WARP;
    if (i < end) {
        const u32 pair = warp.pool[i];
        Board after = board_of(warp.columns);
        int cleared;
        const i64 value = value_of(after, int(pair >> 16), int(pair & 0xffff), weights, cleared);
        atomicMin(&worths[pair >> 16], 2 * value + (cleared != 4));
    }
}

// Sets worths[p], in shared memory, to the worth of piece p on a board, as in `value_pieces`; NEVER if there is no room
// for it. Takes seven searches; then each lane evaluates a placement of any piece. Not inlined: `worths` would spill.
__noinline__ __device__ void find_worths(Warp& warp, const u32* board, int timed, const u8* taps, const int* weights,
                                         i64* worths) {
    const int lane = threadIdx.x % WARP;
    if (lane < COLUMNS + 6) warp.columns[lane] = lane < COLUMNS ? board[lane] | FLOOR : ~0u;
    if (lane < 7) worths[lane] = NEVER;
    int pooled = 0;
#pragma unroll 1
    for (int piece = 0; piece < 7; ++piece) {
        const int found = search(warp, piece, timed, taps);
        for (int j = lane; j < found; j += WARP) warp.pool[pooled + j] = u32(piece) << 16 | warp.list[j];
        pooled += found;
        __syncwarp();
        for (; pooled >= WARP; pooled -= WARP)  // all lanes have a placement
            value_pieces(warp, pooled - WARP, pooled, weights, worths);
    }
    value_pieces(warp, 0, pooled, weights, worths);
    __syncwarp();
}
