"""Words of any length and alphabet: how lists of them are read."""

from __future__ import annotations

import warnings
from collections import Counter

from gpusolve import wordlists
from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.rules import LENGTHS, LETTERS
from gpusolve.wordlists import MANY, SHARE, Words

ALPHABET = 64
"""Largest number of different letters of a list."""


def load(source: Words, *, length: int | None = None, name: str = "") -> list[str]:
    """Return the words of a shipped list, of a file or of an iterable: sorted, folded (`rules.fold`).

    `wordlists.load_words` reads lists whose letters are a-z. Other lists are read in the same way: of a file with many
    other words, those that do not fit are left out and counted in a `WordsLeftOut` warning. The parameters and errors
    are those of `WordList`.
    """
    if length is not None and length not in LENGTHS:
        raise BadInput(f"length {length}: expected {LENGTHS[0]} to {LENGTHS[-1]}")
    if isinstance(source, str) and source in [known.name for known in wordlists.shipped()]:
        return wordlists.load_words(source, length=LETTERS if length is None else length)
    called, unit, lines = wordlists.read_lines(source, name)
    if length is None:
        length = common_length(lines)
    from_file = unit == "line" or bool(name)
    if "".join(lines).isascii():
        again = source if unit == "line" else lines
        return wordlists.load_words(again, length=length, name=name)
    found: dict[str, tuple[int, str]] = {}
    fault, capitals = "", 0
    left_out = dict.fromkeys(("of another length", "with other characters than letters", "that occur again"), 0)
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        word = rules.fold(stripped)
        if not word:
            continue
        letters = rules.letters_of(word)
        if sum(map(len, letters)) != len(word) or (word.isascii() and not word.isalpha()):
            reason, why = "with other characters than letters", "is not a word: expected letters only"
        elif len(letters) != length:
            reason, why = "of another length", f"has {len(letters)} letters: expected {length}"
        elif word in found:
            before, spelled = found[word]
            same = "" if spelled == stripped else f", spelled '{wordlists.short(spelled)}'"
            reason, why = "that occur again", f"is in {unit} {before} already{same}"
        else:
            found[word] = number, stripped
            capitals += stripped != stripped.lower()
            continue
        left_out[reason] += 1
        fault = fault or f"{called}, {unit} {number}: '{wordlists.short(stripped)}' {why}"
    number = sum(left_out.values())
    if fault and not (from_file and found and number >= max(MANY, (number + len(found)) // SHARE)):
        raise BadInput(fault)
    alphabet = {letter for word in found for letter in rules.letters_of(word)}
    if len(alphabet) > ALPHABET:
        raise BadInput(f"{called}: {len(alphabet)} different letters: expected at most {ALPHABET}")
    if fault:
        warnings.warn(
            f"{called}: {len(found):,} words; left out "
            + ", ".join(f"{count:,} {reason}" for reason, count in left_out.items() if count)
            + (f"; {capitals:,} with capitals were read in lower case" if capitals else ""),
            WordsLeftOut,
            stacklevel=4,
        )
    return sorted(found)


def common_length(lines: list[str]) -> int:
    """Return the number of letters that nine of ten words have, or five.

    >>> common_length(["tea", "ate"]), common_length(["tea", "ate", "salet"]), common_length(["a"])
    (3, 5, 5)
    """
    words = [rules.fold(line.strip()) for line in lines]
    counts = Counter(rules.length_of(word) for word in words if rules.is_word(word))
    length, count = max(counts.items(), key=lambda item: item[1], default=(LETTERS, 0))
    return length if 10 * count >= 9 * sum(bool(word) for word in words) else LETTERS
