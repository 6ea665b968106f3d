// permutations.cu: pattern databases of permutation puzzles, and the moves of such a puzzle.
//
// A puzzle has PLACES, a piece in each, and moves. A move takes the piece in place p to place moves[move][p], whatever the
// piece is. A state is the place of each piece: its columns are bytes, states[piece][state].
//
// A pattern keeps some pieces and takes all others for alike (Culberson and Schaeffer 1998). The least cost from each
// placement of the kept pieces to their goal places never exceeds that of any state with this placement, and a search
// looks it up. A placement is numbered by its digits: the first is the place of the first piece, the next one the place
// of the second among the places left, and so on. The last digit counts fastest, so the table is made of rows, which
// have all pieces but the last in the same places:
//
//     table[row * width + digit]    a byte: the cost, or UNKNOWN; width = places - kept + 1
//
// `spread` is a step of a breadth-first search over this table. Its item is a row: the kept pieces but the last have
// their places there, and for each move the row that they move to is computed once. Then an entry takes one look at
// where its last piece goes. All entries of a row move to one row, which is a cache line or two.
//     a row: its bytes, and if it has entries to expand, for each move kept - 1 pieces and a byte per entry
//
// `foresee` answers what a search asks: by how much a move and the estimate of the state behind it exceed what the search
// has left, without making the state. Several look-ups may use one table, through a symmetry of the puzzle: it renames
// places and pieces, so it is another choice of pieces, and another place for each place and move.
//     a state and a move: for each look-up, its pieces and a byte of its table
//
// `play` makes the states that a search has chosen.
//     a state: a byte per piece

#include "common.cuh"

#define UNKNOWN 255
#define NEVER 255
#define MOST_OVER 254
#define MOST_KEPT 16
#define MOST_PLACES 32  // the bits of a set of places

// The number of a place among those that are not taken.
__device__ u32 digit_of(u32 place, u32 taken) { return place - __popc(taken & ((1u << place) - 1)); }

// Entries of cost `from` make the entries behind each step cost `to`, if these are UNKNOWN. Threads may write to the same
// entry, but all write the same, and a thread that reads it meanwhile only looks for `from`. One thread per row. `found` is the number of entries of cost `from` in each row.
extern "C" __global__ void __launch_bounds__(BLOCK) spread(int first, int last, int places, int kept, int from, int to,
        const u8* __restrict__ steps /*[steps_made][places]*/, int steps_made, u8* __restrict__ table /*[size] changed*/,
        i64 size, u8* __restrict__ found /*[last]*/) {
    const int width = places - kept + 1;
    EACH_ITEM(row, 1) {
        u8* own = table + i64(row) * width;
        int count = 0;
        for (int digit = 0; digit < width; ++digit) count += own[digit] == from;
        found[row] = u8(count);
        if (!count) continue;
        u32 rest = row, taken = 0;
        u8 digits[MOST_KEPT], place[MOST_KEPT];
        for (int piece = kept - 2; piece >= 0; --piece) {
            digits[piece] = u8(rest % u32(places - piece));
            rest /= u32(places - piece);
        }
        for (int piece = 0; piece < kept - 1; ++piece) {
            u32 at = digits[piece];  // the free place of this number: go up past the taken ones below it
            for (u32 left = taken; left; left &= left - 1) at += (left & -left) <= (1u << at);
            place[piece] = u8(at);
            taken |= 1u << at;
        }
        for (int step = 0; step < steps_made; ++step) {
            const u8* where = steps + step * places;
            u32 other = 0, taken_there = 0;
            for (int piece = 0; piece < kept - 1; ++piece) {
                const u32 there = where[place[piece]];
                other = other * u32(places - piece) + digit_of(there, taken_there);
                taken_there |= 1u << there;
            }
            u8* reached = table + i64(other) * width;
            u32 free = ~taken;
            for (int digit = 0; digit < width; ++digit, free &= free - 1) {
                if (own[digit] != from) continue;
                u8* entry = reached + digit_of(where[__ffs(free) - 1], taken_there);
                if (*entry == UNKNOWN) *entry = u8(to);
            }
        }
    }
}

// over[state][move]: by how much the cost of the move and the greatest of all look-ups behind it exceed `room`; 0 if they do
// not, at most MOST_OVER, and NEVER for a move that the automaton does not allow at the state's node. One thread per
// state and move: the threads of a state read the same column. A look-up has its number of pieces and the start of its
// table in `shapes`, its pieces in `pieces`, and in `steps` where each move leads from each place, as its symmetry sees it.
extern "C" __global__ void __launch_bounds__(BLOCK) foresee(int first, int last, int places, int count, int moves,
        const u8* __restrict__ states /*[places][count]*/, const int* __restrict__ room /*[count]*/,
        const int* __restrict__ at /*[count]*/, const int* __restrict__ automaton /*[nodes][moves]*/, int nodes,
        const u8* __restrict__ costs /*[moves]*/, int looks, const i64* __restrict__ shapes /*[looks][2]*/,
        const u8* __restrict__ pieces /*[looks][MOST_KEPT]*/, const u8* __restrict__ steps /*[looks][moves][places]*/,
        const u8* __restrict__ table /*[size]*/, i64 size, u8* __restrict__ over /*[last]*/) {
    EACH_ITEM(item, 1) {
        const u32 state = item / u32(moves), move = item % u32(moves);
        if (automaton[at[state] * moves + int(move)] < 0) {
            over[item] = NEVER;
            continue;
        }
        int most = 0;
        for (int look = 0; look < looks; ++look) {
            const u8* where = steps + (look * moves + int(move)) * places;
            const int kept = int(shapes[look * 2]);
            i64 number = 0;
            u32 taken = 0;
            for (int piece = 0; piece < kept; ++piece) {
                const u32 place = where[states[i64(pieces[look * MOST_KEPT + piece]) * count + state]];
                number = number * (places - piece) + digit_of(place, taken);
                taken |= 1u << place;
            }
            most = max(most, int(table[shapes[look * 2 + 1] + number]));
        }
        over[item] = u8(min(max(int(costs[move]) + most - room[state], 0), MOST_OVER));
    }
}

// One thread per child and piece: the children of a warp write neighbouring bytes.
extern "C" __global__ void __launch_bounds__(BLOCK) play(int first, int last, int places, int count, int children, int moves,
        const u8* __restrict__ states /*[places][count]*/, const int* __restrict__ parents /*[children]*/,
        const u16* __restrict__ made /*[children]*/, const u8* __restrict__ steps /*[moves][places]*/,
        u8* __restrict__ out /*[places][children]*/) {
    EACH_ITEM(item, 1) {
        for (int piece = 0; piece < places; ++piece) {
            const u32 place = states[i64(piece) * count + parents[item]];
            out[i64(piece) * children + item] = steps[int(made[item]) * places + int(place)];
        }
    }
}
