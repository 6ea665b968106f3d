// tetris_clock.cuh: the placements that a piece reaches under gravity, by tapping or with a button that is held.
//
// The idea. Everything in the air has dropped equally often, so a state is only a template, one of at most 34, and a
// set of states is a 64-bit word that all lanes have. A shift of all states is a shift of the word, a turn a few shifts
// and masks, and a drop a vote about the templates that fit one row further down. With a button that is held, a state
// also has the charge of the button: each lane has the word of one button and one charge.
//
// The data. The clock is a table in memory: for each level and drop, the frames with a tap that come before it. The
// cost is a step of shifts and turns for each of these frames, and two votes for each drop. Where the last press may come
// on any frame, a second word has the states that may still make it, and a third one those that have.

#define LEVELS 40   // rows of the table of taps: levels 0 to 39; the last row also serves all levels above
#define DROPS 24    // no piece drops more often
#define TAPS (3 * DROPS + 1)  // columns of the table (gpusolve.games.tetris.clock.tap_table)
#define KNOWN (3 * DROPS)     // the drops before the next piece is known
#define TUCKS 128             // in it: frames without a tap, on which a piece can be tucked
#define HELD 2      // `timed`: 0 without a clock, 1 by tapping, 2 with a button that is held down
#define CHARGES 16  // of a button that is held; 16 does what 15 does
#define REPEAT 10   // the charge after a shift

// A lane's two templates under gravity: the rows in which they fit, and the rows where their boxes start.
struct Falling { u32 fit[2]; int top[2]; };

__device__ Falling falling(const u32* columns, int piece) {
    Falling f = {{0, 0}, {0, 0}};
    for (int h = 0; h < 2; ++h) {
        const int t = threadIdx.x % WARP + h * WARP;
        const Shape& shape = SHAPES[piece][orientation_of(piece, t)];
        f.top[h] = shape.top;
        if (t < TEMPLATES[piece]) f.fit[h] = fits(columns, shape, t - shape.first);
    }
    return f;
}

// Returns the templates that fit after a number of drops, one bit each; all lanes get them.
__device__ u64 open_after(const Falling& f, int drops) {
    return __ballot_sync(FULL, f.fit[0] >> (f.top[0] + drops) & 1) |
           u64(__ballot_sync(FULL, f.fit[1] >> (f.top[1] + drops) & 1)) << WARP;
}

// The templates of a piece that have a template to their left, and those that have one to their right.
struct Sides { u64 not_first, not_last; };

__device__ Sides sides_of(int piece) {
    Sides sides = {0, 0};
    for (int o = 0; o < ORIENTATIONS[piece]; ++o) {
        const Shape& shape = SHAPES[piece][o];
        const u64 all = (1ull << shape.columns) - 1;
        sides.not_first |= (all & ~1ull) << shape.first;
        sides.not_last |= (all >> 1) << shape.first;
    }
    return sides;
}

// Returns the states and those that a turn leads to, whether they fit or not.
__device__ u64 turned(u64 states, int piece) {
    u64 near = states;
    for (int o = 0; o < ORIENTATIONS[piece]; ++o) {
        const Shape& shape = SHAPES[piece][o];
        for (int s = (o + 1) & 1; s < ORIENTATIONS[piece]; s += 2) {
            const Shape& source = SHAPES[piece][s];
            const int right = shape.left - source.left;
            const u64 from = states >> source.first & ((1ull << source.columns) - 1);
            const u64 into = (right >= 0 ? from << right : from >> -right) & ((1ull << shape.columns) - 1);
            near |= into << shape.first;
        }
    }
    return near;
}

// Returns the states that a frame with a press can lead to: a shift, then a turn, as in the console.
__device__ u64 tapped(u64 states, u64 allowed, int piece, Sides sides) {
    states = (states | (states & sides.not_last) << 1 | (states & sides.not_first) >> 1) & allowed;
    return turned(states, piece) & allowed;
}

// Moves the states by the frames between two drops, `taps` of them with a tap. `idle` gets those that leave out the
// latest tap of the rhythm, and `tucked` those that are tucked on another frame: they only fall. After a tap, those that
// left it out have no more places to go than it leads to.
__device__ void press(u64& states, u64& idle, u64& tucked, int taps, u64 allowed, int piece, Sides sides) {
    if (taps & TUCKS) {
        tucked |= tapped(idle, allowed, piece, sides);
        return;
    }
    for (int tap = 0; tap < taps; ++tap) {
        idle |= states;
        states = tapped(states, allowed, piece, sides);
    }
}

// Writes the placements under gravity to warp.list, and returns their number, by a row of the table of taps
// (gpusolve.games.tetris.clock.tap_table). Everything in the air has dropped equally often, so a state is a template,
// a bit of a 64-bit word that all lanes have. `again` has the states that start the rhythm again when the next piece is
// known.
__device__ int timed_placements(Warp& warp, int piece, const u8* taps) {
    const int lane = threadIdx.x % WARP;
    const Falling f = falling(warp.columns, piece);
    const Sides sides = sides_of(piece);
    u32 rest[2] = {0, 0};
    u64 allowed = open_after(f, 0);
    u64 states = allowed & 1ull << SHAPES[piece][0].left, again = 0, idle = 0, tucked = 0;
    int row = 0;
    for (int step = 0; states | again | tucked; ++step) {
        if (step == taps[KNOWN]) {
            press(states, idle, tucked, taps[step], allowed, piece, sides);
            again = idle;
            states &= ~again;
            row = 2 * DROPS;
        }
        press(states, idle, tucked, taps[row + step], allowed, piece, sides);
        if (again) press(again, idle, tucked, taps[DROPS + step], allowed, piece, sides);
        allowed = open_after(f, step + 1);
        const u64 resting = (states | again | tucked) & ~allowed;
        for (int h = 0; h < 2; ++h) rest[h] |= u32(resting >> (lane + h * WARP) & 1) << (f.top[h] + step);
        states &= allowed, again &= allowed, idle &= allowed, tucked &= allowed;
    }
    int count = 0;
    for (int h = 0; h * WARP < TEMPLATES[piece]; ++h) count = append(warp, count, lane + h * WARP, rest[h]);
    __syncwarp();
    return count;
}

// Returns the OR of a word over the lanes of the warp.
__device__ u64 any_lane(u64 word) {
    for (int step = WARP / 2; step; step /= 2) word |= __shfl_xor_sync(FULL, word, step);
    return word;
}

// Returns the states one column to the left or to the right, where they fit.
__device__ u64 moved(u64 states, bool left, u64 allowed, Sides sides) {
    return (left ? (states & sides.not_first) >> 1 : (states & sides.not_last) << 1) & allowed;
}

// The states of a piece with a button that is held, for each charge (a lane's word: lanes 0 to 15
// have the left button, 16 to 31 the right one), and those with none, where all lanes have the same
// words: the charge is ready, or it is lost.
struct Holds { u64 held, ready, lost; };

// Moves the states by a frame in which the button is held or released, but none is pressed.
__device__ void keep(Holds& holds, u64 allowed, Sides sides) {
    const int lane = threadIdx.x % WARP, charge = lane % CHARGES;
    const u64 any = any_lane(holds.held), before = __shfl_up_sync(FULL, holds.held, 1);
    const u64 full = __shfl_sync(FULL, holds.held, lane | (CHARGES - 1));  // the ready states of this button
    holds.ready |= __shfl_sync(FULL, holds.held, CHARGES - 1) | __shfl_sync(FULL, holds.held, 2 * CHARGES - 1);
    holds.lost |= any & ~holds.ready;
    const u64 to = moved(full, lane < CHARGES, allowed, sides);
    holds.held = charge ? before : 0;
    if (charge == REPEAT) holds.held |= to;
    if (charge == CHARGES - 1) holds.held |= full & ~(lane < CHARGES ? to << 1 : to >> 1);
}

__device__ void turn_all(Holds& holds, u64 allowed, int piece) {
    holds.held = turned(holds.held, piece) & allowed;
    holds.ready = turned(holds.ready, piece) & allowed;
    holds.lost = turned(holds.lost, piece) & allowed;
}

// Writes the placements of the console's delayed auto-shift that leave the charge ready
// (gpusolve.games.tetris.rules.das): frames[s] frames come before drop s + 1. A state is a template, a bit of a word.
// `again` has the states in which a button has been pressed since the piece appeared, `first` the others.
__device__ int das_placements(Warp& warp, int piece, const u8* frames) {
    const int lane = threadIdx.x % WARP, charge = lane % CHARGES;
    const Falling f = falling(warp.columns, piece);
    const Sides sides = sides_of(piece);
    u32 rest[2] = {0, 0};
    u64 allowed = open_after(f, 0);
    const u64 spawned = allowed & 1ull << SHAPES[piece][0].left;
    Holds first = {charge == CHARGES - 1 ? spawned : 0, spawned, 0}, again = {0, 0, 0};
    bool is_even = true;
    for (int step = 0; any_lane(first.held | again.held) | first.ready | first.lost | again.ready | again.lost;
         ++step) {
        for (int frame = 0; frame < frames[step]; ++frame) {
            const u64 left = any_lane(lane < CHARGES ? first.held : 0),
                      right = any_lane(lane < CHARGES ? 0 : first.held);
            const u64 pressed = (lane < CHARGES ? right : left) | first.ready | first.lost;
            const u64 to = moved(pressed, lane < CHARGES, allowed, sides);
            keep(first, allowed, sides);
            keep(again, allowed, sides);
            if (charge == 0) again.held = to;
            if (charge == CHARGES - 1) again.held |= pressed & ~(lane < CHARGES ? to << 1 : to >> 1);
            if (is_even) {
                turn_all(first, allowed, piece);
                turn_all(again, allowed, piece);
            }
            is_even = !is_even;
        }
        allowed = open_after(f, step + 1);
        const u64 full = any_lane(charge == CHARGES - 1 ? first.held | again.held : 0);
        const u64 resting = (full | first.ready | again.ready) & ~allowed;
        for (int h = 0; h < 2; ++h) rest[h] |= u32(resting >> (lane + h * WARP) & 1) << (f.top[h] + step);
        first = {first.held & allowed, first.ready & allowed, first.lost & allowed};
        again = {again.held & allowed, again.ready & allowed, again.lost & allowed};
    }
    int count = 0;
    for (int h = 0; h * WARP < TEMPLATES[piece]; ++h) count = append(warp, count, lane + h * WARP, rest[h]);
    __syncwarp();
    return count;
}

// Searches the placements on the board in warp.columns. Not inlined: with a copy at every call, compilers take minutes.
__noinline__ __device__ int search(Warp& warp, int piece, int timed, const u8* taps) {
    __syncwarp();
    if (timed == HELD) return das_placements(warp, piece, taps);
    return timed ? timed_placements(warp, piece, taps) : free_placements(warp, piece);
}

// Copies a board to warp.columns and searches its placements.
__device__ int find_placements(Warp& warp, const Board& board, int piece, int timed, const u8* taps) {
    __syncwarp();
    if (threadIdx.x % WARP < COLUMNS + 6) warp.columns[threadIdx.x % WARP] = column_of(board);
    return search(warp, piece, timed, taps);
}
