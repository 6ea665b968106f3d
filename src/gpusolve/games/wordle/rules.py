"""Wordle in plain Python: words, patterns, and which guesses are allowed. The tests use it as their oracle."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any, Literal, TypeAlias, get_args

from gpusolve.checks import check_choice, check_integer
from gpusolve.errors import BadInput

LETTERS = 5
"""Number of letters in a word."""
GUESSES = 6
"""Number of guesses in a game."""
SOLVED = 3**LETTERS - 1
"""Code of the pattern of five greens."""
Scoring = Literal["wordle", "presence"]
Mode = Literal["easy", "hard", "ultra-hard"]
Measure = Literal["entropy", "expected", "patterns", "largest"]
"""What makes one guess better than another.

More entropy of the pattern, fewer expected answers left, more patterns, or a smaller largest cell.
"""
Order = Literal[Measure, "guess"]
"""How a table of guesses is sorted: by a measure, or alphabetically (``guess``)."""
Advice = Literal["exact", "entropy", "expected", "patterns", "largest"]
"""How suggestions are ranked: by a measure, or by the number of guesses to the end if few enough answers remain."""
Objective = Literal["mean", "worst", "worst-mean"]
"""What a strategy minimizes: its guesses over all answers, its worst case, or the worst case before the guesses."""
SCORINGS: tuple[Scoring, ...] = get_args(Scoring)
MODES: tuple[Mode, ...] = get_args(Mode)
MEASURES: tuple[Measure, ...] = get_args(Measure)
ORDERS: tuple[Order, ...] = get_args(Order)
ADVICE: tuple[Advice, ...] = get_args(Advice)
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

History: TypeAlias = Sequence[tuple[str, int]]
"""The guesses so far, each with its pattern."""
Turns: TypeAlias = Sequence[str | tuple[str, int | str]]
"""A history in any accepted form: each turn is ``salet:-y--g``, ``("salet", "-y--g")`` or ``("salet", 165)``."""

_MARKS = "-yg"
SQUARES = "⬛⬜🟨🟦🟩🟧"
"""The squares of shared texts: grey in dark and light mode, yellow and green, each with its colour of high contrast."""
_PATTERNS = re.compile(r"(?=.*[^,])([-._b0xy1g2]{5}|(?=,|$))(,([-._b0xy1g2]{5})?)*", re.IGNORECASE)
"""A pattern, or the patterns of several boards, in characters of the keyboard; that of a solved board is left out."""
_DIGITS = {mark: digit for digit, marks in enumerate(("-._b0x⬛⬜", "y1🟨🟦", "g2🟩🟧")) for mark in marks}


def pattern(guess: str, answer: str, *, scoring: Scoring = "wordle") -> int:
    """Compute the pattern that a guess gets when an answer is hidden.

    Parameters
    ----------
    guess, answer : str
        Words of five letters a-z, in upper or lower case.
    scoring : {"wordle", "presence"}
        ``wordle``: green letters are marked first; then, from left to right, a letter is yellow while the answer has
        an unmarked letter of that kind. ``presence``: every letter that is not green but occurs anywhere in the answer
        is yellow.

    Returns
    -------
    int
        The pattern as a number 0..242 in base 3. The first letter is the least significant digit; grey is 0, yellow 1
        and green 2.

    Raises
    ------
    BadInput
        If either is not a word of five letters, or the scoring is unknown.

    Examples
    --------
    >>> pattern_text(pattern("eerie", "there")), pattern_text(pattern("eerie", "there", scoring="presence"))
    ('y-y-g', 'yyy-g')
    """
    check_choice("scoring", scoring, SCORINGS)
    return mark(parse_word(guess), parse_word(answer), scoring)


def mark(guess: str, answer: str, scoring: Scoring) -> int:
    """Return the pattern as `pattern` does, for words in lower case that have been checked."""
    digits = [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]
    unclaimed = [a for a, digit in zip(answer, digits, strict=True) if digit == 0]
    for i, letter in enumerate(guess):
        if digits[i] == 2:
            continue
        if scoring == "presence":
            digits[i] = int(letter in answer)
        elif letter in unclaimed:
            digits[i] = 1
            unclaimed.remove(letter)
    return sum(digit * 3**i for i, digit in enumerate(digits))


def pattern_text(code: int) -> str:
    """Write a pattern as text: ``-`` for grey, ``y`` for yellow, ``g`` for green.

    Parameters
    ----------
    code : int
        The pattern, 0..242.

    Returns
    -------
    str
        Five characters, which `parse_pattern` reads.

    Raises
    ------
    BadInput
        If `code` is not a number from 0 to 242.

    Examples
    --------
    >>> pattern_text(SOLVED), pattern_text(3)
    ('ggggg', '-y---')
    """
    check_integer("pattern", code, 0, SOLVED)
    return "".join(_MARKS[code // 3**i % 3] for i in range(LETTERS))


def parse_pattern(text: str) -> int:
    """Read a pattern from text.

    Parameters
    ----------
    text : str
        Five characters: ``- . _ b 0 x ⬛ ⬜`` for grey, ``y 1 🟨 🟦`` for yellow, ``g 2 🟩 🟧`` for green, in either
        case. Blue and orange are the squares of high contrast.

    Returns
    -------
    int
        The pattern, 0..242.

    Raises
    ------
    BadInput
        If the text has another character or another length.

    Examples
    --------
    >>> parse_pattern("-y---"), parse_pattern("⬛🟨⬛⬛⬛")
    (3, 3)
    """
    marks = _stripped("pattern", text).lower().replace("\N{VARIATION SELECTOR-16}", "")
    if len(marks) != LETTERS or any(mark not in _DIGITS for mark in marks):
        raise BadInput(f"'{text}' is not a pattern: expected {LETTERS} characters, each of them -, y or g")
    return sum(_DIGITS[mark] * 3**i for i, mark in enumerate(marks))


def parse_word(text: str) -> str:
    """Return a word in lower case. Raises BadInput unless it has five letters a-z.

    >>> parse_word("Salet")
    'salet'
    """
    word = _stripped("word", text)
    if len(word) != LETTERS or not (word.isascii() and word.isalpha()):
        raise BadInput(f"'{text}' is not a word: expected {LETTERS} letters a-z")
    return word.lower()


def joined_turns(words: Sequence[str]) -> list[str]:
    """Join each guess with the pattern after it, or the patterns of several boards, which may begin with a dash.

    Raises BadInput for a pattern that begins with a dash if there is no guess before it.

    >>> joined_turns(["salet", "-y--g", "craft:g----", "--top", "5"])
    ['salet:-y--g', 'craft:g----', '--top', '5']
    >>> joined_turns(["carle", "-y---,----y", "aunty", ",--y--"])
    ['carle:-y---,----y', 'aunty:,--y--']
    """
    found: list[str] = []
    for word in words:
        if found and re.fullmatch(f"[A-Za-z]{{{LETTERS}}}", found[-1]) and _PATTERNS.fullmatch(word):
            found[-1] += f":{word}"
        elif word.startswith("-") and _PATTERNS.fullmatch(word):
            raise BadInput(f"'{word}': expected a guess before its pattern, such as salet:{word}")
        else:
            found.append(word)
    return found


def _stripped(what: str, text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{what}: expected a string, not {type(text).__name__}")
    return text.strip()


def parse_turn(turn: str | tuple[str, int | str]) -> tuple[str, int]:
    """Read a guess and its pattern, written ``salet:-y--g`` or given as a pair. Raises BadInput if either is wrong.

    >>> parse_turn("salet:-y--g"), parse_turn(("Salet", "-y--g")), parse_turn(("salet", 165))
    (('salet', 165), ('salet', 165), ('salet', 165))
    """
    if isinstance(turn, str):
        guess, colon, marks = turn.partition(":")
        if not colon:
            raise BadInput(f"'{turn}': expected a guess and its pattern, such as salet:-y--g")
        return parse_word(guess), parse_pattern(marks)
    if not isinstance(turn, tuple | list) or len(turn) != 2:
        raise BadInput(f"turn {str(turn)[:40]}: expected a guess and its pattern, such as ('salet', '-y--g')")
    guess, code = turn
    if isinstance(code, str):
        return parse_word(guess), parse_pattern(code)
    guess = parse_word(guess)
    check_integer(f"{guess}: pattern", code, 0, SOLVED)
    return guess, int(code)


def parse_history(turns: Turns) -> list[tuple[str, int]]:
    """Read the guesses so far, each with its pattern. Raises BadInput as `parse_turn` does, and for turns after a win.

    >>> parse_history(["salet:-y--g", ("craft", 0)])
    [('salet', 165), ('craft', 0)]
    """
    if isinstance(turns, str):
        raise TypeError(f"history: expected a list of turns, such as ['{turns}']")
    history = [parse_turn(turn) for turn in turns]
    for i, (guess, code) in enumerate(history[:-1], 1):
        if code == SOLVED:
            raise BadInput(f"guess {i}, '{guess}', has solved the game: expected no guess after it")
    return history


def consistent(word: str, history: History, scoring: Scoring = "wordle") -> bool:
    """Return whether `word` can be the answer: with it, every guess of `history` gets its pattern."""
    return all(mark(guess, word, scoring) == code for guess, code in history)


def revealed(guess: str, code: int, scoring: Scoring = "wordle") -> tuple[dict[int, str], dict[str, int]]:
    """Return what hard mode requires of later guesses: letters by position, and the count of each revealed letter.

    >>> revealed("eerie", parse_pattern("y-y-g"))
    ({4: 'e'}, {'e': 2, 'r': 1})
    """
    marks = pattern_text(code)
    greens = {i: guess[i] for i in range(LETTERS) if marks[i] == "g"}
    counts = Counter(guess[i] for i in range(LETTERS) if marks[i] != "-")
    if scoring == "presence":  # a yellow letter says nothing about the number of such letters there
        for letter in counts:
            counts[letter] = max(1, sum(green == letter for green in greens.values()))
    return greens, dict(counts)


def allowed(word: str, history: History, mode: Mode = "easy", scoring: Scoring = "wordle") -> bool:
    """Return whether `word` may be guessed after `history`.

    ``easy``: always. ``hard``: green letters keep their positions, and revealed letters are used as often as they were
    revealed. ``ultra-hard``: the word is consistent with every pattern seen.
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
    """Return whether any five letters, a word or not, are consistent with `history`.

    >>> possible([parse_turn("salet:ggggy")])
    False
    """
    marked = {guess[i] for guess, code in history for i, mark in enumerate(pattern_text(code)) if mark != "-"}
    guessed = {letter for guess, _ in history for letter in guess}
    # The word consists of marked letters and of letters that were not guessed. The latter are interchangeable: "?".
    alphabet = [*sorted(marked), *(["?"] if len(guessed) < 26 else [])]
    return len(marked) <= LETTERS and any(
        consistent("".join(letters), history, scoring) for letters in product(alphabet, repeat=LETTERS)
    )


def reply(guess: str, answers: Sequence[str], *, scoring: Scoring = "wordle") -> int:
    """Return the pattern that the adversary gives a guess: the one that leaves most of the answers.

    The adversary hides no word. Among patterns that leave equally many, it gives the one with the fewest greens, then
    the one with the fewest yellows, then the first in the order in which grey comes before yellow and yellow before
    green, letter by letter from the left.

    References
    ----------
    The game is qntm's Absurdle, https://qntm.org/absurdle, which says that the largest set of words is kept. The order
    among equal sets is that of https://github.com/m1el/absurdle-solver (src/game.rs). All of the 156 lines that win in
    four guesses there (results/absurdle-common-full-search.txt) do so here; with four other orders they do not.

    Examples
    --------
    >>> pattern_text(reply("crane", ["crane", "trace", "slump"]))
    '-----'
    """
    if not answers:
        raise BadInput("answers: expected at least one")
    sizes = Counter(mark(guess, answer, scoring) for answer in answers)
    return min(sizes, key=lambda code: (-sizes[code], *reluctance(code)))


def reluctance(code: int) -> tuple[int, int, list[int]]:
    """Return what the adversary compares if two patterns leave equally many words; it gives the one with the least.

    >>> reluctance(parse_pattern("-y--g"))
    (1, 1, [0, 1, 0, 0, 2])
    """
    digits = [code // 3**i % 3 for i in range(LETTERS)]
    return digits.count(2), digits.count(1), digits


def shortest_duel(
    guesses: Sequence[str],
    answers: Sequence[str],
    *,
    mode: Mode = "easy",
    scoring: Scoring = "wordle",
    guess_hidden_only: bool = False,
    history: History = (),
) -> list[tuple[str, int]]:
    """Return a shortest game against the adversary, by trying all guesses level by level: for some dozen words.

    A guess after which no fewer answers remain is left out, because it allows nothing new later, and so is one that
    leads to answers and allowed guesses that were seen before.

    >>> shortest_duel(["crane", "trace"], ["crane", "trace"])
    [('crane', 187), ('trace', 242)]
    """
    lines: list[tuple[list[tuple[str, int]], list[str]]] = [([], list(answers))]
    seen = set()
    while True:
        longer = []
        for line, left in lines:
            past = [*history, *line]
            for guess in left if guess_hidden_only else guesses:
                if not allowed(guess, past, mode, scoring):
                    continue
                code = reply(guess, left, scoring=scoring)
                if code == SOLVED:
                    return [*line, (guess, code)]
                kept = [word for word in left if mark(guess, word, scoring) == code]
                after = [*past, (guess, code)]
                known = tuple(kept), tuple(word for word in guesses if allowed(word, after, mode, scoring))
                if len(kept) < len(left) and known not in seen:
                    seen.add(known)
                    longer.append(([*line, (guess, code)], kept))
        lines = longer
