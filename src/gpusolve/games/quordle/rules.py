"""Quordle in plain Python: boards, deals, players and strategies, one game at a time. The oracle of the tests."""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Literal, TypedDict, get_args

from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import (
    LETTERS,
    Digraphs,
    History,
    Scoring,
    consistent,
    length_of,
    letters_of,
    parse_pattern,
    parse_word,
    pattern,
    pattern_text,
    solves,
)
from gpusolve.result import Drawn
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

MOST_BOARDS = 32
EXTRA_GUESSES: dict[str, int] = {"classic": 5, "sequence": 6}
"""Guesses that a game of each mode allows beyond one for each board, unless the user says otherwise."""
MOST_GUESSES = 64
TURN_DRAWS = MOST_BOARDS
"""Draws 0..31 of a game hide its words; the later ones pick a board, one in each turn."""
MOST_AHEAD, MOST_FITS = 4, 256
"""`joint` looks ahead if at most this many boards are unsolved and at most this many words fit each of them."""
POOL, NEAR, FINE = 192, 48, 6
"""The pool of guesses for playouts: at most POOL, each within NEAR steps of 2^FINE of the lowest cost."""
TRIED, GLIMPSES = 16, 32
"""The first round of playouts: TRIED guesses play GLIMPSES games each."""
FINALISTS, PLAYOUTS = 4, 300
"""The second round: the FINALISTS best guesses play PLAYOUTS games each."""
LIKELY = 4
"""With weights, the likeliest word of a board plays the second round too, if its chance is at least 1 / LIKELY."""
Mode = Literal["classic", "sequence"]
"""Whether all boards are open, or each opens when the boards before it are solved, and then shows all guesses."""
MODES: tuple[Mode, ...] = get_args(Mode)
Player = Literal["article", "consistent"]
"""How a board chooses its proposal: the first word that fits by the article's rules, or by the game's scoring."""
Simple = Literal["left-to-right", "random", "least-correct", "most-correct", "fewest-remaining", "most-remaining"]
"""Strategies that choose a board and guess the word that it proposes."""
Strategy = Literal[Simple, "joint"]
Compared = Literal[Strategy, "all"]
PLAYERS: tuple[Player, ...] = get_args(Player)
SIMPLE: tuple[Simple, ...] = get_args(Simple)
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


@dataclass(frozen=True)
class Game:
    """A finished game.

    Attributes
    ----------
    guesses : list of str
        The guesses in order.
    turns : list of int
        For each board the number of the guess that solved it, counted from 1; 0 if it was not solved.
    """

    guesses: list[str]
    turns: list[int]

    @property
    def won(self) -> bool:
        """Whether every board is solved."""
        return all(self.turns)


class TurnFields(TypedDict):
    """A turn as JSON has it: the guess, and the pattern of each board, which is empty for a solved or closed board."""

    guess: str
    patterns: list[str]


@dataclass(frozen=True, repr=False)
class Turn(Drawn):
    """A guess and the patterns that the boards showed.

    Attributes
    ----------
    guess : str
        The word.
    patterns : tuple of int or None
        The pattern of each board, 0..242 for five letters; None for a board that an earlier guess solved, or that is
        not open.
    """

    guess: str
    patterns: tuple[int | None, ...]

    def __str__(self) -> str:
        return f"{self.guess}:{patterns_text(self.patterns, length_of(self.guess))}"

    def to_json(self) -> TurnFields:
        """Return the guess and the patterns as texts."""
        return {"guess": self.guess, "patterns": patterns_text(self.patterns, length_of(self.guess)).split(",")}

    def solved(self, board: int) -> bool:
        """Return whether the guess solved a board.

        >>> [Turn("carle", (3, None, 242)).solved(board) for board in range(3)]
        [False, False, True]
        """
        code = self.patterns[board]
        return code is not None and solves(self.guess, code)


def patterns_text(patterns: Sequence[int | None], length: int = LETTERS) -> str:
    """Write the patterns of all boards as text, with nothing for None.

    >>> patterns_text([3, None, 242])
    '-y---,,ggggg'
    """
    return ",".join("" if code is None else pattern_text(code, length) for code in patterns)


def check_boards(boards: int) -> None:
    """Raise BadInput unless a game can have this number of boards."""
    boards = check_integer("boards", boards, 1, MOST_BOARDS)


def check_max_guesses(max_guesses: int | None, boards: int, mode: Mode = "classic") -> int:
    """Return the number of guesses that a game allows: for None, boards + 5, or boards + 6 in sequence.

    Raises BadInput if there are fewer guesses than boards, or more than MOST_GUESSES.
    """
    if max_guesses is None:
        return boards + EXTRA_GUESSES[mode]
    max_guesses = check_integer("max_guesses", max_guesses, boards, MOST_GUESSES)
    return max_guesses


def parse_hidden(words: Sequence[str], digraphs: Digraphs = (), length: int = LETTERS) -> list[str]:
    """Return the hidden words of a game, one for each board, in lower case.

    Raises BadInput for no words, for more than MOST_BOARDS, and for a word that is hidden twice.

    >>> parse_hidden(["Hello", "world"])
    ['hello', 'world']
    """
    hidden = [parse_word(word, length, digraphs) for word in words]
    check_boards(len(hidden))
    for board, word in enumerate(hidden):
        if word in hidden[:board]:
            raise BadInput(f"board {board + 1}: {word} is already hidden on board {hidden.index(word) + 1}")
    return hidden


def parse_turn(turn: str | Turn, digraphs: Digraphs = (), length: int = LETTERS) -> Turn:
    """Return the guess and the patterns written in `turn`: ``carle:-y---,----y``.

    The pattern of a board that an earlier guess solved is left out, but not its comma.

    >>> parse_turn("aunty:ggggg,,-----")
    Turn(guess='aunty', patterns=(242, None, 0))
    """
    if isinstance(turn, Turn):
        return turn
    check_type("turn", turn, str)
    guess, colon, marks = turn.partition(":")
    if not colon:
        raise BadInput(f"'{turn}': expected a guess and the pattern of each board, such as carle:-y---,----y")
    codes = tuple(parse_pattern(text, length) if text.strip() else None for text in marks.split(","))
    check_boards(len(codes))
    return Turn(parse_word(guess, length, digraphs), codes)


def parse_turns(
    history: Sequence[str | Turn] | str,
    boards: int | None = None,
    mode: Mode = "classic",
    digraphs: Digraphs = (),
    length: int = LETTERS,
) -> list[Turn]:
    """Return the guesses made so far, each with the patterns of all boards.

    In sequence, a board that has opened has the patterns of all guesses, also of those that were made before. The
    patterns of the boards that are not open may be left out, with their commas, if the number of boards is given.

    Raises BadInput if a turn has another number of patterns than there are boards, if an open unsolved board has no
    pattern, if a board has one after it was solved, or before it opens, and if a guess solves two boards.

    >>> [str(turn) for turn in parse_turns(["carle:-y---,---yy,", "crane:ggggg,y----,"], mode="sequence")]
    ['carle:-y---,---yy,', 'crane:ggggg,y----,']
    >>> [str(turn) for turn in parse_turns(["carle:-y---"], boards=3, mode="sequence")]
    ['carle:-y---,,']
    """
    if isinstance(history, str):
        history = history.split()
    turns = [parse_turn(turn, digraphs, length) for turn in history]
    number = boards or (len(turns[0].patterns) if turns else 4)
    check_boards(number)
    if mode == "sequence":
        closed = ((None,) * (number - len(turn.patterns)) for turn in turns)
        turns = [Turn(turn.guess, turn.patterns + rest) for turn, rest in zip(turns, closed, strict=True)]
    for i, turn in enumerate(turns, 1):
        count = len(turn.patterns)
        if count != number:
            plural = "s" * (count != 1)
            raise BadInput(f"guess {i}, {turn.guess}: {count} pattern{plural}: expected {number}, one for each board")
    solved, opened = [False] * number, open_boards(turns, number, mode)
    for i, turn in enumerate(turns, 1):
        for board, code in enumerate(turn.patterns):
            if board >= opened:
                if code is not None:
                    raise BadInput(
                        f"board {board + 1}, guess {i}: expected no pattern, because board {opened} is not solved"
                    )
                continue
            if solved[board] and code is not None:
                raise BadInput(f"board {board + 1}, guess {i}: expected no pattern, because the board is solved")
            if not solved[board] and code is None:
                raise BadInput(f"board {board + 1}, guess {i}: expected a pattern, because the board is not solved")
            solved[board] = solved[board] or turn.solved(board)
        if len(both := [str(board + 1) for board in range(number) if turn.solved(board)]) > 1:
            raise BadInput(
                f"guess {i}, {turn.guess}: solves boards {' and '.join(both)}: expected one, because every board hides "
                "another word"
            )
    return turns


def open_boards(turns: Sequence[Turn], boards: int, mode: Mode) -> int:
    """Return the number of boards that are open after these turns; the first ones are."""
    if mode == "classic":
        return boards
    unsolved = [board for board in range(boards) if not any(turn.solved(board) for turn in turns)]
    return unsolved[0] + 1 if unsolved else boards


def turns_of(hidden: Sequence[str], guesses: Sequence[str], scoring: Scoring, mode: Mode = "classic") -> list[Turn]:
    """Return the guesses of a game, each with the patterns that the boards showed, at the end of the game."""
    solved = [False] * len(hidden)
    turns = []
    for guess in guesses:
        codes = [
            None if done else pattern(guess, word, scoring=scoring) for word, done in zip(hidden, solved, strict=True)
        ]
        solved = [done or guess == word for done, word in zip(solved, hidden, strict=True)]
        turns.append(Turn(guess, tuple(codes)))
    opened = open_boards(turns, len(hidden), mode)
    closed = (None,) * (len(hidden) - opened)
    return [Turn(turn.guess, turn.patterns[:opened] + closed) for turn in turns]


def fits(word: str, guess: str, code: int) -> bool:
    """Return whether a word fits a pattern by the article's rules.

    It has no grey letter, every green in its position, and each yellow letter somewhere else than where it was.

    >>> fits("tests", "fests", 240), fits("jests", "tests", 240), fits("hello", "eerie", 1)
    (True, False, False)
    """
    letters = letters_of(word)
    for mark, guessed, letter in zip(pattern_text(code, len(letters)), letters_of(guess), letters, strict=True):
        if mark == "-" and guessed in letters:
            return False
        if mark == "g" and letter != guessed:
            return False
        if mark == "y" and (guessed not in letters or letter == guessed):
            return False
    return True


def proposes(word: str, history: History, player: Player, scoring: Scoring) -> bool:
    """Return whether a board can propose this word."""
    if player == "consistent":
        return consistent(word, history, scoring)
    return all(fits(word, guess, code) for guess, code in history)


def deal(seed: int, number: int, boards: int, answers: int, weights: Sequence[int] | None = None) -> list[int]:
    """Return the hidden words of game `number` of a seed, as indices into the answers.

    Board i draws one of the answers that the boards before it have left, by weight. Without weights, every set of words
    is equally likely.
    """
    left, hidden = [1] * answers if weights is None else list(weights), list[int]()
    for i in range(boards):
        hidden.append(bisect_right([*accumulate(left)], draw(seed, number, i) % sum(left)))
        left[hidden[-1]] = 0
    return hidden


def draw(seed: int, number: int, i: int) -> int:
    """Return draw i of game `number`: 64 bits, by SplitMix64."""
    state = mix(seed + GOLDEN & MASK64) ^ number
    return mix(mix(state + GOLDEN & MASK64) + (i + 1) * GOLDEN & MASK64)


def picker(seed: int, number: int) -> Callable[[int, int], int]:
    """Return the function with which the strategy ``random`` picks one of n boards in each turn of game `number`."""
    return lambda turn, n: draw(seed, number, TURN_DRAWS + turn) % n


def article_picker(seed: int) -> Callable[[int, int], int]:
    """Return such a function with the article's draws: one draw of Python's generator in each turn."""
    generator = random.Random(seed)
    return lambda turn, n: generator.choice(range(n))


def play(
    hidden: Sequence[str],
    words: Sequence[str],
    strategy: Simple,
    *,
    max_guesses: int | None = None,
    player: Player = "article",
    scoring: Scoring = "presence",
    pick: Callable[[int, int], int] = lambda turn, n: 0,
) -> Game:
    """Play a game in which every board walks through `words` and the strategy chooses whose proposal is guessed.

    `pick(turn, n)`, with turns counted from 0, chooses one of n unsolved boards for the strategy ``random``. Ties go
    to the first board. The game is also lost if the chosen board has run out of words.
    """
    history: list[list[tuple[str, int]]] = [[] for _ in hidden]
    places = [0] * len(hidden)
    turns = [0] * len(hidden)
    made: list[str] = []
    while not all(turns) and len(made) < check_max_guesses(max_guesses, len(hidden)):
        unsolved = [board for board, turn in enumerate(turns) if not turn]
        left = [sum(proposes(word, history[board], player, scoring) for word in words) for board in unsolved]
        greens = [
            pattern_text(history[board][-1][1], length_of(made[-1])).count("g") if made else 0 for board in unsolved
        ]
        values = {
            "left-to-right": [0] * len(unsolved),
            "random": [0] * len(unsolved),
            "least-correct": greens,
            "most-correct": [-count for count in greens],
            "fewest-remaining": left,
            "most-remaining": [-count for count in left],
        }[strategy]  # the lowest value is chosen
        chosen = pick(len(made), len(unsolved)) if strategy == "random" else values.index(min(values))
        board = unsolved[chosen]
        while places[board] < len(words) and not proposes(words[places[board]], history[board], player, scoring):
            places[board] += 1
        if places[board] == len(words):
            break
        made.append(words[places[board]])
        for board in unsolved:
            history[board].append((made[-1], pattern(made[-1], hidden[board], scoring=scoring)))
            if made[-1] == hidden[board]:
                turns[board] = len(made)
    return Game(made, turns)


def masses_on(words: Sequence[str], masses: Mapping[str, int]) -> list[int]:
    """Return the weights by which `joint` judges a board's words; if all of them are 0, each word counts 1."""
    chosen = [masses[word] for word in words]
    return chosen if any(chosen) else [1] * len(chosen)


def joint_cost(
    guess: str,
    boards: Sequence[Sequence[str]],
    *,
    one: int,
    solve: int,
    scoring: Scoring,
    masses: Mapping[str, int] | None = None,
) -> int:
    """Return the cost of a guess by the heuristic of `joint`; `boards` has the words that fit each unsolved board.

    The cost is in units of 1/`one` bit: for each board (the sum of n log2 n over the cells) / size, less
    `solve` / size if the guess fits. With weights, sums of `masses` take the places of n and of the size, amounts are
    rounded to half units, and `solve` is multiplied by the mass of the guess.
    """
    total = 0
    for words in boards:
        if masses is not None:
            weights = masses_on(words, masses)
            sums: Counter[int] = Counter()
            for word, weight in zip(words, weights, strict=True):
                sums[pattern(guess, word, scoring=scoring)] += weight
            amount = sum(round(one // 2 * n * math.log2(n)) for n in sums.values() if n)
            total += amount * ((1 << 40) // sum(weights)) >> 39
            total -= solve * weights[words.index(guess)] // sum(weights) if guess in words else 0
            continue
        cells = Counter(pattern(guess, word, scoring=scoring) for word in words)
        amount = sum(round(one * n * math.log2(n)) for n in cells.values())
        total += amount * ((1 << 20) // len(words)) >> 20
        total -= solve // len(words) if guess in words else 0
    return total


def joint_guess(
    dictionary: Sequence[str],
    boards: Sequence[Sequence[str]],
    *,
    one: int,
    solve: int,
    scoring: Scoring,
    masses: Mapping[str, int] | None = None,
) -> str:
    """Return the guess of `joint`: of the known words, or else of all words, the first with the lowest cost."""
    known = sorted({words[0] for words in boards if len(words) == 1})
    return min(
        known or dictionary,
        key=lambda guess: joint_cost(guess, boards, one=one, solve=solve, scoring=scoring, masses=masses),
    )


def joint_pool(costs: Sequence[int]) -> list[int]:
    """Return the guesses with which `joint` plays out games, by cost in steps; ties go to the first guess."""
    steps = [(cost - min(costs)) >> FINE for cost in costs]
    return sorted((g for g, step in enumerate(steps) if step < NEAR), key=steps.__getitem__)[:POOL]


def joint_hidden(boards: Sequence[Sequence[int]], k: int, playouts: int) -> list[int]:
    """Return the hidden words of playout k, each an index.

    If there are few sets of hidden words, each is played once; otherwise they are drawn from the words that fit.
    """
    seed, ways = 0, math.prod(len(words) for words in boards)
    for words in boards:
        for word in words:
            seed = mix((seed + word + 1) & MASK64)
    hidden, rest = [], k * ways // playouts
    for board, words in enumerate(boards):
        drawn = (mix((seed + (k * MOST_AHEAD + board + 1) * GOLDEN) & MASK64) >> 32) * len(words) >> 32
        hidden.append(words[rest % len(words) if ways <= PLAYOUTS else drawn])
        rest //= len(words)
    return hidden


def joint_hidden_weighed(
    boards: Sequence[Sequence[int]], weights: Sequence[Sequence[int]], k: int, playouts: int
) -> list[int]:
    """Return the hidden words of playout k if the words of the boards have weights, with a positive sum on each board.

    If there are few sets of hidden words, they lie side by side on a line: the words of board 0 divide it in proportion
    to their weights, those of board 1 divide each of these parts, and so on. Playout k takes the middle of the k-th of
    as many equal parts as there are playouts. Otherwise words are drawn by weight.
    """
    seed = 0
    for words in boards:
        for word in words:
            seed = mix((seed + word + 1) & MASK64)
    hidden, place = [], Fraction((2 * k + 1 << 32) // (2 * playouts), 1 << 32)
    for board, (words, masses) in enumerate(zip(boards, weights, strict=True)):
        ends, total = [*accumulate(masses)], sum(masses)
        if math.prod(len(words) for words in boards) > PLAYOUTS:
            place = Fraction(mix((seed + (k * MOST_AHEAD + board + 1) * GOLDEN) & MASK64) >> 32, 1 << 32)
        i = bisect_right(ends, place * total)
        hidden.append(words[i])
        place = (place * total - (ends[i] - masses[i])) / masses[i]
        place = Fraction(math.floor(place * (1 << 32)), 1 << 32)
    return hidden


def joint_playout(
    guess: str,
    hidden: Sequence[str],
    boards: Sequence[Sequence[str]],
    *,
    pool: Sequence[str],
    one: int,
    solve: int,
    scoring: Scoring,
    masses: Mapping[str, int] | None = None,
) -> int:
    """Return how many guesses a playout takes that starts with `guess`.

    It continues as `joint` does, with fewer candidates. A known word is guessed, and so is the likelier of the last two
    words of the last board, or the first if they are equally likely. Otherwise it guesses the word with the lowest cost
    in the pool and among the words that fit, where ties go to the first. A cost adds up an amount for the
    k-th word of each cell; with weights it is that of `joint_cost`.
    """

    def bonus(word: str, words: Sequence[str]) -> int:
        if masses is None:
            return solve // len(words)
        weights = masses_on(words, masses)
        return solve * weights[words.index(word)] // sum(weights)

    def cost(guess: str) -> int:
        if masses is not None:
            several = [words for words in boards if len(words) > 1]
            return joint_cost(guess, several, one=one, solve=0, scoring=scoring, masses=masses)
        total = 0
        for words in boards:
            cells: Counter[int] = Counter()
            for word in words:
                code = pattern(guess, word, scoring=scoring)
                k = cells[code]
                cells[code] += 1
                if k:
                    more = round(one * (k + 1) * math.log2(k + 1)) - round(one * k * math.log2(k))
                    total += more * ((1 << 20) // len(words)) >> 20
        return total

    made = 0
    while True:
        made += 1
        codes = [pattern(guess, answer, scoring=scoring) for answer in hidden]
        boards = [
            [word for word in words if pattern(guess, word, scoring=scoring) == code]
            for words, code in zip(boards, codes, strict=True)
            if not solves(guess, code)
        ]
        hidden = [answer for answer in hidden if answer != guess]
        if all(len(words) == 1 for words in boards):
            return made + len(boards)
        known = [words[0] for words in boards if len(words) == 1]
        if known:
            guess = known[0]
        elif len(boards) == 1 and len(boards[0]) == 2:
            first, second = boards[0]
            likely = second if masses is not None and masses[second] > masses[first] else first
            return made + 1 + (likely != hidden[0])
        else:
            costs = [(cost(word), word) for word in pool]
            costs += [(cost(word) - bonus(word, words), word) for words in boards for word in words]
            guess = min(costs, key=lambda pair: pair[0])[1]
