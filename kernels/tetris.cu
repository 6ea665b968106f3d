// tetris.cu: placements, features, values and whole games of NES Tetris.
//
// The idea. A board is ten columns of 22 bits, and nearly every operation takes one or two instructions per column.
// Each header explains one noun:
//
//     tetris_board.cuh       the pieces, a lane's board, and a piece placed on it
//     tetris_features.cuh    the 17 features of a board, and its value by weights
//     tetris_dice.cuh        the pieces of a game, its level and its points
//     tetris_search.cuh      the shared memory of a warp, and the placements that a piece reaches without a clock
//     tetris_clock.cuh       the placements that it reaches under gravity, by tapping or with a button that is held
//     tetris_choice.cuh      the best placement of one or two pieces, and the worth of a board for each next piece
//     tetris_losses.cuh      the learned value
//
// The data. Boards are rows of ten numbers without the floor. Games that stay on the device are rows of several arrays;
// games that a kernel plays to the end stay in the shared memory of their warp.
//
// The launch. One warp handles a board or a game. In the search for placements each lane has a template; in the
// evaluation of boards each lane has a placement and holds its board in ten registers, so that the list of placements
// in shared memory is all that is read and nothing is stored. The two-piece policy pools the placements of the second
// piece over several first placements, so that all 32 lanes have work.

#include "common.cuh"
#include "tetris_board.cuh"
#include "tetris_features.cuh"
#include "tetris_dice.cuh"
#include "tetris_search.cuh"
#include "tetris_clock.cuh"
#include "tetris_choice.cuh"
#include "tetris_losses.cuh"

#define NOWHERE 0xffffffffu  // no placement

// --- whole games -----------------------------------------------------------------------------------------------------

// Plays the game of an item with a warp: out = score, lines, pieces, tetrises; trace = its first `turns` placements.
// The game is in shared memory, so that it takes no registers while boards are evaluated.
__device__ void play_game(Warp& warp, bool two_piece, u32 item, const int* weights, u64 seed, int number, int source,
                          int start_level, int max_lines, int timed, const u8* taps, int turns, int* out, u32* trace) {
    const int lane = threadIdx.x % WARP;
    Game& game = warp.game;
    Dice dice = seed_dice(seed, number, source);
    int piece = next_piece(dice, source), following = next_piece(dice, source);
    __syncwarp();  // the last game has been read
    if (lane == 0) game.dice = dice;
    if (lane < COLUMNS) game.columns[lane] = FLOOR;
    if (lane < 4) game.numbers[lane] = 0;
    for (;;) {
        __syncwarp();
        const int level = level_at(game.numbers[1], start_level);
        const u8* tapped = taps + min(level, LEVELS - 1) * TAPS;
        if (game.numbers[1] >= max_lines) break;
        if (lane < COLUMNS + 6) warp.columns[lane] = lane < COLUMNS ? game.columns[lane] : ~0u;
        const int count = search(warp, piece, timed, tapped);
        if (count == 0) break;
        const int placement = two_piece ? choose_two(warp, count, piece, following, weights, timed, tapped)
                                        : choose(warp, count, piece, weights);
        Board board = board_of(game.columns);
        const int cleared = place(board, piece, placement);
        dice = game.dice;
        piece = following;
        following = next_piece(dice, source);
        const u32 column = column_of(board);
        const int points = LINE_POINTS[cleared] * (level_at(game.numbers[1] + cleared, start_level) + 1);
        __syncwarp();  // all lanes have read the game
        if (lane < COLUMNS) game.columns[lane] = column;
        if (lane == 0) {
            if (game.numbers[2] < turns) trace[i64(item) * turns + game.numbers[2]] = u32(placement);
            game.dice = dice;
            game.numbers[0] += points;
            game.numbers[1] += cleared;
            game.numbers[2] += 1;
            game.numbers[3] += cleared == 4;
        }
    }
    __syncwarp();
    if (lane < 4) out[i64(item) * 4 + lane] = game.numbers[lane];
}

// Play whole games: item w * games + g is game first_game + g with weights w. `taps` has a row of
// TAPS numbers for each level. One warp per game.
// spills: play_greedy: 48 bytes, on sm_90 only, since pieces can be tucked; not measured on a device.
extern "C" __global__ void __launch_bounds__(BLOCK) play_greedy(int first, int last,
        const int* __restrict__ weights /*[(last + games - 1) / games][FEATURES]*/, int games, u64 seed, int first_game,
        int source, int start_level, int max_lines, int timed, const u8* __restrict__ taps /*[LEVELS * TAPS]*/,
        int turns, int* __restrict__ out /*[last][4]*/, u32* __restrict__ trace /*[last * turns]*/) {
    __shared__ Warp warps[WARPS];
    EACH_ITEM(item, WARP)
        play_game(warps[threadIdx.x / WARP], false, item, weights + item / games * FEATURES, seed,
                  first_game + item % games, source, start_level, max_lines, timed, taps, turns, out, trace);
}

extern "C" __global__ void __launch_bounds__(BLOCK, 2) play_two_piece(int first, int last,
        const int* __restrict__ weights /*[(last + games - 1) / games][FEATURES]*/, int games, u64 seed, int first_game,
        int source, int start_level, int max_lines, int timed, const u8* __restrict__ taps /*[LEVELS * TAPS]*/,
        int turns, int* __restrict__ out /*[last][4]*/, u32* __restrict__ trace /*[last * turns]*/) {
    __shared__ Warp warps[WARPS];
    EACH_ITEM(item, WARP)
        play_game(warps[threadIdx.x / WARP], true, item, weights + item / games * FEATURES, seed,
                  first_game + item % games, source, start_level, max_lines, timed, taps, turns, out, trace);
}

// --- boards in, placements and worths out ----------------------------------------------------------------------------

// Lists the first `most` placements of a piece on each board, by number, and the boards after them. One warp per board.
extern "C" __global__ void __launch_bounds__(BLOCK) placements(int first, int last,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const int* __restrict__ pieces /*[last]*/,
        const int* __restrict__ levels /*[last]*/, int timed, const u8* __restrict__ taps /*[LEVELS * TAPS]*/,
        int most, int* __restrict__ counts /*[last]*/, u32* __restrict__ found /*[last][most]*/,
        u8* __restrict__ cleared /*[last][most]*/, u32* __restrict__ after /*[last][most][COLUMNS]*/) {
    __shared__ Warp warps[WARPS];
    Warp& warp = warps[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const Board board = load(boards + i64(item) * COLUMNS);
        const int piece = pieces[item];
        const int count = find_placements(warp, board, piece, timed, taps + levels[item] * TAPS);
        if (lane == 0) counts[item] = count;
        for (int i = lane; i < count; i += WARP) {
            const int placement = warp.list[i];
            int rank = 0;
            for (int j = 0; j < count; ++j) rank += warp.list[j] < placement;
            if (rank >= most) continue;
            const i64 row = i64(item) * most + rank;
            Board changed = board;
            cleared[row] = u8(place(changed, piece, placement));
            found[row] = u32(placement);
            store(changed, after + row * COLUMNS);
        }
        __syncwarp();
    }
}

// Lists the `most` placements of least value on each board, the least first; ties go to the lower `order` of
// the piece's placement. One warp per board.
extern "C" __global__ void __launch_bounds__(BLOCK, 3) best(int first, int last,
        const int* __restrict__ weights /*[FEATURES]*/, const u32* __restrict__ boards /*[last][COLUMNS]*/,
        const int* __restrict__ pieces /*[last]*/, const int* __restrict__ levels /*[last]*/, int timed,
        const u8* __restrict__ taps /*[LEVELS * TAPS]*/, const u16* __restrict__ order /*[7 * NUMBERS]*/, int most,
        int* __restrict__ counts /*[last]*/, i64* __restrict__ values /*[last][most]*/,
        u32* __restrict__ found /*[last][most]*/, u8* __restrict__ cleared /*[last][most]*/,
        u32* __restrict__ after /*[last][most][COLUMNS]*/) {
    __shared__ Warp warps[WARPS];
    Warp& warp = warps[threadIdx.x / WARP];
    i64* value = warp.values;
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const Board board = load(boards + i64(item) * COLUMNS);
        const int piece = pieces[item];
        const int count = find_placements(warp, board, piece, timed, taps + levels[item] * TAPS);
        if (lane == 0) counts[item] = count;
        for (int i = lane; i < count; i += WARP) {
            Board changed = board;
            int rows;
            value[i] = value_of(changed, piece, warp.list[i], weights, rows);
        }
        __syncwarp();
        const u16* ordered = order + piece * NUMBERS;
        for (int i = lane; i < count; i += WARP) {
            const int placement = warp.list[i];
            int rank = 0;
            for (int j = 0; j < count; ++j)
                rank += value[j] < value[i] || (value[j] == value[i] && ordered[warp.list[j]] < ordered[placement]);
            if (rank >= most) continue;
            const i64 row = i64(item) * most + rank;
            Board changed = board;
            cleared[row] = u8(place(changed, piece, placement));
            values[row] = value[i];
            found[row] = u32(placement);
            store(changed, after + row * COLUMNS);
        }
        __syncwarp();
    }
}

// Computes the worth of boards before the next piece is drawn: the sum, over the seven pieces, of the chance of a piece
// after `previous` times the least value of its placements. A tetris with that piece does not count; the `tetrises`
// before it subtract DECISIVE each. A board without room for a piece is worth DECISIVE for it. One warp per board.
// spills: expect: 8 bytes, on sm_90 only, since pieces can be tucked; not measured on a device.
extern "C" __global__ void __launch_bounds__(BLOCK) expect(int first, int last,
        const int* __restrict__ weights /*[FEATURES]*/, const u32* __restrict__ boards /*[last][COLUMNS]*/,
        const int* __restrict__ previous /*[last]*/, const int* __restrict__ levels /*[last]*/,
        const i64* __restrict__ tetrises /*[last]*/, const i64* __restrict__ chances /*[7][7]*/, int timed,
        const u8* __restrict__ taps /*[LEVELS * TAPS]*/, i64* __restrict__ out /*[last]*/) {
    __shared__ Warp warps[WARPS];
    __shared__ i64 least[WARPS][8];
    i64* worths = least[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        find_worths(warps[threadIdx.x / WARP], boards + i64(item) * COLUMNS, timed, taps + levels[item] * TAPS,
                    weights, worths);
        i64 worth = 0;
        if (lane < 7) {
            const i64 found = worths[lane];
            worth = DECISIVE;
            if (found != NEVER) worth = (found >> 1) + (found & 1 ? 0 : DECISIVE) - DECISIVE * tetrises[item];
            worth *= chances[previous[item] * 7 + lane];
        }
        worth = warp_sum(worth);
        if (lane == 0) out[item] = worth;
        __syncwarp();  // the worths have been read before the next board's are set
    }
}

// Computes the least value of the placements of each of the seven pieces on each board; DECISIVE if there is no room
// for the piece. One warp per board.
// spills: worths: 8 bytes, on sm_90 only; with (BLOCK, 4) it spills on every architecture.
extern "C" __global__ void __launch_bounds__(BLOCK) worths(int first, int last,
        const int* __restrict__ weights /*[FEATURES]*/, const u32* __restrict__ boards /*[last][COLUMNS]*/,
        const int* __restrict__ levels /*[last]*/, int timed, const u8* __restrict__ taps /*[LEVELS * TAPS]*/,
        i64* __restrict__ out /*[last][7]*/) {
    __shared__ Warp warps[WARPS];
    __shared__ i64 least[WARPS][8];
    i64* found = least[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        find_worths(warps[threadIdx.x / WARP], boards + i64(item) * COLUMNS, timed, taps + levels[item] * TAPS,
                    weights, found);
        if (lane < 7) {
            const i64 value = found[lane];
            out[i64(item) * 7 + lane] = value == NEVER ? DECISIVE : value >> 1;
        }
        __syncwarp();
    }
}

// Until the following piece is known, after the drops at KNOWN of a row of `taps`, the player follows a plan: a template
// that the piece has at that moment, or a placement where it has locked before. After that, any placement that the plan
// still leaves can be chosen. Plans are numbered: first those that can still press, then pieces in the air that have been
// tucked, both by template, and at last one for each of the found placements, which is a plan only if it locks before.
struct Plans {
    u64 states, idle, tucked;  // the templates, those that left out the latest tap, and those that only fall
    int piece, drops;          // the drops before the following piece is known
    int pressing, flying;      // the number of plans that can still press, and of all in the air
    Sides sides;
    const u8* taps;
    const u64* allowed;  // the templates that fit after each drop, in shared memory
};

// Finds the plans of a board. `board` and `allowed` are the warp's shared memory.
__device__ Plans plans_of(u32* board, u64* allowed, const u32* __restrict__ cells, int piece, const u8* taps) {
    const int lane = threadIdx.x % WARP;
    Plans plans{0, 0, 0, piece, taps[KNOWN], 0, 0, sides_of(piece), taps, allowed};
    if (lane < COLUMNS + 6) board[lane] = lane < COLUMNS ? cells[lane] | FLOOR : ~0u;
    __syncwarp();
    const Falling f = falling(board, piece);
    for (int step = 0; step < DROPS + 2; ++step) {
        const u64 fit = open_after(f, step);
        if (lane == 0) allowed[step] = fit;
    }
    __syncwarp();
    u64 states = allowed[0] & 1ull << SHAPES[piece][0].left, idle = 0, tucked = 0;
    for (int step = 0; step < plans.drops && (states | tucked); ++step) {
        press(states, idle, tucked, taps[step], allowed[step], piece, plans.sides);
        states &= allowed[step + 1], idle &= allowed[step + 1], tucked &= allowed[step + 1];
    }
    if (plans.drops < DROPS)
        press(states, idle, tucked, taps[plans.drops], allowed[plans.drops], piece, plans.sides);
    tucked &= ~states;
    plans.states = states, plans.idle = idle, plans.tucked = tucked;
    plans.pressing = __popcll(states), plans.flying = plans.pressing + __popcll(tucked);
    return plans;
}

// Calls leaves(i) for each of the found placements i that plan k leaves.
template <class Leaves>
__device__ void follow(const Plans& plans, int k, int count, const u32* __restrict__ found, Leaves leaves) {
    const int piece = plans.piece, pressing = plans.pressing;
    if (k >= plans.flying) {
        const u32 placement = found[k - plans.flying];
        const int top = SHAPES[piece][orientation_of(piece, placement >> 5)].top;
        if (int(placement & 31) - top < plans.drops) leaves(k - plans.flying);
        return;
    }
    u64 bit = k < pressing ? plans.states : plans.tucked;
    for (int i = k < pressing ? 0 : pressing; i < k; ++i) bit &= bit - 1;
    bit &= 0 - bit;
    u64 mine = k < pressing ? bit : 0, ready = mine & plans.idle, falls = bit & ~mine;
    const u8* then = plans.taps + (ready ? DROPS : 2 * DROPS);
    for (int step = plans.drops; mine | falls; ++step) {
        press(mine, ready, falls, then[step], plans.allowed[step], piece, plans.sides);
        const u64 fit = plans.allowed[step + 1], resting = (mine | falls) & ~fit;
        mine &= fit, ready &= fit, falls &= fit;
        for (int i = 0; i < count; ++i) {
            const int t = found[i] >> 5, top = SHAPES[piece][orientation_of(piece, t)].top;
            if (int(found[i] & 31) - top == step && resting >> t & 1) leaves(i);
        }
    }
}

// Chooses among the `found` placements of a piece for a player who learns the following piece late. worths[i][p] is the
// worth of placement i if piece p follows. The best plan has the least sum, over the pieces, of the chance times the
// least worth that it leaves. Ties go to the first plan, and between placements to the first placement. The result is 0
// if there are no placements. One warp per board, one lane per plan, which follows the templates that it leaves.
extern "C" __global__ void __launch_bounds__(BLOCK) plan(int first, int last,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const int* __restrict__ pieces /*[last]*/,
        const int* __restrict__ following /*[last]*/, const int* __restrict__ levels /*[last]*/,
        const u8* __restrict__ taps /*[LEVELS * TAPS]*/,
        const i64* __restrict__ chances /*[7][7]*/, const int* __restrict__ counts /*[last]*/,
        const u32* __restrict__ found /*[last][most]*/, const i64* __restrict__ worths /*[last][most][7]*/, int most,
        int* __restrict__ chosen /*[last]*/) {
    __shared__ u32 columns[WARPS][COLUMNS + 6];
    __shared__ u64 open[WARPS][DROPS + 2];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    EACH_ITEM(item, WARP) {
        const int piece = pieces[item], next = following[item], count = min(counts[item], most);
        const u32* mine = found + i64(item) * most;
        const Plans plans = plans_of(columns[warp], open[warp], boards + i64(item) * COLUMNS, piece,
                                     taps + levels[item] * TAPS);
        i64 least = NEVER;
        u32 best = ~0u;
        int choice = 0;
        for (int k = lane; k < plans.flying + count; k += WARP) {
            i64 worth[7];
            int pick = 0;
#pragma unroll
            for (int p = 0; p < 7; ++p) worth[p] = NEVER;
            follow(plans, k, count, mine, [&](int i) {
                const i64* its = worths + (i64(item) * most + i) * 7;
#pragma unroll
                for (int p = 0; p < 7; ++p) {
                    if (p == next && (its[p] < worth[p] || (its[p] == worth[p] && i < pick))) pick = i;
                    worth[p] = min(worth[p], its[p]);
                }
            });
            i64 expected = 0;
#pragma unroll
            for (int p = 0; p < 7; ++p) expected += worth[p] == NEVER ? 0 : worth[p] * chances[piece * 7 + p];
            if (worth[0] == NEVER) continue;  // it leaves none of the placements
            if (expected < least) least = expected, best = u32(k), choice = pick;
        }
        choice = warp_least(least, best, choice);
        if (lane == 0) chosen[item] = choice;
        __syncwarp();  // the board has been read before the next one is set
    }
}

// Lists the plans of a player who learns the following piece late: left[k][i] says whether plan k leaves placement i. A
// plan that leaves nothing, or nothing that an earlier one does not leave, is not listed: it is never the first of the
// best. Rows beyond the last plan are 0. One warp per board. The lanes follow 32 plans at a time, compare them with the
// plans before, and move those that stay together. A plan costs a walk over its drops, `count` tests at each,
// and `count` comparisons with each earlier plan.
extern "C" __global__ void __launch_bounds__(BLOCK) plans(int first, int last,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const int* __restrict__ pieces /*[last]*/,
        const int* __restrict__ levels /*[last]*/, const u8* __restrict__ taps /*[LEVELS * TAPS]*/,
        const int* __restrict__ counts /*[last]*/, const u32* __restrict__ found /*[last][most]*/, int most,
        int* __restrict__ numbers /*[last]*/, u8* left /*[last][PLANS + most][most]*/) {
    __shared__ u32 columns[WARPS][COLUMNS + 6];
    __shared__ u64 open[WARPS][DROPS + 2];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    EACH_ITEM(item, WARP) {
        const int count = min(counts[item], most);
        const Plans plans = plans_of(columns[warp], open[warp], boards + i64(item) * COLUMNS, pieces[item],
                                     taps + levels[item] * TAPS);
        u8* rows = left + i64(item) * (PLANS + most) * most;
        int number = 0;
        for (int start = 0; start < plans.flying + count; start += WARP) {
            const int k = start + lane, here = number + lane;
            const bool is_plan = k < plans.flying + count;
            u8* row = rows + i64(here) * most;
            bool is_needless = true;
            if (is_plan) {
                for (int i = 0; i < most; ++i) row[i] = 0;
                follow(plans, k, count, found + i64(item) * most, [&](int i) { row[i] = 1, is_needless = false; });
            }
            __syncwarp();
            for (int earlier = 0; is_plan && !is_needless && earlier < here; ++earlier) {
                bool is_covered = true;
                for (int i = 0; i < count; ++i) is_covered &= row[i] <= rows[i64(earlier) * most + i];
                is_needless = is_covered;
            }
            const u32 staying = __ballot_sync(~0u, !is_needless);
            const int to = number + __popc(staying & ((1u << lane) - 1));
            for (int i = 0; i < count; ++i) {
                const u8 leaves = is_needless ? 0 : row[i];
                __syncwarp();
                if (!is_needless) rows[i64(to) * most + i] = leaves;
                __syncwarp();
            }
            number += __popc(staying);
        }
        for (int i = number * most + lane; i < (PLANS + most) * most; i += WARP) rows[i] = 0;
        if (lane == 0) numbers[item] = number;
        __syncwarp();  // the board has been read before the next one is set
    }
}

// --- games that stay on the device -----------------------------------------------------------------------------------

// The state of a game is a row in several arrays: its board, the piece to place and the piece after
// it, the level's row in the table of taps, the dice (generator, register, count, previous piece), and
// the results (score, lines, pieces, tetrises).

// Draws the first two pieces of games first_game, first_game + 1, ... One thread per game.
extern "C" __global__ void __launch_bounds__(BLOCK) deal(int first, int last, u64 seed, int first_game, int source,
        u64* __restrict__ dice /*[last][4]*/, int* __restrict__ pieces /*[last]*/,
        int* __restrict__ following /*[last]*/) {
    EACH_ITEM(game, 1) {
        Dice rolled = seed_dice(seed, first_game + game, source);
        pieces[game] = next_piece(rolled, source);
        following[game] = next_piece(rolled, source);
        store(rolled, dice + i64(game) * 4);
    }
}

// Makes a turn of each game games[item]: makes placement chosen[item] among those that `best` has listed, and
// draws the next piece. placed[item] becomes the placement, or NOWHERE if there was none; going[item] says
// whether the game goes on. One thread per game.
extern "C" __global__ void __launch_bounds__(BLOCK) turn(int first, int last, const int* __restrict__ games /*[last]*/,
        const int* __restrict__ counts /*[last]*/, const u32* __restrict__ found /*[last][most]*/,
        const u8* __restrict__ cleared /*[last][most]*/, const u32* __restrict__ after /*[last][most][COLUMNS]*/,
        int most, const int* __restrict__ chosen /*[last]*/, int source, int start_level, int max_lines,
        u32* __restrict__ boards /*[][COLUMNS] changed*/, int* __restrict__ pieces /*[] changed*/,
        int* __restrict__ following /*[] changed*/, int* __restrict__ levels /*[] changed*/,
        u64* __restrict__ dice /*[][4] changed*/, int* __restrict__ results /*[][4] changed*/,
        u32* __restrict__ placed /*[last]*/, u8* __restrict__ going /*[last]*/) {
    EACH_ITEM(item, 1) {
        placed[item] = NOWHERE;
        going[item] = 0;
        if (counts[item] == 0) continue;
        const int game = games[item];
        const i64 row = i64(item) * most + chosen[item];
        for (int k = 0; k < COLUMNS; ++k) boards[i64(game) * COLUMNS + k] = after[row * COLUMNS + k];
        int* result = results + i64(game) * 4;
        const int rows = cleared[row], lines = result[1] + rows, level = level_at(lines, start_level);
        result[0] += LINE_POINTS[rows] * (level + 1);
        result[1] = lines;
        ++result[2];
        result[3] += rows == 4;
        levels[game] = min(level, LEVELS - 1);
        pieces[game] = following[game];
        Dice rolled = load_dice(dice + i64(game) * 4);
        following[game] = next_piece(rolled, source);
        store(rolled, dice + i64(game) * 4);
        placed[item] = found[row];
        going[item] = lines < max_lines;
    }
}

// --- boards in, features and losses out ------------------------------------------------------------------------------

// Computes the features of boards after a placement; `locks` is 19 minus the lowest row of the
// piece. One thread per board.
extern "C" __global__ void __launch_bounds__(BLOCK) features(int first, int last,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const u8* __restrict__ cleared /*[last]*/,
        const int* __restrict__ locks /*[last]*/, int* __restrict__ out /*[last][FEATURES]*/) {
    EACH_ITEM(item, 1) {
        int f[FEATURES];
        features_of(load(boards + i64(item) * COLUMNS), cleared[item], 19 - locks[item], f);
#pragma unroll
        for (int i = 0; i < FEATURES; ++i) out[i64(item) * FEATURES + i] = f[i];
    }
}

// Lists the `most` placements of least loss on each board, the least first; ties go to the lower
// number. A placement loses the points that its lines could have brought, lost[lines][cleared], plus
// the loss of the board after it. One warp per board.
extern "C" __global__ void __launch_bounds__(BLOCK) least_losses(int first, int last,
        const short* __restrict__ tables /*[]*/, const int* __restrict__ endgame /*[]*/,
        const int* __restrict__ lost /*[(max_lines + 1) * 5]*/,
        const int* __restrict__ course /*[(max_lines + 1) * COURSE]*/, int max_lines,
        const u32* __restrict__ boards /*[last][COLUMNS]*/, const int* __restrict__ pieces /*[last]*/,
        const int* __restrict__ lines /*[last]*/, const int* __restrict__ levels /*[last]*/, int timed,
        const u8* __restrict__ taps /*[LEVELS * TAPS]*/, int most, int* __restrict__ counts /*[last]*/,
        int* __restrict__ losses /*[last][most]*/, u32* __restrict__ found /*[last][most]*/,
        u8* __restrict__ cleared /*[last][most]*/, u32* __restrict__ after /*[last][most][COLUMNS]*/) {
    __shared__ Warp warps[WARPS];
    Warp& warp = warps[threadIdx.x / WARP];
    i64* loss = warp.values;
    const int lane = threadIdx.x % WARP;
    EACH_ITEM(item, WARP) {
        const Board board = load(boards + i64(item) * COLUMNS);
        const int piece = pieces[item], before = lines[item];
        const int count = find_placements(warp, board, piece, timed, taps + levels[item] * TAPS);
        if (lane == 0) counts[item] = count;
        for (int i = lane; i < count; i += WARP) {
            Board changed = board;
            const int rows = place(changed, piece, warp.list[i]), then = before + rows;
            loss[i] = lost[before * 5 + rows];
            if (then < max_lines) loss[i] += loss_of(changed, course + then * COURSE, tables, endgame);
        }
        __syncwarp();
        for (int i = lane; i < count; i += WARP) {
            const int placement = warp.list[i];
            int rank = 0;
            for (int j = 0; j < count; ++j)
                rank += loss[j] < loss[i] || (loss[j] == loss[i] && warp.list[j] < placement);
            if (rank >= most) continue;
            const i64 row = i64(item) * most + rank;
            Board changed = board;
            cleared[row] = u8(place(changed, piece, placement));
            losses[row] = int(loss[i]);
            found[row] = u32(placement);
            store(changed, after + row * COLUMNS);
        }
        __syncwarp();
    }
}
