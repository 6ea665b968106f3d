"""Small games of Wordle: a few words over a few letters, and random rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from games.wordle import oracle
from games.wordle.oracle import Oracle, cells_of
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.rules import History, Mode, Scoring
from gpusolve.games.wordle.weights.chances import size_of
from small.cases import Call, call

DIGRAPHS = ("ab", "cd")
"""The digraphs of the games that have some; their other letters are a, b, c, d and e."""


@dataclass(frozen=True)
class Game:
    """The words and rules of a small game.

    Attributes
    ----------
    guesses, answers : list of str
        The words, in alphabetical order. With digraphs, they know their letters.
    digraphs : tuple of str
        The digraphs.
    mode, scoring, guess_hidden_only
        The rules.
    weights : dict of str to int, or None
        The weights of the answers.
    """

    guesses: list[str]
    answers: list[str]
    digraphs: tuple[str, ...] = ()
    mode: Mode = "easy"
    scoring: Scoring = "wordle"
    guess_hidden_only: bool = False
    weights: dict[str, int] | None = None

    @property
    def variant(self) -> Call:
        """The call that makes the variant."""
        return call(
            "Variant.load",
            words_of(self.guesses, self.digraphs),
            words_of(self.answers, self.digraphs),
            mode=self.mode,
            scoring=self.scoring,
            guess_hidden_only=self.guess_hidden_only,
            weights=None if self.weights is None else {str(word): weight for word, weight in self.weights.items()},
        )

    def left(self, history: History) -> list[str]:
        """Return the answers that fit a history."""
        return [word for word in self.answers if rules.consistent(word, history, self.scoring)]

    def legal(self, history: History) -> list[str]:
        """Return the guesses that may be made after a history."""
        pool = self.left(history) if self.guess_hidden_only else self.guesses
        return [word for word in pool if rules.allowed(word, history, self.mode, self.scoring)]

    def weight_of(self, left: Sequence[str]) -> dict[str, int]:
        """Return the weights of the answers that are left; 1 each if there are none, or if all are 0."""
        weights = {word: 1 if self.weights is None else self.weights[word] for word in left}
        return weights if any(weights.values()) else dict.fromkeys(left, 1)

    def heaviest(self, left: Sequence[str]) -> list[str]:
        """Return the answers that are left, the heaviest first."""
        return sorted(left, key=lambda word: -(0 if self.weights is None else self.weights[word]))

    def likeliest(self, left: Sequence[str]) -> list[str]:
        """Return the answers that are left, the heaviest and then the most familiar first."""
        is_english = self.length == rules.LETTERS and not self.digraphs and all(word.isascii() for word in self.guesses)
        return self.heaviest(sorted(left, key=lambda word: (size_of(word) if is_english else 0, word)))

    def oracle(self, left: Sequence[str]) -> Oracle:
        """Return the oracle for the answers that are left."""
        oracle.pattern.cache_clear()  # words of another game may have other letters, but the same characters
        return Oracle(self.guesses, self.mode, self.scoring, self.guess_hidden_only, self.weight_of(left))

    @cached_property
    def length(self) -> int:
        """The number of letters of a word."""
        return rules.length_of(self.guesses[0])

    def by_patterns(self, history: History) -> list[str]:
        """Return the legal guesses in the order of their numbers of patterns, as ``--first 'top 3'`` takes them.

        With weights, each pattern counts the weight of its heaviest answer. Ties go to answers that remain, the
        heaviest first, and then to the first in the alphabet.
        """
        left = self.left(history)
        weights = self.weight_of(left)

        def key(word: str) -> tuple[int, bool, int]:
            cells = cells_of(word, left, self.scoring).values()
            return -sum(max(weights[answer] for answer in cell) for cell in cells), word not in left, -own(word)

        def own(word: str) -> int:
            return weights.get(word, 0) if self.weights is not None else 0

        oracle.pattern.cache_clear()
        return sorted(self.legal(history), key=key)


def words_of(words: Sequence[str], digraphs: tuple[str, ...]) -> list[str] | Call:
    """Return the words as a call takes them."""
    texts = [str.__str__(word) for word in words]
    return call("WordList", texts, digraphs=digraphs) if digraphs else texts


def draw_words(chance: random.Random, most: int) -> tuple[list[str], tuple[str, ...]]:
    """Return up to `most` random words of 2 to 6 letters, and their digraphs if they have any.

    Many of them differ in one letter, because such words take many guesses.
    """
    digraphs = DIGRAPHS if chance.random() < 0.1 else ()
    letters = [*"abcde", *digraphs] if digraphs else list("abcdefghijklm"[: chance.choice([2, 3, 4, 6, 12])])
    length, number = chance.randint(2, 6), max(chance.randint(1, most), chance.randint(1, most))
    places = [chance.randrange(length)] if chance.random() < 0.5 else range(length)
    words = {"".join(chance.choices(letters, k=length)) for _ in range(chance.randint(1, number))}
    for _ in range(number - len(words)):
        word = list(chance.choice(sorted(words)))
        word[chance.choice(places) % len(word)] = chance.choice(letters)
        words.add("".join(word))
    spelled = {str.__str__(word): rules.spelled(word, digraphs) for word in words}
    fitting = [word for _, word in sorted(spelled.items()) if rules.length_of(word) == length]
    return (fitting, digraphs) if fitting else draw_words(chance, most)


def draw_game(chance: random.Random, *, most: int = 12, weights: bool = True) -> Game:
    """Return a random game with up to `most` guesses."""
    guesses, digraphs = draw_words(chance, most)
    answers = sorted(chance.sample(guesses, chance.randint(1, min(len(guesses), 9))))
    weighed = None
    if weights and chance.random() < 0.3:
        scale = chance.choice([1, 1, 10, 10**6])
        weighed = {word: chance.choice([0, 1, 1, 2, 3, 7]) * scale for word in answers}
        weighed = weighed if any(weighed.values()) else None
    return Game(
        guesses,
        answers,
        digraphs,
        mode=chance.choice(["easy", "easy", "hard", "ultra-hard"]),
        scoring=chance.choice(["wordle", "wordle", "presence"]),
        guess_hidden_only=chance.random() < 0.15,
        weights=weighed,
    )


def draw_history(chance: random.Random, game: Game, hidden: str, most: int = 2) -> list[tuple[str, int]]:
    """Return a random legal history of a hidden word, which it does not find: most are empty."""
    history: list[tuple[str, int]] = []
    for _ in range(chance.choice([0, 0, 0, 1, most])):
        legal = [word for word in game.guesses if rules.allowed(word, history, game.mode, game.scoring)]
        guess = chance.choice(legal)
        if guess != hidden:
            history.append((guess, rules.mark(guess, hidden, game.scoring)))
    return history


def turns_of(history: History) -> list[str]:
    """Return a history as a call takes it."""
    return [rules.turn_text(guess, code) for guess, code in history]
