"""Whole games by `joint`: the kernel `joint`, which judges each guess over all boards and looks ahead by playouts."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.columns import WIDTH
from gpusolve.games.quordle.cpu.costs import (
    NO_WORD,
    SOLVED,
    _add_costs,
    _add_weighed_costs,
    _cost_of,
    _least,
    _weigh,
    _weighed_cost_of,
    counters_for,
)
from gpusolve.games.quordle.cpu.playouts import look_ahead, workspace_for
from gpusolve.games.quordle.rules import MOST_AHEAD, MOST_FITS


@compiled
def joint(
    first,
    last,
    codes,
    columns,
    dictionary,
    own,
    among,
    answers,
    opener,
    opening,
    members,
    starts,
    sizes,
    masses,
    weighted,
    nlogn,
    solve,
    careful,
    spare,
    hidden,
    boards,
    guesses,
    turns,
    guessed,
    judged,
    scratch,
):
    sums = np.empty(codes.shape[1], np.int32)
    work = workspace_for(codes, MOST_AHEAD * MOST_FITS, 0, nlogn, weighted)
    mass = np.empty((boards, answers if weighted else 0), np.uint16)
    totals = np.empty(boards, np.int64)
    before = np.empty(WIDTH, np.uint16)
    cells = counters_for(codes)
    fits = np.empty((boards, answers), np.int64)
    count = np.empty(boards, np.int64)
    for game in range(first, last):
        costs = judged[game]
        count[:] = answers
        turns[game] = 0
        guessed[game] = NO_WORD
        unsolved = boards
        turn = 0
        while turn < guesses and unsolved:
            guess = np.int64(opener)
            if turn:
                share = careful if guesses - turn - unsolved < spare else solve
                if weighted:
                    for board in range(boards):
                        totals[board] = _weigh(fits[board, : count[board]], masses, weighted, mass[board])
                guess = _known(among, fits, count, own, weighted, mass, totals, nlogn, share, cells)
                if guess < 0:
                    costs[:] = 0
                    for board in range(boards):
                        if turn == 1 and count[board]:
                            _add_row(opening[codes[hidden[game, board], opener]], costs)
                        elif count[board] > 1 and weighted:
                            _add_weighed_costs(
                                codes,
                                fits[board, : count[board]],
                                mass[board],
                                totals[board],
                                nlogn,
                                dictionary,
                                costs,
                                sums,
                                before,
                            )
                        elif count[board] > 1:
                            _add_costs(codes, fits[board, : count[board]], nlogn, dictionary, costs, sums)
                    for board in range(boards):
                        for i in range(count[board]):
                            if weighted:
                                costs[own[fits[board, i]]] -= share * np.int64(mass[board, i]) // totals[board]
                            else:
                                costs[own[fits[board, i]]] -= share // count[board]
                    guess = _least(costs, dictionary)
                    if share == solve and unsolved <= MOST_AHEAD and _largest(count) <= MOST_FITS:
                        words, counts = _unsolved(fits, count)
                        least = costs[guess]
                        guess = look_ahead(
                            codes, dictionary, own, among, masses, solve, words, counts, costs, least, work
                        )
            guessed[game, turn] = guess
            for board in range(boards):
                if not count[board]:
                    continue
                code = codes[hidden[game, board], guess]
                kept = np.int64(0)
                if turn == 0:
                    kept = np.int64(sizes[code])
                    for i in range(kept):
                        fits[board, i] = members[starts[code] + i]
                else:
                    for i in range(count[board]):
                        if codes[fits[board, i], guess] == code:
                            fits[board, kept] = fits[board, i]
                            kept += 1
                if code == SOLVED:
                    kept = np.int64(0)
                    turns[game, board] = turn + 1
                    unsolved -= 1
                count[board] = kept
            turn += 1


@compiled
def _add_row(row, costs):
    for g in range(len(costs)):
        costs[g] += row[g]


@compiled
def _known(among, fits, count, own, weighted, mass, totals, nlogn, share, cells):
    """Return the cheapest guess among the boards that have one word left (ties go to the first); -1 for none."""
    best, least = np.int64(-1), np.int64(0)
    for single in range(len(count)):
        if count[single] != 1:
            continue
        word, cost = fits[single, 0], np.int64(0)
        for board in range(len(count)):
            fit = fits[board, : count[board]]
            if weighted and len(fit) > 1:
                cost += _weighed_cost_of(among, fit, word, nlogn, mass[board], totals[board], cells)
            elif len(fit) > 1:
                cost += _cost_of(among, fit, word, nlogn, cells)
            for i in range(len(fit)):
                if fit[i] == word:
                    cost -= share * np.int64(mass[board, i]) // totals[board] if weighted else share // len(fit)
        guess = np.int64(own[word])
        if best < 0 or cost < least or (cost == least and guess < best):
            best, least = guess, cost
    return best


@compiled
def _largest(count):
    most = count[0]
    for n in count:
        most = max(most, n)
    return most


@compiled
def _unsolved(fits, count):
    """Return the words of the unsolved boards, board after board, and their number on each board."""
    counts = count[count > 0]
    words = np.empty(counts.sum(), np.int64)
    row = 0
    for board in range(len(count)):
        for i in range(count[board]):
            words[row] = fits[board, i]
            row += 1
    return words, counts
