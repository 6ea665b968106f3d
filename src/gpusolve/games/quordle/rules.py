"""Quordle in plain Python: boards, deals, players and strategies, one game at a time. The oracle of the tests."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import (
    SOLVED,
    History,
    Scoring,
    consistent,
    parse_pattern,
    parse_word,
    pattern,
    pattern_text,
)
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

MOST_BOARDS = 32
SPARE = 5
"""Guesses that a game has more than boards."""
MOST_GUESSES = 64
TURN_DRAWS = MOST_BOARDS
"""Draws 0..31 of a game hide its words, those from here on pick a board in each turn."""
MOST_AHEAD, MOST_FITS = 4, 256
"""`joint` looks ahead where at most so many boards are unsolved, with at most so many words each."""
POOL, NEAR, FINE = 192, 48, 6
"""So many guesses are played on with, those that cost at most NEAR steps of 2^FINE more than the best."""
TRIED, GLIMPSES = 16, 32
"""So many guesses are tried in so many games each,"""
FINALISTS, PLAYOUTS = 4, 300
"""and the best so many of them in so many games."""
Player = Literal["article", "consistent"]
"""What a board proposes: the first word of the list that fits what it knows, by the article's rules or the game's."""
Simple = Literal["left-to-right", "random", "least-correct", "most-correct", "fewest-remaining", "most-remaining"]
"""Whose proposal is guessed."""
Strategy = Literal[Simple, "joint"]
Compared = Literal[Strategy, "all"]
PLAYERS: tuple[Player, ...] = get_args(Player)
SIMPLE: tuple[Simple, ...] = get_args(Simple)
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


@dataclass(frozen=True)
class Game:
    """A game that is over: what was guessed, and the guess that solved each board, counted from 1; 0: none did."""

    guesses: list[str]
    turns: list[int]

    @property
    def won(self) -> bool:
        """Whether every board is solved."""
        return all(self.turns)


@dataclass(frozen=True)
class Turn:
    """A guess and the pattern 0..242 of each board; None for a board that was solved before."""

    guess: str
    patterns: tuple[int | None, ...]

    def __str__(self) -> str:
        return f"{self.guess}:{','.join('' if code is None else pattern_text(code) for code in self.patterns)}"


def check_boards(boards: int) -> None:
    """Raises BadInput unless a game can have so many boards."""
    check_integer("boards", boards, 1, MOST_BOARDS)


def check_guesses(guesses: int | None, boards: int) -> int:
    """The guesses of a game, boards + 5 where none are given. Raises BadInput for fewer than boards, and too many."""
    if guesses is None:
        return boards + SPARE
    check_integer("guesses", guesses, boards, MOST_GUESSES)
    return guesses


def parse_hidden(words: Sequence[str]) -> list[str]:
    """The words of a game, one a board. Raises BadInput for 0 or 33 of them and for one that is hidden twice.

    >>> parse_hidden(["Hello", "world"])
    ['hello', 'world']
    """
    found = [parse_word(word) for word in words]
    check_boards(len(found))
    for i, word in enumerate(found):
        if word in found[:i]:
            raise BadInput(f"board {i + 1}: {word} is hidden on board {found.index(word) + 1} already")
    return found


def parse_turn(turn: str | Turn) -> Turn:
    """A guess with the pattern of each board, ``carle:-y---,----y``; nothing for a board that was solved before.

    >>> parse_turn("aunty:ggggg,,-----")
    Turn(guess='aunty', patterns=(242, None, 0))
    """
    if isinstance(turn, Turn):
        return turn
    check_type("turn", turn, str)
    guess, colon, marks = turn.partition(":")
    if not colon:
        raise BadInput(f"'{turn}': expected a guess and the pattern of each board, as carle:-y---,----y")
    codes = tuple(parse_pattern(text) if text.strip() else None for text in marks.split(","))
    check_boards(len(codes))
    return Turn(parse_word(guess), codes)


def parse_turns(history: Sequence[str | Turn], boards: int | None = None) -> list[Turn]:
    """The guesses so far. Raises BadInput where a turn has another number of boards, and where a board is wrong.

    That is where it has no pattern before it is solved, or another than five greens after that.
    """
    if isinstance(history, str):
        raise TypeError(f"history: expected a list of turns, as ['{history}']")
    found = [parse_turn(turn) for turn in history]
    number = boards or (len(found[0].patterns) if found else 4)
    check_boards(number)
    solved = [False] * number
    for i, turn in enumerate(found, 1):
        if len(turn.patterns) != number:
            raise BadInput(f"guess {i}, {turn.guess}: {len(turn.patterns)} patterns: expected {number}, one a board")
        for board, code in enumerate(turn.patterns):
            if solved[board] and code is not None:
                raise BadInput(f"board {board + 1}, guess {i}: it is solved: expected no pattern any more")
            if not solved[board] and code is None:
                raise BadInput(f"board {board + 1}, guess {i}: expected a pattern, for it is not solved")
            solved[board] = solved[board] or code == SOLVED
    return found


def fits(word: str, guess: str, code: int) -> bool:
    """Whether a word fits a pattern by the article's rules.

    No grey letter, all greens in place, each yellow letter somewhere and not where it was.

    >>> fits("tests", "fests", 240), fits("jests", "tests", 240), fits("hello", "eerie", 1)
    (True, False, False)
    """
    for i, mark in enumerate(pattern_text(code)):
        if mark == "-" and guess[i] in word:
            return False
        if mark == "g" and word[i] != guess[i]:
            return False
        if mark == "y" and (guess[i] not in word or word[i] == guess[i]):
            return False
    return True


def proposes(word: str, history: History, player: Player, scoring: Scoring) -> bool:
    """Whether a board may propose this word."""
    if player == "consistent":
        return consistent(word, history, scoring)
    return all(fits(word, guess, code) for guess, code in history)


def deal(seed: int, number: int, boards: int, answers: int) -> list[int]:
    """The places in the list of the hidden words of game `number` of a seed: each set of words as likely as another.

    Board i draws one of the answers that are left.
    """
    found: list[int] = []
    for i in range(boards):
        place = draw(seed, number, i) % (answers - i)
        for taken in sorted(found):
            place += taken <= place
        found.append(place)
    return found


def draw(seed: int, number: int, i: int) -> int:
    """Draw i of a game: 64 bits, by SplitMix64."""
    state = mix(seed + GOLDEN & MASK64) ^ number
    return mix(mix(state + GOLDEN & MASK64) + (i + 1) * GOLDEN & MASK64)


def picker(seed: int, number: int) -> Callable[[int, int], int]:
    """What picks one of n boards in a turn of game `number`, for the strategy ``random``."""
    return lambda turn, n: draw(seed, number, TURN_DRAWS + turn) % n


def article_picker(seed: int) -> Callable[[int, int], int]:
    """The same as the article does it: the draws of Python's own generator, one a turn."""
    generator = random.Random(seed)
    return lambda turn, n: generator.choice(range(n))


def play(
    hidden: Sequence[str],
    words: Sequence[str],
    strategy: Simple,
    guesses: int | None = None,
    player: Player = "article",
    scoring: Scoring = "presence",
    pick: Callable[[int, int], int] = lambda turn, n: 0,
) -> Game:
    """A game in which every board walks `words` and the strategy says whose proposal is guessed.

    `pick(turn, n)`, turns from 0, says which of n unsolved boards the strategy ``random`` takes. Of equal boards the
    first is taken. The game is lost, too, when the board that was chosen has run out of words.
    """
    history: list[list[tuple[str, int]]] = [[] for _ in hidden]
    places = [0] * len(hidden)
    turns = [0] * len(hidden)
    made: list[str] = []
    while not all(turns) and len(made) < check_guesses(guesses, len(hidden)):
        unsolved = [board for board, turn in enumerate(turns) if not turn]
        left = [sum(proposes(word, history[board], player, scoring) for word in words) for board in unsolved]
        greens = [pattern_text(history[board][-1][1]).count("g") if made else 0 for board in unsolved]
        values = {
            "left-to-right": [0] * len(unsolved),
            "random": [0] * len(unsolved),
            "least-correct": greens,
            "most-correct": [-count for count in greens],
            "fewest-remaining": left,
            "most-remaining": [-count for count in left],
        }[strategy]  # the least is taken
        chosen = pick(len(made), len(unsolved)) if strategy == "random" else values.index(min(values))
        board = unsolved[chosen]
        while places[board] < len(words) and not proposes(words[places[board]], history[board], player, scoring):
            places[board] += 1
        if places[board] == len(words):
            break
        made.append(words[places[board]])
        for board in unsolved:
            history[board].append((made[-1], pattern(made[-1], hidden[board], scoring=scoring)))
            if history[board][-1][1] == SOLVED:
                turns[board] = len(made)
    return Game(made, turns)


def joint_cost(guess: str, boards: Sequence[Sequence[str]], one: int, solve: int, scoring: Scoring) -> int:
    """What the player `joint` takes a guess to cost, `boards` being the words that fit each unsolved one; fixed point.

    The sum over boards of (n log2 n over the cells) / size in units of 1/one, less solve / size where the guess fits.
    """
    total = 0
    for words in boards:
        cells = Counter(pattern(guess, word, scoring=scoring) for word in words)
        amount = sum(round(one * n * math.log2(n)) for n in cells.values())
        total += amount * ((1 << 20) // len(words)) >> 20
        total -= solve // len(words) if guess in words else 0
    return total


def joint_guess(
    dictionary: Sequence[str], boards: Sequence[Sequence[str]], one: int, solve: int, scoring: Scoring
) -> str:
    """The guess of `joint`: of known words the one of least cost, else of all; of equals the first."""
    known = sorted({words[0] for words in boards if len(words) == 1})
    return min(known or dictionary, key=lambda guess: joint_cost(guess, boards, one, solve, scoring))


def joint_pool(costs: Sequence[int]) -> list[int]:
    """The places of the guesses that `joint` plays games out with, by cost in steps, of equals the first."""
    steps = [(cost - min(costs)) >> FINE for cost in costs]
    return sorted((g for g, step in enumerate(steps) if step < NEAR), key=steps.__getitem__)[:POOL]


def joint_hidden(boards: Sequence[Sequence[int]], k: int, playouts: int) -> list[int]:
    """The hidden words of playout k: each set once if they are few, else drawn by the words that fit, as places."""
    seed, ways = 0, math.prod(len(words) for words in boards)
    for words in boards:
        for word in words:
            seed = mix((seed + word + 1) & MASK64)
    hidden, place = [], k * ways // playouts
    for board, words in enumerate(boards):
        drawn = (mix((seed + (k * MOST_AHEAD + board + 1) * GOLDEN) & MASK64) >> 32) * len(words) >> 32
        hidden.append(words[place % len(words) if ways <= PLAYOUTS else drawn])
        place //= len(words)
    return hidden


def joint_playout(
    guess: str,
    hidden: Sequence[str],
    boards: Sequence[Sequence[str]],
    pool: Sequence[str],
    one: int,
    solve: int,
    scoring: Scoring,
) -> int:
    """How many guesses a game takes that begins with this one and goes on as `joint` does, but with few guesses.

    A word that is known is guessed; of the last two words of the last board the first; else what costs least of the
    pool and of the words that fit, of equals the first. A cost counts the k-th word of each cell.
    """

    def cost(guess: str) -> int:
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
            if code != SOLVED
        ]
        hidden = [answer for answer, code in zip(hidden, codes, strict=True) if code != SOLVED]
        if all(len(words) == 1 for words in boards):
            return made + len(boards)
        known = [words[0] for words in boards if len(words) == 1]
        if known:
            guess = known[0]
        elif len(boards) == 1 and len(boards[0]) == 2:
            return made + 1 + (boards[0][0] != hidden[0])
        else:
            costs = [(cost(word), word) for word in pool]
            costs += [(cost(word) - solve // len(words), word) for words in boards for word in words]
            guess = min(costs, key=lambda pair: pair[0])[1]
