// Baselines for benchmarks/wordle.py, compiled with `gcc -O3 -march=native`: the same loops as in the Numba kernels, and
// patterns computed by comparing letters.
#include <stdint.h>
#include <string.h>

// The same method as in the kernels: a pattern is the sum of the terms of the guess.
static void add_terms(const int32_t *guess, const uint8_t *terms, long columns, long size, uint8_t *restrict row) {
    const uint8_t *t0 = terms + guess[0] * columns, *t1 = terms + guess[1] * columns, *t2 = terms + guess[2] * columns,
                  *t3 = terms + guess[3] * columns, *t4 = terms + guess[4] * columns;
    for (long j = 0; j < size; j++) row[j] = t0[j] + t1[j] + t2[j] + t3[j] + t4[j];
}

void patterns(long first, long last, const int32_t *guess_terms, const uint8_t *terms, long columns, uint8_t *out) {
    for (long g = first; g < last; g++) add_terms(guess_terms + 5 * g, terms, columns, columns, out + g * columns);
}

void partition(long first, long last, const int32_t *guess_terms, const uint8_t *terms, long columns, long size,
               const int64_t *nlogn, int32_t *n_patterns, int32_t *largest, int64_t *sum_squares, int64_t *sum_nlogn,
               uint8_t *contains) {
    uint8_t row[columns + 8];
    static _Thread_local int32_t cells[4][256];
    for (long g = first; g < last; g++) {
        add_terms(guess_terms + 5 * g, terms, columns, size, row);
        memset(cells, 0, sizeof cells);
        for (long k = 0; k < size / 8; k++) {
            uint64_t eight;
            memcpy(&eight, row + 8 * k, 8);
            for (int b = 0; b < 8; b++, eight >>= 8) cells[b & 3][eight & 255]++;
        }
        for (long j = size / 8 * 8; j < size; j++) cells[0][row[j]]++;
        int32_t occur = 0, most = 0;
        int64_t squares = 0, logs = 0;
        for (int c = 0; c < 243; c++) {
            int32_t n = cells[0][c] + cells[1][c] + cells[2][c] + cells[3][c];
            occur += n > 0;
            most = n > most ? n : most;
            squares += (int64_t)n * n;
            logs += nlogn[n];
            cells[0][c] = n;
        }
        n_patterns[g] = occur, largest[g] = most, sum_squares[g] = squares, sum_nlogn[g] = logs;
        contains[g] = cells[0][242] > 0;
    }
}

// Words of six to ten letters: patterns of 16 bits.
void patterns_16(long first, long last, const int32_t *guess_terms, long length, const uint16_t *terms, long columns,
                 uint16_t *out) {
    for (long g = first; g < last; g++) {
        const int32_t *guess = guess_terms + length * g;
        const uint16_t *t0 = terms + guess[0] * columns, *t1 = terms + guess[1] * columns, *t2 = terms + guess[2] * columns,
                       *t3 = terms + guess[3] * columns, *t4 = terms + guess[4] * columns, *t5 = terms + guess[5] * columns;
        uint16_t *restrict row = out + g * columns;
        for (long j = 0; j < columns; j++) row[j] = t0[j] + t1[j] + t2[j] + t3[j] + t4[j] + t5[j];
        for (long i = 6; i < length; i++) {
            const uint16_t *more = terms + guess[i] * columns;
            for (long j = 0; j < columns; j++) row[j] += more[j];
        }
    }
}

// Their statistics over the answers `members`: `number` has a zero for each of the `cells` patterns, and keeps them.
void measure_16(long guesses, long size, const int64_t *members, const uint16_t *matrix, long columns, long cells,
                const int64_t *nlogn, int32_t *number, int32_t *n_patterns, int32_t *largest, int64_t *sum_squares, int64_t *sum_nlogn,
                uint8_t *contains) {
    for (long g = 0; g < guesses; g++) {
        const uint16_t *row = matrix + g * columns;
        int32_t occur = 0, most = 0;
        int64_t squares = 0, logs = 0;
        for (long j = 0; j < size; j++) {
            int32_t n = ++number[row[members[j]]];
            occur += n == 1;
            most = n > most ? n : most;
            squares += 2 * n - 1;
            logs += nlogn[n] - nlogn[n - 1];
        }
        contains[g] = number[cells - 1] > 0;
        for (long j = 0; j < size; j++) number[row[members[j]]] = 0;
        n_patterns[g] = occur, largest[g] = most, sum_squares[g] = squares, sum_nlogn[g] = logs;
    }
}

// Patterns computed by comparing letters. The answers are five rows of letters, masks are bytes 0 or 1, and the loop over
// the letters of the guess is unrolled. Letter i is yellow if the answer has this letter at more positions that are not
// green (OPEN) than letters before i have used.
#define OPEN(i, k) ((uint8_t)(a##k == w[i]) & n##k)
#define YELLOW(i) (n##i & (uint8_t)((before[i][0] & n0) + (before[i][1] & n1) + (before[i][2] & n2) + (before[i][3] & n3) \
                   < OPEN(i, 0) + OPEN(i, 1) + OPEN(i, 2) + OPEN(i, 3) + OPEN(i, 4)))
void patterns_by_comparing(long first, long last, const uint8_t *guesses, const uint8_t *answers, long columns,
                           uint8_t *out) {
    const uint8_t *r0 = answers, *r1 = r0 + columns, *r2 = r1 + columns, *r3 = r2 + columns, *r4 = r3 + columns;
    for (long g = first; g < last; g++) {
        const uint8_t w[5] = {guesses[5 * g], guesses[5 * g + 1], guesses[5 * g + 2], guesses[5 * g + 3], guesses[5 * g + 4]};
        uint8_t before[5][4];  // [i][k]: the guess has the same letter at position k < i
        for (int i = 0; i < 5; i++)
            for (int k = 0; k < 4; k++) before[i][k] = k < i && w[k] == w[i];
        uint8_t *restrict row = out + g * columns;
        for (long j = 0; j < columns; j++) {
            const uint8_t a0 = r0[j], a1 = r1[j], a2 = r2[j], a3 = r3[j], a4 = r4[j];
            const uint8_t n0 = a0 != w[0], n1 = a1 != w[1], n2 = a2 != w[2], n3 = a3 != w[3], n4 = a4 != w[4];
            row[j] = 2 * (1 - n0) + YELLOW(0) + 3 * (2 * (1 - n1) + YELLOW(1)) + 9 * (2 * (1 - n2) + YELLOW(2)) +
                     27 * (2 * (1 - n3) + YELLOW(3)) + 81 * (2 * (1 - n4) + YELLOW(4));
        }
    }
}
