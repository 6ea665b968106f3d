"""Q-less: all solutions of rolls one by one, solvable or not by the batch, a roll with very many; plain Python beside.

Plain Python goes through the same shapes one by one and fills their slots, the one with the most crossings first, from
lists of words by length, place and letter: what the public solvers do.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import median

from gpusolve.backend import Backend, open_backend
from gpusolve.games.qless._shapes import Slot, shapes
from gpusolve.games.qless._solve import count, counts, solve
from gpusolve.games.qless.rolls import random_rolls, roll
from gpusolve.games.qless.variant import STANDARD
from harness import Row, Work

SEED = 1
ROLLS = 200
BATCH = 5000
WORK = 100_000
RICH = "adeghlnoprst"
"""A roll with 1.8 million solutions."""
BESIDE = 1
"""Rolls for plain Python, which takes long for each."""


def rows(backend: Backend) -> list[Row]:
    """Everything measured."""
    return [*_one_by_one(backend), *_batches(backend), _rich(backend), *_plain(backend)]


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """What is compared between devices: rolls by the batch, solvable or not, and all solutions of some."""
    rolls = random_rolls(SEED, 0, max(4, round(WORK * scale)))
    some = [roll(SEED, number) for number in range(max(1, len(rolls) // 100))]
    return {
        f"{len(rolls):,} rolls, solvable or not": Work(lambda: len(counts(rolls, backend=backend)), "rolls"),
        f"{len(some):,} rolls, all solutions": Work(
            lambda: sum(len(solve(one, backend=backend)) for one in some), "solutions"
        ),
    }


def _one_by_one(backend: Backend) -> list[Row]:
    solve(roll(SEED), backend=backend)
    found = []
    for name, run in (("all solutions", solve), ("their number", count)):
        seconds, solutions = [], []
        for number in range(ROLLS):
            letters = roll(SEED, number)
            begin = time.perf_counter()
            one = run(letters, backend=backend)
            seconds.append(time.perf_counter() - begin)
            solutions.append(one.solutions if hasattr(one, "solutions") else len(one))
        rate = f"mean {1000 * sum(seconds) / ROLLS:.1f} ms, at most {1000 * max(seconds):.0f} ms"
        rate += f"; median {median(solutions):,.0f} solutions"
        found.append(Row(f"{name} of a roll, median of {ROLLS}", median(seconds), rate))
    return found


def _batches(backend: Backend) -> list[Row]:
    rolls, found = random_rolls(SEED, 0, BATCH), []
    for device in (backend, open_backend("cpu:1")):
        counts(rolls[:100], backend=device)
        seconds = device.timed(lambda device=device: counts(rolls, backend=device))  # type: ignore[misc]
        name = f"{BATCH:,} rolls, solvable or not, {device.name}"
        found.append(Row(name, seconds, f"{1000 * seconds / BATCH:.3f} ms/roll"))
    return found


def _rich(backend: Backend) -> Row:
    begin = time.perf_counter()
    found = solve(RICH, backend=backend)
    seconds = time.perf_counter() - begin
    return Row(f"all {len(found):,} solutions of {found.roll}", seconds, f"{len(found) / seconds:,.0f} solutions/s")


def _plain(backend: Backend) -> list[Row]:
    found = []
    for number in range(BESIDE):
        letters = roll(SEED, number)
        begin = time.perf_counter()
        solutions = sum(1 for _ in plain(letters))
        between = time.perf_counter()
        ours = count(letters, backend=backend)
        seconds = time.perf_counter() - between
        assert ours.solutions == solutions
        ratio = f"{(between - begin) / seconds:,.0f} times as long"
        found.append(Row(f"plain Python, {solutions:,} solutions of {letters}", between - begin, "", ratio))
    return found


def plain(letters: str) -> Iterator[list[str]]:
    """The solutions of a roll, each as its words, filled in shape by shape."""
    words = [word for word in STANDARD.anagrams.words if not Counter(word) - Counter(letters)]
    having: dict[tuple[int, int, str], list[str]] = defaultdict(list)
    for word in words:
        having[len(word), -1, ""].append(word)
        for place, letter in enumerate(word):
            having[len(word), place, letter].append(word)
    found = shapes(len(letters))
    for number in range(len(found)):
        slots = _in_order(found.slots(number))
        seen = set()
        for fill in _filled(slots, [""] * len(letters), Counter(letters), having):
            cells = dict(zip(found.cells[number].tolist(), fill, strict=True))
            turned = [cells.get(cell % 16 * 16 + cell // 16, "") for cell in cells]
            if not found.symmetric[number] or fill <= turned:
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
    crossed = [(place, fill[cell]) for place, cell in enumerate(cells) if fill[cell]]
    place, letter = crossed[0] if crossed else (-1, "")
    for word in having[len(cells), place, letter]:
        if all(word[place] == letter for place, letter in crossed):
            new = Counter(word) - Counter(letter for _, letter in crossed)
            if all(left[letter] >= number for letter, number in new.items()):
                after = fill.copy()
                for cell, letter in zip(cells, word, strict=True):
                    after[cell] = letter
                yield from _filled(slots[1:], after, left - new, having)
