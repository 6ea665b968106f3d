"""Wordle in plain Python: words, patterns, and which guesses are allowed. The tests use it as their oracle."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, get_args

from gpusolve.checks import check_choice, check_integer, check_type, shown
from gpusolve.errors import BadInput

LETTERS = 5
"""Number of letters in a word of the original game."""
LENGTHS = range(2, 13)
"""Numbers of letters that a word can have."""
LONGEST = 3
"""Largest number of characters of a digraph: the number of a letter in arrays has 21 bits for each of them."""
GUESSES = 6
"""Number of guesses in a game."""
SOLVED = 3**LETTERS - 1
"""Code of the pattern of five greens; `solved_code` has that of other lengths."""
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
CHANCES = "chances"
"""The name of the weights that are the chances of words to be the answer today."""
MEASURES: tuple[Measure, ...] = get_args(Measure)
ORDERS: tuple[Order, ...] = get_args(Order)
ADVICE: tuple[Advice, ...] = get_args(Advice)
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

History: TypeAlias = Sequence[tuple[str, int]]
"""The guesses so far, each with its pattern."""
Turns: TypeAlias = Sequence[str | tuple[str, int | str]]
"""A history in any accepted form: each turn is ``salet:-y--g``, ``("salet", "-y--g")`` or ``("salet", 165)``."""
Digraphs: TypeAlias = Sequence[str]
"""The letters of a word list that are written with two or three characters, such as sz."""

_MARKS = "-yg"
SQUARES = "⬛⬜🟨🟦🟩🟧"
"""The squares of shared texts: grey in dark and light mode, yellow and green, each with its colour of high contrast."""
_PATTERNS = {
    n: re.compile(rf"(?=.*[^,])([-._b0xy1g2]{{{n}}}|(?=,|$))(,([-._b0xy1g2]{{{n}}})?)*", re.IGNORECASE) for n in LENGTHS
}
"""A pattern, or the patterns of several boards, in characters of the keyboard; that of a solved board is left out."""
_LAST_SIGMA = re.compile(r"(?<=\w)σ(?!\w)")
_LETTER = re.compile(
    r"[^\W\d_][\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u064b-\u065f\u0670]{0,2}"
)
_DIGITS = {mark: digit for digit, marks in enumerate(("-._b0x⬛⬜", "y1🟨🟦", "g2🟩🟧")) for mark in marks}


class Word(str):
    """A word with digraphs: the text as people write it, which knows its letters. It equals the text alone.

    Methods of strings return text that does not know them; `spelled` makes a word of it again.

    >>> Word(["sz", "é", "p"]), Word(["sz", "é", "p"]).letters
    ('szép', ('sz', 'é', 'p'))
    """

    letters: tuple[str, ...]

    def __new__(cls, letters: Sequence[str]) -> Word:
        """Make a word of its letters."""
        word = super().__new__(cls, "".join(letters))
        word.letters = tuple(letters)
        return word

    def __getnewargs__(self) -> tuple[tuple[str, ...]]:  # type: ignore[override]
        """Return what `pickle` makes the word of again."""
        return (self.letters,)


def pattern(guess: str, answer: str, *, scoring: Scoring = "wordle", digraphs: Digraphs = ()) -> int:
    """Compute the pattern that a guess gets when an answer is hidden.

    Parameters
    ----------
    guess, answer : str
        Words of the same length, 2 to 12 letters, in upper or lower case.
    scoring : {"wordle", "presence"}
        ``wordle``: green letters are marked first; then, from left to right, a letter is yellow while the answer has
        an unmarked letter of that kind. ``presence``: every letter that is not green but occurs anywhere in the answer
        is yellow.
    digraphs : sequence of str
        The letters that are written with two or three characters, such as sz.

    Returns
    -------
    int
        The pattern as a number in base 3, 0..242 for five letters. The first letter is the least significant digit;
        grey is 0, yellow 1 and green 2.

    Raises
    ------
    BadInput
        If either is not a word, they differ in length, a digraph is not two or three letters or occurs twice, or the
        scoring is unknown.

    Examples
    --------
    >>> pattern_text(pattern("eerie", "there")), pattern_text(pattern("eerie", "there", scoring="presence"))
    ('y-y-g', 'yyy-g')
    >>> pattern_text(pattern("szép", "vész", digraphs=["sz"]), 3)
    'yg-'
    """
    check_choice("scoring", scoring, SCORINGS)
    digraphs = checked_digraphs(digraphs, "digraphs")
    guess = parse_word(guess, None, digraphs)
    return mark(guess, parse_word(answer, length_of(guess), digraphs), scoring)


def mark(guess: str, answer: str, scoring: Scoring) -> int:
    """Return the pattern as `pattern` does, for words in lower case that have been checked."""
    guessed, hidden = letters_of(guess), letters_of(answer)
    digits = [2 if g == a else 0 for g, a in zip(guessed, hidden, strict=True)]
    unclaimed = [a for a, digit in zip(hidden, digits, strict=True) if digit == 0]
    for i, letter in enumerate(guessed):
        if digits[i] == 2:
            continue
        if scoring == "presence":
            digits[i] = int(letter in hidden)
        elif letter in unclaimed:
            digits[i] = 1
            unclaimed.remove(letter)
    return sum(digit * 3**i for i, digit in enumerate(digits))


def fold(text: str) -> str:
    """Return a text as words are compared: case folded, and composed (NFC). Greek words end in a final sigma.

    The Turkish İ is an i without another dot, and so is the i with a dot that lower() makes of it.

    >>> fold("ΛΌΓΟΣ"), fold("λόγοσ"), fold("Straße"), fold("İZMİR") == fold("İzmir".lower()) == "izmir"
    ('λόγος', 'λόγος', 'strasse', True)
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold().replace("i\u0307", "i"))
    return _LAST_SIGMA.sub("ς", folded)


def letters_of(word: str) -> list[str]:
    """Return the letters of a word; a letter is a character with the combining marks after it, or a digraph.

    A final sigma is the same letter as any other sigma.

    >>> letters_of("ẹ̀kọ́") == ["ẹ̀", "k", "ọ́"], letters_of(Word(["sz", "é", "p"]))
    (True, ['sz', 'é', 'p'])
    """
    if isinstance(word, Word):
        return list(word.letters)
    return list(word) if word.isascii() else _LETTER.findall(word.replace("ς", "σ"))


def spelled(text: str, digraphs: Digraphs) -> str:
    """Return a folded text as a word of a list with these digraphs: the longest one that fits, from left to right.

    Text without digraphs stays as it is, and so does text that is not a word.

    >>> letters_of(spelled("dzsessz", ("dz", "dzs", "sz"))), letters_of(spelled("eper", ("sz",)))
    (['dzs', 'e', 's', 'sz'], ['e', 'p', 'e', 'r'])
    """
    if not digraphs:
        return text
    plain = _LETTER.findall(text)
    letters: list[str] = []
    i = 0
    while i < len(plain):
        n = next((n for n in (3, 2) if "".join(plain[i : i + n]) in digraphs), 1)
        letters.append("".join(plain[i : i + n]))
        i += n
    return Word(letters) if letters != plain and "".join(letters) == text else text


class TurnFields(TypedDict):
    """A guess and its pattern, as JSON has them."""

    guess: str
    pattern: str


def turn_fields(history: History) -> list[TurnFields]:
    """Return a history as JSON has it."""
    return [{"guess": guess, "pattern": pattern_text(code, length_of(guess))} for guess, code in history]


def digraphs_of(given: str | Sequence[str]) -> list[str]:
    """Return the digraphs in a text, or in several texts.

    >>> digraphs_of("dz dzs sz")
    ['dz', 'dzs', 'sz']
    """
    return [each for text in ([given] if isinstance(given, str) else given) for each in text.split()]


def checked_digraphs(texts: Iterable[str], name: str) -> tuple[str, ...]:
    """Return digraphs, folded (`fold`) and sorted.

    Raises BadInput, which begins with `name`, for one that is not two or three letters, and for one that occurs twice.

    >>> checked_digraphs(["SZ", "dzs"], "words.txt")
    ('dzs', 'sz')
    """
    found: set[str] = set()
    for text in texts:
        check_type("digraph", text, str)
        digraph = fold(text)
        if not is_word(digraph) or len(digraph) > LONGEST:
            raise BadInput(f"{name}: '{shown(text)}' is not a digraph: expected two or three letters, such as sz")
        if digraph in found:
            raise BadInput(f"{name}: the digraph '{shown(text)}' occurs twice: expected each once")
        found.add(digraph)
    return tuple(sorted(found))


def length_of(word: str) -> int:
    """Return the number of letters of a word."""
    return len(word) if word.isascii() and not isinstance(word, Word) else len(letters_of(word))


def is_word(text: str) -> bool:
    """Return whether a folded text consists of letters, two to twelve."""
    if text.isascii():
        return text.isalpha() and length_of(text) in LENGTHS
    letters = letters_of(text)
    return len(letters) in LENGTHS and sum(map(len, letters)) == len(text)


def is_right_to_left(word: str) -> bool:
    """Return whether a word is written from right to left, as in Hebrew and Arabic.

    >>> is_right_to_left("שלום"), is_right_to_left("salet")
    (True, False)
    """
    return unicodedata.bidirectional(word[0]) in ("R", "AL")


def solved_code(length: int = LETTERS) -> int:
    """Return the pattern of a word of this length that is all green.

    >>> solved_code(), solved_code(6)
    (242, 728)
    """
    return int(3**length - 1)


def solves(guess: str, code: int) -> bool:
    """Return whether a pattern of a guess is all green."""
    return code == solved_code(length_of(guess))


def pattern_text(code: int, length: int = LETTERS) -> str:
    """Write a pattern as text: ``-`` for grey, ``y`` for yellow, ``g`` for green.

    Parameters
    ----------
    code : int
        The pattern, 0..242 for five letters.
    length : int
        Number of letters of the word.

    Returns
    -------
    str
        A character for each letter, which `parse_pattern` reads.

    Raises
    ------
    BadInput
        If `code` is not the number of a pattern.

    Examples
    --------
    >>> pattern_text(SOLVED), pattern_text(3)
    ('ggggg', '-y---')
    """
    check_integer("pattern", code, 0, solved_code(length))
    return "".join(_MARKS[code // 3**i % 3] for i in range(length))


def turn_text(guess: str, code: int) -> str:
    """Write a guess and its pattern as text.

    >>> turn_text("salet", 165)
    'salet:-y--g'
    """
    return f"{guess}:{pattern_text(code, length_of(guess))}"


def parse_pattern(text: str, length: int = LETTERS) -> int:
    """Read a pattern from text.

    Parameters
    ----------
    text : str
        A character for each letter: ``- . _ b 0 x ⬛ ⬜`` for grey, ``y 1 🟨 🟦`` for yellow, ``g 2 🟩 🟧`` for
        green, in either case. Blue and orange are the squares of high contrast.
    length : int
        Number of letters of the word.

    Returns
    -------
    int
        The pattern, 0..242 for five letters.

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
    if len(marks) != length or any(mark not in _DIGITS for mark in marks):
        raise BadInput(f"'{shown(text)}' is not a pattern: expected {length} characters, each of them -, y or g")
    return sum(_DIGITS[mark] * 3**i for i, mark in enumerate(marks))


def parse_word(text: str, length: int | None = LETTERS, digraphs: Digraphs = ()) -> str:
    """Return a word in lower case. Raises BadInput unless it has `length` letters (None: 2 to 12).

    `digraphs` are those of the list that the word is for; a `Word` keeps its own.

    >>> parse_word("Salet"), parse_word("WÜRDEN", None)
    ('salet', 'würden')
    """
    word = text if isinstance(text, Word) else spelled(fold(_stripped("word", text)), digraphs)
    if not is_word(word) or length not in (None, length_of(word)):
        number = f"{LENGTHS[0]} to {LENGTHS[-1]}" if length is None else f"{length}"
        few = f", of which {' '.join(digraphs)} are one each" if digraphs else ""
        raise BadInput(f"'{shown(text)}' is not a word: expected {number} letters{few}")
    return word


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
        guess = found[-1] if found else ""
        if word == "--":  # the end of the options, and not a pattern of two letters
            found.append(word)
        elif _is_pattern(word, guess):
            found[-1] += f":{word}"
        elif guess.startswith("--"):  # the value of an option, which may be a negative number
            found.append(word)
        elif word.startswith("-") and any(form.fullmatch(word) for form in _PATTERNS.values()):
            raise BadInput(f"'{word}': expected a guess before its pattern, such as salet:{word}")
        else:
            found.append(word)
    return found


def _is_pattern(text: str, guess: str) -> bool:
    """Return whether a text can be the pattern, or those of several boards, of a guess.

    It has at most as many characters as the guess has letters; fewer if some are digraphs, which its list knows.
    """
    letters = _LETTER.findall(fold(guess))
    return "".join(letters) == fold(guess) and any(_PATTERNS[n].fullmatch(text) for n in LENGTHS if n <= len(letters))


def _stripped(what: str, text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{what}: expected a string, not {type(text).__name__}")
    return text.strip()


def parse_turn(
    turn: str | tuple[str, int | str], length: int | None = None, digraphs: Digraphs = ()
) -> tuple[str, int]:
    """Read a guess and its pattern, written ``salet:-y--g`` or given as a pair.

    Raises BadInput if either is wrong, or if the guess does not have `length` letters (None: 2 to 12). `digraphs` are
    as in `parse_word`.

    >>> parse_turn("salet:-y--g"), parse_turn(("Salet", "-y--g")), parse_turn(("salet", 165))
    (('salet', 165), ('salet', 165), ('salet', 165))
    """
    if isinstance(turn, str):
        word, colon, marks = turn.partition(":")
        if not colon:
            raise BadInput(f"'{shown(turn)}': expected a guess and its pattern, such as salet:-y--g")
        guess = parse_word(word, length, digraphs)
        return guess, parse_pattern(marks, length_of(guess))
    if not isinstance(turn, tuple | list) or len(turn) != 2:
        raise BadInput(f"turn {str(turn)[:40]}: expected a guess and its pattern, such as ('salet', '-y--g')")
    guess, code = turn
    guess = parse_word(guess, length, digraphs)
    if isinstance(code, str):
        return guess, parse_pattern(code, length_of(guess))
    check_integer(f"{guess}: pattern", code, 0, solved_code(length_of(guess)))
    return guess, int(code)


def parse_history(turns: Turns, length: int | None = None, digraphs: Digraphs = ()) -> list[tuple[str, int]]:
    """Read the guesses so far, each with its pattern. Raises BadInput as `parse_turn` does, and for turns after a win.

    >>> parse_history(["salet:-y--g", ("craft", 0)])
    [('salet', 165), ('craft', 0)]
    """
    if isinstance(turns, str):
        raise TypeError(f"history: expected a list of turns, such as ['{turns}']")
    history: list[tuple[str, int]] = []
    for turn in turns:
        history.append(parse_turn(turn, length, digraphs))
        length = length_of(history[0][0])
    for i, (guess, code) in enumerate(history[:-1], 1):
        if solves(guess, code):
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
    letters = letters_of(guess)
    marks = pattern_text(code, len(letters))
    greens = {i: letter for i, letter in enumerate(letters) if marks[i] == "g"}
    counts = Counter(letter for i, letter in enumerate(letters) if marks[i] != "-")
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
        letters = letters_of(word)
        for guess, code in history:
            greens, counts = revealed(guess, code, scoring)
            if any(letters[i] != letter for i, letter in greens.items()):
                return False
            if any(letters.count(letter) < count for letter, count in counts.items()):
                return False
    return True


def forbids(word: str, history: History, mode: Mode, scoring: Scoring) -> str:
    """Return why a word may not be guessed after a history, beginning with the mode; empty if it may.

    >>> seen = [parse_turn("eerie:y-y-g")]
    >>> forbids("crony", seen, "hard", "wordle"), forbids("crane", seen, "hard", "wordle")
    ('hard mode: expected E as letter 5, as in eerie', 'hard mode: expected E 2 times, as in eerie')
    >>> forbids("crane", seen, "ultra-hard", "wordle")
    'ultra-hard mode: it cannot be the answer, because eerie would not get y-y-g'
    """
    for guess, code in history:
        if allowed(word, [(guess, code)], mode, scoring):
            continue
        if mode == "ultra-hard":
            marks = pattern_text(code, length_of(guess))
            return f"ultra-hard mode: it cannot be the answer, because {guess} would not get {marks}"
        letters = letters_of(word)
        greens, counts = revealed(guess, code, scoring)
        for i, letter in greens.items():
            if letters[i] != letter:
                return f"hard mode: expected {letter.upper()} as letter {i + 1}, as in {guess}"
        for letter, count in counts.items():
            if letters.count(letter) < count:
                times = "" if count == 1 else f" {count} times"
                return f"hard mode: expected {letter.upper()}{times}, as in {guess}"
    return ""


def possible(history: History, scoring: Scoring = "wordle") -> bool:
    """Return whether any letters, a word or not, are consistent with `history`.

    >>> possible([parse_turn("salet:ggggy")])
    False
    """
    if not history:
        return True
    length = length_of(history[0][0])
    guessed = {letter for guess, _ in history for letter in letters_of(guess)}
    least: Counter[str] = Counter()
    most = dict.fromkeys(guessed, length)
    fits = [set(guessed) for _ in range(length)]
    for guess, code in history:
        letters, marks = letters_of(guess), pattern_text(code, length)
        for i, letter in enumerate(letters):
            fits[i] &= {letter} if marks[i] == "g" else fits[i] - {letter}
        for letter in set(letters):
            own = "".join(mark for mark, other in zip(marks, letters, strict=True) if other == letter)
            coloured = len(own) - own.count("-")
            if scoring == "presence":
                if coloured and "-" in own:
                    return False
                least[letter] = max(least[letter], 1 if coloured else 0)
                most[letter] = min(most[letter], length if coloured else 0)
                continue
            if "-y" in own.replace("g", ""):  # yellows come from left to right
                return False
            least[letter] = max(least[letter], coloured)
            most[letter] = min(most[letter], coloured if "-" in own else length)
    green = [any(pattern_text(code, length)[i] == "g" for _, code in history) for i in range(length)]
    others = len(guessed) < 26 or not all(letter.isascii() for letter in guessed)  # the letters that were not guessed
    states: set[tuple[tuple[str, int], ...]] = {()}  # how often the letters that are needed have been used
    for i in range(length):
        following = set()
        for state in states:
            used = dict(state)
            for letter in fits[i]:
                if used.get(letter, 0) < most[letter]:
                    following.add(tuple(sorted((used | {letter: used.get(letter, 0) + 1}).items())))
            if others and not green[i]:
                following.add(state)
        states = {
            state
            for state in following
            if sum(max(0, n - dict(state).get(letter, 0)) for letter, n in least.items()) < length - i
        }
    return bool(states)


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
    length = length_of(guess)
    return min(sizes, key=lambda code: (-sizes[code], *reluctance(code, length)))


def reluctance(code: int, length: int = LETTERS) -> tuple[int, int, list[int]]:
    """Return what the adversary compares if two patterns leave equally many words; it gives the one with the least.

    >>> reluctance(parse_pattern("-y--g"))
    (1, 1, [0, 1, 0, 0, 2])
    """
    digits = [code // 3**i % 3 for i in range(length)]
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
                if solves(guess, code):
                    return [*line, (guess, code)]
                kept = [word for word in left if mark(guess, word, scoring) == code]
                after = [*past, (guess, code)]
                known = tuple(kept), tuple(word for word in guesses if allowed(word, after, mode, scoring))
                if len(kept) < len(left) and known not in seen:
                    seen.add(known)
                    longer.append(([*line, (guess, code)], kept))
        lines = longer


def longest_duel(
    guesses: Sequence[str],
    answers: Sequence[str],
    *,
    mode: Mode = "easy",
    scoring: Scoring = "wordle",
    guess_hidden_only: bool = False,
    history: History = (),
) -> list[tuple[str, int]]:
    """Return a longest game against the adversary in which each guess leaves fewer answers, by trying all games.

    >>> longest_duel(["cater", "later", "water"], ["cater", "later", "water"])
    [('cater', 240), ('later', 240), ('water', 242)]
    """
    longest: list[tuple[str, int]] = []
    for guess in answers if guess_hidden_only else guesses:
        if not allowed(guess, history, mode, scoring):
            continue
        code = reply(guess, answers, scoring=scoring)
        kept = [word for word in answers if mark(guess, word, scoring) == code]
        rest: list[tuple[str, int]] = []
        if not solves(guess, code):
            if len(kept) == len(answers):
                continue
            rest = longest_duel(
                guesses,
                kept,
                mode=mode,
                scoring=scoring,
                guess_hidden_only=guess_hidden_only,
                history=[*history, (guess, code)],
            )
        if 1 + len(rest) > len(longest):
            longest = [(guess, code), *rest]
    return longest
