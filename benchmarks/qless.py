"""Q-less: all solutions of single rolls, batches of rolls that are solvable or not, and a roll with many solutions.

They are compared with plain Python, which fills the slots of one shape after another, the slot with the most crossings
first, from lists of words by length, position and letter, as public solvers do.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import median
from typing import Any

from gpusolve.backend import Backend, open_backend
from gpusolve.games.qless import Count, Slot, count, counts, roll, shapes, solve
from gpusolve.games.qless.rolls import random_rolls
from gpusolve.games.qless.variant import STANDARD
from harness import Row, Work

SEED = 1
ROLLS = 200
BATCH = 5000
WORK = 100_000
RICH = "adeghlnoprst"
"""A roll with 1.8 million solutions."""
PLAIN_ROLLS = 1
"""Rolls for plain Python, which takes long for each."""


def rows(backend: Backend) -> list[Row]:
    """Measure everything."""
    return [*_one_by_one(backend), *_batches(backend), _rich(backend), *_plain(backend)]


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return the calls that are compared between devices: batches of rolls, and all solutions of single rolls."""
    rolls = random_rolls(SEED, 0, max(2, round(WORK * scale)))
    single = [roll(number=number, seed=SEED) for number in range(max(1, len(rolls) // 1000))]

    def solve_all() -> list[tuple[Any, ...]]:
        found = [solve(letters, backend=backend) for letters in single]
        return [(solutions.shape, solutions.fill) for solutions in found]

    return {
        f"{len(rolls):,} rolls, solvable or not": Work(
            lambda: counts(rolls, backend=backend), len, "rolls", "10,000 rolls/s"
        ),
        f"{len(single):,} rolls, all solutions": Work(solve_all, len, "rolls"),
    }


def _one_by_one(backend: Backend) -> list[Row]:
    solve(roll(seed=SEED), backend=backend)
    lines = []
    for name, run in (("all solutions", solve), ("number of solutions", count)):
        seconds, solutions = [], []
        for number in range(ROLLS):
            letters = roll(number=number, seed=SEED)
            begin = time.perf_counter()
            result = run(letters, backend=backend)
            seconds.append(time.perf_counter() - begin)
            solutions.append(result.solutions if isinstance(result, Count) else len(result))
        rate = f"mean {1000 * sum(seconds) / ROLLS:.1f} ms, at most {1000 * max(seconds):.0f} ms"
        rate += f"; median {median(solutions):,.0f} solutions"
        lines.append(Row(f"{name} of a roll, median of {ROLLS}", median(seconds), rate))
    return lines


def _batches(backend: Backend) -> list[Row]:
    rolls, lines = random_rolls(SEED, 0, BATCH), []
    for device in (backend, open_backend("cpu:1")):
        counts(rolls[:100], backend=device)
        seconds = device.timed(lambda device=device: counts(rolls, backend=device))  # type: ignore[misc]
        name = f"{BATCH:,} rolls, solvable or not, {device.name}"
        lines.append(Row(name, seconds, f"{1000 * seconds / BATCH:.3f} ms/roll"))
    return lines


def _rich(backend: Backend) -> Row:
    begin = time.perf_counter()
    solutions = solve(RICH, backend=backend)
    seconds = time.perf_counter() - begin
    rate = f"{len(solutions) / seconds:,.0f} solutions/s"
    return Row(f"all {len(solutions):,} solutions of {solutions.roll}", seconds, rate)


def _plain(backend: Backend) -> list[Row]:
    lines = []
    for number in range(PLAIN_ROLLS):
        letters = roll(number=number, seed=SEED).roll
        begin = time.perf_counter()
        solutions = sum(1 for _ in plain(letters))
        between = time.perf_counter()
        ours = count(letters, backend=backend)
        seconds = time.perf_counter() - between
        assert ours.solutions == solutions
        ratio = f"{(between - begin) / seconds:,.0f} times as long"
        lines.append(Row(f"plain Python, {solutions:,} solutions of {letters}", between - begin, "", ratio))
    return lines


def plain(letters: str) -> Iterator[list[str]]:
    """Yield the solutions of a roll, each as its words, shape by shape."""
    words = [word for word in STANDARD.anagrams.words if not Counter(word) - Counter(letters)]
    having: dict[tuple[int, int, str], list[str]] = defaultdict(list)
    for word in words:
        having[len(word), -1, ""].append(word)
        for position, letter in enumerate(word):
            having[len(word), position, letter].append(word)
    all_shapes = shapes(letters=len(letters))
    for number in range(len(all_shapes)):
        slots = _in_order(all_shapes.slots(number))
        seen = set()
        for fill in _filled(slots, [""] * len(letters), Counter(letters), having):
            cells = dict(zip(all_shapes.cells[number].tolist(), fill, strict=True))
            transpose = [cells.get(cell % 16 * 16 + cell // 16, "") for cell in cells]
            if not all_shapes.symmetric[number] or fill <= transpose:
                seen.add(tuple(fill))
        for letters_of in seen:
            yield ["".join(letters_of[i] for i in slot.cells) for slot in slots]


def _in_order(slots: list[Slot]) -> list[Slot]:
    order: list[Slot] = []
    while len(order) < len(slots):
        before = {cell for slot in order for cell in slot.cells}
        rest = [slot for slot in slots if slot not in order]
        order.append(max(rest, key=lambda slot: (len(before & set(slot.cells)), len(slot.cells))))
    return order


def _filled(
    slots: list[Slot], fill: list[str], left: Counter[str], having: dict[tuple[int, int, str], list[str]]
) -> Iterator[list[str]]:
    if not slots:
        yield list(fill)
        return
    cells = slots[0].cells
    crossed = [(position, fill[cell]) for position, cell in enumerate(cells) if fill[cell]]
    position, letter = crossed[0] if crossed else (-1, "")
    for word in having[len(cells), position, letter]:
        if all(word[position] == letter for position, letter in crossed):
            new = Counter(word) - Counter(letter for _, letter in crossed)
            if all(left[letter] >= number for letter, number in new.items()):
                after = fill.copy()
                for cell, letter in zip(cells, word, strict=True):
                    after[cell] = letter
                yield from _filled(slots[1:], after, left - new, having)
