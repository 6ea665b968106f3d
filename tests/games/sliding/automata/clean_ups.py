"""The published way to choose forbidden strings, with clean-ups of its memory, in slow and plain Python.

All strings up to a length are walked in depth-first order, and each is written down with the board that it leads to.
When the memory is full, a clean-up completes the lists of these boards by another walk, chooses the forbidden strings
of each board, and empties the memory. A board that is met again after a clean-up is handled once more. Its list then
begins with the strings that were met since, and the order of the list decides between equally good choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations

ORDER = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
GROWTH = 2.13  # forbidding a string that is shorter by one move is worth this many times more


@dataclass(frozen=True)
class Chosen:
    """The forbidden strings, and the groups of equivalent strings of which all are forbidden."""

    strings: set[str]
    lost: list[list[str]]


def choose_strings(rows: int, columns: int, depth: int, *, room: int | None = None) -> Chosen:
    """Choose the forbidden strings of up to `depth` moves, with a clean-up after every `room` strings."""
    chosen = Chosen(set(), [])
    for length in range(1, depth + 1):
        walked = _walk(rows, columns, chosen.strings, length)
        groups = _by_board(walked)
        forbidden: dict[bytes, set[str]] = {}
        for first in range(0, len(walked), room or len(walked)):
            memory = _by_board(walked[first : first + (room or len(walked))])
            for board, met in memory.items():
                others = [string for string in groups[board] if string not in met]
                forbidden.setdefault(board, set()).update(_best_choice(rows, columns, met + others))
        chosen.strings.update(*forbidden.values())
        chosen.lost.extend(groups[board] for board, strings in forbidden.items() if strings == set(groups[board]))
    return chosen


def _by_board(walked: list[tuple[str, bytes]]) -> dict[bytes, list[str]]:
    groups: dict[bytes, list[str]] = {}
    for string, board in walked:
        groups.setdefault(board, []).append(string)
    return groups


def _walk(rows: int, columns: int, forbidden: set[str], length: int) -> list[tuple[str, bytes]]:
    """Return the strings up to a length that contain no forbidden string, with their boards, in depth-first order."""
    height, width = 2 * rows - 1, 2 * columns - 1
    start = height * width // 2
    tiles = bytearray(range(height * width))
    walked = []

    def go(string: str, cell: int, up: int, below: int, left: int, beyond: int) -> None:
        walked.append((string, bytes(tiles)))
        for move, (down, right) in ORDER.items() if len(string) < length else ():
            longer, to = string + move, cell + down * width + right
            row, column = to // width - rows + 1, to % width - columns + 1
            box = max(up, -row), max(below, row), max(left, -column), max(beyond, column)
            fits = box[0] + box[1] < rows and box[2] + box[3] < columns
            if fits and not any(longer[i:] in forbidden for i in range(len(longer) - 1)):
                tiles[cell], tiles[to] = tiles[to], start
                go(longer, to, *box)
                tiles[to], tiles[cell] = tiles[cell], start

    go("", start, 0, 0, 0, 0)
    return walked


def _box(string: str) -> tuple[int, int, int, int]:
    """Return how far a string leads up, down, left and right."""
    row, column = 0, 0
    rows, columns = [0], [0]
    for move in string:
        row, column = row + ORDER[move][0], column + ORDER[move][1]
        rows.append(row)
        columns.append(column)
    return -min(rows), max(rows), -min(columns), max(columns)


def _best_choice(rows: int, columns: int, strings: list[str]) -> tuple[str, ...]:
    """Return the best choice of forbidden strings among equivalent ones.

    For each forbidden string, a string that is no longer and whose box lies within that of the forbidden one has to
    remain. Short strings are worth most, then strings that fit on the board in many places. If two choices are worth
    the same, the one that is later in the order of the lists is taken.
    """
    if len(strings) == 1:
        return ()
    boxes = {string: _box(string) for string in strings}
    subsets = chain.from_iterable(combinations(strings, count) for count in range(len(strings)))
    choices = []
    for choice in subsets:
        remaining = [string for string in strings if string not in choice]
        if all(any(_replaces(other, string, boxes) for other in remaining) for string in choice):
            fitting = [boxes[string] for string in choice]
            places = sum((rows - up - down) * (columns - left - right) for up, down, left, right in fitting)
            worth = sum(GROWTH ** (50 - len(string)) for string in choice) + places
            choices.append((worth, [(len(string), string) for string in choice], choice))
    return max(choices)[2]


def _replaces(other: str, string: str, boxes: dict[str, tuple[int, int, int, int]]) -> bool:
    return len(other) <= len(string) and all(a <= b for a, b in zip(boxes[other], boxes[string], strict=True))
