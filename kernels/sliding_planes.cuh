// sliding_planes.cuh: one level of breadth-first search over all positions of a small board, a bit for each.
//
// The idea. The positions with the blank in one cell are a plane: an array of words with 60 bits in use. The number of a
// position has mixed radices; the digits are those of the Lehmer code of its tiles, and the last three of them choose the
// bit. A horizontal move leaves the number as it is. A vertical move brings a tile past the others of a row and changes
// as many digits, so it is a table: of words if the digits belong to the word (carry), otherwise of bits within a group
// of neighbouring words (turn). No digit is computed. Host code adds up the planes from which a plane is reached, and
// `sift` leaves the positions that are new.
//
//     number   | d0 d1 d2 d3 d4 d5 | d6 d7 d8 |    a board of 4 rows and 3 columns: 332,640 words of 60 bits a plane
//                 word                 bit         (d9 and d10 follow from the parity)
//
// A group belongs to one thread, and a word goes to one word, so nothing is written twice at once. A word costs two reads
// and a write; `turn` reads 2 bytes of a small table for each position.

#define WORD_BITS 64

// One thread per word. The words are values of a block of digits with `inner` words each, again and again.
extern "C" __global__ void __launch_bounds__(BLOCK) carry(int first, int last, int values, int inner,
        const int* __restrict__ to /*[values]*/, const u64* __restrict__ source /*[last]*/,
        u64* __restrict__ into /*[last] changed*/) {
    EACH_ITEM(word, 1) {
        const u64 bits = source[word];
        if (!bits) continue;
        const int run = word / inner, value = run % values;
        into[int(word) + (to[value] - value) * inner] |= bits;
    }
}

// One thread per group of words.
extern "C" __global__ void __launch_bounds__(BLOCK) turn(int first, int last, int words, int bits, int parity,
        const u8* __restrict__ odd /*[last]*/, const u16* __restrict__ to /*[2][bits]*/,
        const u64* __restrict__ source /*[last * words]*/, u64* __restrict__ into /*[last * words] changed*/) {
    EACH_ITEM(group, 1) {
        const u16* after = to + (odd[group] ^ parity) * bits;
        const i64 base = i64(group) * words;
        for (int word = 0; word < words; ++word)
            for (u64 left = source[base + word]; left; left &= left - 1) {
                const u32 there = after[word * WORD_BITS + __ffsll(left) - 1];
                into[base + there / WORD_BITS] |= 1ull << there % WORD_BITS;
            }
    }
}

// One thread per word: what was reached, but is neither in the level from which it was reached nor in the one before
// it, is the next level, and replaces the level before. `counts` is the number of its positions.
extern "C" __global__ void __launch_bounds__(BLOCK) sift(int first, int last, const u64* __restrict__ reached /*[last]*/,
        const u64* __restrict__ now /*[last]*/, u64* __restrict__ level /*[last] changed*/,
        u8* __restrict__ counts /*[last]*/) {
    EACH_ITEM(word, 1) {
        const u64 fresh = reached[word] & ~(now[word] | level[word]);
        level[word] = fresh;
        counts[word] = __popcll(fresh);
    }
}
