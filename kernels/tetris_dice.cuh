// tetris_dice.cuh: the pieces of a game, its level and its points.
//
// The idea. A game draws its pieces from a counting generator that the seed and the number of the game determine, so
// that it is the same on every device and in any batch. A draw takes a few products of 64 bits. The console's own
// source is a shift register of 16 bits, which takes 16 to 31 steps between two pieces.
//
// The data. The dice are four numbers, in registers while a piece is drawn and in memory between two turns.

__constant__ int LINE_POINTS[5] = {0, 40, 100, 300, 1200};
__constant__ int NES_ORDER[7] = {3, 2, 4, 6, 5, 1, 0};       // T J Z O S L I
__constant__ int NES_IDS[7] = {2, 7, 8, 10, 11, 14, 18};

// The source of a game's pieces: a counting generator, the console's register and count, the piece before (7: none).
struct Dice { u64 state; u32 reg, count, previous; };

// SplitMix64's output function (Steele, Lea and Flood 2014).
__device__ u64 mix(u64 x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

#define GOLDEN 0x9e3779b97f4a7c15ull

__device__ u32 draw(Dice& dice) { return u32(mix(dice.state += GOLDEN) >> 32); }

__device__ u32 lfsr(u32 v) { return v >> 1 | ((v >> 1 ^ v >> 9) & 1) << 15; }

__device__ Dice seed_dice(u64 seed, int game, int source) {
    Dice dice = {mix(mix(seed + GOLDEN) + u64(i64(game)) * GOLDEN), 0, 0, 7};
    if (source) dice.reg = (draw(dice) % 32767 + 1) << 1;
    return dice;
}

// uniform8: 0 to 7, drawn again from 0 to 6 for 7 or the piece before. nes: the console's register
// after 16 to 31 frames.
__device__ int next_piece(Dice& dice, int source) {
    if (source == 0) {
        u32 piece = draw(dice) >> 29;
        if (piece == dice.previous || piece == 7) piece = u32(u64(draw(dice)) * 7 >> 32);
        dice.previous = piece;
        return int(piece);
    }
    for (u32 frames = 16 + (draw(dice) & 15); frames; --frames) dice.reg = lfsr(dice.reg);
    u32 piece = ((dice.reg >> 8) + ++dice.count) & 7;
    if (piece == dice.previous || piece == 7) {
        dice.reg = lfsr(dice.reg);
        piece = ((dice.reg >> 8 & 7) + (dice.previous < 7 ? u32(NES_IDS[dice.previous]) : 0)) % 7;
    }
    dice.previous = piece;
    return NES_ORDER[piece];
}

// Convert the dice of a game to four words and back.
__device__ void store(const Dice& dice, u64* words) {
    words[0] = dice.state, words[1] = dice.reg, words[2] = dice.count, words[3] = dice.previous;
}
__device__ Dice load_dice(const u64* words) { return {words[0], u32(words[1]), u32(words[2]), u32(words[3])}; }

__device__ int level_at(int lines, int start) {
    const int first = min(10 * start + 10, max(100, 10 * start - 50));
    return lines < first ? start : start + 1 + (lines - first) / 10;
}
