"""One crossword of up to 144 tiles: words are added one by one, the hardest letters first.

A state is a grid and the tiles that are left. From it, the words that the tiles spell, with a few letters of the grid,
are ranked by the letters that they use up, and the best ones are tried where they fit. If none fits, the last word is
taken back. After a number of states the search gives up, and starts again with other random numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpusolve.backend.compiled import borrowing, compiled
from gpusolve.games.qless.cpu.hashing import is_known
from gpusolve.games.qless.cpu.letters import ALPHABET, NO_LETTER, WIDTH
from gpusolve.games.qless.rules import MAX_LETTERS, MOST_TILES

SIDE = 2 * (MOST_TILES + WIDTH) + 2
"""Rows and columns of the grid; the first word is in the middle."""
BLANK = ALPHABET
"""The index of blanks among the tiles."""
BRANCHES = 10
"""Moves that are tried from a state."""
RANKED = 64
"""Words of a state, at most, for which a place is looked for."""
CLOSE = 8
"""When this many tiles are left, words may lie side by side, and single tiles are moves."""
CROSSINGS = 2
"""Letters of the grid that a word may use besides those that can be spelled twice; only one while there are more tiles
than CLOSE and the grid need not be compact."""
MOST_DEPTH = MOST_TILES + 1
LINE = 1 << 16
"""What a row or a column adds to the measure of a grid."""
COST_OF_BLANK = 3.0
COST_OF_LINE = 0.6
"""What a blank, and a further row or column of a compact grid costs; a letter is worth 1 on average."""

MOVE = np.dtype([("score", np.float64), ("word", np.int64), ("start", np.int64), ("step", np.int64)])
"""A word and where it begins, or a single tile: its letter, as -1 - letter, and its cell."""
STATE = np.dtype(
    [
        ("moves", np.int64),  # number of moves
        ("next", np.int64),  # the next one to be tried
        ("word", np.int64),  # the word of the move that was tried last, -1 if there is none
        ("placed", np.int64),  # number of tiles on the grid
        ("begin", np.int64),  # its words in `active`
        ("end", np.int64),
        ("top", np.int64),
        ("left", np.int64),
        ("bottom", np.int64),
        ("right", np.int64),
    ]
)


class Words(NamedTuple):
    """The letters of the words, and the hash table of `Variant.known_words`."""

    letters: Any
    heads: Any
    tails: Any


class Rules(NamedTuple):
    """What is allowed, and what is wanted."""

    min_length: int
    touching: bool
    no_repeats: bool
    compact: bool
    most: int
    """The measure of the grid (`measure`) has to be smaller."""


class Search(NamedTuple):
    """What the functions of the search share."""

    words: Any
    rules: Any
    cells: Any
    """The letter in each cell from 1, 0 if there is none."""
    tiles: Any
    """How many tiles of each letter are left, and of blanks."""
    order: Any
    """The cells in the order in which they were filled."""
    blank: Any
    """Whether the tile in a cell of `order` is a blank."""
    here: Any
    """How many tiles of each letter are on the grid."""
    used: Any
    """How often each word was played."""
    states: Any
    moves: Any
    """The moves of each state."""
    active: Any
    """The words that can be spelled, state by state."""
    ranked: Any
    """The words that are ranked first."""
    scores: Any
    worth: Any
    """What it is worth to use up a letter."""
    share: Any
    """The share of each letter among the letters of all words."""
    random: Any


@compiled
def spelled(letters, tiles, more, found):
    """List the words that tiles spell if up to `more` of the letters are elsewhere; return how many there are."""
    left = tiles.copy()
    count = 0
    for word in range(len(letters)):
        missing = 0
        for i in range(WIDTH):
            letter = letters[word, i]
            if letter == NO_LETTER:
                break
            left[letter] -= 1
            missing += left[letter] < 0
        for i in range(WIDTH):
            letter = letters[word, i]
            if letter == NO_LETTER:
                break
            left[letter] += 1
        if missing <= more + tiles[BLANK]:
            found[count] = word
            count += 1
    return count


@compiled
def arrange(
    letters, heads, tails, usable, tiles, cells, min_length, touching, no_repeats, compact, most, seed, nodes
):  # fmt: skip
    """Add all tiles to the cells, and return 1; or return 0 after `nodes` states, -1 if there are no more states.

    `tiles` (int64, (27,)) and `cells` (uint8, (SIDE * SIDE,)) change: at the end they are what the search has reached.
    """
    room = 3 * len(usable) + 1
    search = Search(
        Words(letters, heads, tails), Rules(min_length, touching, no_repeats, compact, most), cells, tiles,
        np.empty(MOST_TILES, np.int64), np.zeros(MOST_TILES, np.bool_), np.zeros(ALPHABET, np.int64),
        np.zeros(len(letters), np.int64), np.zeros(MOST_DEPTH + 1, STATE), np.zeros((MOST_DEPTH + 1, BRANCHES), MOVE),
        np.empty(room, np.int32), np.empty(RANKED, np.int64), np.empty(RANKED, np.float64),
        np.empty(ALPHABET, np.float64), np.zeros(ALPHABET, np.float64), np.array([seed], np.uint64),
    )  # fmt: skip
    first = search.states[0]
    first.top = first.left = SIDE
    for cell in range(SIDE * SIDE):
        if cells[cell]:
            search.order[first.placed] = cell
            first.placed += 1
            search.here[cells[cell] - 1] += 1
            first.top, first.bottom = min(first.top, cell // SIDE), max(first.bottom, cell // SIDE)
            first.left, first.right = min(first.left, cell % SIDE), max(first.right, cell % SIDE)
    for k in range(len(usable)):
        search.active[k] = usable[k]
        for i in range(WIDTH):
            if letters[usable[k], i] == NO_LETTER:
                break
            search.share[letters[usable[k], i]] += 1
    total = 1.0
    for letter in range(ALPHABET):
        total += search.share[letter]
    for letter in range(ALPHABET):
        search.share[letter] = (search.share[letter] + 1) / total
    first.end, first.word = len(usable), -1
    depth, count = 0, 0
    if _left(search) == 0:
        return 1
    _find_moves(0, search)
    while depth >= 0:
        state = search.states[depth]
        if state.next == state.moves:
            depth -= 1
            if depth >= 0:
                _take_back(depth, search)
            continue
        _make(depth, search)
        depth += 1
        count += 1
        if _left(search) == 0:
            return 1
        if count >= nodes:
            return 0
        _find_moves(depth, search)
    return -1


@borrowing
def _left(search):
    """Return the number of tiles that are left."""
    total = 0
    for letter in range(BLANK + 1):
        total += search.tiles[letter]
    return total


@borrowing
def _random(search):
    """Return a random number from 0 to 1, by SplitMix64."""
    search.random[0] += np.uint64(0x9E3779B97F4A7C15)
    x = search.random[0]
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.float64((x ^ x >> np.uint64(31)) >> np.uint64(11)) / 2.0**53


# --- moves ------------------------------------------------------------------------------------------------------------


@borrowing
def _put(cell, letter, search, state):
    """Put a tile into a cell, if there is one, otherwise a blank."""
    search.order[state.placed] = cell
    search.blank[state.placed] = search.tiles[letter] == 0
    search.tiles[letter if search.tiles[letter] else BLANK] -= 1
    search.here[letter] += 1
    search.cells[cell] = letter + 1
    state.placed += 1
    row, column = cell // SIDE, cell % SIDE
    state.top, state.bottom = min(state.top, row), max(state.bottom, row)
    state.left, state.right = min(state.left, column), max(state.right, column)


@borrowing
def _make(depth, search):
    """Make the next move of the state at a depth."""
    state, deeper = search.states[depth], search.states[depth + 1]
    move = search.moves[depth, state.next]
    state.next += 1
    deeper.placed = state.placed
    deeper.top, deeper.left, deeper.bottom, deeper.right = state.top, state.left, state.bottom, state.right
    state.word = move.word
    if move.word < 0:
        _put(move.start, -1 - move.word, search, deeper)
        return
    search.used[move.word] += 1
    for i in range(WIDTH):
        letter = search.words.letters[move.word, i]
        if letter == NO_LETTER:
            break
        if search.cells[move.start + i * move.step] == 0:
            _put(move.start + i * move.step, letter, search, deeper)


@borrowing
def _take_back(depth, search):
    """Take back the move that was made from the state at a depth."""
    state, deeper = search.states[depth], search.states[depth + 1]
    if state.word >= 0:
        search.used[state.word] -= 1
    for i in range(state.placed, deeper.placed):
        letter = np.int64(search.cells[search.order[i]]) - 1
        search.tiles[BLANK if search.blank[i] else letter] += 1
        search.here[letter] -= 1
        search.cells[search.order[i]] = 0


@borrowing
def _find_moves(depth, search):
    """Rank the words of a state, and find the moves that are tried from it."""
    state = search.states[depth]
    state.moves = state.next = 0
    state.word = -1
    left = _left(search)
    ranked = _rank_words(depth, left, search)
    for k in range(ranked):
        if not search.rules.compact and state.moves == BRANCHES:
            break
        word, score = search.ranked[k], search.scores[k]
        if state.placed == 0:
            _add_move(depth, score, word, SIDE * (SIDE // 2) + SIDE // 2 - WIDTH // 2, 1, search)
            continue
        _place_word(depth, score, word, left, search)
    if state.placed and (left <= CLOSE or search.rules.compact):
        _place_tiles(depth, search)


@borrowing
def _rank_words(depth, left, search):
    """Keep the words of the state above that can be spelled, rank the best ones, and return how many these are."""
    state, letters = search.states[depth], search.words.letters
    above = search.states[max(depth - 1, 0)]
    begin, end = above.begin, above.end
    keeps = depth > 0 and end + (end - begin) <= len(search.active)  # else the list stays as it is
    state.begin, state.end = (end, end) if keeps else (begin, end)
    for letter in range(ALPHABET):
        search.worth[letter] = (search.tiles[letter] + 0.2) / (left * search.share[letter] + 0.5)
    crossings = 0 if state.placed == 0 else CROSSINGS if search.rules.compact or left <= CLOSE else 1
    ranked = 0
    for k in range(begin, end):
        word = np.int64(search.active[k])
        missing, score, cheapest, shares = 0, 0.0, 1e9, False
        for i in range(WIDTH):
            letter = letters[word, i]
            if letter == NO_LETTER:
                break
            if search.here[letter]:
                shares = True
                cheapest = min(cheapest, search.worth[letter])
            search.tiles[letter] -= 1
            if search.tiles[letter] < 0:
                missing += 1
            else:
                score += search.worth[letter]
        for i in range(WIDTH):
            letter = letters[word, i]
            if letter == NO_LETTER:
                break
            search.tiles[letter] += 1
        if missing > crossings + search.tiles[BLANK]:
            continue
        if keeps:
            search.active[state.end] = word
            state.end += 1
        if (state.placed and not shares) or (search.rules.no_repeats and search.used[word]):
            continue
        if missing == 0 and state.placed:
            score -= cheapest
        if missing > crossings:
            score -= COST_OF_BLANK * (missing - crossings)
        score *= 1 + 0.3 * _random(search)
        if ranked == RANKED and score <= search.scores[RANKED - 1]:
            continue
        at = min(ranked, RANKED - 1)
        while at and search.scores[at - 1] < score:
            search.scores[at], search.ranked[at] = search.scores[at - 1], search.ranked[at - 1]
            at -= 1
        search.scores[at], search.ranked[at] = score, word
        ranked = min(ranked + 1, RANKED)
    return ranked


@borrowing
def _add_move(depth, score, word, start, step, search):
    """Add a move to those of a state if it is among the best ones."""
    state, moves = search.states[depth], search.moves[depth]
    if state.moves == BRANCHES and score <= moves[BRANCHES - 1].score:
        return
    at = min(state.moves, BRANCHES - 1)
    while at and moves[at - 1].score < score:
        moves[at] = moves[at - 1]
        at -= 1
    moves[at].score, moves[at].word, moves[at].start, moves[at].step = score, word, start, step
    state.moves = min(state.moves + 1, BRANCHES)


@borrowing
def _place_word(depth, score, word, left, search):
    """Add the moves with a word: the first one that fits, or if the grid is to be compact, the best."""
    state, letters = search.states[depth], search.words.letters
    length = 0
    while letters[word, length] != NO_LETTER:
        length += 1
    for i in range(length):
        letter = letters[word, i]
        if search.here[letter] == 0:
            continue
        for k in range(state.placed):
            cell = search.order[k]
            if search.cells[cell] != letter + 1:
                continue
            for turn in range(2):
                step = SIDE if turn else 1
                if i and search.cells[cell - step] and letters[word, i - 1] + 1 == search.cells[cell - step]:
                    continue  # it was tried with the cell before
                start = cell - i * step
                new = _fits(start, step, word, length, left, search)
                if new == 0:
                    continue
                if not search.rules.compact:
                    _add_move(depth, score, word, start, step, search)
                    return
                end = start + (length - 1) * step
                if _measure(state, start, end) < search.rules.most:
                    _add_move(depth, score - _growth(state, start, end), word, start, step, search)


@borrowing
def _measure(state, begin, end):
    """Return the measure of a grid with a word from one cell to another: rows and columns first, then their product."""
    height = max(state.bottom, end // SIDE) - min(state.top, begin // SIDE) + 1
    width = max(state.right, end % SIDE) - min(state.left, begin % SIDE) + 1
    return (height + width) * LINE + height * width


@borrowing
def _growth(state, begin, end):
    """Return what it costs that a word from one cell to another makes the grid larger."""
    rows = max(state.bottom, end // SIDE) - state.bottom + state.top - min(state.top, begin // SIDE)
    columns = max(state.right, end % SIDE) - state.right + state.left - min(state.left, begin % SIDE)
    return COST_OF_LINE * (rows + columns)


@borrowing
def _fits(start, step, word, length, left, search):
    """Return the number of tiles that a word needs at a place, 0 if it does not fit there."""
    letters, cells, tiles = search.words.letters, search.cells, search.tiles
    if cells[start - step] or cells[start + length * step]:
        return 0
    other = SIDE + 1 - step
    apart = not search.rules.compact and left > CLOSE
    new, taken, blanks, fits = 0, 0, tiles[BLANK], True
    for i in range(length):
        cell, letter = start + i * step, letters[word, i]
        taken = i
        if cells[cell]:
            if cells[cell] != letter + 1:
                fits = False
                break
            continue
        if (cells[cell - other] or cells[cell + other]) and (apart or not _is_run(cell, other, letter, search)):
            fits = False
            break
        new += 1
        tiles[letter] -= 1
        taken = i + 1
        if tiles[letter] < 0:
            blanks -= 1
            if blanks < 0:
                fits = False
                break
    for i in range(taken):
        if cells[start + i * step] == 0:
            tiles[letters[word, i]] += 1
    return new if fits else 0


@borrowing
def _is_run(cell, step, letter, search):
    """Return whether the letters before and after a cell form a word with its letter, or may touch it."""
    cells = search.cells
    begin = cell
    while cells[begin - step]:
        begin -= step
    head, tail, length = np.uint64(0), np.uint64(0), 0
    while cells[begin] or begin == cell:
        here = np.uint64(letter + 1 if begin == cell else cells[begin])
        if length < 12:
            head |= here << np.uint64(5 * length)
        elif length < MAX_LETTERS:
            tail |= here << np.uint64(5 * (length - 12))
        else:
            return False
        length += 1
        begin += step
    if length == 2 and search.rules.touching:
        return True
    return length >= search.rules.min_length and is_known(search.words.heads, search.words.tails, head, tail)


@borrowing
def _place_tiles(depth, search):
    """Add the moves with a single tile beside others."""
    state, cells, tiles = search.states[depth], search.cells, search.tiles
    for k in range(state.placed):
        for turn in range(4):
            cell = search.order[k] + (-1 if turn == 0 else 1 if turn == 1 else -SIDE if turn == 2 else SIDE)
            if cells[cell]:
                continue
            if _measure(state, cell, cell) >= search.rules.most:
                continue
            for letter in range(ALPHABET):
                if tiles[letter] == 0 and tiles[BLANK] == 0:
                    continue
                longest, fits = 1, True
                for step in (1, SIDE):
                    if cells[cell - step] or cells[cell + step]:
                        if not _is_run(cell, step, letter, search):
                            fits = False
                            break
                        longest = max(longest, _length(cell, step, search))
                if fits and longest >= search.rules.min_length:
                    score = search.worth[letter] if tiles[letter] else -COST_OF_BLANK
                    if search.rules.compact:
                        score -= _growth(state, cell, cell)
                    _add_move(depth, score, -1 - letter, cell, 1, search)


@borrowing
def _length(cell, step, search):
    """Return the length of the run through a cell."""
    length = 1
    for sign in (-1, 1):
        at = cell + sign * step
        while search.cells[at]:
            length += 1
            at += sign * step
    return length
