"""What a hand of the card game can lay down, and rounds played to their end by simple players.

A hand after a draw has at most eleven cards, so a set of its cards is a number of eleven bits. Each kind of card has a
random number of 64 bits, and a word's key is the sum of the numbers of its cards, whatever their order. One pass over
the 2,048 sets, each a sum away from a smaller set, finds those that spell a word in a hash table of the dictionary.

`layings` then builds up all ways to lay cards down: the sets whose highest card is card i are those from 2^i to
2^(i + 1) - 1, and each of them is a word with card i and a set without it. For each set and number of words, a bit for
each length tells how long the longest word can be. A hand of eleven cards takes 0.4 ms.

There is no kernel for CUDA: a round is a long chain of small decisions, each of which depends on the one before.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.runs.seeds import GOLDEN

MOST_CARDS = 11
SETS = 1 << MOST_CARDS
COUNTS = MOST_CARDS + 1  # numbers of words
KINDS = 31
DECK = 118
MOST_TURNS = 40  # of each player, after which a round ends as if the player before had gone out
NEVER = -(1 << 30)
KEYS = np.array(
    [((k + 1) * GOLDEN * 0xBF58476D1CE4E5B9 + (k + 1) ** 7 * 0x94D049BB133111EB) % 2**64 for k in range(KINDS)],
    np.uint64,
)


@compiled
def keys_of(rows):
    """Return the key of each collection of cards in `rows`, kinds padded with numbers above 30."""
    keys = np.zeros(len(rows), np.uint64)
    for i in range(len(rows)):
        for j in range(rows.shape[1]):
            if rows[i, j] < KINDS:
                keys[i] += KEYS[rows[i, j]]
    return keys


@compiled
def table_of(keys):
    """Return a hash table of keys, with 0 for an empty place."""
    size = 1024
    while size < 2 * len(keys):
        size *= 2
    table = np.zeros(size, np.uint64)
    for i in range(len(keys)):
        place = np.int64(keys[i] >> np.uint64(20)) & (size - 1)
        while table[place] and table[place] != keys[i]:
            place = (place + 1) & (size - 1)
        table[place] = keys[i]
    return table


@compiled
def layings(cards, count, table, letters, ways):
    """Set bit n of ways[s, w] if the cards of set s make w words, of which the longest has n letters."""
    sums, lengths = np.empty(SETS, np.uint64), np.empty(SETS, np.int64)
    words, counts = np.empty(SETS, np.int64), np.zeros(SETS, np.int64)  # counts[s]: 1 + the most words of set s, or 0
    sums[0], lengths[0], counts[0] = 0, 0, 1
    ways[: 1 << count] = 0
    ways[0, 0] = 1
    mask = len(table) - 1
    for highest in range(count):
        half, found = 1 << highest, 0
        for s in range(half, 2 * half):
            sums[s] = sums[s - half] + KEYS[cards[highest]]
            lengths[s] = lengths[s - half] + letters[cards[highest]]
            place = np.int64(sums[s] >> np.uint64(20)) & mask
            while table[place] and table[place] != sums[s]:
                place = (place + 1) & mask
            if table[place]:
                words[found] = s
                found += 1
        for f in range(found):
            word = words[f]
            length = lengths[word]
            longer = ~np.uint32((1 << length) - 1)
            others = (half - 1) & ~word
            rest = others
            while True:  # all sets of the other cards below the highest
                for w in range(counts[rest]):
                    before = ways[rest, w]
                    if before:
                        ways[word | rest, w + 1] |= (before & longer) | (
                            np.uint32(before & ~longer != 0) << np.uint32(length)
                        )
                        counts[word | rest] = max(counts[word | rest], w + 2)
                if rest == 0:
                    break
                rest = (rest - 1) & others


@compiled
def kept(cards, count, values, ways, best):
    """Set best[d] to the most points that the other cards make if card d is discarded; values left count against it."""
    total = 0
    for i in range(count):
        total += values[cards[i]]
        best[i] = NEVER
    for s in range(1 << count):
        possible, points = False, 0
        for w in range(count + 1):
            possible |= ways[s, w] != 0
        if possible:
            for i in range(count):
                if s >> i & 1:
                    points += values[cards[i]]
            for i in range(count):
                if not s >> i & 1:
                    best[i] = max(best[i], 2 * points - (total - values[cards[i]]))


@compiled
def last(cards, count, values, ways, longest, most, laid):
    """Lay down what scores most if this is the last turn, and set `laid` to (score, letters, words, set, discarded).

    The score includes a bonus for a word longer than `longest`, and one for more words than `most`; a negative number
    stands for no such bonus.
    """
    total = 0
    for i in range(count):
        total += values[cards[i]]
    laid[0] = NEVER
    for s in range((1 << count) - 1):
        points, thrown = 0, -1
        for i in range(count):
            if s >> i & 1:
                points += values[cards[i]]
            elif thrown < 0 or values[cards[i]] > values[cards[thrown]]:
                thrown = i
        points = 2 * points - total + values[cards[thrown]]
        for w in range(count + 1):
            lengths = ways[s, w]
            length = 0
            while lengths:
                if lengths & np.uint32(1):
                    score = points + 10 * (longest >= 0 and length > longest) + 10 * (most >= 0 and w > most)
                    if score > laid[0]:
                        laid[0], laid[1], laid[2], laid[3], laid[4] = score, length, w, s, thrown
                lengths >>= np.uint32(1)
                length += 1


@compiled
def going_out(cards, count, values, ways, laid):
    """Set `laid` as `last` does to the way to go out with most points, then the longest word, then most words."""
    laid[0] = NEVER
    every = (1 << count) - 1
    for d in range(count):
        points = 0
        for i in range(count):
            if i != d:
                points += values[cards[i]]
        for w in range(count):
            lengths = ways[every ^ (1 << d), w]
            length = 0
            while lengths:
                if lengths & np.uint32(1) and (points, length, w) > (laid[0], laid[1], laid[2]):
                    laid[0], laid[1], laid[2], laid[3], laid[4] = points, length, w, every ^ (1 << d), d
                lengths >>= np.uint32(1)
                length += 1


@compiled
def takes(cards, size, top, is_last, longest, most, table, letters, values, ways):
    """Return whether a simple player takes the top card of the discard pile: if it makes more of the hand, or ends it.

    cards[size] is set to the card.
    """
    best, laid = np.empty(MOST_CARDS, np.int64), np.empty(5, np.int64)
    cards[size] = top
    layings(cards, size + 1, table, letters, ways)
    kept(cards, size + 1, values, ways, best)
    if is_last:
        last(cards, size + 1, values, ways, longest, most, laid)
        return laid[0] > best[size]
    going_out(cards, size + 1, values, ways, laid)
    return laid[0] > NEVER or best[:size].max() > best[size]


@compiled
def throws(cards, size, values, ways):
    """Return the card that a simple player discards: the others make most points, and it has the highest value."""
    best = np.empty(MOST_CARDS, np.int64)
    kept(cards, size + 1, values, ways, best)
    thrown = 0
    for i in range(1, size + 1):
        if (best[i], values[cards[i]]) > (best[thrown], values[cards[thrown]]):
            thrown = i
    return thrown


@compiled
def round_scores(points, lengths, counts, scores):
    """Set `scores` to the points that each player laid down, with the bonuses of the round."""
    for p in range(len(points)):
        longest, most = lengths[p] > 0, counts[p] > 0
        for other in range(len(points)):
            if other != p:
                longest &= lengths[p] > lengths[other]
                most &= counts[p] > counts[other]
        scores[p] = points[p] + 10 * longest + 10 * most


@compiled
def play_on(hands, size, drawn, action, stock, gone, table, letters, values, scores):
    """Play a round to its end by simple players, and set `scores`.

    Parameters
    ----------
    hands : uint8 (players, 11)
        Player 0 is to move, and has size + 1 cards if `drawn`.
    action : int64 (6,)
        The first action of player 0: 0 for a card of the stock, 1 for the top of the discard pile, -1 for what a simple
        player does; then the card to discard, -1 likewise; and whether to go out, with which score, letters and words.
    stock : uint8 (cards,)
        From the first card to the last.
    gone : uint8 (cards,)
        The discard pile, its top last.
    """
    players, next_card, left = len(hands), 0, len(stock)
    draws = np.empty(DECK, np.uint8)
    draws[:left] = stock
    pile, high = np.empty(DECK, np.uint8), len(gone)
    pile[:high] = gone
    ways = np.empty((SETS, COUNTS), np.uint32)
    laid = np.empty(5, np.int64)
    points, lengths, counts = np.zeros(players, np.int64), np.zeros(players, np.int64), np.zeros(players, np.int64)
    longest, most, out = 0, 0, -1
    turn, turns = 0, 0
    while turn != out:
        cards, first = hands[turn], turns == 0
        ready = first and drawn
        if not ready:
            take = False
            if first and action[0] >= 0:
                take = action[0] == 1
                if take:
                    cards[size] = pile[high - 1]
                    layings(cards, size + 1, table, letters, ways)
            elif high:
                take = takes(cards, size, pile[high - 1], out >= 0, longest, most, table, letters, values, ways)
            if take:
                high -= 1
            else:
                if next_card == left:  # turn the pile over
                    draws[: high - 1] = pile[: high - 1]
                    next_card, left = 0, high - 1
                    pile[0] = pile[high - 1]
                    high = 1
                cards[size] = draws[next_card]
                next_card += 1
                layings(cards, size + 1, table, letters, ways)
        else:
            layings(cards, size + 1, table, letters, ways)
        ends = False
        if out >= 0:
            last(cards, size + 1, values, ways, longest, most, laid)
            laid[0] -= 10 * (laid[1] > longest) + 10 * (laid[2] > most)
            ends = True
        elif first and action[1] >= 0:
            laid[4] = action[1]
            if action[2]:
                laid[0], laid[1], laid[2] = action[3], action[4], action[5]
                ends = True
        else:
            going_out(cards, size + 1, values, ways, laid)
            ends = laid[0] > NEVER
            if not ends:
                laid[4] = throws(cards, size, values, ways)
        turns += 1
        if not ends and turns >= MOST_TURNS * players:  # nobody can go out: everyone lays down what there is
            last(cards, size + 1, values, ways, longest, most, laid)
            laid[0] -= 10 * (laid[1] > longest) + 10 * (laid[2] > most)
            ends = True
        if ends:
            points[turn], lengths[turn], counts[turn] = laid[0], laid[1], laid[2]
            longest, most = max(longest, laid[1]), max(most, laid[2])
            if out < 0:
                out = turn
        thrown = laid[4]
        pile[high] = cards[thrown]
        high += 1
        cards[thrown] = cards[size]
        turn = (turn + 1) % players
    round_scores(points, lengths, counts, scores)


@compiled
def playouts(hand, count, size, players, drawn, actions, decks, gone, table, letters, values, scores):
    """Play each action on with each order of the unseen cards: scores int64 (actions, samples, players).

    In `decks`, uint8 (samples, cards), the hands of the other players come first, and then the stock.
    """
    hands = np.empty((players, MOST_CARDS), np.uint8)
    for a in range(len(actions)):
        for s in range(len(decks)):
            deck = decks[s]
            hands[0, :count] = hand[:count]
            for p in range(1, players):
                hands[p, :size] = deck[(p - 1) * size : p * size]
            play_on(
                hands, size, drawn, actions[a], deck[(players - 1) * size :], gone, table, letters, values, scores[a, s]
            )
