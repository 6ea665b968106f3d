"""Weights of the answers: how likely each of them is, as integers whose sums are exact."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve import checks, files
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.wordlist import declared_digraphs
from gpusolve.result import Result

MOST = 1 << 30
"""Largest sum of weights that are used as they are; larger sums are scaled down to it and rounded."""
DIGITS = 30
"""Largest number of digits of a weight before the decimal point, and after it."""
UNLISTED = 100
"""The words that no list has share one part in UNLISTED of the listed words' weight, where they can be the answer."""

WeightsSource: TypeAlias = str | Path | Mapping[str, float] | Sequence[float] | npt.NDArray[Any]
"""How a call takes weights: a file, a mapping from words to weights, or the weights in the order of the answers."""
_LINE = re.compile(r"\s*(?P<word>[^\s,;]+)(\s*[,;]\s*|\s+)(?P<weight>[^\s,;]\S*)\s*")


@dataclass(frozen=True, repr=False)
class Weights(Result):
    """The weights of the answers of a variant, as integers.

    Parameters
    ----------
    values : tuple of int
        The weight of each answer, in the order of the answers. Their sum is at least 1.
    name : str
        The file that they come from; empty for other weights.
    exact : bool
        Whether the values have the proportions that were given; otherwise they are rounded.
    unlisted : int
        Number of answers that have a small weight because they are not in the list.

    Raises
    ------
    BadInput
        If a value is not an integer from 0 on, or the sum is 0 or too large.
    """

    values: tuple[int, ...]
    name: str = ""
    exact: bool = True
    unlisted: int = 0

    def __post_init__(self) -> None:
        for value in self.values:
            checks.check_integer("weight", value, 0, 2 * MOST)
        if not 0 < self.total <= 2 * MOST:
            raise BadInput(f"weights with the sum {self.total:,}: expected 1 to {2 * MOST:,}")

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.values)

    @cached_property
    def array(self) -> npt.NDArray[np.int64]:
        """The weights, int64, shape (answers,)."""
        return np.array(self.values, np.int64)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the weights, by which a checkpoint identifies them."""
        return hashlib.sha256(" ".join(map(str, self.values)).encode()).hexdigest()

    def __repr__(self) -> str:
        return f"<{len(self.values):,} weights with the sum {self.total:,}>"

    def spread(self, answers: Sequence[str], guesses: Sequence[str]) -> Weights:
        """Return the weights of all guesses as answers, where those that are not listed keep a small chance.

        Together the unlisted words get one part in `UNLISTED` of the weight of the listed ones, and all of them the
        same. The weights of the listed words are multiplied first where that makes it possible.
        """
        known = dict(zip(answers, self.values, strict=True))
        number = len(guesses) - len(known)
        factor = max(1, min(-(-UNLISTED * number // self.total), MOST // self.total))
        share = max(1, factor * self.total // (UNLISTED * max(1, number)))
        values = tuple(known[word] * factor if word in known else share for word in guesses)
        return Weights(values, self.name, self.exact, number)


def load_weights(source: WeightsSource) -> dict[str, Decimal] | list[Decimal]:
    """Read weights from a file, a mapping or an array, and check each of them.

    Parameters
    ----------
    source : str, Path, mapping or sequence
        A UTF-8 text file with a word and its weight on each line, separated by a tab, a comma or spaces; blank lines
        and lines that begin with # are ignored, but a first line ``# digraphs: dz dzs sz`` declares these letters. Or a
        mapping from words to weights, or a sequence of weights.

    Returns
    -------
    dict or list
        The weight of each word, or the weights of a sequence in its order. The words are in lower case.

    Raises
    ------
    BadInput
        If a line has no weight, a weight is negative or not a finite number, a word occurs twice in any case, all
        weights are 0, or there are none. The message gives the line.

    Examples
    --------
    >>> load_weights({"Salet": 2, "crane": 0.5})
    {'salet': Decimal('2'), 'crane': Decimal('0.5')}
    """
    weights: dict[str, Decimal] = {}
    digraphs: rules.Digraphs = ()
    if isinstance(source, str | Path):
        place = f"weights {source}"
        lines = files.read_text(source, "weights").splitlines()
        digraphs = rules.checked_digraphs(declared_digraphs(lines, place), place)
        entries: Iterable[tuple[str, str, Any]] = _lines(lines, place)
    elif isinstance(source, Mapping):
        place = "weights"
        entries = ((f"{place}, '{_short(word)}'", word, weight) for word, weight in source.items())
    elif isinstance(source, Sequence | np.ndarray):
        values = [_parse(value, f"weights, number {i}") for i, value in enumerate(list(source), 1)]
        _check_sum(values, "weights")
        return values
    else:
        raise TypeError(f"weights: expected a file, a mapping or numbers, not {type(source).__name__}")
    seen: dict[str, str] = {}
    for here, word, weight in entries:
        if not isinstance(word, str):
            raise TypeError(f"{place}: expected words as keys, not {type(word).__name__}")
        folded = word if isinstance(word, rules.Word) else rules.spelled(rules.fold(word.strip()), digraphs)
        if folded in weights:
            again = f" and is the same word as '{_short(seen[folded])}'" if seen[folded] != word else ""
            raise BadInput(f"{here}: '{_short(word)}' has a weight already{again}: expected each word once")
        seen[folded] = word
        weights[folded] = _parse(weight, here)
    _check_sum(list(weights.values()), place)
    return weights


def scaled(weights: Sequence[Decimal], name: str = "") -> Weights:
    """Return weights as integers in the same proportions, or rounded where their sum would be too large.

    Decimals are multiplied by the power of ten that makes all of them integers. If their sum is then above `MOST`, they
    are scaled so that it becomes MOST, and rounded to the nearest integer; a positive weight stays positive.

    >>> scaled([Decimal("0.5"), Decimal("2")]).values, scaled([Decimal(1), Decimal(10**12)]).values
    ((5, 20), (1, 1073741824))
    """
    parts = [_digits(weight) if weight else (0, 0) for weight in weights]
    places = max(0, -min(exponent for _, exponent in parts))
    numbers = [digits * 10 ** (exponent + places) for digits, exponent in parts]
    total = sum(numbers)
    if total <= MOST:
        return Weights(tuple(numbers), name)
    values = tuple(max(int(number > 0), (2 * number * MOST + total) // (2 * total)) for number in numbers)
    return Weights(values, name, exact=False)


def _lines(lines: list[str], place: str) -> Iterable[tuple[str, str, str]]:
    """Yield the place, the word and the weight of each line."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        here = f"{place}, line {number}"
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise BadInput(f"{here}: '{_short(line.strip())}': expected a word and its weight, such as crane,12")
        yield here, parts["word"], parts["weight"]


def _parse(weight: Any, place: str) -> Decimal:
    """Return a weight as an exact decimal. Raises BadInput unless it is finite and at least 0."""
    shown = checks.shown(weight)
    if isinstance(weight, np.integer | np.floating):
        weight = weight.item()
    if isinstance(weight, bool) or not isinstance(weight, str | int | float | Decimal):
        raise BadInput(f"{place}: weight {shown}: expected a number")
    if isinstance(weight, float):
        weight = repr(weight)  # the shortest decimal with this value: 0.1 means 0.1
    try:
        if isinstance(weight, str) and (not weight.isascii() or "_" in weight):
            raise InvalidOperation
        number = Decimal(weight)
    except InvalidOperation:
        raise BadInput(f"{place}: weight '{shown}': expected a number, such as 12 or 0.25") from None
    if not number.is_finite():
        raise BadInput(f"{place}: weight {shown}: expected a finite number")
    if number.is_signed() and number:
        raise BadInput(f"{place}: weight {shown}: expected a number that is not negative")
    if not number:
        return Decimal(0)
    if number.adjusted() >= DIGITS or _digits(number)[1] < -DIGITS:
        expected = f"at most {DIGITS} digits before the decimal point and after it"
        raise BadInput(f"{place}: weight {shown}: expected {expected}")
    return number


def _digits(number: Decimal) -> tuple[int, int]:
    """Return a positive decimal as an integer that is not a multiple of 10, and the exponent of 10 that it has.

    The methods of decimals would round to 28 digits.
    """
    _, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits))
    stripped = text.rstrip("0")
    return int(stripped), int(exponent) + len(text) - len(stripped)


def _check_sum(weights: list[Decimal], place: str) -> None:
    if not weights:
        raise BadInput(f"{place}: no weights there: expected at least one word and its weight")
    if not any(weights):
        raise BadInput(f"{place}: all weights are 0: expected at least one that is positive")


def _short(text: object) -> str:
    shown = str(text)
    return shown if len(shown) <= 40 else shown[:40] + "..."
