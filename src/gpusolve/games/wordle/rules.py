"""Wordle in plain Python: words, patterns, what a guess may be. The oracle of the tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any, Literal, TypeAlias, get_args

from gpusolve.checks import check_integer
from gpusolve.errors import BadInput

LETTERS = 5
"""Letters of a word."""
GUESSES = 6
"""Guesses of a game."""
SOLVED = 3**LETTERS - 1
"""The pattern of five greens."""
Scoring = Literal["wordle", "presence"]
Mode = Literal["easy", "hard", "ultra-hard"]
Measure = Literal["entropy", "expected", "patterns", "largest"]
"""What can make one guess better than another."""
Order = Literal[Measure, "guess"]
"""What a table of guesses is sorted by; ``guess`` is the alphabet."""
Advice = Literal["exact", "entropy", "expected", "patterns", "largest"]
"""What a guess is suggested by: a measure, or what it costs in the end, where few enough answers remain."""
Objective = Literal["mean", "worst", "worst-mean"]
"""What makes one strategy better: fewer guesses over all answers, or in the worst case, or there and then over all."""
SCORINGS: tuple[Scoring, ...] = get_args(Scoring)
MODES: tuple[Mode, ...] = get_args(Mode)
MEASURES: tuple[Measure, ...] = get_args(Measure)
ORDERS: tuple[Order, ...] = get_args(Order)
ADVICE: tuple[Advice, ...] = get_args(Advice)
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

History: TypeAlias = Sequence[tuple[str, int]]
"""The guesses made so far, each with the pattern that it got."""
Turns: TypeAlias = Sequence[str | tuple[str, int | str]]
"""A history as people write it: ``salet:-y--g``, ``("salet", "-y--g")`` or ``("salet", 165)``."""

_MARKS = "-yg"
_MEANING = {mark: digit for digit, marks in enumerate(("-._b0x⬛⬜", "y1🟨", "g2🟩")) for mark in marks}


def pattern(guess: str, answer: str, scoring: Scoring = "wordle") -> int:
    """The pattern 0..242 that `guess` gets when `answer` is hidden.

    Base 3, position 0 the least significant digit, grey 0, yellow 1, green 2. ``wordle``: greens first, then
    yellows left to right while the answer still holds that letter unclaimed. ``presence``: every letter that is
    not green and occurs anywhere in the answer is yellow. Raises BadInput for what is not a word of five letters.

    >>> pattern_text(pattern("eerie", "there")), pattern_text(pattern("eerie", "there", "presence"))
    ('y-y-g', 'yyy-g')
    """
    check_choice("scoring", scoring, SCORINGS)
    return _pattern(parse_word(guess), parse_word(answer), scoring)


def _pattern(guess: str, answer: str, scoring: Scoring) -> int:
    digits = [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]
    unclaimed = Counter(a for a, digit in zip(answer, digits, strict=True) if digit == 0)
    for i, letter in enumerate(guess):
        if digits[i] == 2:
            continue
        if scoring == "presence":
            digits[i] = int(letter in answer)
        elif unclaimed[letter] > 0:
            digits[i] = 1
            unclaimed[letter] -= 1
    return sum(digit * 3**i for i, digit in enumerate(digits))


def pattern_text(code: int) -> str:
    """A pattern as people write it: ``-`` grey, ``y`` yellow, ``g`` green. Raises BadInput unless it is 0..242.

    >>> pattern_text(SOLVED), pattern_text(3)
    ('ggggg', '-y---')
    """
    check_integer("pattern", code, 0, SOLVED)
    return "".join(_MARKS[code // 3**i % 3] for i in range(LETTERS))


def parse_pattern(text: str) -> int:
    """The pattern written in `text`: grey ``- . _ b 0 x ⬛ ⬜``, yellow ``y 1 🟨``, green ``g 2 🟩``.

    Raises BadInput for another sign or another number of signs.

    >>> parse_pattern("-y---"), parse_pattern("⬛🟨⬛⬛⬛")
    (3, 3)
    """
    signs = _string("pattern", text).lower().replace("\N{VARIATION SELECTOR-16}", "")
    if len(signs) != LETTERS or any(sign not in _MEANING for sign in signs):
        raise BadInput(f"'{text}' is not a pattern: expected {LETTERS} signs of - y g")
    return sum(_MEANING[sign] * 3**i for i, sign in enumerate(signs))


def parse_word(text: str) -> str:
    """A word in lower case. Raises BadInput unless it is five letters a-z.

    >>> parse_word("Salet")
    'salet'
    """
    word = _string("word", text)
    if len(word) != LETTERS or not (word.isascii() and word.isalpha()):
        raise BadInput(f"'{text}' is not a word: expected {LETTERS} letters a-z")
    return word.lower()


def _string(what: str, text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{what}: expected a string, not {type(text).__name__}")
    return text.strip()


def parse_turn(turn: str | tuple[str, int | str]) -> tuple[str, int]:
    """A guess with its pattern, written ``salet:-y--g`` or as a pair. Raises BadInput where either is wrong.

    >>> parse_turn("salet:-y--g"), parse_turn(("Salet", "-y--g")), parse_turn(("salet", 165))
    (('salet', 165), ('salet', 165), ('salet', 165))
    """
    if isinstance(turn, str):
        guess, colon, marks = turn.partition(":")
        if not colon:
            raise BadInput(f"'{turn}': expected a guess and its pattern, as salet:-y--g")
        return parse_word(guess), parse_pattern(marks)
    if not isinstance(turn, tuple | list) or len(turn) != 2:
        raise BadInput(f"turn {str(turn)[:40]}: expected a guess and its pattern, as ('salet', '-y--g')")
    guess, code = turn
    if isinstance(code, str):
        return parse_word(guess), parse_pattern(code)
    guess = parse_word(guess)
    check_integer(f"{guess}: pattern", code, 0, SOLVED)
    return guess, int(code)


def parse_history(turns: Turns) -> list[tuple[str, int]]:
    """The guesses so far, each with its pattern. Raises BadInput as `parse_turn` does, and if one follows five greens.

    >>> parse_history(["salet:-y--g", ("craft", 0)])
    [('salet', 165), ('craft', 0)]
    """
    if isinstance(turns, str):
        raise TypeError(f"history: expected a list of turns, as ['{turns}']")
    history = [parse_turn(turn) for turn in turns]
    for i, (guess, code) in enumerate(history[:-1], 1):
        if code == SOLVED:
            raise BadInput(f"guess {i}, '{guess}', has solved the game: expected no guess after it")
    return history


def check_choice(what: str, value: str, choices: Sequence[str]) -> None:
    """Raises BadInput unless `value` is one of `choices`."""
    if value not in choices:
        raise BadInput(f"{what} '{value}': expected one of {', '.join(choices)}")


def consistent(word: str, history: History, scoring: Scoring = "wordle") -> bool:
    """Whether `word` would have given every pattern of `history`."""
    return all(_pattern(guess, word, scoring) == code for guess, code in history)


def revealed(guess: str, code: int, scoring: Scoring = "wordle") -> tuple[dict[int, str], dict[str, int]]:
    """What the hard mode makes of one answer: the greens by position, and each revealed letter with its number.

    >>> revealed("eerie", parse_pattern("y-y-g"))
    ({4: 'e'}, {'e': 2, 'r': 1})
    """
    marks = pattern_text(code)
    greens = {i: guess[i] for i in range(LETTERS) if marks[i] == "g"}
    counts = Counter(guess[i] for i in range(LETTERS) if marks[i] != "-")
    if scoring == "presence":  # yellows do not count there
        for letter in counts:
            counts[letter] = max(1, sum(green == letter for green in greens.values()))
    return greens, dict(counts)


def allowed(word: str, history: History, mode: Mode = "easy", scoring: Scoring = "wordle") -> bool:
    """Whether `mode` lets `word` be guessed after `history`.

    ``easy``: always. ``hard``: greens stay in place and revealed letters, with their number, are used.
    ``ultra-hard``: the word is consistent with every pattern seen.
    """
    if mode == "ultra-hard":
        return consistent(word, history, scoring)
    if mode == "hard":
        for guess, code in history:
            greens, counts = revealed(guess, code, scoring)
            if any(word[i] != letter for i, letter in greens.items()):
                return False
            if any(word.count(letter) < count for letter, count in counts.items()):
                return False
    return True


def possible(history: History, scoring: Scoring = "wordle") -> bool:
    """Whether any five letters at all, a word or not, would give every pattern of `history`.

    >>> possible([parse_turn("salet:ggggy")])
    False
    """
    marked = {guess[i] for guess, code in history for i, mark in enumerate(pattern_text(code)) if mark != "-"}
    guessed = {letter for guess, _ in history for letter in guess}
    # Only marked letters can be in the word, and those that were not guessed, which are all alike.
    alphabet = [*sorted(marked), *(["?"] if len(guessed) < 26 else [])]
    return len(marked) <= LETTERS and any(
        consistent("".join(letters), history, scoring) for letters in product(alphabet, repeat=LETTERS)
    )
