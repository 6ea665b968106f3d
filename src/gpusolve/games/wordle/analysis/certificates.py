"""A check of the proofs which first words solve every answer, by a plain program that knows nothing of the search.

It has its own patterns, and needs NumPy and the word list alone. The file of proofs is an ``.npz`` archive of NumPy,
compressed by xz. Words are numbered as in the list, patterns from 0 (no hint) to 242 (all green). It has two parts.

**Refutations.** A *nogood* is a set of answers that cannot be solved with a number of guesses. Any set that contains a
nogood cannot be solved either. The file has only the sets: ``nogoods_2`` to ``nogoods_5`` with the answers, one nogood
after the other, and ``lengths_2`` to ``lengths_5``. With two guesses left, the check is that every guess gives two
answers of the set the same pattern. With more, it is that every guess leaves all answers of a smaller nogood together
in one cell: one that lies in the set, and that was checked before for one guess less. A first word fails if it leaves a
nogood for one guess less than the limit together, or if the nogoods show that a whole cell of it has no next guess;
``cells`` has such first words, each with its pattern.

**Strategies** share their parts. After a first word of ``first``, ``first_second`` has the numbers of second guesses,
one for each cell of more than five answers, in the order of their patterns. A second guess, ``second``, has for each
pattern in ``second_pattern`` the number of a third guess; a third guess, ``third``, has the fourth guesses,
``third_fourth``, for the patterns in ``third_pattern``. Two rules say the rest. If no more answers are left than
guesses, they are guessed one after the other. With two guesses left, the first word of the list that gives all answers
different patterns is guessed. A part is checked for all answers with which any first word comes to it, because a
strategy that finds some answers finds any of them.
"""

from __future__ import annotations

import io
import lzma
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput

GREEN = 242
"""The pattern of the answer itself."""
SHIPPED = Path(__file__).parent / "first-words.npz.xz"

Array: TypeAlias = npt.NDArray[np.int64]
Patterns: TypeAlias = npt.NDArray[np.uint8]
"""The pattern of each guess against each answer, shape (answers, guesses)."""
Arrays: TypeAlias = dict[str, Array]


def read_proofs(path: Path) -> Arrays:
    """Return the arrays of a file of proofs. Raises BadInput if it is damaged."""
    try:
        with np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False) as archive:
            return {name: archive[name].astype(np.int64) for name in archive.files}
    except FileNotFoundError:
        raise BadInput(f"proofs {path}: there is no such file") from None
    except (OSError, ValueError, EOFError, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise BadInput(f"proofs {path}: expected an .npz archive compressed by xz ({error})") from None


def write_proofs(path: Path, arrays: Arrays) -> None:
    """Write the arrays of a file of proofs, each in the smallest type that holds its numbers."""
    packed = io.BytesIO()
    small: dict[str, Any] = {name: a.astype(np.min_scalar_type(a.max(initial=0))) for name, a in arrays.items()}
    np.savez(packed, **small)
    path.write_bytes(lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def parts(proofs: Arrays) -> int:
    """Return the number of parts that are checked, each with one call of `tick`."""
    names = [*(name for name in proofs if name.startswith("lengths_")), "first", "second", "third"]
    return sum(len(proofs.get(name, ())) for name in names) + len(proofs.get("cells", ())) // 2


def patterns_of(words: Sequence[str]) -> Patterns:
    """Return the pattern of every word as a guess against every word as the answer.

    Greens come first. Then, from the left, a letter is yellow if the answer has it more often than was claimed.
    """
    letters = np.array([[ord(letter) for letter in word] for word in words], np.int32).T.copy()
    counts = {letter: (letters == letter).sum(axis=0, dtype=np.uint8) for letter in np.unique(letters).tolist()}
    patterns = np.zeros((len(words), len(words)), np.uint8)
    for number, guess in enumerate(letters.T.tolist()):
        green = [letters[i] == letter for i, letter in enumerate(guess)]
        for i, letter in enumerate(guess):
            claimed = sum(green[j] | (j < i) for j in range(len(guess)) if j != i and guess[j] == letter)
            patterns[number] += np.where(green[i], 2, counts[letter] > claimed).astype(np.uint8) * np.uint8(3**i)
    return np.ascontiguousarray(patterns.T)


def check_refutations(
    patterns: Patterns, proofs: Arrays, within: int, tick: Callable[[], None] = lambda: None
) -> list[int]:
    """Check every nogood, and return the first words that fail. Raises BadInput at the first fault."""
    words = len(patterns)
    levels = [list(_split(proofs, f"nogoods_{turns}", f"lengths_{turns}", words)) for turns in range(2, within)]
    cells = proofs.get("cells", np.zeros((0, 2), np.int64)).reshape(-1, 2)
    below = _Nogoods(patterns, [])
    for turns, nogoods in enumerate(levels, 2):
        for number, nogood in enumerate(nogoods):
            place = f"nogood {number} for {turns} guesses"
            if len(nogood) < 2 or (nogood[1:] <= nogood[:-1]).any():
                raise BadInput(f"{place}: expected two or more different answers in order")
            if not (_none_splits(patterns, nogood) if turns == 2 else below.rule_out_all(nogood)):
                raise BadInput(f"{place}: it is not shown that every guess fails")
            tick()
        last, below = below, _Nogoods(patterns, nogoods)
    failed = np.zeros(words, np.bool_)
    for mask in below.masks:
        failed |= np.unpackbits(mask, count=words).astype(np.bool_)
    for number, (word, pattern) in enumerate(cells.tolist()):
        if not 0 <= word < words or not last.rule_out_all(np.flatnonzero(patterns[:, word] == pattern)):
            raise BadInput(f"cell {number}: it is not shown that every second guess fails")
        failed[word] = True
        tick()
    return np.flatnonzero(failed).tolist()


class _Nogoods:
    """Nogoods that were checked, with a bit for each guess that leaves all answers of one together."""

    def __init__(self, patterns: Patterns, nogoods: list[Array]) -> None:
        self._present = np.zeros(len(patterns), np.bool_)
        self._members = np.concatenate([np.zeros(0, np.int64), *nogoods])
        self._begins = np.cumsum([0, *map(len, nogoods)])[:-1]
        together = [np.packbits((patterns[nogood[1:]] == patterns[nogood[0]]).all(axis=0)) for nogood in nogoods]
        self.masks = np.array(together, np.uint8).reshape(len(nogoods), -(-len(patterns) // 8))
        self._every = np.packbits(np.ones(len(patterns), np.bool_))

    def rule_out_all(self, answers: Array) -> bool:
        """Return whether every guess leaves a nogood together that lies in a set of answers."""
        if not len(self.masks):
            return False
        self._present[:] = False
        self._present[answers] = True
        inside = np.logical_and.reduceat(self._present[self._members], self._begins)
        return bool((np.bitwise_or.reduce(self.masks[inside], axis=0) == self._every).all())


def _none_splits(patterns: Patterns, answers: Array) -> bool:
    """Return whether every guess gives two of the answers the same pattern."""
    alike = np.zeros(patterns.shape[1], np.bool_)
    for i, answer in enumerate(answers):
        for other in answers[:i]:
            alike |= patterns[answer] == patterns[other]
        if alike.all():
            return True
    return False


def check_strategies(patterns: Patterns, proofs: Arrays, tick: Callable[[], None] = lambda: None) -> list[int]:
    """Check the strategies within six guesses and return their first words. Raises BadInput at the first fault."""
    third = _numbers(proofs, "third", len(patterns))
    replies = replies_of(proofs, "third", "third_fourth", len(patterns))
    splits: dict[bytes, bool] = {}
    for number, answers in enumerate(answers_of_thirds(patterns, proofs, tick)):
        for code, cell in cells_of(patterns, int(third[number]), answers):
            if len(cell) > 3:
                if code not in replies[number]:
                    raise BadInput(f"third guess {number}: it has no reply to pattern {code}")
                for _, few in cells_of(patterns, replies[number][code], cell):
                    key = few.tobytes()
                    if len(few) > 2 and key not in splits:
                        splits[key] = _some_splits(patterns, few)
                    if len(few) > 2 and not splits[key]:
                        raise BadInput(f"third guess {number}: after pattern {code}, two guesses are not enough")
        tick()
    return sorted(set(proofs.get("first", np.zeros(0, np.int64)).tolist()))


def answers_of_thirds(patterns: Patterns, proofs: Arrays, tick: Callable[[], None] = lambda: None) -> list[Array]:
    """Return for each third guess the answers with which any first word comes to it.

    Raises BadInput if a first word has no second guess for one of its cells, or a second guess no third one.
    """
    words = len(patterns)
    first, second, third = (_numbers(proofs, name, words) for name in ("first", "second", "third"))
    replies = _numbers(proofs, "first_second", len(second))
    second_replies = replies_of(proofs, "second", "second_third", len(third))
    come = np.zeros((len(second), words), np.bool_)  # which answers come to each second guess
    at = 0
    for word in first.tolist():
        codes = patterns[:, word]
        large = np.flatnonzero(np.bincount(codes, minlength=GREEN + 1) > 5)
        if at + len(large) > len(replies):
            raise BadInput("first_second: expected a number for each cell of more than five answers")
        numbers = np.full(GREEN + 1, -1)
        numbers[large] = replies[at : at + len(large)]
        at += len(large)
        answers = np.flatnonzero(numbers[codes] >= 0)
        come[numbers[codes[answers]], answers] = True
        tick()
    if at != len(replies):
        raise BadInput("first_second: expected no more numbers than cells of more than five answers")
    parts: list[list[Array]] = [[] for _ in third]
    for number, guess in enumerate(second.tolist()):
        for code, cell in cells_of(patterns, guess, np.flatnonzero(come[number])):
            if len(cell) > 4:
                if code not in second_replies[number]:
                    raise BadInput(f"second guess {number}: it has no reply to pattern {code}")
                parts[second_replies[number][code]].append(cell)
        tick()
    return [np.unique(np.concatenate([np.zeros(0, np.int64), *cells])) for cells in parts]


def _some_splits(patterns: Patterns, answers: Array) -> bool:
    """Return whether some guess gives all answers different patterns."""
    different = np.ones(patterns.shape[1], np.bool_)
    for i, answer in enumerate(answers):
        for other in answers[:i]:
            different &= patterns[answer] != patterns[other]
    return bool(different.any())


def cells_of(patterns: Patterns, guess: int, answers: Array) -> Iterator[tuple[int, Array]]:
    """Yield each pattern of a guess that is not all green, with its answers in order."""
    codes = patterns[answers, guess]
    order = np.argsort(codes, kind="stable")
    ends = np.flatnonzero(np.diff(codes[order], append=np.uint8(GREEN + 1)))
    begin = 0
    for end in (ends + 1).tolist():
        code = int(codes[order[begin]])
        if code != GREEN:
            yield code, answers[order[begin:end]]
        begin = end


def _numbers(proofs: Arrays, name: str, below: int) -> Array:
    """Return an array of numbers from 0 on. Raises BadInput if it is missing or if a number is too large."""
    array = proofs.get(name, np.zeros(0, np.int64))
    if array.ndim != 1 or (array < 0).any() or (array >= below).any():
        raise BadInput(f"{name}: expected numbers from 0 to {below - 1:,}")
    return array


def _split(proofs: Arrays, name: str, lengths: str, below: int) -> Iterator[Array]:
    """Yield the parts of an array, whose lengths another one has."""
    members, ends = _numbers(proofs, name, below), np.cumsum(_numbers(proofs, lengths, below + 1))
    if len(members) != (ends[-1] if len(ends) else 0):
        raise BadInput(f"{lengths}: expected lengths that add up to the {len(members):,} numbers of {name}")
    yield from np.split(members, ends[:-1]) if len(ends) else ()


def replies_of(proofs: Arrays, name: str, to: str, below: int = 1 << 32) -> list[dict[int, int]]:
    """Return for each guess of a level its replies: pattern -> number."""
    at = list(_split(proofs, f"{name}_pattern", f"{name}_replies", GREEN))
    numbers = list(_split(proofs, to, f"{name}_replies", below))
    if len(at) != len(proofs.get(name, ())):
        raise BadInput(f"{name}_replies: expected as many numbers as {name} has")
    return [dict(zip(a.tolist(), b.tolist(), strict=True)) for a, b in zip(at, numbers, strict=True)]
