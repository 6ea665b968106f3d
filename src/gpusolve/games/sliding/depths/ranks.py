"""Positions as bits: the number of each position of a board that can be solved, and what a vertical move does to it.

A position is the cell of the blank, its *plane*, and the order of the tiles, row by row. Of the orders of a plane, half
can be solved: those of one parity. The Lehmer code of an order has for each tile the number of smaller tiles behind it.
These digits, without the last two, which follow from the parity, make its number. The last `LOW_DIGITS` of them choose
a bit of a word of 64, and the digits before them the word.

A horizontal move keeps the order. A vertical move brings a tile past those of a row, so it changes the digits of as
many places as a row has cells, and none before or behind them. If all of these belong to the word, the move brings
whole words to other words; otherwise it moves bits in a group of neighbouring words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

LOW_DIGITS = 3
"""The digits of a bit in its word: their radices are 5, 4 and 3, so a word has 60 positions."""
WORD = 64

Digits = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ranks:
    """The numbers of the positions of a board whose rows are not longer than its columns.

    Attributes
    ----------
    rows, columns : int
        Size of the board, with at least as many rows as columns: a vertical move then changes the fewest digits.
    blank : int
        The cell of the blank in the goal, in which the tiles are in order.
    """

    rows: int
    columns: int
    blank: int

    @property
    def tiles(self) -> int:
        """Number of tiles."""
        return self.rows * self.columns - 1

    @property
    def radices(self) -> list[int]:
        """The number of values of each digit that a position has."""
        return list(range(self.tiles, 2, -1))

    @property
    def high(self) -> int:
        """Number of digits that choose the word."""
        return max(0, len(self.radices) - LOW_DIGITS)

    @property
    def words(self) -> int:
        """Number of words of a plane."""
        return prod(self.radices[: self.high])

    @property
    def bits(self) -> int:
        """Number of positions of a word."""
        return prod(self.radices[self.high :])

    def parity(self, plane: int) -> int:
        """Return the parity of the orders that can be solved with the blank in a cell."""
        return (plane // self.columns - self.blank // self.columns) * (self.columns - 1) % 2

    def orders(self, plane: int, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the positions with these numbers in a plane: the tiles, counted from 0, int64 (numbers, tiles)."""
        digits = _digits(numbers, self.radices)
        return _order(_completed(digits, self.parity(plane)))

    def turn(self, start: int, forth: bool) -> Carry | Turn:
        """Return what a vertical move does that brings a tile past the others of a row.

        Parameters
        ----------
        start : int
            The first place that changes in the order of the tiles.
        forth : bool
            Whether the tile in this place moves behind the others, or the last of them moves here.
        """
        end, radices = start + self.columns, self.radices
        if end <= self.high:
            block = radices[start:end]
            digits = _digits(np.arange(prod(block)), block)
            digits = np.pad(digits, [(0, 0), (0, self.tiles - end)])
            after = _turned(digits, 0, self.columns, forth)[:, : self.columns]
            return Carry(_number(after, block).astype(np.int32), prod(radices[end : self.high]))
        first = min(start, self.high)
        group, words = radices[first:], prod(radices[first : self.high])
        digits = _digits(np.arange(words * self.bits), group)
        at = np.arange(words * self.bits)
        place = at // self.bits * WORD + at % self.bits
        to = np.zeros((2, words * WORD), np.uint16)
        for parity in range(2):
            after = _turned(_completed(digits, parity), start - first, self.columns, forth)
            number = _number(after[:, : len(group)], group)
            to[parity, place] = number // self.bits * WORD + number % self.bits
        return Turn(to, self._oddness(first))

    def _oddness(self, digits: int) -> npt.NDArray[np.uint8]:
        """Return whether the sum of the first digits is odd, for each combination of them."""
        odd: npt.NDArray[np.uint8] = np.zeros(1, np.uint8)
        for radix in self.radices[:digits]:
            odd = np.bitwise_xor.outer(odd, np.arange(radix, dtype=np.uint8) & 1).ravel()
        return odd


@dataclass(frozen=True, eq=False)
class Carry:
    """A move of whole words: the digits of a block change, and `inner` words follow each other for each of its values.

    Attributes
    ----------
    to : ndarray of int32, shape (values,)
        The value of the block after the move, for each value.
    inner : int
        Number of words of a value.
    """

    to: npt.NDArray[np.int32]
    inner: int


@dataclass(frozen=True, eq=False)
class Turn:
    """A move of bits in groups of words.

    Attributes
    ----------
    to : ndarray of uint16, shape (2, bits)
        The bit of the group after the move, for each bit, where the sum of all digits but those before the group is
        even or odd.
    odd : ndarray of uint8, shape (groups,)
        Whether the sum of the digits before the group is odd.
    """

    to: npt.NDArray[np.uint16]
    odd: npt.NDArray[np.uint8]

    @cached_property
    def words(self) -> int:
        """Number of words of a group."""
        return int(self.to.shape[1]) // WORD


def _digits(numbers: npt.NDArray[np.int64], radices: list[int]) -> Digits:
    """Return the digits of numbers, the most significant first: int64 (numbers, digits)."""
    digits = np.zeros((len(numbers), len(radices)), np.int64)
    for place in range(len(radices) - 1, -1, -1):
        numbers, digits[:, place] = np.divmod(numbers, radices[place])
    return digits


def _number(digits: Digits, radices: list[int]) -> npt.NDArray[np.int64]:
    """Return the numbers that have these digits."""
    numbers = np.zeros(len(digits), np.int64)
    for place, radix in enumerate(radices):
        numbers = numbers * radix + digits[:, place]
    return numbers


def _completed(digits: Digits, parity: int) -> Digits:
    """Return the digits with the last two, so that the sum has this parity."""
    last = (digits.sum(axis=1) + parity) % 2
    return np.concatenate([digits, last[:, None], np.zeros((len(digits), 1), np.int64)], axis=1)


def _order(digits: Digits) -> Digits:
    """Return the order of each Lehmer code."""
    order = digits.copy()
    for place in range(digits.shape[1] - 2, -1, -1):
        order[:, place + 1 :] += order[:, place + 1 :] >= order[:, place : place + 1]
    return order


def _turned(digits: Digits, start: int, count: int, forth: bool) -> Digits:
    """Return the Lehmer codes after the first of `count` places has moved behind the others, or the last before them.

    The digits behind these places can be anything.
    """
    order = _order(digits)
    order[:, start : start + count] = np.roll(order[:, start : start + count], -1 if forth else 1, axis=1)
    return np.stack(
        [(order[:, place + 1 :] < order[:, place : place + 1]).sum(axis=1) for place in range(order.shape[1])], axis=1
    )
