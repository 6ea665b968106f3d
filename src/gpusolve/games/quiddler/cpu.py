"""The Numba twins of ``kernels/quiddler.cu``: same names, same arguments, same results to the bit.

The ``.cu`` file explains the idea and the layout. A GPU gives a block to a deal and goes through the sets of cards by
their size. Here one thread goes through them in descending order, with the sets that have the same top cards together,
so that it looks up only once for 256 sets what the words need of the top row.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import trailing_zeros

CARDS = 16
KINDS = 31
NO_CARD = 255
STATES = 1 << CARDS
NEVER = -(1 << 30)

ONES = np.bitwise_count(np.arange(256)).astype(np.int64)
# AT_MOST[s, n]: the numbers of six bits that have at most n ones in common with s, as a bitmap.
_BITS = np.arange(64, dtype=np.uint64)
_IN_COMMON = np.bitwise_count(_BITS[:, None, None] & _BITS) <= np.arange(7)[:, None]
AT_MOST = (_IN_COMMON << _BITS).sum(axis=2, dtype=np.uint64)


@compiled
def card_sets(first, last, deals, kinds, spelled, spellings, sets):
    fitting = np.empty(spellings, np.int32)
    cards_of = np.zeros(KINDS, np.int64)
    for d in range(first, last):
        cards_of[:] = 0
        absent = np.uint32((1 << KINDS) - 1)
        for i in range(CARDS):
            kind = deals[d, i]
            if kind != NO_CARD:
                cards_of[kind] |= 1 << i
                absent &= ~(np.uint32(1) << np.uint32(kind))
        count = 0
        for s in range(spellings):  # no branch: about one in a hundred fits, and nothing predicts which
            fitting[count] = s
            count += (kinds[s] & absent) == 0
        bitmap = sets[d]
        bitmap[:] = 0
        for f in range(count):
            row = spelled[fitting[f]]
            chosen = _first_set(row, cards_of)
            while chosen:
                bitmap[chosen >> 5] |= np.uint32(1) << np.uint32(chosen & 31)
                chosen = _next_set(row, cards_of, chosen)


@compiled
def best_bonus(first, last, deals, letters, bonus, piles, words, sets, reached):
    top_letters, bottom_letters = np.empty(256, np.int64), np.empty(256, np.int64)
    gains = np.empty((CARDS + 1, 256), np.uint32)  # letters of the top cards, bottom cards -> bonus
    lefts = np.empty(256, np.int64)  # reached sets of bottom cards with one set of top cards
    allowed = np.empty((256, 4), np.uint64)
    for d in range(first, last):
        _sum_of_subsets(deals[d], 8, letters, top_letters)
        _sum_of_subsets(deals[d], 0, letters, bottom_letters)
        for n in range(CARDS + 1):
            for bottom in range(256):
                gains[n, bottom] = bonus[n + bottom_letters[bottom]]
        dealt = 0
        for i in range(CARDS):
            dealt |= (deals[d, i] != NO_CARD) << i
        spelled = sets[d].view(np.uint64)
        reached[d] = 0
        reached[d, 0, dealt] = 1
        for word in range(max(words, 1)):
            sources, targets = reached[d, word], reached[d, word + (words > 0)]
            top = dealt >> 8
            while True:
                source, target = sources[256 * top : 256 * top + 256], targets[256 * top : 256 * top + 256]
                # Words of bottom cards alone come first, because they change this row itself.
                count = 0
                for bottom in range(255, -1, -1):
                    if source[bottom]:
                        lefts[count] = bottom
                        _playable(top, bottom, piles, allowed[count])
                        _play(spelled[:4], allowed[count], bottom, source[bottom], gains[0], target)
                        count += 1
                # Then one pass for each set of top cards that words take; its rows stay in the first-level cache.
                taken = top
                while taken:
                    need = spelled[4 * taken : 4 * taken + 4]
                    if need[0] | need[1] | need[2] | need[3]:
                        gain = gains[top_letters[taken]]
                        target = targets[256 * (top ^ taken) : 256 * (top ^ taken) + 256]
                        for f in range(count):
                            _play(need, allowed[f], lefts[f], source[lefts[f]], gain, target)
                    taken = (taken - 1) & top
                if top == 0:
                    break
                top = (top - 1) & dealt >> 8


@compiled
def outcome(first, last, deals, values, words, reached, best, best_all, states):
    top_values, bottom_values = np.empty(256, np.int64), np.empty(256, np.int64)
    for d in range(first, last):
        _sum_of_subsets(deals[d], 8, values, top_values)
        _sum_of_subsets(deals[d], 0, values, bottom_values)
        total = top_values[255] + bottom_values[255]
        most, count = np.int64(NEVER), 0
        most_all = np.int64(NEVER)
        for word in range(words + 1):
            bonus = reached[d, word]
            for top in range(256):
                row = bonus[256 * top : 256 * top + 256]
                most_of_row = np.int64(NEVER)
                for bottom in range(256):
                    reached_here = row[bottom] > 0
                    count += reached_here
                    value = np.int64(row[bottom]) - 2 * bottom_values[bottom]
                    most_of_row = max(most_of_row, value if reached_here else np.int64(NEVER))
                most = max(most, most_of_row - 2 * top_values[top])
            if bonus[0]:
                most_all = max(most_all, np.int64(bonus[0]) - 1 + total)
        best[d] = most - 1 + total
        best_all[d] = most_all
        states[d] = count


@compiled
def _first_set(row, cards_of):
    """Return the lowest set of cards of the kinds in `row`, a word's kinds in ascending order; 0 for too few cards."""
    chosen, kind, left = 0, NO_CARD, 0
    for i in range(CARDS):
        if row[i] == NO_CARD:
            break
        if row[i] != kind:
            kind = row[i]
            left = cards_of[kind]
        if left == 0:
            return 0
        chosen |= left & -left
        left &= left - 1
    return chosen


@compiled
def _next_set(row, cards_of, chosen):
    """Return the set of these kinds after `chosen`, 0 after the last. Each kind is a digit, as in an odometer."""
    i = 0
    while i < CARDS and row[i] != NO_CARD:
        alike = cards_of[row[i]]
        digit = chosen & alike
        # The next number with the same number of ones within `alike`: add the lowest one, let the carry pass over the
        # other bits, and put the ones that were lost back at the lower end.
        following = ((digit | ~alike) + (digit & -digit)) & alike
        lost, rest = digit, following
        while rest:
            rest &= rest - 1
            lost &= lost - 1
        carried = following < digit
        if carried:
            following, lost = 0, digit
        low = alike
        while lost:
            following |= low & -low
            low &= low - 1
            lost &= lost - 1
        chosen ^= digit ^ following
        if not carried:
            return chosen
        kind = row[i]
        while i < CARDS and row[i] == kind:
            i += 1
    return 0


@compiled
def _sum_of_subsets(deal, base, amounts, sums):
    """Set sums[s] to the sum of `amounts` over the cards base + i of the deal, for each bit i of s that is set."""
    sums[0] = 0
    for i in range(8):
        kind = deal[base + i]
        amount = amounts[kind] if kind != NO_CARD else 0
        for s in range(1 << i):
            sums[s | 1 << i] = sums[s] + amount


@compiled
def _playable(top, bottom, piles, allowed):
    """Set `allowed` to the bitmap of the sets of bottom cards that a word can take if `top` and `bottom` are left."""
    empty = piles - ONES[top | bottom]
    full = top & bottom
    for quarter in range(4):
        room = empty - ONES[full & quarter << 6]
        if quarter & ~(bottom >> 6) or room < 0:
            allowed[quarter] = 0
        else:
            allowed[quarter] = AT_MOST[~bottom & 63, 0] & AT_MOST[full & 63, min(room, 6)]


@compiled
def _play(need, allowed, bottom, value, gain, target):
    """Play every allowed set of bottom cards in the bitmap `need`, and raise the bonus that `target` has after it."""
    for quarter in range(4):
        playable = need[quarter] & allowed[quarter]
        while playable:
            cards = quarter << 6 | trailing_zeros(playable)
            playable &= playable - np.uint64(1)
            target[bottom ^ cards] = max(target[bottom ^ cards], value + gain[cards])
