"""Random games, and games played by the simple strategies: the kernels `deals` and `games`.

A GPU checks the whole history for each word. Here a board keeps a byte for each word, and comparing a row of patterns
with one pattern takes a few vector instructions for 64 words.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount

NO_WORD = 0xFFFF
MOST_BOARDS = 32
ALIGN = 64
RANDOM, LEAST_CORRECT, MOST_CORRECT, FEWEST_REMAINING, MOST_REMAINING = 1, 2, 3, 4, 5
GREENS = (np.arange(3**5)[:, None] // 3 ** np.arange(5) % 3 == 2).sum(axis=1)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@inlined
def _mix(x):
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return x ^ x >> np.uint64(31)


@inlined
def _draw(seed, number, i):
    state = _mix(np.uint64(seed) + GOLDEN) ^ np.uint64(number)
    return _mix(_mix(state + GOLDEN) + np.uint64(i + 1) * GOLDEN)


@compiled
def deals(first, last, seed, number, boards, answers, ends, weighted, hidden):
    taken = np.empty(MOST_BOARDS, np.int64)  # in ascending order
    for game in range(first, last):
        left = np.int64(ends[answers - 1]) if weighted else answers
        for i in range(boards):
            place = np.int64(_draw(seed, np.uint64(number) + np.uint64(game), i) % np.uint64(left))
            k = 0
            if weighted:
                while k < i and _begin(ends, taken[k]) <= place:
                    place += np.int64(ends[taken[k]]) - _begin(ends, taken[k])
                    k += 1
                place = _word_at(ends, answers, place)
                left -= np.int64(ends[place]) - _begin(ends, place)
            else:
                while k < i and taken[k] <= place:
                    place += 1
                    k += 1
                left -= 1
            for j in range(i, k, -1):
                taken[j] = taken[j - 1]
            taken[k] = place
            hidden[game, i] = place


@inlined
def _word_at(ends, answers, place):
    """Return the first word whose sum of weights is above `place`."""
    low, high = np.int64(0), np.int64(answers - 1)
    while low < high:
        middle = (low + high) // 2
        if ends[middle] > place:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def _begin(ends, word):
    """Return the sum of the weights before a word."""
    return np.int64(ends[word - 1]) if word else np.int64(0)


@compiled
def games(
    first, last, shown, believed, words, columns, hidden, boards, guesses, strategy, seed, number, turns, guessed
):
    fitting = np.empty((boards, columns), np.uint8)  # 1 for the words that fit a board
    places = np.empty(boards, np.int64)
    left = np.empty(boards, np.int64)
    correct = np.empty(boards, np.int64)
    for game in range(first, last):
        places[:] = 0
        left[:] = words
        correct[:] = 0
        turns[game] = 0
        guessed[game] = NO_WORD
        unsolved = boards
        turn = 0
        while turn < guesses and unsolved:
            drawn = np.int64(0)
            if strategy == RANDOM:
                draws = _draw(seed, np.uint64(number) + np.uint64(game), MOST_BOARDS + turn)
                drawn = np.int64(draws % np.uint64(unsolved))
            chosen = _choose(turns[game], boards, strategy, drawn, correct, left)
            if turn == 0:
                guess = np.int64(0)
            else:
                guess = _first(fitting[chosen], places[chosen])
                if guess == columns:
                    break
            places[chosen] = guess
            guessed[game, turn] = guess
            for board in range(boards):
                if turns[game, board]:
                    continue
                code = shown[guess, hidden[game, board]]
                correct[board] = _greens(np.int64(code))
                if guess == hidden[game, board]:
                    turns[game, board] = turn + 1
                    unsolved -= 1
                else:
                    start = places[board] // ALIGN * ALIGN  # no earlier word fits
                    _narrow(fitting[board, start:], believed[guess, start:], code, turn == 0)
                    if strategy >= FEWEST_REMAINING:
                        left[board] = _count(fitting[board, start:])
            turn += 1


@inlined
def _greens(code):
    """Return the number of greens in a pattern of up to ten letters."""
    return GREENS[code] if code < 243 else GREENS[code % 243] + GREENS[code // 243]


@inlined
def _choose(turns, boards, strategy, drawn, correct, left):
    """Return the board whose proposal is guessed: the first unsolved one with the lowest value."""
    chosen, best, rank = -1, np.int64(0), 0
    for board in range(boards):
        if turns[board]:
            continue
        value = np.int64(rank != drawn)  # the lowest value is chosen
        rank += 1
        if strategy == LEAST_CORRECT:
            value = correct[board]
        elif strategy == MOST_CORRECT:
            value = -correct[board]
        elif strategy == FEWEST_REMAINING:
            value = left[board]
        elif strategy == MOST_REMAINING:
            value = -left[board]
        if chosen < 0 or value < best:
            chosen, best = board, value
    return chosen


@compiled
def _narrow(fitting, row, code, begin):
    """Keep only the words that fit this pattern too."""
    if begin:
        for j in range(len(fitting)):
            fitting[j] = row[j] == code
    else:
        for j in range(len(fitting)):
            fitting[j] &= np.uint8(row[j] == code)


@inlined
def _first(fitting, place):
    """Return the first word from `place` on that fits, looking at eight at a time; the number of columns for none."""
    while place < len(fitting) and place & 7 and not fitting[place]:
        place += 1
    if place & 7 == 0:
        eights = fitting.view(np.uint64)
        k = place // 8
        while k < len(eights) and eights[k] == 0:
            k += 1
        place = 8 * k
        while place < len(fitting) and not fitting[place]:
            place += 1
    return place


@compiled
def _count(fitting):
    """Return the number of words that fit."""
    eights = fitting.view(np.uint64)
    count = np.int64(0)
    for k in range(len(eights)):
        count += popcount(eights[k])
    return count
